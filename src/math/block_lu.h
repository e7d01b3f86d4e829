// block_lu.h - sparse factorization of square matrices of small blocks with a symmetric pattern.
//
// A has `count` x `count` blocks of size x size numbers (size 1 to 4, or 6), stored row after row.
// Blocks (i, j) and (j, i) are both there or both not; their values are independent. A = L U with
// blocks of L below and of U above the diagonal, in a fill-reducing order of the nodes; pivots are
// the diagonal blocks themselves, chosen by the order alone. Made for matrices whose diagonal
// blocks dominate in the sense of (I - D) + D W with W positive semidefinite and 0 <= D <= I.
#ifndef MATH_BLOCK_LU_H
#define MATH_BLOCK_LU_H

#include "math/minimum_degree.h"

enum { RG_LU_SIZE_MAX = 6 };

typedef struct rgBlockLu {
  int size;        // numbers along a block
  int count_limit; // nodes there is room for
  int block_limit; // blocks above the diagonal there is room for
  int count;       // nodes
  int block_count; // blocks above the diagonal, fill included
  double products; // block products of a factorization
  int* position;   // of a node in the order
  int* node;       // at a position
  int* start;      // count + 1: the later neighbours of a position ...
  int* later;      // ... as positions, ascending
  int* scratch;
  int *first_child, *sibling; // of the elimination tree, by position
  bool* idle;                 // by position: the node's equation is not part of the system
  double* diagonal;           // by position; after factoring the inverses of the pivots
  double *lower, *upper; // per entry of `later`: blocks (later, position) and (position, later)
  double* y;             // right-hand side in the order of elimination
  rgOrder order;         // of rg_block_lu_order
} rgBlockLu;

// For orders that are given; for those that are sought the second comes on top, with `edge_limit`
// the most neighbours that are named.
void rg_block_lu_carve(rgBlockLu* lu, int size, int count_limit, int block_limit, rgCarver* carver);
void rg_block_lu_carve_order(rgBlockLu* lu, int edge_limit, rgCarver* carver);

// Chooses the order and the pattern for a graph in compressed rows: neighbours of node i are
// column[row_start[i] .. row_start[i + 1]) minus `first`; i itself may be among them, and a
// neighbour need be named on one side only. False when the factor would need more room than there
// is.
bool rg_block_lu_order(rgBlockLu* lu, int count, const int* row_start, const int* column,
                       int first);
// The pattern for a given order: sequence[k] is the node that is eliminated k-th. Neighbours are
// column[row_start[i] .. row_start[i + 1]), named on both sides.
bool rg_block_lu_order_as(rgBlockLu* lu, int count, const int* row_start, const int* column,
                          const int* sequence);

// Sets all blocks to zero and takes every node into the system.
void rg_block_lu_clear(rgBlockLu* lu);
// Leaves a node out: its equation and its unknown are not part of the system until the next clear.
void rg_block_lu_skip(rgBlockLu* lu, int node);
// The block (i, j), which must be in the pattern.
double* rg_block_lu_at(rgBlockLu* lu, int i, int j);
// In place. False when a pivot block is singular to working precision.
bool rg_block_lu_factor(rgBlockLu* lu);
// The same for blocks of six on processors with AVX2, with equal bits; NULL where that does not exist.
typedef bool rgBlockLuFactor(rgBlockLu* lu);
rgBlockLuFactor* rg_block_lu_factor_avx2(void);
// x = A^-1 x, `size` numbers per node, in the caller's order; those of nodes left out stay.
void rg_block_lu_solve(rgBlockLu* lu, double* x);

#endif
