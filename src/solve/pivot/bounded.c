// bounded.c - frictionless contacts and rows as unknowns with bounds.
#include "solve/pivot/bounded.h"

#include "base/message.h"
#include "math/vec.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

static bool has_friction(const rgProblem* problem, const rgProblemContact* contact) {
  double e[4];
  rg_contact_axes(problem, contact, e);
  return e[1] + e[2] + e[3] > 0 && contact->mu > 0;
}

rgStatus rg_bounded_accepts(const rgProblem* problem, const char* name, rgMessage* message) {
  for (int i = 0; i < problem->contact_count; i++)
    if (has_friction(problem, &problem->contacts[i]))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "%s takes contacts without friction only, contact %d has mu = %g", name, i,
                     problem->contacts[i].mu);
  return RG_OK;
}

void rg_bounded_carve(rgBounded* box, const rgProblem* problem, rgCarver* carver) {
  size_t n = (size_t)problem->contact_count + (size_t)problem->row_count;
  memset(box, 0, sizeof *box);
  box->problem = problem;
  box->count = problem->contact_count + problem->row_count;
  box->source = rg_carve(carver, n, sizeof(int));
  box->directions = rg_carve(carver, n, sizeof(rgDirection));
  box->scale = rg_carve(carver, n, sizeof(double));
  box->lower = rg_carve(carver, n, sizeof(double));
  box->upper = rg_carve(carver, n, sizeof(double));
  box->start = rg_carve(carver, n, sizeof(double));
  box->q = rg_carve(carver, n, sizeof(double));
  box->compliance = rg_carve(carver, n, sizeof(double));
}

static void scale_direction(rgDirection* direction, double s) {
  direction->g_a =
      (rgTwist){v3_scale(direction->g_a.linear, s), v3_scale(direction->g_a.angular, s)};
  direction->g_b =
      (rgTwist){v3_scale(direction->g_b.linear, s), v3_scale(direction->g_b.angular, s)};
  direction->bias *= s;
}

static void add(rgBounded* box, int source, double diagonal, double lower, double upper) {
  int i = box->count++;
  double scale = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
  box->source[i] = source;
  box->scale[i] = scale;
  box->lower[i] = lower / scale;
  box->upper[i] = upper / scale;
  box->start[i] = fmin(fmax(0, box->lower[i]), box->upper[i]);
}

static void add_row(rgBounded* box, int i) {
  const rgProblemRow* row = &box->problem->rows[i];
  int index = box->count;
  add(box, -1 - i, rg_row_block(box->problem, row) + row->compliance, row->lower, row->upper);
  double s = box->scale[index];
  box->compliance[index] = s * s * row->compliance;
  box->directions[index] = rg_row_direction(row);
  scale_direction(&box->directions[index], s);
}

static void add_contact(rgBounded* box, int i) {
  const rgProblemContact* contact = &box->problem->contacts[i];
  int index = box->count;
  double block[4][4];
  rg_contact_block(box->problem, contact, block);
  add(box, i, block[0][0], 0, HUGE_VAL);
  box->compliance[index] = 0;
  if (box->problem->local)
    return;
  box->directions[index] = rg_contact_direction(contact, 0);
  scale_direction(&box->directions[index], box->scale[index]);
}

static bool is_free(const rgProblemRow* row) {
  return row->lower == -HUGE_VAL && row->upper == HUGE_VAL;
}

void rg_bounded_build(rgBounded* box, rgSolution* solution) {
  const rgProblem* problem = box->problem;
  box->count = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < problem->row_count; i++)
      if (is_free(&problem->rows[i]) == (pass == 0))
        add_row(box, i);
  for (int i = 0; i < problem->contact_count; i++)
    add_contact(box, i);
  memset(solution->r, 0, 4 * (size_t)problem->contact_count * sizeof(double));
  if (problem->row_count)
    memset(solution->lambda, 0, (size_t)problem->row_count * sizeof(double));
  rg_problem_velocity(problem, solution);
  for (int i = 0; i < box->count; i++)
    box->q[i] = problem->local ? box->scale[i] * problem->contacts[box->source[i]].bias[0]
                               : rg_direction_velocity(&box->directions[i], solution->v);
}

void rg_bounded_store(const rgBounded* box, const double* x, rgSolution* solution) {
  memset(solution->r, 0, 4 * (size_t)box->problem->contact_count * sizeof(double));
  for (int i = 0; i < box->count; i++) {
    // at a bound the impulse is the bound itself, not what scaling made of it
    int source = box->source[i];
    double impulse = box->scale[i] * x[i];
    if (source >= 0) {
      solution->r[4 * (size_t)source] = impulse;
      continue;
    }
    const rgProblemRow* row = &box->problem->rows[-1 - source];
    solution->lambda[-1 - source] = x[i] <= box->lower[i]   ? row->lower
                                    : x[i] >= box->upper[i] ? row->upper
                                                            : impulse;
  }
}
