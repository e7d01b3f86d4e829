// lorentz.h - the cone L = { a : a_0 >= |a_T| } of m numbers, m = 1 to 4, as interior-point methods
// need it.
//
// With the product a o b = (a.b, a_0 b_T + b_0 a_T) and the unit e = (1, 0), the point inverse to a
// is J a / det a, J = diag(1, -1, ...), det a = a_0^2 - |a_T|^2. For x and y inside there is one
// symmetric W with W y = W^-1 x (Nesterov, Todd):
//
//     W = eta [w_0  w_T'; w_T  I + w_T w_T' / (1 + w_0)],   W^2 = eta^2 (2 w w' - J).
//
// m = 1 is the half line, and all of this what one would write for it.
#ifndef MATH_LORENTZ_H
#define MATH_LORENTZ_H

#include <math.h>
#include <stdbool.h>

enum { LORENTZ_MAX = 4 };

typedef struct rgLorentzScaling {
  double eta;
  double w[LORENTZ_MAX];
} rgLorentzScaling;

static inline double lorentz_dot(const double* a, const double* b, int m) {
  double sum = 0;
  for (int k = 0; k < m; k++)
    sum += a[k] * b[k];
  return sum;
}

// As a product, so that little is lost next to the surface.
static inline double lorentz_det(const double* a, int m) {
  double side = sqrt(lorentz_dot(a + 1, a + 1, m - 1));
  return (a[0] - side) * (a[0] + side);
}

static inline rgLorentzScaling lorentz_scaling(const double* x, const double* y, int m) {
  double root_x = sqrt(lorentz_det(x, m)), root_y = sqrt(lorentz_det(y, m));
  double half = 0.5 / sqrt(0.5 + 0.5 * lorentz_dot(x, y, m) / (root_x * root_y));
  rgLorentzScaling scaling = {sqrt(root_x / root_y), {0}};
  for (int k = 0; k < m; k++)
    scaling.w[k] = half * (x[k] / root_x + (k == 0 ? y[k] : -y[k]) / root_y);
  return scaling;
}

// out = W v or W^-1 v. `out` may be `v`.
static inline void lorentz_scale(const rgLorentzScaling* scaling, const double* v, int m,
                                 bool inverse, double* out) {
  const double* w = scaling->w;
  double sign = inverse ? -1 : 1, eta = inverse ? 1 / scaling->eta : scaling->eta, first = v[0];
  double side = lorentz_dot(w + 1, v + 1, m - 1), along = sign * first + side / (1 + w[0]);
  out[0] = eta * (w[0] * first + sign * side);
  for (int k = 1; k < m; k++)
    out[k] = eta * (v[k] + along * w[k]);
}

// out = a o b
static inline void lorentz_product(const double* a, const double* b, int m, double* out) {
  out[0] = lorentz_dot(a, b, m);
  for (int k = 1; k < m; k++)
    out[k] = a[0] * b[k] + b[0] * a[k];
}

// out with a o out = b, for a inside.
static inline void lorentz_divide(const double* a, const double* b, int m, double* out) {
  out[0] = (a[0] * b[0] - lorentz_dot(a + 1, b + 1, m - 1)) / lorentz_det(a, m);
  for (int k = 1; k < m; k++)
    out[k] = (b[k] - out[0] * a[k]) / a[0];
}

// The largest s >= 0 for which a + s d is in the cone, a being inside; HUGE_VAL when there is none.
static inline double lorentz_limit(const double* a, const double* d, int m) {
  double limit = d[0] < 0 ? -a[0] / d[0] : HUGE_VAL; // where even the axis ends
  double square = d[0] * d[0] - lorentz_dot(d + 1, d + 1, m - 1),
         mixed = a[0] * d[0] - lorentz_dot(a + 1, d + 1, m - 1), det = lorentz_det(a, m);
  double under = mixed * mixed - square * det;
  if (m == 1 || under < 0)
    return limit;
  // square s^2 + 2 mixed s + det = 0, without the cancelling root
  double both = mixed >= 0 ? -(mixed + sqrt(under)) : -(mixed - sqrt(under));
  if (square != 0 && both / square > 0)
    limit = fmin(limit, both / square);
  if (both != 0 && det / both > 0)
    limit = fmin(limit, det / both);
  return limit;
}

#endif
