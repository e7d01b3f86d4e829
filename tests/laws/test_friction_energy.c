// Friction takes energy, at theta = 1/2 too: the motion of a step never gains any.
//
// Stabilizer none, since lifting bodies out of an overlap is work against gravity. What a step may
// gain is what the solver leaves: its tolerance times the velocities of the problem, here about 1
// m/s, times the impulses, here below 1 N s; a hundred times that is where the stepper looks
// closer.
#include "support/builder.h"
#include "test.h"

static const double TOLERANCE = 1e-9;
static const double GAIN = 100 * 1e-9; // [J]

static rgWorld* make_world(rgVec3 gravity, const char* stabilizer, double tolerance) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = gravity;
  def.options.step = 1e-3;
  def.options.theta = 0.5;
  def.options.tolerance = tolerance;
  def.options.projection_tolerance = 1e-6; // overlaps that are left alone, as a part of the shapes
  snprintf(def.options.stabilizer, sizeof def.options.stabilizer, "%s", stabilizer);
  return build_world_of(&def);
}

// Largest gain of a step, and the energy that all steps have taken together [J].
typedef struct Account {
  double gain, taken;
  double joint_error; // [m] largest after a step
} Account;

static Account run(rgWorld* world, int steps) {
  Account account = {0, 0, 0};
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate = run_met_step(world, i);
    account.gain = fmax(account.gain, certificate.energy);
    account.taken -= certificate.energy;
    account.joint_error = fmax(account.joint_error, certificate.joint_error);
  }
  return account;
}

// A rod strikes the ground with one end while it slides: the normal impulse turns it, which may
// reverse the slip of that end within the impact. Newton's restitution with the friction of the end
// of the impact gains energy then (Kane's paradox).
TEST(rod_that_strikes_the_ground_gains_nothing) {
  const double frictions[] = {0.3, 0.6, 1}, restitutions[] = {0, 0.5, 1};
  const double slips[] = {-0.6, -0.3, -0.1, 0.1, 0.3, 0.6};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      for (int m = 0; m < 6; m++)
        for (int angle = 15; angle < 90; angle += 15) {
          CONTEXT("mu %g, e %g, slip %g m/s, %d degrees", frictions[i], restitutions[k], slips[m],
                  angle);
          double length = 0.5, radius = 0.02, tilt = angle * 3.14159265358979323846 / 180;
          rgWorld* world = make_world(v3_zero(), "none", TOLERANCE);
          build_set_default_material(world, frictions[i], restitutions[k]);
          build_floor(world);
          rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, length * sin(tilt) + radius + 1e-4));
          def.pose.orientation = turn_about(v3(0, 1, 0), 3.14159265358979323846 / 2 - tilt);
          def.mass = 1;
          def.velocity.linear = v3(slips[m], 0, -1);
          build_body(world, &def, shape_capsule(radius, length));
          Account account = run(world, 20);
          CHECK_MSG(account.gain <= GAIN, "a step gains %g J", account.gain);
          CHECK(restitutions[k] == 1 || account.taken > 1e-3);
          rg_world_destroy(world);
        }
}

// Links of 0.1 m, hung up at one end, fall from the horizontal over a bar.
static Account drop_chain(const char* stabilizer, double tolerance) {
  enum { LINKS = 20 };
  double length = 0.1, radius = 0.01;
  rgWorld* world = make_world(v3(0, 0, -9.81), stabilizer, tolerance);
  build_set_default_material(world, 0.5, 0);
  rgBodyDef bar = body_at(RG_BODY_STATIC, v3(0.6, 0, -0.3));
  bar.pose.orientation = turn_about(v3(1, 0, 0), 3.14159265358979323846 / 2);
  build_body(world, &bar, shape_cylinder(0.1, 0.3));
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  for (int i = 0; i < LINKS; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(length * (i + 0.5), 0, 0));
    def.pose.orientation = turn_about(v3(0, 1, 0), 3.14159265358979323846 / 2);
    def.mass = 0.1;
    joint.body_b = build_body(world, &def, shape_capsule(radius, 0.5 * length - 2 * radius));
    joint.point = v3(length * i, 0, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    joint.body_a = joint.body_b;
  }
  Account account = run(world, 600);
  CHECK(account.taken > 0.1); // it has struck the bar
  rg_world_destroy(world);
  return account;
}

// Joints carry forces from link to link while some slip and some stick on the bar.
TEST(chain_over_a_bar_gains_nothing) {
  Account account = drop_chain("none", TOLERANCE);
  CHECK_MSG(account.gain <= GAIN, "a step gains %g J", account.gain);
}

// Lifting links out of the bar by d opens their joints by d^2 / length, which the projection must
// close again, though it is more than they were off before: it leaves 1e-10 of the arms, 0.05 m.
TEST(joints_hold_while_overlaps_are_removed) {
  Account account = drop_chain("post", 1e-6);
  CHECK_MSG(account.joint_error <= 1e-11, "a joint is off by %g m", account.joint_error);
}
