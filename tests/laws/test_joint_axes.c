// What acts along the free axes of joints: limits, motors, friction, springs, dampers, against
// motions that can be written down; and what can be asked of joints.
#include "math/trig.h"
#include "math/vec.h"
#include "test.h"
#include <rigor/rigor.h>

static rgWorld* make_world(double h, double theta, double gravity) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.gravity = v3(0, 0, -gravity);
  def.options.step = h;
  def.options.theta = theta;
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  return world;
}

static rgBodyId add_body(rgWorld* world, rgVec3 at, double mass, double moment) {
  rgBodyDef def = rg_body_def();
  def.pose.position = at;
  def.mass = mass;
  def.inertia_given = true;
  def.inertia = m3_diag(0.5 * moment, moment, 0.7 * moment);
  rgBodyId id;
  REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &id), RG_OK);
  return id;
}

static rgJointId add_joint(rgWorld* world, const rgJointDef* def) {
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, def, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointState state_of(const rgWorld* world, rgJointId id) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
  return state;
}

// A mass of 2 kg on a slider along x.
static rgJointId add_slider(rgWorld* world, rgJointAxis axis, rgBodyId* body) {
  rgJointDef def = rg_joint_def(RG_JOINT_SLIDER);
  *body = def.body_b = add_body(world, v3_zero(), 2, 0.1);
  def.axes[0] = axis;
  return add_joint(world, &def);
}

static rgJointAxis free_axis(void) { return rg_joint_def(RG_JOINT_SLIDER).axes[0]; }

static void push(rgWorld* world, rgBodyId body, double force) {
  rgForceDef def = rg_force_def();
  def.body = body;
  def.wrench.force = v3(force, 0, 0);
  rgForceId id;
  REQUIRE_INT(rg_world_add_force(world, &def, &id), RG_OK);
}

TEST(a_spring_on_a_slider_swings_and_keeps_its_energy) {
  rgWorld* world = make_world(1e-3, 0.5, 10);
  rgJointAxis axis = free_axis();
  axis.stiffness = 200; // 10 rad/s with 2 kg
  axis.rest = 0.1;
  rgBodyId body;
  rgJointId joint = add_slider(world, axis, &body);
  rgEnergy start = rg_world_energy(world);
  CHECK_REL(start.potential, 0.5 * 200 * 0.01, 1e-12);
  for (int i = 0; i < 1000; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_NEAR(certificate.energy, 0, 1e-12);
  }
  // (w h)^2 / 24 of slowness: 4e-6 of the phase, 10 rad
  CHECK_NEAR(state_of(world, joint).coordinate[0], 0.1 - 0.1 * rg_cos(10), 1e-5);
  rgEnergy end = rg_world_energy(world);
  CHECK_NEAR(end.kinetic + end.potential, start.kinetic + start.potential, 1e-11);
  rg_world_destroy(world);
}

TEST(a_damper_brakes_as_it_should) {
  rgWorld* world = make_world(1e-3, 0.5, 0);
  rgJointAxis axis = free_axis();
  axis.damping = 4; // v = exp(-2 t)
  rgBodyId body;
  rgJointId joint = add_slider(world, axis, &body);
  REQUIRE_INT(rg_body_set_velocity(world, body, (rgTwist){v3(1, 0, 0), v3_zero()}), RG_OK);
  for (int i = 0; i < 1000; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  CHECK_NEAR(state_of(world, joint).rate[0], 0.1353352832, 1e-6);
  rg_world_destroy(world);
}

TEST(a_stiff_spring_does_not_blow_up) {
  rgWorld* world = make_world(1e-2, 1, 0);
  rgJointAxis axis = free_axis();
  axis.stiffness = 2e12; // 1e6 rad/s: 1e4 per step
  axis.rest = 0.1;
  rgBodyId body;
  rgJointId joint = add_slider(world, axis, &body);
  for (int i = 0; i < 100; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  CHECK_NEAR(state_of(world, joint).coordinate[0], 0.1, 1e-9);
  rg_world_destroy(world);
}

TEST(a_limit_is_reached_and_not_passed) {
  static const double thetas[] = {0.5, 1};
  for (int k = 0; k < 2; k++) {
    rgWorld* world = make_world(1e-2, thetas[k], 0);
    rgJointAxis axis = free_axis();
    axis.upper = 0.503;
    rgBodyId body;
    rgJointId joint = add_slider(world, axis, &body);
    push(world, body, 6);
    REQUIRE_INT(rg_body_set_velocity(world, body, (rgTwist){v3(1, 0, 0), v3_zero()}), RG_OK);
    double most = 0;
    for (int i = 0; i < 200; i++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      CHECK(certificate.energy < 1e-12);
      most = fmax(most, state_of(world, joint).coordinate[0]);
    }
    CONTEXT("theta %g", thetas[k]);
    rgJointState state = state_of(world, joint);
    CHECK_MSG(most <= 0.503 + 1e-6, "%g", most - 0.503);
    CHECK_NEAR(state.coordinate[0], 0.503, 1e-3);
    CHECK_NEAR(state.rate[0], 0, 1e-9);
    CHECK_NEAR(state.force[0], -6, 1e-6); // the limit holds against the push
    rg_world_destroy(world);
  }
}

TEST(a_motor_reaches_its_speed_with_its_force) {
  rgWorld* world = make_world(1e-3, 0.5, 0);
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.axis = v3(0, 1, 0);
  def.body_b = add_body(world, v3_zero(), 1, 0.5);
  def.axes[0].motor = true;
  def.axes[0].motor_speed = 3;
  def.axes[0].motor_force = 2; // 4 rad/s2: full speed after 0.75 s
  rgJointId joint = add_joint(world, &def);
  double gained = 0;
  for (int i = 0; i < 1000; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_NEAR(certificate.energy, 0, 1e-10); // its work is counted
    if (i == 499)
      CHECK_NEAR(state_of(world, joint).rate[0], 2, 1e-9);
    gained = rg_world_energy(world).kinetic;
  }
  CHECK_NEAR(state_of(world, joint).rate[0], 3, 1e-9);
  CHECK_NEAR(gained, 0.5 * 0.5 * 9, 1e-8);
  CHECK_NEAR(state_of(world, joint).coordinate[0], 0.5 * 4 * 0.75 * 0.75 + 3 * 0.25, 1e-5);
  rg_world_destroy(world);
}

TEST(friction_holds_below_its_bound_and_brakes_above) {
  rgWorld* world = make_world(1e-3, 0.5, 0);
  rgJointAxis axis = free_axis();
  axis.friction = 5;
  rgBodyId body;
  rgJointId joint = add_slider(world, axis, &body);
  push(world, body, 4.9);
  for (int i = 0; i < 100; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  CHECK_NEAR(state_of(world, joint).coordinate[0], 0, 1e-12);
  push(world, body, 2.1); // 7 N in all: 1 m/s2
  for (int i = 0; i < 1000; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  CHECK_NEAR(state_of(world, joint).rate[0], 1, 1e-9);
  CHECK_NEAR(state_of(world, joint).force[0], -5, 1e-9);
  rg_world_destroy(world);
}

// Angles count on: after three and a half turns the limit is found.
TEST(turns_are_counted) {
  rgWorld* world = make_world(1e-2, 0.5, 0);
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.body_b = add_body(world, v3_zero(), 1, 0.5);
  def.axes[0].upper = 7 * RG_PI;
  rgJointId joint = add_joint(world, &def);
  REQUIRE_INT(rg_body_set_velocity(world, def.body_b, (rgTwist){v3_zero(), v3(20, 0, 0)}), RG_OK);
  for (int i = 0; i < 200; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  CHECK_NEAR(state_of(world, joint).coordinate[0], 7 * RG_PI, 1e-4);
  CHECK_NEAR(state_of(world, joint).rate[0], 0, 1e-9);
  rg_world_destroy(world);
}

// The rows of every kind are the derivatives of its values, and exact for finite motions when
// taken at the mean: seen from outside as errors that stay at rounding while bodies tumble.
TEST(every_kind_holds_what_it_should_while_tumbling) {
  for (int kind = 0; kind < RG_JOINT_KIND_COUNT; kind++) {
    rgWorld* world = make_world(2e-3, 0.5, 10);
    rgOptions options = *rg_world_options(world);
    strcpy(options.stabilizer, "none");
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    rgJointDef def = rg_joint_def((rgJointKind)kind);
    for (int i = 0; rg_joint_parameter(def.kind, i); i++)
      if (isnan(def.parameters[i])) // must be given
        def.parameters[i] = 0.3;
    def.body_a = add_body(world, v3_zero(), 1, 0.2);
    def.body_b = add_body(world, v3(0.7, 0.2, -0.1), 2, 0.3);
    def.point = v3(0.3, 0.1, 0.2);
    def.point_b = v3(0.6, 0.3, 0.2);
    def.axis = v3(1, 0.5, -0.3);
    def.axis_2 = v3(-0.5, 1, 0);
    rgJointId joint = add_joint(world, &def);
    rgTwist spin = {v3(1, 2, 0.5), v3(4, -3, 5)};
    REQUIRE_INT(rg_body_set_velocity(world, def.body_a, spin), RG_OK);
    double error = 0, energy = 0;
    for (int i = 0; i < 500; i++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      error = fmax(error, state_of(world, joint).error);
      if (i > 0)
        energy += certificate.energy;
    }
    CONTEXT("%s", rg_joint_kind_name((rgJointKind)kind));
    CHECK_MSG(error < 1e-9, "%g m", error); // 500 steps of what the solver leaves
    CHECK_MSG(fabs(energy) < 1e-7, "%g J", energy);
    rg_world_destroy(world);
  }
}

// Frames given per body: the bodies do not fit at first, and post brings them together.
TEST(frames_of_bodies_that_do_not_fit_are_brought_together) {
  rgWorld* world = make_world(1e-2, 1, 0);
  rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
  def.body_a = add_body(world, v3_zero(), 1, 0.2);
  def.body_b = add_body(world, v3(1, 0.3, 0), 1, 0.2);
  def.frames_given = true;
  def.frame_a.position = v3(0.5, 0, 0);
  def.frame_b.position = v3(-0.5, 0, 0);
  double s = rg_sin(0.4), c = rg_cos(0.4); // 0.8 rad off about y
  def.frame_b.orientation = (rgQuat){c, 0, s, 0};
  rgJointId joint = add_joint(world, &def);
  CHECK_NEAR(state_of(world, joint).gap, 0.3, 1e-12);
  CHECK_NEAR(state_of(world, joint).twist, rg_sin(0.8), 1e-12);
  for (int i = 0; i < 3; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  CHECK(state_of(world, joint).error < 1e-9);
  rg_world_destroy(world);
}

// In a 2D world nothing leaves the plane, not even by rounding that grows.
TEST(joints_of_a_plane_stay_in_it) {
  rgWorldDef def = rg_world_def_2d();
  rg_options_preset("reference", &def.options);
  def.options.gravity = v3(0, -10, 0);
  def.options.step = 1e-3;
  def.options.theta = 0.5;
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  CHECK_INT(rg_world_dimension(world), 2);
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE), slider = rg_joint_def(RG_JOINT_SLIDER);
  hinge.axis = v3(0, 0, 1);
  hinge.body_b = slider.body_a = add_body(world, v3(0.5, 0, 0), 1, 0.1);
  slider.body_b = add_body(world, v3(1.5, 0, 0), 3, 0.1);
  slider.point = v3(1.5, 0, 0);
  slider.axes[0].lower = -0.2;
  slider.axes[0].upper = 0.2;
  slider.axes[0].stiffness = 50;
  rgJointId ids[2] = {add_joint(world, &hinge), add_joint(world, &slider)};
  for (int i = 0; i < 3000; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK(certificate.joint_error <
          1e-6); // the limit's own tolerance and what a step may overshoot
  }
  rgPose pose = rg_body_pose(world, slider.body_b);
  CHECK_NEAR(pose.position.z, 0, 0);
  CHECK_NEAR(pose.orientation.x, 0, 0);
  CHECK_NEAR(pose.orientation.y, 0, 0);
  CHECK(state_of(world, ids[0]).error < 1e-9);
  rg_world_destroy(world);
}

TEST(removing_a_body_removes_its_joints) {
  rgWorld* world = make_world(1e-2, 1, 10);
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = add_body(world, v3_zero(), 1, 0.2);
  def.body_b = add_body(world, v3(1, 0, 0), 1, 0.2);
  def.name = "knee";
  rgJointId joint = add_joint(world, &def);
  CHECK_INT(rg_world_joint_count(world), 1);
  CHECK_INT(rg_world_find_joint(world, "knee").index, joint.index);
  CHECK_STR(rg_joint_name(world, joint), "knee");
  REQUIRE_INT(rg_world_remove_body(world, def.body_a), RG_OK);
  CHECK_INT(rg_world_joint_count(world), 0);
  CHECK(!rg_joint_valid(world, joint));
  CHECK_STR(rg_joint_name(world, joint), "");
  REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  rg_world_destroy(world);
}

TEST(coordinates_are_lengths_or_angles) {
  CHECK(rg_joint_axis_is_angle(RG_JOINT_HINGE, 0));
  CHECK(!rg_joint_axis_is_angle(RG_JOINT_CYLINDRICAL, 0));
  CHECK(rg_joint_axis_is_angle(RG_JOINT_CYLINDRICAL, 1));
  CHECK(!rg_joint_axis_is_angle(RG_JOINT_DISTANCE, 0));
}

TEST(wrong_joints_are_refused) {
  rgWorld* world = make_world(1e-2, 1, 10);
  rgBodyId body = add_body(world, v3_zero(), 1, 0.2);
  rgJointId id;
  rgJointDef good = rg_joint_def(RG_JOINT_HINGE);
  good.body_b = body;
  rgJointDef bad = good;
  bad.body_a = body;
  CHECK_INT(rg_world_add_joint(world, &bad, &id), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "the joint joins a body to itself, must join two bodies");
  bad = good;
  bad.body_b.generation += 7;
  CHECK_INT(rg_world_add_joint(world, &bad, &id), RG_ERROR_NOT_FOUND);
  bad = good;
  bad.axis = v3_zero();
  CHECK_INT(rg_world_add_joint(world, &bad, &id), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "the axis of the joint has the length 0, must be > 0");
  bad = good;
  bad.axes[0].lower = 1;
  bad.axes[0].upper = 0;
  CHECK_INT(rg_world_add_joint(world, &bad, &id), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "turn: the lower limit 1 is above the upper limit 0");
  bad = good;
  bad.axes[0].motor = true;
  CHECK_INT(rg_world_add_joint(world, &bad, &id), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "turn: the motor has no bound");
  bad = good;
  bad.body_b = (rgBodyId){0, 0};
  CHECK_INT(rg_world_add_joint(world, &bad, &id), RG_ERROR_INPUT);
  CHECK_INT(rg_world_joint_count(world), 0);
  rg_world_destroy(world);
}

// A body B on a joint to A, which moves from outside with the velocity `ground` along or about x.
static rgJointId add_to_ground(rgWorld* world, rgJointKind kind, double ground, rgJointAxis axis) {
  bool angle = rg_joint_axis_is_angle(kind, 0);
  rgBodyDef def = rg_body_def();
  def.kind = RG_BODY_KINEMATIC;
  *(angle ? &def.velocity.angular.x : &def.velocity.linear.x) = ground;
  rgJointDef joint = rg_joint_def(kind);
  REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &joint.body_a), RG_OK);
  joint.body_b = add_body(world, v3_zero(), 2, 2);
  joint.axes[0] = axis;
  return add_joint(world, &joint);
}

// Motors and limits see the motion against A, whether A rests or not: a motor brings B to its speed
// beyond that of A, a limit takes B along with A.
TEST(motors_and_limits_act_against_ground_that_moves) {
  const rgJointKind kinds[] = {RG_JOINT_SLIDER, RG_JOINT_HINGE};
  const double thetas[] = {0.5, 0.7, 1}, grounds[] = {-0.8, 0.3, 2};
  for (int i = 0; i < 18; i++) {
    double theta = thetas[i % 3], ground = grounds[i / 3 % 3];
    rgJointKind kind = kinds[i / 9];
    CONTEXT("%s, theta %g, ground %g", rg_joint_kind_name(kind), theta, ground);
    rgWorld* world = make_world(0.01, theta, 0);
    rgJointAxis axis = free_axis();
    axis.motor = true;
    axis.motor_speed = 0.5;
    axis.motor_force = 100;
    rgJointId motor = add_to_ground(world, kind, ground, axis);
    axis = free_axis();
    axis.lower = axis.upper = 0;
    *(ground > 0 ? &axis.upper : &axis.lower) = ground > 0 ? INFINITY : -INFINITY;
    rgJointId limit = add_to_ground(world, kind, ground, axis);
    for (int step = 0; step < 40; step++)
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    CHECK_NEAR(state_of(world, motor).rate[0], 0.5, 1e-8);
    CHECK_NEAR(state_of(world, limit).rate[0], 0, 1e-8);
    CHECK_NEAR(state_of(world, limit).coordinate[0], 0, 1e-8);
    rg_world_destroy(world);
  }
}

// The certificate has the error of limits too: an axis that stands beyond one and is not brought back
// is off by that much.
TEST(the_certificate_has_the_error_of_limits) {
  for (int upper = 0; upper < 2; upper++) {
    rgWorld* world = make_world(0.01, 1, 0);
    rgOptions options = *rg_world_options(world);
    snprintf(options.stabilizer, sizeof options.stabilizer, "none");
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    rgJointAxis axis = free_axis();
    *(upper ? &axis.upper : &axis.lower) = upper ? 0.1 : -0.1;
    rgBodyId body;
    add_slider(world, axis, &body);
    rgPose pose = rg_body_pose(world, body);
    pose.position.x = upper ? 0.25 : -0.25;
    REQUIRE_INT(rg_body_set_pose(world, body, pose), RG_OK);
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_NEAR(certificate.joint_error, 0.15, 1e-12);
    rg_world_destroy(world);
  }
}
