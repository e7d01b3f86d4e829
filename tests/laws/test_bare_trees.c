// Islands of trees whose implied rows are written on demand: what is written is the answer that the step had, by all
// rows; asking for it changes nothing; reactions are those of the rows.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

enum { LINKS_MAX = 12, STEPS = 40 };

typedef struct Tree {
  rgWorld* world;
  rgBodyId bodies[LINKS_MAX];
  rgJointId joints[LINKS_MAX];
  int body_count, joint_count;
} Tree;

static rgBodyId add_body(Tree* tree, rgVec3 position) {
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, position);
  double mass = random_between(0.3, 3), x = random_between(0.02, 0.05),
         y = random_between(0.02, 0.05);
  body.pose.orientation = random_rotation();
  body.mass = mass;
  body.inertia_given = true;
  body.inertia = m3_diag(x * mass, y * mass, random_between(0.6, 0.9) * (x + y) * mass);
  body.velocity = (rgTwist){random_vector(), v3_scale(random_vector(), 3)};
  REQUIRE_INT(rg_world_add_body(tree->world, &body, NULL, 0, &tree->bodies[tree->body_count]),
              RG_OK);
  return tree->bodies[tree->body_count++];
}

// Springs, dampers, servos with bounds, efforts and limits.
static void put_on_axes(Tree* tree, rgJointId joint, rgJointKind kind) {
  int axes = kind == RG_JOINT_HINGE ? 1 : kind == RG_JOINT_UNIVERSAL ? 2 : 0;
  for (int i = 0; i < axes; i++) {
    rgJointAxis axis = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
    axis.damping = random_unit() < 0.6 ? random_between(0.01, 0.3) : 0;
    axis.stiffness = random_unit() < 0.3 ? random_between(1, 30) : 0;
    axis.effort = random_unit() < 0.3 ? random_between(-2, 2) : 0;
    if (random_unit() < 0.3) {
      axis.servo_stiffness = 20;
      axis.servo_damping = 0.5;
      axis.servo_force = random_between(0.5, 20);
    }
    if (random_unit() < 0.3) {
      axis.lower = -0.4;
      axis.upper = 0.4;
    }
    REQUIRE_INT(rg_joint_set_axis(tree->world, joint, i, &axis), RG_OK);
  }
}

static Tree make_tree(uint64_t seed) {
  static const rgJointKind kinds[] = {RG_JOINT_HINGE, RG_JOINT_UNIVERSAL, RG_JOINT_BALL,
                                      RG_JOINT_FIXED, RG_JOINT_HINGE};
  Tree tree = {0};
  rgWorldDef def = rg_world_def();
  rg_options_preset("default", &def.options);
  random_state = seed;
  def.options.step = random_between(5e-4, 4e-3);
  tree.world = build_world_of(&def);
  int links = 1 + (int)(random_unit() * (LINKS_MAX - 1));
  bool free = random_unit() < 0.4;
  rgVec3 places[LINKS_MAX];
  for (int i = 0; i < links; i++) {
    int parent = i == 0 ? -1 : (int)(random_unit() * i);
    rgVec3 from = parent < 0 ? v3(0, 0, 2) : places[parent];
    places[i] = v3_axpy(from, 0.3, random_direction());
    rgBodyId body = add_body(&tree, places[i]), ground = {0, 0};
    if (parent < 0 && free)
      continue;
    bool swapped = random_unit() < 0.5;
    rgBodyId on = parent < 0 ? ground : tree.bodies[parent];
    rgJointKind kind = kinds[(int)(random_unit() * 5)];
    rgJointDef joint = rg_joint_def(kind);
    rgVec3 o;
    joint.body_a = swapped ? body : on;
    joint.body_b = swapped ? on : body;
    joint.point = v3_lerp(from, places[i], 0.5);
    joint.axis = random_direction();
    if (kind == RG_JOINT_UNIVERSAL)
      v3_frame(joint.axis, &joint.axis_2, &o);
    rgJointId* id = &tree.joints[tree.joint_count++];
    REQUIRE_INT(rg_world_add_joint(tree.world, &joint, id), RG_OK);
    put_on_axes(&tree, *id, kind);
  }
  return tree;
}

// By all rows of all islands, with velocities that single bodies get from the impulses.
static double largest_residual(const rgWorld* world, double tolerance, double* apart) {
  double largest = 0;
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    double v[6 * LINKS_MAX];
    REQUIRE_INT(rg_world_island(world, i, &problem, &solution, NULL), RG_OK);
    rgSolution own = {.v = v, .r = solution.r, .lambda = solution.lambda};
    rg_problem_velocity(&problem, &own);
    for (int k = 0; k < 6 * problem.body_count; k++)
      *apart = fmax(*apart, fabs(v[k] - solution.v[k]));
    rg_problem_certify(&problem, &own, tolerance, &certificate);
    largest = fmax(largest, certificate.residual);
  }
  return largest;
}

TEST(written_rows_hold_and_make_the_velocities_of_the_step) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Tree tree = make_tree(seed);
    double tolerance = rg_world_options(tree.world)->tolerance;
    CONTEXT("seed %d", (int)seed);
    for (int i = 0; i < STEPS; i++) {
      rgCertificate certificate;
      double apart = 0;
      REQUIRE_INT(rg_world_step(tree.world, &certificate), RG_OK);
      CHECK(certificate.met);
      CHECK(largest_residual(tree.world, tolerance, &apart) <= tolerance);
      // rounding of impulses, a thousand times the momentum of a light link, over its moments of inertia
      CHECK_NEAR(apart, 0, 1e-9);
    }
    rg_world_destroy(tree.world);
  }
}

// Two bits of state: who asks after each step, and who never does.
TEST(asking_for_rows_changes_nothing) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    Tree asked = make_tree(seed), silent = make_tree(seed);
    rgJointLoad loads[LINKS_MAX];
    rgBodyLoad bodies[LINKS_MAX];
    double apart;
    CONTEXT("seed %d", (int)seed);
    for (int i = 0; i < STEPS; i++) {
      REQUIRE_INT(rg_world_step(asked.world, NULL), RG_OK);
      REQUIRE_INT(rg_world_step(silent.world, NULL), RG_OK);
      if (i % 3 == 0)
        largest_residual(asked.world, 1e-6, &apart);
      if (i % 3 == 1)
        rg_world_joint_loads(asked.world, loads, LINKS_MAX);
      if (i % 3 == 2)
        rg_world_body_loads(asked.world, bodies, LINKS_MAX);
    }
    CHECK_HEX(rg_world_hash(asked.world), rg_world_hash(silent.world));
    rg_world_destroy(asked.world);
    rg_world_destroy(silent.world);
  }
}

// The force of a joint is that on B, whichever of its bodies is the link, and its rows say the same.
TEST(reactions_are_those_of_the_rows) {
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Tree tree = make_tree(seed);
    CONTEXT("seed %d", (int)seed);
    for (int i = 0; i < 3; i++)
      REQUIRE_INT(rg_world_step(tree.world, NULL), RG_OK);
    for (int i = 0; i < tree.joint_count; i++) {
      rgJointState state;
      rgJointLoad load;
      REQUIRE_INT(rg_joint_state(tree.world, tree.joints[i], &state), RG_OK);
      REQUIRE(rg_joint_load(tree.world, tree.joints[i], &load));
      rgVec3 force = v3_sub(state.reaction.force, load.on_b.force);
      double size = 1 + v3_norm(load.on_b.force);
      CHECK_NEAR(v3_norm(force), 0, 1e-9 * size);
      // about the joint, where it is in the middle of the step: h |w| of the arm of 0.15 m off where it ends
      bool ground = load.body_b.generation == 0;
      rgVec3 arm =
          ground ? v3_zero()
                 : v3_sub(state.frame_b.position, rg_body_pose(tree.world, load.body_b).position);
      rgVec3 moment = v3_sub(load.on_b.torque, v3_cross(arm, load.on_b.force));
      double turned = 0.1 * v3_norm(arm) * size;
      if (!ground)
        CHECK_NEAR(v3_norm(v3_sub(state.reaction.torque, moment)), 0, turned);
    }
    rg_world_destroy(tree.world);
  }
}
