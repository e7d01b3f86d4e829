// cpg_printed.c - the conjugate projected gradient as it is printed.
//
// Problem: min r'Wr/2 + r'q with r_n >= 0 and |r_T| <= mu r_n, the threshold taken from the present r_n
// (Renouf et al. 2005, eq. 36: a "quasi"-optimization).
//
// Method (Renouf et al. 2005, section 6.3): with g the gradient and p the direction, from p = -g,
//
//     1. x + alpha p, alpha = -g'p / p'Wp     2. correction: r_n >= 0, then r_T back to mu r_n
//     3. g of the new point                   4. w of -g on the tangents of the sets, z of p on the
//     5. p = w + beta z, beta = -w'Wp / p'Wp     components that w leaves free
//
// and no safeguard: nothing sees to it that the function falls. Where p'Wp vanishes the iteration ends
// with what it has (section 8.1), which costs energy. What "vanishes" means is not published; here it
// is p'Wp <= vanish p'p |g|^2 / |g_0|^2, so that it is a part of what the iteration began with, in any
// units.
//
// Differences: the sign of beta, which is printed without the minus that makes directions conjugate; the
// scale of the variables (cpg_model.h). Rows are components within their bounds.
//
// Cost: two products with W per iteration.
#include "solve/gradient/cpg_model.h"

#include <math.h>
#include <string.h>

static double dot(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

static double length(const double* x, int count) { return sqrt(dot(x, x, count)); }

// Step 2: bounds, and the disk of the present threshold.
static void correct(const rgCpgModel* model, double* x) {
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    double* y = x + term->first;
    if (term->kind == RG_CPG_BOUNDS) {
      for (int k = 0; k < term->count; k++)
        y[k] = fmin(fmax(y[k], model->lower[term->first + k]), model->upper[term->first + k]);
      continue;
    }
    y[0] = fmax(y[0], 0);
    double size = length(y + 1, term->count - 1), most = term->mu * y[0];
    for (int k = 1; k < term->count && size > most; k++)
      y[k] *= most / size;
  }
}

// A component at a bound may leave it, but not go on.
static void hold_at_bounds(const rgCpgModel* model, int k) {
  bool low = model->x[k] <= model->lower[k] && model->w[k] < 0;
  bool high = model->x[k] >= model->upper[k] && model->w[k] > 0;
  if (low || high)
    model->w[k] = model->p[k] = 0;
}

// The same for a cone: r_n >= 0, and on the edge of the disk nothing goes outwards.
static void hold_in_cone(const rgCpgModel* model, const rgCpgTerm* term) {
  double *x = model->x + term->first, *w = model->w + term->first, *p = model->p + term->first;
  int m = term->count - 1;
  double size = length(x + 1, m), most = term->mu * x[0];
  if (x[0] <= 0 && w[0] < 0)
    w[0] = p[0] = 0;
  if (size < most * (1 - 1e-12))
    return;
  double out_w = size > 0 ? dot(x + 1, w + 1, m) / size : 0;
  double out_p = size > 0 ? dot(x + 1, p + 1, m) / size : 0;
  for (int k = 1; k <= m; k++) {
    if (size == 0) {
      w[k] = p[k] = 0; // a threshold of zero
    } else if (out_w > 0) {
      w[k] -= out_w * x[k] / size;
      p[k] -= out_p * x[k] / size;
    }
  }
}

// Step 4: w of -g, and p.
static void project_directions(rgCpgModel* model) {
  for (int i = 0; i < model->count; i++)
    model->w[i] = -model->g[i];
  for (int i = 0; i < model->term_count; i++) {
    const rgCpgTerm* term = &model->terms[i];
    if (term->kind == RG_CPG_CONE)
      hold_in_cone(model, term);
    for (int k = 0; k < term->count && term->kind == RG_CPG_BOUNDS; k++)
      hold_at_bounds(model, term->first + k);
  }
}

static void add(double* y, const double* x, size_t count) {
  for (size_t i = 0; i < count; i++)
    y[i] += x[i];
}

// Steps 1 to 3. False when p'Wp vanishes.
static bool step(rgCpgModel* model, double vanish, double first, double* curvature) {
  int n = model->count;
  rg_cpg_product(model, model->p, model->wp);
  *curvature = dot(model->p, model->wp, n);
  double part = first > 0 ? length(model->g, n) / first : 0;
  if (!(*curvature > vanish * dot(model->p, model->p, n)) || part * part <= vanish)
    return false;
  double alpha = -dot(model->g, model->p, n) / *curvature;
  for (int i = 0; i < n; i++)
    model->trial[i] = model->x[i] + alpha * model->p[i];
  correct(model, model->trial);
  for (int i = 0; i < n; i++)
    model->d[i] = model->trial[i] - model->x[i];
  rg_cpg_product(model, model->d, model->wd);
  memcpy(model->x, model->trial, (size_t)n * sizeof(double));
  add(model->u, model->du, 4 * (size_t)model->problem->contact_count);
  add(model->row_w, model->drow, (size_t)model->problem->row_count);
  rg_cpg_gradient(model);
  return true;
}

// Step 5.
static void conjugate(rgCpgModel* model, double curvature) {
  double beta = -dot(model->w, model->wp, model->count) / curvature;
  for (int i = 0; i < model->count; i++)
    model->p[i] = model->w[i] + beta * model->p[i];
}

void rg_cpg_printed_solve(rgCpgModel* model, rgSolve* run, double vanish) {
  correct(model, model->x);
  rg_cpg_store(model, model->x, run->solution);
  rg_cpg_evaluate(model, run->solution);
  for (int i = 0; i < model->term_count; i++)
    model->terms[i].offset = 0;
  rg_cpg_gradient(model);
  for (int i = 0; i < model->count; i++)
    model->p[i] = -model->g[i];
  double first = length(model->g, model->count), curvature;
  run->measure = rg_cpg_missed(model).whole;
  while (!(run->measure <= run->goal) && !rg_solve_is_over(run)) {
    run->iterations++;
    rg_solve_count_sweep(run);
    if (!step(model, vanish, first, &curvature))
      break;
    run->measure = rg_cpg_missed(model).whole;
    rg_solve_record(run, run->measure);
    project_directions(model);
    conjugate(model, curvature);
  }
  rg_cpg_store(model, model->x, run->solution);
}
