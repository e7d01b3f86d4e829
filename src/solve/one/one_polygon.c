// one_polygon.c - the exact one-contact problem with a polygonal section, by enumeration.
//
// Problem: with q the velocity at zero impulse, u = q + W r, find r_n >= 0, u_n >= 0, r_n u_n = 0
// and r_T in the section mu r_n P such that -u_T lies in the normal cone of the section at r_T
// (maximum dissipation; Renouf et al. 2005, eq. 26-32).
//
// Method: the solution is one of finitely many linear pieces.
//
// - Apart: r = 0, needs q_n >= 0.
// - Stick: W r = -q, needs r_n >= 0 and r_T in the section.
// - Side j: r_T = mu (r_n d_j + g e_j), e_j = d_(j+1) - d_j, 0 <= g <= r_n, with u_n = 0 and e_j
//   u_T = 0 (two linear equations for r_n and g) and u_T pointing inwards.
// - Corner j: r_T = mu r_n d_j, u_n = 0 (one equation), -u_T between the normals of the two sides.
//
// Each piece is solved and its conditions are measured; the piece with the smallest violation, as a
// velocity, is the answer, so that a solution on the border of two pieces is found in spite of
// rounding.
//
// Cost: O(k) for k sides. In two dimensions P is an interval and only its two ends are corners.
#include "solve/one/one.h"

#include <math.h>
#include <string.h>

typedef struct Pieces {
  double w[3][3];
  double q[3];
  int m;
  double mu;
  double best; // violation of the best piece so far, as a velocity
  double r[3];
} Pieces;

static void velocity(const Pieces* p, const double r[3], double u[3]) {
  for (int i = 0; i < 3; i++)
    u[i] = p->q[i] + p->w[i][0] * r[0] + p->w[i][1] * r[1] + p->w[i][2] * r[2];
}

static void offer(Pieces* p, const double r[3], double violation) {
  if (!(violation < p->best))
    return;
  p->best = violation;
  memcpy(p->r, r, sizeof p->r);
}

static double excess(double x) { return x > 0 ? x : 0; }

// How far r_T is outside mu r_n P, as a velocity.
static double outside(const Pieces* p, const double r[3], int k, const double (*d)[2]) {
  double size = p->mu * r[0], most = 0;
  if (p->m == 1)
    return excess(fmax(r[1] - size * d[1][0], size * d[0][0] - r[1])) * p->w[1][1];
  for (int j = 0; j < k; j++) {
    const double *from = d[j], *to = d[j + 1 < k ? j + 1 : 0];
    double e[2] = {to[0] - from[0], to[1] - from[1]};
    double distance = e[1] * (r[1] - size * from[0]) - e[0] * (r[2] - size * from[1]);
    most = fmax(most, distance / sqrt(e[0] * e[0] + e[1] * e[1]));
  }
  return most * (p->w[1][1] + p->w[2][2]);
}

// Solves the leading count x count system of p->w (symmetric positive definite) for -q.
static bool solve_stick(const Pieces* p, double r[3]) {
  int count = p->m + 1;
  double a[3][4];
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++)
      a[i][j] = p->w[i][j];
    a[i][3] = -p->q[i];
  }
  for (int k = 0; k < count; k++) {
    if (!(a[k][k] > 0))
      return false;
    for (int i = k + 1; i < count; i++) {
      double f = a[i][k] / a[k][k];
      for (int j = k; j < count; j++)
        a[i][j] -= f * a[k][j];
      a[i][3] -= f * a[k][3];
    }
  }
  r[0] = r[1] = r[2] = 0;
  for (int i = count - 1; i >= 0; i--) {
    double sum = a[i][3];
    for (int j = i + 1; j < count; j++)
      sum -= a[i][j] * r[j];
    r[i] = sum / a[i][i];
  }
  return true;
}

static void try_corner(Pieces* p, const double d[2], const double before[2],
                       const double after[2]) {
  double direction[3] = {1, p->mu * d[0], p->mu * d[1]}, u[3];
  double slope = p->w[0][0] * direction[0] + p->w[0][1] * direction[1] + p->w[0][2] * direction[2];
  double normal = -p->q[0] / slope;
  if (!(slope > 0) || !(normal >= 0))
    return;
  double r[3] = {normal, normal * direction[1], normal * direction[2]};
  velocity(p, r, u);
  // -u_T in the normal cone: no gain from moving along either side
  double gain_after = -(u[1] * (after[0] - d[0]) + u[2] * (after[1] - d[1]));
  double gain_before = -(u[1] * (before[0] - d[0]) + u[2] * (before[1] - d[1]));
  offer(p, r, fmax(excess(gain_after), excess(gain_before)));
}

static void try_side(Pieces* p, const double from[2], const double to[2]) {
  double mu = p->mu, e[2] = {to[0] - from[0], to[1] - from[1]}, u[3];
  // columns of W for r_n (along the corner's ray) and for g (along the side)
  double ray[3] = {1, mu * from[0], mu * from[1]}, side[3] = {0, mu * e[0], mu * e[1]};
  double a[3], b[3];
  for (int i = 0; i < 3; i++) {
    a[i] = p->w[i][0] * ray[0] + p->w[i][1] * ray[1] + p->w[i][2] * ray[2];
    b[i] = p->w[i][1] * side[1] + p->w[i][2] * side[2];
  }
  double a_n = a[0], b_n = b[0], q_n = p->q[0];
  double a_e = e[0] * a[1] + e[1] * a[2], b_e = e[0] * b[1] + e[1] * b[2],
         q_e = e[0] * p->q[1] + e[1] * p->q[2];
  double det = a_n * b_e - b_n * a_e;
  if (det == 0)
    return;
  double normal = (-q_n * b_e + b_n * q_e) / det, g = (-a_n * q_e + q_n * a_e) / det;
  if (!(normal >= 0))
    return;
  double r[3] = {normal, mu * (normal * from[0] + g * e[0]), mu * (normal * from[1] + g * e[1])};
  velocity(p, r, u);
  double length = sqrt(e[0] * e[0] + e[1] * e[1]);
  double outward = (e[1] * u[1] - e[0] * u[2]) / length; // must not be positive
  double beyond = (excess(-g) + excess(g - normal)) * mu * length * (p->w[1][1] + p->w[2][2]);
  offer(p, r, fmax(excess(outward), beyond));
}

void rg_one_polygon(double w[4][4], int m, double mu, int corner_count, const double (*corners)[2],
                    const double u[4], double r[4]) {
  Pieces p = {.m = m, .mu = mu, .best = HUGE_VAL};
  for (int i = 0; i <= m; i++) {
    p.q[i] = u[i];
    for (int j = 0; j <= m; j++) {
      p.w[i][j] = w[i][j];
      p.q[i] -= w[i][j] * r[j];
    }
  }
  double stick[3];
  if (!(p.q[0] < 0) || !(p.w[0][0] > 0)) {
    p.best = 0; // apart: r = 0
  } else {
    if (solve_stick(&p, stick) && stick[0] >= 0)
      offer(&p, stick, outside(&p, stick, corner_count, corners));
    for (int j = 0; j < corner_count && p.best > 0; j++) {
      const double* before = corners[j > 0 ? j - 1 : corner_count - 1];
      const double* after = corners[j + 1 < corner_count ? j + 1 : 0];
      try_corner(&p, corners[j], before, after);
      if (m == 2)
        try_side(&p, corners[j], after);
    }
  }
  for (int i = 0; i <= m; i++)
    r[i] = p.r[i];
}

bool rg_one_polygon_starts(const rgProblem* problem, int index) {
  const rgProblemContact* contact = &problem->contacts[index];
  if (!rg_one_is_polygon(contact))
    return false;
  return index == 0 || contact[-1].cone != contact->cone || contact[-1].facets != contact->facets;
}

void rg_one_polygon_corners(const rgProblem* problem, const rgProblemContact* contact,
                            double (*corners)[2]) {
  rgPolygon polygon = rg_polygon(contact->cone, contact->facets);
  if (problem->dimension == 2) {
    corners[0][1] = corners[1][1] = 0;
    rg_polygon_interval(&polygon, &corners[0][0], &corners[1][0]);
    return;
  }
  for (int i = 0; i < contact->facets; i++)
    rg_polygon_corner(&polygon, i, corners[i]);
}
