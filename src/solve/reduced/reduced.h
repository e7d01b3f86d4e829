// reduced.h - problems with trees of joints, in the rates of their joints (the first choice of the solver
// `auto` where a problem has links).
#ifndef SOLVE_REDUCED_REDUCED_H
#define SOLVE_REDUCED_REDUCED_H

#include "linkage/linkage.h"
#include "solve/solver.h"

// What becomes of a row.
typedef enum rgReducedRole {
  RG_REDUCED_KEPT,    // a node of the local form
  RG_REDUCED_IMPLIED, // it holds for all rates
  RG_REDUCED_SOFT,    // a spring, damper or servo along an axis: part of the mass of its joint
  RG_REDUCED_GIVEN    // its bounds leave one impulse
} rgReducedRole;

typedef struct rgReduced {
  const rgProblem* problem;
  rgLinkage linkage;
  rgLinkageMass* masses;
  double (*extra)[RG_LINK_AXES]; // by dof
  uint8_t* role;                 // of each row
  // Nodes of the local form: contacts and rows that may carry impulses.
  int *contacts, *rows; // node -> contact, node -> row
  int contact_count, row_count;
  bool *contact_in, *row_in; // by contact and row of the problem
  double* rest;              // 6 per body: v without impulses of nodes
  double* wrench;            // 6 per body
  double* v;                 // 6 per body
  // The local form over the nodes.
  int block;
  rgProblem local;
  rgLocalMatrix matrix;
  rgSolution solution;
  double* y;  // dof_count per direction
  double* w;  // all directions with all directions
  void* work; // of newton
} rgReduced;

// Whether the problem has links, and few enough contacts and bounded rows for a dense W.
bool rg_reduced_takes(const rgProblem* problem);
size_t rg_reduced_work_size(const rgProblem* problem); // 0 where it does not take the problem
// Solves; false when it could not and others must: solution is unchanged then.
bool rg_reduced_solve(rgSolve* run, void* work);

void rg_reduced_carve(rgReduced* reduced, const rgProblem* problem, rgCarver* carver);
// Factors the trees and finds `rest`, then the nodes that have an impulse in `start` or that `rest`
// would violate. False when masses are singular.
bool rg_reduced_build(rgReduced* reduced, const rgSolution* start);
// Fills the local form of the present nodes, with impulses from `start`.
void rg_reduced_fill(rgReduced* reduced, const rgSolution* start);
// Takes contacts and rows in that are not among the nodes and that `v` violates by more than `least`
// [m/s]; returns how many.
int rg_reduced_add_violated(rgReduced* reduced, double least);
// From impulses of the nodes in `reduced->solution` to all of `solution`.
void rg_reduced_complete(rgReduced* reduced, rgSolution* solution);

#endif
