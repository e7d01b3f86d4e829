// Smooth bodies on a plane: what rocks does so with the frequency of its curvature, and what rolls far
// presses on the ground with its weight all the way.
#include "support/builder.h"
#include "test.h"

#include <string.h>

static rgWorld* start(const char* stepper, double theta, double step) {
  rgWorldDef def = rg_world_def();
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  def.options.theta = theta;
  def.options.step = step;
  def.options.tolerance = 1e-9;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.8, 0);
  build_floor(world);
  return world;
}

// An ellipsoid with semi-axes a, a, c that rocks on its flat side without slip: with the radius of
// curvature a^2 / c at the pole, small swings have
//     w^2 = g (a^2 / c - c) / ((a^2 + c^2) / 5 + c^2),
// for a = 0.2 m, c = 0.1 m: 12.130539971 rad/s. The rate is found from the times at which the body
// turns back, over ten half swings.
static double rocking_rate(const char* stepper, double theta, double step) {
  rgWorld* world = start(stepper, theta, step);
  const double tilt = 1e-3;
  // The lowest point of the tilted ellipsoid is sqrt(a^2 s^2 + c^2 (1 - s^2)) below the centre.
  rgBodyDef def =
      body_at(RG_BODY_DYNAMIC, v3(0, 0, sqrt(0.04 * tilt * tilt + 0.01 * (1 - tilt * tilt))));
  def.pose.orientation = turn_about(v3(0, 1, 0), tilt);
  rgBodyId body = build_body(world, &def, shape_ellipsoid(v3(0.2, 0.2, 0.1)));
  double last = 0, first = 0, end = 0;
  int turns = 0;
  for (int i = 0; turns < 11; i++) {
    run_met_step(world, i);
    REQUIRE(i < 100000);
    double rate = rg_body_velocity(world, body).angular.y, time = rg_world_time(world);
    if (last != 0 && (rate > 0) != (last > 0)) {
      end = time - step * rate / (rate - last); // where the rate is zero on a straight line
      first = turns++ == 0 ? end : first;
    }
    last = rate;
  }
  rg_world_destroy(world);
  return 10 * 3.14159265358979323846 / (end - first);
}

TEST(an_ellipsoid_rocks_with_the_rate_of_its_curvature) {
  const double exact = sqrt(9.81 * (0.4 - 0.1) / (0.05 / 5 + 0.01));
  CHECK_NEAR(exact, 12.130539971, 1e-9);
  CHECK_NEAR(rocking_rate("theta", 0.5, 1e-3), exact, 1e-3);
  CHECK_NEAR(rocking_rate("implicit-geometry", 0.5, 1e-3), exact, 1e-3);
  // Of first order in time: a swing is damped by h w / 2 per radian, and the rate falls with its square.
  CHECK_NEAR(rocking_rate("implicit-geometry", 1, 2.5e-4), exact, 1e-3);
}

// Rolls 100 m; the force of every step is the weight to `within`, by one point or one line throughout.
static void roll_far(double theta, rgShapeDef shape, int points, double within) {
  const double radius = 0.5, speed = 5, h = 0.01;
  rgWorld* world = start("implicit-geometry", theta, h);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, radius));
  def.pose.orientation = turn_about(v3(1, 0, 0), 0.5 * 3.14159265358979323846);
  def.velocity = twist(v3(speed, 0, 0), v3(0, speed / radius, 0));
  rgBodyId wheel = build_body(world, &def, shape);
  double weight = rg_body_mass(world, wheel).mass * 9.81 * h, off = 0;
  for (int i = 0; i < 2000; i++) {
    run_met_step(world, i);
    REQUIRE_INT(rg_world_contact_count(world), points);
    double push = 0;
    for (int c = 0; c < points; c++) {
      rgContact contact;
      REQUIRE_INT(rg_world_contact(world, c, &contact), RG_OK);
      push += v3_dot(contact.impulse, contact.normal);
    }
    off = fmax(off, fabs(push / weight - 1));
  }
  CHECK_MSG(off <= within, "force off by %g of the weight", off);
  CHECK_NEAR(rg_body_center(world, wheel).x, 100, 1e-3);
  rg_world_destroy(world);
}

TEST(wheels_roll_100_m_with_a_constant_force) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  shape.half = v3(0.5, 0.5, 0.1);
  shape.parameters[0] = 2; // round across its axis
  shape.parameters[1] = 3; // and fuller than an ellipsoid along it
  for (int i = 0; i < 2; i++) {
    roll_far(i ? 0.5 : 1, shape_cylinder(0.5, 0.1), 2, 1e-6);
    roll_far(i ? 0.5 : 1, shape, 1, 1e-6);
  }
}
