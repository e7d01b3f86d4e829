// meet_check.c - whether a function of the user is what it says.
//
// At places of a fixed sequence within the bounds (Halton 1960: bases 2, 3, 5): value, gradient and Hessian
// are numbers; the gradient is that of the values and the Hessian that of the gradients, by differences; the
// Hessian has no negative eigenvalue; and between two places the value is not above the mean of theirs. On
// the border of the bounds the value is not negative. This finds mistakes, not malice.
#include "base/message.h"
#include "shape/meet/meet_make.h"

enum { PLACES = 128, BORDER = 7 };
// Of the width of the bounds: step of differences, where rounding and truncation are both small.
static const double STEP = 1e-5;
// Of the largest gradient: what differences may miss by. Hessians change faster.
static const double GRADIENT = 1e-5, HESSIAN = 1e-3;
// Of the largest change of the value: rounding.
static const double ROUNDING = 1e-12;

static double halton(int i, int base) {
  double part = 1, sum = 0;
  for (; i > 0; i /= base) {
    part /= base;
    sum += part * (i % base);
  }
  return sum;
}

static rgVec3 place(const rgConvexFunction* f, int i) {
  rgVec3 wide = v3_sub(f->bounds.upper, f->bounds.lower);
  return v3_add(f->bounds.lower,
                v3_mul(wide, v3(halton(i + 1, 2), halton(i + 1, 3), halton(i + 1, 5))));
}

static double value_at(const rgConvexFunction* f, rgVec3 x, rgVec3* g, rgMat3* h) {
  *g = v3((double)NAN, (double)NAN, (double)NAN);
  *h = m3_diag((double)NAN, (double)NAN, (double)NAN);
  return f->value(f->context, x, g, h);
}

static rgStatus wrong_at(rgMessage* message, rgVec3 x, const char* what) {
  return rg_fail(message, RG_ERROR_INPUT, "the function at (%.9g, %.9g, %.9g): %s", x.x, x.y, x.z,
                 what);
}

// The least eigenvalue is not below -limit: all leading minors of h + limit are not negative.
static bool is_positive(const rgMat3* h, double limit) {
  rgMat3 shift = m3_diag(limit, limit, limit), a = m3_add(h, &shift);
  double minor = a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];
  return a.m[0][0] >= 0 && minor >= -limit * limit && m3_det(&a) >= -limit * limit * limit;
}

static rgStatus check_numbers(const rgConvexFunction* f, double* steep, double* range,
                              rgMessage* message) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < PLACES; i++) {
    rgVec3 g, x = place(f, i);
    rgMat3 h;
    double v = value_at(f, x, &g, &h);
    if (!isfinite(v))
      return wrong_at(message, x, "its value is not a finite number");
    if (!v3_finite(g))
      return wrong_at(message, x, "its gradient is not finite");
    for (int k = 0; k < 3; k++)
      if (!v3_finite(m3_row(&h, k)))
        return wrong_at(message, x, "its Hessian is not finite");
    *steep = fmax(*steep, v3_norm(g));
    least = fmin(least, v);
    most = fmax(most, v);
  }
  *range = most - least;
  return RG_OK;
}

typedef struct Differences {
  rgVec3 gradient;
  rgMat3 hessian;
} Differences;

static Differences differences_at(const rgConvexFunction* f, rgVec3 x) {
  rgVec3 wide = v3_sub(f->bounds.upper, f->bounds.lower);
  Differences d;
  double g[3];
  for (int k = 0; k < 3; k++) {
    double step = STEP * v3_get(wide, k);
    rgVec3 e = v3(k == 0 ? step : 0, k == 1 ? step : 0, k == 2 ? step : 0), up, down;
    rgMat3 unused;
    g[k] = value_at(f, v3_add(x, e), &up, &unused);
    g[k] = (g[k] - value_at(f, v3_sub(x, e), &down, &unused)) / (2 * step);
    rgVec3 column = v3_scale(v3_sub(up, down), 1 / (2 * step));
    for (int i = 0; i < 3; i++)
      d.hessian.m[i][k] = v3_get(column, i);
  }
  d.gradient = v3(g[0], g[1], g[2]);
  return d;
}

static double largest(const rgMat3* h) {
  return v3_norm(m3_row(h, 0)) + v3_norm(m3_row(h, 1)) + v3_norm(m3_row(h, 2));
}

static rgStatus check_gradients(const rgConvexFunction* f, double steep, rgMessage* message) {
  for (int i = 0; i < PLACES; i++) {
    rgVec3 g, x = place(f, i);
    rgMat3 h;
    value_at(f, x, &g, &h);
    if (!(v3_norm(v3_sub(differences_at(f, x).gradient, g)) <= GRADIENT * steep))
      return wrong_at(message, x, "its gradient is not that of its values");
  }
  return RG_OK;
}

static rgStatus check_hessians(const rgConvexFunction* f, double steep, rgMessage* message) {
  double width = v3_norm(v3_sub(f->bounds.upper, f->bounds.lower));
  for (int i = 0; i < PLACES; i++) {
    rgVec3 g, x = place(f, i);
    rgMat3 h, minus;
    value_at(f, x, &g, &h);
    Differences d = differences_at(f, x);
    minus = m3_scale(&h, -1);
    minus = m3_add(&minus, &d.hessian);
    double large = largest(&h) + steep / width;
    if (!(largest(&minus) <= HESSIAN * large))
      return wrong_at(message, x, "its Hessian is not that of its gradients");
    if (!is_positive(&h, 1e-9 * large))
      return wrong_at(message, x, "its Hessian has a negative eigenvalue: it is not convex");
  }
  return RG_OK;
}

static rgStatus check_border(const rgConvexFunction* f, double range, rgMessage* message) {
  rgVec3 wide = v3_sub(f->bounds.upper, f->bounds.lower);
  for (int i = 0; i < BORDER * BORDER * BORDER; i++) {
    int a[3] = {i % BORDER, i / BORDER % BORDER, i / BORDER / BORDER};
    bool on = false;
    for (int k = 0; k < 3; k++)
      on = on || a[k] == 0 || a[k] == BORDER - 1;
    rgVec3 g, part = v3(a[0], a[1], a[2]);
    rgMat3 h;
    rgVec3 x = v3_add(f->bounds.lower, v3_mul(wide, v3_scale(part, 1.0 / (BORDER - 1))));
    if (on && !(value_at(f, x, &g, &h) >= -ROUNDING * range))
      return wrong_at(message, x, "it is not >= 0 on the border of its bounds");
  }
  return RG_OK;
}

rgStatus rg_meet_check_function(const rgConvexFunction* f, double* steep, rgMessage* message) {
  double range = 0;
  *steep = 0;
  rgStatus status = check_numbers(f, steep, &range, message);
  if (status == RG_OK)
    status = check_gradients(f, *steep, message);
  if (status == RG_OK)
    status = check_hessians(f, *steep, message);
  for (int i = 1; i < PLACES && status == RG_OK; i++) {
    rgVec3 g, x = place(f, i - 1), y = place(f, i), z = v3_lerp(x, y, 0.5);
    rgMat3 h;
    double mean = 0.5 * (value_at(f, x, &g, &h) + value_at(f, y, &g, &h));
    if (!(value_at(f, z, &g, &h) <= mean + ROUNDING * range))
      status = wrong_at(message, z, "it is above the mean of two places around: it is not convex");
  }
  return status == RG_OK ? check_border(f, range, message) : status;
}
