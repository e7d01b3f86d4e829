// newton_proximal.h - the proximal Newton method on problems with bodies, with the full derivative
// of the law (part of the solver `newton`).
#ifndef SOLVE_NEWTON_NEWTON_PROXIMAL_H
#define SOLVE_NEWTON_NEWTON_PROXIMAL_H

#include "solve/newton/newton_form.h"
#include "solve/newton/newton_path.h"
#include "solve/one/one.h"

// What the method keeps of a term.
typedef struct rgProximalLaw {
  double normal_rho, slip_rho; // steps of the Alart-Curnier function
  rgOneBlock block;            // for sweeps
  double alpha;
  double inverse[RG_TERM_MAX][RG_TERM_MAX]; // of (I - D) + D rho regularization
} rgProximalLaw;

typedef struct rgNewtonProximal {
  rgNewtonForm* form;
  rgProximalLaw* laws; // per term
  double *trial, *trial_y, *step, *centre, *f;
} rgNewtonProximal;

void rg_newton_proximal_carve(rgNewtonProximal* proximal, const rgProblem* problem,
                              rgCarver* carver);
// `form` has been built.
void rg_newton_proximal_build(rgNewtonProximal* proximal, rgNewtonForm* form);
// The functions and vectors of the method, for those who follow another path with them.
rgNewtonPath rg_newton_proximal_path(rgNewtonProximal* proximal);
// The step for the F last evaluated, with the matrix of the last step.
void rg_newton_proximal_step_again(rgNewtonProximal* proximal);
// Improves the solution as far as the budget allows.
void rg_newton_proximal_solve(rgNewtonProximal* proximal, rgSolve* run);

#endif
