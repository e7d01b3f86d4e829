// vary.h - the same contact problem with its contacts in another order and its velocities disturbed.
#ifndef BENCH_PROBLEMS_VARY_H
#define BENCH_PROBLEMS_VARY_H

#include <rigor/problem.h>

typedef struct Varied {
  rgProblem problem; // points into the rest
  rgProblemContact* contacts;
  rgLocalMatrix local;
  int *row_start, *column;
  double* values;
  size_t* value_start;
} Varied;

// Contacts of `problem` in an order drawn by `seed` (0: as they are), each component of their
// velocities changed by up to `change` [m/s] either way. Bodies and rows keep their numbers.
void vary(const rgProblem* problem, unsigned seed, double change, Varied* varied);
void vary_end(Varied* varied);

#endif
