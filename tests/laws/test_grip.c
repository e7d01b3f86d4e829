// A rod of 45 g and 4 mm radius, held by two pads that force-bounded servos press against it: in 10 s
// it does not creep, whether it is held at its centre or where its weight would turn it out of the
// grip.
#include "support/builder.h"
#include "test.h"

typedef struct Grip {
  rgWorld* world;
  rgBodyId rod, pads[2];
  rgBodyId hand; // on which the jaws slide, if any
  double reach;  // [m] of it,
  double rate;   // [rad/s] and with which it turns about the vertical
  rgJointId jaws[2];
} Grip;

static const double RADIUS = 4e-3, HALF = 40e-3, MASS = 0.045, GAP = 1.5e-3;

// A body that turns with the hand from the start.
static rgBodyDef turning_at(const Grip* grip, rgVec3 place) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
  def.velocity.angular = v3(0, 0, grip->rate);
  def.velocity.linear = v3_cross(def.velocity.angular, place);
  return def;
}

// With its face `gap` [m] from the rod.
static void add_pad(Grip* grip, int side, double force, double gap) {
  double sign = side ? 1 : -1;
  rgBodyDef def = turning_at(grip, v3(grip->reach + sign * (5e-3 + RADIUS + gap), 0, 0));
  def.mass = 0.1;
  grip->pads[side] = build_body(grip->world, &def, shape_box(v3(5e-3, 10e-3, 10e-3)));
  rgJointDef jaw = rg_joint_def(RG_JOINT_SLIDER);
  jaw.body_a = grip->hand;
  jaw.body_b = grip->pads[side];
  jaw.point = def.pose.position;
  jaw.axis = v3(-sign, 0, 0);
  jaw.axes[0].damping = 20;
  jaw.axes[0].servo = true;
  jaw.axes[0].servo_target = 10e-3; // far inside the rod
  jaw.axes[0].servo_stiffness = 1e5;
  jaw.axes[0].servo_damping = 100;
  jaw.axes[0].servo_force = force;
  REQUIRE_MSG(rg_world_add_joint(grip->world, &jaw, &grip->jaws[side]) == RG_OK, "%s",
              rg_world_message(grip->world));
}

static rgWorld* make_world(double tolerance, double theta, double h) {
  rgWorld* world = build_world("default");
  rgOptions options = *rg_world_options(world);
  options.step = h;
  options.tolerance = tolerance;
  options.theta = theta;
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  build_set_default_material(world, 0.7, 0);
  return world;
}

// The rod lies along y, its centre `off` [m] from the middle of the pads.
static void add_rod(Grip* grip, double force, double off, double gap) {
  rgBodyDef rod = turning_at(grip, v3(grip->reach, off, 0));
  rod.pose.orientation = turn_about(v3(1, 0, 0), 0.5 * 3.14159265358979323846);
  rod.mass = MASS;
  grip->rod = build_body(grip->world, &rod, shape_capsule(RADIUS, HALF));
  add_pad(grip, 0, force, gap);
  add_pad(grip, 1, force, gap);
}

static Grip make_grip(double tolerance, double theta, double h, double force, double off,
                      double gap) {
  Grip grip = {.world = make_world(tolerance, theta, h)};
  add_rod(&grip, force, off, gap);
  return grip;
}

// The hand is an arm of 10 cm that a motor turns about the vertical.
static Grip make_turning_grip(double theta, double h, double force, double rate) {
  Grip grip = {.world = make_world(1e-6, theta, h), .reach = 0.1, .rate = rate};
  rgBodyDef hand = turning_at(&grip, v3(grip.reach, 0, 0.2));
  hand.mass = 1;
  grip.hand = build_body(grip.world, &hand, shape_box(v3(0.05, 0.05, 0.01)));
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_b = grip.hand;
  hinge.axis = v3(0, 0, 1);
  hinge.axes[0].motor = true;
  hinge.axes[0].motor_speed = rate;
  hinge.axes[0].motor_force = 1e3;
  rgJointId id;
  REQUIRE_INT(rg_world_add_joint(grip.world, &hinge, &id), RG_OK);
  add_rod(&grip, force, 0, GAP);
  return grip;
}

// Where the rod is against the middle of the pads, in their frame.
static rgPose place_of(const Grip* grip) {
  rgPose pose = rg_body_pose(grip->world, grip->rod), a = rg_body_pose(grip->world, grip->pads[0]),
         b = rg_body_pose(grip->world, grip->pads[1]);
  rgVec3 middle = v3_scale(v3_add(a.position, b.position), 0.5);
  pose.position = quat_unrotate(a.orientation, v3_sub(pose.position, middle));
  pose.orientation = quat_mul(quat_conj(a.orientation), pose.orientation);
  return pose;
}

// [m] the largest way of a point on the rod from one place to another: of its ends, and where it rolls.
static double creep_of(rgPose from, rgPose to) {
  double most = 0;
  for (int i = -1; i <= 1; i += 2)
    for (int k = -1; k <= 1; k += 2) {
      rgVec3 point = v3(k * RADIUS, 0, i * HALF);
      most = fmax(most, distance(pose_apply(from, point), pose_apply(to, point)));
    }
  return most;
}

// Returns how far it creeps, and how far velocities of contacts may that the certificates allow [m].
static double check_grip(double tolerance, double theta, double h, double force, double off,
                         double time, double* allowed) {
  Grip grip = make_grip(tolerance, theta, h, force, off, GAP);
  CONTEXT("tolerance %g, theta %g, h %g, %g N, %g mm off", tolerance, theta, h, force, 1e3 * off);
  run_steps(grip.world, (int)(0.5 / h)); // the jaws close and what they have set going ends
  rgPose start = place_of(&grip);
  CHECK(distance(start.position, v3(0, off, 0)) < 1e-3); // it is in the grip
  int met = 0, steps = (int)(time / h);
  *allowed = 0;
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(grip.world, &certificate), RG_OK);
    met += certificate.met;
    *allowed += tolerance * certificate.scale * h;
  }
  CHECK_INT(met, steps);
  for (int side = 0; side < 2; side++) {
    rgJointState jaw;
    REQUIRE_INT(rg_joint_state(grip.world, grip.jaws[side], &jaw), RG_OK);
    CHECK_NEAR(jaw.force[0], force, 1e-6 * force);
    CHECK_NEAR(jaw.coordinate[0], GAP, 1e-5);
  }
  double creep = creep_of(start, place_of(&grip));
  rg_world_destroy(grip.world);
  return creep;
}

static const double steps[] = {1e-3, 1.0 / 240, 1e-2}, forces[] = {12, 30, 60}, offs[] = {0, 0.02};

// What a certificate allows is tolerance times scale in every velocity, and the scale is what the servos
// would give the pads in a step, h F / m: 1e-9 m in 10 s is certain with a tolerance of 1e-11. With the default it comes
// from impulses that are solved for much better than asked, and kept.
TEST(a_rod_does_not_creep_in_a_grip) {
  for (int k = 0; k < 3; k++)
    for (int f = 0; f < 3; f++)
      for (int o = 0; o < 2; o++) {
        double allowed, creep = check_grip(1e-11, 1, steps[k], forces[f], offs[o], 10, &allowed);
        CHECK_MSG(creep < 1e-9, "crept by %g m", creep);
        creep = check_grip(1e-6, 1, steps[k], forces[f], offs[o], test_fast() ? 1 : 10, &allowed);
        CHECK_MSG(creep < 1e-9, "crept by %g m", creep);
      }
}

// The normal forces at the two ends of the line along which a pad holds the rod are not determined: by the law it may as
// well hang from one end of it, about which friction does not keep it from turning. It does not go from one to the
// other by itself, whatever is left of the steps before.
TEST(a_rod_does_not_let_go_at_one_end_of_a_grip) {
  static const double thetas[] = {0.5, 0.7},
                      LEVER = 8; // an end of the rod over that of the line of contact
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 3; k++)
      for (int f = 0; f < 3; f++)
        for (int o = 0; o < 2; o++) {
          double allowed,
              creep = check_grip(1e-6, thetas[t], steps[k], forces[f], offs[o], 2, &allowed);
          CHECK_MSG(creep < LEVER * allowed, "crept by %g m", creep);
        }
}

// Servos that press with all that they have are at their bounds in every step. Where rounding made one of them seem free,
// its stiffness led away from all that was known of the grip, and the rod hung from one of its ends.
TEST(a_rod_does_not_slip_in_a_hand_that_turns) {
  static const double thetas[] = {0.5, 1}, rates[] = {2, 4}, LEVER = 8;
  for (int t = 0; t < 2; t++)
    for (int k = 0; k < 2; k++)
      for (int w = 0; w < 2; w++)
        for (int f = 0; f < 3; f++) {
          CONTEXT("theta %g, h %g, %g rad/s, %g N", thetas[t], steps[k], rates[w], forces[f]);
          Grip grip = make_turning_grip(thetas[t], steps[k], forces[f], rates[w]);
          run_steps(grip.world, (int)(0.2 / steps[k]));
          rgPose start = place_of(&grip);
          double allowed = 0;
          int met = 0, count = (int)((test_fast() ? 0.2 : 1.3) / steps[k]);
          for (int i = 0; i < count; i++) {
            rgCertificate certificate;
            REQUIRE_INT(rg_world_step(grip.world, &certificate), RG_OK);
            met += certificate.met;
            allowed += 1e-6 * certificate.scale * steps[k];
          }
          CHECK_INT(met, count);
          CHECK_MSG(creep_of(start, place_of(&grip)) < LEVER * allowed, "crept by %g m",
                    creep_of(start, place_of(&grip)));
          rg_world_destroy(grip.world);
        }
}

// The grip holds what friction can hold, 2 mu F, and not more.
TEST(a_grip_that_is_too_weak_lets_go) {
  static const double weak[] = {0.2, 0.3, 0.33, 0.5};
  for (int f = 0; f < 4; f++) {
    Grip grip = make_grip(1e-6, 1, 1e-3, weak[f], 0, 0);
    run_steps(grip.world, 1000);
    double fallen = -rg_body_pose(grip.world, grip.rod).position.z;
    bool holds = 2 * 0.7 * weak[f] > MASS * 9.81;
    CHECK_MSG(holds ? fallen < 1e-3 : fallen > 0.01, "%g N: %g m fallen", weak[f], fallen);
    rg_world_destroy(grip.world);
  }
}
