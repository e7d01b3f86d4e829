// solve.c - the one driver of all solvers.
//
// It checks what it is given, reads the options, starts from the warm start and returns at once
// when that already meets the tolerance. Otherwise it lets the solver iterate, computes v = v_free
// + M^-1 (G' lambda + H r) afresh from the impulses, and judges with the certificate. A solver that
// stopped on its own measure although the certificate is not met is called again with a goal that
// is smaller by the ratio that was missed; one that ended short of it by its own measure keeps its goal.
#include "base/message.h"
#include "base/number.h"
#include "problem/operator.h"
#include "solve/solver.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The first goal for a solver's own measure, as a part of the tolerance. Once a problem is iterated
// on, going somewhat further than asked costs little, and saves the solves of the following steps:
// their warm start stays good for longer.
static const double first_goal = 0.1;
// A missed certificate shrinks the goal by the ratio that was missed, times this.
static const double next_goal = 0.5;
// Below this part of the tolerance the two measures have nothing to do with each other any more:
// rounding.
static const double least_goal = 1e-6;

// See iterate.
static const double start_handicap = 10;

rgStop rg_stop_default(void) {
  return (rgStop){.tolerance = 1e-8, .iteration_limit = 10000, .time_limit = 0, .cancel = NULL};
}

// Room for the impulses of the best answer so far, in front of the solver's own work.
static size_t best_size(const rgProblem* problem) {
  size_t count = 4 * (size_t)problem->contact_count + (size_t)problem->row_count;
  return rg_align(count * sizeof(double));
}

static bool takes_form(const rgSolver* solver, const rgProblem* problem) {
  return !problem->local || problem->row_count == 0 || solver->local_rows;
}

rgStatus rg_solver_accepts(const rgSolver* solver, const rgProblem* problem, rgMessage* message) {
  if (!takes_form(solver, problem))
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s takes no rows in local form, the problem has %d", solver->name,
                   problem->row_count);
  if (solver != &rg_solver_auto && rg_problem_has_far(problem))
    return rg_fail(
        message, RG_ERROR_UNSUPPORTED,
        "%s takes rows of two bodies only, the problem couples axes of joints, which auto "
        "takes",
        solver->name);
  return solver->accepts(problem, message);
}

static size_t size_of_work(const rgProblem* problem, const rgSolver* solver,
                           size_t (*work_size)(const rgProblem* problem)) {
  size_t own = takes_form(solver, problem) ? rg_align(work_size(problem)) : 0;
  return best_size(problem) + own + RG_ALIGNMENT;
}

size_t rg_solve_work_size(const rgProblem* problem, const char* name) {
  const rgSolver* solver = rg_solver_find(name);
  return problem && solver ? size_of_work(problem, solver, solver->work_size) : 0;
}

size_t rg_solve_lean_size(const rgProblem* problem, const char* name) {
  const rgSolver* solver = rg_solver_find(name);
  if (!solver->lean_size)
    return rg_solve_work_size(problem, name);
  return size_of_work(problem, solver, solver->lean_size);
}

static double cpu_time(void) { return (double)clock() / (double)CLOCKS_PER_SEC; }

static bool is_cancelled(const rgStop* stop) { return stop->cancel && *stop->cancel; }

bool rg_solve_is_over(const rgSolve* solve) {
  enum { CLOCK_EVERY = 8 }; // reading the clock costs as much as a small sweep
  if (solve->iterations >= solve->iteration_limit || solve->effort.work >= solve->work_limit ||
      is_cancelled(solve->stop))
    return true;
  if (solve->deadline == HUGE_VAL || solve->iterations % CLOCK_EVERY != 0)
    return false;
  return cpu_time() >= solve->deadline;
}

// -------------------------------------------------------------------------------------------------
// Options
// -------------------------------------------------------------------------------------------------

static rgStatus unknown_option(const rgSolver* solver, const char* name, int length,
                               rgMessage* message) {
  char known[256] = "";
  for (int i = 0; solver->options[i].name; i++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", solver->options[i].name);
  }
  return rg_fail(message, RG_ERROR_INPUT, "solver %s has no option \"%.*s\"; known: %s",
                 solver->name, length, name, known[0] ? known : "none");
}

// Reads one "name=value" of `length` characters.
static rgStatus read_option(const rgSolver* solver, const char* text, int length, double* values,
                            rgMessage* message) {
  const char* equal = memchr(text, '=', (size_t)length);
  int name_length = equal ? (int)(equal - text) : length;
  int index = 0;
  const rgSolverOption* option = solver->options;
  while (option->name && !((int)strlen(option->name) == name_length &&
                           memcmp(option->name, text, (size_t)name_length) == 0)) {
    option++;
    index++;
  }
  if (!option->name)
    return unknown_option(solver, text, name_length, message);
  const char* value = equal ? equal + 1 : text + length;
  size_t value_length = (size_t)(text + length - value);
  size_t scanned = rg_number_scan(value, value_length);
  double number = scanned > 0 ? rg_number_value(value, scanned) : 0;
  bool bad = scanned == 0 || scanned != value_length ||
             !(number >= option->lower && number <= option->upper) ||
             (option->integer && number != floor(number));
  if (bad)
    return rg_fail(message, RG_ERROR_INPUT, "solver %s: %s is \"%.*s\", must be %s in %g .. %g",
                   solver->name, option->name, (int)value_length, value,
                   option->integer ? "an integer" : "a number", option->lower, option->upper);
  values[index] = number;
  return RG_OK;
}

static rgStatus read_options(const rgSolver* solver, const char* text, double* values,
                             rgMessage* message) {
  for (int i = 0; solver->options[i].name; i++)
    values[i] = solver->options[i].standard;
  rgStatus status = RG_OK;
  while (text && *text && status == RG_OK) {
    int length = (int)strcspn(text, ",");
    if (length > 0)
      status = read_option(solver, text, length, values, message);
    text += length;
    if (*text == ',')
      text++;
  }
  return status;
}

rgStatus rg_solver_check_options(const rgSolver* solver, const char* text, rgMessage* message) {
  double values[RG_SOLVER_OPTION_MAX];
  return read_options(solver, text, values, message);
}

// -------------------------------------------------------------------------------------------------
// Driver
// -------------------------------------------------------------------------------------------------

static rgStatus check_arguments(const rgProblem* problem, const char* name, const rgStop* stop,
                                const rgSolution* solution, const void* work,
                                const rgSolveReport* report, rgMessage* message) {
  if (!rg_solver_find(name)) {
    char known[256] = "";
    for (int i = 0; rg_solver_at(i); i++) {
      size_t used = strlen(known);
      snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", rg_solver_at(i)->name);
    }
    return rg_fail(message, RG_ERROR_INPUT, "there is no solver \"%s\"; known: %s",
                   name ? name : "", known);
  }
  if (!stop || !solution || !work || !report)
    return rg_fail(message, RG_ERROR_INPUT, "stop, solution, work or report is NULL");
  bool moving = problem->body_count > 0 || problem->local;
  bool missing = (moving && !solution->v) || (problem->contact_count && !solution->r) ||
                 (problem->row_count && !solution->lambda);
  if (missing)
    return rg_fail(message, RG_ERROR_INPUT, "an array of the solution is NULL");
  if (!(stop->tolerance > 0))
    return rg_fail(message, RG_ERROR_INPUT, "tolerance is %g, must be > 0", stop->tolerance);
  if (stop->iteration_limit <= 0)
    return rg_fail(message, RG_ERROR_INPUT, "iteration_limit is %d, must be > 0",
                   stop->iteration_limit);
  if (!(stop->start_part >= 0 && stop->start_part < 1))
    return rg_fail(message, RG_ERROR_INPUT, "start_part is %g, must be >= 0 and < 1",
                   stop->start_part);
  if (!(stop->time_limit >= 0))
    return rg_fail(message, RG_ERROR_INPUT, "time_limit is %g, must be >= 0", stop->time_limit);
  return RG_OK;
}

// solution->v must have just been computed from r and lambda.
static void judge(const rgProblem* problem, const rgSolution* solution, double tolerance,
                  rgTasks* tasks, rgCertificate* certificate) {
  certificate->dynamics = 0; // v is the very sum that defines it
  rg_problem_laws_shared(problem, solution, false, tasks, certificate);
  rg_problem_rate(certificate, tolerance);
}

// Makes the warm start legal: finite, row impulses within their bounds. Contacts may start outside
// their cone.
static void clean_range(void* context, int first, int end) {
  double* r = context;
  for (size_t i = 4 * (size_t)first; i < 4 * (size_t)end; i++)
    if (!isfinite(r[i]))
      r[i] = 0;
}

static void clean_start(const rgProblem* problem, rgSolution* solution, rgTasks* tasks) {
  rg_tasks_ranges(tasks, problem->contact_count, clean_range, solution->r);
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double x = isfinite(solution->lambda[i]) ? solution->lambda[i] : 0;
    solution->lambda[i] = x < row->lower ? row->lower : x > row->upper ? row->upper : x;
  }
}

// Nothing moves freely at any contact or row: no impulse is the answer.
static void clear(const rgProblem* problem, rgSolution* solution) {
  for (size_t i = 0; i < 4 * (size_t)problem->contact_count; i++)
    solution->r[i] = 0;
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = 0;
  clean_start(problem, solution, NULL);
}

// The certificate of the start, made legal.
static void judge_start(const rgProblem* problem, rgSolution* solution, double tolerance,
                        rgTasks* tasks, rgCertificate* certificate) {
  clean_start(problem, solution, tasks);
  rg_problem_velocity_shared(problem, solution, tasks);
  rg_problem_laws_shared(problem, solution, true, tasks, certificate);
  if (certificate->scale == 0) {
    clear(problem, solution);
    rg_problem_velocity(problem, solution);
    rg_problem_laws(problem, solution, certificate);
  }
  rg_problem_rate(certificate, tolerance);
}

static void copy_impulses(const rgProblem* problem, double* best, rgSolution* solution,
                          bool store) {
  size_t contacts = 4 * (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  if (store) {
    if (contacts)
      memcpy(best, solution->r, contacts * sizeof(double));
    if (rows)
      memcpy(best + contacts, solution->lambda, rows * sizeof(double));
  } else {
    if (contacts)
      memcpy(solution->r, best, contacts * sizeof(double));
    if (rows)
      memcpy(solution->lambda, best + contacts, rows * sizeof(double));
  }
}

// Calls the solver, with the certificate of the warm start, until that of the answer is met, the
// iteration limit is reached or nothing moves any more, and returns the best answer seen. The warm
// start counts among them with a handicap: an answer somewhat worse by the largest residual may
// still be nearer to the solution, one that is much worse is a failure and is thrown away.
static void iterate(const rgSolver* solver, rgSolve* solve, double* best,
                    rgCertificate* certificate) {
  double tolerance = solve->stop->tolerance;
  double part = first_goal;
  copy_impulses(solve->problem, best, solve->solution, true);
  double best_residual = start_handicap * certificate->residual;
  solve->target = tolerance * certificate->scale;
  solve->measure = certificate->residual * certificate->scale;
  for (bool more = !rg_solve_is_over(solve); more;) {
    int before = solve->iterations;
    solve->goal = part * solve->target;
    solver->solve(solve);
    rg_problem_velocity_shared(solve->problem, solve->solution, solve->tasks);
    judge(solve->problem, solve->solution, tolerance, solve->tasks, certificate);
    solve->call++;
    bool idle = solve->iterations == before; // the solver has nothing more to give
    more = !certificate->met && !idle && !solve->gave_up && !rg_solve_is_over(solve);
    if (certificate->residual < best_residual) {
      best_residual = certificate->residual;
      if (more)
        copy_impulses(solve->problem, best, solve->solution, true);
    }
    double missed = tolerance / certificate->residual;
    if (solve->measure <= solve->target) // it knows by itself where it did not get so far
      part = fmax(part * next_goal * fmin(1, missed), least_goal);
  }
  if (certificate->residual <= best_residual)
    return;
  copy_impulses(solve->problem, best, solve->solution, false);
  rg_problem_velocity_shared(solve->problem, solve->solution, solve->tasks);
  judge(solve->problem, solve->solution, tolerance, solve->tasks, certificate);
}

rgStatus rg_solve(const rgProblem* problem, const char* name, const char* options,
                  const rgStop* stop, rgSolution* solution, void* work, rgSolveReport* report,
                  rgMessage* message) {
  rgStatus status = rg_problem_check(problem, message);
  if (status == RG_OK)
    return rg_solve_checked(problem, name, options, stop, solution, work, report, message);
  if (report)
    *report = (rgSolveReport){.status = status};
  return status;
}

// What the solve came to, from the certificate of its answer.
static rgStatus put_report(const rgSolve* solve, const rgStop* stop, rgSolveReport* report,
                           rgMessage* message) {
  rgCertificate* certificate = &report->certificate;
  certificate->iterations = solve->iterations;
  certificate->sweeps = report->sweeps = solve->effort.sweeps;
  certificate->factorizations = report->factorizations = solve->effort.factorizations;
  report->work = solve->effort.work;
  report->iterations = solve->iterations;
  report->history_count = solve->history_count;
  report->redundant_rows = solve->redundant_rows;
  report->linear_multiplications = solve->effort.linear_multiplications;
  report->other_multiplications = solve->effort.other_multiplications;
  report->solver = solve->used;
  report->status = certificate->met         ? RG_OK
                   : is_cancelled(stop)     ? RG_CANCELLED
                   : solve->status != RG_OK ? solve->status
                                            : RG_NOT_CONVERGED;
  if (!certificate->met)
    rg_fail(message, report->status, "residual %.3g after %d iterations, asked for %.3g",
            certificate->residual, solve->iterations, solve->stop->tolerance);
  return report->status;
}

// Judges the start. True when it is good enough.
static bool start(const rgProblem* problem, const rgStop* stop, rgSolution* solution,
                  rgTasks* tasks, rgSolveReport* report) {
  rgCertificate* certificate = &report->certificate;
  judge_start(problem, solution, stop->tolerance, tasks, certificate);
  report->start_residual = certificate->residual;
  return certificate->residual <=
         (stop->start_tolerance > 0 ? stop->start_tolerance : stop->tolerance);
}

// What is not there has no array; solvers may clear or copy nothing all the same.
static rgSolution whole_of(const rgSolution* solution, double* nothing) {
  rgSolution whole = *solution;
  if (!whole.r)
    whole.r = nothing;
  if (!whole.lambda)
    whole.lambda = nothing;
  return whole;
}

bool rg_solve_start(const rgProblem* problem, const char* name, const rgStop* stop,
                    rgSolution* solution, rgSolveReport* report) {
  double nothing = 0;
  rgSolution whole = whole_of(solution, &nothing);
  memset(report, 0, sizeof *report);
  if (!start(problem, stop, &whole, NULL, report))
    return false;
  rgSolve solve = {
      .problem = problem, .stop = stop, .scale = report->certificate.scale, .used = name};
  put_report(&solve, stop, report, NULL);
  return true;
}

void rg_solve_report(const char* name, const rgCertificate* certificate, rgSolveReport* report) {
  rgStop stop = {.tolerance = certificate->tolerance};
  rgSolve solve = {.stop = &stop, .scale = certificate->scale, .used = name};
  memset(report, 0, sizeof *report);
  report->certificate = *certificate;
  report->start_residual = certificate->residual;
  put_report(&solve, &stop, report, NULL);
}

rgStatus rg_solve_checked(const rgProblem* problem, const char* name, const char* options,
                          const rgStop* stop, rgSolution* solution, void* work,
                          rgSolveReport* report, rgMessage* message) {
  return rg_solve_shared(problem, name, options, stop, solution, work, report, message, NULL, NULL);
}

rgStatus rg_solve_shared(const rgProblem* problem, const char* name, const char* options,
                         const rgStop* stop, rgSolution* solution, void* work,
                         rgSolveReport* report, rgMessage* message, rgTasks* tasks,
                         const rgSolveMore* more) {
  if (message)
    message->text[0] = '\0';
  if (report)
    memset(report, 0, sizeof *report);
  rgStatus status = check_arguments(problem, name, stop, solution, work, report, message);
  const rgSolver* solver = rg_solver_find(name);
  double values[RG_SOLVER_OPTION_MAX];
  if (status == RG_OK)
    status = read_options(solver, options, values, message);
  if (status == RG_OK)
    status = rg_solver_accepts(solver, problem, message);
  if (status != RG_OK) {
    if (report)
      report->status = status;
    return status;
  }

  double nothing = 0;
  rgSolution whole = whole_of(solution, &nothing);
  solution = &whole;
  rgCertificate* certificate = &report->certificate;
  bool good_start = start(problem, stop, solution, tasks, report);
  rgStop own = *stop;
  if (!good_start)
    own.tolerance = fmax(stop->tolerance, stop->start_part * certificate->residual);

  char* aligned = (char*)work + ((size_t) - (uintptr_t)work & (RG_ALIGNMENT - 1));
  rgSolve solve = {
      .problem = problem,
      .solution = solution,
      .options = values,
      .stop = &own,
      .iteration_limit = stop->iteration_limit,
      .deadline = stop->time_limit > 0 ? cpu_time() + stop->time_limit : HUGE_VAL,
      .work = aligned + best_size(problem),
      .scale = certificate->scale,
      .work_limit = rg_budget_work(rg_budget(stop->iteration_limit)),
      .used = solver->name,
      .tasks = tasks,
      .more = solver->lean_size ? more : NULL,
      .work_end = more ? (const char*)work + more->work_size : NULL,
  };
  if (!good_start)
    iterate(solver, &solve, (double*)(void*)aligned, certificate);
  return put_report(&solve, stop, report, message);
}
