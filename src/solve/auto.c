// auto.c - chooses for each problem, and goes on to the next method until the certificate is met.
//
// Where factorizing is cheap, newton goes first: from a warm start it needs one or two steps, and slow modes (tall, heavy on
// light, nearly redundant) do not exist for it. Larger problems get some sweeps of nsgs first, which is all that easy
// ones need. Should newton refuse or give up, nsgs goes on from there for as long as the budget lasts.
#include "solve/solver.h"

enum {
  FEW_BODIES = 64,  // up to here newton goes first
  FIRST_SWEEPS = 40 // before newton is tried on more bodies: about the price of one factorization
};

typedef enum Stage { SWEEPS, NEWTON, MORE_SWEEPS } Stage;

typedef struct Auto {
  Stage stage;
  int round; // of the present stage
} Auto;

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  return rg_solver_nsgs.accepts(problem, message);
}

static bool newton_takes(const rgProblem* problem) { return rg_solver_newton.accepts(problem, NULL) == RG_OK; }

static size_t work_size(const rgProblem* problem) {
  size_t sweeps = rg_solver_nsgs.work_size(problem);
  size_t newton = newton_takes(problem) ? rg_solver_newton.work_size(problem) : 0;
  return rg_align(sizeof(Auto)) + (sweeps > newton ? sweeps : newton);
}

// Runs one round of a member with its own work and standard options.
static void run_member(const rgSolver* member, rgSolve* run, Auto* state, int iteration_limit) {
  double values[RG_SOLVER_OPTION_MAX];
  for (int i = 0; member->options[i].name; i++) values[i] = member->options[i].standard;
  rgSolve part = *run;
  part.options = values;
  part.round = state->round++;
  part.work = (char*)run->work + rg_align(sizeof(Auto));
  if (iteration_limit < part.iteration_limit) part.iteration_limit = iteration_limit;
  member->solve(&part);
  run->iterations = part.iterations;
  run->measure = part.measure;
}

static void next_stage(Auto* state, Stage stage) {
  state->stage = stage;
  state->round = 0;
}

static void solve(rgSolve* run) {
  Auto* state = run->work;
  if (run->round == 0) {
    bool few = run->problem->body_count <= FEW_BODIES && newton_takes(run->problem);
    next_stage(state, few ? NEWTON : SWEEPS);
  }
  if (state->stage == SWEEPS && run->iterations >= FIRST_SWEEPS)
    next_stage(state, newton_takes(run->problem) ? NEWTON : MORE_SWEEPS);
  int before = run->iterations;
  switch (state->stage) {
  case SWEEPS: run_member(&rg_solver_nsgs, run, state, FIRST_SWEEPS); break;
  case NEWTON: run_member(&rg_solver_newton, run, state, run->iteration_limit); break;
  case MORE_SWEEPS: break;
  }
  bool newton_ended = state->stage == NEWTON && (state->round > 1 || run->iterations == before);
  if (newton_ended) next_stage(state, MORE_SWEEPS);
  if (run->iterations == before && !rg_solve_is_over(run)) run_member(&rg_solver_nsgs, run, state, run->iteration_limit);
}

static const rgSolverOption options[] = {{.name = NULL}};

const rgSolver rg_solver_auto = {
    .name = "auto",
    .summary = "sweeps first, Newton for what they leave, sweeps again should that fail; every cone",
    .reference = "the members' own",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .solve = solve,
};
