// cpg_model.h - a problem as a quadratic function over a product of simple sets, for gradients.
//
// Variables x in terms: an exact contact is a circular cone |x_T| <= mu x_0, a polygonal contact a
// set of scalars >= 0 (generators.h), a row one scalar within bounds. They are scaled such that the
// diagonal of W is about 1 (a contact by one number, which leaves its cone circular): Jacobi's
// preconditioner.
//
// With De Saxce's offset mu |u_T| held fixed the contact laws are the optimality conditions of
//     f(x) = x'Wx/2 + x'(q + offset),   x in the product of the sets.
#ifndef SOLVE_GRADIENT_CPG_MODEL_H
#define SOLVE_GRADIENT_CPG_MODEL_H

#include "solve/one/generators.h"
#include "solve/solver.h"

typedef enum rgCpgKind { RG_CPG_CONE, RG_CPG_BOUNDS } rgCpgKind;

typedef struct rgCpgTerm {
  rgCpgKind kind;
  int contact, row; // the other one is -1
  int first, count; // variables
  double mu;
  double inverse_rho; // [1/kg] turns an impulse into a velocity
  int part[4];        // cone: components in use
  double factor[4];   // cone: r_part = factor x
  double offset;      // [m/s] mu |u_T|, held while x moves
  double curvature;   // cone: what the bend of the surface adds to W across its generators, if w
                      // stays on it; else 0
  double radial[4];   // then: unit vector of x_T; the first is 0
} rgCpgTerm;

typedef struct rgCpgModel {
  const rgProblem* problem;
  rgGenerators* generators;
  rgCpgTerm* terms;
  int term_count, count;         // count: variables
  double *scale, *lower, *upper; // of the variables of RG_CPG_BOUNDS
  double *x, *g;                 // iterate, gradient
  double *p, *wp, *w;            // direction, W p, projected descent
  double *trial, *d, *wd;        // next point, its difference, W d
  double *u, *row_w;             // velocities of contacts (4 each) and rows at x
  double *du, *drow;             // change of them
  double *r, *lambda, *v;        // scratch of products
} rgCpgModel;

rgCpgModel* rg_cpg_carve(const rgProblem* problem, rgCarver* carver, rgCpgModel* model);
void rg_cpg_build(rgCpgModel* model);

// x from a solution, made legal; and back.
void rg_cpg_load(rgCpgModel* model, const rgSolution* solution);
void rg_cpg_store(const rgCpgModel* model, const double* x, rgSolution* solution);
// Velocities at x, summed afresh; `solution` is used for it.
void rg_cpg_evaluate(rgCpgModel* model, rgSolution* solution);
// W d in the variables, and the velocities du, drow that belong to it.
void rg_cpg_product(rgCpgModel* model, const double* d, double* wd);

// Gradient from the velocities and the offsets.
void rg_cpg_gradient(rgCpgModel* model);
// Offsets from the velocities; returns the largest change [m/s]. With `apply` false they stay.
double rg_cpg_offset(rgCpgModel* model, bool apply);

// Nearest point of the sets; true when x was outside.
bool rg_cpg_project(const rgCpgModel* model, double* x);
// w = -g projected on the tangent cones at x, and p projected on the faces that w stays on; w is
// preconditioned.
void rg_cpg_tangent(rgCpgModel* model);
// Adds to wp what the bend of the cones' surfaces adds to W p. A step of s along p leaves the
// surface by s^2 |p_across|^2 / (2 |x_T|), and the projection back costs that times the normal
// force: a Hessian of the function along the surface.
void rg_cpg_bend(const rgCpgModel* model, const double* p, double* wp);
// By how much the laws are missed, with the offsets held and with those of the present velocities
// [m/s].
typedef struct rgCpgMissed {
  double held, whole;
} rgCpgMissed;
rgCpgMissed rg_cpg_missed(const rgCpgModel* model);

// The method as printed, without a safeguard (cpg_printed.c), from the loaded x.
void rg_cpg_printed_solve(rgCpgModel* model, rgSolve* run, double vanish);

#endif
