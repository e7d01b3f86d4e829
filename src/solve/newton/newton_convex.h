// newton_convex.h - minimizing the augmented function of newton_model.h (part of the solver `newton`).
#ifndef SOLVE_NEWTON_NEWTON_CONVEX_H
#define SOLVE_NEWTON_NEWTON_CONVEX_H

#include "solve/newton/newton_model.h"

typedef enum rgNewtonOutcome {
  RG_NEWTON_REACHED,
  RG_NEWTON_STALLED,
  RG_NEWTON_FAILED
} rgNewtonOutcome;

// Minimizes phi for the present multipliers until |gradient| <= goal, or until rounding stops it
// (STALLED: then the next outer iteration, with other multipliers, removes what is left). Counts
// factorizations as iterations. The matrix is left factored, the gradient that of the answer.
rgNewtonOutcome rg_newton_convex_minimize(rgNewtonModel* model, rgSolve* run, double kappa,
                                          double goal);

// Rounding of the gradient for kappa = 1: u is a difference of numbers of the size of the free
// velocity, and enters multiplied by rho J, |J| being about rho^-1/2.
double rg_newton_convex_rounding(const rgNewtonModel* model);

#endif
