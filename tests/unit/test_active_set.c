// The solvers that exchange contacts and rows in and out of a set (dantzig, wilhelmsen, and lemke
// where there is no friction): they agree with each other, with others, and with trying all sets.
#include "math/cholesky.h"
#include "problem/operator.h"
#include "solve/solver.h"
#include "sweep/problems.h"
#include "test.h"

static const struct {
  const char *solver, *options;
} variants[] = {
    {"lemke", NULL},
    {"dantzig", NULL},
    {"dantzig", "incremental=0"},
    {"dantzig", "sparse=0"},
    {"dantzig", "sparse=0,incremental=0"},
    {"wilhelmsen", NULL},
    {"wilhelmsen", "incremental=0"},
    {"wilhelmsen", "sparse=0"},
    {"wilhelmsen", "sparse=0,incremental=0"},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static rgSolveReport solve(Made* m, const char* solver, const char* options, double tolerance) {
  if (m->work) {
    free(m->work);
    m->work_size = rg_solve_work_size(&m->problem, solver);
    m->work = malloc(m->work_size);
    memset(m->solution.r, 0, 4 * (size_t)m->problem.contact_count * sizeof(double));
    memset(m->solution.lambda, 0, (size_t)m->problem.row_count * sizeof(double));
  } else {
    made_ready(m, solver);
  }
  memset(m->work, 0xff, m->work_size);
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 200000;
  rgSolveReport report;
  rgMessage message = {""};
  rg_solve(&m->problem, solver, options, &stop, &m->solution, m->work, &report, &message);
  return report;
}

// All variants on one problem: certificate, and velocities equal to those of `reference`.
static void check_all(Made* m, const char* reference, double tolerance) {
  size_t count = 6 * (size_t)m->problem.body_count;
  double* v = malloc((count + 1) * sizeof(double));
  rgSolveReport report = solve(m, reference, NULL, tolerance);
  CHECK_MSG(report.status == RG_OK, "%s: residual %g", reference, report.certificate.residual);
  memcpy(v, m->solution.v, count * sizeof(double));
  double scale = rg_problem_scale(&m->problem);
  for (int k = 0; k < VARIANTS; k++) {
    report = solve(m, variants[k].solver, variants[k].options, tolerance);
    const char* options = variants[k].options ? variants[k].options : "";
    CHECK_MSG(report.status == RG_OK, "%s %s: %s, residual %g after %d iterations",
              variants[k].solver, options, rg_status_name(report.status),
              report.certificate.residual, report.iterations);
    double worst = 0;
    for (size_t i = 0; i < count; i++)
      worst = fmax(worst, fabs(m->solution.v[i] - v[i]));
    CHECK_MSG(worst <= 1e-7 * scale, "%s %s: velocities differ by %g of %g", variants[k].solver,
              options, worst, scale);
  }
  free(v);
}

static Made smooth(Made m) {
  for (int i = 0; i < m.problem.contact_count; i++)
    m.contacts[i].cone = RG_CONE_FRICTIONLESS;
  return m;
}

// --- factor ---

// Rows appended and removed at random: L L' stays the matrix of the rows that are left.
TEST(factor_follows_the_rows) {
  enum { N = 30 };
  double basis[N][N], matrix[N][N];
  uint64_t seed = 11;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      basis[i][j] = 2 * made_random(&seed) - 1 + (i == j) * 2;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      matrix[i][j] = rg_dot(basis[i], basis[j], N);
  rgCarver carver = {NULL, 0};
  rgCholesky factor;
  rg_cholesky_carve(&factor, N, &carver);
  carver = (rgCarver){malloc(carver.used), 0};
  rg_cholesky_carve(&factor, N, &carver);
  int member[N], count = 0;
  for (int step = 0; step < 400; step++) {
    int i = (int)(N * made_random(&seed)), at = -1;
    for (int k = 0; k < count; k++)
      at = member[k] == i ? k : at;
    if (at >= 0) {
      rg_cholesky_remove(&factor, at);
      memmove(member + at, member + at + 1, (size_t)(--count - at) * sizeof(int));
    } else {
      double row[N];
      for (int k = 0; k < count; k++)
        row[k] = matrix[i][member[k]];
      rg_cholesky_append(&factor, row, rg_cholesky_pivot(&factor, row, matrix[i][i]));
      member[count++] = i;
    }
    REQUIRE_INT(factor.count, count);
    double x[N], b[N];
    for (int k = 0; k < count; k++)
      x[k] = b[k] = 2 * made_random(&seed) - 1;
    rg_cholesky_solve(&factor, x);
    for (int k = 0; k < count; k++) {
      double sum = -b[k];
      for (int l = 0; l < count; l++)
        sum += matrix[member[k]][member[l]] * x[l];
      CHECK_NEAR(sum, 0, 1e-11);
    }
  }
  free(carver.base);
}

// --- all sets ---

// Least of |v - v_free|^2 over { g_i . v + b_i >= 0 } for one body of unit mass and inertia, by
// trying all sets of constraints that hold with equality; m <= 5.
static bool nearest_by_trial(const double (*g)[6], const double* b, int m, const double* free_v,
                             double* best_v) {
  double best = HUGE_VAL;
  for (int set = 0; set < 1 << m; set++) {
    double a[5][6], x[5];
    int of[5], k = 0;
    for (int i = 0; i < m; i++)
      if (set >> i & 1)
        of[k++] = i;
    for (int i = 0; i < k; i++) { // G_C G_C' x = -(G_C v_free + b_C)
      for (int j = 0; j < k; j++)
        a[i][j] = rg_dot(g[of[i]], g[of[j]], 6);
      a[i][k] = -b[of[i]] - rg_dot(g[of[i]], free_v, 6);
    }
    bool singular = false;
    for (int p = 0; p < k; p++) {
      singular = singular || fabs(a[p][p]) < 1e-9;
      for (int i = p + 1; i < k && !singular; i++)
        for (int j = k; j >= p; j--)
          a[i][j] -= a[i][p] / a[p][p] * a[p][j];
    }
    if (singular)
      continue;
    for (int p = k - 1; p >= 0; p--) {
      x[p] = a[p][k];
      for (int j = p + 1; j < k; j++)
        x[p] -= a[p][j] * x[j];
      x[p] /= a[p][p];
    }
    double v[6], distance = 0;
    bool feasible = true;
    for (int c = 0; c < 6; c++) {
      v[c] = free_v[c];
      for (int i = 0; i < k; i++)
        v[c] += g[of[i]][c] * x[i];
      distance += (v[c] - free_v[c]) * (v[c] - free_v[c]);
    }
    for (int i = 0; i < m; i++)
      feasible = feasible && rg_dot(g[i], v, 6) + b[i] >= -1e-10;
    if (feasible && distance < best) {
      best = distance;
      memcpy(best_v, v, sizeof v);
    }
  }
  return best < HUGE_VAL;
}

// Redon et al. 2002, eq. 4 and 6 are the same projection: of the unconstrained acceleration on { J a >= c }, and
// of the velocity before an impact on { J v >= -e J v_before }.
TEST(accelerations_and_impacts_are_nearest_points) {
  uint64_t seed = 3;
  for (int k = 0; k < 60; k++) {
    bool impact = k % 2;
    int m = 1 + k % 5;
    double g[5][6], b[5], before[6], expected[6] = {0};
    Made made_problem = made(0);
    made_body(&made_problem, v3(0, 0, 0), 1, 1, 1, 1);
    for (int c = 0; c < 6; c++)
      before[c] = 2 * made_random(&seed) - 1;
    made_problem.bodies[0].v_free =
        (rgTwist){v3(before[0], before[1], before[2]), v3(before[3], before[4], before[5])};
    for (int i = 0; i < m; i++) {
      for (int c = 0; c < 6; c++)
        g[i][c] = 2 * made_random(&seed) - 1;
      double speed = rg_dot(g[i], before, 6);
      b[i] = impact ? 0.7 * fmin(speed, 0) : 0.5 - made_random(&seed); // e u-, or -c
      rgProblemRow* row = made_row(&made_problem, 0, -1);
      row->g_a = (rgTwist){v3(g[i][0], g[i][1], g[i][2]), v3(g[i][3], g[i][4], g[i][5])};
      row->bias = b[i];
      row->lower = 0;
    }
    CONTEXT("problem %d", k);
    if (nearest_by_trial((const double(*)[6])g, b, m, before, expected))
      for (int s = 0; s < VARIANTS; s++) {
        solve(&made_problem, variants[s].solver, variants[s].options, 1e-12);
        for (int c = 0; c < 6; c++)
          CHECK_NEAR(made_problem.solution.v[c], expected[c], 1e-9);
      }
    made_free(&made_problem);
  }
}

// --- agreement ---

TEST(redundant_contacts_of_boxes) {
  Made problems[] = {smooth(made_stack(6, 20, 0)), smooth(made_pyramid(5, 0)),
                     smooth(made_table(20, 0))};
  for (int k = 0; k < 3; k++) {
    CONTEXT("problem %d", k);
    // something to do: every body is pushed and turned
    uint64_t seed = (uint64_t)k + 1;
    for (int i = 0; i < problems[k].problem.body_count; i++) {
      rgVec3 x = made_vector(&seed), y = made_vector(&seed);
      problems[k].bodies[i].v_free.linear = v3_sub(x, v3(0.5, 0.5, 1));
      problems[k].bodies[i].v_free.angular = v3_sub(y, v3(0.5, 0.5, 0.5));
    }
    check_all(&problems[k], "newton", 1e-9);
    made_free(&problems[k]);
  }
}

TEST(piles_of_spheres) {
  Made m = smooth(made_pile(3, 3, 4, 0));
  check_all(&m, "newton", 1e-9);
  made_free(&m);
}

TEST(masses_in_the_ratio_of_a_million) {
  for (int k = 0; k < 2; k++) {
    Made m = smooth(made_stack(2, k ? 1e6 : 1e-6, 0));
    m.bodies[1].v_free.linear.z = -1;
    CONTEXT("ratio %g", k ? 1e6 : 1e-6);
    check_all(&m, "lemke", 1e-9);
    // the lower box stays, the upper one stops
    CHECK_NEAR(m.solution.v[2], 0, 1e-9);
    CHECK_NEAR(m.solution.v[8], 0, 1e-9);
    double load = 0;
    for (int i = 0; i < 4; i++)
      load += m.solution.r[4 * i];
    CHECK_REL(load, m.masses[1] + made_gravity * made_step, 1e-9);
    made_free(&m);
  }
}

// Fifty bodies on ball joints, hung up at one end, each held up by a motor of limited strength and
// by the ground.
static Made chain(int count, bool twice) {
  Made m = made(0);
  const rgVec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  for (int i = 0; i < count; i++) {
    made_box(&m, v3(i, 0, 0.1), 0.9, 0.2, 0.2, 1 + i % 3);
    for (int k = 0; k < (twice ? 6 : 3); k++) {
      rgProblemRow* row = made_row(&m, i, i - 1);
      row->g_a = (rgTwist){axes[k % 3], v3_cross(v3(-0.5, 0, 0), axes[k % 3])};
      if (i > 0)
        row->g_b = (rgTwist){v3_neg(axes[k % 3]), v3_neg(v3_cross(v3(0.5, 0, 0), axes[k % 3]))};
    }
    rgProblemRow* motor = made_row(&m, i, -1);
    motor->g_a.angular = v3(0, 1, 0);
    motor->lower = -0.02;
    motor->upper = 0.02;
    motor->compliance = i % 2 ? 0 : 1e-3;
    if (i >= count / 2)
      made_face(&m, i, -1, i - 0.45, i + 0.45, -0.1, 0.1, 0);
  }
  return smooth(m);
}

TEST(chain_of_fifty_bodies_with_motors) {
  Made m = chain(50, false);
  check_all(&m, "newton", 1e-9);
  made_free(&m);
}

TEST(joints_given_twice) {
  Made m = chain(8, true);
  check_all(&m, "lemke", 1e-9);
  made_free(&m);
}

TEST(contradictions_are_reported) {
  for (int k = 0; k < VARIANTS; k++)
    for (int bounded = 0; bounded < 2; bounded++) {
      Made m = made(0);
      made_box(&m, v3(0, 0, 0), 1, 1, 1, 1);
      for (int i = 0; i < 2; i++) {
        rgProblemRow* row = made_row(&m, 0, -1);
        row->g_a.linear = v3(i ? -1 : 1, 0, 0);
        row->bias = -1; // v_x >= 1 and v_x <= -1, or both equal
        row->lower = bounded ? 0 : -HUGE_VAL;
      }
      CONTEXT("%s %s, %s rows", variants[k].solver, variants[k].options ? variants[k].options : "",
              bounded ? "bounded" : "free");
      rgSolveReport report = solve(&m, variants[k].solver, variants[k].options, 1e-8);
      bool lemke = strcmp(variants[k].solver, "lemke") == 0;
      // lemke drops a joint that follows from another, and leaves the verdict to the certificate
      CHECK_INT(report.status, lemke && !bounded ? RG_NOT_CONVERGED : RG_NO_SOLUTION);
      made_free(&m);
    }
}

// Impulses of the smallest and largest size, and one that is given.
TEST(rows_keep_their_bounds) {
  const struct {
    double free, lower, upper, lambda;
  } cases[] = {{-1, 0, HUGE_VAL, 2}, {1, 0, HUGE_VAL, 0},  {1, -HUGE_VAL, 0, -2},
               {-1, -0.5, 0.5, 0.5}, {1, -0.5, 0.5, -0.5}, {0.1, -0.5, 0.5, -0.2},
               {1, 0.7, 0.7, 0.7},   {1, 0.5, 0.9, 0.5},   {-1, -HUGE_VAL, HUGE_VAL, 2},
               {-1, 1, 5, 2},        {-1, 3, HUGE_VAL, 3}, {1, -9, -1, -2}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
    for (int k = 0; k < VARIANTS; k++) {
      Made m = made(0);
      made_box(&m, v3(0, 0, 0), 1, 1, 1, 2);
      m.bodies[0].v_free.linear = v3(cases[c].free, 0, 0);
      rgProblemRow* row = made_row(&m, 0, -1);
      row->g_a.linear = v3(1, 0, 0);
      row->lower = cases[c].lower;
      row->upper = cases[c].upper;
      CONTEXT("case %d, %s", (int)c, variants[k].solver);
      CHECK_INT(solve(&m, variants[k].solver, variants[k].options, 1e-12).status, RG_OK);
      CHECK_NEAR(m.solution.lambda[0], cases[c].lambda, 1e-12);
      made_free(&m);
    }
}

TEST(friction_is_refused) {
  Made m = made(0.4);
  made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 1);
  made_face(&m, 0, -1, -0.5, 0.5, -0.5, 0.5, 0);
  rgMessage message;
  CHECK_INT(rg_solver_find("dantzig")->accepts(&m.problem, &message), RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "dantzig takes contacts without friction only, contact 0 has mu = 0.4");
  CHECK_INT(rg_solver_find("wilhelmsen")->accepts(&m.problem, &message), RG_ERROR_UNSUPPORTED);
  made_free(&m);
}

// Millimetres and grams.
TEST(units_do_not_matter) {
  Made a = smooth(made_pyramid(4, 0)), b = smooth(made_pyramid(4, 0));
  uint64_t seed = 5;
  for (int i = 0; i < a.problem.body_count; i++) {
    a.bodies[i].v_free.linear = v3_sub(made_vector(&seed), v3(0.5, 0.5, 1));
    rgProblemBody* body = &b.bodies[i];
    body->inverse_mass *= 1e-3;
    body->inverse_inertia = m3_scale(&body->inverse_inertia, 1e-9);
    body->v_free.linear = v3_scale(a.bodies[i].v_free.linear, 1e3);
  }
  for (int i = 0; i < b.problem.contact_count; i++) {
    b.contacts[i].arm_a = v3_scale(b.contacts[i].arm_a, 1e3);
    b.contacts[i].arm_b = v3_scale(b.contacts[i].arm_b, 1e3);
  }
  for (int k = 0; k < VARIANTS; k++) {
    CONTEXT("%s %s", variants[k].solver, variants[k].options ? variants[k].options : "");
    CHECK_INT(solve(&a, variants[k].solver, variants[k].options, 1e-10).status, RG_OK);
    CHECK_INT(solve(&b, variants[k].solver, variants[k].options, 1e-10).status, RG_OK);
    for (int i = 0; i < 6 * a.problem.body_count; i++)
      CHECK_NEAR(b.solution.v[i] * (i % 6 < 3 ? 1e-3 : 1), a.solution.v[i], 1e-9);
  }
  made_free(&a);
  made_free(&b);
}
