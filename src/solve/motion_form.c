// motion_form.c - terms in scaled variables, their velocities and their linear systems.
#include "solve/motion_form.h"
#include "problem/cone.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

void rg_form_carve(rgMotionForm* form, const rgProblem* problem, int block_limit,
                   rgCarver* carver) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count,
         bodies = (size_t)problem->body_count, numbers = RG_TERM_MAX * contacts + rows;
  memset(form, 0, sizeof *form);
  form->terms = rg_carve(carver, contacts + rows, sizeof(rgFormTerm));
  form->x = rg_carve(carver, numbers, sizeof(double));
  form->y = rg_carve(carver, numbers, sizeof(double));
  form->best = rg_carve(carver, numbers, sizeof(double));
  form->motion = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  form->change = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  form->row_start = rg_carve(carver, bodies + 1, sizeof(int));
  form->column = rg_carve(carver, contacts + rows, sizeof(int));
  rg_block_lu_carve(&form->lu, RG_BLOCK, problem->body_count, block_limit, carver);
}

void rg_form_build(rgMotionForm* form, rgModel* model) {
  form->model = model;
  form->count = 0;
  for (int i = 0; i < model->term_count; i++) {
    const rgTerm* term = &model->terms[i];
    rgFormTerm* own = &form->terms[i];
    memset(own, 0, sizeof *own);
    own->at = (int)form->count;
    form->count += (size_t)term->m;
    own->root = sqrt(term->mass);
    if (term->row) {
      own->length = rg_row_length(model->problem, &model->problem->rows[term->source]);
      own->softness = term->compliance * term->mass;
    }
  }
}

static bool is_coupled(const rgTerm* term) {
  return term->body_a >= 0 && term->body_b >= 0 && term->body_a != term->body_b;
}

bool rg_form_order(rgMotionForm* form) {
  const rgModel* model = form->model;
  int bodies = model->problem->body_count, *start = form->row_start;
  memset(start, 0, ((size_t)bodies + 1) * sizeof(int));
  for (int i = 0; i < model->term_count; i++)
    if (is_coupled(&model->terms[i]))
      start[model->terms[i].body_a + 1]++;
  for (int i = 0; i < bodies; i++)
    start[i + 1] += start[i];
  int* next = form->lu.node; // free as yet
  memcpy(next, start, (size_t)bodies * sizeof(int));
  for (int i = 0; i < model->term_count; i++)
    if (is_coupled(&model->terms[i]))
      form->column[next[model->terms[i].body_a]++] = model->terms[i].body_b;
  if (!rg_block_lu_order(&form->lu, bodies, start, form->column, 0))
    return false;
  for (int i = 0; i < model->term_count; i++) {
    const rgTerm* term = &model->terms[i];
    double** target = form->terms[i].target;
    int a = term->body_a, b = term->body_b;
    target[0] = a >= 0 ? rg_block_lu_at(&form->lu, a, a) : NULL;
    target[1] = b >= 0 ? rg_block_lu_at(&form->lu, b, b) : NULL;
    target[2] = a >= 0 && b >= 0 ? rg_block_lu_at(&form->lu, a, b) : NULL;
    target[3] = a >= 0 && b >= 0 ? rg_block_lu_at(&form->lu, b, a) : NULL;
  }
  return true;
}

static double* impulse_of(const rgTerm* term, const rgSolution* solution, int k) {
  return term->row ? &solution->lambda[term->source]
                   : &solution->r[4 * (size_t)term->source + (size_t)term->component[k]];
}

void rg_form_load(rgMotionForm* form, const rgSolution* solution) {
  const rgModel* model = form->model;
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      form->x[form->terms[i].at + k] = *impulse_of(&model->terms[i], solution, k) /
                                       (model->terms[i].axis[k] * form->terms[i].root);
}

void rg_form_store(const rgMotionForm* form, rgSolution* solution) {
  const rgModel* model = form->model;
  for (int i = 0; i < model->term_count; i++)
    for (int k = 0; k < model->terms[i].m; k++)
      *impulse_of(&model->terms[i], solution, k) =
          model->terms[i].axis[k] * form->terms[i].root * form->x[form->terms[i].at + k];
}

// -------------------------------------------------------------------------------------------------
// Velocities and laws
// -------------------------------------------------------------------------------------------------

void rg_form_add_impulse(const rgMotionForm* form, int index, const double* x, double* to) {
  const rgTerm* term = &form->model->terms[index];
  double root = form->terms[index].root;
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

void rg_form_project(const rgMotionForm* form, int index, const double* xi, double* out) {
  const rgTerm* term = &form->model->terms[index];
  double root = form->terms[index].root;
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

void rg_form_term_velocity(const rgMotionForm* form, int index, const double* xi, const double* x,
                           double* y) {
  const rgTerm* term = &form->model->terms[index];
  const rgFormTerm* own = &form->terms[index];
  rg_form_project(form, index, xi, y);
  for (int k = 0; k < term->m; k++)
    y[k] += own->root * term->free[k] + own->softness * x[k];
}

void rg_form_velocity(rgMotionForm* form, const double* x, double* y) {
  const rgModel* model = form->model;
  memset(form->motion, 0, RG_BLOCK * (size_t)model->problem->body_count * sizeof(double));
  for (int i = 0; i < model->term_count; i++)
    rg_form_add_impulse(form, i, x + form->terms[i].at, form->motion);
  for (int i = 0; i < model->term_count; i++) {
    int at = form->terms[i].at;
    rg_form_term_velocity(form, i, form->motion, x + at, y + at);
  }
}

double rg_form_clamp(const rgMotionForm* form, int index, double x) {
  const rgTerm* term = &form->model->terms[index];
  double root = form->terms[index].root, lower = term->lower / root, upper = term->upper / root;
  return x < lower ? lower : x > upper ? upper : x;
}

static double missed_of(const rgMotionForm* form, int index, const double* x, const double* y) {
  const rgTerm* term = &form->model->terms[index];
  const rgFormTerm* own = &form->terms[index];
  if (term->row)
    return fabs(x[0] - rg_form_clamp(form, index, x[0] - y[0])) * own->length / own->root;
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

double rg_form_measure(const rgMotionForm* form, const double* x, const double* y) {
  double worst = 0;
  for (int i = 0; i < form->model->term_count; i++) {
    double missed = missed_of(form, i, x + form->terms[i].at, y + form->terms[i].at);
    if (!(missed <= worst)) // so that a NaN is seen
      worst = missed;
  }
  return worst;
}

// -------------------------------------------------------------------------------------------------
// Linear system
// -------------------------------------------------------------------------------------------------

void rg_form_clear(rgMotionForm* form) {
  int bodies = form->model->problem->body_count;
  rg_block_lu_clear(&form->lu);
  for (int i = 0; i < bodies; i++) {
    double* block = rg_block_lu_at(&form->lu, i, i);
    for (int k = 0; k < RG_BLOCK; k++)
      block[k * (RG_BLOCK + 1)] = 1;
  }
  memset(form->change, 0, RG_BLOCK * (size_t)bodies * sizeof(double));
}

// out += mass J_left' B J_right
static void add_block(double* out, const rgTerm* term, const rgFormTerm* own, int left, int right) {
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

void rg_form_add_slope(rgMotionForm* form, int index) {
  const rgTerm* term = &form->model->terms[index];
  const rgFormTerm* own = &form->terms[index];
  add_block(own->target[0], term, own, 0, 0);
  add_block(own->target[1], term, own, RG_BLOCK, RG_BLOCK);
  add_block(own->target[2], term, own, 0, RG_BLOCK);
  add_block(own->target[3], term, own, RG_BLOCK, 0);
}

bool rg_term_invert(double a[RG_TERM_MAX][RG_TERM_MAX], int m,
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
