// The error measure of the literature, by hand on one and two contacts, and its form without units.
#include "test.h"

#include <rigor/problem.h>

static rgProblemContact contact(double q_n, double q_t, double mu) {
  return (rgProblemContact){.body_a = -1,
                            .body_b = -1,
                            .bias = {q_n, q_t, 0, 0},
                            .cone = mu > 0 ? RG_CONE_DISK : RG_CONE_FRICTIONLESS,
                            .mu = mu,
                            .e_t = 1,
                            .e_o = 1};
}

static rgContactError judge(double w, double q_n, double q_t, double mu, const double u[4],
                            const double r[4]) {
  const int starts[2] = {0, 1}, columns[1] = {0};
  const double values[4] = {w, 0, 0, w};
  const rgLocalMatrix matrix = {
      .block = 2, .row_start = starts, .column = columns, .values = values};
  rgProblemContact contacts[1] = {contact(q_n, q_t, mu)};
  rgProblem problem = {.dimension = 2, .contact_count = 1, .contacts = contacts, .local = &matrix};
  double v[4], impulse[4];
  memcpy(v, u, sizeof v);
  memcpy(impulse, r, sizeof impulse);
  return rg_problem_contact_error(&problem, &(rgSolution){v, impulse, NULL});
}

// W = 1, q = (-1, 0.2), mu = 0.5 sticks with r = (1, -0.2).
TEST(a_solution_has_no_error) {
  const double u[4] = {0}, r[4] = {1, -0.2};
  rgContactError error = judge(1, -1, 0.2, 0.5, u, r);
  CHECK_NEAR(error.plain, 0, 1e-16);
  CHECK_NEAR(error.invariant, 0, 1e-16);
}

// r = 0 with u = q = (-1, 0): F = -P(1, 0) = -(1, 0), |F| = 1 and max(|q|, |r|, |u|) = 1.
// With rho = 1/W = 1/4: |F| = 1/4 over |rho u| = 1/4.
TEST(no_impulse_against_an_approach_is_all_wrong) {
  const double u[4] = {-1}, r[4] = {0};
  rgContactError error = judge(4, -1, 0, 0.5, u, r);
  CHECK_NEAR(error.plain, 1, 1e-15);
  CHECK_NEAR(error.invariant, 1, 1e-15);
}

// u = (0, 1) sliding, r = (2, 0), mu = 1, W = 1: u^ = (1, 1), r - u^ = (1, -1) lies on the cone, so
// F = (1, 1); |F| = sqrt 2 over |r| = 2.
TEST(friction_that_is_missing_counts) {
  const double u[4] = {0, 1}, r[4] = {2, 0};
  rgContactError error = judge(1, -2, 1, 1, u, r);
  CHECK_NEAR(error.plain, sqrt(2) / sqrt(5), 1e-15); // |q| = sqrt 5 is larger than |r|
}

// Impulses in units a thousand times smaller: W shrinks, r grows. The first measure moves, the
// second does not.
TEST(only_the_second_is_without_units) {
  const double u[4] = {0.1, 0.3}, r[4] = {1, -0.1}, r_small[4] = {1000, -100};
  rgContactError a = judge(2, -1, 0.2, 0.5, u, r);
  rgContactError b = judge(2e-3, -1, 0.2, 0.5, u, r_small);
  CHECK_REL(a.invariant, b.invariant, 1e-14);
  CHECK(b.plain < 0.1 * a.plain);
}

TEST(what_has_no_measure_is_not_a_number) {
  const double u[4] = {0}, r[4] = {0};
  CHECK(isnan(judge(0, -1, 0, 0.5, u, r).invariant));
  CHECK(!isnan(judge(0, -1, 0, 0.5, u, r).plain));
}

// With W = w 1 the invariant measure is the plain one of impulses in the unit 1 / w: F, r, rho u and rho q have
// rho = k / trace(W) = 1 / w in it.
TEST(the_invariant_error_takes_the_effective_mass) {
  const double u[4] = {0.1, 0.3};
  for (int k = 0; k < 5; k++) {
    double w = 0.25 * (1 << k);
    const double r[4] = {1, -0.1}, scaled[4] = {w * r[0], w * r[1]};
    CONTEXT("W = %g", w);
    CHECK_REL(judge(w, -1, 0.2, 0.5, u, r).invariant, judge(1, -1, 0.2, 0.5, u, scaled).plain,
              1e-14);
  }
}
