// history.c - random edits of a world (history.h).
#include "support/history.h"

#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "support/spoil.h"
#include "test.h"
#include <rigor/bulk.h>
#include <rigor/joint.h>
#include <rigor/query.h>
#include <rigor/sensor.h>
#include <rigor/view.h>

#include <stdlib.h>

enum { BODIES_MAX = 30, FORCES_MAX = 64, SHAPES_MAX = 200, SENSORS_MAX = 20 };

// -------------------------------------------------------------------------------------------------
// Draws
// -------------------------------------------------------------------------------------------------

static int draw(int count) { return (int)(random_unit() * count); }
static bool chance(double p) { return random_unit() < p; }

uint64_t history_place(void) { return random_state; }
void history_go_to(uint64_t place) { random_state = place; }
int history_draw(int count) { return draw(count); }
bool history_chance(double p) { return chance(p); }
double history_between(double low, double high) { return random_between(low, high); }

static bool is_flat(const Told* told) { return rg_world_dimension(told->world) == 2; }

static rgVec3 draw_vector(const Told* told, double size) {
  rgVec3 v = v3_scale(random_vector(), size);
  return is_flat(told) ? v3(v.x, v.y, 0) : v;
}

static rgVec3 draw_spin(const Told* told, double size) {
  rgVec3 v = v3_scale(random_vector(), size);
  return is_flat(told) ? v3(0, 0, v.z) : v;
}

rgVec3 history_vector(const Told* told, double size) { return draw_vector(told, size); }

rgQuat history_turn(const Told* told, double size) {
  rgVec3 axis = is_flat(told) ? v3(0, 0, 1) : random_direction();
  return turn_about(axis, size * random_between(-1, 1));
}

static rgTwist draw_twist(const Told* told, double speed, double spin) {
  rgVec3 linear = draw_vector(told, speed);
  return twist(linear, draw_spin(told, spin));
}

// Any body, most often one that moves freely.
static rgBodyId draw_body(const Told* told) {
  rgBodyId id = {0, 0};
  for (int i = 0; i < 3; i++) {
    id = rg_world_body(told->world, draw(rg_world_body_count(told->world)));
    if (rg_body_kind(told->world, id) == RG_BODY_DYNAMIC)
      break;
  }
  return id;
}

rgBodyId history_body(const Told* told) { return draw_body(told); }

// A place near a body.
rgVec3 history_beside(const Told* told, double size) {
  rgVec3 center = rg_body_center(told->world, draw_body(told));
  return v3_add(center, draw_vector(told, size));
}

// -------------------------------------------------------------------------------------------------
// Edits
// -------------------------------------------------------------------------------------------------

static bool wide;
static rgStatus last_answer;

void history_widen(bool on) { wide = on; }

static void answer(Told* told, rgStatus status) {
  last_answer = status;
  tell_status(told, status);
}

void history_answer(Told* told, rgStatus status) { answer(told, status); }

rgShapeDef history_shape(const Told* told) {
  double size = random_between(0.05, 0.3);
  if (is_flat(told)) {
    rgShapeDef shape = rg_shape_def(chance(0.5) ? RG_SHAPE_CIRCLE : RG_SHAPE_CAPSULE);
    shape.radius = size;
    shape.half_length = size;
    return shape;
  }
  int kind = draw(wide ? 4 : 3);
  if (kind == 3) {
    rgShapeDef smooth = rg_shape_def(RG_SHAPE_ELLIPSOID);
    smooth.half = v3(size, 0.8 * size, 0.5 * size);
    return smooth;
  }
  return kind == 0   ? shape_sphere(size)
         : kind == 1 ? shape_box(v3(size, 0.7 * size, 0.4 * size))
                     : shape_capsule(0.5 * size, size);
}

// Turns by more than half a turn in some steps.
static rgPose swing(double time, void* context) {
  (void)context;
  return (rgPose){v3(0.3 * rg_sin(4 * time), 0.2 * rg_cos(3 * time), 0),
                  turn_about(v3(0, 0, 1), 100 * rg_sin(2 * time))};
}

static void add_body(Told* told) {
  static const rgBodyKind kinds[] = {RG_BODY_DYNAMIC, RG_BODY_DYNAMIC, RG_BODY_DYNAMIC,
                                     RG_BODY_KINEMATIC, RG_BODY_STATIC};
  rgBodyKind kind = kinds[draw(5)];
  rgBodyDef def = body_at(kind, history_beside(told, 0.5));
  rgShapeDef shapes[2];
  rgBodyId id;
  for (int i = 0; i < 2; i++)
    shapes[i] = history_shape(told);
  def.pose.orientation = history_turn(told, 1);
  if (def.kind != RG_BODY_STATIC)
    def.velocity = draw_twist(told, 2, 4);
  if (def.kind == RG_BODY_KINEMATIC && chance(0.5))
    def.motion = swing;
  def.rotation_locked = chance(0.1);
  shapes[1].pose.position = draw_vector(told, 0.2);
  spoil_body(&def, &shapes[0]);
  if (rg_world_body_count(told->world) < BODIES_MAX)
    answer(told, rg_world_add_body(told->world, &def, shapes, 1 + draw(2), &id));
}

static rgJointAxis draw_axis(void) {
  rgJointAxis axis = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
  if (chance(0.4)) {
    axis.lower = -random_between(0, 0.5);
    axis.upper = chance(0.2) ? axis.lower : random_between(0, 0.5);
  }
  axis.motor = chance(0.3);
  axis.motor_speed = random_between(-3, 3);
  axis.motor_force = random_between(0.1, 50);
  axis.friction = chance(0.3) ? random_between(0, 20) : 0;
  axis.stiffness = chance(0.3) ? random_between(0, 500) : 0;
  axis.rest = random_between(-0.3, 0.3);
  axis.damping = chance(0.3) ? random_between(0, 5) : 0;
  axis.armature = chance(0.3) ? random_between(0, 1) : 0;
  axis.effort = chance(0.2) ? random_between(-5, 5) : 0;
  axis.servo = chance(0.3);
  axis.servo_target = random_between(-0.5, 0.5);
  axis.servo_speed = random_between(-1, 1);
  axis.servo_stiffness = random_between(0, 300);
  axis.servo_damping = random_between(0, 5);
  axis.servo_force = chance(0.5) ? HUGE_VAL : random_between(0.1, 20);
  return axis;
}

static void add_joint(Told* told) {
  rgJointDef def = rg_joint_def((rgJointKind)draw(RG_JOINT_KIND_COUNT));
  rgJointId id;
  if (chance(0.7))
    def.body_a = draw_body(told);
  def.body_b = draw_body(told);
  rgVec3 center = rg_body_center(told->world, def.body_b);
  def.point = v3_add(center, draw_vector(told, 0.3));
  def.point_b = center;
  def.axis = is_flat(told) && def.kind != RG_JOINT_SLIDER ? v3(0, 0, 1) : random_direction();
  if (is_flat(told) && def.kind == RG_JOINT_SLIDER)
    def.axis = v3_add(draw_vector(told, 0.5), v3(1, 0, 0));
  if (def.kind == RG_JOINT_UNIVERSAL)
    def.axis_2 = v3_cross(def.axis, v3_add(def.axis, random_vector()));
  if (def.kind == RG_JOINT_SCREW)
    REQUIRE(rg_joint_def_set(&def, "lead", random_between(-0.5, 0.5)) == RG_OK);
  def.collide = chance(0.3);
  for (int i = 0; i < rg_joint_axis_count(def.kind) && chance(0.8); i++)
    def.axes[i] = draw_axis();
  if (chance(0.3)) { // apart at the start
    def.frames_given = true;
    def.frame_a = pose_at(draw_vector(told, 0.1));
    def.frame_b = pose_at(draw_vector(told, 0.1));
  }
  if (wide && chance(0.5))
    def.name = history_name();
  spoil_joint(&def);
  answer(told, rg_world_add_joint(told->world, &def, &id));
}

static void change_joint(Told* told) {
  int count = rg_world_joint_count(told->world);
  if (count == 0)
    return;
  rgJointId id = rg_world_joint(told->world, draw(count));
  rgJointAxis axis = draw_axis();
  spoil_axis(&axis);
  answer(told, chance(0.3) ? rg_world_remove_joint(told->world, id)
                           : rg_joint_set_axis(told->world, id, draw(3), &axis));
}

static rgWrench pull(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)context;
  rgVec3 home = v3_scale(pose.position, -20 * (1 + rg_sin(3 * time)));
  return (rgWrench){v3_axpy(home, -2, velocity.linear), v3(0, 0, 0.1)};
}

static void add_force(Told* told) {
  const double times[3] = {0, 0.02, 0.1};
  rgWrench wrenches[3];
  rgVec3 path[3];
  for (int i = 0; i < 3; i++) { // one after the other, as arguments have no order of evaluation
    rgTwist drawn = draw_twist(told, 10, 1);
    wrenches[i] = (rgWrench){drawn.linear, drawn.angular};
    path[i] = draw_vector(told, 1);
  }
  rgForceDef def = rg_force_def();
  rgForceId id;
  def.kind = (rgForceKind)draw(RG_FORCE_KIND_COUNT);
  if (def.kind != RG_FORCE_ATTRACTOR || chance(0.5))
    def.body = draw_body(told);
  if (chance(0.5))
    def.other = draw_body(told);
  def.wrench = wrenches[0];
  def.body_axes = chance(0.5) && !is_flat(told);
  def.at_point = chance(0.5);
  def.point = draw_vector(told, 0.1);
  def.other_point = draw_vector(told, 0.1);
  def.times = times;
  def.wrenches = wrenches;
  def.row_count = 3;
  def.stiffness = random_between(0, 1000);
  def.damping = random_between(0, 5);
  def.rest = chance(0.3) ? -1 : chance(0.3) ? 0 : random_between(0, 0.5);
  def.drag = random_between(0, 2);
  def.spin_drag = random_between(0, 0.1);
  def.strength = random_between(-20, 20);
  def.range = random_between(0.1, 1);
  def.center = history_beside(told, 1);
  def.path = chance(0.5) ? path : NULL;
  def.callback = pull;
  def.stiff = chance(0.5);
  spoil_force(&def);
  answer(told, rg_world_add_force(told->world, &def, &id));
}

static void change_force(Told* told) {
  rgForceId ids[FORCES_MAX];
  int count = rg_world_forces(told->world, ids, FORCES_MAX);
  if (count == 0)
    return;
  rgForceId id = ids[draw(count < FORCES_MAX ? count : FORCES_MAX)];
  rgVec3 center = draw_vector(told, 1);
  double strength = random_between(-10, 10);
  spoil_number(&strength);
  answer(told, chance(0.5) ? rg_world_remove_force(told->world, id)
                           : rg_force_set_attractor(told->world, id, center, strength));
}

static void move_body(Told* told) {
  rgBodyId id = draw_body(told);
  rgPose pose = rg_body_pose(told->world, id);
  pose.position = v3_add(pose.position, draw_vector(told, 0.1));
  pose.orientation = quat_mul(history_turn(told, 0.3), pose.orientation);
  spoil_number(&pose.position.x);
  answer(told, rg_body_set_pose(told->world, id, pose));
}

static void push_body(Told* told) {
  rgBodyId id = draw_body(told);
  rgVec3 point = v3_add(rg_body_center(told->world, id), draw_vector(told, 0.1));
  rgTwist velocity = draw_twist(told, 3, 9);
  rgVec3 impulse = draw_vector(told, 20);
  spoil_number(&velocity.angular.z);
  spoil_number(&impulse.x);
  spoil_id(&id.index, &id.generation);
  answer(told, chance(0.5) ? rg_body_set_velocity(told->world, id, velocity)
                           : rg_body_apply_impulse(told->world, id, impulse, point));
}

static void change_shapes(Told* told) {
  rgShapeId ids[SHAPES_MAX], id;
  int count = rg_world_shapes(told->world, ids, SHAPES_MAX);
  rgShapeDef shape = history_shape(told);
  shape.pose.position = draw_vector(told, 0.2);
  shape.group = chance(0.5) ? 1 : 2;
  spoil_shape(&shape);
  answer(told, chance(0.6) || count == 0
                   ? rg_world_add_shape(told->world, draw_body(told), &shape, &id)
                   : rg_world_remove_shape(told->world,
                                           ids[draw(count < SHAPES_MAX ? count : SHAPES_MAX)]));
}

static void change_material(Told* told) {
  rgMaterial material = rg_material_default();
  int count = rg_world_material_count(told->world), a = draw(count), b = draw(count);
  material.mu = strcmp(rg_world_options(told->world)->stepper, "gauss") ? random_unit() : 0;
  material.restitution = chance(0.5) ? 0 : random_unit();
  if (chance(0.3)) {
    material.e_t = random_between(0.5, 1.5);
    material.e_tau = chance(0.5) ? 0 : 0.05;
    material.direction = draw_vector(told, 1);
  }
  spoil_material(&material);
  answer(told, chance(0.5) ? rg_world_set_material(told->world, a, &material)
                           : rg_world_set_pair_material(told->world, a, b, &material));
}

static int count_steppers(void) {
  int count = 0;
  while (rg_stepper_name(count))
    count++;
  return count;
}

static void change_options(Told* told) {
  const rgOptions before = *rg_world_options(told->world);
  rgOptions options = before;
  switch (draw(14)) {
  case 0:
    options.theta = chance(0.5) ? 0.5 : random_between(0.5, 1);
    break;
  case 1:
    snprintf(options.stabilizer, sizeof options.stabilizer, "%s", rg_stabilizer_name(draw(4)));
    break;
  case 2:
    options.step *= random_between(0.5, 1.5);
    break;
  case 3:
    options.implicit_forces = !options.implicit_forces;
    break;
  case 4:
    snprintf(options.cone, sizeof options.cone, "%s", rg_cone_option_name(draw(4)));
    options.facets = 3 + draw(8);
    break;
  case 5:
    snprintf(options.impacts, sizeof options.impacts, "%s",
             chance(0.4)   ? "sequential"
             : chance(0.3) ? "routh"
                           : "simultaneous");
    break;
  case 6:
    snprintf(options.coordinates, sizeof options.coordinates, "%s",
             chance(0.5) ? "full" : "reduced");
    break;
  case 7:
    options.projection_tolerance = 1e-6 * (1 + draw(1000));
    break;
  case 8:
    options.tolerance = chance(0.5) ? 1e-4 : 1e-8;
    break;
  case 9:
    options.gravity = draw_vector(told, 10);
    break;
  case 10:
  case 11:
    snprintf(options.stepper, sizeof options.stepper, "%s",
             rg_stepper_name(draw(count_steppers())));
    break;
  default:
    options.baumgarte_rate = random_between(0, 2.5) / options.step;
    break;
  }
  rgStatus status = rg_world_set_options(told->world, &options);
  answer(told, status);
  if (status != RG_OK)
    return;
  status = rg_world_check(told->world);
  answer(told, status);
  if (status != RG_OK) // no step could be made
    REQUIRE(rg_world_set_options(told->world, &before) == RG_OK);
}

static void remove_body(Told* told) {
  if (rg_world_body_count(told->world) > 2)
    answer(told, rg_world_remove_body(told->world, draw_body(told)));
}

static void change_filter(Told* told) {
  rgBodyId a = draw_body(told), b = draw_body(told);
  answer(told, rg_world_set_pair_collision(told->world, a, b, chance(0.5)));
}

// Bound to the middle of all of them, with friction of their velocities against each other.
static void hold_together(double time, int count, const rgPose* poses, const rgTwist* velocities,
                          rgWrench* wrenches, void* context) {
  (void)time;
  (void)context;
  rgVec3 middle = v3_zero(), mean = v3_zero();
  for (int i = 0; i < count; i++) {
    middle = v3_axpy(middle, 1.0 / count, poses[i].position);
    mean = v3_axpy(mean, 1.0 / count, velocities[i].linear);
  }
  for (int i = 0; i < count; i++)
    wrenches[i].force = v3_axpy(v3_scale(v3_sub(middle, poses[i].position), 30), 2,
                                v3_sub(mean, velocities[i].linear));
}

static void add_system(Told* told) {
  rgForceDef def = rg_force_def();
  rgBodyId bodies[4];
  rgForceId id;
  for (int i = 0; i < 4; i++)
    bodies[i] = draw_body(told);
  def.kind = RG_FORCE_CALLBACK;
  def.system = hold_together;
  def.bodies = bodies;
  def.body_count = 2 + draw(3);
  def.stiff = chance(0.7);
  answer(told, rg_world_add_force(told->world, &def, &id));
}

// What control loops do.
static void drive_joint(Told* told) {
  int count = rg_world_joint_count(told->world);
  if (count == 0)
    return;
  rgJointId id = rg_world_joint(told->world, draw(count));
  int call = draw(3), axis = draw(2);
  double a = random_between(-1, 1), b = random_between(-1, 1);
  spoil_number(&a);
  spoil_id(&id.index, &id.generation);
  answer(told, call == 0   ? rg_joint_set_effort(told->world, id, axis, 10 * a)
               : call == 1 ? rg_joint_set_motor(told->world, id, axis, 3 * a)
                           : rg_joint_set_servo(told->world, id, axis, a, b));
}

static void set_controls(Told* told) {
  int count = rg_world_coordinate_count(told->world);
  double* controls = malloc((size_t)(count + 1) * sizeof *controls);
  REQUIRE(controls);
  for (int i = 0; i < count; i++)
    controls[i] = random_between(-1, 1);
  answer(told, rg_world_set_controls(told->world, controls));
  free(controls);
}

static void set_joint(Told* told) {
  int count = rg_world_joint_count(told->world);
  double coordinates[RG_JOINT_AXIS_MAX], rates[RG_JOINT_AXIS_MAX];
  for (int i = 0; i < RG_JOINT_AXIS_MAX; i++) {
    coordinates[i] = random_between(-0.5, 0.5);
    rates[i] = random_between(-3, 3);
  }
  if (count == 0)
    return;
  rgJointId id = rg_world_joint(told->world, draw(count)); // drawn apart: arguments have no order
  const double* given = chance(0.7) ? rates : NULL;
  spoil_number(&coordinates[0]);
  spoil_number(&rates[1]);
  answer(told, rg_joint_set_state(told->world, id, coordinates, given));
}

// The present configuration, or rates that are a little off.
static void set_configuration(Told* told) {
  int positions = rg_world_position_count(told->world), rates = rg_world_rate_count(told->world);
  double* numbers = malloc((size_t)(positions + rates + 1) * sizeof *numbers);
  REQUIRE(numbers);
  rg_world_get_configuration(told->world, numbers, numbers + positions);
  if (is_flat(told) || chance(0.5))
    rates = 0;
  for (int i = 0; i < rates; i++)
    numbers[positions + i] += random_between(-0.1, 0.1);
  if (positions > 0)
    spoil_number(&numbers[0]);
  answer(told, rg_world_set_configuration(told->world, numbers, numbers + positions));
  free(numbers);
}

static void add_sensor(Told* told) {
  rgSensorDef def = rg_sensor_def((rgSensorKind)draw(RG_SENSOR_KIND_COUNT));
  int index, joints = rg_world_joint_count(told->world);
  def.body = draw_body(told);
  if (chance(0.3))
    def.other = draw_body(told);
  if (joints > 0)
    def.joint = rg_world_joint(told->world, draw(joints));
  def.frame = pose_at(draw_vector(told, 0.2));
  def.frame.orientation = history_turn(told, 2);
  spoil_number(&def.frame.position.y);
  spoil_id(&def.body.index, &def.body.generation);
  if (rg_world_sensor_count(told->world) < SENSORS_MAX)
    answer(told, rg_world_add_sensor(told->world, &def, &index));
}

static void add_material(Told* told) {
  rgMaterial material = rg_material_default();
  int index = 0;
  material.mu = strcmp(rg_world_options(told->world)->stepper, "gauss") ? random_unit() : 0;
  spoil_material(&material);
  if (rg_world_material_count(told->world) < 5)
    answer(told, rg_world_add_material(told->world, &material, &index));
  tell_int(told, index);
}

static void find_contacts(Told* told) { answer(told, rg_world_find_contacts(told->world)); }

static void measure(Told* told) { rg_world_measure(told->world); }

// --- the wider family ---

// Of one axis to another, by a polynomial; or none any more.
static void couple_joints(Told* told) {
  int count = rg_world_joint_count(told->world);
  if (count == 0)
    return;
  rgJointCoupling coupling = {.axis = draw(2)};
  rgJointId id = rg_world_joint(told->world, draw(count));
  coupling.leader = rg_world_joint(told->world, draw(count));
  for (int i = 0; i < RG_COUPLING_TERMS; i++)
    coupling.polynomial[i] = chance(i < 2 ? 0.8 : 0.3) ? random_between(-1, 1) : 0;
  int axis = draw(2);
  bool on = chance(0.8);
  if (spoiling && chance(0.5))
    spoil_id(&coupling.leader.index, &coupling.leader.generation);
  else
    spoil_number(&coupling.polynomial[draw(RG_COUPLING_TERMS)]);
  answer(told, rg_joint_couple(told->world, id, axis, on ? &coupling : NULL));
}

static void set_coordinates(Told* told) {
  int count = rg_world_coordinate_count(told->world);
  double* numbers = malloc((size_t)(2 * count + 1) * sizeof *numbers);
  REQUIRE(numbers);
  for (int i = 0; i < 2 * count; i++)
    numbers[i] = random_between(-0.3, 0.3);
  if (count > 0)
    spoil_number(&numbers[draw(2 * count)]);
  answer(told,
         rg_world_set_coordinates(told->world, numbers, chance(0.7) ? numbers + count : NULL));
  free(numbers);
}

static void spoil_some_options(Told* told) {
  rgOptions options = *rg_world_options(told->world);
  spoil_options(&options);
  answer(told, rg_world_set_options(told->world, &options));
}

static void remove_nothing(Told* told) {
  rgBodyId body = draw_body(told);
  rgJointId joint = {(uint32_t)draw(4), (uint32_t)draw(9)};
  rgForceId force = {(uint32_t)draw(4), (uint32_t)draw(9)};
  rgShapeId shape = {(uint32_t)draw(9), (uint32_t)draw(9)};
  rgBodyId other = draw_body(told); // drawn apart: arguments have no order
  bool on = chance(0.5);
  spoil_id(&body.index, &body.generation);
  switch (draw(6)) {
  case 0:
    answer(told, rg_world_remove_body(told->world, body));
    break;
  case 1:
    answer(told, rg_world_remove_joint(told->world, joint));
    break;
  case 2:
    answer(told, rg_world_remove_force(told->world, force));
    break;
  case 3:
    answer(told, rg_world_remove_shape(told->world, shape));
    break;
  case 4:
    answer(told, rg_world_set_pair_collision(told->world, body, other, on));
    break;
  default:
    answer(told, rg_body_set_pose(told->world, body, pose_at(draw_vector(told, 1))));
    break;
  }
}

rgStatus history_spoil(Told* told) {
  static void (*const edits[])(Told*) = {
      add_body,           add_body,           add_joint,       add_joint,      change_joint,
      change_joint,       add_force,          add_force,       change_force,   move_body,
      push_body,          change_shapes,      change_material, drive_joint,    set_joint,
      add_sensor,         set_configuration,  add_material,    couple_joints,  set_coordinates,
      spoil_some_options, spoil_some_options, remove_nothing,  remove_nothing,
  };
  spoiling = true;
  last_answer = RG_OK;
  int index = draw(sizeof edits / sizeof *edits);
  tell_int(told, index);
  edits[index](told);
  spoiling = false;
  return last_answer;
}

static void edit_more(Told* told) {
  static void (*const edits[])(Told*) = {couple_joints,     couple_joints,     couple_joints,
                                         set_coordinates,   add_joint,         history_rare_edit,
                                         history_rare_edit, history_rare_edit, history_rare_edit};
  edits[draw(sizeof edits / sizeof *edits)](told);
}

rgStatus history_edit(Told* told) {
  last_answer = RG_OK;
  if (wide && chance(0.3)) {
    edit_more(told);
    return last_answer;
  }
  static void (*const edits[])(Told*) = {
      add_body,     add_body,      add_joint,         add_joint,      change_joint,
      change_joint, add_force,     add_force,         add_system,     change_force,
      move_body,    move_body,     push_body,         push_body,      drive_joint,
      set_controls, set_joint,     set_configuration, change_shapes,  add_material,
      add_sensor,   add_sensor,    change_material,   change_options, change_options,
      remove_body,  change_filter, find_contacts,     measure,
  };
  int index = draw(sizeof edits / sizeof *edits);
  tell_int(told, index);
  edits[index](told);
  return last_answer;
}

void history_begin(Told* told) {
  for (int i = 0; i < 3; i++) {
    add_body(told);
    add_joint(told);
    add_force(told);
  }
  for (int i = 0; i < 3 && wide; i++)
    couple_joints(told);
}
