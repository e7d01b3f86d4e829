// newton_interior.h - the interior-point method on problems with bodies (part of the solver
// `newton`).
#ifndef SOLVE_NEWTON_NEWTON_INTERIOR_H
#define SOLVE_NEWTON_NEWTON_INTERIOR_H

#include "math/lorentz.h"
#include "solve/newton/newton_form.h"

// What the method keeps of a term.
typedef struct rgInteriorTerm {
  int m; // numbers of the cone: 1 where there is no friction, 0 for a row
  // Contacts: impulse and velocity inside the Lorentz cone, and their step.
  double x[LORENTZ_MAX], y[LORENTZ_MAX], dx[LORENTZ_MAX], dy[LORENTZ_MAX];
  double miss[LORENTZ_MAX];  // what y lacks to be the velocity of x
  double slide[LORENTZ_MAX]; // direction of slip
  rgLorentzScaling scaling;
  double relaxed[RG_TERM_MAX][RG_TERM_MAX]; // (I + D S)^-1
  double known[LORENTZ_MAX];                // the part of dx that the motion does not change
  // Rows: velocities that push up from the lower and down from the upper bound, and their step.
  double up, down, d_up, d_down;
} rgInteriorTerm;

typedef struct rgNewtonInterior {
  rgNewtonForm* form;
  rgInteriorTerm* terms;
  double regularization;       // of the proximal term,
  double least_regularization; // which stays at least this,
  double most_regularization;  // and beyond which there is no way on
  double near_surface;         // part of the way to the surface of the cones that a step goes
} rgNewtonInterior;

void rg_newton_interior_carve(rgNewtonInterior* interior, const rgProblem* problem,
                              rgCarver* carver);
// Where it begins: `inside` free velocities inside the cones from the impulses of the solution, or, where that is 0,
// `size` free velocities inside (0: the standard size), each contact times a factor of its own where `seed` is not 0.
typedef struct rgInteriorStart {
  double inside, size;
  int seed;
} rgInteriorStart;
// Solves, and stores the best point it has seen. True when its measure reached the goal. The form has no equations.
bool rg_newton_interior_solve(rgNewtonInterior* interior, rgNewtonForm* form, rgInteriorStart from,
                              rgSolve* run);

#endif
