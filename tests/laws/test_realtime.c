// The preset realtime on small hard islands: a few iterations are enough for them to stand.
#include "test.h"

#include "support/overlap.h"
#include "support/scenes.h"

#include <stdlib.h>

// Runs a stack for ten seconds; returns how far any box moved [m] and counts the steps that were
// not met.
static double run_stack(int boxes, double ratio, int* not_met) {
  Scene scene;
  scene_stack(&scene, boxes, 0, ratio);
  rgOptions options;
  REQUIRE(rg_options_preset("realtime", &options));
  rgBodyId* ids = calloc((size_t)scene.body_count, sizeof *ids);
  rgPose* poses = calloc((size_t)scene.body_count, sizeof *poses);
  rgWorld* world;
  rgMessage message;
  REQUIRE(scene_world(&scene, &options, SCENE_SI, ids, &world, &message) == RG_OK);
  *not_met = 0;
  for (int i = 0; i < 600; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    *not_met += !certificate.met;
  }
  for (int i = 0; i < scene.body_count; ++i)
    poses[i] = rg_body_pose(world, ids[i]);
  double moved = overlap_displacement(&scene, poses);
  rg_world_destroy(world);
  free(poses);
  free(ids);
  scene_end(&scene);
  return moved;
}

// A thousandth of the boxes' size is what the preset's projection leaves alone.
TEST(stack_of_twenty_stands_in_realtime) {
  int not_met;
  CHECK(run_stack(20, 1, &not_met) < 1e-3);
  CHECK_INT(not_met, 0);
}

TEST(ten_boxes_carry_one_a_thousand_times_heavier_in_realtime) {
  int not_met;
  CHECK(run_stack(11, 1000, &not_met) < 1e-3);
  CHECK_INT(not_met, 0);
}
