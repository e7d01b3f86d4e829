// newton_motion.h - the proximal Newton method on problems with bodies, with the full derivative of
// the law (part of the solver `newton`).
#ifndef SOLVE_NEWTON_MOTION_H
#define SOLVE_NEWTON_MOTION_H

#include "math/block_lu.h"
#include "solve/local.h"
#include "solve/newton_model.h"

// A term (newton_model.h) in scaled variables x = y_term / root, velocity root * u, root =
// sqrt(mass): the same as in newton_local.h.
typedef struct rgMotionTerm {
  int at; // of its numbers in the vectors
  double root;
  double length;               // rows: what turns the velocity into [m/s]
  double normal_rho, slip_rho; // steps of the Alart-Curnier function
  double softness;             // rows: compliance * mass
  rgLocalBlock block;          // for sweeps
  double alpha;
  double inverse[RG_TERM_MAX][RG_TERM_MAX]; // of (I - D) + D rho shift
  double slope[RG_TERM_MAX][RG_TERM_MAX];   // that times D rho
  double* target[4];                        // blocks (a, a), (b, b), (a, b), (b, a), or NULL
} rgMotionTerm;

typedef struct rgMotion {
  rgModel* model; // terms and roots are read
  rgMotionTerm* terms;
  size_t count; // numbers
  double *x, *y, *trial, *trial_y, *step, *centre, *best, *f;
  double *motion, *change; // six per body
  int *row_start, *column;
  rgBlockLu lu;
} rgMotion;

void rg_motion_carve(rgMotion* motion, const rgProblem* problem, int block_limit, rgCarver* carver);
// `model` has been built.
void rg_motion_build(rgMotion* motion, rgModel* model);
// Improves the solution as far as the budget allows.
void rg_motion_solve(rgMotion* motion, rgSolve* run);

#endif
