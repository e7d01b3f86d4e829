// Joints beside contacts inside newton: rows without bounds are equations of its linear systems, so
// that the number of its steps does not grow with the length of a chain.
#include "support/chains.h"
#include "test.h"

static rgSolveReport solve(Made* m, double tolerance, int limit) {
  made_ready(m, "newton");
  rgStop stop = {.tolerance = tolerance, .iteration_limit = limit};
  rgSolveReport report;
  rgMessage message;
  rg_solve(&m->problem, "newton", NULL, &stop, &m->solution, m->work, &report, &message);
  return report;
}

static void set_free(Made* m, rgVec3 v) {
  for (int i = 0; i < m->problem.body_count; i++)
    m->bodies[i].v_free.linear = v;
}

static const int LENGTHS[] = {1, 10, 100, 1000, 5000};
enum { LENGTH_COUNT = sizeof LENGTHS / sizeof *LENGTHS };

// A straight chain of mass n flies at 1 m/s against a wall, end first: the wall takes n kg m/s, and
// joint i what is behind it.
TEST(a_chain_stops_at_a_wall) {
  for (int k = 0; k < LENGTH_COUNT; k++) {
    int n = LENGTHS[k];
    Made m = chain_line(n, 3, 1, false);
    m.mu = 0.5;
    made_contact(&m, 0, -1, v3(0, 0, 0), v3(1, 0, 0));
    set_free(&m, v3(-1, 0, 0));
    rgSolveReport report = solve(&m, 1e-10, 1000);
    CONTEXT("%d links", n);
    CHECK(report.certificate.met);
    CHECK_MSG(report.iterations <= 10, "%d steps", report.iterations);
    CHECK_REL(m.solution.r[0], n, 1e-9);
    for (int i = 1; i < n; i++)
      CHECK_REL(m.solution.lambda[3 * (i - 1)], n - i, 1e-9);
    made_free(&m);
  }
}

// The same chain hung up and pulled away from its support, with a contact that opens at its end.
// The body next to the support is held by it: its joints must not be eliminated as if it were free.
TEST(a_chain_that_is_hung_up) {
  for (int k = 1; k < LENGTH_COUNT; k++) {
    int n = LENGTHS[k];
    Made m = chain_line(n, 3, 1, true);
    rgProblemContact* contact = made_contact(&m, n - 1, -1, v3(n, 0, 0), v3(1, 0, 0));
    contact->bias[0] = 1;
    set_free(&m, v3(1, 0, 0));
    rgSolveReport report = solve(&m, 1e-10, 1000);
    CONTEXT("%d links", n);
    CHECK(report.certificate.met);
    CHECK_MSG(report.iterations <= 10, "%d steps", report.iterations);
    CHECK_NEAR(m.solution.r[0], 0, 1e-9);
    for (int i = 0; i < n; i++)
      CHECK_REL(m.solution.lambda[3 * i], -(n - i), 1e-9);
    made_free(&m);
  }
}

// Links with a foot at each end slide over the ground: each carries its own weight, friction takes
// mu g h from the speed of all of them.
TEST(a_chain_slides_over_the_ground) {
  for (int k = 0; k < LENGTH_COUNT; k++) {
    int n = LENGTHS[k];
    double mu = 0.5, fall = made_gravity * made_step;
    Made m = chain_line(n, 3, 1, false);
    m.mu = mu;
    for (int i = 0; i < n; i++) {
      made_contact(&m, i, -1, v3(i + 0.1, 0, 0), v3(0, 0, 1));
      made_contact(&m, i, -1, v3(i + 0.9, 0, 0), v3(0, 0, 1));
    }
    set_free(&m, v3(1.6, 1.2, -fall));
    rgSolveReport report = solve(&m, 1e-10, 1000);
    CONTEXT("%d links", n);
    CHECK(report.certificate.met);
    CHECK_MSG(report.iterations <= 30, "%d steps", report.iterations);
    for (int i = 0; i < n; i++) {
      CHECK_NEAR(m.solution.v[6 * i], 1.6 - 0.8 * mu * fall, 1e-9);
      CHECK_NEAR(m.solution.v[6 * i + 1], 1.2 - 0.6 * mu * fall, 1e-9);
    }
    made_free(&m);
  }
}

// Bodies that do not turn make hinges whose rows have nothing to act on at one of their bodies.
TEST(bodies_that_do_not_turn) {
  Made m = made(0.5);
  for (int i = 0; i < 6; i++) {
    if (i % 2)
      made_body(&m, v3(i + 0.5, 0, 0), 1, 0, 0, 0);
    else
      chain_rod(&m, v3(i + 0.5, 0, 0), 1);
    if (i > 0)
      chain_joint(&m, i, i - 1, v3(i, 0, 0), 5);
  }
  made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  made_contact(&m, 5, -1, v3(6, 0, 0), v3(0, 0, 1));
  rgSolveReport report = solve(&m, 1e-10, 1000);
  CHECK(report.certificate.met);
  CHECK_MSG(report.iterations <= 20, "%d steps", report.iterations);
  // hinges about z let nothing sag: all come to rest, and the two ends carry the weight
  CHECK_REL(m.solution.r[0] + m.solution.r[4], 6 * made_gravity * made_step, 1e-9);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(m.solution.v[6 * i + 2], 0, 1e-9);
  made_free(&m);
}

// A square of hinges about z, of which three rows depend on the others: it falls on one corner
// after the other, and the rows that say the same twice do no harm.
TEST(a_closed_loop_with_redundant_rows) {
  Made m = made(0.5);
  const rgVec3 corners[4] = {v3(0, 0, 0), v3(1, 0, 0), v3(1, 1, 0), v3(0, 1, 0)};
  for (int i = 0; i < 4; i++) {
    rgVec3 middle = v3_scale(v3_add(corners[i], corners[(i + 1) % 4]), 0.5);
    made_body(&m, middle, 1, 0.1, 0.1, 0.1);
  }
  for (int i = 0; i < 4; i++)
    chain_joint(&m, (i + 1) % 4, i, corners[(i + 1) % 4], 5);
  for (int i = 0; i < 4; i++)
    made_contact(&m, i, -1, corners[i], v3(0, 0, 1));
  rgSolveReport report = solve(&m, 1e-8, 1000);
  CHECK(report.certificate.met);
  CHECK_MSG(report.iterations <= 20, "%d steps", report.iterations);
  double weight = m.solution.r[0] + m.solution.r[4] + m.solution.r[8] + m.solution.r[12];
  CHECK_REL(weight, 4 * made_gravity * made_step, 1e-7);
  made_free(&m);
}
