// What a solve has done is counted, and the iteration limit bounds it, whatever the method is.
#include "test.h"

#include "solve/budget.h"
#include "support/builder.h"
#include "support/random.h"

#include <stdlib.h>

// A heap of boxes and balls in the middle of its fall, whose largest island is a problem.
static rgWorld* make_heap(uint64_t seed, int count) {
  random_state = seed;
  rgWorld* world = build_world("default");
  build_floor(world);
  for (int i = 0; i < count; i++) {
    double size = random_between(0.1, 0.2);
    rgVec3 place = v3(0.2 * random_unit(), 0.2 * random_unit(), 0.2 + 0.35 * i);
    if (i % 3 == 0)
      build_sphere(world, size, place);
    else
      build_box(world, v3(size, 0.8 * size, 0.6 * size), place);
  }
  run_steps(world, 150);
  return world;
}

static bool largest_island(const rgWorld* world, rgProblem* problem) {
  int most = 0;
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem island;
    REQUIRE(rg_world_island(world, i, &island, NULL, NULL) == RG_OK);
    if (island.contact_count <= most)
      continue;
    most = island.contact_count;
    *problem = island;
  }
  return most > 3;
}

// Solves for a residual that rounding does not allow, so that limits alone end it.
static rgSolveReport solve_in_vain(const rgProblem* problem, const char* solver, int limit) {
  size_t numbers = 6 * (size_t)problem->body_count + 4 * (size_t)problem->contact_count;
  double* v = calloc(numbers + (size_t)problem->row_count + 1, sizeof(double));
  rgSolution solution = {v, v + 6 * problem->body_count, v + numbers};
  void* work = malloc(rg_solve_work_size(problem, solver) + 1);
  rgStop stop = {.tolerance = 1e-300, .iteration_limit = limit};
  rgSolveReport report;
  rg_solve(problem, solver, NULL, &stop, &solution, work, &report, NULL);
  free(work);
  free(v);
  return report;
}

TEST(every_solver_stays_within_its_work_and_counts_it) {
  static const int limits[] = {200, 1000, 5000};
  int solved = 0;
  for (int k = 0; k < 6; k++) {
    rgWorld* world = make_heap(10 + (uint64_t)k, 4 + 2 * k);
    rgProblem problem;
    if (!largest_island(world, &problem)) {
      rg_world_destroy(world);
      continue;
    }
    int parts = problem.body_count + problem.contact_count + problem.row_count;
    for (int s = 0; rg_solver_name(s); s++)
      for (int i = 0; i < 3; i++) {
        CONTEXT("heap %d, %s, limit %d", k, rg_solver_name(s), limits[i]);
        rgSolveReport report = solve_in_vain(&problem, rg_solver_name(s), limits[i]);
        if (report.status == RG_ERROR_UNSUPPORTED)
          continue;
        solved++;
        CHECK(report.iterations <= limits[i]);
        // The last step may go beyond it: one factorization of a full matrix.
        double last = rg_budget_step_work(parts * (double)parts * parts, parts);
        CHECK(report.work <= RG_BUDGET_ITERATION_SWEEPS * limits[i] + last);
        CHECK(report.work >= report.sweeps + RG_BUDGET_STEP_SWEEPS * report.factorizations);
        CHECK_INT(report.certificate.sweeps, report.sweeps);
        CHECK_INT(report.certificate.factorizations, report.factorizations);
      }
    rg_world_destroy(world);
  }
  CHECK(solved > 60);
}

// Where each iteration is a pass over all unknowns, or a factorization, their sum is the count.
TEST(iterations_are_sweeps_or_factorizations) {
  static const char* const sweepers[] = {"nsgs", "psor", "cpg"};
  rgWorld* world = make_heap(3, 8);
  rgProblem problem;
  REQUIRE(largest_island(world, &problem));
  for (int s = 0; s < 3; s++) {
    rgSolveReport report = solve_in_vain(&problem, sweepers[s], 300);
    CONTEXT("%s", sweepers[s]);
    if (report.status == RG_ERROR_UNSUPPORTED)
      continue;
    CHECK_INT(report.sweeps, report.iterations);
    CHECK_INT(report.factorizations, 0);
  }
  rgSolveReport newton = solve_in_vain(&problem, "newton", 300);
  CHECK(newton.factorizations > 0);
  CHECK(newton.sweeps + newton.factorizations >= newton.iterations);
  rg_world_destroy(world);
}

// A step whose problem is solved by its warm start still counts what the projection does.
TEST(the_projection_is_counted) {
  static const double depths[] = {1e-4, 1e-3, 1e-2};
  for (int k = 0; k < 3; k++) {
    rgWorld* world = build_still("default");
    build_floor(world);
    build_box(world, v3(0.5, 0.3, 0.2), v3(0, 0, 0.2 - depths[k]));
    rgCertificate c;
    REQUIRE(rg_world_step(world, &c) == RG_OK);
    CONTEXT("depth %g", depths[k]);
    CHECK_INT(c.iterations, 0);
    CHECK(c.sweeps + c.factorizations > 0);
    rg_world_destroy(world);
  }
}

// Islands are solved side by side: a step of many copies has the iterations of the one that takes most, and the
// sweeps and factorizations of all.
TEST(copies_side_by_side_take_no_more_iterations) {
  for (int k = 0; k < 4; k++) {
    rgCertificate c[2];
    long long sums[2][3] = {{0}};
    for (int copies = 1; copies <= 3; copies += 2) {
      rgWorld* world = build_world("default");
      build_floor(world);
      for (int copy = 0; copy < copies; copy++)
        for (int i = 0; i < 4; i++) // powers of two, so that places are exact
          build_box(world, v3(0.5, 0.25, 0.125),
                    v3(64.0 * copy + 0.0625 * (i % 2), 0, 0.125 + 0.25 * i));
      for (int step = 0; step < 20 + k; step++) {
        REQUIRE(rg_world_step(world, &c[copies > 1]) == RG_OK);
        sums[copies > 1][0] += c[copies > 1].iterations;
        sums[copies > 1][1] += c[copies > 1].sweeps;
        sums[copies > 1][2] += c[copies > 1].factorizations;
      }
      rg_world_destroy(world);
    }
    CONTEXT("%d steps", 20 + k);
    CHECK(sums[0][0] > 0);
    CHECK_INT(sums[1][0], sums[0][0]);
    CHECK_INT(sums[1][1] + sums[1][2], 3 * (sums[0][1] + sums[0][2]));
  }
}

// Joints alone are solved by iterations, too, one factorization each step: a chain that swings takes some in
// every step, whatever the coordinates, and one that hangs at rest none.
TEST(iterations_of_joints_alone_are_counted) {
  for (int k = 0; k < 4; k++) {
    bool swings = k % 2;
    rgWorld* world = build_world("default");
    rgOptions options = *rg_world_options(world);
    snprintf(options.coordinates, sizeof options.coordinates, "%s", k / 2 ? "full" : "reduced");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
    joint.axis = v3(0, 1, 0);
    for (int i = 0; i < 4; i++) {
      double place = 0.3 * i;
      rgBodyDef def =
          body_at(RG_BODY_DYNAMIC, v3(swings ? place + 0.15 : 0, 0, swings ? 0 : -place - 0.15));
      joint.body_b = build_body(world, &def, shape_box(v3(0.1, 0.05, 0.1)));
      joint.point = v3(swings ? place : 0, 0, swings ? 0 : -place);
      rgJointId id;
      REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
      joint.body_a = joint.body_b;
    }
    for (int step = 0; step < 20; step++) {
      rgCertificate certificate = run_met_step(world, step);
      CONTEXT("chain %d, step %d", k, step);
      if (swings)
        CHECK(certificate.iterations > 0 && certificate.factorizations > 0);
      else if (step > 5)
        CHECK_INT(certificate.iterations, 0);
    }
    rg_world_destroy(world);
  }
}
