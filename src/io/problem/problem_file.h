// problem_file.h - what the formats of problem files share: matrices as they come, a problem before
// it has its form, and the making of one block of memory.
#ifndef IO_PROBLEM_PROBLEM_FILE_H
#define IO_PROBLEM_PROBLEM_FILE_H

#include "io/text/pool.h"
#include <rigor/problem.h>

// -------------------------------------------------------------------------------------------------
// Data of a file in the form of others
// -------------------------------------------------------------------------------------------------

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

// The data of a problem, in the pool: M, H, f, w of a problem with bodies when `global`, otherwise
// W and q. Refuses what the formats cannot hold: rows (two-sided ones are constraints where `rows`
// allows them), axes, polygons, torsion, and in global form bodies that are held and problems that
// have no bodies.
typedef struct rgDataForm {
  bool global, rows;
} rgDataForm;
rgStatus rg_problem_to_data(const rgProblem* problem, rgDataForm form, const char* path,
                            rgPool* pool, rgProblemData* data, rgMessage* message);

// -------------------------------------------------------------------------------------------------
// Memory of a problem
// -------------------------------------------------------------------------------------------------

typedef struct rgProblemSize {
  int bodies, contacts, rows;
  int block;  // of the local form; 0 = motion form
  int blocks; // of W
} rgProblemSize;

// One block that rg_problem_free gives back; counts are set, all else is zero. NULL when memory ran
// out. The arrays may be written to through rg_mutable.
rgProblem* rg_problem_allocate(const rgProblemSize* size, const rgAllocator* allocator);

static inline void* rg_mutable(const void* array) { return (void*)(uintptr_t)array; }

// Checks a problem that was read; on failure frees it and says "name: what".
rgStatus rg_problem_accept(rgProblem* made, const char* name, const rgAllocator* allocator,
                           rgProblem** problem, rgMessage* message);

// -------------------------------------------------------------------------------------------------
// Formats
// -------------------------------------------------------------------------------------------------

rgStatus rg_problem_read_json(const char* text, size_t length, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message);
rgStatus rg_problem_read_dat(const char* text, size_t length, const char* name,
                             const rgAllocator* allocator, rgProblem** problem, rgMessage* message);
// The data of an FCLIB file, in the pool.
rgStatus rg_fclib_data(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message);
rgStatus rg_problem_read_fclib(const char* path, const rgAllocator* allocator, rgProblem** problem,
                               rgMessage* message);

rgStatus rg_problem_write_json(const rgProblem* problem, const char* path, rgMessage* message);
rgStatus rg_problem_write_dat(const rgProblem* problem, bool global, const char* path,
                              rgMessage* message);
rgStatus rg_problem_write_fclib(const rgProblem* problem, bool global, const char* path,
                                rgMessage* message);

#endif
