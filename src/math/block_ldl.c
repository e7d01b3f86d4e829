// block_ldl.c - sparse Cholesky factorization of symmetric positive definite 6 x 6 block matrices.
//
// Order: minimum degree (minimum_degree.c).
//
// Factor: right-looking. After column k is scaled, each pair (i, j) of its rows updates block (i,
// j) by a 6 x 6 product; a map from rows to places in column j is filled for each j, which costs
// far less than the products.
#include "math/block_ldl.h"
#include "math/block_ldl_kernel.h"

#include <string.h>

void rg_block_ldl_carve_order(rgBlockMatrix* matrix, int count, int edge_limit, int block_limit,
                              rgCarver* carver) {
  size_t n = (size_t)count;
  memset(matrix, 0, sizeof *matrix);
  matrix->count = count;
  matrix->block_limit = block_limit;
  rg_minimum_degree_carve(&matrix->order, count, edge_limit, block_limit, carver);
  matrix->position = matrix->order.position;
  matrix->node = matrix->order.node;
  matrix->column_start = matrix->order.column_start;
  matrix->row = matrix->order.row;
  matrix->diagonal = rg_carve(carver, n * RG_BLOCK_AREA, sizeof(double));
  matrix->scratch = rg_carve(carver, n, sizeof(int));
}

void rg_block_ldl_carve(rgBlockMatrix* matrix, int count, int edge_limit, int block_limit,
                        rgCarver* carver) {
  rg_block_ldl_carve_order(matrix, count, edge_limit, block_limit, carver);
  matrix->lower = rg_carve(carver, (size_t)block_limit * RG_BLOCK_AREA, sizeof(double));
}

bool rg_block_ldl_order(rgBlockMatrix* matrix, const int (*edges)[2], int edge_count) {
  bool room = rg_minimum_degree_build(&matrix->order, edges, edge_count);
  matrix->block_count = room ? matrix->order.entry_count : 0;
  matrix->multiplications = room ? matrix->order.products : 0;
  return room;
}

int rg_block_ldl_find(const rgBlockMatrix* matrix, int a, int b, bool* transposed) {
  return rg_minimum_degree_find(&matrix->order, a, b, transposed);
}

// -------------------------------------------------------------------------------------------------
// Factor and solve
// -------------------------------------------------------------------------------------------------

void rg_block_ldl_clear(rgBlockMatrix* matrix) {
  memset(matrix->diagonal, 0, (size_t)matrix->count * RG_BLOCK_AREA * sizeof(double));
  memset(matrix->lower, 0, (size_t)matrix->block_count * RG_BLOCK_AREA * sizeof(double));
}

bool rg_block_ldl_factor(rgBlockMatrix* matrix) {
  rgBlockLdlFactor* avx2 = rg_block_ldl_factor_avx2();
  return avx2 ? avx2(matrix) : ldl_factor(matrix);
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

void rg_block_ldl_solve(const rgBlockMatrix* matrix, double* x, double* y) {
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
