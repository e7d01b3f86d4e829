// rank_ldl.c - sparse Cholesky factorization of positive semidefinite matrices in blocks.
//
// Problem: A x = b with A = G M^-1 G' + C, the matrix of joints: one node per joint, an edge
// between joints on one body. Where joints close a loop, rows may depend on each other.
//
// Method: right-looking, node after node in a minimum-degree order (minimum_degree.c), as in
// block_ldl.c. The pivot of row k is the square of the distance of its coefficients (in the metric
// M^-1) from the span of the rows before it; relative to the row's own diagonal it is the squared
// sine of the angle. A pivot that is small in this sense marks a dependent row. Its column is taken
// as zero, which removes the row from the system without touching the others: the factor is that of
// the rows left in, and where b is consistent, x solves all rows.
//
// Accuracy: no growth (each number of L L' is bounded by the diagonal), so that pivots carry errors
// of rounding times the coefficients by which a dependent row is made of the others.
//
// Cost: for a tree linear in its nodes; no fill.
#include "math/rank_ldl.h"

#include <math.h>
#include <string.h>

void rg_rank_carve(rgRankMatrix* matrix, int count, int row_limit, int edge_limit, int entry_limit,
                   size_t value_limit, rgCarver* carver) {
  memset(matrix, 0, sizeof *matrix);
  rg_minimum_degree_carve(&matrix->order, count, edge_limit, entry_limit, carver);
  matrix->row_limit = row_limit;
  matrix->value_limit = value_limit;
  matrix->diagonal = rg_carve(carver, (size_t)count, sizeof(size_t));
  matrix->offset = rg_carve(carver, (size_t)entry_limit, sizeof(size_t));
  matrix->values = rg_carve(carver, value_limit, sizeof(double));
  matrix->own = rg_carve(carver, (size_t)row_limit, sizeof(double));
  matrix->place = rg_carve(carver, (size_t)count, sizeof(int));
}

static int rows_at(const rgRankMatrix* matrix, int position) {
  int node = matrix->order.node[position];
  return matrix->first[node + 1] - matrix->first[node];
}

bool rg_rank_layout(rgRankMatrix* matrix, int count, const int* first, const int (*edges)[2],
                    int edge_count) {
  rgOrder* order = &matrix->order;
  matrix->first = first;
  order->count = count;
  if (!rg_minimum_degree_build(order, edges, edge_count))
    return false;
  size_t used = 0;
  for (int k = 0; k < order->count; k++) {
    size_t columns = (size_t)rows_at(matrix, k);
    matrix->diagonal[k] = used;
    used += columns * columns;
    for (int p = order->column_start[k]; p < order->column_start[k + 1]; p++) {
      matrix->offset[p] = used;
      used += columns * (size_t)rows_at(matrix, order->row[p]);
    }
  }
  matrix->value_count = used;
  return used <= matrix->value_limit;
}

void rg_rank_clear(rgRankMatrix* matrix) {
  memset(matrix->values, 0, matrix->value_count * sizeof(double));
}

double* rg_rank_diagonal(rgRankMatrix* matrix, int node) {
  return matrix->values + matrix->diagonal[matrix->order.position[node]];
}

double* rg_rank_block(rgRankMatrix* matrix, int a, int b, bool* transposed) {
  return matrix->values + matrix->offset[rg_minimum_degree_find(&matrix->order, a, b, transposed)];
}

// -------------------------------------------------------------------------------------------------
// Factor
// -------------------------------------------------------------------------------------------------

// Lower triangle of L with a = L L'; the reciprocal of each pivot stands on the diagonal, 0 for a
// row that is out. Returns how many rows were found to depend on others.
static int factor_diagonal(double* a, int n, const double* own, double small, bool* out) {
  int dependent = 0;
  for (int j = 0; j < n; j++) {
    double pivot = a[j * n + j];
    for (int k = 0; k < j; k++)
      pivot -= a[j * n + k] * a[j * n + k];
    if (!out[j] && !(pivot > small * own[j])) {
      out[j] = true;
      dependent++;
    }
    double inverse = out[j] ? 0 : 1 / sqrt(pivot);
    a[j * n + j] = inverse;
    for (int i = j + 1; i < n; i++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum * inverse;
    }
  }
  return dependent;
}

// b = b L'^-1 for a block of `rows` x n.
static void scale_block(double* b, int rows, const double* l, int n) {
  for (int i = 0; i < rows; i++) {
    double* x = b + i * n;
    for (int j = 0; j < n; j++) {
      double sum = x[j];
      for (int k = 0; k < j; k++)
        sum -= x[k] * l[j * n + k];
      x[j] = sum * l[j * n + j];
    }
  }
}

// a -= b c' for blocks of rows x columns, rows x n, columns x n.
static void subtract_product(double* a, const double* b, const double* c, int rows, int columns,
                             int n) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += b[i * n + k] * c[j * n + k];
      a[i * columns + j] -= sum;
    }
}

// What the column at position k does to the blocks of later columns.
static void update_rest(rgRankMatrix* matrix, int k) {
  const rgOrder* order = &matrix->order;
  int n = rows_at(matrix, k), last = order->column_start[k + 1];
  for (int j = order->column_start[k]; j < last; j++) {
    int column = order->row[j], columns = rows_at(matrix, column);
    const double* right = matrix->values + matrix->offset[j];
    subtract_product(matrix->values + matrix->diagonal[column], right, right, columns, columns, n);
    matrix->multiplications += columns * columns * n;
    if (j + 1 == last)
      break;
    for (int p = order->column_start[column]; p < order->column_start[column + 1]; p++)
      matrix->place[order->row[p]] = p;
    for (int i = j + 1; i < last; i++) {
      int rows = rows_at(matrix, order->row[i]);
      subtract_product(matrix->values + matrix->offset[matrix->place[order->row[i]]],
                       matrix->values + matrix->offset[i], right, rows, columns, n);
      matrix->multiplications += rows * columns * n;
    }
  }
}

int rg_rank_factor(rgRankMatrix* matrix, double small, bool* out) {
  const rgOrder* order = &matrix->order;
  int dependent = 0;
  matrix->multiplications = 0;
  for (int k = 0; k < order->count; k++) {
    int first = matrix->first[order->node[k]], n = rows_at(matrix, k);
    const double* block = matrix->values + matrix->diagonal[k];
    for (int i = 0; i < n; i++)
      matrix->own[first + i] = block[i * n + i];
  }
  for (int k = 0; k < order->count; k++) {
    int first = matrix->first[order->node[k]], n = rows_at(matrix, k);
    double* pivot = matrix->values + matrix->diagonal[k];
    dependent += factor_diagonal(pivot, n, matrix->own + first, small, out + first);
    matrix->multiplications += n * n * n;
    for (int p = order->column_start[k]; p < order->column_start[k + 1]; p++) {
      int rows = rows_at(matrix, order->row[p]);
      scale_block(matrix->values + matrix->offset[p], rows, pivot, n);
      matrix->multiplications += rows * n * n;
    }
    update_rest(matrix, k);
  }
  return dependent;
}

// -------------------------------------------------------------------------------------------------
// Solve
// -------------------------------------------------------------------------------------------------

static void forward(const double* l, int n, double* x) {
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++)
      x[i] -= l[i * n + k] * x[k];
    x[i] *= l[i * n + i];
  }
}

static void backward(const double* l, int n, double* x) {
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      x[i] -= l[k * n + i] * x[k];
    x[i] *= l[i * n + i];
  }
}

void rg_rank_solve(const rgRankMatrix* matrix, double* x) {
  const rgOrder* order = &matrix->order;
  for (int k = 0; k < order->count; k++) {
    int n = rows_at(matrix, k);
    double* own = x + matrix->first[order->node[k]];
    forward(matrix->values + matrix->diagonal[k], n, own);
    for (int p = order->column_start[k]; p < order->column_start[k + 1]; p++) {
      const double* block = matrix->values + matrix->offset[p];
      double* other = x + matrix->first[order->node[order->row[p]]];
      for (int i = 0, rows = rows_at(matrix, order->row[p]); i < rows; i++)
        for (int j = 0; j < n; j++)
          other[i] -= block[i * n + j] * own[j];
    }
  }
  for (int k = order->count - 1; k >= 0; k--) {
    int n = rows_at(matrix, k);
    double* own = x + matrix->first[order->node[k]];
    for (int p = order->column_start[k]; p < order->column_start[k + 1]; p++) {
      const double* block = matrix->values + matrix->offset[p];
      const double* other = x + matrix->first[order->node[order->row[p]]];
      for (int i = 0, rows = rows_at(matrix, order->row[p]); i < rows; i++)
        for (int j = 0; j < n; j++)
          own[j] -= block[i * n + j] * other[i];
    }
    backward(matrix->values + matrix->diagonal[k], n, own);
  }
}
