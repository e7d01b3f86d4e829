// dense.h - problems of rows alone as dense matrices, for brute-force answers in tests.
//
// A = G M^-1 G' + C and b = G v_free + bias, so that w = A lambda + b.
#ifndef SUPPORT_DENSE_H
#define SUPPORT_DENSE_H

#include "problem/operator.h"

#include <stdlib.h>
#include <string.h>

typedef struct Dense {
  int n;
  double* a; // n x n, row-major
  double* b;
} Dense;

static inline double dense_couple(const rgProblem* problem, int body, rgTwist x, rgTwist y) {
  if (body < 0)
    return 0;
  return twist_dot(x, rg_mass_response(problem, body, y));
}

static inline Dense dense_of(const rgProblem* problem) {
  int n = problem->row_count;
  Dense dense = {n, calloc((size_t)(n * n) + 1, sizeof(double)),
                 calloc((size_t)n + 1, sizeof(double))};
  for (int i = 0; i < n; i++) {
    const rgProblemRow* x = &problem->rows[i];
    const int body_x[2] = {x->body_a, x->body_b};
    const rgTwist g_x[2] = {x->g_a, x->g_b};
    dense.b[i] = x->bias;
    for (int s = 0; s < 2; s++)
      if (body_x[s] >= 0)
        dense.b[i] += v3_dot(g_x[s].linear, problem->bodies[body_x[s]].v_free.linear) +
                      v3_dot(g_x[s].angular, problem->bodies[body_x[s]].v_free.angular);
    for (int j = 0; j < n; j++) {
      const rgProblemRow* y = &problem->rows[j];
      const int body_y[2] = {y->body_a, y->body_b};
      const rgTwist g_y[2] = {y->g_a, y->g_b};
      double sum = i == j ? x->compliance : 0;
      for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++)
          if (body_x[s] == body_y[t])
            sum += dense_couple(problem, body_x[s], g_x[s], g_y[t]);
      dense.a[i * n + j] = sum;
    }
  }
  return dense;
}

static inline void dense_free(Dense* dense) {
  free(dense->a);
  free(dense->b);
}

// Gauss elimination with complete pivoting of a copy of the n x n matrix `a`: x with a x = b for a
// regular matrix, the basic solution (zeros for what the pivots leave over) otherwise. Returns the
// rank: pivots above `small` times the largest number of the matrix.
static inline int dense_solve(int n, const double* a, const double* b, double small, double* x) {
  double* m = malloc((size_t)(n * (n + 1)) * sizeof(double));
  int* column = malloc((size_t)n * sizeof(int));
  double largest = 0;
  for (int i = 0; i < n; i++) {
    column[i] = i;
    for (int j = 0; j < n; j++) {
      m[i * (n + 1) + j] = a[i * n + j];
      largest = fmax(largest, fabs(a[i * n + j]));
    }
    m[i * (n + 1) + n] = b[i];
  }
  int rank = 0;
  for (; rank < n; rank++) {
    int row = rank, col = rank;
    for (int i = rank; i < n; i++)
      for (int j = rank; j < n; j++)
        if (fabs(m[i * (n + 1) + j]) > fabs(m[row * (n + 1) + col])) {
          row = i;
          col = j;
        }
    if (fabs(m[row * (n + 1) + col]) <= small * largest)
      break;
    for (int j = 0; j <= n; j++) {
      double t = m[row * (n + 1) + j];
      m[row * (n + 1) + j] = m[rank * (n + 1) + j];
      m[rank * (n + 1) + j] = t;
    }
    for (int i = 0; i < n; i++) {
      double t = m[i * (n + 1) + col];
      m[i * (n + 1) + col] = m[i * (n + 1) + rank];
      m[i * (n + 1) + rank] = t;
    }
    int index = column[col];
    column[col] = column[rank];
    column[rank] = index;
    for (int i = rank + 1; i < n; i++) {
      double f = m[i * (n + 1) + rank] / m[rank * (n + 1) + rank];
      for (int j = rank; j <= n; j++)
        m[i * (n + 1) + j] -= f * m[rank * (n + 1) + j];
    }
  }
  memset(x, 0, (size_t)n * sizeof(double));
  for (int i = rank - 1; i >= 0; i--) {
    double sum = m[i * (n + 1) + n];
    for (int j = i + 1; j < rank; j++)
      sum -= m[i * (n + 1) + j] * x[column[j]];
    x[column[i]] = sum / m[i * (n + 1) + i];
  }
  free(m);
  free(column);
  return rank;
}

#endif
