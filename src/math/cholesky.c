// cholesky.c - a Cholesky factor with rows appended and removed.
//
// Appending solves one triangular system. Removing row k leaves the rows below it with one number
// beyond the diagonal each; plane rotations of neighbouring columns bring them back (Golub, Van
// Loan, 12.5). Both cost about count^2 multiplications and are as stable as factoring afresh.
#include "math/cholesky.h"

#include <math.h>
#include <string.h>

void rg_cholesky_carve(rgCholesky* cholesky, int capacity, rgCarver* carver) {
  size_t n = (size_t)capacity;
  cholesky->count = 0;
  cholesky->capacity = capacity;
  cholesky->lower = rg_carve(carver, n * n, sizeof(double));
  cholesky->turns = rg_carve(carver, 2 * n, sizeof(double));
}

static double* row_of(const rgCholesky* cholesky, int i) {
  return cholesky->lower + (size_t)i * (size_t)cholesky->capacity;
}

static void forward(const rgCholesky* cholesky, double* x) {
  for (int i = 0; i < cholesky->count; i++) {
    const double* l = row_of(cholesky, i);
    x[i] = (x[i] - rg_dot(l, x, i)) / l[i];
  }
}

double rg_cholesky_pivot(const rgCholesky* cholesky, double* a, double diagonal) {
  forward(cholesky, a);
  return diagonal - rg_dot(a, a, cholesky->count);
}

void rg_cholesky_append(rgCholesky* cholesky, const double* a, double pivot) {
  int n = cholesky->count++;
  double* l = row_of(cholesky, n);
  memcpy(l, a, (size_t)n * sizeof(double));
  l[n] = sqrt(pivot);
}

void rg_cholesky_remove(rgCholesky* cholesky, int index) {
  int n = --cholesky->count;
  double *cosine = cholesky->turns, *sine = cosine + cholesky->capacity;
  for (int i = index; i < n; i++) {
    double* l = row_of(cholesky, i);
    memcpy(l, row_of(cholesky, i + 1), (size_t)(i + 2) * sizeof(double));
    for (int j = index; j < i; j++) {
      double a = l[j], b = l[j + 1];
      l[j] = cosine[j] * a + sine[j] * b;
      l[j + 1] = cosine[j] * b - sine[j] * a;
    }
    double a = l[i], b = l[i + 1], length = sqrt(a * a + b * b);
    cosine[i] = length > 0 ? a / length : 1;
    sine[i] = length > 0 ? b / length : 0;
    l[i] = length;
  }
}

int rg_cholesky_factor(rgCholesky* cholesky, int count, double least) {
  cholesky->count = 0;
  for (int i = 0; i < count; i++) {
    double* l = row_of(cholesky, i);
    double pivot = rg_cholesky_pivot(cholesky, l, l[i]);
    if (!(pivot > least))
      break;
    l[i] = sqrt(pivot);
    cholesky->count++;
  }
  return cholesky->count;
}

void rg_cholesky_solve(const rgCholesky* cholesky, double* x) {
  forward(cholesky, x);
  for (int i = cholesky->count - 1; i >= 0; i--) {
    const double* l = row_of(cholesky, i);
    x[i] /= l[i];
    rg_axpy(x, -x[i], l, i);
  }
}
