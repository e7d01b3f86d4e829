// distribution.c - see distribution.h.
#include "cli/stand/distribution.h"
#include "cli/stand/equilibrium.h"
#include <rigor/util.h>
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEPTH = 1e-4; // of the mean load of a contact
static const double SEEN = 1e-6;  // a component of a random null vector, of about 1, above rounding
enum { VECTORS = 4 };             // of the null space, at random
enum { CALLS_MIN = 8, CALLS_WORK = 200000 }; // questions about faces, and these times contacts

// --- faces ---------------------------------------------------------------------------------------

typedef struct Faces {
  CliIsland* island;
  double depth;          // [N s]
  double* mean;          // sum, then mean of the equilibria found: 4 per contact, then 1 per row
  double* start;         // the first of them
  double *push, *change; // scratch: 4 per contact; what they do
  rgTwist* v_free;       // of the load itself
  bool* inside;
  int found, calls, calls_max;
} Faces;

// Impulses of the load, in all: what contacts carry is of this size.
static double load_of(const rgProblem* problem) {
  double sum = 0;
  for (int i = 0; i < problem->body_count; ++i)
    if (problem->bodies[i].inverse_mass > 0)
      sum += rg_vec3_norm(problem->bodies[i].v_free.linear) / problem->bodies[i].inverse_mass;
  return sum;
}

static void add_found(Faces* faces, const double* push) {
  const CliIsland* island = faces->island;
  int contacts = 4 * island->problem.contact_count;
  for (int i = 0; i < contacts; ++i)
    faces->mean[i] += island->solution.r[i] + (push ? push[i] : 0);
  for (int i = 0; i < island->problem.row_count; ++i)
    faces->mean[contacts + i] += island->solution.lambda[i];
  faces->found++;
}

// Impulses between the island's solution and an array like `mean`.
static void keep_start(const Faces* faces, bool back) {
  const CliIsland* island = faces->island;
  size_t contacts = 4 * (size_t)island->problem.contact_count;
  double *parts[2] = {island->solution.r, island->solution.lambda},
         *kept[2] = {faces->start, faces->start + contacts};
  size_t counts[2] = {contacts, (size_t)island->problem.row_count};
  for (int k = 0; k < 2; ++k)
    memcpy(back ? parts[k] : kept[k], back ? kept[k] : parts[k], counts[k] * sizeof(double));
}

// Whether an equilibrium presses `depth` into the cones of the contacts from `low` to `high`.
static bool can_press(Faces* faces, int low, int high) {
  CliIsland* island = faces->island;
  const rgProblem* problem = &island->problem;
  size_t numbers = 4 * (size_t)problem->contact_count;
  memset(faces->push, 0, numbers * sizeof *faces->push);
  for (int i = low; i < high; ++i)
    faces->push[4 * i] = faces->depth;
  double *v = faces->change, *u = v + 6 * (size_t)problem->body_count, *w = u + numbers,
         *none = w + problem->row_count;
  memset(none, 0, (size_t)problem->row_count * sizeof *none);
  rg_problem_apply(problem, faces->push, none, v, u, w);
  for (int i = 0; i < problem->body_count; ++i, v += 6) {
    rgTwist* free = &island->bodies[i].v_free;
    free->linear = rg_vec3_add(faces->v_free[i].linear, rg_vec3(v[0], v[1], v[2]));
    free->angular = rg_vec3_add(faces->v_free[i].angular, rg_vec3(v[3], v[4], v[5]));
  }
  keep_start(faces, true);
  faces->calls++;
  bool stands = cli_statics_proof(problem, &island->solution, island->work) == CLI_STATICS_STANDS;
  if (stands)
    add_found(faces, faces->push);
  for (int i = 0; i < problem->body_count; ++i)
    island->bodies[i].v_free = faces->v_free[i];
  return stands;
}

// Marks the contacts that press in some equilibrium. False when there are too many questions.
static bool find_inside(Faces* faces, int low, int high) {
  if (low == high)
    return true;
  if (faces->calls >= faces->calls_max)
    return false;
  if (can_press(faces, low, high)) {
    for (int i = low; i < high; ++i)
      faces->inside[i] = true;
    return true;
  }
  int middle = low + (high - low) / 2;
  return high - low == 1 || (find_inside(faces, low, middle) && find_inside(faces, middle, high));
}

static bool open_faces(Faces* faces, CliIsland* island) {
  size_t contacts = (size_t)island->problem.contact_count,
         bodies = (size_t)island->problem.body_count, rows = (size_t)island->problem.row_count;
  *faces = (Faces){.island = island};
  faces->mean = calloc(4 * contacts + rows + 1, sizeof(double));
  faces->start = calloc(4 * contacts + rows + 1, sizeof(double));
  faces->push = calloc(4 * contacts + 1, sizeof(double));
  faces->change = calloc(6 * bodies + 4 * contacts + 2 * rows + 1, sizeof(double));
  faces->v_free = calloc(bodies + 1, sizeof *faces->v_free);
  faces->inside = calloc(contacts + 1, sizeof *faces->inside);
  if (!faces->mean || !faces->push || !faces->start || !faces->change || !faces->v_free ||
      !faces->inside)
    return false;
  for (size_t i = 0; i < bodies; ++i)
    faces->v_free[i] = island->bodies[i].v_free;
  keep_start(faces, false);
  double work = contacts > 0 ? CALLS_WORK / (double)contacts : 0;
  faces->calls_max = work > CALLS_MIN ? (int)work : CALLS_MIN;
  faces->depth = contacts > 0 ? DEPTH * load_of(&island->problem) / (double)contacts : 0;
  return true;
}

static void close_faces(Faces* faces) {
  free(faces->mean);
  free(faces->push);
  free(faces->start);
  free(faces->change);
  free(faces->v_free);
  free(faces->inside);
}

// --- what may change -----------------------------------------------------------------------------

// The directions of the face that a contact is on.
static void add_contact_columns(CliEquilibrium* equilibrium, const Faces* faces, int index) {
  const rgProblem* problem = &faces->island->problem;
  const rgProblemContact* contact = &problem->contacts[index];
  const double* r = faces->mean + 4 * (size_t)index;
  rgVec3 axes[3] = {contact->n, contact->t, contact->o}, none = rg_vec3_zero();
  double e[4];
  rg_problem_axes(problem, index, e);
  bool slips = contact->cone == RG_CONE_FRICTIONLESS || !(contact->mu > 0);
  if (faces->inside[index]) {
    for (int k = 0; k < 3; ++k)
      if (k == 0 || (!slips && e[k] > 0))
        cli_equilibrium_contact(equilibrium, contact, index, axes[k], none);
    if (!slips && e[3] > 0)
      cli_equilibrium_contact(equilibrium, contact, index, none, contact->n);
    return;
  }
  double size = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (!(size > faces->depth))
    return;
  rgVec3 force = none;
  for (int k = 0; k < 3; ++k)
    force = rg_vec3_add(force, rg_vec3_scale(axes[k], r[k] / size));
  cli_equilibrium_contact(equilibrium, contact, index, force,
                          rg_vec3_scale(contact->n, r[3] / size));
}

// A row carries any impulse between its bounds; a spring carries what its stretch asks for.
static void add_row_columns(CliEquilibrium* equilibrium, const Faces* faces) {
  const CliIsland* island = faces->island;
  for (int i = 0; i < island->problem.row_count; ++i) {
    const rgProblemRow* row = &island->problem.rows[i];
    double lambda = faces->mean[4 * (size_t)island->problem.contact_count + (size_t)i],
           room = faces->depth;
    if (row->compliance == 0 && lambda - row->lower > room && row->upper - lambda > room)
      cli_equilibrium_row(equilibrium, row);
  }
}

// --- the answer ----------------------------------------------------------------------------------

// Changes that no body feels, of one island.
typedef struct Changes {
  CliDistribution* all;
  CliEquilibrium equilibrium;
  int* column_start; // of each contact
  double* vectors;   // VECTORS times a number for each column
} Changes;

// Whether axis . force + about . (moment about the point) of some contacts is the same in all equilibria.
static bool is_unique(const Changes* changes, const CliPairForce* pair, rgVec3 axis, rgVec3 about) {
  double norm = 0, sum[VECTORS] = {0};
  size_t count = (size_t)changes->equilibrium.count;
  for (int i = pair->first; i < pair->first + pair->count; ++i) {
    const CliContactForce* contact = &changes->all->contacts[i];
    const int* range = changes->column_start + contact->contact;
    // Contacts of a pair may be found with A and B exchanged.
    double sign = contact->a.index == changes->all->contacts[pair->first].a.index ? 1 : -1;
    for (int c = range[0]; c < range[1]; ++c) {
      const CliColumn* column = &changes->equilibrium.columns[c];
      rgVec3 arm = rg_vec3_sub(contact->point, pair->point);
      double value =
          rg_vec3_dot(axis, column->force) +
          rg_vec3_dot(about, rg_vec3_add(rg_vec3_cross(arm, column->force), column->torque));
      norm += value * value;
      for (int k = 0; k < VECTORS; ++k)
        sum[k] += sign * value * changes->vectors[(size_t)k * count + (size_t)c];
    }
  }
  for (int k = 0; k < VECTORS; ++k)
    if (fabs(sum[k]) > SEEN * sqrt(norm))
      return false;
  return true;
}

// The three components of a force or of a moment.
static bool is_unique_vector(const Changes* changes, const CliPairForce* pair, bool moment) {
  for (int k = 0; k < 3; ++k) {
    rgVec3 axis = rg_vec3(k == 0, k == 1, k == 2), zero = rg_vec3_zero();
    if (!is_unique(changes, pair, moment ? zero : axis, moment ? axis : zero))
      return false;
  }
  return true;
}

static void mark_contact(const Changes* changes, int index) {
  CliContactForce* contact = &changes->all->contacts[index];
  CliPairForce one = {.first = index, .count = 1, .point = contact->point};
  const int* range = changes->column_start + contact->contact;
  contact->presses = range[1] > range[0];
  contact->unique = is_unique_vector(changes, &one, false) && is_unique_vector(changes, &one, true);
  contact->unique_normal = is_unique(changes, &one, contact->normal, rg_vec3_zero());
}

static void mark_unique(const Changes* changes, int island) {
  CliDistribution* all = changes->all;
  for (int p = 0; p < all->pair_count; ++p) {
    CliPairForce* pair = &all->pairs[p];
    if (all->contacts[pair->first].island != island)
      continue;
    pair->unique_force = is_unique_vector(changes, pair, false);
    pair->unique_moment = is_unique_vector(changes, pair, true);
    pair->unique_normal = is_unique(changes, pair, pair->normal, rg_vec3_zero());
    for (int i = pair->first; i < pair->first + pair->count; ++i)
      mark_contact(changes, i);
  }
}

static void make_vectors(Changes* changes) {
  uint64_t state = 1;
  for (int k = 0; k < VECTORS; ++k) {
    double* z = changes->vectors + (size_t)k * (size_t)changes->equilibrium.count;
    for (int c = 0; c < changes->equilibrium.count; ++c)
      z[c] = 2 * rg_random_unit(&state) - 1;
    cli_equilibrium_project(&changes->equilibrium, z);
  }
}

// What is unique in an island. False when memory ran out; `known` becomes false when it is too much.
static bool find_unique(CliDistribution* all, const Faces* faces, int island) {
  const rgProblem* problem = &faces->island->problem;
  size_t contacts = (size_t)problem->contact_count;
  Changes changes = {.all = all};
  CliEquilibrium* equilibrium = &changes.equilibrium;
  bool whole = cli_equilibrium_open(equilibrium, problem->body_count,
                                    4 * problem->contact_count + problem->row_count);
  changes.column_start = calloc(contacts + 2, sizeof *changes.column_start);
  whole = whole && changes.column_start;
  for (int i = 0; whole && i < problem->contact_count; ++i) {
    add_contact_columns(equilibrium, faces, i);
    changes.column_start[i + 1] = equilibrium->count;
  }
  if (whole) {
    add_row_columns(equilibrium, faces);
    changes.vectors = malloc((VECTORS * (size_t)equilibrium->count + 1) * sizeof(double));
    whole = changes.vectors != NULL;
  }
  if (whole && cli_equilibrium_factor(equilibrium)) {
    all->freedom += equilibrium->count - equilibrium->rank;
    make_vectors(&changes);
    mark_unique(&changes, island);
  } else {
    all->known = false;
  }
  cli_equilibrium_free(equilibrium);
  free(changes.column_start);
  free(changes.vectors);
  return whole;
}

// --- contacts and pairs --------------------------------------------------------------------------

static int in_pairs(const void* left, const void* right) {
  const CliContactForce *x = left, *y = right;
  uint32_t a[2] = {x->a.index, x->b.index}, b[2] = {y->a.index, y->b.index};
  uint32_t low[2] = {a[0] < a[1] ? a[0] : a[1], b[0] < b[1] ? b[0] : b[1]},
           high[2] = {a[0] < a[1] ? a[1] : a[0], b[0] < b[1] ? b[1] : b[0]};
  if (low[0] != low[1])
    return low[0] < low[1] ? -1 : 1;
  if (high[0] != high[1])
    return high[0] < high[1] ? -1 : 1;
  if (x->island != y->island)
    return x->island - y->island;
  return x->contact - y->contact;
}

static void list_contacts(const CliAssembly* assembly, CliDistribution* all) {
  for (int k = 0; k < assembly->island_count; ++k)
    for (int i = 0; i < assembly->islands[k].problem.contact_count; ++i) {
      const rgContactLoad* load = &assembly->loads[assembly->islands[k].places[i]];
      all->contacts[all->contact_count++] = (CliContactForce){.island = k,
                                                              .contact = i,
                                                              .a = load->body_a,
                                                              .b = load->body_b,
                                                              .point = load->point,
                                                              .normal = load->normal,
                                                              .range = {NAN, NAN}};
    }
  qsort(all->contacts, (size_t)all->contact_count, sizeof *all->contacts, in_pairs);
  for (int i = 0; i < all->contact_count; ++i) {
    const CliContactForce* contact = &all->contacts[i];
    CliPairForce* pair = all->pair_count ? &all->pairs[all->pair_count - 1] : NULL;
    bool same = pair && ((pair->a.index == contact->a.index && pair->b.index == contact->b.index) ||
                         (pair->a.index == contact->b.index && pair->b.index == contact->a.index));
    if (!same) {
      pair = &all->pairs[all->pair_count++];
      *pair = (CliPairForce){.a = contact->a, .b = contact->b, .first = i, .range = {NAN, NAN}};
    }
    double sign = pair->a.index == contact->a.index ? 1 : -1;
    pair->count++;
    pair->point = rg_vec3_add(pair->point, contact->point);
    pair->normal = rg_vec3_add(pair->normal, rg_vec3_scale(contact->normal, sign));
  }
  for (int p = 0; p < all->pair_count; ++p) {
    CliPairForce* pair = &all->pairs[p];
    double size = rg_vec3_norm(pair->normal);
    pair->point = rg_vec3_scale(pair->point, 1.0 / pair->count);
    pair->normal = size > 1e-9 ? rg_vec3_scale(pair->normal, 1 / size) : rg_vec3_zero();
  }
}

static void take_forces(const CliAssembly* assembly, CliDistribution* all) {
  for (int p = 0; p < all->pair_count; ++p) {
    CliPairForce* pair = &all->pairs[p];
    for (int i = pair->first; i < pair->first + pair->count; ++i) {
      CliContactForce* contact = &all->contacts[i];
      const CliIsland* island = &assembly->islands[contact->island];
      const rgProblemContact* at = &island->contacts[contact->contact];
      const double* r = island->solution.r + 4 * (size_t)contact->contact;
      double sign = pair->a.index == contact->a.index ? 1 : -1;
      rgVec3 sum = rg_vec3_add(rg_vec3_scale(at->n, r[0]),
                               rg_vec3_add(rg_vec3_scale(at->t, r[1]), rg_vec3_scale(at->o, r[2])));
      contact->force = rg_vec3_scale(sum, 1 / assembly->h);
      contact->torsion = r[3] / assembly->h;
      rgVec3 moment =
          rg_vec3_add(rg_vec3_cross(rg_vec3_sub(contact->point, pair->point), contact->force),
                      rg_vec3_scale(contact->normal, contact->torsion));
      pair->force = rg_vec3_add(pair->force, rg_vec3_scale(contact->force, sign));
      pair->moment = rg_vec3_add(pair->moment, rg_vec3_scale(moment, sign));
    }
  }
}

// Replaces the forces of an island by those of least norm. False when they are not found.
static bool take_least(CliIsland* island, double tolerance) {
  if (island->problem.contact_count == 0)
    return true;
  void* work = malloc(rg_solve_choice_size(&island->problem) + 1);
  rgCertificate certificate;
  rg_problem_certify(&island->problem, &island->solution, tolerance, &certificate);
  bool taken = work && rg_solve_choice_size(&island->problem) > 0 &&
               rg_solve_choose(&island->problem, &island->solution, work, &certificate);
  free(work);
  return taken;
}

static void count_unique(CliDistribution* all) {
  for (int i = 0; i < all->contact_count; ++i) {
    all->unique_contacts += all->contacts[i].unique;
    all->unique_normals += all->contacts[i].unique_normal;
  }
  for (int p = 0; p < all->pair_count; ++p)
    all->unique_pairs += all->pairs[p].unique_force && all->pairs[p].unique_moment;
}

static bool find_island(CliAssembly* assembly, CliDistribution* all, int index) {
  CliIsland* island = &assembly->islands[index];
  Faces faces;
  int before = all->freedom;
  bool whole = open_faces(&faces, island);
  if (whole) {
    add_found(&faces, NULL);
    if (!(faces.depth > 0) || !find_inside(&faces, 0, island->problem.contact_count))
      all->known = false;
    for (int i = 0; i < 4 * island->problem.contact_count + island->problem.row_count; ++i)
      faces.mean[i] /= faces.found;
    all->tolerance = fmax(all->tolerance, faces.depth / assembly->h);
    whole = !all->known || find_unique(all, &faces, index);
    keep_start(&faces, true);
    rg_problem_velocity(&island->problem, &island->solution);
    bool determined = all->known && all->freedom == before;
    if (whole && !determined && !take_least(island, 1e-7))
      all->least = false;
  }
  close_faces(&faces);
  return whole;
}

bool cli_distribution_find(CliAssembly* assembly, CliDistribution* all) {
  size_t count = (size_t)assembly->contact_count;
  *all = (CliDistribution){.known = true, .least = true};
  all->contacts = calloc(count + 1, sizeof *all->contacts);
  all->pairs = calloc(count + 1, sizeof *all->pairs);
  if (!all->contacts || !all->pairs)
    return false;
  list_contacts(assembly, all);
  for (int k = 0; k < assembly->island_count; ++k)
    if (!find_island(assembly, all, k))
      return false;
  take_forces(assembly, all);
  count_unique(all);
  return true;
}

void cli_distribution_free(CliDistribution* distribution) {
  free(distribution->contacts);
  free(distribution->pairs);
  *distribution = (CliDistribution){0};
}
