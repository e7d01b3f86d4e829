// nsgs_local_form.c - block Gauss-Seidel on the local form, where W is given.
//
// Problem: u = W r + q with W in blocks, each contact with its law (problem.h, local form). W need
// be neither symmetric nor regular.
//
// Method (003 section 6.2, eq. 35): visit the contacts in their order; at each, u_i = q_i + sum_j
// W_ij r_j with the newest r, and the one-contact problem with the symmetric part of W_ii. A visit
// that changes nothing says that (u_i, r_i) satisfies the law with the true u_i, so the fixed point
// is the solution of the stated problem whatever W_ii is replaced by. Velocities are summed afresh
// in every visit: nothing drifts.
//
// Sweeps go forth and back in pairs with momentum (momentum.h). Its agreement test uses the
// effective masses of the contacts in place of W, which would cost a sweep.
//
// Own measure: the largest change of an impulse over its effective mass in a sweep, which to first
// order is what the certificate measures.
//
// Cost: one multiplication with W per sweep, read once from end to end; a third of a row for a
// contact that is open. What a visit needs to know of a contact is made when it first carries an
// impulse: in small problems that costs more than a sweep.
//
// Fails when a W_nn is not positive (refused), and need not converge when W is far from symmetric
// positive semidefinite or mu is large in a badly coupled W: then the certificate says so.
#include "base/message.h"
#include "problem/local_row.h"
#include "problem/operator.h"
#include "solve/nsgs/nsgs.h"

#include <math.h>
#include <string.h>

typedef enum Kind {
  NOT_MADE, // no impulse so far
  PLAIN,    // a circular cone in the components as they are
  GENERAL
} Kind;

typedef struct Local {
  const rgProblem* problem;
  int sweeps; // made so far
  rgNsgsGeneral* contacts;
  uint8_t* kind; // of each contact
  double (*corners)[2];
  double* inverse_rho;       // per contact
  double *r, *last, *before; // `block` numbers per contact: now, after the last pair, before it
} Local;

rgStatus rg_nsgs_local_accepts(const rgProblem* problem, rgMessage* message) {
  for (int i = 0; i < problem->contact_count; i++) {
    double normal = rg_local_diagonal(problem, i)[0];
    if (!(normal > 0))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "nsgs needs a positive diagonal, W_nn of contact %d is %g", i, normal);
  }
  return RG_OK;
}

static size_t number_count(const rgProblem* problem) {
  return (size_t)problem->contact_count * (size_t)problem->local->block;
}

static Local* carve(const rgProblem* problem, rgCarver* carver, Local* local) {
  Local* place = rg_carve(carver, 1, sizeof *local);
  size_t contacts = (size_t)problem->contact_count, numbers = number_count(problem), corners = 0;
  for (int i = 0; i < problem->contact_count; i++)
    if (rg_polygon_starts(problem, i))
      corners += (size_t)problem->contacts[i].facets;
  local->problem = problem;
  local->sweeps = 0;
  local->contacts = rg_carve(carver, contacts, sizeof *local->contacts);
  local->kind = rg_carve(carver, contacts, sizeof *local->kind);
  local->corners = rg_carve(carver, corners, sizeof *local->corners);
  local->inverse_rho = rg_carve(carver, contacts, sizeof(double));
  local->r = rg_carve(carver, numbers, sizeof(double));
  local->last = rg_carve(carver, numbers, sizeof(double));
  local->before = rg_carve(carver, numbers, sizeof(double));
  return place;
}

size_t rg_nsgs_local_size(const rgProblem* problem) {
  Local local;
  rgCarver carver = {NULL, 0};
  carve(problem, &carver, &local);
  return carver.used;
}

static void make_contact(Local* local, int i) {
  rgNsgsGeneral* contact = &local->contacts[i];
  rg_nsgs_general_make(local->problem, i, contact);
  local->inverse_rho[i] = sqrt(contact->weight);
  bool plain = contact->corner_count == 0;
  for (int k = 0; k <= contact->m; k++)
    plain = plain && contact->part[k] == k && contact->axis[k] == 1;
  local->kind[i] = plain ? PLAIN : GENERAL;
}

// Polygons are made at once, with their tables; others when they first carry an impulse.
static Local* make(const rgProblem* problem, void* work) {
  Local local;
  rgCarver carver = {work, 0};
  Local* place = carve(problem, &carver, &local);
  memset(local.kind, NOT_MADE, (size_t)problem->contact_count * sizeof *local.kind);
  int32_t table = 0, next_table = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    if (!rg_contact_is_polygon(&problem->contacts[i]))
      continue;
    if (rg_polygon_starts(problem, i)) {
      table = next_table;
      rg_polygon_corners(problem, &problem->contacts[i], local.corners + table);
      next_table += problem->contacts[i].facets;
    }
    make_contact(&local, i);
    local.contacts[i].first_corner = table;
  }
  *place = local;
  return place;
}

static bool is_zero(const double* r, int count) {
  bool zero = true;
  for (int k = 0; k < count; k++)
    zero = zero && r[k] == 0;
  return zero;
}

static void load(Local* local, const rgSolution* solution) {
  int block = local->problem->local->block;
  for (int i = 0; i < local->problem->contact_count; i++) {
    double* r = local->r + (size_t)i * (size_t)block;
    const double* given = solution->r + 4 * (size_t)i;
    memset(r, 0, (size_t)block * sizeof(double));
    if (is_zero(given, 4))
      continue;
    if (local->kind[i] == NOT_MADE)
      make_contact(local, i);
    const rgNsgsGeneral* contact = &local->contacts[i];
    for (int k = 0; k <= contact->m; k++)
      r[contact->part[k]] = given[contact->part[k]];
  }
  memcpy(local->last, local->r, number_count(local->problem) * sizeof(double));
}

static void store(const Local* local, rgSolution* solution) {
  int block = local->problem->local->block;
  memset(solution->r, 0, 4 * (size_t)local->problem->contact_count * sizeof(double));
  for (int i = 0; i < local->problem->contact_count; i++)
    for (int k = 0; k < block; k++)
      solution->r[4 * (size_t)i + (size_t)k] = local->r[(size_t)i * (size_t)block + (size_t)k];
}

// Solves a contact whose cone is circular in its own components. Where it slipped before, one step
// on its slip is enough.
static inline double solve_plain(rgNsgsGeneral* contact, const double u[4], double* r, int block) {
  double next[4] = {0}, change2 = 0;
  for (int k = 0; k < block; k++)
    next[k] = r[k];
  if (!rg_local_cone_near(&contact->block, u, next, &contact->alpha))
    rg_local_cone(&contact->block, u, next, &contact->alpha);
  for (int k = 0; k < block; k++) {
    change2 += (next[k] - r[k]) * (next[k] - r[k]);
    r[k] = next[k];
  }
  return change2 * contact->weight;
}

// One contact; returns the squared change, as a velocity. `block` is a constant where this is
// inlined.
static inline __attribute__((always_inline)) double visit(Local* local, int block, int i) {
  const rgLocalMatrix* matrix = local->problem->local;
  int start = matrix->row_start[i];
  rgLocalRow row = {matrix->values + (size_t)start * (size_t)(block * block),
                    matrix->column + start, matrix->row_start[i + 1] - start};
  const double* bias = local->problem->contacts[i].bias;
  double u[4] = {bias[0], bias[1], bias[2], bias[3]}, change[4];
  double* r = local->r + (size_t)i * (size_t)block;
  // an open contact that does not approach stays open
  if (is_zero(r, block) && u[0] + rg_local_row_normal(row, block, local->r, block) >= 0)
    return 0;
  rg_local_row_add(row, block, local->r, block, u);
  if (local->kind[i] == NOT_MADE)
    make_contact(local, i);
  if (local->kind[i] == PLAIN)
    return solve_plain(&local->contacts[i], u, r, block);
  return rg_nsgs_general_solve(&local->contacts[i], (const double(*)[2])local->corners, u, r,
                               change);
}

// Visits all contacts once; returns the largest squared change, as a velocity.
static inline __attribute__((always_inline)) double sweep_blocks(Local* local, int block,
                                                                 bool backward) {
  int count = local->problem->contact_count;
  double worst = 0;
  for (int k = 0; k < count; k++) {
    double size = visit(local, block, backward ? count - 1 - k : k);
    if (size > worst)
      worst = size;
  }
  return worst;
}

// Contacts that do not see each other are solved by the first visit, which is exact.
static bool is_done_at_once(const Local* local) {
  return local->problem->local->row_start[local->problem->contact_count] ==
         local->problem->contact_count;
}

static double sweep_sized(Local* local, bool backward) {
  switch (local->problem->local->block) {
  case 1:
    return sweep_blocks(local, 1, backward);
  case 2:
    return sweep_blocks(local, 2, backward);
  case 3:
    return sweep_blocks(local, 3, backward);
  default:
    return sweep_blocks(local, 4, backward);
  }
}

static double sweep(void* state, bool backward) {
  Local* local = state;
  double worst = sweep_sized(local, backward);
  bool done = local->sweeps++ == 0 && is_done_at_once(local);
  return done ? 0 : worst;
}

// (r - before)' D (r - last) with D the inverse effective masses: does the movement since the pair
// before agree with where the last pair of sweeps went?
static double agreement(const Local* local) {
  int block = local->problem->local->block;
  double sum = 0;
  for (int i = 0; i < local->problem->contact_count; i++) {
    const rgNsgsGeneral* contact = &local->contacts[i];
    double product = 0;
    if (local->kind[i] == NOT_MADE)
      continue;
    for (int k = 0; k <= contact->m; k++) {
      size_t at = (size_t)(i * block + contact->part[k]);
      double axis = contact->axis[k];
      product +=
          (local->r[at] - local->before[at]) * (local->r[at] - local->last[at]) / (axis * axis);
    }
    sum += local->inverse_rho[i] * product;
  }
  return sum;
}

static void accelerate(void* state, rgMomentum* momentum, rgSolve* run, double worst) {
  (void)run;
  Local* local = state;
  if (rg_momentum_gives_up(momentum, worst))
    return;
  if (momentum->t > 1 && agreement(local) < 0)
    momentum->t = 1;
  rg_momentum_extrapolate(local->r, local->last, number_count(local->problem),
                          rg_momentum_next(momentum));
}

static void remember(void* state) {
  Local* local = state;
  memcpy(local->before, local->r, number_count(local->problem) * sizeof(double));
}

void rg_nsgs_local_solve(rgSolve* run, rgSweepPlan plan) {
  static const rgSweeps sweeps = {sweep, remember, accelerate};
  Local* local = run->round == 0 ? make(run->problem, run->work) : run->work;
  load(local, run->solution);
  rg_momentum_run(run, &sweeps, local, plan);
  store(local, run->solution);
}
