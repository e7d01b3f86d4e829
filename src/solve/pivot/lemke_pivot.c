// lemke_pivot.c - Lemke's complementary pivoting.
//
// Problem: 0 <= z, w = M z + q >= 0, z' w = 0.
//
// Method (Cline 2002, 2.7.1, eq. 2.35-2.39): with an artificial variable, w = M z + q + d z0, d >
// 0, all w are feasible for z0 large. z0 enters at the row that q violates most; from then on the
// complement of the variable that left enters, until z0 leaves (solved) or nothing blocks the
// entering variable (a ray: for copositive-plus M there is no solution).
//
// Which variable leaves:
// - Ratio test: the first basic variable to reach zero. Numbers of the entering column below
//   `smallest_pivot` of its largest are rounding, not pivots (4.8.3).
// - Ties, which degenerate contacts have by the dozen, are broken lexicographically: row i of (q,
//   I) in terms of the basis, divided by d_i, must be smallest. That is exact for ties, and for
//   near-ties Cline 2002 leaves the answer open: here variables that reach zero within `tie` of the
//   largest value count as tied, because that is what rounding makes of a tie, and they may end up
//   below zero by no more than that. z0 leaves whenever it is among the tied.
//
// Mixed problems (Cline 2002, 2.7.2): unknowns of any sign, whose rows are equations. They are made
// basic before the first pivot, never leave, may be negative, and take no part in the ratio test. For
// their matrix P this needs a pivot of sufficient size in every column; if P is singular the problem is
// lost.
//
// Numbers: unknowns are scaled by the caller or by rg_lcp_lemke, q by its largest violation, so
// that every tolerance is relative. The basis is updated (lemke_basis.c). Each solve with it is
// refined once, which keeps ties recognizable (without it rounding would choose the path) and shows
// when the inverse has drifted: then, and always before a ray is reported, it is computed afresh.
// The answer is refined with the last basis.
//
// Cost: about 4 n k multiplications per pivot with k basic z, k <= n; pivots are typically n to
// 3 n. Fails when M has no property that makes the method work (a ray although a solution exists,
// as for bimatrix games, where the first pivot is one whatever d; lemke_enumerate.c decides small
// ones), and when a basis on the path is singular to double precision.
#include "solve/pivot/lcp.h"

#include <math.h>
#include <string.h>

static const double smallest_pivot = 1e-10;
static const double tie = 1e-11;
// The same in the lexicographic comparison, relative to the largest number of a column of the
// inverse: what is zero in exact numbers must not decide by its rounding.
static const double lexico_tie = 1e-10;
// z0 below this part of its first value is zero.
static const double artificial_zero = 1e-14;
// Error of a solve with the updated inverse, relative: beyond it the inverse is computed afresh.
static const double drift_limit = 1e-9;
// A refinement that leaves less than this has converged.
static const double refined = 1e-15;
enum {
  VALUES_EVERY = 8, // pivots between computing the values of the basic variables from q
  REFINE_STEPS = 4
};

typedef enum Outcome { GOES_ON, SOLVED, RAY, LOST } Outcome;

void rg_lemke_carve(rgLemke* lemke, int n, rgCarver* carver) {
  size_t count = (size_t)n;
  memset(lemke, 0, sizeof *lemke);
  lemke->n = n;
  lemke->m = rg_carve(carver, count * count, sizeof(double));
  lemke->q = rg_carve(carver, count, sizeof(double));
  lemke->cover = rg_carve(carver, count, sizeof(double));
  lemke->z = rg_carve(carver, count, sizeof(double));
  lemke->value = rg_carve(carver, count, sizeof(double));
  lemke->column = rg_carve(carver, count, sizeof(double));
  lemke->d = rg_carve(carver, count, sizeof(double));
  lemke->tied = rg_carve(carver, count, sizeof(int));
  rg_lemke_basis_carve(&lemke->basis, n, carver);
}

// Values of the basic variables, from q.
static void find_values(rgLemke* lemke) {
  rg_lemke_basis_solve(&lemke->basis, lemke->q, lemke->value);
  for (int i = 0; i < REFINE_STEPS; i++)
    if (rg_lemke_basis_refine(&lemke->basis, lemke->q, lemke->value) <= refined)
      return;
}

static bool refactor(rgLemke* lemke) {
  lemke->report.refactorizations++;
  if (!rg_lemke_basis_refactor(&lemke->basis, lemke->d))
    return false;
  find_values(lemke);
  return true;
}

// The entering column in terms of the basis. False when the basis is lost.
static bool find_column(rgLemke* lemke, int entering) {
  rgBasis* basis = &lemke->basis;
  rg_lemke_basis_column(basis, entering, lemke->column);
  rg_lemke_basis_solve(basis, lemke->column, lemke->d);
  if (rg_lemke_basis_refine(basis, lemke->column, lemke->d) <= drift_limit)
    return true;
  if (!refactor(lemke))
    return false;
  rg_lemke_basis_solve(basis, lemke->column, lemke->d);
  rg_lemke_basis_refine(basis, lemke->column, lemke->d);
  return true;
}

static bool is_free(const rgLemke* lemke, int place) {
  int variable = lemke->basis.basic[place] - lemke->n;
  return lemke->free && variable >= 0 && variable < lemke->n && lemke->free[variable];
}

// Of the first `count` tied positions the one whose row of the inverse over d is least.
static int lexico_least(rgLemke* lemke, int count) {
  const rgBasis* basis = &lemke->basis;
  const double* d = lemke->d;
  int* tied = lemke->tied;
  for (int j = 0; j < lemke->n && count > 1; j++) {
    int stored = basis->stored_of[j], kept = 0;
    if (stored < 0) { // a unit vector: the row of w_j is greater than those of all others
      for (int k = 0; k < count; k++)
        if (tied[k] != basis->position[j])
          tied[kept++] = tied[k];
      count = kept;
      continue;
    }
    const double* column = basis->inverse + (size_t)stored * (size_t)lemke->n;
    double least = HUGE_VAL, noise = 0;
    for (int i = 0; i < lemke->n; i++)
      noise = fmax(noise, lexico_tie * fabs(column[i]));
    for (int k = 0; k < count; k++)
      least = fmin(least, column[tied[k]] / d[tied[k]]);
    for (int k = 0; k < count; k++)
      if (column[tied[k]] - least * d[tied[k]] <= noise)
        tied[kept++] = tied[k];
    count = kept;
  }
  int best = tied[0];
  for (int k = 1; k < count; k++)
    if (d[tied[k]] > d[best])
      best = tied[k];
  return best;
}

// The position that leaves, or -1 when nothing blocks.
static int ratio_test(rgLemke* lemke) {
  const double *d = lemke->d, *value = lemke->value;
  int n = lemke->n, artificial = lemke->basis.position[2 * n];
  double largest_d = 0, largest_value = 1, ratio = HUGE_VAL;
  for (int i = 0; i < n; i++) {
    if (is_free(lemke, i))
      continue;
    largest_d = fmax(largest_d, fabs(d[i]));
    largest_value = fmax(largest_value, fabs(value[i]));
  }
  double least_d = smallest_pivot * largest_d, slack = tie * largest_value;
  for (int i = 0; i < n; i++)
    if (d[i] > least_d && !is_free(lemke, i))
      ratio = fmin(ratio, fmax(value[i], 0) / d[i]);
  int count = 0;
  for (int i = 0; i < n; i++)
    if (d[i] > least_d && !is_free(lemke, i) && value[i] - ratio * d[i] <= slack) {
      if (i == artificial)
        return i;
      lemke->tied[count++] = i;
    }
  return count == 0 ? -1 : count == 1 ? lemke->tied[0] : lexico_least(lemke, count);
}

// How far z0 must be for the basic variable at a place; that of w is its own row.
static double shortfall(const rgLemke* lemke, int place) {
  int w = lemke->basis.basic[place];
  return w < lemke->n ? -lemke->value[place] / lemke->cover[w] : -HUGE_VAL;
}

// z0 enters where q is violated most; among equals the last row, as the lexicographic order asks.
static int first_place(const rgLemke* lemke) {
  int place = 0;
  for (int i = 1; i < lemke->n; i++)
    if (shortfall(lemke, i) >= shortfall(lemke, place) - tie)
      place = i;
  return place;
}

static void exchange(rgLemke* lemke, int entering, int place) {
  double step = fmax(lemke->value[place], 0) / lemke->d[place];
  for (int i = 0; i < lemke->n; i++)
    lemke->value[i] -= step * lemke->d[i];
  lemke->value[place] = step;
  rg_lemke_basis_pivot(&lemke->basis, entering, place, lemke->d);
  lemke->report.pivots++;
}

// One pivot; *entering becomes the complement of what left.
static Outcome step(rgLemke* lemke, int* entering) {
  int n = lemke->n;
  if (!find_column(lemke, *entering))
    return LOST;
  int place = ratio_test(lemke);
  if (place < 0 && lemke->basis.since_refactor > 0) {
    if (!refactor(lemke) || !find_column(lemke, *entering))
      return LOST;
    place = ratio_test(lemke);
  }
  if (place < 0)
    return RAY;
  int leaving = lemke->basis.basic[place];
  exchange(lemke, *entering, place);
  if (lemke->report.pivots % VALUES_EVERY == 0)
    find_values(lemke);
  *entering = leaving < n ? n + leaving : leaving - n;
  return leaving == 2 * n ? SOLVED : GOES_ON;
}

static Outcome pivot_to_the_end(rgLemke* lemke) {
  int n = lemke->n, artificial = 2 * n;
  int place = first_place(lemke), entering = n + lemke->basis.basic[place];
  // In terms of the basis: z0 is in the rows of w only.
  for (int i = 0; i < n; i++)
    lemke->d[i] = is_free(lemke, i) ? 0 : -lemke->cover[lemke->basis.basic[i]];
  double step0 = lemke->value[place] / lemke->d[place];
  for (int i = 0; i < n; i++)
    lemke->value[i] = i == place ? step0 : lemke->value[i] - step0 * lemke->d[i];
  rg_lemke_basis_pivot(&lemke->basis, artificial, place, lemke->d);
  lemke->report.pivots++;
  Outcome outcome = GOES_ON;
  while (outcome == GOES_ON) {
    double left = lemke->value[lemke->basis.position[artificial]];
    if (left <= artificial_zero)
      return SOLVED;
    if (lemke->proceed && !lemke->proceed(lemke->context, left))
      return LOST;
    outcome = step(lemke, &entering);
  }
  return outcome;
}

// z from the last basis.
static void finish(rgLemke* lemke, double size) {
  int n = lemke->n;
  rgBasis* basis = &lemke->basis;
  if (rg_lemke_basis_refine(basis, lemke->q, lemke->value) > drift_limit)
    refactor(lemke);
  find_values(lemke);
  for (int i = 0; i < n; i++)
    if (basis->basic[i] >= n && basis->basic[i] < 2 * n)
      lemke->z[basis->basic[i] - n] =
          size * (is_free(lemke, i) ? lemke->value[i] : fmax(lemke->value[i], 0));
}

// Makes the unknowns of any sign basic in place of the w of their rows. False when their matrix is
// singular.
static bool bring_in_free(rgLemke* lemke) {
  int n = lemke->n;
  rgBasis* basis = &lemke->basis;
  for (int j = 0; j < n; j++) {
    if (!lemke->free[j])
      continue;
    lemke->cover[j] = 0; // z0 is not in equations
    if (!find_column(lemke, n + j))
      return false;
    int place = -1;
    double largest = 0;
    for (int i = 0; i < n; i++) {
      largest = fmax(largest, fabs(lemke->d[i]));
      if (basis->basic[i] < n && lemke->free[basis->basic[i]] &&
          (place < 0 || fabs(lemke->d[i]) > fabs(lemke->d[place])))
        place = i;
    }
    if (!(fabs(lemke->d[place]) > smallest_pivot * largest))
      return false;
    rg_lemke_basis_pivot(basis, n + j, place, lemke->d);
    lemke->report.pivots++;
  }
  find_values(lemke);
  return true;
}

// The basis without z0. False when the unknowns of any sign have a singular matrix.
static bool start(rgLemke* lemke) {
  rgBasis* basis = &lemke->basis;
  basis->m = lemke->m;
  basis->cover = lemke->cover;
  basis->operations = 0;
  rg_lemke_basis_reset(basis);
  memcpy(lemke->value, lemke->q, (size_t)lemke->n * sizeof(double));
  return !lemke->free || bring_in_free(lemke);
}

void rg_lemke_run(rgLemke* lemke) {
  int n = lemke->n;
  memset(&lemke->report, 0, sizeof lemke->report);
  memset(lemke->z, 0, (size_t)n * sizeof(double));
  if (!start(lemke)) {
    lemke->report.status = RG_NOT_CONVERGED;
    return;
  }
  double size = 0;
  for (int i = 0; i < n; i++)
    size = fmax(size, shortfall(lemke, i));
  Outcome outcome = SOLVED; // by z = 0, when nothing is short
  if (size > 0) {
    for (int i = 0; i < n; i++) {
      lemke->q[i] /= size;
      lemke->value[i] /= size;
    }
    outcome = pivot_to_the_end(lemke);
  }
  if (outcome == SOLVED && (size > 0 || lemke->free))
    finish(lemke, size > 0 ? size : 1);
  lemke->report.status = outcome == SOLVED ? RG_OK
                         : outcome == RAY  ? RG_NO_SOLUTION
                                           : RG_NOT_CONVERGED;
  lemke->report.operations = lemke->basis.operations;
}

// -------------------------------------------------------------------------------------------------
// A problem given as it is
// -------------------------------------------------------------------------------------------------

typedef struct Limit {
  const rgLemke* lemke;
  int pivot_limit;
} Limit;

static bool within_limit(void* context, double artificial) {
  (void)artificial;
  const Limit* limit = context;
  return limit->lemke->report.pivots < limit->pivot_limit;
}

size_t rg_lcp_lemke_size(int n) {
  rgCarver carver = {NULL, 0};
  rgLemke lemke;
  rg_lemke_carve(&lemke, n, &carver);
  rg_carve(&carver, (size_t)n, sizeof(double));
  return carver.used + RG_ALIGNMENT;
}

// Scales such that the diagonal of S M S is one; a row without one is scaled by its largest number.
static void find_scales(int n, const double* m, double* scale) {
  for (int i = 0; i < n; i++) {
    double size = m[(size_t)i * (size_t)n + (size_t)i];
    if (!(size > 0)) {
      size = 0;
      for (int j = 0; j < n; j++)
        size = fmax(size, fmax(fabs(m[(size_t)i * (size_t)n + (size_t)j]),
                               fabs(m[(size_t)j * (size_t)n + (size_t)i])));
    }
    scale[i] = size > 0 ? 1 / sqrt(size) : 1;
  }
}

rgStatus rg_lcp_lemke(int n, const double* m, const double* q, double* z, int pivot_limit,
                      void* work, rgLcpReport* report) {
  rgCarver carver = {(char*)work + ((size_t) - (uintptr_t)work & (RG_ALIGNMENT - 1)), 0};
  rgLemke lemke;
  rg_lemke_carve(&lemke, n, &carver);
  double* scale = rg_carve(&carver, (size_t)n, sizeof(double));
  find_scales(n, m, scale);
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      size_t k = (size_t)j * (size_t)n + (size_t)i;
      lemke.m[k] = scale[i] * m[k] * scale[j];
    }
    lemke.q[j] = scale[j] * q[j];
    lemke.cover[j] = 1;
  }
  Limit limit = {&lemke, pivot_limit};
  lemke.proceed = within_limit;
  lemke.context = &limit;
  rg_lemke_run(&lemke);
  for (int i = 0; i < n; i++)
    z[i] = scale[i] * lemke.z[i];
  if (report)
    *report = lemke.report;
  return lemke.report.status;
}
