// An answer is never much worse than the start that it was made from.
//
// A solver whose budget ends before it has found its way, or that loses it, hands back what it has.
// The driver compares: an answer whose residual is more than ten times that of the start is thrown
// away, and the start is the answer.
#include "problems.h"
#include "solve/solver.h"
#include "test.h"

static Made table(void) { return made_table(20, 0.5); }
static Made pile(void) { return made_pile(4, 4, 4, 0.4); }
static Made smooth_pile(void) { return made_pile(4, 4, 4, 0); }
static Made heavy_on_light(void) { return made_stack(8, 20, 0.6); }
static Made collision(void) { return made_thrown(21); }

static const struct {
  const char* name;
  Made (*make)(void);
} problems[] = {
    {"table", table},
    {"pile", pile},
    {"smooth pile", smooth_pile},
    {"heavy on light", heavy_on_light},
    {"collision", collision},
};

// Impulses of a solution with the given residual, found by sweeps from nothing.
static double make_start(Made* m, double residual) {
  made_ready(m, "nsgs");
  rgStop stop = rg_stop_default();
  stop.tolerance = residual;
  stop.iteration_limit = 100000;
  rgSolveReport report;
  rgMessage message;
  rg_solve(&m->problem, "nsgs", NULL, &stop, &m->solution, m->work, &report, &message);
  REQUIRE_MSG(report.certificate.met, "%s", message.text);
  return report.certificate.residual;
}

// Goes on from a start of about the residual `from` with a budget that is too small for the
// tolerance.
static void check_answer(const rgSolver* solver, int p, double from, int limit) {
  Made m = problems[p].make();
  rgMessage message;
  if (solver->accepts(&m.problem, &message) != RG_OK) {
    made_free(&m);
    return;
  }
  double start = make_start(&m, from);
  free(m.work);
  m.work_size = rg_solve_work_size(&m.problem, solver->name);
  m.work = malloc(m.work_size);
  rgStop stop = rg_stop_default();
  stop.tolerance = 1e-15; // out of reach
  stop.iteration_limit = limit;
  rgSolveReport report;
  rg_solve(&m.problem, solver->name, NULL, &stop, &m.solution, m.work, &report, &message);
  CONTEXT("solver %s, problem %s, start %.2g, %d iterations", solver->name, problems[p].name, start,
          limit);
  rgCertificate certificate;
  rg_problem_certify(&m.problem, &m.solution, stop.tolerance, &certificate);
  // Rounding of velocities puts 1e-14 on any residual.
  CHECK_MSG(certificate.residual <= 10 * start + 1e-14, "residual %g", certificate.residual);
  CHECK_REL(report.certificate.residual, certificate.residual, 1e-3);
  made_free(&m);
}

TEST(an_answer_is_never_much_worse_than_its_start) {
  const double starts[] = {1e-2, 1e-5, 1e-9};
  const int limits[] = {1, 2, 5, 20};
  for (int s = 0; rg_solver_at(s); s++)
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 4; l++)
          check_answer(rg_solver_at(s), (int)p, starts[k], limits[l]);
}
