// newton_local.h - the semismooth Newton method on the local form (part of the solver `newton`).
#ifndef SOLVE_NEWTON_NEWTON_LOCAL_H
#define SOLVE_NEWTON_NEWTON_LOCAL_H

#include "math/block_lu.h"
#include "math/dense_lu.h"
#include "solve/one/one.h"
#include "solve/solver.h"

// A node, a contact or a row, in scaled variables x = r / s, y = s u with s_i = e_i sqrt(rho), rho the effective mass
// of the certificate: blocks of S W S have diagonals about 1, the cone is circular, and the
// certificate's miss in velocity is |x - P(x - y^)| / sqrt(rho). A row has x = lambda / s in its first
// component, s = sqrt(1 / (W_ii + compliance)), and no others; its projection is that on its bounds.
typedef struct rgNewtonLocalContact {
  int source;                  // node of the problem
  bool row;                    // it is a row
  double lower, upper;         // of a row: bounds of x
  double scale[4];             // s; 0 for a component without impulse
  double root;                 // sqrt(rho); of a row, s over its weight in the certificate
  double mu;                   // 0 for frictionless
  double normal_rho, slip_rho; // steps of the Alart-Curnier function
  rgOneBlock block;            // symmetric part of the scaled diagonal block, for sweeps
  double alpha;                // last slip coefficient of its one-contact problem
} rgNewtonLocalContact;

// What a contact does at the point of the last evaluation.
typedef enum rgSlopeKind { RG_SLOPE_OPEN, RG_SLOPE_STICK, RG_SLOPE_SLIDE } rgSlopeKind;
typedef struct rgNewtonLocalSlope {
  rgSlopeKind kind;
  double along[4]; // sliding: z_T / |z_T| in components 1 .. size - 1
  double part;     // sliding: mu z_n / |z_T|
} rgNewtonLocalSlope;

// The problem with nodes sorted by parts (connected components of W), each contiguous.
typedef struct rgNewtonLocalModel {
  const rgProblem* problem;
  int size;  // numbers per contact
  int count; // nodes
  int part_count;
  int* part_start; // part_count + 1, in the new order
  int* order;      // new -> problem
  int* place;      // problem -> new
  rgNewtonLocalContact* contacts;
  int* row_start; // of S W S in the new order
  int* column;
  double* w;
  double** target;            // where the block of an entry of w goes in the matrix of the step
  double *q, *x, *y;          // size per node
  double *trial, *trial_y;    // of the line search
  double* step;               // of Newton's method
  double* centre;             // of the proximal term
  double* best;               // point with the smallest measure
  double* f;                  // Alart-Curnier function
  rgNewtonLocalSlope* slopes; // of its projections
  // Matrix of the step of the part at work: dense for small parts of size 3.
  bool is_dense;
  rgBlockLu lu;
  rgDenseLu dense;
  int* active; // dense: block row of a contact, -1 when it is open
} rgNewtonLocalModel;

// Vectors given to the functions of a part begin with its first number.
typedef struct rgNewtonLocalPart {
  rgNewtonLocalModel* model;
  int first, last; // contacts first .. last - 1
} rgNewtonLocalPart;

// Memory for `count` nodes of `block` numbers and W of `block_count` blocks.
void rg_newton_local_model_carve(rgNewtonLocalModel* model, int count, int block, int block_count,
                                 rgCarver* carver);
void rg_newton_local_model_build(rgNewtonLocalModel* model);
void rg_newton_local_model_load(rgNewtonLocalModel* model, const rgSolution* solution);
void rg_newton_local_model_store(const rgNewtonLocalModel* model, rgSolution* solution);

// y = W x + q.
void rg_newton_local_model_velocity(const rgNewtonLocalPart* part, const double* x, double* y);
// Largest miss of the contact law as a velocity [m/s].
double rg_newton_local_model_measure(const rgNewtonLocalPart* part, const double* x,
                                     const double* y);
// One sweep of exact one-contact solutions over model->x; returns the largest change of an impulse
// as a velocity [m/s].
double rg_newton_local_model_sweep(const rgNewtonLocalPart* part);

// Chooses the order of elimination. False when there is no room for the factor.
bool rg_newton_local_step_prepare(const rgNewtonLocalPart* part);
// Writes the Alart-Curnier function of the problem y + regularization (x - centre) to model->f;
// returns half its squared norm.
double rg_newton_local_step_evaluate(const rgNewtonLocalPart* part, const double* x,
                                     const double* y, double regularization);
// model->step = Newton's step for that function at model->x, ->y, ->f. False when the matrix is
// singular.
bool rg_newton_local_step_solve(const rgNewtonLocalPart* part, double regularization);

rgStatus rg_newton_local_accepts(const rgProblem* problem, rgMessage* message);
size_t rg_newton_local_work_size(const rgProblem* problem);
void rg_newton_local_solve(rgSolve* run);

#endif
