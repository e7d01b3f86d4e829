// Holding what rests: one step from near rest to rest, within the cones, and nothing else.
#include "math/vec.h"
#include "problem/operator.h"
#include "solve/hold/hold.h"
#include "support/purse.h"
#include "sweep/problems.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-8;

static rgSolveReport run(Made* m, const char* solver, double wanted, int limit) {
  rgStop stop = rg_stop_default();
  stop.tolerance = wanted;
  stop.iteration_limit = limit;
  rgSolveReport report;
  rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, NULL);
  return report;
}

// Solved by sweeps to a tenth of `left`, as a step may leave it.
static Made near_rest(Made m, double left) {
  made_ready(&m, "auto");
  CHECK_INT(run(&m, "nsgs", left, 10000).status, RG_OK);
  return m;
}

static double largest_velocity(const Made* m) {
  double most = 0;
  for (int i = 0; i < 6 * m->problem.body_count; i++)
    most = fmax(most, fabs(m->solution.v[i]));
  return most;
}

// Rounding counts as inside.
static bool all_in_cones(const Made* m) {
  const double rounding = 1e-14;
  for (int i = 0; i < m->problem.contact_count; i++) {
    const double* r = m->solution.r + 4 * i;
    double reach = m->problem.contacts[i].mu * r[0];
    if (r[0] < 0 || r[1] * r[1] + r[2] * r[2] > reach * reach * (1 + rounding))
      return false;
  }
  return true;
}

// One factorization is one iteration, and what it leaves is rounding.
static void check_held_at_once(const char* what, Made m, double left) {
  CONTEXT("%s", what);
  m = near_rest(m, left);
  CHECK(largest_velocity(&m) > 1e-8);
  rgSolveReport report = run(&m, "hold", tolerance, 1);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.iterations, 1);
  CHECK(report.certificate.residual < 1e-10);
  CHECK(largest_velocity(&m) < 1e-10);
  CHECK(all_in_cones(&m));
  made_free(&m);
}

// Errors of long waves are larger than what they miss by: a slender stack must be nearer.
TEST(what_is_near_rest_is_stopped_in_one_step) {
  check_held_at_once("a pyramid", made_pyramid(10, 0.5), 1e-4);
  check_held_at_once("a stack of twenty", made_stack(20, 1, 0.5), 1e-6);
  check_held_at_once("heavy on light", made_stack(10, 100, 0.5), 1e-4);
  check_held_at_once("without friction", made_pyramid(4, 0), 1e-4); // held along the normals
}

// Spheres of 1 m and 1 kg in columns that stand side by side between two walls and are pressed together,
// with the impulses that balance this but for a hundred-thousandth.
static Made pressed_spheres(int side, int rows) {
  const double weight = made_gravity * made_step; // [N s]
  Made m = made(0.5);
  for (int i = 0; i < side * rows; i++) {
    int x = i % side, z = i / side;
    rgVec3 at = v3(x, 0, z + 0.5);
    made_sphere(&m, at, 0.5, 1);
    made_contact(&m, i, z > 0 ? i - side : -1, v3(x, 0, z), v3(0, 0, 1));
    made_contact(&m, i, x > 0 ? i - 1 : -1, v3(x - 0.5, 0, at.z), v3(1, 0, 0));
    if (x == side - 1)
      made_contact(&m, i, -1, v3(x + 0.5, 0, at.z), v3(-1, 0, 0));
  }
  made_ready(&m, "hold");
  for (int c = 0; c < m.problem.contact_count; c++) {
    int row = m.problem.contacts[c].body_a / side;
    bool level = m.problem.contacts[c].n.z == 0;
    m.solution.r[4 * c] = (level ? rows : rows - row) * weight * (1 + 1e-5);
  }
  return m;
}

// The factor is the same wherever it lies: in the whole workspace, or in what is asked for beside a lean one. Without
// memory for it nothing is held, and sweeps, which ask next, have none either.
static void check_lean(Made whole) {
  size_t size = 4 * (size_t)whole.problem.contact_count * sizeof(double);
  double* start = malloc(size);
  double* held = malloc(size);
  REQUIRE(start && held);
  memcpy(start, whole.solution.r, size);
  rgSolveReport report = run(&whole, "hold", tolerance, 1);
  memcpy(held, whole.solution.r, size);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.iterations, 1);

  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 1;
  Purse purse = {0}, empty = {0};
  memcpy(whole.solution.r, start, size);
  rgSolveReport same =
      purse_solve(&whole.problem, "hold", &stop, &whole.solution, purse_give, &purse);
  CHECK_INT(same.status, report.status);
  CHECK_INT(memcmp(whole.solution.r, held, size), 0);
  CHECK_INT(purse.calls, 1);
  free(purse.memory);

  memcpy(whole.solution.r, start, size);
  purse_solve(&whole.problem, "hold", &stop, &whole.solution, purse_refuse, &empty);
  CHECK_INT(empty.calls, 2);
  CHECK_INT(empty.size, purse.size);
  CHECK(memcmp(whole.solution.r, held, size) != 0);
  CHECK(rg_solve_lean_size(&whole.problem, "hold") < rg_solve_work_size(&whole.problem, "hold"));
  free(start);
  free(held);
  made_free(&whole);
}

TEST(the_factor_may_lie_in_memory_that_is_asked_for) {
  for (int side = 4; side <= 10; side += 2) {
    CONTEXT("side %d", side);
    check_lean(near_rest(made_pyramid(side, 0.5), 1e-4));
    check_lean(pressed_spheres(side, 60));
  }
}

TEST(auto_holds_what_rests) {
  Made m = near_rest(made_pyramid(10, 0.5), 1e-4);
  rgSolveReport report = run(&m, "auto", tolerance, 10000);
  CHECK_INT(report.status, RG_OK);
  CHECK_STR(report.solver, "hold");
  CHECK_INT(report.iterations, 1);
  made_free(&m);
}

// A box stands on the ground beside a ball that rolls: both are in one problem, and the ball goes
// on.
TEST(a_rolling_ball_goes_on) {
  const double speed = 1e-3, step = 9.81 / 60; // [m/s]: of the roll, of free fall in a step
  Made m = made(0.5);
  int box = made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 1);
  made_face(&m, box, -1, -0.5, 0.5, -0.5, 0.5, 0);
  int ball = made_sphere(&m, v3(3, 0, 0.5), 0.5, 1);
  made_contact(&m, ball, -1, v3(3, 0, 0), v3(0, 0, 1));
  m.bodies[ball].v_free.linear.x = speed;
  m.bodies[ball].v_free.angular.y = speed / 0.5;
  made_ready(&m, "hold");
  for (int i = 0; i < m.problem.contact_count; i++) // the weights, but for a thousandth
    m.solution.r[4 * i] = step * (i < 4 ? 0.25 : 1) * 1.001;
  rgSolveReport report = run(&m, "hold", tolerance, 1);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.iterations, 1);
  CHECK_NEAR(m.solution.v[6 * ball], speed, 1e-12);
  CHECK_NEAR(m.solution.v[6 * ball + 4], speed / 0.5, 1e-12);
  CHECK_NEAR(m.solution.v[6 * ball + 2], 0, 1e-12);
  CHECK_NEAR(m.solution.v[6 * box + 2], 0, 1e-12);
  made_free(&m);
}

// The ground moves on by a little more than the box that lies on it: the box is taken along.
TEST(what_lies_on_moving_ground_is_taken_along) {
  const double ground = 1e-3; // [m/s] along the frame's t
  Made m = made(0.5);
  made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 1);
  made_face(&m, 0, -1, -0.5, 0.5, -0.5, 0.5, 0);
  rgVec3 along = m.contacts[0].t;
  for (int i = 0; i < 4; i++)
    m.contacts[i].bias[1] = -ground;
  made_ready(&m, "hold");
  for (int i = 0; i < 4; i++)
    m.solution.r[4 * i] = 0.25 * 9.81 / 60;
  rgSolveReport report = run(&m, "hold", tolerance, 1);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.iterations, 1);
  CHECK_NEAR(m.solution.v[0], ground * along.x, 1e-12);
  CHECK_NEAR(m.solution.v[1], ground * along.y, 1e-12);
  CHECK_NEAR(m.solution.v[2], 0, 1e-12);
  made_free(&m);
}

// Where the cones leave no room for all of it, a part of the velocity is taken out, the same part
// everywhere, and no impulse leaves its cone.
TEST(no_impulse_leaves_its_cone) {
  const double step = 9.81 / 60, slow = 0.009 * step; // just near
  const double load = 0.4 * slow;                     // too little for mu load to stop it
  Made m = made(0.5);
  made_box(&m, v3(0, 0, 0), 1, 1, 1, 1);
  made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  rgVec3 along = m.contacts[0].t;
  m.bodies[0].v_free.linear = v3_axpy(v3(0, 0, -load), slow, along);
  made_ready(&m, "hold");
  m.solution.r[0] = load;
  rg_problem_velocity(&m.problem, &m.solution);
  char* work = malloc(rg_hold_size(&m.problem) + RG_ALIGNMENT);
  rgStop stop = rg_stop_default();
  rgSolve solve = {.problem = &m.problem,
                   .solution = &m.solution,
                   .stop = &stop,
                   .scale = step,
                   .measure = slow,
                   .target = tolerance * step,
                   .work = work + (-(uintptr_t)work & (RG_ALIGNMENT - 1))};
  CHECK(!rg_hold(&solve, solve.work)); // not all that is asked for
  CHECK_INT(solve.iterations, 1);
  CHECK(all_in_cones(&m));
  double left = v3_dot(along, v3(m.solution.v[0], m.solution.v[1], m.solution.v[2])) / slow;
  CHECK(left > 0.5 && left < 0.9);
  CHECK_NEAR(solve.measure / slow, left, 1e-9);
  free(work);
  made_free(&m);
}

// A box that slides down an incline is not at rest, whatever its warm start: the solver leaves it
// to its sweeps, and the acceleration is Coulomb's.
TEST(what_slides_is_left_to_the_sweeps) {
  const double angle = 0.6, mu = 0.3, step = 9.81 / 60, speed = 1;
  Made m = made(mu);
  made_box(&m, v3(0, 0, 0.1), 1, 1, 0.2, 1);
  made_face(&m, 0, -1, -0.5, 0.5, -0.5, 0.5, 0);
  m.bodies[0].v_free.linear = v3(speed + step * sin(angle), 0, -step * cos(angle));
  made_ready(&m, "hold");
  CHECK_INT(run(&m, "hold", tolerance, 10000).status, RG_OK);
  CHECK_REL(m.solution.v[0], speed + step * (sin(angle) - mu * cos(angle)), 1e-7);
  m.solution.r[0] *= 1.0001;
  rgSolveReport report = run(&m, "hold", tolerance, 10000);
  CHECK_INT(report.status, RG_OK);
  CHECK_REL(m.solution.v[0], speed + step * (sin(angle) - mu * cos(angle)), 1e-7);
  made_free(&m);
}
