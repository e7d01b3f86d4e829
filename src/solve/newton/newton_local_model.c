// newton_local_model.c - the local form in scaled variables, cut into parts, and its sweeps.
//
// With s_i = e_i sqrt(rho_c), x = r / s and y = s u the problem y = S W S x + S q has the same law
// with a circular cone, and numbers of the size of one: a contact between pebbles counts as much as
// one between rocks. A component that carries no impulse has s = 0; its diagonal becomes 1, so that
// it keeps x = y = 0 by itself. Rows are nodes with one such component. Nodes that do not see each other through W form parts, which
// are solved one after the other; most of them are small.
#include "base/forest.h"
#include "problem/local_row.h"
#include "problem/operator.h"
#include "solve/newton/newton_local.h"

#include <math.h>
#include <string.h>

// Room for the factor: blocks above the diagonal per contact of the largest part.
enum { BLOCKS_PER_CONTACT = 64, CONTACTS_MAX = 8192 };
// Contacts of a part up to which its matrix may be dense.
enum { DENSE_CONTACTS = 32 };

static int block_limit(int count) {
  long long n = count, all = n * (n - 1) / 2 + 1, some = BLOCKS_PER_CONTACT * n;
  return (int)(all < some ? all : some);
}

void rg_newton_local_model_carve(rgNewtonLocalModel* model, int count, int block, int block_count,
                                 rgCarver* carver) {
  memset(model, 0, sizeof *model);
  model->size = block;
  model->count = count;
  size_t n = (size_t)model->count, size = (size_t)model->size, numbers = n * size;
  size_t blocks = (size_t)block_count;
  model->part_start = rg_carve(carver, n + 1, sizeof(int));
  model->order = rg_carve(carver, n, sizeof(int));
  model->place = rg_carve(carver, n, sizeof(int));
  model->contacts = rg_carve(carver, n, sizeof(rgNewtonLocalContact));
  model->row_start = rg_carve(carver, n + 1, sizeof(int));
  model->column = rg_carve(carver, blocks, sizeof(int));
  model->w = rg_carve(carver, blocks * size * size, sizeof(double));
  model->target = rg_carve(carver, blocks, sizeof(double*));
  double** vectors[] = {&model->q,    &model->x,      &model->y,    &model->trial, &model->trial_y,
                        &model->step, &model->centre, &model->best, &model->f};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = rg_carve(carver, numbers, sizeof(double));
  int nodes = model->count < CONTACTS_MAX ? model->count : CONTACTS_MAX;
  rg_block_lu_carve(&model->lu, model->size, nodes, block_limit(nodes), carver);
  rg_block_lu_carve_order(&model->lu, (int)blocks, carver);
  model->slopes = rg_carve(carver, n, sizeof(rgNewtonLocalSlope));
  model->active = rg_carve(carver, n, sizeof(int));
  int dense = model->size != 3 ? 0 : nodes < DENSE_CONTACTS ? nodes : DENSE_CONTACTS;
  rg_dense_lu_carve(&model->dense, dense, carver);
}

// -------------------------------------------------------------------------------------------------
// Build
// -------------------------------------------------------------------------------------------------

static bool is_full(const rgLocalMatrix* local, int count) {
  return local->row_start[count] == (long long)count * count;
}

// One part of everything.
static void take_all(rgNewtonLocalModel* model) {
  model->part_count = 1;
  model->part_start[0] = 0;
  model->part_start[1] = model->count;
  for (int i = 0; i < model->count; i++)
    model->order[i] = model->place[i] = i;
}

// Parts by union-find, numbered by their first contact; contacts keep their order inside.
static void find_parts(rgNewtonLocalModel* model) {
  const rgLocalMatrix* local = model->problem->local;
  if (is_full(local, model->count)) {
    take_all(model);
    return;
  }
  int *parent = model->place, *part = model->order;
  for (int i = 0; i < model->count; i++)
    parent[i] = i;
  for (int i = 0; i < model->count; i++)
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++) {
      if (parent[local->column[k]] == parent[i])
        continue; // joined already, most of the time
      rg_forest_join(parent, i, local->column[k]);
    }
  // roots are the lowest of their parts, so they are met first
  model->part_count = 0;
  memset(model->part_start, 0, ((size_t)model->count + 1) * sizeof(int));
  for (int i = 0; i < model->count; i++) {
    int root = rg_forest_root(parent, i);
    part[i] = root == i ? model->part_count++ : part[root];
    model->part_start[part[i] + 1]++;
  }
  for (int i = 0; i < model->part_count; i++)
    model->part_start[i + 1] += model->part_start[i];
  int* next = model->row_start; // free as yet
  memcpy(next, model->part_start, (size_t)model->part_count * sizeof(int));
  for (int i = 0; i < model->count; i++)
    model->place[i] = next[part[i]]++;
  for (int i = 0; i < model->count; i++)
    model->order[model->place[i]] = i;
}

static double row_diagonal(const rgProblem* problem, int node) {
  double w = *rg_local_diagonal(problem, node);
  return w + problem->rows[node - problem->contact_count].compliance;
}

static void set_row_scale(rgNewtonLocalModel* model, rgNewtonLocalContact* contact) {
  const rgProblem* problem = model->problem;
  const rgProblemRow* row = &problem->rows[contact->source - problem->contact_count];
  double diagonal = row_diagonal(problem, contact->source);
  double scale = diagonal > 0 ? sqrt(1 / diagonal) : 1, weight = rg_row_weight(problem, row);
  contact->row = true;
  contact->scale[0] = scale;
  contact->scale[1] = contact->scale[2] = contact->scale[3] = 0;
  contact->root = weight > 0 ? scale / weight : scale;
  contact->lower = row->lower / scale;
  contact->upper = row->upper / scale;
  contact->mu = contact->alpha = 0;
}

static void set_scale(rgNewtonLocalModel* model, int index) {
  const rgProblem* problem = model->problem;
  rgNewtonLocalContact* contact = &model->contacts[index];
  contact->source = model->order[index];
  contact->row = false;
  if (contact->source >= problem->contact_count) {
    set_row_scale(model, contact);
    return;
  }
  const rgProblemContact* given = &problem->contacts[contact->source];
  double e[4];
  rg_contact_axes(problem, given, e);
  contact->root = sqrt(1 / rg_contact_inverse_rho(problem, given, e));
  contact->mu = given->cone == RG_CONE_FRICTIONLESS ? 0 : given->mu;
  contact->alpha = 0;
  for (int i = 0; i < 4; i++)
    contact->scale[i] = i < model->size ? e[i] * contact->root : 0;
}

// The symmetric part of the diagonal block for the sweeps: at their fixed point the change of the
// impulse is zero, and what multiplies it does not matter.
static void set_block(rgNewtonLocalModel* model, rgNewtonLocalContact* contact, const double* w) {
  int size = model->size;
  double symmetric[4][4] = {{0}}, slip = 0;
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++)
      symmetric[i][j] = 0.5 * (w[i * size + j] + w[j * size + i]);
  rg_one_reduce(symmetric, size - 1, contact->mu, &contact->block);
  for (int i = 1; i < size; i++)
    slip += symmetric[i][i];
  contact->normal_rho = symmetric[0][0] > 0 ? 1 / symmetric[0][0] : 1;
  contact->slip_rho = slip > 0 ? (size - 1) / slip : 1;
}

static inline void build_row(rgNewtonLocalModel* model, int index, int size) {
  const rgProblem* problem = model->problem;
  const rgLocalMatrix* local = problem->local;
  int area = size * size, at = model->row_start[index], contacts = problem->contact_count;
  rgNewtonLocalContact* contact = &model->contacts[index];
  int source = contact->source, height = contact->row ? 1 : size;
  const double* given = local->values + rg_local_value_start(problem, source);
  for (int k = local->row_start[source]; k < local->row_start[source + 1]; k++, at++) {
    int other = model->place[local->column[k]], width = local->column[k] < contacts ? size : 1;
    const double* right = model->contacts[other].scale;
    double* w = model->w + (size_t)at * (size_t)area;
    model->column[at] = other;
    if (height < size || width < size)
      memset(w, 0, (size_t)area * sizeof *w);
    for (int i = 0; i < height; i++)
      for (int j = 0; j < width; j++)
        w[i * size + j] = contact->scale[i] * given[i * width + j] * right[j];
    given += height * width;
    if (other != index)
      continue;
    if (contact->row)
      w[0] += contact->scale[0] * problem->rows[source - contacts].compliance * contact->scale[0];
    for (int i = 0; i < size; i++)
      if (contact->scale[i] == 0)
        w[i * size + i] = 1;
    set_block(model, contact, w);
  }
  model->row_start[index + 1] = at;
  for (int i = 0; i < size; i++)
    model->q[index * size + i] =
        contact->row ? 0 : contact->scale[i] * problem->contacts[source].bias[i];
  if (contact->row)
    model->q[index * size] = contact->scale[0] * problem->rows[source - contacts].bias;
}

static inline void build_rows(rgNewtonLocalModel* model, int size) {
  model->row_start[0] = 0;
  for (int i = 0; i < model->count; i++)
    build_row(model, i, size);
}

void rg_newton_local_model_build(rgNewtonLocalModel* model) {
  find_parts(model);
  for (int i = 0; i < model->count; i++)
    set_scale(model, i);
  switch (model->size) {
  case 1:
    build_rows(model, 1);
    break;
  case 2:
    build_rows(model, 2);
    break;
  case 3:
    build_rows(model, 3);
    break;
  default:
    build_rows(model, 4);
    break;
  }
}

static inline double row_projected(const rgNewtonLocalContact* row, double x) {
  return x < row->lower ? row->lower : x > row->upper ? row->upper : x;
}

void rg_newton_local_model_load(rgNewtonLocalModel* model, const rgSolution* solution) {
  int size = model->size;
  for (int i = 0; i < model->count; i++) {
    const rgNewtonLocalContact* contact = &model->contacts[i];
    if (contact->row) {
      memset(model->x + i * size, 0, (size_t)size * sizeof *model->x);
      double lambda = solution->lambda[contact->source - model->problem->contact_count];
      model->x[i * size] = lambda / contact->scale[0];
      continue;
    }
    const double* r = solution->r + 4 * (size_t)contact->source;
    for (int k = 0; k < size; k++)
      model->x[i * size + k] = contact->scale[k] > 0 ? r[k] / contact->scale[k] : 0;
  }
}

void rg_newton_local_model_store(const rgNewtonLocalModel* model, rgSolution* solution) {
  int size = model->size;
  for (int i = 0; i < model->count; i++) {
    const rgNewtonLocalContact* contact = &model->contacts[i];
    if (contact->row) {
      solution->lambda[contact->source - model->problem->contact_count] =
          row_projected(contact, model->x[i * size]) * contact->scale[0];
      continue;
    }
    double* r = solution->r + 4 * (size_t)contact->source;
    memset(r, 0, 4 * sizeof *r);
    for (int k = 0; k < size; k++)
      r[k] = contact->scale[k] * model->x[i * size + k];
  }
}

// -------------------------------------------------------------------------------------------------
// Evaluation and sweeps, compiled once for each size
// -------------------------------------------------------------------------------------------------

static inline void row_velocity(const rgNewtonLocalModel* model, int row, const double* x,
                                double* y, int n) {
  int start = model->row_start[row];
  rgLocalRow blocks = {model->w + (size_t)start * (size_t)(n * n), model->column + start,
                       model->row_start[row + 1] - start};
  for (int a = 0; a < n; a++)
    y[a] = model->q[row * n + a];
  rg_local_row_add(blocks, n, x, n, y);
}

static inline void velocity(const rgNewtonLocalPart* part, const double* x, double* y, int n) {
  const double* from = x - (size_t)part->first * (size_t)n; // columns are counted in the model
  for (int i = part->first; i < part->last; i++, y += n)
    row_velocity(part->model, i, from, y, n);
}

void rg_newton_local_model_velocity(const rgNewtonLocalPart* part, const double* x, double* y) {
  switch (part->model->size) {
  case 1:
    velocity(part, x, y, 1);
    break;
  case 2:
    velocity(part, x, y, 2);
    break;
  case 3:
    velocity(part, x, y, 3);
    break;
  default:
    velocity(part, x, y, 4);
    break;
  }
}

// |x - P(x - y^)|^2 with y^ = y + mu |y_T| n.
static inline double missed2_of(const rgNewtonLocalContact* contact, const double* x,
                                const double* y, int n) {
  double z[4], slide2 = 0, missed2 = 0;
  if (contact->row) {
    double missed = x[0] - row_projected(contact, x[0] - y[0]);
    return missed * missed;
  }
  for (int k = 1; k < n; k++)
    slide2 += y[k] * y[k];
  z[0] = x[0] - y[0] - contact->mu * sqrt(slide2);
  for (int k = 1; k < n; k++)
    z[k] = x[k] - y[k];
  rg_cone_project_circular(z, n - 1, contact->mu);
  for (int k = 0; k < n; k++)
    missed2 += (x[k] - z[k]) * (x[k] - z[k]);
  return missed2;
}

double rg_newton_local_model_measure(const rgNewtonLocalPart* part, const double* x,
                                     const double* y) {
  double worst = 0;
  int n = part->model->size;
  for (int i = part->first; i < part->last; i++, x += n, y += n) {
    const rgNewtonLocalContact* contact = &part->model->contacts[i];
    double missed = sqrt(missed2_of(contact, x, y, n)) / contact->root;
    if (!(missed <= worst)) // so that a NaN is seen
      worst = missed;
  }
  return worst;
}

static inline double sweep_contact(rgNewtonLocalModel* model, int i, int n) {
  rgNewtonLocalContact* contact = &model->contacts[i];
  double u[4] = {0}, r[4] = {0}, *x = model->x + (size_t)i * (size_t)n, change2 = 0;
  row_velocity(model, i, model->x, u, n);
  for (int k = 0; k < n; k++)
    r[k] = x[k];
  if (contact->row)
    r[0] = row_projected(contact, x[0] - contact->normal_rho * u[0]);
  else if (!rg_one_cone_near(&contact->block, u, r, &contact->alpha))
    rg_one_cone(&contact->block, u, r, &contact->alpha);
  for (int k = 0; k < n; k++) {
    change2 += (r[k] - x[k]) * (r[k] - x[k]);
    x[k] = r[k];
  }
  return change2 / (contact->root * contact->root);
}

static inline double sweep(const rgNewtonLocalPart* part, int n) {
  double worst2 = 0;
  for (int i = part->first; i < part->last; i++) {
    double change2 = sweep_contact(part->model, i, n);
    worst2 = change2 > worst2 ? change2 : worst2;
  }
  return sqrt(worst2);
}

double rg_newton_local_model_sweep(const rgNewtonLocalPart* part) {
  switch (part->model->size) {
  case 1:
    return sweep(part, 1);
  case 2:
    return sweep(part, 2);
  case 3:
    return sweep(part, 3);
  default:
    return sweep(part, 4);
  }
}
