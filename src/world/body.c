// body.c - adding, removing, reading and changing bodies and their shapes.
#include "base/memory.h"
#include "base/message.h"
#include "world/mass.h"
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
  rgBody* body = &world->bodies[world->slot_of_body[id.index]];
  return body->alive && body->generation == id.generation ? body : NULL;
}

static rgWorldShape* shape_slot(const rgWorld* world, rgShapeId id) {
  if (id.index >= (uint32_t)world->shape_slots)
    return NULL;
  rgWorldShape* shape = &world->shapes[world->slot_of_shape[id.index]];
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

rgMat3 rg_body_inverse_inertia(const rgBody* body, rgQuat orientation) {
  if (body->isotropic) {
    rgVec3 p = body->inverse_principal;
    return m3_diag(p.x, p.y, p.z);
  }
  rgMat3 r = m3_from_quat(quat_mul(orientation, body->principal_axes));
  return m3_congruence(&r, body->inverse_principal);
}

rgVec3 rg_body_angular_momentum(const rgBody* body) {
  rgQuat axes = quat_mul(body->orientation, body->principal_axes);
  return quat_rotate_exactly(
      axes, v3_mul(body->principal, quat_unrotate_exactly(axes, body->velocity.angular)));
}

void rg_world_place_shapes(rgWorld* world, int slot) {
  rgBody* body = &world->bodies[slot];
  rgPose frame = rg_body_frame(body);
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    rgWorldShape* shape = &world->shapes[i];
    shape->velocity = body->velocity.linear;
    shape->travel = body->travel;
    shape->shift = body->shift;
    shape->thrust = body->thrust;
    // Not read back from the shape: that would wait until all stores before it are done.
    rgPose pose = pose_mul(frame, shape->shape->local);
    rgBounds bounds = rg_shape_info(shape->shape->kind)->bounds(shape->shape, pose);
    shape->pose = pose;
    rg_broad_move(world->broad, shape->proxy, bounds_grow(bounds, body->travel));
  }
}

// Mass from the definition and the shapes that are there, and the extent. Changes the body only on
// success.
static rgStatus update_mass(rgWorld* world, int slot, rgMessage* message) {
  rgBody* body = &world->bodies[slot];
  rgMassProperties solids[SOLIDS_MAX];
  int count = 0;
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    const rgMassProperties* mass = &world->shape_masses[world->shapes[i].index];
    if (mass->mass <= 0)
      continue;
    if (count == SOLIDS_MAX)
      return rg_fail(message, RG_ERROR_INPUT, "a body has more than %d solid shapes",
                     (int)SOLIDS_MAX);
    solids[count++] = *mass;
  }
  rgMassProperties total;
  rgBodyDef def = world->body_records[body->index].def;
  rgMassProperties given = {.center = def.center, .inertia = def.inertia};
  rg_plane_mass(world, &given);
  def.inertia = given.inertia;
  rgStatus status = rg_mass_combine(&def, solids, count, &total, message);
  if (status != RG_OK)
    return status;
  rg_plane_mass(world, &total);
  rg_mass_apply(body, &total);
  body->extent = 0;
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    const rgShape* shape = world->shapes[i].shape;
    double reach = v3_norm(v3_sub(shape->local.position, body->center)) + shape->extent;
    if (isfinite(reach) && reach > body->extent)
      body->extent = reach;
  }
  return RG_OK;
}

// Makes the shape and hangs it on the body; the mass is not updated here.
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
  if (def->material < 0 || def->material >= world->material_count)
    return rg_fail(message, RG_ERROR_INPUT, "material %d does not exist, must be 0 .. %d",
                   def->material, world->material_count - 1);
  int index = world->shape_count == world->shape_slots ? world->shape_slots : 0;
  while (index < world->shape_slots && world->shapes[world->slot_of_shape[index]].alive)
    index++;
  if (!RG_WORLD_RESERVE(world, shapes, index + 1) ||
      !RG_WORLD_RESERVE(world, shape_masses, index + 1) ||
      !RG_WORLD_RESERVE(world, slot_of_shape, index + 1))
    return rg_fail(message, RG_ERROR_MEMORY, "no memory for a shape");
  int slot = index == world->shape_slots ? index : world->slot_of_shape[index];
  rgWorldShape shape = {.body = body_slot, .alive = true, .index = index};
  rgShapeDef fitting = *def;
  fitting.planar = world->dimension == 2;
  shape.shape = rg_shape_create(&fitting, &world->allocator, &status, message);
  if (!shape.shape)
    return status;
  shape.material = shape.shape->material;
  shape.ball = def->kind == RG_SHAPE_SPHERE ? shape.shape->radius : 0;
  rgMassProperties mass = {0};
  if (dynamic)
    rg_shape_mass_of(shape.shape, def->density, &mass);
  bool moving = world->bodies[body_slot].kind != RG_BODY_STATIC;
  rgPose pose = pose_mul(rg_body_frame(&world->bodies[body_slot]), shape.shape->local);
  shape.proxy = rg_broad_add(world->broad, info->bounds(shape.shape, pose), moving, (uint32_t)slot);
  if (shape.proxy < 0) {
    rg_shape_destroy(shape.shape, &world->allocator);
    return rg_fail(message, RG_ERROR_MEMORY, "no memory for a shape");
  }
  shape.generation = world->next_generation++;
  shape.next = world->bodies[body_slot].first_shape;
  world->bodies[body_slot].first_shape = slot;
  world->shapes[slot] = shape;
  world->shape_masses[index] = mass;
  world->slot_of_shape[index] = slot;
  world->shape_count++;
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
  rg_broad_remove(world->broad, shape->proxy);
  world->shape_count--;
  rg_shape_destroy(shape->shape, &world->allocator);
  *shape = (rgWorldShape){.index = shape->index};
}

static void drop_contacts_of_shape(rgWorld* world, int slot) {
  for (int i = 0; i < world->search.pair_count; i++) {
    rgPair* pair = &world->search.pairs[i];
    if ((int)pair->a == slot || (int)pair->b == slot)
      pair->contact_count = 0;
  }
  int kept = 0;
  for (int i = 0; i < world->search.pair_count; i++) {
    rgPair* pair = &world->search.pairs[i];
    int start = kept;
    for (int k = 0; k < pair->contact_count; k++)
      world->contacts[kept++] = world->contacts[pair->contact_start + k];
    pair->contact_start = start;
  }
  world->contact_count = kept;
  world->contacts_stale = true;
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

rgStatus rg_world_add_body(rgWorld* world, const rgBodyDef* def, const rgShapeDef* shapes,
                           int shape_count, rgBodyId* id) {
  *id = (rgBodyId){0, 0};
  rgStatus status = check_body_def(def, &world->message);
  if (status == RG_OK)
    status = rg_plane_pose(world, def->pose, &world->message);
  if (status == RG_OK)
    status = rg_plane_twist(world, def->velocity, &world->message);
  if (status != RG_OK)
    return status;
  int index = world->body_count == world->body_slots ? world->body_slots : 0;
  while (index < world->body_slots && world->bodies[world->slot_of_body[index]].alive)
    index++;
  if (!RG_WORLD_RESERVE(world, bodies, index + 1) ||
      !RG_WORLD_RESERVE(world, body_records, index + 1) ||
      !RG_WORLD_RESERVE(world, slot_of_body, index + 1) ||
      !RG_WORLD_RESERVE(world, living, world->body_count + 1))
    return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for a body");
  int slot = index == world->body_slots ? index : world->slot_of_body[index];
  rgBody* body = &world->bodies[slot];
  *body = (rgBody){.kind = def->kind,
                   .alive = true,
                   .index = index,
                   .first_shape = -1,
                   .rotation_locked = def->rotation_locked,
                   .motion = def->motion,
                   .motion_context = def->motion_context};
  body->position = def->pose.position;
  body->orientation = quat_unit(def->pose.orientation);
  rgBodyRecord* record = &world->body_records[index];
  record->def = *def;
  record->def.name = NULL;
  snprintf(record->name, sizeof record->name, "%s", def->name ? def->name : "");
  if (def->motion && def->kind == RG_BODY_KINEMATIC) {
    rgPose start = rg_plane_flatten(world, def->motion(world->time, def->motion_context));
    body->position = start.position;
    body->orientation = start.orientation;
  }
  for (int i = 0, shape_slot; i < shape_count && status == RG_OK; i++)
    status = attach_shape(world, slot, &shapes[i], &shape_slot, &world->message);
  if (status == RG_OK)
    status = update_mass(world, slot, &world->message);
  body = &world->bodies[slot];
  if (status != RG_OK) {
    while (body->first_shape >= 0)
      detach_shape(world, body->first_shape);
    body->alive = false;
    return status;
  }
  body->velocity = def->velocity;
  body->generation = world->next_generation++;
  world->slot_of_body[index] = slot;
  if (index == world->body_slots)
    world->body_slots++;
  world->kinematic_count += body->kind == RG_BODY_KINEMATIC;
  int at = world->body_count++;
  for (; at > 0 && world->living[at - 1] > index; at--)
    world->living[at] = world->living[at - 1];
  world->living[at] = index;
  world->contacts_stale = true;
  *id = rg_body_id(world, slot);
  return RG_OK;
}

rgStatus rg_world_remove_body(rgWorld* world, rgBodyId id) {
  rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  while (body->first_shape >= 0) {
    drop_contacts_of_shape(world, body->first_shape);
    detach_shape(world, body->first_shape);
  }
  rg_world_remove_forces_of(world, rg_slot_of(world, body));
  rg_world_remove_joints_of(world, rg_slot_of(world, body));
  int kept = 0;
  for (int i = 0; i < world->no_collision_count; i++) {
    uint64_t key = world->no_collision[i];
    if ((uint32_t)(key >> 32) != id.index && (uint32_t)key != id.index)
      world->no_collision[kept++] = key;
  }
  world->no_collision_count = kept;
  body->alive = false;
  int at = 0;
  while (world->living[at] != (int)id.index)
    at++;
  world->body_count--;
  world->kinematic_count -= body->kind == RG_BODY_KINEMATIC;
  for (; at < world->body_count; at++)
    world->living[at] = world->living[at + 1];
  world->problems_valid = false;
  world->contacts_stale = true;
  return RG_OK;
}

rgStatus rg_world_add_shape(rgWorld* world, rgBodyId id, const rgShapeDef* def, rgShapeId* out) {
  *out = (rgShapeId){0, 0};
  const rgBody* body = rg_world_body_slot(world, id);
  if (!body)
    return no_body(world, id);
  int slot, body_slot = rg_slot_of(world, body);
  rgStatus status = attach_shape(world, body_slot, def, &slot, &world->message);
  if (status != RG_OK)
    return status;
  status = update_mass(world, body_slot, &world->message);
  if (status != RG_OK) {
    detach_shape(world, slot);
    return status;
  }
  world->contacts_stale = true;
  *out = rg_shape_id(world, slot);
  return RG_OK;
}

rgStatus rg_world_remove_shape(rgWorld* world, rgShapeId id) {
  const rgWorldShape* shape = shape_slot(world, id);
  if (!shape)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "there is no such shape");
  int slot = (int)(shape - world->shapes), body = shape->body;
  double* in_body = &world->shape_masses[id.index].mass;
  double mass = *in_body;
  *in_body = 0; // as if it were gone, to see whether the body can live without it
  rgStatus status = update_mass(world, body, &world->message);
  if (status != RG_OK) {
    *in_body = mass;
    return status;
  }
  drop_contacts_of_shape(world, slot);
  detach_shape(world, slot);
  return update_mass(world, body, &world->message);
}

int rg_world_body_count(const rgWorld* world) { return world->body_count; }

rgBodyId rg_world_body(const rgWorld* world, int index) {
  if (index < 0 || index >= world->body_count)
    return (rgBodyId){0, 0};
  return rg_body_id(world, world->slot_of_body[world->living[index]]);
}

rgBodyId rg_world_find_body(const rgWorld* world, const char* name) {
  if (!name || !name[0])
    return (rgBodyId){0, 0};
  for (int i = 0; i < world->body_count; i++)
    if (strcmp(world->body_records[world->living[i]].name, name) == 0)
      return rg_world_body(world, i);
  return (rgBodyId){0, 0};
}

bool rg_body_valid(const rgWorld* world, rgBodyId id) {
  return rg_world_body_slot(world, id) != NULL;
}

const char* rg_body_name(const rgWorld* world, rgBodyId id) {
  return rg_body_valid(world, id) ? world->body_records[id.index].name : "";
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
  world->contacts_stale = world->joints_stale = true;
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
  body->velocity = velocity;
  world->contacts_stale = world->joints_stale = true;
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
  const rgBody *one = rg_world_body_slot(world, a), *other = rg_world_body_slot(world, b);
  if (!one || !other)
    return no_body(world, one ? b : a);
  uint64_t key = rg_body_pair_key(world, rg_slot_of(world, one), rg_slot_of(world, other));
  int at = 0;
  while (at < world->no_collision_count && world->no_collision[at] < key)
    at++;
  bool found = at < world->no_collision_count && world->no_collision[at] == key;
  if (found == !on)
    return RG_OK;
  uint64_t* keys = world->no_collision;
  if (on) {
    memmove(keys + at, keys + at + 1, (size_t)(world->no_collision_count - at - 1) * sizeof *keys);
    world->no_collision_count--;
  } else {
    if (!RG_WORLD_RESERVE(world, no_collision, world->no_collision_count + 1))
      return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for a collision filter");
    keys = world->no_collision;
    memmove(keys + at + 1, keys + at, (size_t)(world->no_collision_count - at) * sizeof *keys);
    keys[at] = key;
    world->no_collision_count++;
  }
  world->contacts_stale = true;
  return RG_OK;
}
