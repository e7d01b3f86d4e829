// solve_file.c - one problem file, solved by every solver that was asked for.
//
// Solves start cold. A solve shorter than SHORT_TIME is repeated until all of them together take
// that long, and its time is the mean.
#include "cli/solve/rank.h"
#include "cli/solve/solve.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SHORT_TIME = 0.02; // [s] a thousand times what the clock can tell
enum { REPEATS_MAX = 10000, HISTORY_MAX = 100000 };

// -------------------------------------------------------------------------------------------------
// One solve
// -------------------------------------------------------------------------------------------------

static bool take_solution(const rgProblem* problem, rgSolution* solution) {
  solution->v = calloc(rg_problem_velocity_count(problem) + 1, sizeof(double));
  solution->r = calloc(4 * (size_t)problem->contact_count + 1, sizeof(double));
  solution->lambda = calloc((size_t)problem->row_count + 1, sizeof(double));
  return solution->v && solution->r && solution->lambda;
}

static void start_cold(const rgProblem* problem, rgSolution* solution) {
  memset(solution->r, 0, 4 * (size_t)problem->contact_count * sizeof(double));
  memset(solution->lambda, 0, (size_t)problem->row_count * sizeof(double));
}

static double solve_once(const CliSolveRun* run, const rgProblem* problem, double* history,
                         void* work, CliSolve* solve) {
  rgStop stop = run->stop;
  stop.history = history;
  stop.history_capacity = history ? HISTORY_MAX : 0;
  start_cold(problem, &solve->solution);
  double start = cli_cpu_clock();
  rg_solve(problem, solve->solver, run->options, &stop, &solve->solution, work, &solve->report,
           &solve->message);
  return cli_cpu_clock() - start;
}

static void measure(const CliSolveRun* run, const rgProblem* problem, void* work, CliSolve* solve) {
  if (run->history)
    solve->history = malloc(HISTORY_MAX * sizeof *solve->history);
  solve->cpu = solve_once(run, problem, solve->history, work, solve);
  solve->repeats = 1;
  rgStatus status = solve->report.status;
  solve->accepted = status != RG_ERROR_UNSUPPORTED && status != RG_ERROR_INPUT;
  if (!solve->accepted)
    return;
  solve->error = rg_problem_contact_error(problem, &solve->solution);
  // The report of the first solve counts; the others give the same bits and only their time.
  CliSolve again = *solve;
  double sum = solve->cpu;
  while (cli_solved(solve) && sum < SHORT_TIME && solve->repeats < REPEATS_MAX &&
         !cli_interrupted()) {
    sum += solve_once(run, problem, NULL, work, &again);
    solve->repeats++;
  }
  solve->cpu = sum / solve->repeats;
}

static void solve_with(const CliSolveRun* run, const rgProblem* problem, const char* solver,
                       CliSolve* solve) {
  *solve = (CliSolve){.solver = solver,
                      .error = {(double)NAN, (double)NAN},
                      .difference_u = (double)NAN,
                      .difference_kinetic = (double)NAN};
  size_t size = rg_solve_work_size(problem, solver);
  void* work = size ? malloc(size) : NULL;
  if (work && take_solution(problem, &solve->solution)) {
    measure(run, problem, work, solve);
  } else {
    solve->report.status = RG_ERROR_MEMORY;
    snprintf(solve->message.text, sizeof solve->message.text, "not enough memory");
  }
  free(work);
}

// -------------------------------------------------------------------------------------------------
// Comparison
// -------------------------------------------------------------------------------------------------

// Velocities of a solution at the contacts and along the rows.
typedef struct Velocities {
  double *u, *w;
} Velocities;

static bool take_velocities(const rgProblem* problem, const rgSolution* solution,
                            Velocities* velocities) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  velocities->u = calloc(4 * contacts + rows + 1, sizeof(double));
  if (!velocities->u)
    return false;
  velocities->w = velocities->u + 4 * contacts;
  rg_problem_relative(problem, solution->v, velocities->u, velocities->w);
  return true;
}

// With d the difference of two solutions: d_r' W d_r = d_r . d_u, which needs neither M nor W, and
// the same with rows.
typedef struct Difference {
  double kinetic2, own2; // d_r . d_u, and r . (u - q)
  double u, largest;     // largest |d_u| and |u|
} Difference;

static void add_numbers(Difference* d, double r_a, double r_b, double u_a, double u_b, double q) {
  d->kinetic2 += (r_a - r_b) * (u_a - u_b);
  d->own2 += r_b * (u_b - q);
  d->u = fmax(d->u, fabs(u_a - u_b));
  d->largest = fmax(d->largest, fmax(fabs(u_b), fabs(q)));
}

static void compare(const rgProblem* problem, const Velocities* free_motion,
                    const rgSolution* reference, const Velocities* of_reference, CliSolve* solve) {
  Difference d = {0};
  const rgSolution* a = &solve->solution;
  Velocities own;
  if (!take_velocities(problem, a, &own))
    return;
  for (int c = 0; c < problem->contact_count; c++) {
    double e[4];
    rg_problem_axes(problem, c, e);
    for (int k = 0, i = 4 * c; k < 4; k++, i++)
      if (e[k] > 0)
        add_numbers(&d, a->r[i], reference->r[i], own.u[i], of_reference->u[i], free_motion->u[i]);
  }
  for (int i = 0; i < problem->row_count; i++) {
    double compliance = problem->rows[i].compliance;
    add_numbers(&d, a->lambda[i], reference->lambda[i], own.w[i] + compliance * a->lambda[i],
                of_reference->w[i] + compliance * reference->lambda[i], free_motion->w[i]);
  }
  free(own.u);
  solve->difference_u = d.u == 0 ? 0 : d.u / d.largest;
  // W may be unsymmetric by rounding: the form is then not exactly positive
  solve->difference_kinetic = d.kinetic2 == 0 ? 0 : sqrt(fabs(d.kinetic2) / fabs(d.own2));
}

static void compare_all(const rgProblem* problem, CliProblem* record) {
  rgSolution free_motion = {NULL, NULL, NULL};
  const CliSolve* best = record->best < 0 ? NULL : &record->solves[record->best];
  Velocities q = {NULL, NULL}, u = {NULL, NULL};
  if (best && cli_solved(best) && take_solution(problem, &free_motion)) {
    rg_problem_velocity(problem, &free_motion);
    if (take_velocities(problem, &free_motion, &q) && take_velocities(problem, &best->solution, &u))
      for (int i = 0; i < record->solve_count; i++)
        if (cli_solved(&record->solves[i]))
          compare(problem, &q, &best->solution, &u, &record->solves[i]);
  }
  free(q.u);
  free(u.u);
  free(free_motion.v);
  free(free_motion.r);
  free(free_motion.lambda);
}

// -------------------------------------------------------------------------------------------------
// One file
// -------------------------------------------------------------------------------------------------

static void describe(const rgProblem* problem, CliProblem* record) {
  record->block = problem->local ? problem->local->block : 0;
  record->dimension = problem->dimension;
  record->bodies = problem->body_count;
  record->contacts = problem->contact_count;
  record->rows = problem->row_count;
  record->rank = cli_rank(problem, &record->unknowns);
}

static void free_solution(CliSolve* solve) {
  free(solve->solution.v);
  free(solve->solution.r);
  free(solve->solution.lambda);
  solve->solution = (rgSolution){NULL, NULL, NULL};
}

static rgStatus write_best(const rgProblem* problem, CliProblem* record) {
  const CliSolve* best = record->best < 0 ? NULL : &record->solves[record->best];
  if (!best || !cli_solved(best)) {
    snprintf(record->error.text, sizeof record->error.text,
             "%s: no solution was written, because none met the tolerance", record->file);
    return RG_NOT_CONVERGED;
  }
  return rg_problem_write_solution(record->file, problem, &best->solution, &record->error);
}

rgStatus cli_solve_file(const CliSolveRun* run, const char* file, CliProblem* record,
                        rgStatus* write_status) {
  *record = (CliProblem){.file = file, .best = -1, .rank = -1, .unknowns = -1};
  *write_status = RG_OK;
  rgAllocator allocator = rg_allocator_default();
  rgProblem* problem;
  rgStatus status = rg_problem_read(file, &allocator, &problem, &record->error);
  if (status != RG_OK)
    return status;
  describe(problem, record);
  record->solves = calloc((size_t)run->solver_count, sizeof *record->solves);
  for (int i = 0; record->solves && i < run->solver_count && !cli_interrupted(); i++) {
    CliSolve* solve = &record->solves[record->solve_count++];
    solve_with(run, problem, run->solvers[i], solve);
    double least =
        record->best < 0 ? HUGE_VAL : record->solves[record->best].report.certificate.residual;
    if (solve->accepted && !(solve->report.certificate.residual >= least))
      record->best = i;
  }
  compare_all(problem, record);
  if (run->write_solution && !cli_interrupted())
    *write_status = write_best(problem, record);
  for (int i = 0; i < record->solve_count; i++)
    free_solution(&record->solves[i]);
  rg_problem_free(problem, &allocator);
  return RG_OK;
}

void cli_problem_free(CliProblem* problem) {
  for (int i = 0; i < problem->solve_count; i++)
    free(problem->solves[i].history);
  free(problem->solves);
}
