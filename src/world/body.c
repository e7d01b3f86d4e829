// body.c - adding, removing, reading and changing bodies and their shapes.
#include "base/memory.h"
#include "base/message.h"
#include "math/trig.h"
#include "world/mass.h"
#include "world/search/follow.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

enum { SOLIDS_MAX = 1024 }; // shapes with a volume on one dynamic body

rgBodyDef rg_body_def(void) {
  rgBodyDef def = {.kind = RG_BODY_DYNAMIC};
  def.pose = pose_identity();
  return def;
}

const char* rg_body_kind_name(rgBodyKind kind) {
  static const char* const names[RG_BODY_KIND_COUNT] = {"dynamic", "static", "kinematic"};
  return (unsigned)kind < RG_BODY_KIND_COUNT ? names[kind] : NULL;
}

rgBody* rg_world_body_slot(const rgWorld* world, rgBodyId id) {
  if (id.index >= (uint32_t)world->body_slots)
    return NULL;
  rgBody* body = &world->bodies[world->ids.slot_of_body[id.index]];
  return body->alive && body->generation == id.generation ? body : NULL;
}

static rgWorldShape* shape_slot(const rgWorld* world, rgShapeId id) {
  if (id.index >= (uint32_t)world->shape_slots)
    return NULL;
  rgWorldShape* shape = &world->shapes[world->ids.slot_of_shape[id.index]];
  return shape->alive && shape->generation == id.generation ? shape : NULL;
}

static rgStatus no_body(rgWorld* world, rgBodyId id) {
  return rg_world_fail(world, RG_ERROR_NOT_FOUND,
                       "there is no body with index %u and generation %u", (unsigned)id.index,
                       (unsigned)id.generation);
}

rgPose rg_body_frame(const rgBody* body) {
  rgVec3 offset = quat_rotate(body->orientation, body->center);
  return (rgPose){v3_sub(body->position, offset), body->orientation};
}

rgQuat rg_body_turned(const rgBody* body, rgQuat start, double dt) {
  rgVec3 w = body->velocity.angular;
  double rate = v3_norm(w);
  if (rate == 0)
    return start;
  double half = 0.5 * dt * rate, part = rg_sin(half) / rate;
  return quat_unit(quat_mul((rgQuat){rg_cos(half), part * w.x, part * w.y, part * w.z}, start));
}

rgMat3 rg_body_inverse_inertia(const rgBody* body, rgQuat orientation) {
  if (body->isotropic) {
    rgVec3 p = body->inverse_principal;
    return m3_diag(p.x, p.y, p.z);
  }
  rgMat3 r = m3_from_quat(quat_mul(orientation, body->principal_axes));
  return m3_congruence(&r, body->inverse_principal);
}

rgVec3 rg_body_angular_momentum(const rgBody* body) {
  if (body->isotropic)
    return v3_scale(body->velocity.angular, body->principal.x);
  rgQuat axes = quat_mul(body->orientation, body->principal_axes);
  return quat_rotate_exactly(
      axes, v3_mul(body->principal, quat_unrotate_exactly(axes, body->velocity.angular)));
}

// With `trying`, bounds that leave their tree are left as they are.
// Trying: by any thread. Again: after that was not possible, when the movement is known.
typedef enum Placing { PLACE_ALONE, PLACE_TRYING, PLACE_AGAIN } Placing;

static bool place_shapes(rgWorld* world, int slot, Placing placing) {
  rgBody* body = &world->bodies[slot];
  rgPose frame = rg_body_frame(body);
  bool placed = true;
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    rgWorldShape* shape = &world->shapes[i];
    shape->velocity = body->velocity.linear;
    shape->travel = body->travel;
    shape->shift = body->shift;
    shape->thrust = body->thrust;
    // Not read back from the shape: that would wait until all stores before it are done.
    rgPose pose = pose_mul(frame, shape->shape->pose);
    rgBounds bounds = rg_shape_info(shape->shape->kind)->bounds(shape->shape, pose);
    bool still = body->kind == RG_BODY_STATIC && !body->anew;
    if (placing != PLACE_AGAIN)
      shape->moved = still ? (rgMovement){0} : rg_follow_movement(shape, pose, body);
    shape->pose = pose;
    // At least by the gap that counts as touching; of a pair one body is dynamic.
    double touching = world->options.projection_tolerance * shape->shape->size;
    double growth =
        body->kind == RG_BODY_DYNAMIC && touching > body->travel ? touching : body->travel;
    bounds = bounds_grow(bounds, growth);
    if (placing != PLACE_TRYING)
      rg_broad_move(world->search.broad, shape->proxy, bounds);
    else
      placed = rg_broad_try_move(world->search.broad, shape->proxy, bounds) && placed;
  }
  return placed;
}

void rg_world_place_shapes(rgWorld* world, int slot) { place_shapes(world, slot, PLACE_ALONE); }

bool rg_world_try_place_shapes(rgWorld* world, int slot) {
  return place_shapes(world, slot, PLACE_TRYING);
}

void rg_world_place_shapes_again(rgWorld* world, int slot) {
  place_shapes(world, slot, PLACE_AGAIN);
}

// Mass from the definition and the shapes that are there, and the extent. Changes the body only on
// success.
static rgStatus update_mass(rgWorld* world, int slot, rgMessage* message) {
  rgBody* body = &world->bodies[slot];
  rgMassProperties solids[SOLIDS_MAX];
  int count = 0;
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    const rgMassProperties* mass = &world->ids.shape_masses[world->shapes[i].index];
    if (mass->mass <= 0)
      continue;
    if (count == SOLIDS_MAX)
      return rg_fail(message, RG_ERROR_INPUT, "a body has more than %d solid shapes",
                     (int)SOLIDS_MAX);
    solids[count++] = *mass;
  }
  rgMassProperties total;
  const rgBodyRecord* record = &world->ids.body_records[body->index];
  rgBodyDef def = {.kind = body->kind,
                   .mass = record->mass,
                   .rotation_locked = body->rotation_locked,
                   .massless = body->massless};
  if (record->extra && record->extra->inertia_given) {
    rgMassProperties given = {.center = record->extra->center, .inertia = record->extra->inertia};
    rg_plane_mass(world, &given);
    def.inertia_given = true;
    def.center = record->extra->center;
    def.inertia = given.inertia;
  }
  rgStatus status = rg_body_mass_combine(&def, solids, count, &total, message);
  if (status != RG_OK)
    return status;
  rg_plane_mass(world, &total);
  rg_body_mass_apply(body, &total);
  body->anew = true;
  body->extent = 0;
  body->thin = HUGE_VAL;
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    const rgShape* shape = world->shapes[i].shape;
    double extent = v3_norm(v3_sub(shape->pose.position, body->center)) + shape->extent;
    if (isfinite(extent) && extent > body->extent)
      body->extent = extent;
    if (shape->size < body->thin)
      body->thin = shape->size;
  }
  return RG_OK;
}

// Makes room for shapes and bodies of the indices 0 .. limit - 1.
static bool reserve_shape(rgWorld* world, int limit) {
  return RG_WORLD_RESERVE(world, shapes, limit) &&
         RG_SET_RESERVE(world, &world->ids, shape_masses, limit) &&
         RG_SET_RESERVE(world, &world->ids, slot_of_shape, limit) &&
         rg_slots_reserve(&world->allocator, &world->books.shapes, limit);
}

static bool reserve_body(rgWorld* world, int limit) {
  return RG_WORLD_RESERVE(world, bodies, limit) &&
         RG_SET_RESERVE(world, &world->ids, body_records, limit) &&
         RG_SET_RESERVE(world, &world->ids, slot_of_body, limit) &&
         rg_slots_reserve(&world->allocator, &world->books.bodies, limit) &&
         rg_name_table_reserve(&world->allocator, &world->books.body_names, limit);
}

// Room for what few bodies have. It stays with the index when the body is removed.
static bool reserve_extra(rgWorld* world, int index, const rgBodyDef* def) {
  rgBodyRecord* record = &world->ids.body_records[index];
  if (record->extra || !(def->inertia_given || (def->name && def->name[0])))
    return true;
  record->extra = rg_allocate(&world->allocator, sizeof *record->extra);
  return record->extra;
}

bool rg_world_add_free_slots(rgWorld* world, int bodies, int shapes) {
  if (!reserve_body(world, bodies) || !reserve_shape(world, shapes))
    return false;
  for (int i = world->body_slots; i < bodies; i++) {
    world->bodies[i] = (rgBody){.index = i, .first_shape = -1};
    world->ids.slot_of_body[i] = i;
  }
  for (int i = world->shape_slots; i < shapes; i++) {
    world->shapes[i] = (rgWorldShape){.index = i};
    world->ids.slot_of_shape[i] = i;
  }
  world->body_slots = bodies > world->body_slots ? bodies : world->body_slots;
  world->shape_slots = shapes > world->shape_slots ? shapes : world->shape_slots;
  return true;
}

// Makes the shape and attaches it to the body; the mass is not updated here.
static rgStatus attach_shape(rgWorld* world, int body_slot, const rgShapeDef* def, int* slot_out,
                             rgMessage* message) {
  const rgShapeInfo* info = rg_shape_info(def->kind);
  if (!info)
    return rg_fail(message, RG_ERROR_INPUT, "shape kind %d does not exist", (int)def->kind);
  rgStatus status = rg_plane_shape(world, def, message);
  if (status != RG_OK)
    return status;
  bool dynamic = world->bodies[body_slot].kind == RG_BODY_DYNAMIC;
  if (dynamic && !info->solid)
    return rg_fail(message, RG_ERROR_INPUT,
                   "a %s has no volume: it can be put on a static or kinematic body only",
                   info->name);
  if (def->material < 0 || def->material >= world->laws.material_count)
    return rg_fail(message, RG_ERROR_INPUT, "material %d does not exist, must be 0 .. %d",
                   def->material, world->laws.material_count - 1);
  int index = rg_slots_lowest_free(&world->books.shapes);
  if (!reserve_shape(world, index + 1))
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a shape");
  int slot = index == world->shape_slots ? index : world->ids.slot_of_shape[index];
  rgWorldShape shape = {.body = body_slot, .alive = true, .index = index};
  rgShapeDef fitting = *def;
  fitting.planar = world->dimension == 2;
  shape.shape = rg_shape_create(&fitting, &world->allocator, &status, message);
  if (!shape.shape)
    return status;
  info = rg_shape_info(shape.shape->kind); // an intersection of half-spaces is a hull
  shape.material = shape.shape->material;
  shape.ball = def->kind == RG_SHAPE_SPHERE ? shape.shape->radius : 0;
  rgMassProperties mass = {0};
  if (dynamic)
    rg_shape_mass_of(shape.shape, def->density, &mass);
  bool moving = world->bodies[body_slot].kind != RG_BODY_STATIC;
  rgPose pose = pose_mul(rg_body_frame(&world->bodies[body_slot]), shape.shape->pose);
  shape.proxy =
      rg_broad_add(world->search.broad, info->bounds(shape.shape, pose), moving, (uint32_t)slot);
  if (shape.proxy < 0) {
    rg_shape_destroy(shape.shape, &world->allocator);
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a shape");
  }
  shape.generation = world->ids.next_generation++;
  shape.next = world->bodies[body_slot].first_shape;
  world->bodies[body_slot].first_shape = slot;
  world->shapes[slot] = shape;
  world->ids.shape_masses[index] = mass;
  world->ids.slot_of_shape[index] = slot;
  world->shape_count++;
  rg_slots_take(&world->books.shapes, index);
  if (index == world->shape_slots)
    world->shape_slots++;
  *slot_out = slot;
  return RG_OK;
}

static void detach_shape(rgWorld* world, int slot) {
  rgWorldShape* shape = &world->shapes[slot];
  int* link = &world->bodies[shape->body].first_shape;
  while (*link != slot)
    link = &world->shapes[*link].next;
  *link = shape->next;
  rg_broad_remove(world->search.broad, shape->proxy);
  world->shape_count--;
  rg_slots_give(&world->books.shapes, shape->index);
  rg_shape_destroy(shape->shape, &world->allocator);
  *shape = (rgWorldShape){.index = shape->index};
}

// What a call that fails after it has attached shapes goes back to: ids and slots that were not yet
// there are handed out again, so that nothing tells the world from one in which it was never tried.
typedef struct Ids {
  uint32_t next_generation;
  int shape_slots;
} Ids;

static Ids keep_ids(const rgWorld* world) {
  return (Ids){world->ids.next_generation, world->shape_slots};
}

static void take_back_ids(rgWorld* world, Ids before) {
  world->ids.next_generation = before.next_generation;
  world->shape_slots = before.shape_slots;
}

static rgStatus check_body_def(const rgBodyDef* def, rgMessage* message) {
  if ((unsigned)def->kind >= RG_BODY_KIND_COUNT)
    return rg_fail(message, RG_ERROR_INPUT, "body kind %d does not exist", (int)def->kind);
  if (!v3_finite(def->pose.position))
    return rg_fail(message, RG_ERROR_INPUT, "position is not finite");
  double norm2 = quat_norm2(def->pose.orientation);
  if (!(fabs(norm2 - 1) <= 1e-6))
    return rg_fail(message, RG_ERROR_INPUT, "orientation has the norm %g, must be 1", sqrt(norm2));
  if (!v3_finite(def->velocity.linear) || !v3_finite(def->velocity.angular))
    return rg_fail(message, RG_ERROR_INPUT, "velocity is not finite");
  if (def->kind == RG_BODY_STATIC &&
      (v3_norm2(def->velocity.linear) > 0 || v3_norm2(def->velocity.angular) > 0))
    return rg_fail(message, RG_ERROR_INPUT,
                   "a static body has a velocity, must be zero (or the body kinematic)");
  return RG_OK;
}

// A body that never turns has no angular velocity: what holds it would take it for a turn that goes on
// whatever acts on it.
static void give_velocity(rgBody* body, rgTwist velocity) {
  body->velocity = velocity;
  body->quiet = 0;
  if (body->kind == RG_BODY_DYNAMIC && body->rotation_locked)
    body->velocity.angular = v3_zero();
}

// The body as defined, without shapes and mass.
static void fill_body(rgWorld* world, int slot, int index, const rgBodyDef* def) {
  rgBody* body = &world->bodies[slot];
  *body = (rgBody){.kind = def->kind,
                   .alive = true,
                   .index = index,
                   .first_shape = -1,
                   .rotation_locked = def->rotation_locked,
                   .massless = def->massless && def->kind == RG_BODY_DYNAMIC,
                   .motion = def->motion,
                   .motion_context = def->motion_context};
  body->position = def->pose.position;
  body->orientation = quat_unit(def->pose.orientation);
  rgBodyRecord* record = &world->ids.body_records[index];
  record->mass = def->mass;
  record->first_force = record->first_joint = -1;
  if (record->extra) {
    *record->extra = (rgBodyExtra){
        .inertia_given = def->inertia_given, .center = def->center, .inertia = def->inertia};
    snprintf(record->extra->name, RG_BODY_NAME_SIZE, "%s", def->name ? def->name : "");
  }
  if (def->motion && def->kind == RG_BODY_KINEMATIC) {
    rgPose start = rg_plane_flatten(world, def->motion(world->time, def->motion_context));
    body->position = start.position;
    body->orientation = start.orientation;
  }
}

// The lowest free index is taken. Room for everything is made before anything is changed, so that a
// body that is refused leaves the world as it was.
rgStatus rg_world_add_body(rgWorld* world, const rgBodyDef* def, const rgShapeDef* shapes,
                           int shape_count, rgBodyId* id) {
  world->ids.edits++;
  rgBodyId unwanted;
  id = id ? id : &unwanted;
  *id = (rgBodyId){0, 0};
  rgStatus status = check_body_def(def, &world->message);
  if (status == RG_OK)
    status = rg_plane_pose(world, def->pose, &world->message);
  if (status == RG_OK)
    status = rg_plane_twist(world, def->velocity, &world->message);
  if (status != RG_OK)
    return status;
  int index = rg_slots_lowest_free(&world->books.bodies);
  if (!reserve_body(world, index + 1) || !reserve_extra(world, index, def))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a body");
  int slot = index == world->body_slots ? index : world->ids.slot_of_body[index];
  fill_body(world, slot, index, def);
  Ids before = keep_ids(world);
  for (int i = 0, shape_slot; i < shape_count && status == RG_OK; i++)
    status = attach_shape(world, slot, &shapes[i], &shape_slot, &world->message);
  if (status == RG_OK)
    status = update_mass(world, slot, &world->message);
  rgBody* body = &world->bodies[slot];
  if (status != RG_OK) {
    while (body->first_shape >= 0)
      detach_shape(world, body->first_shape);
    take_back_ids(world, before);
    body->alive = false;
    return status;
  }
  give_velocity(body, def->velocity);
  body->generation = world->ids.next_generation++;
  world->ids.slot_of_body[index] = slot;
  if (index == world->body_slots)
    world->body_slots++;
  world->kinematic_count += body->kind == RG_BODY_KINEMATIC;
  world->body_count++;
  rg_slots_take(&world->books.bodies, index);
  rg_name_table_add(&world->books.body_names, index,
                    rg_body_record_name(&world->ids.body_records[index]));
  world->problems_valid = false; // they have no room for it
  world->search.stale = true;
  *id = rg_body_id(world, slot);
  return RG_OK;
}

rgStatus rg_world_remove_body(rgWorld* world, rgBodyId id) {
  world->ids.edits++;
  rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  while (body->first_shape >= 0) {
    rg_world_drop_contacts(world, body->first_shape);
    detach_shape(world, body->first_shape);
  }
  rg_world_remove_forces_of(world, rg_slot_of(world, body));
  rg_world_remove_joints_of(world, rg_slot_of(world, body));
  body->alive = false;
  rg_slots_give(&world->books.bodies, body->index);
  rg_name_table_remove(&world->books.body_names, body->index);
  world->books.pairs_off.orphaned = true;
  world->body_count--;
  world->kinematic_count -= body->kind == RG_BODY_KINEMATIC;
  world->problems_valid = false;
  world->search.stale = true;
  return RG_OK;
}

rgStatus rg_world_add_shape(rgWorld* world, rgBodyId id, const rgShapeDef* def, rgShapeId* out) {
  world->ids.edits++;
  rgShapeId unwanted;
  out = out ? out : &unwanted;
  *out = (rgShapeId){0, 0};
  const rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  int slot, body_slot = rg_slot_of(world, body);
  Ids before = keep_ids(world);
  rgStatus status = attach_shape(world, body_slot, def, &slot, &world->message);
  if (status != RG_OK)
    return status;
  status = update_mass(world, body_slot, &world->message);
  if (status != RG_OK) {
    detach_shape(world, slot);
    take_back_ids(world, before);
    return status;
  }
  world->search.stale = true;
  *out = rg_shape_id(world, slot);
  return RG_OK;
}

rgStatus rg_world_remove_shape(rgWorld* world, rgShapeId id) {
  world->ids.edits++;
  const rgWorldShape* shape = shape_slot(world, id);
  if (!shape)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "there is no such shape");
  int slot = (int)(shape - world->shapes), body = shape->body;
  double* in_body = &world->ids.shape_masses[id.index].mass;
  double mass = *in_body;
  *in_body = 0; // as if it were gone, to see whether the body can live without it
  rgStatus status = update_mass(world, body, &world->message);
  if (status != RG_OK) {
    *in_body = mass;
    return status;
  }
  rg_world_drop_contacts(world, slot);
  detach_shape(world, slot);
  return update_mass(world, body, &world->message);
}

int rg_world_body_count(const rgWorld* world) { return world->body_count; }

rgBodyId rg_world_body(const rgWorld* world, int index) {
  if (index < 0 || index >= world->body_count)
    return (rgBodyId){0, 0};
  return rg_body_id(world, world->ids.slot_of_body[rg_slots_nth(&world->books.bodies, index)]);
}

rgBodyId rg_world_find_body(const rgWorld* world, const char* name) {
  const rgNameTable* names = &world->books.body_names;
  int found = -1; // of several with this name the one with the lowest index
  for (int i = rg_name_table_first(names, name); i >= 0; i = rg_name_table_next(names, i))
    if ((found < 0 || i < found) &&
        strcmp(rg_body_record_name(&world->ids.body_records[i]), name) == 0)
      found = i;
  return found < 0 ? (rgBodyId){0, 0} : rg_body_id(world, world->ids.slot_of_body[found]);
}

bool rg_body_valid(const rgWorld* world, rgBodyId id) {
  return rg_world_body_slot(world, id) != NULL;
}

const char* rg_body_name(const rgWorld* world, rgBodyId id) {
  return rg_body_valid(world, id) ? rg_body_record_name(&world->ids.body_records[id.index]) : "";
}

rgBodyKind rg_body_kind(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  return body ? body->kind : RG_BODY_STATIC;
}

rgPose rg_body_pose(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  return body ? rg_body_frame(body) : pose_identity();
}

rgVec3 rg_body_center(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  return body ? body->position : v3_zero();
}

bool rg_body_is_asleep(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  return body && body->quiet >= RG_QUIET_STEPS;
}

rgTwist rg_body_velocity(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  return body ? body->velocity : (rgTwist){v3_zero(), v3_zero()};
}

rgMassProperties rg_body_mass(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return (rgMassProperties){0};
  rgMat3 axes = m3_from_quat(body->principal_axes);
  return (rgMassProperties){body->mass, body->center, m3_congruence(&axes, body->principal)};
}

double rg_body_mass_error(const rgWorld* world, rgBodyId id) {
  const rgBody* body = rg_world_body_slot(world, id);
  double error = 0;
  for (int i = body ? body->first_shape : -1; i >= 0; i = world->shapes[i].next) {
    const rgMeet* meet = world->shapes[i].shape->meet;
    error = meet ? fmax(error, meet->mass_error) : error;
  }
  return error;
}

rgStatus rg_body_set_pose(rgWorld* world, rgBodyId id, rgPose pose) {
  rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  if (!v3_finite(pose.position) || !(fabs(quat_norm2(pose.orientation) - 1) <= 1e-6))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "the pose is not finite or its orientation is not of norm 1");
  if (rg_plane_pose(world, pose, &world->message) != RG_OK)
    return RG_ERROR_INPUT;
  body->orientation = quat_unit(pose.orientation);
  body->position = v3_add(pose.position, quat_rotate(body->orientation, body->center));
  body->anew = true;
  body->quiet = 0;
  world->problems_valid = false; // they are of another state
  world->search.stale = world->joints_stale = world->rotors_stale = true;
  return RG_OK;
}

rgStatus rg_body_set_velocity(rgWorld* world, rgBodyId id, rgTwist velocity) {
  rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  if (body->kind == RG_BODY_STATIC)
    return rg_world_fail(world, RG_ERROR_INPUT, "a static body cannot get a velocity");
  if (!v3_finite(velocity.linear) || !v3_finite(velocity.angular))
    return rg_world_fail(world, RG_ERROR_INPUT, "the velocity is not finite");
  if (rg_plane_twist(world, velocity, &world->message) != RG_OK)
    return RG_ERROR_INPUT;
  give_velocity(body, velocity);
  world->problems_valid = false; // they are of another state
  world->search.stale = world->joints_stale = world->rotors_stale = true;
  return RG_OK;
}

rgStatus rg_body_apply_impulse(rgWorld* world, rgBodyId id, rgVec3 impulse, rgVec3 point) {
  rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  if (body->kind != RG_BODY_DYNAMIC)
    return rg_world_fail(world, RG_ERROR_INPUT, "only a dynamic body takes an impulse");
  rgMat3 inverse = rg_body_inverse_inertia(body, body->orientation);
  rgVec3 moment = v3_cross(v3_sub(point, body->position), impulse);
  rgTwist velocity = {v3_axpy(body->velocity.linear, body->inverse_mass, impulse),
                      v3_add(body->velocity.angular, m3_apply(&inverse, moment))};
  return rg_body_set_velocity(world, id, velocity);
}

rgStatus rg_world_set_pair_collision(rgWorld* world, rgBodyId a, rgBodyId b, bool on) {
  world->ids.edits++;
  const rgBody *one = rg_world_body_slot(world, a), *other = rg_world_body_slot(world, b);
  if (!one || !other)
    return no_body(world, one ? b : a);
  int slot_a = rg_slot_of(world, one), slot_b = rg_slot_of(world, other);
  const rgPairOff* known = rg_world_find_pair_off(world, slot_a, slot_b);
  bool is_off = known && known->asked;
  if (is_off == !on || slot_a == slot_b) // a body never collides with itself
    return RG_OK;
  if (!rg_world_reserve_pair_off(world))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a collision filter");
  rg_world_pair_off(world, slot_a, slot_b)->asked = !on;
  world->search.stale = true;
  return RG_OK;
}
