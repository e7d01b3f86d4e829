// block_ldl.c - sparse Cholesky factorization of symmetric positive definite 6 x 6 block matrices.
//
// Order: minimum degree on the explicit elimination graph. The graph is a bit matrix, so
// eliminating a node is an OR of its row into the rows of its neighbours and a degree is a
// population count; ties go to the lowest node, so that the order is a function of the graph alone.
// Cost n^2 / 64 words per elimination level at worst: meant for up to a few thousand nodes.
//
// Factor: right-looking. After column k is scaled, each pair (i, j) of its rows updates block (i,
// j) by a 6 x 6 product; a map from rows to places in column j is filled for each j, which costs
// far less than the products.
#include "math/block_ldl.h"

#include <math.h>
#include <string.h>

static size_t words_of(int count) { return ((size_t)count + 63) / 64; }

void rg_block_carve(rgBlockMatrix* matrix, int count, int block_limit, rgCarver* carver) {
  size_t n = (size_t)count, blocks = (size_t)block_limit;
  memset(matrix, 0, sizeof *matrix);
  matrix->count = count;
  matrix->block_limit = block_limit;
  matrix->position = rg_carve(carver, n, sizeof(int));
  matrix->node = rg_carve(carver, n, sizeof(int));
  matrix->column_start = rg_carve(carver, n + 1, sizeof(int));
  matrix->row = rg_carve(carver, blocks, sizeof(int));
  matrix->diagonal = rg_carve(carver, n * RG_BLOCK_AREA, sizeof(double));
  matrix->lower = rg_carve(carver, blocks * RG_BLOCK_AREA, sizeof(double));
  matrix->bits = rg_carve(carver, n * words_of(count), sizeof(uint64_t));
  matrix->scratch = rg_carve(carver, n, sizeof(int));
}

// ---------------------------------------------------------------------------------------------------------------
// Order
// ---------------------------------------------------------------------------------------------------------------

static void set_bit(uint64_t* bits, int i) { bits[i / 64] |= (uint64_t)1 << (i % 64); }
static void clear_bit(uint64_t* bits, int i) { bits[i / 64] &= ~((uint64_t)1 << (i % 64)); }

static int count_bits(const uint64_t* bits, size_t words) {
  int sum = 0;
  for (size_t i = 0; i < words; i++)
    sum += __builtin_popcountll(bits[i]);
  return sum;
}

// The neighbours of a node, ascending; returns how many.
static int list_bits(const uint64_t* bits, size_t words, int* out) {
  int count = 0;
  for (size_t i = 0; i < words; i++)
    for (uint64_t rest = bits[i]; rest; rest &= rest - 1)
      out[count++] = (int)(64 * i) + __builtin_ctzll(rest);
  return count;
}

static int find_smallest(const int* degree, int count) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (degree[i] < degree[best])
      best = i;
  return best;
}

// Makes the neighbours of `node` a clique without it, and updates their degrees.
static void eliminate(rgBlockMatrix* matrix, int node, const int* neighbours, int count,
                      int* degree) {
  size_t words = words_of(matrix->count);
  const uint64_t* source = matrix->bits + (size_t)node * words;
  for (int i = 0; i < count; i++) {
    uint64_t* bits = matrix->bits + (size_t)neighbours[i] * words;
    for (size_t w = 0; w < words; w++)
      bits[w] |= source[w];
    clear_bit(bits, neighbours[i]);
    clear_bit(bits, node);
    degree[neighbours[i]] = count_bits(bits, words);
  }
}

static void sort_ascending(int* values, int count) {
  for (int i = 1; i < count; i++) {
    int value = values[i], k = i;
    for (; k > 0 && values[k - 1] > value; k--)
      values[k] = values[k - 1];
    values[k] = value;
  }
}

bool rg_block_order(rgBlockMatrix* matrix, const int (*edges)[2], int edge_count) {
  int n = matrix->count;
  size_t words = words_of(n);
  memset(matrix->bits, 0, (size_t)n * words * sizeof(uint64_t));
  for (int i = 0; i < edge_count; i++) {
    set_bit(matrix->bits + (size_t)edges[i][0] * words, edges[i][1]);
    set_bit(matrix->bits + (size_t)edges[i][1] * words, edges[i][0]);
  }
  int* degree = matrix->scratch;
  for (int i = 0; i < n; i++)
    degree[i] = count_bits(matrix->bits + (size_t)i * words, words);
  matrix->block_count = 0;
  matrix->multiplications = 0;
  for (int k = 0; k < n; k++) {
    int node = find_smallest(degree, n), count = degree[node];
    if (matrix->block_count + count > matrix->block_limit)
      return false;
    int* column = matrix->row + matrix->block_count;
    list_bits(matrix->bits + (size_t)node * words, words, column);
    eliminate(matrix, node, column, count, degree);
    degree[node] = n; // never again
    matrix->position[node] = k;
    matrix->node[k] = node;
    matrix->column_start[k] = matrix->block_count;
    matrix->block_count += count;
    matrix->multiplications += 1 + count + 0.5 * count * (count + 1);
  }
  matrix->column_start[n] = matrix->block_count;
  for (int i = 0; i < matrix->block_count; i++)
    matrix->row[i] = matrix->position[matrix->row[i]];
  for (int k = 0; k < n; k++)
    sort_ascending(matrix->row + matrix->column_start[k],
                   matrix->column_start[k + 1] - matrix->column_start[k]);
  return true;
}

int rg_block_find(const rgBlockMatrix* matrix, int a, int b, bool* transposed) {
  int i = matrix->position[a], j = matrix->position[b];
  *transposed = i < j; // stored below the diagonal: row later than column
  int column = i < j ? i : j, row = i < j ? j : i;
  int low = matrix->column_start[column], high = matrix->column_start[column + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (matrix->row[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// ---------------------------------------------------------------------------------------------------------------
// Factor and solve
// ---------------------------------------------------------------------------------------------------------------

void rg_block_clear(rgBlockMatrix* matrix) {
  memset(matrix->diagonal, 0, (size_t)matrix->count * RG_BLOCK_AREA * sizeof(double));
  memset(matrix->lower, 0, (size_t)matrix->block_count * RG_BLOCK_AREA * sizeof(double));
}

// a -= b c'
static void subtract_product(double* a, const double* b, const double* c) {
  double t[RG_BLOCK_AREA]; // c', so that the inner loop runs along rows
  for (int i = 0; i < RG_BLOCK; i++)
    for (int j = 0; j < RG_BLOCK; j++)
      t[j * RG_BLOCK + i] = c[i * RG_BLOCK + j];
  for (int i = 0; i < RG_BLOCK; i++) {
    double sum[RG_BLOCK] = {0};
    for (int k = 0; k < RG_BLOCK; k++)
      for (int j = 0; j < RG_BLOCK; j++)
        sum[j] += b[i * RG_BLOCK + k] * t[k * RG_BLOCK + j];
    for (int j = 0; j < RG_BLOCK; j++)
      a[i * RG_BLOCK + j] -= sum[j];
  }
}

// Lower triangle of L with a = L L'; the reciprocal of each pivot stands on the diagonal.
static bool factor_diagonal(double* a) {
  for (int j = 0; j < RG_BLOCK; j++) {
    double pivot = a[j * RG_BLOCK + j];
    for (int k = 0; k < j; k++)
      pivot -= a[j * RG_BLOCK + k] * a[j * RG_BLOCK + k];
    if (!(pivot > 0))
      return false;
    double inverse = 1 / sqrt(pivot);
    a[j * RG_BLOCK + j] = inverse;
    for (int i = j + 1; i < RG_BLOCK; i++) {
      double sum = a[i * RG_BLOCK + j];
      for (int k = 0; k < j; k++)
        sum -= a[i * RG_BLOCK + k] * a[j * RG_BLOCK + k];
      a[i * RG_BLOCK + j] = sum * inverse;
    }
  }
  return true;
}

// b = b L'^-1
static void scale_block(double* b, const double* l) {
  for (int i = 0; i < RG_BLOCK; i++) {
    double* x = b + i * RG_BLOCK;
    for (int j = 0; j < RG_BLOCK; j++) {
      double sum = x[j];
      for (int k = 0; k < j; k++)
        sum -= x[k] * l[j * RG_BLOCK + k];
      x[j] = sum * l[j * RG_BLOCK + j];
    }
  }
}

bool rg_block_factor(rgBlockMatrix* matrix) {
  int* place = matrix->scratch;
  for (int k = 0; k < matrix->count; k++) {
    double* pivot = matrix->diagonal + (size_t)k * RG_BLOCK_AREA;
    if (!factor_diagonal(pivot))
      return false;
    int first = matrix->column_start[k], last = matrix->column_start[k + 1];
    for (int i = first; i < last; i++)
      scale_block(matrix->lower + (size_t)i * RG_BLOCK_AREA, pivot);
    for (int j = first; j < last; j++) {
      int column = matrix->row[j];
      const double* right = matrix->lower + (size_t)j * RG_BLOCK_AREA;
      for (int p = matrix->column_start[column]; p < matrix->column_start[column + 1]; p++)
        place[matrix->row[p]] = p;
      subtract_product(matrix->diagonal + (size_t)column * RG_BLOCK_AREA, right, right);
      for (int i = j + 1; i < last; i++)
        subtract_product(matrix->lower + (size_t)place[matrix->row[i]] * RG_BLOCK_AREA,
                         matrix->lower + (size_t)i * RG_BLOCK_AREA, right);
    }
  }
  return true;
}

static void forward(const double* l, double* x) {
  for (int i = 0; i < RG_BLOCK; i++) {
    for (int k = 0; k < i; k++)
      x[i] -= l[i * RG_BLOCK + k] * x[k];
    x[i] *= l[i * RG_BLOCK + i];
  }
}

static void backward(const double* l, double* x) {
  for (int i = RG_BLOCK - 1; i >= 0; i--) {
    for (int k = i + 1; k < RG_BLOCK; k++)
      x[i] -= l[k * RG_BLOCK + i] * x[k];
    x[i] *= l[i * RG_BLOCK + i];
  }
}

void rg_block_solve(const rgBlockMatrix* matrix, double* x, double* y) {
  int n = matrix->count;
  for (int k = 0; k < n; k++)
    memcpy(y + (size_t)k * RG_BLOCK, x + (size_t)matrix->node[k] * RG_BLOCK,
           RG_BLOCK * sizeof(double));
  for (int k = 0; k < n; k++) {
    double* yk = y + (size_t)k * RG_BLOCK;
    forward(matrix->diagonal + (size_t)k * RG_BLOCK_AREA, yk);
    for (int p = matrix->column_start[k]; p < matrix->column_start[k + 1]; p++) {
      const double* block = matrix->lower + (size_t)p * RG_BLOCK_AREA;
      double* yi = y + (size_t)matrix->row[p] * RG_BLOCK;
      for (int i = 0; i < RG_BLOCK; i++)
        for (int j = 0; j < RG_BLOCK; j++)
          yi[i] -= block[i * RG_BLOCK + j] * yk[j];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    double* yk = y + (size_t)k * RG_BLOCK;
    for (int p = matrix->column_start[k]; p < matrix->column_start[k + 1]; p++) {
      const double* block = matrix->lower + (size_t)p * RG_BLOCK_AREA;
      const double* yi = y + (size_t)matrix->row[p] * RG_BLOCK;
      for (int i = 0; i < RG_BLOCK; i++)
        for (int j = 0; j < RG_BLOCK; j++)
          yk[j] -= block[i * RG_BLOCK + j] * yi[i];
    }
    backward(matrix->diagonal + (size_t)k * RG_BLOCK_AREA, yk);
  }
  for (int k = 0; k < n; k++)
    memcpy(x + (size_t)matrix->node[k] * RG_BLOCK, y + (size_t)k * RG_BLOCK,
           RG_BLOCK * sizeof(double));
}
