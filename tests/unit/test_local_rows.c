// The local form of problems with bodies, contacts and rows of any bounds: the same problem without
// its bodies.
#include "base/random.h"
#include "problem/operator.h"
#include "support/problem_files.h"
#include "test.h"

#include <rigor/solver.h>

enum { BODIES = 6, JOINTS = 5, CONTACTS = 7, ROWS_PER_JOINT = 6, ROWS = JOINTS * ROWS_PER_JOINT };

typedef struct Sample {
  rgProblem problem;
  rgProblemBody bodies[BODIES];
  rgProblemContact contacts[CONTACTS];
  rgProblemRow rows[ROWS];
} Sample;

static double between(uint64_t* seed, double low, double high) {
  return low + (high - low) * rg_random_unit(seed);
}

static rgVec3 any_vector(uint64_t* seed, double size) {
  double x = between(seed, -size, size), y = between(seed, -size, size);
  return v3(x, y, between(seed, -size, size));
}

static rgProblemBody any_body(uint64_t* seed) {
  rgVec3 axes = v3(between(seed, 1, 9), between(seed, 1, 9), between(seed, 1, 9));
  rgQuat turn = quat_unit((rgQuat){1, between(seed, -1, 1), between(seed, -1, 1), 0.3});
  rgMat3 r = m3_from_quat(turn);
  return (rgProblemBody){
      between(seed, 0.2, 3), m3_congruence(&r, axes), {any_vector(seed, 1), any_vector(seed, 2)}};
}

// A row at a point of both bodies, along d.
static rgProblemRow point_row(int a, int b, rgVec3 arm_a, rgVec3 arm_b, rgVec3 d) {
  return (rgProblemRow){.body_a = a,
                        .body_b = b,
                        .g_a = {d, v3_cross(arm_a, d)},
                        .g_b = {v3_neg(d), v3_neg(v3_cross(arm_b, d))},
                        .lower = -HUGE_VAL,
                        .upper = HUGE_VAL};
}

static rgProblemRow spin_row(int a, int b, rgVec3 d, double lower, double upper) {
  return (rgProblemRow){.body_a = a,
                        .body_b = b,
                        .g_a = {v3_zero(), d},
                        .g_b = {v3_zero(), v3_neg(d)},
                        .lower = lower,
                        .upper = upper};
}

// A ball joint with a limit, a motor of limited strength and a spring, about one axis each.
static void put_joint(Sample* s, int joint, uint64_t* seed) {
  int a = joint, b = joint + 1 < BODIES ? joint + 1 : -1;
  rgVec3 arm_a = any_vector(seed, 0.5), arm_b = any_vector(seed, 0.5);
  rgProblemRow* rows = s->rows + ROWS_PER_JOINT * joint;
  rows[0] = point_row(a, b, arm_a, arm_b, v3(1, 0, 0));
  rows[1] = point_row(a, b, arm_a, arm_b, v3(0, 1, 0));
  rows[2] = point_row(a, b, arm_a, arm_b, v3(0, 0, 1));
  rows[3] = spin_row(a, b, v3(1, 0, 0), 0, HUGE_VAL);
  rows[4] = spin_row(a, b, v3(0, 1, 0), -0.02, 0.05);
  rows[4].bias = 0.7;
  rows[5] = spin_row(a, b, v3(0, 0, 1), -HUGE_VAL, HUGE_VAL);
  rows[5].compliance = 2;
  rows[5].bias = -0.3;
}

static rgProblemContact any_contact(int i, uint64_t* seed) {
  rgVec3 n = v3_unit_or(v3_add(v3(0, 0, 2), any_vector(seed, 1)), v3(0, 0, 1));
  rgVec3 t = v3_unit_or(v3_cross(n, v3(1, 0.2, 0)), v3(1, 0, 0));
  int a = i % BODIES, b = i < BODIES ? -1 : 2;
  return (rgProblemContact){.body_a = a == b ? a + 1 : a,
                            .body_b = b,
                            .n = n,
                            .t = t,
                            .o = v3_cross(n, t),
                            .arm_a = any_vector(seed, 0.5),
                            .arm_b = any_vector(seed, 0.5),
                            .bias = {between(seed, -0.5, 0.1), 0.01, 0, 0.02},
                            .cone = RG_CONE_FRICTIONLESS,
                            .facets = 5,
                            .mu = 0.3,
                            .e_t = 1.2,
                            .e_o = 0.7,
                            .e_tau = 0.1};
}

static void make_sample(Sample* s, uint64_t seed) {
  *s = (Sample){.problem = {3, BODIES, CONTACTS, ROWS, s->bodies, s->contacts, s->rows, NULL}};
  for (int i = 0; i < BODIES; i++)
    s->bodies[i] = any_body(&seed);
  for (int i = 0; i < JOINTS; i++)
    put_joint(s, i, &seed);
  for (int i = 0; i < CONTACTS; i++)
    s->contacts[i] = any_contact(i, &seed);
}

static void mix_cones(Sample* s) {
  static const rgConeKind cones[] = {RG_CONE_DISK, RG_CONE_ELLIPSOID, RG_CONE_INNER, RG_CONE_OUTER};
  for (int i = 0; i < CONTACTS; i++)
    s->contacts[i].cone = cones[i % 4];
}

static rgProblem* local_of(const rgProblem* problem) {
  rgProblem* local = NULL;
  rgMessage message = {""};
  rgStatus status = rg_problem_to_local(problem, NULL, &local, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return local;
}

typedef struct Answer {
  double v[6 * BODIES + 4 * CONTACTS + ROWS], r[4 * CONTACTS], lambda[ROWS];
} Answer;

static rgSolution solution_of(Answer* answer) {
  return (rgSolution){answer->v, answer->r, answer->lambda};
}

static rgStatus solve(const rgProblem* problem, const char* solver, double tolerance,
                      Answer* answer, rgMessage* message) {
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 100000;
  *answer = (Answer){0};
  rgSolution solution = solution_of(answer);
  void* work = malloc(rg_solve_work_size(problem, solver));
  rgSolveReport report;
  rgStatus status = rg_solve(problem, solver, NULL, &stop, &solution, work, &report, message);
  free(work);
  return status;
}

// Both forms say the same of any impulses: velocities, and every line of the certificate.
TEST(the_local_form_judges_impulses_as_the_bodies_do) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Sample s;
    Answer a = {0}, b;
    uint64_t state = 100 + seed;
    make_sample(&s, seed);
    mix_cones(&s);
    for (int i = 0; i < CONTACTS; i++)
      for (int k = 0; k < 4; k++)
        a.r[4 * i + k] = k == 3 && s.contacts[i].cone != RG_CONE_ELLIPSOID
                             ? 0
                             : between(&state, k ? -0.1 : 0, 0.3);
    for (int i = 0; i < ROWS; i++)
      a.lambda[i] = fmin(fmax(between(&state, -0.2, 0.2), s.rows[i].lower), s.rows[i].upper);
    b = a;
    rgProblem* local = local_of(&s.problem);
    rgSolution with = solution_of(&a), without = solution_of(&b);
    rg_problem_velocity(&s.problem, &with);
    rg_problem_velocity(local, &without);
    for (int i = 0; i < CONTACTS; i++) {
      double u[4];
      rg_contact_velocity(&s.contacts[i], a.v, u);
      for (int k = 0; k < 4; k++)
        CHECK_NEAR(b.v[4 * i + k], u[k], 1e-13); // sums of some dozen numbers of the size of 10
    }
    for (int i = 0; i < ROWS; i++)
      CHECK_NEAR(rg_problem_row_velocity(local, i, b.v), rg_row_velocity(&s.rows[i], a.v), 1e-13);
    rgCertificate of_bodies, of_local;
    rg_problem_certify(&s.problem, &with, 1e-8, &of_bodies);
    rg_problem_certify(local, &without, 1e-8, &of_local);
    CHECK_NEAR(of_local.dynamics, 0, 1e-13);
    CHECK_REL(of_local.joint, of_bodies.joint, 1e-12);
    CHECK_REL(of_local.signorini, of_bodies.signorini, 1e-12);
    CHECK_REL(of_local.coulomb, of_bodies.coulomb, 1e-12);
    CHECK_REL(of_local.scale, of_bodies.scale, 1e-12);
    CHECK_REL(of_local.residual, of_bodies.residual, 1e-12);
    b.v[4 * CONTACTS + 3] += 0.01; // a row counts in the dynamics, with its length
    rg_problem_certify(local, &without, 1e-8, &of_local);
    CHECK_REL(of_local.dynamics, 0.01 * local->local->length[3], 1e-10);
    rg_problem_free(local, NULL);
  }
}

// Without friction the velocity is unique: both forms find it. The impulses of the local form are
// impulses of the bodies.
TEST(both_forms_have_the_same_solution) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Sample s;
    Answer with, without;
    rgMessage message = {""};
    make_sample(&s, seed);
    rgProblem* local = local_of(&s.problem);
    CONTEXT("seed %d", (int)seed);
    CHECK_INT(solve(&s.problem, "nsgs", 1e-11, &with, &message), RG_OK);
    CHECK_INT(solve(local, seed % 2 ? "nsgs" : "newton", 1e-11, &without, &message), RG_OK);
    rgSolution answer = solution_of(&without);
    rg_problem_velocity(&s.problem, &answer);
    for (int i = 0; i < 6 * BODIES; i++)
      CHECK_NEAR(without.v[i], with.v[i], 1e-8); // both within 1e-11, times the conditioning
    rg_problem_free(local, NULL);
  }
}

TEST(frictional_impulses_of_the_local_form_solve_the_problem_of_the_bodies) {
  static const char* const solvers[] = {"nsgs", "auto", "hold"};
  for (uint64_t seed = 1; seed <= 15; seed++) {
    Sample s;
    Answer found;
    rgMessage message = {""};
    make_sample(&s, seed);
    mix_cones(&s);
    const char* solver = solvers[seed % 3];
    rgProblem* local = local_of(&s.problem);
    CONTEXT("seed %d, %s", (int)seed, solver);
    rgStatus status = solve(local, solver, 1e-10, &found, &message);
    CHECK_MSG(status == RG_OK, "%s", message.text);
    rgSolution answer = solution_of(&found);
    rg_problem_velocity(&s.problem, &answer);
    rgCertificate certificate;
    rg_problem_certify(&s.problem, &answer, 1.01e-10, &certificate); // rounding of the velocities
    CHECK_MSG(certificate.met, "residual %g", certificate.residual);
    rg_problem_free(local, NULL);
  }
}

TEST(rows_alone_have_a_local_form) {
  Sample s;
  Answer with, without;
  rgMessage message = {""};
  make_sample(&s, 3);
  s.problem.contact_count = 0;
  rgProblem* local = local_of(&s.problem);
  CHECK_INT(solve(&s.problem, "direct", 1e-12, &with, &message), RG_OK);
  CHECK_INT(solve(local, "auto", 1e-12, &without, &message), RG_OK);
  for (int i = 0; i < ROWS; i++)
    CHECK_NEAR(without.v[i], rg_row_velocity(&s.rows[i], with.v), 1e-10);
  rg_problem_free(local, NULL);
}

TEST(a_local_form_with_rows_reads_back_to_the_same_bits) {
  Sample s;
  make_sample(&s, 7);
  mix_cones(&s);
  rgProblem *local = local_of(&s.problem), *again = rewrite_problem(local, RG_PROBLEM_JSON),
            *copy = local_of(again);
  check_same_problem(local, again);
  check_same_problem(local, copy);
  for (int i = 0; i < ROWS; i++) {
    CHECK(memcmp(&local->rows[i], &again->rows[i], sizeof *local->rows) == 0);
    CHECK(memcmp(&local->rows[i], &copy->rows[i], sizeof *local->rows) == 0);
    CHECK_BITS(local->local->length[i], again->local->length[i]);
  }
  rg_problem_free(local, NULL);
  rg_problem_free(copy, NULL);
  free_problem(again);
}

TEST(solvers_that_take_no_rows_in_local_form_say_so) {
  Sample s;
  Answer answer;
  make_sample(&s, 5);
  rgProblem* local = local_of(&s.problem);
  for (int i = 0; rg_solver_name(i); i++) {
    const char* name = rg_solver_name(i);
    rgMessage message = {""};
    rgStatus status = solve(local, name, 1e-6, &answer, &message);
    bool takes = !strcmp(name, "nsgs") || !strcmp(name, "hold") || !strcmp(name, "auto") ||
                 !strcmp(name, "mixed") || !strcmp(name, "newton");
    CONTEXT("%s", name);
    CHECK_INT(status, takes ? RG_OK : RG_ERROR_UNSUPPORTED);
    if (!takes)
      CHECK_MSG(strstr(message.text, "takes no rows in local form, the problem has 30"), "%s",
                message.text);
  }
  rg_problem_free(local, NULL);
}

TEST(formats_of_others_refuse_rows_of_the_local_form) {
  Sample s;
  rgMessage message = {""};
  make_sample(&s, 5);
  rgProblem* local = local_of(&s.problem);
  CHECK_INT(rg_problem_write_as(local, RG_PROBLEM_TEXT, test_temporary("rows"), &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_MSG(strstr(message.text, "30 rows (joints)"), "%s", message.text);
  rg_problem_free(local, NULL);
}

static void check_refused(const rgProblem* problem, const char* why) {
  rgMessage message = {""};
  CHECK_INT(rg_problem_check(problem, &message), RG_ERROR_INPUT);
  CHECK_MSG(strstr(message.text, why), "%s", message.text);
}

TEST(a_broken_local_form_is_refused_with_its_place) {
  const int row_start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  const size_t value_start[] = {0, 12, 16};
  double values[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.2, 0.3, 0.1, 0.2, 0.3, 2};
  double length = 1;
  rgProblemContact contact = {.body_a = -1, .body_b = -1, .cone = RG_CONE_DISK, .mu = 0.5};
  rgProblemRow row = {.body_a = -1, .body_b = -1, .lower = -1, .upper = 1};
  rgLocalMatrix w = {3, row_start, column, values, value_start, &length};
  rgProblem problem = {.dimension = 3,
                       .contact_count = 1,
                       .row_count = 1,
                       .contacts = &contact,
                       .rows = &row,
                       .local = &w};
  CHECK_INT(rg_problem_check(&problem, NULL), RG_OK);
  CHECK_INT((int)rg_problem_velocity_count(&problem), 5);
  w.value_start = NULL;
  check_refused(&problem, "local.value_start is NULL though there are rows");
  const size_t wrong[] = {0, 9, 13};
  w.value_start = wrong;
  check_refused(&problem, "local.value_start[1] leaves another number of values than the 12");
  w.value_start = value_start;
  length = 0;
  check_refused(&problem, "rows[0].length is 0, must be finite and > 0");
  length = 1;
  row.lower = 2;
  check_refused(&problem, "rows[0] has bounds 2 and 1");
  row.lower = -1;
  const int twice[] = {0, 0, 0, 1}, back[] = {1, 0, 0, 1};
  w.column = twice;
  check_refused(&problem, "local.column[1] is 0, must be ascending in its row");
  w.column = back;
  check_refused(&problem, "local.column[1] is 0, must be ascending in its row");
  w.column = column;
  const int places[] = {4, 10, 13, 15};
  const char* const blocks[] = {"(0, 0)", "(0, 1)", "(1, 0)", "(1, 1)"};
  for (int i = 0; i < 4; i++) {
    double value = values[places[i]];
    char why[64];
    snprintf(why, sizeof why, "local.values: block %s is not finite", blocks[i]);
    values[places[i]] = (double)NAN;
    check_refused(&problem, why);
    values[places[i]] = value;
  }
}
