// What acted in a step, as the world tells it: the balance of every body closes to rounding, whatever
// the scheme, and a force on one body is the opposite of that on the other.
#include "support/scenes.h"
#include "test.h"

#include <rigor/rigor.h>

static rgWorld* build(const char* name, rgScene** scene) {
  char path[1024];
  rgMessage message = {""};
  rgWorld* world = NULL;
  snprintf(path, sizeof path, "%s/scenes/%s", TEST_ROOT, name);
  REQUIRE_MSG(rg_scene_read(path, scene, &message) == RG_OK, "%s", message.text);
  REQUIRE_MSG(rg_scene_build(*scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  return world;
}

enum { BODIES = 512 };

// m (v+ - v) / h against the sum of the loads, in every step.
static void check_balance(rgWorld* world, int steps) {
  static rgTwist before[BODIES], after[BODIES];
  static rgBodyLoad loads[BODIES];
  int count = rg_world_body_count(world);
  REQUIRE(count <= BODIES);
  double h = rg_world_options(world)->step, g = 10;
  CHECK(!rg_world_has_loads(world));
  CHECK_INT(rg_world_body_loads(world, loads, BODIES), 0);
  for (int k = 0; k < steps; k++) {
    rg_world_velocities(world, before, BODIES);
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    rg_world_velocities(world, after, BODIES);
    REQUIRE_INT(rg_world_body_loads(world, loads, BODIES), count);
    for (int i = 0; i < count; i++) {
      rgBodyId id = rg_world_body(world, i);
      if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
        continue;
      CONTEXT("step %d, body %d", k, i);
      const rgBodyLoad* load = &loads[i];
      double m = rg_body_mass(world, id).mass;
      const double got[3] = {after[i].linear.x - before[i].linear.x - load->correction.x,
                             after[i].linear.y - before[i].linear.y - load->correction.y,
                             after[i].linear.z - before[i].linear.z - load->correction.z};
      const double want[3] = {load->applied.force.x + load->contacts.force.x + load->joints.force.x,
                              load->applied.force.y + load->contacts.force.y + load->joints.force.y,
                              load->applied.force.z + load->contacts.force.z +
                                  load->joints.force.z};
      for (int axis = 0; axis < 3; axis++) {
        double size =
            m * (g + fabs(after[i].linear.x) + fabs(after[i].linear.y) + fabs(after[i].linear.z)) /
            h;
        CHECK_NEAR(m * got[axis] / h, want[axis], 1e-10 * (size + fabs(want[axis])));
      }
    }
  }
}

TEST(the_momentum_of_every_body_follows_its_loads) {
  static const char* const names[] = {"stack.json", "chain.json", "humanoid.json",
                                      "grip.json",  "plane.json", "four_bar.json"};
  static const char* const steppers[] = {"theta", "anitescu-potra", "stewart-trinkle",
                                         "implicit-geometry"};
  for (int i = 0; i < (int)(sizeof names / sizeof *names); i++)
    for (int k = 0; k < 4; k++) {
      CONTEXT("%s, %s", names[i], steppers[k]);
      rgScene* scene;
      rgWorld* world = build(names[i], &scene);
      rgOptions options = *rg_world_options(world);
      snprintf(options.stepper, sizeof options.stepper, "%s", steppers[k]);
      if (rg_world_set_options(world, &options) == RG_OK && rg_world_check(world) == RG_OK)
        check_balance(world, 30);
      rg_world_destroy(world);
      rg_scene_free(scene);
    }
}

// Impacts one after the other have impulses of their own.
TEST(sequential_impacts_are_among_the_loads) {
  rgScene* scene;
  rgWorld* world = build("experiments/bouncing_column.json", &scene);
  rgOptions options = *rg_world_options(world);
  snprintf(options.impacts, sizeof options.impacts, "sequential");
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  check_balance(world, 300);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

// The sum over all bodies of what contacts do is nothing, and the force between two bodies is the
// opposite of that between the other two.
TEST(contact_forces_have_their_opposite) {
  rgScene* scene;
  rgWorld* world = build("stack.json", &scene);
  for (int k = 0; k < 20; k++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  rgBodyId lower = rg_world_body(world, 1), upper = rg_world_body(world, 2), all = {0, 0};
  rgWrench up = rg_body_contact_force(world, upper, lower),
           down = rg_body_contact_force(world, lower, upper);
  CHECK_NEAR(up.force.z, -down.force.z, 1e-9 * fabs(up.force.z));
  CHECK(up.force.z > 0);
  // What the lower one gets from all is its weight and that of all above it, less what presses it.
  rgWrench sum = rg_body_contact_force(world, lower, all);
  double weight = 9.81 * rg_body_mass(world, lower).mass;
  CHECK_NEAR(sum.force.z, weight, 1e-3 * weight);
  rgBodyLoad loads[BODIES];
  int count = rg_world_body_loads(world, loads, BODIES);
  double total = 0;
  for (int i = 0; i < count; i++)
    total += loads[i].contacts.force.z;
  CHECK_NEAR(total, 0, 1e-9 * weight);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

// A pendulum held by a motor: the drive is what the motor gives, the reaction carries the weight.
TEST(drives_and_reactions_of_a_held_arm) {
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  rgBodyDef body = rg_body_def();
  body.pose.position = (rgVec3){0.5, 0, 0};
  rgShapeDef box = rg_shape_def(RG_SHAPE_BOX);
  box.half = (rgVec3){0.5, 0.05, 0.05};
  rgBodyId arm;
  REQUIRE_INT(rg_world_add_body(world, &body, &box, 1, &arm), RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  joint.body_b = arm;
  joint.axis = (rgVec3){0, 1, 0};
  joint.axes[0].motor = true;
  joint.axes[0].motor_force = 1e6;
  rgJointId id;
  REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
  for (int i = 0; i < 5; i++)
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  double weight = 9.81 * rg_body_mass(world, arm).mass;
  rgJointLoad load;
  REQUIRE_INT(rg_world_joint_loads(world, &load, 1), 1);
  CHECK(rg_joint_equal(load.joint, id));
  CHECK_REL(load.drive[0], -0.5 * weight, 1e-6); // about y: against the weight at the arm 0.5
  CHECK_REL(load.on_b.force.z, weight, 1e-9);
  CHECK_REL(-load.on_a.force.z, weight, 1e-9);
  // Editing an axis lists its rows anew; what acted stays what it was.
  rgJointAxis axis;
  REQUIRE_INT(rg_joint_axis(world, id, 0, &axis), RG_OK);
  CHECK(axis.motor && axis.motor_force == 1e6);
  axis.friction = 1;
  axis.motor = false;
  REQUIRE_INT(rg_joint_set_axis(world, id, 0, &axis), RG_OK);
  REQUIRE_INT(rg_world_joint_loads(world, &load, 1), 1);
  CHECK_REL(load.drive[0], -0.5 * weight, 1e-6);
  rg_world_destroy(world);
}

// -------------------------------------------------------------------------------------------------
// Until when loads are known
// -------------------------------------------------------------------------------------------------

typedef struct Hung {
  rgWorld* world;
  rgBodyId ball;
  rgJointId joint;
} Hung;

// A ball on a hinge that lies on a floor.
static Hung build_hung(void) {
  Hung hung;
  rgWorldDef def = rg_world_def();
  REQUIRE_INT(rg_world_create(&def, &hung.world, NULL), RG_OK);
  rgBodyDef body = rg_body_def();
  body.pose.position = (rgVec3){1, 0, 0.1};
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE), floor = rg_shape_def(RG_SHAPE_HALFSPACE);
  shape.radius = 0.1;
  REQUIRE_INT(rg_world_add_body(hung.world, &body, &shape, 1, &hung.ball), RG_OK);
  body.kind = RG_BODY_STATIC;
  body.pose.position = (rgVec3){0, 0, 0};
  REQUIRE_INT(rg_world_add_body(hung.world, &body, &floor, 1, NULL), RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  joint.body_b = hung.ball;
  joint.axis = (rgVec3){0, 1, 0};
  REQUIRE_INT(rg_world_add_joint(hung.world, &joint, &hung.joint), RG_OK);
  return hung;
}

static void add_bodies_to(Hung* hung) {
  rgBodyDef body = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE);
  shape.radius = 0.1;
  for (int i = 0; i < 100; i++) { // more than there is room for
    body.pose.position = (rgVec3){i, 10, 10};
    REQUIRE_INT(rg_world_add_body(hung->world, &body, &shape, 1, NULL), RG_OK);
  }
}

static void add_joints_to(Hung* hung) {
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  rgJointId id;
  joint.body_b = hung->ball;
  joint.axis = (rgVec3){0, 1, 0};
  for (int i = 0; i < 100; i++)
    REQUIRE_INT(rg_world_add_joint(hung->world, &joint, &id), RG_OK);
}

static void remove_joint_of(Hung* hung) {
  REQUIRE_INT(rg_world_remove_joint(hung->world, hung->joint), RG_OK);
}

static void remove_ball_of(Hung* hung) {
  REQUIRE_INT(rg_world_remove_body(hung->world, hung->ball), RG_OK);
}

static void push(Hung* hung) {
  rgTwist v = {{0, 0, 1}, {0, 0, 0}};
  REQUIRE_INT(rg_body_set_velocity(hung->world, hung->ball, v), RG_OK);
}

static void lift(Hung* hung) {
  rgPose pose = rg_body_pose(hung->world, hung->ball);
  pose.position.z += 1;
  REQUIRE_INT(rg_body_set_pose(hung->world, hung->ball, pose), RG_OK);
}

static void turn_joint(Hung* hung) {
  const double angle = 0.1;
  REQUIRE_INT(rg_joint_set_state(hung->world, hung->joint, &angle, NULL), RG_OK);
}

// Loads are known from a step on until bodies or joints are added, removed or put elsewhere, and the search for
// contacts brings none back.
TEST(loads_are_known_until_an_edit) {
  static const struct {
    const char* name;
    void (*edit)(Hung*);
  } edits[] = {
      {"bodies added", add_bodies_to},
      {"joints added", add_joints_to},
      {"joint removed", remove_joint_of},
      {"body removed", remove_ball_of},
      {"velocity set", push},
      {"pose set", lift},
      {"joint set", turn_joint},
  };
  enum { LOADS = 300 };
  rgBodyLoad bodies[LOADS];
  rgJointLoad joints[LOADS];
  rgContactLoad contacts[LOADS];
  for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
    CONTEXT("%s", edits[i].name);
    Hung hung = build_hung();
    REQUIRE_INT(rg_world_step(hung.world, NULL), RG_OK);
    CHECK(rg_world_has_loads(hung.world));
    // what control loops do is no edit
    REQUIRE_INT(rg_joint_set_effort(hung.world, hung.joint, 0, 1), RG_OK);
    CHECK_INT(rg_world_contact_loads(hung.world, contacts, LOADS), 1);
    CHECK_INT(rg_world_joint_loads(hung.world, joints, LOADS), 1);
    CHECK_INT(rg_world_body_loads(hung.world, bodies, LOADS), 2);
    edits[i].edit(&hung);
    for (int k = 0; k < 2; k++) {
      CHECK(!rg_world_has_loads(hung.world));
      CHECK_INT(rg_world_contact_loads(hung.world, contacts, LOADS), 0);
      CHECK_INT(rg_world_joint_loads(hung.world, joints, LOADS), 0);
      CHECK_INT(rg_world_body_loads(hung.world, bodies, LOADS), 0);
      CHECK(!rg_joint_load(hung.world, hung.joint, joints));
      CHECK(rg_body_normal_force(hung.world, hung.ball, (rgBodyId){0, 0}) == 0);
      REQUIRE_INT(rg_world_find_contacts(hung.world), RG_OK);
    }
    REQUIRE_INT(rg_world_step(hung.world, NULL), RG_OK);
    CHECK(rg_world_has_loads(hung.world));
    CHECK_INT(rg_world_body_loads(hung.world, bodies, LOADS), rg_world_body_count(hung.world));
    rg_world_destroy(hung.world);
  }
}

// -------------------------------------------------------------------------------------------------
// Where and how much
// -------------------------------------------------------------------------------------------------

// Velocities that are set and do not suit the joints are corrected before the problem of the step: the
// balance holds with that.
TEST(velocities_that_are_set_are_among_the_corrections) {
  static const char* const names[] = {"chain.json", "four_bar.json", "humanoid.json"};
  for (int i = 0; i < 3; i++) {
    rgScene* scene;
    rgWorld* world = build(names[i], &scene);
    rgOptions options = *rg_world_options(world);
    options.theta = 0.5;
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    for (int k = 0; k < rg_world_body_count(world); k++) {
      rgTwist v = {{0.3 * (k % 3), 0.2, 0.1 * (k % 2)}, {0, 0, 0}};
      if (rg_body_kind(world, rg_world_body(world, k)) == RG_BODY_DYNAMIC)
        REQUIRE_INT(rg_body_set_velocity(world, rg_world_body(world, k), v), RG_OK);
    }
    CONTEXT("%s", names[i]);
    check_balance(world, 3);
    rg_world_destroy(world);
    rg_scene_free(scene);
  }
}

// The arms of a contact end at one point of both bodies when these are where the scheme takes contacts: at
// the start of the step, half-way through it, or at its end. The ball moves by 10 mm in a step, and its contact
// closes to less than a hundredth of that.
TEST(arms_of_a_contact_end_where_it_acted) {
  static const struct {
    const char* stepper;
    double theta, part; // of the step at which contacts are taken
  } schemes[] = {{"theta", 1, 0},
                 {"theta", 0.5, 0.5},
                 {"theta", 0.75, 0.5},
                 {"anitescu-potra", 1, 0},
                 {"implicit-geometry", 1, 1}};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    CONTEXT("%s, theta %g", schemes[i].stepper, schemes[i].theta);
    rgWorldDef def = rg_world_def();
    snprintf(def.options.stepper, sizeof def.options.stepper, "%s", schemes[i].stepper);
    def.options.theta = schemes[i].theta;
    def.options.step = 1.0 / 200;
    rgWorld* world;
    REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
    rgBodyDef body = rg_body_def();
    body.pose.position = (rgVec3){0, 0, 0.1};
    body.velocity.linear = (rgVec3){2, 0, 0};
    rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE), floor = rg_shape_def(RG_SHAPE_HALFSPACE);
    shape.radius = 0.1;
    rgBodyId ball, ground;
    REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, &ball), RG_OK);
    body = rg_body_def();
    body.kind = RG_BODY_STATIC;
    REQUIRE_INT(rg_world_add_body(world, &body, &floor, 1, &ground), RG_OK);
    for (int k = 0; k < 10; k++) {
      rgVec3 start = rg_body_center(world, ball);
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      double s = schemes[i].part, x = (1 - s) * start.x + s * rg_body_center(world, ball).x;
      rgContactLoad load;
      REQUIRE_INT(rg_world_contact_loads(world, &load, 1), 1);
      bool is_a = rg_body_equal(load.body_a, ball);
      double on_ball = x + (is_a ? load.arm_a : load.arm_b).x,
             on_ground = rg_body_center(world, ground).x + (is_a ? load.arm_b : load.arm_a).x;
      CHECK_NEAR(on_ball, on_ground, 1e-4);
      CHECK_NEAR(load.point.x, 0.5 * (on_ball + on_ground), 1e-12); // rounding
      CHECK_NEAR(load.point.z, 0, 1e-4);
    }
    rg_world_destroy(world);
  }
}

// A wheel on its axle, without gravity: what drives it changes its angular momentum, and nothing else does.
// Of a servo the drive is also what its law says at the end of the step, up to its bound.
TEST(drives_turn_what_they_drive) {
  enum { MOTOR, SERVO, EFFORT, KINDS };
  for (int i = 0; i < KINDS * 8; i++) {
    int kind = i % KINDS, turn = i / KINDS;
    bool bounded = turn & 1, half = turn & 2, full = turn & 4;
    CONTEXT("drive %d, bounded %d, theta 1/2 %d, full %d", kind, bounded, half, full);
    rgWorldDef def = rg_world_def();
    def.options.gravity = (rgVec3){0, 0, 0};
    def.options.theta = half ? 0.5 : 1;
    snprintf(def.options.coordinates, sizeof def.options.coordinates, full ? "full" : "reduced");
    rgWorld* world;
    REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
    rgBodyDef body = rg_body_def();
    rgShapeDef box = rg_shape_def(RG_SHAPE_BOX);
    box.half = (rgVec3){0.2, 0.1, 0.2};
    rgBodyId wheel;
    REQUIRE_INT(rg_world_add_body(world, &body, &box, 1, &wheel), RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.body_b = wheel;
    joint.axis = (rgVec3){0, 1, 0};
    joint.axes[0].motor = kind == MOTOR;
    joint.axes[0].motor_speed = 3;
    joint.axes[0].motor_force = bounded ? 0.5 : 1e6;
    joint.axes[0].effort = kind == EFFORT ? 2 : 0;
    joint.axes[0].servo = kind == SERVO;
    joint.axes[0].servo_target = 0.5;
    joint.axes[0].servo_speed = 0.2;
    joint.axes[0].servo_stiffness = 40;
    joint.axes[0].servo_damping = 3;
    joint.axes[0].servo_force = bounded ? 0.5 : HUGE_VAL;
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    double inertia = rg_body_mass(world, wheel).inertia.m[1][1], h = def.options.step;
    for (int k = 0; k < 5; k++) {
      double before = rg_body_velocity(world, wheel).angular.y;
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      rgJointLoad load;
      rgJointState state;
      REQUIRE(rg_joint_load(world, id, &load));
      REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
      double gained = inertia * (rg_body_velocity(world, wheel).angular.y - before);
      CHECK_NEAR(h * load.drive[0], gained, 1e-9 * inertia); // [N m s] of the tolerance 1e-6
      if (k == 0)
        CHECK(fabs(load.drive[0]) > 0.4);
      if (kind != SERVO || half)
        continue;
      double law = 40 * (0.5 - state.coordinate[0]) + 3 * (0.2 - state.rate[0]);
      CHECK_REL(load.drive[0], bounded ? fmin(law, 0.5) : law, 1e-6);
    }
    rg_world_destroy(world);
  }
}
