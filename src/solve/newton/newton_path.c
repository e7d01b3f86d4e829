// newton_path.c - proximal points by a semismooth Newton method, with jumps across valleys.
//
// Problem: the laws F(x) = 0 of contacts with y = W x + q (newton_path.h); W need be neither
// symmetric nor regular.
//
// Method. A few sweeps of Gauss-Seidel find most of the statuses. Then proximal points: with the
// centre c at the present x, solve the law with y = W x + q + regularization (x - c) by Newton's
// method, move the centre to the answer, and make the regularization smaller while that goes well,
// so that the points converge superlinearly to a solution of the stated problem. The regularization
// makes the matrix regular where contacts are redundant, and bounds how far the next point may be.
// Newton's steps are searched along a line for a decrease of |F|^2 against the largest of the last
// few values.
//
// Sliding with redundant contacts makes curved valleys: the residual is small along a curve of
// impulses, and the solution lies at its end, where some contact opens. Descent creeps there (as
// sweeps do, by 10^5 of them). So once an outer iteration has failed, the first step of each is
// taken in full, however much |F| grows by it, and descent begins at the point it leads to: the
// valley is crossed in strides of F / regularization. An outer iteration that fails is taken back,
// and the regularization grown; its change is trimmed like a trust region. One that fails because
// the regularization had just shrunk says that strides must not get longer here: the more often, the
// more strides are made before the next trial.
//
// When outer iterations fail too often, sweeps go on from there, or from the best point where that is much better,
// twice as many each time.
//
// References: Acary, Bremond, Huber 2018 (PROX-NSN-AC, section 5); Rockafellar 1976; Grippo,
// Lampariello, Lucidi 1986 for the line search.
//
// Cost: one factorization per step. Fails where neither valley nor sweeps lead to a solution; the
// law can have none (Painleve).
#include "solve/newton/newton_path.h"
#include "solve/nsgs/momentum.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  LEAST_SWEEPS = 10, // after a stall; twice as many after each further one
  OUTER_LIMIT = 60,  // outer iterations between sweeps
  FAILED_LIMIT = 12, // of these, before sweeps are asked again
  STEPS = 20,        // of Newton's method in an outer iteration
  EASY_STEPS = 4,    // with no more, the regularization shrinks by the full factor and more
  FAIR_STEPS = 8,    // ... by the full factor
  HARD_STEPS = 12,   // ... by its square root
  LINE_STEPS = 8,    // halvings
  FLOOR_STEPS = 12,  // in which what meets the target must halve to be improved further
  MEMORY = 4         // values of |F|^2 that the line search looks back on
};
// The regularization is relative to the diagonal of W.
static const double MOST_REGULARIZATION = 1;
// Smallest factor on the regularization from one outer iteration to the next.
static const double LEAST_FACTOR = 0.1;
// An outer iteration of one step, which is a step of a linear problem, shrinks the regularization
// as far as |F| fell, down to this at once: much smaller ones bring rounding.
static const double SMALL_REGULARIZATION = 1e-7;
// An outer iteration ends when |F|^2 has come down to this part of its first value.
static const double OUTER_PART = 1e-3;
// An outer iteration is given up that has not brought |F|^2 down to this part in a fair number of
// steps.
static const double STALLED_PART = 0.5;
// Decrease of |F|^2 that a step must bring, relative to the one that a linear F would.
static const double DECREASE = 1e-4;
// |F|^2 up to which a step is taken in full after a failed outer iteration, relative to |x|^2.
static const double JUMP_PART = 1e-2;
// Where |F|^2 is so much smaller still at the start, statuses hardly change, and all that the first step leaves is what
// its regularization makes of it.
static const double NEAR_PART = 1e-2;
// What meets the target is not improved by a change of more than this part of it which is also so many times as long as
// what is missed, |F|. Where contacts are redundant, and their rates differ by what rounding and tolerances have left, only
// quite other impulses meet the law better: a body that is gripped along a line would hang from one of its ends, and turn.
// In a further call the certificate has seen more than this measure, and the target is not met.
static const double POLISH_PART = 0.01, POLISH_TIMES = 100;
// What is left of the target at the floor of rounding for the certificate to be met as well.
static const double FLOOR_PART = 0.5;
// A point that misses by up to so many times what the best one misses is in the same valley, and may be further along it.
static const double VALLEY = 10;
// Sweeps that change less than this part of the goal have converged.
static const double SWEPT_PART = 0.5;

typedef struct Walk {
  rgNewtonPath* path;
  rgSolve* run;
  int iterations, begun; // now, and at the start
  int halved;            // when the best measure was last half of `least`,
  double least;          // which is what it was then
  double measure, best;
  double value, best_value; // |F|^2 / 2 at the present point and at the best; HUGE_VAL if not known
  double regularization, factor;
  double gained; // |F| at the end of the last outer iteration that went well over that at its start
  int failures;
  bool shrunk;  // the regularization is smaller than in the last outer iteration that went well
  int relapses; // outer iterations that failed for that
  int hold;     // outer iterations that must go well before it shrinks again
  bool far;     // the last outer iteration began too far from a solution for a jump
  bool begins;  // no outer iteration was made since
  bool near;    // the last outer iteration had the regularization of a near start
  bool hasty; // few sweeps were made: an outer iteration that fails far away asks for more of them
} Walk;

static bool is_over(Walk* walk) {
  walk->run->iterations = walk->iterations;
  return rg_solve_is_over(walk->run);
}

static void count_iteration(Walk* walk, double measure) {
  walk->iterations++;
  if (walk->path->recorded)
    rg_solve_record(walk->run, measure);
}

static void copy(const Walk* walk, double* to, const double* from) {
  memcpy(to, from, walk->path->count * sizeof(double));
}

static void refresh(Walk* walk) {
  walk->path->velocity(walk->path->context, walk->path->x, walk->path->y);
}

// Whether the present point is far from the best one, and by no need of that one.
static bool has_left(const Walk* walk) {
  const rgNewtonPath* path = walk->path;
  double way = 0, size = 0;
  for (size_t k = 0; k < path->count; k++) {
    way += (path->x[k] - path->best[k]) * (path->x[k] - path->best[k]);
    size += path->best[k] * path->best[k];
  }
  return way > POLISH_PART * POLISH_PART * size &&
         way > POLISH_TIMES * POLISH_TIMES * 2 * walk->best_value;
}

// Whether the best point may still come to the goal. What meets the target, and no longer gets better, is at
// the floor of rounding: with masses in a ratio of 10^6 the velocities of light bodies are differences of 10^6
// times their size. A further call says that the certificate saw more than this measure.
static bool is_patient(Walk* walk) {
  if (!(walk->best > 0.5 * walk->least)) {
    walk->least = walk->best;
    walk->halved = walk->iterations;
  }
  bool good = walk->run->call == 0 && walk->best <= FLOOR_PART * walk->run->target;
  bool floor = good && walk->iterations - walk->halved >= FLOOR_STEPS;
  return !floor && walk->iterations - walk->begun < walk->path->patience;
}

// Measures the present point and keeps it if it is the best so far. True when that is good enough.
static bool judge(Walk* walk) {
  rgNewtonPath* path = walk->path;
  walk->measure = path->measure(path->context, path->x, path->y);
  if (walk->run->call == 0 && walk->best <= walk->run->target && has_left(walk)) {
    walk->measure = HUGE_VAL; // the best point is left in x
    return true;
  }
  if (walk->measure < walk->best) {
    walk->best = walk->measure;
    walk->best_value = walk->value;
    copy(walk, path->best, path->x);
  }
  return walk->best <= (is_patient(walk) ? walk->run->goal : walk->run->target);
}

// `count` sweeps, and further ones as long as they are about to end by themselves.
static bool sweep(Walk* walk, int count) {
  double last = 0, wanted = SWEPT_PART * walk->run->goal;
  bool soon = false;
  for (int k = 0; (k < count || soon) && !is_over(walk); k++) {
    double change = walk->path->sweep(walk->path->context);
    rg_solve_count_sweep(walk->run);
    count_iteration(walk, change);
    if (change <= wanted)
      break;
    soon = rg_momentum_is_near(change, last, wanted, walk->path->more_sweeps);
    last = change;
  }
  refresh(walk);
  walk->value = HUGE_VAL;
  return judge(walk);
}

static double squared_norm(const double* x, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += x[k] * x[k];
  return sum;
}

// Moves x by the longest of 1, 1/2, 1/4 ... of the step that brings |F|^2 / 2 to `limit`, or down
// enough from `reference`. Returns the new value, or infinity when there is none. Where the matrix is singular but for the
// regularization, the step may be ever so long, and what ends it are the bounds on the way: after 1 the first of these is
// next.
static double line_search(Walk* walk, double reference, double limit) {
  rgNewtonPath* path = walk->path;
  double part = 1,
         bound = path->reach && !walk->hasty ? path->reach(path->context, path->x, path->step) : 1;
  for (int i = 0; i < LINE_STEPS; i++, part = fmin(0.5 * part, bound)) {
    for (size_t k = 0; k < path->count; k++)
      path->trial[k] = path->x[k] + part * path->step[k];
    path->velocity(path->context, path->trial, path->trial_y);
    double value = path->evaluate(path->context, path->trial, path->trial_y, walk->regularization);
    if (value <= (1 - DECREASE * part) * reference || value <= limit) {
      copy(walk, path->x, path->trial);
      copy(walk, path->y, path->trial_y);
      return value;
    }
  }
  return HUGE_VAL;
}

typedef enum Outcome { SOLVED, OUTER_DONE, OUTER_FAILED } Outcome;

// One proximal point: Newton's method with the centre where the outer iteration begins.
static Outcome find_proximal_point(Walk* walk, int* steps) {
  rgNewtonPath* path = walk->path;
  copy(walk, path->centre, path->x);
  double value = path->evaluate(path->context, path->x, path->y, walk->regularization);
  if (walk->measure <= walk->best)
    walk->best_value = value;
  double first = value, least = value, wanted = OUTER_PART * value, recent[MEMORY];
  double jump = JUMP_PART * squared_norm(path->x, path->count);
  walk->far = value > jump;
  walk->near = walk->begins && value <= NEAR_PART * jump;
  if (walk->near)
    walk->regularization = path->near_regularization; // F does not depend on it at the centre
  walk->begins = false;
  jump = walk->failures > 0 ? jump : 0;
  for (int k = 0; k < MEMORY; k++)
    recent[k] = value;
  for (*steps = 0; *steps < STEPS && !is_over(walk);) {
    rg_solve_count_factorization(walk->run, path->products(path->context));
    if (!path->solve(path->context, walk->regularization))
      return OUTER_FAILED;
    double reference = 0;
    for (int k = 0; k < MEMORY; k++)
      reference = fmax(reference, recent[k]);
    value = line_search(walk, reference, *steps == 0 ? jump : 0);
    bool fell_short = !(value < HUGE_VAL);
    walk->value = value;
    bool solved = !fell_short && judge(walk);
    count_iteration(walk, walk->measure);
    if (fell_short)
      return OUTER_FAILED;
    if (solved)
      return SOLVED;
    for (int k = 0; k < MEMORY; k++)
      if (k == *steps % MEMORY || (*steps == 0 && jump > 0))
        recent[k] = value;
    ++*steps;
    if (value <= wanted) {
      walk->gained = sqrt(value / first);
      return OUTER_DONE;
    }
    least = fmin(least, value);
    if (*steps == FAIR_STEPS && least > STALLED_PART * first)
      return OUTER_FAILED;
  }
  return OUTER_FAILED;
}

static void shrink_regularization(Walk* walk, int steps) {
  if (walk->hold-- > 0)
    return;
  walk->shrunk = true;
  if (steps <= EASY_STEPS)
    walk->factor = fmax(LEAST_FACTOR, walk->factor * walk->factor);
  if (steps == 1)
    walk->regularization = fmin(walk->regularization * walk->factor * walk->factor,
                                fmax(walk->regularization * walk->gained, SMALL_REGULARIZATION));
  else if (steps <= FAIR_STEPS)
    walk->regularization *= walk->factor;
  else if (steps <= HARD_STEPS)
    walk->regularization *= sqrt(walk->factor);
  walk->regularization = fmax(walk->regularization, walk->path->last_regularization);
}

// The first failure only takes back the outer iteration, where the next may jump.
static void grow_regularization(Walk* walk) {
  copy(walk, walk->path->x, walk->path->centre);
  refresh(walk);
  if (walk->near) { // it was not near
    walk->regularization = walk->path->first_regularization;
    return;
  }
  if (walk->failures++ > 0 || walk->far) {
    walk->regularization = fmin(walk->regularization / walk->factor, MOST_REGULARIZATION);
    walk->relapses += walk->shrunk;
    walk->hold = walk->relapses;
  }
  walk->shrunk = false;
  walk->factor = sqrt(walk->factor);
}

// True when the goal is reached; otherwise the best point is left in x, or one as far along its valley.
static bool approach(Walk* walk) {
  const rgNewtonPath* path = walk->path;
  walk->failures = walk->relapses = walk->hold = 0;
  walk->shrunk = false;
  walk->factor = LEAST_FACTOR;
  walk->begins = path->near_regularization > 0;
  if (walk->begins)
    walk->regularization = path->first_regularization;
  for (int i = 0; i < OUTER_LIMIT && walk->failures <= FAILED_LIMIT && !is_over(walk); i++) {
    int steps;
    Outcome outcome = find_proximal_point(walk, &steps);
    if (outcome == SOLVED)
      return true;
    if (outcome == OUTER_DONE)
      shrink_regularization(walk, steps);
    else if (walk->hasty && (walk->far || (path->sweeps_first && steps == 0)))
      break;
    else
      grow_regularization(walk);
  }
  if (path->measure(path->context, path->x, path->y) <= VALLEY * walk->best)
    return false;
  copy(walk, path->x, path->best);
  refresh(walk);
  return false;
}

int rg_newton_path_follow(rgNewtonPath* path, rgSolve* run, double* measure) {
  int before = run->iterations, sweeps = path->first_sweeps;
  Walk walk = {.path = path,
               .run = run,
               .iterations = before,
               .begun = before,
               .halved = before,
               .least = HUGE_VAL,
               .best = HUGE_VAL,
               .value = HUGE_VAL,
               .best_value = HUGE_VAL,
               .regularization = path->first_regularization,
               .hasty = true};
  refresh(&walk);
  copy(&walk, path->best, path->x); // should no measure be finite
  bool done = judge(&walk), prepared = false, factorable = true;
  while (!done && !is_over(&walk)) {
    if (sweeps > 0 && sweep(&walk, sweeps))
      break;
    if (sweeps <= INT_MAX / 2)
      sweeps = sweeps < LEAST_SWEEPS ? LEAST_SWEEPS : 2 * sweeps;
    if (!prepared)
      factorable = path->prepare(path->context);
    prepared = true;
    done = factorable && approach(&walk);
    walk.hasty = false;
  }
  if (!(walk.measure <= walk.best))
    copy(&walk, path->x, path->best);
  *measure = fmin(walk.best, walk.measure);
  run->iterations = before;
  return walk.iterations - before;
}
