// solver.h - solving a problem by name, with one stopping rule and one report for every solver.
//
// No solver judges itself: a driver checks the problem, calls the solver, computes the velocities
// from its impulses, and certifies them. To solve a problem from a cold start:
//
//     double v[6 * BODIES], r[4 * CONTACTS] = {0}, lambda[ROWS] = {0};
//     rgSolution solution = {v, r, lambda};
//     rgStop stop = rg_stop_default();
//     rgSolveReport report;
//     void* work = malloc(rg_solve_work_size(&problem, "auto"));
//     rg_solve(&problem, "auto", NULL, &stop, &solution, work, &report, NULL);
//     printf("residual %g of %g\n", report.certificate.residual, stop.tolerance);
//     free(work);
//
// `rigor list solvers` prints the solvers with the problems they accept and their options.
#ifndef RIGOR_SOLVER_H
#define RIGOR_SOLVER_H

#include "problem.h"

#ifdef __cplusplus
extern "C" {
#endif

// When to stop: the first condition that holds ends the solve.
typedef struct rgStop {
  double tolerance;       // [-] > 0, on rgCertificate.residual
  double start_tolerance; // [-] a warm start that meets this is returned unchanged; 0: `tolerance`
  double start_part;   // [-] in [0, 1): a residual that is this part of the start's is enough, too
  int iteration_limit; // > 0; what an iteration is differs between solvers. From 200 on it bounds
                       // the work as well: 50 sweeps for each iteration (rgSolveReport.work)
  double time_limit;   // [s] of CPU time; 0: none. A run with a time limit is not reproducible
  const volatile int* cancel; // stop when it becomes non-zero; may be NULL
  // Receives the residual after each iteration, as the solver itself measures it, relative to the
  // scale of the certificate; may be NULL. What does not fit is left out.
  double* history;
  int history_capacity;
} rgStop;

// What a solve came to.
typedef struct rgSolveReport {
  rgStatus status; // RG_OK, RG_NOT_CONVERGED, RG_NO_SOLUTION, RG_CANCELLED, RG_ERROR_INPUT,
                   // RG_ERROR_UNSUPPORTED
  int iterations;
  int sweeps, factorizations; // passes over all unknowns, and factored matrices
  double work;                // [sweeps] of both: what the iteration limit bounds, too
  int history_count;          // numbers written to stop->history
  int redundant_rows; // rows that depend on others and carry no impulse, found by solvers that look
                      // for them (direct); 0 when the warm start was good enough
  const char* solver; // that gave the answer: for "auto" the one it chose last; static storage
  double start_residual;     // of the warm start, by the certificate
  rgCertificate certificate; // computed by the driver, never by the solver
} rgSolveReport;

// Tolerance 1e-8, at most 10,000 iterations, no time limit.
RG_API rgStop rg_stop_default(void);

// Bytes of workspace that a solve of this problem needs, whatever their alignment; 0 when there is
// no such solver.
RG_API size_t rg_solve_work_size(const rgProblem* problem, const char* solver);

// Solves `problem` with the named solver. On entry solution->r and ->lambda are the warm start
// (zeros for a cold one); on return v, r and lambda are the answer, and v is computed from r and
// lambda. `options` is NULL or "name=value,name=value". `work` has rg_solve_work_size bytes;
// nothing is allocated. Returns report->status. RG_NOT_CONVERGED leaves the best answer found, with
// its certificate; RG_ERROR_UNSUPPORTED says in the message what the solver does not accept.
RG_API rgStatus rg_solve(const rgProblem* problem, const char* solver, const char* options,
                         const rgStop* stop, rgSolution* solution, void* work,
                         rgSolveReport* report, rgMessage* message);

// The table of solvers: name, one sentence, and the works that it follows; NULL past the end.
RG_API const char* rg_solver_name(int index);
RG_API const char* rg_solver_summary(int index);
RG_API const char* rg_solver_reference(int index);
// One line per option of a solver: "name (default, range): help"; NULL past the end.
RG_API const char* rg_solver_option(int index, int option);

#ifdef __cplusplus
}
#endif
#endif
