// newton_model.h - a problem in mass-weighted motion space, for solvers that factor.
//
// With M^-1 = L L' body by body, v = v_free + L x: the mass matrix becomes the identity, locked
// directions drop out by themselves, and a heavy body next to a light one does no harm to the
// conditioning. A term is a contact or a row: its velocity is u = free + J x in the scaled
// components in which an exact cone is circular (certificate.c).
#ifndef SOLVE_NEWTON_NEWTON_MODEL_H
#define SOLVE_NEWTON_NEWTON_MODEL_H

#include "math/block_ldl.h"
#include "problem/operator.h"
#include "solve/solver.h"

enum { RG_TERM_MAX = 4 }; // components: normal and up to three of friction

typedef struct rgNewtonTerm {
  int body_a, body_b;
  int m;      // components in use, 1 for rows and frictionless contacts
  bool row;   // a row: impulse between bounds; otherwise a contact: impulse in a cone
  int source; // index of the contact or row
  double mu;
  double lower, upper;        // rows
  double compliance;          // soft rows
  double mass;                // rho of the certificate: effective mass [kg]
  double axis[RG_TERM_MAX];   // r_i = axis_i y_i
  int component[RG_TERM_MAX]; // which of the four numbers of a contact
  double free[RG_TERM_MAX];
  double j[RG_TERM_MAX][2 * RG_BLOCK]; // on x of body a, then of body b
  int block; // where the coupling of a and b is stored, -1 when one of them does not move
  bool transposed;

  // Iterate.
  double y[RG_TERM_MAX]; // multiplier: impulse in scaled components
  double p[RG_TERM_MAX]; // projected impulse at the last evaluation
  double z[RG_TERM_MAX]; // its argument
  double offset;         // mu |u_T| of De Saxce's form, held while x moves
  double u[RG_TERM_MAX]; // velocity at the last evaluation, without the offset
} rgNewtonTerm;

typedef struct rgNewtonModel {
  const rgProblem* problem;
  int term_count;
  rgNewtonTerm* terms;
  rgMassRoot* root; // L per body
  rgBlockMatrix matrix;
  double *x, *gradient, *direction, *trial, *scratch; // 6 per body
} rgNewtonModel;

// Carves the memory (or counts it) for at most `block_limit` blocks.
void rg_newton_model_carve(rgNewtonModel* model, const rgProblem* problem, int block_limit,
                           rgCarver* carver);
// Fills terms, roots and the order of elimination. False when the factor has no room.
bool rg_newton_model_build(rgNewtonModel* model);
// The same without the contacts that have no impulse in `solution` and separate faster than `apart` [m/s] there: they
// stay open, and most of the fill is theirs. Their impulses are set to zero. The velocities of the solution follow from
// its impulses.
bool rg_newton_model_build_near(rgNewtonModel* model, rgSolution* solution, double apart);
// Whether the contacts that were left out are open in `solution`.
bool rg_newton_model_is_complete(const rgNewtonModel* model, const rgSolution* solution);
// x, multipliers and offsets from a solution whose v follows from its impulses.
void rg_newton_model_load(rgNewtonModel* model, const rgSolution* solution);
// The impulses p as a solution.
void rg_newton_model_store(const rgNewtonModel* model, rgSolution* solution);

// Evaluates all terms at x with penalty factor kappa: u, z, p. Returns the value of the augmented
// function and, where `gradient` is not NULL, its gradient.
double rg_newton_model_evaluate(rgNewtonModel* model, const double* x, double kappa,
                                double* gradient);
// DP at z: derivative of the projection on the cone, or on the interval. False when it is zero.
bool rg_newton_model_slope(const rgNewtonTerm* term, double d[RG_TERM_MAX][RG_TERM_MAX]);
// The generalized Hessian at the last evaluation, into the matrix.
void rg_newton_model_assemble(rgNewtonModel* model, double kappa);

#endif
