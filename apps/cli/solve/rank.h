// rank.h - how many of the contact impulses of a problem are determined.
#ifndef CLI_RANK_H
#define CLI_RANK_H

#include <rigor/problem.h>

enum { CLI_RANK_MAX = 1500 }; // unknowns; beyond it a dense factorization takes too long

// The number of unknown impulses (rows, and components of contacts that carry an impulse) in
// *unknowns, and the rank of the matrix from them to their velocities; -1 when there are more than
// CLI_RANK_MAX, or memory ran out.
int cli_rank(const rgProblem* problem, int* unknowns);

#endif
