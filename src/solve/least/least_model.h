// least_model.h - a problem whose contacts are compliant, for the choice of least.c.
#ifndef SOLVE_LEAST_LEAST_MODEL_H
#define SOLVE_LEAST_LEAST_MODEL_H

#include "solve/newton/newton_proximal.h"

// e of least.c, relative to the diagonal of W: rounding is divided by it, and it is how far active
// bounds may lead from the limit.
#define RG_LEAST_COMPLIANCE 1e-5
// The same where rounding is removed by corrections: below the softest mode of a stack of heavy
// bodies on light ones.
#define RG_LEAST_TINY_COMPLIANCE 1e-9

// The masses of the terms of contacts are 1 / d, so that the penalty of newton_convex.h and the
// regularization of newton_proximal.h are those of equal compliances.
typedef struct rgLeastModel {
  rgNewtonModel model;
  rgNewtonForm form;
  rgNewtonProximal proximal;
  rgNewtonPath path;
  double* motion; // x of the model at which everything that rests does, six per body
  int* rest;      // per term: how many of its components rest, the normal first
  int factorizations;
  bool slides;    // something that touches does
  bool factored;  // the last matrix serves for the next step
  double* before; // impulses of the solver: contacts, then rows
} rgLeastModel;

// least_model.c: bytes that a model takes.
size_t rg_least_model_size(const rgProblem* problem);
// The model of what touches at a solution: contacts that open faster than `slip` [m/s] are left out.
// The matrix of the model is factored with all components that rest. NULL when a factor has no room or is too expensive.
rgLeastModel* rg_least_model_build(const rgProblem* problem, const double* weights,
                                   const rgSolution* solution, double slip, void* work);
// Builds form, proximal and path on top. False when the factor has no room or is too expensive.
bool rg_least_model_prepare_slide(rgLeastModel* least);

// least.c: a contact slides that is faster [m/s].
double rg_least_slip(const rgCertificate* certificate);

// least_stick.c: the impulses of least norm, where nothing slides. False when they are not found.
bool rg_least_stick(rgLeastModel* least, double goal);
// least_slide.c: the limit of equal compliances. False when it is not found or too expensive.
bool rg_least_slide(rgLeastModel* least, const rgSolution* solution, double goal);

#endif
