// momentum.h - when to extrapolate pairs of sweeps, how far, and when to leave it.
//
// A pair of sweeps forth and back, g = S(x), is for sticking and open contacts a gradient step on
// the energy x'Wx/2 + x'u_free in a symmetric preconditioner, and can be accelerated: the next
// start is g + beta (g - g_last) with Nesterov's beta = (t - 1) / t', t' = (1 + sqrt(1 + 4 t^2)) /
// 2. The caller drops momentum (t = 1) where it points away from where the sweeps go (O'Donoghue
// and Candes 2015, gradient scheme).
//
// Where contacts slide the sweeps are no gradient of anything, and momentum is only a guess. When
// the measure has not halved for as long as the solve took so far, it makes way for plain sweeps
// forth, twice as many each time.
//
// A solve whose time is bounded has no use for sweeps that bring little, and slipping tells: where more
// than a quarter of what presses is at the limit of friction, 160 sweeps after the first 40 divide the
// residual by 2 to 5 (docs/performance.md), with momentum or without. Such a solve gives up after a trial.
// Where less slips the measure comes to a stand as well, at some tens of the target, and swings there: the last of 199 sweeps
// is as likely as any to be at its top. When the least measure of all sweeps has not fallen by a fifth in 15 pairs, the
// solve ends with five plain sweeps, which damp the swing (docs/performance.md).
// It may also end before its goal, after a pair of sweeps that changes nothing by more than is enough for it: one
// sweep alone may change little by chance, and the velocity is that of sweeps forth and back.
#ifndef SOLVE_NSGS_MOMENTUM_H
#define SOLVE_NSGS_MOMENTUM_H

#include "solve/solver.h"

typedef struct rgMomentum {
  bool on;
  double t;      // Nesterov's sequence, 1 at a new start
  int pairs;     // of sweeps so far
  int since;     // pairs since the measure halved
  double halved; // squared measure that is to be halved
  int rest;      // plain sweeps still to do
  int next_rest; // how many next time
} rgMomentum;

rgMomentum rg_momentum_start(bool on);

// After a pair of sweeps with the squared measure `worst`: true when it has not halved for long,
// and plain sweeps follow.
bool rg_momentum_gives_up(rgMomentum* momentum, double worst);

// beta of the next extrapolation.
double rg_momentum_next(rgMomentum* momentum);

// What one form of the problem brings: its sweeps, and what stands between the pairs of them.
typedef struct rgSweeps {
  double (*sweep)(void* state, bool backward); // the largest squared measure
  void (*remember)(void* state);               // where the pair starts
  // The next start after a pair with the squared measure `worst`.
  void (*accelerate)(void* state, rgMomentum* momentum, rgSolve* run, double worst);
  double (*slipping)(void* state); // which part of what presses is at the limit of friction
} rgSweeps;

typedef struct rgSweepPlan {
  bool momentum;
  int horizon; // > 0: ends when the goal is more than so many sweeps away
  int trial; // > 0: gives up after so many sweeps with momentum where much slips, later where nothing is gained
  double enough; // [m/s] a pair of sweeps that changes nothing by more than this is the last
} rgSweepPlan;

// Sweeps until the goal or the budget of the run; leaves the measure in it.
void rg_momentum_run(rgSolve* run, const rgSweeps* sweeps, void* state, rgSweepPlan plan);

// True when sweeps that shrink the measure as the last one did, from `last` to `now`, bring it to
// the goal within `more` further ones.
bool rg_momentum_is_near(double now, double last, double goal, int more);

// x = x + beta (x - last), and last = x as it was.
void rg_momentum_extrapolate(double* x, double* last, size_t count, double beta);

#endif
