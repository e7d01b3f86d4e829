// newton_local.c - proximal semismooth Newton method on the local form.
//
// Problem: (u, w) = W (r, lambda) + q with the laws of problem.h, exact cones and bounded rows; W need be neither symmetric
// nor regular.
//
// Method: the uncoupled parts of W are solved one by one, in the scaled variables of
// newton_local_model.c, by the proximal Newton method of newton_path.c on the Alart-Curnier
// function of newton_local_step.c.
//
// Reference: Acary, Bremond, Huber 2018; Alart, Curnier 1991. Cost: one sparse factorization per
// step, in block rows of contacts (block_lu.c).
#include "solve/newton/newton_local.h"
#include "base/message.h"
#include "problem/operator.h"
#include "solve/newton/newton_path.h"

#include <limits.h>
#include <math.h>

// The last is what double precision bears.
static const double FIRST_REGULARIZATION = 1e-3, LAST_REGULARIZATION = 1e-11;

static void velocity(void* context, const double* x, double* y) {
  rg_newton_local_model_velocity(context, x, y);
}

static double measure(void* context, const double* x, const double* y) {
  return rg_newton_local_model_measure(context, x, y);
}

static double evaluate(void* context, const double* x, const double* y, double regularization) {
  return rg_newton_local_step_evaluate(context, x, y, regularization);
}

static bool solve_step(void* context, double regularization) {
  return rg_newton_local_step_solve(context, regularization);
}

static double sweep(void* context) {
  rgNewtonLocalPart* part = context;
  double change = rg_newton_local_model_sweep(part);
  return part->last - part->first == 1 ? 0 : change; // a single contact is solved exactly
}

static bool prepare(void* context) { return rg_newton_local_step_prepare(context); }

// A step costs about half as many sweeps as there are blocks in a row, and a handful of steps will
// be needed.
static int more_sweeps(const rgNewtonLocalPart* part) {
  const int* row_start = part->model->row_start;
  int blocks = row_start[part->last] - row_start[part->first];
  return 2 * blocks / (part->last - part->first);
}

// Solves one part as far as the budget allows; returns the iterations spent.
// Block products of 6 x 6; those of the sparse matrix are smaller.
static double products(void* context) {
  const rgNewtonLocalPart* part = context;
  const rgNewtonLocalModel* model = part->model;
  double rows = (double)model->size * (part->last - part->first), size = model->size;
  double numbers =
      model->is_dense ? rows * rows * rows / 3 : model->lu.products * size * size * size;
  return numbers / RG_BLOCK_PRODUCT;
}

static int solve_part(rgNewtonLocalModel* model, rgSolve* run, int index, bool recorded) {
  rgNewtonLocalPart part = {model, model->part_start[index], model->part_start[index + 1]};
  size_t size = (size_t)model->size, begin = (size_t)part.first * size;
  rgNewtonPath path = {.context = &part,
                       .count = (size_t)(part.last - part.first) * size,
                       .x = model->x + begin,
                       .y = model->y + begin,
                       .trial = model->trial + begin,
                       .trial_y = model->trial_y + begin,
                       .step = model->step + begin,
                       .centre = model->centre + begin,
                       .best = model->best + begin,
                       .velocity = velocity,
                       .measure = measure,
                       .evaluate = evaluate,
                       .solve = solve_step,
                       .products = products,
                       .sweep = sweep,
                       .prepare = prepare,
                       .first_regularization = FIRST_REGULARIZATION,
                       .last_regularization = LAST_REGULARIZATION,
                       .first_sweeps = (int)run->options[RG_NEWTON_SWEEPS],
                       .more_sweeps = more_sweeps(&part),
                       .patience = INT_MAX,
                       .recorded = recorded};
  double missed;
  int spent = rg_newton_path_follow(&path, run, &missed);
  run->measure = fmax(run->measure, missed);
  return spent;
}

rgStatus rg_newton_local_accepts(const rgProblem* problem, rgMessage* message) {
  for (int i = 0; i < problem->contact_count; i++) {
    rgConeKind cone = problem->contacts[i].cone;
    if (cone == RG_CONE_INNER || cone == RG_CONE_OUTER)
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "newton takes exact cones only, contact %d has a polygon", i);
  }
  for (int i = 0; i < problem->row_count; i++) {
    double diagonal = *rg_local_diagonal(problem, problem->contact_count + i);
    if (diagonal < 0)
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "newton needs a diagonal that is not negative, that of row %d is %g", i,
                     diagonal);
  }
  return RG_OK;
}

static int block_count(const rgProblem* problem) {
  return problem->local->row_start[rg_local_node_count(problem)];
}

size_t rg_newton_local_work_size(const rgProblem* problem) {
  rgNewtonLocalModel model;
  rgCarver carver = {NULL, 0};
  rg_carve(&carver, 1, sizeof model);
  rg_newton_local_model_carve(&model, rg_local_node_count(problem), problem->local->block,
                              block_count(problem), &carver);
  return carver.used;
}

static int largest_part(const rgNewtonLocalModel* model) {
  int best = 0, most = 0;
  for (int i = 0; i < model->part_count; i++) {
    int count = model->part_start[i + 1] - model->part_start[i];
    if (count > most) {
      most = count;
      best = i;
    }
  }
  return best;
}

void rg_newton_local_solve(rgSolve* run) {
  rgCarver carver = {run->work, 0};
  rgNewtonLocalModel* model = rg_carve(&carver, 1, sizeof *model);
  if (run->call == 0) {
    rg_newton_local_model_carve(model, rg_local_node_count(run->problem),
                                run->problem->local->block, block_count(run->problem), &carver);
    model->problem = run->problem;
    rg_newton_local_model_build(model);
  }
  rg_newton_local_model_load(model, run->solution);
  run->measure = 0;
  int most = 0, largest = largest_part(model);
  for (int i = 0; i < model->part_count; i++) {
    int spent = solve_part(model, run, i, i == largest);
    most = spent > most ? spent : most;
  }
  run->iterations += most;
  rg_newton_local_model_store(model, run->solution);
}
