// Robots as others wrote them, from the shared data: each loads, says what it did not take, and runs
// one second from its first key or from where it stands, certified.
#include "test.h"

#include <rigor/rigor.h>

#include <dirent.h>

static const struct {
  const char* path;
  bool ground; // URDF has none
  int remarks; // at least as many, and no more than three times
} robots[] = {
    {"mjcf/agility_cassie/cassie.xml", false, 4},
    {"mjcf/agility_cassie/scene.xml", false, 4},
    {"mjcf/anybotics_anymal_c/anymal_c.xml", false, 4},
    {"mjcf/anybotics_anymal_c/scene.xml", false, 4},
    {"mjcf/anybotics_anymal_c/anymal_c_mjx.xml", false, 4},
    {"mjcf/anybotics_anymal_c/scene_mjx.xml", false, 4},
    {"mjcf/mujoco/22_humanoids.xml", false, 4},
    {"mjcf/mujoco/cards.xml", false, 6},
    {"mjcf/mujoco/humanoid.xml", false, 4},
    {"mjcf/robotiq_2f85/2f85.xml", false, 8},
    {"mjcf/robotiq_2f85/scene.xml", false, 8},
    {"mjcf/shadow_hand/left_hand.xml", false, 4},
    {"mjcf/shadow_hand/right_hand.xml", false, 4},
    {"mjcf/shadow_hand/scene_left.xml", false, 4},
    {"mjcf/shadow_hand/scene_right.xml", false, 4},
    {"mjcf/trs_so_arm100/scene.xml", false, 5},
    {"mjcf/trs_so_arm100/so_arm100.xml", false, 5},
    {"mjcf/wonik_allegro/left_hand.xml", false, 2},
    {"mjcf/wonik_allegro/right_hand.xml", false, 2},
    {"mjcf/wonik_allegro/scene_left.xml", false, 3},
    {"mjcf/wonik_allegro/scene_right.xml", false, 3},
    {"urdf/double_pendulum_description/urdf/double_pendulum.urdf", true, 2},
    {"urdf/double_pendulum_description/urdf/double_pendulum_continuous.urdf", true, 2},
    {"urdf/double_pendulum_description/urdf/double_pendulum_simple.urdf", true, 2},
    {"urdf/finger_edu_description/robots/finger_edu.urdf", true, 4},
    {"urdf/hyq_description/robots/hyq_no_sensors.urdf", true, 7},
    {"urdf/quadruped_description/urdf/quadruped.urdf", true, 5},
    {"urdf/simple_humanoid_description/urdf/simple_humanoid.urdf", true, 1},
    {"urdf/simple_humanoid_description/urdf/simple_humanoid_classical.urdf", true, 1},
    {"urdf/solo_description/robots/solo.urdf", true, 5},
    {"urdf/solo_description/robots/solo12.urdf", true, 8},
};

static void check_robot(const char* path, bool ground, int remarks) {
  rgModelOptions options = rg_scene_model_options();
  options.ground = ground;
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgMessage message = {""};
  rgStatus status = rg_scene_read_model(path, &options, &scene, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  REQUIRE_MSG(rg_scene_build(scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  int count = 0, met = 0, steps = 0;
  const char *place, *text;
  while (rg_scene_note(scene, count, &place, &text))
    count++;
  CHECK_MSG(count >= remarks && count <= 3 * remarks, "%d remarks", count);
  rgCertificate certificate;
  double residual = 0;
  // n h, up to rounding
  while (rg_world_time(world) < 1 - 1e-9 && rg_world_step(world, &certificate) == RG_OK) {
    steps++;
    met += certificate.met;
    residual = fmax(residual, certificate.residual);
  }
  CHECK_NEAR(rg_world_time(world), 1, 5e-3);
  CHECK_MSG(residual <= 1e-6, "residual %g", residual);
  CHECK_MSG(met == steps, "met %d of %d", met, steps);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

static bool is_empty_folder(const char* path) {
  DIR* entries = opendir(path);
  int count = 0;
  while (entries && readdir(entries))
    count++;
  bool empty = entries && count <= 2; // itself and the one above
  if (entries)
    closedir(entries);
  return empty;
}

// A copy of the data may come without its meshes: their folder, assets or meshes, is there and empty.
static bool lacks_meshes(const char* robots_folder, const char* robot) {
  static const char* const names[] = {"assets", "meshes"};
  const char* kind_end = strchr(robot, '/');
  int length = (int)(strchr(kind_end + 1, '/') - robot);
  bool lacks = false;
  for (int i = 0; i < 2; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/%.*s/%s", robots_folder, length, robot, names[i]);
    lacks = lacks || is_empty_folder(path);
  }
  return lacks;
}

TEST(robots_of_others_load_and_run) {
  const char* shared = getenv("RIGOR_SHARED");
  char folder[800], path[1000];
  snprintf(folder, sizeof folder, "%s/data/robots", shared ? shared : "");
  snprintf(path, sizeof path, "%s/%s", folder, robots[0].path);
  if (!shared || access(path, R_OK) != 0)
    SKIP("RIGOR_SHARED with data/robots is not there");
  int left_out = 0;
  for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
    CONTEXT("%s", robots[i].path);
    snprintf(path, sizeof path, "%s/%s", folder, robots[i].path);
    bool whole = !lacks_meshes(folder, robots[i].path);
    left_out += !whole;
    if (whole)
      check_robot(path, robots[i].ground, robots[i].remarks);
  }
  if (left_out > 0)
    SKIP("%d of %d models have no meshes in this copy of the data; the others ran", left_out,
         (int)(sizeof robots / sizeof *robots));
}
