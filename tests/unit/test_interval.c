// Quantiles, means and shares with their intervals.
#include "test.h"

#include <rigor/ensemble.h>

// Printed tables: Student's t for 97.5 % and 99.5 % (Fisher and Yates 1938, and every textbook).
TEST(quantiles_of_student_are_those_of_the_tables) {
  static const struct {
    double freedom, t975, t995;
  } rows[] = {{1, 12.706, 63.657}, {2, 4.303, 9.925},  {5, 2.571, 4.032},  {10, 2.228, 3.169},
              {30, 2.042, 2.750},  {60, 2.000, 2.660}, {120, 1.980, 2.617}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    CHECK_NEAR(rg_quantile_student(0.975, rows[i].freedom), rows[i].t975, 5.1e-4);
    CHECK_NEAR(rg_quantile_student(0.995, rows[i].freedom), rows[i].t995, 5.1e-4);
    CHECK_REL(rg_quantile_student(0.25, rows[i].freedom),
              -rg_quantile_student(0.75, rows[i].freedom), 0);
  }
}

// One and two degrees of freedom have closed forms: tan(pi (p - 1/2)), and a / sqrt(a (1 - a)) with
// a = 2p - 1 in suitable form.
TEST(quantiles_of_student_match_their_closed_forms) {
  for (double p = 0.505; p < 0.9999; p += 0.0101) {
    double a = 4 * p * (1 - p);
    CHECK_REL(rg_quantile_student(p, 1), tan(acos(-1) * (p - 0.5)), 1e-11);
    CHECK_REL(rg_quantile_student(p, 2), 2 * (p - 0.5) * sqrt(2 / a), 1e-11);
  }
}

TEST(normal_quantiles_invert_the_error_function_of_the_c_library) {
  for (double p = 1e-9; p < 0.5; p *= 1.7)
    CHECK_REL(0.5 * erfc(-rg_quantile_normal(p) / sqrt(2)), p, 1e-12);
  CHECK_NEAR(rg_quantile_normal(0.975), 1.959963984540054, 1e-14);
  CHECK_NEAR(rg_quantile_student(0.975, 1e7), 1.959963984540054, 1e-6);
}

TEST(moments_of_numbers_with_a_large_mean_keep_their_digits) {
  rgMoments moments = {0};
  for (int i = 0; i < 1000; i++)
    rg_moments_add(&moments, 1e9 + i % 2);
  CHECK_NEAR(moments.mean, 1e9 + 0.5, 1e-6);
  CHECK_REL(rg_moments_deviation(&moments), sqrt(0.25 * 1000 / 999), 1e-9);
  CHECK_NEAR(moments.least, 1e9, 0);
  CHECK_NEAR(moments.largest, 1e9 + 1, 0);
}

TEST(an_interval_of_too_few_numbers_is_infinite) {
  rgMoments moments = {0};
  CHECK(isinf(rg_moments_interval(&moments, 0.95).upper));
  rg_moments_add(&moments, 3);
  CHECK(isinf(rg_moments_interval(&moments, 0.95).upper));
  CHECK_NEAR(rg_share_interval(0, 0, 0.95).lower, 0, 0);
  CHECK_NEAR(rg_share_interval(0, 0, 0.95).upper, 1, 0);
}

// Both ends of Wilson's interval solve (p - share)^2 = z^2 p (1 - p) / n, where they are not 0 or 1.
TEST(ends_of_shares_are_roots_of_the_equation_of_wilson) {
  double z = rg_quantile_normal(0.975);
  for (int n = 1; n < 400; n += 13)
    for (int k = 0; k <= n; k += 1 + n / 7) {
      rgInterval interval = rg_share_interval(k, n, 0.95);
      double ends[] = {interval.lower, interval.upper}, share = (double)k / n;
      for (int e = 0; e < 2; e++)
        CHECK_NEAR((ends[e] - share) * (ends[e] - share), z * z * ends[e] * (1 - ends[e]) / n,
                   1e-12);
      CHECK(interval.lower <= share && share <= interval.upper);
    }
}

enum { REPEATS = 4000 };

// Student's interval is exact for normal numbers: 4,000 repeats lie within 4 deviations of 95 %.
TEST(intervals_of_means_cover_as_often_as_they_say) {
  int covered = 0;
  for (uint64_t repeat = 0; repeat < REPEATS; repeat++) {
    rgMoments moments = {0};
    for (uint32_t i = 0; i < 8; i++)
      rg_moments_add(&moments, 3 + 2 * rg_draw_normal(1, repeat, i));
    rgInterval interval = rg_moments_interval(&moments, 0.95);
    covered += interval.lower <= 3 && 3 <= interval.upper;
  }
  CHECK_NEAR((double)covered / REPEATS, 0.95, 4 * sqrt(0.95 * 0.05 / REPEATS));
}

// Wilson's is not exact, because hits are whole numbers. How often it covers follows from the
// binomial distribution; for n = 200 and these shares the sum over all hits is between 93 % and 97 %.
TEST(intervals_of_shares_cover_between_93_and_97_percent) {
  for (double p = 0.05; p < 0.96; p += 0.05) {
    double weight = pow(1 - p, 200), covered = 0;
    for (int k = 0; k <= 200; k++) {
      rgInterval interval = rg_share_interval(k, 200, 0.95);
      covered += interval.lower <= p && p <= interval.upper ? weight : 0;
      weight *= (200.0 - k) / (k + 1) * p / (1 - p);
    }
    CHECK_MSG(covered > 0.93 && covered < 0.97, "share %g is covered with %g", p, covered);
  }
}
