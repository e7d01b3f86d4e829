// dense_lu.h - small dense systems of 3 x 3 blocks with one right-hand side.
//
// For matrices of the kind of block_lu.h that are too small or too full for sparsity to pay. Rows
// are contiguous, with the right-hand side as their last column; pivots are the diagonal blocks.
#ifndef MATH_DENSE_LU_H
#define MATH_DENSE_LU_H

#include "base/memory.h"

typedef struct rgDenseLu {
  int count_limit; // block rows there is room for
  int count;       // block rows
  int width;       // numbers along a row, right-hand side and padding included
  double* a;
} rgDenseLu;

void rg_dense_lu_carve(rgDenseLu* lu, int count_limit, rgCarver* carver);

// Begins a system of `count` block rows; everything is zero.
void rg_dense_lu_start(rgDenseLu* lu, int count);

// The block (i, j): its rows are lu->width numbers apart.
static inline double* rg_dense_lu_at(const rgDenseLu* lu, int i, int j) {
  return lu->a + 3 * (size_t)i * (size_t)lu->width + 3 * (size_t)j;
}
// Component k of block i of the right-hand side, and after solving of the answer.
static inline double* rg_dense_lu_right(const rgDenseLu* lu, int i, int k) {
  return lu->a + (3 * (size_t)i + (size_t)k) * (size_t)lu->width + 3 * (size_t)lu->count;
}

// Eliminates in place. False when a pivot block is singular to working precision.
bool rg_dense_lu_solve(rgDenseLu* lu);

#endif
