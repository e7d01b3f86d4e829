// contact.c - from contacts and free motions to the discrete problem, and back.
//
// The frame of a contact is (n, t, o) with t along the material's friction direction where there is
// one, otherwise fixed by n alone. Where an impulse acts while the gap is still open: on the
// surface of a body against ground, so that the spin an oblique impact gives does not depend on how
// far ahead of touching it is solved; halfway between two bodies that both move, so that no couple
// is made of nothing. Ground enters through the bias: u = H' v - (velocity of the ground) + normal
// bias.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

#include "base/prefetch.h"

#include <string.h>

static const rgTwist* twist_of(const rgStep* step, int slot, rgVelocityKind kind) {
  switch (kind) {
  case RG_VELOCITY_START:
    return &step->bodies[slot].start_velocity;
  case RG_VELOCITY_FREE:
    return &step->bodies[slot].v_free;
  default:
    return &step->world->bodies[slot].velocity;
  }
}

// The velocity of the material of a body at an arm from its centre.
static rgVec3 material_velocity(const rgTwist* twist, rgVec3 arm) {
  return v3_add(twist->linear, v3_cross(twist->angular, arm));
}

rgVec3 rg_fill_velocity_at(const rgStep* step, const rgWorldContact* contact, rgVelocityKind kind,
                           rgVec3 arm_a, rgVec3 arm_b) {
  return v3_sub(material_velocity(twist_of(step, contact->body_a, kind), arm_a),
                material_velocity(twist_of(step, contact->body_b, kind), arm_b));
}

rgVec3 rg_fill_contact_velocity(const rgStep* step, const rgWorldContact* contact,
                                rgVelocityKind kind) {
  rgVec3 arm_a, arm_b;
  rg_fill_contact_arms(step, contact, &arm_a, &arm_b);
  return rg_fill_velocity_at(step, contact, kind, arm_a, arm_b);
}

rgVec3 rg_fill_mean_velocity(const rgStep* step, const rgWorldContact* contact, double theta) {
  rgVec3 arm_a, arm_b;
  rg_fill_contact_arms(step, contact, &arm_a, &arm_b);
  rgVec3 start = rg_fill_velocity_at(step, contact, RG_VELOCITY_START, arm_a, arm_b),
         end = rg_fill_velocity_at(step, contact, RG_VELOCITY_NOW, arm_a, arm_b);
  return v3_axpy(v3_scale(start, 1 - theta), theta, end);
}

double rg_fill_mean_spin(const rgStep* step, const rgWorldContact* contact, double theta) {
  return theta * rg_fill_contact_spin(step, contact, RG_VELOCITY_NOW) +
         (1 - theta) * rg_fill_contact_spin(step, contact, RG_VELOCITY_START);
}

double rg_fill_contact_spin(const rgStep* step, const rgWorldContact* contact,
                            rgVelocityKind kind) {
  rgVec3 a = twist_of(step, contact->body_a, kind)->angular,
         b = twist_of(step, contact->body_b, kind)->angular;
  return v3_dot(rg_fill_contact_normal(step, contact), v3_sub(a, b));
}

// Whether a section is the same for a force and for its opposite.
static bool is_symmetric(const rgProblemContact* out) {
  return (out->cone != RG_CONE_INNER && out->cone != RG_CONE_OUTER) || out->facets % 2 == 0;
}

// Of a normal and its opposite always the same one.
static bool points_back(rgVec3 n) {
  return n.z < 0 || (n.z == 0 && (n.y < 0 || (n.y == 0 && n.x < 0)));
}

// Tangents: along the friction direction if there is one and it is not along n.
static void choose_tangents(const rgWorld* world, const rgWorldContact* contact, const rgLaw* law,
                            rgVec3 normal, rgProblemContact* out) {
  out->n = normal;
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

// Which of the bodies is a must not matter. With the bodies exchanged, n and the force on the other one
// change their signs; a polygon with an odd number of corners is then the same only if t does, too. It is
// its own mirror image in t, so that o may stay.
static void choose_frame(const rgWorld* world, const rgWorldContact* contact, const rgLaw* law,
                         rgVec3 normal, rgProblemContact* out) {
  bool turned = !is_symmetric(out) && world->dimension == 3 && points_back(normal);
  choose_tangents(world, contact, law, turned ? v3_neg(normal) : normal, out);
  if (!turned)
    return;
  out->n = normal;
  out->t = v3_neg(out->t);
}

// What the option `cone` makes of contacts with friction; a disk where it leaves the exact cone.
static rgConeKind cone_of(const rgOptions* options) {
  return strcmp(options->cone, "frictionless") == 0 ? RG_CONE_FRICTIONLESS
         : strcmp(options->cone, "inner") == 0      ? RG_CONE_INNER
         : strcmp(options->cone, "outer") == 0      ? RG_CONE_OUTER
                                                    : RG_CONE_DISK;
}

static void choose_cone(rgConeKind asked, int facets, const rgMaterial* material,
                        rgProblemContact* out) {
  out->mu = material->mu;
  out->e_t = material->e_t;
  out->e_o = material->e_o;
  out->e_tau = material->e_tau;
  out->facets = facets;
  bool isotropic = material->e_t == 1 && material->e_o == 1 && material->e_tau == 0;
  if (material->mu == 0)
    out->cone = RG_CONE_FRICTIONLESS;
  else
    out->cone = asked == RG_CONE_DISK && !isotropic ? RG_CONE_ELLIPSOID : asked;
}

// Minus the velocity that bodies outside the problem have at the contact.
static void add_ground_velocity(const rgBody* body, double sign, rgVec3 arm,
                                rgProblemContact* out) {
  if (body->kind != RG_BODY_KINEMATIC)
    return;
  rgVec3 v = v3_scale(material_velocity(&body->velocity, arm), sign);
  out->bias[0] += v3_dot(out->n, v);
  out->bias[1] += v3_dot(out->t, v);
  out->bias[2] += v3_dot(out->o, v);
  out->bias[3] += sign * v3_dot(out->n, body->velocity.angular);
}

// What the contacts of a manifold have in common: all that fill_point does not write.
static void fill_manifold(const rgStep* step, const rgWorldContact* contact, int body_start,
                          rgConeKind cone, rgProblemContact* out) {
  const rgWorld* world = step->world;
  int a = step->bodies[contact->body_a].problem_body,
      b = step->bodies[contact->body_b].problem_body;
  const rgLaw* law = rg_world_law(world, contact);
  out->body_a = a < 0 ? -1 : a - body_start;
  out->body_b = b < 0 ? -1 : b - body_start;
  choose_cone(cone, world->options.facets, &law->material, out);
  choose_frame(world, contact, law, rg_fill_contact_normal(step, contact), out);
}

// Friction against the slip at the end of the step, see contact_ends.c.
static void add_lag(const rgContactEnd* end, rgProblemContact* out) {
  out->bias[1] += v3_dot(out->t, end->lag);
  out->bias[2] += v3_dot(out->o, end->lag);
  out->bias[3] += end->lag_spin;
}

// Friction against the slip of the whole step, see closing.c.
static void add_start_slip(const rgStep* step, const rgWorldContact* contact, double part,
                           rgProblemContact* out) {
  rgVec3 slip = rg_fill_contact_velocity(step, contact, RG_VELOCITY_START);
  out->bias[1] += part * v3_dot(out->t, slip);
  out->bias[2] += part * v3_dot(out->o, slip);
  out->bias[3] += part * rg_fill_contact_spin(step, contact, RG_VELOCITY_START);
}

static void fill_point(const rgStep* step, int index, rgProblemContact* out) {
  const rgWorldContact* contact = &step->world->contacts[index];
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  const rgScheme* scheme = step->scheme; // NULL in the stepper gauss
  rg_fill_contact_arms(step, contact, &out->arm_a, &out->arm_b);
  out->bias[0] = out->bias[1] = out->bias[2] = out->bias[3] = 0;
  if (scheme)
    scheme->contact(step, index, out);
  add_ground_velocity(a, 1, out->arm_a, out);
  add_ground_velocity(b, -1, out->arm_b, out);
  if (scheme && step->contacts[index].slip_part != 0)
    add_start_slip(step, contact, step->contacts[index].slip_part, out);
  else if (rg_fill_knows_contact_end(step, index))
    add_lag(&step->contact_ends[index], out);
}

static bool same_manifold(const rgWorldContact* a, const rgWorldContact* b) {
  return a->shape_a == b->shape_a && a->shape_b == b->shape_b && a->normal.x == b->normal.x &&
         a->normal.y == b->normal.y && a->normal.z == b->normal.z;
}

static void fill_body_range(void* context, int first, int end) {
  rgStep* step = context;
  const rgWorld* world = step->world;
  rgProblemSet* set = &step->velocity;
  for (int i = first; i < end; i++) {
    int slot = set->body_order[i],
        later = set->body_order[rg_ahead(i, RG_SLOTS_AHEAD, set->body_count)];
    const rgBodyStep* body = &step->bodies[slot];
    rg_prefetch_line(&world->bodies[later]);
    rg_prefetch(&step->bodies[later].v_free, sizeof body->v_free);
    rg_prefetch(&step->bodies[later].inverse_inertia, sizeof body->inverse_inertia);
    set->bodies[i] =
        (rgProblemBody){world->bodies[slot].inverse_mass, body->inverse_inertia, body->v_free};
  }
}

void rg_fill_bodies(rgStep* step) {
  rg_tasks_ranges(step->world->threads.tasks, step->velocity.body_count, fill_body_range, step);
}

void rg_fill_velocity_law(const rgStep* step, int index, rgProblemContact* out) {
  const rgWorldContact* contact = &step->world->contacts[index];
  double bounce = 0;
  if (step->contacts[index].mark == RG_MARK_IMPACT)
    bounce = rg_fill_restitution(step->world, contact) *
             rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
  out->bias[0] = fmin(bounce, rg_stabilizer_contact_bias(step->world, contact));
}

void rg_fill_prefetch_contact(const rgStep* step, const rgProblemSet* set, int i) {
  enum { CONTACTS_AHEAD = 16, BODIES_AHEAD = 8 };
  const rgWorld* world = step->world;
  int far = set->contact_order[rg_ahead(i, CONTACTS_AHEAD, set->contact_count)],
      near = set->contact_order[rg_ahead(i, BODIES_AHEAD, set->contact_count)];
  rg_prefetch(&world->contacts[far], sizeof *world->contacts);
  int a = world->contacts[near].body_a, b = world->contacts[near].body_b;
  rg_prefetch_line(&world->bodies[a]);
  rg_prefetch_line(&world->bodies[b]);
  rg_prefetch_line(&step->bodies[a].problem_body);
  rg_prefetch_line(&step->bodies[b].problem_body);
}

// Whether a contact of an island, not its first, has the frame and the law of the one before it.
static bool is_like_last(const rgStep* step, int i) {
  int index = step->velocity.contact_order[i], last = step->velocity.contact_order[i - 1];
  const rgWorldContact* contacts = step->world->contacts;
  return same_manifold(&contacts[last], &contacts[index]) &&
         !rg_fill_knows_contact_end(step, index) && !rg_fill_knows_contact_end(step, last);
}

static int first_alike(const rgStep* step, const rgIsland* island, int i) {
  while (i > island->contact_start && is_like_last(step, i))
    i--;
  return i;
}

// The contacts of an island from `first` to before `end`. Those alike have the frame of the first of them,
// which may come before.
static void fill_part(rgStep* step, const rgIsland* island, rgConeKind cone, int first, int end) {
  rgProblemSet* set = &step->velocity;
  for (int i = first; i < end; i++) {
    int index = set->contact_order[i];
    const rgWorldContact* contact = &step->world->contacts[index];
    rgProblemContact* out = &set->contacts[i];
    rg_fill_prefetch_contact(step, set, i);
    if (i > first && is_like_last(step, i))
      *out = out[-1];
    else
      fill_manifold(step, &step->world->contacts[set->contact_order[first_alike(step, island, i)]],
                    island->body_start, cone, out);
    fill_point(step, index, out);
    double* r = &set->r[4 * i];
    r[0] = v3_dot(out->n, contact->impulse);
    r[1] = v3_dot(out->t, contact->impulse);
    r[2] = v3_dot(out->o, contact->impulse);
    r[3] = contact->torsion;
  }
}

static int contact_end(const rgIsland* island) {
  return island->contact_start + island->contact_count;
}

// The island of a contact of the problem.
static int island_of(const rgProblemSet* set, int contact) {
  int low = 0, high = set->island_count - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (contact_end(&set->islands[middle]) > contact)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void fill_range(void* context, int first, int end) {
  rgStep* step = context;
  const rgProblemSet* set = &step->velocity;
  if (first == end)
    return;
  rgConeKind cone = cone_of(&step->world->options);
  for (int k = island_of(set, first); k < set->island_count && first < end; k++) {
    const rgIsland* island = &set->islands[k];
    int stop = contact_end(island) < end ? contact_end(island) : end;
    if (!island->settled)
      fill_part(step, island, cone, first, stop);
    first = stop;
  }
}

void rg_fill_contacts(rgStep* step) {
  rg_tasks_ranges(step->world->threads.tasks, step->velocity.contact_count, fill_range, step);
}

static void take_free_range(void* context, int first, int end) {
  rgStep* step = context;
  rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    int ahead = rg_ahead(i, RG_SLOTS_AHEAD, world->body_slots);
    rg_prefetch_line(&world->bodies[ahead]);
    rg_prefetch_line(&step->bodies[ahead]);
    if (world->bodies[i].kind == RG_BODY_DYNAMIC && step->bodies[i].problem_body < 0)
      world->bodies[i].velocity = step->bodies[i].v_free;
  }
}

typedef struct Taking {
  rgStep* step;
  int start; // of the bodies of an island
  bool iterated;
  uint8_t unchosen;
} Taking;

static void take_body_range(void* context, int first, int end) {
  const Taking* taking = context;
  const rgProblemSet* set = &taking->step->velocity;
  for (int i = taking->start + first; i < taking->start + end; i++) {
    rgBody* body = &taking->step->world->bodies[set->body_order[i]];
    const double* v = &set->v[6 * i];
    body->velocity = (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    body->iterated = taking->iterated;
    body->unchosen = taking->unchosen;
  }
}

static void take_island(void* context, rgIsland* island) {
  rgStep* step = context;
  int iterations = island->report.iterations;
  bool iterated = iterations > 0 && iterations < step->world->options.iteration_limit &&
                  island->report.status == RG_OK;
  Taking taking = {step, island->body_start, iterated, island->unchosen};
  rg_tasks_ranges(step->world->threads.tasks, island->body_count, take_body_range, &taking);
}

void rg_fill_take_solution(rgStep* step) {
  rg_tasks_ranges(step->world->threads.tasks, step->world->body_slots, take_free_range, step);
  rg_islands_each(step, &step->velocity, take_island, step);
  rg_fill_take_impulses(step);
}

// Of a contact at a place of the problem.
static void take_impulse(const rgProblemSet* set, int index, rgWorldContact* contact) {
  const rgProblemContact* in = &set->contacts[index];
  const double* r = &set->r[4 * index];
  contact->impulse = v3_axpy(v3_axpy(v3_scale(in->n, r[0]), r[1], in->t), r[2], in->o);
  contact->torsion = r[3];
}

static void take_impulse_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++) {
    rgWorldContact* contact = &step->world->contacts[i];
    contact->impulse = v3_zero();
    contact->torsion = 0;
    if (step->contacts[i].mark != RG_MARK_OUT)
      take_impulse(&step->velocity, step->contacts[i].problem_contact, contact);
  }
}

void rg_fill_take_impulses(rgStep* step) {
  rg_tasks_ranges(step->world->threads.tasks, step->world->contact_count, take_impulse_range, step);
}

void rg_fill_take_island_impulses(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++)
    take_impulse(set, i, &step->world->contacts[set->contact_order[i]]);
}
