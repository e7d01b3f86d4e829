// lcp.h - Lemke's method on a plain linear complementarity problem: 0 <= z, M z + q >= 0, both
// perpendicular, M any square matrix.
#ifndef SOLVE_PIVOT_LCP_H
#define SOLVE_PIVOT_LCP_H

#include "solve/pivot/lemke_basis.h"

typedef struct rgLcpReport {
  rgStatus status;      // RG_OK, RG_NO_SOLUTION (a ray), RG_NOT_CONVERGED (limit, or lost in
                        // rounding)
  int pivots;           // exchanges of one variable
  int refactorizations; // of the basis
  double operations;    // multiplications
} rgLcpReport;

// Bytes of workspace for n unknowns.
size_t rg_lcp_lemke_size(int n);

// Solves with M by columns. z is zero where there is no solution. A ray proves that there is none
// when M is copositive-plus (positive semidefinite matrices are).
rgStatus rg_lcp_lemke(int n, const double* m, const double* q, double* z, int pivot_limit,
                      void* work, rgLcpReport* report);

// The method itself, for callers that write M, scaled to numbers of order one, in place.
typedef struct rgLemke {
  int n;
  double *m, *q, *cover; // given: M by columns, q, and the covering vector d > 0
  // n flags of a mixed problem: rows with w = 0, whose z has any sign. NULL: none.
  const bool* free;
  double* z; // answer
  // Called before each pivot with the artificial variable relative to its first value; false ends
  // the run. NULL = never.
  bool (*proceed)(void* context, double artificial);
  void* context;
  rgLcpReport report;

  rgBasis basis;
  double* value;  // of the basic variables, by position
  double* column; // of the entering variable
  double* d;      // the same in terms of the basis
  int* tied;
} rgLemke;

void rg_lemke_carve(rgLemke* lemke, int n, rgCarver* carver);
// Overwrites q by q over its largest violation.
void rg_lemke_run(rgLemke* lemke);
// For problems that are small: tries every complementary set. True when one of them is a solution, which
// is then in z; otherwise there is none, but for sets whose matrix is singular.
enum { RG_LEMKE_ENUMERABLE = 12 };
bool rg_lemke_enumerate(rgLemke* lemke);

#endif
