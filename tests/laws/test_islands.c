// Many islands at once, with four threads: each does what it would do alone.
#include "support/builder.h"
#include "test.h"

enum { THREADS = 4 };

static rgWorld* make_world(double theta) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  def.options.threads = THREADS;
  def.options.theta = theta;
  def.options.step = 0.01;
  return build_world_of(&def);
}

// A field of stacks, each an island of its own: all of them stand.
TEST(a_hundred_stacks_stand) {
  const int stacks = test_fast() ? 25 : 100, height = 4;
  rgWorld* world = make_world(1);
  build_floor(world);
  for (int i = 0; i < stacks; i++)
    for (int k = 0; k < height; k++)
      build_box(world, v3(0.5, 0.5, 0.5), v3(3 * (i % 10), 3 * (i / 10), 0.5 + k));
  for (int step = 0; step < (test_fast() ? 10 : 100); step++)
    run_met_step(world, step);
  CHECK_INT(rg_world_island_count(world), stacks);
  double allowed = height * rg_world_options(world)->projection_tolerance * 0.5;
  for (int i = 0; i < stacks * height; i++) {
    rgVec3 at = v3(3 * (i / height % 10), 3 * (i / height / 10), 0.5 + i % height);
    double moved = distance(rg_body_center(world, rg_world_body(world, 1 + i)), at);
    // Each contact may overlap by what the projection leaves alone.
    CHECK_MSG(moved <= allowed, "box %d moved by %g m", i, moved);
  }
  rg_world_destroy(world);
}

// Pendulums of different length over a floor that they do not reach: each keeps its energy, and the
// certificate's balance is the sum of all.
TEST(fifty_pendulums_keep_their_energy) {
  const int count = test_fast() ? 12 : 50;
  rgWorld* world = make_world(0.5);
  build_floor(world);
  for (int i = 0; i < count; i++) {
    double length = 0.5 + 0.02 * i;
    rgBodyId bob = build_sphere(world, 0.1, v3(length, i, 3));
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_b = bob;
    joint.point = v3(0, i, 3);
    joint.axis = v3(0, 1, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
  }
  rgEnergy energy = rg_world_energy(world);
  double start = energy.kinetic + energy.potential;
  for (int step = 0; step < (test_fast() ? 20 : 200); step++)
    CHECK_NEAR(run_met_step(world, step).energy, 0, 1e-6 * start);
  energy = rg_world_energy(world);
  CHECK_REL(energy.kinetic + energy.potential, start, 1e-5); // tolerance 1e-6, 200 steps
  for (int i = 0; i < count; i++) {
    rgVec3 bob = rg_body_center(world, rg_world_body(world, 1 + i));
    CHECK_NEAR(distance(bob, v3(0, i, 3)), 0.5 + 0.02 * i, 1e-6); // the joint's error
  }
  rg_world_destroy(world);
}

// Rows that depend on others are counted over all mechanisms: two doors on two hinges each have twice as many as one.
TEST(redundant_rows_of_all_islands_are_counted) {
  int found[3] = {0};
  for (int doors = 0; doors < 3; doors++) {
    rgWorld* world = build_world("default");
    for (int k = 0; k < doors + 1; k++) {
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.5, 3.0 * k, 0));
      def.velocity.linear.y = 0;
      rgBodyId door = build_body(world, &def, shape_box(v3(0.4, 0.05, 0.5)));
      for (int side = -1; side <= 1; side += 2) {
        rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
        hinge.body_b = door;
        hinge.point = v3(0, 3.0 * k, 0.3 * side);
        hinge.axis = v3(0, 0, 1);
        rgJointId id;
        REQUIRE(rg_world_add_joint(world, &hinge, &id) == RG_OK);
      }
    }
    run_steps(world, 3);
    found[doors] = rg_world_counts(world).redundant;
    rg_world_destroy(world);
  }
  CHECK(found[0] > 0);
  CHECK_INT(found[1], 2 * found[0]);
  CHECK_INT(found[2], 3 * found[0]);
}
