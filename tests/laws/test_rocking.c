// Housner's block: 0.2 m wide and 0.8 m high, it rocks from one bottom edge to the other. At the
// impact the old edge is left without an impulse and the angular momentum about the new edge is
// conserved. With half-diagonal R, tan(a) = 0.2 / 0.8 and I0 = 4/3 m R^2 about an edge,
//     w' / w = 1 - 3/2 sin^2(a) = 1 - 1.5 * 0.04 / 0.68 = 0.911765.
#include "support/laws.h"

static const double G = 9.81, HALF_WIDTH = 0.1, HALF_HEIGHT = 0.4;
static const double RATIO = 1 - 1.5 * 0.04 / 0.68;

// Turned by `angle` about the left bottom edge and turning back on its foot with w [rad/s].
static void begin(Law* law, double angle, double w, double gravity, double step) {
  scene_begin(&law->scene, "rocking block", 1);
  law->scene.gravity = v3(0, 0, -gravity);
  scene_add_floor(&law->scene);
  int block = scene_add_box(&law->scene, v3(HALF_WIDTH, 0.1, HALF_HEIGHT), v3_zero());
  rgBodyDef* def = &law->scene.bodies[block].def;
  def->pose.orientation = (rgQuat){cos(angle / 2), 0, -sin(angle / 2), 0};
  rgVec3 arm = quat_rotate(def->pose.orientation, v3(HALF_WIDTH, 0, HALF_HEIGHT));
  def->pose.position = v3_add(v3(-HALF_WIDTH, 0, 0), arm);
  def->velocity.angular = v3(0, w, 0);
  def->velocity.linear = v3_cross(def->velocity.angular, arm);
  rgOptions options = law_options("reference", step);
  law_begin(law, &options, SCENE_SI);
}

// The impact alone: flat on the ground, turning about the left edge, no gravity. One solve, so the
// only error is the tolerance of the solver.
TEST(impact_of_a_rocking_block) {
  const double w = 0.8;
  Law law;
  begin(&law, 0, w, 0, 1e-3);
  law_run(&law, 1);
  rgTwist v = law_velocity(&law, 1);
  rgVec3 expected = v3_cross(v3(0, RATIO * w, 0), v3(-HALF_WIDTH, 0, HALF_HEIGHT));
  CHECK_NEAR(RATIO, 0.911765, 5e-7);
  CHECK_NEAR(v.angular.y / w, RATIO, 1e-8);
  CHECK_NEAR(v3_norm(v3_sub(v.linear, expected)), 0, 1e-8);
  CHECK_NEAR(fmax(fabs(v.angular.x), fabs(v.angular.z)), 0, 1e-8);
  CHECK_INT(law.not_met, 0);
  law_end(&law);
}

// The whole fall from 0.1 rad. Before the impact energy gives
// w^2 = 2 m g R (cos(a - 0.1) - cos(a)) / I0; around it w changes by m g HALF_WIDTH / I0 = 4.3
// rad/s^2, and the impact may take a step more or less, so the readings three steps before and
// after it are off by 7 * 4.3 h = 8e-4 rad/s at h = 25 us, 1e-3 of w.
TEST(fall_and_impact_of_a_rocking_block) {
  const double start = 0.1, h = 25e-6, a = atan(HALF_WIDTH / HALF_HEIGHT);
  const double r = sqrt(HALF_WIDTH * HALF_WIDTH + HALF_HEIGHT * HALF_HEIGHT);
  double before = sqrt(1.5 * G / r * (cos(a - start) - cos(a)));
  Law law;
  begin(&law, start, 0, G, h);
  double history[7] = {0}; // of the angular speed, the newest last
  double largest_drop = 0, ratio = 0, speed = 0;
  while (law_time(&law) < 0.6) {
    law_run(&law, 1);
    memmove(history, history + 1, sizeof history - sizeof *history);
    history[6] = law_velocity(&law, 1).angular.y;
    double drop = history[2] - history[3];
    if (drop > largest_drop) {
      largest_drop = drop;
      ratio = history[6] / history[0];
      speed = history[0];
    }
  }
  CHECK_REL(speed, before, 1e-3);
  CHECK_NEAR(ratio, RATIO, 1e-3);
  CHECK_INT(law.not_met, 0);
  law_end(&law);
}
