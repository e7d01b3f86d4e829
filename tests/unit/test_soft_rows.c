// Soft rows: every solver that takes them gives the motion of implicit springs, and bounds hold.
#include "solve/solver.h"
#include "support/dense.h"
#include "sweep/problems.h"
#include "test.h"

static const double TOLERANCE = 1e-10;

static rgTwist random_twist(uint64_t* seed) {
  rgVec3 half = v3(0.5, 0.5, 0.5), x = made_vector(seed), y = made_vector(seed);
  return (rgTwist){v3_sub(x, half), v3_sub(y, half)};
}

// A row with random coefficients between two bodies (b may be -1).
static rgProblemRow* random_row(Made* m, int a, int b, uint64_t* seed) {
  rgProblemRow* row = made_row(m, a, b);
  row->g_a = random_twist(seed);
  row->g_b = random_twist(seed);
  row->bias = made_random(seed) - 0.5;
  return row;
}

static Made random_bodies(int count, uint64_t* seed) {
  Made m = made(0.5);
  for (int i = 0; i < count; i++) {
    made_body(&m, v3_zero(), 1 + made_random(seed), 0.1 + made_random(seed),
              0.1 + made_random(seed), 0.1 + made_random(seed));
    m.bodies[i].v_free = random_twist(seed);
  }
  return m;
}

// Solves with every solver that accepts and hands each answer to `look`.
static void with_every_solver(Made* m, void (*look)(const Made* m, const void* expected),
                              const void* expected) {
  for (int s = 0; rg_solver_at(s); s++) {
    const rgSolver* solver = rg_solver_at(s);
    if (solver->accepts(&m->problem, NULL) != RG_OK)
      continue;
    CONTEXT("solver %s", solver->name);
    Made copy = *m;
    made_ready(&copy, solver->name);
    rgStop stop = rg_stop_default();
    stop.tolerance = TOLERANCE;
    stop.iteration_limit = 100000;
    rgSolveReport report;
    rgMessage message;
    rgStatus status = rg_solve(&copy.problem, solver->name, NULL, &stop, &copy.solution, copy.work,
                               &report, &message);
    CHECK_MSG(status == RG_OK, "%s", message.text);
    rgCertificate certificate;
    rg_problem_certify(&copy.problem, &copy.solution, TOLERANCE, &certificate);
    CHECK(certificate.met);
    look(&copy, expected);
    free(copy.solution.v);
    free(copy.solution.r);
    free(copy.solution.lambda);
    free(copy.work);
  }
}

// --- springs ---

enum { SPRINGS = 4, MOVING = 3, SIZE = 6 * MOVING };

static void compare_velocities(const Made* m, const void* expected) {
  const double* v = expected;
  for (int i = 0; i < SIZE; i++)
    CHECK_NEAR(m->solution.v[i], v[i], 1e-8);
}

// m += s g g', b -= t g for the coefficients of a row as a dense vector.
static void add_spring(const rgProblemRow* row, double s, double t, double* matrix, double* b) {
  double g[SIZE] = {0};
  rg_body_add(g, row->body_a, 1, row->g_a.linear, row->g_a.angular);
  rg_body_add(g, row->body_b, 1, row->g_b.linear, row->g_b.angular);
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++)
      matrix[i * SIZE + j] += s * g[i] * g[j];
    b[i] -= t * g[i];
  }
}

// Springs with stiffness k, damping c and stretch s are the step
//     (M + (h^2 k + h c) G'G) v = M v_free - h k G' s.
TEST(soft_rows_are_implicit_springs) {
  const double h = 0.01;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    uint64_t state = seed;
    Made m = random_bodies(MOVING, &state);
    double matrix[SIZE * SIZE] = {0}, b[SIZE] = {0}, v[SIZE];
    for (int i = 0; i < MOVING; i++) {
      const rgProblemBody* body = &m.bodies[i];
      const double free[6] = {body->v_free.linear.x,  body->v_free.linear.y,
                              body->v_free.linear.z,  body->v_free.angular.x,
                              body->v_free.angular.y, body->v_free.angular.z};
      for (int k = 0; k < 6; k++) {
        double mass = 1 / (k < 3 ? body->inverse_mass : body->inverse_inertia.m[k - 3][k - 3]);
        matrix[(6 * i + k) * (SIZE + 1)] = mass;
        b[6 * i + k] = mass * free[k];
      }
    }
    for (int i = 0; i < SPRINGS; i++) {
      double stiffness = 1e4 * made_random(&state), damping = 10 * made_random(&state),
             stretch = made_random(&state) - 0.5;
      rgProblemRow* row = random_row(&m, i % MOVING, i < MOVING ? i - 1 : 0, &state);
      row->compliance = 1 / (h * (h * stiffness + damping));
      row->bias = stiffness * stretch / (h * stiffness + damping);
      add_spring(row, h * h * stiffness + h * damping, h * stiffness * stretch, matrix, b);
    }
    REQUIRE_INT(dense_solve(SIZE, matrix, b, 1e-14, v), SIZE);
    with_every_solver(&m, compare_velocities, v);
    made_free(&m);
  }
}

// --- bounds ---

enum { ROWS = 5 };

static void compare_impulses(const Made* m, const void* expected) {
  const double* lambda = expected;
  for (int i = 0; i < ROWS; i++)
    CHECK_NEAR(m->solution.lambda[i], lambda[i], 1e-7);
}

// Solves with each row between its bounds (0), at the lower (1) or at the upper (2) one; true when
// the law holds. A positive definite matrix has exactly one such answer.
static bool try_choice(const Dense* dense, const Made* m, int choice, double* lambda) {
  double a[ROWS * ROWS], b[ROWS], w[ROWS];
  int at[ROWS];
  for (int i = 0; i < ROWS; i++, choice /= 3)
    at[i] = choice % 3;
  for (int i = 0; i < ROWS; i++) {
    b[i] = at[i] == 0 ? -dense->b[i] : at[i] == 1 ? m->rows[i].lower : m->rows[i].upper;
    if (isinf(b[i]))
      return false;
    for (int j = 0; j < ROWS; j++)
      a[i * ROWS + j] = at[i] == 0 ? dense->a[i * ROWS + j] : i == j;
  }
  dense_solve(ROWS, a, b, 1e-14, lambda);
  for (int i = 0; i < ROWS; i++) {
    w[i] = dense->b[i];
    for (int j = 0; j < ROWS; j++)
      w[i] += dense->a[i * ROWS + j] * lambda[j];
    bool inside = lambda[i] >= m->rows[i].lower && lambda[i] <= m->rows[i].upper;
    if ((at[i] == 0 && !inside) || (at[i] == 1 && w[i] < 0) || (at[i] == 2 && w[i] > 0))
      return false;
  }
  return true;
}

// Rigid and soft rows with bounds on both, one and no side against all choices of who is at a
// bound.
TEST(bounded_soft_rows_are_the_one_choice_that_obeys_the_law) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    uint64_t state = 1000 + seed;
    Made m = random_bodies(MOVING, &state);
    for (int i = 0; i < ROWS; i++) {
      rgProblemRow* row = random_row(&m, i % MOVING, (i + 1) % MOVING, &state);
      row->compliance = i % 2 ? 2 * made_random(&state) : 0;
      if (i > 0)
        row->lower = -0.2 * made_random(&state);
      if (i > 1)
        row->upper = row->lower + 0.3 * made_random(&state);
    }
    Dense dense = dense_of(&m.problem);
    double lambda[ROWS];
    int choice = 0, all = 3 * 3 * 3 * 3 * 3;
    while (choice < all && !try_choice(&dense, &m, choice, lambda))
      choice++;
    REQUIRE(choice < all);
    with_every_solver(&m, compare_impulses, lambda);
    dense_free(&dense);
    made_free(&m);
  }
}

static void compare_first(const Made* m, const void* expected) {
  CHECK_NEAR(m->solution.lambda[0], *(const double*)expected, 1e-9);
}

// A soft row whose bodies do not move still has its impulse: w = bias + compliance lambda = 0.
TEST(a_soft_row_on_held_bodies_carries_its_load) {
  Made m = made(0);
  made_body(&m, v3_zero(), 0, 0, 0, 0);
  m.bodies[0].v_free = (rgTwist){v3_zero(), v3_zero()};
  rgProblemRow* row = made_row(&m, 0, -1);
  row->g_a.linear = v3(1, 0, 0);
  row->bias = 3;
  row->compliance = 0.5;
  double expected = -6;
  with_every_solver(&m, compare_first, &expected);
  made_free(&m);
}

// A weight on a soft row next to one a million times stiffer, both as springs in a line.
TEST(stiff_and_soft_rows_share_a_load) {
  Made m = made(0);
  made_body(&m, v3_zero(), 1, 1, 1, 1);
  for (int i = 0; i < 2; i++) {
    rgProblemRow* row = made_row(&m, 0, -1);
    row->g_a.linear = v3(0, 0, 1);
    row->compliance = i == 0 ? 1e-3 : 1e3;
  }
  // v = v_free + l0 + l1, v + c0 l0 = v + c1 l1 = 0
  double v = -made_gravity * made_step / (1 + 1 / 1e-3 + 1 / 1e3), expected = -v / 1e-3;
  with_every_solver(&m, compare_first, &expected);
  made_free(&m);
}
