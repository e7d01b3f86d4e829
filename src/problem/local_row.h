// local_row.h - one row of blocks of the local form times a vector, where most of the time of
// solvers on small problems goes.
//
// Every product of a block has its own sum, so that additions do not wait for each other; the sums
// of a row are added up at its end. The order of additions is fixed, and the same with and without
// vectors of two.
#ifndef PROBLEM_LOCAL_ROW_H
#define PROBLEM_LOCAL_ROW_H

#include <stddef.h>

typedef double rgTwo __attribute__((vector_size(16)));
// Two doubles at any address of a double.
typedef double rgTwoInMemory __attribute__((vector_size(16), aligned(8), may_alias));

#define RG_ROW_INLINE static inline __attribute__((always_inline))

RG_ROW_INLINE rgTwo rg_two(const double* x) { return *(const rgTwoInMemory*)x; }

// The blocks of one row: `count` of them from `values`, of the columns `column`.
typedef struct rgLocalRow {
  const double* values;
  const int* column;
  int count;
} rgLocalRow;

RG_ROW_INLINE void rg_local_row_of_3(rgLocalRow row, const double* x, int stride, double* u) {
  rgTwo a = {0, 0}, b = {0, 0}, c = {0, 0}, d = {0, 0};
  double e = 0;
  const double* w = row.values;
  for (int k = 0; k < row.count; k++, w += 9) {
    const double* y = x + (size_t)row.column[k] * (size_t)stride;
    rgTwo first = rg_two(y), last = rg_two(y + 1), across = {last[1], first[0]};
    a += rg_two(w) * first;
    b += rg_two(w + 2) * across;
    c += rg_two(w + 4) * last;
    d += rg_two(w + 6) * first;
    e += w[8] * last[1];
  }
  u[0] += (a[0] + a[1]) + b[0];
  u[1] += (b[1] + c[0]) + c[1];
  u[2] += (d[0] + d[1]) + e;
}

// u += the row times x, which has `stride` numbers per contact; `block` is a constant where this is
// inlined.
RG_ROW_INLINE void rg_local_row_add(rgLocalRow row, int block, const double* x, int stride,
                                    double* u) {
  if (block == 3) {
    rg_local_row_of_3(row, x, stride, u);
    return;
  }
  double sum[16] = {0};
  for (int k = 0; k < row.count; k++) {
    const double* w = row.values + (size_t)k * (size_t)(block * block);
    const double* y = x + (size_t)row.column[k] * (size_t)stride;
    for (int i = 0; i < block * block; i++)
      sum[i] += w[i] * y[i % block];
  }
  for (int a = 0; a < block; a++) {
    double total = sum[a * block];
    for (int b = 1; b < block; b++)
      total += sum[a * block + b];
    u[a] += total;
  }
}

// The same for the normal component alone.
RG_ROW_INLINE double rg_local_row_normal(rgLocalRow row, int block, const double* x, int stride) {
  double sum[4] = {0};
  for (int k = 0; k < row.count; k++) {
    const double* w = row.values + (size_t)k * (size_t)(block * block);
    const double* y = x + (size_t)row.column[k] * (size_t)stride;
    for (int b = 0; b < block; b++)
      sum[b] += w[b] * y[b];
  }
  double total = sum[0];
  for (int b = 1; b < block; b++)
    total += sum[b];
  return total;
}

#endif
