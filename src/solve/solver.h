// solver.h - what a solver is to the driver: a descriptor in a table.
//
// The driver (solve.c) does everything that is alike for all: checks, options, the empty case,
// workspace, budget, the exact velocity and the certificate. A solver improves solution->r and
// ->lambda until its own cheap measure says that the goal may be reached, and leaves the judgement
// to the driver, which calls it again to go on.
#ifndef SOLVE_SOLVER_H
#define SOLVE_SOLVER_H

#include "base/memory.h"
#include "base/task.h"
#include "solve/budget.h"
#include "solve/solvers.h"
#include <rigor/solver.h>

enum { RG_SOLVER_OPTION_MAX = 8 };
enum { RG_BLOCK_PRODUCT = 216 }; // multiplications of numbers in a product of 6 x 6 blocks

typedef struct rgSolverOption {
  const char* name;
  double standard;     // default value
  double lower, upper; // inclusive range
  bool integer;
  const char* line; // "name (default, range): help"
} rgSolverOption;

// An entry whose line is made from the same tokens as its values. Numbers must be plain literals.
#define RG_SOLVER_OPTION(name_, standard_, lower_, upper_, integer_, help_)                        \
  {                                                                                                \
#name_, standard_, lower_, upper_, integer_,                                                   \
        #name_ " (" #standard_ ", " #lower_ " .. " #upper_ "): " help_                             \
  }

// What a solve has done.
typedef struct rgEffort {
  int sweeps, factorizations;
  double work; // [sweeps] of both, see budget.h
  double linear_multiplications, other_multiplications;
} rgEffort;

// Memory that a solver asks for in the course of a solve, when it knows how much it needs: of at least
// `size` bytes, aligned as a workspace, until the next call or the end of the solve. NULL when there is
// none; whoever gives it then takes back what the solve makes of that.
typedef struct rgSolveMore {
  void* (*give)(void* context, size_t size);
  void* context;
  size_t
      work_size; // [bytes] of the workspace, where that is known to be larger than the lean size; else 0
} rgSolveMore;

// One solve in progress.
typedef struct rgSolve {
  const rgProblem* problem;
  rgSolution* solution;  // r, lambda: present iterate; v: velocity that follows from them exactly
  const double* options; // values in the order of the solver's table
  const rgStop* stop;
  double target;  // [m/s] what the certificate must come down to
  double goal;    // [m/s] stop when the solver's own measure is at or below this
  int iterations; // done so far; the solver counts up to `iteration_limit`
  int iteration_limit;
  double deadline; // [s] of CPU time; HUGE_VAL when there is none
  int call; // 0 at the first call, then 1, 2, ...: work holds what the earlier call left there
  void* work;
  double measure; // [m/s] what the warm start misses at the first call; the solver's own measure
                  // when it returns
  double middle;  // [m/s] sweeps: the measure half-way from where the call began to its limit
  double scale;   // [m/s] of the certificate
  // RG_OK, or RG_NO_SOLUTION when the solver has shown that it cannot go on (a ray): set by the
  // solver, reported unless the certificate is met after all.
  rgStatus status;
  bool gave_up;     // the solver will not reach the goal: it is not called again
  const char* used; // the solver at work: auto sets it to the name of the one it chose
  int history_count;
  int redundant_rows; // see rgSolveReport
  rgEffort effort;    // of all its iterations
  double work_limit;  // [sweeps]
  rgTasks* tasks;     // threads that a solver may use; NULL: only its own
  // Memory beyond `work`, which ends at `work_end` and is at least of lean_size then; NULL: `work` is of work_size.
  const rgSolveMore* more;
  const char* work_end;
} rgSolve;

typedef struct rgSolver {
  const char *name, *summary, *reference;
  // RG_OK, or RG_ERROR_UNSUPPORTED with a message that says what it does not take.
  rgStatus (*accepts)(const rgProblem* problem, rgMessage* message);
  const rgSolverOption* options; // ends with a NULL name
  size_t (*work_size)(const rgProblem* problem);
  // What it needs of that where it may ask for more; NULL: all, and it does not ask.
  size_t (*lean_size)(const rgProblem* problem);
  void (*solve)(rgSolve* solve);
  bool local_rows; // it takes rows in the local form; where not, the driver refuses them
} rgSolver;

// Whether a solver has these options, "name=value,name=value", and takes their values.
rgStatus rg_solver_check_options(const rgSolver* solver, const char* text, rgMessage* message);

// accepts, and before it what the driver refuses by itself.
rgStatus rg_solver_accepts(const rgSolver* solver, const rgProblem* problem, rgMessage* message);

// All solvers, in the order in which they are listed; NULL past the end.
const rgSolver* rg_solver_at(int index);
const rgSolver* rg_solver_find(const char* name);

// rg_solve for a problem that is known to pass rg_problem_check, but for numbers that are not
// finite: those show in the certificate.
rgStatus rg_solve_checked(const rgProblem* problem, const char* name, const char* options,
                          const rgStop* stop, rgSolution* solution, void* work,
                          rgSolveReport* report, rgMessage* message);

// The same with threads that the solver may use; the result does not depend on them. With `more`, which
// may be NULL, the work is of rg_solve_lean_size only.
rgStatus rg_solve_shared(const rgProblem* problem, const char* name, const char* options,
                         const rgStop* stop, rgSolution* solution, void* work,
                         rgSolveReport* report, rgMessage* message, rgTasks* tasks,
                         const rgSolveMore* more);
size_t rg_solve_lean_size(const rgProblem* problem, const char* name);

// What the driver does before it asks the solver: true when the start, made legal, is good enough, with the report of
// that answer, which is the one of rg_solve_shared. It needs no work. The solver must accept the problem.
bool rg_solve_start(const rgProblem* problem, const char* name, const rgStop* stop,
                    rgSolution* solution, rgSolveReport* report);

// The report of an answer that the caller has judged, and that met its tolerance.
void rg_solve_report(const char* name, const rgCertificate* certificate, rgSolveReport* report);

// True when the solve must end: budget, deadline or cancel flag. `iterations` is compared with its
// limit each time, the clock is read every few calls only.
bool rg_solve_is_over(const rgSolve* solve);

// Solvers count each pass over all unknowns, and each factorization with the block products that it
// took; both beside `iterations`.
static inline void rg_solve_count_sweep(rgSolve* solve) {
  solve->effort.sweeps++;
  solve->effort.work += 1;
}
static inline void rg_solve_count_factorization(rgSolve* solve, double products) {
  const rgProblem* problem = solve->problem;
  solve->effort.factorizations++;
  solve->effort.work += rg_budget_step_work(products, problem->body_count + problem->contact_count +
                                                          problem->row_count);
}

// Memory for what a solver finds out in the course of a solve, behind what it has carved: in its workspace where that is
// large enough, else asked for. A carver without base where there is none.
static inline rgCarver rg_solve_more(const rgSolve* solve, rgCarver carver, size_t size) {
  if (!solve->more || carver.base + carver.used + rg_align(size) <= solve->work_end)
    return carver;
  return (rgCarver){solve->more->give(solve->more->context, size), 0};
}

// Every solver calls this once per iteration, with its own measure [m/s], for stop->history.
static inline void rg_solve_record(rgSolve* solve, double measure) {
  if (solve->stop->history && solve->history_count < solve->stop->history_capacity)
    solve->stop->history[solve->history_count++] = measure / solve->scale;
}

// Declares the descriptor of every solver of the list.
#define RG_SOLVER_DECLARE(name) extern const rgSolver rg_solver_##name;
RG_SOLVERS(RG_SOLVER_DECLARE)
#undef RG_SOLVER_DECLARE

// Indices of options that other solvers set.
enum {
  RG_NSGS_MOMENTUM,
  RG_NSGS_HORIZON,
  RG_NSGS_LOCAL,
  RG_NSGS_TRIAL,
  RG_NSGS_ENOUGH,
  RG_NSGS_SINGLE
};
enum { RG_NEWTON_SWEEPS, RG_NEWTON_ASSOCIATED, RG_NEWTON_INTERIOR, RG_NEWTON_SEED, RG_NEWTON_WARM };

#endif
