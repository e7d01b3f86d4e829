// problem_export.c - a problem as the matrices that other codes take: M, H, f, w or W, q.
//
// With bodies, row 6 b + k of H belongs to component k of body b (linear, then angular), and column
// d i + k to component k of contact i (normal, tangents). W and q are those of the local form
// (problem/local_form.c).
#include "io/problem/problem_file.h"

#include "base/message.h"
#include "problem/operator.h"

#include <limits.h>
#include <math.h>

enum { BODY = 6, SIDES = 2 };

static rgStatus no_memory(const char* path, rgMessage* message) {
  return rg_fail(message, RG_ERROR_MEMORY, "cannot write %s: not enough memory", path);
}

// -------------------------------------------------------------------------------------------------
// What can be held
// -------------------------------------------------------------------------------------------------

static bool is_circular(const rgProblemContact* contact) {
  bool unit = contact->e_t == 1 && contact->e_o == 1 && contact->e_tau == 0;
  return contact->cone == RG_CONE_FRICTIONLESS || contact->cone == RG_CONE_DISK ||
         (contact->cone == RG_CONE_ELLIPSOID && unit);
}

static rgStatus check_rows(const rgProblem* problem, bool allowed, const char* path,
                           rgMessage* message) {
  if (problem->row_count > 0 && !allowed)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "cannot write %s: the problem has %d rows (joints), which only JSON and "
                   "fclib-global can hold",
                   path, problem->row_count);
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    if (row->lower != -HUGE_VAL || row->upper != HUGE_VAL || row->compliance != 0)
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "cannot write %s: rows[%d] has bounds or a compliance, which only JSON can "
                     "hold",
                     path, i);
  }
  return RG_OK;
}

static rgStatus check_form(const rgProblem* problem, rgDataForm form, const char* path,
                           rgMessage* message) {
  bool global = form.global;
  rgStatus status = check_rows(problem, form.rows, path, message);
  if (status != RG_OK)
    return status;
  if (global && problem->local)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "cannot write %s: the problem is in local form and has no M and H for the "
                   "global one",
                   path);
  int block = problem->local ? problem->local->block : problem->dimension;
  if (block != problem->dimension && block != 1)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "cannot write %s: W has blocks of %d numbers in dimension %d, which only JSON "
                   "can hold",
                   path, block, problem->dimension);
  for (int i = 0; i < problem->contact_count; i++)
    if (!is_circular(&problem->contacts[i]))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "cannot write %s: contacts[%d].cone is \"%s\", which only JSON can hold", path,
                     i, rg_cone_kind_name(problem->contacts[i].cone));
  for (int i = 0; global && i < problem->body_count; i++)
    if (!rg_mass_exists(problem, i, 0))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "cannot write %s: bodies[%d] is held and has no finite mass or inertia for "
                     "the global form; the local form can hold it",
                     path, i);
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// H, M and W
// -------------------------------------------------------------------------------------------------

// The six numbers of component k of a contact on its body A (side 0) or B (side 1).
static void h_column(const rgProblemContact* contact, int k, int side, double column[BODY]) {
  const rgVec3 axes[3] = {contact->n, contact->t, contact->o};
  rgVec3 axis = side ? v3_neg(axes[k]) : axes[k];
  rgVec3 moment = v3_cross(side ? contact->arm_b : contact->arm_a, axis);
  const double numbers[BODY] = {axis.x, axis.y, axis.z, moment.x, moment.y, moment.z};
  for (int i = 0; i < BODY; i++)
    column[i] = numbers[i];
}

static int side_body(const rgProblemContact* contact, int side) {
  return side ? contact->body_b : contact->body_a;
}

static bool room(rgTriplets* triplets, int rows, int columns, long long count, rgPool* pool) {
  triplets->rows = rows;
  triplets->columns = columns;
  triplets->items =
      count <= INT_MAX ? rg_pool_take(pool, (size_t)count, sizeof *triplets->items) : NULL;
  return triplets->items != NULL;
}

// Zeros are left out, but not a negative one: what is written reads back to the same bits.
static void put(rgTriplets* triplets, int row, int column, double value) {
  if (value != 0 || signbit(value))
    triplets->items[triplets->count++] = (rgTriplet){row, column, value};
}

static bool make_h(const rgProblem* problem, rgPool* pool, rgTriplets* h) {
  int d = problem->dimension;
  long long most = (long long)SIDES * BODY * d * problem->contact_count;
  if (!room(h, BODY * problem->body_count, d * problem->contact_count, most, pool))
    return false;
  for (int i = 0; i < problem->contact_count; i++)
    for (int k = 0; k < SIDES * d; k++) {
      const rgProblemContact* contact = &problem->contacts[i];
      int body = side_body(contact, k / d);
      double column[BODY];
      h_column(contact, k % d, k / d, column);
      for (int j = 0; j < BODY && body >= 0; j++)
        put(h, BODY * body + j, d * i + k % d, column[j]);
    }
  return true;
}

static bool make_m(const rgProblem* problem, rgPool* pool, rgProblemData* data) {
  int n = BODY * problem->body_count;
  data->f = rg_pool_take(pool, (size_t)n, sizeof *data->f);
  if (!data->f || !room(&data->matrix, n, n, 12LL * problem->body_count, pool))
    return false;
  for (int b = 0; b < problem->body_count; b++) {
    double m[BODY * BODY];
    rg_body_put(data->f, b, rg_mass_momentum(problem, b, rg_body_free(problem, b)));
    rg_mass_block(problem, b, m);
    for (int i = 0; i < BODY * BODY; i++)
      put(&data->matrix, BODY * b + i / BODY, BODY * b + i % BODY, m[i]);
  }
  return true;
}

// Rows as constraints G' v + b = 0.
static bool make_g(const rgProblem* problem, rgPool* pool, rgProblemData* data) {
  int rows = problem->row_count;
  data->b = rg_pool_take(pool, (size_t)rows, sizeof *data->b);
  if (!data->b || !room(&data->g, BODY * problem->body_count, rows, 2LL * BODY * rows, pool))
    return false;
  for (int i = 0; i < rows; i++) {
    const rgProblemRow* row = &problem->rows[i];
    const rgTwist* sides[SIDES] = {&row->g_a, &row->g_b};
    const int bodies[SIDES] = {row->body_a, row->body_b};
    data->b[i] = row->bias;
    for (int side = 0; side < SIDES; side++) {
      rgVec3 l = sides[side]->linear, a = sides[side]->angular;
      const double numbers[BODY] = {l.x, l.y, l.z, a.x, a.y, a.z};
      for (int k = 0; k < BODY && bodies[side] >= 0; k++)
        put(&data->g, BODY * bodies[side] + k, i, numbers[k]);
    }
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Data
// -------------------------------------------------------------------------------------------------

static bool copy_w(const rgProblem* problem, rgPool* pool, rgTriplets* w) {
  const rgLocalMatrix* local = problem->local;
  int block = local->block, blocks = local->row_start[problem->contact_count];
  int size = block * problem->contact_count, square = block * block;
  if (!room(w, size, size, (long long)blocks * square, pool))
    return false;
  for (int i = 0; i < problem->contact_count; i++)
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++)
      for (int j = 0; j < square; j++)
        put(w, block * i + j / block, block * local->column[k] + j % block,
            local->values[(size_t)k * (size_t)square + (size_t)j]);
  return true;
}

// W and q of the local form, which is made where there is none.
static rgStatus make_local(const rgProblem* problem, const char* path, rgPool* pool,
                           rgProblemData* data, rgMessage* message) {
  rgProblem* made;
  rgStatus status = rg_problem_to_local(problem, &pool->allocator, &made, message);
  if (status != RG_OK)
    return status == RG_ERROR_MEMORY ? no_memory(path, message) : status;
  bool enough = copy_w(made, pool, &data->matrix);
  for (int i = 0; i < made->contact_count; i++)
    for (int k = 0; k < data->dimension; k++)
      data->q[(size_t)i * (size_t)data->dimension + (size_t)k] = made->contacts[i].bias[k];
  rg_problem_free(made, &pool->allocator);
  return enough ? RG_OK : no_memory(path, message);
}

static rgStatus make_global(const rgProblem* problem, const char* path, rgPool* pool,
                            rgProblemData* data, rgMessage* message) {
  if (!make_m(problem, pool, data) || !make_h(problem, pool, &data->h) ||
      !make_g(problem, pool, data))
    return no_memory(path, message);
  for (int i = 0; i < problem->contact_count; i++)
    for (int k = 0; k < data->dimension; k++)
      data->q[(size_t)i * (size_t)data->dimension + (size_t)k] = problem->contacts[i].bias[k];
  return RG_OK;
}

rgStatus rg_problem_export_data(const rgProblem* problem, rgDataForm form, const char* path,
                                rgPool* pool, rgProblemData* data, rgMessage* message) {
  *data = (rgProblemData){.dimension = problem->local ? problem->local->block : problem->dimension,
                          .contact_count = problem->contact_count,
                          .global = form.global};
  rgStatus status = check_form(problem, form, path, message);
  if (status != RG_OK)
    return status;
  size_t contacts = (size_t)problem->contact_count;
  data->q = rg_pool_take(pool, contacts * (size_t)data->dimension, sizeof *data->q);
  data->mu = rg_pool_take(pool, contacts, sizeof *data->mu);
  if (!data->q || !data->mu)
    return no_memory(path, message);
  for (size_t i = 0; i < contacts; i++)
    data->mu[i] = problem->contacts[i].cone == RG_CONE_FRICTIONLESS ? 0 : problem->contacts[i].mu;
  return form.global ? make_global(problem, path, pool, data, message)
                     : make_local(problem, path, pool, data, message);
}
