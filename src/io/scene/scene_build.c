// scene_build.c - a world from a scene.
//
// Bodies are added in the order of the file, the copies of a repeated body one after the other, so
// that the i-th body of the world is the i-th body of the scene with copies counted.
#include "io/scene/scene_types.h"

#include "base/memory.h"
#include "math/vec.h"
#include "shape/shape.h"

#include <stdio.h>
#include <string.h>

typedef struct Builder {
  const rgScene* scene;
  rgWorld* world;
  rgAllocator allocator; // for what is needed only while building
  int* materials;        // material of the scene -> material of the world
  rgBodyId* bodies;      // body of the scene, copies counted -> id
  rgShapeDef* shapes;    // room for the body with most shapes
  int shape_capacity;
  rgMessage* message;
} Builder;

// Passes on the message of the world with the place in the file.
static rgStatus fail(Builder* b, rgStatus status, const rgSchemaHead* head, const char* list,
                     int index) {
  return rg_fail(b->message, status, "%s:%u:%u: %s[%d]: %s", rg_scene_file_of(b->scene, head),
                 head->line, head->column, list, index, rg_world_message(b->world));
}

// -------------------------------------------------------------------------------------------------
// Materials
// -------------------------------------------------------------------------------------------------

static rgStatus add_materials(Builder* b) {
  for (int i = 0; i < b->scene->materials.count; i++) {
    const rgSceneMaterial* material = rg_scene_material(b->scene, i);
    bool is_default = strcmp(material->name, "default") == 0;
    b->materials[i] = 0;
    rgStatus status = is_default
                          ? rg_world_set_material(b->world, 0, &material->material)
                          : rg_world_add_material(b->world, &material->material, &b->materials[i]);
    if (status != RG_OK)
      return fail(b, status, &material->head, "materials", i);
  }
  return RG_OK;
}

// The material of the scene behind an index, which may be the default one.
static rgMaterial material_of(const rgScene* scene, int index) {
  if (index < 0)
    index = rg_names_find(&scene->material_names, "default", strlen("default"));
  return index < 0 ? rg_material_default() : rg_scene_material(scene, index)->material;
}

static double mean(double a, double b) { return a == b ? a : sqrt(a * b); }

// The rule of rgMaterial, for what the pair does not give. A direction belongs to the first
// material: *swapped tells that it is the one of `b`.
static rgMaterial pair_material(const rgScene* scene, const rgScenePair* pair, bool* swapped) {
  rgMaterial a = material_of(scene, pair->a), b = material_of(scene, pair->b), m = pair->material;
  const rgSchemaObject* object = &rg_scene_pair_object;
  if (!rg_schema_given(object, pair, "mu"))
    m.mu = mean(a.mu, b.mu);
  if (!rg_schema_given(object, pair, "restitution"))
    m.restitution = mean(a.restitution, b.restitution);
  if (!rg_schema_given(object, pair, "e_t"))
    m.e_t = mean(a.e_t, b.e_t);
  if (!rg_schema_given(object, pair, "e_o"))
    m.e_o = mean(a.e_o, b.e_o);
  if (!rg_schema_given(object, pair, "e_tau"))
    m.e_tau = mean(a.e_tau, b.e_tau);
  bool direction_given = rg_schema_given(object, pair, "direction");
  *swapped = !direction_given && v3_norm2(a.direction) == 0;
  if (!direction_given)
    m.direction = *swapped ? b.direction : a.direction;
  return m;
}

static rgStatus add_pairs(Builder* b) {
  const rgScenePair* pairs = b->scene->pairs.items;
  for (int i = 0; i < b->scene->pairs.count; i++) {
    bool swapped;
    rgMaterial material = pair_material(b->scene, &pairs[i], &swapped);
    int index_a = pairs[i].a < 0 ? 0 : b->materials[pairs[i].a];
    int index_b = pairs[i].b < 0 ? 0 : b->materials[pairs[i].b];
    rgStatus status = rg_world_set_pair_material(b->world, swapped ? index_b : index_a,
                                                 swapped ? index_a : index_b, &material);
    if (status != RG_OK)
      return fail(b, status, &pairs[i].head, "pairs", i);
  }
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

static rgBodyDef body_def(const rgSceneBody* body, int copy, const char* name) {
  rgBodyDef def = rg_body_def();
  def.kind = (rgBodyKind)body->kind;
  def.pose = body->pose;
  def.pose.position = v3_add(body->pose.position, rg_scene_copy_offset(&body->repeat, copy));
  def.velocity = body->velocity;
  def.rotation_locked = body->rotation_locked;
  def.massless = body->massless;
  def.name = name;
  if (def.kind == RG_BODY_DYNAMIC) {
    def.mass = body->mass;
    def.inertia_given = rg_schema_given(&rg_scene_body_object, body, "inertia");
    def.center = body->center;
    def.inertia = body->inertia;
  }
  if (body->movers) {
    def.motion = rg_scene_motion_pose;
    def.motion_context = &body->movers[copy];
    def.pose = rg_scene_motion_pose(0, &body->movers[copy]);
  }
  return def;
}

// The first shape that cannot be made on its own, for a message that says which; -1 when all can.
static int find_bad_shape(const Builder* b, const rgSceneBody* body, rgMessage* why) {
  for (int i = 0; i < body->shapes.count; i++) {
    rgStatus status;
    rgShape* shape = rg_shape_create(&b->shapes[i], &b->allocator, &status, why);
    if (!shape)
      return i;
    rg_shape_destroy(shape, &b->allocator);
  }
  return -1;
}

static rgStatus fail_body(Builder* b, rgStatus status, int index) {
  const rgSceneBody* body = rg_scene_body(b->scene, index);
  const rgSceneShape* shapes = body->shapes.items;
  rgMessage why;
  int bad = find_bad_shape(b, body, &why);
  if (bad < 0)
    return fail(b, status, &body->head, "bodies", index);
  const rgSchemaHead* head = &shapes[bad].head;
  return rg_fail(b->message, status, "%s:%u:%u: bodies[%d].shapes[%d]: %s",
                 rg_scene_file_of(b->scene, head), head->line, head->column, index, bad, why.text);
}

static rgStatus add_body(Builder* b, int index) {
  const rgSceneBody* body = rg_scene_body(b->scene, index);
  const rgSceneShape* shapes = body->shapes.items;
  int count = body->shapes.count;
  if (!rg_reserve(&b->allocator, (void**)&b->shapes, &b->shape_capacity, count, sizeof *b->shapes))
    return rg_fail(b->message, RG_ERROR_MEMORY, "%s: not enough memory", b->scene->file_name);
  for (int i = 0; i < count; i++) {
    b->shapes[i] = shapes[i].def;
    b->shapes[i].planar = b->scene->dimension == 2;
    b->shapes[i].material = shapes[i].material < 0 ? 0 : b->materials[shapes[i].material];
  }
  for (int copy = 0; copy < body->copies; copy++) {
    char name[RG_SCENE_NAME_MAX + 16];
    rg_scene_copy_name(body, copy, name, sizeof name);
    rgBodyDef def = body_def(body, copy, name);
    rgStatus status =
        rg_world_add_body(b->world, &def, b->shapes, count, &b->bodies[body->first + copy]);
    if (status != RG_OK)
      return fail_body(b, status, index);
  }
  return RG_OK;
}

static rgStatus add_bodies(Builder* b) {
  for (int i = 0; i < b->scene->bodies.count; i++) {
    rgStatus status = add_body(b, i);
    if (status != RG_OK)
      return status;
  }
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// What refers to bodies
// -------------------------------------------------------------------------------------------------

// Bodies that a reference means: indices *first .. *first + count - 1.
static int bodies_of(const rgScene* scene, rgSceneBodyRef ref, int* first) {
  const rgSceneBody* body = rg_scene_body(scene, ref.body);
  *first = body->first + (ref.copy < 0 ? 0 : ref.copy);
  return ref.copy < 0 ? body->copies : 1;
}

static rgStatus add_no_collision(Builder* b) {
  const rgSceneBodyPair* pairs = b->scene->no_collision.items;
  for (int i = 0; i < b->scene->no_collision.count; i++) {
    int first_a, first_b;
    int count_a = bodies_of(b->scene, pairs[i].a, &first_a),
        count_b = bodies_of(b->scene, pairs[i].b, &first_b);
    for (int j = 0; j < count_a * count_b; j++) {
      int one = first_a + j / count_b, other = first_b + j % count_b;
      if (one == other)
        continue;
      rgStatus status =
          rg_world_set_pair_collision(b->world, b->bodies[one], b->bodies[other], false);
      if (status != RG_OK)
        return fail(b, status, &b->scene->head, "no_collision", i);
    }
  }
  return RG_OK;
}

static rgForceDef force_def(const rgSceneForce* force) {
  rgForceDef def = rg_force_def();
  def.kind = (rgForceKind)force->kind;
  def.wrench = (rgWrench){force->force, force->torque};
  def.body_axes = force->body_axes;
  def.point = force->point;
  def.at_point = rg_schema_given(&rg_scene_force_object, force, "point");
  def.times = force->times.items;
  def.wrenches = force->wrenches;
  def.row_count = force->times.count;
  def.other_point = force->other_point;
  def.stiffness = force->stiffness;
  def.damping = force->damping;
  def.rest = force->rest;
  def.drag = force->drag;
  def.spin_drag = force->spin_drag;
  def.strength = force->strength;
  def.range = force->range;
  def.center = force->center;
  def.path = force->path.items;
  return def;
}

static rgStatus add_forces(Builder* b) {
  const rgSceneForce* forces = b->scene->forces.items;
  for (int i = 0; i < b->scene->forces.count; i++) {
    rgForceDef def = force_def(&forces[i]);
    int first = 0, count = 1, other;
    bool all = !rg_schema_given(&rg_scene_force_object, &forces[i], "body");
    if (!all)
      count = bodies_of(b->scene, forces[i].body, &first);
    if (rg_schema_given(&rg_scene_force_object, &forces[i], "other")) {
      bodies_of(b->scene, forces[i].other, &other);
      def.other = b->bodies[other];
    }
    for (int j = 0; j < count; j++) {
      rgForceId id;
      if (!all)
        def.body = b->bodies[first + j];
      rgStatus status = rg_world_add_force(b->world, &def, &id);
      if (status != RG_OK)
        return fail(b, status, &forces[i].head, "forces", i);
    }
  }
  return RG_OK;
}

static rgStatus add_joints(Builder* b) {
  const rgSceneJoint* joints = b->scene->joints.items;
  for (int i = 0; i < b->scene->joints.count; i++) {
    rgStatus status = rg_scene_add_joint(b->scene, &joints[i], b->bodies, b->world);
    if (status != RG_OK)
      return fail(b, status, &joints[i].head, "joints", i);
  }
  return RG_OK;
}

static rgStatus add_couplings(Builder* b) {
  const rgSceneJoint* joints = b->scene->joints.items;
  for (int i = 0; i < b->scene->joints.count; i++) {
    const rgSchemaHead* head = &joints[i].head;
    rgMessage why = {""};
    rgStatus status = rg_scene_couple_joint(b->scene, &joints[i], b->world, &why);
    if (status != RG_OK)
      return rg_fail(b->message, status, "%s:%u:%u: joints[%d]: %s",
                     rg_scene_file_of(b->scene, head), head->line, head->column, i, why.text);
  }
  return RG_OK;
}

static rgStatus add_sensors(Builder* b) {
  const rgSceneSensor* sensors = b->scene->sensors.items;
  for (int i = 0; i < b->scene->sensors.count; i++) {
    const rgSchemaHead* head = &sensors[i].head;
    rgMessage why = {""};
    rgStatus status = rg_scene_add_sensor(b->scene, &sensors[i], b->bodies, b->world, &why);
    if (status != RG_OK)
      return rg_fail(b->message, status, "%s:%u:%u: sensors[%d]: %s",
                     rg_scene_file_of(b->scene, head), head->line, head->column, i, why.text);
  }
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// All of it
// -------------------------------------------------------------------------------------------------

static rgStatus fill_world(Builder* b) {
  static rgStatus (*const builders[])(Builder*) = {add_materials,    add_pairs,  add_bodies,
                                                   add_no_collision, add_forces, add_joints,
                                                   add_couplings,    add_sensors};
  size_t material_size = (size_t)b->scene->materials.count * sizeof *b->materials;
  size_t body_size = (size_t)b->scene->body_count * sizeof *b->bodies;
  b->materials = rg_allocate(&b->allocator, material_size);
  b->bodies = rg_allocate(&b->allocator, body_size);
  rgStatus status = RG_OK;
  if (!b->materials || !b->bodies)
    status = rg_fail(b->message, RG_ERROR_MEMORY, "%s: not enough memory", b->scene->file_name);
  for (size_t i = 0; i < sizeof builders / sizeof *builders && status == RG_OK; i++)
    status = builders[i](b);
  rg_release(&b->allocator, b->materials, material_size);
  rg_release(&b->allocator, b->bodies, body_size);
  rg_release(&b->allocator, b->shapes, (size_t)b->shape_capacity * sizeof *b->shapes);
  return status;
}

rgStatus rg_scene_build(const rgScene* scene, const rgAllocator* allocator, rgWorld** world,
                        rgMessage* message) {
  *world = NULL;
  rgWorldDef def = rg_world_def();
  def.dimension = scene->dimension;
  def.options = scene->options;
  if (allocator)
    def.allocator = *allocator;
  rgMessage why = {""};
  Builder b = {.scene = scene, .allocator = rg_allocator_default(), .message = message};
  rgStatus status = rg_world_create(&def, &b.world, &why);
  if (status != RG_OK)
    return rg_fail(message, status, "%s: options: %s", scene->file_name, why.text);
  status = fill_world(&b);
  if (status != RG_OK)
    rg_world_destroy(b.world);
  else
    *world = b.world;
  return status;
}
