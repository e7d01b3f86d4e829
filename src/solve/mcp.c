// mcp.c - mixed complementarity problems by a semismooth Newton method.
//
// Problem: see mcp.h.
//
// Method. With phi(a, b) = a + b - sqrt(a^2 + b^2), which is zero exactly when a, b >= 0 and a b =
// 0 (Fischer-Burmeister), each unknown gives one equation
//
//     free: F;   lower bound l: phi(x - l, F);   upper bound u: -phi(u - x, -F);
//     both: phi(x - l, -phi(u - x, -F))          (Billups 1995)
//
// Phi(x) = 0 is solved by Newton's method with a generalized Jacobian H = A + B F', A and B
// diagonal, globalized by a line search on |Phi|^2 / 2 against the largest of the last few values
// (Grippo, Lampariello, Lucidi 1986). Where H is singular or its step does not point downwards, F'
// gets a multiple of the identity (a proximal perturbation: x may not go far from where it is),
// which grows until the step does; the last resort is the gradient H' Phi (De Luca, Facchinei,
// Kanzow 1996). At a point where even that brings nothing, the search starts anew from the bounds,
// and from points between, drawn in a fixed sequence. It is the part that PATH plays in Renouf et
// al. 2005 and Chakraborty et al. 2007, without pivoting.
//
// The linear systems are dense with row exchanges, or, for larger Jacobians with a pattern, sparse
// with pivots on the diagonal (block_lu.c), where a zero on it is met by the perturbation.
//
// Cost: count^3 / 3 multiplications per iteration when dense. Converges quadratically near a
// solution where H is regular. Fails at local minima of |Phi|.
#include <rigor/mcp.h>

#include "base/memory.h"
#include "base/message.h"
#include "base/random.h"
#include "math/block_lu.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  MEMORY = 8,         // values of the merit function that the line search looks back on
  LINE_STEPS = 40,    // halvings
  PERTURBATIONS = 12, // tries to make a step point downwards
  PATIENCE = 30,      // iterations in which the merit must halve
  STARTS = 12,        // points to begin from
  SPARSE_FROM = 300,  // unknowns; smaller systems are solved densely
  BLOCKS_PER_ROW = 64 // room for fill
};
static const double DECREASE = 1e-4; // of the merit, relative to the slope
static const double FIRST_REGULARIZATION =
    1e-8; // perturbation, relative to the largest of the Jacobian
static const double REGULARIZATION_GROWTH = 30;
static const double DOWNWARDS = 1e-10;  // least slope of a step, relative to |step|^2.1
static const double STATIONARY = 1e-12; // |H' Phi| at a local minimum, relative to |H| |Phi|

typedef struct Mcp {
  const rgMcp* problem;
  const rgMcpStop* stop;
  rgMcpReport* report;
  bool sparse;
  double *x, *f, *phi, *trial, *step, *gradient, *best, *a, *b;
  double* jacobian; // values as given
  double* matrix;   // dense H, columns
  int* pivot;
  rgBlockLu lu;
  double best_residual;
  uint64_t seed;
} Mcp;

rgMcpStop rg_mcp_stop_default(void) {
  return (rgMcpStop){.tolerance = 1e-10, .iteration_limit = 500};
}

static size_t entry_count(const rgMcp* problem) {
  size_t n = (size_t)problem->count;
  return problem->column_start ? (size_t)problem->column_start[n] : n * n;
}

static void carve(Mcp* mcp, const rgMcp* problem, rgCarver* carver) {
  size_t n = (size_t)problem->count;
  memset(mcp, 0, sizeof *mcp);
  mcp->problem = problem;
  mcp->sparse = problem->column_start && problem->count >= SPARSE_FROM;
  double** vectors[] = {&mcp->x,        &mcp->f,    &mcp->phi, &mcp->trial, &mcp->step,
                        &mcp->gradient, &mcp->best, &mcp->a,   &mcp->b};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = rg_carve(carver, n, sizeof(double));
  mcp->jacobian = rg_carve(carver, entry_count(problem), sizeof(double));
  if (mcp->sparse) {
    double all = (double)n * (double)(n - 1) / 2 + 1, some = BLOCKS_PER_ROW * (double)n;
    rg_block_lu_carve(&mcp->lu, 1, problem->count, (int)fmin(INT_MAX, fmin(all, some)), carver);
    rg_block_lu_carve_order(&mcp->lu, problem->column_start[n], carver);
  } else {
    mcp->matrix = rg_carve(carver, n * n, sizeof(double));
    mcp->pivot = rg_carve(carver, n, sizeof(int));
  }
}

size_t rg_mcp_work_size(const rgMcp* problem) {
  if (!problem || problem->count <= 0)
    return 0;
  Mcp mcp;
  rgCarver carver = {NULL, 0};
  carve(&mcp, problem, &carver);
  return carver.used + RG_ALIGNMENT;
}

// -------------------------------------------------------------------------------------------------
// Function
// -------------------------------------------------------------------------------------------------

// phi(a, b) with an element of its generalized gradient. For numbers of different size the sum is
// taken so that nothing cancels.
static double fischer(double a, double b, double* da, double* db) {
  double norm = sqrt(a * a + b * b);
  if (norm == 0) {
    *da = *db = 1 - sqrt(0.5);
    return 0;
  }
  *da = 1 - a / norm;
  *db = 1 - b / norm;
  return a + b > 0 ? 2 * a * b / (a + b + norm) : a + b - norm;
}

// Phi of one unknown, and how it changes with x (a) and with F (b).
static double equation(double x, double lower, double upper, double f, double* a, double* b) {
  bool below = lower > -HUGE_VAL, above = upper < HUGE_VAL;
  if (!below && !above) {
    *a = 0;
    *b = 1;
    return f;
  }
  double da, db, inner = f, inner_a = 0, inner_b = 1;
  if (above) {
    inner = -fischer(upper - x, -f, &da, &db);
    inner_a = da;
    inner_b = db;
  }
  if (!below) {
    *a = inner_a;
    *b = inner_b;
    return inner;
  }
  double value = fischer(x - lower, inner, &da, &db);
  *a = da + db * inner_a;
  *b = db * inner_b;
  return value;
}

static double clamp(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

// Evaluates at `x`: F, Phi, A, B. Returns |Phi|^2 / 2, infinite where F is not finite.
static double evaluate(Mcp* mcp, const double* x) {
  const rgMcp* problem = mcp->problem;
  problem->function(problem->context, x, mcp->f);
  mcp->report->evaluations++;
  double sum = 0;
  for (int i = 0; i < problem->count; i++) {
    mcp->phi[i] =
        equation(x[i], problem->lower[i], problem->upper[i], mcp->f[i], &mcp->a[i], &mcp->b[i]);
    sum += mcp->phi[i] * mcp->phi[i];
  }
  return isfinite(sum) ? 0.5 * sum : HUGE_VAL;
}

// The natural residual at x clamped to the bounds; keeps the best. F is left as at that point.
static double judge(Mcp* mcp) {
  const rgMcp* problem = mcp->problem;
  double worst = 0;
  for (int i = 0; i < problem->count; i++)
    mcp->trial[i] = clamp(mcp->x[i], problem->lower[i], problem->upper[i]);
  problem->function(problem->context, mcp->trial, mcp->gradient);
  mcp->report->evaluations++;
  for (int i = 0; i < problem->count; i++) {
    double x = mcp->trial[i],
           miss = fabs(x - clamp(x - mcp->gradient[i], problem->lower[i], problem->upper[i]));
    if (!(miss <= worst))
      worst = miss;
  }
  if (worst < mcp->best_residual) {
    mcp->best_residual = worst;
    memcpy(mcp->best, mcp->trial, (size_t)problem->count * sizeof(double));
  }
  return worst;
}

// -------------------------------------------------------------------------------------------------
// Linear systems
// -------------------------------------------------------------------------------------------------

// Runs over the stored numbers of the Jacobian: number k is that of row i and column j.
#define EACH_ENTRY(mcp, i, j, k)                                                                   \
  for (int j = 0, k = 0, i; j < (mcp)->problem->count; j++)                                        \
    for (int end = (mcp)->problem->column_start ? (mcp)->problem->column_start[j + 1]              \
                                                : (j + 1) * (mcp)->problem->count;                 \
         k < end &&                                                                                \
         ((i = (mcp)->problem->row ? (mcp)->problem->row[k] : k - j * (mcp)->problem->count),      \
          true);                                                                                   \
         k++)

static double largest_entry(const Mcp* mcp) {
  double largest = 0;
  for (size_t k = 0; k < entry_count(mcp->problem); k++)
    largest = fmax(largest, fabs(mcp->jacobian[k]));
  return largest > 0 ? largest : 1;
}

// H' Phi = A Phi + F'' (B Phi).
static void find_gradient(Mcp* mcp) {
  for (int i = 0; i < mcp->problem->count; i++)
    mcp->gradient[i] = mcp->a[i] * mcp->phi[i];
  EACH_ENTRY(mcp, i, j, k) mcp->gradient[j] += mcp->jacobian[k] * mcp->b[i] * mcp->phi[i];
}

static bool factor_dense(Mcp* mcp) {
  int n = mcp->problem->count;
  double* m = mcp->matrix;
  for (int k = 0; k < n; k++) {
    double* column = m + (size_t)k * (size_t)n;
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(column[i]) > fabs(column[best]))
        best = i;
    mcp->pivot[k] = best;
    if (!(fabs(column[best]) > 0) || !isfinite(column[best]))
      return false;
    for (int j = 0; j < n && best != k; j++) {
      double* other = m + (size_t)j * (size_t)n;
      double keep = other[k];
      other[k] = other[best];
      other[best] = keep;
    }
    for (int i = k + 1; i < n; i++)
      column[i] /= column[k];
    for (int j = k + 1; j < n; j++) {
      double *other = m + (size_t)j * (size_t)n, factor = other[k];
      for (int i = k + 1; i < n && factor != 0; i++)
        other[i] -= factor * column[i];
    }
  }
  return true;
}

static void solve_dense(const Mcp* mcp, double* x) {
  int n = mcp->problem->count;
  for (int k = 0; k < n; k++) { // rows were exchanged as a whole
    double keep = x[k];
    x[k] = x[mcp->pivot[k]];
    x[mcp->pivot[k]] = keep;
  }
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++)
      x[i] -= mcp->matrix[(size_t)k * (size_t)n + (size_t)i] * x[k];
  for (int k = n - 1; k >= 0; k--) {
    const double* column = mcp->matrix + (size_t)k * (size_t)n;
    x[k] /= column[k];
    for (int i = 0; i < k; i++)
      x[i] -= column[i] * x[k];
  }
}

// step = -(A + B (F' + regularization))^-1 Phi. False when singular.
static bool find_step(Mcp* mcp, double regularization) {
  int n = mcp->problem->count;
  if (mcp->sparse)
    rg_block_lu_clear(&mcp->lu);
  else
    memset(mcp->matrix, 0, (size_t)n * (size_t)n * sizeof(double));
  EACH_ENTRY(mcp, i, j, k) {
    double* place = mcp->sparse ? rg_block_lu_at(&mcp->lu, i, j)
                                : &mcp->matrix[(size_t)j * (size_t)n + (size_t)i];
    *place += mcp->b[i] * mcp->jacobian[k];
  }
  for (int i = 0; i < n; i++) {
    double* place =
        mcp->sparse ? rg_block_lu_at(&mcp->lu, i, i) : &mcp->matrix[(size_t)i * (size_t)(n + 1)];
    *place += mcp->a[i] + mcp->b[i] * regularization;
    mcp->step[i] = -mcp->phi[i];
  }
  if (mcp->sparse) {
    if (!rg_block_lu_factor(&mcp->lu))
      return false;
    rg_block_lu_solve(&mcp->lu, mcp->step);
  } else {
    if (!factor_dense(mcp))
      return false;
    solve_dense(mcp, mcp->step);
  }
  for (int i = 0; i < n; i++)
    if (!isfinite(mcp->step[i]))
      return false;
  return true;
}

static double dot(const double* x, const double* y, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] * y[i];
  return sum;
}

// A direction that points downwards, in `step`; returns its slope.
static double find_direction(Mcp* mcp) {
  int n = mcp->problem->count;
  mcp->problem->jacobian(mcp->problem->context, mcp->x, mcp->jacobian);
  find_gradient(mcp);
  double size = largest_entry(mcp), regularization = 0;
  for (int i = 0; i < PERTURBATIONS; i++) {
    if (find_step(mcp, regularization)) {
      double slope = dot(mcp->gradient, mcp->step, n), length = dot(mcp->step, mcp->step, n);
      if (slope <= -DOWNWARDS * fmin(length, 1) * fmin(1, size))
        return slope;
    }
    regularization =
        regularization == 0 ? FIRST_REGULARIZATION * size : REGULARIZATION_GROWTH * regularization;
  }
  for (int i = 0; i < n; i++)
    mcp->step[i] = -mcp->gradient[i];
  return -dot(mcp->gradient, mcp->gradient, n);
}

// -------------------------------------------------------------------------------------------------
// Search
// -------------------------------------------------------------------------------------------------

// Moves x along the step; returns the new merit, or infinity when it does not fall.
static double line_search(Mcp* mcp, double reference, double slope) {
  int n = mcp->problem->count;
  double part = 1;
  for (int l = 0; l < LINE_STEPS; l++, part *= 0.5) {
    for (int i = 0; i < n; i++)
      mcp->trial[i] = mcp->x[i] + part * mcp->step[i];
    double merit = evaluate(mcp, mcp->trial);
    if (merit <= reference + DECREASE * part * slope) {
      memcpy(mcp->x, mcp->trial, (size_t)n * sizeof(double));
      return merit;
    }
  }
  return HUGE_VAL;
}

static bool is_over(const Mcp* mcp) {
  return mcp->report->iterations >= mcp->stop->iteration_limit ||
         (mcp->stop->cancel && *mcp->stop->cancel);
}

// Descends from x. True when the tolerance is met.
static bool descend(Mcp* mcp) {
  double recent[MEMORY], merit = evaluate(mcp, mcp->x);
  for (int k = 0; k < MEMORY; k++)
    recent[k] = merit;
  if (judge(mcp) <= mcp->stop->tolerance)
    return true;
  double halved = merit;
  int since = 0;
  for (int i = 0; merit < HUGE_VAL && since < PATIENCE && !is_over(mcp); i++) {
    double slope = find_direction(mcp), reference = 0;
    mcp->report->iterations++;
    double gradient = sqrt(dot(mcp->gradient, mcp->gradient, mcp->problem->count));
    if (!(gradient > STATIONARY * largest_entry(mcp) * sqrt(2 * merit)))
      return false; // a local minimum
    for (int k = 0; k < MEMORY; k++)
      reference = fmax(reference, recent[k]);
    merit = line_search(mcp, reference, slope);
    recent[i % MEMORY] = merit;
    if (!(merit < HUGE_VAL))
      return false;
    since = merit <= 0.5 * halved ? 0 : since + 1;
    halved = since == 0 ? merit : halved;
    double residual = judge(mcp);
    if (mcp->stop->history && mcp->report->history_count < mcp->stop->history_capacity)
      mcp->stop->history[mcp->report->history_count++] = residual;
    if (residual <= mcp->stop->tolerance)
      return true;
  }
  return false;
}

static double draw(Mcp* mcp) { return rg_random_unit(&mcp->seed); }

// Another point to begin from: the bounds, then points around the best one and between the bounds.
static void choose_start(Mcp* mcp, int index) {
  const rgMcp* problem = mcp->problem;
  double size = 1;
  for (int i = 0; i < problem->count; i++)
    size = fmax(size, fabs(mcp->best[i]));
  for (int i = 0; i < problem->count; i++) {
    double lower = problem->lower[i], upper = problem->upper[i];
    bool below = lower > -HUGE_VAL, above = upper < HUGE_VAL;
    double away = index == 1 ? 0 : index * size * draw(mcp);
    if (below && above)
      mcp->x[i] = index == 1 ? lower : lower + draw(mcp) * (upper - lower);
    else if (below || above)
      mcp->x[i] = below ? lower + away : upper - away;
    else
      mcp->x[i] = index == 1 ? 0 : mcp->best[i] + 2 * away - index * size;
  }
}

static rgStatus check(const rgMcp* problem, const rgMcpStop* stop, const double* x,
                      const void* work, const rgMcpReport* report, rgMessage* message) {
  if (!problem || !stop || !x || !work || !report)
    return rg_fail(message, RG_ERROR_INPUT, "problem, stop, x, work or report is NULL");
  if (problem->count <= 0)
    return rg_fail(message, RG_ERROR_INPUT, "count is %d, must be > 0", problem->count);
  if (!problem->lower || !problem->upper || !problem->function || !problem->jacobian)
    return rg_fail(message, RG_ERROR_INPUT, "lower, upper, function or jacobian is NULL");
  if (!problem->column_start != !problem->row)
    return rg_fail(message, RG_ERROR_INPUT, "column_start and row must both be there or not");
  if (!(stop->tolerance > 0) || stop->iteration_limit <= 0)
    return rg_fail(message, RG_ERROR_INPUT,
                   "tolerance is %g and iteration_limit %d, both must be > 0", stop->tolerance,
                   stop->iteration_limit);
  for (int i = 0; i < problem->count; i++) {
    if (!(problem->lower[i] <= problem->upper[i]) || problem->lower[i] == HUGE_VAL ||
        problem->upper[i] == -HUGE_VAL)
      return rg_fail(message, RG_ERROR_INPUT, "bounds of unknown %d are %g .. %g", i,
                     problem->lower[i], problem->upper[i]);
    if (!isfinite(x[i]))
      return rg_fail(message, RG_ERROR_INPUT, "x of unknown %d is not finite", i);
  }
  return RG_OK;
}

rgStatus rg_mcp_solve(const rgMcp* problem, const rgMcpStop* stop, double* x, void* work,
                      rgMcpReport* report, rgMessage* message) {
  if (message)
    message->text[0] = '\0';
  if (report)
    memset(report, 0, sizeof *report);
  rgStatus status = check(problem, stop, x, work, report, message);
  if (status != RG_OK) {
    if (report)
      report->status = status;
    return status;
  }
  Mcp mcp;
  char* aligned = (char*)work + ((size_t) - (uintptr_t)work & (RG_ALIGNMENT - 1));
  rgCarver carver = {aligned, 0};
  carve(&mcp, problem, &carver);
  mcp.stop = stop;
  mcp.report = report;
  mcp.best_residual = HUGE_VAL;
  mcp.seed = 1;
  size_t bytes = (size_t)problem->count * sizeof(double);
  if (mcp.sparse &&
      !rg_block_lu_order(&mcp.lu, problem->count, problem->column_start, problem->row, 0)) {
    report->status = RG_ERROR_UNSUPPORTED;
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "the factor of the Jacobian has no room");
  }
  memcpy(mcp.x, x, bytes);
  memcpy(mcp.best, x, bytes);
  bool solved = descend(&mcp);
  for (int i = 1; i < STARTS && !solved && !is_over(&mcp); i++) {
    choose_start(&mcp, i);
    solved = descend(&mcp);
  }
  memcpy(x, mcp.best, bytes);
  report->residual = mcp.best_residual;
  report->status = solved                          ? RG_OK
                   : stop->cancel && *stop->cancel ? RG_CANCELLED
                   : is_over(&mcp)                 ? RG_NOT_CONVERGED
                                                   : RG_NO_SOLUTION;
  if (!solved)
    rg_fail(message, report->status, "residual %.3g after %d iterations, asked for %.3g",
            mcp.best_residual, report->iterations, stop->tolerance);
  return report->status;
}
