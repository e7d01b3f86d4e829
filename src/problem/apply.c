// apply.c - the operators of a problem for callers outside: from impulses to velocities and from
// velocities of bodies to those of contacts and rows.
#include "problem/operator.h"

#include <string.h>

void rg_problem_axes(const rgProblem* problem, int contact, double e[4]) {
  rg_contact_axes(problem, &problem->contacts[contact], e);
}

void rg_problem_relative(const rgProblem* problem, const double* v, double* u, double* w) {
  if (problem->local)
    memcpy(u, v, 4 * (size_t)problem->contact_count * sizeof *u);
  else
    for (int i = 0; i < problem->contact_count; i++)
      rg_contact_velocity(&problem->contacts[i], v, u + 4 * (size_t)i);
  for (int i = 0; i < problem->row_count; i++)
    w[i] = rg_problem_row_velocity(problem, i, v);
}

// In local form the response is u of the contacts, then w of the rows.
static void apply_local(const rgProblem* problem, const double* v, double* u, double* w) {
  size_t numbers = 4 * (size_t)problem->contact_count;
  memcpy(u, v, numbers * sizeof *u);
  for (int i = 0; i < problem->row_count; i++)
    w[i] = v[numbers + (size_t)i];
}

static void apply_bodies(const rgProblem* problem, const double* v, double* u, double* w) {
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    rg_contact_relative(contact, rg_body_twist(v, contact->body_a),
                        rg_body_twist(v, contact->body_b), u + 4 * (size_t)i);
  }
  for (int i = 0; i < problem->row_count; i++)
    w[i] = rg_row_relative(&problem->rows[i], v);
}

void rg_problem_apply(const rgProblem* problem, const double* r, const double* lambda, double* v,
                      double* u, double* w) {
  rg_problem_response(problem, r, lambda, v);
  if (problem->local)
    apply_local(problem, v, u, w);
  else
    apply_bodies(problem, v, u, w);
  for (int i = 0; i < problem->row_count; i++)
    w[i] += problem->rows[i].compliance * lambda[i];
}
