// Axes that follow others in files: MJCF's equality of joints, URDF's mimic, and the keys of scenes. The oracles
// are the polynomials as the files state them, evaluated here.
#include "test.h"

#include "math/vec.h"
#include <rigor/joint.h>
#include <rigor/rigor.h>

typedef struct Model {
  rgScene* scene;
  rgWorld* world;
} Model;

static Model load(const char* text, const char* name) {
  Model m = {0};
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), name, &m.scene, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  REQUIRE_MSG(rg_scene_build(m.scene, NULL, &m.world, &message) == RG_OK, "%s", message.text);
  size_t length = rg_scene_write(m.scene, NULL, 0);
  char* written = malloc(length + 1);
  REQUIRE(written);
  rg_scene_write(m.scene, written, length + 1);
  rgScene* again = NULL;
  status = rg_scene_parse(written, length, "m.json", &again, &message);
  if (CHECK_MSG(status == RG_OK, "%s", message.text)) { // what is written leads to the same world
    rgWorld* same = NULL;
    REQUIRE_MSG(rg_scene_build(again, NULL, &same, &message) == RG_OK, "%s", message.text);
    CHECK(rg_world_hash(same) == rg_world_hash(m.world));
    rg_world_destroy(same);
  }
  rg_scene_free(again);
  free(written);
  return m;
}

static void drop(Model m) {
  rg_world_destroy(m.world);
  rg_scene_free(m.scene);
}

static double value(const double p[5], double x) {
  return p[0] + x * (p[1] + x * (p[2] + x * (p[3] + x * p[4])));
}

static rgJointCoupling coupling_of(Model m, const char* joint) {
  rgJointCoupling coupling = {0};
  rgJointId id = rg_world_find_joint(m.world, joint);
  REQUIRE_MSG(rg_joint_coupling(m.world, id, 0, &coupling, NULL) == RG_OK, "%s is not coupled",
              joint);
  return coupling;
}

static double coordinate(Model m, const char* joint) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(m.world, rg_world_find_joint(m.world, joint), &state), RG_OK);
  return state.coordinate[0];
}

#define BODY(name, joint)                                                                          \
  "<body name='" name "' pos='0 0 1'>" joint                                                       \
  "<inertial pos='0 0 -0.5' mass='1' diaginertia='.02 .02 .02'/></body>\n"

// joint1 - ref1 = p(joint2 - ref2), as MuJoCo's reference says.
TEST(equality_of_joints_in_mjcf_follows_its_polynomial) {
  static const struct {
    const char* text;
    double p[5];
  } cases[] = {{"", {0, 1}},
               {"polycoef='0.3'", {0.3, 1}},
               {"polycoef='0.2 -1.5 0 0 0'", {0.2, -1.5}},
               {"polycoef='0.1 0.5 -0.3 0.4 0.25'", {0.1, 0.5, -0.3, 0.4, 0.25}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("%s", cases[i].text);
    char text[2000];
    snprintf(text, sizeof text,
             "<mujoco><compiler angle='radian'/><worldbody>" BODY(
                 "a", "<joint name='lead' axis='0 1 0' "
                      "ref='0.3'/>") BODY("b", "<joint name='follow' type='slide' axis='1 0 0' "
                                               "ref='-0.2'/>") "</"
                                                               "worldbody><equality><"
                                                               "joint joint1='follow' "
                                                               "joint2='lead' "
                                                               "%s/></equality></"
                                                               "mujoco>",
             cases[i].text);
    Model m = load(text, "m.xml");
    rgJointCoupling coupling = coupling_of(m, "follow");
    CHECK_STR(rg_joint_name(m.world, coupling.leader), "lead");
    for (double y = -1; y <= 1; y += 0.25)
      CHECK_NEAR(value(coupling.polynomial, y), -0.2 + value(cases[i].p, y - 0.3), 1e-14);
    rg_world_set_coordinates(m.world, (double[]){0.5, value(coupling.polynomial, 0.5)}, NULL);
    for (int k = 0; k < 50; k++)
      REQUIRE_MSG(rg_world_step(m.world, NULL) == RG_OK, "%s", rg_world_message(m.world));
    CHECK_NEAR(coordinate(m, "follow"), -0.2 + value(cases[i].p, coordinate(m, "lead") - 0.3),
               1e-11);
    CHECK(fabs(coordinate(m, "lead") - 0.5) > 1e-3); // it moves
    drop(m);
  }
}

TEST(mimic_in_urdf_follows_by_ratio_and_offset) {
#define LINK(name)                                                                                 \
  "<link name='" name "'><inertial><origin xyz='0 0 -.3'/><mass value='1'/>"                       \
  "<inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial></link>\n"
#define JOINT(name, child, rest)                                                                   \
  "<joint name='" name "' type='continuous'><parent link='world'/><child link='" child             \
  "'/><axis xyz='0 1 0'/>" rest "</joint>\n"
  Model m =
      load("<robot name='r'><link name='world'/>" LINK("a") LINK("b") LINK("c") JOINT("ja", "a", "")
               JOINT("jb", "b",
                     "<mimic joint='ja' multiplier='-2' "
                     "offset='.1'/>") JOINT("jc", "c", "<mimic joint='ja'/>") "</robot>",
           "r.urdf");
  rgJointCoupling b = coupling_of(m, "jb"), c = coupling_of(m, "jc");
  CHECK(b.polynomial[0] == 0.1 && b.polynomial[1] == -2 && b.polynomial[2] == 0);
  CHECK(c.polynomial[0] == 0 && c.polynomial[1] == 1);
  for (int k = 0; k < 100; k++)
    REQUIRE_MSG(rg_world_step(m.world, NULL) == RG_OK, "%s", rg_world_message(m.world));
  CHECK_NEAR(coordinate(m, "jb"), 0.1 - 2 * coordinate(m, "ja"), 1e-11);
  CHECK_NEAR(coordinate(m, "jc"), coordinate(m, "ja"), 1e-11);
  drop(m);
}

// What a scene says wrongly is refused where it is said.
TEST(broken_couplings_of_scenes_are_refused) {
  static const struct {
    const char *axis, *second, *says;
  } broken[] = {
      {"{\"follow\": \"nobody\"}", "{}", "s.json:3:1: joints[0]: follows \"nobody\""},
      {"{\"follow\": \"two\", \"follow_axis\": \"slide\"}", "{}", "joints[0]: follows the axis"},
      {"{\"follow\": \"one\"}", "{}", "joints[0]: the axis is to follow itself"},
      {"{\"follow\": \"two\"}", "{\"follow\": \"one\"}", "s.json:4:1: joints[1]: the leader"},
      {"{\"follow\": \"two\", \"polynomial\": [1]}", "{}", "does not depend on its leader"},
      {"{\"polynomial\": [0, 1]}", "{}", "has \"polynomial\" without \"follow\""},
      {"{\"follow\": \"two\", \"polynomial\": [0, 1, 2, 3, 4, 5]}", "{}", "polynomial"},
  };
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "{\"rigor\": 1, \"bodies\": [{\"name\": \"p\", \"mass\": 1, \"inertia\": [1,1,1]}, "
             "{\"name\": \"q\", \"mass\": 1, \"inertia\": [1,1,1]}],\n\"joints\": [\n"
             "{\"kind\": \"hinge\", \"name\": \"one\", \"b\": \"p\", \"axis\": [0,1,0], "
             "\"axes\": [%s]},\n"
             "{\"kind\": \"hinge\", \"name\": \"two\", \"b\": \"q\", \"axis\": [0,1,0], "
             "\"axes\": [%s]}]}",
             broken[i].axis, broken[i].second);
    CONTEXT("%s", text);
    rgScene* scene = NULL;
    rgWorld* world = NULL;
    rgMessage message = {""};
    rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
    if (status == RG_OK)
      status = rg_scene_build(scene, NULL, &world, &message);
    CHECK_INT(status, RG_ERROR_INPUT);
    CHECK_MSG(strstr(message.text, broken[i].says), "%s", message.text);
    rg_world_destroy(world);
    rg_scene_free(scene);
  }
}
