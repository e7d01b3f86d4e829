// rank.c - the rank of W, or of [G; H'] M^-1 [G' H], by QR with column pivoting.
//
// Problem: W is n x n, known by its columns: the velocities that unit impulses make when nothing
// moves freely. How many of the impulses do the velocities determine?
//
// Method: Householder reflections on the column with the largest rest, until that rest is below
// n eps times the first; columns and rows are scaled by the effective masses first, because
// impulses and moments differ in units (Golub & Van Loan, Matrix Computations, 5.4). The rests are
// computed afresh for every reflection, so that no cancellation spoils them.
//
// Cost: 5/3 n^3, n^2 numbers. The rank is a count of numbers above a threshold: a matrix whose
// singular values fall gradually to rounding has no clear one.
#include "cli/rank.h"

#include "problem/operator.h"

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
    rg_contact_axes(problem, &problem->contacts[c], e);
    for (int k = 0; k < 4; k++)
      if (e[k] > 0)
        unknowns->index[unknowns->count++] = rows + 4 * c + k;
  }
  return true;
}

// The problem without free motion, so that velocities are linear in the impulses.
typedef struct Still {
  rgProblem problem;
  rgProblemBody* bodies;
  rgProblemContact* contacts;
  rgProblemRow* rows;
  rgSolution solution;
} Still;

static bool make_still(const rgProblem* from, Still* still) {
  size_t bodies = (size_t)from->body_count, contacts = (size_t)from->contact_count;
  size_t rows = (size_t)from->row_count;
  *still = (Still){.problem = *from,
                   .bodies = calloc(bodies + 1, sizeof *still->bodies),
                   .contacts = calloc(contacts + 1, sizeof *still->contacts),
                   .rows = calloc(rows + 1, sizeof *still->rows),
                   .solution = {calloc(6 * bodies + 4 * contacts + 1, sizeof(double)),
                                calloc(4 * contacts + 1, sizeof(double)),
                                calloc(rows + 1, sizeof(double))}};
  if (!still->bodies || !still->contacts || !still->rows || !still->solution.v ||
      !still->solution.r || !still->solution.lambda)
    return false;
  for (size_t i = 0; i < bodies; i++) {
    still->bodies[i] = from->bodies[i];
    still->bodies[i].v_free = (rgTwist){v3_zero(), v3_zero()};
  }
  for (size_t i = 0; i < contacts; i++) {
    still->contacts[i] = from->contacts[i];
    memset(still->contacts[i].bias, 0, sizeof still->contacts[i].bias);
  }
  for (size_t i = 0; i < rows; i++) {
    still->rows[i] = from->rows[i];
    still->rows[i].bias = 0;
  }
  still->problem.bodies = still->bodies;
  still->problem.contacts = still->contacts;
  still->problem.rows = still->rows;
  return true;
}

static void free_still(Still* still) {
  free(still->bodies);
  free(still->contacts);
  free(still->rows);
  free(still->solution.v);
  free(still->solution.r);
  free(still->solution.lambda);
}

// What one unknown has as impulse and as velocity.
static double* impulse(Still* still, int index) {
  int rows = still->problem.row_count;
  return index < rows ? &still->solution.lambda[index] : &still->solution.r[index - rows];
}

static double velocity(const Still* still, int index) {
  const rgProblem* problem = &still->problem;
  if (index < problem->row_count) {
    const rgProblemRow* row = &problem->rows[index];
    return rg_row_velocity(row, still->solution.v) +
           row->compliance * still->solution.lambda[index];
  }
  int place = index - problem->row_count;
  if (problem->local)
    return still->solution.v[place];
  double u[4];
  rg_contact_velocity(&problem->contacts[place / 4], still->solution.v, u);
  return u[place % 4];
}

// Column after column, scaled to a unit diagonal.
static void fill(Still* still, const Unknowns* unknowns, double* a) {
  int n = unknowns->count;
  for (int j = 0; j < n; j++) {
    *impulse(still, unknowns->index[j]) = 1;
    rg_problem_velocity(&still->problem, &still->solution);
    for (int i = 0; i < n; i++)
      a[(size_t)j * (size_t)n + (size_t)i] = velocity(still, unknowns->index[i]);
    *impulse(still, unknowns->index[j]) = 0;
  }
  for (int j = 0; j < n; j++) {
    double diagonal = a[(size_t)j * (size_t)n + (size_t)j];
    double scale = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    for (int i = 0; i < n; i++) {
      a[(size_t)j * (size_t)n + (size_t)i] *= scale;
      if (i != j)
        a[(size_t)i * (size_t)n + (size_t)j] *= scale;
    }
    a[(size_t)j * (size_t)n + (size_t)j] *= scale;
  }
}

static double norm2_from(const double* column, int first, int n) {
  double sum = 0;
  for (int i = first; i < n; i++)
    sum += column[i] * column[i];
  return sum;
}

// Makes the reflection of `pivot` from place k on, in place; returns its factor 2 / |x|^2.
static double reflect(double* pivot, int k, int n) {
  double length = sqrt(norm2_from(pivot, k, n));
  pivot[k] += pivot[k] < 0 ? -length : length;
  return 2 / norm2_from(pivot, k, n);
}

static int qr_rank(double* a, int n, double* rest) {
  for (int j = 0; j < n; j++)
    rest[j] = norm2_from(a + (size_t)j * (size_t)n, 0, n);
  double first = 0;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int j = k; j < n; j++) {
      rest[j] = norm2_from(a + (size_t)j * (size_t)n, k, n);
      if (rest[j] > rest[best])
        best = j;
    }
    if (k == 0)
      first = rest[best];
    if (!(rest[best] > noise * noise * first))
      return k;
    double* x = a + (size_t)k * (size_t)n;
    double* y = a + (size_t)best * (size_t)n;
    for (int i = 0; i < n && best != k; i++) {
      double value = x[i];
      x[i] = y[i];
      y[i] = value;
    }
    double factor = reflect(x, k, n);
    for (int j = k + 1; j < n; j++) {
      double *column = a + (size_t)j * (size_t)n, sum = 0;
      for (int i = k; i < n; i++)
        sum += x[i] * column[i];
      for (int i = k; i < n; i++)
        column[i] -= factor * sum * x[i];
    }
  }
  return n;
}

int cli_rank(const rgProblem* problem, int* unknowns) {
  Unknowns list;
  Still still = {0};
  int rank = -1;
  *unknowns = -1;
  if (list_unknowns(problem, &list)) {
    size_t n = (size_t)list.count;
    *unknowns = list.count;
    double* a = list.count <= CLI_RANK_MAX ? malloc((n * n + n + 1) * sizeof *a) : NULL;
    if (a && make_still(problem, &still)) {
      fill(&still, &list, a);
      rank = qr_rank(a, list.count, a + n * n);
    }
    free(a);
  }
  free_still(&still);
  free(list.index);
  return rank;
}
