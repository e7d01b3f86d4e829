// What the choice of auto costs, in work of solves, which is the same on every machine.
#include "sweep/problems.h"
#include "test.h"

// From zero impulses.
static rgSolveReport solve(Made* m, const char* solver) {
  made_ready(m, solver);
  rgStop stop = {.tolerance = 1e-6, .iteration_limit = 10000};
  rgSolveReport report;
  rgMessage message;
  rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, &message);
  return report;
}

// auto is not told who is right and tries one after the other. `make bench-problems` asks for at most
// three times the time of the best one.
static void check_share(Made* m) {
  rgSolveReport sweeps = solve(m, "nsgs"), newton = solve(m, "newton"), own = solve(m, "auto");
  CHECK(own.certificate.met);
  REQUIRE(sweeps.certificate.met || newton.certificate.met);
  double a = sweeps.certificate.met ? sweeps.work : HUGE_VAL;
  double b = newton.certificate.met ? newton.work : HUGE_VAL, best = a < b ? a : b;
  CHECK_MSG(own.work <= 3 * best, "work %g, the better one took %g", own.work, best);
  made_free(m);
}

// Walls and towers of more than 64 boxes, at rest or landing as a whole: what they miss scales with
// their speed, so that both are the same problem.
TEST(what_is_loaded_as_a_whole_takes_at_most_thrice_the_work_of_the_better_member) {
  const double mu[] = {0.3, 0.8};
  for (int i = 0; i < 2; i++) {
    for (int rows = 12; rows <= (test_fast() ? 12 : 24); rows += 4) {
      Made m = made_pyramid(rows, mu[i]);
      CONTEXT("wall of %d rows, mu %g", rows, mu[i]);
      check_share(&m);
    }
    for (int count = 66; count <= (test_fast() ? 66 : 200); count += 67) {
      Made m = made_stack(count, 1, mu[i]);
      CONTEXT("tower of %d boxes, mu %g", count, mu[i]);
      check_share(&m);
    }
  }
}
