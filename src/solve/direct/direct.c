// direct.c - rows alone, by one sparse factorization.
//
// Problem: the discrete problem of problem.h without contacts: find lambda with
//
//     w = A lambda + b,   A = G M^-1 G' + C,   b = G v_free + bias,
//     w = 0 where lambda is between its bounds, w >= 0 at the lower, w <= 0 at the upper one.
//
// Method. Rows without bounds: A is factored (direct_model.c, rank_ldl.c), lambda = -A^-1 b, and w,
// which is computed from the velocities, never from A, is removed by iterative refinement until the
// goal or rounding is reached. Cline 2002, 2.5.3 and 4.8.2, asks for such a solver; the order of
// elimination is that of Baraff 1996 where the joints form a tree.
//
// Bounds: block principal pivoting (Judice and Pires 1994). A guess says which rows are at a bound;
// the others are solved for; rows that then break their law change sides, all at once as long as
// their number falls, else the last one alone (Murty's rule), which ends on a regular A.
//
// Redundant rows, those that depend on others, are found by their pivots and carry no impulse.
// Where all rows agree, this is a solution. Where they do not, there is none: the answer is the one
// with the least sum of rho_i w_i^2, rho_i = 1 / A_ii, and the status says so. With B the
// independent rows, R the others, c the velocity that R misses and Y = A_RB A_BB^-1, the rows B
// give way by
//
//     s = -D_B Y' q,   (D_R + Y D_B Y') q = c,   D = diag(A_ii),
//
// found by conjugate gradients with D_R as preconditioner: the matrix is D_R plus a positive one.
//
// Cost: linear in the rows of trees, whatever their shape; loops add fill. Each change of sides is
// one more factorization. Gives up, leaving the problem to others, where the factor has no room.
#include "base/message.h"
#include "problem/operator.h"
#include "solve/direct/direct_model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  REFINEMENTS = 20,   // of one factorization
  SIDE_TRIES = 10,    // changes of all rows at once without progress
  SIDE_CHANGES = 200, // factorizations
  GRADIENT_STEPS = 100
};

// Refinement goes on while the residual falls by this, and below the goal, where it is cheap and
// saves the next step's work, while it falls by that, until it is of the size of rounding.
static const double PROGRESS = 0.5, EASY_PROGRESS = 0.01, FINEST = 1e-12;
// Conjugate gradients end at this part of what they started with.
static const double GRADIENT_PART = 1e-13;

// Where a row is: solved for, at a bound, or kept where it is.
typedef enum Side { INSIDE, AT_LOWER, AT_UPPER, KEPT } Side;

typedef struct Direct {
  rgDirectModel model;
  signed char* side; // Side of each row of the problem
  bool* out;         // rows that the factorization leaves out: at a bound, or redundant
  double* x;         // right-hand side and solution, row_count of the model
  // Rows of the problem: w, 1 / rho, length of the certificate, and vectors of the conjugate
  // gradients.
  double *w, *inverse_rho, *length, *gradient, *direction, *image, *answer;
  double* velocity; // 6 per body: scratch
  int redundant;
  bool bounded; // some row is
} Direct;

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  if (problem->local)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "direct takes problems with bodies only, this one is in local form");
  if (problem->contact_count > 0)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "direct takes rows only, the problem has %d contacts", problem->contact_count);
  return RG_OK;
}

static void carve(Direct* direct, const rgProblem* problem, rgCarver* carver) {
  rg_direct_carve(&direct->model, problem, carver);
  size_t rows = (size_t)problem->row_count, all = (size_t)direct->model.matrix.row_limit;
  direct->side = rg_carve(carver, rows, sizeof *direct->side);
  direct->out = rg_carve(carver, all, sizeof *direct->out);
  direct->x = rg_carve(carver, all, sizeof(double));
  double** each_row[] = {&direct->w,        &direct->inverse_rho, &direct->length,
                         &direct->gradient, &direct->direction,   &direct->image,
                         &direct->answer};
  for (size_t i = 0; i < sizeof each_row / sizeof *each_row; i++)
    *each_row[i] = rg_carve(carver, rows, sizeof(double));
  direct->velocity = rg_carve(carver, 6 * (size_t)problem->body_count, sizeof(double));
}

static size_t work_size(const rgProblem* problem) {
  Direct direct;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof direct);
  carve(&direct, problem, &carver);
  return carver.used;
}

static double clamp(const rgProblemRow* row, double x) {
  return x < row->lower ? row->lower : x > row->upper ? row->upper : x;
}

static bool is_bounded(const rgProblemRow* row) {
  return row->lower > -HUGE_VAL || row->upper < HUGE_VAL;
}

// -------------------------------------------------------------------------------------------------
// Residuals
// -------------------------------------------------------------------------------------------------

static double velocity_of(const rgSolve* run, int i) {
  const rgProblemRow* row = &run->problem->rows[i];
  return rg_row_velocity(row, run->solution->v) + row->compliance * run->solution->lambda[i];
}

// w of all rows from the impulses.
static void compute_w(Direct* direct, rgSolve* run) {
  rg_problem_velocity(run->problem, run->solution);
  for (int i = 0; i < run->problem->row_count; i++)
    direct->w[i] = velocity_of(run, i);
}

// By how much a row misses its law [m/s]: the measure of the certificate.
static double missed(const Direct* direct, const rgSolve* run, int i) {
  const rgProblemRow* row = &run->problem->rows[i];
  double inverse_rho = direct->inverse_rho[i], lambda = run->solution->lambda[i];
  if (!(inverse_rho > 0))
    return fabs(direct->w[i]) * direct->length[i];
  double step = clamp(row, lambda - direct->w[i] / inverse_rho);
  return fabs(lambda - step) * inverse_rho * direct->length[i];
}

// Largest |w| of the rows that are solved for.
static double largest_inside(const Direct* direct, const rgProblem* problem) {
  double largest = 0;
  for (int i = 0; i < problem->row_count; i++)
    if (!direct->out[i])
      largest = fmax(largest, fabs(direct->w[i]) * direct->length[i]);
  return largest;
}

// -------------------------------------------------------------------------------------------------
// Linear systems
// -------------------------------------------------------------------------------------------------

static void set_impulse(rgSolve* run, int i, double value, bool* changed) {
  *changed = *changed || run->solution->lambda[i] != value;
  run->solution->lambda[i] = value;
}

// Factors the rows that are at no bound; redundant ones and those at a bound get their impulse, and
// w follows.
static void factor(Direct* direct, rgSolve* run) {
  const rgProblem* problem = run->problem;
  int rows = problem->row_count, dependent = 0;
  bool changed = false;
  memset(direct->out, 0, (size_t)direct->model.row_count * sizeof *direct->out);
  for (int i = 0; i < rows; i++) {
    direct->out[i] = direct->side[i] != INSIDE;
    if (direct->side[i] == AT_LOWER)
      set_impulse(run, i, problem->rows[i].lower, &changed);
    else if (direct->side[i] == AT_UPPER)
      set_impulse(run, i, problem->rows[i].upper, &changed);
  }
  rg_direct_assemble(&direct->model);
  rg_rank_factor(&direct->model.matrix, RG_DIRECT_REDUNDANT, direct->out);
  rg_solve_count_factorization(run, direct->model.matrix.multiplications / RG_BLOCK_PRODUCT);
  for (int i = 0; i < rows; i++)
    if (direct->out[i] && direct->side[i] == INSIDE) {
      set_impulse(run, i, clamp(&problem->rows[i], 0), &changed);
      dependent++;
    }
  direct->redundant = dependent;
  if (changed)
    compute_w(direct, run);
}

// lambda -= A^-1 w for the rows that are in, until w is at the goal or stops falling. Leaves w.
static void refine(Direct* direct, rgSolve* run) {
  int rows = run->problem->row_count;
  double last = HUGE_VAL;
  for (int k = 0; k < REFINEMENTS; k++) {
    double measure = largest_inside(direct, run->problem);
    rg_solve_record(run, measure);
    double wanted = (measure <= run->goal ? EASY_PROGRESS : PROGRESS) * last;
    if (measure <= FINEST * run->scale || !(measure <= wanted) || rg_solve_is_over(run))
      return;
    last = measure;
    memset(direct->x, 0, (size_t)direct->model.row_count * sizeof(double));
    memcpy(direct->x, direct->w, (size_t)rows * sizeof(double));
    rg_rank_solve(&direct->model.matrix, direct->x);
    for (int i = 0; i < rows; i++)
      run->solution->lambda[i] -= direct->x[i];
    run->iterations++;
    compute_w(direct, run);
  }
}

// -------------------------------------------------------------------------------------------------
// Bounds
// -------------------------------------------------------------------------------------------------

static Side side_of(const Direct* direct, const rgSolve* run, int i) {
  const rgProblemRow* row = &run->problem->rows[i];
  if (row->lower == row->upper)
    return AT_LOWER;
  if (!(direct->inverse_rho[i] > 0))
    return INSIDE;
  double step = run->solution->lambda[i] - direct->w[i] / direct->inverse_rho[i];
  return step <= row->lower ? AT_LOWER : step >= row->upper ? AT_UPPER : INSIDE;
}

// Puts rows that break their law on the other side: all, or the last alone. Returns how many broke
// it.
static int change_sides(Direct* direct, const rgSolve* run, bool all) {
  int broken = 0, last = -1;
  for (int i = 0; i < run->problem->row_count; i++) {
    if (!is_bounded(&run->problem->rows[i]) || !(missed(direct, run, i) > run->goal) ||
        side_of(direct, run, i) == (Side)direct->side[i])
      continue;
    broken++;
    last = i;
    if (all)
      direct->side[i] = (signed char)side_of(direct, run, i);
  }
  if (!all && last >= 0)
    direct->side[last] = (signed char)side_of(direct, run, last);
  return broken;
}

static int count_broken(const Direct* direct, const rgSolve* run) {
  int broken = 0;
  for (int i = 0; i < run->problem->row_count; i++)
    broken += is_bounded(&run->problem->rows[i]) && missed(direct, run, i) > run->goal;
  return broken;
}

// Solves, changing sides until no bounded row breaks its law or the iteration limit is reached.
static void pivot(Direct* direct, rgSolve* run) {
  int fewest = INT_MAX, tries = SIDE_TRIES;
  for (int k = 0; k < SIDE_CHANGES && !rg_solve_is_over(run); k++) {
    factor(direct, run);
    refine(direct, run);
    int broken = direct->bounded ? count_broken(direct, run) : 0;
    if (broken < fewest) {
      fewest = broken;
      tries = SIDE_TRIES;
    } else {
      tries--;
    }
    if (broken == 0 || change_sides(direct, run, tries > 0) == 0)
      return;
  }
}

// -------------------------------------------------------------------------------------------------
// Redundant rows that disagree
// -------------------------------------------------------------------------------------------------

static bool is_redundant(const Direct* direct, int i) {
  return direct->out[i] && direct->side[i] == INSIDE && direct->inverse_rho[i] > 0;
}

// out = G M^-1 G' x, for the redundant rows or for those that are in; x is read for the others.
static void apply_coupling(Direct* direct, const rgProblem* problem, const double* x, double* out,
                           bool redundant) {
  double* v = direct->velocity;
  memset(v, 0, 6 * (size_t)problem->body_count * sizeof(double));
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    if (redundant ? direct->out[i] : !is_redundant(direct, i))
      continue;
    rg_body_add(v, row->body_a, x[i], row->g_a.linear, row->g_a.angular);
    rg_body_add(v, row->body_b, x[i], row->g_b.linear, row->g_b.angular);
  }
  for (int i = 0; i < problem->body_count; i++)
    rg_body_put(v, i, rg_mass_response(problem, i, rg_body_twist(v, i)));
  for (int i = 0; i < problem->row_count; i++)
    if (redundant ? is_redundant(direct, i) : !direct->out[i])
      out[i] = rg_row_velocity(&problem->rows[i], v) - problem->rows[i].bias;
}

// x = A_BB^-1 A_BR q over the rows that are in: Y' q.
static void apply_transposed(Direct* direct, const rgProblem* problem, const double* q) {
  memset(direct->x, 0, (size_t)direct->model.row_count * sizeof(double));
  apply_coupling(direct, problem, q, direct->x, false);
  rg_rank_solve(&direct->model.matrix, direct->x);
}

// out = (D_R + Y D_B Y') q on the redundant rows.
static void apply_normal(Direct* direct, const rgProblem* problem, const double* q, double* out) {
  apply_transposed(direct, problem, q);
  for (int i = 0; i < problem->row_count; i++)
    direct->x[i] *= direct->out[i] ? 0 : direct->inverse_rho[i];
  memset(direct->x + problem->row_count, 0,
         (size_t)(direct->model.row_count - problem->row_count) * sizeof(double));
  rg_rank_solve(&direct->model.matrix, direct->x);
  apply_coupling(direct, problem, direct->x, out, true);
  for (int i = 0; i < problem->row_count; i++)
    if (is_redundant(direct, i))
      out[i] += direct->inverse_rho[i] * q[i];
}

static double dot_redundant(const Direct* direct, const rgProblem* problem, const double* a,
                            const double* b) {
  double sum = 0;
  for (int i = 0; i < problem->row_count; i++)
    if (is_redundant(direct, i))
      sum += a[i] * b[i];
  return sum;
}

// g' D^-1 g: conjugate gradients in the metric of D do not depend on units.
static double size_redundant(const Direct* direct, const rgProblem* problem, const double* g) {
  double sum = 0;
  for (int i = 0; i < problem->row_count; i++)
    if (is_redundant(direct, i))
      sum += g[i] * g[i] / direct->inverse_rho[i];
  return sum;
}

// The answer with the least squares of what is missed; w must be that of the independent rows
// solved.
static void least_squares(Direct* direct, rgSolve* run) {
  const rgProblem* problem = run->problem;
  int rows = problem->row_count;
  double *q = direct->answer, *g = direct->gradient, *d = direct->direction;
  memset(q, 0, (size_t)rows * sizeof(double));
  memcpy(g, direct->w, (size_t)rows * sizeof(double));
  for (int i = 0; i < rows; i++)
    d[i] = is_redundant(direct, i) ? g[i] / direct->inverse_rho[i] : 0;
  double size = size_redundant(direct, problem, g), least = GRADIENT_PART * GRADIENT_PART * size;
  for (int k = 0; k < GRADIENT_STEPS && size > least && !rg_solve_is_over(run); k++) {
    apply_normal(direct, problem, d, direct->image);
    double step = size / dot_redundant(direct, problem, d, direct->image), before = size;
    for (int i = 0; i < rows; i++)
      if (is_redundant(direct, i)) {
        q[i] += step * d[i];
        g[i] -= step * direct->image[i];
      }
    size = size_redundant(direct, problem, g);
    for (int i = 0; i < rows; i++)
      if (is_redundant(direct, i))
        d[i] = g[i] / direct->inverse_rho[i] + size / before * d[i];
    run->iterations++;
  }
  apply_transposed(direct, problem, q);
  for (int i = 0; i < rows; i++)
    direct->x[i] *= direct->out[i] ? 0 : -direct->inverse_rho[i];
  memset(direct->x + rows, 0, (size_t)(direct->model.row_count - rows) * sizeof(double));
  rg_rank_solve(&direct->model.matrix, direct->x);
  for (int i = 0; i < rows; i++)
    if (!direct->out[i])
      run->solution->lambda[i] += direct->x[i];
}

// -------------------------------------------------------------------------------------------------

// True when a row without bounds is made of others and misses its law.
static bool redundant_disagree(const Direct* direct, const rgSolve* run) {
  for (int i = 0; i < run->problem->row_count; i++)
    if (direct->out[i] && direct->side[i] == INSIDE && !is_bounded(&run->problem->rows[i]) &&
        fabs(direct->w[i]) * direct->length[i] > run->target)
      return true;
  return false;
}

// What rows without bounds ask of each other does not depend on the impulses of the others: where
// they disagree with all bounded rows kept, there is no solution.
static void settle_disagreement(Direct* direct, rgSolve* run) {
  for (int i = 0; i < run->problem->row_count; i++)
    if (is_bounded(&run->problem->rows[i]))
      direct->side[i] = KEPT;
  if (direct->bounded) {
    factor(direct, run);
    refine(direct, run);
  }
  if (!redundant_disagree(direct, run))
    return;
  run->status = RG_NO_SOLUTION;
  least_squares(direct, run);
  compute_w(direct, run);
}

// Measures of the rows, w of the start, and which side of its bounds each row is guessed to be on.
static void begin(Direct* direct, rgSolve* run) {
  const rgProblem* problem = run->problem;
  direct->bounded = false;
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double block = rg_row_block(problem, row);
    direct->inverse_rho[i] = block + row->compliance;
    direct->length[i] = rg_row_weight_of(problem, row, block);
    direct->w[i] = velocity_of(run, i);
    direct->side[i] = (signed char)side_of(direct, run, i);
    direct->bounded = direct->bounded || is_bounded(row);
  }
}

// Impulses within their bounds, and what they miss.
static void end(const Direct* direct, rgSolve* run) {
  const rgProblem* problem = run->problem;
  run->measure = 0;
  for (int i = 0; i < problem->row_count; i++) {
    if (direct->bounded)
      run->solution->lambda[i] = clamp(&problem->rows[i], run->solution->lambda[i]);
    double size = direct->bounded ? missed(direct, run, i) : fabs(direct->w[i]) * direct->length[i];
    run->measure = fmax(run->measure, size);
  }
}

static void solve(rgSolve* run) {
  const rgProblem* problem = run->problem;
  if (run->call > 0)
    return; // its measure is that of the certificate: there is nothing more to give
  rgCarver carver = {run->work, 0};
  Direct* direct = rg_carve(&carver, 1, sizeof *direct);
  carve(direct, problem, &carver);
  if (!rg_direct_build(&direct->model))
    return;
  begin(direct, run);
  pivot(direct, run);
  run->redundant_rows = direct->redundant;
  if (direct->redundant > 0 && redundant_disagree(direct, run))
    settle_disagreement(direct, run);
  end(direct, run);
}

static const rgSolverOption options[] = {{.name = NULL}};

const rgSolver rg_solver_direct = {
    .name = "direct",
    .summary = "sparse factorization over joints, rows only, redundant rows found, linear time on "
               "trees",
    .reference = "Cline 2002, 2.5.3 and 4.8.2; Baraff 1996; Judice, Pires 1994",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
