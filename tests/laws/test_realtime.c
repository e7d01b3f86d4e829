// The preset realtime: a few iterations are enough for small hard islands and for piles to stand.
#include "test.h"

#include "support/overlap.h"
#include "support/scenes.h"

#include "math/vec.h"

#include <math.h>
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

// Once it has settled, a pyramid of 120 boxes moves no more, not even slowly, and is seldom solved:
// without impulses that balance its weight to rounding it would be in every other step. Its boxes
// touch sideways, too, with impulses near zero.
TEST(pyramid_rests_in_realtime) {
  Scene scene;
  scene_pyramid(&scene, 15);
  rgOptions options;
  REQUIRE(rg_options_preset("realtime", &options));
  rgBodyId* ids = calloc((size_t)scene.body_count, sizeof *ids);
  rgPose* poses = calloc((size_t)scene.body_count, sizeof *poses);
  rgWorld* world;
  rgMessage message;
  REQUIRE(scene_world(&scene, &options, SCENE_SI, ids, &world, &message) == RG_OK);
  int not_met = 0, solved = 0;
  const int settled = 120, steps = 420;
  for (int i = 0; i < steps; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    if (i == settled)
      for (int k = 0; k < scene.body_count; ++k)
        poses[k] = rg_body_pose(world, ids[k]);
    not_met += i > settled && !certificate.met;
    solved += i > settled && certificate.iterations > 0;
  }
  double moved = 0;
  for (int k = 0; k < scene.body_count; ++k)
    moved = fmax(moved, v3_norm(v3_sub(rg_body_pose(world, ids[k]).position, poses[k].position)));
  CHECK(moved <
        1e-6); // the tolerance of the preset, kept up for 5 s, would be a thousand times that
  CHECK_INT(not_met, 0);
  CHECK_MSG(solved <= (steps - settled) / 10, "%d solved", solved);
  rg_world_destroy(world);
  free(poses);
  free(ids);
  scene_end(&scene);
}
