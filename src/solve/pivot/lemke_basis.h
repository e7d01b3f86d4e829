// lemke_basis.h - the basis of the system I w - M z - d z0 = q and its inverse, kept up to date.
#ifndef SOLVE_PIVOT_LEMKE_BASIS_H
#define SOLVE_PIVOT_LEMKE_BASIS_H

#include "base/memory.h"

// Variables by number: w_j is j, z_j is n + j, z0 is 2 n.
typedef struct rgBasis {
  int n;
  const double* m;     // n x n, by columns
  const double* cover; // n, the column d of z0
  int* basic;          // n: the variable at each position of the basis
  int* position;       // 2 n + 1: where a variable is basic, or -1
  // The inverse by columns. Column j is a unit vector while w_j is basic; the others are stored.
  int stored_count;
  int* stored_of; // n: which stored column is column j, or -1
  int* row_of;    // n: the inverse of stored_of
  double* inverse;
  double *residual, *correction; // n each: scratch
  int* pending;                  // n: scratch of rg_lemke_basis_refactor
  int since_refactor;            // pivots
  double operations;             // multiplications so far
} rgBasis;

void rg_lemke_basis_carve(rgBasis* basis, int n, rgCarver* carver);
// All w basic.
void rg_lemke_basis_reset(rgBasis* basis);

// The column of a variable in the system.
void rg_lemke_basis_column(const rgBasis* basis, int variable, double* column);

// x = B^-1 c, by position; x and c do not overlap.
void rg_lemke_basis_solve(rgBasis* basis, const double* c, double* x);
// One step of iterative refinement of x = B^-1 c. Returns the largest component of c - B x before
// it, relative to the largest of c and x.
double rg_lemke_basis_refine(rgBasis* basis, const double* c, double* x);

// Makes `variable`, whose column is d = B^-1 c, basic at `place` instead of what is there.
void rg_lemke_basis_pivot(rgBasis* basis, int variable, int place, const double* d);

// Computes the inverse afresh by elimination with pivots chosen by size. Positions change. False
// when the basis is singular.
bool rg_lemke_basis_refactor(rgBasis* basis, double* d);

#endif
