// matrices.h - a problem as the sparse matrices that other codes hold, and its local form made of
// them.
#ifndef PROBLEM_MATRICES_H
#define PROBLEM_MATRICES_H

#include "base/pool.h"
#include <rigor/problem.h>

typedef struct rgTriplet {
  int row, column;
  double value;
} rgTriplet;

// A matrix in any order, entries at the same place are summed. Whoever fills it takes `items` from
// a pool or through rg_triplets_add.
typedef struct rgTriplets {
  int rows, columns;
  int count, capacity;
  rgTriplet* items;
} rgTriplets;

// Appends an entry; false when memory ran out. The array belongs to the allocator.
bool rg_triplets_add(rgTriplets* triplets, const rgAllocator* allocator, int row, int column,
                     double value);
void rg_triplets_free(rgTriplets* triplets, const rgAllocator* allocator);

// A square matrix by rows, columns ascending, its whole diagonal there; all arrays in the pool.
typedef struct rgCompressed {
  int *start, *column;
  double* value;
} rgCompressed;
bool rg_triplets_compress(const rgTriplets* triplets, rgPool* pool, rgCompressed* compressed);

// Local form u = W r + q, or global form M v = f + H r + G lambda, u = H' v + w, G' v + b = 0. One
// number per contact and dimension; a dimension of 1 is a linear complementarity problem.
typedef struct rgProblemData {
  int dimension; // 1, 2 or 3
  int contact_count;
  bool global;
  rgTriplets matrix; // W, or M
  rgTriplets h;      // global: rows as M, dimension * contact_count columns
  rgTriplets g;      // global: rows as M, a column per two-sided constraint; none as a rule
  double* f;         // global: as many as M has rows
  double* b;         // one per constraint
  double* q;         // q, or w
  double* mu;        // one per contact; NULL when dimension is 1
  // Not NULL, with dimension 1: the unknowns are rows with these bounds, not contacts; a mixed
  // complementarity problem.
  double *lower, *upper;
} rgProblemData;

// Makes the problem: local form, with a global one reduced. `name` is that of the file.
rgStatus rg_problem_from_data(const rgProblemData* data, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message);

// The same global problem with the constraints among its unknowns, in the pool: [M -G; G' 0] (v,
// lambda) = (f, -b) + (H, 0) r. False when memory ran out.
bool rg_problem_bordered(const rgProblemData* data, rgPool* pool, rgProblemData* bordered);

// W = H' M^-1 H as triplets from `allocator`, q = H' M^-1 f + w.
rgStatus rg_problem_reduce(const rgProblemData* data, const char* name,
                           const rgAllocator* allocator, rgTriplets* w, double* q,
                           rgMessage* message);
// v = M^-1 (f + H r), r packed with `dimension` numbers per contact. Both for problems without
// constraints.
rgStatus rg_problem_global_velocity(const rgProblemData* data, const char* name,
                                    const rgAllocator* allocator, const double* r, double* v,
                                    rgMessage* message);

#endif
