// Own powers against those of the C library, in long double.
#include "test.h"

#include "math/power.h"
#include "support/random.h"

#include <float.h>
#include <math.h>

// Distance of x from the exact value in units of its last place.
static double ulps(double x, long double exact) {
  double size = fabs((double)exact);
  return (double)(fabsl(x - exact) / (nextafter(size, HUGE_VAL) - size));
}

TEST(powers_are_right_to_the_last_place) {
  double worst = 0;
  for (int i = 0; i < 200000; i++) {
    double x = i % 2 ? random_between(0, 1) : exp(random_between(-20, 20));
    double y = i % 2 ? random_between(0, 4) : random_between(-30, 30);
    worst = fmax(worst, ulps(rg_pow(x, y), powl(x, y)));
  }
  CHECK(worst < 1);
}

TEST(exponential_and_logarithm_are_right_to_the_last_place) {
  double worst_exp = 0, worst_log = 0;
  for (int i = 0; i < 200000; i++) {
    double x = random_between(-700, 700), y = exp(random_between(-300, 300));
    worst_exp = fmax(worst_exp, ulps(rg_exp(x), expl(x)));
    worst_log = fmax(worst_log, ulps(rg_log(y), logl(y)));
    y = random_between(0.5, 2);
    worst_log = fmax(worst_log, ulps(rg_log(y), logl(y)));
  }
  CHECK(worst_exp < 1);
  CHECK(worst_log < 1);
}

// Twenty products of the shift, half a unit each, and the powers of Stirling's formula.
TEST(gamma_is_right_to_a_few_places) {
  double worst = 0;
  for (int i = 0; i < 100000; i++) {
    double x = random_between(0.01, 30);
    worst = fmax(worst, ulps(rg_gamma(x), tgammal(x)));
  }
  CHECK(worst < 16);
  CHECK_NEAR(rg_gamma(5), 24, 24 * 16 * DBL_EPSILON);
}

TEST(limits_are_those_of_the_mathematics) {
  CHECK(rg_pow(0, 2.5) == 0 && rg_pow(0, 0) == 1 && rg_pow(7, 0) == 1 && rg_pow(1, 99) == 1);
  CHECK(rg_pow(3, 1) == 3 && isinf(rg_pow(0, -1)) && isnan(rg_pow(-1, 0.5)));
  CHECK(rg_pow(0.5, 2000) == 0 && isinf(rg_pow(2, 2000)) && rg_exp(0) == 1);
  CHECK(rg_exp(-800) == 0 && isinf(rg_exp(800)) && isnan(rg_log(-1)) && rg_log(1) == 0);
  // Below the normal numbers the last places are lost, the first are not.
  CHECK_NEAR(rg_exp(-740) / exp(-740), 1, 1e-2);
}
