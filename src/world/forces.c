// forces.c - adding and removing forces.
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

// Bytes of a copied table: times, then wrenches.
static size_t table_size(const rgForceDef* def) {
  return def->kind == RG_FORCE_TABLE ? (size_t)def->row_count * (sizeof(double) + sizeof(rgWrench))
                                     : 0;
}

static bool copy_table(const rgAllocator* allocator, rgForceDef* def) {
  size_t size = table_size(def);
  if (size == 0)
    return true;
  char* copy = rg_allocate(allocator, size);
  if (!copy)
    return false;
  size_t wrenches = (size_t)def->row_count * sizeof(rgWrench);
  memcpy(copy, def->wrenches, wrenches);
  memcpy(copy + wrenches, def->times, size - wrenches);
  def->wrenches = (const rgWrench*)(const void*)copy;
  def->times = (const double*)(const void*)(copy + wrenches);
  return true;
}

rgStatus rg_world_add_force(rgWorld* world, const rgForceDef* def, rgForceId* id) {
  *id = (rgForceId){0, 0};
  const rgForceInfo* info = rg_force_info(def->kind);
  if (!info)
    return rg_world_fail(world, RG_ERROR_INPUT, "force kind %d does not exist", (int)def->kind);
  rgStatus status = info->check(def, &world->message);
  if (status == RG_OK)
    status = rg_plane_force(world, def, &world->message);
  if (status != RG_OK)
    return status;
  const rgBody* body = rg_world_body_slot(world, def->body);
  if (!body)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "a force acts on a body that does not exist");
  if (body->kind != RG_BODY_DYNAMIC)
    return rg_world_fail(world, RG_ERROR_INPUT, "a force acts on a body that is not dynamic");
  if (def->at_point && !v3_finite(def->point))
    return rg_world_fail(world, RG_ERROR_INPUT, "the point of the force is not finite");
  int slot = 0;
  while (slot < world->force_slots && world->forces[slot].alive)
    slot++;
  rgForceDef copy = *def;
  if (!RG_WORLD_RESERVE(world, forces, slot + 1) || !copy_table(&world->allocator, &copy))
    return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for a force");
  world->forces[slot] = (rgForce){copy, world->next_generation++, true};
  if (slot == world->force_slots)
    world->force_slots++;
  *id = (rgForceId){(uint32_t)slot, world->forces[slot].generation};
  return RG_OK;
}

rgStatus rg_world_remove_force(rgWorld* world, rgForceId id) {
  bool exists = id.index < (uint32_t)world->force_slots && world->forces[id.index].alive &&
                world->forces[id.index].generation == id.generation;
  if (!exists)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "there is no such force");
  rgForce* force = &world->forces[id.index];
  rg_release(&world->allocator, (void*)(uintptr_t)force->def.wrenches, table_size(&force->def));
  *force = (rgForce){0};
  return RG_OK;
}
