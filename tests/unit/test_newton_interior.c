// The interior-point method inside newton: cold starts of problems that slide, with rows and
// without.
#include "sweep/problems.h"
#include "test.h"

static rgSolveReport solve(Made* m, const char* solver, double tolerance, int limit) {
  made_ready(m, solver);
  rgStop stop = {.tolerance = tolerance, .iteration_limit = limit};
  rgSolveReport report;
  rgMessage message;
  rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, &message);
  return report;
}

// Thrown together, everything slides. Statuses need not be guessed one after the other: about
// twenty steps in the mean, where methods that guess take more than a hundred.
TEST(thrown_piles_are_solved_in_few_steps) {
  enum { PILES = 20 };
  int steps = 0;
  for (uint64_t k = 1; k <= PILES; k++) {
    Made m = made_pile(4, 4, 3, 0.3);
    uint64_t seed = k;
    for (int i = 0; i < m.problem.body_count; i++) {
      rgVec3 throw = v3_sub(made_vector(&seed), v3(0.5, 0.5, 1));
      m.bodies[i].v_free.linear = v3_add(m.bodies[i].v_free.linear, throw);
    }
    rgSolveReport report = solve(&m, "newton", 1e-8, 10000);
    CONTEXT("pile %d", (int)k);
    CHECK(report.certificate.met);
    steps += report.iterations;
    made_free(&m);
  }
  CHECK_MSG(steps <= 40 * PILES, "%d steps for %d piles", steps, (int)PILES);
}

// A box on the ground and a row that drives it sideways at 1 m/s with at most `most` of impulse.
static Made driven(double most, double mu) {
  Made m = made_stack(1, 1, mu);
  rgProblemRow* row = made_row(&m, 0, -1);
  row->g_a.linear = v3(1, 0, 0);
  row->bias = -1;
  row->lower = -most;
  row->upper = most;
  return m;
}

// Below the friction that holds the box it stays; above, the surplus moves it: v = (most - mu m g
// h) / m, until the target is reached.
TEST(bounded_rows_beside_contacts) {
  double weight = made_gravity * made_step, mu = 0.5;
  const double part[] = {0.5, 0.9, 1.2, 3};
  for (int i = 0; i < 4; i++) {
    double most = part[i] * mu * weight;
    Made m = driven(most, mu);
    rgSolveReport report = solve(&m, "newton", 1e-10, 1000);
    CONTEXT("bound %g of the friction", part[i]);
    CHECK(report.certificate.met);
    CHECK_NEAR(m.solution.v[0], fmax(0, most - mu * weight), 1e-9);
    CHECK_NEAR(m.solution.lambda[0], most, 1e-9);
    made_free(&m);
  }
  Made m = driven(10, mu);
  rgSolveReport report = solve(&m, "newton", 1e-10, 1000);
  CHECK(report.certificate.met);
  CHECK_NEAR(m.solution.v[0], 1, 1e-9);
  CHECK_NEAR(m.solution.lambda[0], 1 + mu * weight, 1e-9);
  made_free(&m);
}

// A one-sided row: a stop that the box is thrown at.
TEST(one_sided_rows_beside_contacts) {
  double weight = made_gravity * made_step, mu = 0.5;
  Made m = made_stack(1, 1, mu);
  m.bodies[0].v_free.linear.x = 2;
  rgProblemRow* row = made_row(&m, 0, -1);
  row->g_a.linear = v3(-1, 0, 0);
  row->bias = 0.5; // may move on with 0.5 m/s
  row->lower = 0;
  rgSolveReport report = solve(&m, "newton", 1e-10, 1000);
  CHECK(report.certificate.met);
  CHECK_NEAR(m.solution.v[0], 0.5, 1e-9);
  CHECK_NEAR(m.solution.lambda[0], 1.5 - mu * weight, 1e-9);
  made_free(&m);
}

// An equation that moves nothing is not one for the solver: what slides beside it is solved.
TEST(equations_that_move_nothing_change_nothing) {
  const char* const solvers[] = {"newton", "auto"};
  for (int k = 0; k < 6; k++) {
    Made m = made_thrown((uint64_t)(21 + k));
    rgProblemRow* row = made_row(&m, k % 3 ? 0 : -1, -1);
    row->lower = -HUGE_VAL;
    row->upper = HUGE_VAL;
    if (k % 3 == 1) { // a body that cannot turn
      m.bodies[0].inverse_inertia = (rgMat3){0};
      m.bodies[0].v_free.angular = v3_zero();
      row->g_a.angular = v3(1, 0, 0);
    }
    rgSolveReport report = solve(&m, solvers[k / 3], 1e-8, 10000);
    CONTEXT("%s, row %d", solvers[k / 3], k % 3);
    CHECK(report.certificate.met);
    made_free(&m);
  }
}
// Balls of mass m in a column. The ground throws the lowest, which falls at 1 m/s, up at 1 m/s; the others rest in the air
// without weight, each touching the next. The free motion opens the contact above the lowest, so that a warm start leaves it
// out, and the answer closes it: all balls go up at 1 m/s, and contact k carries the momentum of the balls above it,
// the ground 2 m for the lowest besides.
TEST(what_a_warm_start_leaves_out_is_taken_in_again) {
  enum { MOST = 6 };
  const double mu[] = {0, 0.4}, mass[] = {1, 50};
  for (int i = 0; i < 4 * (MOST - 1); i++) {
    int count = 2 + i / 4;
    double m = mass[i % 2];
    rgProblemBody bodies[MOST];
    rgProblemContact contacts[MOST];
    double v[6 * MOST], r[4 * MOST] = {0};
    memset(bodies, 0, sizeof bodies);
    memset(contacts, 0, sizeof contacts);
    for (int k = 0; k < count; k++) {
      double turn = 2.5 / m; // 1 / (0.4 m 1^2), a ball of radius 1
      bodies[k].inverse_mass = 1 / m;
      bodies[k].inverse_inertia = (rgMat3){{{turn, 0, 0}, {0, turn, 0}, {0, 0, turn}}};
      bodies[k].v_free.linear = v3(0, 0, k == 0 ? -1 : 0);
      contacts[k] = (rgProblemContact){.body_a = k,
                                       .body_b = k - 1,
                                       .n = {0, 0, 1},
                                       .t = {1, 0, 0},
                                       .o = {0, 1, 0},
                                       .arm_a = {0, 0, -1},
                                       .arm_b = {0, 0, 1},
                                       .bias = {k == 0 ? -1 : 0},
                                       .cone = RG_CONE_DISK,
                                       .mu = mu[i / 2 % 2]};
    }
    rgProblem problem = {.dimension = 3,
                         .body_count = count,
                         .contact_count = count,
                         .bodies = bodies,
                         .contacts = contacts};
    rgSolution solution = {.v = v, .r = r};
    rgStop stop = {.tolerance = 1e-10, .iteration_limit = 400};
    rgSolveReport report;
    void* work = malloc(rg_solve_work_size(&problem, "newton"));
    rg_solve(&problem, "newton", "warm=0.01", &stop, &solution, work, &report, NULL);
    free(work);
    CONTEXT("%d balls of %g kg, mu %g", count, m, mu[i / 2 % 2]);
    CHECK(report.certificate.met);
    // The residual is 1e-10 of the 2 m/s by which the free motion misses; errors add up along the column.
    for (int k = 0; k < count; k++) {
      CHECK_NEAR(v[6 * k + 2], 1, 1e-8);
      CHECK_NEAR(r[4 * k] / m, count - k + (k == 0 ? 1 : 0), 1e-8);
    }
  }
}
