// newton_local.c - proximal semismooth Newton method on the local form.
//
// Problem: u = W r + q with the contact law of problem.h, exact cones; W need be neither symmetric
// nor regular. Islands of W are solved one by one, in the scaled variables of newton_local_model.c.
//
// Method. A few sweeps of Gauss-Seidel find most of the statuses. Then proximal points: with the
// centre c at the present x, solve the law with y = W x + q + shift (x - c) by Newton's method on
// the Alart-Curnier function (newton_local_step.c), move the centre to the answer, and make the
// shift smaller while that goes well, so that the rounds converge superlinearly to a solution of
// the stated problem. The shift makes the matrix regular where contacts are redundant, and bounds
// how far a round may go. Newton's steps are searched along a line for a decrease of |F|^2 against
// the largest of the last few values.
//
// Sliding with redundant contacts makes curved valleys: the residual is small along a curve of
// impulses, and the solution lies at its end, where some contact opens. Descent creeps there (as
// sweeps do, by 10^5 of them). So once a round has failed, the first step of each round is taken in
// full, however much |F| grows by it, and descent begins at the point it leads to: the valley is
// crossed in strides of F / shift. A round that fails is taken back, and the shift grown; its
// change is trimmed like a trust region.
//
// When rounds fail too often, sweeps go on from the best point, twice as many each time.
//
// References: Acary, Bremond, Huber 2018 (PROX-NSN-AC, section 5); Rockafellar 1976; Alart, Curnier
// 1991; Grippo, Lampariello, Lucidi 1986 for the line search.
//
// Cost: one factorization per step (block_lu.c). Fails where neither valley nor sweeps lead to a
// solution; the law can have none (Painleve).
#include "solve/newton_local.h"
#include "base/message.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  FIRST_SWEEPS = 5,   // before the first round; twice as many after each stall
  ROUNDS = 60,        // between sweeps
  FAILED_ROUNDS = 12, // of these, before sweeps are asked again
  STEPS = 20,         // of Newton's method in a round
  EASY_STEPS = 4,     // a round that took no more may shrink the shift by the full factor and more
  FAIR_STEPS = 8,     // ... by the full factor
  HARD_STEPS = 12,    // ... by its square root
  LINE_STEPS = 8,     // halvings
  MEMORY = 4          // values of |F|^2 that the line search looks back on
};
// The shift is relative to the diagonal of W. The last is what double precision bears.
static const double FIRST_SHIFT = 1e-3, LAST_SHIFT = 1e-11, MOST_SHIFT = 1;
// Smallest factor on the shift from round to round.
static const double LEAST_FACTOR = 0.1;
// A round ends when |F|^2 has come down to this part of its first value.
static const double ROUND_PART = 1e-3;
// Decrease of |F|^2 that a step must bring, relative to the one that a linear F would.
static const double DECREASE = 1e-4;
// |F|^2 up to which a step is taken in full after a failed round, relative to |x|^2.
static const double JUMP_PART = 1e-2;
// Sweeps that change less than this part of the goal have converged.
static const double SWEPT_PART = 0.1;

// One island on its way.
typedef struct Path {
  rgLocalModel* model;
  rgSolve* run;
  rgLocalIsland island;
  size_t begin, bytes; // of its numbers in the model's vectors
  int iterations;
  double measure, best;
  double shift, factor;
  int failures;
  bool recorded; // its measures go to the history
} Path;

static bool is_over(Path* path) {
  path->run->iterations = path->iterations;
  return rg_solve_is_over(path->run);
}

static void count_iteration(Path* path, double measure) {
  path->iterations++;
  if (path->recorded)
    rg_solve_record(path->run, measure);
}

static void copy(const Path* path, double* to, const double* from) {
  memcpy(to + path->begin, from + path->begin, path->bytes);
}

static void refresh(Path* path) {
  rg_local_model_velocity(path->model, path->island, path->model->x, path->model->y);
}

// Measures the present point and keeps it if it is the best so far. True when it is good enough.
static bool judge(Path* path) {
  rgLocalModel* model = path->model;
  path->measure = rg_local_model_measure(model, path->island, model->x, model->y);
  if (path->measure < path->best) {
    path->best = path->measure;
    copy(path, model->best, model->x);
  }
  return path->measure <= path->run->goal;
}

static bool sweep(Path* path, int count) {
  for (int k = 0; k < count && !is_over(path); k++) {
    double change = rg_local_model_sweep(path->model, path->island);
    count_iteration(path, change);
    if (path->island.last - path->island.first == 1 || change <= SWEPT_PART * path->run->goal)
      break;
  }
  refresh(path);
  return judge(path);
}

static double squared_norm(const Path* path) {
  double sum = 0;
  const double* x = path->model->x + path->begin;
  for (size_t k = 0; k < path->bytes / sizeof(double); k++)
    sum += x[k] * x[k];
  return sum;
}

// Moves x by the longest of 1, 1/2, 1/4 ... of the step that brings |F|^2 / 2 to `limit`, or down
// enough from `reference`. Returns the new value, or infinity when there is none.
static double line_search(Path* path, double reference, double limit) {
  rgLocalModel* model = path->model;
  double part = 1;
  for (int i = 0; i < LINE_STEPS; i++, part *= 0.5) {
    for (size_t k = path->begin; k < path->begin + path->bytes / sizeof(double); k++)
      model->trial[k] = model->x[k] + part * model->step[k];
    rg_local_model_velocity(model, path->island, model->trial, model->trial_y);
    double value =
        rg_local_step_evaluate(model, path->island, model->trial, model->trial_y, path->shift);
    if (value <= (1 - DECREASE * part) * reference || value <= limit) {
      copy(path, model->x, model->trial);
      copy(path, model->y, model->trial_y);
      return value;
    }
  }
  return HUGE_VAL;
}

typedef enum Outcome { SOLVED, ROUND_DONE, ROUND_FAILED } Outcome;

// One proximal point: Newton's method with the centre where the round begins.
static Outcome make_round(Path* path, int* steps) {
  rgLocalModel* model = path->model;
  copy(path, model->centre, model->x);
  double value = rg_local_step_evaluate(model, path->island, model->x, model->y, path->shift);
  double wanted = ROUND_PART * value, recent[MEMORY];
  double jump = path->failures > 0 ? JUMP_PART * squared_norm(path) : 0;
  for (int k = 0; k < MEMORY; k++)
    recent[k] = value;
  for (*steps = 0; *steps < STEPS && !is_over(path);) {
    if (!rg_local_step_solve(model, path->island, path->shift))
      return ROUND_FAILED;
    double reference = 0;
    for (int k = 0; k < MEMORY; k++)
      reference = fmax(reference, recent[k]);
    value = line_search(path, reference, *steps == 0 ? jump : 0);
    bool fell_short = !(value < HUGE_VAL);
    bool solved = !fell_short && judge(path);
    count_iteration(path, path->measure);
    if (fell_short)
      return ROUND_FAILED;
    if (solved)
      return SOLVED;
    for (int k = 0; k < MEMORY; k++)
      if (k == *steps % MEMORY || (*steps == 0 && jump > 0))
        recent[k] = value;
    ++*steps;
    if (value <= wanted)
      return ROUND_DONE;
  }
  return ROUND_FAILED;
}

static void shrink_shift(Path* path, int steps) {
  if (steps <= EASY_STEPS)
    path->factor = fmax(LEAST_FACTOR, path->factor * path->factor);
  if (steps <= FAIR_STEPS)
    path->shift *= path->factor;
  else if (steps <= HARD_STEPS)
    path->shift *= sqrt(path->factor);
  path->shift = fmax(path->shift, LAST_SHIFT);
}

// The first failure only takes back the round: the next may jump.
static void grow_shift(Path* path) {
  copy(path, path->model->x, path->model->centre);
  refresh(path);
  if (path->failures++ > 0)
    path->shift = fmin(path->shift / path->factor, MOST_SHIFT);
  path->factor = sqrt(path->factor);
}

// True when the goal is reached; otherwise the best point is left in x.
static bool approach(Path* path) {
  path->failures = 0;
  path->factor = LEAST_FACTOR;
  for (int i = 0; i < ROUNDS && path->failures <= FAILED_ROUNDS && !is_over(path); i++) {
    int steps;
    Outcome outcome = make_round(path, &steps);
    if (outcome == SOLVED)
      return true;
    if (outcome == ROUND_DONE)
      shrink_shift(path, steps);
    else
      grow_shift(path);
  }
  copy(path, path->model->x, path->model->best);
  refresh(path);
  return false;
}

// Solves one island as far as the budget allows; returns the iterations spent.
static int solve_island(rgLocalModel* model, rgSolve* run, int index, bool recorded) {
  int before = run->iterations, sweeps = FIRST_SWEEPS;
  rgLocalIsland island = {model->island_start[index], model->island_start[index + 1]};
  size_t size = (size_t)model->size;
  Path path = {.model = model,
               .run = run,
               .island = island,
               .begin = (size_t)island.first * size,
               .bytes = (size_t)(island.last - island.first) * size * sizeof(double),
               .iterations = before,
               .best = HUGE_VAL,
               .shift = FIRST_SHIFT,
               .recorded = recorded};
  refresh(&path);
  if (judge(&path))
    return 0;
  bool prepared = false, factorable = true;
  while (!is_over(&path)) {
    if (sweep(&path, sweeps))
      break;
    if (sweeps <= INT_MAX / 2)
      sweeps *= 2;
    if (!prepared)
      factorable = rg_local_step_prepare(model, island);
    prepared = true;
    if (factorable && approach(&path))
      break;
  }
  if (path.best < path.measure)
    copy(&path, model->x, model->best);
  run->measure = fmax(run->measure, fmin(path.best, path.measure));
  run->iterations = before;
  return path.iterations - before;
}

rgStatus rg_newton_local_accepts(const rgProblem* problem, rgMessage* message) {
  for (int i = 0; i < problem->contact_count; i++) {
    rgConeKind cone = problem->contacts[i].cone;
    if (cone == RG_CONE_INNER || cone == RG_CONE_OUTER)
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "newton takes exact cones only, contact %d has a polygon", i);
  }
  return RG_OK;
}

size_t rg_newton_local_work_size(const rgProblem* problem) {
  rgLocalModel model;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof model);
  rg_local_model_carve(&model, problem, &carver);
  return carver.used;
}

static int largest_island(const rgLocalModel* model) {
  int best = 0, most = 0;
  for (int i = 0; i < model->island_count; i++) {
    int count = model->island_start[i + 1] - model->island_start[i];
    if (count > most) {
      most = count;
      best = i;
    }
  }
  return best;
}

void rg_newton_local_solve(rgSolve* run) {
  rgCarver carver = {run->work, 0};
  rgLocalModel* model = rg_carve(&carver, 1, sizeof *model);
  if (run->round == 0) {
    rg_local_model_carve(model, run->problem, &carver);
    rg_local_model_build(model);
  }
  rg_local_model_load(model, run->solution);
  run->measure = 0;
  int most = 0, largest = largest_island(model);
  for (int i = 0; i < model->island_count; i++) {
    int spent = solve_island(model, run, i, i == largest);
    most = spent > most ? spent : most;
  }
  run->iterations += most;
  rg_local_model_store(model, run->solution);
}
