// block_ldl_kernel.h - the factorization of block_ldl.c, compiled once for the plain instruction set of
// the target and once for AVX2, with equal bits.
#ifndef MATH_BLOCK_LDL_KERNEL_H
#define MATH_BLOCK_LDL_KERNEL_H

#include "math/block_kernel.h"
#include "math/block_ldl.h"

#include <math.h>

// Lower triangle of L with a = L L'; the reciprocal of each pivot stands on the diagonal.
static inline bool factor_diagonal(double* a) {
  for (int j = 0; j < RG_BLOCK; j++) {
    double pivot = a[j * RG_BLOCK + j];
    for (int k = 0; k < j; k++)
      pivot -= a[j * RG_BLOCK + k] * a[j * RG_BLOCK + k];
    if (!(pivot > 0))
      return false;
    double inverse = 1 / sqrt(pivot);
    a[j * RG_BLOCK + j] = inverse;
    for (int i = j + 1; i < RG_BLOCK; i++) {
      double sum = a[i * RG_BLOCK + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * RG_BLOCK + k] * a[j * RG_BLOCK + k];
      a[i * RG_BLOCK + j] = sum * inverse;
    }
  }
  return true;
}

static inline void transpose(const double* c, double* out) {
  for (int i = 0; i < RG_BLOCK; i++)
    for (int j = 0; j < RG_BLOCK; j++)
      out[j * RG_BLOCK + i] = c[i * RG_BLOCK + j];
}

// b = b L'^-1. The rows of b are independent of each other: as columns they are lanes.
static inline void scale_block(double* b, const double* l) {
  double x[RG_BLOCK_AREA];
  transpose(b, x);
#pragma GCC unroll 6
  for (int j = 0; j < RG_BLOCK; j++) {
    double* sum = x + j * RG_BLOCK;
#pragma GCC unroll 6
    for (int k = 0; k < j; k++)
      for (int i = 0; i < RG_BLOCK; i++)
        sum[i] -= x[k * RG_BLOCK + i] * l[j * RG_BLOCK + k];
    for (int i = 0; i < RG_BLOCK; i++)
      sum[i] *= l[j * RG_BLOCK + j];
  }
  transpose(x, b);
}

static inline bool ldl_factor(rgBlockMatrix* matrix) {
  int* place = matrix->scratch;
  for (int k = 0; k < matrix->count; k++) {
    double* pivot = matrix->diagonal + (size_t)k * RG_BLOCK_AREA;
    if (!factor_diagonal(pivot))
      return false;
    int first = matrix->column_start[k], last = matrix->column_start[k + 1];
    for (int i = first; i < last; i++)
      scale_block(matrix->lower + (size_t)i * RG_BLOCK_AREA, pivot);
    for (int j = first; j < last; j++) {
      int column = matrix->row[j];
      const double* right = matrix->lower + (size_t)j * RG_BLOCK_AREA;
      for (int p = matrix->column_start[column]; p < matrix->column_start[column + 1]; p++)
        place[matrix->row[p]] = p;
      double transposed[RG_BLOCK_AREA]; // so that products run along rows
      transpose(right, transposed);
      block_subtract(matrix->diagonal + (size_t)column * RG_BLOCK_AREA, right, transposed);
      for (int i = j + 1; i < last; i++)
        block_subtract(matrix->lower + (size_t)place[matrix->row[i]] * RG_BLOCK_AREA,
                       matrix->lower + (size_t)i * RG_BLOCK_AREA, transposed);
    }
  }
  return true;
}

#endif
