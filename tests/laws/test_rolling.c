// A ball thrown on level ground with spin: it slides until its lowest point is at rest, then rolls
// for ever.
//
// With I = 2/5 m r^2 and the velocity of the lowest point u = v - r (w x z):
// friction -mu m g u/|u| changes v by -mu g u/|u| and u by 7/2 of that, so u keeps its direction
// and the slip ends at t1 = |u0| / (7/2 mu g). Friction has no moment about the point of contact,
// so 5 v + 2 r (w x z) is conserved: the ball rolls with v = (5 v0 + 2 r (w0 x z)) / 7.
#include "support/builder.h"
#include "support/laws.h"

static const double G = 9.81, MU = 0.2, R = 0.1;
static const rgVec3 V0 = {2, 0.5, 0}, W0 = {3, -8, 4};

static rgVec3 spin_velocity(rgVec3 w) { return v3_scale(v3_cross(w, v3(0, 0, 1)), R); }

static rgVec3 rolling_velocity(void) {
  return v3_scale(v3_add(v3_scale(V0, 5), v3_scale(spin_velocity(W0), 2)), 1.0 / 7);
}

// Where the ball is at time t > t1.
static rgVec3 exact_position(double t) {
  rgVec3 u = v3_sub(V0, spin_velocity(W0));
  double t1 = v3_norm(u) / (3.5 * MU * G);
  rgVec3 friction = v3_scale(u, -MU * G / v3_norm(u));
  rgVec3 sliding = v3_axpy(v3_scale(V0, t1), t1 * t1 / 2, friction);
  return v3_axpy(v3_axpy(sliding, t - t1, rolling_velocity()), R, v3(0, 0, 1));
}

static void begin(Law* law, bool block, double step) {
  scene_ball(&law->scene, block, R, MU, V0, W0);
  rgOptions options = law_options("reference", step);
  law_begin(law, &options, SCENE_SI);
}

TEST(ball_goes_from_slipping_to_rolling) {
  CHECK_NEAR(rolling_velocity().x, 1.2, 1e-12);
  CHECK_NEAR(rolling_velocity().y, 0.2714286, 1e-7);
  for (int block = 0; block < 2; ++block) {
    CONTEXT("on a %s", block ? "box" : "half-space");
    Law law;
    begin(&law, block, 1e-3);
    law_run(&law, 1000);
    rgTwist v = law_velocity(&law, 1);
    // The discrete impulses act at the same point, so that the scheme has the same conserved
    // quantity and the velocity is as exact as the solver (1e-10 g h in each of 1000 steps).
    CHECK_NEAR(v3_norm(v3_sub(v.linear, rolling_velocity())), 0, 1e-8);
    CHECK_NEAR(v3_norm(v3_sub(v.linear, spin_velocity(v.angular))), 0, 1e-8);
    CHECK_NEAR(v.angular.z, W0.z,
               1e-9); // a point of contact does not resist turning about the normal
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

// In the step in which the slip ends, s h into it, the trapezoid rule puts the ball off by
// mu g h^2 s (1 - s) / 2 <= mu g h^2 / 8; all other steps are exact.
TEST(slip_to_roll_converges_with_the_square_of_the_step) {
  const double steps[] = {16e-3, 8e-3, 4e-3, 2e-3, 1e-3};
  for (int i = 0; i < 5; ++i) {
    CONTEXT("h = %g s", steps[i]);
    Law law;
    begin(&law, false, steps[i]);
    law_run(&law, (int)lround(0.96 / steps[i]));
    double error = v3_norm(v3_sub(law_position(&law, 1), exact_position(law_time(&law))));
    double bound = MU * G * steps[i] * steps[i] / 8;
    CHECK_MSG(error <= bound + 1e-9, "error %g m, bound %g m", error, bound);
    law_end(&law);
  }
}

TEST(rolling_loses_no_energy) {
  for (int block = 0; block < 2; ++block) {
    CONTEXT("on a %s", block ? "box" : "half-space");
    Law law;
    begin(&law, block, 1e-3);
    law_run(&law, 500); // the slip ends at 0.424 s
    double energy = law_energy(&law), height = law_position(&law, 1).z;
    law_run(&law, 10000);
    CHECK_REL(law_energy(&law), energy, 1e-9);
    CHECK_NEAR(law_position(&law, 1).z, height, 1e-9);
    rgVec3 expected = exact_position(law_time(&law));
    // 10 s with the velocity's error of 1e-8 m/s, and the step in which the slip ended.
    CHECK_NEAR(v3_norm(v3_sub(law_position(&law, 1), expected)), 0, 4e-7);
    CHECK_INT(law.not_met, 0);
    law_end(&law);
  }
}

// A torque about its axis makes a wheel roll: a = T r / (I + m r^2), whatever theta is, of balls, whose axes
// are all alike, and of cylinders.
TEST(a_torque_makes_a_wheel_roll) {
  static const double thetas[] = {0.5, 0.7, 1};
  for (int i = 0; i < 12; i++) {
    double theta = thetas[i % 3], torque = i % 2 ? 0.3 : -0.5, h = 2e-3, start = 0.4;
    bool ball = i / 6;
    rgWorld* world = build_world("reference");
    build_set_step(world, h, theta);
    build_set_default_material(world, 2, 0);
    build_floor(world);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, R));
    def.mass = 2;
    def.velocity = twist(v3(start, 0, 0), v3(0, start / R, 0));
    def.pose.orientation = turn_about(v3(1, 0, 0), 0.5 * 3.14159265358979323846);
    rgBodyId wheel = build_body(world, &def, ball ? shape_sphere(R) : shape_cylinder(R, 0.5 * R));
    rgForceDef force = rg_force_def();
    force.body = wheel;
    force.wrench.torque = v3(0, torque, 0);
    rgForceId id;
    REQUIRE(rg_world_add_force(world, &force, &id) == RG_OK);
    CONTEXT("%s, theta %g, torque %g", ball ? "ball" : "cylinder", theta, torque);
    for (int step = 0; step < 50; step++)
      run_met_step(world, step);
    double moment = (ball ? 0.4 : 0.5) * def.mass * R * R;
    double a = torque * R / (moment + def.mass * R * R), t = 50 * h;
    CHECK_NEAR(rg_body_velocity(world, wheel).linear.x, start + a * t, 1e-6);
    CHECK_NEAR(rg_body_center(world, wheel).x, start * t + 0.5 * a * t * t,
               1e-6 + (theta - 0.5) * fabs(a) * h * t);
    rg_world_destroy(world);
  }
}
