// least_stick.c - the impulses of least norm, where nothing slides.
//
// With u_T = 0 in all contacts that touch, De Saxce's form of the law has no offset, and (1) of
// least.c is the condition for a minimum of the convex function phi of newton_model.c with the
// multipliers y = 0 and the penalties rho_c = 1 / (e d_c): impulses are P_K(-rho u), in the metric
// D, and their limit is the solution of
//
//     minimize r' D r    such that    sum J' r = x,  r in K.                                    (2)
//
// x, the motion, is known (least_model.c). Without K the answer is r = rho J w, with K = kappa J' mass
// J and K w = x; repeated corrections
//
//     r += rho J (I + K)^-1 (x - sum J' r)                                                      (3)
//
// leave 1 / (1 + kappa l) of a mode with the eigenvalue l of W each time, stay of that form and end
// at rounding. If the answer is inside all cones, as it is as a rule, it is the one.
//
// Impulses of rows do not count in the norm: joints carry what the contacts leave. They have a small
// d instead of none (least_model.c), and are the start of a further pass in which contacts begin at
// zero again: of their part in the norm each pass leaves the ratio of the two d.
//
// If not, the minimum of phi is found by Newton's method, and updates of y as in newton.c follow.
// Their impulses have the rounding of u times rho; corrections (3), with the derivative of P_K in
// front of J, remove it.
#include "solve/least/least_model.h"
#include "solve/newton/newton_convex.h"

#include <math.h>
#include <string.h>

enum { UPDATES = 6, FACTORIZATIONS = 60, CORRECTIONS = 12, ROW_PASSES = 3 };
// |gradient| that is solved, relative to its rounding; what a step with an old factor may leave.
static const double FLAT = 4, SERVES = 1e-3;
// |x - sum J' r| that is rounding, relative to |x|.
static const double CORRECTED = 1e-15;
// An update or a correction that leaves more than this part is the last.
static const double GAIN = 0.5;
// Impulses may leave their cones by this part of their size: rounding.
static const double ROUNDING = 1e-13;

static double norm(const double* x, size_t count) {
  double sum = 0;
  for (size_t k = 0; k < count; k++)
    sum += x[k] * x[k];
  return sqrt(sum);
}

static size_t count_of(const rgNewtonModel* model) {
  return (size_t)model->problem->body_count * RG_BLOCK;
}

// -------------------------------------------------------------------------------------------------
// Corrections
// -------------------------------------------------------------------------------------------------

// J w of a term, and to -= J' r.
static void project(const rgNewtonTerm* term, const double* w, double out[RG_TERM_MAX]) {
  for (int k = 0; k < term->m; k++) {
    out[k] = 0;
    for (int j = 0; j < RG_BLOCK; j++) {
      if (term->body_a >= 0)
        out[k] += term->j[k][j] * w[RG_BLOCK * term->body_a + j];
      if (term->body_b >= 0)
        out[k] += term->j[k][RG_BLOCK + j] * w[RG_BLOCK * term->body_b + j];
    }
  }
}
static void subtract(const rgNewtonTerm* term, const double* r, double* to) {
  for (int k = 0; k < term->m; k++)
    for (int j = 0; j < RG_BLOCK; j++) {
      if (term->body_a >= 0)
        to[RG_BLOCK * term->body_a + j] -= term->j[k][j] * r[k];
      if (term->body_b >= 0)
        to[RG_BLOCK * term->body_b + j] -= term->j[k][RG_BLOCK + j] * r[k];
    }
}

// p += rho DP J w; DP = I where everything that rests is free to change.
static void correct_term(const rgLeastModel* least, int i, bool inside, double kappa,
                         const double* w) {
  rgNewtonTerm* term = &least->model.terms[i];
  double d[RG_TERM_MAX][RG_TERM_MAX], moved[RG_TERM_MAX];
  if (inside ? least->rest[i] == 0 : !rg_newton_model_slope(term, d))
    return;
  project(term, w, moved);
  for (int k = 0; k < term->m; k++)
    for (int l = 0; l < term->m; l++)
      if (!inside || k == l)
        term->p[k] += kappa * term->mass * (inside ? 1 : d[k][l]) * moved[l];
}

// Corrections of p by the factor at hand, to rounding.
static void correct(rgLeastModel* least, bool inside, double kappa) {
  rgNewtonModel* model = &least->model;
  size_t count = count_of(model);
  double size = norm(model->x, count), last = HUGE_VAL;
  for (int i = 0; i < CORRECTIONS; i++) {
    memcpy(model->direction, model->x, count * sizeof(double));
    for (int t = 0; t < model->term_count; t++)
      subtract(&model->terms[t], model->terms[t].p, model->direction);
    double missed = norm(model->direction, count);
    if (!(missed <= GAIN * last) || missed <= CORRECTED * size)
      return;
    last = missed;
    rg_block_ldl_solve(&model->matrix, model->direction, model->scratch);
    for (int t = 0; t < model->term_count; t++)
      correct_term(least, t, inside, kappa, model->direction);
  }
}

static bool is_inside(const rgNewtonTerm* term) {
  if (term->row)
    return term->p[0] >= term->lower && term->p[0] <= term->upper;
  double slip2 = 0, limit = term->mu * term->p[0] * (1 + ROUNDING);
  for (int k = 1; k < term->m; k++)
    slip2 += term->p[k] * term->p[k];
  return term->p[0] >= 0 && slip2 <= limit * limit;
}

// The answer without cones. False when it is not inside them.
static bool find_inside(rgLeastModel* least, double kappa) {
  rgNewtonModel* model = &least->model;
  int passes = model->problem->row_count > 0 ? ROW_PASSES : 1;
  for (int i = 0; i < model->term_count; i++)
    memcpy(model->terms[i].p, model->terms[i].y, sizeof model->terms[i].p);
  for (int pass = 0; pass < passes; pass++) {
    for (int i = 0; i < model->term_count; i++)
      if (!model->terms[i].row)
        memset(model->terms[i].p, 0, sizeof model->terms[i].p);
    correct(least, true, kappa);
  }
  for (int i = 0; i < model->term_count; i++)
    if (!is_inside(&model->terms[i]))
      return false;
  return true;
}

// -------------------------------------------------------------------------------------------------
// On the boundary of cones
// -------------------------------------------------------------------------------------------------

// y = P(z); returns the velocity by which the last impulses missed the law [m/s].
static double update(rgNewtonModel* model, double kappa) {
  double missed = 0;
  for (int i = 0; i < model->term_count; i++) {
    rgNewtonTerm* term = &model->terms[i];
    double change2 = 0;
    for (int k = 0; k < term->m; k++) {
      double change = (term->p[k] - term->y[k]) / (kappa * term->mass);
      change2 += change * change;
      term->y[k] = term->p[k];
    }
    missed = fmax(missed, sqrt(change2));
  }
  return missed;
}

// One step with the factor at hand. False when it does not serve.
static bool step_again(rgNewtonModel* model, double kappa, double goal) {
  size_t count = count_of(model);
  rg_newton_model_evaluate(model, model->x, kappa, model->gradient);
  double before = norm(model->gradient, count);
  for (size_t k = 0; k < count; k++)
    model->direction[k] = -model->gradient[k];
  rg_block_ldl_solve(&model->matrix, model->direction, model->scratch);
  for (size_t k = 0; k < count; k++)
    model->x[k] += model->direction[k];
  rg_newton_model_evaluate(model, model->x, kappa, model->gradient);
  return norm(model->gradient, count) <= fmax(goal, SERVES * before);
}

static bool find_on_boundary(rgLeastModel* least, double kappa, double goal) {
  rgNewtonModel* model = &least->model;
  rgStop stop = {0};
  rgSolve run = {.problem = model->problem,
                 .stop = &stop,
                 .iteration_limit = FACTORIZATIONS,
                 .deadline = HUGE_VAL,
                 .work_limit = HUGE_VAL};
  size_t count = count_of(model);
  double flat = FLAT * kappa * rg_newton_convex_rounding(model), last = HUGE_VAL;
  memcpy(least->motion, model->x, count * sizeof(double));
  bool found = true;
  for (int i = 0; i < UPDATES && last > goal; i++) {
    bool again = i > 0 && step_again(model, kappa, flat);
    found = again || rg_newton_convex_minimize(model, &run, kappa, flat) != RG_NEWTON_FAILED;
    double missed = found ? update(model, kappa) : HUGE_VAL;
    if (!(missed <= GAIN * last))
      break;
    last = missed;
  }
  least->factorizations += run.iterations + 1;
  rg_newton_model_assemble(model, kappa);
  if (!found || !rg_block_ldl_factor(&model->matrix))
    return false;
  memcpy(model->x, least->motion, count * sizeof(double));
  correct(least, false, kappa);
  return true;
}

bool rg_least_stick(rgLeastModel* least, double goal) {
  rgNewtonModel* model = &least->model;
  for (int i = 0; i < model->term_count; i++)
    if (!model->terms[i].row)
      memset(model->terms[i].y, 0, sizeof model->terms[i].y);
  return find_inside(least, 1 / RG_LEAST_TINY_COMPLIANCE) ||
         find_on_boundary(least, 1 / RG_LEAST_COMPLIANCE, goal);
}
