// one_cone.c - the exact one-contact problem with a circular cone, by its secular equation.
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
// (spheres), concave for w = 0, and almost linear for large alpha in any case. A bracket makes it
// safe; where several roots are possible it is first narrowed to the largest.
//
// Written with the present impulse instead of q, everything is a correction: c = r_n + w r_T - u_n
// / W_nn and b = u_T - w u_n - S r_T, so that rounding is relative to the impulse at hand.
//
// Cost: 1 to 3 Newton steps from a good guess, each one m x m solve, one square root, two
// divisions. When alpha is huge (mu c vanishing against |b|) x is taken along -b directly.
#include "solve/one/one.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// A pivot of S below this part of trace(W) is rounding noise of the elimination.
static const double singular_part = 1e-13;
// Then this part of trace(W) is added: large against the noise, small enough to cost no
// convergence.
static const double proximal_part = 1e-10;
// After a Newton step of this part of alpha the error is its square: rounding.
static const double LAST_STEP = 1e-8;
// Each Newton step or bisection gains at least one bit of 53 in the bracket; twice that for the
// exponent range.
enum { STEP_LIMIT = 128 };

// S + alpha = L D L' without pivoting; it is positive definite. `m` is a constant where these are
// inlined.
typedef struct Factored {
  double inverse_d[3];
  double l10, l20, l21;
} Factored;

INLINE Factored factor_with(const rgOneBlock* block, double alpha, int m) {
  const double(*s)[3] = block->s;
  Factored f = {.inverse_d = {m > 0 ? 1 / (s[0][0] + alpha) : 0}};
  if (m < 2)
    return f;
  f.l10 = s[1][0] * f.inverse_d[0];
  f.inverse_d[1] = 1 / (s[1][1] + alpha - f.l10 * s[1][0]);
  if (m < 3)
    return f;
  f.l20 = s[2][0] * f.inverse_d[0];
  double a21 = s[2][1] - f.l20 * s[1][0];
  f.l21 = a21 * f.inverse_d[1];
  f.inverse_d[2] = 1 / (s[2][2] + alpha - f.l20 * s[2][0] - f.l21 * a21);
  return f;
}

// Solves (S + alpha) x = y.
INLINE void solve_factored(const Factored* f, const double* y, double* x, int m) {
  double y0 = m > 0 ? y[0] : 0, z1 = m > 1 ? y[1] - f->l10 * y0 : 0;
  if (m > 2)
    x[2] = (y[2] - f->l20 * y0 - f->l21 * z1) * f->inverse_d[2];
  if (m > 1)
    x[1] = z1 * f->inverse_d[1] - (m > 2 ? f->l21 * x[2] : 0);
  if (m > 0)
    x[0] = y0 * f->inverse_d[0] - (m > 1 ? f->l10 * x[1] : 0) - (m > 2 ? f->l20 * x[2] : 0);
}

INLINE double dot(const double* x, const double* y, int m) {
  double sum = 0;
  for (int i = 0; i < m; i++)
    sum += x[i] * y[i];
  return sum;
}

// True when a pivot of S, in the order of elimination, is not above `least`.
static bool is_singular(const rgOneBlock* block, double least) {
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

void rg_one_reduce(double w[4][4], int m, double mu, rgOneBlock* block) {
  *block = (rgOneBlock){.m = m, .mu = mu};
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

bool rg_one_is_prone(const rgOneBlock* block) {
  return block->mu * sqrt(dot(block->w, block->w, block->m)) >= 1;
}

typedef struct Slip {
  Factored factor;
  double x[3];
  double norm;   // |x|
  double normal; // r_n
  double f;
} Slip;

INLINE Slip slip_at(const rgOneBlock* block, const double b[3], double c, double alpha, int m) {
  Slip slip = {.factor = factor_with(block, alpha, m)};
  double y[3] = {-b[0], -b[1], -b[2]};
  solve_factored(&slip.factor, y, slip.x, m);
  slip.norm = sqrt(dot(slip.x, slip.x, m));
  slip.normal = c - dot(block->w, slip.x, m);
  slip.f = block->mu * slip.normal - slip.norm;
  return slip;
}

// The root of psi's tangent at alpha, where `slip` is; NaN or infinite when it has none.
INLINE double newton(const rgOneBlock* block, const Slip* slip, double alpha, int m) {
  double z[3] = {0};
  solve_factored(&slip->factor, slip->x, z, m);
  double norm2 = slip->norm * slip->norm;
  double slope = dot(block->w, z, m) * norm2 + slip->normal * dot(slip->x, z, m);
  return alpha - slip->f * norm2 / (block->mu * slope);
}

// Root of f in (lower, upper), f(lower) < 0 < f(upper).
INLINE double refine(const rgOneBlock* block, const double b[3], double c, double guess,
                     double lower, double upper, Slip* slip, int m) {
  double alpha = guess;
  for (int step = 0; step < STEP_LIMIT; step++) {
    if (!(alpha > lower && alpha < upper))
      alpha = lower + 0.5 * (upper - lower);
    *slip = slip_at(block, b, c, alpha, m);
    if (slip->f == 0)
      break;
    if (slip->f < 0)
      lower = alpha;
    else
      upper = alpha;
    double next = newton(block, slip, alpha, m);
    if (fabs(next - alpha) <= LAST_STEP * alpha) {
      alpha = next;
      *slip = slip_at(block, b, c, alpha, m);
      break;
    }
    if (upper - lower <= DBL_EPSILON * upper)
      break;
    // a Newton step that leaves the bracket, or a bracket that hardly shrinks, is replaced by
    // halving
    alpha = step % 8 == 7 ? lower + 0.5 * (upper - lower) : next;
  }
  return alpha;
}

// The root of a slip, f(0) < 0; `slip` is that of alpha = 0 on entry, of the root on return.
INLINE double slip_root(const rgOneBlock* block, const double b[3], double c, double guess,
                        Slip* slip, int m) {
  double mu = block->mu, w_norm = sqrt(dot(block->w, block->w, m));
  double upper = 2 * (1 + mu * w_norm) * sqrt(dot(b, b, m)) / (mu * c), lower = 0;
  if (!(upper < DBL_MAX))
    return DBL_MAX;
  if (mu * w_norm < 1) {
    // psi is nearly concave: from below, Newton's method climbs to the root without passing it
    double first = newton(block, slip, 0, m);
    guess = first > 0 && !(guess > first) ? first : guess;
  } else {
    // halve from above until f is negative: finds the largest root unless two lie within a factor
    // of two
    double least = DBL_EPSILON * block->s[0][0];
    lower = 0.5 * upper;
    while (lower > least && slip_at(block, b, c, lower, m).f >= 0) {
      upper = lower;
      lower *= 0.5;
    }
    if (!(lower > least))
      lower = 0;
  }
  return refine(block, b, c, guess, lower, upper, slip, m);
}

INLINE void slip(const rgOneBlock* block, const double b[3], double c, double* alpha, double x[3],
                 int m) {
  Slip now = slip_at(block, b, c, 0, m);
  double root = 0, mu = block->mu;
  if (now.f < 0) {
    root = slip_root(block, b, c, *alpha, &now, m);
    if (root == DBL_MAX) { // alpha |x| = |b|, |x| = mu c
      double b_norm = sqrt(dot(b, b, m));
      for (int i = 0; i < m; i++)
        now.x[i] = b_norm > 0 ? -mu * c * (b[i] / b_norm) : 0;
      now.normal = c;
      now.norm = mu * c;
    }
    // onto the cone's surface exactly, where rounding left it beside
    double factor = now.norm > 0 && now.normal > 0 ? mu * now.normal / now.norm : 0;
    for (int i = 0; i < m; i++)
      now.x[i] *= factor;
  }
  *alpha = root;
  for (int i = 0; i < m; i++)
    x[i] = now.x[i];
}

void rg_one_slip(const rgOneBlock* block, const double b[3], double c, double* alpha, double x[3]) {
  switch (block->m) {
  case 1:
    slip(block, b, c, alpha, x, 1);
    break;
  case 2:
    slip(block, b, c, alpha, x, 2);
    break;
  default:
    slip(block, b, c, alpha, x, 3);
    break;
  }
}

// c and b of the one-contact problem.
INLINE double reduced(const rgOneBlock* block, const double u[4], const double r[4], double b[3],
                      int m) {
  for (int i = 0; i < m; i++)
    b[i] = u[i + 1] - block->w[i] * u[0] - dot(block->s[i], r + 1, m);
  return r[0] + dot(block->w, r + 1, m) - u[0] * block->inverse_wnn;
}

INLINE void cone(const rgOneBlock* block, const double u[4], double r[4], double* alpha, int m) {
  double b[3] = {0}, x[3] = {0}, c = reduced(block, u, r, b, m);
  if (!(c > 0) || !(block->inverse_wnn > 0)) {
    memset(r, 0, (size_t)(m + 1) * sizeof *r);
    *alpha = 0;
    return;
  }
  if (m > 0 && block->mu > 0)
    slip(block, b, c, alpha, x, m);
  r[0] = c - dot(block->w, x, m);
  for (int i = 0; i < m; i++)
    r[i + 1] = x[i];
}

void rg_one_cone(const rgOneBlock* block, const double u[4], double r[4], double* alpha) {
  switch (block->m) {
  case 0:
    cone(block, u, r, alpha, 0);
    break;
  case 1:
    cone(block, u, r, alpha, 1);
    break;
  case 2:
    cone(block, u, r, alpha, 2);
    break;
  default:
    cone(block, u, r, alpha, 3);
    break;
  }
}

// A slip coefficient may change by this factor from one visit to the next and still be taken for
// the same slip.
static const double NEAR_FACTOR = 4;

INLINE bool cone_near(const rgOneBlock* block, const double u[4], double r[4], double* alpha,
                      int m) {
  double b[3] = {0}, c = reduced(block, u, r, b, m);
  if (!(c > 0))
    return false;
  Slip now = slip_at(block, b, c, *alpha, m);
  double next = newton(block, &now, *alpha, m);
  if (!(next * NEAR_FACTOR > *alpha && next < NEAR_FACTOR * *alpha))
    return false;
  now = slip_at(block, b, c, next, m);
  if (!(now.normal > 0 && now.norm > 0))
    return false;
  // on the cone's surface, with r_n from u_n = 0: |x| t = mu (c - w x t)
  double across = dot(block->w, now.x, m), along = now.norm + block->mu * across;
  if (!(along > 0))
    return false;
  double part = block->mu * c / along;
  *alpha = next;
  r[0] = c - part * across;
  for (int i = 0; i < m; i++)
    r[i + 1] = part * now.x[i];
  return true;
}

bool rg_one_cone_near(const rgOneBlock* block, const double u[4], double r[4], double* alpha) {
  if (!(*alpha > 0 && *alpha < DBL_MAX && block->inverse_wnn > 0))
    return false;
  switch (block->m) {
  case 1:
    return cone_near(block, u, r, alpha, 1);
  case 2:
    return cone_near(block, u, r, alpha, 2);
  default:
    return cone_near(block, u, r, alpha, 3);
  }
}
