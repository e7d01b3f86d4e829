// A step whose state leaves the range of numbers fails, says which body and what to do, and leaves
// the world in its last good state.
#include "support/builder.h"
#include "support/snapshot.h"
#include "test.h"

typedef struct Bob {
  rgWorld* world;
  rgBodyId body;
  rgForceId spring;
} Bob;

// 1 kg beside a bystander on a spring with w h = 30: an explicit step of first order multiplies the
// motion by about 1000.
static Bob build_bob(const char* stepper, const char* name) {
  rgWorldDef def = rg_world_def();
  def.options.step = 0.01;
  def.options.implicit_forces = false;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  snprintf(def.options.cone, sizeof def.options.cone, "frictionless");
  build_fit_options(&def.options);
  Bob bob = {.world = build_world_of(&def)};
  build_sphere(bob.world, 0.1, v3(50, 0, 0));
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0, 0, 2));
  body.mass = 1;
  body.name = name;
  bob.body = build_body(bob.world, &body, shape_sphere(0.1));
  rgForceDef spring = rg_force_def();
  spring.kind = RG_FORCE_SPRING;
  spring.body = bob.body;
  spring.other_point = v3(0, 0, 5);
  spring.at_point = true;
  spring.stiffness = 1e7;
  spring.rest = 1;
  REQUIRE_INT(rg_world_add_force(bob.world, &spring, &bob.spring), RG_OK);
  return bob;
}

static bool is_finite_state(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  bool finite = isfinite(energy.kinetic) && isfinite(energy.potential);
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    rgTwist v = rg_body_velocity(world, id);
    finite = finite && v3_finite(rg_body_center(world, id)) && v3_finite(v.linear) &&
             v3_finite(v.angular);
  }
  return finite;
}

// Steps until one fails; its status. The hash is that of the state before it.
static rgStatus run_to_the_end(rgWorld* world, uint64_t* hash) {
  rgStatus status = RG_OK;
  for (int i = 0; i < 1000 && status == RG_OK; i++) {
    *hash = rg_world_hash(world);
    status = rg_world_step(world, NULL);
  }
  return status;
}

TEST(an_exploding_spring_is_named_and_the_world_stays_finite) {
  Bob bob = build_bob("theta", "bob");
  uint64_t hash;
  CHECK_INT(run_to_the_end(bob.world, &hash), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(bob.world), "body \"bob\" is not finite after the step to t = ");
  CHECK_CONTAINS(rg_world_message(bob.world), "smaller step than 0.01 s");
  CHECK_CONTAINS(rg_world_message(bob.world), "implicit_forces");
  CHECK_HEX(rg_world_hash(bob.world), hash);
  CHECK(is_finite_state(bob.world));
  // the certificate is that of the last good step, and trying again ends the same way
  CHECK(isfinite(rg_world_certificate(bob.world)->energy));
  int64_t steps = rg_world_steps(bob.world);
  CHECK_INT(rg_world_step(bob.world, NULL), RG_ERROR_INPUT);
  CHECK_HEX(rg_world_hash(bob.world), hash);
  CHECK_INT(rg_world_steps(bob.world), steps);
  rg_world_destroy(bob.world);
}

TEST(the_world_goes_on_once_the_cause_is_gone) {
  Bob bob = build_bob("theta", "");
  uint64_t hash;
  CHECK_INT(run_to_the_end(bob.world, &hash), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(bob.world), "body 1 is not finite");
  REQUIRE_INT(rg_body_set_pose(bob.world, bob.body, pose_at(v3(0, 0, 3))), RG_OK);
  REQUIRE_INT(rg_body_set_velocity(bob.world, bob.body, twist(v3_zero(), v3_zero())), RG_OK);
  rgOptions options = *rg_world_options(bob.world);
  options.implicit_forces = true;
  REQUIRE_INT(rg_world_set_options(bob.world, &options), RG_OK);
  run_steps(bob.world, 100);
  CHECK_NEAR(rg_body_center(bob.world, bob.body).z, 4 - 9.81 / 1e7, 1e-6);
  rg_world_destroy(bob.world);
}

TEST(every_stepper_fails_alike) {
  for (int i = 0; rg_stepper_name(i); i++) {
    CONTEXT("stepper %s", rg_stepper_name(i));
    Bob bob = build_bob(rg_stepper_name(i), "bob");
    uint64_t hash;
    CHECK_INT(run_to_the_end(bob.world, &hash), RG_ERROR_INPUT);
    // or another body, which it has struck
    CHECK_CONTAINS(rg_world_message(bob.world), " is not finite after the step to t = ");
    CHECK_CONTAINS(rg_world_message(bob.world), "body \"bob\"");
    CHECK_HEX(rg_world_hash(bob.world), hash);
    CHECK(is_finite_state(bob.world));
    rg_world_destroy(bob.world);
  }
}

// With a joint, and whatever the stepper: not a byte of a snapshot is changed by the step that failed.
static void check_nothing_is_changed(const char* stepper) {
  Bob bob = build_bob(stepper, "bob");
  rgJointDef hinge = rg_joint_def(RG_JOINT_SLIDER);
  hinge.body_b = bob.body;
  hinge.point = v3(0, 0, 2);
  hinge.axis = v3(0, 0.6, 0.8);
  rgJointId joint;
  REQUIRE_INT(rg_world_add_joint(bob.world, &hinge, &joint), RG_OK);
  rgStatus status = RG_OK;
  Snapshot before = {0};
  for (int i = 0; i < 1000 && status == RG_OK; i++) {
    free(before.data);
    before = save(bob.world);
    status = rg_world_step(bob.world, NULL);
  }
  CHECK_INT(status, RG_ERROR_INPUT);
  Snapshot after = save(bob.world);
  CHECK_INT(after.size, before.size);
  CHECK(after.size == before.size && memcmp(after.data, before.data, after.size) == 0);
  rgJointState state;
  REQUIRE_INT(rg_joint_state(bob.world, joint, &state), RG_OK);
  CHECK(isfinite(state.error) && v3_finite(state.reaction.force));
  free(before.data);
  free(after.data);
  rg_world_destroy(bob.world);
}

TEST(a_step_that_fails_changes_nothing) {
  for (int i = 0; rg_stepper_name(i); i++) {
    CONTEXT("stepper %s", rg_stepper_name(i));
    check_nothing_is_changed(rg_stepper_name(i));
  }
}

static rgWrench wild_force(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time, (void)pose, (void)velocity;
  return (rgWrench){v3(*(bool*)context ? INFINITY : 0, 0, 0), v3_zero()};
}

// A step that fails has given nothing to anyone: a body that spins under a constant torque has the
// angular momentum of the steps that were made, however many failed in between.
TEST(failed_steps_give_no_momentum) {
  for (int failures = 1; failures <= 4; failures++) {
    rgWorld* world = build_still("default");
    bool wild = false;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.velocity.angular = v3(3, -2, 5);
    rgForceDef torque = rg_force_def(), force = rg_force_def();
    torque.body = build_body(world, &def, shape_box(v3(0.1, 0.2, 0.3)));
    torque.wrench.torque = v3(20, 10, -30);
    force.kind = RG_FORCE_CALLBACK;
    force.body = build_sphere(world, 0.1, v3(9, 0, 0));
    force.callback = wild_force;
    force.context = &wild;
    rgForceId id;
    REQUIRE_INT(rg_world_add_force(world, &torque, &id), RG_OK);
    REQUIRE_INT(rg_world_add_force(world, &force, &id), RG_OK);
    rgVec3 start = rg_world_momentum(world).angular;
    double h = rg_world_options(world)->step;
    enum { STEPS = 12 };
    for (int step = 0; step < STEPS; step++) {
      wild = true;
      for (int i = 0; i < failures; i++)
        REQUIRE(rg_world_step(world, NULL) != RG_OK);
      wild = false;
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    }
    rgVec3 expected = v3_axpy(start, STEPS * h, torque.wrench.torque);
    CONTEXT("%d failures", failures);
    CHECK_NEAR(distance(rg_world_momentum(world).angular, expected), 0, 1e-12 * v3_norm(expected));
    rg_world_destroy(world);
  }
}

// Velocities from outside are made to suit the joints in the step after. A step that fails takes that back
// with all else: the next one does it again.
TEST(a_failed_step_leaves_velocities_to_be_suited) {
  uint64_t hashes[2];
  for (int k = 0; k < 2; ++k) {
    rgWorld* world = build_world("default");
    build_set_step(world, 0.01, 0.5);
    rgBodyId bob = build_box(world, v3(0.1, 0.2, 0.3), v3(0.5, 0, 3)),
             far = build_sphere(world, 0.1, v3(50, 0, 0));
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_b = bob;
    joint.point = v3(0, 0, 3);
    joint.axis = v3(0, 1, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    run_steps(world, 3);
    rgForceDef push = rg_force_def();
    push.body = far;
    push.wrench.force = v3(k ? 1e308 : 0, 0, 0);
    rgForceId force;
    REQUIRE(rg_world_add_force(world, &push, &force) == RG_OK);
    REQUIRE(rg_body_set_velocity(world, bob, twist(v3(2, 1, 0), v3(1, 0, 3))) == RG_OK);
    if (k == 1)
      CHECK_INT(rg_world_step(world, NULL), RG_ERROR_INPUT);
    REQUIRE(rg_world_remove_force(world, force) == RG_OK);
    run_steps(world, 3);
    hashes[k] = rg_world_hash(world);
    rg_world_destroy(world);
  }
  CHECK_MSG(hashes[0] == hashes[1], "the run after a failed step is another one");
}

// What is said to do helps: springs are advised to be implicit where they are not, and only there.
TEST(springs_that_are_implicit_are_not_advised_to_be) {
  for (int implicit = 0; implicit < 2; implicit++)
    for (int spring = 0; spring < 2; spring++) {
      Bob bob = build_bob("theta", "bob");
      rgOptions options = *rg_world_options(bob.world);
      options.implicit_forces = implicit;
      REQUIRE(rg_world_set_options(bob.world, &options) == RG_OK);
      if (!spring)
        REQUIRE(rg_world_remove_force(bob.world, bob.spring) == RG_OK);
      rgTwist fast = twist(v3(1e200, 0, 0), v3_zero());
      REQUIRE(rg_body_set_velocity(bob.world, bob.body, fast) == RG_OK);
      CHECK_INT(rg_world_step(bob.world, NULL), RG_ERROR_INPUT);
      CONTEXT("implicit %d, spring %d: %s", implicit, spring, rg_world_message(bob.world));
      bool advised = strstr(rg_world_message(bob.world), "implicit_forces") != NULL;
      CHECK_INT(advised, spring && !implicit);
      rg_world_destroy(bob.world);
    }
}
