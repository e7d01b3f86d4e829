// block_lu.c - sparse LU factorization by small blocks, pattern symmetric, values not.
//
// Order: minimum degree (minimum_degree.c), or a given one. The pattern of a given one follows from
// the elimination tree in the time of its entries: the later neighbours of k are its own and those
// of its children, the nodes whose first later neighbour is k (Liu 1990, "The role of elimination
// trees in sparse factorization", section 5).
//
// Factor: right-looking. When position k is eliminated with the inverse P of its pivot block, its
// column becomes L_ik = A_ik P, and for each pair (i, j) of later neighbours A_ij -= L_ik A_kj. One
// map from positions to places in the list of j serves L of column j and U of row j together.
// Nodes left out of the system (idle) are passed over, so that a system on part of the nodes costs
// what that part costs, without a new analysis.
//
// There is no pivoting between blocks. Inside a pivot block rows are exchanged.
//
// Cost: sum over positions of (later neighbours)^2 block products of size^3 multiplications.
#include "math/block_lu.h"
#include "math/block_lu_kernel.h"

#include <string.h>

void rg_block_lu_carve(rgBlockLu* lu, int size, int count_limit, int block_limit,
                       rgCarver* carver) {
  size_t n = (size_t)count_limit, blocks = (size_t)block_limit, area = (size_t)(size * size);
  memset(lu, 0, sizeof *lu);
  lu->size = size;
  lu->count_limit = count_limit;
  lu->block_limit = block_limit;
  lu->position = rg_carve(carver, n, sizeof(int));
  lu->node = rg_carve(carver, n, sizeof(int));
  lu->start = rg_carve(carver, n + 1, sizeof(int));
  lu->later = rg_carve(carver, blocks, sizeof(int));
  lu->scratch = rg_carve(carver, n, sizeof(int));
  lu->first_child = rg_carve(carver, n, sizeof(int));
  lu->sibling = rg_carve(carver, n, sizeof(int));
  lu->idle = rg_carve(carver, n, sizeof(bool));
  lu->diagonal = rg_carve(carver, n * area, sizeof(double));
  lu->lower = rg_carve(carver, blocks * area, sizeof(double));
  lu->upper = rg_carve(carver, blocks * area, sizeof(double));
  lu->y = rg_carve(carver, n * (size_t)size, sizeof(double));
}

void rg_block_lu_carve_order(rgBlockLu* lu, int edge_limit, rgCarver* carver) {
  rg_minimum_degree_carve(&lu->order, lu->count_limit, edge_limit, lu->block_limit, carver);
}

// -------------------------------------------------------------------------------------------------
// Order
// -------------------------------------------------------------------------------------------------

static void sort_ascending(int* values, int count) {
  for (int i = 1; i < count; i++) {
    int value = values[i], k = i;
    for (; k > 0 && values[k - 1] > value; k--)
      values[k] = values[k - 1];
    values[k] = value;
  }
}

bool rg_block_lu_order(rgBlockLu* lu, int count, const int* row_start, const int* column,
                       int first) {
  rgOrder* order = &lu->order;
  lu->count = count;
  lu->block_count = 0;
  lu->products = 0;
  order->entry_limit = lu->block_limit;
  if (!rg_minimum_degree_build_rows(order, count, row_start, column, first))
    return false;
  lu->block_count = order->entry_count;
  memcpy(lu->position, order->position, (size_t)count * sizeof(int));
  memcpy(lu->node, order->node, (size_t)count * sizeof(int));
  memcpy(lu->start, order->column_start, ((size_t)count + 1) * sizeof(int));
  memcpy(lu->later, order->row, (size_t)lu->block_count * sizeof(int));
  for (int k = 0; k < count; k++) {
    double neighbours = lu->start[k + 1] - lu->start[k];
    lu->products += (neighbours + 1) * (neighbours + 1);
  }
  return true;
}

// Makes position j a later neighbour of k, unless it is one or not later. False without room.
static bool gather(rgBlockLu* lu, int k, int j) {
  int* mark = lu->scratch; // the last position it was gathered for
  if (j <= k || mark[j] == k)
    return true;
  if (lu->block_count == lu->block_limit)
    return false;
  mark[j] = k;
  lu->later[lu->block_count++] = j;
  return true;
}

static bool gather_all(rgBlockLu* lu, int k, const int* row_start, const int* column) {
  int node = lu->node[k];
  for (int e = row_start[node]; e < row_start[node + 1]; e++)
    if (!gather(lu, k, lu->position[column[e]]))
      return false;
  for (int child = lu->first_child[k]; child >= 0; child = lu->sibling[child])
    for (int p = lu->start[child]; p < lu->start[child + 1]; p++)
      if (!gather(lu, k, lu->later[p]))
        return false;
  return true;
}

bool rg_block_lu_order_as(rgBlockLu* lu, int count, const int* row_start, const int* column,
                          const int* sequence) {
  lu->count = count;
  lu->block_count = 0;
  lu->products = 0;
  for (int k = 0; k < count; k++) {
    lu->node[k] = sequence[k];
    lu->position[sequence[k]] = k;
    lu->first_child[k] = lu->scratch[k] = -1;
  }
  lu->start[0] = 0;
  for (int k = 0; k < count; k++) {
    if (!gather_all(lu, k, row_start, column))
      return false;
    int first = lu->start[k], neighbours = lu->block_count - first;
    lu->start[k + 1] = lu->block_count;
    lu->products += (double)(neighbours + 1) * (neighbours + 1);
    if (neighbours == 0)
      continue;
    sort_ascending(lu->later + first, neighbours);
    int parent = lu->later[first];
    lu->sibling[k] = lu->first_child[parent];
    lu->first_child[parent] = k;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Blocks
// -------------------------------------------------------------------------------------------------

void rg_block_lu_clear(rgBlockLu* lu) {
  size_t area = (size_t)(lu->size * lu->size) * sizeof(double);
  memset(lu->diagonal, 0, (size_t)lu->count * area);
  memset(lu->lower, 0, (size_t)lu->block_count * area);
  memset(lu->upper, 0, (size_t)lu->block_count * area);
  memset(lu->idle, 0, (size_t)lu->count * sizeof(bool));
}

void rg_block_lu_skip(rgBlockLu* lu, int node) { lu->idle[lu->position[node]] = true; }

double* rg_block_lu_at(rgBlockLu* lu, int i, int j) {
  int row = lu->position[i], column = lu->position[j];
  size_t area = (size_t)(lu->size * lu->size);
  if (row == column)
    return lu->diagonal + (size_t)row * area;
  int early = row < column ? row : column, late = row < column ? column : row;
  int low = lu->start[early], high = lu->start[early + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (lu->later[middle] < late)
      low = middle + 1;
    else
      high = middle;
  }
  return (row < column ? lu->upper : lu->lower) + (size_t)low * area;
}

// x -= a y
static inline void subtract_vector(double* x, const double* a, const double* y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      x[i] -= a[i * n + j] * y[j];
}

// -------------------------------------------------------------------------------------------------
// Factor and solve, compiled once for each size
// -------------------------------------------------------------------------------------------------

static bool factor_six(rgBlockLu* lu) {
  rgBlockLuFactor* avx2 = rg_block_lu_factor_avx2();
  return avx2 ? avx2(lu) : lu_factor(lu, RG_KERNEL_SIZE);
}

bool rg_block_lu_factor(rgBlockLu* lu) {
  switch (lu->size) {
  case 1:
    return lu_factor(lu, 1);
  case 2:
    return lu_factor(lu, 2);
  case 3:
    return lu_factor(lu, 3);
  case 4:
    return lu_factor(lu, 4);
  default:
    return factor_six(lu);
  }
}

static inline void substitute(rgBlockLu* lu, double* x, int n) {
  size_t area = (size_t)(n * n), size = (size_t)n;
  double* y = lu->y;
  for (int k = 0; k < lu->count; k++)
    memcpy(y + (size_t)k * size, x + (size_t)lu->node[k] * size, size * sizeof(double));
  for (int k = 0; k < lu->count; k++)
    for (int p = lu->start[k]; p < lu->start[k + 1] && !lu->idle[k]; p++)
      if (!lu->idle[lu->later[p]])
        subtract_vector(y + (size_t)lu->later[p] * size, lu->lower + (size_t)p * area,
                        y + (size_t)k * size, n);
  for (int k = lu->count - 1; k >= 0; k--) {
    if (lu->idle[k])
      continue;
    double sum[RG_LU_SIZE_MAX] = {0}, *yk = y + (size_t)k * size;
    for (int i = 0; i < n; i++)
      sum[i] = yk[i];
    for (int p = lu->start[k]; p < lu->start[k + 1]; p++)
      if (!lu->idle[lu->later[p]])
        subtract_vector(sum, lu->upper + (size_t)p * area, y + (size_t)lu->later[p] * size, n);
    const double* pivot = lu->diagonal + (size_t)k * area;
    for (int i = 0; i < n; i++) {
      yk[i] = 0;
      for (int j = 0; j < n; j++)
        yk[i] += pivot[i * n + j] * sum[j];
    }
  }
  for (int k = 0; k < lu->count; k++)
    memcpy(x + (size_t)lu->node[k] * size, y + (size_t)k * size, size * sizeof(double));
}

void rg_block_lu_solve(rgBlockLu* lu, double* x) {
  switch (lu->size) {
  case 1:
    substitute(lu, x, 1);
    break;
  case 2:
    substitute(lu, x, 2);
    break;
  case 3:
    substitute(lu, x, 3);
    break;
  case 4:
    substitute(lu, x, 4);
    break;
  default:
    substitute(lu, x, 6);
    break;
  }
}
