// newton_local_step.c - the Alart-Curnier function of the local form and the step that zeroes its
// linearization.
//
// Problem in scaled variables (newton_local_model.c), with a proximal term:
//
//     y = W x + q + regularization (x - centre),   z = x - rho y,   F = x - p(z),
//     p_n = max(0, z_n),   p_T = projection of z_T on the disk of radius mu p_n.
//
// F = 0 is the contact law. With D the derivative of p (zero for an open contact, the identity for
// a sticking one, and for a sliding one d p_n = d z_n, d p_T = mu t d z_n + (mu z_n / |z_T|) (I - t
// t') d z_T, t = z_T / |z_T|), Newton's step solves
//
//     ((I - D) + D rho (W + regularization)) dx = -F.
//
// The matrix is not symmetric: it knows how friction follows the normal impulse, so that sliding
// converges as fast as sticking. Open contacts have dx = -F at once and leave the system; what is
// left has one block row per active contact. Reference: Alart, Curnier 1991; Acary, Bremond, Huber
// 2018, section 4.
//
// Cost: assembly linear in the blocks of W, factorization see block_lu.c, and dense_lu.c for small
// parts where nearly all contacts see each other.
#include "solve/newton/newton_local.h"

#include <math.h>
#include <string.h>

static inline size_t numbers(const rgNewtonLocalModel* model, int contact) {
  return (size_t)contact * (size_t)model->size;
}

// A part with this fraction of all blocks is as good as full.
static const double FULL_PART = 0.4;

static bool is_dense(const rgNewtonLocalPart* part) {
  const rgNewtonLocalModel* model = part->model;
  int count = part->last - part->first;
  double blocks = model->row_start[part->last] - model->row_start[part->first];
  return count <= model->dense.count_limit && blocks >= FULL_PART * count * count;
}

bool rg_newton_local_step_prepare(const rgNewtonLocalPart* part) {
  rgNewtonLocalModel* model = part->model;
  int first = part->first, count = part->last - first;
  model->is_dense = is_dense(part);
  if (model->is_dense)
    return true;
  if (count > model->lu.count_limit ||
      !rg_block_lu_order(&model->lu, count, model->row_start + first, model->column, first))
    return false;
  for (int i = first; i < part->last; i++)
    for (int k = model->row_start[i]; k < model->row_start[i + 1]; k++)
      model->target[k] = rg_block_lu_at(&model->lu, i - first, model->column[k] - first);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Function
// -------------------------------------------------------------------------------------------------

// F of contact i, and the slope of its projection; returns |F|^2.
static inline double evaluate_contact(const rgNewtonLocalModel* model, int i, const double* x,
                                      const double* y, double regularization, int n) {
  const rgNewtonLocalContact* contact = &model->contacts[i];
  const double* centre = model->centre + (size_t)i * (size_t)n;
  double z[4], slip2 = 0, *f = model->f + (size_t)i * (size_t)n;
  for (int k = 0; k < n; k++) {
    double velocity = y[k] + regularization * (x[k] - centre[k]);
    z[k] = x[k] - (k == 0 ? contact->normal_rho : contact->slip_rho) * velocity;
    slip2 += k == 0 ? 0 : z[k] * z[k];
  }
  rgNewtonLocalSlope* slope = &model->slopes[i];
  if (contact->row) {
    bool inside = z[0] > contact->lower && z[0] < contact->upper;
    slope->kind = inside ? RG_SLOPE_STICK : RG_SLOPE_OPEN;
    for (int k = 1; k < n; k++)
      f[k] = x[k];
    f[0] = x[0] - (z[0] < contact->lower   ? contact->lower
                   : z[0] > contact->upper ? contact->upper
                                           : z[0]);
    return f[0] * f[0];
  }
  double normal = z[0] > 0 ? z[0] : 0, radius = contact->mu * normal, part = 1;
  slope->kind = normal > 0 ? RG_SLOPE_STICK : RG_SLOPE_OPEN;
  if (slip2 > radius * radius) {
    double inverse = 1 / sqrt(slip2);
    part = radius * inverse;
    slope->kind = normal > 0 ? RG_SLOPE_SLIDE : RG_SLOPE_OPEN;
    slope->part = part;
    for (int k = 1; k < n; k++)
      slope->along[k] = z[k] * inverse;
  }
  f[0] = x[0] - normal;
  double sum = f[0] * f[0];
  for (int k = 1; k < n; k++) {
    f[k] = x[k] - part * z[k];
    sum += f[k] * f[k];
  }
  return sum;
}

static inline double evaluate(const rgNewtonLocalPart* part, const double* x, const double* y,
                              double regularization, int n) {
  double sum = 0;
  for (int i = part->first; i < part->last; i++, x += n, y += n)
    sum += evaluate_contact(part->model, i, x, y, regularization, n);
  return 0.5 * sum;
}

double rg_newton_local_step_evaluate(const rgNewtonLocalPart* part, const double* x,
                                     const double* y, double regularization) {
  switch (part->model->size) {
  case 1:
    return evaluate(part, x, y, regularization, 1);
  case 2:
    return evaluate(part, x, y, regularization, 2);
  case 3:
    return evaluate(part, x, y, regularization, 3);
  default:
    return evaluate(part, x, y, regularization, 4);
  }
}

// -------------------------------------------------------------------------------------------------
// Matrix
// -------------------------------------------------------------------------------------------------

// D rho and I - D of a contact that is not open.
typedef struct Slope {
  double times_rho[4][4];
  double rest[4][4];
} Slope;

static inline void spread(const rgNewtonLocalModel* model, int i, Slope* slope, int n) {
  const rgNewtonLocalSlope* given = &model->slopes[i];
  double mu = model->contacts[i].mu, normal = model->contacts[i].normal_rho,
         slip = model->contacts[i].slip_rho;
  memset(slope, 0, sizeof *slope);
  slope->times_rho[0][0] = normal;
  for (int a = 1; a < n; a++) {
    if (given->kind == RG_SLOPE_STICK) {
      slope->times_rho[a][a] = slip;
      continue;
    }
    double along = given->along[a];
    slope->times_rho[a][0] = mu * along * normal;
    slope->rest[a][0] = -mu * along;
    for (int b = 1; b < n; b++) {
      double d = given->part * ((a == b ? 1 : 0) - along * given->along[b]);
      slope->times_rho[a][b] = d * slip;
      slope->rest[a][b] = (a == b ? 1 : 0) - d;
    }
  }
}

// out = D rho w, rows of out `width` apart. A sticking contact has a diagonal D.
static inline void step_block(const Slope* slope, bool sticks, const double* w, double* out,
                              int width, int n) {
  for (int b = 0; b < n; b++)
    out[b] = slope->times_rho[0][0] * w[b];
  for (int a = 1; a < n; a++)
    for (int b = 0; b < n; b++) {
      double sum = sticks ? 0 : slope->times_rho[a][0] * w[b];
      for (int k = 1; k < n && !sticks; k++)
        sum += slope->times_rho[a][k] * w[k * n + b];
      out[a * width + b] = sticks ? slope->times_rho[a][a] * w[a * n + b] : sum;
    }
}

// What the diagonal block has besides: D rho regularization + (I - D).
static inline void add_diagonal(const Slope* slope, double regularization, double* out, int width,
                                int n) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      out[a * width + b] += slope->times_rho[a][b] * regularization + slope->rest[a][b];
}

// Moves the known step of an open contact to the right-hand side of contact i.
static inline void move_known(rgNewtonLocalModel* model, int i, int j, const double* block, int n) {
  double* right = model->step + numbers(model, i);
  const double* known = model->step + numbers(model, j);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      right[a] -= block[a * n + b] * known[b];
}

// The place of the k-th block of W, of row i and column j, in the matrix; NULL for an open column.
static inline double* place_of(const rgNewtonLocalModel* model, int first, int i, int j, int k) {
  if (model->slopes[j].kind == RG_SLOPE_OPEN)
    return NULL;
  if (!model->is_dense)
    return model->target[k];
  return rg_dense_lu_at(&model->dense, model->active[i - first], model->active[j - first]);
}

// One row of the system: blocks of active columns to the matrix, known steps of open ones to the
// right-hand side.
static inline void assemble_row(rgNewtonLocalModel* model, int first, int i, double regularization,
                                int n) {
  Slope slope;
  bool sticks = model->slopes[i].kind == RG_SLOPE_STICK;
  int width = model->is_dense ? model->dense.width : n;
  spread(model, i, &slope, n);
  for (int k = model->row_start[i]; k < model->row_start[i + 1]; k++) {
    int j = model->column[k];
    const double* w = model->w + (size_t)k * (size_t)(n * n);
    double block[16], *out = place_of(model, first, i, j, k);
    if (!out) {
      step_block(&slope, false, w, block, n, n);
      move_known(model, i, j, block, n);
      continue;
    }
    if (sticks)
      step_block(&slope, true, w, out, width, n);
    else
      step_block(&slope, false, w, out, width, n);
    if (i == j)
      add_diagonal(&slope, regularization, out, width, n);
  }
}

static inline void assemble(const rgNewtonLocalPart* part, double regularization, int n) {
  rgNewtonLocalModel* model = part->model;
  for (int i = part->first; i < part->last; i++)
    if (model->slopes[i].kind != RG_SLOPE_OPEN)
      assemble_row(model, part->first, i, regularization, n);
}

static bool solve_sparse(const rgNewtonLocalPart* part, double regularization) {
  rgNewtonLocalModel* model = part->model;
  rg_block_lu_clear(&model->lu);
  for (int i = part->first; i < part->last; i++)
    if (model->slopes[i].kind == RG_SLOPE_OPEN)
      rg_block_lu_skip(&model->lu, i - part->first);
  switch (model->size) {
  case 1:
    assemble(part, regularization, 1);
    break;
  case 2:
    assemble(part, regularization, 2);
    break;
  case 3:
    assemble(part, regularization, 3);
    break;
  default:
    assemble(part, regularization, 4);
    break;
  }
  if (!rg_block_lu_factor(&model->lu))
    return false;
  rg_block_lu_solve(&model->lu, model->step + numbers(model, part->first));
  return true;
}

static bool solve_dense(const rgNewtonLocalPart* part, double regularization) {
  rgNewtonLocalModel* model = part->model;
  rgDenseLu* dense = &model->dense;
  int count = 0;
  for (int i = part->first; i < part->last; i++)
    model->active[i - part->first] = model->slopes[i].kind == RG_SLOPE_OPEN ? -1 : count++;
  rg_dense_lu_start(dense, count);
  assemble(part, regularization, 3);
  double* step = model->step + numbers(model, part->first);
  for (int i = 0; i < part->last - part->first; i++)
    for (int k = 0; k < 3 && model->active[i] >= 0; k++)
      *rg_dense_lu_right(dense, model->active[i], k) = step[3 * i + k];
  if (!rg_dense_lu_solve(dense))
    return false;
  for (int i = 0; i < part->last - part->first; i++)
    for (int k = 0; k < 3 && model->active[i] >= 0; k++)
      step[3 * i + k] = *rg_dense_lu_right(dense, model->active[i], k);
  return true;
}

bool rg_newton_local_step_solve(const rgNewtonLocalPart* part, double regularization) {
  rgNewtonLocalModel* model = part->model;
  for (size_t k = numbers(model, part->first); k < numbers(model, part->last); k++)
    model->step[k] = -model->f[k];
  return model->is_dense ? solve_dense(part, regularization) : solve_sparse(part, regularization);
}
