// newton_local.h - the semismooth Newton method on the local form (part of the solver `newton`).
#ifndef SOLVE_NEWTON_NEWTON_LOCAL_H
#define SOLVE_NEWTON_NEWTON_LOCAL_H

#include "math/block_lu.h"
#include "math/dense_lu.h"
#include "solve/one/one.h"
#include "solve/solver.h"

// A contact in scaled variables x = r / s, y = s u with s_i = e_i sqrt(rho), rho the effective mass
// of the certificate: blocks of S W S have diagonals about 1, the cone is circular, and the
// certificate's miss in velocity is |x - P(x - y^)| / sqrt(rho).
typedef struct rgLocalContact {
  int source;                  // index in the problem
  double scale[4];             // s; 0 for a component without impulse
  double root;                 // sqrt(rho)
  double mu;                   // 0 for frictionless
  double normal_rho, slip_rho; // steps of the Alart-Curnier function
  rgLocalBlock block;          // symmetric part of the scaled diagonal block, for sweeps
  double alpha;                // last slip coefficient of its one-contact problem
} rgLocalContact;

// What a contact does at the point of the last evaluation.
typedef enum rgSlopeKind { RG_SLOPE_OPEN, RG_SLOPE_STICK, RG_SLOPE_SLIDE } rgSlopeKind;
typedef struct rgLocalSlope {
  rgSlopeKind kind;
  double along[4]; // sliding: z_T / |z_T| in components 1 .. size - 1
  double part;     // sliding: mu z_n / |z_T|
} rgLocalSlope;

// The problem with contacts sorted by islands (connected components of W), each contiguous.
typedef struct rgLocalModel {
  const rgProblem* problem;
  int size;  // numbers per contact
  int count; // contacts
  int island_count;
  int* island_start; // island_count + 1, in the new order
  int* order;        // new -> problem
  int* place;        // problem -> new
  rgLocalContact* contacts;
  int* row_start; // of S W S in the new order
  int* column;
  double* w;
  double** target;         // where the block of an entry of w goes in the matrix of the step
  double *q, *x, *y;       // size per contact
  double *trial, *trial_y; // of the line search
  double* step;            // of Newton's method
  double* centre;          // of the proximal term
  double* best;            // point with the smallest measure
  double* f;               // Alart-Curnier function
  rgLocalSlope* slopes;    // of its projections
  // Matrix of the step of the island at work: dense for small islands of size 3.
  bool is_dense;
  rgBlockLu lu;
  rgDenseLu dense;
  int* active; // dense: block row of a contact, -1 when it is open
} rgLocalModel;

// Vectors given to the functions of an island begin with its first number.
typedef struct rgLocalIsland {
  rgLocalModel* model;
  int first, last; // contacts first .. last - 1
} rgLocalIsland;

void rg_local_model_carve(rgLocalModel* model, const rgProblem* problem, rgCarver* carver);
void rg_local_model_build(rgLocalModel* model);
void rg_local_model_load(rgLocalModel* model, const rgSolution* solution);
void rg_local_model_store(const rgLocalModel* model, rgSolution* solution);

// y = W x + q.
void rg_local_model_velocity(const rgLocalIsland* island, const double* x, double* y);
// Largest miss of the contact law as a velocity [m/s].
double rg_local_model_measure(const rgLocalIsland* island, const double* x, const double* y);
// One sweep of exact one-contact solutions over model->x; returns the largest change of an impulse
// as a velocity [m/s].
double rg_local_model_sweep(const rgLocalIsland* island);

// Chooses the order of elimination. False when there is no room for the factor.
bool rg_local_step_prepare(const rgLocalIsland* island);
// Writes the Alart-Curnier function of the problem y + shift (x - centre) to model->f; returns half
// its squared norm.
double rg_local_step_evaluate(const rgLocalIsland* island, const double* x, const double* y,
                              double shift);
// model->step = Newton's step for that function at model->x, ->y, ->f. False when the matrix is
// singular.
bool rg_local_step_solve(const rgLocalIsland* island, double shift);

rgStatus rg_newton_local_accepts(const rgProblem* problem, rgMessage* message);
size_t rg_newton_local_work_size(const rgProblem* problem);
void rg_newton_local_solve(rgSolve* run);

#endif
