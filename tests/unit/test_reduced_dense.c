// test_reduced_dense.c - products and elimination of the dense W of reduced problems, in all their variants.
#include "base/random.h"
#include "math/cholesky.h"
#include "solve/reduced/reduced_dense.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { MOST = 41, LENGTH = 35 };

static double number(uint64_t* state) { return 2 * rg_random_unit(state) - 1; }

static void fill(double* out, int count, uint64_t* state) {
  for (int i = 0; i < count; i++)
    out[i] = number(state);
}

// Rows of a system with the right-hand side behind them; `weak` leaves small numbers on the diagonal, so that rows have
// to be exchanged.
static void make_system(double* a, int n, bool weak, uint64_t* state) {
  size_t width = rg_reduced_dense_width(n);
  fill(a, n * (int)width, state);
  for (int i = 0; i < n; i++)
    a[(size_t)i * width + (size_t)i] *= weak ? 1e-9 : 1;
}

// What comes behind the right-hand side changes nothing: it is not a number here.
static void spoil(double* a, int n) {
  size_t width = rg_reduced_dense_width(n);
  for (int i = 0; i < n; i++)
    for (size_t j = (size_t)n + 1; j < width; j++)
      a[(size_t)i * width + j] = (double)NAN;
}

static void spoil_all(double* out, int count) {
  for (int i = 0; i < count; i++)
    out[i] = (double)NAN;
}

TEST(elimination_solves_systems_of_every_size) {
  static double a[MOST * (MOST + 4)], kept[MOST * (MOST + 4)];
  uint64_t state = 5;
  for (int n = 1; n < MOST; n++) {
    size_t width = rg_reduced_dense_width(n);
    make_system(a, n, n % 3 == 0, &state);
    if (n == 1)
      a[0] = 0.5;
    spoil(a, n);
    memcpy(kept, a, sizeof kept);
    CHECK(rg_reduced_dense()->eliminate(a, n));
    for (int i = 0; i < n; i++) {
      double sum = 0, size = 0;
      for (int j = 0; j < n; j++) {
        double term = kept[(size_t)i * width + (size_t)j] * a[(size_t)j * width + (size_t)n];
        sum += term;
        size += fabs(term);
      }
      // Backward error of Gauss with row exchanges: n times the growth of the numbers, which of random ones is
      // some n^(2/3).
      CHECK_NEAR(sum, kept[(size_t)i * width + (size_t)n], 1e-16 * n * n * (size + 1));
    }
  }
}

TEST(a_column_of_zeros_is_refused) {
  static double a[MOST * (MOST + 4)];
  uint64_t state = 7;
  for (int n = 1; n < MOST; n += 3) {
    size_t width = rg_reduced_dense_width(n);
    make_system(a, n, false, &state);
    for (int i = 0; i < n; i++)
      a[(size_t)i * width + (size_t)(n / 2)] = 0;
    CHECK(!rg_reduced_dense()->eliminate(a, n));
  }
}

// Ways of which all but a part of the numbers are zero, as those of a tree with several branches.
static void make_ways(double* ways, int n, int length, uint64_t* state) {
  fill(ways, n * length, state);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < length; k++)
      if (n % 2 == 0 && (k + i) % 3 > 0)
        ways[i * length + k] = 0;
}

static double sum_along(const double* a, const double* b, int length) {
  double sum = 0;
  for (int k = 0; k < length; k++)
    sum += a[k] * b[k];
  return sum;
}

TEST(products_are_those_of_plain_sums_to_the_bit) {
  static double ways[MOST * LENGTH], turned[(LENGTH + 1) * (MOST + 4)], w[MOST * MOST],
      other[MOST * MOST], x[MOST], q[MOST], y[MOST];
  uint64_t state = 11;
  for (int n = 1; n < MOST; n++) {
    int length = 1 + n % LENGTH;
    make_ways(ways, n, length, &state);
    fill(x, n, &state);
    fill(q, n, &state);
    rg_reduced_dense_plain()->products(ways, n, length, turned, other);
    spoil_all(turned, (LENGTH + 1) * (MOST + 4));
    rg_reduced_dense()->products(ways, n, length, turned, w);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        CHECK(w[i * n + j] == sum_along(ways + i * length, ways + j * length, length));
        CHECK(w[i * n + j] == other[i * n + j]);
      }
    rg_reduced_dense()->multiply(w, n, q, x, y);
    for (int i = 0; i < n; i++) // rg_dot says in which order its terms are added
      CHECK(y[i] == q[i] + rg_dot(w + i * n, x, n));
  }
}

TEST(all_processors_eliminate_to_the_same_bits) {
  static double a[MOST * (MOST + 4)], b[MOST * (MOST + 4)];
  uint64_t state = 13;
  for (int n = 1; n < MOST; n++) {
    size_t width = rg_reduced_dense_width(n);
    make_system(a, n, n % 2 == 0, &state);
    memcpy(b, a, sizeof b);
    bool good = rg_reduced_dense()->eliminate(a, n);
    CHECK(rg_reduced_dense_plain()->eliminate(b, n) == good);
    for (int i = 0; i < n && good; i++)
      CHECK(a[(size_t)i * width + (size_t)n] == b[(size_t)i * width + (size_t)n]);
  }
}
