// nsgs on the local form: the same answers as in motion form, and the stated problem for every W.
#include "sweep/problems.h"
#include "test.h"

static rgSolveReport run(Made* m, const char* options, double tolerance) {
  made_ready(m, "nsgs");
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 100000;
  rgSolveReport report;
  rgMessage message;
  rg_solve(&m->problem, "nsgs", options, &stop, &m->solution, m->work, &report, &message);
  rgCertificate again;
  rg_problem_certify(&m->problem, &m->solution, tolerance, &again);
  CHECK_REL(again.residual, report.certificate.residual, 1e-9);
  return report;
}

static Made collision(rgConeKind cone, int dimension) {
  Made m = made_pyramid(3, 0.3);
  uint64_t seed = 5;
  for (int i = 0; i < m.problem.body_count; i++) {
    rgVec3 x = made_vector(&seed), y = made_vector(&seed);
    m.bodies[i].v_free = (rgTwist){v3(2 * x.x - 1, 2 * x.y - 1, -3 * x.z),
                                   v3(2 * y.x - 1, 2 * y.y - 1, 2 * y.z - 1)};
  }
  m.problem.dimension = dimension;
  for (int i = 0; i < m.problem.contact_count; i++) {
    rgProblemContact* contact = &m.contacts[i];
    contact->cone = cone;
    contact->facets = 5;
    contact->e_t = 1.5;
    contact->e_o = 0.5;
    contact->e_tau = 0.05;
  }
  return m;
}

// The impulses found in local form solve the problem in motion form. (Without friction they also
// give the same velocities; with it several answers exist.)
TEST(impulses_of_the_local_form_solve_the_motion_form) {
  for (int dimension = 2; dimension <= 3; dimension++)
    for (int cone = 0; cone < RG_CONE_KIND_COUNT; cone++) {
      CONTEXT("dimension %d, cone %s", dimension, rg_cone_kind_name((rgConeKind)cone));
      Made motion = collision((rgConeKind)cone, dimension);
      Made local = made_local(collision((rgConeKind)cone, dimension));
      CHECK_INT(run(&motion, NULL, 1e-10).status, RG_OK);
      CHECK_INT(run(&local, NULL, 1e-10).status, RG_OK);
      for (int i = 0; i < motion.problem.contact_count && cone == RG_CONE_FRICTIONLESS; i++) {
        double u[4];
        rg_contact_velocity(&motion.contacts[i], motion.solution.v, u);
        CHECK_NEAR(local.solution.v[4 * i], u[0], 1e-8);
      }
      rgSolution transferred = {motion.solution.v, local.solution.r, motion.solution.lambda};
      rg_problem_velocity(&motion.problem, &transferred);
      rgCertificate certificate;
      rg_problem_certify(&motion.problem, &transferred, 2e-10, &certificate);
      CHECK_MSG(certificate.met, "residual %g", certificate.residual);
      made_free(&motion);
      made_free(&local);
    }
}

// Blocks of W that are not symmetric: the answer satisfies the law with W as given.
TEST(unsymmetric_matrix_is_solved_as_it_stands) {
  Made m = made_local(collision(RG_CONE_DISK, 3));
  uint64_t seed = 77;
  for (int k = 0; k < m.row_start[m.problem.contact_count]; k++)
    for (int i = 0; i < 16; i++)
      m.values[16 * k + i] *= 1 + 1e-3 * (2 * made_random(&seed) - 1);
  CHECK_INT(run(&m, NULL, 1e-10).status, RG_OK);
  for (int i = 0; i < m.problem.contact_count; i++) {
    double sum = m.contacts[i].bias[0];
    for (int k = m.row_start[i]; k < m.row_start[i + 1]; k++)
      for (int b = 0; b < 4; b++)
        sum += m.values[16 * k + b] * m.solution.r[4 * m.column[k] + b];
    CHECK_NEAR(m.solution.v[4 * i], sum, 1e-12);
    CHECK(sum > -1e-9);
  }
  made_free(&m);
}

// One number per contact is the linear complementarity problem. Murty's triangular matrix (2 above
// the diagonal, 1 on it) with q = -1 has the solution (0, .., 0, 1).
TEST(linear_complementarity_problem) {
  enum { N = 6 };
  Made m = made(0);
  int row_start[N + 1], column[N * N];
  double values[N * N];
  rgProblemContact contacts[N] = {0};
  int filled = 0;
  for (int i = 0; i < N; i++) {
    row_start[i] = filled;
    for (int j = i; j < N; j++) {
      column[filled] = j;
      values[filled++] = i == j ? 1 : 2;
    }
    contacts[i] = (rgProblemContact){.body_a = -1, .body_b = -1, .bias = {-1}};
  }
  row_start[N] = filled;
  rgLocalMatrix matrix = {.block = 1, .row_start = row_start, .column = column, .values = values};
  rgProblem problem = {.dimension = 3, .contact_count = N, .contacts = contacts, .local = &matrix};
  double r[4 * N] = {0}, u[4 * N] = {0}, expected[N] = {0};
  expected[N - 1] = 1;
  void* work = malloc(rg_solve_work_size(&problem, "nsgs"));
  rgStop stop = rg_stop_default();
  double history[100];
  stop.history = history;
  stop.history_capacity = 100;
  rgSolveReport report;
  rgStatus status =
      rg_solve(&problem, "nsgs", NULL, &stop, &(rgSolution){u, r, NULL}, work, &report, NULL);
  CHECK_INT(status, RG_OK);
  for (int i = 0; i < N; i++)
    CHECK_NEAR(r[4 * i], expected[i], 1e-8);
  CHECK_INT(report.history_count, report.iterations); // one number per sweep
  CHECK(history[report.history_count - 1] <= stop.tolerance);
  values[0] = 0;
  rgMessage message;
  status =
      rg_solve(&problem, "nsgs", NULL, &stop, &(rgSolution){u, r, NULL}, work, &report, &message);
  CHECK_INT(status, RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "nsgs needs a positive diagonal, W_nn of contact 0 is 0");
  free(work);
  made_free(&m);
}
