// solvers.c - the table of solvers and its public face.
#include "solve/solver.h"

#include <string.h>

static const rgSolver* const solvers[] = {
    &rg_solver_auto,    &rg_solver_nsgs,       &rg_solver_hold,  &rg_solver_psor,
    &rg_solver_cpg,     &rg_solver_newton,     &rg_solver_lemke, &rg_solver_direct,
    &rg_solver_dantzig, &rg_solver_wilhelmsen,
};
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
