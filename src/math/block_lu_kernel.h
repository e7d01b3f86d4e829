// block_lu_kernel.h - the factorization of block_lu.c, compiled once for the plain instruction set of the
// target and once for AVX2, with equal bits: every number is made by the same operations in the
// same order, one per lane.
#ifndef MATH_BLOCK_LU_KERNEL_H
#define MATH_BLOCK_LU_KERNEL_H

#include "math/block_kernel.h"
#include "math/block_lu.h"

#include <float.h>
#include <math.h>

// Replaces the block by its inverse: Gauss-Jordan with row exchanges. False when a pivot vanishes
// against the block's largest number.
static inline bool invert(double* a, int n) {
  double work[RG_LU_SIZE_MAX][2 * RG_LU_SIZE_MAX], largest = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      work[i][j] = a[i * n + j];
      work[i][n + j] = i == j ? 1 : 0;
      largest = fabs(work[i][j]) > largest ? fabs(work[i][j]) : largest;
    }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(work[i][k]) > fabs(work[best][k]))
        best = i;
    if (!(fabs(work[best][k]) > DBL_EPSILON * largest))
      return false;
    for (int j = 0; j < 2 * n && best != k; j++) {
      double keep = work[k][j];
      work[k][j] = work[best][j];
      work[best][j] = keep;
    }
    double inverse = 1 / work[k][k];
    for (int j = 0; j < 2 * n; j++)
      work[k][j] *= inverse;
    for (int i = 0; i < n; i++) {
      double factor = work[i][k];
      for (int j = 0; j < 2 * n && i != k; j++)
        work[i][j] -= factor * work[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i * n + j] = work[i][n + j];
  return true;
}

// a = a b
static inline void multiply(double* a, const double* b, int n) {
  for (int i = 0; i < n; i++) {
    double row[RG_LU_SIZE_MAX];
    for (int j = 0; j < n; j++)
      row[j] = a[i * n + j];
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += row[k] * b[k * n + j];
      a[i * n + j] = sum;
    }
  }
}

// a -= b c
static inline void subtract(double* a, const double* b, const double* c, int n) {
  if (n == RG_KERNEL_SIZE) {
    block_subtract(a, b, c);
    return;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += b[i * n + k] * c[k * n + j];
      a[i * n + j] -= sum;
    }
}

static inline void update_from(rgBlockLu* lu, int first, int last, int n) {
  size_t area = (size_t)(n * n);
  int* place = lu->scratch;
  for (int q = first; q < last; q++) {
    int j = lu->later[q];
    if (lu->idle[j])
      continue;
    const double *lower_j = lu->lower + (size_t)q * area, *upper_j = lu->upper + (size_t)q * area;
    subtract(lu->diagonal + (size_t)j * area, lower_j, upper_j, n);
    for (int p = lu->start[j]; p < lu->start[j + 1]; p++)
      place[lu->later[p]] = p;
    for (int p = q + 1; p < last; p++) {
      int i = lu->later[p];
      if (lu->idle[i])
        continue;
      size_t at = (size_t)place[i] * area;
      subtract(lu->lower + at, lu->lower + (size_t)p * area, upper_j, n);
      subtract(lu->upper + at, lower_j, lu->upper + (size_t)p * area, n);
    }
  }
}

static inline bool lu_factor(rgBlockLu* lu, int n) {
  size_t area = (size_t)(n * n);
  for (int k = 0; k < lu->count; k++) {
    if (lu->idle[k])
      continue;
    double* pivot = lu->diagonal + (size_t)k * area;
    if (!invert(pivot, n))
      return false;
    int first = lu->start[k], last = lu->start[k + 1];
    for (int p = first; p < last; p++)
      if (!lu->idle[lu->later[p]])
        multiply(lu->lower + (size_t)p * area, pivot, n);
    update_from(lu, first, last, n);
  }
  return true;
}

#endif
