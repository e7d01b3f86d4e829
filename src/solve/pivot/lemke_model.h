// lemke_model.h - a contact problem with polyhedral cones as a linear complementarity problem.
#ifndef SOLVE_PIVOT_LEMKE_MODEL_H
#define SOLVE_PIVOT_LEMKE_MODEL_H

#include "solve/direct/elimination.h"
#include "solve/pivot/lcp.h"

// An unknown of the LCP: an impulse along a combination of at most two directions, or a slack
// without any.
typedef struct rgLcpVariable {
  int column[2]; // -1 = none
  double coefficient[2];
  double scale; // impulse [N s] = scale * unknown
  bool free;    // of any sign
} rgLcpVariable;

// Where a direction of the problem keeps its impulse.
typedef struct rgLcpColumn {
  int contact, component; // or contact = -1 and
  int row;
} rgLcpColumn;

typedef struct rgLemkeModel {
  const rgProblem* problem;
  bool mixed; // free rows are unknowns
  int column_count, variable_count;
  rgLcpColumn* columns;
  rgDirection* directions; // of the columns; body form only
  rgIncidence on;
  double* w;             // W without the joints, by columns
  double* free_velocity; // of each column without any unknown impulse
  double* combined;      // scratch
  rgLcpVariable* variables;
  double* q; // scaled
  rgElimination joints;
  int* joint_rows;
  double* coupling; // by column: D^-1/2 L^-1 G M^-1 g
  bool* free;       // per variable; mixed only
  rgLemke lemke;
} rgLemkeModel;

// Unknowns of the LCP that the problem becomes; RG_ERROR_UNSUPPORTED with a message when a cone is
// not polyhedral, which begins with the name of the solver.
rgStatus rg_lemke_count(const rgProblem* problem, const char* name, int* variables,
                        rgMessage* message);
// `mixed`: free rows stay unknowns, instead of being eliminated.
void rg_lemke_model_carve(rgLemkeModel* model, const rgProblem* problem, bool mixed,
                          rgCarver* carver);
// Fills model->lemke.m and model->q. Uses solution as scratch.
void rg_lemke_model_build(rgLemkeModel* model, rgSolution* solution);
// The impulses that model->lemke.z stands for; joints are solved for afterwards.
void rg_lemke_model_store(rgLemkeModel* model, rgSolution* solution);

#endif
