// lemke_basis.c - the inverse of a basis that changes by one column at a time.
//
// Problem: B consists of n columns of (I, -M, -d). Keep x = B^-1 c cheap while columns are
// exchanged.
//
// Method: the inverse itself, updated by the product form: with d = B^-1 (new column) and pivot
// d_p, each column b of the inverse becomes b - (b_p / d_p) d, with b_p / d_p at p. A column j is
// the unit vector of its position while w_j is basic, and is not stored: with k of the z basic,
// solving and updating cost n k multiplications each. An updated inverse drifts away from the true
// one (Cline 2002, 4.8.1 leaves it at that); here each solve can be checked and improved against
// the given M by iterative refinement, which converges as long as the inverse is roughly right, and
// the drift that is seen there says when to compute it afresh. That is Gauss-Jordan elimination
// with the largest pivot in each column: k updates, n k^2.
//
// Reference: Cline 2002, eq. 4.19-4.21; Gill, Murray, Wright 1981, 4.8 on updates; Higham 2002,
// chapter 12 on refinement with an approximate inverse.
#include "solve/pivot/lemke_basis.h"

#include <math.h>
#include <string.h>

// A pivot this much smaller than the largest number of its column makes the basis singular to
// double precision.
static const double singular = 1e-14;

void rg_lemke_basis_carve(rgBasis* basis, int n, rgCarver* carver) {
  size_t count = (size_t)n;
  memset(basis, 0, sizeof *basis);
  basis->n = n;
  basis->basic = rg_carve(carver, count, sizeof(int));
  basis->position = rg_carve(carver, 2 * count + 1, sizeof(int));
  basis->stored_of = rg_carve(carver, count, sizeof(int));
  basis->row_of = rg_carve(carver, count, sizeof(int));
  basis->pending = rg_carve(carver, count, sizeof(int));
  basis->residual = rg_carve(carver, count, sizeof(double));
  basis->correction = rg_carve(carver, count, sizeof(double));
  basis->inverse = rg_carve(carver, count * count, sizeof(double));
}

static double* stored_column(const rgBasis* basis, int stored) {
  return basis->inverse + (size_t)stored * (size_t)basis->n;
}

static void set_basic(rgBasis* basis, int place, int variable) {
  basis->basic[place] = variable;
  basis->position[variable] = place;
}

void rg_lemke_basis_reset(rgBasis* basis) {
  for (int i = 0; i <= 2 * basis->n; i++)
    basis->position[i] = -1;
  for (int i = 0; i < basis->n; i++) {
    set_basic(basis, i, i);
    basis->stored_of[i] = -1;
  }
  basis->stored_count = 0;
  basis->since_refactor = 0;
}

void rg_lemke_basis_column(const rgBasis* basis, int variable, double* column) {
  int n = basis->n;
  if (variable < n) {
    memset(column, 0, (size_t)n * sizeof(double));
    column[variable] = 1;
    return;
  }
  const double* source =
      variable == 2 * n ? basis->cover : basis->m + (size_t)(variable - n) * (size_t)n;
  for (int i = 0; i < n; i++)
    column[i] = -source[i];
}

static void add_multiple(double* restrict y, double s, const double* restrict x, int n) {
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}

void rg_lemke_basis_solve(rgBasis* basis, const double* c, double* x) {
  int n = basis->n;
  memset(x, 0, (size_t)n * sizeof(double));
  for (int j = 0; j < n; j++)
    if (basis->stored_of[j] < 0)
      x[basis->position[j]] = c[j];
  for (int s = 0; s < basis->stored_count; s++) {
    double value = c[basis->row_of[s]];
    if (value == 0)
      continue;
    add_multiple(x, value, stored_column(basis, s), n);
    basis->operations += n;
  }
}

// residual = c - B x
static void find_residual(rgBasis* basis, const double* c, const double* x) {
  int n = basis->n;
  double* residual = basis->residual;
  memcpy(residual, c, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) {
    int variable = basis->basic[i];
    if (variable < n) {
      residual[variable] -= x[i];
    } else if (x[i] != 0) {
      const double* column =
          variable == 2 * n ? basis->cover : basis->m + (size_t)(variable - n) * (size_t)n;
      add_multiple(residual, x[i], column, n);
      basis->operations += n;
    }
  }
}

static double largest(const double* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

double rg_lemke_basis_refine(rgBasis* basis, const double* c, double* x) {
  int n = basis->n;
  double size = fmax(largest(c, n), largest(x, n));
  find_residual(basis, c, x);
  double missed = largest(basis->residual, n);
  rg_lemke_basis_solve(basis, basis->residual, basis->correction);
  add_multiple(x, 1, basis->correction, n);
  return size > 0 ? missed / size : 0;
}

// A new stored column for row j, whose w leaves the basis at `place`: so far it was a unit vector.
static void store_unit(rgBasis* basis, int j, int place, const double* d) {
  int stored = basis->stored_count++;
  basis->stored_of[j] = stored;
  basis->row_of[stored] = j;
  double* column = stored_column(basis, stored);
  double factor = 1 / d[place];
  for (int i = 0; i < basis->n; i++)
    column[i] = -factor * d[i];
  column[place] = factor;
}

// Column j has become a unit vector: the last stored column takes its place.
static void drop_stored(rgBasis* basis, int j) {
  int stored = basis->stored_of[j], last = --basis->stored_count;
  basis->stored_of[j] = -1;
  if (stored == last)
    return;
  memcpy(stored_column(basis, stored), stored_column(basis, last),
         (size_t)basis->n * sizeof(double));
  basis->row_of[stored] = basis->row_of[last];
  basis->stored_of[basis->row_of[stored]] = stored;
}

void rg_lemke_basis_pivot(rgBasis* basis, int variable, int place, const double* d) {
  int n = basis->n, leaving = basis->basic[place];
  if (variable < n)
    drop_stored(basis, variable);
  double inverse_pivot = 1 / d[place];
  for (int s = 0; s < basis->stored_count; s++) {
    double* column = stored_column(basis, s);
    double factor = column[place] * inverse_pivot;
    if (factor == 0)
      continue;
    add_multiple(column, -factor, d, n);
    column[place] = factor;
    basis->operations += n;
  }
  if (leaving < n)
    store_unit(basis, leaving, place, d);
  basis->position[leaving] = -1;
  set_basic(basis, place, variable);
  basis->since_refactor++;
}

bool rg_lemke_basis_refactor(rgBasis* basis, double* d) {
  int n = basis->n, count = 0;
  for (int i = 0; i < n; i++)
    if (basis->basic[i] >= n)
      basis->pending[count++] = basis->basic[i];
  // rows whose w must leave: marked in `correction`, which pivoting does not touch
  double *leaves = basis->correction, *column = basis->residual;
  for (int j = 0; j < n; j++)
    leaves[j] = basis->stored_of[j] >= 0;
  rg_lemke_basis_reset(basis);
  for (int k = 0; k < count; k++) {
    rg_lemke_basis_column(basis, basis->pending[k], column);
    rg_lemke_basis_solve(basis, column, d);
    int place = -1;
    for (int i = 0; i < n; i++)
      if (basis->basic[i] < n && leaves[basis->basic[i]] != 0 &&
          (place < 0 || fabs(d[i]) > fabs(d[place])))
        place = i;
    if (place < 0 || !(fabs(d[place]) > singular * largest(d, n)))
      return false;
    rg_lemke_basis_pivot(basis, basis->pending[k], place, d);
  }
  basis->since_refactor = 0;
  return true;
}
