// newton_proximal.h - the proximal Newton method on problems with bodies, with the full derivative of
// the law (part of the solver `newton`).
#ifndef SOLVE_NEWTON_NEWTON_PROXIMAL_H
#define SOLVE_NEWTON_NEWTON_PROXIMAL_H

#include "solve/newton/motion_form.h"
#include "solve/one/one.h"

// What the method keeps of a term.
typedef struct rgMotionLaw {
  double normal_rho, slip_rho; // steps of the Alart-Curnier function
  rgLocalBlock block;          // for sweeps
  double alpha;
  double inverse[RG_TERM_MAX][RG_TERM_MAX]; // of (I - D) + D rho shift
} rgMotionLaw;

typedef struct rgNewtonMotion {
  rgMotionForm* form;
  rgMotionLaw* laws; // per term
  double *trial, *trial_y, *step, *centre, *f;
} rgNewtonMotion;

void rg_motion_carve(rgNewtonMotion* motion, const rgProblem* problem, rgCarver* carver);
// `form` has been built.
void rg_motion_build(rgNewtonMotion* motion, rgMotionForm* form);
// Improves the solution as far as the budget allows.
void rg_motion_solve(rgNewtonMotion* motion, rgSolve* run);

#endif
