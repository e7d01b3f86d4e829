// newton_form.h - a problem with bodies as terms in scaled variables, and its sparse linear systems
// (part of the solver `newton`).
//
// On top of newton_model.h: a term (contact or row) has x = y_term / root and the velocity y = root
// u with root = sqrt(mass), so that impulses and velocities of a term are of the same size, the
// diagonal of W about 1, and x y is an energy. Methods differ in the law of a term alone; what a
// linearized law asks for is dx = (what it knows) - B dy with a small matrix B of its own, and then
//
//     (I + sum J' B J) dxi = sum J' (what the terms know),   xi = sum J' x
//
// is one block row of six numbers per body, however many contacts there are between two bodies. B
// need not be symmetric.
//
// Rows without bounds are equations. B would be infinite, and a large number in its place makes
// steps that are the shorter the longer a chain of joints is (the least eigenvalue of the rows of n
// links is of the size n^-2) or are lost in rounding. So their impulses stay unknowns: with G the
// rows of J of the equations,
//
//     (I + sum J' B J) dxi - G' dx = what the terms know,
//     G dxi + (softness + regularization) dx = -y,
//
// one block row more for each joint. Its pivot is G (...)^-1 G' of the bodies eliminated before it,
// as far as other joints leave them free. So a joint comes right after a body that nothing else
// holds, with no fill beyond that of the bodies and none at all in trees; or else after both of its
// bodies. The regularization is tiny and only there for rows that depend on others.
#ifndef SOLVE_NEWTON_NEWTON_FORM_H
#define SOLVE_NEWTON_NEWTON_FORM_H

#include "math/block_lu.h"
#include "solve/newton/newton_model.h"

typedef struct rgNewtonFormTerm {
  int at; // of its numbers in the vectors
  double root;
  double length;                          // rows: what turns the velocity into [m/s]
  double softness;                        // rows: compliance * mass
  int node, place;                        // equations: block row and row in it; node < 0 for others
  double slope[RG_TERM_MAX][RG_TERM_MAX]; // B
  // Blocks (a, a), (b, b), (a, b), (b, a), or NULL; of equations (node, a), (node, b), (a, node),
  // (b, node).
  double* target[4];
} rgNewtonFormTerm;

typedef struct rgNewtonForm {
  rgNewtonModel* model; // terms and roots are read
  rgNewtonFormTerm* terms;
  size_t count;   // numbers in x
  double *x, *y;  // present point and its velocity
  double* best;   // a point to go back to
  double* xi;     // of the last velocity, six per body
  double* change; // right-hand side and solution of the system, six per node
  int node_count; // bodies and joints
  int *row_start, *column, *sequence;
  int *first_joint, *next_joint, *joint_body; // joints of each body, bodies of each joint
  rgBlockLu lu;
} rgNewtonForm;

// How many joints a problem has at most: block rows of equations.
int rg_newton_form_joints(const rgProblem* problem);
void rg_newton_form_carve(rgNewtonForm* form, const rgProblem* problem, int block_limit,
                          rgCarver* carver);
// `model` has been built.
void rg_newton_form_build(rgNewtonForm* form, rgNewtonModel* model);
// Chooses the order of elimination and lays out the factor. False when it has no room.
bool rg_newton_form_order(rgNewtonForm* form);

// x from the impulses of a solution, and back.
void rg_newton_form_load(rgNewtonForm* form, const rgSolution* solution);
void rg_newton_form_store(const rgNewtonForm* form, rgSolution* solution);

// y = W x + q; leaves xi in the form.
void rg_newton_form_velocity(rgNewtonForm* form, const double* x, double* y);
// The velocity of one term at xi.
void rg_newton_form_term_velocity(const rgNewtonForm* form, int term, const double* xi,
                                  const double* x, double* y);
// Largest miss of the laws [m/s], infinite or NaN when a number is not finite.
double rg_newton_form_measure(const rgNewtonForm* form, const double* x, const double* y);

// x between the bounds of a row.
double rg_newton_form_clamp(const rgNewtonForm* form, int term, double x);

// to += J' (root x) for the bodies of a term: its part of xi.
void rg_newton_form_add_impulse(const rgNewtonForm* form, int term, const double* x, double* to);
// root J xi, one number per component: the change of y by a change of xi.
void rg_newton_form_project(const rgNewtonForm* form, int term, const double* xi, double* out);
// Sets the matrix to I and the right-hand side to zero; adds J' B J of a term, or what an equation
// has instead.
void rg_newton_form_clear(rgNewtonForm* form);
void rg_newton_form_add_slope(rgNewtonForm* form, int term);
// The right-hand side alone to zero.
void rg_newton_form_clear_change(rgNewtonForm* form);
// The number of an equation in right-hand side and solution: -y, then dx.
static inline double* rg_newton_form_equation(const rgNewtonForm* form, int term) {
  return form->change + RG_BLOCK * form->terms[term].node + form->terms[term].place;
}

// Inverse of a matrix of m rows with row exchanges; `a` is overwritten. False when it is singular.
bool rg_newton_form_invert(double a[RG_TERM_MAX][RG_TERM_MAX], int m,
                           double out[RG_TERM_MAX][RG_TERM_MAX]);

#endif
