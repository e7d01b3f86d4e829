// direct against dense elimination: trees, loops, redundant and inconsistent rows, bounds; and its
// cost, counted in operations.
#include "solve/direct/direct_model.h"
#include "support/chains.h"
#include "support/dense.h"
#include "test.h"

// Numbers of relative size 1e-16 are summed over a few dozen rows.
static const double ROUNDING = 1e-12;

static rgSolveReport run_with(Made* m, const char* solver, double tolerance) {
  if (!m->work)
    made_ready(m, solver);
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  rgSolveReport report;
  rgMessage message;
  rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, &message);
  rgCertificate again;
  rg_problem_certify(&m->problem, &m->solution, tolerance, &again);
  CHECK_INT(again.met, report.status == RG_OK);
  return report;
}

static rgSolveReport run(Made* m, double tolerance) { return run_with(m, "direct", tolerance); }

static void randomize(Made* m, uint64_t* seed) {
  for (int i = 0; i < m->problem.body_count; i++) {
    rgVec3 x = made_vector(seed), y = made_vector(seed), half = v3(0.5, 0.5, 0.5);
    m->bodies[i].v_free = (rgTwist){v3_sub(x, half), v3_sub(y, half)};
  }
  for (int i = 0; i < m->problem.row_count; i++)
    m->rows[i].bias = made_random(seed) - 0.5;
}

// Solved to rounding, with the impulses of the dense matrix where these are unique.
static void check_regular(Made* m) {
  Dense dense = dense_of(&m->problem);
  double* x = malloc((size_t)dense.n * sizeof(double));
  for (int i = 0; i < dense.n; i++)
    dense.b[i] = -dense.b[i];
  REQUIRE_INT(dense_solve(dense.n, dense.a, dense.b, 1e-13, x), dense.n);
  rgSolveReport report = run(m, ROUNDING);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.redundant_rows, 0);
  double largest = 0;
  for (int i = 0; i < dense.n; i++)
    largest = fmax(largest, fabs(x[i]));
  for (int i = 0; i < dense.n; i++) // the condition of these matrices is below 1e5
    CHECK_NEAR(m->solution.lambda[i], x[i], 1e-9 * largest);
  free(x);
  dense_free(&dense);
}

// --- regular systems ---

TEST(random_trees_are_solved_as_by_dense_elimination) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    CONTEXT("seed %d", (int)seed);
    uint64_t state = seed;
    Made m =
        chain_tree(5 + (int)(20 * made_random(&state)), 1 + (int)(seed % 5), 1 + (int)(seed % 6));
    randomize(&m, &state);
    check_regular(&m);
    made_free(&m);
  }
}

// A ring of balls has a loop, and in general position no redundant row.
TEST(loops_are_solved_as_by_dense_elimination) {
  for (int links = 4; links < 20; links += 3) {
    CONTEXT("%d links", links);
    uint64_t state = (uint64_t)links;
    Made m = made(0);
    for (int i = 0; i < links; i++)
      chain_rod(&m, v3_scale(made_vector(&state), 3), 1);
    for (int i = 0; i < links; i++) {
      int next = (i + 1) % links;
      chain_joint(&m, i, next, v3_lerp(m.centers[i], m.centers[next], made_random(&state)), 3);
    }
    randomize(&m, &state);
    check_regular(&m);
    made_free(&m);
  }
}

// A body with a hundred joints is cut into pieces; nothing of that shows in the answer.
TEST(a_hub_is_solved_as_by_dense_elimination) {
  Made m = made(0);
  uint64_t state = 9;
  int hub = chain_rod(&m, v3_zero(), 10);
  for (int i = 0; i < 100; i++) {
    rgVec3 at = v3_sub(made_vector(&state), v3(0.5, 0.5, 0.5));
    int rod = chain_rod(&m, v3_scale(at, 2), 1);
    if (i % 2)
      chain_joint(&m, hub, rod, at, 3);
    else
      chain_joint(&m, rod, hub, at, 5);
  }
  randomize(&m, &state);
  check_regular(&m);
  made_free(&m);
}

TEST(masses_from_a_millionth_to_a_million_are_no_trouble) {
  for (int kind = 0; kind < 2; kind++) {
    Made m = chain_line(40, 3, kind == 0 ? 1e6 : 1e-6, true);
    rgSolveReport report = run(&m, 1e-10);
    CHECK_INT(report.status, RG_OK);
    CHECK_INT(report.redundant_rows, 0);
    made_free(&m);
  }
}

// Locked directions: bodies that only turn, only move, or do neither.
TEST(held_directions_are_left_out) {
  Made m = chain_line(9, 3, 1, true);
  uint64_t state = 3;
  for (int i = 0; i < 9; i += 3)
    m.bodies[i].inverse_mass = 0;
  for (int i = 1; i < 9; i += 3)
    m.bodies[i].inverse_inertia = m3_zero();
  randomize(&m, &state);
  Dense dense = dense_of(&m.problem);
  double x[27];
  int rank = dense_solve(27, dense.a, dense.b, 1e-12, x);
  rgSolveReport report = run(&m, ROUNDING);
  CHECK_INT(report.redundant_rows, 27 - rank);
  dense_free(&dense);
  made_free(&m);
}

// --- redundant rows ---

// A planar four-bar linkage with hinges has 3 redundant rows in three dimensions: 4 hinges lock 20
// of the 18 degrees of freedom of its 3 bodies, and it moves.
static Made four_bar(void) {
  Made m = made(0);
  int crank = chain_rod(&m, v3(0, 0.5, 0), 1), coupler = chain_rod(&m, v3(1, 1.25, 0), 2),
      rocker = chain_rod(&m, v3(2, 0.75, 0), 1);
  chain_joint(&m, crank, -1, v3(0, 0, 0), 5);
  chain_joint(&m, coupler, crank, v3(0, 1, 0), 5);
  chain_joint(&m, coupler, rocker, v3(2, 1.5, 0), 5);
  chain_joint(&m, rocker, -1, v3(2, 0, 0), 5);
  return m;
}

TEST(redundant_rows_are_counted_and_carry_nothing) {
  Made m = four_bar();
  for (int i = 0; i < 3; i++) // pulled along x, where crank and rocker give way
    m.bodies[i].v_free.linear = v3(made_gravity * made_step, 0, 0);
  rgSolveReport report = run(&m, ROUNDING);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.redundant_rows, 3);
  // it falls: the crank turns
  CHECK(fabs(m.solution.v[5]) > 1e-3);
  int idle = 0;
  for (int i = 0; i < 20; i++)
    idle += m.solution.lambda[i] == 0;
  CHECK(idle >= 3);
  made_free(&m);
}

// Free velocities that the redundant rows do not agree with, and biases that they do: w at any
// velocity of the bodies is a consistent right-hand side.
TEST(consistent_redundant_rows_are_solved) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    Made m = four_bar();
    uint64_t state = seed;
    randomize(&m, &state);
    double v[18];
    for (int i = 0; i < 18; i++)
      v[i] = made_random(&state) - 0.5;
    for (int i = 0; i < 20; i++) {
      m.rows[i].bias = 0;
      m.rows[i].bias = -rg_row_velocity(&m.rows[i], v);
    }
    rgSolveReport report = run(&m, ROUNDING);
    CHECK_INT(report.status, RG_OK);
    CHECK_INT(report.redundant_rows, 3);
    made_free(&m);
  }
}

// sum of rho w^2, by which the answers to a problem without solution are compared
static double squares(const Made* m, const double* v) {
  double sum = 0;
  for (int i = 0; i < m->problem.row_count; i++) {
    double w = rg_row_velocity(&m->rows[i], v);
    sum += w * w / rg_row_block(&m->problem, &m->rows[i]);
  }
  return sum;
}

// Rows that contradict each other: the status says so, and no velocity near the answer, in any
// direction that impulses can push, misses them by less.
TEST(inconsistent_rows_give_the_least_squares_and_say_so) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    CONTEXT("seed %d", (int)seed);
    Made m = four_bar();
    uint64_t state = 50 + seed;
    randomize(&m, &state);
    rgSolveReport report = run(&m, 1e-8);
    CHECK_INT(report.status, RG_NO_SOLUTION);
    CHECK_INT(report.redundant_rows, 3);
    CHECK(report.certificate.residual > 1e-3 && report.certificate.residual < 10);
    // the gradient of the squares along every body velocity vanishes: G' rho w = 0
    double g[18] = {0}, largest = 0;
    for (int i = 0; i < 20; i++) {
      const rgProblemRow* row = &m.rows[i];
      double force = rg_row_velocity(row, m.solution.v) / rg_row_block(&m.problem, row);
      rg_body_add(g, row->body_a, force, row->g_a.linear, row->g_a.angular);
      rg_body_add(g, row->body_b, force, row->g_b.linear, row->g_b.angular);
      largest = fmax(largest, fabs(force));
    }
    for (int i = 0; i < 18; i++)
      CHECK_NEAR(g[i], 0, 1e-10 * largest);
    double best = squares(&m, m.solution.v);
    for (int k = 0; k < 18; k++) {
      double v[18];
      memcpy(v, m.solution.v, sizeof v);
      v[k] += 1e-3;
      CHECK(squares(&m, v) > best * (1 - 1e-12));
    }
    made_free(&m);
  }
}

// auto stops there as well, instead of trying others.
TEST(auto_tells_that_there_is_no_solution) {
  Made m = four_bar();
  uint64_t state = 5;
  randomize(&m, &state);
  rgSolveReport report = run_with(&m, "auto", 1e-8);
  CHECK_INT(report.status, RG_NO_SOLUTION);
  CHECK_STR(report.solver, "direct");
  CHECK_INT(report.redundant_rows, 3);
  CHECK(report.iterations < 100);
  made_free(&m);
}

// A bounded row cannot make equality rows agree.
TEST(motors_do_not_hide_a_contradiction) {
  Made m = four_bar();
  uint64_t state = 6;
  rgProblemRow* motor = made_row(&m, 0, -1);
  motor->g_a.angular = v3(0, 0, 1);
  motor->lower = -1e-3;
  motor->upper = 1e-3;
  randomize(&m, &state);
  rgSolveReport report = run(&m, 1e-8);
  CHECK_INT(report.status, RG_NO_SOLUTION);
  CHECK_NEAR(m.solution.lambda[20], m.solution.lambda[20] > 0 ? 1e-3 : -1e-3, 1e-9);
  made_free(&m);
}

// --- bounds ---

// Limits and motors along a chain of balls, checked by the certificate, which is exact: with a
// regular matrix the law has one solution.
TEST(bounds_are_settled) {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    CONTEXT("seed %d", (int)seed);
    uint64_t state = seed;
    Made m = chain_tree(60, 1 + (int)(seed % 3), 3);
    for (int i = 1; i < 60; i++)
      for (int k = 0; k < 3; k++) {
        rgProblemRow* row = made_row(&m, i, (i - 1) / (1 + (int)(seed % 3)));
        row->g_a.angular = v3(k == 0, k == 1, k == 2);
        row->g_b.angular = v3_neg(row->g_a.angular);
        if (k < 2)
          row->lower = 0; // a limit
        else
          row->lower = -(row->upper = 0.01); // friction
      }
    randomize(&m, &state);
    rgSolveReport report = run(&m, 1e-11);
    CHECK_INT(report.status, RG_OK);
    made_free(&m);
  }
}

// The warm start of a solved problem needs no work.
TEST(a_solved_problem_is_returned_as_it_is) {
  Made m = chain_line(30, 3, 1, true);
  CHECK(run(&m, 1e-10).iterations > 0);
  CHECK_INT(run(&m, 1e-10).iterations, 0);
  made_free(&m);
}

// --- units, bits ---

// Lengths in millimetres, masses in grams, times in milliseconds: the same motion.
TEST(units_do_not_matter) {
  Made a = four_bar(), b = four_bar();
  uint64_t state = 8;
  randomize(&a, &state);
  const double length = 1000, mass = 1000, speed = 1; // mm per ms = m per s
  for (int i = 0; i < 3; i++) {
    b.bodies[i] = a.bodies[i];
    b.bodies[i].inverse_mass /= mass;
    for (int k = 0; k < 9; k++)
      (&b.bodies[i].inverse_inertia.m[0][0])[k] /= mass * length * length;
    b.bodies[i].v_free.linear = v3_scale(a.bodies[i].v_free.linear, speed);
    b.bodies[i].v_free.angular = v3_scale(a.bodies[i].v_free.angular, speed / length);
  }
  for (int i = 0; i < 20; i++) {
    bool linear = i % 5 < 3;
    b.rows[i].bias = a.rows[i].bias * (linear ? speed : speed / length);
    if (linear) {
      b.rows[i].g_a.angular = v3_scale(a.rows[i].g_a.angular, length);
      b.rows[i].g_b.angular = v3_scale(a.rows[i].g_b.angular, length);
    }
  }
  rgSolveReport report_a = run(&a, 1e-8), report_b = run(&b, 1e-8);
  CHECK_INT(report_a.redundant_rows, report_b.redundant_rows);
  CHECK_INT(report_a.status, report_b.status);
  CHECK_REL(report_a.certificate.residual, report_b.certificate.residual, 1e-9);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 6; k++)
      CHECK_NEAR(a.solution.v[6 * i + k], b.solution.v[6 * i + k] * (k < 3 ? 1 : length), 1e-9);
  made_free(&a);
  made_free(&b);
}

TEST(the_same_bits_whatever_the_workspace_held) {
  Made a = chain_tree(200, 7, 5), b = chain_tree(200, 7, 5);
  made_ready(&a, "direct");
  made_ready(&b, "direct");
  memset(a.work, 0xff, a.work_size);
  memset(b.work, 0x11, b.work_size);
  CHECK_INT(run(&a, 1e-10).status, RG_OK);
  CHECK_INT(run(&b, 1e-10).status, RG_OK);
  CHECK(memcmp(a.solution.lambda, b.solution.lambda,
               (size_t)a.problem.row_count * sizeof(double)) == 0);
  made_free(&a);
  made_free(&b);
}

TEST(contacts_are_refused) {
  Made m = made_stack(2, 1, 0.5);
  made_ready(&m, "direct");
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m.problem, "direct", NULL, &stop, &m.solution, m.work, &report, &message);
  CHECK_INT(status, RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "direct takes rows only, the problem has 8 contacts");
  made_free(&m);
}

// --- long chains ---

// The top joint carries the weight of all links below.
TEST(a_hanging_chain_of_ten_thousand_links_is_solved) {
  enum { LINKS = 10000 };
  Made m = made(0);
  for (int i = 0; i < LINKS; i++) {
    made_body(&m, v3(0, 0, -i - 0.5), 1, 1.0 / 12, 1.0 / 12, 0.01);
    chain_joint(&m, i, i - 1, v3(0, 0, -i), 3);
  }
  rgSolveReport report = run(&m, 1e-10);
  CHECK_INT(report.status, RG_OK);
  CHECK_REL(m.solution.lambda[2], LINKS * made_gravity * made_step, 1e-10);
  for (int i = 0; i < LINKS; i += 1000)
    CHECK_REL(m.solution.lambda[3 * i + 2], (LINKS - i) * made_gravity * made_step, 1e-10);
  made_free(&m);
}

typedef struct Cost {
  double multiplications, entries, bytes; // per row of the problem
} Cost;

static Cost cost_of(Made* m) {
  rgDirectModel model;
  rgCarver carver = {NULL, 0};
  rg_direct_carve(&model, &m->problem, &carver);
  void* memory = aligned_alloc(RG_ALIGNMENT, rg_align(carver.used));
  size_t bytes = carver.used;
  carver = (rgCarver){memory, 0};
  rg_direct_carve(&model, &m->problem, &carver);
  REQUIRE(rg_direct_build(&model));
  rg_direct_assemble(&model);
  bool* out = calloc((size_t)model.row_count, sizeof(bool));
  rg_rank_factor(&model.matrix, 1e-11, out);
  double rows = m->problem.row_count;
  Cost cost = {model.matrix.multiplications / rows, model.matrix.order.entry_count / rows,
               (double)bytes / rows};
  free(out);
  free(memory);
  made_free(m);
  return cost;
}

static Made hanging(int links) { return chain_line(links, 3, 1, true); }
static Made falling(int links) { return chain_line(links, 5, 1, false); }
static Made binary(int links) { return chain_tree(links, 2, 3); }
static Made bushy(int links) { return chain_tree(links, 40, 5); }
static Made star(int links) { return chain_tree(links, links, 3); }

// Operations of a factorization, blocks of the factor and memory per row stay what they are from
// 100 to 10,000 links, for every shape of tree.
TEST(the_cost_of_trees_is_linear_in_their_links) {
  Made (*const shapes[])(int) = {hanging, falling, binary, bushy, star};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    CONTEXT("shape %d", (int)s);
    Made few = shapes[s](100), many = shapes[s](10000);
    Cost small = cost_of(&few), large = cost_of(&many);
    CHECK_REL(large.multiplications, small.multiplications, 0.15);
    CHECK_REL(large.entries, small.entries, 0.15);
    CHECK_REL(large.bytes, small.bytes, 0.15);
  }
}

TEST(trees_of_ten_thousand_links_are_solved) {
  Made (*const shapes[])(int) = {hanging, falling, binary, bushy, star};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    CONTEXT("shape %d", (int)s);
    Made m = shapes[s](10000);
    uint64_t state = s;
    randomize(&m, &state);
    // across its hinges the straight chain is a rigid beam: joints that turn there by themselves
    // would move its end a thousand times faster than what residuals compare with
    for (int i = 0; shapes[s] == falling && i < m.problem.row_count; i++)
      m.rows[i].bias = 0;
    rgSolveReport report = run_with(&m, "auto", 1e-10);
    CHECK_INT(report.status, RG_OK);
    CHECK_STR(report.solver, "direct");
    CHECK(report.iterations <= 4);
    made_free(&m);
  }
}

// --- rows and contacts together: newton on long chains ---

// A chain hung up at one end whose other half lies on the ground, longer than what newton takes of
// heaps.
TEST(newton_takes_long_chains_with_contacts) {
  enum { LINKS = 5000 };
  Made m = made(0.5);
  for (int i = 0; i < LINKS; i++) {
    made_box(&m, v3(i, 0, 0.1), 0.9, 0.2, 0.2, 1);
    chain_joint(&m, i, i - 1, v3(i - 0.5, 0, 0.1), 3);
    if (i >= LINKS / 2)
      made_face(&m, i, -1, i - 0.45, i + 0.45, -0.1, 0.1, 0);
  }
  rgSolveReport report = run_with(&m, "newton", 1e-8);
  CHECK_INT(report.status, RG_OK);
  CHECK(report.iterations < 20);
  made_free(&m);
}

// Where many bodies touch many others, its factor would not fit.
TEST(newton_refuses_large_heaps) {
  Made m = made_pile(17, 17, 17, 0.5);
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  made_ready(&m, "newton");
  rgStatus status =
      rg_solve(&m.problem, "newton", NULL, &stop, &m.solution, m.work, &report, &message);
  CHECK_INT(status, RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "newton takes more than 4096 bodies only where few touch each other, the "
                          "problem has 4913 bodies");
  made_free(&m);
}
