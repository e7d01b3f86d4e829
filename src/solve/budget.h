// budget.h - what a limit on iterations means for the choice of methods.
//
// Iterations are sweeps or Newton steps, and the latter cost as much as many of the former. A limit
// that is far above what most problems need only guards against problems without a solution. A
// small one is set to bound the time of a step, as where someone watches: the solve is interactive.
// Then a factorization must be worth its price, and each method gets its share of the limit.
//
// So that a limit bounds the work whatever the method, the work is counted in sweeps: a step of
// Newton's method costs STEP_SWEEPS for its assembly, its line search and its judgement (counted in
// instructions, 50 to 65 of those of a sweep, on arches of 11 and 15 blocks), and its factorization
// by its block products, of which a sweep's worth is one per contact, row and body. A solve that is
// not interactive ends, too, when it has done the work of ITERATION_SWEEPS sweeps per iteration of
// its limit, a step of Newton's method of small bandwidth being one: more than problems need that
// have a solution (chains that fall across each other need thousands of steps), and a bound on the
// time of others. An interactive solve is bounded by the shares below.
#ifndef SOLVE_BUDGET_H
#define SOLVE_BUDGET_H

#include <math.h>
#include <rigor/solver.h>
#include <string.h>

enum {
  RG_BUDGET_INTERACTIVE = 200,    // [iterations] below this limit a solve is interactive
  RG_BUDGET_FEW_BODIES = 64,      // Newton steps of so many bodies cost little in any step
  RG_BUDGET_TRIAL = 60,           // [sweeps] after which an interactive solve may give up
  RG_BUDGET_STEP_SWEEPS = 50,     // [sweeps] a step of Newton's method without its factorization
  RG_BUDGET_ITERATION_SWEEPS = 50 // [sweeps] of work that an iteration of the limit stands for
};

typedef struct rgBudget {
  int iterations; // the limit
  bool interactive;
} rgBudget;

static inline rgBudget rg_budget(int iteration_limit) {
  return (rgBudget){iteration_limit, iteration_limit < RG_BUDGET_INTERACTIVE};
}

// [sweeps] the most work of a solve.
static inline double rg_budget_work(rgBudget budget) {
  return budget.interactive ? HUGE_VAL : (double)RG_BUDGET_ITERATION_SWEEPS * budget.iterations;
}

// [sweeps] a step of Newton's method whose factorization has so many block products, in a problem
// with so many bodies, contacts and rows.
static inline double rg_budget_step_work(double products, int parts) {
  return RG_BUDGET_STEP_SWEEPS + products / (parts > 0 ? parts : 1);
}

// True when a problem of so many bodies is small enough for Newton steps: their cost grows with the
// bodies, the time that was meant with the limit.
static inline bool rg_budget_affords_newton(rgBudget budget, int body_count) {
  return !budget.interactive || body_count <= budget.iterations;
}

// True when the choice among solutions, which costs about as much as some sweeps for every island,
// is affordable in a step of so many bodies.
static inline bool rg_budget_affords_choice(rgBudget budget, int body_count) {
  return !budget.interactive || body_count <= RG_BUDGET_FEW_BODIES;
}

// True where sweeps may be made in floats: where the time is bounded, and bodies are enough to fill batches of eight
// manifolds.
static inline bool rg_budget_prefers_floats(rgBudget budget, int body_count) {
  return budget.interactive && body_count > RG_BUDGET_FEW_BODIES;
}

// Iterations of a first phase of sweeps and of Newton steps, where `standard` is that without a
// bound on the time: an interactive solve leaves something of its limit for the other one.
static inline int rg_budget_sweeps(rgBudget budget, int standard) {
  return budget.interactive ? 1 + budget.iterations / 2 : standard;
}
static inline int rg_budget_newton_steps(rgBudget budget, int standard) {
  return budget.interactive ? 1 + budget.iterations / 5 : standard;
}

// [sweeps] of many bodies after which it is asked whether more are of use; 0: never.
static inline int rg_budget_trial(rgBudget budget) {
  return budget.interactive ? RG_BUDGET_TRIAL : 0;
}

// The part of the tolerance at which sweeps over many bodies may end, where `start` is the residual of the
// start over the tolerance; 0: at the goal of all solves, a tenth of it. To go further than asked pays where the next
// start is the better for it, that is where bodies rest. Where a step that met the tolerance is followed by a start
// that misses it by far, the movement has changed by that much, and what was gained below the tolerance is lost again: on
// boxes that come to rest in a heap a third of all sweeps went into it (docs/performance.md).
static inline double rg_budget_enough(rgBudget budget, double start) {
  const double far = 10, enough = 0.8;
  return budget.interactive && start > far ? enough : 0;
}

// The solver for an island with so many bodies in a step with so many rows: `solver`, but "hold" in
// place of "auto" in an interactive step, for many bodies without joints. What auto adds to hold is
// newton, which takes the memory and the time of many sweeps. Few bodies that rock against each other get it:
// sweeps alone do not bring them to rest, and cost more in all the steps to come than newton in some.
static inline const char* rg_budget_solver(rgBudget budget, const char* solver, int body_count,
                                           int row_count) {
  bool expensive = budget.interactive && body_count > RG_BUDGET_FEW_BODIES && row_count == 0;
  return expensive && strcmp(solver, "auto") == 0 ? "hold" : solver;
}

#endif
