// Own sine, cosine and arc tangent: the stated errors, measured against the C library's long double
// functions, which have eleven bits more.
#include "support/random.h"
#include "test.h"

#include "math/trig.h"

static const double SIN_ERROR = 0x1p-52; // stated for |x| <= 1e6
static const double SIN_RANGE = 1e6;     // [rad]
static const double ATAN2_UNITS = 4;     // stated, in units of the last place of the result
static const double PI_BITS = 0x1.921fb54442d18p+1;
static const double NOT_A_NUMBER = (double)NAN, INFINITE = (double)INFINITY;

enum { POINTS = 100000 };

// Spread over magnitudes as well as over the range: half uniform, half by powers of two down to
// 1e-15.
static double random_angle(void) {
  double sign = random_unit() < 0.5 ? -1 : 1, place = random_unit();
  return random_unit() < 0.5 ? sign * place * SIN_RANGE
                             : sign * ldexp(0.5 + 0.5 * place, (int)(70 * random_unit()) - 50);
}

// The distance from |x| to the next number of its size.
static double unit_of_last_place(double x) {
  int exponent;
  frexp(x, &exponent);
  return ldexp(1, exponent - 53);
}

static double error_of(double value, long double exact) {
  return (double)fabsl((long double)value - exact);
}

TEST(sine_and_cosine_are_within_the_stated_error) {
  double worst_sin = 0, worst_cos = 0;
  for (int i = 0; i < POINTS; ++i) {
    double x = random_angle();
    if (fabs(x) > SIN_RANGE)
      continue;
    worst_sin = fmax(worst_sin, error_of(rg_sin(x), sinl((long double)x)));
    worst_cos = fmax(worst_cos, error_of(rg_cos(x), cosl((long double)x)));
  }
  CHECK_NEAR(worst_sin, 0, SIN_ERROR);
  CHECK_NEAR(worst_cos, 0, SIN_ERROR);
}

TEST(sine_of_small_angles_keeps_its_relative_accuracy) {
  for (int exponent = -1000; exponent <= -2; exponent += 3) {
    double x = ldexp(1 + random_unit(), exponent);
    CHECK_REL(rg_sin(x), (double)sinl((long double)x), SIN_ERROR);
  }
}

TEST(sine_and_cosine_near_multiples_of_a_right_angle) {
  // The double nearest to k pi/2: the result is the rounding of that number, which only an exact
  // reduction finds.
  for (int k = -100000; k <= 100000; k += k > -50 && k < 50 ? 1 : 997) {
    double x = k * (0.5 * PI_BITS);
    CONTEXT("k = %d", k);
    CHECK_NEAR(rg_sin(x), (double)sinl((long double)x), SIN_ERROR);
    CHECK_NEAR(rg_cos(x), (double)cosl((long double)x), SIN_ERROR);
  }
}

TEST(sine_and_cosine_at_special_points) {
  CHECK_BITS(rg_sin(0), 0);
  CHECK_BITS(rg_cos(0), 1);
  CHECK_BITS(rg_cos(-0.0), 1);
  CHECK_BITS(rg_sin(0.5 * PI_BITS), 1);
  CHECK_BITS(rg_sin(-0.5 * PI_BITS), -1);
  CHECK_BITS(rg_cos(PI_BITS), -1);
  CHECK_NEAR(rg_sin(PI_BITS / 6), 0.5, SIN_ERROR);
  CHECK_NEAR(rg_cos(PI_BITS / 3), 0.5, SIN_ERROR);
  CHECK_BITS(rg_sin(1e-300), 1e-300);
  CHECK_BITS(rg_sin(5e-324), 5e-324);
  CHECK(isnan(rg_sin(NOT_A_NUMBER)));
  CHECK(isnan(rg_cos(NOT_A_NUMBER)));
  CHECK(isnan(rg_sin(INFINITE)));
  CHECK(isnan(rg_cos(-INFINITE)));
}

TEST(sine_and_cosine_lie_on_the_unit_circle) {
  for (int i = 0; i < POINTS / 10; ++i) {
    double x = random_angle(), s = rg_sin(x), c = rg_cos(x);
    CHECK_NEAR(s * s + c * c, 1, 4 * SIN_ERROR);
    CHECK(fabs(s) <= 1 && fabs(c) <= 1);
  }
}

TEST(arc_tangent_is_within_the_stated_error) {
  double worst = 0;
  for (int i = 0; i < POINTS; ++i) {
    // Directions all around, with ratios from 1e-12 to 1e12, at any length.
    double length = ldexp(1, (int)(200 * random_unit()) - 100);
    double y = (random_unit() - 0.5) * length, x = (random_unit() - 0.5) * length;
    if (i % 2)
      y *= ldexp(1, (int)(80 * random_unit()) - 40);
    double exact = (double)atan2l((long double)y, (long double)x);
    double error = error_of(rg_atan2(y, x), atan2l((long double)y, (long double)x));
    worst = fmax(worst, error / unit_of_last_place(exact));
  }
  CHECK_MSG(worst <= ATAN2_UNITS, "worst error is %.3g units in the last place", worst);
}

TEST(arc_tangent_at_special_points) {
  CHECK_BITS(rg_atan2(0, 1), 0);
  CHECK_BITS(rg_atan2(-0.0, 1), -0.0);
  CHECK_BITS(rg_atan2(0, -1), PI_BITS);
  CHECK_BITS(rg_atan2(-0.0, -1), -PI_BITS);
  CHECK_BITS(rg_atan2(1, 0), 0.5 * PI_BITS);
  CHECK_BITS(rg_atan2(-1, 0), -0.5 * PI_BITS);
  CHECK_BITS(rg_atan2(1, -0.0), 0.5 * PI_BITS);
  CHECK_BITS(rg_atan2(0, 0), 0);
  CHECK_BITS(rg_atan2(-0.0, 0), -0.0);
  CHECK_BITS(rg_atan2(0, -0.0), PI_BITS);
  CHECK_BITS(rg_atan2(-0.0, -0.0), -PI_BITS);
  CHECK_REL(rg_atan2(1, 1), 0.25 * PI_BITS, SIN_ERROR);
  CHECK_REL(rg_atan2(-3, -3), -0.75 * PI_BITS, SIN_ERROR);
  CHECK(isnan(rg_atan2(NOT_A_NUMBER, 1)));
  CHECK(isnan(rg_atan2(1, NOT_A_NUMBER)));
}

TEST(arc_tangent_inverts_sine_and_cosine) {
  for (int i = 0; i < 1000; ++i) {
    double angle = PI_BITS * (2 * random_unit() - 1);
    CHECK_NEAR(rg_atan2(rg_sin(angle), rg_cos(angle)), angle, 8 * SIN_ERROR);
  }
}
