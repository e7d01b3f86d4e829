// query.c - what can be read of a world between steps: energy, momentum, contacts.
#include "base/hash.h"
#include "base/memory.h"
#include "world/world.h"

rgEnergy rg_world_body_energy(const rgWorld* world, int slot) {
  const rgBody* body = &world->bodies[slot];
  rg_body_prefetch_state(world->bodies, slot, world->body_slots);
  rg_prefetch_line(&world->bodies[rg_ahead(slot, RG_SLOTS_AHEAD, world->body_slots)].mass);
  if (!body->alive || body->kind != RG_BODY_DYNAMIC)
    return (rgEnergy){0, 0};
  return (rgEnergy){.kinetic = 0.5 * body->mass * v3_norm2(body->velocity.linear) +
                               0.5 * v3_dot(body->velocity.angular, rg_body_angular_momentum(body)),
                    .potential = -body->mass * v3_dot(world->options.gravity, body->position)};
}

rgEnergy rg_world_energy_with(const rgWorld* world, rgEnergy bodies, double springs) {
  rgEnergy energy = bodies;
  energy.kinetic += rg_world_rotor_energy(world);
  energy.potential += rg_world_force_potential(world) + springs;
  return energy;
}

rgEnergy rg_world_energy(const rgWorld* world) {
  rgEnergy bodies = {0, 0};
  for (int i = 0; i < world->body_slots; i++) {
    rgEnergy own = rg_world_body_energy(world, i);
    bodies.kinetic += own.kinetic;
    bodies.potential += own.potential;
  }
  return rg_world_energy_with(world, bodies, rg_world_joint_potential(world));
}

rgTwist rg_world_momentum(const rgWorld* world) {
  rgTwist sum = {v3_zero(), v3_zero()};
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (!body->alive || body->kind != RG_BODY_DYNAMIC)
      continue;
    rgVec3 linear = v3_scale(body->velocity.linear, body->mass);
    rgVec3 angular = v3_add(rg_body_angular_momentum(body), v3_cross(body->position, linear));
    sum.linear = v3_add(sum.linear, linear);
    sum.angular = v3_add(sum.angular, angular);
  }
  return sum;
}

int rg_world_contact_count(const rgWorld* world) { return rg_world_kept_count(world); }

rgStatus rg_world_contact(const rgWorld* world, int index, rgContact* out) {
  if (index < 0 || index >= rg_world_kept_count(world))
    return RG_ERROR_NOT_FOUND;
  const rgWorldContact* contact = rg_world_kept_contact(world, index);
  *out = (rgContact){
      .body_a = rg_body_id(world, contact->body_a),
      .body_b = rg_body_id(world, contact->body_b),
      .shape_a = rg_shape_id(world, contact->shape_a),
      .shape_b = rg_shape_id(world, contact->shape_b),
      .point = v3_scale(v3_add(contact->point_a, contact->point_b), 0.5),
      .normal = contact->normal,
      .gap = contact->gap,
      .impulse = contact->impulse,
      .torsion = contact->torsion,
      .material_a = contact->material_a,
      .material_b = contact->material_b,
  };
  return RG_OK;
}

rgStepCounts rg_world_counts(const rgWorld* world) {
  rgStepCounts counts = world->counts;
  counts.memory = world->memory.bytes;
  return counts;
}

uint64_t rg_world_hash(const rgWorld* world) {
  uint64_t hash = rg_hash_bytes(RG_HASH_START, &world->time, sizeof world->time);
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    if (!body->alive)
      continue;
    hash = rg_hash_bytes(hash, &body->position, sizeof body->position);
    hash = rg_hash_bytes(hash, &body->orientation, sizeof body->orientation);
    hash = rg_hash_bytes(hash, &body->velocity, sizeof body->velocity);
  }
  return hash;
}
