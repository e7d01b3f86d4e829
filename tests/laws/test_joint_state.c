// Setting the coordinates and rates of joints: what was set is read back, whatever the kinds, and
// nothing else changes.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double PI = 3.14159265358979323846;

enum { LINKS_MAX = 24 };

typedef struct Tree {
  rgWorld* world;
  rgBodyId bodies[LINKS_MAX];
  rgJointId joints[LINKS_MAX];
  int links, joint_count;
} Tree;

static rgBodyId add_body(rgWorld* world, bool flat) {
  rgBodyDef def = rg_body_def();
  rgVec3 at = random_vector(), center = v3_scale(random_vector(), 0.3);
  def.pose.position = flat ? v3(at.x, at.y, 0) : at;
  if (!flat)
    def.pose.orientation = random_rotation();
  def.mass = random_between(0.5, 2);
  def.inertia_given = true;
  def.inertia = m3_diag(0.02, 0.03, 0.04);
  def.center = flat ? v3(center.x, center.y, 0) : center;
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointDef random_joint(bool flat) {
  static const rgJointKind plane[] = {RG_JOINT_HINGE, RG_JOINT_SLIDER, RG_JOINT_FIXED,
                                      RG_JOINT_DISTANCE, RG_JOINT_BALL};
  rgJointKind kind =
      flat ? plane[(int)random_between(0, 5)] : (rgJointKind)random_between(0, RG_JOINT_KIND_COUNT);
  rgJointDef def = rg_joint_def(kind);
  rgVec3 axis = random_direction();
  if (flat)
    axis = kind == RG_JOINT_SLIDER ? v3_unit_or(v3(axis.x, axis.y, 0), v3(1, 0, 0)) : v3(0, 0, 1);
  def.axis = axis;
  rgVec3 other = v3_cross(axis, random_direction());
  if (kind == RG_JOINT_UNIVERSAL)
    def.axis_2 = other;
  rgVec3 a = random_vector(), b = random_vector();
  def.point = flat ? v3(a.x, a.y, 0) : a;
  def.point_b = flat ? v3(b.x, b.y, 0) : b;
  rg_joint_def_set(&def, "lead", random_between(0.05, 0.3));
  if (kind == RG_JOINT_DISTANCE)
    def.axes[0].stiffness = 1; // a free distance
  return def;
}

// Bodies that hang on each other in any order; a third of the joints have the parent as B.
static Tree make_tree(uint64_t seed, int links, bool grounded, int dimension) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("default", &def.options);
  def.dimension = dimension;
  def.options.gravity = v3_zero();
  Tree tree = {.world = build_world_of(&def), .links = links};
  random_state = seed;
  for (int i = 0; i < links; i++) {
    tree.bodies[i] = add_body(tree.world, dimension == 2);
    int parent = i == 0 ? -1 : (int)random_between(0, i);
    if (parent < 0 && !grounded)
      continue;
    rgJointDef joint = random_joint(dimension == 2);
    bool turned = random_unit() < 0.3;
    rgBodyId* own = turned ? &joint.body_a : &joint.body_b;
    rgBodyId* up = turned ? &joint.body_b : &joint.body_a;
    *own = tree.bodies[i];
    if (parent >= 0)
      *up = tree.bodies[parent];
    REQUIRE_MSG(rg_world_add_joint(tree.world, &joint, &tree.joints[tree.joint_count++]) == RG_OK,
                "%s", rg_world_message(tree.world));
  }
  return tree;
}

static rgJointState state_of(const Tree* tree, int joint) {
  rgJointState state;
  REQUIRE_INT(rg_joint_state(tree->world, tree->joints[joint], &state), RG_OK);
  return state;
}

// Whether a world of two dimensions has this axis.
static bool is_read(const rgJointState* state, int axis, int dimension) {
  if (state->kind == RG_JOINT_BALL)
    return dimension == 2 ? false : axis < 3;
  return true;
}

typedef struct Wanted {
  double coordinate[LINKS_MAX][RG_JOINT_AXIS_MAX], rate[LINKS_MAX][RG_JOINT_AXIS_MAX];
} Wanted;

static void draw(const Tree* tree, int joint, int dimension, Wanted* wanted) {
  rgJointState state = state_of(tree, joint);
  for (int k = 0; k < RG_JOINT_AXIS_MAX; k++) {
    bool angle = rg_joint_axis_is_angle(state.kind, k), ball = state.kind == RG_JOINT_BALL;
    double most = !angle ? 0.5 : ball ? 1.7 : 4 * PI; // a ball within half a turn
    double x = random_between(-most, most), rate = random_between(-5, 5);
    if (state.kind == RG_JOINT_DISTANCE)
      x = fabs(x) + 0.1;
    bool read = is_read(&state, k, dimension);
    wanted->coordinate[joint][k] = read ? x : 0;
    wanted->rate[joint][k] = read ? rate : 0;
  }
}

static void check(const Tree* tree, int joint, int dimension, const Wanted* wanted) {
  rgJointState state = state_of(tree, joint);
  for (int k = 0; k < state.axis_count; k++) {
    if (!is_read(&state, k, dimension))
      continue;
    CHECK_NEAR(state.coordinate[k], wanted->coordinate[joint][k], 1e-12);
    CHECK_NEAR(state.rate[k], wanted->rate[joint][k], 1e-10);
  }
  CHECK(state.error < 1e-12);
}

TEST(what_was_set_is_read_back_in_trees_of_all_kinds) {
  for (uint64_t seed = 1; seed <= 200; seed++) {
    int dimension = seed % 4 == 0 ? 2 : 3, links = 1 + (int)(seed % 14);
    Tree tree = make_tree(seed, links, seed % 3 != 0, dimension);
    CONTEXT("seed %d, dimension %d", (int)seed, dimension);
    Wanted wanted;
    for (int pass = 0; pass < 2; pass++)
      for (int i = 0; i < tree.joint_count; i++) {
        draw(&tree, i, dimension, &wanted);
        REQUIRE_MSG(rg_joint_set_state(tree.world, tree.joints[i], wanted.coordinate[i],
                                       wanted.rate[i]) == RG_OK,
                    "%s", rg_world_message(tree.world));
        check(&tree, i, dimension, &wanted);
      }
    for (int i = 0; i < tree.joint_count; i++) // those set before have stayed
      check(&tree, i, dimension, &wanted);
    rg_world_destroy(tree.world);
  }
}

// Rates are those of the coordinates: over a short step the coordinates move as they say.
TEST(rates_that_were_set_move_the_coordinates) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    Tree tree = make_tree(seed, 5, true, 3);
    rgOptions options = *rg_world_options(tree.world);
    options.step = 1e-6;
    REQUIRE_INT(rg_world_set_options(tree.world, &options), RG_OK);
    Wanted wanted;
    for (int i = 0; i < tree.joint_count; i++) {
      draw(&tree, i, 3, &wanted);
      if (state_of(&tree, i).kind == RG_JOINT_BALL) // whose rates are those of a small turn
        memset(wanted.coordinate[i], 0, sizeof wanted.coordinate[i]);
      REQUIRE_INT(
          rg_joint_set_state(tree.world, tree.joints[i], wanted.coordinate[i], wanted.rate[i]),
          RG_OK);
    }
    run_steps(tree.world, 1);
    for (int i = 0; i < tree.joint_count; i++) {
      rgJointState state = state_of(&tree, i);
      CONTEXT("seed %d, joint %d, %s", (int)seed, i, rg_joint_kind_name(state.kind));
      for (int k = 0; k < state.axis_count; k++)
        if (is_read(&state, k, 3))
          CHECK_NEAR((state.coordinate[k] - wanted.coordinate[i][k]) / options.step,
                     wanted.rate[i][k], 2e-2);
    }
    rg_world_destroy(tree.world);
  }
}

TEST(all_joints_are_set_at_once) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    Tree one = make_tree(seed, 8, true, 3), all = make_tree(seed, 8, true, 3);
    double coordinates[LINKS_MAX * RG_JOINT_AXIS_MAX], rates[LINKS_MAX * RG_JOINT_AXIS_MAX];
    Wanted wanted;
    int count = 0;
    for (int i = 0; i < one.joint_count; i++) {
      draw(&one, i, 3, &wanted);
      rgJointState state = state_of(&one, i);
      REQUIRE_INT(
          rg_joint_set_state(one.world, one.joints[i], wanted.coordinate[i], wanted.rate[i]),
          RG_OK);
      for (int k = 0; k < state.axis_count; k++, count++) {
        coordinates[count] = wanted.coordinate[i][k];
        rates[count] = wanted.rate[i][k];
      }
    }
    CHECK_INT(rg_world_coordinate_count(all.world), count);
    REQUIRE_INT(rg_world_set_coordinates(all.world, coordinates, rates), RG_OK);
    CHECK_HEX(rg_world_hash(all.world), rg_world_hash(one.world));
    rg_world_destroy(one.world);
    rg_world_destroy(all.world);
  }
}

// A distance does not say where its body is, nor in which orientation.
static bool is_told(const Tree* tree) {
  for (int i = 0; i < tree->joint_count; i++)
    if (state_of(tree, i).kind == RG_JOINT_DISTANCE)
      return false;
  return true;
}

TEST(a_reset_puts_all_bodies_back) {
  int told = 0;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    Tree tree = make_tree(seed, 4, true, 3);
    rgPose start[LINKS_MAX];
    double coordinates[LINKS_MAX * RG_JOINT_AXIS_MAX];
    for (int i = 0, at = 0; i < tree.joint_count; i++) {
      rgJointState state = state_of(&tree, i);
      memcpy(coordinates + at, state.coordinate, (size_t)state.axis_count * sizeof(double));
      at += state.axis_count;
    }
    for (int i = 0; i < tree.links; i++)
      start[i] = rg_body_pose(tree.world, tree.bodies[i]);
    Wanted wanted;
    for (int i = 0; i < tree.joint_count; i++) {
      draw(&tree, i, 3, &wanted);
      REQUIRE_INT(
          rg_joint_set_state(tree.world, tree.joints[i], wanted.coordinate[i], wanted.rate[i]),
          RG_OK);
    }
    run_steps(tree.world, 20);
    REQUIRE_INT(rg_world_set_coordinates(tree.world, coordinates, NULL), RG_OK);
    told += is_told(&tree);
    for (int i = 0; i < tree.links && is_told(&tree); i++) {
      CHECK(distance(rg_body_pose(tree.world, tree.bodies[i]).position, start[i].position) < 1e-12);
      rgTwist velocity = rg_body_velocity(tree.world, tree.bodies[i]);
      CHECK(v3_norm(velocity.linear) + v3_norm(velocity.angular) < 1e-10);
    }
    rg_world_destroy(tree.world);
  }
  CHECK(told > 20);
}

TEST(what_cannot_move_is_refused) {
  Tree tree = make_tree(3, 4, true, 3);
  rgWorld* world = tree.world;
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  rgJointId loop;
  def.body_a = tree.bodies[0];
  def.body_b = tree.bodies[3];
  def.name = "closing";
  REQUIRE_INT(rg_world_add_joint(world, &def, &loop), RG_OK);
  uint64_t before = rg_world_hash(world);
  double zeros[RG_JOINT_AXIS_MAX] = {0}, bad[RG_JOINT_AXIS_MAX] = {(double)NAN};
  CHECK_INT(rg_joint_set_state(world, loop, zeros, zeros), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "\"closing\" is part of a loop");
  CHECK_INT(rg_world_set_coordinates(world, NULL, NULL), RG_ERROR_INPUT);
  CHECK_INT(rg_joint_set_state(world, tree.joints[0], bad, zeros), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "not finite");
  REQUIRE_INT(rg_world_remove_joint(world, loop), RG_OK);
  CHECK_INT(rg_joint_set_state(world, loop, zeros, zeros), RG_ERROR_NOT_FOUND);
  def.body_a = (rgBodyId){0, 0};
  REQUIRE_INT(rg_world_add_joint(world, &def, &loop), RG_OK);
  CHECK_INT(rg_joint_set_state(world, loop, zeros, zeros), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "hold to the ground on both sides");
  CHECK_HEX(rg_world_hash(world), before);
  rg_world_destroy(world);
}
