// rank.c - the rank of W, or of [G; H'] M^-1 [G' H], by QR with column pivoting.
//
// Problem: W is n x n, known by its columns: the velocities that unit impulses make when nothing
// moves freely. How many of the impulses do the velocities determine?
//
// Method: Householder reflections on the column with the largest rest, until that rest is below
// 1e3 eps times the first; columns and rows are scaled by the effective masses first, because
// impulses and moments differ in units (Golub & Van Loan, Matrix Computations, 5.4). The rests are
// computed afresh for every reflection, so that no cancellation spoils them. All of it runs along
// rows, two or more numbers at once.
//
// Cost: 5/3 n^3, n^2 numbers. The rank is a count of numbers above a threshold: a matrix whose
// singular values fall gradually to rounding has no clear one.
#include "cli/solve/rank.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Data in files carry a few digits less than a double: entries below this part of the largest are
// taken for rounding.
static const double noise = 1e3 * DBL_EPSILON;

// The unknowns of a problem: index < rows is a row, the others are components of contacts.
typedef struct Unknowns {
  int count;
  int* index; // row i as i, component k of contact c as rows + 4 c + k
} Unknowns;

static bool list_unknowns(const rgProblem* problem, Unknowns* unknowns) {
  int rows = problem->row_count;
  size_t most = (size_t)rows + 4 * (size_t)problem->contact_count;
  unknowns->count = 0;
  unknowns->index = malloc((most + 1) * sizeof *unknowns->index);
  if (!unknowns->index)
    return false;
  for (int i = 0; i < rows; i++)
    unknowns->index[unknowns->count++] = i;
  for (int c = 0; c < problem->contact_count; c++) {
    double e[4];
    rg_problem_axes(problem, c, e);
    for (int k = 0; k < 4; k++)
      if (e[k] > 0)
        unknowns->index[unknowns->count++] = rows + 4 * c + k;
  }
  return true;
}

// Impulses, the velocities that they make, and room for those of the bodies.
typedef struct Response {
  double *r, *lambda; // 4 per contact, 1 per row
  double *v, *u, *w;  // as rg_problem_apply writes them
} Response;

static bool make_response(const rgProblem* problem, Response* response) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  size_t velocities = rg_problem_velocity_count(problem);
  double* all = calloc(8 * contacts + 2 * rows + velocities + 1, sizeof *all);
  if (!all)
    return false;
  *response = (Response){.r = all, .lambda = all + 4 * contacts};
  response->u = response->lambda + rows;
  response->w = response->u + 4 * contacts;
  response->v = response->w + rows;
  return true;
}

// What one unknown has as impulse and as velocity.
static double* impulse(const Response* response, int rows, int index) {
  return index < rows ? &response->lambda[index] : &response->r[index - rows];
}

static double velocity(const Response* response, int rows, int index) {
  return index < rows ? response->w[index] : response->u[index - rows];
}

// Row after row, scaled to a unit diagonal.
static void fill(const rgProblem* problem, const Response* response, const Unknowns* unknowns,
                 double* a) {
  size_t n = (size_t)unknowns->count;
  int rows = problem->row_count;
  for (size_t j = 0; j < n; j++) {
    double* one = impulse(response, rows, unknowns->index[j]);
    *one = 1;
    rg_problem_apply(problem, response->r, response->lambda, response->v, response->u, response->w);
    for (size_t i = 0; i < n; i++)
      a[i * n + j] = velocity(response, rows, unknowns->index[i]);
    *one = 0;
  }
  for (size_t j = 0; j < n; j++) {
    double diagonal = a[j * n + j];
    double scale = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    for (size_t i = 0; i < n; i++) {
      a[i * n + j] *= scale;
      if (i != j)
        a[j * n + i] *= scale;
    }
    a[j * n + j] *= scale;
  }
}

static double norm2_from(const double* x, size_t first, size_t n) {
  double sum = 0;
  for (size_t i = first; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

// Makes the reflection of `x` from place k on, in place; returns its factor 2 / |x|^2.
static double reflect(double* x, size_t k, size_t n) {
  double length = sqrt(norm2_from(x, k, n));
  x[k] += x[k] < 0 ? -length : length;
  return 2 / norm2_from(x, k, n);
}

// Squares of the columns from k on, below and with row k.
static void measure_rests(const double* a, size_t k, size_t n, double* rest) {
  memset(rest, 0, n * sizeof *rest);
  for (size_t i = k; i < n; i++)
    for (size_t j = k; j < n; j++)
      rest[j] += a[i * n + j] * a[i * n + j];
}

// Reflects the columns after k, and measures what is left of them below row k. Along rows: each
// number of a row belongs to another column, so that several are done at once.
static void apply(double* a, const double* x, double factor, size_t k, size_t n, double* sum,
                  double* rest) {
  memset(sum, 0, n * sizeof *sum);
  memset(rest, 0, n * sizeof *rest);
  for (size_t i = k; i < n; i++)
    for (size_t j = k + 1; j < n; j++)
      sum[j] += x[i] * a[i * n + j];
  for (size_t j = k + 1; j < n; j++)
    sum[j] *= factor;
  for (size_t i = k + 1; i < n; i++) {
    double* row = a + i * n;
    for (size_t j = k + 1; j < n; j++) {
      row[j] -= sum[j] * x[i];
      rest[j] += row[j] * row[j];
    }
  }
}

// `work` has room for three columns.
static int qr_rank(double* a, size_t n, double* work) {
  double *rest = work, *sum = work + n, *x = work + 2 * n, first = 0;
  measure_rests(a, 0, n, rest);
  for (size_t k = 0; k < n; k++) {
    size_t best = k;
    for (size_t j = k; j < n; j++)
      if (rest[j] > rest[best])
        best = j;
    if (k == 0)
      first = rest[best];
    if (!(rest[best] > noise * noise * first))
      return (int)k;
    for (size_t i = 0; i < n; i++) {
      x[i] = a[i * n + best];
      a[i * n + best] = a[i * n + k];
      a[i * n + k] = x[i];
    }
    double factor = reflect(x, k, n);
    apply(a, x, factor, k, n, sum, rest);
  }
  return (int)n;
}

int cli_rank(const rgProblem* problem, int* unknowns) {
  Unknowns list;
  Response response = {0};
  int rank = -1;
  *unknowns = -1;
  if (list_unknowns(problem, &list)) {
    size_t n = (size_t)list.count;
    *unknowns = list.count;
    double* a = list.count <= CLI_RANK_MAX ? malloc((n * n + 3 * n + 1) * sizeof *a) : NULL;
    if (a && make_response(problem, &response)) {
      fill(problem, &response, &list, a);
      rank = qr_rank(a, n, a + n * n);
    }
    free(a);
  }
  free(response.r);
  free(list.index);
  return rank;
}
