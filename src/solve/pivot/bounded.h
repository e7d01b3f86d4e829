// bounded.h - frictionless contacts and rows as one list of unknowns with bounds, for the solvers that
// exchange them in and out of a set.
//
//     lower <= x <= upper,   w = W x + q,   w = 0 between the bounds, >= 0 at the lower, <= 0 at
//     the upper one
//
// Unknowns are scaled such that the diagonal of W is one. Rows without bounds come first.
#ifndef SOLVE_PIVOT_BOUNDED_H
#define SOLVE_PIVOT_BOUNDED_H

#include "problem/delassus.h"
#include "solve/solver.h"

typedef struct rgBounded {
  const rgProblem* problem;
  int count;
  int* source;             // contact, or -1 - row
  rgDirection* directions; // scaled; body form only
  double* scale;           // impulse = scale * x
  double *lower, *upper;
  double* start;      // of x: zero, or the bound next to it
  double* q;          // w at x = 0
  double* compliance; // scaled, part of the diagonal of W
} rgBounded;

// RG_OK, or RG_ERROR_UNSUPPORTED with a message of the solver `name`.
rgStatus rg_bounded_accepts(const rgProblem* problem, const char* name, rgMessage* message);
void rg_bounded_carve(rgBounded* box, const rgProblem* problem, rgCarver* carver);
// Fills everything; solution is scratch.
void rg_bounded_build(rgBounded* box, rgSolution* solution);
// The impulses x as a solution.
void rg_bounded_store(const rgBounded* box, const double* x, rgSolution* solution);

// How far x misses its law for the velocity w: the part of w that should not be.
static inline double rg_bounded_violation(const rgBounded* box, int i, double x, double w) {
  if (w < 0)
    return x < box->upper[i] ? -w : 0;
  return x > box->lower[i] ? w : 0;
}

#endif
