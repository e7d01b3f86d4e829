// newton_convex.c - minimizing the augmented function of newton_model.c: Newton's method with an
// exact line search, which converges from everywhere, as the function is convex and its Hessian
// positive definite.
#include "solve/newton/newton_convex.h"

#include <math.h>
#include <string.h>

enum { INNER_STEPS = 100, LINE_STEPS = 30 };
// The slope that ends a line search, relative to the one at its start.
static const double LINE_PART = 0.1;

static double dot(const double* a, const double* b, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

// Minimizes phi along x + s d: phi is convex, so the zero of its slope is bracketed and found by
// safeguarded secants to a tenth, at the first try where phi is quadratic. Exactness pays: an
// evaluation costs far less than a factorization, and with a merely decreasing phi the statuses of
// contacts swing for dozens of steps. x is moved; the gradient is that of the new point. False when
// rounding hides the zero.
static bool line_search(rgNewtonModel* model, double kappa, double slope) {
  size_t count = (size_t)model->problem->body_count * RG_BLOCK;
  double s = 1, low = 0, low_slope = slope, high = 0, high_slope = 0;
  for (int i = 0; i < LINE_STEPS; i++) {
    for (size_t k = 0; k < count; k++)
      model->trial[k] = model->x[k] + s * model->direction[k];
    rg_newton_model_evaluate(model, model->trial, kappa, model->gradient);
    double trial_slope = dot(model->gradient, model->direction, count);
    if (fabs(trial_slope) <= LINE_PART * -slope) {
      memcpy(model->x, model->trial, count * sizeof(double));
      return true;
    }
    if (trial_slope < 0) {
      low = s;
      low_slope = trial_slope;
    } else {
      high = s;
      high_slope = trial_slope;
    }
    if (high == 0) {
      s *= 2;
      continue;
    }
    double t = low_slope / (low_slope - high_slope); // in (0, 1)
    t = t < 0.05 ? 0.05 : t > 0.95 ? 0.95 : t;
    s = low + t * (high - low);
  }
  return false;
}

rgNewtonOutcome rg_newton_convex_minimize(rgNewtonModel* model, rgSolve* run, double kappa,
                                          double goal) {
  size_t count = (size_t)model->problem->body_count * RG_BLOCK;
  rg_newton_model_evaluate(model, model->x, kappa, model->gradient);
  for (int i = 0; i < INNER_STEPS; i++) {
    if (sqrt(dot(model->gradient, model->gradient, count)) <= goal)
      return RG_NEWTON_REACHED;
    if (rg_solve_is_over(run))
      return RG_NEWTON_FAILED;
    rg_newton_model_assemble(model, kappa);
    rg_solve_count_factorization(run, model->matrix.multiplications);
    if (!rg_block_ldl_factor(&model->matrix))
      return RG_NEWTON_FAILED;
    run->iterations++;
    for (size_t k = 0; k < count; k++)
      model->direction[k] = -model->gradient[k];
    rg_block_ldl_solve(&model->matrix, model->direction, model->scratch);
    double slope = dot(model->gradient, model->direction, count);
    if (!(slope < 0))
      return RG_NEWTON_FAILED;
    if (!line_search(model, kappa, slope)) {
      rg_newton_model_evaluate(model, model->x, kappa, model->gradient);
      return RG_NEWTON_STALLED;
    }
  }
  return RG_NEWTON_STALLED;
}

double rg_newton_convex_rounding(const rgNewtonModel* model) {
  double sum = 0;
  for (int i = 0; i < model->term_count; i++) {
    const rgNewtonTerm* term = &model->terms[i];
    for (int k = 0; k < term->m; k++)
      sum += term->mass * term->free[k] * term->free[k];
  }
  return 4 * 2.2e-16 * sqrt(sum);
}
