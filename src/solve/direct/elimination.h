// elimination.h - rows without bounds taken out of a problem before the pivoting.
#ifndef SOLVE_DIRECT_ELIMINATION_H
#define SOLVE_DIRECT_ELIMINATION_H

#include "problem/delassus.h"

typedef struct rgElimination {
  int count;               // rows
  int dropped;             // rows that follow from others
  rgDirection* directions; // of the rows
  double* compliance;
  rgIncidence on;
  int* order;    // order[k]: row eliminated at k
  int* position; // the inverse
  // P = G M^-1 G' + C = L D L'; L by columns
  int *column_start, *column_count, *row, *parent, *mark, *stack;
  double *lower, *inverse_d;
  double* work; // count
} rgElimination;

void rg_elimination_carve(rgElimination* elimination, int count, int body_count, rgCarver* carver);
// Orders and factors; directions and compliance are filled in.
void rg_elimination_factor(rgElimination* elimination, const rgProblem* problem);
// x = D^-1/2 L^-1 x, given by row, returned by position, so that y' P^-1 x is the product of two of
// them.
void rg_elimination_half(rgElimination* elimination, double* x);
// x = P^-1 x by row. Rows that follow from others get zero.
void rg_elimination_solve(rgElimination* elimination, double* x);

#endif
