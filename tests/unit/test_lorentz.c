// The Lorentz cone of interior-point methods: identities that hold for any two points inside.
#include "math/lorentz.h"
#include "support/random.h"
#include "test.h"

static void inside(int m, double depth, double* a) {
  double side2 = 0;
  for (int k = 1; k < m; k++) {
    a[k] = random_between(-1, 1);
    side2 += a[k] * a[k];
  }
  a[0] = sqrt(side2) + depth;
}

TEST(the_scaling_takes_both_points_to_one) {
  random_state = 1;
  for (int i = 0; i < 2000; i++) {
    int m = 1 + i % LORENTZ_MAX;
    double x[LORENTZ_MAX], y[LORENTZ_MAX], from_x[LORENTZ_MAX], from_y[LORENTZ_MAX];
    inside(m, random_between(0.01, 1), x);
    inside(m, random_between(0.01, 1), y);
    rgLorentzScaling scaling = lorentz_scaling(x, y, m);
    lorentz_scale(&scaling, y, m, false, from_y);
    lorentz_scale(&scaling, x, m, true, from_x);
    for (int k = 0; k < m; k++)
      CHECK_NEAR(from_x[k], from_y[k], 1e-12);
    lorentz_scale(&scaling, from_x, m, false, from_x);
    for (int k = 0; k < m; k++)
      CHECK_NEAR(from_x[k], x[k], 1e-11);
  }
}

TEST(division_undoes_the_product) {
  random_state = 2;
  for (int i = 0; i < 2000; i++) {
    int m = 1 + i % LORENTZ_MAX;
    double a[LORENTZ_MAX], b[LORENTZ_MAX], product[LORENTZ_MAX], back[LORENTZ_MAX];
    inside(m, 0.1, a);
    for (int k = 0; k < m; k++)
      b[k] = random_between(-1, 1);
    lorentz_product(a, b, m, product);
    lorentz_divide(a, product, m, back);
    for (int k = 0; k < m; k++)
      CHECK_NEAR(back[k], b[k], 1e-12);
  }
}

// Just short of the limit a point is inside, just beyond it is not; by bisection nothing leaves
// the cone before.
TEST(the_reach_ends_at_the_surface) {
  random_state = 3;
  int finite = 0;
  for (int i = 0; i < 2000; i++) {
    int m = 1 + i % LORENTZ_MAX;
    double a[LORENTZ_MAX], d[LORENTZ_MAX];
    inside(m, random_between(1e-3, 1), a);
    for (int k = 0; k < m; k++)
      d[k] = random_between(-1, 1);
    double limit = lorentz_limit(a, d, m);
    CHECK(limit > 0);
    for (int k = 1; k <= 20; k++) {
      double s = limit == HUGE_VAL ? 100.0 * k : limit * k / 20 * (1 - 1e-9), p[LORENTZ_MAX];
      for (int j = 0; j < m; j++)
        p[j] = a[j] + s * d[j];
      CHECK(p[0] > 0 && lorentz_det(p, m) > 0);
    }
    if (limit == HUGE_VAL)
      continue;
    finite++;
    double beyond[LORENTZ_MAX];
    for (int j = 0; j < m; j++)
      beyond[j] = a[j] + limit * (1 + 1e-9) * d[j];
    CHECK(beyond[0] < 0 || lorentz_det(beyond, m) < 0);
  }
  CHECK(finite > 1000);
}
