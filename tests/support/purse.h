// A solve that asks for memory in its course (solve/solver.h): who gives it, and what lies beside the workspace.
#pragma once

#include "solve/solver.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

// Memory that is asked for, and how often.
typedef struct Purse {
  void* memory; // NULL: there is none
  size_t size;  // [bytes] asked for first
  int calls;
} Purse;

static inline void* purse_refuse(void* context, size_t size) {
  Purse* purse = context;
  if (purse->calls++ == 0)
    purse->size = size;
  return NULL;
}

static inline void* purse_give(void* context, size_t size) {
  Purse* purse = context;
  purse_refuse(purse, size);
  free(purse->memory);
  return purse->memory = aligned_alloc(RG_ALIGNMENT, rg_align(size));
}

// A solve in a workspace of the lean size, with guards behind it.
static inline rgSolveReport purse_solve(const rgProblem* problem, const char* solver,
                                        const rgStop* stop, rgSolution* solution,
                                        void* (*ask)(void* context, size_t size), Purse* purse) {
  enum { GUARD = 0x5a };
  size_t size = rg_solve_lean_size(problem, solver);
  char* work = malloc(size + RG_ALIGNMENT);
  REQUIRE(work);
  memset(work, GUARD, size + RG_ALIGNMENT);
  rgSolveReport report;
  const rgSolveMore more = {ask, purse, 0};
  rg_solve_shared(problem, solver, NULL, stop, solution, work, &report, NULL, NULL, &more);
  int harmed = 0;
  for (int i = 0; i < RG_ALIGNMENT; i++)
    harmed += work[size + (size_t)i] != GUARD;
  CHECK_INT(harmed, 0);
  free(work);
  return report;
}
