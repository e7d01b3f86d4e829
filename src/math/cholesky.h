// cholesky.h - A = L L' of a dense matrix that grows and shrinks by one row and column at a time.
#ifndef MATH_CHOLESKY_H
#define MATH_CHOLESKY_H

#include "base/memory.h"

typedef struct rgCholesky {
  int count, capacity;
  double* lower; // row i at i * capacity
  double* turns; // scratch: 2 * capacity
} rgCholesky;

void rg_cholesky_carve(rgCholesky* cholesky, int capacity, rgCarver* carver);

// The pivot that appending the row (a, diagonal) would have: diagonal - a' A^-1 a. `a` is
// overwritten with what rg_cholesky_append takes.
double rg_cholesky_pivot(const rgCholesky* cholesky, double* a, double diagonal);
// Appends the row for which rg_cholesky_pivot was called; pivot > 0.
void rg_cholesky_append(rgCholesky* cholesky, const double* a, double pivot);
// Takes row and column `index` out.
void rg_cholesky_remove(rgCholesky* cholesky, int index);
// Factors in place the lower triangle that was written to `lower`, of order `count`. Returns the
// number of rows before the first pivot that is not greater than `least` >= 0, `count` when there
// is none.
int rg_cholesky_factor(rgCholesky* cholesky, int count, double least);
// x = A^-1 x
void rg_cholesky_solve(const rgCholesky* cholesky, double* x);

// Sum of a_i b_i, in an order that lets the processor work on four terms at a time.
static inline double rg_dot(const double* a, const double* b, int n) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    s0 += a[i] * b[i];
    s1 += a[i + 1] * b[i + 1];
    s2 += a[i + 2] * b[i + 2];
    s3 += a[i + 3] * b[i + 3];
  }
  for (; i < n; i++)
    s0 += a[i] * b[i];
  return (s0 + s2) + (s1 + s3);
}

// y += s x
static inline void rg_axpy(double* restrict y, double s, const double* restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}

#endif
