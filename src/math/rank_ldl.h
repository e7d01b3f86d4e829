// rank_ldl.h - sparse symmetric positive semidefinite systems made of blocks of different sizes.
//
// A node is a block row of 1 .. RG_RANK_BLOCK scalar rows. Rows that depend on those eliminated
// before them are found by their pivots and left out: their unknowns are zero, the others solve the
// system of the rows that remain.
#ifndef MATH_RANK_LDL_H
#define MATH_RANK_LDL_H

#include "math/minimum_degree.h"

enum { RG_RANK_BLOCK = 6 };

typedef struct rgRankMatrix {
  rgOrder order;
  int row_limit;
  size_t value_limit;
  const int* first; // first row of each node, count + 1 numbers: the caller's
  size_t* diagonal; // where the diagonal block of position k starts in `values`
  size_t* offset;   // where the block of each entry of the order starts
  double* values;   // blocks, row-major, all of the lower triangle
  size_t value_count;
  double* own;            // of each row: the diagonal before factoring
  int* place;             // scratch
  double multiplications; // of numbers, in the last factorization
} rgRankMatrix;

// Carves the arrays out of `carver` (or counts the bytes) for at most `count` nodes with
// `row_limit` rows, `edge_limit` edges, and a factor of at most `entry_limit` blocks with
// `value_limit` numbers.
void rg_rank_carve(rgRankMatrix* matrix, int count, int row_limit, int edge_limit, int entry_limit,
                   size_t value_limit, rgCarver* carver);

// Order and layout for `count` nodes (at most as many as carved), node i having the rows first[i]
// .. first[i + 1] - 1, and the given edges; `first` is kept. False when there is no room for the
// factor.
bool rg_rank_layout(rgRankMatrix* matrix, int count, const int* first, const int (*edges)[2],
                    int edge_count);

void rg_rank_clear(rgRankMatrix* matrix);
// The diagonal block of a node; its lower triangle is read. Rows of it stand first[i+1] - first[i]
// apart.
double* rg_rank_diagonal(rgRankMatrix* matrix, int node);
// The block of two nodes joined by an edge: that of (a, b), or of (b, a) when *transposed.
double* rg_rank_block(rgRankMatrix* matrix, int a, int b, bool* transposed);

// In place: A = L L'. Rows with out[row] set are left out; a row whose pivot is at most `small`
// times its own diagonal is left out as well, out[row] is set, and counted in the result.
int rg_rank_factor(rgRankMatrix* matrix, double small, bool* out);
// x = A^-1 x for the rows that are in, 0 for those left out.
void rg_rank_solve(const rgRankMatrix* matrix, double* x);

#endif
