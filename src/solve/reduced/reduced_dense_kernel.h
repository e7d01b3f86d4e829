// reduced_dense_kernel.h - the functions of reduced_dense.h; included by reduced_dense.c and reduced_dense_avx2.c,
// which differ in the instructions that the compiler may use.
#ifndef SOLVE_REDUCED_REDUCED_DENSE_KERNEL_H
#define SOLVE_REDUCED_REDUCED_DENSE_KERNEL_H

#include "solve/reduced/reduced_dense.h"

#include <math.h>
#include <string.h>

typedef double Four __attribute__((vector_size(32)));
typedef double FourMemory __attribute__((vector_size(32), aligned(8), may_alias));

// As rg_dot adds up.
static inline __attribute__((always_inline)) double dense_dot(const double* a, const double* b,
                                                              int n) {
  Four sum = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    sum += *(const FourMemory*)(a + i) * *(const FourMemory*)(b + i);
  double first = sum[0];
  for (; i < n; i++)
    first += a[i] * b[i];
  return (first + sum[2]) + (sum[1] + sum[3]);
}

static void dense_multiply(const double* w, int n, const double* q, const double* x, double* y) {
  for (int i = 0; i < n; i++)
    y[i] = q[i] + dense_dot(w + (size_t)i * (size_t)n, x, n);
}

// Row by row from the last one: the columns of all later ways, dof by dof, times what is not zero in this one. Most ways
// go from one link to the root of a tree of many.
static void dense_products(const double* ways, int n, int length, double* turned, double* w) {
  size_t width = (size_t)n, along = (size_t)length, wide = rg_reduced_dense_width(n);
  double* sums = turned + along * wide;
  memset(turned, 0, along * wide * sizeof *turned);
  for (size_t i = width; i-- > 0;) {
    const double* way = ways + i * along;
    size_t first = i & ~(size_t)3;
    for (size_t j = first; j < wide; j += 4)
      *(FourMemory*)(sums + j) = (Four){0, 0, 0, 0};
    for (size_t d = 0; d < along; d++) {
      if (way[d] == 0)
        continue;
      double* column = turned + d * wide;
      Four factors = {way[d], way[d], way[d], way[d]};
      column[i] = way[d];
      for (size_t j = first; j < wide; j += 4)
        *(FourMemory*)(sums + j) += factors * *(const FourMemory*)(column + j);
    }
    for (size_t j = i; j < width; j++)
      w[i * width + j] = w[j * width + i] = sums[j];
  }
}

static inline __attribute__((always_inline)) int largest_below(const double* a, int n, int k) {
  size_t width = rg_reduced_dense_width(n);
  int best = k;
  double most = fabs(a[(size_t)k * width + (size_t)k]);
  for (int i = k + 1; i < n; i++) {
    double size = fabs(a[(size_t)i * width + (size_t)k]);
    best = size > most ? i : best;
    most = size > most ? size : most;
  }
  return best;
}

static bool dense_eliminate(double* a, int n) {
  size_t width = rg_reduced_dense_width(n);
  for (int k = 0; k < n; k++) {
    double* pivot = a + (size_t)k * width;
    double* chosen = a + (size_t)largest_below(a, n, k) * width;
    size_t first = ((size_t)k + 1) & ~(size_t)3; // numbers before k + 1 are read no more
    if (!(fabs(chosen[k]) > 0) || !isfinite(chosen[k]))
      return false;
    double inverse = 1 / chosen[k];
    for (size_t j = (size_t)k & ~(size_t)3; j < width && chosen != pivot; j += 4) {
      Four keep = *(FourMemory*)(pivot + j);
      *(FourMemory*)(pivot + j) = *(FourMemory*)(chosen + j);
      *(FourMemory*)(chosen + j) = keep;
    }
    for (int i = k + 1; i < n; i++) {
      double *row = a + (size_t)i * width, factor = -(row[k] * inverse);
      Four factors = {factor, factor, factor, factor};
      if (factor == 0)
        continue;
      for (size_t j = first; j < width; j += 4)
        *(FourMemory*)(row + j) += factors * *(const FourMemory*)(pivot + j);
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    double *row = a + (size_t)k * width, sum = row[n];
    for (int j = k + 1; j < n; j++)
      sum -= row[j] * a[(size_t)j * width + (size_t)n];
    row[n] = sum / row[k];
  }
  return true;
}

#endif
