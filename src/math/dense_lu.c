// dense_lu.c - Gaussian elimination by 3 x 3 blocks on rows with their right-hand side.
//
// Block row k with the inverse P of its pivot block: for every later block row i, F = A_ik P and
// A_ij -= F A_kj over the rest of the row, right-hand side included; three rows are updated by
// three others at once, in pairs of numbers, so that most time goes into multiplications. L is not
// kept. Then the answer is found from the last row up.
//
// There is no pivoting between blocks. Inside a pivot block the inverse is that of Gauss-Jordan
// with row exchanges.
//
// Cost: 9 n^3 multiplications for n block rows.
#include "math/dense_lu.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Two doubles at any address of a double; additions stay apart, so that results do not depend on
// how many fit into a register.
typedef double Pair __attribute__((vector_size(16)));
typedef double PairMemory __attribute__((vector_size(16), aligned(8), may_alias));

static inline Pair load(const double* x) { return *(const PairMemory*)x; }
static inline void store(double* x, Pair value) { *(PairMemory*)x = value; }

// Right-hand side, and what is read beyond it in pairs.
static int width_of(int count) { return 3 * count + 2; }

void rg_dense_lu_carve(rgDenseLu* lu, int count_limit, rgCarver* carver) {
  size_t n = (size_t)count_limit;
  *lu = (rgDenseLu){.count_limit = count_limit};
  lu->a = rg_carve(carver, 3 * n * (size_t)width_of(count_limit), sizeof(double));
}

void rg_dense_lu_start(rgDenseLu* lu, int count) {
  lu->count = count;
  lu->width = width_of(count);
  memset(lu->a, 0, 3 * (size_t)count * (size_t)lu->width * sizeof(double));
}

// One column of Gauss-Jordan on (A | B): the row of the largest number of column k becomes row k.
static inline bool clear_column(double a[3][6], int k, double least) {
  int best = k;
  for (int i = k + 1; i < 3; i++)
    if (fabs(a[i][k]) > fabs(a[best][k]))
      best = i;
  if (!(fabs(a[best][k]) > least))
    return false;
  if (best != k)
    for (int j = 0; j < 6; j++) {
      double keep = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = keep;
    }
  double inverse = 1 / a[k][k];
  for (int j = k + 1; j < 6; j++)
    a[k][j] *= inverse;
  for (int i = 0; i < 3; i++)
    for (int j = k + 1; j < 6 && i != k; j++)
      a[i][j] -= a[i][k] * a[k][j];
  return true;
}

// p = the inverse of the block at `a`. False when it is singular.
static bool invert(const double* a, int width, double p[9]) {
  double work[3][6] = {{a[0], a[1], a[2], 1, 0, 0},
                       {a[width], a[width + 1], a[width + 2], 0, 1, 0},
                       {a[2 * width], a[2 * width + 1], a[2 * width + 2], 0, 0, 1}};
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      largest = fabs(work[i][j]) > largest ? fabs(work[i][j]) : largest;
  double least = DBL_EPSILON * largest;
  if (!clear_column(work, 0, least) || !clear_column(work, 1, least) ||
      !clear_column(work, 2, least))
    return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      p[3 * i + j] = work[i][3 + j];
  return true;
}

// Rows i .. i + 2 -= (their block below the pivot) P (rows k .. k + 2), from column `from` on.
static inline void update(double* rows, const double* pivot_rows, const double p[9], int width,
                          int column, int from) {
  double f[3][3];
  for (int a = 0; a < 3; a++) {
    const double* row = rows + a * width + column;
    for (int b = 0; b < 3; b++)
      f[a][b] = row[0] * p[b] + row[1] * p[3 + b] + row[2] * p[6 + b];
  }
  const double *x = pivot_rows, *y = pivot_rows + width, *z = pivot_rows + 2 * width;
  double *r0 = rows, *r1 = rows + width, *r2 = rows + 2 * width;
  for (int j = from; j < width - 1; j += 2) {
    Pair xj = load(x + j), yj = load(y + j), zj = load(z + j);
    store(r0 + j, load(r0 + j) - f[0][0] * xj - f[0][1] * yj - f[0][2] * zj);
    store(r1 + j, load(r1 + j) - f[1][0] * xj - f[1][1] * yj - f[1][2] * zj);
    store(r2 + j, load(r2 + j) - f[2][0] * xj - f[2][1] * yj - f[2][2] * zj);
  }
}

// Right-hand side of block row k minus what the later unknowns bring, times the inverse of the
// pivot block, which is kept in its place.
static inline void substitute(const rgDenseLu* lu, int k) {
  int width = lu->width, last = 3 * lu->count;
  double* rows = rg_dense_lu_at(lu, k, 0);
  double sum[3];
  for (int a = 0; a < 3; a++)
    sum[a] = rows[a * width + last];
  for (int j = 3 * k + 3; j < last; j++) {
    double x = lu->a[(size_t)j * (size_t)width + (size_t)last];
    for (int a = 0; a < 3; a++)
      sum[a] -= rows[a * width + j] * x;
  }
  for (int a = 0; a < 3; a++) {
    const double* p = rows + a * width + 3 * k;
    rows[a * width + last] = p[0] * sum[0] + p[1] * sum[1] + p[2] * sum[2];
  }
}

bool rg_dense_lu_solve(rgDenseLu* lu) {
  int width = lu->width;
  for (int k = 0; k < lu->count; k++) {
    double p[9], *pivot = rg_dense_lu_at(lu, k, k), *rows = rg_dense_lu_at(lu, k, 0);
    if (!invert(pivot, width, p))
      return false;
    for (int i = k + 1; i < lu->count; i++)
      update(rg_dense_lu_at(lu, i, 0), rows, p, width, 3 * k, 3 * k + 3);
    for (int a = 0; a < 3; a++)
      memcpy(pivot + a * width, p + 3 * a, 3 * sizeof(double));
  }
  for (int k = lu->count - 1; k >= 0; k--)
    substitute(lu, k);
  return true;
}
