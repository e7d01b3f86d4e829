// least.h - the choice among the impulses that solve a problem.
#ifndef SOLVE_LEAST_LEAST_H
#define SOLVE_LEAST_LEAST_H

#include "solve/solver.h"

// Whether the choice can be made at all: bodies, exact cones, and not too many of them.
bool rg_least_takes(const rgProblem* problem);
// False where impulses are unique, unless contacts are placed in a special way.
bool rg_least_is_redundant(const rgProblem* problem);
// rg_solve_choose with compliances of the contacts relative to each other; NULL: all alike.
bool rg_least_choose(const rgProblem* problem, const double* weights, rgSolution* solution,
                     void* work, rgCertificate* certificate);

#endif
