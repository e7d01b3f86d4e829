// storage.h - a problem in one block of memory.
#ifndef PROBLEM_STORAGE_H
#define PROBLEM_STORAGE_H

#include <rigor/problem.h>

typedef struct rgProblemSize {
  int bodies, contacts, rows;
  int block;      // of the local form; 0 = body form
  int blocks;     // of W
  size_t numbers; // of W; 0 = block * block for each of the blocks
} rgProblemSize;

// One block that rg_problem_free gives back; counts are set, all else is zero. NULL when memory ran
// out. The arrays may be written to through rg_mutable. A local form has its ends in row_start and
// value_start from the beginning: they tell how much there is to free.
rgProblem* rg_problem_allocate(const rgProblemSize* size, const rgAllocator* allocator);

static inline void* rg_mutable(const void* array) { return (void*)(uintptr_t)array; }

// Checks a problem that was made; on failure frees it and says "name: what".
rgStatus rg_problem_accept(rgProblem* made, const char* name, const rgAllocator* allocator,
                           rgProblem** problem, rgMessage* message);

#endif
