// newton_motion.c - the proximal Newton method in motion space, with the full derivative of the
// law.
//
// Problem: the discrete problem of problem.h with exact cones and rows, in the mass-weighted motion
// xi of newton_model.c, where v = v_free + L xi and xi = sum J' x over the terms.
//
// Method: newton_path.c on the Alart-Curnier function of newton_local_step.c, rows by their own
// natural map x - clamp(x - y). The step is the one of the local form; only the elimination goes
// the other way. With A = (I - D) + D rho (shift + softness) each term gives
//
//     dx = -A^-1 F - B J dxi,   B = A^-1 D rho,   and with xi = sum J' x
//     (I + sum J' B J) dxi = -sum J' A^-1 F,
//
// one block row of six numbers per body, however many contacts there are between two bodies. B is
// not symmetric where a contact slides: it knows how friction follows the normal impulse, so that
// sliding converges as fast as sticking, which holding the shift mu |u_T| of De Saxce's form does
// not.
//
// Cost: per step one assembly (linear in contacts) and one factorization (block_lu.c). dx is a
// difference of numbers that are larger by 1 / shift, which bounds the shift from below.
#include "solve/newton_motion.h"
#include "problem/cone.h"
#include "problem/operator.h"
#include "solve/newton_path.h"

#include <math.h>
#include <string.h>

enum { FIRST_SWEEPS = 10, MORE_SWEEPS = 10 };
static const double FIRST_SHIFT = 1e-3, LAST_SHIFT = 1e-9;

void rg_motion_carve(rgMotion* motion, const rgProblem* problem, int block_limit,
                     rgCarver* carver) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count,
         bodies = (size_t)problem->body_count, numbers = RG_TERM_MAX * contacts + rows;
  memset(motion, 0, sizeof *motion);
  motion->terms = rg_carve(carver, contacts + rows, sizeof(rgMotionTerm));
  double** vectors[] = {&motion->x,      &motion->y,    &motion->trial, &motion->trial_y,
                        &motion->centre, &motion->best, &motion->f,     &motion->step};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = rg_carve(carver, numbers, sizeof(double));
  motion->motion = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  motion->change = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  motion->row_start = rg_carve(carver, bodies + 1, sizeof(int));
  motion->column = rg_carve(carver, contacts + rows, sizeof(int));
  rg_block_lu_carve(&motion->lu, RG_BLOCK, problem->body_count, block_limit, carver);
}

// -------------------------------------------------------------------------------------------------
// Build
// -------------------------------------------------------------------------------------------------

static void set_block(rgMotionTerm* own, const rgTerm* term) {
  double w[4][4] = {{0}}, slip = 0;
  for (int i = 0; i < term->m; i++)
    for (int k = 0; k < term->m; k++)
      for (int j = 0; j < 2 * RG_BLOCK; j++)
        w[i][k] += term->mass * term->j[i][j] * term->j[k][j];
  rg_local_reduce(w, term->m - 1, term->mu, &own->block);
  for (int i = 1; i < term->m; i++)
    slip += w[i][i];
  own->normal_rho = w[0][0] > 0 ? 1 / w[0][0] : 1;
  own->slip_rho = slip > 0 ? (term->m - 1) / slip : 1;
}

void rg_motion_build(rgMotion* motion, rgModel* model) {
  motion->model = model;
  motion->count = 0;
  for (int i = 0; i < model->term_count; i++) {
    const rgTerm* term = &model->terms[i];
    rgMotionTerm* own = &motion->terms[i];
    memset(own, 0, sizeof *own);
    own->at = (int)motion->count;
    motion->count += (size_t)term->m;
    own->root = sqrt(term->mass);
    own->normal_rho = 1;
    if (term->row) {
      own->length = rg_row_length(model->problem, &model->problem->rows[term->source]);
      own->softness = term->compliance * term->mass;
    } else {
      set_block(own, term);
    }
  }
}

static bool is_coupled(const rgTerm* term) {
  return term->body_a >= 0 && term->body_b >= 0 && term->body_a != term->body_b;
}

static bool prepare(void* context) {
  rgMotion* motion = context;
  const rgModel* model = motion->model;
  int bodies = model->problem->body_count, *start = motion->row_start;
  memset(start, 0, ((size_t)bodies + 1) * sizeof(int));
  for (int i = 0; i < model->term_count; i++)
    if (is_coupled(&model->terms[i]))
      start[model->terms[i].body_a + 1]++;
  for (int i = 0; i < bodies; i++)
    start[i + 1] += start[i];
  int* next = motion->lu.node; // free as yet
  memcpy(next, start, (size_t)bodies * sizeof(int));
  for (int i = 0; i < model->term_count; i++)
    if (is_coupled(&model->terms[i]))
      motion->column[next[model->terms[i].body_a]++] = model->terms[i].body_b;
  if (!rg_block_lu_order(&motion->lu, bodies, start, motion->column, 0))
    return false;
  for (int i = 0; i < model->term_count; i++) {
    const rgTerm* term = &model->terms[i];
    double** target = motion->terms[i].target;
    int a = term->body_a, b = term->body_b;
    target[0] = a >= 0 ? rg_block_lu_at(&motion->lu, a, a) : NULL;
    target[1] = b >= 0 ? rg_block_lu_at(&motion->lu, b, b) : NULL;
    target[2] = a >= 0 && b >= 0 ? rg_block_lu_at(&motion->lu, a, b) : NULL;
    target[3] = a >= 0 && b >= 0 ? rg_block_lu_at(&motion->lu, b, a) : NULL;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Laws
// -------------------------------------------------------------------------------------------------

// to += J' (root x) for the bodies of a term.
static void add_impulse(const rgTerm* term, double root, const double* x, double* to) {
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? term->body_a : term->body_b;
    if (body < 0)
      continue;
    double* out = to + RG_BLOCK * body;
    for (int k = 0; k < term->m; k++)
      for (int j = 0; j < RG_BLOCK; j++)
        out[j] += term->j[k][RG_BLOCK * side + j] * root * x[k];
  }
}

// root J xi, one number per component.
static void project_motion(const rgTerm* term, double root, const double* xi, double* out) {
  for (int k = 0; k < term->m; k++)
    out[k] = 0;
  for (int side = 0; side < 2; side++) {
    int body = side == 0 ? term->body_a : term->body_b;
    if (body < 0)
      continue;
    const double* from = xi + RG_BLOCK * body;
    for (int k = 0; k < term->m; k++)
      for (int j = 0; j < RG_BLOCK; j++)
        out[k] += root * term->j[k][RG_BLOCK * side + j] * from[j];
  }
}

static void term_velocity(const rgMotionTerm* own, const rgTerm* term, const double* xi,
                          const double* x, double* y) {
  project_motion(term, own->root, xi, y);
  for (int k = 0; k < term->m; k++)
    y[k] += own->root * term->free[k] + own->softness * x[k];
}

static void velocity(void* context, const double* x, double* y) {
  rgMotion* motion = context;
  const rgModel* model = motion->model;
  memset(motion->motion, 0, RG_BLOCK * (size_t)model->problem->body_count * sizeof(double));
  for (int i = 0; i < model->term_count; i++)
    add_impulse(&model->terms[i], motion->terms[i].root, x + motion->terms[i].at, motion->motion);
  for (int i = 0; i < model->term_count; i++) {
    const rgMotionTerm* own = &motion->terms[i];
    term_velocity(own, &model->terms[i], motion->motion, x + own->at, y + own->at);
  }
}

static double clamp(const rgTerm* term, double root, double x) {
  double lower = term->lower / root, upper = term->upper / root;
  return x < lower ? lower : x > upper ? upper : x;
}

static double missed_of(const rgMotionTerm* own, const rgTerm* term, const double* x,
                        const double* y) {
  if (term->row)
    return fabs(x[0] - clamp(term, own->root, x[0] - y[0])) * own->length / own->root;
  double z[RG_TERM_MAX], slide2 = 0, missed2 = 0;
  for (int k = 1; k < term->m; k++)
    slide2 += y[k] * y[k];
  for (int k = 0; k < term->m; k++)
    z[k] = x[k] - y[k];
  z[0] -= term->mu * sqrt(slide2);
  rg_cone_project_circular(z, term->m - 1, term->mu);
  for (int k = 0; k < term->m; k++)
    missed2 += (x[k] - z[k]) * (x[k] - z[k]);
  return sqrt(missed2) / own->root;
}

static double measure(void* context, const double* x, const double* y) {
  rgMotion* motion = context;
  double worst = 0;
  for (int i = 0; i < motion->model->term_count; i++) {
    const rgMotionTerm* own = &motion->terms[i];
    double missed = missed_of(own, &motion->model->terms[i], x + own->at, y + own->at);
    if (!(missed <= worst)) // so that a NaN is seen
      worst = missed;
  }
  return worst;
}

static double sweep_term(rgMotion* motion, int i) {
  const rgTerm* term = &motion->model->terms[i];
  rgMotionTerm* own = &motion->terms[i];
  double *x = motion->x + own->at, u[RG_TERM_MAX] = {0}, r[RG_TERM_MAX] = {0}, change2 = 0;
  term_velocity(own, term, motion->motion, x, u);
  for (int k = 0; k < term->m; k++)
    r[k] = x[k];
  if (term->row)
    r[0] = clamp(term, own->root, x[0] - u[0]); // its diagonal is 1 by scaling
  else
    rg_local_cone(&own->block, u, r, &own->alpha);
  for (int k = 0; k < term->m; k++) {
    double change = r[k] - x[k];
    x[k] = r[k];
    r[k] = change;
    change2 += change * change;
  }
  add_impulse(term, own->root, r, motion->motion);
  return sqrt(change2) / own->root;
}

static double sweep(void* context) {
  rgMotion* motion = context;
  double worst = 0;
  velocity(motion, motion->x, motion->y); // sums the motion
  for (int i = 0; i < motion->model->term_count; i++)
    worst = fmax(worst, sweep_term(motion, i));
  return worst;
}

// -------------------------------------------------------------------------------------------------
// Newton's step
// -------------------------------------------------------------------------------------------------

// z = x - rho y with the proximal term; returns |z_T|.
static double shifted_point(const rgMotion* motion, int i, const double* x, const double* y,
                            double shift, double z[RG_TERM_MAX]) {
  const rgMotionTerm* own = &motion->terms[i];
  const double* centre = motion->centre + own->at;
  double slip2 = 0;
  for (int k = 0; k < motion->model->terms[i].m; k++) {
    double shifted = y[k] + shift * (x[k] - centre[k]);
    z[k] = x[k] - (k == 0 ? own->normal_rho : own->slip_rho) * shifted;
    slip2 += k == 0 ? 0 : z[k] * z[k];
  }
  return sqrt(slip2);
}

static double evaluate(void* context, const double* x, const double* y, double shift) {
  rgMotion* motion = context;
  double sum = 0;
  for (int i = 0; i < motion->model->term_count; i++) {
    const rgTerm* term = &motion->model->terms[i];
    int at = motion->terms[i].at;
    double z[RG_TERM_MAX], slip = shifted_point(motion, i, x + at, y + at, shift, z);
    double normal = term->row ? clamp(term, motion->terms[i].root, z[0]) : z[0] > 0 ? z[0] : 0;
    double radius = term->mu * normal, part = slip <= radius ? 1 : radius / slip;
    motion->f[at] = x[at] - normal;
    sum += motion->f[at] * motion->f[at];
    for (int k = 1; k < term->m; k++) {
      motion->f[at + k] = x[at + k] - part * z[k];
      sum += motion->f[at + k] * motion->f[at + k];
    }
  }
  return 0.5 * sum;
}

// D at the present point. False where it is zero.
static bool projection_slope(const rgMotion* motion, int i, double shift,
                             double d[RG_TERM_MAX][RG_TERM_MAX]) {
  const rgTerm* term = &motion->model->terms[i];
  int at = motion->terms[i].at;
  double z[RG_TERM_MAX], root = motion->terms[i].root,
                         slip = shifted_point(motion, i, motion->x + at, motion->y + at, shift, z);
  memset(d, 0, RG_TERM_MAX * sizeof *d);
  if (term->row ? z[0] != clamp(term, root, z[0]) : !(z[0] > 0))
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

// Inverse of a matrix of m rows with row exchanges. False when it is singular.
static bool invert(double a[RG_TERM_MAX][RG_TERM_MAX], int m,
                   double out[RG_TERM_MAX][RG_TERM_MAX]) {
  memset(out, 0, RG_TERM_MAX * sizeof *out);
  for (int i = 0; i < m; i++)
    out[i][i] = 1;
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    if (a[best][k] == 0)
      return false;
    for (int j = 0; j < m && best != k; j++) {
      double keep = a[k][j], other = out[k][j];
      a[k][j] = a[best][j];
      a[best][j] = keep;
      out[k][j] = out[best][j];
      out[best][j] = other;
    }
    double pivot = 1 / a[k][k];
    for (int j = 0; j < m; j++) {
      a[k][j] *= pivot;
      out[k][j] *= pivot;
    }
    for (int i = 0; i < m; i++) {
      double factor = a[i][k];
      for (int j = 0; j < m && i != k; j++) {
        a[i][j] -= factor * a[k][j];
        out[i][j] -= factor * out[k][j];
      }
    }
  }
  return true;
}

// A^-1 and B of a term; A^-1 = I and B = 0 where D = 0.
static bool linearize(rgMotion* motion, int i, double shift) {
  rgMotionTerm* own = &motion->terms[i];
  int m = motion->model->terms[i].m;
  double d[RG_TERM_MAX][RG_TERM_MAX], a[RG_TERM_MAX][RG_TERM_MAX];
  memset(own->slope, 0, sizeof own->slope);
  memset(own->inverse, 0, sizeof own->inverse);
  for (int k = 0; k < m; k++)
    own->inverse[k][k] = 1;
  if (!projection_slope(motion, i, shift, d))
    return true;
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++) {
      d[k][l] *= l == 0 ? own->normal_rho : own->slip_rho;
      double identity = k == l ? 1 : 0;
      a[k][l] = identity - d[k][l] / (l == 0 ? own->normal_rho : own->slip_rho) +
                d[k][l] * (shift + own->softness);
    }
  if (!invert(a, m, own->inverse))
    return false;
  for (int k = 0; k < m; k++)
    for (int l = 0; l < m; l++)
      for (int j = 0; j < m; j++)
        own->slope[k][l] += own->inverse[k][j] * d[j][l];
  return true;
}

// out += mass J_left' B J_right
static void add_block(double* out, const rgTerm* term, const rgMotionTerm* own, int left,
                      int right) {
  if (!out)
    return;
  double bj[RG_TERM_MAX][RG_BLOCK];
  for (int i = 0; i < term->m; i++)
    for (int j = 0; j < RG_BLOCK; j++) {
      double sum = 0;
      for (int k = 0; k < term->m; k++)
        sum += own->slope[i][k] * term->j[k][right + j];
      bj[i][j] = term->mass * sum;
    }
  for (int i = 0; i < term->m; i++)
    for (int row = 0; row < RG_BLOCK; row++)
      for (int j = 0; j < RG_BLOCK; j++)
        out[row * RG_BLOCK + j] += term->j[i][left + row] * bj[i][j];
}

static void known_step(const rgMotion* motion, int i, double* dx) {
  const rgMotionTerm* own = &motion->terms[i];
  int m = motion->model->terms[i].m;
  for (int k = 0; k < m; k++) {
    dx[k] = 0;
    for (int j = 0; j < m; j++)
      dx[k] -= own->inverse[k][j] * motion->f[own->at + j];
  }
}

static bool assemble(rgMotion* motion, double shift) {
  const rgModel* model = motion->model;
  int bodies = model->problem->body_count;
  rg_block_lu_clear(&motion->lu);
  for (int i = 0; i < bodies; i++) {
    double* block = rg_block_lu_at(&motion->lu, i, i);
    for (int k = 0; k < RG_BLOCK; k++)
      block[k * (RG_BLOCK + 1)] = 1;
  }
  memset(motion->change, 0, RG_BLOCK * (size_t)bodies * sizeof(double));
  for (int i = 0; i < model->term_count; i++) {
    const rgTerm* term = &model->terms[i];
    rgMotionTerm* own = &motion->terms[i];
    if (!linearize(motion, i, shift))
      return false;
    double dx[RG_TERM_MAX];
    known_step(motion, i, dx);
    add_impulse(term, own->root, dx, motion->change);
    if (own->slope[0][0] == 0)
      continue;
    add_block(own->target[0], term, own, 0, 0);
    add_block(own->target[1], term, own, RG_BLOCK, RG_BLOCK);
    add_block(own->target[2], term, own, 0, RG_BLOCK);
    add_block(own->target[3], term, own, RG_BLOCK, 0);
  }
  return true;
}

static bool solve_step(void* context, double shift) {
  rgMotion* motion = context;
  const rgModel* model = motion->model;
  if (!assemble(motion, shift) || !rg_block_lu_factor(&motion->lu))
    return false;
  rg_block_lu_solve(&motion->lu, motion->change);
  for (int i = 0; i < model->term_count; i++) {
    const rgMotionTerm* own = &motion->terms[i];
    const rgTerm* term = &model->terms[i];
    double moved[RG_TERM_MAX], *dx = motion->step + own->at;
    known_step(motion, i, dx);
    project_motion(term, own->root, motion->change, moved);
    for (int k = 0; k < term->m; k++)
      for (int j = 0; j < term->m; j++)
        dx[k] -= own->slope[k][j] * moved[j];
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Solve
// -------------------------------------------------------------------------------------------------

static double* impulse_of(const rgTerm* term, rgSolution* solution, int k) {
  return term->row ? &solution->lambda[term->source]
                   : &solution->r[4 * (size_t)term->source + (size_t)term->component[k]];
}

void rg_motion_solve(rgMotion* motion, rgSolve* run) {
  const rgModel* model = motion->model;
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      motion->x[motion->terms[i].at + k] = *impulse_of(&model->terms[i], run->solution, k) /
                                           (model->terms[i].axis[k] * motion->terms[i].root);
  rgNewtonPath path = {.context = motion,
                       .count = motion->count,
                       .x = motion->x,
                       .y = motion->y,
                       .trial = motion->trial,
                       .trial_y = motion->trial_y,
                       .step = motion->step,
                       .centre = motion->centre,
                       .best = motion->best,
                       .velocity = velocity,
                       .measure = measure,
                       .evaluate = evaluate,
                       .solve = solve_step,
                       .sweep = sweep,
                       .prepare = prepare,
                       .first_shift = FIRST_SHIFT,
                       .last_shift = LAST_SHIFT,
                       .first_sweeps = FIRST_SWEEPS,
                       .more_sweeps = MORE_SWEEPS,
                       .recorded = true};
  run->iterations += rg_newton_path_follow(&path, run, &run->measure);
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      *impulse_of(&model->terms[i], run->solution, k) =
          model->terms[i].axis[k] * motion->terms[i].root * motion->x[motion->terms[i].at + k];
}
