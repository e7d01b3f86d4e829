// Bodies that are welded together are one body: two that a fixed joint holds fly, land, slide and bounce as one that
// has both of their shapes. And what keeps its energy goes back the way it came.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

typedef struct Pair {
  rgVec3 center; // [m] of both
  rgQuat turn;
  rgVec3 velocity, spin;
} Pair;

// The whole as it moves, from the world with one body or with two.
static Pair whole_of(const rgWorld* world, const rgBodyId* ids, int count) {
  Pair whole = {.turn = rg_body_pose(world, ids[0]).orientation};
  double mass = 0;
  for (int i = 0; i < count; i++) {
    double m = rg_body_mass(world, ids[i]).mass;
    whole.center = v3_axpy(whole.center, m, rg_body_center(world, ids[i]));
    whole.velocity = v3_axpy(whole.velocity, m, rg_body_velocity(world, ids[i]).linear);
    mass += m;
  }
  whole.center = v3_scale(whole.center, 1 / mass);
  whole.velocity = v3_scale(whole.velocity, 1 / mass);
  whole.spin = rg_body_velocity(world, ids[0]).angular;
  return whole;
}

typedef struct Throw {
  rgOptions options;
  double mu, e;
  rgPose pose;
  rgTwist velocity; // of the frame's origin
} Throw;

static rgWorld* build(const Throw* thrown, bool welded, rgBodyId* ids) {
  rgWorldDef def = rg_world_def();
  def.options = thrown->options;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, thrown->mu, thrown->e);
  build_floor(world);
  rgShapeDef shapes[2] = {shape_ellipsoid(v3(0.1, 0.15, 0.12)), shape_sphere(0.1)};
  shapes[0].pose.position = v3(-0.2, 0.05, 0);
  shapes[1].pose.position = v3(0.25, 0, 0.05);
  for (int i = 0; i < (welded ? 2 : 1); i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, thrown->pose.position);
    body.pose = thrown->pose;
    REQUIRE_INT(
        rg_world_add_body(world, &body, welded ? &shapes[i] : shapes, welded ? 1 : 2, &ids[i]),
        RG_OK);
    rgVec3 arm = v3_sub(rg_body_center(world, ids[i]), thrown->pose.position);
    rgTwist v = {v3_add(thrown->velocity.linear, v3_cross(thrown->velocity.angular, arm)),
                 thrown->velocity.angular};
    REQUIRE_INT(rg_body_set_velocity(world, ids[i], v), RG_OK);
  }
  if (!welded)
    return world;
  rgJointDef joint = rg_joint_def(RG_JOINT_FIXED);
  joint.body_a = ids[0];
  joint.body_b = ids[1];
  joint.point = thrown->pose.position;
  rgJointId id;
  REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
  return world;
}

TEST(welded_bodies_move_as_one) {
  static const double thetas[] = {0.5, 0.7, 1};
  static const char* const coordinates[] = {"reduced", "full"};
  random_state = 15;
  for (int i = 0; i < 24; i++) {
    Throw thrown = {.mu = i % 2 ? 0.4 : 0, .e = i % 3 ? 0 : 0.5};
    REQUIRE(rg_options_preset("reference", &thrown.options));
    thrown.options.step = 2e-3;
    thrown.options.theta = thetas[i % 3];
    snprintf(thrown.options.coordinates, sizeof thrown.options.coordinates, "%s",
             coordinates[i / 2 % 2]);
    thrown.pose = (rgPose){v3(0, 0, 0.37), random_rotation()};
    thrown.velocity = twist(v3_add(random_vector(), v3(0, 0, -1)), v3_scale(random_vector(), 2));
    rgBodyId one[2], two[2];
    rgWorld *whole = build(&thrown, false, one), *parts = build(&thrown, true, two);
    bool touched = false;
    for (int step = 0; step < 60; step++) {
      REQUIRE_INT(rg_world_step(whole, NULL), RG_OK);
      REQUIRE_INT(rg_world_step(parts, NULL), RG_OK);
      Pair a = whole_of(whole, one, 1), b = whole_of(parts, two, 2);
      rgQuat turn = quat_mul(a.turn, quat_conj(b.turn));
      touched = touched || rg_world_certificate(whole)->contacts > 0;
      CONTEXT("throw %d, theta %g, step %d", i, thrown.options.theta, step);
      // in flight both turn to second order in h, each in its own way; contacts make more of it
      double close = touched ? 2e-2 : 1e-4;
      CHECK_NEAR(distance(a.center, b.center), 0, 0.1 * close);
      CHECK_NEAR(v3_norm(v3(turn.x, turn.y, turn.z)), 0, close);
      if (!touched)
        CHECK_NEAR(distance(a.velocity, b.velocity), 0, 1e-9);
    }
    rg_world_destroy(whole);
    rg_world_destroy(parts);
  }
}

// -------------------------------------------------------------------------------------------------
// There and back
// -------------------------------------------------------------------------------------------------

static void turn_round(rgWorld* world) {
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    rgTwist v = rg_body_velocity(world, id);
    if (rg_body_kind(world, id) == RG_BODY_DYNAMIC)
      REQUIRE_INT(rg_body_set_velocity(world, id, twist(v3_neg(v.linear), v3_neg(v.angular))),
                  RG_OK);
  }
}

// At theta = 1/2 a step is the same read backwards: joints, springs and free rotation come back to where they began.
TEST(conservative_motion_goes_back_the_way_it_came) {
  static const rgJointKind kinds[] = {RG_JOINT_BALL,      RG_JOINT_HINGE,  RG_JOINT_SLIDER,
                                      RG_JOINT_UNIVERSAL, RG_JOINT_PLANAR, RG_JOINT_CYLINDRICAL,
                                      RG_JOINT_SCREW};
  random_state = 25;
  for (int i = 0; i < 21; i++) {
    rgWorld* world = build_world("reference");
    build_set_step(world, 2e-3, 0.5);
    rgBodyId last = {0, 0};
    rgVec3 start[3];
    for (int k = 0; k < 3; k++) {
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.4 * k + 0.2, 0, 0));
      def.pose.orientation = random_rotation();
      def.mass = random_between(0.5, 2);
      def.inertia_given = true;
      def.inertia = m3_diag(0.03, 0.04, 0.05);
      rgBodyId body;
      REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &body), RG_OK);
      rgJointDef joint = rg_joint_def(kinds[(i + 2 * k) % 7]);
      joint.body_a = last;
      joint.body_b = body;
      joint.point = v3(0.4 * k, 0.05, 0);
      joint.axis = random_direction();
      rgVec3 unused;
      v3_frame(joint.axis, &joint.axis_2, &unused);
      if (joint.kind == RG_JOINT_SCREW)
        rg_joint_def_set(&joint, "lead", 0.3);
      joint.axes[0].stiffness = joint.kind == RG_JOINT_BALL ? 0 : 5;
      rgJointId id;
      REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
      double rates[4] = {1, -0.5, 0.7, 0};
      REQUIRE_INT(rg_joint_set_state(world, id, NULL, rates), RG_OK);
      last = body;
    }
    rgForceDef spring = rg_force_def();
    spring.kind = RG_FORCE_SPRING;
    spring.body = last;
    spring.stiffness = 20;
    spring.rest = 0.5;
    rgForceId force;
    REQUIRE_INT(rg_world_add_force(world, &spring, &force), RG_OK);
    for (int k = 0; k < 3; k++)
      start[k] = rg_body_center(world, rg_world_body(world, k));
    int rung = 0;
    for (int step = 0; step < 40; step++) {
      if (step == 20)
        turn_round(world);
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
      rung += certificate.stages[RG_STAGE_RINGING].count;
    }
    CONTEXT("chain %d", i);
    // a spring has its direction of the start of the step, and suiting changes velocities a little on the way
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(distance(rg_body_center(world, rg_world_body(world, k)), start[k]), 0,
                 rung ? 1e-3 : 1e-4);
    rg_world_destroy(world);
  }
}
