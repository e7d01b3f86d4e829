// dantzig.c - Baraff's form of Dantzig's pivoting method, in contact space.
//
// Problem: lower <= x <= upper, w = W x + q, complementary (bounded.h), W symmetric positive
// semidefinite: contacts without friction, rows with any bounds. Redon et al. 2002, eq. 12.
//
// Method (Baraff 1994): unknowns are taken up one after the other, here the one that violates its
// law most; those taken up obey their law from then on. x_i of the next one is moved such that w_i
// goes to zero, while the set C of unknowns between their bounds is moved along so that their w
// stay zero:
//
//     dx_i = s,   dx_C = -s W_CC^-1 W_Ci,   dw = s W_i + W_C dx_C.
//
// The step ends at the first event: w_i is zero, x_i reaches a bound, one of C reaches a bound and
// leaves C, or the w of one at a bound reaches zero and it joins C. One step is one iteration.
//
// Redundant contacts: when column i depends on those of C, its pivot W_ii - W_iC W_CC^-1 W_Ci is
// zero, the step changes no velocity, and only bounds end it. If none does, the rows contradict
// each other: no solution. One that joins C after a step is never dependent, because its w has just
// moved while those of C have not.
//
// Ties: where many contacts would lose touch at the same time, steps of length zero might run in
// circles. Unknowns that obey their law may therefore miss it by a tenth of what counts as a
// violation, and of all events up to then the one with the largest rate is taken, which is also
// best for the factor (the two passes of Harris 1973).
//
// The factor of W_CC is updated by appending and removing rows (cholesky.c); with incremental=0 it
// is computed afresh in each step, as Redon et al. 2002 did for their tables. W is kept by rows,
// with sparse=1 without its zeros. x is refined now and then, and at the end.
//
// Cost: O(m |C| + |C|^2) per step with sparse=0, m unknowns; memory m^2 numbers for W and m^2 for
// the factor. No use is made of a warm start.
#include "base/message.h"
#include "math/cholesky.h"
#include "problem/operator.h"
#include "solve/pivot/bounded.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS_MAX = 3000 }; // 2 x 72 MB
enum { INCREMENTAL, SPARSE, FIRST };
static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(incremental, 1, 0, 1, true, "update the factor (1) or compute it afresh (0)"),
    RG_SOLVER_OPTION(sparse, 1, 0, 1, true, "keep W without its zeros (1) or full (0)"),
    RG_SOLVER_OPTION(first, 0, 0, 1, true,
                     "take up the first unknown that violates its law (1) or the worst one (0)"),
    {.name = NULL},
};

// A pivot below this belongs to a column that depends on others (the diagonal is one).
static const double zero_pivot = 1e-11;
// A rate below this part of the largest one is rounding.
static const double zero_rate = 1e-11;
// What an unknown at a bound may miss its law by, as a part of what counts as a violation.
static const double give = 0.1;
// Of an impulse, relative to the largest one.
static const double rounding = 1e-14;
// A matrix in local form whose entries differ from their mirror images by more than this part of
// the diagonal is not symmetric.
static const double skew = 1e-12;
enum {
  REFINE_STEPS = 3,
  REFRESH_EVERY = 64 // iterations between computing w from x: the updates of w add up rounding
};

typedef enum State { WAITING, AT_LOWER, AT_UPPER, MOVING, IDLE } State;

typedef struct Dantzig {
  rgBounded box;
  bool incremental, sparse, first;
  int *row_start, *column; // sparse
  double* value;           // W by rows
  double *x, *w, *dx, *dw;
  int* state;
  int *member, *place; // C, and where in it an unknown is
  int member_count;
  double *rhs, *row;
  rgCholesky cholesky;
  rgEffort* effort;
  double size;  // largest violation at the start
  double limit; // violations below it are left
} Dantzig;

static rgStatus accept_local(const rgProblem* problem, rgMessage* message) {
  const rgLocalMatrix* local = problem->local;
  for (int i = 0; i < problem->contact_count; i++) {
    double block[4][4];
    rg_contact_block(problem, &problem->contacts[i], block);
    if (!(block[0][0] > 0))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "dantzig takes positive semidefinite matrices only, W[%d][%d] is %g", i, i,
                     block[0][0]);
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++) {
      int j = local->column[k], size = local->block * local->block;
      double here = local->values[(size_t)k * (size_t)size], mirror = 0;
      for (int l = local->row_start[j]; l < local->row_start[j + 1]; l++)
        if (local->column[l] == i)
          mirror = local->values[(size_t)l * (size_t)size];
      if (!(fabs(here - mirror) <= skew * fmax(fabs(here), block[0][0])))
        return rg_fail(message, RG_ERROR_UNSUPPORTED,
                       "dantzig takes symmetric matrices only, W[%d][%d] is %g and W[%d][%d] is %g",
                       i, j, here, j, i, mirror);
    }
  }
  return RG_OK;
}

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  int unknowns = problem->contact_count + problem->row_count;
  if (unknowns > UNKNOWNS_MAX)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "dantzig takes at most %d contacts and rows, the problem has %d",
                   (int)UNKNOWNS_MAX, unknowns);
  rgStatus status = rg_bounded_accepts(problem, "dantzig", message);
  return status == RG_OK && problem->local ? accept_local(problem, message) : status;
}

static void carve(Dantzig* d, const rgProblem* problem, rgCarver* carver) {
  memset(d, 0, sizeof *d);
  rg_bounded_carve(&d->box, problem, carver);
  size_t m = (size_t)d->box.count;
  d->row_start = rg_carve(carver, m + 1, sizeof(int));
  d->column = rg_carve(carver, m * m, sizeof(int));
  d->value = rg_carve(carver, m * m, sizeof(double));
  double** vectors[] = {&d->x, &d->w, &d->dx, &d->dw, &d->rhs, &d->row};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    *vectors[i] = rg_carve(carver, m, sizeof(double));
  d->state = rg_carve(carver, m, sizeof(int));
  d->member = rg_carve(carver, m, sizeof(int));
  d->place = rg_carve(carver, m, sizeof(int));
  rg_cholesky_carve(&d->cholesky, d->box.count, carver);
}

static size_t work_size(const rgProblem* problem) {
  if (accepts(problem, NULL) != RG_OK)
    return RG_ALIGNMENT;
  Dantzig d;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof d);
  carve(&d, problem, &carver);
  // the lists of directions per body are needed before anything is in C
  rgIncidence on;
  rgCarver lists = {NULL, 0};
  rg_incidence_carve(&on, problem->body_count, d.box.count, &lists);
  return carver.used + lists.used;
}

// -------------------------------------------------------------------------------------------------
// W
// -------------------------------------------------------------------------------------------------

static void fill_local(Dantzig* d) {
  const rgLocalMatrix* local = d->box.problem->local;
  size_t m = (size_t)d->box.count, size = (size_t)(local->block * local->block);
  memset(d->value, 0, m * m * sizeof(double));
  for (size_t i = 0; i < m; i++)
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++)
      d->value[i * m + (size_t)local->column[k]] =
          d->box.scale[i] * local->values[(size_t)k * size] * d->box.scale[local->column[k]];
}

static void fill_bodies(Dantzig* d, rgCarver* carver) {
  int m = d->box.count;
  rgIncidence on;
  rg_incidence_carve(&on, d->box.problem->body_count, m, carver);
  rg_incidence_build(&on, d->box.problem->body_count, d->box.directions, m);
  rg_delassus(d->box.problem, d->box.directions, &on, m, d->box.directions, m, d->value, (size_t)m);
  for (int i = 0; i < m; i++)
    d->value[(size_t)i * (size_t)m + (size_t)i] += d->box.compliance[i];
}

// Moves the numbers that are not zero to the front, row after row.
static void compress(Dantzig* d) {
  int m = d->box.count, next = 0;
  for (int i = 0; i < m; i++) {
    const double* row = d->value + (size_t)i * (size_t)m;
    d->row_start[i] = next;
    for (int j = 0; j < m; j++)
      if (row[j] != 0) {
        d->column[next] = j;
        d->value[next++] = row[j];
      }
  }
  d->row_start[m] = next;
}

static void count_linear(const Dantzig* d, double multiplications) {
  d->effort->linear_multiplications += multiplications;
}

// Multiplications of a Cholesky factorization and of a solve with its factor.
static double factor_cost(double n) { return n * n * n / 6; }
static double solve_cost(double n) { return n * n; }

// y += s W_i
static void add_row(const Dantzig* d, double s, int i, double* y) {
  d->effort->other_multiplications +=
      d->sparse ? d->row_start[i + 1] - d->row_start[i] : d->box.count;
  if (!d->sparse) {
    rg_axpy(y, s, d->value + (size_t)i * (size_t)d->box.count, d->box.count);
    return;
  }
  for (int k = d->row_start[i]; k < d->row_start[i + 1]; k++)
    y[d->column[k]] += s * d->value[k];
}

// W_iC into `to`, by position in C, of the first `count` members.
static void gather(const Dantzig* d, int i, int count, double* to) {
  if (!d->sparse) {
    const double* row = d->value + (size_t)i * (size_t)d->box.count;
    for (int k = 0; k < count; k++)
      to[k] = row[d->member[k]];
    return;
  }
  memset(to, 0, (size_t)count * sizeof(double));
  for (int k = d->row_start[i]; k < d->row_start[i + 1]; k++) {
    int place = d->place[d->column[k]];
    if (place >= 0 && place < count)
      to[place] = d->value[k];
  }
}

static double diagonal(const Dantzig* d, int i) {
  if (!d->sparse)
    return d->value[(size_t)i * (size_t)d->box.count + (size_t)i];
  for (int k = d->row_start[i]; k < d->row_start[i + 1]; k++)
    if (d->column[k] == i)
      return d->value[k];
  return 0;
}

// -------------------------------------------------------------------------------------------------
// C
// -------------------------------------------------------------------------------------------------

static void leave(Dantzig* d, int i, State state) {
  int place = d->place[i];
  if (d->incremental) {
    count_linear(d, solve_cost(d->member_count));
    rg_cholesky_remove(&d->cholesky, place);
  }
  d->member_count--;
  for (int k = place; k < d->member_count; k++) {
    d->member[k] = d->member[k + 1];
    d->place[d->member[k]] = k;
  }
  d->place[i] = -1;
  d->state[i] = state;
}

// Unknown i joins C, unless its column depends on those of C.
static void join(Dantzig* d, int i) {
  if (d->incremental) {
    gather(d, i, d->member_count, d->row);
    count_linear(d, 0.5 * solve_cost(d->member_count));
    double pivot = rg_cholesky_pivot(&d->cholesky, d->row, diagonal(d, i));
    if (!(pivot > zero_pivot)) {
      d->state[i] = IDLE;
      return;
    }
    rg_cholesky_append(&d->cholesky, d->row, pivot);
  }
  d->place[i] = d->member_count;
  d->member[d->member_count++] = i;
  d->state[i] = MOVING;
}

// Without updates: the factor of W_CC from its numbers. A member whose column depends on those
// before it is put aside.
static void factor_afresh(Dantzig* d) {
  for (;;) {
    for (int k = 0; k < d->member_count; k++)
      gather(d, d->member[k], k + 1, d->cholesky.lower + (size_t)k * (size_t)d->cholesky.capacity);
    count_linear(d, factor_cost(d->member_count));
    int good = rg_cholesky_factor(&d->cholesky, d->member_count, zero_pivot);
    if (good == d->member_count)
      return;
    leave(d, d->member[good], IDLE);
  }
}

// -------------------------------------------------------------------------------------------------
// Steps
// -------------------------------------------------------------------------------------------------

// dx_C (in d->rhs) and dw for dx_i = s.
static void find_direction(Dantzig* d, int i, double s) {
  if (!d->incremental)
    factor_afresh(d);
  gather(d, i, d->member_count, d->rhs);
  for (int k = 0; k < d->member_count; k++)
    d->rhs[k] *= -s;
  count_linear(d, solve_cost(d->member_count));
  rg_cholesky_solve(&d->cholesky, d->rhs);
  memset(d->dw, 0, (size_t)d->box.count * sizeof(double));
  add_row(d, s, i, d->dw);
  for (int k = 0; k < d->member_count; k++)
    add_row(d, d->rhs[k], d->member[k], d->dw);
}

typedef struct Event {
  double step, rate; // when, and how fast its number goes there; step HUGE_VAL: never
  int index;
  State state; // that the unknown takes
} Event;

// The event of unknown j when the step goes on along the direction with dx_i = s. Rates below
// `least` are rounding.
static Event event_of(const Dantzig* d, int j, int i, double s, double least) {
  const rgBounded* box = &d->box;
  Event event = {HUGE_VAL, 1, j, MOVING};
  if (j == i) {
    double room = s > 0 ? box->upper[i] - d->x[i] : d->x[i] - box->lower[i];
    if (s * d->dw[i] > zero_pivot)
      event = (Event){fabs(d->w[i]) / (s * d->dw[i]), s * d->dw[i], i, MOVING};
    if (room < event.step)
      event = (Event){room, 1, i, s > 0 ? AT_UPPER : AT_LOWER};
  } else if (d->place[j] >= 0) {
    double rate = d->rhs[d->place[j]];
    if (rate < -least)
      event = (Event){(d->x[j] - box->lower[j]) / -rate, -rate, j, AT_LOWER};
    else if (rate > least)
      event = (Event){(box->upper[j] - d->x[j]) / rate, rate, j, AT_UPPER};
  } else if (box->lower[j] < box->upper[j]) {
    bool lower = d->state[j] == AT_LOWER && d->dw[j] < -least;
    bool upper = d->state[j] == AT_UPPER && d->dw[j] > least;
    if (lower || upper)
      event = (Event){-d->w[j] / d->dw[j], fabs(d->dw[j]), j, MOVING};
  }
  return event;
}

// The event that ends the step.
static Event first_event(const Dantzig* d, int i, double s) {
  double largest = 1, largest_x = 0, latest = HUGE_VAL;
  for (int k = 0; k < d->member_count; k++) {
    largest = fmax(largest, fabs(d->rhs[k]));
    largest_x = fmax(largest_x, fabs(d->x[d->member[k]]));
  }
  double least = zero_rate * largest;
  for (int j = 0; j < d->box.count; j++) {
    if (d->state[j] == WAITING && j != i)
      continue;
    Event event = event_of(d, j, i, s, least);
    double slack = event.state == MOVING ? give * d->limit : rounding * largest_x;
    latest = fmin(latest, event.step + slack / event.rate);
  }
  Event first = event_of(d, i, i, s, least);
  if (first.step <= latest)
    return first;
  first.rate = 0;
  for (int j = 0; j < d->box.count; j++) {
    Event event = event_of(d, j, i, s, least);
    if (d->state[j] != WAITING && j != i && event.step <= latest && event.rate > first.rate)
      first = event;
  }
  first.step = fmax(first.step, 0);
  return first;
}

static void apply(Dantzig* d, int i, double s, Event event) {
  d->x[i] += s * event.step;
  for (int k = 0; k < d->member_count; k++)
    d->x[d->member[k]] += event.step * d->rhs[k];
  d->effort->other_multiplications += d->box.count;
  rg_axpy(d->w, event.step, d->dw, d->box.count);
  int j = event.index;
  if (event.state == MOVING) {
    d->w[j] = 0;
    join(d, j);
    return;
  }
  d->x[j] = event.state == AT_LOWER ? d->box.lower[j] : d->box.upper[j];
  if (d->place[j] >= 0)
    leave(d, j, event.state);
  else
    d->state[j] = event.state;
}

// One that obeys its law takes its place.
static void take_place(Dantzig* d, int i) {
  if (d->x[i] <= d->box.lower[i])
    d->state[i] = AT_LOWER;
  else if (d->x[i] >= d->box.upper[i])
    d->state[i] = AT_UPPER;
  else
    join(d, i);
}

// w = W x + q, then x_C such that w_C is zero. Those of C that this takes to a bound leave it.
static void refine(Dantzig* d) {
  for (int step = 0; step < REFINE_STEPS; step++) {
    memcpy(d->w, d->box.q, (size_t)d->box.count * sizeof(double));
    for (int i = 0; i < d->box.count; i++)
      if (d->x[i] != 0)
        add_row(d, d->x[i], i, d->w);
    if (step == REFINE_STEPS - 1)
      return;
    if (!d->incremental)
      factor_afresh(d);
    for (int k = 0; k < d->member_count; k++)
      d->rhs[k] = -d->w[d->member[k]];
    count_linear(d, solve_cost(d->member_count));
    rg_cholesky_solve(&d->cholesky, d->rhs);
    for (int k = d->member_count - 1; k >= 0; k--) {
      int c = d->member[k];
      d->x[c] = fmin(fmax(d->x[c] + d->rhs[k], d->box.lower[c]), d->box.upper[c]);
      if (d->x[c] == d->box.lower[c] || d->x[c] == d->box.upper[c])
        leave(d, c, d->x[c] == d->box.lower[c] ? AT_LOWER : AT_UPPER);
    }
  }
}

// Drives unknown i until it obeys its law. False when the run must end.
static bool drive(Dantzig* d, rgSolve* run, int i) {
  bool fresh = false; // w has just been computed from x
  while (rg_bounded_violation(&d->box, i, d->x[i], d->w[i]) > d->limit) {
    if (rg_solve_is_over(run))
      return false;
    rg_solve_record(run, fabs(d->w[i]) / d->size * run->scale);
    run->iterations++;
    double s = d->w[i] < 0 ? 1 : -1;
    find_direction(d, i, s);
    Event event = first_event(d, i, s);
    bool blocked = event.step < HUGE_VAL;
    if (!blocked && fresh) {
      run->status = RG_NO_SOLUTION;
      return false;
    }
    if (blocked)
      apply(d, i, s, event);
    if (blocked && event.index == i)
      return true;
    fresh = !blocked || run->iterations % REFRESH_EVERY == 0;
    if (fresh)
      refine(d);
  }
  if (d->place[i] < 0)
    take_place(d, i);
  return true;
}

// The unknown to take up next, and how much it violates its law.
static int next_unknown(const Dantzig* d, double* violation) {
  int worst = -1;
  *violation = 0;
  for (int i = 0; i < d->box.count; i++) {
    double missed = d->place[i] < 0 ? rg_bounded_violation(&d->box, i, d->x[i], d->w[i]) : 0;
    if (missed > *violation) {
      *violation = missed;
      worst = i;
    }
    if (d->first && missed > d->limit)
      break;
  }
  return worst;
}

// Until no unknown violates its law by more than the limit.
static double pivot(Dantzig* d, rgSolve* run) {
  double violation;
  refine(d);
  int next = next_unknown(d, &violation);
  while (violation > d->limit && drive(d, run, next)) {
    next = next_unknown(d, &violation);
    if (violation > d->limit)
      continue;
    refine(d); // the end, unless rounding hid something
    next = next_unknown(d, &violation);
  }
  return violation;
}

static Dantzig* build(rgSolve* run) {
  rgCarver carver = {run->work, 0};
  Dantzig* d = rg_carve(&carver, 1, sizeof *d);
  carve(d, run->problem, &carver);
  d->incremental = run->options[INCREMENTAL] != 0;
  d->sparse = run->options[SPARSE] != 0;
  d->first = run->options[FIRST] != 0;
  rg_bounded_build(&d->box, run->solution);
  if (run->problem->local)
    fill_local(d);
  else
    fill_bodies(d, &carver);
  if (d->sparse)
    compress(d);
  int m = d->box.count;
  memcpy(d->x, d->box.start, (size_t)m * sizeof(double));
  for (int i = 0; i < m; i++) {
    d->state[i] = WAITING;
    d->place[i] = -1;
  }
  return d;
}

static void solve(rgSolve* run) {
  if (run->call > 0 && run->status != RG_OK)
    return;
  Dantzig* d = run->call == 0 ? build(run) : run->work;
  d->effort = &run->effort;
  if (run->call == 0) {
    d->limit = HUGE_VAL;
    refine(d);
    next_unknown(d, &d->size);
  }
  d->limit = d->size * run->goal / run->scale;
  double violation = pivot(d, run);
  refine(d);
  rg_bounded_store(&d->box, d->x, run->solution);
  run->measure = d->size > 0 ? violation / d->size * run->scale : 0;
}

const rgSolver rg_solver_dantzig = {
    .name = "dantzig",
    .summary = "Baraff's contact-space active set with an updated factor; no friction, bounded and "
               "free rows",
    .reference = "Baraff 1994; Redon, Kheddar, Coquillart 2002, eq. 12",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
