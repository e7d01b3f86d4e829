// What a world tells after a snapshot was loaded is what it told when the snapshot was saved: states and
// reactions of joints, contacts with their impulses, forces, energy. And a snapshot is refused where any
// field of a force or of a body differs.
#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"

#include <rigor/view.h>

static rgPose swing(double time, void* context) {
  (void)context;
  return (rgPose){v3(4 + 0.2 * time, 0, 0.5), {1, 0, 0, 0}};
}

static rgBodyId add_body(rgWorld* world, rgVec3 place, rgShapeDef shape) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
  def.velocity = twist(v3_scale(random_vector(), 0.5), v3_scale(random_vector(), 2));
  return build_body(world, &def, shape);
}

// An arm with everything on its axes, a disc that spins and slides, boxes that rest, a spring, an attractor.
static rgWorld* make_world(double theta) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("default", &def.options));
  def.options.theta = theta;
  rgWorld* world = build_world_of(&def);
  random_state = 12;
  rgMaterial material = rg_material_default();
  material.e_tau = 0.01;
  int rough;
  REQUIRE_INT(rg_world_add_material(world, &material, &rough), RG_OK);
  build_floor(world);
  rgBodyId last = {0, 0};
  static const rgJointKind kinds[] = {RG_JOINT_HINGE, RG_JOINT_PLANAR, RG_JOINT_CYLINDRICAL,
                                      RG_JOINT_BALL};
  for (int i = 0; i < 4; i++) {
    rgShapeDef link = shape_box(v3(0.15, 0.05, 0.05));
    link.mask = 0;
    rgBodyId body = add_body(world, v3(0.4 * i, 3, 2), link);
    rgJointDef joint = rg_joint_def(kinds[i]);
    joint.body_a = last;
    joint.body_b = body;
    joint.point = v3(0.4 * i - 0.2, 3, 2);
    joint.axis = random_direction();
    for (int k = 0; k < rg_joint_axis_count(kinds[i]) && kinds[i] != RG_JOINT_BALL; k++) {
      rgJointAxis* axis = &joint.axes[k];
      axis->lower = -0.3;
      axis->upper = 0.2;
      axis->armature = 0.02;
      axis->stiffness = 3;
      axis->damping = 0.1;
      axis->friction = 0.05;
      axis->effort = 0.3;
      axis->servo = axis->motor = true;
      axis->servo_stiffness = 2;
      axis->servo_force = 0.5;
      axis->motor_speed = 0.4;
      axis->motor_force = 0.2;
    }
    rgJointId id;
    REQUIRE_MSG(rg_world_add_joint(world, &joint, &id) == RG_OK, "%s", rg_world_message(world));
    last = body;
  }
  rgShapeDef ball = shape_sphere(0.2);
  ball.material = rough;
  rgBodyId spun = add_body(world, v3(-1, 0, 0.2), ball);
  rgBodyDef disc = body_at(RG_BODY_DYNAMIC, v3(-2, 0, 0.05));
  disc.velocity = twist(v3(0.5, 0, 0), v3(0, 0, 8));
  build_body(world, &disc, shape_cylinder(0.4, 0.05));
  for (int i = 0; i < 3; i++)
    build_box(world, v3(0.2, 0.2, 0.2), v3(2, 0, 0.2 + 0.4 * i));
  rgBodyDef moving = body_at(RG_BODY_KINEMATIC, v3(4, 0, 0.5));
  moving.motion = swing;
  build_body(world, &moving, shape_box(v3(0.3, 0.3, 0.5)));
  rgForceDef force = rg_force_def();
  force.kind = RG_FORCE_ATTRACTOR;
  force.body = spun;
  force.strength = 1;
  force.range = 1;
  rgForceId id;
  REQUIRE_INT(rg_world_add_force(world, &force, &id), RG_OK);
  return world;
}

// As numbers, one after the other.
typedef struct Told {
  double numbers[4096];
  int count;
} Told;

static void tell(Told* told, const void* data, size_t size) {
  size_t count = size / sizeof(double);
  REQUIRE(told->count + (int)count <= 4096);
  memcpy(&told->numbers[told->count], data, count * sizeof(double));
  told->count += (int)count;
}

#define TELL(field) tell(told, &(field), sizeof(field))

static void tell_joints(const rgWorld* world, Told* told) {
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, rg_world_joint(world, i), &state), RG_OK);
    size_t axes = (size_t)state.axis_count * sizeof(double);
    tell(told, state.coordinate, axes);
    tell(told, state.rate, axes);
    tell(told, state.force, axes);
    TELL(state.reaction);
    TELL(state.frame_a);
    TELL(state.frame_b);
    TELL(state.error);
  }
}

static void tell_all(const rgWorld* world, Told* told) {
  told->count = 0;
  double time = rg_world_time(world), steps = (double)rg_world_steps(world);
  TELL(time);
  TELL(steps);
  rgEnergy energy = rg_world_energy(world);
  rgTwist momentum = rg_world_momentum(world);
  TELL(energy);
  TELL(momentum);
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    rgPose pose = rg_body_pose(world, id);
    rgTwist velocity = rg_body_velocity(world, id);
    TELL(pose);
    TELL(velocity);
  }
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    TELL(contact.point);
    TELL(contact.normal);
    TELL(contact.gap);
    TELL(contact.impulse);
    TELL(contact.torsion);
  }
  rgForceId forces[8];
  int count = rg_world_forces(world, forces, 8);
  for (int i = 0; i < count; i++) {
    rgForceState state;
    REQUIRE_INT(rg_force_state(world, forces[i], &state), RG_OK);
    TELL(state.from);
    TELL(state.to);
    TELL(state.strength);
  }
  tell_joints(world, told);
}

static void check_same(const rgWorld* one, const rgWorld* other) {
  static Told a, b;
  tell_all(one, &a);
  tell_all(other, &b);
  REQUIRE_INT(a.count, b.count);
  for (int i = 0; i < a.count; i++)
    CHECK_MSG(a.numbers[i] == b.numbers[i], "number %d: %g and %g", i, a.numbers[i], b.numbers[i]);
}

TEST(what_is_told_after_loading_is_what_was_told_at_saving) {
  static const double thetas[] = {0.5, 1};
  for (int t = 0; t < 2; t++)
    for (int steps = 0; steps < 60; steps += 19) {
      rgWorld *world = make_world(thetas[t]), *twin = make_world(thetas[t]);
      run_steps(world, steps);
      // settings that no step changes, and velocities from outside
      rgForceId force;
      REQUIRE_INT(rg_world_forces(world, &force, 1), 1);
      REQUIRE_INT(rg_force_set_attractor(world, force, v3(1, 2, 0), 2.5), RG_OK);
      REQUIRE_INT(rg_joint_set_effort(world, rg_world_joint(world, 0), 0, -0.7), RG_OK);
      REQUIRE_INT(rg_joint_set_servo(world, rg_world_joint(world, 1), 0, 0.1, 0.2), RG_OK);
      if (steps == 38)
        REQUIRE_INT(
            rg_body_set_velocity(world, rg_world_body(world, 2), twist(v3(1, 0, 0), v3(0, 1, 0))),
            RG_OK);
      Snapshot snapshot = save(world);
      REQUIRE_INT(rg_world_load(twin, snapshot.data, snapshot.size), RG_OK);
      CONTEXT("theta %g, %d steps", thetas[t], steps);
      check_same(world, twin);
      for (int i = 0; i < 3; i++) {
        run_steps(world, 1);
        run_steps(twin, 1);
        check_same(world, twin);
      }
      free(snapshot.data);
      rg_world_destroy(world);
      rg_world_destroy(twin);
    }
}

// Every setting of an axis that was changed since the world was built comes back: the run goes on as it did.
static void change_axis(rgJointAxis* axis, int field) {
  double* const numbers[] = {&axis->lower,         &axis->upper,           &axis->motor_speed,
                             &axis->motor_force,   &axis->friction,        &axis->stiffness,
                             &axis->rest,          &axis->damping,         &axis->armature,
                             &axis->effort,        &axis->servo_target,    &axis->servo_speed,
                             &axis->servo_damping, &axis->servo_stiffness, &axis->servo_force};
  if (field < 15)
    *numbers[field] += field == 0 ? -0.1 : 0.3;
  else if (field == 15)
    axis->motor = !axis->motor;
  else
    axis->servo = !axis->servo;
}

TEST(settings_of_axes_that_were_changed_come_back) {
  for (int field = 0; field < 17; field++) {
    rgWorld* worlds[3]; // as it was, changed, and restored
    for (int k = 0; k < 3; k++) {
      worlds[k] = build_world("default");
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.3, 0, 0));
      rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
      joint.body_b = build_body(worlds[k], &def, shape_box(v3(0.2, 0.05, 0.05)));
      joint.axis = v3(0, 1, 0);
      joint.axes[0] = (rgJointAxis){.lower = 0, // which it is pushed against
                                    .upper = 0.001,
                                    .motor = true,
                                    .motor_speed = field == 1 ? 1 : -1,
                                    .motor_force = 40,
                                    .friction = 0.1,
                                    .stiffness = 2,
                                    .damping = 0.2,
                                    .armature = 0.02,
                                    .effort = 0.1,
                                    .servo = true,
                                    .servo_stiffness = 3,
                                    .servo_damping = 0.1,
                                    .servo_force = 0.01};
      if (field > 1) { // nothing in the way
        joint.axes[0].lower = -100;
        joint.axes[0].upper = 100;
        joint.axes[0].motor_force = field == 2 ? 40 : 0.2;
      }
      if (field >= 10 && field <= 13)
        joint.axes[0].servo_force = HUGE_VAL;
      rgJointId id;
      REQUIRE_MSG(rg_world_add_joint(worlds[k], &joint, &id) == RG_OK, "%s",
                  rg_world_message(worlds[k]));
      if (k < 2)
        run_steps(worlds[k], 3);
      if (k != 1)
        continue;
      change_axis(&joint.axes[0], field);
      REQUIRE_MSG(rg_joint_set_axis(worlds[1], id, 0, &joint.axes[0]) == RG_OK, "%s",
                  rg_world_message(worlds[1]));
    }
    Snapshot snapshot = save(worlds[1]);
    REQUIRE_INT(rg_world_load(worlds[2], snapshot.data, snapshot.size), RG_OK);
    for (int k = 0; k < 3; k++)
      run_steps(worlds[k], 5);
    CONTEXT("field %d", field);
    CHECK_HEX(rg_world_hash(worlds[1]), rg_world_hash(worlds[2]));
    CHECK_MSG(rg_world_hash(worlds[0]) != rg_world_hash(worlds[1]), "it changes nothing");
    free(snapshot.data);
    for (int k = 0; k < 3; k++)
      rg_world_destroy(worlds[k]);
  }
}

// Where a step fails, at whatever step that is, a snapshot of the world has the bytes that it had before.
static rgWrench explode(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)pose, (void)velocity;
  double when = *(const double*)context;
  return (rgWrench){v3(time > when ? 1e300 : 0, 0, 0), v3_zero()};
}

TEST(a_step_that_fails_leaves_every_byte_of_a_snapshot) {
  static const double thetas[] = {0.5, 0.7, 1};
  for (int i = 0; i < 12; i++) {
    rgWorld* world = make_world(thetas[i % 3]);
    double h = rg_world_options(world)->step, when = (3 * i + 1.5) * h;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 50, 50));
    rgForceDef force = rg_force_def();
    force.kind = RG_FORCE_CALLBACK;
    force.callback = explode;
    force.context = &when;
    force.body = build_body(world, &def, shape_sphere(0.1));
    rgForceId id;
    REQUIRE_INT(rg_world_add_force(world, &force, &id), RG_OK);
    bool failed = false;
    for (int step = 0; step < 3 * i + 4 && !failed; step++) {
      if (step > 0 && step % 2 == 0) // marks of changes from outside are state, too
        REQUIRE_INT(rg_body_set_velocity(world, rg_world_body(world, 2),
                                         twist(v3(0.1, 0, 0), v3(0, 0.1, 0))),
                    RG_OK);
      REQUIRE_INT(rg_world_find_contacts(world), RG_OK); // a search is no part of what fails
      Snapshot before = save(world);
      failed = rg_world_step(world, NULL) != RG_OK;
      Snapshot after = save(world);
      CONTEXT("theta %g, step %d", thetas[i % 3], step);
      if (failed)
        CHECK(before.size == after.size && memcmp(before.data, after.data, before.size) == 0);
      free(before.data);
      free(after.data);
    }
    CHECK(failed);
    rg_world_destroy(world);
  }
}

// -------------------------------------------------------------------------------------------------
// Fields
// -------------------------------------------------------------------------------------------------

static rgWrench pull(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time, (void)context;
  return (rgWrench){v3_neg(v3_add(pose.position, velocity.linear)), v3_zero()};
}

static const double TIMES[2][3] = {{0, 1, 2}, {0, 1, 2.5}};
static const rgWrench WRENCHES[2][3] = {{{{1, 0, 0}, {0, 0, 0}}}, {{{1, 0, 0}, {0, 0, 1}}}};
static const rgVec3 PATHS[2][3] = {{{1, 0, 0}, {1, 1, 0}, {0, 0, 1}},
                                   {{1, 0, 0}, {1, 1, 0}, {0, 0, 2}}};

static rgForceDef plain_force(rgForceKind kind) {
  rgForceDef def = rg_force_def();
  def.kind = kind;
  def.stiffness = 3;
  def.damping = 0.5;
  def.rest = 0.4;
  def.drag = 1;
  def.spin_drag = 0.1;
  def.strength = 2;
  def.range = 0.7;
  def.wrench.force = v3(1, 0, 0);
  if (kind == RG_FORCE_TABLE || kind == RG_FORCE_ATTRACTOR) {
    def.times = TIMES[0];
    def.wrenches = WRENCHES[0];
    def.path = PATHS[0];
    def.row_count = 3;
  }
  def.callback = pull;
  return def;
}

typedef enum Field {
  SAME,
  WRENCH,
  BODY_AXES,
  AT_POINT,
  POINT,
  OTHER_POINT,
  STIFFNESS,
  DAMPING,
  REST,
  DRAG,
  SPIN_DRAG,
  RANGE,
  STIFF,
  TABLE_TIMES,
  TABLE_ROWS,
  PATH,
  FEWER_ROWS,
  NO_OTHER,
  FIELDS
} Field;

static void change(rgForceDef* def, Field field) {
  switch (field) {
  case WRENCH:
    def->wrench.torque.y = 0.1;
    break;
  case BODY_AXES:
    def->body_axes = true;
    break;
  case AT_POINT:
    def->at_point = true;
    break;
  case POINT:
    def->point.x = 0.1;
    break;
  case OTHER_POINT:
    def->other_point.z = 0.1;
    break;
  case STIFFNESS:
    def->stiffness = 4;
    break;
  case DAMPING:
    def->damping = 0.6;
    break;
  case REST:
    def->rest = 0.5;
    break;
  case DRAG:
    def->drag = 1.1;
    break;
  case SPIN_DRAG:
    def->spin_drag = 0.2;
    break;
  case RANGE:
    def->range = 0.8;
    break;
  case STIFF:
    def->stiff = true;
    break;
  case TABLE_TIMES:
    def->times = TIMES[1];
    break;
  case TABLE_ROWS:
    def->wrenches = WRENCHES[1];
    break;
  case PATH:
    def->path = PATHS[1];
    break;
  case FEWER_ROWS:
    def->row_count = 2;
    break;
  case NO_OTHER:
    def->other = (rgBodyId){0, 0};
    break;
  default:
    break;
  }
}

static rgWorld* world_with(rgForceKind kind, Field field, rgMat3 inertia) {
  rgWorld* world = build_world("default");
  rgBodyId ids[2];
  for (int i = 0; i < 2; i++) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(i, 0, 0));
    def.mass = 1;
    def.inertia_given = true;
    def.inertia = inertia;
    REQUIRE_INT(rg_world_add_body(world, &def, NULL, 0, &ids[i]), RG_OK);
  }
  rgForceDef def = plain_force(kind);
  def.body = ids[0];
  def.other = ids[1];
  change(&def, field);
  rgForceId id;
  REQUIRE_MSG(rg_world_add_force(world, &def, &id) == RG_OK, "%s", rg_world_message(world));
  return world;
}

// Which fields a kind reads.
static bool reads(rgForceKind kind, Field field) {
  switch (kind) {
  case RG_FORCE_CONSTANT:
    return field == WRENCH || field == BODY_AXES || field == AT_POINT || field == POINT;
  case RG_FORCE_TABLE:
    return field == TABLE_TIMES || field == TABLE_ROWS || field == FEWER_ROWS ||
           field == BODY_AXES || field == AT_POINT;
  case RG_FORCE_SPRING:
    return field == POINT || field == OTHER_POINT || field == STIFFNESS || field == DAMPING ||
           field == REST || field == NO_OTHER;
  case RG_FORCE_TORSION:
    return field == STIFFNESS || field == DAMPING || field == NO_OTHER;
  case RG_FORCE_DRAG:
    return field == DRAG || field == SPIN_DRAG;
  case RG_FORCE_ATTRACTOR:
    return field == RANGE || field == PATH || field == TABLE_TIMES || field == FEWER_ROWS;
  default:
    return field == STIFF;
  }
}

TEST(a_snapshot_is_refused_where_any_field_of_a_force_differs) {
  rgMat3 round = m3_diag(0.1, 0.1, 0.1);
  for (int kind = 0; kind < RG_FORCE_KIND_COUNT; kind++) {
    rgWorld* world = world_with((rgForceKind)kind, SAME, round);
    run_steps(world, 1);
    Snapshot snapshot = save(world);
    for (int field = 0; field < FIELDS; field++) {
      if (field != SAME && !reads((rgForceKind)kind, (Field)field))
        continue;
      rgWorld* other = world_with((rgForceKind)kind, (Field)field, round);
      CONTEXT("%s, field %d", rg_force_kind_name((rgForceKind)kind), field);
      CHECK_INT(rg_world_load(other, snapshot.data, snapshot.size),
                field == SAME ? RG_OK : RG_ERROR_INPUT);
      rg_world_destroy(other);
    }
    free(snapshot.data);
    rg_world_destroy(world);
  }
}

// A body whose centre of mass is elsewhere, and is put where the first one's is: nothing else tells them apart.
TEST(a_snapshot_is_refused_where_the_centre_of_a_body_differs) {
  rgWorld* worlds[3];
  for (int i = 0; i < 3; i++) {
    worlds[i] = build_world("default");
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(i == 2 ? -0.1 : 0, 0, 0));
    def.mass = 1;
    def.inertia_given = true;
    def.inertia = m3_diag(0.1, 0.1, 0.1);
    def.center = v3(i == 2 ? 0.1 : 0, 0, 0);
    rgBodyId id;
    REQUIRE_INT(rg_world_add_body(worlds[i], &def, NULL, 0, &id), RG_OK);
  }
  Snapshot snapshot = save(worlds[0]);
  CHECK_INT(rg_world_load(worlds[1], snapshot.data, snapshot.size), RG_OK);
  CHECK_INT(rg_world_load(worlds[2], snapshot.data, snapshot.size), RG_ERROR_INPUT);
  free(snapshot.data);
  for (int i = 0; i < 3; i++)
    rg_world_destroy(worlds[i]);
}

TEST(a_snapshot_is_refused_where_the_moments_of_a_body_differ) {
  rgMat3 turned = m3_diag(0.1, 0.15, 0.2);
  turned.m[0][1] = turned.m[1][0] = 0.02;
  const rgMat3 inertias[] = {m3_diag(0.1, 0.15, 0.2), m3_diag(0.1, 0.15, 0.21),
                             m3_diag(0.15, 0.1, 0.2), turned};
  for (int i = 0; i < 4; i++) {
    rgWorld *world = world_with(RG_FORCE_DRAG, SAME, inertias[0]),
            *other = world_with(RG_FORCE_DRAG, SAME, inertias[i]);
    Snapshot snapshot = save(world);
    CONTEXT("inertia %d", i);
    CHECK_INT(rg_world_load(other, snapshot.data, snapshot.size), i == 0 ? RG_OK : RG_ERROR_INPUT);
    free(snapshot.data);
    rg_world_destroy(world);
    rg_world_destroy(other);
  }
}

TEST(a_snapshot_is_refused_where_a_joint_sits_elsewhere) {
  for (int i = 0; i < 6; i++) {
    rgWorld* worlds[2];
    for (int k = 0; k < 2; k++) {
      worlds[k] = build_world("default");
      rgJointDef def = rg_joint_def(RG_JOINT_HINGE);
      rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_zero());
      def.body_a = build_body(worlds[k], &body, shape_sphere(0.1));
      body.pose.position.x = 1;
      def.body_b = build_body(worlds[k], &body, shape_sphere(0.1));
      def.frames_given = true;
      def.frame_a = (rgPose){v3(0.5, 0, 0), {1, 0, 0, 0}};
      def.frame_b = (rgPose){v3(-0.5, 0, 0), {1, 0, 0, 0}};
      rgPose* frame = i % 2 ? &def.frame_b : &def.frame_a;
      if (k == 1 && i / 2 == 1)
        frame->position.y = 1e-3;
      else if (k == 1 && i / 2 == 2)
        frame->orientation = turn_about(v3(1, 0, 0), 0.01);
      rgJointId id;
      REQUIRE_INT(rg_world_add_joint(worlds[k], &def, &id), RG_OK);
    }
    Snapshot snapshot = save(worlds[0]);
    CONTEXT("joint %d", i);
    CHECK_INT(rg_world_load(worlds[1], snapshot.data, snapshot.size),
              i < 2 ? RG_OK : RG_ERROR_INPUT);
    free(snapshot.data);
    rg_world_destroy(worlds[0]);
    rg_world_destroy(worlds[1]);
  }
}
