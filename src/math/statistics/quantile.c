// quantile.c - quantiles of the normal distribution and of Student's.
//
// Both are roots of F(x) = p, found by bisection on F, which costs some fifty evaluations and cannot
// fail; nobody asks for quantiles often. With the incomplete beta function I,
//
//     Student, n degrees of freedom, t > 0:   F(t) = 1 - I_x(n/2, 1/2) / 2,   x = n / (n + t^2)
//     normal:                                 Student's for n -> infinity: F(t) = 1 - erfc(t / sqrt 2) / 2
//
// I_x(a, b) is the continued fraction 26.5.8 of Abramowitz and Stegun (1964), evaluated forwards by the
// method of Lentz (1976); erfc is the series 7.1.6 below 1.5 and the continued fraction 7.1.14 above. The
// logarithm of the gamma function is Stirling's series 6.1.41 after a shift to arguments above 10.
#include "math/power.h"
#include <rigor/ensemble.h>
#include <rigor/util.h>

#include <math.h>

static const double TINY = 1e-300; // instead of a division by zero in Lentz's method
enum { TERMS_MAX = 2000, HALVINGS = 200 };

static double log_gamma(double x) {
  double shift = 0;
  for (; x < 10; x += 1)
    shift += rg_log(x);
  double square = 1 / (x * x);
  double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
  return (x - 0.5) * rg_log(x) - x + 0.5 * rg_log(2 * RG_PI) + series - shift;
}

// One step of Lentz's method with the partial numerator `term` over 1.
static double lentz(double term, double* c, double* d) {
  *d = 1 + term * *d;
  *c = 1 + term / *c;
  *d = fabs(*d) < TINY ? TINY : *d;
  *c = fabs(*c) < TINY ? TINY : *c;
  *d = 1 / *d;
  return *c * *d;
}

static double beta_fraction(double a, double b, double x) {
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (fabs(d) < TINY ? TINY : d);
  double value = d;
  for (int m = 1; m < TERMS_MAX; m++) {
    double two = 2.0 * m;
    value *= lentz(m * (b - m) * x / ((a + two - 1) * (a + two)), &c, &d);
    double last = lentz(-(a + m) * (a + b + m) * x / ((a + two) * (a + two + 1)), &c, &d);
    value *= last;
    if (fabs(last - 1) < 1e-16)
      break;
  }
  return value;
}

// I_x(a, b); 1 - x is given too, because it may be small.
static double incomplete_beta(double a, double b, double x, double rest) {
  if (x <= 0 || rest <= 0)
    return x <= 0 ? 0 : 1;
  double front =
      rg_exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * rg_log(x) + b * rg_log(rest));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, rest) / b;
}

// P(T > t) for t >= 0.
static double student_tail(double t, double freedom) {
  double square = t * t;
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square),
                         square / (freedom + square)) /
         2;
}

static double normal_tail(double t, double unused) {
  (void)unused;
  double x = t / sqrt(2), density = rg_exp(-x * x) / sqrt(RG_PI);
  if (x > 1.5) { // below, the series loses few digits
    // erfc(x) = e^(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + ...)))
    double fraction = x;
    for (int k = 60; k > 0; k--)
      fraction = x + 0.5 * k / fraction;
    return density / fraction / 2;
  }
  double term = x, sum = x;
  for (int k = 1; k < TERMS_MAX && term > 1e-18 * sum; k++)
    sum += term *= 2 * x * x / (2 * k + 1);
  return 0.5 - density * sum;
}

static double find_quantile(double probability, double (*tail)(double t, double freedom),
                            double freedom) {
  if (probability == 0.5)
    return 0;
  double wanted = probability < 0.5 ? probability : 1 - probability;
  double lower = 0, upper = 1;
  while (tail(upper, freedom) > wanted && upper < 1e300)
    upper *= 2;
  for (int i = 0; i < HALVINGS; i++) {
    double middle = 0.5 * (lower + upper);
    if (middle <= lower || middle >= upper)
      break;
    if (tail(middle, freedom) > wanted)
      lower = middle;
    else
      upper = middle;
  }
  return probability < 0.5 ? -upper : upper;
}

double rg_quantile_normal(double probability) { return find_quantile(probability, normal_tail, 0); }

double rg_quantile_student(double probability, double freedom) {
  return find_quantile(probability, student_tail, freedom);
}
