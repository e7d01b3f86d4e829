// Kinematic bodies: they follow their motion exactly, carry what touches them, and the work that
// they do is in the energy balance.
#include "test.h"

#include "math/power.h"
#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"

static const double GRAVITY = 9.81; // [m/s2]

static rgBodyId build_kinematic(rgWorld* world, rgMotion* motion, void* context, rgVec3 half,
                                rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, position);
  def.motion = motion;
  def.motion_context = context;
  return build_body(world, &def, shape_box(half));
}

TEST(a_constant_velocity_is_kept_whatever_is_in_the_way) {
  rgWorld* world = build_world("default");
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3(0, 0, 5));
  def.velocity = twist(v3(1, -0.5, 0.25), v3(0, 0, 0.5));
  rgBodyId ram = build_body(world, &def, shape_box(v3(0.5, 0.5, 0.5)));
  rgBodyId ball = build_sphere(world, 0.5, v3(1.05, 0, 5));
  run_steps(world, 240);
  CHECK_NEAR(distance(rg_body_center(world, ram), v3(1, -0.5, 5.25)), 0, 1e-12);
  rgTwist v = rg_body_velocity(world, ram);
  CHECK_NEAR(distance(v.linear, def.velocity.linear), 0, 0);
  CHECK_NEAR(distance(v.angular, def.velocity.angular), 0, 0);
  rgQuat q = rg_body_pose(world, ram).orientation;
  CHECK_NEAR(2 * rg_atan2(q.z, q.w), 0.5, 1e-12); // rounding of 240 turns
  CHECK_MSG(rg_body_velocity(world, ball).linear.x > 0.5, "the ball in its way was pushed");
  rg_world_destroy(world);
}

TEST(a_kinematic_body_can_be_stopped_and_started) {
  rgWorld* world = build_world("default");
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3_zero());
  rgBodyId ram = build_body(world, &def, shape_sphere(1));
  run_steps(world, 10);
  CHECK_NEAR(v3_norm(rg_body_center(world, ram)), 0, 0);
  REQUIRE(rg_body_set_velocity(world, ram, twist(v3(2.4, 0, 0), v3_zero())) == RG_OK);
  run_steps(world, 100);
  CHECK_NEAR(rg_body_center(world, ram).x, 1, 1e-13);
  rg_world_destroy(world);
}

static rgPose circle(double time, void* context) {
  double radius = *(double*)context;
  rgPose pose = {v3(radius * rg_cos(time), radius * rg_sin(time), 0),
                 turn_about(v3(0, 0, 1), time)};
  return pose;
}

TEST(a_motion_is_followed_to_rounding) {
  rgWorld* world = build_world("default");
  double radius = 2;
  rgBodyId arm = build_kinematic(world, circle, &radius, v3(0.1, 0.1, 0.1), v3(55, 0, 0));
  CHECK_NEAR(distance(rg_body_pose(world, arm).position, v3(2, 0, 0)), 0, 1e-15);
  for (int i = 1; i <= 480; ++i) {
    run_steps(world, 1);
    rgPose now = rg_body_pose(world, arm), wanted = circle(rg_world_time(world), &radius);
    // One step lands on the motion from wherever the last one ended, so nothing accumulates.
    CHECK_NEAR(distance(now.position, wanted.position), 0, 1e-13);
    rgQuat turn = quat_mul(now.orientation, quat_conj(wanted.orientation));
    CHECK_NEAR(v3_norm(v3(turn.x, turn.y, turn.z)), 0, 1e-13);
  }
  // The velocity is the mean one of the step: second-order close to that of its middle.
  double middle = rg_world_time(world) - 0.5 / 240;
  rgVec3 expected = v3(-2 * rg_sin(middle), 2 * rg_cos(middle), 0);
  CHECK_NEAR(distance(rg_body_velocity(world, arm).linear, expected), 0, 1e-5);
  CHECK_NEAR(rg_body_velocity(world, arm).angular.z, 1, 1e-5);
  rg_world_destroy(world);
}

// --- conveyor -----------------------------------------------------------------------------------

typedef struct Belt {
  rgWorld* world;
  rgBodyId belt, box;
  double dissipated; // [J] so far
  double gained;     // [J] largest positive energy balance of a step
} Belt;

static const double BELT_SPEED = 1.5, BELT_MU = 0.3, BELT_STEP = 1e-3;

static Belt build_belt(double theta) {
  Belt belt = {.world = build_world("default")};
  build_set_step(belt.world, BELT_STEP, theta);
  build_set_default_material(belt.world, BELT_MU, 0);
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3(0, 0, -0.5));
  def.velocity.linear = v3(BELT_SPEED, 0, 0);
  belt.belt = build_body(belt.world, &def, shape_box(v3(20, 1, 0.5)));
  belt.box = build_box(belt.world, v3(0.2, 0.2, 0.02), v3(0, 0, 0.02));
  return belt;
}

static void run_belt(Belt* belt, int steps) {
  for (int i = 0; i < steps; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(belt->world, &certificate) == RG_OK);
    CHECK(certificate.met);
    belt->dissipated -= certificate.energy;
    belt->gained = fmax(belt->gained, certificate.energy);
  }
}

static void check_belt(double theta) {
  Belt belt = build_belt(theta);
  CONTEXT("theta %g", theta);
  double mass = rg_body_mass(belt.world, belt.box).mass,
         kinetic = 0.5 * mass * BELT_SPEED * BELT_SPEED;
  // While it slips, it is accelerated by mu g.
  run_belt(&belt, 200);
  CHECK_REL(rg_body_velocity(belt.world, belt.box).linear.x, BELT_MU * GRAVITY * 0.2, 1e-6);
  // v / mu g = 0.51 s later it has the speed of the belt and keeps it.
  run_belt(&belt, 600);
  CHECK_NEAR(rg_body_velocity(belt.world, belt.box).linear.x, BELT_SPEED, 1e-6);
  CHECK_NEAR(v3_norm(rg_body_velocity(belt.world, belt.box).angular), 0, 1e-6);
  rgVec3 place = rg_body_center(belt.world, belt.box),
         belt_place = rg_body_center(belt.world, belt.belt);
  double slip = BELT_SPEED * BELT_SPEED / (2 * BELT_MU * GRAVITY);
  CHECK_NEAR(belt_place.x - place.x, slip,
             2 * BELT_STEP * BELT_SPEED); // a step more or less at the start
  // No step creates energy: rounding of energies of the size of the kinetic one, times the
  // tolerance of the solve.
  CHECK_MSG(belt.gained <= 1e-6 * kinetic, "a step gained %g J of %g J", belt.gained, kinetic);
  // Known to every student: half of the belt's work becomes heat, half kinetic energy.
  CHECK_REL(belt.dissipated, kinetic,
            theta == 0.5 ? 1e-5 : 1e-2); // theta = 1 damps at first order in h
  rg_world_destroy(belt.world);
}

TEST(a_belt_takes_a_box_along_and_half_its_work_becomes_heat) {
  check_belt(0.5);
  check_belt(1);
}

// --- lift ---------------------------------------------------------------------------------------

typedef struct Lift {
  double amplitude, frequency; // [m], [rad/s]
} Lift;

static rgPose lift_motion(double time, void* context) {
  const Lift* lift = context;
  return pose_at(v3(0, 0, lift->amplitude * (1 - rg_cos(lift->frequency * time)) - 0.5));
}

static void check_lift(double theta, double step) {
  Lift lift = {0.5, 2}; // largest acceleration 2 m/s2: the box never leaves the platform
  rgWorld* world = build_world("default");
  build_set_step(world, step, theta);
  rgBodyId platform = build_kinematic(world, lift_motion, &lift, v3(1, 1, 0.5), v3_zero());
  rgBodyId box = build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.2));
  double mass = rg_body_mass(world, box).mass, weight = mass * GRAVITY;
  CONTEXT("theta %g, h = %g", theta, step);
  double start = rg_world_energy(world).potential, balance = 0, gained = 0, apart = 0;
  int steps = (int)(3.14159265358979323846 / lift.frequency / step); // to the top
  for (int i = 0; i < steps; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    CHECK(certificate.met);
    balance += certificate.energy;
    gained = fmax(gained, certificate.energy);
    double gap = rg_body_center(world, box).z - 0.2 - (rg_body_center(world, platform).z + 0.5);
    apart = fmax(apart, fabs(gap));
  }
  double lifted = rg_world_energy(world).potential - start;
  CHECK_REL(lifted, weight * 2 * lift.amplitude, 1e-3);
  CHECK_MSG(apart <= 1e-5 * 0.2, "box and platform were %g m apart or inside each other", apart);
  CHECK_MSG(gained <= 1e-6 * lifted, "a step gained %g J, lifting took %g J", gained, lifted);
  CHECK_NEAR(balance, 0, 1e-3 * lifted);
  rg_world_destroy(world);
}

TEST(a_rising_platform_lifts_a_box) { check_lift(1, 1.0 / 240); }

TEST(a_rising_platform_lifts_a_box_at_theta_one_half) { check_lift(0.5, 1e-3); }

static rgPose turntable_motion(double time, void* context) {
  (void)context;
  return (rgPose){v3(0, 0, -0.5), turn_about(v3(0, 0, 1), 2 * time)};
}

TEST(a_turntable_takes_a_box_round) {
  // w^2 R = 4 m/s2 * 0.5 = 2 < mu g: the box stays where it is on the table.
  rgWorld* world = build_world("default");
  build_set_step(world, 1e-3, 1);
  rgBodyId table = build_kinematic(world, turntable_motion, NULL, v3(2, 2, 0.5), v3_zero());
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.5, 0, 0.05));
  def.velocity = twist(v3(0, 1, 0), v3(0, 0, 2));
  rgBodyId box = build_body(world, &def, shape_box(v3(0.1, 0.1, 0.05)));
  run_steps(world, 1000);
  rgPose pose = rg_body_pose(world, table);
  rgVec3 on_table =
      quat_unrotate(pose.orientation, v3_sub(rg_body_center(world, box), pose.position));
  // Velocities agree at the end of each step, chords instead of arcs: h w^2 t / 2 outwards per
  // radian at most.
  CHECK_NEAR(distance(on_table, v3(0.5, 0, 0.55)), 0, 2e-3);
  CHECK_NEAR(v3_norm(rg_body_velocity(world, box).linear), 1, 5e-3);
  CHECK_NEAR(rg_body_velocity(world, box).angular.z, 2, 1e-4);
  rg_world_destroy(world);
}

TEST(a_shaken_ball_gains_energy_from_the_shaker_only) {
  // A lively ball on a shaker, hundreds of impacts: no step may create energy beyond the shaker's
  // work.
  Lift lift = {0.02, 60};
  rgWorld* world = build_world("default");
  build_set_step(world, 1e-3, 0.5);
  build_set_default_material(world, 0.3, 0.8);
  build_kinematic(world, lift_motion, &lift, v3(5, 5, 0.5), v3_zero());
  build_sphere(world, 0.1, v3(0, 0, 0.3));
  double largest = 0, gained = 0;
  for (int i = 0; i < 2000; ++i) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK);
    gained = fmax(gained, certificate.energy);
    largest = fmax(largest, rg_world_energy(world).kinetic);
  }
  CHECK_MSG(gained <= 1e-6 * largest, "a step gained %g J, the ball has up to %g J", gained,
            largest);
  rg_world_destroy(world);
}

// A piston that stands still and then goes a given way in one step: what lies before it is met in
// that step, however far it goes, and never passed.
typedef struct Stroke {
  double begin, step, way; // [s], [s], [m]
} Stroke;

static rgPose piston(double time, void* context) {
  const Stroke* stroke = context;
  double part = fmin(fmax((time - stroke->begin) / stroke->step, 0), 1);
  return pose_at(v3(part * stroke->way, 0, 0));
}

TEST(a_piston_meets_what_is_in_its_way) {
  const double h = 0.01, ways[] = {0.05, 0.5, 5};
  for (int k = 0; k < 3; k++)
    for (int part = 1; part <= 9; part++) {
      double gap = 0.1 * part * ways[k];
      rgWorld* world = build_still("default");
      build_set_step(world, h, 1);
      Stroke stroke = {3 * h, h, ways[k]};
      build_kinematic(world, piston, &stroke, v3(0.1, 1, 1), v3_zero());
      rgBodyId ball = build_sphere(world, 0.1, v3(0.2 + gap, 0, 0));
      CONTEXT("a way of %g m, gap %g m", ways[k], gap);
      run_steps(world, 3);
      CHECK_NEAR(rg_body_center(world, ball).x, 0.2 + gap, 0);
      rgCertificate certificate = run_met_step(world, 3);
      CHECK_MSG(certificate.penetration <= 1e-6, "overlap of %g m", certificate.penetration);
      CHECK_NEAR(rg_body_center(world, ball).x, 0.2 + ways[k], 1e-5 * ways[k]);
      rg_world_destroy(world);
    }
}

// --- turns ----------------------------------------------------------------------------------------

// Difference of two rotations: the sine of half the angle between them.
static double turned_apart(rgQuat a, rgQuat b) {
  rgQuat d = quat_mul(a, quat_conj(b));
  return sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

// The angle w t about w, whatever the step: also more than half a turn in one.
TEST(a_kinematic_body_that_keeps_its_spin_turns_by_exactly_that_angle) {
  const double rates[] = {1e-9, 0.3, 7, 100, 240 * RG_PI, 1234.5, 1e5};
  random_state = 3;
  for (int i = 0; rg_stepper_name(i); i++)
    for (int k = 0; k < 7; k++) {
      rgWorldDef def = rg_world_def();
      snprintf(def.options.stepper, sizeof def.options.stepper, "%s", rg_stepper_name(i));
      snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
      build_fit_options(&def.options);
      def.options.step = k % 2 ? 1.0 / 240 : 0.01;
      def.options.theta = k % 3 ? 1 : 0.5;
      rgWorld* world = build_world_of(&def);
      rgVec3 axis = random_direction();
      rgBodyDef body = body_at(RG_BODY_KINEMATIC, v3_zero());
      body.pose.orientation = random_rotation();
      body.velocity.angular = v3_scale(axis, rates[k]);
      rgBodyId id = build_body(world, &body, shape_box(v3(0.3, 0.2, 0.1)));
      CONTEXT("stepper %s, %g rad/s", rg_stepper_name(i), rates[k]);
      for (int step = 1; step <= 50; step++) {
        run_steps(world, 1);
        double angle = rates[k] * (step * def.options.step);
        rgQuat wanted = quat_mul(turn_about(axis, angle), body.pose.orientation);
        // rounding of the angle itself, and of a product of rotations in each step
        CHECK_NEAR(turned_apart(rg_body_pose(world, id).orientation, wanted), 0,
                   4e-16 * (angle + step + 4));
      }
      CHECK_NEAR(distance(rg_body_velocity(world, id).angular, body.velocity.angular), 0, 0);
      rg_world_destroy(world);
    }
}

static rgPose spin(double time, void* context) {
  rgPose pose = pose_identity();
  pose.orientation = turn_about(v3(1, 2, -2), *(const double*)context * time);
  return pose;
}

// A motion ends where it says, and its angular velocity is the angle over the time.
TEST(a_body_on_a_given_motion_has_its_angular_velocity) {
  double rates[] = {0.5, 30, 300, 700}; // up to almost half a turn in a step
  for (int k = 0; k < 4; k++) {
    rgWorld* world = build_world("default");
    rgBodyId id = build_kinematic(world, spin, &rates[k], v3(0.3, 0.2, 0.1), v3_zero());
    CONTEXT("%g rad/s", rates[k]);
    for (int step = 0; step < 30; step++) {
      run_steps(world, 1);
      rgQuat wanted = spin(rg_world_time(world), &rates[k]).orientation;
      CHECK_NEAR(turned_apart(rg_body_pose(world, id).orientation, wanted), 0, 1e-14);
      rgVec3 w = v3_scale(v3(1, 2, -2), rates[k] / 3);
      CHECK_NEAR(distance(rg_body_velocity(world, id).angular, w), 0, 1e-11 * rates[k]);
    }
    rg_world_destroy(world);
  }
}

// A link on a hinge that a spinning body carries: the joint stays closed, whatever turns per step.
TEST(joints_follow_a_body_that_keeps_its_spin) {
  for (int k = 0; k < 6; k++) {
    rgWorld* world = build_still("reference");
    build_set_step(world, 0.01, k % 2 ? 1 : 0.5);
    double rate = (double[]){1, 10, 40}[k / 2];
    rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3_zero());
    def.velocity.angular = v3(0, 0, rate);
    rgBodyId base = build_body(world, &def, shape_box(v3(0.1, 0.1, 0.1)));
    def = body_at(RG_BODY_DYNAMIC, v3(1, 0, 0));
    def.velocity = twist(v3(0, rate, 0), v3(0, 0, rate));
    rgJointDef joint = rg_joint_def(RG_JOINT_FIXED);
    joint.body_a = base;
    joint.body_b = build_body(world, &def, shape_box(v3(0.3, 0.1, 0.05)));
    joint.point = v3(0.5, 0, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    CONTEXT("%g rad/s, theta %g", rate, rg_world_options(world)->theta);
    for (int step = 0; step < 40; step++) {
      rgCertificate certificate;
      REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
      CHECK_NEAR(certificate.joint_error, 0, 1e-8);
    }
    double angle = rate * 0.4;
    rgVec3 wanted = v3(rg_cos(angle), rg_sin(angle), 0);
    CHECK_NEAR(distance(rg_body_center(world, joint.body_b), wanted), 0, 1e-7);
    rg_world_destroy(world);
  }
}

// Any finite velocity: the step is made and all poses are poses, or it is refused and nothing has
// moved. Never a step that is made and a pose that is none.
TEST(velocities_up_to_the_end_of_the_range_give_a_pose_or_an_error) {
  int made = 0, refused = 0;
  for (int i = 0; rg_stepper_name(i); i++)
    for (int power = -300; power <= 308; power += 19)
      for (int part = 0; part < 2; part++) {
        rgWorldDef def = rg_world_def();
        snprintf(def.options.stepper, sizeof def.options.stepper, "%s", rg_stepper_name(i));
        snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
        build_fit_options(&def.options);
        rgWorld* world = build_world_of(&def);
        double size = rg_pow(10, power);
        rgBodyDef body = body_at(RG_BODY_KINEMATIC, v3_zero());
        body.velocity = part ? twist(v3(size, 0, 0), v3_zero()) : twist(v3_zero(), v3(0, size, 0));
        rgBodyId id = build_body(world, &body, shape_box(v3(0.1, 0.2, 0.3)));
        build_sphere(world, 0.1, v3(0, 0, 3));
        CONTEXT("stepper %s, 1e%d, %s", rg_stepper_name(i), power, part ? "m/s" : "rad/s");
        for (int step = 0; step < 3; step++) {
          uint64_t before = rg_world_hash(world);
          rgStatus status = rg_world_step(world, NULL);
          rgPose pose = rg_body_pose(world, id);
          CHECK(v3_finite(pose.position));
          CHECK_NEAR(quat_norm2(pose.orientation), 1, 1e-12);
          if (status == RG_OK) {
            made++;
            continue;
          }
          refused++;
          CHECK_INT(status, RG_ERROR_INPUT);
          CHECK_CONTAINS(rg_world_message(world), "is not finite after the step");
          CHECK_HEX(rg_world_hash(world), before);
        }
        rg_world_destroy(world);
      }
  CHECK_MSG(made > 300 && refused > 20, "%d made, %d refused", made, refused);
}

// Both quaternions of an orientation are the same: whichever of them a motion gives, and whenever it changes
// from one to the other, the body goes the shorter way round.
static rgPose flipping_spin(double time, void* context) {
  rgPose pose = spin(time, context);
  rgQuat q = pose.orientation;
  if ((int)(1e4 * time) % 2)
    pose.orientation = (rgQuat){-q.w, -q.x, -q.y, -q.z};
  return pose;
}

TEST(the_sign_of_a_quaternion_does_not_matter) {
  double rates[] = {0.5, -20, 150, -400};
  for (int k = 0; k < 4; k++) {
    rgWorld* world = build_world("default");
    build_set_step(world, 0.0037, 1); // some steps change the sign
    rgBodyId id = build_kinematic(world, flipping_spin, &rates[k], v3(0.3, 0.2, 0.1), v3_zero());
    CONTEXT("%g rad/s", rates[k]);
    for (int step = 0; step < 30; step++) {
      run_steps(world, 1);
      rgVec3 w = v3_scale(v3(1, 2, -2), rates[k] / 3);
      CHECK_NEAR(distance(rg_body_velocity(world, id).angular, w), 0, 1e-11 * fabs(rates[k]));
    }
    rg_world_destroy(world);
  }
}

// What is joined to a body that turns by a large angle in a step goes along with it exactly, without a
// stabilizer: the joint is closed after each step.
TEST(joints_follow_large_turns_without_a_stabilizer) {
  static const rgJointKind kinds[] = {RG_JOINT_FIXED, RG_JOINT_HINGE, RG_JOINT_BALL,
                                      RG_JOINT_UNIVERSAL};
  for (int i = 0; i < 48; i++) {
    double h = 0.01, turn = (i / 12 + 1) * 0.15, theta = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 0.8 : 1;
    rgWorld* world = build_still("reference");
    rgOptions options = *rg_world_options(world);
    options.step = h;
    options.theta = theta;
    options.tolerance = 1e-12;
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    snprintf(options.coordinates, sizeof options.coordinates, "full");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3(0.1, 0, 0));
    def.velocity = twist(v3(0.5, 0.2, 0), v3(0, 0.3 * turn / h, turn / h));
    rgBodyId moved = build_body(world, &def, shape_sphere(0.01));
    def = body_at(RG_BODY_DYNAMIC, v3(0.4, 0.1, 0));
    rgVec3 arm = v3(0.3, 0.1, 0);
    def.velocity = twist(v3_add(v3(0.5, 0.2, 0), v3_cross(v3(0, 0.3 * turn / h, turn / h), arm)),
                         v3(0, 0.3 * turn / h, turn / h));
    rgBodyId carried = build_body(world, &def, shape_box(v3(0.1, 0.07, 0.05)));
    rgJointDef joint = rg_joint_def(kinds[i % 4]);
    joint.body_a = i / 4 % 2 ? carried : moved;
    joint.body_b = i / 4 % 2 ? moved : carried;
    joint.point = v3(0.25, 0.05, 0);
    joint.axis = v3(0, 0, 1);
    joint.axis_2 = v3(1, 0, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    for (int step = 0; step < 2; step++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      CONTEXT("case %d: turn %g, theta %g, step %d", i, turn, theta, step);
      if (certificate.stages[RG_STAGE_PLAIN].missed == 0)
        CHECK_NEAR(certificate.joint_error, 0, 1e-9);
    }
    rg_world_destroy(world);
  }
}
