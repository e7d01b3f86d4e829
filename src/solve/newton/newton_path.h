// newton_path.h - the proximal Newton method itself, over whatever applies W (part of the solver
// `newton`).
#ifndef SOLVE_NEWTON_NEWTON_PATH_H
#define SOLVE_NEWTON_NEWTON_PATH_H

#include "solve/solver.h"

// A problem in scaled variables, y = W x + q. Vectors have `count` numbers and belong to it.
typedef struct rgNewtonPath {
  void* context; // of the functions below
  size_t count;
  double *x, *y;           // present point
  double *trial, *trial_y; // of the line search
  double* step;            // of Newton's method
  double* centre;          // of the proximal term
  double* best;            // point with the smallest measure

  // y = W x + q.
  void (*velocity)(void* context, const double* x, double* y);
  // Largest miss of the laws as a velocity [m/s].
  double (*measure)(void* context, const double* x, const double* y);
  // The function F whose zero is the law with y + regularization (x - centre); returns |F|^2 / 2.
  double (*evaluate)(void* context, const double* x, const double* y, double regularization);
  // `step` = Newton's step of the F last evaluated at x. False when its matrix is singular.
  bool (*solve)(void* context, double regularization);
  // The part of a step at which the first number that it may change comes to a bound. NULL: there are none.
  double (*reach)(void* context, const double* x, const double* step);
  // Block products of a factorization in `solve`: its cost.
  double (*products)(void* context);
  // A sweep over x of solutions of one law at a time; returns the largest change [m/s].
  double (*sweep)(void* context);
  // Makes ready for `solve`, once. False when there is no room for a factor.
  bool (*prepare)(void* context);

  double first_regularization, last_regularization;
  double near_regularization; // the first one where the start is near; 0: no other
  int first_sweeps;           // before the first outer iteration
  bool sweeps_first;          // and where the first step of one fails, before others are tried
  int more_sweeps;            // that cost less than the steps of Newton's method they save
  int patience;               // iterations after which the target will do in place of the goal
  bool recorded;              // its measures go to the history
} rgNewtonPath;

// Follows the path from x as far as the budget of `run` allows; returns the iterations spent,
// leaves the best point in x and its measure in *measure.
int rg_newton_path_follow(rgNewtonPath* path, rgSolve* run, double* measure);

#endif
