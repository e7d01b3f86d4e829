// solver.h - solving a problem by name, with one stopping rule and one report for every solver.
#ifndef RIGOR_SOLVER_H
#define RIGOR_SOLVER_H

#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// When to stop. The first that holds ends the solve.
typedef struct rgStop {
  double tolerance;       // [-] on rgCertificate.residual
  double start_tolerance; // [-] a warm start that meets this is returned as it is; 0 = tolerance
  double start_part;   // [-] residual, as a part of the start's, that is enough as well; 0 = none
  int iteration_limit; // > 0
  double time_limit;   // [s] CPU time; 0 = none. A run with a time limit is not repeatable
  const volatile int* cancel; // not NULL: stop when it becomes non-zero
  // Where to write the residual after each iteration as the solver itself sees it, relative to the
  // certificate's scale; NULL = nowhere. What does not fit is left out.
  double* history;
  int history_capacity;
} rgStop;

typedef struct rgSolveReport {
  rgStatus status; // RG_OK, RG_NOT_CONVERGED, RG_NO_SOLUTION, RG_CANCELLED, RG_ERROR_INPUT,
                   // RG_ERROR_UNSUPPORTED
  int iterations;
  int history_count;  // numbers written to stop->history
  int redundant_rows; // that depend on others and carry no impulse, where the solver looks for them
                      // (direct); 0 when the start was good enough
  const char* solver; // whose answer it is: of `auto` the solver it chose last; static storage
  double start_residual;     // of the warm start, by the certificate
  rgCertificate certificate; // computed by the driver, never by the solver
} rgSolveReport;

// tolerance 1e-8, 10000 iterations, no time limit
RG_API rgStop rg_stop_default(void);

// Bytes of workspace that a solve of this problem needs (aligned to 64 bytes), or 0 when the solver
// is unknown.
RG_API size_t rg_solve_work_size(const rgProblem* problem, const char* solver);

// Solves `problem` with the named solver. On entry solution->r and ->lambda are the warm start
// (zeros for a cold one); on return v, r and lambda are the answer, v being exactly consistent with
// r and lambda. `options` is NULL or "name=value,name=value". Never allocates; `work` has
// rg_solve_work_size bytes.
RG_API rgStatus rg_solve(const rgProblem* problem, const char* solver, const char* options,
                         const rgStop* stop, rgSolution* solution, void* work,
                         rgSolveReport* report, rgMessage* message);

// The table of solvers: name, one sentence, works followed; NULL past the end.
RG_API const char* rg_solver_name(int index);
RG_API const char* rg_solver_summary(int index);
RG_API const char* rg_solver_reference(int index);
// One line per option of a solver: "name (default, range): help"; NULL past the end.
RG_API const char* rg_solver_option(int index, int option);

#ifdef __cplusplus
}
#endif
#endif
