// The mixed complementarity solver on problems of the literature and on problems with known
// answers.
#include "test.h"

#include "base/random.h"
#include <rigor/mcp.h>

static rgStatus run(const rgMcp* problem, double* x, rgMcpReport* report) {
  void* work = malloc(rg_mcp_work_size(problem));
  REQUIRE(work != NULL);
  rgMcpStop stop = rg_mcp_stop_default();
  rgMessage message;
  rgStatus status = rg_mcp_solve(problem, &stop, x, work, report, &message);
  free(work);
  return status;
}

static const double zeros[4] = {0, 0, 0, 0};
static const double infinite[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};

// Kojima, Shindo 1986: solutions (sqrt(6)/2, 0, 0, 1/2) and (1, 0, 3, 0), the first degenerate.
static void kojima(void* context, const double* x, double* f) {
  (void)context;
  f[0] = 3 * x[0] * x[0] + 2 * x[0] * x[1] + 2 * x[1] * x[1] + x[2] + 3 * x[3] - 6;
  f[1] = 2 * x[0] * x[0] + x[0] + x[1] * x[1] + 10 * x[2] + 2 * x[3] - 2;
  f[2] = 3 * x[0] * x[0] + x[0] * x[1] + 2 * x[1] * x[1] + 2 * x[2] + 9 * x[3] - 9;
  f[3] = x[0] * x[0] + 3 * x[1] * x[1] + 2 * x[2] + 3 * x[3] - 3;
}

static void kojima_slope(void* context, const double* x, double* j) {
  (void)context;
  const double columns[16] = {6 * x[0] + 2 * x[1],
                              4 * x[0] + 1,
                              6 * x[0] + x[1],
                              2 * x[0],
                              2 * x[0] + 4 * x[1],
                              2 * x[1],
                              x[0] + 4 * x[1],
                              6 * x[1],
                              1,
                              10,
                              2,
                              2,
                              3,
                              2,
                              9,
                              3};
  memcpy(j, columns, sizeof columns);
}

TEST(kojima_shindo_from_many_starts) {
  const rgMcp problem = {
      .count = 4, .lower = zeros, .upper = infinite, .function = kojima, .jacobian = kojima_slope};
  uint64_t seed = 5;
  for (int k = 0; k < 50; k++) {
    double x[4];
    for (int i = 0; i < 4; i++)
      x[i] = k == 0 ? 0 : 4 * rg_random_unit(&seed);
    CONTEXT("start %d", k);
    rgMcpReport report;
    REQUIRE_INT(run(&problem, x, &report), RG_OK);
    bool first = x[3] > 0.25;
    // at the degenerate one an error of 1e-10 in F is one of 1e-5 in x where F and x both vanish
    CHECK_NEAR(x[0], first ? sqrt(6) / 2 : 1, 1e-5);
    CHECK_NEAR(x[1], 0, 1e-5);
    CHECK_NEAR(x[2], first ? 0 : 3, 1e-5);
    CHECK_NEAR(x[3], first ? 0.5 : 0, 1e-5);
  }
}

// Josephy 1979: the first, second and fourth function of Kojima and Shindo, another third;
// the solution is (sqrt(6)/2, 0, 0, 1/2) alone.
static void josephy(void* context, const double* x, double* f) {
  kojima(context, x, f);
  f[2] = 3 * x[0] * x[0] + x[0] * x[1] + 2 * x[1] * x[1] + 2 * x[2] + 3 * x[3] - 1;
}

static void josephy_slope(void* context, const double* x, double* j) {
  kojima_slope(context, x, j);
  j[14] = 3;
}

TEST(josephy) {
  const rgMcp problem = {.count = 4,
                         .lower = zeros,
                         .upper = infinite,
                         .function = josephy,
                         .jacobian = josephy_slope};
  double x[4] = {1, 1, 1, 1};
  rgMcpReport report;
  REQUIRE_INT(run(&problem, x, &report), RG_OK);
  CHECK_NEAR(x[0], sqrt(6) / 2, 1e-8);
  CHECK_NEAR(x[1], 0, 1e-8);
  CHECK_NEAR(x[2], 0, 1e-8);
  CHECK_NEAR(x[3], 0.5, 1e-8);
}

// Murty 1988: M upper triangular, 1 on the diagonal and 2 above, q = -1. Pivoting takes 2^n steps,
// the solution is (0, ..., 0, 1).
enum { MURTY = 64 };
static void murty(void* context, const double* x, double* f) {
  (void)context;
  double sum = 0;
  for (int i = MURTY - 1; i >= 0; i--) {
    f[i] = x[i] + 2 * sum - 1;
    sum += x[i];
  }
}

static void murty_slope(void* context, const double* x, double* j) {
  (void)context;
  (void)x;
  for (int k = 0; k < MURTY * MURTY; k++)
    j[k] = k % MURTY == k / MURTY ? 1 : k % MURTY < k / MURTY ? 2 : 0;
}

TEST(murty_takes_no_exponential_path) {
  double lower[MURTY] = {0}, upper[MURTY], x[MURTY] = {0};
  for (int i = 0; i < MURTY; i++)
    upper[i] = HUGE_VAL;
  const rgMcp problem = {
      .count = MURTY, .lower = lower, .upper = upper, .function = murty, .jacobian = murty_slope};
  rgMcpReport report;
  REQUIRE_INT(run(&problem, x, &report), RG_OK);
  CHECK(report.iterations < 200);
  for (int i = 0; i < MURTY; i++)
    CHECK_NEAR(x[i], i == MURTY - 1 ? 1 : 0, 1e-9);
}

// A string over an obstacle: -u'' = -c, u = 0 at both ends, u >= -d. It lies on the obstacle
// between a and 1 - a, a = sqrt(2 d / c), and is c x^2 / 2 - c a x before; second differences are
// exact for parabolas, so the grid solution is the exact one when a is a node.
enum { STRING = 399 };
static const double load = 16, start = 0.25, width = 1.0 / (STRING + 1);

static void string_function(void* context, const double* x, double* f) {
  (void)context;
  for (int i = 0; i < STRING; i++)
    f[i] =
        2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < STRING - 1 ? x[i + 1] : 0) + load * width * width;
}

static void string_slope(void* context, const double* x, double* j) {
  const int* column_start = context;
  (void)x;
  for (int c = 0, k = 0; c < STRING; c++)
    for (int r = c > 0 ? c - 1 : 0; k < column_start[c + 1]; r++)
      j[k++] = r == c ? 2 : -1;
}

TEST(a_string_over_an_obstacle_by_a_sparse_jacobian) {
  static int column_start[STRING + 1], row[3 * STRING];
  static double lower[STRING], upper[STRING], x[STRING];
  int entries = 0;
  for (int c = 0; c < STRING; c++) {
    for (int r = c > 0 ? c - 1 : 0; r <= c + 1 && r < STRING; r++)
      row[entries++] = r;
    column_start[c + 1] = entries;
    lower[c] = -load * start * start / 2;
    upper[c] = HUGE_VAL;
  }
  const rgMcp problem = {.count = STRING,
                         .lower = lower,
                         .upper = upper,
                         .context = column_start,
                         .function = string_function,
                         .jacobian = string_slope,
                         .column_start = column_start,
                         .row = row};
  void* work = malloc(rg_mcp_work_size(&problem));
  rgMcpStop stop = rg_mcp_stop_default();
  stop.tolerance = 1e-13;
  rgMcpReport report;
  REQUIRE_INT(rg_mcp_solve(&problem, &stop, x, work, &report, NULL), RG_OK);
  for (int i = 0; i < STRING; i++) {
    double s = fmin((i + 1) * width, 1 - (i + 1) * width);
    double u = s < start ? load * s * s / 2 - load * start * s : lower[i];
    CHECK_NEAR(x[i], u, 1e-8); // the inverse of the differences is about 10^5
  }
  free(work);
}

// A block of mass m pushed over the ground: unknowns r_n, slip impulses b+ and b-, slip speed g;
// 0 <= r_n, u_n >= 0;  0 <= b+-, g +- u_t >= 0;  0 <= g, mu r_n - b+ - b- >= 0.
typedef struct Block {
  double mass, mu, fall, push;
} Block;

static void block_function(void* context, const double* x, double* f) {
  const Block* b = context;
  double slide = b->push + (x[1] - x[2]) / b->mass;
  f[0] = x[0] / b->mass - b->fall;
  f[1] = slide + x[3];
  f[2] = -slide + x[3];
  f[3] = b->mu * x[0] - x[1] - x[2];
}

static void block_slope(void* context, const double* x, double* j) {
  const Block* b = context;
  (void)x;
  double w = 1 / b->mass;
  const double columns[16] = {w, 0, 0, b->mu, 0, w, -w, -1, 0, -w, w, -1, 0, 1, 1, 0};
  memcpy(j, columns, sizeof columns);
}

TEST(a_pushed_block_sticks_or_slides) {
  for (double push = -3; push <= 3; push += 0.5) {
    Block b = {.mass = 2, .mu = 0.5, .fall = 3, .push = push};
    const rgMcp problem = {.count = 4,
                           .lower = zeros,
                           .upper = infinite,
                           .context = &b,
                           .function = block_function,
                           .jacobian = block_slope};
    double x[4] = {0}, limit = b.mu * b.mass * b.fall, wanted = -push * b.mass;
    wanted = wanted > limit ? limit : wanted < -limit ? -limit : wanted;
    rgMcpReport report;
    CONTEXT("push %g", push);
    REQUIRE_INT(run(&problem, x, &report), RG_OK);
    CHECK_NEAR(x[0], b.mass * b.fall, 1e-8);
    CHECK_NEAR(x[1] - x[2], wanted, 1e-7);
  }
}

// Free, bounded on one side and on both, each at a bound and between: F = x - t.
static void distance(void* context, const double* x, double* f) {
  const double* t = context;
  for (int i = 0; i < 4; i++)
    f[i] = x[i] - t[i];
}

static void identity(void* context, const double* x, double* j) {
  (void)context;
  (void)x;
  for (int k = 0; k < 16; k++)
    j[k] = k % 5 == 0 ? 1 : 0;
}

TEST(the_answer_of_a_shift_is_its_target_clamped) {
  const double lower[4] = {-HUGE_VAL, 1, -HUGE_VAL, -1}, upper[4] = {HUGE_VAL, HUGE_VAL, 2, 1};
  for (double s = -3; s <= 3; s += 0.75) {
    double target[4] = {s, s, s, s}, x[4] = {0};
    const rgMcp problem = {.count = 4,
                           .lower = lower,
                           .upper = upper,
                           .context = target,
                           .function = distance,
                           .jacobian = identity};
    rgMcpReport report;
    REQUIRE_INT(run(&problem, x, &report), RG_OK);
    for (int i = 0; i < 4; i++)
      CHECK_NEAR(x[i], fmin(fmax(s, lower[i]), upper[i]), 1e-9);
  }
}

static void never_zero(void* context, const double* x, double* f) {
  (void)context;
  f[0] = x[0] * x[0] + 1;
}

static void never_zero_slope(void* context, const double* x, double* j) {
  (void)context;
  j[0] = 2 * x[0];
}

TEST(an_equation_without_root_has_no_solution) {
  const double lower = -HUGE_VAL, upper = HUGE_VAL;
  const rgMcp problem = {.count = 1,
                         .lower = &lower,
                         .upper = &upper,
                         .function = never_zero,
                         .jacobian = never_zero_slope};
  double x = 1;
  rgMcpReport report;
  CHECK_INT(run(&problem, &x, &report), RG_NO_SOLUTION);
  CHECK(report.residual >= 1);
}

TEST(wrong_input_is_named) {
  const double lower = 1, upper = 0;
  const rgMcp problem = {.count = 1,
                         .lower = &lower,
                         .upper = &upper,
                         .function = never_zero,
                         .jacobian = never_zero_slope};
  double x = 0, work[1];
  rgMcpStop stop = rg_mcp_stop_default();
  rgMcpReport report;
  rgMessage message;
  CHECK_INT(rg_mcp_solve(&problem, &stop, &x, work, &report, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "bounds of unknown 0 are 1 .. 0");
}

TEST(the_history_falls_to_the_tolerance) {
  const rgMcp problem = {
      .count = 4, .lower = zeros, .upper = infinite, .function = kojima, .jacobian = kojima_slope};
  double x[4] = {1, 0.5, 2, 0.5}, history[100];
  void* work = malloc(rg_mcp_work_size(&problem));
  rgMcpStop stop = rg_mcp_stop_default();
  stop.history = history;
  stop.history_capacity = 100;
  rgMcpReport report;
  REQUIRE_INT(rg_mcp_solve(&problem, &stop, x, work, &report, NULL), RG_OK);
  CHECK(report.history_count > 0 && report.history_count <= report.iterations);
  CHECK(history[report.history_count - 1] <= stop.tolerance);
  free(work);
}
