// local_cone.c - the exact one-contact problem with a circular cone, by its secular equation.
//
// Problem: with q the velocity of the contact at zero impulse, u = q + W r, find
//     r_n >= 0, u_n >= 0, r_n u_n = 0,   |r_T| <= mu r_n,   u_T = -alpha r_T,
// with alpha >= 0, and alpha = 0 inside the cone. Ellipsoids and torsion come here in scaled
// variables, so that m = 0 .. 3 tangential components are all alike.
//
// Method. (i) q_n >= 0: r = 0. Otherwise u_n = 0, which gives r_n = -(q_n + W_nT r_T) / W_nn = c -
// w r_T with w = W_Tn / W_nn and c = -q_n / W_nn > 0. What is left, with S = W_TT - W_Tn W_nT /
// W_nn and b = q_T - w q_n, is
//     (S + alpha I) x = -b,   r_T = x,   r_n = c - w x,   f(alpha) = mu r_n - |x|.
// (ii) f(0) >= 0: sticks. (iii) otherwise alpha is a root of f. For alpha -> infinity x -> 0 and f
// -> mu c > 0, and |x| <= |b| / alpha bounds all roots by (1 + mu |w|) |b| / (mu c); so there is a
// root between 0 and that bound, and the law has a solution for every W and mu > 0. The largest
// root is the one reached by weakening a strong damping; unless mu |W_Tn| >= W_nn (Painleve) it is
// nearly always the only one. Several roots are several true solutions.
//
// Newton is applied to psi(alpha) = mu r_n / |x| - 1, which is linear when S is isotropic and w = 0
// (spheres), and almost linear for large alpha in any case. A bracket makes it safe.
//
// Written with the present impulse instead of q, everything is a correction: c = r_n + w r_T - u_n
// / W_nn and b = u_T - w u_n - S r_T, so that rounding is relative to the impulse at hand.
//
// Cost: 1 to 3 Newton steps from a good guess, each one m x m solve, one square root, two
// divisions. When alpha is huge (mu c vanishing against |b|) x is taken along -b directly.
#include "solve/local.h"

#include <float.h>
#include <math.h>
#include <string.h>

// A pivot of S below this part of trace(W) is rounding noise of the elimination.
static const double singular_part = 1e-13;
// Then this part of trace(W) is added: large against the noise, small enough to cost no
// convergence.
static const double proximal_part = 1e-10;
// Each Newton step or bisection gains at least one bit of 53 in the bracket; twice that for the
// exponent range.
enum { STEP_LIMIT = 128 };

// Solves (S + alpha) x = y for m components by an LDL' factorization without pivoting; S + alpha is
// positive definite.
static void solve_shifted(const rgLocalBlock* block, double alpha, const double* y, double* x) {
  if (block->m == 1) {
    x[0] = y[0] / (block->s[0][0] + alpha);
    return;
  }
  double d0 = block->s[0][0] + alpha;
  double l10 = block->s[1][0] / d0;
  double d1 = block->s[1][1] + alpha - l10 * block->s[1][0];
  double z1 = y[1] - l10 * y[0];
  if (block->m == 2) {
    x[1] = z1 / d1;
    x[0] = y[0] / d0 - l10 * x[1];
    return;
  }
  double l20 = block->s[2][0] / d0;
  double a21 = block->s[2][1] - l20 * block->s[1][0];
  double l21 = a21 / d1;
  double d2 = block->s[2][2] + alpha - l20 * block->s[2][0] - l21 * a21;
  double z2 = y[2] - l20 * y[0] - l21 * z1;
  x[2] = z2 / d2;
  x[1] = z1 / d1 - l21 * x[2];
  x[0] = y[0] / d0 - l10 * x[1] - l20 * x[2];
}

static double dot(const double* x, const double* y, int m) {
  double sum = 0;
  for (int i = 0; i < m; i++)
    sum += x[i] * y[i];
  return sum;
}

// True when a pivot of S, in the order of elimination, is not above `least`.
static bool is_singular(const rgLocalBlock* block, double least) {
  const double(*s)[3] = block->s;
  if (block->m >= 1 && !(s[0][0] > least))
    return true;
  if (block->m < 2)
    return false;
  double d1 = s[1][1] - s[0][1] * s[0][1] / s[0][0];
  if (!(d1 > least))
    return true;
  if (block->m < 3)
    return false;
  double a21 = s[2][1] - s[2][0] * s[1][0] / s[0][0];
  return !(s[2][2] - s[2][0] * s[2][0] / s[0][0] - a21 * a21 / d1 > least);
}

void rg_local_reduce(double w[4][4], int m, double mu, rgLocalBlock* block) {
  *block = (rgLocalBlock){.m = m, .mu = mu};
  double trace = 0;
  for (int i = 0; i <= m; i++)
    trace += w[i][i];
  if (!(w[0][0] > singular_part * trace))
    return;
  block->inverse_wnn = 1 / w[0][0];
  for (int i = 0; i < m; i++) {
    block->w[i] = w[i + 1][0] * block->inverse_wnn;
    for (int j = 0; j < m; j++)
      block->s[i][j] = w[i + 1][j + 1] - block->w[i] * w[0][j + 1];
  }
  if (is_singular(block, singular_part * trace))
    for (int i = 0; i < m; i++)
      block->s[i][i] += proximal_part * trace;
}

bool rg_local_is_prone(const rgLocalBlock* block) {
  return block->mu * sqrt(dot(block->w, block->w, block->m)) >= 1;
}

typedef struct Slip {
  double x[3];
  double norm;   // |x|
  double normal; // r_n
  double f;
} Slip;

static Slip slip_at(const rgLocalBlock* block, const double b[3], double c, double alpha) {
  Slip slip = {.x = {0}};
  double y[3] = {-b[0], -b[1], -b[2]};
  solve_shifted(block, alpha, y, slip.x);
  slip.norm = sqrt(dot(slip.x, slip.x, block->m));
  slip.normal = c - dot(block->w, slip.x, block->m);
  slip.f = block->mu * slip.normal - slip.norm;
  return slip;
}

// The root of psi's tangent at alpha; NaN or infinite when it has none.
static double newton(const rgLocalBlock* block, const Slip* slip, double alpha) {
  double z[3] = {0};
  solve_shifted(block, alpha, slip->x, z);
  double norm2 = slip->norm * slip->norm;
  double slope = dot(block->w, z, block->m) * norm2 + slip->normal * dot(slip->x, z, block->m);
  return alpha - slip->f * norm2 / (block->mu * slope);
}

// Root of f in (lower, upper), f(lower) < 0 < f(upper).
static double refine(const rgLocalBlock* block, const double b[3], double c, double guess,
                     double lower, double upper, Slip* slip) {
  double alpha = guess;
  for (int step = 0; step < STEP_LIMIT; step++) {
    if (!(alpha > lower && alpha < upper))
      alpha = lower + 0.5 * (upper - lower);
    *slip = slip_at(block, b, c, alpha);
    if (slip->f == 0)
      break;
    if (slip->f < 0)
      lower = alpha;
    else
      upper = alpha;
    double next = newton(block, slip, alpha);
    if (fabs(next - alpha) <= DBL_EPSILON * alpha)
      break;
    if (upper - lower <= DBL_EPSILON * upper)
      break;
    // a Newton step that leaves the bracket, or a bracket that hardly shrinks, is replaced by
    // halving
    alpha = step % 4 == 3 ? lower + 0.5 * (upper - lower) : next;
  }
  return alpha;
}

void rg_local_slip(const rgLocalBlock* block, const double b[3], double c, double* alpha,
                   double x[3]) {
  int m = block->m;
  double mu = block->mu;
  Slip slip = slip_at(block, b, c, 0);
  double root = 0;
  if (slip.f < 0) {
    double b_norm = sqrt(dot(b, b, m)), w_norm = sqrt(dot(block->w, block->w, m));
    double upper = 2 * (1 + mu * w_norm) * b_norm / (mu * c);
    if (upper < DBL_MAX) {
      // halve from above until f is negative: finds the largest root unless two lie within a factor
      // of two
      double lower = 0.5 * upper, least = DBL_EPSILON * block->s[0][0];
      while (lower > least && slip_at(block, b, c, lower).f >= 0) {
        upper = lower;
        lower *= 0.5;
      }
      if (!(lower > least))
        lower = 0;
      root = refine(block, b, c, *alpha, lower, upper, &slip);
    } else {
      root = DBL_MAX;
      for (int i = 0; i < m; i++)
        slip.x[i] = b_norm > 0 ? -mu * c * (b[i] / b_norm) : 0;
      slip.normal = c;
      slip.norm = mu * c;
    }
    // onto the cone's surface exactly, where rounding left it beside
    double factor = slip.norm > 0 && slip.normal > 0 ? mu * slip.normal / slip.norm : 0;
    for (int i = 0; i < m; i++)
      slip.x[i] *= factor;
  }
  *alpha = root;
  for (int i = 0; i < m; i++)
    x[i] = slip.x[i];
}

void rg_local_cone(const rgLocalBlock* block, const double u[4], double r[4], double* alpha) {
  int m = block->m;
  if (!(block->inverse_wnn > 0)) {
    memset(r, 0, (size_t)(m + 1) * sizeof *r);
    return;
  }
  double c = r[0] + dot(block->w, r + 1, m) - u[0] * block->inverse_wnn;
  if (!(c > 0)) {
    memset(r, 0, (size_t)(m + 1) * sizeof *r);
    *alpha = 0;
    return;
  }
  double b[3] = {0}, x[3] = {0};
  for (int i = 0; i < m; i++)
    b[i] = u[i + 1] - block->w[i] * u[0] - dot(block->s[i], r + 1, m);
  if (m > 0 && block->mu > 0)
    rg_local_slip(block, b, c, alpha, x);
  r[0] = c - dot(block->w, x, m);
  for (int i = 0; i < m; i++)
    r[i + 1] = x[i];
}

// A slip coefficient may change by this factor from one visit to the next and still be taken for
// the same slip.
static const double NEAR_FACTOR = 4;

bool rg_local_cone_near(const rgLocalBlock* block, const double u[4], double r[4], double* alpha) {
  int m = block->m;
  if (!(*alpha > 0 && *alpha < DBL_MAX && block->inverse_wnn > 0))
    return false;
  double c = r[0] + dot(block->w, r + 1, m) - u[0] * block->inverse_wnn, b[3] = {0};
  if (!(c > 0))
    return false;
  for (int i = 0; i < m; i++)
    b[i] = u[i + 1] - block->w[i] * u[0] - dot(block->s[i], r + 1, m);
  Slip slip = slip_at(block, b, c, *alpha);
  double next = newton(block, &slip, *alpha);
  if (!(next * NEAR_FACTOR > *alpha && next < NEAR_FACTOR * *alpha))
    return false;
  slip = slip_at(block, b, c, next);
  if (!(slip.normal > 0 && slip.norm > 0))
    return false;
  // on the cone's surface, with r_n from u_n = 0: |x| t = mu (c - w x t)
  double along = slip.norm + block->mu * dot(block->w, slip.x, m);
  if (!(along > 0))
    return false;
  double part = block->mu * c / along;
  *alpha = next;
  r[0] = c - part * dot(block->w, slip.x, m);
  for (int i = 0; i < m; i++)
    r[i + 1] = part * slip.x[i];
  return true;
}
