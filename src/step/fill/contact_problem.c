// contact_problem.c - from contacts and free motions to the discrete problem, and back.
//
// The frame of a contact is (n, t, o) with t along the material's friction direction where there is
// one, otherwise fixed by n alone. Where an impulse acts while the gap is still open: on the
// surface of a body against ground, so that the spin an oblique impact gives does not depend on how
// far ahead of touching it is solved; halfway between two bodies that both move, so that no couple
// is made of nothing. Ground enters through the bias: u = H' v - (velocity of the ground) + normal
// bias.
#include "step/step.h"

#include "base/prefetch.h"

#include <string.h>

static const rgTwist* twist_of(const rgBody* body, rgVelocityKind kind) {
  switch (kind) {
  case RG_VELOCITY_START:
    return &body->start_velocity;
  case RG_VELOCITY_FREE:
    return &body->v_free;
  default:
    return &body->velocity;
  }
}

static rgVec3 point_velocity(const rgBody* body, rgVelocityKind kind, rgVec3 point) {
  const rgTwist* twist = twist_of(body, kind);
  return v3_add(twist->linear, v3_cross(twist->angular, v3_sub(point, body->position)));
}

// Where the impulse acts on A (side 0) or B (side 1).
static rgVec3 acting_point(const rgWorld* world, const rgWorldContact* contact, int side) {
  bool both = world->bodies[contact->body_a].kind == RG_BODY_DYNAMIC &&
              world->bodies[contact->body_b].kind == RG_BODY_DYNAMIC;
  if (both)
    return v3_scale(v3_add(contact->point_a, contact->point_b), 0.5);
  return side == 0 ? contact->point_a : contact->point_b;
}

rgVec3 rg_world_contact_velocity(const rgWorld* world, const rgWorldContact* contact,
                                 rgVelocityKind kind) {
  return v3_sub(
      point_velocity(&world->bodies[contact->body_a], kind, acting_point(world, contact, 0)),
      point_velocity(&world->bodies[contact->body_b], kind, acting_point(world, contact, 1)));
}

double rg_contact_spin(const rgWorld* world, const rgWorldContact* contact, rgVelocityKind kind) {
  rgVec3 a = twist_of(&world->bodies[contact->body_a], kind)->angular,
         b = twist_of(&world->bodies[contact->body_b], kind)->angular;
  return v3_dot(contact->normal, v3_sub(a, b));
}

// Tangents: along the friction direction if there is one and it is not along n.
static void choose_frame(const rgWorld* world, const rgWorldContact* contact, const rgLaw* law,
                         rgProblemContact* out) {
  out->n = contact->normal;
  if (world->dimension == 2) { // the one direction of friction lies in the plane
    out->t = v3(-out->n.y, out->n.x, 0);
    out->o = v3(0, 0, 1);
    return;
  }
  v3_frame(out->n, &out->t, &out->o);
  if (law->direction_side == 0)
    return;
  rgVec3 across = v3_cross(out->n, rg_world_friction_direction(world, contact, law));
  if (v3_norm2(across) == 0)
    return;
  out->o = v3_unit_or(across, out->o);
  out->t = v3_cross(out->o, out->n);
}

static void choose_cone(const rgOptions* options, const rgMaterial* material,
                        rgProblemContact* out) {
  out->mu = material->mu;
  out->e_t = material->e_t;
  out->e_o = material->e_o;
  out->e_tau = material->e_tau;
  out->facets = options->facets;
  bool isotropic = material->e_t == 1 && material->e_o == 1 && material->e_tau == 0;
  if (material->mu == 0 || strcmp(options->cone, "frictionless") == 0)
    out->cone = RG_CONE_FRICTIONLESS;
  else if (strcmp(options->cone, "inner") == 0)
    out->cone = RG_CONE_INNER;
  else if (strcmp(options->cone, "outer") == 0)
    out->cone = RG_CONE_OUTER;
  else
    out->cone = isotropic ? RG_CONE_DISK : RG_CONE_ELLIPSOID;
}

// Minus the velocity that bodies outside the problem have at the contact.
static void add_ground_velocity(const rgBody* body, double sign, rgProblemContact* out,
                                rgVec3 point) {
  if (body->kind != RG_BODY_KINEMATIC)
    return;
  rgVec3 v = v3_scale(point_velocity(body, RG_VELOCITY_NOW, point), sign);
  out->bias[0] += v3_dot(out->n, v);
  out->bias[1] += v3_dot(out->t, v);
  out->bias[2] += v3_dot(out->o, v);
  out->bias[3] += sign * v3_dot(out->n, body->velocity.angular);
}

// What the contacts of a manifold have in common: all that fill_point does not write.
static void fill_manifold(const rgWorld* world, const rgWorldContact* contact, int body_start,
                          rgProblemContact* out) {
  const rgBody *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
  const rgLaw* law = rg_world_law(world, contact);
  out->body_a = a->problem_body < 0 ? -1 : a->problem_body - body_start;
  out->body_b = b->problem_body < 0 ? -1 : b->problem_body - body_start;
  choose_frame(world, contact, law, out);
  choose_cone(&world->options, &law->material, out);
}

static void fill_point(const rgWorld* world, const rgWorldContact* contact, double normal_bias,
                       rgProblemContact* out) {
  const rgBody *a = &world->bodies[contact->body_a], *b = &world->bodies[contact->body_b];
  out->arm_a = v3_sub(acting_point(world, contact, 0), a->position);
  out->arm_b = v3_sub(acting_point(world, contact, 1), b->position);
  out->bias[0] = normal_bias;
  out->bias[1] = out->bias[2] = out->bias[3] = 0;
  add_ground_velocity(a, 1, out, contact->point_a);
  add_ground_velocity(b, -1, out, contact->point_b);
  if (contact->slip_part == 0)
    return;
  rgVec3 slip = rg_world_contact_velocity(world, contact, RG_VELOCITY_START);
  out->bias[1] += contact->slip_part * v3_dot(out->t, slip);
  out->bias[2] += contact->slip_part * v3_dot(out->o, slip);
  out->bias[3] += contact->slip_part * rg_contact_spin(world, contact, RG_VELOCITY_START);
}

static bool same_manifold(const rgWorldContact* a, const rgWorldContact* b) {
  return a->shape_a == b->shape_a && a->shape_b == b->shape_b && a->normal.x == b->normal.x &&
         a->normal.y == b->normal.y && a->normal.z == b->normal.z;
}

void rg_problem_bodies(rgWorld* world) {
  rgProblemSet* set = &world->velocity;
  for (int i = 0; i < set->body_count; i++) {
    const rgBody* body = &world->bodies[set->body_order[i]];
    const rgBody* later =
        &world->bodies[set->body_order[rg_ahead(i, RG_SLOTS_AHEAD, set->body_count)]];
    __builtin_prefetch(later);
    rg_prefetch(&later->v_free, sizeof later->v_free);
    rg_prefetch(&later->inverse_inertia, sizeof later->inverse_inertia);
    set->bodies[i] = (rgProblemBody){body->inverse_mass, body->inverse_inertia, body->v_free};
  }
}

void rg_prefetch_contact(const rgWorld* world, const rgProblemSet* set, int i) {
  enum { CONTACTS_AHEAD = 16, BODIES_AHEAD = 8 };
  int far = set->contact_order[rg_ahead(i, CONTACTS_AHEAD, set->contact_count)],
      near = set->contact_order[rg_ahead(i, BODIES_AHEAD, set->contact_count)];
  rg_prefetch(&world->contacts[far], sizeof *world->contacts);
  __builtin_prefetch(&world->bodies[world->contacts[near].body_a]);
  __builtin_prefetch(&world->bodies[world->contacts[near].body_b]);
}

void rg_contact_problem(rgWorld* world, double h, rgNormalBias* normal_bias) {
  rgProblemSet* set = &world->velocity;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    const rgWorldContact* last = NULL;
    for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
      const rgWorldContact* contact = &world->contacts[set->contact_order[i]];
      rgProblemContact* out = &set->contacts[i];
      rg_prefetch_contact(world, set, i);
      if (last && same_manifold(last, contact))
        *out = out[-1];
      else
        fill_manifold(world, contact, island->body_start, out);
      last = contact;
      fill_point(world, contact, normal_bias(world, contact, h), out);
      double* r = &set->r[4 * i];
      r[0] = v3_dot(out->n, contact->impulse);
      r[1] = v3_dot(out->t, contact->impulse);
      r[2] = v3_dot(out->o, contact->impulse);
      r[3] = contact->torsion;
    }
  }
}

void rg_contact_result(rgWorld* world) {
  const rgProblemSet* set = &world->velocity;
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].kind == RG_BODY_DYNAMIC && world->bodies[i].problem_body < 0)
      world->bodies[i].velocity = world->bodies[i].v_free;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    int iterations = island->report.iterations;
    bool iterated = iterations > 0 && iterations < world->options.iteration_limit;
    for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
      rgBody* body = &world->bodies[set->body_order[i]];
      const double* v = &set->v[6 * i];
      body->velocity = (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
      body->iterated = iterated;
    }
  }
  rg_contact_impulses(world);
}

void rg_contact_impulses(rgWorld* world) {
  const rgProblemSet* set = &world->velocity;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    contact->impulse = v3_zero();
    contact->torsion = 0;
    if (contact->problem_contact < 0)
      continue;
    const rgProblemContact* in = &set->contacts[contact->problem_contact];
    const double* r = &set->r[4 * contact->problem_contact];
    contact->impulse = v3_axpy(v3_axpy(v3_scale(in->n, r[0]), r[1], in->t), r[2], in->o);
    contact->torsion = r[3];
  }
}
