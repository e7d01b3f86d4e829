// newton_local_step.c - the Alart-Curnier function of the local form and the step that zeroes its
// linearization.
//
// Problem in scaled variables (newton_local_model.c), with a proximal term:
//
//     y = W x + q + shift (x - centre),   z = x - rho y,   F = x - p(z),
//     p_n = max(0, z_n),   p_T = projection of z_T on the disk of radius mu p_n.
//
// F = 0 is the contact law. With D the derivative of p (zero for an open contact, the identity for
// a sticking one, and for a sliding one d p_n = d z_n, d p_T = mu t d z_n + (mu z_n / |z_T|) (I - t
// t') d z_T, t = z_T / |z_T|), Newton's step solves
//
//     ((I - D) + D rho (W + shift)) dx = -F.
//
// The matrix is not symmetric: it knows how friction follows the normal impulse, so that sliding
// converges as fast as sticking. Open contacts have dx = -F at once and leave the system; what is
// left has one block row per active contact. Reference: Alart, Curnier 1991; Acary, Bremond, Huber
// 2018, section 4.
//
// Cost: assembly linear in the blocks of W, factorization see block_lu.c.
#include "solve/newton_local.h"

#include <math.h>
#include <string.h>

static inline size_t numbers(const rgLocalModel* model, int contact) {
  return (size_t)contact * (size_t)model->size;
}

bool rg_local_step_prepare(const rgLocalIsland* island) {
  rgLocalModel* model = island->model;
  int first = island->first, count = island->last - first;
  if (count > model->lu.count_limit ||
      !rg_block_lu_order(&model->lu, count, model->row_start + first, model->column, first))
    return false;
  for (int i = first; i < island->last; i++)
    for (int k = model->row_start[i]; k < model->row_start[i + 1]; k++)
      model->target[k] = rg_block_lu_at(&model->lu, i - first, model->column[k] - first);
  return true;
}

// z = x - rho y with the proximal term, |z_T| returned. x and y are those of contact i.
static inline double shifted_point(const rgLocalModel* model, int i, const double* x,
                                   const double* y, double shift, double z[4]) {
  const rgLocalContact* contact = &model->contacts[i];
  const double* centre = model->centre + numbers(model, i);
  double slip2 = 0;
  for (int k = 0; k < model->size; k++) {
    double velocity = y[k] + shift * (x[k] - centre[k]);
    z[k] = x[k] - (k == 0 ? contact->normal_rho : contact->slip_rho) * velocity;
    slip2 += k == 0 ? 0 : z[k] * z[k];
  }
  return sqrt(slip2);
}

double rg_local_step_evaluate(const rgLocalIsland* island, const double* x, const double* y,
                              double shift) {
  const rgLocalModel* model = island->model;
  double sum = 0, *f = model->f + numbers(model, island->first);
  int n = model->size;
  for (int i = island->first; i < island->last; i++, x += n, y += n, f += n) {
    double z[4], slip = shifted_point(model, i, x, y, shift, z), normal = z[0] > 0 ? z[0] : 0;
    double radius = model->contacts[i].mu * normal, part = slip <= radius ? 1 : radius / slip;
    f[0] = x[0] - normal;
    sum += f[0] * f[0];
    for (int k = 1; k < n; k++) {
      f[k] = x[k] - part * z[k];
      sum += f[k] * f[k];
    }
  }
  return 0.5 * sum;
}

// D at the present point. False for an open contact, where it is zero.
static bool projection_slope(const rgLocalModel* model, int i, double shift, double d[4][4]) {
  size_t at = numbers(model, i);
  double z[4], slip = shifted_point(model, i, model->x + at, model->y + at, shift, z);
  double mu = model->contacts[i].mu, radius = mu * z[0];
  if (!(z[0] > 0))
    return false;
  memset(d, 0, 16 * sizeof d[0][0]);
  d[0][0] = 1;
  for (int k = 1; k < model->size; k++) {
    if (slip <= radius) {
      d[k][k] = 1;
      continue;
    }
    double along = z[k] / slip;
    d[k][0] = mu * along;
    for (int l = 1; l < model->size; l++)
      d[k][l] = radius / slip * ((k == l ? 1 : 0) - along * z[l] / slip);
  }
  return true;
}

// out = d rho (w + shift), and for the diagonal block + (I - d).
static inline void step_block(const double d[4][4], const rgLocalContact* contact, const double* w,
                              bool diagonal, double shift, double* out, int n) {
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      double sum = d[a][0] * contact->normal_rho * (w[b] + (diagonal && b == 0 ? shift : 0));
      for (int k = 1; k < n; k++)
        sum += d[a][k] * contact->slip_rho * (w[k * n + b] + (diagonal && b == k ? shift : 0));
      out[a * n + b] = diagonal ? sum + (a == b ? 1 : 0) - d[a][b] : sum;
    }
}

// One row of the system: blocks of active columns to the matrix, known steps of open ones to the
// right-hand side.
static inline void assemble_row(rgLocalModel* model, int first, int i, const double d[4][4],
                                double shift, int n) {
  double* right = model->step + numbers(model, i);
  for (int k = model->row_start[i]; k < model->row_start[i + 1]; k++) {
    int j = model->column[k];
    const double* w = model->w + (size_t)k * (size_t)(n * n);
    bool open = model->lu.idle[model->lu.position[j - first]];
    double block[16], *out = open ? block : model->target[k];
    step_block(d, &model->contacts[i], w, i == j, shift, out, n);
    if (!open)
      continue;
    const double* known = model->step + numbers(model, j);
    for (int a = 0; a < n; a++)
      for (int b = 0; b < n; b++)
        right[a] -= out[a * n + b] * known[b];
  }
}

static inline void assemble(const rgLocalIsland* island, double shift, int n) {
  rgLocalModel* model = island->model;
  double d[4][4];
  for (int i = island->first; i < island->last; i++)
    if (!projection_slope(model, i, shift, d))
      rg_block_lu_skip(&model->lu, i - island->first);
  for (int i = island->first; i < island->last; i++)
    if (projection_slope(model, i, shift, d))
      assemble_row(model, island->first, i, (const double(*)[4])d, shift, n);
}

bool rg_local_step_solve(const rgLocalIsland* island, double shift) {
  rgLocalModel* model = island->model;
  for (size_t k = numbers(model, island->first); k < numbers(model, island->last); k++)
    model->step[k] = -model->f[k];
  rg_block_lu_clear(&model->lu);
  switch (model->size) {
  case 1:
    assemble(island, shift, 1);
    break;
  case 2:
    assemble(island, shift, 2);
    break;
  case 3:
    assemble(island, shift, 3);
    break;
  default:
    assemble(island, shift, 4);
    break;
  }
  if (!rg_block_lu_factor(&model->lu))
    return false;
  rg_block_lu_solve(&model->lu, model->step + numbers(model, island->first));
  return true;
}
