// What collides with what, and with which material: groups and masks, pairs switched off, the
// rule of combination, overrides, directions of friction.
#include "test.h"

#include "support/builder.h"

// --- filters ------------------------------------------------------------------------------------

// Lets a ball fall for a while onto a floor, each with the given group and mask: did it stop there?
static bool ball_is_held(uint32_t group_a, uint32_t mask_a, uint32_t group_b, uint32_t mask_b) {
  rgWorld* world = build_world("default");
  rgBodyDef floor = body_at(RG_BODY_STATIC, v3_zero()),
            ball = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.6));
  rgShapeDef plane = shape_halfspace(), sphere = shape_sphere(0.5);
  sphere.group = group_a;
  sphere.mask = mask_a;
  plane.group = group_b;
  plane.mask = mask_b;
  build_body(world, &floor, plane);
  rgBodyId id = build_body(world, &ball, sphere);
  run_steps(world, 120);
  bool held = fabs(rg_body_center(world, id).z - 0.5) < 1e-3;
  rg_world_destroy(world);
  return held;
}

TEST(groups_and_masks_decide_together) {
  CHECK(ball_is_held(1, UINT32_MAX, 1, UINT32_MAX));
  CHECK(ball_is_held(2, 4, 4, 2));
  CHECK(ball_is_held(6, 8, 12, 2));
  CHECK(!ball_is_held(2, 4, 4, 1)); // the floor does not want group 2
  CHECK(!ball_is_held(2, 1, 4, 2)); // the ball does not want group 4
  CHECK(!ball_is_held(0, UINT32_MAX, 1, UINT32_MAX));
  CHECK(ball_is_held(0x80000000u, 0x40000000u, 0x40000000u, 0x80000000u));
}

TEST(collision_of_a_pair_of_bodies_is_switched_off_and_on) {
  rgWorld* world = build_world("default");
  rgBodyId table = build_block(world, v3(2, 2, 0.5), v3(0, 0, -0.5));
  rgBodyId box = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
  rgBodyId other = build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 1.5));
  run_steps(world, 10);
  CHECK_NEAR(rg_body_center(world, box).z, 0.5, 1e-6);

  // Off, in either order: the box falls through and the one on top stays on it no longer than it
  // takes to reach the table.
  REQUIRE(rg_world_set_pair_collision(world, box, table, false) == RG_OK);
  REQUIRE(rg_world_set_pair_collision(world, table, box, false) == RG_OK);
  run_steps(world, 240);
  CHECK_MSG(rg_body_center(world, box).z < -3, "z = %g", rg_body_center(world, box).z);
  CHECK_NEAR(rg_body_center(world, other).z, 0.5, 1e-3);

  // On again: it holds.
  REQUIRE(rg_world_set_pair_collision(world, table, box, true) == RG_OK);
  REQUIRE(rg_world_set_pair_collision(world, box, table, true) == RG_OK);
  REQUIRE(rg_body_set_pose(world, box, pose_at(v3(1.2, 0, 0.5))) == RG_OK);
  REQUIRE(rg_body_set_velocity(world, box, twist(v3_zero(), v3_zero())) == RG_OK);
  run_steps(world, 60);
  CHECK_NEAR(rg_body_center(world, box).z, 0.5, 1e-6);
  rg_world_destroy(world);
}

TEST(many_pairs_can_be_off_at_once) {
  enum { COUNT = 12 };
  rgWorld* world = build_still("default");
  rgBodyId ball[COUNT];
  for (int i = 0; i < COUNT; ++i)
    ball[i] = build_sphere(world, 1, v3(0.1 * i, 0, 0)); // all overlap all
  int off = 0;
  for (int i = 0; i < COUNT; ++i)
    for (int k = 0; k < i; ++k)
      if ((i * 7 + k * 3) % 4 != 0) {
        REQUIRE(rg_world_set_pair_collision(world, ball[i], ball[k], false) == RG_OK);
        ++off;
      }
  rgOptions options = *rg_world_options(world);
  snprintf(options.stabilizer, sizeof options.stabilizer, "none"); // they stay where they are
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
  run_steps(world, 1);
  CHECK_INT(rg_world_contact_count(world), COUNT * (COUNT - 1) / 2 - off);
  rg_world_destroy(world);
}

TEST(shapes_of_one_body_do_not_collide) {
  rgWorld* world = build_still("default");
  rgBodyDef def = rg_body_def();
  rgShapeDef shapes[2] = {shape_sphere(1), shape_box(v3(1, 1, 1))};
  rgBodyId id;
  REQUIRE(rg_world_add_body(world, &def, shapes, 2, &id) == RG_OK);
  run_steps(world, 3);
  CHECK_INT(rg_world_contact_count(world), 0);
  rg_world_destroy(world);
}

TEST(bodies_that_nothing_moves_do_not_collide) {
  rgWorld* world = build_world("default");
  build_floor(world);
  build_block(world, v3(1, 1, 1), v3_zero());
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3(0.5, 0, 0));
  build_body(world, &def, shape_sphere(1));
  run_steps(world, 3);
  CHECK_INT(rg_world_contact_count(world), 0);
  rg_world_destroy(world);
}

// --- materials ----------------------------------------------------------------------------------

// Speed [m/s] and steps of the slides below: at theta = 1/2 sliding is uniformly decelerated, and
// only the last step, in which it stops, is off by up to one step's way at the end speed.
static const double SLIDE_SPEED = 1, SLIDE_STEP = 1e-3;

// How far a flat slab of material `slab` slides on a floor of material `ground`, started along
// `heading`.
static rgVec3 slide(rgWorld* world, int slab, int ground, rgVec3 heading) {
  build_set_step(world, SLIDE_STEP, 0.5);
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef plane = shape_halfspace(), plate = shape_box(v3(0.5, 0.5, 0.02));
  plane.material = ground;
  plate.material = slab;
  rgBodyId floor = build_body(world, &def, plane);
  def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.02));
  def.velocity.linear = v3_scale(heading, SLIDE_SPEED);
  rgBodyId id = build_body(world, &def, plate);
  run_steps(world, 1200);
  rgVec3 way = rg_body_center(world, id);
  REQUIRE(rg_world_remove_body(world, id) == RG_OK);
  REQUIRE(rg_world_remove_body(world, floor) == RG_OK);
  return way;
}

static double stopping_distance(double mu) { return SLIDE_SPEED * SLIDE_SPEED / (2 * mu * 9.81); }

TEST(friction_of_two_materials_is_their_geometric_mean) {
  rgWorld* world = build_world("default");
  int rough = build_material(world, 0.9, 0), smooth = build_material(world, 0.4, 0);
  int ice = build_material(world, 0, 0);
  rgVec3 x = v3(1, 0, 0);
  CHECK_REL(slide(world, rough, smooth, x).x, stopping_distance(0.6), 1e-4);
  CHECK_REL(slide(world, smooth, rough, x).x, stopping_distance(0.6), 1e-4);
  CHECK_REL(slide(world, smooth, smooth, x).x, stopping_distance(0.4), 1e-4);
  CHECK_REL(slide(world, 0, 0, x).x, stopping_distance(0.5), 1e-4);
  CHECK_REL(slide(world, rough, ice, x).x, 1.2, 1e-9); // does not stop at all
  rg_world_destroy(world);
}

TEST(a_pair_of_materials_can_be_given_its_own_law) {
  rgWorld* world = build_world("default");
  int rough = build_material(world, 0.9, 0), smooth = build_material(world, 0.4, 0);
  rgMaterial law = rg_material_default();
  law.mu = 0.25;
  REQUIRE(rg_world_set_pair_material(world, rough, smooth, &law) == RG_OK);
  rgVec3 x = v3(1, 0, 0);
  CHECK_REL(slide(world, rough, smooth, x).x, stopping_distance(0.25), 1e-4);
  CHECK_REL(slide(world, smooth, rough, x).x, stopping_distance(0.25), 1e-4);
  CHECK_REL(slide(world, rough, rough, x).x, stopping_distance(0.9), 1e-4);
  // It stays when materials are added or changed, and can itself be changed, named in either order.
  build_material(world, 0.1, 0);
  rgMaterial changed = rg_material_default();
  REQUIRE(rg_world_set_material(world, rough, &changed) == RG_OK);
  CHECK_REL(slide(world, rough, smooth, x).x, stopping_distance(0.25), 1e-4);
  law.mu = 0.3;
  REQUIRE(rg_world_set_pair_material(world, smooth, rough, &law) == RG_OK);
  CHECK_REL(slide(world, rough, smooth, x).x, stopping_distance(0.3), 1e-4);
  rg_world_destroy(world);
}

TEST(restitution_of_two_materials_is_their_geometric_mean) {
  rgWorld* world = build_still("reference");
  int lively = build_material(world, 0, 0.9), dull = build_material(world, 0, 0.4);
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef plane = shape_halfspace(), sphere = shape_sphere(0.1);
  plane.material = lively;
  sphere.material = dull;
  build_body(world, &def, plane);
  def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.2));
  def.velocity.linear = v3(0, 0, -1);
  rgBodyId ball = build_body(world, &def, sphere);
  run_steps(world, 200);
  CHECK_NEAR(rg_body_velocity(world, ball).linear.z, 0.6,
             1e-9); // ten times the tolerance of the solve
  rg_world_destroy(world);
}

// A world whose plates have friction mu e_t along `direction` and mu e_o across it, by an override
// for the pair.
static rgWorld* build_directed(rgVec3 direction, double e_t, double e_o, int* plate) {
  rgWorld* world = build_world("default");
  *plate = build_material(world, 0.5, 0);
  rgMaterial law = rg_material_default();
  law.e_t = e_t;
  law.e_o = e_o;
  law.direction = direction;
  REQUIRE(rg_world_set_pair_material(world, *plate, 0, &law) == RG_OK);
  return world;
}

TEST(friction_has_a_direction) {
  int plate;
  rgWorld* world = build_directed(v3(1, 0, 0), 0.5, 1, &plate);
  rgVec3 along = slide(world, plate, 0, v3(1, 0, 0)), across = slide(world, plate, 0, v3(0, 1, 0));
  CHECK_REL(along.x, stopping_distance(0.25), 1e-4);
  CHECK_REL(across.y, stopping_distance(0.5), 1e-4);
  CHECK_NEAR(along.y, 0, 1e-9);
  CHECK_NEAR(across.x, 0, 1e-9);
  // Obliquely it drifts towards the slippery axis.
  rgVec3 oblique = slide(world, plate, 0, v3(0.6, 0.8, 0));
  CHECK_MSG(oblique.x / oblique.y > 0.6 / 0.8 + 0.01, "went to (%g, %g)", oblique.x, oblique.y);
  rg_world_destroy(world);

  world = build_directed(v3(0, 1, 0), 0.5, 1, &plate);
  CHECK_REL(slide(world, plate, 0, v3(0, 1, 0)).y, stopping_distance(0.25), 1e-4);
  CHECK_REL(slide(world, plate, 0, v3(1, 0, 0)).x, stopping_distance(0.5), 1e-4);
  rg_world_destroy(world);
}

TEST(a_direction_is_taken_from_the_material_that_has_it) {
  // e_t = 0.25 on one side, 1 on the other: the geometric mean is 0.5.
  rgWorld* world = build_world("default");
  rgMaterial grooved = rg_material_default();
  grooved.e_t = 0.25;
  grooved.direction = v3(0, 3, 0); // of any length
  int index;
  REQUIRE(rg_world_add_material(world, &grooved, &index) == RG_OK);
  CHECK_REL(slide(world, index, 0, v3(0, 1, 0)).y, stopping_distance(0.25), 1e-4);
  CHECK_REL(slide(world, index, 0, v3(1, 0, 0)).x, stopping_distance(0.5), 1e-4);
  CHECK_REL(slide(world, 0, index, v3(0, 1, 0)).y, stopping_distance(0.25), 1e-4);
  CHECK_REL(slide(world, 0, index, v3(1, 0, 0)).x, stopping_distance(0.5), 1e-4);
  rg_world_destroy(world);
}

TEST(the_direction_of_friction_turns_with_its_body) {
  rgWorld* world = build_world("default");
  build_set_step(world, SLIDE_STEP, 0.5);
  rgMaterial grooved = rg_material_default();
  grooved.e_t = 0.25;
  grooved.direction = v3(1, 0, 0);
  int index;
  REQUIRE(rg_world_add_material(world, &grooved, &index) == RG_OK);
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.02));
  def.pose.orientation = turn_about(v3(0, 0, 1), 3.14159265358979323846 / 2);
  def.velocity.linear = v3(0, SLIDE_SPEED, 0);
  rgShapeDef plate = shape_box(v3(0.5, 0.5, 0.02));
  plate.material = index;
  rgBodyId id = build_body(world, &def, plate);
  run_steps(world, 1200);
  CHECK_REL(rg_body_center(world, id).y, stopping_distance(0.25), 1e-4);
  rg_world_destroy(world);
}

// Bodies of a joint do not collide, and do again when it is removed: of two joints, with the last one.
TEST(bodies_collide_again_without_their_joints) {
  rgWorld* world = build_still("default");
  rgBodyId a = build_sphere(world, 0.1, v3(0, 0, 0)), b = build_sphere(world, 0.1, v3(0.19, 0, 0));
  rgJointId joints[2];
  for (int i = 0; i < 2; i++) {
    rgJointDef def = rg_joint_def(RG_JOINT_BALL);
    def.body_a = a;
    def.body_b = b;
    def.point = v3(0.09, 0, 0);
    REQUIRE(rg_world_add_joint(world, &def, &joints[i]) == RG_OK);
  }
  for (int i = 0; i < 3; i++) {
    run_steps(world, 1);
    CONTEXT("%d joints", 2 - i);
    CHECK_INT(rg_world_contact_count(world) > 0, i == 2);
    if (i < 2)
      REQUIRE(rg_world_remove_joint(world, joints[i]) == RG_OK);
  }
  rg_world_destroy(world);
}

// The step after a joint was removed has the contacts of its bodies, though nothing else was changed: they stand on
// each other as if they had never been joined.
TEST(bodies_hold_each_other_in_the_step_after_their_joint_ended) {
  for (int k = 0; k < 2; k++) {
    rgWorld* world = build_world("default");
    build_floor(world);
    rgBodyId lower = build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.2)),
             upper = build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.6));
    rgJointDef def = rg_joint_def(RG_JOINT_FIXED);
    def.body_a = k ? upper : lower;
    def.body_b = k ? lower : upper;
    def.point = v3(0, 0, 0.4);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &def, &id) == RG_OK);
    run_steps(world, 5);
    REQUIRE(rg_world_remove_joint(world, id) == RG_OK);
    for (int step = 0; step < 3; step++) {
      run_steps(world, 1);
      CHECK_NEAR(rg_body_velocity(world, upper).linear.z, 0, 1e-6);
      CHECK_NEAR(rg_body_center(world, upper).z, 0.6, 1e-6);
    }
    rg_world_destroy(world);
  }
}
