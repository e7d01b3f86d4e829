// block_ldl.h - sparse symmetric positive definite systems made of 6 x 6 blocks, one block row per
// body.
//
// Set up: rg_block_ldl_order takes the graph (which bodies are coupled), finds an order of
// elimination with little fill and lays out the factor. Then, as often as needed: clear, add
// blocks, factor, solve.
#ifndef MATH_BLOCK_LDL_H
#define MATH_BLOCK_LDL_H

#include "math/minimum_degree.h"

enum { RG_BLOCK = 6, RG_BLOCK_AREA = 36 };

typedef struct rgBlockMatrix {
  int count;       // block rows
  int block_count; // blocks below the diagonal in the factor
  int block_limit; // room for them
  rgOrder order;
  const int *position, *node, *column_start, *row; // of the order
  double* diagonal;       // count blocks, row-major; after factoring: lower triangle of L
  double* lower;          // blocks, row-major
  double multiplications; // 6 x 6 products of one factorization: its cost; 0 without room
  int* scratch;
} rgBlockMatrix;

// Carves the arrays for `count` nodes, `edge_limit` edges and at most `block_limit` blocks out of
// `carver` (or counts the bytes).
void rg_block_ldl_carve(rgBlockMatrix* matrix, int count, int edge_limit, int block_limit,
                        rgCarver* carver);
// The same without memory for the blocks: after the order, `lower` is given room for `block_count` of
// them.
void rg_block_ldl_carve_order(rgBlockMatrix* matrix, int count, int edge_limit, int block_limit,
                              rgCarver* carver);

// Minimum-degree order and layout for the graph with the given edges (pairs of different nodes;
// repetitions are fine). False when the factor would need more blocks than there is room for.
bool rg_block_ldl_order(rgBlockMatrix* matrix, const int (*edges)[2], int edge_count);

// Where the block (a, b) is stored, for nodes a != b joined by an edge: index into `lower`;
// *transposed tells that the stored block is that of (b, a).
int rg_block_ldl_find(const rgBlockMatrix* matrix, int a, int b, bool* transposed);

void rg_block_ldl_clear(rgBlockMatrix* matrix);
// In place: A = L L'. False when a pivot is not positive.
bool rg_block_ldl_factor(rgBlockMatrix* matrix);
// The same on processors with AVX2, with equal bits; NULL where that does not exist.
typedef bool rgBlockLdlFactor(rgBlockMatrix* matrix);
rgBlockLdlFactor* rg_block_ldl_factor_avx2(void);
// x = A^-1 x, six numbers per node, in the caller's node order.
void rg_block_ldl_solve(const rgBlockMatrix* matrix, double* x, double* scratch);

#endif
