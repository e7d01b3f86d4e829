// nsgs_local_form.c - block Gauss-Seidel on the local form, where W is given.
//
// Problem: (u, w) = W (r, lambda) + q with W in blocks, each contact and each row with its law
// (problem.h, local form). W need be neither symmetric nor regular.
//
// Method (Renouf et al. 2005, section 6.2, eq. 35): visit the contacts in their order; at each, u_i
// = q_i + sum_j W_ij r_j with the newest r, and the one-contact problem with the symmetric part of
// W_ii. A visit that changes nothing says that (u_i, r_i) satisfies the law with the true u_i, so
// the fixed point is the solution of the stated problem whatever W_ii is replaced by. Velocities
// are summed afresh in every visit: nothing drifts. Rows come before the contacts in a sweep forth
// and after them in one back, as in body form; the visit of a row moves its impulse by -w / (W_ii +
// compliance), cut at the bounds.
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
// Fails when a W_nn is not positive or a row has W_ii < 0 (refused), and need not converge when W
// is far from symmetric positive semidefinite or mu is large in a badly coupled W: then the
// certificate says so.
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
  double* inverse_rho; // per contact
  double* row_block;   // per row: W_ii + compliance
  // `block` numbers per contact, then one per row: now, after the last pair, before it
  double *r, *last, *before;
} Local;

rgStatus rg_nsgs_local_accepts(const rgProblem* problem, rgMessage* message) {
  for (int i = 0; i < problem->contact_count; i++) {
    double normal = rg_local_diagonal(problem, i)[0];
    if (!(normal > 0))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "nsgs needs a positive diagonal, W_nn of contact %d is %g", i, normal);
  }
  for (int i = 0; i < problem->row_count; i++) {
    double block = rg_row_block(problem, &problem->rows[i]);
    if (!(block >= 0))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "nsgs needs a diagonal >= 0 for rows, W of row %d is %g", i, block);
  }
  return RG_OK;
}

static size_t first_row(const rgProblem* problem) {
  return (size_t)problem->contact_count * (size_t)problem->local->block;
}

static size_t number_count(const rgProblem* problem) {
  return first_row(problem) + (size_t)problem->row_count;
}

static Local* carve(const rgProblem* problem, rgCarver* carver, Local* local) {
  Local* place = rg_carve(carver, 1, sizeof *local);
  size_t contacts = (size_t)problem->contact_count, numbers = number_count(problem), corners = 0;
  for (int i = 0; i < problem->contact_count; i++)
    if (rg_one_polygon_starts(problem, i))
      corners += (size_t)problem->contacts[i].facets;
  local->problem = problem;
  local->sweeps = 0;
  local->contacts = rg_carve(carver, contacts, sizeof *local->contacts);
  local->kind = rg_carve(carver, contacts, sizeof *local->kind);
  local->corners = rg_carve(carver, corners, sizeof *local->corners);
  local->inverse_rho = rg_carve(carver, contacts, sizeof(double));
  local->row_block = rg_carve(carver, (size_t)problem->row_count, sizeof(double));
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
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    local.row_block[i] = rg_row_block(problem, row) + row->compliance;
  }
  int32_t table = 0, next_table = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    if (!rg_one_is_polygon(&problem->contacts[i]))
      continue;
    if (rg_one_polygon_starts(problem, i)) {
      table = next_table;
      rg_one_polygon_corners(problem, &problem->contacts[i], local.corners + table);
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
  for (int i = 0; i < local->problem->row_count; i++)
    local->r[first_row(local->problem) + (size_t)i] = solution->lambda[i];
  memcpy(local->last, local->r, number_count(local->problem) * sizeof(double));
}

static void store(const Local* local, rgSolution* solution) {
  int block = local->problem->local->block;
  memset(solution->r, 0, 4 * (size_t)local->problem->contact_count * sizeof(double));
  for (int i = 0; i < local->problem->contact_count; i++)
    for (int k = 0; k < block; k++)
      solution->r[4 * (size_t)i + (size_t)k] = local->r[(size_t)i * (size_t)block + (size_t)k];
  for (int i = 0; i < local->problem->row_count; i++)
    solution->lambda[i] = local->r[first_row(local->problem) + (size_t)i];
}

// Solves a contact whose cone is circular in its own components. Where it slipped before, one step
// on its slip is enough.
static inline double solve_plain(rgNsgsGeneral* contact, const double u[4], double* r, int block) {
  double next[4] = {0}, change2 = 0;
  for (int k = 0; k < block; k++)
    next[k] = r[k];
  if (!rg_one_cone_near(&contact->block, u, next, &contact->alpha))
    rg_one_cone(&contact->block, u, next, &contact->alpha);
  for (int k = 0; k < block; k++) {
    change2 += (next[k] - r[k]) * (next[k] - r[k]);
    r[k] = next[k];
  }
  return change2 * contact->weight;
}

// The blocks of a contact with contacts; what rows do to it is added to u.
static inline __attribute__((always_inline)) rgLocalRow blocks_of(const Local* local, int block,
                                                                  int i, double* u) {
  const rgLocalMatrix* matrix = local->problem->local;
  if (local->problem->row_count > 0) {
    rgLocalNode node = rg_local_node(local->problem, i);
    rg_local_add_rows(local->problem, node.rows, local->r + first_row(local->problem), u);
    return node.contacts;
  }
  int start = matrix->row_start[i];
  return (rgLocalRow){matrix->values + (size_t)start * (size_t)(block * block),
                      matrix->column + start, matrix->row_start[i + 1] - start};
}

// One contact; returns the squared change, as a velocity. `block` is a constant where this is
// inlined.
static inline __attribute__((always_inline)) double visit(Local* local, int block, int i) {
  const double* bias = local->problem->contacts[i].bias;
  double u[4] = {bias[0], bias[1], bias[2], bias[3]}, change[4];
  rgLocalRow row = blocks_of(local, block, i, u);
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

static double visit_row(Local* local, int i) {
  const rgProblem* problem = local->problem;
  const rgProblemRow* row = &problem->rows[i];
  double *lambda = local->r + first_row(problem), block = local->row_block[i];
  if (!(block > 0))
    return 0; // nothing moves
  double w = rg_local_row_response(problem, i, local->r, problem->local->block, lambda) +
             (row->bias + row->compliance * lambda[i]);
  double next = lambda[i] - w / block;
  next = next < row->lower ? row->lower : next > row->upper ? row->upper : next;
  double change = (next - lambda[i]) * block * rg_row_weight(problem, row);
  lambda[i] = next;
  return change * change;
}

static double sweep_rows(Local* local, bool backward) {
  double worst = 0;
  int count = local->problem->row_count;
  for (int k = 0; k < count; k++) {
    double size = visit_row(local, backward ? count - 1 - k : k);
    if (size > worst)
      worst = size;
  }
  return worst;
}

// Contacts and rows that do not see each other are solved by the first visit, which is exact.
static bool is_done_at_once(const Local* local) {
  int nodes = rg_local_node_count(local->problem);
  return local->problem->local->row_start[nodes] == nodes;
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
  double worst = backward ? 0 : sweep_rows(local, false);
  worst = fmax(worst, sweep_sized(local, backward));
  if (backward)
    worst = fmax(worst, sweep_rows(local, true));
  bool done = local->sweeps++ == 0 && is_done_at_once(local);
  return done ? 0 : worst;
}

// (r - before)' D (r - last) over contacts and rows, with D the inverse effective masses: does the
// movement since the pair before agree with where the last pair of sweeps went?
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
  for (int i = 0; i < local->problem->row_count; i++) {
    size_t at = first_row(local->problem) + (size_t)i;
    sum +=
        local->row_block[i] * (local->r[at] - local->before[at]) * (local->r[at] - local->last[at]);
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
  plan.trial = 0; // for bodies
  static const rgSweeps sweeps = {sweep, remember, accelerate, NULL};
  Local* local = run->call == 0 ? make(run->problem, run->work) : run->work;
  load(local, run->solution);
  rg_momentum_run(run, &sweeps, local, plan);
  store(local, run->solution);
}
