// The algebra that programs use is that of the library to the bit, and the operators of a problem
// are those by which it is judged.
#include "test.h"

#include "math/vec.h"
#include <rigor/problem.h>
#include <rigor/util.h>
#include <rigor/vec_math.h>

static double next(uint64_t* state) { return 2 * rg_random_unit(state) - 1; }
static rgVec3 vector(uint64_t* state) {
  double x = next(state), y = next(state), z = next(state);
  return rg_vec3(x, y, z);
}
#define SAME(a, b) CHECK(memcmp(&(a), &(b), sizeof(a)) == 0)

TEST(public_algebra_has_the_bits_of_the_library) {
  uint64_t state = 7;
  for (int i = 0; i < 100; i++) {
    rgVec3 a = vector(&state), b = vector(&state);
    double s = next(&state);
    rgQuat p = quat_unit((rgQuat){next(&state), a.x, a.y, a.z});
    rgQuat q = quat_unit((rgQuat){next(&state), b.x, b.y, b.z});
    rgPose pose = {a, p}, other = {b, q};
    rgVec3 ours = rg_vec3_cross(rg_vec3_axpy(a, s, b), rg_vec3_mul(a, b));
    rgVec3 theirs = v3_cross(v3_axpy(a, s, b), v3_mul(a, b));
    SAME(ours, theirs);
    ours = rg_quat_rotate(p, b), theirs = quat_rotate(p, b);
    SAME(ours, theirs);
    ours = rg_pose_unapply(pose, b), theirs = pose_unapply(pose, b);
    SAME(ours, theirs);
    rgPose one = rg_pose_mul(pose, other), two = pose_mul(pose, other);
    SAME(one, two);
    rgMat3 m = m3_from_quat(p), n = m3_diag(1 + a.x * a.x, 2, 3);
    rgMat3 product = rg_mat3_mul(&m, &n), known = m3_mul(&m, &n);
    SAME(product, known);
    rgMat3 inverse = rg_mat3_inverse(&product), known_inverse = m3_inverse(&known);
    SAME(inverse, known_inverse);
    rgVec3 unit = v3_unit_or(a, v3(1, 0, 0)), t, o, t2, o2;
    rg_vec3_frame(unit, &t, &o);
    v3_frame(unit, &t2, &o2);
    SAME(t, t2);
    SAME(o, o2);
  }
}

// A ball of mass 2 on the ground, held by a soft row along x.
static rgProblem make(rgProblemBody* body, rgProblemContact* contact, rgProblemRow* row) {
  *body = (rgProblemBody){
      .inverse_mass = 0.5, .inverse_inertia = m3_diag(3, 3, 3), .v_free = {{1, 0, -2}, {0, 0, 0}}};
  *contact = (rgProblemContact){.body_a = 0,
                                .body_b = -1,
                                .n = {0, 0, 1},
                                .t = {1, 0, 0},
                                .o = {0, 1, 0},
                                .arm_a = {0, 0, -1},
                                .bias = {0.25, 0, 0, 0},
                                .cone = RG_CONE_DISK,
                                .mu = 0.5};
  *row = (rgProblemRow){.body_a = 0,
                        .body_b = -1,
                        .g_a = {{1, 0, 0}, {0, 0, 0}},
                        .bias = 0.125,
                        .lower = -HUGE_VAL,
                        .upper = HUGE_VAL,
                        .compliance = 4};
  return (rgProblem){.dimension = 3,
                     .body_count = 1,
                     .contact_count = 1,
                     .row_count = 1,
                     .bodies = body,
                     .contacts = contact,
                     .rows = row};
}

// By hand: an impulse (2, 4) along n and t and 8 along the row give v = (6, 0, 1), and a spin about
// y of 3 (-1) 4 = -12, so that u_t = 6 + 12.
TEST(impulses_are_applied_without_free_motion_and_bias) {
  rgProblemBody body;
  rgProblemContact contact;
  rgProblemRow row;
  rgProblem problem = make(&body, &contact, &row);
  const double r[4] = {2, 4, 0, 0}, lambda[1] = {8};
  double v[6], u[4], w[1], e[4];
  rg_problem_apply(&problem, r, lambda, v, u, w);
  CHECK_NEAR(v[0], 6, 1e-15);
  CHECK_NEAR(v[2], 1, 1e-15);
  CHECK_NEAR(v[4], -12, 1e-15);
  CHECK_NEAR(u[0], 1, 1e-15);
  CHECK_NEAR(u[1], 18, 1e-14);
  CHECK_NEAR(w[0], 6 + 4 * 8, 1e-14);
  rg_problem_axes(&problem, 0, e);
  CHECK_BITS(e[0], 1);
  CHECK_BITS(e[2], 1);
  CHECK_BITS(e[3], 0); // a disk carries no torsion
}

TEST(relative_velocities_have_the_bias_and_no_compliance) {
  rgProblemBody body;
  rgProblemContact contact;
  rgProblemRow row;
  rgProblem problem = make(&body, &contact, &row);
  double v[6], r[4] = {0}, lambda[1] = {0}, u[4], w[1];
  rgSolution solution = {v, r, lambda};
  rg_problem_velocity(&problem, &solution);
  CHECK_BITS(v[2], -2);
  lambda[0] = 100; // not read
  rg_problem_relative(&problem, v, u, w);
  CHECK_NEAR(u[0], -2 + 0.25, 1e-15);
  CHECK_NEAR(u[1], 1, 1e-15);
  CHECK_NEAR(w[0], 1.125, 1e-15);
}

TEST(a_misspelt_word_is_guessed) {
  rgGuess guess = {.word = "hing"};
  rg_guess_offer(&guess, "ball");
  rg_guess_offer(&guess, "hinge");
  CHECK_STR(guess.best, "hinge");
  CHECK_INT(guess.distance, 1);
  guess = (rgGuess){.word = "zzz"};
  rg_guess_offer(&guess, "hinge");
  CHECK(guess.best == NULL);
}
