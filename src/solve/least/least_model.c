// least_model.c - what touches at a solution, as terms of newton_model.h that suit each other.
//
// A solver leaves velocities up to its tolerance at contacts that touch, and biases of contacts
// that touch may contradict each other by as much: rigid bodies cannot satisfy all of them, and what
// is left of them, divided by a small compliance, would be large impulses. So the choice is made for
// a velocity at which they agree: with J the rows of all components that rest (normals of what
// touches, slips of what sticks, rows between their bounds) and f + J x their velocities at the
// motion x of newton_model.h,
//
//     minimize |x - x_solver|^2 / kappa + sum mass |f + J x|^2,      kappa = 1 / e large,
//
// by steps with the factor of I + kappa J' mass J; the terms then have f = -J x, which x satisfies
// exactly. All of this is within what the certificate allows; it judges the answer for the problem
// as it was.
#include "solve/least/least_model.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

enum {
  BLOCKS_PER_BODY = 24, // room for fill
  REST_STEPS = 2        // each leaves e / (l + e) of the velocity of a mode
};
// Least of the compliances of contacts in the scaled variables, relative to the largest: smaller
// ones would bring rounding. Between a heavy and a light body, contacts count less than they should.
static const double LEAST_SHARE = 1e-3;
// How much less than contacts rows yield, relative to their effective masses.
static const double ROW_STIFFNESS = 1e4;
// 6 x 6 products per term and body.
static const double EXPENSIVE = 20;

static rgLeastModel* carve(rgLeastModel* least, const rgProblem* problem, rgCarver* carver) {
  double n = problem->body_count, terms = (double)problem->contact_count + problem->row_count;
  double all = n * (n - 1) / 2 + 1, most = sqrt(2 * EXPENSIVE * n * (n + terms));
  int limit = (int)fmin(all, fmin(most, BLOCKS_PER_BODY * n));
  rgLeastModel* place = rg_carve(carver, 1, sizeof *least);
  memset(least, 0, sizeof *least);
  rg_newton_model_carve(&least->model, problem, limit, carver);
  rg_newton_form_carve(&least->form, problem, limit, carver);
  rg_newton_proximal_carve(&least->proximal, problem, carver);
  least->motion = rg_carve(carver, RG_BLOCK * (size_t)problem->body_count, sizeof(double));
  least->rest = rg_carve(carver, (size_t)terms, sizeof(int));
  least->before = rg_carve(carver, 4 * (size_t)problem->contact_count + (size_t)problem->row_count,
                           sizeof(double));
  return place;
}

size_t rg_least_model_size(const rgProblem* problem) {
  rgLeastModel least;
  rgCarver carver = {NULL, 0};
  carve(&least, problem, &carver);
  return carver.used + RG_ALIGNMENT;
}

// Compliances e d of contacts are equal but for the weights: in the model, masses 1 / d.
static void set_masses(rgNewtonModel* model, const double* weights) {
  double largest = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < model->term_count; i++) {
      rgNewtonTerm* term = &model->terms[i];
      if (term->row)
        continue;
      double share = (weights ? weights[term->source] : 1) * term->mass;
      if (pass == 0)
        largest = fmax(largest, share);
      else
        term->mass /= fmax(share / largest, LEAST_SHARE);
    }
}

// -------------------------------------------------------------------------------------------------
// What touches, and its velocity
// -------------------------------------------------------------------------------------------------

static double slip_of(const rgNewtonTerm* term) {
  double slip2 = 0;
  for (int k = 1; k < term->m; k++)
    slip2 += term->u[k] * term->u[k];
  return sqrt(slip2);
}

// Components of a term that rest, at the velocity last evaluated.
static int resting(const rgNewtonTerm* term, double slip) {
  if (term->row) {
    bool bound = term->y[0] <= term->lower || term->y[0] >= term->upper;
    return bound || term->compliance > 0 ? 0 : 1;
  }
  return slip_of(term) > slip ? 1 : term->m;
}

// Leaves out contacts that open, and friction where there is none.
static void keep_touching(rgLeastModel* least, double slip) {
  rgNewtonModel* model = &least->model;
  int count = 0;
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    if (!term->row && term->u[0] > slip)
      continue;
    if (!term->row && term->mu == 0)
      term->m = 1;
    least->rest[count] = resting(term, slip);
    least->slides = least->slides || (!term->row && least->rest[count] < term->m);
    if (count != i)
      model->terms[count] = *term;
    count++;
  }
  model->term_count = count;
}

// Where nothing slides rows are springs, too.
static void stiffen_rows(rgNewtonModel* model) {
  for (int i = 0; i < model->term_count; i++)
    if (model->terms[i].row)
      model->terms[i].mass *= ROW_STIFFNESS;
}

// The matrix I + kappa J' mass J of the components that rest: z is put where the projection of a
// term is the identity, or zero, and others are not looked at.
static bool factor(rgLeastModel* least, double kappa) {
  rgNewtonModel* model = &least->model;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < model->term_count; i++) {
      rgNewtonTerm* term = &model->terms[i];
      int rest = least->rest[i];
      if (term->row) {
        term->z[0] = rest ? term->y[0] : term->upper;
        continue;
      }
      memset(term->z, 0, sizeof term->z);
      term->z[0] = 1;
      least->rest[i] = term->m; // exchanged, and changed back in the second pass
      term->m = rest;
    }
    if (pass == 0)
      rg_newton_model_assemble(model, kappa);
  }
  least->factorizations++;
  return rg_block_ldl_factor(&model->matrix);
}

// to -= J' y for a component of a term.
static void subtract_impulse(const rgNewtonTerm* term, int k, double y, double* to) {
  for (int j = 0; j < RG_BLOCK; j++) {
    if (term->body_a >= 0)
      to[RG_BLOCK * term->body_a + j] -= term->j[k][j] * y;
    if (term->body_b >= 0)
      to[RG_BLOCK * term->body_b + j] -= term->j[k][RG_BLOCK + j] * y;
  }
}

static void evaluate(rgNewtonModel* model) { rg_newton_model_evaluate(model, model->x, 1, NULL); }

// One step towards x at rest.
static void approach_rest(rgLeastModel* least, double kappa) {
  rgNewtonModel* model = &least->model;
  size_t count = (size_t)model->problem->body_count * RG_BLOCK;
  double* step = model->direction;
  memset(step, 0, count * sizeof(double));
  evaluate(model);
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < least->rest[i]; k++)
      subtract_impulse(&model->terms[i], k, kappa * model->terms[i].mass * model->terms[i].u[k],
                       step);
  rg_block_ldl_solve(&model->matrix, step, model->scratch);
  for (size_t k = 0; k < count; k++)
    model->x[k] += step[k];
}

// Makes x a motion at which everything that rests does so exactly. Where nothing slides the motion
// is known by then, and with it the impulses of soft rows and of rows at their bounds.
static void settle(rgLeastModel* least, double kappa) {
  rgNewtonModel* model = &least->model;
  for (int i = 0; i < REST_STEPS; i++)
    approach_rest(least, kappa);
  evaluate(model);
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    for (int k = 0; k < least->rest[i]; k++)
      term->free[k] -= term->u[k];
    if (least->rest[i] == 0 && !least->slides) {
      term->lower = term->upper = term->y[0];
      term->compliance = 0;
    }
  }
}

static double price_limit(const rgProblem* problem) {
  return EXPENSIVE * ((double)problem->contact_count + problem->row_count + problem->body_count);
}

bool rg_least_model_prepare_slide(rgLeastModel* least) {
  rg_newton_form_build(&least->form, &least->model);
  rg_newton_proximal_build(&least->proximal, &least->form);
  least->path = rg_newton_proximal_path(&least->proximal);
  return least->path.prepare(least->path.context) &&
         least->form.lu.products <= price_limit(least->model.problem);
}

rgLeastModel* rg_least_model_build(const rgProblem* problem, const double* weights,
                                   const rgSolution* solution, double slip, void* work) {
  rgCarver carver = {(char*)work + ((size_t) - (uintptr_t)work & (RG_ALIGNMENT - 1)), 0};
  rgLeastModel made, *least = carve(&made, problem, &carver);
  *least = made;
  rgNewtonModel* model = &least->model;
  double kappa = 1 / RG_LEAST_TINY_COMPLIANCE;
  if (!rg_newton_model_build(model) || model->matrix.multiplications > price_limit(problem))
    return NULL;
  set_masses(model, weights);
  rg_newton_model_load(model, solution);
  evaluate(model);
  keep_touching(least, slip);
  if (!least->slides)
    stiffen_rows(model);
  if (!factor(least, kappa))
    return NULL;
  settle(least, kappa);
  return least;
}
