// power.c - exponential, logarithm, powers and the gamma function from the four operations.
//
// log: x = 2^k m with m in [sqrt(1/2), sqrt(2)); log m = 2 s (1 + s^2/3 + s^4/5 + ...) with
// s = (m - 1)/(m + 1), |s| < 0.172. The sum is kept in two doubles (value and error), of which the
// series beyond s^2/3 needs only one; this gives some 64 bits, so that y log x still has all the
// bits of x^y when it is as large as 700. Products are made exact by Dekker's splitting (1971).
//
// exp: x = n log 2 + r, |r| <= 0.347; then the Taylor series.
//
// gamma: raised to x >= 20 by Gamma(x) = Gamma(x + n) / (x (x + 1) ... (x + n - 1)), then
// Stirling's series, whose first omitted term is below 1e-17.
#include "math/power.h"

#include "math/trig.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

// log 2: the first part has 32 bits, so that n times it is exact.
static const double LOG2_1 = 0x1.62e42fefp-1;
static const double LOG2_2 = 0x1.473de6af278edp-34;
static const double LOG2_3 = -0x1.9ff0342542fc3p-90;

// A number as the sum of two, the second below the last place of the first.
typedef struct Two {
  double high, low;
} Two;

static Two sum_of(double a, double b) {
  double s = a + b, t = s - a;
  return (Two){s, (a - (s - t)) + (b - t)};
}

static Two product_of(double a, double b) {
  const double split = 134217729; // 2^27 + 1
  double p = a * b, as = split * a, bs = split * b;
  double a1 = as - (as - a), a2 = a - a1, b1 = bs - (bs - b), b2 = b - b1;
  return (Two){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

// 2^n for normal results.
static double power_of_two(int n) {
  uint64_t bits = (uint64_t)(n + 1023) << 52;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

// x = 2^k m with m in [sqrt(1/2), sqrt(2)), for normal x > 0.
static double mantissa(double x, int* k) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  *k = (int)(bits >> 52) - 1023;
  bits = (bits & 0xfffffffffffff) | 0x3ff0000000000000;
  double m;
  memcpy(&m, &bits, sizeof m);
  if (m > 0x1.6a09e667f3bcdp+0) {
    m *= 0.5;
    ++*k;
  }
  return m;
}

// Sums of series are made of pairs, of pairs of these, and so on (Estrin 1960): their operations wait for
// each other a third as long as those of a chain.

// s^4/5 + s^6/7 + ... with y = s^2 < 0.0295; the first omitted term is below 2e-21.
static double log_series(double y) {
  double y2 = y * y, y4 = y2 * y2;
  double a = (1.0 / 5 + y * (1.0 / 7)) + y2 * (1.0 / 9 + y * (1.0 / 11));
  double b = (1.0 / 13 + y * (1.0 / 15)) + y2 * (1.0 / 17 + y * (1.0 / 19));
  double c = (1.0 / 21 + y * (1.0 / 23)) + y2 * (1.0 / 25 + y * (1.0 / 27));
  return (a + y4 * (b + y4 * c)) * y2;
}

static Two log_of(double x) {
  int k;
  double m = mantissa(x, &k);
  // s = (m - 1) / (m + 1): m - 1 is exact.
  Two below = sum_of(m, 1);
  double s = (m - 1) / below.high;
  Two back = product_of(s, below.high);
  double s_low = (((m - 1) - back.high) - back.low - s * below.low) / below.high;
  // 1 + t with t = s^2/3 + ...
  Two y = product_of(s, s);
  y.low += 2 * s * s_low;
  double third = y.high / 3;
  Two thrice = product_of(third, 3);
  double third_low = ((y.high - thrice.high) - thrice.low + y.low) / 3;
  Two t = sum_of(third, third_low + log_series(y.high));
  // 2 s (1 + t) + k log 2
  Two st = product_of(s, t.high);
  Two own = sum_of(2 * s, 2 * st.high);
  own.low += 2 * (s_low + st.low + s * t.low + s_low * t.high);
  Two large = sum_of(k * LOG2_1, own.high);
  Two k2 = product_of(k, LOG2_2);
  Two middle = sum_of(k2.high, large.low);
  Two first = sum_of(large.high, middle.high);
  Two result = sum_of(first.high, first.low + (middle.low + k2.low + own.low + k * LOG2_3));
  return result;
}

double rg_log(double x) {
  if (!(x > 0) || !isfinite(x))
    return x == 0 ? -HUGE_VAL : x > 0 ? x : (double)NAN;
  return log_of(x).high;
}

// (exp(r) - 1 - r) / r^2 for |r| < 0.347; the first omitted term is below 3e-20.
static double exp_series(double r) {
  double r2 = r * r, r4 = r2 * r2;
  double a = (1.0 / 2 + r * (1.0 / 6)) + r2 * (1.0 / 24 + r * (1.0 / 120));
  double b = (1.0 / 720 + r * (1.0 / 5040)) + r2 * (1.0 / 40320 + r * (1.0 / 362880));
  double c =
      (1.0 / 3628800 + r * (1.0 / 39916800)) + r2 * (1.0 / 479001600 + r * (1.0 / 6227020800));
  double d = 1.0 / 87178291200 + r * (1.0 / 1307674368000);
  return a + r4 * (b + r4 * (c + r4 * d));
}

static double exp_of(Two x) {
  if (!(x.high > -745.2))
    return x.high == x.high ? 0 : x.high;
  if (x.high > 709.8)
    return HUGE_VAL;
  double n = floor(x.high * 1.4426950408889634 + 0.5);
  Two rest = sum_of(x.high - n * LOG2_1, -n * LOG2_2);
  Two r = sum_of(rest.high, rest.low + x.low - n * LOG2_3);
  double sum = exp_series(r.high);
  // exp(r + e) = 1 + r + (e + r e) + r^2/2 ...: all but the first two are small
  Two one = sum_of(1, r.high);
  double e = one.high + (one.low + (r.low + r.high * r.low + r.high * r.high * sum));
  int scale = (int)n;
  if (scale < -1000) // the result may be below the normal numbers
    return e * power_of_two(scale + 200) * power_of_two(-200);
  if (scale > 1000)
    return e * power_of_two(scale - 200) * power_of_two(200);
  return e * power_of_two(scale);
}

double rg_exp(double x) { return exp_of((Two){x, 0}); }

double rg_pow(double x, double y) {
  if (y == 0 || x == 1)
    return 1;
  if (x == 0)
    return y > 0 ? 0 : HUGE_VAL;
  if (!(x > 0) || !isfinite(x) || !isfinite(y))
    return (double)NAN;
  if (y == 1)
    return x;
  Two l = log_of(x), z = product_of(y, l.high);
  if (!(fabs(z.high) < 800))
    return z.high > 0 ? HUGE_VAL : 0;
  return exp_of(sum_of(z.high, z.low + y * l.low));
}

double rg_gamma(double x) {
  double below = 1, raised = 0;
  for (; x + raised < 20; raised += 1)
    below *= x + raised;
  Two z = sum_of(x, raised);
  double y = 1 / (z.high * z.high);
  double series = -691.0 / 360360;
  series = series * y + 1.0 / 1188;
  series = series * y - 1.0 / 1680;
  series = series * y + 1.0 / 1260;
  series = series * y - 1.0 / 360;
  series = series * y + 1.0 / 12;
  // The part of z that does not fit one number changes the logarithm by z.low log z.
  double correction = rg_exp(series / z.high + z.low * rg_log(z.high));
  return sqrt(2 * RG_PI) * rg_pow(z.high, z.high - 0.5) * rg_exp(-z.high) * correction / below;
}
