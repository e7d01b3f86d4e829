// cpg.c - conjugate projected gradient.
//
// Problem: the discrete contact problem of problem.h with every cone and rows, as the quasi-
// optimization min r'Wr/2 + r'q over the cones (Renouf et al. 2005, eq. 36).
//
// Method (Renouf et al. 2005, section 6.3, steps 0 to 4). With g the gradient and p the direction:
//     1. prediction   x + alpha p,   alpha = -g'p / p'Wp
//     2. correction   projection on the sets
//     3. residue      g of the new point
//     4. projection   w of -g on the tangent cones, z of p on the faces that w stays on
//     5. conjugation  p = w + beta z,   beta = -w'Wp / p'Wp
//
// Differences to the paper:
// - The friction threshold is not taken from the last normal impulse. De Saxce's offset mu |u_T|
//   makes the law an optimality condition over the whole cone (cpg_model.h). The offsets are
//   renewed in every iteration, which is the "quasi" of the paper; where that does not converge,
//   steps are damped, then the offsets are held until the problem that they make, an ordinary
//   convex one, is solved, and so on alternately.
// - On the bent surface of a cone a step is shorter than W alone has it: what the bend costs is in
//   p'Wp and in the conjugation, and preconditions w (rg_cpg_bend).
// - A projected step that does not lower the function enough is replaced by one along the gradient,
//   halved until it does: with the offsets held, every sequence of such steps converges. The paper
//   stops instead when p'Wp vanishes, and loses energy with it (its section 8.1); the option `printed`
//   does the same (cpg_printed.c).
// - The variables are scaled so that W has a diagonal of 1.
//
// Own measure: the natural map of the whole law, in effect what the certificate measures.
//
// Cost: one product with W per iteration, two where the projection acted; linear in contacts.
// Iterations grow with the square root of the condition of W on the final face, so that slender
// stacks and mass ratios cost less than with sweeps, and many changing contacts more. Nothing
// proves that the offsets converge when mu is large. A given W that is not symmetric is the
// gradient of nothing: far from symmetric it is refused; where it is nearly so but singular the
// iteration may cycle, and the certificate says so.
#include "base/message.h"
#include "solve/gradient/cpg_model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  REFRESH = 50,  // iterations after which velocities are summed afresh
  HALVINGS = 60, // of a gradient step, before rounding is taken to be the reason
  // Iterations, besides as many as it took to the last halving, in which the measure must halve;
  // else another way is tried.
  PATIENCE = 500,
  FIRST_HOLD = 1000, // iterations with the offsets held; twice as many each further time
};
// Added to W, whose diagonal is 1, for the length and the conjugation of damped steps. Redundant
// contacts make W singular, and offsets that are not yet right pull along directions that it does
// not resist. A large ratio of masses needs steps without it.
static const double damping = 1e-5;
// Largest part of W by which a given one may differ from its transpose.
static const double symmetric_part = 0.01;
// A held problem is solved to this part of the error of the offsets before they are renewed.
static const double offset_part = 0.3;
// Part of the decrease that the gradient promises which a projected step must give.
static const double armijo = 1e-3;
// What a projected gradient step of length below 1 / |W| gives for certain is half the promise.
static const double gradient_armijo = 0.25;

enum { ASSOCIATED, PRINTED, VANISH }; // indices of the options
static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(associated, 0, 0, 1, true,
                     "leave the offsets out (1): least net force over the cones, for statics"),
    RG_SOLVER_OPTION(printed, 0, 0, 1, true,
                     "without a safeguard, ended when p'Wp vanishes (1), for comparisons"),
    RG_SOLVER_OPTION(vanish, 1e-20, 0, 1, false,
                     "printed: what vanishes, as a part of the square of the first gradient"),
    {.name = NULL},
};

// The block (row, column) of a given W, or NULL when it is zero.
static const double* find_block(const rgLocalMatrix* local, int row, int column) {
  int low = local->row_start[row], high = local->row_start[row + 1];
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (local->column[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  bool there = low < local->row_start[row + 1] && local->column[low] == column;
  return there ? local->values + (size_t)low * (size_t)(local->block * local->block) : NULL;
}

// max |W - W'| over max |W|.
static double asymmetry(const rgProblem* problem) {
  const rgLocalMatrix* local = problem->local;
  int block = local->block;
  double largest = 0, difference = 0;
  for (int i = 0; i < problem->contact_count; i++)
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++) {
      const double* w = local->values + (size_t)k * (size_t)(block * block);
      const double* other = find_block(local, local->column[k], i);
      for (int e = 0; e < block * block; e++) {
        double transposed = other ? other[e % block * block + e / block] : 0;
        largest = fmax(largest, fabs(w[e]));
        difference = fmax(difference, fabs(w[e] - transposed));
      }
    }
  return largest > 0 ? difference / largest : 0;
}

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  double part = problem->local ? asymmetry(problem) : 0;
  if (part > symmetric_part)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "cpg needs a symmetric W, this one differs from its transpose by %.2g of its "
                   "largest number",
                   part);
  return RG_OK;
}

static size_t work_size(const rgProblem* problem) {
  rgCpgModel model;
  rgCarver carver = {NULL, 0};
  rg_cpg_carve(problem, &carver, &model);
  return carver.used;
}

static rgCpgModel* make(const rgProblem* problem, void* work) {
  rgCpgModel model;
  rgCarver carver = {work, 0};
  rgCpgModel* place = rg_cpg_carve(problem, &carver, &model);
  *place = model;
  rg_cpg_build(place);
  return place;
}

static double dot(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static void add(double* y, double s, const double* x, size_t count) {
  for (size_t i = 0; i < count; i++)
    y[i] += s * x[i];
}

// The velocities follow a step of s times what the last product belonged to.
static void follow(rgCpgModel* model, double s) {
  add(model->u, s, model->du, 4 * (size_t)model->problem->contact_count);
  add(model->row_w, s, model->drow, (size_t)model->problem->row_count);
}

// Goes from x to `trial` if that lowers the function by `part` of what the gradient promises.
static bool accept_trial(rgCpgModel* model, double part) {
  for (int i = 0; i < model->count; i++)
    model->d[i] = model->trial[i] - model->x[i];
  rg_cpg_product(model, model->d, model->wd);
  double promised = dot(model->g, model->d, model->count);
  double change = promised + 0.5 * dot(model->d, model->wd, model->count);
  if (!(change <= part * promised) || !(promised < 0))
    return false;
  memcpy(model->x, model->trial, (size_t)model->count * sizeof(double));
  follow(model, 1);
  return true;
}

static void move_trial(rgCpgModel* model, double s, const double* direction) {
  for (int i = 0; i < model->count; i++)
    model->trial[i] = model->x[i] + s * direction[i];
}

// x - t g, projected, with t halved until it helps. *t is the last length that did. False when
// none does: x solves the held problem up to rounding.
static bool gradient_step(rgCpgModel* model, double* t) {
  for (int i = 0; i < HALVINGS; i++) {
    move_trial(model, -*t, model->g);
    rg_cpg_project(model, model->trial);
    if (accept_trial(model, gradient_armijo))
      return true;
    *t *= 0.5;
  }
  *t = 1;
  return false;
}

// p = w + beta z, or w alone where that is no descent. False when w vanishes.
static bool conjugate(rgCpgModel* model, double curvature) {
  if (curvature > 0) {
    double beta = -dot(model->w, model->wp, model->count) / curvature;
    for (int i = 0; i < model->count; i++)
      model->p[i] = model->w[i] + beta * model->p[i];
  }
  if (!(curvature > 0) || dot(model->g, model->p, model->count) >= 0)
    memcpy(model->p, model->w, (size_t)model->count * sizeof(double));
  return dot(model->g, model->p, model->count) < 0;
}

typedef struct Search {
  double curvature; // p'Wp of the last direction; 0 starts anew
  double t;         // length of the last gradient step
  double damping;
} Search;

// One iteration with the offsets held. False when nothing lowers the function any more.
static bool iterate(rgCpgModel* model, Search* search) {
  if (search->curvature == 0)
    memset(model->p, 0, (size_t)model->count * sizeof(double));
  rg_cpg_tangent(model);
  if (!conjugate(model, search->curvature))
    return false;
  rg_cpg_product(model, model->p, model->wp);
  rg_cpg_bend(model, model->p, model->wp);
  add(model->wp, search->damping, model->p, (size_t)model->count);
  search->curvature = dot(model->p, model->wp, model->count);
  if (search->curvature > 0) {
    double alpha = -dot(model->g, model->p, model->count) / search->curvature;
    move_trial(model, alpha, model->p);
    if (!rg_cpg_project(model, model->trial)) {
      memcpy(model->x, model->trial, (size_t)model->count * sizeof(double));
      follow(model, alpha);
      return true;
    }
    if (accept_trial(model, armijo))
      return true;
  }
  search->curvature = 0;
  search->t *= 2;
  return gradient_step(model, &search->t);
}

// Where one way does not converge, another one follows.
typedef enum Way {
  WAY_PLAIN,  // offsets renewed in every iteration
  WAY_DAMPED, // the same, with damped steps
  WAY_HELD,   // offsets renewed only when the problem with the offsets held is solved
  WAY_COUNT
} Way;

typedef struct Progress {
  Way way;
  int held_left; // iterations of WAY_HELD still to do
  int held_next; // how many next time
  int since;     // iterations since the measure halved
  int last;      // iterations up to then
  double halved; // measure that is to be halved
} Progress;

// True when it is time for another way: the measure has not halved for long.
static bool is_slow(Progress* progress, double measure) {
  if (progress->way == WAY_HELD)
    return --progress->held_left <= 0;
  progress->since++;
  if (measure < 0.5 * progress->halved) {
    progress->halved = measure;
    progress->last += progress->since;
    progress->since = 0;
  }
  return progress->since > PATIENCE + progress->last;
}

static void change_way(Progress* progress) {
  progress->way = (progress->way + 1) % WAY_COUNT;
  progress->since = progress->last = 0;
  progress->halved = HUGE_VAL;
  if (progress->way != WAY_HELD)
    return;
  progress->held_left = progress->held_next;
  if (progress->held_next < INT_MAX / 2)
    progress->held_next *= 2;
}

static void solve(rgSolve* run) {
  rgCpgModel* model = run->call == 0 ? make(run->problem, run->work) : run->work;
  if (run->options[PRINTED] != 0 && run->call > 0)
    return; // it ends with what it has
  rg_cpg_load(model, run->solution);
  if (run->options[PRINTED] != 0) {
    rg_cpg_printed_solve(model, run, run->options[VANISH]);
    return;
  }
  rg_cpg_evaluate(model, run->solution);
  bool associated = run->options[ASSOCIATED] != 0;
  if (!associated)
    rg_cpg_offset(model, true);
  rg_cpg_gradient(model);
  Search search = {.t = 1};
  Progress progress = {.held_next = FIRST_HOLD, .halved = HUGE_VAL};
  rgCpgMissed missed = rg_cpg_missed(model);
  double measure = associated ? missed.held : missed.whole;
  bool stuck = false;
  while (!(measure <= run->goal) && !rg_solve_is_over(run)) {
    if (associated && stuck)
      break;
    bool held = associated || (progress.way == WAY_HELD && !stuck);
    search.damping = progress.way == WAY_DAMPED ? damping : 0;
    bool renew = !held || missed.held <= offset_part * rg_cpg_offset(model, false);
    if (renew && !associated) {
      double change = rg_cpg_offset(model, true);
      rg_cpg_gradient(model);
      if (stuck && change == 0)
        break;
    }
    stuck = !iterate(model, &search);
    run->iterations++;
    rg_solve_count_sweep(run);
    if (run->iterations % REFRESH == 0 || stuck)
      rg_cpg_evaluate(model, run->solution);
    rg_cpg_gradient(model);
    missed = rg_cpg_missed(model);
    measure = associated ? missed.held : missed.whole;
    rg_solve_record(run, measure);
    if (!is_slow(&progress, measure))
      continue;
    if (measure <= run->target)
      break; // as far as rounding allows
    change_way(&progress);
  }
  run->measure = measure;
  rg_cpg_store(model, model->x, run->solution);
}

const rgSolver rg_solver_cpg = {
    .name = "cpg",
    .summary = "conjugate projected gradient with a safeguard, every cone, linear memory",
    .reference = "Renouf, Acary, Dumont 2005, section 6.3; Renouf, Alart 2005; De Saxce, Feng 1998",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
