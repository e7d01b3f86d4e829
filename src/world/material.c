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
  int n = world->material_count;
  if (!RG_WORLD_RESERVE(world, laws, n * n))
    return false;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      world->laws[a * n + b] = combine(&world->materials[a], &world->materials[b]);
  for (int i = 0; i < world->pair_material_count; i++) {
    int a = world->pair_materials[i].a, b = world->pair_materials[i].b;
    const rgMaterial* material = &world->pair_materials[i].material;
    bool directed = v3_norm2(material->direction) > 0;
    world->laws[b * n + a] = (rgLaw){*material, directed ? 2 : 0, false};
    world->laws[a * n + b] = (rgLaw){*material, directed ? 1 : 0, directed && a == b};
  }
  return true;
}

const rgLaw* rg_world_law(const rgWorld* world, const rgWorldContact* contact) {
  return &world->laws[contact->material_a * world->material_count + contact->material_b];
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
    direction = world->laws[contact->material_b * world->material_count + contact->material_a]
                    .material.direction;
  }
  int body = side == 1 ? contact->body_a : contact->body_b;
  return quat_rotate(world->bodies[body].orientation, direction);
}

rgStatus rg_world_add_material(rgWorld* world, const rgMaterial* material, int* index) {
  rgStatus status = check(material, &world->message);
  if (status != RG_OK)
    return status;
  int count = world->material_count;
  if (!RG_WORLD_RESERVE(world, materials, count + 1) ||
      !RG_WORLD_RESERVE(world, laws, (count + 1) * (count + 1)))
    return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for a material");
  world->materials[count] = *material;
  world->material_count = count + 1;
  rg_world_build_laws(world);
  *index = count;
  return RG_OK;
}

rgStatus rg_world_set_material(rgWorld* world, int index, const rgMaterial* material) {
  rgStatus status = check(material, &world->message);
  if (status != RG_OK)
    return status;
  if (index < 0 || index >= world->material_count)
    return rg_world_fail(world, RG_ERROR_NOT_FOUND, "material %d does not exist, must be 0 .. %d",
                         index, world->material_count - 1);
  world->materials[index] = *material;
  rg_world_build_laws(world);
  return RG_OK;
}

rgStatus rg_world_set_pair_material(rgWorld* world, int a, int b, const rgMaterial* pair) {
  rgStatus status = check(pair, &world->message);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < 2; i++) {
    int index = i == 0 ? a : b;
    if (index < 0 || index >= world->material_count)
      return rg_world_fail(world, RG_ERROR_NOT_FOUND, "material %d does not exist, must be 0 .. %d",
                           index, world->material_count - 1);
  }
  int at = 0;
  while (at < world->pair_material_count &&
         !(world->pair_materials[at].a == a && world->pair_materials[at].b == b) &&
         !(world->pair_materials[at].a == b && world->pair_materials[at].b == a))
    at++;
  if (!RG_WORLD_RESERVE(world, pair_materials, at + 1))
    return rg_world_fail(world, RG_ERROR_MEMORY, "no memory for a pair of materials");
  world->pair_materials[at].a = a;
  world->pair_materials[at].b = b;
  world->pair_materials[at].material = *pair;
  if (at == world->pair_material_count)
    world->pair_material_count++;
  rg_world_build_laws(world);
  return RG_OK;
}
