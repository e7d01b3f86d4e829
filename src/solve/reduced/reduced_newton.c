// reduced_newton.c - the laws of the nodes of a reduced problem, by the proximal Newton method.
//
// Problem: u = W r + q over contacts and rows that the trees do not satisfy by themselves
// (reduced_model.c), with the laws of problem.h. W is dense, symmetric and small, and may be singular.
//
// Variables are scaled as those of newton_local_model.c: x = r / s, y = s u, with s_k = e_k sqrt(rho) of
// contacts, rho = k / trace(W_cc), and s = 1 / sqrt(W_ii + C) of rows, C being the compliance. A cone is
// circular then, and numbers are of the size of one.
//
// Method: newton_path.c on the function of Alart and Curnier (newton_local_step.c),
//
//     z = x - rho (y + regularization (x - centre)),   F = x - p(z),
//
// whose step is solved for the numbers that may change only: one for each row between its bounds, none
// for what is open or at a bound. Elimination is that of Gauss with row exchanges.
//
// References: Alart, Curnier 1991; Acary, Bremond, Huber 2018. Cost: n^3 / 3 multiplications for a step
// with n such numbers.
#include "math/cholesky.h"
#include "problem/operator.h"
#include "solve/newton/newton_path.h"
#include "solve/reduced/reduced.h"

#include <math.h>
#include <string.h>

// The start is near, so that little is needed at first; the last is what double precision bears.
static const double FIRST_REGULARIZATION = 1e-6, NEAR_REGULARIZATION = 1e-8,
                    LAST_REGULARIZATION = 1e-11;
enum {
  STEPS = 150,  // what takes more goes to other methods
  PATIENCE = 20 // steps after which what is asked will do in place of the goal
};
// Rows alone are solved in a step or two, as well as rounding allows: so much further than asked, which
// is what the next steps start from.
static const double EASY = 1e-5;
// The same with contacts: a step or two more, after which the next steps of what rests need none. It is less than what
// HELD of step/fill/tree_newton.c asks, so that what was solved here is held there; where it was more, impulses between
// both were neither held nor improved, and W was filled in every step for nothing. But only the first of these steps where
// the second would be spent on sums of rounding errors.
static const double NEAR = 2.5e-4, NEAR_ROUNDING = 0.05, SUMMED = 1000;
// Part of the largest x by which a row goes beyond its bound.
static const double BEYOND = 1e-9;
// Rounding of the measure, as a part of the velocities: those of the bodies, of which rows have the
// differences, and those of the rows without impulses.
static const double ROUNDING = 1e-15;

// -------------------------------------------------------------------------------------------------
// Scaled variables
// -------------------------------------------------------------------------------------------------

static void scale_contact(rgReduced* reduced, int i, double* s) {
  const rgProblem* problem = reduced->problem;
  const rgProblemContact* contact = &problem->contacts[reduced->contacts[i]];
  rgReducedNode* node = &reduced->nodes[i];
  size_t at = (size_t)(reduced->block * i), width = (size_t)reduced->width;
  double e[4], trace = 0;
  int count = 0;
  rg_contact_axes(problem, contact, e);
  for (int k = 0; k < 3 && k < reduced->block; k++) {
    if (!(e[k] > 0))
      continue;
    trace += reduced->w[(at + (size_t)k) * (width + 1)];
    count++;
  }
  *node = (rgReducedNode){.at = (int)at,
                          .size = reduced->block,
                          .mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu,
                          .root = trace > 0 ? sqrt(count / trace) : 1};
  for (int k = 0; k < reduced->block; k++)
    s[k] = e[k] * node->root;
}

static void scale_row(rgReduced* reduced, int i, double* s) {
  const rgProblem* problem = reduced->problem;
  const rgProblemRow* row = &problem->rows[reduced->rows[i]];
  rgReducedNode* node = &reduced->nodes[reduced->contact_count + i];
  size_t at = (size_t)(reduced->block * reduced->contact_count + i), width = (size_t)reduced->width;
  double diagonal = reduced->w[at * (width + 1)], all = diagonal + row->compliance;
  double scale = all > 0 ? sqrt(1 / all) : 1;
  double weight = rg_row_length(problem, row) * (all > 0 ? diagonal / all : 1);
  *node = (rgReducedNode){.at = (int)at,
                          .size = 1,
                          .row = true,
                          .root = weight > 0 ? scale / weight : scale,
                          .lower = row->lower / scale,
                          .upper = row->upper / scale};
  *s = scale;
}

// Steps of F, and the diagonal block for sweeps.
static void set_block(const rgReduced* reduced, rgReducedNode* node) {
  double block[4][4] = {{0}}, slip = 0;
  for (int i = 0; i < node->size; i++)
    for (int j = 0; j < node->size; j++)
      block[i][j] =
          reduced->w[(size_t)(node->at + i) * (size_t)reduced->width + (size_t)(node->at + j)];
  for (int i = 1; i < node->size; i++)
    slip += block[i][i];
  node->normal_rho = block[0][0] > 0 ? 1 / block[0][0] : 1;
  node->slip_rho = slip > 0 ? (node->size - 1) / slip : 1;
  rg_one_reduce(block, node->size - 1, node->mu, &node->block);
}

void rg_reduced_scale(rgReduced* reduced) {
  int contacts = reduced->contact_count, nodes = contacts + reduced->row_count;
  size_t width = (size_t)reduced->width;
  double* s = reduced->scale;
  for (int i = 0; i < contacts; i++)
    scale_contact(reduced, i, s + reduced->block * i);
  for (int i = 0; i < reduced->row_count; i++)
    scale_row(reduced, i, s + reduced->block * contacts + i);
  for (size_t i = 0; i < width; i++)
    for (size_t j = 0; j < width; j++)
      reduced->w[i * width + j] *= s[i] * s[j];
  for (int i = 0; i < reduced->row_count; i++) {
    size_t at = (size_t)reduced->nodes[contacts + i].at;
    reduced->w[at * (width + 1)] +=
        s[at] * reduced->problem->rows[reduced->rows[i]].compliance * s[at];
  }
  for (size_t i = 0; i < width; i++)
    if (s[i] == 0)
      reduced->w[i * (width + 1)] = 1; // it keeps x = y = 0 by itself
  for (int i = 0; i < nodes; i++)
    set_block(reduced, &reduced->nodes[i]);
}

// x of the impulses of the nodes, and back.
static void load(const rgReduced* reduced) {
  double* x = reduced->x;
  const double* s = reduced->scale;
  for (int i = 0; i < reduced->contact_count; i++)
    for (int k = 0; k < reduced->block; k++, x++, s++)
      *x = *s > 0 ? reduced->r[4 * i + k] / *s : 0;
  for (int i = 0; i < reduced->row_count; i++, x++, s++)
    *x = reduced->lambda[i] / *s;
}

static double bounded(const rgReducedNode* node, double x) {
  return x < node->lower ? node->lower : x > node->upper ? node->upper : x;
}

static void unload(const rgReduced* reduced) {
  const double *x = reduced->x, *s = reduced->scale;
  for (int i = 0; i < reduced->contact_count; i++)
    for (int k = 0; k < reduced->block; k++, x++, s++)
      reduced->r[4 * i + k] = *s * *x;
  for (int i = 0; i < reduced->row_count; i++, x++, s++) {
    const rgReducedNode* node = &reduced->nodes[reduced->contact_count + i];
    const rgProblemRow* row = &reduced->problem->rows[reduced->rows[i]];
    // a bound is that of the row to the last digit, by which it is known as one
    reduced->lambda[i] = *x >= node->upper ? row->upper : *x <= node->lower ? row->lower : *s * *x;
  }
}

void rg_reduced_shift(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  int width = reduced->width;
  double *q = reduced->q, *s = reduced->scale;
  load(reduced);
  for (int i = 0; i < reduced->contact_count; i++) {
    double u[4];
    rg_contact_velocity(&problem->contacts[reduced->contacts[i]], reduced->v, u);
    for (int k = 0; k < reduced->block; k++)
      *q++ = *s++ * u[k];
  }
  for (int i = 0; i < reduced->row_count; i++) {
    const rgProblemRow* row = &problem->rows[reduced->rows[i]];
    *q++ = *s++ * (rg_row_velocity(row, reduced->v) + row->compliance * reduced->lambda[i]);
  }
  for (int i = 0; i < width; i++)
    reduced->q[i] -= rg_dot(reduced->w + (size_t)i * (size_t)width, reduced->x, width);
}

// -------------------------------------------------------------------------------------------------
// Laws
// -------------------------------------------------------------------------------------------------

static void velocity(void* context, const double* x, double* y) {
  const rgReduced* reduced = context;
  reduced->dense->multiply(reduced->w, reduced->width, reduced->q, x, y);
}

// |x - P(x - y^)|^2 with y^ = y + mu |y_T| n.
static double missed2_of(const rgReducedNode* node, const double* x, const double* y) {
  double z[4], slide2 = 0, missed2 = 0;
  if (node->row) {
    double missed = x[0] - bounded(node, x[0] - y[0]);
    return missed * missed;
  }
  for (int k = 1; k < node->size; k++)
    slide2 += y[k] * y[k];
  z[0] = x[0] - y[0] - node->mu * sqrt(slide2);
  for (int k = 1; k < node->size; k++)
    z[k] = x[k] - y[k];
  rg_cone_project_circular(z, node->size - 1, node->mu);
  for (int k = 0; k < node->size; k++)
    missed2 += (x[k] - z[k]) * (x[k] - z[k]);
  return missed2;
}

static double measure(void* context, const double* x, const double* y) {
  const rgReduced* reduced = context;
  double worst = 0;
  for (int i = 0; i < reduced->contact_count + reduced->row_count; i++) {
    const rgReducedNode* node = &reduced->nodes[i];
    double missed = sqrt(missed2_of(node, x + node->at, y + node->at)) / node->root;
    if (!(missed <= worst)) // so that a NaN is seen
      worst = missed;
  }
  return worst;
}

static double evaluate_row(rgReducedNode* node, double x, double z, double* f) {
  bool inside = z > node->lower && z < node->upper;
  node->kind = inside ? RG_SLOPE_STICK : RG_SLOPE_OPEN;
  *f = x - bounded(node, z);
  return *f * *f;
}

static double evaluate_contact(rgReducedNode* node, const double* x, const double* z, double* f) {
  double slip2 = 0, part = 1;
  for (int k = 1; k < node->size; k++)
    slip2 += z[k] * z[k];
  double normal = z[0] > 0 ? z[0] : 0, radius = node->mu * normal;
  node->kind = normal > 0 ? RG_SLOPE_STICK : RG_SLOPE_OPEN;
  if (slip2 > radius * radius) {
    double inverse = 1 / sqrt(slip2);
    part = radius * inverse;
    node->kind = normal > 0 ? RG_SLOPE_SLIDE : RG_SLOPE_OPEN;
    node->part = part;
    for (int k = 1; k < node->size; k++)
      node->along[k] = z[k] * inverse;
  }
  f[0] = x[0] - normal;
  double sum = f[0] * f[0];
  for (int k = 1; k < node->size; k++) {
    f[k] = x[k] - part * z[k];
    sum += f[k] * f[k];
  }
  return sum;
}

static double evaluate(void* context, const double* x, const double* y, double regularization) {
  const rgReduced* reduced = context;
  double sum = 0;
  for (int i = 0; i < reduced->contact_count + reduced->row_count; i++) {
    rgReducedNode* node = &reduced->nodes[i];
    double z[4];
    for (int k = 0, at = node->at; k < node->size; k++, at++)
      z[k] = x[at] - (k == 0 ? node->normal_rho : node->slip_rho) *
                         (y[at] + regularization * (x[at] - reduced->centre[at]));
    sum += node->row ? evaluate_row(node, x[node->at], z[0], reduced->f + node->at)
                     : evaluate_contact(node, x + node->at, z, reduced->f + node->at);
  }
  return 0.5 * sum;
}

// -------------------------------------------------------------------------------------------------
// The step
// -------------------------------------------------------------------------------------------------

// Row k of D rho (W + regularization) + (I - D) of a node, over all numbers, and its share of -F less
// what is known of the steps of others.
static void assemble_row(const rgReduced* reduced, const rgReducedNode* node, int k,
                         double regularization, double* row) {
  size_t width = (size_t)reduced->width;
  const double* w = reduced->w + (size_t)node->at * width;
  double d[4] = {0};
  if (k == 0 || node->kind == RG_SLOPE_STICK) {
    d[k] = 1;
  } else {
    d[0] = node->mu * node->along[k];
    for (int b = 1; b < node->size; b++)
      d[b] = node->part * ((k == b ? 1 : 0) - node->along[k] * node->along[b]);
  }
  memset(row, 0, width * sizeof *row);
  for (int b = 0; b < node->size; b++)
    if (d[b] != 0)
      rg_axpy(row, d[b] * (b == 0 ? node->normal_rho : node->slip_rho), w + (size_t)b * width,
              (int)width);
  for (int b = 0; b < node->size; b++)
    row[node->at + b] += d[b] * (b == 0 ? node->normal_rho : node->slip_rho) * regularization +
                         (k == b ? 1 : 0) - d[b];
}

// Numbers that may change, in `active`; all others have the step -F. `known`: some of these are not zero.
static int list_active(const rgReduced* reduced, bool* known) {
  int count = 0;
  *known = false;
  for (int i = 0; i < reduced->contact_count + reduced->row_count; i++) {
    const rgReducedNode* node = &reduced->nodes[i];
    for (int k = 0; k < node->size; k++) {
      reduced->step[node->at + k] = -reduced->f[node->at + k];
      if (node->kind != RG_SLOPE_OPEN && reduced->scale[node->at + k] > 0)
        reduced->active[count++] = node->at + k;
      else
        *known = *known || reduced->f[node->at + k] != 0;
    }
  }
  return count;
}

// The same over the active numbers alone, of which the row is the i-th, where a number stands for itself.
static void gather_row(const rgReduced* reduced, const rgReducedNode* node, int k, int i, int count,
                       double regularization, double* out) {
  const double* w = reduced->w + (size_t)(node->at + k) * (size_t)reduced->width;
  double rho = k == 0 ? node->normal_rho : node->slip_rho;
  for (int j = 0; j < count; j++)
    out[j] = rho * w[reduced->active[j]];
  out[i] += rho * regularization + 1 - 1; // as assemble_row rounds it
}

static void compress_row(const rgReduced* reduced, int count, double* out) {
  double* row = reduced->row;
  for (int j = 0; j < count; j++) {
    out[j] = row[reduced->active[j]];
    row[reduced->active[j]] = 0; // what is left is of numbers whose step is known
  }
  out[count] -= rg_dot(row, reduced->step, reduced->width);
}

// Rows of the active numbers, with the right-hand side behind them.
static void assemble(const rgReduced* reduced, int count, bool known, double regularization) {
  double* out = reduced->matrix;
  int done = 0;
  for (int i = 0; i < reduced->contact_count + reduced->row_count; i++) {
    const rgReducedNode* node = &reduced->nodes[i];
    for (int k = 0; k < node->size && node->kind != RG_SLOPE_OPEN; k++) {
      if (!(reduced->scale[node->at + k] > 0))
        continue;
      out[count] = reduced->step[node->at + k];
      if (!known && (k == 0 || node->kind == RG_SLOPE_STICK)) {
        gather_row(reduced, node, k, done, count, regularization, out);
      } else {
        assemble_row(reduced, node, k, regularization, reduced->row);
        compress_row(reduced, count, out);
      }
      out += rg_reduced_dense_width(count);
      done++;
    }
  }
}

static bool solve_step(void* context, double regularization) {
  rgReduced* reduced = context;
  bool known;
  int count = list_active(reduced, &known);
  size_t width = rg_reduced_dense_width(count);
  assemble(reduced, count, known, regularization);
  if (!reduced->dense->eliminate(reduced->matrix, count))
    return false;
  for (int i = 0; i < count; i++)
    reduced->step[reduced->active[i]] = reduced->matrix[(size_t)i * width + (size_t)count];
  return true;
}

// Rows alone have bounds that are numbers. Between them F = x - z, and a step that would make it nothing moves z by dx + F. What
// just comes to its bound may be taken for between bounds again, by rounding: it goes beyond by a part of the largest x.
static double reach(void* context, const double* x, const double* step) {
  const rgReduced* reduced = context;
  const rgReducedNode* rows = &reduced->nodes[reduced->contact_count];
  double part = HUGE_VAL, size = 0;
  for (int i = 0; i < reduced->row_count; i++)
    size = fmax(size, fabs(x[rows[i].at]));
  for (int i = 0; i < reduced->row_count; i++) {
    int at = rows[i].at;
    double way = step[at] + reduced->f[at], z = x[at] - reduced->f[at];
    double left = way > 0 ? rows[i].upper - z : z - rows[i].lower;
    if (rows[i].kind == RG_SLOPE_STICK)
      part = fmin(part, (left + BEYOND * size) / fabs(way));
  }
  return part;
}

static double products(void* context) {
  const rgReduced* reduced = context;
  double n = reduced->width;
  return n * n * n / 3 / RG_BLOCK_PRODUCT;
}

static bool prepare(void* context) {
  (void)context;
  return true;
}

// One node after the other, solved exactly; returns the largest change [m/s].
static double sweep(void* context) {
  const rgReduced* reduced = context;
  double worst2 = 0;
  int width = reduced->width;
  for (int i = 0; i < reduced->contact_count + reduced->row_count; i++) {
    rgReducedNode* node = &reduced->nodes[i];
    double u[4] = {0}, r[4] = {0}, *x = reduced->x + node->at, change2 = 0;
    for (int k = 0; k < node->size; k++) {
      size_t at = (size_t)(node->at + k);
      u[k] = reduced->q[at] + rg_dot(reduced->w + at * (size_t)width, reduced->x, width);
      r[k] = x[k];
    }
    if (node->row)
      r[0] = bounded(node, x[0] - node->normal_rho * u[0]);
    else if (!rg_one_cone_near(&node->block, u, r, &node->alpha))
      rg_one_cone(&node->block, u, r, &node->alpha);
    for (int k = 0; k < node->size; k++) {
      change2 += (r[k] - x[k]) * (r[k] - x[k]);
      x[k] = r[k];
    }
    worst2 = fmax(worst2, change2 / (node->root * node->root));
  }
  return sqrt(worst2);
}

// [m/s] below which the measure is rounding.
static double rounding_of(const rgReduced* reduced) {
  double most = 0;
  for (int i = 0; i < reduced->contact_count + reduced->row_count; i++) {
    const rgReducedNode* node = &reduced->nodes[i];
    for (int k = 0; k < node->size; k++)
      most = fmax(most, fabs(reduced->q[node->at + k]) / node->root);
  }
  for (int i = 0; i < reduced->problem->body_count; i++)
    most = fmax(most, v3_norm(rg_body_twist(reduced->v, i).linear));
  return ROUNDING * most;
}

static double goal_of(const rgReduced* reduced, double goal) {
  double rounding = rounding_of(reduced), near = fmin(NEAR_ROUNDING * goal, SUMMED * rounding);
  bool easy = reduced->problem->contact_count == 0;
  return fmax(easy ? EASY * goal : fmax(NEAR * goal, near), rounding);
}

void rg_reduced_newton(rgReduced* reduced, rgSolve* run) {
  rgSolve part = *run;
  if (part.iteration_limit > run->iterations + STEPS)
    part.iteration_limit = run->iterations + STEPS;
  part.goal = goal_of(reduced, run->goal);
  load(reduced);
  rgNewtonPath path = {.context = reduced,
                       .count = (size_t)reduced->width,
                       .x = reduced->x,
                       .y = reduced->y,
                       .trial = reduced->trial,
                       .trial_y = reduced->trial_y,
                       .step = reduced->step,
                       .centre = reduced->centre,
                       .best = reduced->best,
                       .velocity = velocity,
                       .measure = measure,
                       .evaluate = evaluate,
                       .solve = solve_step,
                       .reach = reach,
                       .products = products,
                       .sweep = sweep,
                       .prepare = prepare,
                       .first_regularization = FIRST_REGULARIZATION,
                       .near_regularization = NEAR_REGULARIZATION,
                       .last_regularization = LAST_REGULARIZATION,
                       .first_sweeps = 0, // the start is near, and a step of so few is cheap
                       .sweeps_first = true,
                       .more_sweeps = 2 * (reduced->contact_count + reduced->row_count),
                       .patience = PATIENCE,
                       .recorded = true};
  double missed;
  int spent = rg_newton_path_follow(&path, &part, &missed);
  run->iterations += spent;
  run->effort = part.effort;
  run->history_count = part.history_count;
  run->measure = missed;
  unload(reduced);
}
