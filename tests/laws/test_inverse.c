// Inverse dynamics returns what was applied: of forward-simulated random trees to rounding, in both
// forms, and at an instant what closed forms say.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <rigor/inverse.h>

enum { BODIES_MAX = 128 };
// [s] At theta < 1 velocities are found from poses: rounding counts by 1 / h^2.
static const double STEP = 1e-3, STEP_MEAN = 2e-3;

typedef struct Tree {
  rgWorld* world;
  int links;
  double driven[BODIES_MAX][RG_JOINT_AXIS_MAX]; // [N] or [N m] of motors and efforts, by joint
} Tree;

static const rgJointKind kinds[] = {RG_JOINT_HINGE,     RG_JOINT_BALL,        RG_JOINT_SLIDER,
                                    RG_JOINT_UNIVERSAL, RG_JOINT_CYLINDRICAL, RG_JOINT_PLANAR,
                                    RG_JOINT_SCREW,     RG_JOINT_FIXED};
enum { KINDS = sizeof kinds / sizeof *kinds };

// An effort, or a motor that never reaches its speed, which gives its bound.
static void drive(Tree* tree, rgJointDef* def, int joint) {
  for (int i = 0; i < rg_joint_axis_count(def->kind); i++) {
    bool ball = def->kind == RG_JOINT_BALL;
    if ((ball && i == 3) || random_unit() < 0.3)
      continue;
    double force = random_between(0.2, 2), sign = random_unit() < 0.5 ? -1 : 1;
    tree->driven[joint][i] = sign * force;
    if (random_unit() < 0.5) {
      def->axes[i].effort = sign * force;
      continue;
    }
    def->axes[i].motor = true;
    def->axes[i].motor_force = force;
    def->axes[i].motor_speed = sign * 1e6;
  }
}

static rgBodyId add_link(Tree* tree, rgVec3 at) {
  rgShapeDef shape = shape_box(random_within(0.05, 0.2));
  shape.group = 2; // links touch the floor, not each other
  shape.mask = 1;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, at);
  def.pose.orientation = random_rotation();
  return build_body(tree->world, &def, shape);
}

typedef struct Plan {
  int links;
  int only; // index of the kind of all joints, -1: all kinds
  bool held, floor;
  double theta, h;
} Plan;

static Tree plant(const Plan* plan) {
  Tree tree = {.world = build_world("reference"), .links = plan->links};
  rgBodyId bodies[BODIES_MAX];
  rgVec3 places[BODIES_MAX];
  build_set_step(tree.world, plan->h, plan->theta);
  // What a solve leaves is an error of the forces over h; and no stabilizer moves the ends.
  rgOptions options = *rg_world_options(tree.world);
  options.tolerance = 1e-13;
  strcpy(options.stabilizer, "none");
  REQUIRE_INT(rg_world_set_options(tree.world, &options), RG_OK);
  if (plan->floor)
    build_floor(tree.world);
  int joints = 0;
  for (int i = 0; i < plan->links; i++) {
    int parent = i == 0 ? -1 : (int)(random_unit() * i);
    rgVec3 from = parent < 0 ? v3(0, 0, plan->floor ? 0.25 : 2) : places[parent];
    rgVec3 step = v3_scale(random_direction(), 0.4);
    step.z = plan->floor ? 0.1 * step.z : step.z;
    places[i] = v3_add(from, step);
    bodies[i] = add_link(&tree, places[i]);
    if (i == 0 && !plan->held)
      continue;
    int kind = plan->only >= 0 ? plan->only : (int)(random_unit() * KINDS);
    rgJointDef def = rg_joint_def(kinds[kind]);
    def.body_a = parent < 0 ? (rgBodyId){0, 0} : bodies[parent];
    def.body_b = bodies[i];
    if (parent >= 0 && random_unit() < 0.5) { // the parent may be B
      def.body_a = bodies[i];
      def.body_b = bodies[parent];
    }
    def.point = v3_lerp(from, places[i], 0.5);
    def.axis = random_direction();
    rgVec3 unused;
    v3_frame(def.axis, &def.axis_2, &unused);
    if (def.kind == RG_JOINT_SCREW)
      rg_joint_def_set(&def, "lead", random_between(0.1, 0.5));
    drive(&tree, &def, joints);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(tree.world, &def, &id), RG_OK);
    joints++;
  }
  return tree;
}

static double weight_of(const rgWorld* world) {
  double weight = 0;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) == RG_BODY_DYNAMIC)
      weight += rg_body_mass(world, id).mass * v3_norm(rg_world_options(world)->gravity);
  }
  return weight;
}

// Largest difference between the forces of the inverse and those that were applied, and between the
// reactions, relative to the largest of the forces in the balance: reactions, and the weight of the tree, which no
// reaction shows where it falls or lies on the floor. Places of 1 m, rounded and divided by h twice, are
// accelerations known to some 1e-10 m/s2 whatever the reactions are.
static double compare(const Tree* tree, const rgInverseJoint* found) {
  double worst = 0, scale = weight_of(tree->world);
  for (int j = 0; j < rg_world_joint_count(tree->world); j++) {
    rgJointState state;
    rg_joint_state(tree->world, rg_world_joint(tree->world, j), &state);
    for (int i = 0; i < state.axis_count; i++)
      worst = fmax(worst, fabs(found[j].force[i] - tree->driven[j][i]));
    scale = fmax(scale, fmax(v3_norm(state.reaction.force), v3_norm(state.reaction.torque)));
    worst = fmax(worst, v3_norm(v3_sub(state.reaction.force, found[j].reaction.force)));
    worst = fmax(worst, v3_norm(v3_sub(state.reaction.torque, found[j].reaction.torque)));
  }
  return worst / fmax(scale, 1);
}

// Runs a tree and returns the worst error of both forms over all steps.
static double error_of(const Plan* plan, int steps, int* contacts, int* counted) {
  Tree tree = plant(plan);
  rgInverse* inverse[RG_INVERSE_FORM_COUNT];
  for (int f = 0; f < RG_INVERSE_FORM_COUNT; f++)
    REQUIRE_INT(rg_inverse_create(tree.world, (rgInverseForm)f, &inverse[f]), RG_OK);
  static rgBodyMotion start[BODIES_MAX], end[BODIES_MAX];
  static rgWrench applied[BODIES_MAX], missing[BODIES_MAX];
  static rgInverseJoint joints[BODIES_MAX];
  double worst = 0;
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate;
    rg_inverse_state(tree.world, start);
    REQUIRE_INT(rg_world_step(tree.world, &certificate), RG_OK);
    rg_inverse_state(tree.world, end);
    REQUIRE_INT(rg_inverse_applied(tree.world, applied), RG_OK);
    if (certificate.stages[RG_STAGE_PLAIN].missed > 0)
      continue; // a step that rounding kept from this tolerance has other equations
    if (certificate.stages[RG_STAGE_RINGING].count > 0)
      rg_inverse_reached(tree.world, plan->h, plan->theta, start, end);
    *contacts += rg_world_contact_count(tree.world);
    ++*counted;
    for (int f = 0; f < RG_INVERSE_FORM_COUNT; f++) {
      REQUIRE_INT(rg_inverse_step(inverse[f], plan->h, start, end, applied, joints, missing),
                  RG_OK);
      worst = fmax(worst, compare(&tree, joints));
    }
  }
  for (int f = 0; f < RG_INVERSE_FORM_COUNT; f++)
    rg_inverse_destroy(inverse[f]);
  rg_world_destroy(tree.world);
  return worst;
}

// What the movement leaves over at the root of a tree that nothing holds: rounding, since contacts
// and joints are all there is.
static double left_over(const rgWrench* missing, int count) {
  double largest = 0;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, fmax(v3_norm(missing[i].force), v3_norm(missing[i].torque)));
  return largest;
}

// 1e-10 is what a residual of 1e-13 of velocities of about 1 m/s becomes when it is divided by h.
TEST(a_step_of_random_trees_gives_back_the_forces_that_drove_it) {
  static const int sizes[] = {1, 4, 13};
  int contacts = 0, counted = 0;
  for (int kind = -1; kind < KINDS; kind++)
    for (int way = 0; way < 4 * 3; way++) {
      Plan plan = {.links = sizes[way / 4],
                   .only = kind,
                   .held = way / 2 % 2,
                   .floor = !(way / 2 % 2),
                   .theta = way % 2 ? 0.5 : 1,
                   .h = way % 2 ? STEP_MEAN : STEP};
      CONTEXT("%s, %d links, theta %g, %s",
              kind < 0 ? "all kinds" : rg_joint_kind_name(kinds[kind]), plan.links, plan.theta,
              plan.held ? "held" : "on a floor");
      random_state = (uint64_t)(100 + kind);
      double error = error_of(&plan, test_fast() ? 2 : 10, &contacts, &counted);
      CHECK_MSG(error <= 1e-10, "relative error %g", error);
    }
  CHECK_MSG(counted > (test_fast() ? 150 : 800), "%d of %d steps", counted,
            test_fast() ? 216 : 1080);
  CHECK(contacts > (test_fast() ? 20 : 100));
}

// At theta = 1 on a floor, at theta = 1/2 held in the air.
TEST(a_tree_of_100_bodies_gives_back_the_forces_that_drove_it) {
  for (int way = 0; way < 2; way++) {
    int contacts = 0, counted = 0;
    Plan plan = {.links = 100,
                 .only = -1,
                 .floor = way == 0,
                 .held = way == 1,
                 .theta = way ? 0.5 : 1,
                 .h = way ? STEP_MEAN : STEP};
    random_state = 11;
    double error = error_of(&plan, test_fast() ? 1 : 4, &contacts, &counted);
    CONTEXT("theta %g: %d contacts, %d steps", plan.theta, contacts, counted);
    CHECK_MSG(error <= 1e-10, "relative error %g", error);
    CHECK(counted > 0 && (way == 1 || contacts > 0));
  }
}

// The same at an instant: a pendulum that is held still needs m g l sin(angle), and one that turns at
// the rate w has the centripetal force m w^2 l in its joint.
TEST(a_pendulum_at_an_instant_needs_what_its_equation_says) {
  for (int i = 0; i < 20; i++) {
    rgWorld* world = build_world("reference");
    double length = random_between(0.2, 1), angle = random_between(-3, 3),
           rate = random_between(-4, 4), change = random_between(-5, 5), g = 9.81;
    rgBodyId bob = build_box(world, v3(0.1, 0.2, 0.1), v3(0, 0, -length));
    rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
    def.body_b = bob;
    def.axis = v3(0, 1, 0);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &def, &id), RG_OK);
    // Turned by `angle` about y the bob is at (-l sin, 0, -l cos).
    rgVec3 out = v3(-sin(angle), 0, -cos(angle)), along = v3(-cos(angle), 0, sin(angle));
    rgBodyMotion motion = {
        .pose = {v3_scale(out, length), turn_about(v3(0, 1, 0), angle)},
        .velocity = twist(v3_scale(along, length * rate), v3(0, rate, 0)),
        .acceleration = twist(v3_axpy(v3_scale(along, length * change), -rate * rate * length, out),
                              v3(0, change, 0))};
    double mass = rg_body_mass(world, bob).mass, inertia = rg_body_mass(world, bob).inertia.m[1][1];
    for (int f = 0; f < RG_INVERSE_FORM_COUNT; f++) {
      rgInverse* inverse;
      rgInverseJoint joint;
      rgWrench missing;
      REQUIRE_INT(rg_inverse_create(world, (rgInverseForm)f, &inverse), RG_OK);
      REQUIRE_INT(rg_inverse_motion(inverse, &motion, NULL, &joint, &missing), RG_OK);
      double torque = (inertia + mass * length * length) * change + mass * g * length * sin(angle);
      CHECK_NEAR(joint.force[0], torque, 1e-9 * mass); // rounding
      CHECK_NEAR(v3_dot(joint.reaction.force, out),
                 -mass * rate * rate * length - mass * g * cos(angle), 1e-9 * mass);
      CHECK(left_over(&missing, 1) == 0);
      rg_inverse_destroy(inverse);
    }
    rg_world_destroy(world);
  }
}

// A free tree at rest in the air lacks its weight, at its centre of mass.
TEST(a_free_tree_that_stands_still_lacks_its_weight) {
  Plan plan = {.links = 7, .only = 1, .theta = 1, .h = 1e-3};
  random_state = 3;
  Tree tree = plant(&plan);
  static rgBodyMotion motion[BODIES_MAX];
  static rgInverseJoint joints[2][BODIES_MAX];
  static rgWrench missing[2][BODIES_MAX];
  rg_inverse_state(tree.world, motion);
  double weight = 0;
  for (int i = 0; i < 7; i++)
    weight += 9.81 * rg_body_mass(tree.world, rg_world_body(tree.world, i)).mass;
  for (int f = 0; f < RG_INVERSE_FORM_COUNT; f++) {
    rgInverse* inverse;
    REQUIRE_INT(rg_inverse_create(tree.world, (rgInverseForm)f, &inverse), RG_OK);
    REQUIRE_INT(rg_inverse_motion(inverse, motion, NULL, joints[f], missing[f]), RG_OK);
    CHECK_REL(missing[f][0].force.z, weight, 1e-12);
    CHECK(left_over(missing[f] + 1, 6) == 0);
    rg_inverse_destroy(inverse);
  }
  for (int j = 0; j < 6; j++)
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(joints[0][j].force[i], joints[1][j].force[i], 1e-10 * weight);
  rg_world_destroy(tree.world);
}

// Two hinged posts under one beam: the tree form refuses, the full form shares the weight equally,
// which is the smallest answer.
TEST(loops_are_refused_by_the_tree_form_and_shared_by_the_full_one) {
  rgWorld* world = build_world("reference");
  rgBodyId beam = build_box(world, v3(1, 0.1, 0.1), v3(0, 0, 1));
  for (int side = -1; side <= 1; side += 2) {
    rgJointDef def = rg_joint_def(RG_JOINT_BALL);
    def.body_b = beam;
    def.point = v3(side, 0, 1);
    def.name = side < 0 ? "left" : "right";
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &def, &id), RG_OK);
  }
  rgInverse* inverse;
  CHECK_INT(rg_inverse_create(world, RG_INVERSE_TREE, &inverse), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(rg_world_message(world), "ball joint right in slot 1 closes a loop");
  CHECK(inverse == NULL);
  REQUIRE_INT(rg_inverse_create(world, RG_INVERSE_FULL, &inverse), RG_OK);
  rgBodyMotion motion;
  rgInverseJoint joints[2];
  rg_inverse_state(world, &motion);
  REQUIRE_INT(rg_inverse_motion(inverse, &motion, NULL, joints, NULL), RG_OK);
  double half = 0.5 * 9.81 * rg_body_mass(world, beam).mass;
  CHECK_REL(joints[0].reaction.force.z, half, 1e-12);
  CHECK_REL(joints[1].reaction.force.z, half, 1e-12);
  // Edits are noticed.
  build_box(world, v3(0.1, 0.1, 0.1), v3(5, 0, 0));
  CHECK_INT(rg_inverse_motion(inverse, &motion, NULL, joints, NULL), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "added or removed after rg_inverse_create");
  CHECK_INT(rg_inverse_step(inverse, 0, &motion, &motion, NULL, joints, NULL), RG_ERROR_INPUT);
  rg_inverse_destroy(inverse);
  rg_world_destroy(world);
}

TEST(bodies_that_joints_cannot_hold_are_refused) {
  rgWorld* world = build_world("reference");
  rgJointDef def = rg_joint_def(RG_JOINT_DISTANCE);
  def.body_b = build_box(world, v3(0.1, 0.1, 0.1), v3(0, 0, 0));
  def.point = v3(0, 0, 1);
  rgJointId id;
  rgInverse* inverse;
  REQUIRE_INT(rg_world_add_joint(world, &def, &id), RG_OK);
  CHECK_INT(rg_inverse_create(world, RG_INVERSE_TREE, &inverse), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(rg_world_message(world), "does not hold six directions");
  REQUIRE_INT(rg_inverse_create(world, RG_INVERSE_FULL, &inverse), RG_OK);
  rgBodyMotion motion;
  rgInverseJoint joint;
  rgWrench applied;
  rg_inverse_state(world, &motion);
  CHECK_INT(rg_inverse_motion(inverse, &motion, NULL, &joint, NULL), RG_ERROR_INPUT);
  CHECK_INT(rg_inverse_applied(world, &applied), RG_ERROR_INPUT);
  rg_inverse_destroy(inverse);
  CHECK_INT(rg_inverse_create(world, (rgInverseForm)7, &inverse), RG_ERROR_INPUT);
  rg_world_destroy(world);
}

// A chain of hinges in a world of dimension 2, which is the plane of a world of dimension 3.
TEST(flat_chains_give_back_their_efforts) {
  rgWorldDef def = rg_world_def_2d();
  def.options.tolerance = 1e-13;
  def.options.step = STEP;
  strcpy(def.options.stabilizer, "none");
  rgWorld* world = build_world_of(&def);
  rgBodyId last = {0, 0};
  double efforts[5];
  for (int i = 0; i < 5; i++) {
    rgShapeDef shape = rg_shape_def(RG_SHAPE_CIRCLE);
    shape.radius = 0.1;
    shape.group = 2;
    shape.mask = 1;
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0.5 + i, 0.1 * i, 0));
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_a = last;
    joint.body_b = last = build_body(world, &body, shape);
    joint.point = v3(i, 0.1 * i, 0);
    joint.axis = v3(0, 0, 1);
    efforts[i] = joint.axes[0].effort = random_between(-3, 3);
    rgJointId id;
    rgStatus status = rg_world_add_joint(world, &joint, &id);
    REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(world));
  }
  for (int f = 0; f < RG_INVERSE_FORM_COUNT; f++) {
    rgInverse* inverse;
    REQUIRE_INT(rg_inverse_create(world, (rgInverseForm)f, &inverse), RG_OK);
    for (int k = 0; k < 5; k++) {
      rgBodyMotion start[5], end[5];
      rgWrench applied[5];
      rgInverseJoint joints[5];
      rg_inverse_state(world, start);
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      rg_inverse_state(world, end);
      REQUIRE_INT(rg_inverse_applied(world, applied), RG_OK);
      REQUIRE_INT(rg_inverse_step(inverse, STEP, start, end, applied, joints, NULL), RG_OK);
      for (int i = 0; i < 5; i++)
        CHECK_NEAR(joints[i].force[0], efforts[i], 1e-9); // forces are about 100 N
    }
    rg_inverse_destroy(inverse);
  }
  rg_world_destroy(world);
}
