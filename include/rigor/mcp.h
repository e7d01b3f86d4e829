// mcp.h - mixed complementarity problems with a given Jacobian.
//
// Find x with lower <= x <= upper such that for each i
//
//     F_i(x) = 0 where x_i is between its bounds, F_i(x) >= 0 at the lower and F_i(x) <= 0 at the
//     upper one.
//
// Nonlinear equations (no bounds), nonlinear and linear complementarity problems (0 .. infinity)
// and box-constrained variational inequalities are special cases. The problem 0 <= x, x^2 - 2 >= 0,
// the two perpendicular, which sqrt(2) solves:
//
//     static void value(void* context, const double* x, double* f) { f[0] = x[0] * x[0] - 2; }
//     static void slope(void* context, const double* x, double* j) { j[0] = 2 * x[0]; }
//
//     double lower = 0, upper = INFINITY, x = 1;
//     rgMcp problem = {.count = 1, .lower = &lower, .upper = &upper, .function = value,
//                      .jacobian = slope};
//     rgMcpStop stop = rg_mcp_stop_default();
//     rgMcpReport report;
//     void* work = malloc(rg_mcp_work_size(&problem));
//     rg_mcp_solve(&problem, &stop, &x, work, &report, NULL);
//     free(work);
#ifndef RIGOR_MCP_H
#define RIGOR_MCP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

// A problem, by its functions. All arrays belong to the caller.
typedef struct rgMcp {
  int count;                   // unknowns, > 0
  const double *lower, *upper; // count each; -INFINITY and INFINITY where there is no bound
  void* context;               // handed to the functions
  // F and its Jacobian at x, which may lie outside the bounds. Where a value is not finite, the
  // solver takes a shorter step.
  void (*function)(void* context, const double* x, double* f);
  // dF_i/dx_j, column after column: all of them, or those of the pattern below.
  void (*jacobian)(void* context, const double* x, double* values);
  // Pattern in compressed columns: rows of column j are row[column_start[j] ..
  // column_start[j + 1]). NULL for a dense Jacobian.
  const int *column_start, *row;
} rgMcp;

// When to stop: the first condition that holds ends the solve.
typedef struct rgMcpStop {
  double tolerance;           // on the residual, in the units of x
  int iteration_limit;        // > 0
  const volatile int* cancel; // stop when it becomes non-zero; may be NULL
  double* history;            // receives the residual after each iteration; may be NULL
  int history_capacity;
} rgMcpStop;

typedef struct rgMcpReport {
  // RG_OK, RG_NOT_CONVERGED (iteration limit reached), RG_NO_SOLUTION (no descent from any start
  // that was tried: there is no solution, or it is out of reach), RG_CANCELLED, RG_ERROR_INPUT
  rgStatus status;
  int iterations;  // factorizations
  int evaluations; // of F
  int history_count;
  double residual; // largest |x - clamp(x - F(x), lower, upper)|
} rgMcpReport;

// Tolerance 1e-10, at most 500 iterations.
RG_API rgMcpStop rg_mcp_stop_default(void);
// Bytes of workspace that a solve needs, or 0 when the count is not positive.
RG_API size_t rg_mcp_work_size(const rgMcp* problem);
// Starts at x and leaves the best point found there, within the bounds. `work` has rg_mcp_work_size
// bytes; nothing is allocated. Returns report->status; `message` may be NULL.
RG_API rgStatus rg_mcp_solve(const rgMcp* problem, const rgMcpStop* stop, double* x, void* work,
                             rgMcpReport* report, rgMessage* message);

#ifdef __cplusplus
}
#endif
#endif
