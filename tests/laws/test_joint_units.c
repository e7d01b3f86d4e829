// Joints, their limits, motors, springs and friction know no absolute length, mass or time: a
// mechanism written in millimetres, grams and milliseconds moves as the same one in SI units.
#include "test.h"

#include "support/builder.h"
#include <rigor/joint.h>

typedef struct Units {
  double m, kg, s;
} Units;

static const Units SI = {1, 1, 1}, SMALL = {1e3, 1e3, 1e3};

enum { LINKS = 5 };

static void act_on(rgJointAxis* axis, int link, Units u) {
  double torque = u.kg * u.m * u.m / (u.s * u.s); // [N m] in these units
  switch (link) {
  case 0:
    axis->motor = true;
    axis->motor_speed = 3 / u.s;
    axis->motor_force = 0.4 * torque;
    break;
  case 1:
    axis->lower = -0.3;
    axis->upper = 0.2;
    break;
  case 2:
    axis->stiffness = 0.5 * torque;
    axis->damping = 0.01 * torque * u.s;
    break;
  case 3:
    axis->friction = 0.02 * torque;
    break;
  default:
    break;
  }
}

// Angles and places after half a second, in metres.
static void run_in(Units u, double angle[LINKS], rgVec3 place[LINKS]) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.step = 2e-3 * u.s;
  def.options.gravity = v3(0, 0, -9.81 * u.m / (u.s * u.s));
  rgWorld* world = build_world_of(&def);
  rgBodyId last = {0, 0}, bodies[LINKS];
  for (int i = 0; i < LINKS; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3((0.1 + 0.2 * i) * u.m, 0, 0));
    rgShapeDef shape = shape_box(v3(0.09 * u.m, 0.01 * u.m, 0.02 * u.m));
    shape.density = 1000 * u.kg / (u.m * u.m * u.m);
    bodies[i] = build_body(world, &body, shape);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_a = last;
    joint.body_b = bodies[i];
    joint.point = v3(0.2 * i * u.m, 0, 0);
    joint.axis = v3(0, 1, 0);
    act_on(&joint.axes[0], i, u);
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
    last = bodies[i];
  }
  run_steps(world, 250);
  for (int i = 0; i < LINKS; i++) {
    rgJointState state;
    REQUIRE(rg_joint_state(world, rg_world_joint(world, i), &state) == RG_OK);
    angle[i] = state.coordinate[0];
    place[i] = v3_scale(rg_body_center(world, bodies[i]), 1 / u.m);
  }
  rg_world_destroy(world);
}

TEST(mechanism_moves_the_same_in_any_units) {
  double angle[2][LINKS];
  rgVec3 place[2][LINKS];
  run_in(SI, angle[0], place[0]);
  run_in(SMALL, angle[1], place[1]);
  double moved = 0;
  for (int i = 0; i < LINKS; i++) {
    CONTEXT("link %d", i);
    CHECK_NEAR(angle[0][i], angle[1][i],
               1e-7); // solves are good to 1e-10 of their scale, 250 times
    CHECK_NEAR(distance(place[0][i], place[1][i]), 0, 1e-9);
    moved = fmax(moved, fabs(angle[0][i]));
  }
  CHECK(moved > 0.5); // it did move
  CHECK(angle[0][1] <= 0.2 + 1e-6 && angle[0][1] >= -0.3 - 1e-6);
}
