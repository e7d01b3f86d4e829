// errors.c - the error measures, one code for both sides.
#include "contest.h"

#include <math.h>
#include <string.h>

static void project(double* x, int m, double mu) {
  double slip2 = 0;
  for (int k = 1; k <= m; k++)
    slip2 += x[k] * x[k];
  double slip = sqrt(slip2);
  if (slip <= mu * x[0])
    return;
  if (mu * slip <= -x[0]) {
    memset(x, 0, (size_t)(m + 1) * sizeof *x);
    return;
  }
  double normal = (x[0] + mu * slip) / (1 + mu * mu);
  x[0] = normal;
  for (int k = 1; k <= m; k++)
    x[k] *= mu * normal / slip;
}

// |r - P_K(r - rho (u + mu |u_T| n))|^2
static double missed2(const double* r, const double* u, int d, double mu, double rho) {
  double x[4], slip2 = 0, sum = 0;
  for (int k = 1; k < d; k++)
    slip2 += u[k] * u[k];
  for (int k = 0; k < d; k++)
    x[k] = r[k] - rho * (u[k] + (k == 0 ? mu * sqrt(slip2) : 0));
  project(x, d - 1, mu);
  for (int k = 0; k < d; k++)
    sum += (r[k] - x[k]) * (r[k] - x[k]);
  return sum;
}

Errors measure_errors(const rgProblem* problem, const double* r) {
  const rgLocalMatrix* w = problem->local;
  int d = w->block;
  double f2 = 0, r2 = 0, u2 = 0, q2 = 0, scaled_f2 = 0, scaled_u2 = 0, scaled_q2 = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    double u[4], trace = 0, mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
    memcpy(u, contact->bias, sizeof u);
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++)
      for (int a = 0; a < d; a++) {
        const double* row = w->values + (size_t)(k * d + a) * (size_t)d;
        for (int b = 0; b < d; b++)
          u[a] += row[b] * r[w->column[k] * d + b];
        trace += w->column[k] == i ? row[a] : 0;
      }
    double rho = d / trace;
    f2 += missed2(r + i * d, u, d, mu, 1);
    scaled_f2 += missed2(r + i * d, u, d, mu, rho);
    for (int a = 0; a < d; a++) {
      r2 += r[i * d + a] * r[i * d + a];
      u2 += u[a] * u[a];
      q2 += contact->bias[a] * contact->bias[a];
      scaled_u2 += rho * rho * u[a] * u[a];
      scaled_q2 += rho * rho * contact->bias[a] * contact->bias[a];
    }
  }
  return (Errors){sqrt(f2 / fmax(r2, fmax(u2, q2))),
                  sqrt(scaled_f2 / fmax(r2, fmax(scaled_u2, scaled_q2)))};
}
