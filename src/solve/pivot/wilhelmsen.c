// wilhelmsen.c - nearest point of a polyhedral cone, in motion space.
//
// Problem: lower <= x <= upper, w = J v + bias + C x, v = v_free + M^-1 J' x, complementary
// (bounded.h): contacts without friction, rows with any bounds. By Gauss' principle v is the
// possible velocity nearest to v_free in the kinetic norm (Redon et al. 2002, eq. 7). With M = Q' Q
// and the generators a_i, the rows of J Q^-1, it is the least-squares problem of Redon et al. 2002,
// eq. 11,
//
//     minimize |sum_i x_i a_i - s|^2 / 2 over x >= 0,
//
// the projection of s on the cone of the generators. Accelerations (Redon et al. 2002, eq. 4:
// v_free is the unconstrained acceleration, bias the constraints' right-hand side) and impacts (eq.
// 6: v_free is the velocity before, bias e times the speed of approach) are this same projection.
//
// Method (Wilhelmsen 1976): keep a set C of independent generators and the point y = sum x_i a_i
// of their span nearest to s. The gradient w_i = a_i . y + q_i says which generator leads on: the
// one with the largest violation (`first`: the first one) joins C, and y moves towards the nearest point of the new span; a
// generator whose coefficient reaches its bound on the way leaves C, and the rest goes on. Each
// such move is one iteration. s itself need not exist: q is enough, so that inconsistent right-hand
// sides are no trouble. Rows without bounds are generators whose coefficients have no sign: once in
// C they stay.
//
// Nothing but y (6 numbers per body) and x is carried along, and J M^-1 J' is never formed: of its
// numbers only those between members of C are computed, one row when a member joins. The factor of
// this Gram matrix is updated (cholesky.c; incremental=0: computed afresh for each move, as Redon
// et al. 2002 did for their tables). What the squared condition costs is won back because each move
// solves for the present w_C, not only for the entry that is new: one step of refinement comes with
// every move.
//
// A generator that depends on C can violate only if right-hand sides contradict each other or
// through bounds: then it moves with a combination of C that leaves y where it is until a
// bound is reached; none: no solution.
//
// Cost: O(m + |C|^2) per move with sparse=1, |C| <= 6 bodies (and compliant rows); memory O(m +
// |C|^2). No use is made of a warm start.
#include "base/message.h"
#include "math/cholesky.h"
#include "math/vec.h"
#include "problem/operator.h"
#include "solve/pivot/bounded.h"

#include <math.h>
#include <string.h>

enum { SET_MAX = 3000 };            // 72 MB
enum { DENSE_MAX = 1 << 21 };       // numbers of J Q^-1 with its zeros: 16 MB
enum { BODY = 6, PAIR = 2 * BODY }; // numbers of a generator on one body, on two
enum { INCREMENTAL, SPARSE, FIRST };
static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(incremental, 1, 0, 1, true, "update the factor (1) or compute it afresh (0)"),
    RG_SOLVER_OPTION(sparse, 1, 0, 1, true,
                     "keep generators by body (1), or full (0) when the problem is small"),
    RG_SOLVER_OPTION(first, 0, 0, 1, true,
                     "the first generator that leads on joins (1) or the one that does most (0)"),
    {.name = NULL},
};

// Generators have length one. A pivot below this is that of a dependent one.
static const double zero_pivot = 1e-11;
// A rate below this part of the largest one is rounding.
static const double zero_rate = 1e-11;
enum { REFINE_STEPS = 3 };

typedef struct Wilhelmsen {
  rgBounded box;
  bool incremental, sparse, first;
  int width;         // 6 per body
  rgMassRoot* root;  // Q^-1 of each body
  double* generator; // 12 per unknown
  double* full;      // or `width` per unknown
  double* y;         // width
  double* x;
  int *member, *place; // C, and where in it an unknown is
  int member_count;
  double *rhs, *row;
  rgCholesky cholesky;
  rgEffort* effort;
  double size, limit; // as in dantzig.c
} Wilhelmsen;

static int set_capacity(const rgProblem* problem) {
  long long independent = (long long)BODY * problem->body_count;
  for (int i = 0; i < problem->row_count; i++)
    independent += problem->rows[i].compliance > 0;
  long long all = (long long)problem->contact_count + problem->row_count;
  return (int)(independent < all ? independent : all);
}

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  if (problem->local)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "wilhelmsen takes problems with bodies only, this one is in local form");
  int capacity = set_capacity(problem);
  if (capacity > SET_MAX)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "wilhelmsen takes at most %d independent contacts and rows, the problem may "
                   "have %d",
                   (int)SET_MAX, capacity);
  return rg_bounded_accepts(problem, "wilhelmsen", message);
}

static bool dense_fits(const rgProblem* problem) {
  return ((double)problem->contact_count + problem->row_count) * BODY * problem->body_count <=
         DENSE_MAX;
}

static void carve(Wilhelmsen* d, const rgProblem* problem, rgCarver* carver) {
  memset(d, 0, sizeof *d);
  rg_bounded_carve(&d->box, problem, carver);
  size_t m = (size_t)d->box.count, bodies = (size_t)problem->body_count;
  int capacity = set_capacity(problem);
  d->width = BODY * problem->body_count;
  d->root = rg_carve(carver, bodies, sizeof *d->root);
  d->generator = rg_carve(carver, m * PAIR, sizeof(double));
  d->full = rg_carve(carver, dense_fits(problem) ? m * BODY * bodies : 0, sizeof(double));
  d->y = rg_carve(carver, BODY * bodies, sizeof(double));
  d->x = rg_carve(carver, m, sizeof(double));
  d->member = rg_carve(carver, (size_t)capacity + 1, sizeof(int));
  d->place = rg_carve(carver, m, sizeof(int));
  d->rhs = rg_carve(carver, (size_t)capacity + 1, sizeof(double));
  d->row = rg_carve(carver, (size_t)capacity + 1, sizeof(double));
  rg_cholesky_carve(&d->cholesky, capacity + 1, carver);
}

static size_t work_size(const rgProblem* problem) {
  if (accepts(problem, NULL) != RG_OK)
    return RG_ALIGNMENT;
  Wilhelmsen d;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof d);
  carve(&d, problem, &carver);
  return carver.used;
}

// -------------------------------------------------------------------------------------------------
// Generators
// -------------------------------------------------------------------------------------------------

// g Q^-1 of one body: Q^-1 is the root L of M^-1.
static void weight(const Wilhelmsen* d, int body, rgTwist g, double* a) {
  if (body < 0)
    memset(a, 0, BODY * sizeof(double));
  else
    rg_mass_root_times(&d->root[body], g, a);
}

static void fill_generators(Wilhelmsen* d) {
  const rgProblem* problem = d->box.problem;
  for (int b = 0; b < problem->body_count; b++)
    d->root[b] = rg_mass_root(problem, b);
  if (!d->sparse)
    memset(d->full, 0, (size_t)d->box.count * (size_t)d->width * sizeof(double));
  for (int i = 0; i < d->box.count; i++) {
    const rgDirection* direction = &d->box.directions[i];
    double* a = d->generator + (size_t)i * PAIR;
    weight(d, direction->body_a, direction->g_a, a);
    weight(d, direction->body_b, direction->g_b, a + BODY);
    if (d->sparse)
      continue;
    double* full = d->full + (size_t)i * (size_t)d->width;
    if (direction->body_a >= 0)
      rg_axpy(full + BODY * direction->body_a, 1, a, BODY);
    if (direction->body_b >= 0)
      rg_axpy(full + BODY * direction->body_b, 1, a + BODY, BODY);
  }
}

static double dot6(const double* a, const double* b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

static void count_linear(const Wilhelmsen* d, double multiplications) {
  d->effort->linear_multiplications += multiplications;
}

// Multiplications of a Cholesky factorization and of a solve with its factor.
static double factor_cost(double n) { return n * n * n / 6; }
static double solve_cost(double n) { return n * n; }

// Those of a generator with a vector.
static int generator_size(const Wilhelmsen* d, int i) {
  const rgDirection* direction = &d->box.directions[i];
  return d->sparse ? BODY * ((direction->body_a >= 0) + (direction->body_b >= 0)) : d->width;
}

// a_i . y
static double along(const Wilhelmsen* d, int i) {
  d->effort->other_multiplications += generator_size(d, i);
  if (!d->sparse)
    return rg_dot(d->full + (size_t)i * (size_t)d->width, d->y, d->width);
  const rgDirection* direction = &d->box.directions[i];
  const double* a = d->generator + (size_t)i * PAIR;
  double sum = 0;
  if (direction->body_a >= 0)
    sum += dot6(a, d->y + BODY * direction->body_a);
  if (direction->body_b >= 0)
    sum += dot6(a + BODY, d->y + BODY * direction->body_b);
  return sum;
}

// y += s a_i
static void add_generator(Wilhelmsen* d, double s, int i) {
  d->effort->other_multiplications += generator_size(d, i);
  if (!d->sparse) {
    rg_axpy(d->y, s, d->full + (size_t)i * (size_t)d->width, d->width);
    return;
  }
  const rgDirection* direction = &d->box.directions[i];
  const double* a = d->generator + (size_t)i * PAIR;
  if (direction->body_a >= 0)
    rg_axpy(d->y + BODY * direction->body_a, s, a, BODY);
  if (direction->body_b >= 0)
    rg_axpy(d->y + BODY * direction->body_b, s, a + BODY, BODY);
}

// a_i . a_j, and the compliance for i = j
static double product(const Wilhelmsen* d, int i, int j) {
  double sum = i == j ? d->box.compliance[i] : 0;
  if (!d->sparse)
    count_linear(d, d->width);
  if (!d->sparse)
    return sum + rg_dot(d->full + (size_t)i * (size_t)d->width,
                        d->full + (size_t)j * (size_t)d->width, d->width);
  const rgDirection *p = &d->box.directions[i], *q = &d->box.directions[j];
  const double *a = d->generator + (size_t)i * PAIR, *b = d->generator + (size_t)j * PAIR;
  int shared = 0;
  if (p->body_a >= 0 && p->body_a == q->body_a)
    sum += dot6(a, b), shared++;
  if (p->body_a >= 0 && p->body_a == q->body_b)
    sum += dot6(a, b + BODY), shared++;
  if (p->body_b >= 0 && p->body_b == q->body_a)
    sum += dot6(a + BODY, b), shared++;
  if (p->body_b >= 0 && p->body_b == q->body_b)
    sum += dot6(a + BODY, b + BODY), shared++;
  count_linear(d, BODY * shared);
  return sum;
}

static double velocity(const Wilhelmsen* d, int i) {
  return along(d, i) + d->box.q[i] + d->box.compliance[i] * d->x[i];
}

// -------------------------------------------------------------------------------------------------
// The set
// -------------------------------------------------------------------------------------------------

static void leave(Wilhelmsen* d, int place) {
  if (d->incremental) {
    count_linear(d, solve_cost(d->member_count));
    rg_cholesky_remove(&d->cholesky, place);
  }
  d->place[d->member[place]] = -1;
  d->member_count--;
  for (int k = place; k < d->member_count; k++) {
    d->member[k] = d->member[k + 1];
    d->place[d->member[k]] = k;
  }
}

// The factor of the Gram matrix of C from its numbers; its order may be smaller by the last member.
static void factor_afresh(Wilhelmsen* d) {
  for (int k = 0; k < d->member_count; k++) {
    double* row = d->cholesky.lower + (size_t)k * (size_t)d->cholesky.capacity;
    for (int l = 0; l <= k; l++)
      row[l] = product(d, d->member[k], d->member[l]);
  }
  count_linear(d, factor_cost(d->member_count));
  rg_cholesky_factor(&d->cholesky, d->member_count, zero_pivot);
}

// Unknown i joins C; false when its generator depends on those of C. Then d->rhs is the
// combination of them that it is.
static bool join(Wilhelmsen* d, int i) {
  bool independent;
  for (int k = 0; k < d->member_count; k++)
    d->row[k] = d->rhs[k] = product(d, i, d->member[k]);
  if (d->incremental) {
    count_linear(d, 0.5 * solve_cost(d->member_count));
    double pivot = rg_cholesky_pivot(&d->cholesky, d->row, product(d, i, i));
    independent = pivot > zero_pivot && d->member_count < d->cholesky.capacity - 1;
    if (independent)
      rg_cholesky_append(&d->cholesky, d->row, pivot);
  } else {
    d->member[d->member_count++] = i;
    factor_afresh(d);
    independent = d->cholesky.count == d->member_count;
    d->member_count--;
  }
  if (!independent) {
    rg_cholesky_solve(&d->cholesky, d->rhs);
    return false;
  }
  d->place[i] = d->member_count;
  d->member[d->member_count++] = i;
  return true;
}

typedef struct Block {
  double step; // of the move, where it is blocked
  int place;   // by which member, -1 = none
} Block;

// How far x_C may move along d->rhs.
static Block first_bound(const Wilhelmsen* d, double most) {
  Block block = {most, -1};
  double largest = 0;
  for (int k = 0; k < d->member_count; k++)
    largest = fmax(largest, fabs(d->rhs[k]));
  for (int k = 0; k < d->member_count; k++) {
    int c = d->member[k];
    if (fabs(d->rhs[k]) <= zero_rate * largest)
      continue;
    double room = d->rhs[k] < 0 ? d->x[c] - d->box.lower[c] : d->box.upper[c] - d->x[c];
    double step = room / fabs(d->rhs[k]);
    if (step < block.step)
      block = (Block){step > 0 ? step : 0, k};
  }
  return block;
}

// Moves C along d->rhs, up to the first bound.
static void move(Wilhelmsen* d, Block block) {
  for (int k = 0; k < d->member_count; k++) {
    int c = d->member[k];
    double before = d->x[c];
    d->x[c] += block.step * d->rhs[k];
    if (k == block.place)
      d->x[c] = d->rhs[k] < 0 ? d->box.lower[c] : d->box.upper[c];
    add_generator(d, d->x[c] - before, c);
  }
  if (block.place >= 0)
    leave(d, block.place);
}

// Towards the nearest point of the span of C. True when it is reached.
static bool approach(Wilhelmsen* d) {
  for (int k = 0; k < d->member_count; k++)
    d->rhs[k] = -velocity(d, d->member[k]);
  count_linear(d, solve_cost(d->member_count));
  rg_cholesky_solve(&d->cholesky, d->rhs);
  Block block = first_bound(d, 1);
  move(d, block);
  if (block.place >= 0 && !d->incremental)
    factor_afresh(d);
  return block.place < 0;
}

// Unknown i depends on C: moves it by s, and C against it, until a bound is reached. False when
// there is none.
static bool slide(Wilhelmsen* d, int i, double s) {
  for (int k = 0; k < d->member_count; k++)
    d->rhs[k] *= -s;
  double room = s > 0 ? d->box.upper[i] - d->x[i] : d->x[i] - d->box.lower[i];
  Block block = first_bound(d, room);
  if (block.step == HUGE_VAL)
    return false;
  double before = d->x[i];
  d->x[i] += s * block.step;
  if (block.place < 0)
    d->x[i] = s > 0 ? d->box.upper[i] : d->box.lower[i];
  add_generator(d, d->x[i] - before, i);
  move(d, block);
  return true;
}

// -------------------------------------------------------------------------------------------------
// The run
// -------------------------------------------------------------------------------------------------

// The generator that is to join; `first` ends the search at one that is above the limit.
static int most_violated(const Wilhelmsen* d, bool first, double* violation) {
  int worst = -1;
  *violation = 0;
  for (int i = 0; i < d->box.count; i++) {
    if (d->place[i] >= 0)
      continue;
    double missed = rg_bounded_violation(&d->box, i, d->x[i], velocity(d, i));
    if (missed > *violation) {
      *violation = missed;
      worst = i;
    }
    if (first && missed > d->limit)
      break;
  }
  return worst;
}

// Brings in unknown i and goes on until w_C is zero. False when the run must end.
static bool bring_in(Wilhelmsen* d, rgSolve* run, int i, double violation) {
  bool reached = false;
  while (!reached) {
    if (rg_solve_is_over(run))
      return false;
    rg_solve_record(run, violation / d->size * run->scale);
    run->iterations++;
    if (d->place[i] >= 0 || join(d, i)) {
      reached = approach(d);
      while (!reached && !rg_solve_is_over(run)) {
        run->iterations++;
        reached = approach(d);
      }
      continue;
    }
    double w = velocity(d, i);
    if (!slide(d, i, w < 0 ? 1 : -1)) {
      run->status = RG_NO_SOLUTION;
      return false;
    }
    reached = rg_bounded_violation(&d->box, i, d->x[i], w) == 0;
  }
  return true;
}

// y from x, and x_C such that w_C is zero; rounding alone.
static void refine(Wilhelmsen* d) {
  for (int step = 0; step < REFINE_STEPS; step++) {
    memset(d->y, 0, (size_t)d->width * sizeof(double));
    for (int i = 0; i < d->box.count; i++)
      if (d->x[i] != 0)
        add_generator(d, d->x[i], i);
    for (int k = 0; k < d->member_count; k++)
      d->rhs[k] = -velocity(d, d->member[k]);
    rg_cholesky_solve(&d->cholesky, d->rhs);
    for (int k = 0; k < d->member_count; k++) {
      int c = d->member[k];
      d->x[c] = fmin(fmax(d->x[c] + d->rhs[k], d->box.lower[c]), d->box.upper[c]);
    }
  }
}

static Wilhelmsen* build(rgSolve* run) {
  rgCarver carver = {run->work, 0};
  Wilhelmsen* d = rg_carve(&carver, 1, sizeof *d);
  carve(d, run->problem, &carver);
  d->effort = &run->effort;
  d->incremental = run->options[INCREMENTAL] != 0;
  d->sparse = run->options[SPARSE] != 0 || !dense_fits(run->problem);
  d->first = run->options[FIRST] != 0;
  rg_bounded_build(&d->box, run->solution);
  fill_generators(d);
  memset(d->y, 0, (size_t)d->width * sizeof(double));
  for (int i = 0; i < d->box.count; i++) {
    d->place[i] = -1;
    d->x[i] = d->box.start[i];
    if (d->x[i] != 0)
      add_generator(d, d->x[i], i);
  }
  return d;
}

static void solve(rgSolve* run) {
  if (run->call > 0 && run->status != RG_OK)
    return;
  Wilhelmsen* d = run->call == 0 ? build(run) : run->work;
  d->effort = &run->effort;
  double violation;
  if (run->call == 0)
    most_violated(d, false, &d->size);
  d->limit = d->size * run->goal / run->scale;
  bool going = true;
  while (going) {
    int worst = most_violated(d, d->first, &violation);
    if (!(violation > d->limit))
      break;
    going = bring_in(d, run, worst, violation);
  }
  refine(d);
  rg_bounded_store(&d->box, d->x, run->solution);
  run->measure = d->size > 0 ? violation / d->size * run->scale : 0;
}

const rgSolver rg_solver_wilhelmsen = {
    .name = "wilhelmsen",
    .summary = "nearest point of the cone of constraints, in motion space, with an updated factor; "
               "no friction, bounded and free rows",
    .reference = "Redon, Kheddar, Coquillart 2002, eq. 11; Wilhelmsen 1976",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
