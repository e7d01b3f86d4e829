// contact_error.c - the error measure of the literature on frictional contact problems.
//
// Problem: other codes stop on the natural map F(r) = r - P_K(r - u^), u^ = u + mu |u_T| n, with
// unit steps. |F| adds impulses to velocities; it is kept here to compare with them, beside the
// form in which every velocity is multiplied by the effective mass rho of its contact.
//
// Cost: one pass over the contacts.
#include "problem/cone.h"
#include "problem/operator.h"

#include <string.h>

typedef struct Sums {
  double f, r, u, q; // squares
} Sums;

static void add_map(const rgProblemContact* contact, int m, const double r[4], const double u[4],
                    const double q[4], double rho, Sums* sums) {
  double mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
  double slide2 = 0, z[4];
  for (int i = 1; i <= m; i++)
    slide2 += u[i] * u[i];
  z[0] = r[0] - rho * (u[0] + mu * sqrt(slide2));
  for (int i = 1; i <= m; i++)
    z[i] = r[i] - rho * u[i];
  rg_cone_project_circular(z, m, mu);
  for (int i = 0; i <= m; i++) {
    sums->f += (r[i] - z[i]) * (r[i] - z[i]);
    sums->r += r[i] * r[i];
    sums->u += rho * u[i] * rho * u[i];
    sums->q += rho * q[i] * rho * q[i];
  }
}

static double ratio(const Sums* sums) {
  double largest = fmax(sums->r, fmax(sums->u, sums->q));
  return sums->f == 0 ? 0 : sqrt(sums->f / largest); // NaN stays NaN
}

rgContactError rg_problem_contact_error(const rgProblem* problem, const rgSolution* solution) {
  Sums plain = {0}, invariant = {0};
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    if (contact->cone != RG_CONE_FRICTIONLESS && contact->cone != RG_CONE_DISK)
      return (rgContactError){(double)NAN, (double)NAN};
    // others judge all components of a contact, also where there is no friction
    int k = problem->local ? problem->local->block : problem->dimension;
    k = k > 3 ? 3 : k;
    double u[4], q[4], block[4][4], trace = 0;
    if (problem->local) {
      memcpy(u, solution->v + 4 * (size_t)i, sizeof u);
      memcpy(q, contact->bias, sizeof q);
    } else {
      rg_contact_velocity(contact, solution->v, u);
      rg_contact_velocity_of(contact, rg_body_free(problem, contact->body_a),
                             rg_body_free(problem, contact->body_b), q);
    }
    rg_contact_block(problem, contact, block);
    for (int j = 0; j < k; j++)
      trace += block[j][j];
    const double* r = solution->r + 4 * (size_t)i;
    add_map(contact, k - 1, r, u, q, 1, &plain);
    if (trace > 0)
      add_map(contact, k - 1, r, u, q, k / trace, &invariant);
    else
      invariant.f = (double)NAN; // no effective mass, no measure
  }
  return (rgContactError){ratio(&plain), ratio(&invariant)};
}
