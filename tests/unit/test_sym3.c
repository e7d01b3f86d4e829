// Eigen-decomposition of symmetric 3 x 3 matrices.
#include "math/power.h"
#include "math/sym3.h"
#include "support/random.h"
#include "test.h"

#include <float.h>

static rgMat3 symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  return (rgMat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

// Jacobi is backward stable: residuals are a few rounding errors of the largest entry.
static const double tolerance = 32 * DBL_EPSILON;

static void check_decomposition(const rgMat3* a) {
  rgVec3 values;
  rgMat3 q;
  rg_sym3_eigen(a, &values, &q);
  double scale = 0;
  for (int i = 0; i < 9; i++)
    scale = fmax(scale, fabs(a->m[i / 3][i % 3]));

  CHECK(values.x <= values.y && values.y <= values.z);
  CHECK_NEAR(m3_det(&q), 1, tolerance);
  rgMat3 again = m3_congruence(&q, values);
  rgMat3 transposed = m3_transpose(&q);
  rgMat3 identity = m3_mul(&transposed, &q);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      CHECK_NEAR(again.m[i][j], a->m[i][j], tolerance * scale);
      CHECK_NEAR(identity.m[i][j], i == j, tolerance);
    }
}

TEST(any_symmetric_matrix_is_put_together_again_by_a_proper_rotation) {
  for (int n = 0; n < 2000; n++) {
    CONTEXT("random matrix %d", n);
    double s = ldexp(1, n % 64 - 32), tiny = ldexp(1, -(n % 60)); // graded and scaled
    rgMat3 a = symmetric(s * random_between(-1, 1), s * tiny * random_between(-1, 1),
                         s * random_between(-1, 1), s * tiny * random_between(-1, 1),
                         s * random_between(-1, 1), s * tiny * random_between(-1, 1));
    check_decomposition(&a);
  }
}

TEST(known_eigenvalues_are_found) {
  // [2 1; 1 2] has 1 and 3 with (1, -1) and (1, 1).
  rgMat3 a = symmetric(2, 2, 5, 1, 0, 0);
  rgVec3 values;
  rgMat3 q;
  rg_sym3_eigen(&a, &values, &q);
  CHECK_NEAR(values.x, 1, tolerance);
  CHECK_NEAR(values.y, 3, tolerance);
  CHECK_NEAR(values.z, 5, tolerance);
  CHECK_NEAR(fabs(v3_dot(m3_column(&q, 0), v3(sqrt(0.5), -sqrt(0.5), 0))), 1, tolerance);
  CHECK_NEAR(fabs(v3_dot(m3_column(&q, 1), v3(sqrt(0.5), sqrt(0.5), 0))), 1, tolerance);

  // The matrix of ones: 0, 0, 3. The product of an integer matrix: trace and determinant.
  a = symmetric(1, 1, 1, 1, 1, 1);
  rg_sym3_eigen(&a, &values, &q);
  CHECK_NEAR(values.x, 0, tolerance);
  CHECK_NEAR(values.y, 0, tolerance);
  CHECK_NEAR(values.z, 3, 3 * tolerance);
  check_decomposition(&a);
}

TEST(diagonal_matrices_are_exact) {
  rgMat3 a = m3_diag(3, 1, 2);
  rgVec3 values;
  rgMat3 q;
  rg_sym3_eigen(&a, &values, &q);
  CHECK_BITS(values.x, 1);
  CHECK_BITS(values.y, 2);
  CHECK_BITS(values.z, 3);
  const double expected[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 9; i++)
    CHECK(fabs(q.m[i / 3][i % 3]) == expected[i / 3][i % 3]);
  CHECK(m3_det(&q) == 1);

  a = m3_identity();
  rg_sym3_eigen(&a, &values, &q);
  for (int i = 0; i < 9; i++)
    CHECK_BITS(q.m[i / 3][i % 3], i % 4 == 0);
}

TEST(nearly_equal_eigenvalues_and_extreme_scales_keep_all_digits) {
  rgMat3 a = symmetric(1, 1 + 1e-15, 1, 1e-16, -1e-16, 1e-17);
  check_decomposition(&a);
  a = symmetric(1e300, 2e300, 3e300, 1e300, -1e299, 5e299);
  check_decomposition(&a);
  a = symmetric(1e-300, 2e-300, 3e-300, 1e-300, -1e-301, 5e-301);
  check_decomposition(&a);
  a = m3_zero();
  check_decomposition(&a);
}

// --- an inverse for needles -----------------------------------------------------------------------

static rgMat3 random_semidefinite(int rank, double size) {
  rgMat3 sum = m3_zero();
  for (int k = 0; k < rank; k++) {
    rgVec3 v = random_direction();
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        sum.m[i][j] += size * x[i] * x[j];
  }
  return sum;
}

// Moments up to 1e24 apart: the inverse is never negative, and without K it has the inverses of the
// moments along their axes.
TEST(the_inverse_of_an_inertia_and_more_is_positive_however_slender_the_body) {
  random_state = 8;
  for (int trial = 0; trial < 4000; trial++) {
    rgMat3 r = m3_from_quat(random_rotation());
    double p[3], size = rg_pow(10, random_between(-12, 12));
    for (int i = 0; i < 3; i++)
      p[i] = rg_pow(10, random_between(-12, 12));
    bool alone = trial % 4 == 0;
    rgMat3 k = alone ? m3_zero() : random_semidefinite(trial % 4, size);
    rgMat3 inverse = rg_sym3_inverse_above(&r, v3(p[0], p[1], p[2]), &k);
    CONTEXT("trial %d: %g %g %g, K %g", trial, p[0], p[1], p[2], size);
    rgVec3 values;
    rgMat3 vectors;
    rg_sym3_eigen(&inverse, &values, &vectors);
    double largest = fmax(values.z, fmax(values.x, values.y));
    CHECK(fmin(values.x, fmin(values.y, values.z)) >= -1e-15 * largest);
    for (int i = 0; i < 3; i++) {
      CHECK(inverse.m[i][i] > 0);
      rgVec3 axis = m3_column(&r, i), turned = m3_apply(&inverse, axis);
      double along = v3_dot(axis, turned);
      if (alone)
        CHECK_NEAR(along, 1 / p[i], 1e-14 / p[i] + 4e-16 * largest);
    }
  }
}

// Where nothing is lost to rounding it is the inverse.
TEST(the_inverse_of_an_inertia_and_more_is_an_inverse) {
  random_state = 9;
  for (int trial = 0; trial < 500; trial++) {
    rgMat3 r = m3_from_quat(random_rotation()), k = random_semidefinite(1 + trial % 3, 3);
    rgVec3 p = v3(random_between(0.1, 2), random_between(0.1, 2), random_between(0.1, 2));
    rgMat3 sum = m3_congruence(&r, p), inverse = rg_sym3_inverse_above(&r, p, &k);
    sum = m3_add(&sum, &k);
    rgMat3 one = m3_mul(&sum, &inverse);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        CHECK_NEAR(one.m[i][j], i == j, 1e-13); // condition at most 100
  }
}
