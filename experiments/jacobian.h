// jacobian.h - random frictionless problems with the shape of Redon et al. 2002, section 5.3.
//
// n bodies and m constraints, M the identity: each row of J has six random coefficients on each of two
// bodies drawn at random (on one, when they are the same), and c = J k for a random k, so that the
// right-hand side is consistent.
#ifndef EXPERIMENTS_JACOBIAN_H
#define EXPERIMENTS_JACOBIAN_H

#include <rigor/rigor.h>

typedef struct Jacobian {
  rgProblem problem;
  rgProblemBody* bodies;
  rgProblemRow* rows;
  double* k; // 6 per body
  rgSolution solution;
  void* work;
  uint64_t state;
} Jacobian;

// Room for problems of this size and for these solvers, `count` of them; the first problem is drawn.
// False when memory ran out.
bool jacobian_prepare(Jacobian* jacobian, int n, int m, const char* const* solvers, int count);
void jacobian_draw(Jacobian* jacobian, int n, int m); // the next one
void jacobian_release(Jacobian* jacobian);

#endif
