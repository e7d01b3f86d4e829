// reduced.h - problems with trees of joints, in the rates of their joints (the first choice of the solver
// `auto` where a problem has links).
#ifndef SOLVE_REDUCED_REDUCED_H
#define SOLVE_REDUCED_REDUCED_H

#include "linkage/linkage.h"
#include "solve/newton/newton_local.h"
#include "solve/reduced/reduced_dense.h"
#include "solve/solver.h"

enum {
  RG_REDUCED_NUMBERS = 192,    // of the local form, beyond which other methods are cheaper
  RG_REDUCED_FAR_NUMBERS = 768 // where rows have far bodies, for which there are no others
};

// What becomes of a row.
typedef enum rgReducedRole {
  RG_REDUCED_KEPT,    // a node of the local form
  RG_REDUCED_IMPLIED, // it holds for all rates
  RG_REDUCED_SOFT,    // a spring, damper or servo along an axis: part of the mass of its joint
  RG_REDUCED_GIVEN    // its bounds leave one impulse
} rgReducedRole;

// A contact or row of the local form, in the scaled variables of reduced_newton.c.
typedef struct rgReducedNode {
  int at, size;                // its numbers
  bool row;                    // it is a row
  double lower, upper;         // of a row: bounds of x
  double root;                 // sqrt(rho); of a row, s over its weight in the certificate
  double mu;                   // 0 for frictionless
  double normal_rho, slip_rho; // steps of F
  rgOneBlock block;            // the diagonal block, for sweeps
  double alpha;                // last slip coefficient of its one-contact problem
  // What it does at the point of the last evaluation.
  rgSlopeKind kind;
  double along[4]; // sliding: z_T / |z_T| in components 1 .. size - 1
  double part;     // sliding: mu z_n / |z_T|
} rgReducedNode;

typedef struct rgReduced {
  const rgProblem* problem;
  rgProblem loose; // the problem where it has no links, with each body as a root of its own
  rgLinkage linkage;
  rgLinkageMass* masses;
  const double* lighter;         // by body: factors on the masses of the problem; NULL: 1
  double (*extra)[RG_LINK_AXES]; // by dof
  uint8_t* role;                 // of each row
  int* acting;                   // rows that do not hold for all rates, in their order
  int acting_count;
  // Nodes of the local form: contacts and rows that may carry impulses.
  int *contacts, *rows; // node -> contact, node -> row
  int contact_count, row_count;
  bool *contact_in, *row_in; // by contact and row of the problem
  double* r;                 // 4 per contact of the nodes
  double* lambda;            // 1 per row of the nodes
  double* rest;              // 6 per body: v without impulses of nodes
  double* wrench;            // 6 per body
  double* v;                 // 6 per body
  // The local form over the nodes, with `block` numbers for a contact and one for a row.
  int block, width;
  double* ways;   // dof_count per number
  double* turned; // the same by dof, while W is filled
  double* w;      // all with all, scaled
  const rgReducedDense* dense;
  rgReducedNode* nodes;
  double *scale, *q, *x, *y;                          // by number
  double *trial, *trial_y, *step, *centre, *best, *f; // by number: of newton
  double *matrix, *row;                               // of its step
  int* active;
} rgReduced;

// Whether the problem has links or rows with far bodies, and few enough contacts and bounded rows for a
// dense W.
bool rg_reduced_takes(const rgProblem* problem);
size_t rg_reduced_work_size(const rgProblem* problem); // 0 where it does not take the problem
// Solves; false when it could not and others must: solution is unchanged then.
bool rg_reduced_solve(rgSolve* run, void* work);

void rg_reduced_carve(rgReduced* reduced, const rgProblem* problem, rgCarver* carver);
// Factors the trees and finds `rest`, then the nodes that have an impulse in `start` or that `rest`
// would violate. False when masses are singular.
bool rg_reduced_build(rgReduced* reduced, const rgSolution* start);
// After rows, links and bodies of the problem have changed: factors the trees anew and finds `rest`.
// Nodes, their impulses and their W stay.
bool rg_reduced_refresh(rgReduced* reduced);
// Lists the present nodes, with impulses from `start`.
void rg_reduced_take(rgReduced* reduced, const rgSolution* start);
// The same, and fills their local form.
void rg_reduced_fill(rgReduced* reduced, const rgSolution* start);
// Moves the local form so that at the present impulses it has the velocities `v`: what is left of the
// change of rows since its W was filled is their change of W.
void rg_reduced_shift(rgReduced* reduced);
// Scales the local form whose W was just filled.
void rg_reduced_scale(rgReduced* reduced);
// Improves the impulses of the nodes to the goal of `run`, whose measure and effort it changes.
void rg_reduced_newton(rgReduced* reduced, rgSolve* run);
// `v` of the impulses of the nodes.
void rg_reduced_velocity(rgReduced* reduced);
// Takes contacts and rows in that are not among the nodes and that `v` violates by more than `least`
// [m/s]; returns how many.
int rg_reduced_add_violated(rgReduced* reduced, double least);
// Impulses of the nodes to `solution`; all others are zero there.
void rg_reduced_store(const rgReduced* reduced, rgSolution* solution);
// The same after rg_reduced_velocity, with the impulses of soft and given rows; `wrench` becomes what
// each link gets from its joint.
void rg_reduced_react(rgReduced* reduced, rgSolution* solution);
// Impulses of the implied rows of a link whose sum is this wrench on it.
void rg_reduced_impulses(const rgProblem* problem, int body, rgTwist wrench, double* lambda);
// And, after that, the impulses of the trees' rows and the velocities.
void rg_reduced_complete(rgReduced* reduced, rgSolution* solution);

#endif
