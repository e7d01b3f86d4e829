// solvers.h - the list of solvers: the one place that a new solver is entered into.
//
// Each name stands for the descriptor rg_solver_<name>, which solver.h declares and solvers.c puts
// into its table, in this order; it is also the name that users choose the solver by.
#ifndef SOLVE_SOLVERS_H
#define SOLVE_SOLVERS_H

// clang-format off
#define RG_SOLVERS(SOLVER) \
  SOLVER(auto)             \
  SOLVER(nsgs)             \
  SOLVER(hold)             \
  SOLVER(psor)             \
  SOLVER(cpg)              \
  SOLVER(admm)             \
  SOLVER(newton)           \
  SOLVER(lemke)            \
  SOLVER(mixed)            \
  SOLVER(direct)           \
  SOLVER(dantzig)          \
  SOLVER(wilhelmsen)
// clang-format on

#endif
