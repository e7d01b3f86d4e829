// view.c - a world as a whole: its state in arrays, its materials and its forces.
#include "world/world.h"
#include <rigor/view.h>

// -------------------------------------------------------------------------------------------------
// State
// -------------------------------------------------------------------------------------------------

// How many of `count` items have room.
static int within(int count, int capacity) { return count < capacity ? count : capacity; }

int rg_world_bodies(const rgWorld* world, rgBodyId* ids, int capacity) {
  int count = rg_world_body_count(world), room = within(count, capacity);
  for (int i = 0; i < room; i++)
    ids[i] = rg_world_body(world, i);
  return count;
}

int rg_world_poses(const rgWorld* world, rgPose* poses, int capacity) {
  int count = rg_world_body_count(world), room = within(count, capacity);
  for (int i = 0; i < room; i++)
    poses[i] = rg_body_pose(world, rg_world_body(world, i));
  return count;
}

int rg_world_velocities(const rgWorld* world, rgTwist* velocities, int capacity) {
  int count = rg_world_body_count(world), room = within(count, capacity);
  for (int i = 0; i < room; i++)
    velocities[i] = rg_body_velocity(world, rg_world_body(world, i));
  return count;
}

int rg_world_contacts(const rgWorld* world, rgContact* contacts, int capacity) {
  int count = rg_world_contact_count(world), room = within(count, capacity);
  for (int i = 0; i < room; i++)
    rg_world_contact(world, i, &contacts[i]);
  return count;
}

rgStatus rg_world_find_contacts(rgWorld* world) {
  return rg_world_detect(world, world->options.step);
}

// -------------------------------------------------------------------------------------------------
// Materials
// -------------------------------------------------------------------------------------------------

int rg_world_material_count(const rgWorld* world) { return world->laws.material_count; }

static bool is_material(const rgWorld* world, int index) {
  return index >= 0 && index < world->laws.material_count;
}

rgStatus rg_world_material(const rgWorld* world, int index, rgMaterial* material) {
  if (!is_material(world, index))
    return RG_ERROR_NOT_FOUND;
  *material = world->laws.materials[index];
  return RG_OK;
}

rgStatus rg_world_pair_material(const rgWorld* world, int index_a, int index_b, rgMaterial* pair) {
  if (!is_material(world, index_a) || !is_material(world, index_b))
    return RG_ERROR_NOT_FOUND;
  *pair = world->laws.table[index_a * world->laws.material_count + index_b].material;
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Forces
// -------------------------------------------------------------------------------------------------

int rg_world_forces(const rgWorld* world, rgForceId* ids, int capacity) {
  int count = 0;
  for (int i = 0; i < world->force_slots; i++) {
    if (!world->forces[i].alive)
      continue;
    if (count < capacity)
      ids[count] = (rgForceId){(uint32_t)i, world->forces[i].generation};
    count++;
  }
  return count;
}

rgStatus rg_force_state(const rgWorld* world, rgForceId id, rgForceState* state) {
  if (id.index >= (uint32_t)world->force_slots)
    return RG_ERROR_NOT_FOUND;
  const rgForce* force = &world->forces[id.index];
  if (!force->alive || force->generation != id.generation)
    return RG_ERROR_NOT_FOUND;
  const rgForceDef* def = &force->def;
  rgForceView view = rg_world_force_view(world, force, 0);
  rgVec3 acts = def->at_point ? pose_apply(view.a.frame, def->point) : view.a.center;
  *state = (rgForceState){.kind = def->kind,
                          .body = def->body,
                          .other = def->other,
                          .from = acts,
                          .to = acts,
                          .strength = def->strength,
                          .stiffness = def->stiffness,
                          .damping = def->kind == RG_FORCE_DRAG ? def->drag : def->damping};
  if (def->kind == RG_FORCE_SPRING) {
    state->from = pose_apply(view.a.frame, def->point);
    state->to = pose_apply(view.b.frame, def->other_point);
  } else if (def->kind == RG_FORCE_ATTRACTOR) {
    state->from = state->to = rg_attractor_center(def, world->time);
  }
  return RG_OK;
}
