// solve_islands.c - solving the problems of all islands, each by one task.
#include "base/memory.h"
#include "solve/budget.h"
#include "solve/least/least.h"
#include "solve/solver.h"
#include "step/step.h"
#include "step/tree/tree.h"

#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct Solve {
  const rgStep* step;
  rgProblemSet* set;
  const char* solver;  // that was asked for
  const char* options; // of this solver; NULL for none
  const rgStop* stop;
  rgTasks* tasks; // for the island that is solved alone; NULL while islands are solved side by side
  const rgSolveMore* more; // memory of the calling thread; NULL while others solve as well
  bool starts;             // they are judged, no more,
  bool started;            // and were
} Solve;

// Memory that solves of the calling thread ask for.
typedef struct More {
  rgWorld* world;
  bool failed; // there was none
} More;

static void* give_more(void* context, size_t size) {
  More* more = context;
  rgWorker* worker = &more->world->threads.workers[0];
  int lines = (int)(rg_align(size) / RG_ALIGNMENT) + 1;
  bool given = rg_reserve_anew(&more->world->allocator, &worker->factor, &worker->factor_capacity,
                               lines, RG_ALIGNMENT);
  more->failed = more->failed || !given;
  return given ? worker->factor : NULL;
}

// The solver that an island gets where `solver` was asked for.
static const char* solver_of(const rgProblemSet* set, const rgIsland* island, const char* solver,
                             const rgStop* stop) {
  return rg_budget_solver(rg_budget(stop->iteration_limit), solver, island->body_count,
                          set->row_count);
}

// Islands of so many contacts are solved one after the other, each by all threads.
enum { SHARED_CONTACTS = 1024 };
static bool is_shared(const rgIsland* island) { return island->contact_count >= SHARED_CONTACTS; }

// An answer found by iteration also cancels the velocity that the step before left over, and would
// leave as much again if it were kept: after it, a warm start counts as good only when it is much
// better than asked. At rest this ends after two steps, and the warm start holds from then on. A
// solve that reached its iteration limit would never be good enough.
static const double AFTER_ITERATION = 0.02;

// Rounds of trees, whose answers are as good as rounding allows, end at this part of the tolerance.
static const double TREE_PART = 0.5;

static bool was_iterated(const Solve* solve, const rgIsland* island) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    if (solve->step->world->bodies[solve->set->body_order[i]].iterated)
      return true;
  return false;
}

static rgStop stop_of(const Solve* solve, const rgIsland* island) {
  rgStop stop = *solve->stop;
  stop.cancel = solve->step->world->user.cancel;
  bool joints = rg_island_has_joints(solve->set, island);
  bool rounds = joints || solve->step->contacts_at == RG_CONTACTS_END;
  if (stop.start_tolerance > 0)
    stop.start_tolerance =
        rounds ? fmax(island->trees ? TREE_PART * stop.start_tolerance : stop.start_tolerance,
                      island->start_tolerance)
               : AFTER_ITERATION * stop.tolerance;
  else if (!island->closed && was_iterated(solve, island))
    stop.start_tolerance = AFTER_ITERATION * stop.tolerance;
  if (!joints || island->contact_count == 0)
    stop.start_part = 0; // not solved in rounds, or in few, or cheaply
  return stop;
}

// Whether two contacts belong to one patch.
static bool same_patch(const rgWorldContact* a, const rgWorldContact* b) {
  return a->shape_a == b->shape_a && a->shape_b == b->shape_b && a->key == b->key;
}

// Compliances for the choice among solutions: a patch yields like any other, however many points it
// has, so that each of its n points has n times the compliance of a patch, or as its share of the
// area has it.
static void set_weights(const Solve* solve, const rgIsland* island, double* weights) {
  const rgWorldContact* contacts = solve->step->world->contacts;
  const int* order = solve->set->contact_order + island->contact_start;
  for (int i = 0, end; i < island->contact_count; i = end) {
    for (end = i + 1; end < island->contact_count; end++)
      if (!same_patch(&contacts[order[i]], &contacts[order[end]]))
        break;
    for (int k = i; k < end; k++)
      weights[k] = contacts[order[k]].share != 0 ? 1 / fabs(contacts[order[k]].share) : end - i;
  }
}

// A warm start that misses by no more than this many tolerances was good a step ago: at rest a residual
// grows by a half in a step.
static const double NEARLY_GOOD = 2;

// What hold changes in a run of steps, or of impulses that were good until now, is tiny, so that the choice
// that was made before is enough.
static bool was_held(const Solve* solve, const rgIsland* island) {
  const rgSolveReport* report = &island->report;
  return island->last_iterations == 1 && strcmp(report->solver, "hold") == 0 &&
         (was_iterated(solve, island) ||
          report->start_residual <= NEARLY_GOOD * solve->stop->tolerance);
}

// Solved in the rates of large trees. A choice over the rows of all their joints would cost several times
// the solve: newton's answer is kept, which is the one next to the warm start.
static bool is_large_tree(const rgIsland* island) {
  return rg_tree_is_large(island) &&
         (island->settles || strcmp(island->report.solver, "reduced") == 0);
}

static bool affords_choice(const rgProblemSet* set, const rgStop* stop) {
  return rg_budget_affords_choice(rg_budget(stop->iteration_limit), set->body_count);
}

// Steps since the choice failed for any body of an island. The impulses that were left then are the start of hold, and
// stay where they are good enough: so the choice is made for them again, after 1, 2, 4, 8 steps and so on up to 128.
static int unchosen_of(const Solve* solve, const rgIsland* island) {
  int steps = 0;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int own = solve->step->world->bodies[solve->set->body_order[i]].unchosen;
    steps = own > steps ? own : steps;
  }
  return steps;
}

static bool is_due(int unchosen) {
  return unchosen > 0 && unchosen < RG_UNCHOSEN_MOST && (unchosen & (unchosen - 1)) == 0;
}

static uint8_t next_unchosen(int unchosen) {
  return (uint8_t)(unchosen > 0 && unchosen < RG_UNCHOSEN_MOST ? unchosen + 1 : unchosen);
}

// Chooses among the impulses that solve the problem (least.c), which iterations have found. What was
// chosen in the step before and is good enough as it is stays.
static void choose(const Solve* solve, rgIsland* island, bool iterated, void* work) {
  if (solve->set != &solve->step->velocity || island->contact_count == 0 ||
      !affords_choice(solve->set, solve->stop))
    return;
  rgProblem problem = rg_island_problem(solve->set, island);
  rgSolution solution = rg_island_solution(solve->set, island);
  int unchosen = unchosen_of(solve, island);
  bool wanted = (iterated && !was_held(solve, island)) || is_due(unchosen);
  island->unchosen = next_unchosen(unchosen);
  if (island->report.status != RG_OK || // no solver yet
      is_large_tree(island) || !wanted || !rg_least_is_redundant(&problem))
    return;
  double* weights = work;
  set_weights(solve, island, weights);
  bool chosen = rg_least_choose(&problem, weights, &solution, weights + problem.contact_count,
                                &island->report.certificate);
  island->report.factorizations = island->report.certificate.factorizations;
  if (chosen || iterated)
    island->unchosen = chosen ? 0 : 1;
}

static size_t choice_size(const rgProblem* problem) {
  return (size_t)problem->contact_count * sizeof(double) + rg_solve_choice_size(problem);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

// Whether an island is solved by the calling thread, which may ask for memory.
static bool asks_for_more(const rgStep* step, const rgIsland* island) {
  return is_shared(island) || rg_tasks_threads(step->world->threads.tasks) == 1;
}

// Memory of a worker for the islands that it may come to solve: the first one for all, the others for those
// that are solved side by side. The choice takes several times the memory of sweeps, and has none where it is
// not made.
typedef struct Sizing {
  const rgStep* step;
  const rgProblemSet* set;
  const char* solver;
  const rgStop* stop;
  bool chooses;
  bool grows; // there is more to solve than ever: else bare islands need no room
} Sizing;
enum { ISLANDS_PER_TASK = 16 };

static size_t work_size(const Sizing* sizing, const rgIsland* island) {
  rgProblem problem = rg_island_problem(sizing->set, island);
  const char* name = solver_of(sizing->set, island, sizing->solver, sizing->stop);
  size_t size = asks_for_more(sizing->step, island) ? rg_solve_lean_size(&problem, name)
                                                    : rg_solve_work_size(&problem, name);
  return sizing->chooses ? larger(size, choice_size(&problem)) : size;
}

// The largest of some islands, into what the worker has found before.
static void size_islands(void* context, int item, int worker_index) {
  const Sizing* sizing = context;
  rgWorker* worker = &sizing->step->world->threads.workers[worker_index];
  int first = item * ISLANDS_PER_TASK, end = first + ISLANDS_PER_TASK;
  for (int i = first; i < end && i < sizing->set->island_count; i++) {
    rgIsland* island = &sizing->set->islands[i];
    if (island->bare && !sizing->grows)
      continue;
    rg_tree_write_rows(sizing->step, island);
    size_t size = work_size(sizing, island);
    worker->work_wanted = larger(worker->work_wanted, size);
    if (!is_shared(island))
      worker->work_beside = larger(worker->work_beside, size);
  }
}

static rgStatus reserve_work(rgStep* step, rgProblemSet* set, const char* solver,
                             const rgStop* stop) {
  rgWorld* world = step->world;
  const int counts[3] = {set->body_count, set->contact_count, set->row_count};
  bool grows = false;
  for (int i = 0; i < 3; i++) {
    grows = grows || counts[i] > set->room[i];
    set->room[i] = counts[i] > set->room[i] ? counts[i] : set->room[i];
  }
  int threads = rg_tasks_threads(world->threads.tasks);
  Sizing sizing = {step, set, solver, stop, set == &step->velocity && affords_choice(set, stop),
                   grows};
  for (int i = 0; i < threads; i++)
    world->threads.workers[i].work_wanted = world->threads.workers[i].work_beside = 0;
  rg_tasks_run(world->threads.tasks, (set->island_count + ISLANDS_PER_TASK - 1) / ISLANDS_PER_TASK,
               size_islands, &sizing);
  size_t first = 0, others = 0;
  for (int i = 0; i < threads; i++) {
    first = larger(first, world->threads.workers[i].work_wanted);
    others = larger(others, world->threads.workers[i].work_beside);
  }
  for (int i = 0; i < threads; i++) {
    int lines = (int)(rg_align(i == 0 ? first : others) / RG_ALIGNMENT);
    if (!rg_reserve_anew(&world->allocator, &world->threads.workers[i].work,
                         &world->threads.workers[i].work_capacity, lines, RG_ALIGNMENT))
      return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for the solver");
  }
  step->scratch.trial = world->threads.workers[0].work;
  return RG_OK;
}

// Lets the rows that depend on others carry an impulse, or not.
static void free_dependent(const rgProblemSet* set, const rgIsland* island, bool carry) {
  for (int i = island->row_start; i < island->row_start + island->row_count; i++)
    if (set->dependent[i]) {
      set->rows[i].lower = carry ? -HUGE_VAL : 0;
      set->rows[i].upper = carry ? HUGE_VAL : 0;
    }
}

static void solve_once(const Solve* solve, rgIsland* island, void* work) {
  rgProblem problem = rg_island_problem(solve->set, island);
  rgSolution solution = rg_island_solution(solve->set, island);
  rgStop stop = stop_of(solve, island);
  const char* solver = solver_of(solve->set, island, solve->solver, solve->stop);
  // Options are for the solver that they were given for, not for one that takes its place.
  const char* options = strcmp(solver, solve->solver) == 0 ? solve->options : NULL;
  rg_solve_shared(&problem, solver, options, &stop, &solution, work, &island->report, NULL,
                  solve->tasks, solve->more);
  island->last_iterations = island->report.iterations;
}

// Whether all rows, those that depend on others included, judge the start as good, and how they judge it.
static bool is_good_start(const Solve* solve, const rgIsland* island, double* residual) {
  rgProblem problem = rg_island_problem(solve->set, island);
  rgSolution solution = rg_island_solution(solve->set, island);
  rgStop stop = stop_of(solve, island);
  rgCertificate start;
  rg_problem_velocity(&problem, &solution);
  rg_problem_certify(&problem, &solution, stop.tolerance, &start);
  *residual = start.residual;
  return start.residual <= (stop.start_tolerance > 0 ? stop.start_tolerance : stop.tolerance);
}

// Solves without the rows that depend on others (fill/dependent_rows.c). The plain step, which no round
// follows, ends with all of them; so does an island whose other rows are satisfied while these are not, of
// which further rounds would find nothing else.
static void solve_part(const Solve* solve, rgIsland* island, void* work) {
  double residual;
  if (is_good_start(solve, island, &residual)) {
    solve_once(solve, island, work);
    return;
  }
  free_dependent(solve->set, island, false);
  solve_once(solve, island, work);
  free_dependent(solve->set, island, true);
  int iterations = island->last_iterations;
  bool whole = island->plain || iterations == 0;
  if (whole) {
    island->leaves_out = island->plain;
    solve_once(solve, island, work);
    island->last_iterations = island->report.iterations += iterations;
  }
  island->report.start_residual = residual;
}

// Whether the trees of an island are solved already (fill/tree_newton.c), as its driver will see, and no choice
// follows: then no solver needs room.
static bool is_solved(const rgIsland* island) {
  return island->settles && island->closed && !island->leaves_out &&
         (island->contact_count == 0 || is_large_tree(island));
}

// Where that holds for all islands the room is not asked for, which takes longer than the judgement of a short chain.
// It was when there was as much to solve: a start that has to be solved after all finds most of it. Where a choice
// failed it may have to be made again, and its steps are counted.
static bool all_are_solved(const Solve* solve) {
  const rgProblemSet* set = solve->set;
  for (int i = 0; i < set->island_count; i++) {
    const rgIsland* island = &set->islands[i];
    if (!island->settled && !is_solved(island))
      return false;
    if (island->contact_count > 0 && unchosen_of(solve, island) > 0)
      return false;
  }
  return set->body_count <= set->room[0] && set->contact_count <= set->room[1] &&
         set->row_count <= set->room[2];
}

// A bare island has its answer, and the certificate of it (tree_newton.c).
static void take_bare(const Solve* solve, rgIsland* island) {
  rgCertificate certificate = island->report.certificate;
  int before = island->report.iterations;
  rg_solve_report(solver_of(solve->set, island, solve->solver, solve->stop), &certificate,
                  &island->report);
  island->report.iterations = before;
  island->last_iterations = 0;
  island->waits = false;
}

static void judge_island(const Solve* solve, rgIsland* island) {
  rgProblem problem = rg_island_problem(solve->set, island);
  rgSolution solution = rg_island_solution(solve->set, island);
  rgStop stop = stop_of(solve, island);
  int before = island->report.iterations;
  island->waits =
      !rg_solve_start(&problem, solver_of(solve->set, island, solve->solver, solve->stop), &stop,
                      &solution, &island->report);
  island->report.iterations = before;
  island->last_iterations = 0;
}

static void solve_island(void* context, int item, int worker) {
  const Solve* solve = context;
  rgIsland* island = &solve->set->islands[item];
  if (island->settled || is_shared(island) != (solve->tasks != NULL) ||
      (solve->started && !island->waits))
    return;
  if (island->bare) {
    take_bare(solve, island);
    return;
  }
  if (solve->starts) {
    judge_island(solve, island);
    return;
  }
  int before = island->report.iterations;
  void* work = solve->step->world->threads.workers[worker].work;
  if (island->leaves_out)
    solve_part(solve, island, work);
  else
    solve_once(solve, island, work);
  bool settled = island->settles && before > 0; // by fill/tree_newton.c
  choose(solve, island, island->last_iterations > 0 || settled, work);
  int redundant = island->report.redundant_rows;
  if (island->leaves_out && island->dependent_rows > redundant)
    redundant = island->dependent_rows;
  if (redundant > island->redundant_rows)
    island->redundant_rows = redundant;
  island->report.iterations += before;
}

// A solver that does not take a problem says so before it does anything: it is asked once more for
// its reason.
static rgStatus check_supported(const Solve* solve) {
  rgWorld* world = solve->step->world;
  const rgProblemSet* set = solve->set;
  for (int i = 0; i < set->island_count; i++) {
    const rgIsland* island = &set->islands[i];
    if (island->report.status != RG_ERROR_UNSUPPORTED)
      continue;
    rgProblem problem = rg_island_problem(set, island);
    rgSolution solution = rg_island_solution(set, island);
    rgSolveReport report;
    rgMessage reason;
    const char* solver = solver_of(set, island, solve->solver, solve->stop);
    rg_solve(&problem, solver, strcmp(solver, solve->solver) == 0 ? solve->options : NULL,
             solve->stop, &solution, world->threads.workers[0].work, &report, &reason);
    return rg_world_fail(world, RG_ERROR_UNSUPPORTED, "%s", reason.text);
  }
  return RG_OK;
}

static int saturated(double count) { return (int)fmin(count, INT_MAX); }

// Adds what the solves have done to the certificate.
static void add_effort(rgStep* step, const rgProblemSet* set) {
  rgCertificate* certificate = &step->certificate;
  double sweeps = certificate->sweeps, factorizations = certificate->factorizations;
  int iterations = 0;
  for (int i = 0; i < set->island_count; i++) {
    const rgIsland* island = &set->islands[i];
    if (island->settled)
      continue;
    sweeps += island->report.sweeps;
    factorizations += island->report.factorizations;
    if (island->last_iterations > iterations)
      iterations = island->last_iterations;
  }
  certificate->sweeps = saturated(sweeps);
  certificate->factorizations = saturated(factorizations);
  if (set == &step->velocity)
    certificate->iterations = saturated((double)certificate->iterations + iterations);
}

static void run(Solve* solve, const rgSolveMore* more) {
  rgTasks* tasks = solve->step->world->threads.tasks;
  solve->tasks = tasks;
  solve->more = more;
  for (int i = 0; i < solve->set->island_count; i++)
    solve_island(solve, i, 0);
  solve->tasks = NULL;
  solve->more = rg_tasks_threads(tasks) == 1 ? more : NULL;
  rg_tasks_run(tasks, solve->set->island_count, solve_island, solve);
}

// Judges the starts of all islands. True when none has to be solved.
static bool judge_starts(Solve* solve) {
  bool waits = false;
  solve->starts = true;
  run(solve, NULL);
  for (int i = 0; i < solve->set->island_count; i++)
    waits = waits || (!solve->set->islands[i].settled && solve->set->islands[i].waits);
  solve->starts = false;
  solve->started = true;
  return !waits;
}

rgStatus rg_islands_solve(rgStep* step, rgProblemSet* set, const char* solver, const rgStop* stop) {
  rgWorld* world = step->world;
  bool own = set == &step->velocity && strcmp(solver, world->options.solver) == 0;
  More more = {world, false};
  rgSolveMore asked = {give_more, &more, 0};
  Solve solve = {.step = step,
                 .set = set,
                 .solver = solver,
                 .options = own ? world->options.solver_options : NULL,
                 .stop = stop};
  rgPhase before = rg_phase_begin(&world->user.phases, RG_PHASE_SOLVE);
  bool done = own && all_are_solved(&solve) && judge_starts(&solve);
  rgStatus status = done ? RG_OK : reserve_work(step, set, solver, stop);
  asked.work_size = (size_t)world->threads.workers[0].work_capacity * RG_ALIGNMENT;
  if (status == RG_OK && !done)
    run(&solve, &asked);
  rg_phase_end(&world->user.phases, before);
  if (status != RG_OK)
    return status;
  if (world->user.cancel && *world->user.cancel)
    return rg_world_fail(world, RG_CANCELLED, "the step was cancelled");
  if (more.failed)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for the solver");
  add_effort(step, set);
  return check_supported(&solve);
}
