// solvers.c - the table of solvers, made from the list in solvers.h, and its public functions.
#include "solve/solver.h"

#include <string.h>

#define SOLVER_ADDRESS(name) &rg_solver_##name,
static const rgSolver* const solvers[] = {RG_SOLVERS(SOLVER_ADDRESS)};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

const rgSolver* rg_solver_at(int index) {
  return index >= 0 && index < SOLVER_COUNT ? solvers[index] : NULL;
}

const rgSolver* rg_solver_find(const char* name) {
  for (int i = 0; name && i < SOLVER_COUNT; i++)
    if (strcmp(solvers[i]->name, name) == 0)
      return solvers[i];
  return NULL;
}

const char* rg_solver_name(int index) {
  const rgSolver* solver = rg_solver_at(index);
  return solver ? solver->name : NULL;
}

const char* rg_solver_summary(int index) {
  const rgSolver* solver = rg_solver_at(index);
  return solver ? solver->summary : NULL;
}

const char* rg_solver_reference(int index) {
  const rgSolver* solver = rg_solver_at(index);
  return solver ? solver->reference : NULL;
}

const char* rg_solver_option(int index, int option) {
  const rgSolver* solver = rg_solver_at(index);
  if (!solver || option < 0)
    return NULL;
  for (int i = 0; solver->options[i].name; i++)
    if (i == option)
      return solver->options[i].line;
  return NULL;
}
