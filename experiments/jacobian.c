// jacobian.c - random frictionless problems with the shape of Redon et al. 2002, section 5.3.
#include "experiments/jacobian.h"

#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>

static double number(Jacobian* jacobian) { // between -1 and 1
  return 2 * rg_random_unit(&jacobian->state) - 1;
}

static rgTwist twist(Jacobian* jacobian) {
  double x[6];
  for (int i = 0; i < 6; i++)
    x[i] = number(jacobian);
  return (rgTwist){{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

static int body(Jacobian* jacobian, int count) {
  int index = (int)(0.5 * (number(jacobian) + 1) * count);
  return index < count ? index : count - 1;
}

static double along_one(rgTwist g, const double* k) {
  return rg_vec3_dot(g.linear, rg_vec3(k[0], k[1], k[2])) +
         rg_vec3_dot(g.angular, rg_vec3(k[3], k[4], k[5]));
}

// J k of one row.
static double along(const rgProblemRow* row, const double* k) {
  double sum = along_one(row->g_a, k + 6 * row->body_a);
  return row->body_b < 0 ? sum : sum + along_one(row->g_b, k + 6 * row->body_b);
}

void jacobian_draw(Jacobian* jacobian, int n, int m) {
  for (int i = 0; i < n; i++)
    jacobian->bodies[i] =
        (rgProblemBody){.inverse_mass = 1, .inverse_inertia = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
  for (int i = 0; i < 6 * n; i++)
    jacobian->k[i] = number(jacobian);
  for (int i = 0; i < m; i++) {
    rgProblemRow* row = &jacobian->rows[i];
    *row = (rgProblemRow){.lower = 0, .upper = HUGE_VAL};
    row->body_a = body(jacobian, n);
    row->body_b = body(jacobian, n);
    row->g_a = twist(jacobian);
    if (row->body_b == row->body_a)
      row->body_b = -1;
    else
      row->g_b = twist(jacobian);
    row->bias = -along(row, jacobian->k);
  }
  jacobian->problem = (rgProblem){.dimension = 3,
                                  .body_count = n,
                                  .row_count = m,
                                  .bodies = jacobian->bodies,
                                  .rows = jacobian->rows};
}

void jacobian_release(Jacobian* jacobian) {
  void* pieces[] = {
      jacobian->bodies,          jacobian->rows,       jacobian->k,   jacobian->solution.v,
      jacobian->solution.lambda, jacobian->solution.r, jacobian->work};
  for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
    free(pieces[i]);
}

bool jacobian_prepare(Jacobian* jacobian, int n, int m, const char* const* solvers, int count) {
  *jacobian = (Jacobian){.state = (uint64_t)(1000 * n + m)};
  jacobian->bodies = calloc((size_t)n, sizeof *jacobian->bodies);
  jacobian->rows = calloc((size_t)m, sizeof *jacobian->rows);
  jacobian->k = calloc(6 * (size_t)n, sizeof(double));
  jacobian->solution = (rgSolution){calloc(6 * (size_t)n, sizeof(double)),
                                    calloc(1, sizeof(double)), calloc((size_t)m, sizeof(double))};
  if (!jacobian->bodies || !jacobian->rows || !jacobian->k)
    return false;
  jacobian_draw(jacobian, n, m);
  size_t size = 0;
  for (int v = 0; v < count; v++) {
    size_t needed = rg_solve_work_size(&jacobian->problem, solvers[v]);
    size = needed > size ? needed : size;
  }
  jacobian->work = malloc(size);
  return jacobian->work && jacobian->solution.v && jacobian->solution.lambda &&
         jacobian->solution.r;
}
