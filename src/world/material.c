// material.c - materials and the law that holds between two of them.
#include "base/message.h"
#include "world/world.h"

rgMaterial rg_material_default(void) {
  return (rgMaterial){.mu = 0.5, .restitution = 0, .e_t = 1, .e_o = 1};
}

static rgStatus check(const rgMaterial* m, rgMessage* message) {
  if (!(m->mu >= 0 && isfinite(m->mu)))
    return rg_fail(message, RG_ERROR_INPUT, "mu is %g, must be >= 0", m->mu);
  if (!(m->restitution >= 0 && m->restitution <= 1))
    return rg_fail(message, RG_ERROR_INPUT, "restitution is %g, must be >= 0 and <= 1",
                   m->restitution);
  if (!(m->e_t > 0 && isfinite(m->e_t)))
    return rg_fail(message, RG_ERROR_INPUT, "e_t is %g, must be > 0", m->e_t);
  if (!(m->e_o > 0 && isfinite(m->e_o)))
    return rg_fail(message, RG_ERROR_INPUT, "e_o is %g, must be > 0", m->e_o);
  if (!(m->e_tau >= 0 && isfinite(m->e_tau)))
    return rg_fail(message, RG_ERROR_INPUT, "e_tau is %g, must be >= 0", m->e_tau);
  if (!v3_finite(m->direction))
    return rg_fail(message, RG_ERROR_INPUT, "direction is not finite");
  return RG_OK;
}

static double mean(double a, double b) { return a == b ? a : sqrt(a * b); }

static rgLaw combine(const rgMaterial* a, const rgMaterial* b) {
  rgLaw law = {.material = {.mu = mean(a->mu, b->mu),
                            .restitution = mean(a->restitution, b->restitution),
                            .e_t = mean(a->e_t, b->e_t),
                            .e_o = mean(a->e_o, b->e_o),
                            .e_tau = mean(a->e_tau, b->e_tau)}};
  if (v3_norm2(a->direction) > 0) {
    law.material.direction = a->direction;
    law.direction_side = 1;
    law.contested = v3_norm2(b->direction) > 0;
  } else if (v3_norm2(b->direction) > 0) {
    law.material.direction = b->direction;
    law.direction_side = 2;
  }
  return law;
}

bool rg_world_build_laws(rgWorld* world) {
  rgLaws* laws = &world->laws;
  int n = laws->material_count;
  if (!RG_SET_RESERVE(world, laws, table, n * n))
    return false;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      laws->table[a * n + b] = combine(&laws->materials[a], &laws->materials[b]);
  for (int i = 0; i < laws->pair_count; i++) {
    int a = laws->pairs[i].a, b = laws->pairs[i].b;
    const rgMaterial* material = &laws->pairs[i].material;
    bool directed = v3_norm2(material->direction) > 0;
    laws->table[b * n + a] = (rgLaw){*material, directed ? 2 : 0, false};
    laws->table[a * n + b] = (rgLaw){*material, directed ? 1 : 0, directed && a == b};
  }
  return true;
}

static const rgLaw* law_of(const rgLaws* laws, int a, int b) {
  return &laws->table[a * laws->material_count + b];
}

const rgLaw* rg_world_law(const rgWorld* world, const rgWorldContact* contact) {
  return law_of(&world->laws, contact->material_a, contact->material_b);
}

rgVec3 rg_world_friction_direction(const rgWorld* world, const rgWorldContact* contact,
                                   const rgLaw* law) {
  if (law->direction_side == 0)
    return v3_zero();
  int side = law->direction_side;
  rgVec3 direction = law->material.direction;
  if (law->contested &&
      world->shapes[contact->shape_b].index < world->shapes[contact->shape_a].index) {
    side = 2;
    direction = law_of(&world->laws, contact->material_b, contact->material_a)->material.direction;
  }
  int body = side == 1 ? contact->body_a : contact->body_b;
  return quat_rotate(world->bodies[body].orientation, direction);
}

rgStatus rg_world_add_material(rgWorld* world, const rgMaterial* material, int* index) {
  world->ids.edits++;
  rgStatus status = check(material, &world->message);
  if (status != RG_OK)
    return status;
  rgLaws* laws = &world->laws;
  int count = laws->material_count;
  if (!RG_SET_RESERVE(world, laws, materials, count + 1) ||
      !RG_SET_RESERVE(world, laws, table, (count + 1) * (count + 1)))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a material");
  laws->materials[count] = *material;
  laws->material_count = count + 1;
  rg_world_build_laws(world);
  *index = count;
  return RG_OK;
}

rgStatus rg_world_set_material(rgWorld* world, int index, const rgMaterial* material) {
  world->ids.edits++;
  rgStatus status = check(material, &world->message);
  if (status != RG_OK)
    return status;
  if (index < 0 || index >= world->laws.material_count)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "material %d does not exist, must be 0 .. %d",
                         index, world->laws.material_count - 1);
  world->laws.materials[index] = *material;
  rg_world_build_laws(world);
  world->unchecked = true;
  rg_world_wake(world);
  return RG_OK;
}

rgStatus rg_world_set_pair_material(rgWorld* world, int a, int b, const rgMaterial* pair) {
  world->ids.edits++;
  rgStatus status = check(pair, &world->message);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < 2; i++) {
    int index = i == 0 ? a : b;
    if (index < 0 || index >= world->laws.material_count)
      return rg_world_fail(world, RG_ERROR_NOT_FOUND, "material %d does not exist, must be 0 .. %d",
                           index, world->laws.material_count - 1);
  }
  rgLaws* laws = &world->laws;
  int at = 0;
  while (at < laws->pair_count && !(laws->pairs[at].a == a && laws->pairs[at].b == b) &&
         !(laws->pairs[at].a == b && laws->pairs[at].b == a))
    at++;
  if (!RG_SET_RESERVE(world, laws, pairs, at + 1))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a pair of materials");
  laws->pairs[at] = (rgPairMaterial){a, b, *pair};
  if (at == laws->pair_count)
    laws->pair_count++;
  rg_world_build_laws(world);
  world->unchecked = true;
  rg_world_wake(world);
  return RG_OK;
}
