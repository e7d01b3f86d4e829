// forces.c - adding and removing forces.
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

// Bytes of the copied tables: times, then wrenches or points.
static size_t table_size(const rgForceDef* def) {
  size_t row = def->wrenches ? sizeof(rgWrench) : def->path ? sizeof(rgVec3) : 0;
  return row ? (size_t)def->row_count * (sizeof(double) + row) : 0;
}

static bool copy_table(const rgAllocator* allocator, rgForceDef* def) {
  if (def->kind != RG_FORCE_TABLE)
    def->wrenches = NULL;
  if (def->kind != RG_FORCE_ATTRACTOR)
    def->path = NULL;
  size_t size = table_size(def);
  if (size == 0) { // nothing of the caller's is kept
    def->times = NULL;
    def->row_count = 0;
    return true;
  }
  char* copy = rg_allocate(allocator, size);
  if (!copy)
    return false;
  size_t times = (size_t)def->row_count * sizeof(double), rows = size - times;
  const void* from = def->wrenches ? (const void*)def->wrenches : (const void*)def->path;
  memcpy(copy, def->times, times);
  memcpy(copy + times, from, rows);
  def->times = (const double*)(const void*)copy;
  if (def->wrenches)
    def->wrenches = (const rgWrench*)(const void*)(copy + times);
  else
    def->path = (const rgVec3*)(const void*)(copy + times);
  return true;
}

static void release_table(const rgAllocator* allocator, const rgForceDef* def) {
  rg_release(allocator, (void*)(uintptr_t)def->times, table_size(def));
}

// The slots of the bodies of a force on several; nothing of the caller's array is kept.
static rgStatus find_several(rgWorld* world, rgForce* force) {
  rgForceDef* def = &force->def;
  for (int i = 0; i < def->body_count; i++) {
    const rgBody* body = rg_world_body_slot(world, def->bodies[i]);
    if (!body)
      return rg_world_fail(world, RG_ERROR_NOT_FOUND, "body %d of a force does not exist", i);
    if (body->kind != RG_BODY_DYNAMIC)
      return rg_world_fail(world, RG_ERROR_INPUT, "body %d of a force is not dynamic", i);
    force->bodies[i] = rg_slot_of(world, body);
    for (int k = 0; k < i; k++)
      if (force->bodies[k] == force->bodies[i])
        return rg_world_fail(world, RG_ERROR_INPUT,
                             "bodies %d and %d of a force are the same, must be different ones", k,
                             i);
  }
  force->body_count = def->body_count;
  force->body = force->bodies[0];
  force->other = force->bodies[1];
  def->body = def->bodies[0];
  def->other = def->bodies[1];
  def->bodies = NULL;
  return RG_OK;
}

// The slots of the bodies it acts on.
static rgStatus find_bodies(rgWorld* world, const rgForceInfo* info, rgForce* force) {
  const rgForceDef* def = &force->def;
  force->body = force->other = -1;
  if (def->kind == RG_FORCE_CALLBACK && def->system)
    return find_several(world, force);
  bool all = info->everywhere && def->body.generation == 0;
  if (!all) {
    const rgBody* body = rg_world_body_slot(world, def->body);
    if (!body)
      return rg_world_fail(world, RG_ERROR_NOT_FOUND, "a force acts on a body that does not exist");
    if (body->kind != RG_BODY_DYNAMIC)
      return rg_world_fail(world, RG_ERROR_INPUT, "a force acts on a body that is not dynamic");
    force->body = rg_slot_of(world, body);
  }
  if (!info->couples || def->other.generation == 0)
    return RG_OK;
  const rgBody* other = rg_world_body_slot(world, def->other);
  if (!other)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "the other body of a %s does not exist",
                         info->name);
  force->other = rg_slot_of(world, other);
  if (force->other == force->body)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "a %s acts between a body and itself, must be two bodies", info->name);
  return RG_OK;
}

// Lengths and orientations that are taken as they are when the force is added.
static void measure_rest(const rgWorld* world, rgForce* force) {
  rgForceView view = rg_world_force_view(world, force, 0);
  if (force->def.kind == RG_FORCE_SPRING && force->def.rest < 0)
    force->def.rest = v3_norm(v3_sub(pose_apply(view.a.frame, force->def.point),
                                     pose_apply(view.b.frame, force->def.other_point)));
  force->rest = quat_mul(quat_conj(view.a.frame.orientation), view.b.frame.orientation);
}

static rgForceSide side_of(const rgWorld* world, int slot) {
  rgForceSide side = {.frame = pose_identity()};
  if (slot < 0)
    return side;
  const rgBody* body = &world->bodies[slot];
  return (rgForceSide){rg_body_frame(body), body->position, body->velocity, body->extent};
}

rgForceView rg_world_force_view(const rgWorld* world, const rgForce* force, double h) {
  return (rgForceView){world->time, h, side_of(world, force->body), side_of(world, force->other)};
}

rgForceSystemView rg_world_force_system_view(const rgWorld* world, const rgForce* force, double h) {
  rgForceSystemView view = {.time = world->time, .h = h, .count = force->body_count};
  for (int i = 0; i < view.count; i++)
    view.sides[i] = side_of(world, force->bodies[i]);
  return view;
}

// A force is in the lists of its bodies as the member SIDES slot + side.
enum { SIDES = RG_FORCE_BODIES_MAX };

// Makes room for the forces in the slots 0 .. limit - 1.
static bool reserve_force(rgWorld* world, int limit) {
  return RG_WORLD_RESERVE(world, forces, limit) &&
         rg_slots_reserve(&world->allocator, &world->books.forces, limit) &&
         limit <= INT32_MAX / SIDES &&
         rg_links_reserve(&world->allocator, &world->books.force_links, SIDES / 2 * limit);
}

// Head of the list of forces of a body of the force, NULL where it has none.
static int* list_of(rgWorld* world, const rgForce* force, int side) {
  int slot = side < force->body_count ? force->bodies[side]
             : force->body_count > 0  ? -1
             : side == 0              ? force->body
             : side == 1              ? force->other
                                      : -1;
  return slot < 0 ? NULL : &world->ids.body_records[world->bodies[slot].index].first_force;
}

rgStatus rg_world_add_force(rgWorld* world, const rgForceDef* def, rgForceId* id) {
  world->ids.edits++;
  rgForceId unwanted;
  id = id ? id : &unwanted;
  *id = (rgForceId){0, 0};
  const rgForceInfo* info = rg_force_info(def->kind);
  if (!info)
    return rg_world_fail(world, RG_ERROR_INPUT, "force kind %d does not exist", (int)def->kind);
  rgStatus status = info->check(def, &world->message);
  if (status == RG_OK)
    status = rg_plane_force(world, def, &world->message);
  if (status != RG_OK)
    return status;
  if (def->at_point && !v3_finite(def->point))
    return rg_world_fail(world, RG_ERROR_INPUT, "the point of the force is not finite");
  rgForce force = {.def = *def, .alive = true};
  status = find_bodies(world, info, &force);
  if (status != RG_OK)
    return status;
  int slot = rg_slots_lowest_free(&world->books.forces);
  if (!reserve_force(world, slot + 1) || !copy_table(&world->allocator, &force.def))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a force");
  measure_rest(world, &force);
  force.generation = world->ids.next_generation++;
  world->forces[slot] = force;
  rg_slots_take(&world->books.forces, slot);
  for (int side = 0; side < SIDES; side++) {
    int* head = list_of(world, &force, side);
    if (head)
      rg_links_add(&world->books.force_links, head, SIDES * slot + side);
  }
  if (slot == world->force_slots)
    world->force_slots++;
  *id = (rgForceId){(uint32_t)slot, force.generation};
  return RG_OK;
}

static rgForce* force_slot(rgWorld* world, rgForceId id) {
  bool exists = id.index < (uint32_t)world->force_slots && world->forces[id.index].alive &&
                world->forces[id.index].generation == id.generation;
  return exists ? &world->forces[id.index] : NULL;
}

rgStatus rg_world_remove_force(rgWorld* world, rgForceId id) {
  world->ids.edits++;
  rgForce* force = force_slot(world, id);
  if (!force)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "there is no such force");
  for (int side = 0; side < SIDES; side++) {
    int* head = list_of(world, force, side);
    if (head)
      rg_links_remove(&world->books.force_links, head, SIDES * (int)id.index + side);
  }
  rg_slots_give(&world->books.forces, (int)id.index);
  release_table(&world->allocator, &force->def);
  *force = (rgForce){0};
  return RG_OK;
}

rgStatus rg_force_set_attractor(rgWorld* world, rgForceId id, rgVec3 center, double strength) {
  rgForce* force = force_slot(world, id);
  if (!force)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "there is no such force");
  if (force->def.kind != RG_FORCE_ATTRACTOR)
    return rg_world_fail(world, RG_ERROR_INPUT, "the force is a %s, must be an attractor",
                         rg_force_kind_name(force->def.kind));
  if (!v3_finite(center) || !isfinite(strength))
    return rg_world_fail(world, RG_ERROR_INPUT, "center or strength of an attractor is not finite");
  rgStatus status = rg_plane_vector(world, center, "center", &world->message);
  if (status != RG_OK)
    return status;
  release_table(&world->allocator, &force->def);
  force->def.path = NULL;
  force->def.times = NULL;
  force->def.row_count = 0;
  force->def.center = center;
  force->def.strength = strength;
  world->user.commands++;
  if (force->body >= 0)
    rg_world_wake_body(world, force->body);
  else
    rg_world_wake(world);
  return RG_OK;
}

void rg_world_remove_forces_of(rgWorld* world, int body_slot) {
  const int* head = &world->ids.body_records[world->bodies[body_slot].index].first_force;
  while (*head >= 0) {
    int slot = *head / SIDES;
    rg_world_remove_force(world, (rgForceId){(uint32_t)slot, world->forces[slot].generation});
  }
}

double rg_world_force_potential(const rgWorld* world) {
  double sum = 0;
  for (int i = 0; i < world->force_slots; i++) {
    const rgForce* force = &world->forces[i];
    const rgForceInfo* info = force->alive ? rg_force_info(force->def.kind) : NULL;
    if (!info || !info->terms)
      continue;
    rgForceView view = rg_world_force_view(world, force, 0);
    rgForceTerm terms[RG_FORCE_TERM_MAX];
    int count = info->terms(force, &view, terms);
    for (int k = 0; k < count; k++)
      sum += 0.5 * terms[k].stiffness * terms[k].stretch * terms[k].stretch;
  }
  return sum;
}
