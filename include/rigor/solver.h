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
  // Multiplications of numbers that form, factor and solve linear systems, and all others; counted by
  // dantzig and wilhelmsen, 0 for the rest.
  double linear_multiplications, other_multiplications;
  int history_count;  // numbers written to stop->history
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

// -------------------------------------------------------------------------------------------------
// The choice among solutions
// -------------------------------------------------------------------------------------------------

// Where contacts are redundant, many impulses solve a problem: the legs of a table may share its
// weight in many ways. The law of this project chooses those of contacts that yield alike, by ever
// less: impulses of what rests have the least norm among all that solve the problem, and the normal
// impulses of what slides are shared in the same way (docs/accuracy.md). A world makes this choice in
// every step; rg_solve leaves it to the caller.

// Bytes of workspace for the two functions below, whatever their alignment; 0 where the choice is
// not made: in local form, with polygonal cones, and for more than 1024 bodies.
RG_API size_t rg_solve_choice_size(const rgProblem* problem);

// Replaces a solution by the chosen one. `certificate` is that of the solution and becomes that of the
// chosen one, which meets the same tolerance with room or is about as good as it was; factorizations
// are added. False when the solution was left as it was: the choice was not found, is too expensive,
// or would be certified worse.
RG_API bool rg_solve_choose(const rgProblem* problem, rgSolution* solution, void* work,
                            rgCertificate* certificate);

// How far the impulse of each contact is a matter of choice: 0, up to rounding, where the problem
// determines it, otherwise a number up to about 1. Contacts without impulse count as determined.
// `freedom` has contact_count numbers. False when it is not known.
RG_API bool rg_solve_freedom(const rgProblem* problem, const rgSolution* solution, void* work,
                             double* freedom);
// A freedom above this is not rounding.
#define RG_FREEDOM_SEEN 1e-6

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
