// divide.c - Gauss-Seidel inside of parts, an exchange between them.
//
// Problem: that of problem.h without rows, its contacts C divided into sets C_p. A part has the contacts
// of C_p and every body that they touch; a body that n > 1 parts touch has n copies.
//
// Method. At an exchange all copies of a body have the same velocity v. Each part then sweeps its own
// contacts with those of the others frozen. With LARGE_SPLIT its copies have the mass M / n (Tonge,
// Benevolenski and Voroshilov 2012): after sweeps that add H dr_p the copies have v + n M^-1 H dr_p, and
// their mean v + M^-1 H sum dr_p is the velocity of the whole problem, which is what the exchange makes.
// Each part has lowered the energy of its copies, and the mean of copies has no more than they, so the
// whole cannot diverge. With LARGE_PLAIN each part takes the whole mass, as in one Jacobi step over the
// parts: it may diverge where bodies have contacts in many. Preclik and Ruede 2015 therefore take a part of
// the change, 0.75 of it; cones are convex, so that impulses stay in them.
//
// Exchange: copies send 6 numbers to the part that owns the body, and it sends 6 back: 96 bytes for each
// copy besides the owner's. A contact between bodies of two parts is that of the owner of its body A.
#include "large.h"

#include <rigor/vec_math.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_OF_COPY = 2 * 6 * 8 };

// --- which part a body belongs to ----------------------------------------------------------------

typedef struct Placed {
  double at;
  int body;
} Placed;

static int by_place(const void* a, const void* b) {
  const Placed *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at ? 1 : x->body - y->body;
}

static double coordinate(rgVec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static int widest(const rgVec3* places, const Placed* list, int count) {
  double size[3];
  for (int axis = 0; axis < 3; ++axis) {
    double low = 1e300, high = -1e300;
    for (int i = 0; i < count; ++i) {
      double at = coordinate(places[list[i].body], axis);
      low = at < low ? at : low;
      high = at > high ? at : high;
    }
    size[axis] = high - low;
  }
  return size[0] >= size[1] ? (size[0] >= size[2] ? 0 : 2) : (size[1] >= size[2] ? 1 : 2);
}

static void halve(const rgVec3* places, Placed* list, int count, int first, int parts, int* owner) {
  if (parts == 1) {
    for (int i = 0; i < count; ++i)
      owner[list[i].body] = first;
    return;
  }
  int axis = widest(places, list, count), low = parts / 2;
  for (int i = 0; i < count; ++i)
    list[i].at = coordinate(places[list[i].body], axis);
  qsort(list, (size_t)count, sizeof *list, by_place);
  int middle = (int)((double)count * low / parts);
  halve(places, list, middle, first, low, owner);
  halve(places, list + middle, count - middle, first + low, parts - low, owner);
}

// --- parts ---------------------------------------------------------------------------------------

static int contact_owner(const rgProblemContact* contact, const int* owner) {
  return owner[contact->body_a >= 0 ? contact->body_a : contact->body_b];
}

// The index of a body in a part, which gets it when it is new there.
static int local_index(LargePart* part, const rgProblem* whole, int body, int* index) {
  if (body < 0)
    return -1;
  if (index[body] < 0) {
    index[body] = part->problem.body_count++;
    part->body_of[index[body]] = body;
    part->bodies[index[body]] = whole->bodies[body];
  }
  return index[body];
}

static bool make_part(const rgProblem* whole, const int* owner, int number, int* index,
                      LargePart* part) {
  size_t bodies = (size_t)whole->body_count, contacts = (size_t)whole->contact_count;
  part->bodies = malloc((bodies + 1) * sizeof *part->bodies);
  part->contacts = malloc((contacts + 1) * sizeof *part->contacts);
  part->body_of = malloc((bodies + 1) * sizeof *part->body_of);
  part->contact_of = malloc((contacts + 1) * sizeof *part->contact_of);
  if (!part->bodies || !part->contacts || !part->body_of || !part->contact_of)
    return false;
  part->problem = (rgProblem){
      .dimension = whole->dimension, .bodies = part->bodies, .contacts = part->contacts};
  for (size_t i = 0; i < bodies; ++i)
    index[i] = -1;
  for (int i = 0; i < whole->contact_count; ++i) {
    const rgProblemContact* contact = &whole->contacts[i];
    if (contact_owner(contact, owner) != number)
      continue;
    int k = part->problem.contact_count++;
    part->contact_of[k] = i;
    part->contacts[k] = *contact;
    part->contacts[k].body_a = local_index(part, whole, contact->body_a, index);
    part->contacts[k].body_b = local_index(part, whole, contact->body_b, index);
  }
  size_t own = (size_t)part->problem.contact_count, moved = (size_t)part->problem.body_count;
  part->solution.v = calloc(6 * moved + 4 * own + 1, sizeof(double));
  part->solution.r = part->solution.v ? part->solution.v + 6 * moved : NULL;
  part->change = calloc(6 * moved + 4 * own + 1, sizeof(double));
  part->work = malloc(rg_solve_work_size(&part->problem, "nsgs") + 1);
  return part->solution.v && part->change && part->work;
}

bool large_divide(const LargeProblem* large, int parts, LargeDivision* division) {
  const rgProblem* whole = &large->problem;
  size_t bodies = (size_t)whole->body_count, contacts = (size_t)whole->contact_count;
  *division = (LargeDivision){.whole = whole, .count = parts};
  Placed* list = malloc((bodies + 1) * sizeof *list);
  int *owner = malloc((bodies + 1) * sizeof *owner), *index = malloc((bodies + 1) * sizeof *index);
  division->parts = calloc((size_t)parts, sizeof *division->parts);
  division->copies = calloc(bodies + 1, sizeof *division->copies);
  division->solution.v = calloc(6 * bodies + 4 * contacts + 1, sizeof(double));
  bool made = list && owner && index && division->parts && division->copies && division->solution.v;
  if (made) {
    division->solution.r = division->solution.v + 6 * bodies;
    for (size_t i = 0; i < bodies; ++i)
      list[i].body = (int)i;
    halve(large->places, list, (int)bodies, 0, parts, owner);
  }
  for (int p = 0; made && p < parts; ++p) {
    LargePart* part = &division->parts[p];
    made = make_part(whole, owner, p, index, part);
    for (int i = 0; made && i < part->problem.body_count; ++i) {
      division->copies[part->body_of[i]]++;
      division->bytes += owner[part->body_of[i]] != p ? BYTES_OF_COPY : 0;
    }
  }
  for (size_t i = 0; made && i < bodies; ++i)
    division->shared += division->copies[i] > 1;
  for (int i = 0; made && i < whole->contact_count; ++i) {
    const rgProblemContact* c = &whole->contacts[i];
    division->bordering += c->body_a >= 0 && c->body_b >= 0 && owner[c->body_a] != owner[c->body_b];
  }
  free(list);
  free(owner);
  free(index);
  return made;
}

void large_division_free(LargeDivision* division) {
  for (int p = 0; division->parts && p < division->count; ++p) {
    LargePart* part = &division->parts[p];
    free(part->bodies);
    free(part->contacts);
    free(part->body_of);
    free(part->contact_of);
    free(part->solution.v);
    free(part->change);
    free(part->work);
  }
  free(division->parts);
  free(division->copies);
  free(division->solution.v);
}

// --- an exchange ---------------------------------------------------------------------------------

// The free velocity of copies: with the impulses of the part they have the velocity of the whole.
static void set_free(LargePart* part, const LargeDivision* division, LargeRule rule) {
  const rgProblem* whole = division->whole;
  for (int i = 0; i < part->problem.body_count; ++i) {
    int body = part->body_of[i];
    double n = rule == LARGE_SPLIT ? division->copies[body] : 1;
    part->bodies[i].inverse_mass = n * whole->bodies[body].inverse_mass;
    for (int k = 0; k < 9; ++k)
      part->bodies[i].inverse_inertia.m[k / 3][k % 3] =
          n * whole->bodies[body].inverse_inertia.m[k / 3][k % 3];
  }
  double *v = part->change, *u = v + 6 * (size_t)part->problem.body_count;
  rg_problem_apply(&part->problem, part->solution.r, NULL, v, u, NULL);
  for (int i = 0; i < part->problem.body_count; ++i) {
    const double *now = division->solution.v + 6 * (size_t)part->body_of[i],
                 *own = v + 6 * (size_t)i;
    rgTwist* free = &part->bodies[i].v_free;
    free->linear = rg_vec3(now[0] - own[0], now[1] - own[1], now[2] - own[2]);
    free->angular = rg_vec3(now[3] - own[3], now[4] - own[4], now[5] - own[5]);
  }
}

int large_exchange(LargeDivision* division, const LargeWay* way) {
  rgStop stop = rg_stop_default();
  int made = 0;
  stop.tolerance = 1e-15;
  stop.iteration_limit = way->sweeps;
  rg_problem_velocity(division->whole, &division->solution);
  for (int p = 0; p < division->count; ++p) {
    LargePart* part = &division->parts[p];
    rgSolveReport report;
    for (int i = 0; i < part->problem.contact_count; ++i)
      memcpy(part->solution.r + 4 * (size_t)i,
             division->solution.r + 4 * (size_t)part->contact_of[i], 4 * sizeof(double));
    set_free(part, division, way->rule);
    rg_solve(&part->problem, "nsgs", way->momentum ? "momentum=1" : "momentum=0", &stop,
             &part->solution, part->work, &report, NULL);
    made = report.sweeps > made ? report.sweeps : made;
  }
  for (int p = 0; p < division->count; ++p) {
    const LargePart* part = &division->parts[p];
    for (int i = 0; i < 4 * part->problem.contact_count; ++i) {
      double* r = division->solution.r + 4 * (size_t)part->contact_of[i / 4] + i % 4;
      *r += way->taken * (part->solution.r[i] - *r);
    }
  }
  rg_problem_velocity(division->whole, &division->solution);
  return made;
}
