// What stands and what falls is decided by statics, to the percent.
#include "support/laws.h"

// --- three balls and one on top
// ----------------------------------------------------------------------------
//
// The line from a lower ball to the top ball leans by b from the vertical, sin(b) = 1 / sqrt(3). A
// lower ball turns unless the friction at its two contacts is equal, F; with the normal force N
// from the top ball, vertical and horizontal balance give F = N tan(b / 2) and N = W / 3, and the
// floor carries 4/3 W. So balls need mu = tan(b / 2) = 0.317837 between them and a quarter of that,
// 0.079459, on the floor.

static const double RADIUS = 0.1;

static double critical(void) { return tan(0.5 * asin(1 / sqrt(3))); }

// How far the top ball has come down after 5 s, in radii, and how far any has moved.
static void run_pyramid(double mu_balls, double mu_floor, double* drop, double* moved) {
  Law law;
  scene_ball_pyramid(&law.scene, RADIUS, mu_balls, mu_floor);
  rgOptions options = law_options("reference", 2e-3);
  law_begin(&law, &options, SCENE_SI);
  law_run(&law, 2500);
  *drop = -law_moved(&law, 4).z / RADIUS;
  *moved = law_displacement(&law) / RADIUS;
  CHECK_INT(law.not_met, 0);
  law_end(&law);
}

static void check_pyramid(double mu_balls, double mu_floor, bool stands) {
  double drop, moved;
  CONTEXT("mu %.6f between balls, %.6f on the floor", mu_balls, mu_floor);
  run_pyramid(mu_balls, mu_floor, &drop, &moved);
  // What stands may creep by the solver's tolerance, 1e-10 g h per step: 1e-9 radii. What falls has
  // missing at least 0.5 % of the friction, a tenth of a per cent of the weight: 0.25 m of the way
  // of a free fall of 5 s.
  if (stands)
    CHECK_MSG(moved < 1e-6, "moved by %g radii", moved);
  else
    CHECK_MSG(drop > 0.1, "the top came down by %g radii only", drop);
}

TEST(ball_pyramid_needs_friction_between_the_balls) {
  CHECK_NEAR(critical(), 0.317837, 5e-7);
  check_pyramid(1.005 * critical(), 0.5, true);
  check_pyramid(0.995 * critical(), 0.5, false);
}

TEST(ball_pyramid_needs_friction_on_the_floor) {
  CHECK_NEAR(critical() / 4, 0.079459, 5e-7);
  check_pyramid(0.6, 1.005 * critical() / 4, true);
  check_pyramid(0.6, 0.995 * critical() / 4, false);
}

// --- blocks over the edge of a table
// --------------------------------------------------------------------------
//
// With the k-th block from the top standing out by 1/(2 k) lengths over the next, the centre of all
// above each edge is exactly over it; four blocks reach 25/24 = 1.041667 lengths. Scaled by s, each
// centre is (1 - s) / 2 lengths inside its edge: 0.8 mm at 1.04 lengths, and 4 mm outside at 1.05.

// How far a block has moved after 3 s, or as soon as it is clear that it falls.
static const double FALLEN = 0.1; // [m]

static double run_overhang(double overhang) {
  Law law;
  scene_overhang(&law.scene, 4, overhang);
  rgOptions options = law_options("reference", 2e-3);
  law_begin(&law, &options, SCENE_SI);
  double moved = 0;
  for (int i = 0; i < 1500 && moved < FALLEN; ++i) {
    law_run(&law, 1);
    moved = law_displacement(&law);
  }
  CHECK_INT(law.not_met, 0);
  law_end(&law);
  return moved;
}

TEST(four_blocks_overhang_by_1_04_lengths) {
  double moved = run_overhang(1.04);
  CHECK_MSG(moved < 1e-6, "moved by %g m", moved);
}

// They tip with exponent sqrt(3/2 g / length) = 3.8 /s from an angular acceleration of 0.06 /s^2:
// over in 2 s.
TEST(four_blocks_fall_at_1_05_lengths) {
  double moved = run_overhang(1.05);
  CHECK_MSG(moved >= FALLEN, "moved by %g m only", moved);
}
