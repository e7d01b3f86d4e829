// trig.c - sine, cosine and arc tangent from additions, multiplications, divisions and square
// roots.
//
// sin, cos: the argument is reduced to [-pi/4, pi/4] by subtracting a multiple of pi/2 that is held
// in three parts of 33 bits, so that the products with the quotient are exact for |x| < 1e6; then
// the Taylor series, whose first omitted term is below 1e-19. atan: two half-angle steps bring the
// argument below tan(pi/16); then the series.
#include "math/trig.h"

#include <math.h>

// pi/2 in parts: the first two have 33 significant bits, so that quotient * part is exact.
static const double HALF_PI_1 = 0x1.921fb544p+0;
static const double HALF_PI_2 = 0x1.0b4611a6p-34;
static const double HALF_PI_3 = 0x1.3198a2e037073p-69;

static double sin_series(double x) {
  double y = x * x;
  double s = -1.0 / 121645100408832000.0;
  s = s * y + 1.0 / 355687428096000.0;
  s = s * y - 1.0 / 1307674368000.0;
  s = s * y + 1.0 / 6227020800.0;
  s = s * y - 1.0 / 39916800.0;
  s = s * y + 1.0 / 362880.0;
  s = s * y - 1.0 / 5040.0;
  s = s * y + 1.0 / 120.0;
  s = s * y - 1.0 / 6.0;
  return x + x * y * s;
}

static double cos_series(double x) {
  double y = x * x;
  double s = 1.0 / 2432902008176640000.0;
  s = s * y - 1.0 / 6402373705728000.0;
  s = s * y + 1.0 / 20922789888000.0;
  s = s * y - 1.0 / 87178291200.0;
  s = s * y + 1.0 / 479001600.0;
  s = s * y - 1.0 / 3628800.0;
  s = s * y + 1.0 / 40320.0;
  s = s * y - 1.0 / 720.0;
  s = s * y + 1.0 / 24.0;
  return 1.0 - 0.5 * y + y * y * s;
}

// Quadrant and remainder; the remainder is NaN when x is not finite.
static int reduce(double x, double* remainder) {
  double k = floor(x * (2 / RG_PI) + 0.5);
  *remainder = ((x - k * HALF_PI_1) - k * HALF_PI_2) - k * HALF_PI_3;
  double quadrant = k - 4 * floor(k * 0.25);
  return quadrant >= 0 && quadrant < 4 ? (int)quadrant : 0;
}

double rg_sin(double x) {
  double r;
  switch (reduce(x, &r)) {
  case 0:
    return sin_series(r);
  case 1:
    return cos_series(r);
  case 2:
    return -sin_series(r);
  default:
    return -cos_series(r);
  }
}

double rg_cos(double x) {
  double r;
  switch (reduce(x, &r)) {
  case 0:
    return cos_series(r);
  case 1:
    return -sin_series(r);
  case 2:
    return -cos_series(r);
  default:
    return sin_series(r);
  }
}

// atan for 0 <= x <= 1
static double atan_unit(double x) {
  double a = x / (1 + sqrt(1 + x * x));
  double b = a / (1 + sqrt(1 + a * a));
  double y = b * b;
  double s = 0;
  for (int k = 27; k >= 3; k -= 2)
    s = y * ((k % 4 == 1 ? 1.0 : -1.0) / k + s);
  return 4 * (b + b * s);
}

double rg_atan2(double y, double x) {
  double ax = fabs(x), ay = fabs(y);
  if (ax == 0 && ay == 0)
    return x < 0 || (x == 0 && signbit(x)) ? copysign(RG_PI, y) : y;
  double angle = ay <= ax ? atan_unit(ay / ax) : 0.5 * RG_PI - atan_unit(ax / ay);
  if (x < 0)
    angle = RG_PI - angle;
  return copysign(angle, y);
}
