// mcp.h - mixed complementarity problems with a given Jacobian.
//
// Find x with lower <= x <= upper such that for each i
//
//     F_i(x) = 0 where x_i is between its bounds, F_i(x) >= 0 at the lower and F_i(x) <= 0 at the
//     upper one.
//
// Nonlinear equations (no bounds), nonlinear and linear complementarity problems (0 .. infinity)
// and box-constrained variational inequalities are special cases.
#ifndef RIGOR_MCP_H
#define RIGOR_MCP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgMcp {
  int count;                   // unknowns
  const double *lower, *upper; // count each; -INFINITY and INFINITY where there is no bound
  void* context;               // handed to the functions
  // F and its Jacobian at x, which may lie outside the bounds. A value that is not finite makes the
  // solver take a shorter step.
  void (*function)(void* context, const double* x, double* f);
  // dF_i/dx_j, column after column: all of them, or those of the pattern below.
  void (*jacobian)(void* context, const double* x, double* values);
  // Pattern in compressed columns: rows of column j are row[column_start[j] ..
  // column_start[j + 1]). NULL for a dense Jacobian.
  const int *column_start, *row;
} rgMcp;

typedef struct rgMcpStop {
  double tolerance;           // on the residual, in its units
  int iteration_limit;        // > 0
  const volatile int* cancel; // not NULL: stop when it becomes non-zero
  double* history;            // not NULL: where to write the residual after each iteration
  int history_capacity;
} rgMcpStop;

typedef struct rgMcpReport {
  // RG_OK, RG_NOT_CONVERGED (budget), RG_NO_SOLUTION (no descent from any start that was tried:
  // either there is no solution or it is out of reach), RG_CANCELLED, RG_ERROR_INPUT
  rgStatus status;
  int iterations;  // factorizations
  int evaluations; // of F
  int history_count;
  double residual; // largest |x - clamp(x - F(x), lower, upper)|
} rgMcpReport;

// tolerance 1e-10, 500 iterations
RG_API rgMcpStop rg_mcp_stop_default(void);
// Bytes of workspace, or 0 when the count is not positive.
RG_API size_t rg_mcp_work_size(const rgMcp* problem);
// Starts at x and leaves the best point there, within the bounds. Never allocates.
RG_API rgStatus rg_mcp_solve(const rgMcp* problem, const rgMcpStop* stop, double* x, void* work,
                             rgMcpReport* report, rgMessage* message);

#ifdef __cplusplus
}
#endif
#endif
