// roots.c - a ray against a torus: the first root of a polynomial of degree four.
//
// All points at the distance r from the circle of radius R about z are where
//
//     F = (|x|^2 + R^2 - r^2)^2 - 4 R^2 (x^2 + y^2) = 0.
//
// Along x = o + t d it is a polynomial in t. Between two neighbouring roots of its derivative a
// polynomial has at most one root, which bisection finds; the roots of the derivative are found in the
// same way, down to degree one. Nothing is missed but double roots that rounding removes, where the ray
// only grazes. Newton's method on the distance to the circle, which is better conditioned than F, takes
// out the rounding of the coefficients.
#include "shape/ray/ray.h"

enum { DEGREE = 4, BISECTIONS = 80, POLISHING = 3 };

// Slope of the distance along the ray below which it is not polished: the ray grazes.
static const double GRAZING = 1e-3;

static double value(const double* p, int degree, double t) {
  double sum = p[degree];
  for (int i = degree - 1; i >= 0; i--)
    sum = sum * t + p[i];
  return sum;
}

// The root between a and b, where the signs differ.
static double bisect(const double* p, int degree, double a, double b) {
  bool rising = value(p, degree, a) < 0;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (a + b);
    if ((value(p, degree, middle) < 0) == rising)
      a = middle;
    else
      b = middle;
  }
  return b;
}

// The roots in [a, b], ascending.
static int roots(const double* p, int degree, double a, double b, double* out) {
  if (degree == 0)
    return 0;
  double slope[DEGREE], turns[DEGREE + 2];
  for (int i = 0; i < degree; i++)
    slope[i] = (i + 1) * p[i + 1];
  int count = roots(slope, degree - 1, a, b, turns + 1), found = 0;
  turns[0] = a;
  turns[count + 1] = b;
  for (int i = 0; i <= count; i++) {
    double low = value(p, degree, turns[i]), high = value(p, degree, turns[i + 1]);
    if (low == 0)
      out[found++] = turns[i];
    else if ((low < 0) != (high < 0) && high != 0)
      out[found++] = bisect(p, degree, turns[i], turns[i + 1]);
  }
  if (found < degree && value(p, degree, b) == 0)
    out[found++] = b;
  return found;
}

// The foot of x on the circle leads to the normal of the bar there.
static double bar_distance(double ring, double radius, rgVec3 x, rgVec3* normal) {
  double across = sqrt(x.x * x.x + x.y * x.y);
  rgVec3 out = across > 0 ? v3(x.x / across, x.y / across, 0) : v3(1, 0, 0);
  rgVec3 arm = v3_axpy(x, -ring, out);
  double distance = v3_norm(arm);
  *normal = distance > 0 ? v3_scale(arm, 1 / distance) : v3(0, 0, 1);
  return distance - radius;
}

bool rg_ray_torus(const rgRay* ray, double ring, double radius, double* distance, rgVec3* normal) {
  rgVec3 o = ray->origin, d = ray->direction;
  double b = 2 * v3_dot(o, d), c = v3_norm2(o) + (ring - radius) * (ring + radius);
  double four = 4 * ring * ring;
  double p[DEGREE + 1] = {c * c - four * (o.x * o.x + o.y * o.y),
                          2 * b * c - 2 * four * (o.x * d.x + o.y * d.y),
                          2 * c + b * b - four * (d.x * d.x + d.y * d.y), 2 * b, 1};
  // Beyond this the ray has left the ball about the torus.
  double far = 2 * (ring + radius) + fabs(b), limit = ray->length < far ? ray->length : far;
  double found[DEGREE + 1];
  if (roots(p, DEGREE, 0, limit, found) == 0)
    return false;
  double t = found[0];
  for (int i = 0; i < POLISHING; i++) {
    double gap = bar_distance(ring, radius, v3_axpy(o, t, d), normal), slope = v3_dot(*normal, d);
    if (fabs(slope) < GRAZING)
      break;
    t -= gap / slope;
  }
  bar_distance(ring, radius, v3_axpy(o, t, d), normal);
  *distance = t < 0 ? 0 : t;
  return true;
}
