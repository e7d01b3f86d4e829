// What a step keeps for the next one changes nothing: islands and trees, energies of bodies, places of joints.
//
// Of two worlds with the same history one forgets all of that before every step, by loading its own snapshot. Both
// tell the same bits, of state and of certificate, while limbs fall and lie, and while options, limits, held axes and
// drives are changed between steps without a word to what was kept.
#include "test.h"

#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"

enum { LIMBS = 4, STEPS = 240 };

typedef struct Limbs {
  rgWorld* world;
  rgJointId joints[2 * LIMBS];
} Limbs;

static rgJointId add_hinge(rgWorld* world, rgBodyId a, rgBodyId b, rgVec3 point, rgVec3 axis) {
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  joint.body_a = a;
  joint.body_b = b;
  joint.point = point;
  joint.axis = axis;
  joint.axes[0].lower = -0.6;
  joint.axes[0].upper = 0.6;
  joint.axes[0].damping = 0.02;
  joint.axes[0].stiffness = 0.5;
  rgJointId id;
  REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
  return id;
}

// A trunk with limbs of two links each, above the floor.
static Limbs make_limbs(double theta) {
  Limbs limbs;
  rgWorldDef def = rg_world_def();
  def.options.step = 2e-3;
  def.options.theta = theta;
  limbs.world = build_world_of(&def);
  build_floor(limbs.world);
  rgVec3 center = v3(0, 0, 0.3);
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, center);
  rgBodyId trunk = build_body(limbs.world, &body, shape_box(v3(0.15, 0.1, 0.05)));
  for (int i = 0; i < LIMBS; i++) {
    double c = cos(1.3 * i), s = sin(1.3 * i);
    rgVec3 hip = v3_add(center, v3(0.2 * c, 0.2 * s, 0)),
           knee = v3_add(hip, v3(0.2 * c, 0.2 * s, -0.1)), end = v3_add(knee, v3(0, 0, -0.08));
    rgBodyDef thigh = body_at(RG_BODY_DYNAMIC, v3_lerp(hip, knee, 0.5)),
              foot = body_at(RG_BODY_DYNAMIC, end);
    rgBodyId upper = build_body(limbs.world, &thigh, shape_box(v3(0.05, 0.02, 0.03))),
             lower = build_body(limbs.world, &foot, shape_box(v3(0.02, 0.03, 0.05)));
    limbs.joints[2 * i] = add_hinge(limbs.world, trunk, upper, hip, v3(-s, c, 0));
    limbs.joints[2 * i + 1] = add_hinge(limbs.world, lower, upper, knee, v3(-s, c, 0));
  }
  return limbs;
}

// Changes what a step reads, the same of both worlds.
static void change(const Limbs* limbs, int step) {
  rgJointId joint = limbs->joints[step % (2 * LIMBS)];
  rgOptions options = *rg_world_options(limbs->world);
  rgJointState state;
  REQUIRE_INT(rg_joint_state(limbs->world, joint, &state), RG_OK);
  double x = state.coordinate[0];
  rgJointAxis axis = {.lower = -0.6, .upper = 0.6, .damping = 0.02, .stiffness = 0.5};
  if (step % 5 == 0)
    REQUIRE_INT(rg_joint_set_effort(limbs->world, joint, 0, step % 3 - 1), RG_OK);
  if (step % 17 == 0) { // held where it is, without anything else, or free without limits
    bool held = step % 2 == 0;
    axis = (rgJointAxis){.lower = held ? x : -HUGE_VAL, .upper = held ? x : HUGE_VAL};
    REQUIRE_INT(rg_joint_set_axis(limbs->world, joint, 0, &axis), RG_OK);
  }
  if (step % 19 == 0)
    REQUIRE_INT(rg_joint_set_axis(limbs->world, joint, 0, &axis), RG_OK);
  if (step % 23 == 0)
    options.gravity = v3(0, 0.01 * (step % 7), -9.81);
  if (step % 41 == 0)
    snprintf(options.coordinates, sizeof options.coordinates, "%s", step % 2 ? "full" : "reduced");
  REQUIRE_INT(rg_world_set_options(limbs->world, &options), RG_OK);
}

static void forget(rgWorld* world) {
  Snapshot now = save(world);
  REQUIRE_INT(rg_world_load(world, now.data, now.size), RG_OK);
  free(now.data);
}

TEST(what_a_step_keeps_for_the_next_changes_nothing) {
  for (int k = 0; k < 2; k++) {
    Limbs a = make_limbs(k ? 0.5 : 1), b = make_limbs(k ? 0.5 : 1);
    int failures = test_state.failures;
    for (int i = 0; i < STEPS && test_state.failures == failures; i++) {
      rgCertificate of_a, of_b;
      CONTEXT("theta %g, step %d", k ? 0.5 : 1.0, i);
      change(&a, i);
      change(&b, i);
      forget(b.world);
      REQUIRE_INT(rg_world_step(a.world, &of_a), RG_OK);
      REQUIRE_INT(rg_world_step(b.world, &of_b), RG_OK);
      CHECK_HEX(rg_world_hash(a.world), rg_world_hash(b.world));
      CHECK_BITS(of_a.energy, of_b.energy);
      CHECK_BITS(of_a.residual, of_b.residual);
      CHECK_BITS(of_a.stages[RG_STAGE_ENERGY].asked, of_b.stages[RG_STAGE_ENERGY].asked);
    }
    rg_world_destroy(a.world);
    rg_world_destroy(b.world);
  }
}
