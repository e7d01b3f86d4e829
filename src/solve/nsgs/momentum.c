// momentum.c - Nesterov's sequence with a rule for giving it up; see momentum.h.
#include "solve/nsgs/momentum.h"

#include <limits.h>
#include <math.h>

// Pairs of sweeps, besides as many as it took to the last halving, in which the measure must halve.
enum { PATIENCE = 2000 };
// Plain sweeps when it has not; twice as many each further time.
enum { FIRST_REST = 200 };
// Part of what presses that may slip for sweeps with momentum to go on after a trial.
static const double SLIPPING = 0.25;
// After a trial: pairs of sweeps in which the least measure so far must fall to a part of it, while
// it is so many times the target; and plain sweeps when it has not.
enum { STALL_PAIRS = 15, LAST_SWEEPS = 5 };
static const double STALL_PART = 0.8, STALL_FAR = 5;

rgMomentum rg_momentum_start(bool on) {
  return (rgMomentum){.on = on, .t = 1, .halved = HUGE_VAL, .next_rest = FIRST_REST};
}

// Plain sweeps for a while.
static void rest(rgMomentum* momentum) {
  momentum->t = 1;
  momentum->halved = HUGE_VAL;
  momentum->since = 0;
  momentum->rest = momentum->next_rest;
  if (momentum->next_rest < INT_MAX / 2)
    momentum->next_rest *= 2;
}

bool rg_momentum_gives_up(rgMomentum* momentum, double worst) {
  momentum->pairs++;
  momentum->since++;
  if (worst < 0.25 * momentum->halved) {
    momentum->halved = worst;
    momentum->since = 0;
  }
  bool stuck = momentum->since > PATIENCE + (momentum->pairs - momentum->since);
  if (stuck)
    rest(momentum);
  return stuck;
}

double rg_momentum_next(rgMomentum* momentum) {
  double next = 0.5 * (1 + sqrt(1 + 4 * momentum->t * momentum->t));
  double beta = (momentum->t - 1) / next;
  momentum->t = next;
  return beta;
}

void rg_momentum_extrapolate(double* x, double* last, size_t count, double beta) {
  for (size_t i = 0; i < count; i++) {
    double now = x[i];
    x[i] = now + beta * (now - last[i]);
    last[i] = now;
  }
}

static double sweep(rgSolve* run, const rgSweeps* sweeps, void* state, bool backward) {
  double worst = sweeps->sweep(state, backward);
  run->iterations++;
  rg_solve_count_sweep(run);
  rg_solve_record(run, sqrt(worst));
  return worst;
}

bool rg_momentum_is_near(double now, double last, double goal, int more) {
  if (!(now < last))
    return false;
  double rate = now / last, rest = now;
  for (int k = 0; k < more && rest > goal; k++)
    rest *= rate;
  return rest <= goal;
}

// Whether the trial ends with this pair of sweeps, and more is of no use.
static bool ends_trial(const rgSolve* run, const rgSweeps* sweeps, void* state, rgSweepPlan plan) {
  bool now = run->iterations >= plan.trial && run->iterations < plan.trial + 2;
  return plan.trial > 0 && now && sweeps->slipping(state) > SLIPPING;
}

// Where a solve whose time is bounded stands.
typedef struct Progress {
  double least; // squared measure that is to fall
  int pairs;    // since it fell
  int left;     // plain sweeps still to do before it gives up; 0: it does not
} Progress;

// Whether the measure has come to a stand far above the target: the rest of the solve are plain sweeps.
static bool stalls(const rgSolve* run, rgSweepPlan plan, double worst, Progress* progress) {
  if (worst < STALL_PART * STALL_PART * progress->least) {
    progress->least = worst;
    progress->pairs = 0;
    return false;
  }
  double far = STALL_FAR * run->target;
  progress->pairs++;
  bool bounded = plan.trial > 0 && rg_budget(run->stop->iteration_limit).interactive;
  bool stalled = bounded && run->iterations > plan.trial && progress->pairs >= STALL_PAIRS &&
                 progress->least > far * far;
  if (stalled)
    progress->left = LAST_SWEEPS;
  return stalled;
}

void rg_momentum_run(rgSolve* run, const rgSweeps* sweeps, void* state, rgSweepPlan plan) {
  rgMomentum momentum = rg_momentum_start(plan.momentum);
  double goal2 = run->goal * run->goal, worst = HUGE_VAL, last = HUGE_VAL;
  int half = run->iterations + (run->iteration_limit - run->iterations) / 2;
  bool near = true;
  Progress progress = {.least = HUGE_VAL};
  while (!(worst <= goal2) && near && !run->gave_up && !rg_solve_is_over(run)) {
    bool moving = momentum.on && momentum.rest == 0;
    if (moving)
      sweeps->remember(state);
    last = worst;
    worst = sweep(run, sweeps, state, false);
    if (run->iterations <= half)
      run->middle = sqrt(worst);
    if (plan.horizon > 0 && last < HUGE_VAL)
      near = rg_momentum_is_near(worst, last, goal2, plan.horizon);
    if (momentum.rest > 0)
      momentum.rest--;
    if (progress.left > 0)
      run->gave_up = --progress.left == 0 && worst > goal2;
    if (!moving || worst <= goal2 || rg_solve_is_over(run))
      continue;
    if (stalls(run, plan, worst, &progress)) {
      momentum.on = false;
      continue;
    }
    double forth = worst;
    worst = sweep(run, sweeps, state, true);
    if (fmax(forth, worst) <= plan.enough * plan.enough)
      break;
    run->gave_up = worst > goal2 && ends_trial(run, sweeps, state, plan);
    if (worst > goal2 && !run->gave_up &&
        !rg_solve_is_over(run)) // the last point is one that was swept
      sweeps->accelerate(state, &momentum, run, worst);
  }
  run->measure = sqrt(worst);
}
