// Friction of joint axes takes energy, at theta = 1/2 too, also where the motion of the axis turns
// back within a step.
//
// What a step may gain is what the solver leaves, its tolerance of 1e-10 times a few m/s times
// impulses, here of joints below 0.1 N s and of friction below 0.01 N m s, and the rounding of a
// few joules; the stepper looks closer at a hundred times the first.
#include "support/builder.h"
#include "test.h"

static const double GAIN = 1e-11; // [J]

static rgWorld* make_world(double theta) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.theta = theta;
  snprintf(def.options.stabilizer, sizeof def.options.stabilizer, "none");
  return build_world_of(&def);
}

// A rod of 1 m and 1 kg on a hinge about y at the origin (or at another body), at an angle from the
// vertical.
static rgBodyId add_rod(rgWorld* world, rgBodyId holder, rgVec3 at, double angle, double friction,
                        rgJointId* joint) {
  rgVec3 along = v3(sin(angle), 0, -cos(angle));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_axpy(at, 0.5, along));
  def.mass = 1;
  def.pose.orientation = turn_about(v3(0, 1, 0), -angle);
  rgBodyId rod = build_body(world, &def, shape_box(v3(0.02, 0.02, 0.48)));
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_a = holder;
  hinge.body_b = rod;
  hinge.point = at;
  hinge.axis = v3(0, 1, 0);
  hinge.axes[0].friction = friction;
  REQUIRE_INT(rg_world_add_joint(world, &hinge, joint), RG_OK);
  return rod;
}

typedef struct Account {
  double gain, taken; // [J] most in a step, and all together
  int turns;          // times that the axis turned back
} Account;

static Account run(rgWorld* world, rgJointId joint, int steps) {
  Account account = {0, 0, 0};
  double last = 0;
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate = run_met_step(world, i);
    account.gain = fmax(account.gain, certificate.energy);
    account.taken -= certificate.energy;
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, joint, &state), RG_OK);
    account.turns += state.rate[0] * last < 0;
    last = state.rate[0] != 0 ? state.rate[0] : last;
  }
  return account;
}

// Let go at 60 degrees, it swings until friction holds it.
TEST(a_pendulum_gains_nothing) {
  const double frictions[] = {0.05, 0.3, 1};
  for (int i = 0; i < 3; i++) {
    CONTEXT("friction %g N m", frictions[i]);
    rgWorld* world = make_world(0.5);
    rgJointId joint;
    rgBodyId rod =
        add_rod(world, (rgBodyId){0, 0}, v3_zero(), 1.0471975511965976, frictions[i], &joint);
    Account account = run(world, joint, 8000);
    CHECK_MSG(account.gain <= GAIN, "gains %g J", account.gain);
    CHECK(account.turns > 0);
    CHECK(account.taken > 0.5);
    (void)rod;
    rg_world_destroy(world);
  }
}

// Thrown back by a wall, its rate reverses within a step.
TEST(a_pendulum_that_bounces_gains_nothing) {
  for (int i = 0; i < 8; i++) {
    CONTEXT("let go %d", i);
    rgWorld* world = make_world(0.5);
    build_set_default_material(world, 0, 0.9);
    build_block(world, v3(0.1, 1, 2), v3(-0.12 - 0.01 * i, 0, 0));
    rgJointId joint;
    add_rod(world, (rgBodyId){0, 0}, v3_zero(), 1, 0.5, &joint);
    Account account = run(world, joint, 2000);
    CHECK_MSG(account.gain <= GAIN, "gains %g J", account.gain);
    CHECK(account.turns > 1);
    rg_world_destroy(world);
  }
}

// Two rods in a row: the swing of one drives the hinge of the other back and forth.
TEST(a_double_pendulum_gains_nothing) {
  const double thetas[] = {0.5, 0.75};
  for (int i = 0; i < 2; i++) {
    CONTEXT("theta %g", thetas[i]);
    rgWorld* world = make_world(thetas[i]);
    rgJointId first, second;
    rgBodyId upper = add_rod(world, (rgBodyId){0, 0}, v3_zero(), 1.2, 0.02, &first);
    add_rod(world, upper, v3(sin(1.2), 0, -cos(1.2)), 0.3, 0.2, &second);
    Account account = run(world, second, 5000);
    CHECK_MSG(account.gain <= GAIN, "gains %g J", account.gain);
    CHECK(account.turns > 3);
    rg_world_destroy(world);
  }
}

// A slider with friction that bounces off a wall gains by the law of the end of the step where its rate turns round, and
// follows the mean rate there, in that step alone: later it stops, and does not change its sign from step to step.
TEST(a_slider_that_bounced_comes_to_rest) {
  for (int i = 0; i < 3; i++) {
    rgWorld* world = build_still("reference");
    build_set_step(world, 2e-3, 0.5 + 0.1 * (i % 3));
    build_set_default_material(world, 0, 0.5);
    build_block(world, v3(0.1, 1, 1), v3(1, 0, 0));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.6, 0, 0));
    def.mass = 1;
    def.velocity.linear.x = 2;
    rgJointDef joint = rg_joint_def(RG_JOINT_SLIDER);
    joint.body_b = build_body(world, &def, shape_sphere(0.1));
    joint.axes[0].friction = 3;
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    double last = 0;
    bool bounced = false;
    for (int step = 0; step < 350; step++) {
      REQUIRE(rg_world_step(world, NULL) == RG_OK);
      rgJointState state;
      REQUIRE(rg_joint_state(world, id, &state) == RG_OK);
      bounced = bounced || state.rate[0] < -0.1;
      if (step >= 330)
        last = fmax(last, fabs(state.rate[0]));
    }
    CONTEXT("case %d", i);
    CHECK(bounced);
    CHECK_NEAR(last, 0, 1e-9);
    rg_world_destroy(world);
  }
}
