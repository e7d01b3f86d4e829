// newton on the local form: analytic answers, redundant contacts, valleys of sliding, islands.
#include "problem/operator.h"
#include "solve/solver.h"
#include "sweep/problems.h"
#include "test.h"

// Solves with newton and says how many iterations it took, or -1 when the tolerance was missed.
static int iterations_of(Made* m, const char* solver, double tolerance) {
  made_ready(m, solver);
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s", message.text);
  return status == RG_OK ? report.iterations : -1;
}

// A single contact in closed form. W = diag(1, 2, 2), q = (-1, s, 0): sticks with r = (1, -s/2, 0)
// while s/2 <= mu, slides with r_T = -mu along the slip beyond.
TEST(one_contact_sticks_and_slides_as_computed_by_hand) {
  const double mu = 0.5, w[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2};
  const int row_start[2] = {0, 1}, column[1] = {0};
  const rgLocalMatrix local = {.block = 3, .row_start = row_start, .column = column, .values = w};
  for (double slip = 0.5; slip < 4; slip += 1) {
    rgProblemContact contact = {
        .body_a = -1, .body_b = -1, .bias = {-1, slip, 0, 0}, .cone = RG_CONE_DISK, .mu = mu};
    rgProblem problem = {.dimension = 3, .contact_count = 1, .contacts = &contact, .local = &local};
    double u[4] = {0}, r[4] = {0};
    rgSolution solution = {.v = u, .r = r};
    void* work = malloc(rg_solve_work_size(&problem, "newton"));
    rgStop stop = rg_stop_default();
    rgSolveReport report;
    CHECK_INT(rg_solve(&problem, "newton", NULL, &stop, &solution, work, &report, NULL), RG_OK);
    CHECK_NEAR(r[0], 1, 1e-12);
    CHECK_NEAR(r[1], slip / 2 <= mu ? -slip / 2 : -mu, 1e-12);
    CHECK_NEAR(u[1], slip / 2 <= mu ? 0 : slip - 2 * mu, 1e-12);
    free(work);
  }
}

// Twenty points carry one box: the impulses are not unique, their sum is the weight times the step.
TEST(a_box_on_twenty_points_is_carried) {
  Made m = made(0.5);
  made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 8);
  for (int i = 0; i < 5; i++)
    made_face(&m, 0, -1, -0.5 + 0.1 * i, 0.5, -0.5, 0.5 - 0.07 * i, 0);
  m = made_local(m);
  int iterations = iterations_of(&m, "newton", 1e-10);
  CHECK(iterations >= 0 && iterations < 60);
  double sum = 0;
  for (int i = 0; i < m.problem.contact_count; i++)
    sum += m.solution.r[4 * i];
  CHECK_REL(sum, 8 * made_gravity * made_step, 1e-9);
  made_free(&m);
}

// A box that slides on four corners is held by three, and which one opens is decided by a part in
// 10^8 of the approach velocities: the residual is small long before the answer is near.
TEST(a_sliding_box_finds_the_corner_that_opens) {
  for (int corner = 0; corner < 4; corner++) {
    Made m = made(0.55);
    made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 8);
    m.bodies[0].v_free = (rgTwist){v3(1.2, 0.3, -0.04), v3(0, 0, 0.6)};
    made_face(&m, 0, -1, -0.5, 0.5, -0.5, 0.5, 0);
    m.contacts[corner].bias[0] = 1e-7;
    m = made_local(m);
    CONTEXT("corner %d", corner);
    int iterations = iterations_of(&m, "newton", 1e-10);
    CHECK(iterations >= 0 && iterations < 500);
    made_free(&m);
  }
}

// The answer of the local form, put back into the problem with bodies, meets the certificate there.
TEST(boxes_thrown_at_each_other_are_solved_in_both_forms) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Made m = made_thrown(seed), bodies = made_thrown(seed);
    m = made_local(m);
    CONTEXT("seed %d", (int)seed);
    CHECK(iterations_of(&m, "newton", 1e-9) >= 0);
    made_ready(&bodies, "newton");
    memcpy(bodies.solution.r, m.solution.r, 4 * (size_t)m.problem.contact_count * sizeof(double));
    rg_problem_velocity(&bodies.problem, &bodies.solution);
    rgCertificate certificate;
    rg_problem_certify(&bodies.problem, &bodies.solution, 2e-9, &certificate);
    CHECK_MSG(certificate.met, "residual %g", certificate.residual);
    made_free(&m);
    made_free(&bodies);
  }
}

// In grams and millimetres impulses are 10^6 and velocities 10^3 times as large.
TEST(a_change_of_units_changes_rounding_only) {
  Made a = made_local(made_thrown(7)), b = made_local(made_thrown(7));
  const double per_impulse = 1e6, per_velocity = 1e3; // g mm/s in kg m/s, mm/s in m/s
  for (int k = 0; k < 16 * b.row_start[b.problem.contact_count]; k++)
    b.values[k] *= per_velocity / per_impulse;
  for (int i = 0; i < b.problem.contact_count; i++)
    for (int k = 0; k < 4; k++)
      b.contacts[i].bias[k] *= per_velocity;
  int first = iterations_of(&a, "newton", 1e-10), second = iterations_of(&b, "newton", 1e-10);
  CHECK_INT(first, second);
  for (int i = 0; i < 4 * a.problem.contact_count; i++)
    CHECK_NEAR(b.solution.v[i] / per_velocity, a.solution.v[i], 1e-8);
  made_free(&a);
  made_free(&b);
}

// An unsymmetric W: the stated problem is solved, not that of its symmetric part.
TEST(an_unsymmetric_matrix_is_taken_as_it_is) {
  Made m = made_local(made_thrown(9));
  uint64_t seed = 3;
  for (int k = 0; k < 16 * m.row_start[m.problem.contact_count]; k++)
    m.values[k] *= 1 + 1e-3 * (made_vector(&seed).x - 0.5);
  CHECK(iterations_of(&m, "newton", 1e-9) >= 0);
  made_free(&m);
}

TEST(polygons_are_refused) {
  Made m = made_local(made_table(4, 0.5));
  m.contacts[2].cone = RG_CONE_OUTER;
  m.contacts[2].facets = 4;
  rgMessage message;
  CHECK_INT(rg_solver_newton.accepts(&m.problem, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "contact 2 has a polygon");
  made_free(&m);
}

// Whose answer it is: auto names its member.
TEST(auto_names_the_member_on_the_local_form) {
  Made m = made_local(made_thrown(11));
  made_ready(&m, "auto");
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  CHECK_INT(rg_solve(&m.problem, "auto", NULL, &stop, &m.solution, m.work, &report, NULL), RG_OK);
  CHECK_STR(report.solver, "newton");
  made_free(&m);
}
