// newton_proximal.c - the proximal Newton method in motion space, with the full derivative of the
// law.
//
// Problem: the discrete problem of problem.h with exact cones and rows, in the mass-weighted motion
// xi of newton_model.c, where v = v_free + L xi and xi = sum J' x over the terms.
//
// Method: newton_path.c on the Alart-Curnier function of newton_local_step.c, rows by their own
// natural map x - clamp(x - y). The step is the one of the local form; only the elimination goes
// the other way. With A = (I - D) + D rho (regularization + softness) each term gives
//
//     dx = -A^-1 F - B J dxi,   B = A^-1 D rho,
//
// which newton_form.c solves. B is not symmetric where a contact slides: it knows how friction
// follows the normal impulse, so that sliding converges as fast as sticking, which holding the
// offset mu |u_T| of De Saxce's form does not.
//
// Cost: per step one assembly (linear in contacts) and one factorization (block_lu.c). dx is a
// difference of numbers that are larger by 1 / regularization, which bounds the regularization from
// below. With joints, that hold bodies only in some directions, a second solve for what the first
// one missed removes that rounding.
#include "solve/newton/newton_proximal.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum {
  FIRST_SWEEPS = 10,
  MORE_SWEEPS = 10,
  CHAIN_STEPS = 100 // with joints: more are not spent on going beyond what was asked for
};
static const double FIRST_REGULARIZATION = 1e-3, LAST_REGULARIZATION = 1e-10;

void rg_newton_proximal_carve(rgNewtonProximal* proximal, const rgProblem* problem,
                              rgCarver* carver) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count,
         numbers = RG_TERM_MAX * contacts + rows;
  memset(proximal, 0, sizeof *proximal);
  proximal->laws = rg_carve(carver, contacts + rows, sizeof(rgProximalLaw));
  double** vectors[] = {&proximal->trial, &proximal->trial_y, &proximal->centre, &proximal->f,
                        &proximal->step};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = rg_carve(carver, numbers, sizeof(double));
}

static void set_block(rgProximalLaw* law, const rgNewtonTerm* term) {
  double w[4][4] = {{0}}, slip = 0;
  for (int i = 0; i < term->m; i++)
    for (int k = 0; k < term->m; k++)
      for (int j = 0; j < 2 * RG_BLOCK; j++)
        w[i][k] += term->mass * term->j[i][j] * term->j[k][j];
  rg_one_reduce(w, term->m - 1, term->mu, &law->block);
  for (int i = 1; i < term->m; i++)
    slip += w[i][i];
  law->normal_rho = w[0][0] > 0 ? 1 / w[0][0] : 1;
  law->slip_rho = slip > 0 ? (term->m - 1) / slip : 1;
}

void rg_newton_proximal_build(rgNewtonProximal* proximal, rgNewtonForm* form) {
  proximal->form = form;
  for (int i = 0; i < form->model->term_count; i++) {
    rgProximalLaw* law = &proximal->laws[i];
    memset(law, 0, sizeof *law);
    law->normal_rho = 1;
    if (!form->model->terms[i].row)
      set_block(law, &form->model->terms[i]);
  }
}

// -------------------------------------------------------------------------------------------------
// Laws
// -------------------------------------------------------------------------------------------------

static bool prepare(void* context) {
  return rg_newton_form_order(((rgNewtonProximal*)context)->form);
}

static void velocity(void* context, const double* x, double* y) {
  rg_newton_form_velocity(((rgNewtonProximal*)context)->form, x, y);
}

static double measure(void* context, const double* x, const double* y) {
  return rg_newton_form_measure(((rgNewtonProximal*)context)->form, x, y);
}

static double sweep_term(rgNewtonProximal* proximal, int i) {
  rgNewtonForm* form = proximal->form;
  const rgNewtonTerm* term = &form->model->terms[i];
  double *x = form->x + form->terms[i].at, u[RG_TERM_MAX] = {0}, r[RG_TERM_MAX] = {0}, change2 = 0;
  rg_newton_form_term_velocity(form, i, form->xi, x, u);
  for (int k = 0; k < term->m; k++)
    r[k] = x[k];
  if (term->row)
    r[0] = rg_newton_form_clamp(form, i, x[0] - u[0]); // its diagonal is 1 by scaling
  else
    rg_one_cone(&proximal->laws[i].block, u, r, &proximal->laws[i].alpha);
  for (int k = 0; k < term->m; k++) {
    double change = r[k] - x[k];
    x[k] = r[k];
    r[k] = change;
    change2 += change * change;
  }
  rg_newton_form_add_impulse(form, i, r, form->xi);
  return sqrt(change2) / form->terms[i].root;
}

static double sweep(void* context) {
  rgNewtonProximal* proximal = context;
  double worst = 0;
  rg_newton_form_velocity(proximal->form, proximal->form->x, proximal->form->y); // sums xi
  for (int i = 0; i < proximal->form->model->term_count; i++)
    worst = fmax(worst, sweep_term(proximal, i));
  return worst;
}

// -------------------------------------------------------------------------------------------------
// Newton's step
// -------------------------------------------------------------------------------------------------

// z = x - rho y with the proximal term, which equations do without; returns |z_T|.
static double regularized_point(const rgNewtonProximal* proximal, int i, const double* x,
                                const double* y, double regularization, double z[RG_TERM_MAX]) {
  const rgProximalLaw* law = &proximal->laws[i];
  const double* centre = proximal->centre + proximal->form->terms[i].at;
  double slip2 = 0;
  regularization = proximal->form->terms[i].node >= 0 ? 0 : regularization;
  for (int k = 0; k < proximal->form->model->terms[i].m; k++) {
    double regularized = y[k] + regularization * (x[k] - centre[k]);
    z[k] = x[k] - (k == 0 ? law->normal_rho : law->slip_rho) * regularized;
    slip2 += k == 0 ? 0 : z[k] * z[k];
  }
  return sqrt(slip2);
}

static double evaluate(void* context, const double* x, const double* y, double regularization) {
  rgNewtonProximal* proximal = context;
  double sum = 0;
  for (int i = 0; i < proximal->form->model->term_count; i++) {
    const rgNewtonTerm* term = &proximal->form->model->terms[i];
    int at = proximal->form->terms[i].at;
    double z[RG_TERM_MAX], slip = regularized_point(proximal, i, x + at, y + at, regularization, z);
    double normal = term->row ? rg_newton_form_clamp(proximal->form, i, z[0]) : z[0] > 0 ? z[0] : 0;
    double radius = term->mu * normal, part = slip <= radius ? 1 : radius / slip;
    proximal->f[at] = x[at] - normal;
    sum += proximal->f[at] * proximal->f[at];
    for (int k = 1; k < term->m; k++) {
      proximal->f[at + k] = x[at + k] - part * z[k];
      sum += proximal->f[at + k] * proximal->f[at + k];
    }
  }
  return 0.5 * sum;
}

// D at the present point. False where it is zero.
static bool projection_slope(const rgNewtonProximal* proximal, int i, double regularization,
                             double d[RG_TERM_MAX][RG_TERM_MAX]) {
  const rgNewtonTerm* term = &proximal->form->model->terms[i];
  int at = proximal->form->terms[i].at;
  double z[RG_TERM_MAX], slip = regularized_point(proximal, i, proximal->form->x + at,
                                                  proximal->form->y + at, regularization, z);
  memset(d, 0, RG_TERM_MAX * sizeof *d);
  if (term->row ? z[0] != rg_newton_form_clamp(proximal->form, i, z[0]) : !(z[0] > 0))
    return false;
  d[0][0] = 1;
  double radius = term->mu * z[0];
  for (int k = 1; k < term->m; k++) {
    if (slip <= radius) {
      d[k][k] = 1;
      continue;
    }
    double along = z[k] / slip;
    d[k][0] = term->mu * along;
    for (int l = 1; l < term->m; l++)
      d[k][l] = radius / slip * ((k == l ? 1 : 0) - along * z[l] / slip);
  }
  return true;
}

// A^-1 and B of a term; A^-1 = I and B = 0 where D = 0.
static bool linearize(rgNewtonProximal* proximal, int i, double regularization) {
  rgProximalLaw* law = &proximal->laws[i];
  rgNewtonFormTerm* own = &proximal->form->terms[i];
  int m = proximal->form->model->terms[i].m;
  double d[RG_TERM_MAX][RG_TERM_MAX], a[RG_TERM_MAX][RG_TERM_MAX];
  memset(own->slope, 0, sizeof own->slope);
  memset(law->inverse, 0, sizeof law->inverse);
  for (int k = 0; k < m; k++)
    law->inverse[k][k] = 1;
  if (own->node >= 0)
    return true;
  if (!projection_slope(proximal, i, regularization, d))
    return true;
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++) {
      d[k][l] *= l == 0 ? law->normal_rho : law->slip_rho;
      double identity = k == l ? 1 : 0;
      a[k][l] = identity - d[k][l] / (l == 0 ? law->normal_rho : law->slip_rho) +
                d[k][l] * (regularization + own->softness);
    }
  if (!rg_newton_form_invert(a, m, law->inverse))
    return false;
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++)
      for (int j = 0; j < m; j++)
        own->slope[k][l] += law->inverse[k][j] * d[j][l];
  return true;
}

static void known_step(const rgNewtonProximal* proximal, int i, double* dx) {
  const double* f = proximal->f + proximal->form->terms[i].at;
  int m = proximal->form->model->terms[i].m;
  for (int k = 0; k < m; k++) {
    dx[k] = 0;
    for (int j = 0; j < m; j++)
      dx[k] -= proximal->laws[i].inverse[k][j] * f[j];
  }
}

static bool has_joints(const rgNewtonForm* form) {
  return form->node_count > form->model->problem->body_count;
}

static bool assemble(rgNewtonProximal* proximal, double regularization) {
  rgNewtonForm* form = proximal->form;
  rg_newton_form_clear(form);
  for (int i = 0; i < form->model->term_count; i++) {
    if (!linearize(proximal, i, regularization))
      return false;
    if (form->terms[i].node >= 0 || form->terms[i].slope[0][0] != 0)
      rg_newton_form_add_slope(form, i);
  }
  return true;
}

// The right-hand side.
static void put_known(rgNewtonProximal* proximal) {
  rgNewtonForm* form = proximal->form;
  rg_newton_form_clear_change(form);
  for (int i = 0; i < form->model->term_count; i++) {
    double dx[RG_TERM_MAX];
    if (form->terms[i].node >= 0) {
      *rg_newton_form_equation(form, i) = -proximal->f[form->terms[i].at];
      continue;
    }
    known_step(proximal, i, dx);
    rg_newton_form_add_impulse(form, i, dx, form->change);
  }
}

// dx of a term from the solution of the system; `known` is the part that xi does not
// change, NULL for none.
static void add_step(rgNewtonProximal* proximal, int i, const double* known) {
  const rgNewtonForm* form = proximal->form;
  const rgNewtonFormTerm* own = &form->terms[i];
  double moved[RG_TERM_MAX], *dx = proximal->step + own->at;
  int m = form->model->terms[i].m;
  if (own->node >= 0) {
    *dx = (known ? 0 : *dx) + *rg_newton_form_equation(form, i);
    return;
  }
  rg_newton_form_project(form, i, form->change, moved);
  for (int k = 0; k < m; k++) {
    dx[k] = known ? known[k] : dx[k];
    for (int j = 0; j < m; j++)
      dx[k] -= own->slope[k][j] * moved[j];
  }
}

// One step of iterative refinement: what bodies and equations miss becomes the right-hand side.
static void refine(rgNewtonProximal* proximal) {
  rgNewtonForm* form = proximal->form;
  size_t count = RG_BLOCK * (size_t)form->model->problem->body_count;
  double* moved = form->xi; // made anew before it is read
  memcpy(moved, form->change, count * sizeof(double));
  rg_newton_form_clear_change(form);
  for (int i = 0; i < form->model->term_count; i++) {
    const rgNewtonFormTerm* own = &form->terms[i];
    rg_newton_form_add_impulse(form, i, proximal->step + own->at, form->change);
    if (own->node < 0)
      continue;
    double rate;
    rg_newton_form_project(form, i, moved, &rate);
    *rg_newton_form_equation(form, i) =
        -proximal->f[own->at] - rate - own->softness * proximal->step[own->at];
  }
  for (size_t k = 0; k < count; k++)
    form->change[k] -= moved[k];
  rg_block_lu_solve(&form->lu, form->change);
  for (int i = 0; i < form->model->term_count; i++)
    add_step(proximal, i, NULL);
}

void rg_newton_proximal_step_again(rgNewtonProximal* proximal) {
  rgNewtonForm* form = proximal->form;
  put_known(proximal);
  rg_block_lu_solve(&form->lu, form->change);
  for (int i = 0; i < form->model->term_count; i++) {
    double known[RG_TERM_MAX] = {0};
    if (form->terms[i].node < 0)
      known_step(proximal, i, known);
    add_step(proximal, i, known);
  }
  if (has_joints(form))
    refine(proximal);
}

static bool solve_step(void* context, double regularization) {
  rgNewtonProximal* proximal = context;
  if (!assemble(proximal, regularization) || !rg_block_lu_factor(&proximal->form->lu))
    return false;
  rg_newton_proximal_step_again(proximal);
  return true;
}

static double products(void* context) {
  const rgNewtonProximal* proximal = context;
  return proximal->form->lu.products;
}

rgNewtonPath rg_newton_proximal_path(rgNewtonProximal* proximal) {
  rgNewtonForm* form = proximal->form;
  bool joints = has_joints(form);
  return (rgNewtonPath){.context = proximal,
                        .count = form->count,
                        .x = form->x,
                        .y = form->y,
                        .trial = proximal->trial,
                        .trial_y = proximal->trial_y,
                        .step = proximal->step,
                        .centre = proximal->centre,
                        .best = form->best,
                        .velocity = velocity,
                        .measure = measure,
                        .evaluate = evaluate,
                        .solve = solve_step,
                        .products = products,
                        .sweep = sweep,
                        .prepare = prepare,
                        .first_regularization = FIRST_REGULARIZATION,
                        .last_regularization = LAST_REGULARIZATION,
                        .first_sweeps = joints ? 0 : FIRST_SWEEPS,
                        .more_sweeps = MORE_SWEEPS,
                        .patience = joints ? CHAIN_STEPS : INT_MAX,
                        .recorded = true};
}

void rg_newton_proximal_solve(rgNewtonProximal* proximal, rgSolve* run) {
  rgNewtonForm* form = proximal->form;
  rg_newton_form_load(form, run->solution);
  rgNewtonPath path = rg_newton_proximal_path(proximal);
  run->iterations += rg_newton_path_follow(&path, run, &run->measure);
  rg_newton_form_store(form, run->solution);
}
