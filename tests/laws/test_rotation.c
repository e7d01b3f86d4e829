// Free rotation about the middle axis: I = (1, 2, 3), w0 = (0.001, 10, 0.001).
//
// With 2 T = sum I w^2 and L^2 = sum I^2 w^2, and L^2 > 2 T I2, Euler's equations are solved by w2
// = B sn(p t), p^2 = (I3 - I2) (L^2 - 2 T I1) / (I1 I2 I3) and modulus k^2 = (I2 - I1) (2 T I3 -
// L^2) / ((I3 - I2) (L^2 - 2 T I1)); the period is 4 K(k) / p (Landau and Lifshitz, Mechanics,
// section 37). K = pi / (2 agm(1, k')).
#include "support/builder.h"
#include "support/laws.h"

static const rgVec3 INERTIA = {1, 2, 3}, SPIN = {0.001, 10, 0.001};

static double exact_period(void) {
  rgVec3 l = v3_mul(INERTIA, SPIN);
  double twice_t = v3_dot(l, SPIN), l2 = v3_norm2(l);
  double p2 = (3.0 - 2) * (l2 - twice_t * 1) / 6;
  double k2 = (2.0 - 1) * (twice_t * 3 - l2) / ((3.0 - 2) * (l2 - twice_t * 1));
  double a = 1, b = sqrt(1 - k2);
  for (int i = 0; i < 20; ++i) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 4 * 3.14159265358979323846 / (2 * a) / sqrt(p2);
}

typedef struct Top {
  rgWorld* world;
  rgBodyId id;
} Top;

static Top top_begin(double step, rgQuat orientation, rgVec3 spin) {
  rgWorldDef def = rg_world_def();
  def.options = law_options("reference", step);
  def.options.gravity = v3_zero();
  rgBodyDef body = rg_body_def();
  body.mass = 1;
  body.inertia_given = true;
  body.inertia = m3_diag(INERTIA.x, INERTIA.y, INERTIA.z);
  body.pose.orientation = orientation;
  body.velocity.angular = quat_rotate(orientation, spin);
  Top top;
  rgMessage message;
  REQUIRE_INT(rg_world_create(&def, &top.world, &message), RG_OK);
  rgStatus status = rg_world_add_body(top.world, &body, NULL, 0, &top.id);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(top.world));
  return top;
}

static double middle_spin(Top top) {
  rgQuat q = rg_body_pose(top.world, top.id).orientation;
  return quat_unrotate(q, rg_body_velocity(top.world, top.id).angular).y;
}

// Time from the first flip to the third: one period. Flips are zeros of w2; there sn is odd, so a
// straight line between two instants errs by the cube of the step only.
static double measured_period(double step) {
  Top top = top_begin(step, quat_identity(), SPIN);
  double first = 0, period = 0, before = middle_spin(top);
  int flips = 0;
  while (rg_world_time(top.world) < 12 && flips < 3) {
    double time = rg_world_time(top.world);
    REQUIRE_INT(rg_world_step(top.world, NULL), RG_OK);
    double now = middle_spin(top);
    if ((before < 0) != (now < 0)) {
      double flip = time + step * before / (before - now);
      if (++flips == 1)
        first = flip;
      period = flip - first;
    }
    before = now;
  }
  CHECK_INT(flips, 3);
  rg_world_destroy(top.world);
  return period;
}

TEST(middle_axis_flips_with_the_exact_period) {
  double exact = exact_period();
  CHECK_NEAR(exact, 7.1014506, 5e-8);
  double coarse = measured_period(8e-3), middle = measured_period(4e-3),
         fine = measured_period(2e-3);
  // Second order: a quarter of the error with half the step, but for the next term, (w h)^2 = 0.6 %
  // of the first, and rounding: L^2 and 2 T I2 differ in the ninth digit only, so that 1e-15 in one
  // of them moves the period by 1e-7 s, per cents of the smallest error.
  double ratios[] = {(coarse - exact) / (middle - exact), (middle - exact) / (fine - exact)};
  for (int i = 0; i < 2; ++i)
    CHECK_MSG(ratios[i] > 3.8 && ratios[i] < 4.2, "errors %g, %g, %g s", coarse - exact,
              middle - exact, fine - exact);
  CHECK_REL((4 * fine - middle) / 3, exact, 1e-6);
}

// Implicit midpoint in the axes of the body conserves both to the precision of its solution, which
// is rounding: 1e5 steps add up 1e-16 each, as a random walk or (energy) a little worse.
static void check_conservation(rgQuat orientation, rgVec3 spin) {
  Top top = top_begin(1e-3, orientation, spin);
  double energy = rg_world_energy(top.world).kinetic, energy_drift = 0, momentum_drift = 0;
  rgVec3 momentum = rg_world_momentum(top.world).angular;
  CHECK_REL(energy, 0.5 * v3_dot(v3_mul(INERTIA, spin), spin), 1e-12);
  for (int i = 0; i < 100000; ++i) {
    REQUIRE_INT(rg_world_step(top.world, NULL), RG_OK);
    energy_drift = fmax(energy_drift, fabs(rg_world_energy(top.world).kinetic - energy));
    rgVec3 change = v3_sub(rg_world_momentum(top.world).angular, momentum);
    momentum_drift = fmax(momentum_drift, v3_norm(change));
  }
  CHECK_NEAR(energy_drift / energy, 0, 1e-10);
  CHECK_NEAR(momentum_drift / v3_norm(momentum), 0, 1e-12);
  rg_world_destroy(top.world);
}

TEST(free_rotation_conserves_energy_and_angular_momentum) {
  check_conservation(quat_identity(), SPIN);
}

TEST(free_rotation_conserves_them_from_any_orientation) {
  check_conservation(quat_unit((rgQuat){0.3, -0.5, 0.7, 0.2}), v3(3, -2, 5));
}

// A free body's centre moves on a parabola and its rotation does not feel gravity.
TEST(thrown_body_falls_on_a_parabola) {
  Top top = top_begin(1e-3, quat_identity(), SPIN);
  rgOptions options = *rg_world_options(top.world);
  options.gravity = v3(0, 0, -9.81);
  REQUIRE_INT(rg_world_set_options(top.world, &options), RG_OK);
  rgTwist v = rg_body_velocity(top.world, top.id);
  v.linear = v3(1, 2, 5);
  REQUIRE_INT(rg_body_set_velocity(top.world, top.id, v), RG_OK);
  rgVec3 momentum = m3_apply(&(rgMat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}}, v.angular);
  for (int i = 0; i < 1000; ++i)
    REQUIRE_INT(rg_world_step(top.world, NULL), RG_OK);
  rgVec3 expected = v3(1, 2, 5 - 9.81 / 2);
  CHECK_NEAR(v3_norm(v3_sub(rg_body_center(top.world, top.id), expected)), 0, 1e-11);
  // About the body's own centre: the world's momentum less that of the centre, r x m v.
  rgTwist total = rg_world_momentum(top.world);
  rgVec3 orbital = v3_cross(rg_body_center(top.world, top.id), total.linear);
  CHECK_NEAR(v3_norm(v3_sub(v3_sub(total.angular, orbital), momentum)), 0, 1e-11);
  rg_world_destroy(top.world);
}

// In flight every preset keeps the energy of a spin about any axis, damped or not: a capsule spun
// about its long axis does not tumble.
TEST(bodies_in_flight_keep_their_spin_in_every_preset) {
  const char* presets[] = {"realtime", "default", "reference"};
  const rgVec3 spins[] = {{0.5, 0.3, 50}, {20, 0.1, 0.2}, {3, 4, 5}};
  for (int p = 0; p < 3; p++)
    for (int shape = 0; shape < 3; shape++)
      for (int k = 0; k < 3; k++) {
        CONTEXT("%s, shape %d, spin %d", presets[p], shape, k);
        rgWorld* world = build_still(presets[p]);
        rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
        def.velocity = twist(v3(1, 0, 0), spins[k]);
        build_body(world, &def,
                   shape == 0   ? shape_capsule(0.05, 0.3)
                   : shape == 1 ? shape_box(v3(0.1, 0.2, 0.3))
                                : shape_cylinder(0.4, 0.02));
        double energy = rg_world_energy(world).kinetic;
        rgVec3 momentum = rg_world_momentum(world).angular;
        run_steps(world, (int)(5 / rg_world_options(world)->step));
        CHECK_REL(rg_world_energy(world).kinetic, energy, 1e-10); // rounding of 5,000 steps
        CHECK_NEAR(distance(rg_world_momentum(world).angular, momentum), 0,
                   1e-10 * v3_norm(momentum));
        rg_world_destroy(world);
      }
}

// The orientation after a time, of a slender box that spins fast under a torque, in n steps.
static rgQuat turned_in(int n, rgVec3 half, rgVec3 spin, rgVec3 torque, double time) {
  rgWorld* world = build_still("default");
  build_set_step(world, time / n, 0.5);
  rgBodyId body = build_box(world, half, v3_zero());
  REQUIRE(rg_body_set_velocity(world, body, twist(v3_zero(), spin)) == RG_OK);
  rgForceDef push = rg_force_def();
  push.body = body;
  push.wrench.torque = torque;
  rgForceId id;
  REQUIRE(rg_world_add_force(world, &push, &id) == RG_OK);
  run_steps(world, n);
  rgQuat q = rg_body_pose(world, body).orientation;
  rg_world_destroy(world);
  return q;
}

static double apart(rgQuat a, rgQuat b) {
  return 1 - fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
}

// A turn that is too far for one step is made of halves: it is that of two steps, or four, under the
// same torque. Of turns up to four radians, at random, every fifth is.
TEST(a_turn_that_is_cut_in_half_is_that_of_two_steps) {
  uint64_t state = 77;
  int halved = 0;
  for (int k = 0; k < 200; k++) {
    double u[9];
    for (int i = 0; i < 9; i++)
      u[i] = 2 * rg_random_unit(&state) - 1;
    rgVec3 half = v3(0.05, 0.1 + 0.05 * u[0], 0.5), spin = v3(u[1], u[2], u[3]),
           torque = v3_scale(v3(u[4], u[5], u[6]), 3000);
    double time = 0.01;
    spin = v3_scale(spin, (2 + 2 * u[7]) / (time * v3_norm(spin)));
    rgQuat whole = turned_in(1, half, spin, torque, time);
    bool same = false;
    for (int n = 2; n <= 32 && !same; n *= 2)
      same = apart(whole, turned_in(n, half, spin, torque, time)) < 1e-14;
    halved += same;
  }
  CHECK_MSG(halved >= 20, "%d of 200 turns are made of halves", halved);
}
