// minimum_degree.h - the order in which a sparse symmetric matrix is eliminated, and the pattern of
// its factor.
//
// Nodes are block rows of the matrix, edges its blocks off the diagonal. Set up: carve, then build
// as often as the graph changes. The cost is near linear in the entries of the factor.
#ifndef MATH_MINIMUM_DEGREE_H
#define MATH_MINIMUM_DEGREE_H

#include "base/memory.h"

typedef struct rgOrder {
  int count; // nodes
  int count_limit, edge_limit, entry_limit;
  int entry_count;   // entries below the diagonal of the factor
  int* position;     // node -> when it is eliminated
  int* node;         // the inverse
  int* column_start; // entries of the column eliminated at k: column_start[k] .. column_start[k+1]
  int* row;          // position of the row of each entry, ascending within a column
  double products;   // products of entries in one factorization: its cost

  // Scratch, see minimum_degree.c.
  int *list_start, *list, *element_count, *variable_count;
  int *degree, *heap, *heap_place;
  int *mark, *outside, *outside_mark;
} rgOrder;

// Carves the arrays out of `carver` (or counts the bytes) for a graph of `count` nodes with at most
// `edge_limit` edges, repetitions counted, and a factor of at most `entry_limit` entries.
void rg_minimum_degree_carve(rgOrder* order, int count, int edge_limit, int entry_limit,
                             rgCarver* carver);

// Order and structure for the graph with the given edges (pairs of different nodes; repetitions are
// fine). False when the factor would have more entries than there is room for.
bool rg_minimum_degree_build(rgOrder* order, const int (*edges)[2], int edge_count);
// The same for a graph in compressed rows, of `count` nodes, at most those carved for: neighbours
// of node i are column[row_start[i] .. row_start[i + 1]) minus `first`; i itself may be among them,
// and a neighbour need be named on one side only.
bool rg_minimum_degree_build_rows(rgOrder* order, int count, const int* row_start,
                                  const int* column, int first);

// Where the entry of two nodes joined by an edge is; *transposed tells that it is that of (b, a).
int rg_minimum_degree_find(const rgOrder* order, int a, int b, bool* transposed);

#endif
