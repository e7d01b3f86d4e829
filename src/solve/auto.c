// auto.c - chooses for each problem, and goes on to the next method until the certificate is met.
//
// A warm start that is near (bodies at rest) goes to hold, which stops what rests in one
// factorization, and what that leaves (something slides or lifts) to newton. Both refuse where
// factoring is expensive; slow modes (tall, heavy on light, nearly redundant) do not exist for
// them. Where joints hold most bodies newton begins as well, from any start: it has them as
// equations; its phases are shorter then, as links about to slip hold it up and some sweeps get it
// going. Everything else gets sweeps of nsgs first, which is all that impacts and sliding need.
// What either leaves goes to the other: sweeps settle who slips and who sticks, newton balances the
// whole. Their phases alternate until the certificate is met or the iteration limit is reached. What
// is about to be loaded or to land as a whole gets the fewest sweeps before newton. A phase of sweeps
// goes on as long as its rate says that the target is near, and one of newton on a heap once, where it
// has come near it. Without joints newton asks its interior-point method at once: on heaps where the sweeps have ended, in
// short phases with sweeps between them, which go without momentum once those with it have not come near; else, and after
// these, from another start in each phase: first of other sizes, then drawn contact by contact. When all that has lasted, newton
// also starts from zero impulses, so that a bad start cannot hold it for ever; a problem that newton
// refuses is swept all along.
//
// Rows that couple axes of joints have bodies that other members do not see: reduced alone takes them,
// by the rates of trees where the problem has them, by those of single bodies where not.
//
// Rows without contacts go to direct first. What it leaves (bounds that do not settle, loops whose
// factor has no room) goes the same way as everything else, unless it has shown that there is no
// solution.
//
// The local form has phases of its own. It is swept as it is as long as the rate says that the goal
// is near, which is all that many small problems need; then newton begins where the sweeps
// ended, then lemke (mixed, where there are rows) where it takes the cones, then nsgs, each further phase
// with twice the budget. A ray of lemke after newton has failed ends the solve.
#include "base/message.h"
#include "problem/operator.h"
#include "solve/budget.h"
#include "solve/hold/hold.h"
#include "solve/reduced/reduced.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  FIRST_SWEEPS = 60,  // of the first phase of nsgs; each further phase is twice as long
  SWEEP_PART = 10,    // and the square of the contacts divided by this, where it is more: with the
                      // contacts grow both the steps that newton takes and what each of them costs
  PRICE_PART = 2,     // the same for what a phase of newton costs that succeeds,
  MOST_PRICE = 4000,  // at most,
  HEAP_PRICE = 1500,  // and on heaps, where it begins at what the sweeps have found
  NEWTON_CALLS = 3,   // at most, in one phase of newton
  NEWTON_STEPS = 200, // of its first phase; each further phase is twice as long
  START_STEPS =
      1000, // of each of its phases where these have other starts: along a valley of redundant contacts
            // it comes to a solution in some 300, or not from there
  MOST_STEPS = 1200,  // of phases on heaps, which grow when all sizes of starts have been tried
  JOINT_STEPS = 100,  // the same where joints hold most bodies,
  JOINT_SWEEPS = 500, // and the sweeps after them: these cost about as much as those steps
  COLD_AFTER = 6,     // phases of newton: every other one starts from zero impulses
  MANY_SWEEPS = 1000, // of the first phase of nsgs for more than RG_BUDGET_FEW_BODIES bodies: heaps
                      // need no more, and factoring them is expensive. Where they all move alike it
                      // is FIRST_SWEEPS: what stands sticks, newton takes few steps, and the rate
                      // of the first sweeps promises more than the waves through a tall stack keep
  REDUCED_CALLS = 3,  // of trees, before the rows of their joints are taken one by one
  LOCAL_STEPS = 150,  // of newton in its first phase on the local form
  LOCAL_SWEEPS = 1,   // of nsgs there, for each step of newton, whose steps cost two to five sweeps
  WARM_PHASES = 12,   // of newton on heaps begin where the sweeps have ended,
  WARM_STEPS = 80,    // with at most so many steps of the interior-point method
  HEAP_STEPS = 240,   // of newton in the phases after these: the interior-point method and as many
                      // steps from where it ends
  HEAP_SWEEPS = 500,  // between all of these: they lead to another branch of its curve
  HORIZON_PART = 2    // sweeps that cost less than a handful of steps of newton, for each block of
                      // an average row
};
// A warm start that misses the law by less than this part of the free velocity is near.
static const double NEAR = 0.01;
// A phase of newton that misses the target by no more than so many times goes on.
static const double ALMOST = 100;
// Sizes of the start of the interior-point method, one phase of newton after the other: it ends at
// a fold of its curve or not by luck.
static const double STARTS[] = {1, 3, 0.3, 10};
enum { SIZES = sizeof STARTS / sizeof *STARTS };
// How far inside the cones it begins where it takes the impulses of the sweeps, relative to the free velocity.
static const double WARM = 0.01;

typedef struct Auto {
  bool reduced;      // it has had all calls so far
  bool asked;        // direct was asked,
  bool direct;       // and had its call
  bool begun;        // hold was asked, and the phases have begun
  bool newton_takes; // it has phases
  bool jointed;      // most bodies are held by joints
  bool alike;        // many bodies without joints, about to be loaded or to land as a whole
  bool heap;         // many bodies without joints, for which sweeps were not enough
  bool starts;       // the interior-point method has a start of its own in each phase
  double start;      // of the interior-point method in the present phase; 0 where newton chooses
  int seed;          // by which it draws its start; 0 where all contacts are alike
  double warm;       // how far inside the cones it begins, from the sweeps; 0: its own start
  bool newton;       // whose phase it is
  int newton_phases;
  int newton_steps;     // of the next phase of newton
  int sweeps;           // of the next phase of nsgs
  int extra;            // sweeps by which the present phase of nsgs has been made longer
  int phase_start;      // iterations at which the present phase began, or was judged last,
  double phase_measure; // and its measure there [m/s]
  bool momentum; // in the present phase of nsgs: heaps in motion converge without, most else faster
                 // with it, chains always
  bool swings;   // sweeps with momentum have not come near: a heap in motion
  int phase_limit; // iterations at which the present phase ends
  int call;        // calls of the member in the present phase
  int horizon;     // in the present phase of nsgs, see its options
  int swept;       // local form: sweeps that nsgs has made before newton
  int member;      // local form: whose phase it is, -1 before the first
  int budget;      // local form: steps of newton in the present cycle of phases
} Auto;

static bool takes(const rgSolver* member, const rgProblem* problem) {
  return rg_solver_accepts(member, problem, NULL) == RG_OK;
}
static bool newton_takes(const rgProblem* problem) { return takes(&rg_solver_newton, problem); }
static bool direct_takes(const rgProblem* problem) { return takes(&rg_solver_direct, problem); }

// Members on the local form, in the order of their phases.
static const rgSolver* const local_members[] = {&rg_solver_newton, &rg_solver_lemke,
                                                &rg_solver_mixed, &rg_solver_nsgs};
enum { LOCAL_MEMBERS = sizeof local_members / sizeof local_members[0] };

// Without rows mixed is lemke once more.
static bool has_phase(const rgSolver* member, const rgProblem* problem) {
  return takes(member, problem) && !(member == &rg_solver_mixed && problem->row_count == 0);
}

static bool pivots(const rgSolver* member) {
  return member == &rg_solver_lemke || member == &rg_solver_mixed;
}

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  if (rg_problem_has_far(problem) && !rg_reduced_takes(problem))
    return rg_fail(
        message, RG_ERROR_UNSUPPORTED,
        "auto takes couplings of axes in islands of at most %d numbers of contacts and rows "
        "with exact cones, this one has %d contacts and %d rows",
        (int)RG_REDUCED_FAR_NUMBERS, problem->contact_count, problem->row_count);
  if (problem->local)
    for (int i = 0; i < LOCAL_MEMBERS; i++)
      if (has_phase(local_members[i], problem))
        return RG_OK;
  return rg_solver_nsgs.accepts(problem, message);
}

static size_t local_work_size(const rgProblem* problem) {
  size_t most = 0;
  for (int i = 0; i < LOCAL_MEMBERS; i++) {
    size_t size = has_phase(local_members[i], problem) ? local_members[i]->work_size(problem) : 0;
    most = size > most ? size : most;
  }
  return rg_align(sizeof(Auto)) + most;
}

static size_t work_size(const rgProblem* problem) {
  if (problem->local)
    return local_work_size(problem);
  if (rg_problem_has_far(problem))
    return rg_align(sizeof(Auto)) + rg_reduced_work_size(problem);
  size_t sweeps = rg_solver_nsgs.work_size(problem);
  size_t newton = newton_takes(problem) ? rg_solver_newton.work_size(problem) : 0;
  size_t direct = direct_takes(problem) ? rg_solver_direct.work_size(problem) : 0;
  size_t hold = rg_hold_size(problem), reduced = rg_reduced_work_size(problem);
  size_t most = sweeps > newton ? sweeps : newton;
  most = reduced > most ? reduced : most;
  most = hold > most ? hold : most;
  return rg_align(sizeof(Auto)) + (most > direct ? most : direct);
}

static void* member_work(const rgSolve* run) { return (char*)run->work + rg_align(sizeof(Auto)); }

// Calls a member once, with its own work and standard options.
static void run_member(const rgSolver* member, rgSolve* run, Auto* state, int iteration_limit) {
  double values[RG_SOLVER_OPTION_MAX];
  for (int i = 0; member->options[i].name; i++)
    values[i] = member->options[i].standard;
  if (member == &rg_solver_nsgs) {
    values[RG_NSGS_MOMENTUM] = state->momentum;
    values[RG_NSGS_HORIZON] = state->horizon;
  }
  if (member == &rg_solver_newton) // with fewer sweeps it takes twice as many steps, and more
    values[RG_NEWTON_SWEEPS] = fmax(0, values[RG_NEWTON_SWEEPS] - state->swept);
  if (member == &rg_solver_newton) {
    values[RG_NEWTON_INTERIOR] = state->start;
    values[RG_NEWTON_SEED] = state->seed;
    values[RG_NEWTON_WARM] = state->warm;
  }
  rgSolve part = *run;
  part.options = values;
  part.call = state->call++;
  part.work = member_work(run);
  if (iteration_limit < part.iteration_limit)
    part.iteration_limit = iteration_limit;
  member->solve(&part);
  run->iterations = part.iterations;
  run->effort = part.effort;
  run->measure = part.measure;
  run->middle = part.middle;
  run->status = part.status;
  run->redundant_rows = part.redundant_rows;
  run->used = member->name;
  run->history_count = part.history_count;
}

// A quarter of what an int holds is as good as no limit, and sums with it still fit.
static int doubled(int budget) { return budget <= INT_MAX / 4 ? 2 * budget : budget; }

static void forget_impulses(rgSolve* run) {
  if (run->problem->contact_count)
    memset(run->solution->r, 0, 4 * (size_t)run->problem->contact_count * sizeof(double));
  for (int i = 0; i < run->problem->row_count; i++) {
    const rgProblemRow* row = &run->problem->rows[i];
    run->solution->lambda[i] = row->lower > 0 ? row->lower : row->upper < 0 ? row->upper : 0;
  }
}

// True when the free motion moves bodies that touch all alike: a stack about to be loaded or to
// land.
static bool moves_alike(const rgProblem* problem, double scale) {
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    if (contact->body_a < 0 || contact->body_b < 0)
      continue;
    double u[4];
    rg_contact_velocity_of(contact, problem->bodies[contact->body_a].v_free,
                           problem->bodies[contact->body_b].v_free, u);
    if (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] > NEAR * NEAR * scale * scale)
      return false;
  }
  return true;
}

static rgBudget budget_of(const rgSolve* run) { return rg_budget(run->iteration_limit); }

// An interactive solve takes steps of newton only where they are sure to be of use, which is at
// rest.
static bool newton_is_affordable(const rgSolve* run, bool near) {
  rgBudget budget = budget_of(run);
  return rg_budget_affords_newton(budget, run->problem->body_count) &&
         (!budget.interactive || near || moves_alike(run->problem, run->scale));
}

static void mark_phase(Auto* state, const rgSolve* run, int iterations) {
  state->phase_start = run->iterations;
  state->phase_measure = run->measure;
  state->phase_limit = run->iterations + iterations;
}

static void begin_newton(Auto* state, rgSolve* run) {
  int phase = state->newton_phases++ - (state->heap ? WARM_PHASES : 0);
  state->swings = state->swings || (state->momentum && run->measure > NEAR * run->scale);
  state->warm = phase < 0 ? WARM : 0;
  if (phase < 0) {
    mark_phase(state, run, WARM_STEPS);
    return;
  }
  if (state->newton_phases >= COLD_AFTER && state->newton_phases % 2 == 0)
    forget_impulses(run);
  mark_phase(state, run, state->newton_steps);
  state->start = state->starts ? STARTS[phase % SIZES] : 0;
  state->seed = phase >= SIZES ? phase : 0;
  bool grows = state->heap && phase >= SIZES && state->newton_steps < MOST_STEPS;
  if (!state->starts || grows)
    state->newton_steps = doubled(state->newton_steps);
}

static void begin_sweeps(Auto* state, rgSolve* run) {
  bool warm = state->heap && state->newton_phases < WARM_PHASES;
  state->momentum = state->jointed || (warm ? !state->swings : !state->momentum);
  mark_phase(state, run, state->sweeps);
  state->sweeps = state->heap ? HEAP_SWEEPS : doubled(state->sweeps);
}

static void begin_phase(Auto* state, rgSolve* run, bool newton) {
  state->newton = newton;
  state->call = state->extra = 0;
  if (newton)
    begin_newton(state, run);
  else
    begin_sweeps(state, run);
}

// [sweeps] that cost about as much as a phase of newton which succeeds. What stands sticks: there it takes few steps.
static double price_of_newton(const Auto* state, const rgProblem* problem) {
  double contacts = state->alike ? 0 : problem->contact_count;
  return fmin(state->heap ? HEAP_PRICE : MOST_PRICE,
              fmax(FIRST_SWEEPS, contacts * contacts / PRICE_PART));
}

// Lets a phase of sweeps that has ended go on for as many more, where the target is nearer by sweeps than by newton.
// That is judged by the second half of the phase: the first half settles who slips, and says little about what is
// left; nor does one sweep, whose rate swings with the momentum.
static bool sweep_on(Auto* state, const rgSolve* run) {
  double gain = fmin(state->phase_measure, run->middle) / run->measure,
         price = price_of_newton(state, run->problem);
  int length = run->iterations - state->phase_start;
  if (budget_of(run).interactive || !(gain > 1) || state->extra >= price)
    return false;
  double rest = run->measure, sweeps = state->extra; // promises that were not kept count
  for (; rest > run->target && sweeps < price; sweeps += 0.5 * length)
    rest /= gain;
  if (rest > run->target)
    return false;
  state->extra += length;
  mark_phase(state, run, length);
  return true;
}

// Lets a phase of newton of a heap that has ended go on once where it has come near the target: what it has found is
// worth more than another start.
static bool step_on(Auto* state, const rgSolve* run) {
  if (!state->heap || state->warm > 0 || state->call > 1 || run->iterations < state->phase_limit ||
      run->measure > ALMOST * run->target)
    return false;
  mark_phase(state, run, HEAP_STEPS);
  return true;
}

static bool is_bounded(const rgProblemRow* row) {
  return row->lower > -HUGE_VAL || row->upper < HUGE_VAL;
}

// True where most bodies are held by joints: chains, trees, mechanisms. Sweeps carry an impulse
// from joint to joint, newton has them all in its factor.
static bool is_jointed(const rgProblem* problem) {
  int joints = 0, a = -1, b = -1;
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    if (is_bounded(row) || (row->body_a == a && row->body_b == b))
      continue;
    joints++;
    a = row->body_a;
    b = row->body_b;
  }
  return 2 * joints >= problem->body_count;
}

static bool has_bounds(const rgProblem* problem) {
  for (int i = 0; i < problem->row_count; i++)
    if (is_bounded(&problem->rows[i]))
      return true;
  return false;
}

// True when direct has done what can be done in this call. A linear system that it has solved to
// rounding is solved no better by others.
static bool try_direct(rgSolve* run, Auto* state) {
  int before = run->iterations;
  if (!state->asked) {
    state->asked = true;
    state->direct = direct_takes(run->problem);
    state->call = 0;
    if (state->direct)
      run_member(&rg_solver_direct, run, state, run->iteration_limit);
    state->direct = run->iterations > before;
    return state->direct;
  }
  return state->direct && (run->status == RG_NO_SOLUTION || !has_bounds(run->problem));
}

// True when the trees of the problem have given all that they can in this call.
static bool try_reduced(rgSolve* run, Auto* state) {
  if (run->call == 0)
    state->reduced = rg_reduced_takes(run->problem);
  bool far = rg_problem_has_far(run->problem); // which nobody else takes
  state->reduced = state->reduced && (run->call < REDUCED_CALLS || far) &&
                   rg_reduced_solve(run, member_work(run));
  if (state->reduced)
    run->used = "reduced";
  return state->reduced || far;
}

// The next member that takes the problem; a whole cycle doubles the budget. lemke has no use for a
// second phase.
static void next_local_phase(rgSolve* run, Auto* state) {
  do {
    if (++state->member == LOCAL_MEMBERS) {
      state->member = 0;
      state->budget = doubled(state->budget);
    }
  } while (!has_phase(local_members[state->member], run->problem) ||
           (pivots(local_members[state->member]) && state->budget > LOCAL_STEPS &&
            takes(&rg_solver_nsgs, run->problem)));
  state->call = 0;
  bool sweeps = local_members[state->member] == &rg_solver_nsgs;
  double limit = (double)run->iterations + (double)state->budget * (sweeps ? LOCAL_SWEEPS : 1);
  state->phase_limit = (int)fmin(limit, INT_MAX);
}

// Sweeps as long as the goal is near, at least two. True when there is nothing more to do in this
// call.
static bool sweep_first(rgSolve* run, Auto* state) {
  const rgProblem* problem = run->problem;
  if (!takes(&rg_solver_nsgs, problem))
    return false;
  int nodes = rg_local_node_count(problem);
  state->horizon = 1 + HORIZON_PART * problem->local->row_start[nodes] / nodes;
  run_member(&rg_solver_nsgs, run, state, run->iteration_limit);
  state->horizon = 0;
  state->swept = run->iterations;
  return run->measure <= run->goal || rg_solve_is_over(run);
}

static void solve_local(rgSolve* run) {
  Auto* state = run->work;
  if (run->call == 0) {
    *state = (Auto){.member = -1, .budget = LOCAL_STEPS};
    if (sweep_first(run, state))
      return;
    next_local_phase(run, state);
  } else if (state->member < 0 || run->iterations >= state->phase_limit ||
             run->measure > run->target) {
    if (run->status == RG_NO_SOLUTION)
      return;
    next_local_phase(run, state);
  }
  const rgSolver* member = local_members[state->member];
  int before = run->iterations;
  bool bounded = !pivots(member);
  run_member(member, run, state, bounded ? state->phase_limit : run->iteration_limit);
  if (run->iterations == before && run->call > 0) {
    // it had nothing to give: the next one is asked at once, and only once
    next_local_phase(run, state);
    run_member(local_members[state->member], run, state, state->phase_limit);
  }
}

// What a phase of newton costs, in part, so that neither is much to lose where the other is right.
static int first_sweeps(const rgProblem* problem, const Auto* state) {
  if (problem->body_count > RG_BUDGET_FEW_BODIES)
    return state->jointed ? JOINT_SWEEPS : state->alike ? FIRST_SWEEPS : MANY_SWEEPS;
  double contacts = problem->contact_count, part = contacts * contacts / SWEEP_PART;
  return state->jointed ? FIRST_SWEEPS : (int)fmin(MANY_SWEEPS, fmax(FIRST_SWEEPS, part));
}

// What comes before the phases: hold, and who has the first one. True when hold may have been
// enough.
static bool begin(rgSolve* run, Auto* state) {
  state->begun = true;
  int before = run->iterations;
  bool held = rg_hold(run, member_work(run));
  if (run->iterations > before)
    run->used = rg_solver_hold.name;
  bool near = run->measure <= NEAR * run->target / run->stop->tolerance;
  bool newton = newton_is_affordable(run, near) && newton_takes(run->problem);
  state->newton_phases = 0;
  state->jointed = is_jointed(run->problem);
  state->momentum = false;
  bool few = run->problem->body_count <= RG_BUDGET_FEW_BODIES;
  state->alike = !few && !state->jointed && moves_alike(run->problem, run->scale);
  rgBudget budget = budget_of(run);
  state->newton_steps = rg_budget_newton_steps(budget, state->jointed ? JOINT_STEPS : NEWTON_STEPS);
  state->sweeps = rg_budget_sweeps(budget, first_sweeps(run->problem, state));
  state->newton_takes = newton;
  bool first = near || (!budget.interactive && state->jointed);
  state->heap = !few && !first && !budget.interactive && run->problem->row_count == 0;
  state->starts = state->heap || !(budget.interactive || state->jointed || first);
  if (state->starts)
    state->newton_steps = state->heap ? HEAP_STEPS : START_STEPS;
  begin_phase(state, run, newton && first);
  return held || rg_solve_is_over(run);
}

static void solve(rgSolve* run) {
  if (run->problem->local) {
    solve_local(run);
    return;
  }
  Auto* state = run->work;
  if (run->call == 0)
    *state = (Auto){0};
  if (try_reduced(run, state) || try_direct(run, state))
    return;
  if (!state->begun) {
    if (begin(run, state))
      return;
  } else if (state->newton) {
    // It reached its own goal, yet the certificate is missed: rounding, which a further call
    // removes.
    bool ended = run->measure > run->target || state->call == NEWTON_CALLS ||
                 run->iterations >= state->phase_limit;
    if (ended && !step_on(state, run))
      begin_phase(state, run, false);
  } else if (state->newton_takes && run->iterations >= state->phase_limit &&
             !(budget_of(run).interactive && state->newton_phases > 0)) {
    if (!sweep_on(state, run))
      begin_phase(state, run, true);
  }
  int before = run->iterations;
  if (state->newton)
    run_member(&rg_solver_newton, run, state, state->phase_limit);
  if (run->iterations > before || rg_solve_is_over(run))
    return;
  if (state->newton) // it had no room or nothing to give
    begin_phase(state, run, false);
  run_member(&rg_solver_nsgs, run, state,
             state->newton_takes ? state->phase_limit : run->iteration_limit);
}

static const rgSolverOption options[] = {{.name = NULL}};

const rgSolver rg_solver_auto = {
    .name = "auto",
    .summary =
        "direct, hold, newton, nsgs and, on the local form, lemke, one after the other until the "
        "certificate is met; every cone",
    .reference = "the members' own",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
    .local_rows = true,
};
