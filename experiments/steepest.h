// steepest.h - steepest legal descent as it is stated (Baraff and Mattikalli 1993, eq. 52).
#ifndef EXPERIMENTS_STEEPEST_H
#define EXPERIMENTS_STEEPEST_H

#include "experiments/assembly.h"

enum { STEEPEST_BODIES = 12 };

typedef enum SteepestEnd {
  STEEPEST_FOUND,
  STEEPEST_CLOSED, // no direction opens all contacts, which the method asks for
  STEEPEST_FAILED
} SteepestEnd;

// The direction d, six numbers per body, that maximizes gravity's power Q'd with J d >= 0 and |d|_M =
// 1. At most STEEPEST_BODIES bodies.
SteepestEnd steepest_descent(const Assembly* assembly, double* d);

#endif
