// nsgs.c - non-smooth Gauss-Seidel: the exact one-contact problem, contact after contact, with
// momentum.
//
// Problem: the discrete contact problem of problem.h with every cone and rows.
//
// Method (Renouf et al. 2005, section 6.2, eq. 35): visit the contacts in a fixed order; at each,
// freeze all others, solve the contact's own law exactly, update. Matrix-free: what the others do
// to a contact is in the velocities v = v_free + M^-1 (G' lambda + H r), so a visit reads u = H' v
// + bias, solves, and adds M^-1 H of the change to v. W is never formed.
//
// Differences to the paper:
// - The one-contact problem is solved by its secular equation instead of an iteration on the
//   natural map (one_cone.c); its explicit resolution is an option (nsgs_printed.c).
// - Contacts are visited in coloured batches of four manifolds (nsgs_pack.c), or of eight in floats where these
//   resolve the goal (nsgs_form.h).
// - Sweeps go forth and back, and pairs of them are accelerated (momentum.h). Since H is linear,
// the
//   products in W are those of velocities in the metric M, and v is extrapolated along with x.
//
// In local form W is given and kept as it is (nsgs_local_form.c).
//
// Own measure: the largest change of an impulse over its effective mass in a sweep.
//
// Cost: linear in contacts per sweep; an extrapolation costs about a tenth of a pair of sweeps.
// Plain sweeps need a number that grows like the fourth power of the height of a slender stack and
// in proportion to the ratio of masses of heavy on light; with momentum about the square roots of
// these.
#include "solve/nsgs/nsgs_pack.h"

#include <math.h>

static const rgSolverOption options[] = {
    RG_SOLVER_OPTION(momentum, 1, 0, 1, true, "accelerate pairs of sweeps (1) or not (0)"),
    RG_SOLVER_OPTION(horizon, 0, 0, 1000000, true,
                     "leave off when at the present rate the goal is more than so many sweeps "
                     "away; 0: never"),
    RG_SOLVER_OPTION(local, 0, 0, 2, true,
                     "one contact: exact (0); explicit with a radial correction (1), or with the "
                     "diagonal of its block alone (2), both as printed, for comparisons"),
    RG_SOLVER_OPTION(trial, 0, 0, 1000000, true,
                     "leave off after so many sweeps where more than a quarter of what presses "
                     "is at the limit of friction, and later, where less than 200 iterations are "
                     "allowed, when 30 sweeps bring nothing; 0: never"),
    RG_SOLVER_OPTION(enough, 0, 0, 1, false,
                     "leave off after a pair of sweeps that changes no velocity by more than this "
                     "part of the tolerance; 0: a tenth, as all solvers begin with"),
    RG_SOLVER_OPTION(
        single, 1, 0, 1, true,
        "sweep in floats where less than 200 iterations are allowed, more than 64 "
        "bodies move and the goal is above rounding; the answer is judged in double (1), "
        "or always in double (0)"),
    {.name = NULL},
};

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  return problem->local ? rg_nsgs_local_accepts(problem, message) : RG_OK;
}

static size_t work_size(const rgProblem* problem) {
  return problem->local ? rg_nsgs_local_size(problem) : rg_nsgs_size(problem);
}

static size_t lean_size(const rgProblem* problem) {
  return problem->local ? rg_nsgs_local_size(problem) : rg_nsgs_lean_size(problem);
}

static double larger(double a, double b) { return a > b ? a : b; }

static double sweep(void* state, bool backward) {
  rgNsgs* nsgs = state;
  double worst = 0;
  if (!backward) {
    worst = rg_nsgs_sweep_rows(nsgs, false);
    worst = larger(worst, rg_nsgs_sweep_generals(nsgs, false));
  }
  worst = larger(worst, rg_nsgs_sweep_batches(nsgs, backward));
  nsgs->leap.due = false;
  if (backward) {
    worst = larger(worst, rg_nsgs_sweep_generals(nsgs, true));
    worst = larger(worst, rg_nsgs_sweep_rows(nsgs, true));
  }
  return worst;
}

// Goes on along the movement since the pair before (nsgs_kernel.h). The new start is remembered for the
// next pair.
static double extrapolate_velocities(rgNsgs* nsgs, double beta) {
  nsgs->leap.remembered = true;
  return rg_nsgs_extrapolate_velocities(nsgs, beta);
}

// Those of ball contacts are left to the next sweep.
static void extrapolate_impulses(rgNsgs* nsgs, double beta) {
  rg_nsgs_extrapolate_impulses(nsgs, beta);
  rg_momentum_extrapolate(nsgs->lone, nsgs->last_lone, (size_t)nsgs->lone_count, beta);
  nsgs->leap.due = true;
  nsgs->leap.beta = beta;
}

// Next starting point after a pair of sweeps. Where momentum points away from where the sweeps go
// it starts anew. Rounding in the extrapolated velocities adds up with the number of steps, so they
// are summed afresh then (at any other time the jump would itself be taken for movement).
static void accelerate(void* state, rgMomentum* momentum, rgSolve* run, double worst) {
  rgNsgs* nsgs = state;
  if (rg_momentum_gives_up(momentum, worst))
    return;
  bool moving = momentum->t > 1;
  double beta = rg_momentum_next(momentum);
  if (extrapolate_velocities(nsgs, beta) < 0 && moving) {
    momentum->t = 1;
    beta = rg_momentum_next(momentum);
    rg_nsgs_refresh(nsgs, run->solution);
    extrapolate_velocities(nsgs, beta);
  }
  extrapolate_impulses(nsgs, beta);
}

// The packed form is made at the first call, and again where floats have done what they can. NULL without memory for it.
static rgNsgs* load(const rgSolve* run) {
  rgNsgs* nsgs = run->work;
  rgBudget budget = rg_budget(run->stop->iteration_limit);
  bool single = run->options[RG_NSGS_SINGLE] != 0 &&
                rg_budget_prefers_floats(budget, run->problem->body_count) &&
                rg_nsgs_single_resolves(run->problem, run->goal, run->scale, run->tasks);
  const rgNsgsForm* form = single ? &rg_nsgs_form_single : &rg_nsgs_form_double;
  if (run->call == 0 || nsgs->form != form)
    nsgs = rg_nsgs_pack(run->problem, run->solution, form, run->scale, run->work, run->tasks, run);
  else
    rg_nsgs_load(nsgs, run->solution);
  if (!nsgs)
    return NULL;
  rg_nsgs_keep_iterate(nsgs);
  nsgs->leap.remembered = nsgs->leap.due = false;
  // The certificate does not see less than the target. Where the time is not bounded nothing rests, so that the
  // measure of each sweep is that of all contacts.
  nsgs->margin = budget.interactive ? run->target / nsgs->unit.speed : HUGE_VAL;
  return nsgs;
}

// An impulse on the surface of its cone is there but for rounding of some operations.
static const double ON_SURFACE = 1 - 1e-9, ON_SURFACE_SINGLE = 1 - 4e-6;

static double slipping(void* state) {
  const rgNsgs* nsgs = state;
  const rgProblem* problem = nsgs->problem;
  int press = 0, slip = 0;
  double on_surface = nsgs->form->single ? ON_SURFACE_SINGLE : ON_SURFACE;
  for (int i = 0; i < problem->contact_count; i++) {
    double r[4], mu = problem->contacts[i].mu;
    rg_nsgs_impulse(nsgs, i, r);
    if (!(r[0] > 0))
      continue;
    double limit = mu * r[0];
    press++;
    slip += mu > 0 && r[1] * r[1] + r[2] * r[2] >= on_surface * limit * limit;
  }
  return press > 0 ? (double)slip / press : 0;
}

static void remember(void* state) {
  rgNsgs* nsgs = state;
  if (!nsgs->leap.remembered)
    rg_nsgs_keep_start(nsgs);
  nsgs->leap.remembered = false;
}

typedef struct Lead {
  rgSolve* run;
  rgSweepPlan plan;
  rgNsgs* nsgs;
} Lead;

static void run_sweeps(void* context) {
  static const rgSweeps sweeps = {sweep, remember, accelerate, slipping};
  const Lead* lead = context;
  rg_momentum_run(lead->run, &sweeps, lead->nsgs, lead->plan);
}

static void solve_bodies(rgSolve* run, rgSweepPlan plan) {
  Lead lead = {run, plan, load(run)};
  if (!lead.nsgs) {
    run->gave_up = true;
    return;
  }
  rg_nsgs_lead(lead.nsgs, run->tasks, run_sweeps, &lead);
  rg_nsgs_store(lead.nsgs, run->solution, run->tasks);
}

static void solve(rgSolve* run) {
  rgSweepPlan plan = {run->options[RG_NSGS_MOMENTUM] != 0, (int)run->options[RG_NSGS_HORIZON],
                      (int)run->options[RG_NSGS_TRIAL], run->options[RG_NSGS_ENOUGH] * run->target};
  if (run->options[RG_NSGS_LOCAL] != 0 && rg_nsgs_printed_takes(run->problem))
    rg_nsgs_printed_solve(run, run->options[RG_NSGS_LOCAL] == 2);
  else if (run->problem->local)
    rg_nsgs_local_solve(run, plan);
  else
    solve_bodies(run, plan);
}

const rgSolver rg_solver_nsgs = {
    .name = "nsgs",
    .summary = "block Gauss-Seidel with an exact one-contact solver and momentum, every cone, "
               "linear memory",
    .reference = "Renouf, Acary, Dumont 2005, section 6.2; Jean 1999; O'Donoghue, Candes 2015",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .lean_size = lean_size,
    .solve = solve,
    .local_rows = true,
};
