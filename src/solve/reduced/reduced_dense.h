// reduced_dense.h - what the dense W of a reduced problem costs: its products, and elimination.
//
// Compiled for the plain instruction set of the target and for AVX2 (reduced_dense_avx2.c). Sums along rows
// are made in four lanes, those of rg_dot (math/cholesky.h), whatever the processor has, so that the bits are the same.
#ifndef SOLVE_REDUCED_REDUCED_DENSE_H
#define SOLVE_REDUCED_REDUCED_DENSE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rgReducedDense {
  // y = q + w x of n x n numbers.
  void (*multiply)(const double* w, int n, const double* q, const double* x, double* y);
  // w = ways ways' of n ways of `length` numbers, each a sum along the ways from their first numbers on; `turned` has
  // room for length + 1 rows of rg_reduced_dense_width(n) numbers.
  void (*products)(const double* ways, int n, int length, double* turned, double* w);
  // Gauss with row exchanges on n rows of rg_reduced_dense_width(n) numbers, of which the one behind the first n is
  // the right-hand side, and the answer; what comes behind it may be anything. False when a pivot is nothing.
  bool (*eliminate)(double* a, int n);
} rgReducedDense;

// Numbers along a row of `eliminate`: whole vectors of four.
static inline size_t rg_reduced_dense_width(int n) { return ((size_t)n + 4) & ~(size_t)3; }

const rgReducedDense* rg_reduced_dense(void); // the best that the processor has
const rgReducedDense* rg_reduced_dense_plain(void);
const rgReducedDense* rg_reduced_dense_avx2(void); // NULL where that does not exist

#endif
