// calls.h - a world that is driven by bytes: each call of the interface takes what it needs from an
// input, so that a fuzzer can write histories. For the targets that need worlds.
#ifndef FUZZ_CALLS_H
#define FUZZ_CALLS_H

#include <math.h>
#include <rigor/rigor.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- the input ------------------------------------------------------------------------------------

typedef struct Input {
  const uint8_t* data;
  size_t size, at;
} Input;

// The next byte; zero when all are used.
static inline uint8_t next_byte(Input* in) { return in->at < in->size ? in->data[in->at++] : 0; }
static inline bool is_empty(const Input* in) { return in->at >= in->size; }

// A number in [-1, 1], of a few that matter and many between.
static inline double next_part(Input* in) { return (next_byte(in) - 128) / 128.0; }
static inline double next_size(Input* in) { return 0.05 + 0.45 * next_byte(in) / 255.0; }
static inline rgVec3 next_vector(Input* in, double size) {
  double x = next_part(in), y = next_part(in), z = next_part(in);
  return (rgVec3){size * x, size * y, size * z};
}
static inline rgQuat next_turn(Input* in) {
  double w = next_part(in), x = next_part(in), y = next_part(in), z = next_part(in);
  double n = sqrt(w * w + x * x + y * y + z * z);
  return n > 0.1 ? (rgQuat){w / n, x / n, y / n, z / n} : (rgQuat){1, 0, 0, 0};
}

// One of the names that `name` gives by index, or what it was.
static inline void next_name(Input* in, const char* (*name)(int), char* chosen) {
  int count = 0, choice = next_byte(in);
  while (name(count))
    count++;
  if (choice < 128)
    strcpy(chosen, name(choice % count));
}

// --- an allocator that fails when told to -----------------------------------------------------------

typedef struct Memory {
  int until_failure; // allocations before one fails; negative: none does
  int live;
} Memory;

static inline void* memory_take(size_t size, void* context) {
  Memory* memory = context;
  if (memory->until_failure >= 0 && memory->until_failure-- == 0)
    return NULL;
  rgAllocator heap = rg_allocator_default();
  void* block = heap.allocate(size, heap.context);
  memory->live += block != NULL;
  return block;
}

static inline void memory_give(void* block, size_t size, void* context) {
  ((Memory*)context)->live--;
  rgAllocator heap = rg_allocator_default();
  heap.release(block, size, heap.context);
}

// --- snapshots --------------------------------------------------------------------------------------

typedef struct Saved {
  uint8_t* data;
  size_t size;
} Saved;

static inline Saved save_world(const rgWorld* world) {
  Saved saved = {.size = rg_world_save_size(world)};
  saved.data = malloc(saved.size);
  if (!saved.data || rg_world_save(world, saved.data, saved.size) != RG_OK)
    abort();
  return saved;
}

static inline bool is_same(const Saved* a, const Saved* b) {
  return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

// --- worlds -----------------------------------------------------------------------------------------

enum { BODIES_MAX = 12, ITERATIONS = 60 };

static inline rgWorld* make_world(Input* in, const rgAllocator* allocator) {
  uint8_t choice = next_byte(in);
  rgWorldDef def = choice & 1 ? rg_world_def_2d() : rg_world_def();
  def.options.theta = choice & 2 ? 0.5 : 1;
  def.options.step = choice & 4 ? 0.02 : 1.0 / 240;
  def.options.iteration_limit = ITERATIONS;
  def.options.threads = choice & 8 ? 2 : 1;
  if (choice & 16) {
    strcpy(def.options.cone, "frictionless");
    next_name(in, rg_stepper_name, def.options.stepper);
  }
  strcpy(def.options.coordinates, choice & 32 ? "full" : "reduced");
  if (allocator)
    def.allocator = *allocator;
  rgWorld* world;
  return rg_world_create(&def, &world, NULL) == RG_OK ? world : NULL;
}

// What is in the plane of a 2D world.
static inline rgVec3 fit(const rgWorld* world, rgVec3 v) {
  return rg_world_dimension(world) == 2 ? (rgVec3){v.x, v.y, 0} : v;
}

static inline rgPose next_pose(Input* in, const rgWorld* world) {
  rgPose pose = {fit(world, next_vector(in, 2)), next_turn(in)};
  if (rg_world_dimension(world) == 2) {
    double angle = 3 * next_part(in);
    pose.orientation = (rgQuat){rg_cos(angle / 2), 0, 0, rg_sin(angle / 2)};
  }
  return pose;
}

// Points of hulls, polygons and meshes, as many as the largest needs.
static const rgVec3 CORNERS[] = {{0.3, 0, 0},   {-0.2, 0.25, 0.05}, {-0.25, -0.2, 0.1},
                                 {0, 0.1, 0.3}, {0.1, -0.1, -0.3},  {0.2, 0.2, 0.2}};
static const rgVec3 FLAT[] = {{-0.3, -0.2, 0}, {0.3, -0.2, 0}, {0.2, 0.3, 0}, {-0.2, 0.2, 0}};
static const int TRIANGLES[] = {0, 1, 2, 0, 2, 3};
static const double HEIGHTS[] = {0, 0.1, 0, 0.2, 0, 0.1};

static inline rgShapeDef next_shape(Input* in, const rgWorld* world) {
  rgShapeDef shape = rg_shape_def((rgShapeKind)(next_byte(in) % RG_SHAPE_KIND_COUNT));
  bool plane = rg_world_dimension(world) == 2;
  shape.radius = next_size(in);
  shape.half_length = next_size(in);
  shape.half = (rgVec3){next_size(in), next_size(in), next_size(in)};
  shape.parameters[0] = 2 + next_byte(in) % 6;
  shape.parameters[1] = 2 + next_byte(in) % 6;
  bool flat = plane || shape.kind == RG_SHAPE_MESH;
  shape.points = flat ? FLAT : CORNERS;
  shape.point_count = shape.kind == RG_SHAPE_SEGMENT ? 2 : flat ? 4 : 6;
  shape.triangles = TRIANGLES;
  shape.triangle_count = 2;
  shape.heights = HEIGHTS;
  shape.rows = 2;
  shape.columns = 3;
  shape.spacing_x = shape.spacing_y = 1;
  shape.pose.position = fit(world, next_vector(in, 0.2));
  shape.material = next_byte(in) % 3; // which may not be there
  return shape;
}

static inline rgPose shake(double time, void* context) {
  (void)context;
  return (rgPose){{0.2 * rg_sin(9 * time), 0.1 * rg_cos(7 * time), 0}, {1, 0, 0, 0}};
}

static inline rgStatus call_add_body(Input* in, rgWorld* world) {
  if (rg_world_body_count(world) >= BODIES_MAX)
    return RG_OK;
  uint8_t choice = next_byte(in);
  rgBodyDef def = rg_body_def();
  def.kind = choice % 8 == 0   ? RG_BODY_STATIC
             : choice % 8 == 1 ? RG_BODY_KINEMATIC
                               : RG_BODY_DYNAMIC;
  def.pose = next_pose(in, world);
  if (def.kind != RG_BODY_STATIC)
    def.velocity.linear = fit(world, next_vector(in, 4));
  def.motion = choice & 16 && def.kind == RG_BODY_KINEMATIC ? shake : NULL;
  def.rotation_locked = choice & 32;
  def.mass = choice & 64 ? next_size(in) : 0;
  def.massless = def.mass > 0 && choice % 8 == 7 && !def.rotation_locked;
  char name[4] = {(char)next_byte(in), (char)next_byte(in), (char)next_byte(in), 0};
  def.name = name;
  rgShapeDef shapes[2] = {next_shape(in, world), next_shape(in, world)};
  rgBodyId id;
  return rg_world_add_body(world, &def, shapes, 1 + (choice >> 7), &id);
}

static inline rgBodyId next_body(Input* in, const rgWorld* world) {
  int count = rg_world_body_count(world), chosen = next_byte(in);
  return count > 0 ? rg_world_body(world, chosen % count) : (rgBodyId){0, 0};
}

static inline rgStatus call_add_joint(Input* in, rgWorld* world) {
  if (rg_world_joint_count(world) >= BODIES_MAX)
    return RG_OK;
  rgJointDef def = rg_joint_def((rgJointKind)(next_byte(in) % RG_JOINT_KIND_COUNT));
  def.body_a = next_byte(in) % 4 ? next_body(in, world) : (rgBodyId){0, 0};
  def.body_b = next_body(in, world);
  def.point = fit(world, next_vector(in, 1));
  def.point_b = fit(world, next_vector(in, 1));
  def.axis = rg_world_dimension(world) == 2 ? (rgVec3){0, 0, 1} : next_vector(in, 1);
  if (def.kind == RG_JOINT_UNIVERSAL) // which needs its second axis
    def.axis_2 = (rgVec3){def.axis.y, -def.axis.x, def.axis.x == 0 && def.axis.y == 0};
  def.collide = next_byte(in) & 1;
  for (int i = 0; rg_joint_parameter(def.kind, i); i++)
    def.parameters[i] = next_size(in);
  if (next_byte(in) & 1) {
    def.axes[0].lower = -next_size(in);
    def.axes[0].upper = next_size(in);
  }
  rgJointId id;
  return rg_world_add_joint(world, &def, &id);
}

// A rotor, an effort and a servo.
static inline void next_drive(Input* in, rgJointAxis* axis) {
  uint8_t choice = next_byte(in);
  axis->armature = choice & 1 ? 4 * next_size(in) : 0;
  axis->effort = choice & 2 ? 5 * next_part(in) : 0;
  axis->servo = choice & 4;
  axis->servo_target = next_part(in);
  axis->servo_speed = next_part(in);
  axis->servo_stiffness = 1000 * next_size(in);
  axis->servo_damping = next_size(in);
  axis->servo_force = choice & 8 ? 10 * next_size(in) : (double)INFINITY;
}

static inline rgStatus call_set_axis(Input* in, rgWorld* world) {
  int count = rg_world_joint_count(world);
  rgJointAxis axis = rg_joint_def(RG_JOINT_HINGE).axes[0];
  uint8_t choice = next_byte(in);
  axis.motor = choice & 1;
  axis.motor_speed = 5 * next_part(in);
  axis.motor_force = 20 * next_size(in);
  axis.friction = choice & 2 ? next_size(in) : 0;
  axis.stiffness = choice & 4 ? 20 * next_size(in) : 0;
  if (choice & 8)
    axis.lower = axis.upper = next_part(in);
  if (choice & 16)
    next_drive(in, &axis);
  rgJointId joint = rg_world_joint(world, count > 0 ? choice % count : 0);
  if (count > 0 && choice & 32) {
    double coordinates[RG_JOINT_AXIS_MAX], rates[RG_JOINT_AXIS_MAX];
    for (int i = 0; i < RG_JOINT_AXIS_MAX; i++) {
      coordinates[i] = 4 * next_part(in);
      rates[i] = 4 * next_part(in);
    }
    return rg_joint_set_state(world, joint, coordinates, rates);
  }
  return count > 0 ? rg_joint_set_axis(world, joint, choice >> 6, &axis) : RG_OK;
}

static inline rgWrench give_way(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time, (void)pose, (void)context;
  return (rgWrench){{-velocity.linear.x, -velocity.linear.y, -velocity.linear.z}, {0, 0, 0}};
}

static inline rgStatus call_add_force(Input* in, rgWorld* world, rgForceId* id) {
  const double times[3] = {0, 0.01, 0.02 + next_size(in)};
  const rgWrench wrenches[3] = {{fit(world, next_vector(in, 9)), {0, 0, 0}}};
  const rgVec3 path[3] = {fit(world, next_vector(in, 2))};
  uint8_t choice = next_byte(in);
  rgForceDef def = rg_force_def();
  def.kind = (rgForceKind)(choice % RG_FORCE_KIND_COUNT);
  def.body = next_body(in, world);
  def.other = choice & 8 ? next_body(in, world) : (rgBodyId){0, 0};
  def.wrench = wrenches[0];
  def.times = choice & 16 ? times : NULL;
  def.wrenches = choice & 32 ? wrenches : NULL;
  def.path = choice & 64 ? path : NULL;
  def.row_count = next_byte(in) % 4;
  def.stiffness = def.damping = def.drag = def.strength = def.range = 9 * next_size(in);
  def.callback = give_way;
  def.stiff = choice & 128;
  return rg_world_add_force(world, &def, id);
}

static inline rgStatus call_set_material(Input* in, rgWorld* world) {
  rgMaterial material = rg_material_default();
  material.mu = next_size(in);
  material.restitution = next_size(in);
  int index;
  switch (next_byte(in) % 3) {
  case 0:
    return rg_world_add_material(world, &material, &index);
  case 1:
    return rg_world_set_material(world, next_byte(in) % 3, &material);
  default:
    return rg_world_set_pair_material(world, next_byte(in) % 3, next_byte(in) % 3, &material);
  }
}

static inline rgStatus call_set_state(Input* in, rgWorld* world) {
  rgBodyId id = next_body(in, world);
  uint8_t choice = next_byte(in);
  rgTwist velocity = {fit(world, next_vector(in, 5)), {0, 0, 5 * next_part(in)}};
  switch (choice % 4) {
  case 0:
    return rg_body_set_pose(world, id, next_pose(in, world));
  case 1:
    return rg_body_apply_impulse(world, id, fit(world, next_vector(in, 5)),
                                 fit(world, next_vector(in, 1)));
  case 2:
    return rg_world_set_pair_collision(world, id, next_body(in, world), choice & 4);
  default:
    return rg_body_set_velocity(world, id, velocity);
  }
}

static inline rgStatus call_set_options(Input* in, rgWorld* world) {
  rgOptions options = *rg_world_options(world);
  uint8_t choice = next_byte(in);
  options.threads = 1 + (choice & 1);
  options.theta = choice & 2 ? 0.5 : 1;
  options.implicit_forces = choice & 4;
  next_name(in, rg_stabilizer_name, options.stabilizer);
  options.projection_tolerance = choice & 8 ? 1e-3 : 1e-6;
  return rg_world_set_options(world, &options);
}

#endif
