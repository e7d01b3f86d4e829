// Recorded runs read back: the poses to the bit, the scene that was kept with them, and what is
// wrong with files that are none.
#include "test.h"

#include "io/trajectory/trajectory.h"
#include <rigor/scene.h>

static const char scene_text[] =
    "{\"rigor\": 1, \"bodies\": [\n"
    "{\"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\"}]},\n"
    "{\"name\": \"ball\", \"position\": [0.1, 0.2, 0.1], \"angular_velocity\": [1, 2, 3],\n"
    "\"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]}]}";

enum { BODIES = 2, FRAMES = 7 };

typedef struct Run {
  rgScene* scene;
  rgWorld* world;
  double poses[FRAMES][BODIES][7], times[FRAMES];
  rgRecordedMeasure measures[FRAMES];
} Run;

// Records FRAMES states of the scene, and keeps its text when `keep` is set.
static void record(Run* run, const char* path, bool keep) {
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(scene_text, strlen(scene_text), "s.json", &run->scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  REQUIRE_INT(rg_scene_build(run->scene, NULL, &run->world, &message), RG_OK);
  rgTrajectory* trajectory = NULL;
  REQUIRE_INT(rg_trajectory_create(path, run->world, &trajectory, &message), RG_OK);
  if (keep)
    REQUIRE_INT(rg_trajectory_keep_scene(trajectory, scene_text, &message), RG_OK);
  for (int frame = 0; frame < FRAMES; frame++) {
    run->times[frame] = rg_world_time(run->world);
    rgEnergy energy = rg_world_energy(run->world);
    const rgCertificate* certificate = rg_world_certificate(run->world);
    run->measures[frame] =
        (rgRecordedMeasure){energy.kinetic, energy.potential, certificate->energy,
                            certificate->residual, certificate->contacts};
    for (int i = 0; i < BODIES; i++) {
      rgPose pose = rg_body_pose(run->world, rg_world_body(run->world, i));
      const rgQuat q = pose.orientation;
      const double values[7] = {
          pose.position.x, pose.position.y, pose.position.z, q.w, q.x, q.y, q.z};
      memcpy(run->poses[frame][i], values, sizeof values);
    }
    CHECK_INT(rg_trajectory_append(trajectory, run->world, &message), RG_OK);
    CHECK_INT(rg_world_step(run->world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, &message), RG_OK);
}

static void release(Run* run) {
  rg_world_destroy(run->world);
  rg_scene_free(run->scene);
}

TEST(csv_keeps_the_scene_beside_it) {
  Run run;
  const char* path = test_temporary("kept.csv");
  record(&run, path, true);
  char kept[1024], text[sizeof scene_text + 8] = "";
  snprintf(kept, sizeof kept, "%.*s.scene.json", (int)strlen(path) - 4, path);
  FILE* file = fopen(kept, "rb");
  REQUIRE(file != NULL);
  CHECK_INT((long long)fread(text, 1, sizeof text - 1, file), (long long)strlen(scene_text));
  fclose(file);
  CHECK_STR(text, scene_text);
  remove(kept);
  remove(path);
  snprintf(kept, sizeof kept, "%.*s.certificate.csv", (int)strlen(path) - 4, path);
  remove(kept);
  release(&run);
}

#ifdef RIGOR_HDF5

static rgStatus read_back(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                          rgMessage* message) {
  *pool = (rgPool){rg_allocator_default(), NULL};
  return rg_trajectory_read_h5(path, pool, poses, message);
}

TEST(h5_gives_every_pose_to_the_bit_and_the_scene) {
  Run run;
  const char* path = test_temporary("read.h5");
  record(&run, path, true);
  rgPool pool;
  rgTrajectoryPoses poses;
  rgMessage message = {""};
  rgStatus status = read_back(path, &pool, &poses, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  REQUIRE_INT(poses.frame_count, FRAMES);
  REQUIRE_INT(poses.body_count, BODIES);
  CHECK_STR(poses.scene, scene_text);
  REQUIRE(poses.measures != NULL);
  for (int frame = 0; frame < FRAMES; frame++) {
    CHECK_BITS(poses.time[frame], run.times[frame]);
    CHECK_INT(poses.step[frame], frame);
    CHECK_BITS(poses.measures[frame].kinetic, run.measures[frame].kinetic);
    CHECK_BITS(poses.measures[frame].potential, run.measures[frame].potential);
    CHECK_BITS(poses.measures[frame].change, run.measures[frame].change);
    CHECK_BITS(poses.measures[frame].residual, run.measures[frame].residual);
    CHECK_INT(poses.measures[frame].contacts, run.measures[frame].contacts);
    CHECK(frame == 0 || poses.measures[frame].contacts > 0); // the ball lies on the ground
    for (int i = 0; i < BODIES; i++) {
      int at = frame * BODIES + i;
      for (int k = 0; k < 3; k++)
        CHECK_BITS(poses.position[3 * at + k], run.poses[frame][i][k]);
      for (int k = 0; k < 4; k++)
        CHECK_BITS(poses.orientation[4 * at + k], run.poses[frame][i][3 + k]);
    }
  }
  rg_pool_free(&pool);
  remove(path);
  release(&run);
}

TEST(h5_without_a_scene_has_none) {
  Run run;
  const char* path = test_temporary("bare.h5");
  record(&run, path, false);
  rgPool pool;
  rgTrajectoryPoses poses;
  rgMessage message = {""};
  CHECK_INT(read_back(path, &pool, &poses, &message), RG_OK);
  CHECK(poses.scene == NULL);
  rg_pool_free(&pool);
  remove(path);
  release(&run);
}

// Cut at many places, a file is refused or read; either way nothing breaks.
TEST(h5_that_was_cut_is_refused_with_its_name) {
  Run run;
  const char *path = test_temporary("whole.h5"), *cut = test_temporary("cut.h5");
  record(&run, path, true);
  static char bytes[1 << 20];
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  REQUIRE(size > 0 && size < sizeof bytes);
  for (size_t part = 0; part < 16; part++) {
    file = fopen(cut, "wb");
    REQUIRE(file != NULL);
    fwrite(bytes, 1, size * part / 16, file);
    fclose(file);
    rgPool pool;
    rgTrajectoryPoses poses;
    rgMessage message = {""};
    CHECK(read_back(cut, &pool, &poses, &message) != RG_OK);
    CHECK_CONTAINS(message.text, "cut.h5");
    rg_pool_free(&pool);
  }
  remove(cut);
  remove(path);
  release(&run);
}

TEST(what_is_no_trajectory_is_said) {
  rgPool pool;
  rgTrajectoryPoses poses;
  rgMessage message = {""};
  CHECK_INT(read_back("no/such/run.h5", &pool, &poses, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "no/such/run.h5: cannot be read, or is not a whole HDF5 file");
  rg_pool_free(&pool);
}

#endif
