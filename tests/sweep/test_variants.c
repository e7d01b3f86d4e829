// Variants of solvers, chosen by their options: none claims more than its certificate shows, and each
// solves what it is made for.
#include "sweep/problems.h"
#include "test.h"

typedef struct Variant {
  const char *solver, *options;
  bool friction; // takes it
  bool safe;     // converges on whatever it takes
} Variant;

static const Variant variants[] = {
    {"nsgs", "momentum=0", true, true},
    {"nsgs", "local=1", true, false},
    {"nsgs", "local=2", true, false},
    {"psor", "omega=1.2", false, true},
    {"cpg", "associated=1", false, true},
    {"cpg", "printed=1", true, false},
    {"cpg", "printed=1,vanish=0.001", true, false},
    {"dantzig", "first=1", false, true},
    {"dantzig", "incremental=0,sparse=0", false, true},
    {"wilhelmsen", "first=1", false, true},
    {"wilhelmsen", "incremental=0,sparse=0,first=1", false, true},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static rgSolveReport solve(Made* m, const Variant* variant) {
  made_ready(m, variant->solver);
  rgStop stop = rg_stop_default();
  if (!variant->safe)
    stop.iteration_limit = 1000; // what does not converge would only take its time
  rgSolveReport report;
  rgMessage message = {""};
  rgStatus status = rg_solve(&m->problem, variant->solver, variant->options, &stop, &m->solution,
                             m->work, &report, &message);
  CHECK_MSG(status == RG_OK || status == RG_NOT_CONVERGED, "%s: %s", rg_status_name(status),
            message.text);
  return report;
}

static Made make_problem(int index, double mu) {
  return index == 0   ? made_stack(5, 1, mu)
         : index == 1 ? made_pyramid(4, mu)
         : index == 2 ? made_table(10, mu)
         : index == 3 ? made_pile(3, 3, 3, mu)
                      : made_thrown(7);
}
enum { PROBLEMS = 5 };

// What is reported as solved is solved, by a certificate that is computed anew, in both forms.
TEST(no_variant_claims_more_than_it_shows) {
  int solved = 0;
  for (int v = 0; v < VARIANTS; v++)
    for (int p = 0; p < PROBLEMS; p++)
      for (int local = 0; local < 2; local++) {
        CONTEXT("%s %s, problem %d, %s form", variants[v].solver, variants[v].options, p,
                local ? "local" : "body");
        if ((p == 4 && !variants[v].friction) ||
            (local && !strcmp(variants[v].solver, "wilhelmsen")))
          continue;
        Made m = make_problem(p, variants[v].friction ? 0.4 : 0);
        if (local)
          m = made_local(m);
        rgSolveReport report = solve(&m, &variants[v]);
        rgCertificate anew;
        rg_problem_certify(&m.problem, &m.solution, 1e-8, &anew);
        CHECK_INT(report.status == RG_OK, anew.met);
        CHECK(isfinite(anew.residual));
        if (variants[v].safe)
          CHECK_MSG(anew.met, "residual %g", anew.residual);
        solved += anew.met;
        made_free(&m);
      }
  CHECK_MSG(solved > VARIANTS * PROBLEMS, "%d solved", solved);
}

// The explicit resolution is exact where the block of a contact is diagonal: spheres.
TEST(explicit_resolutions_solve_spheres) {
  for (int v = 1; v <= 2; v++)
    for (int k = 0; k < 4; k++) {
      Made m = made_pile(2 + k % 2, 2, 1 + k, 0.2 * k);
      CONTEXT("%s, pile %d", variants[v].options, k);
      rgSolveReport report = solve(&m, &variants[v]);
      CHECK_MSG(report.certificate.met, "residual %g after %d", report.certificate.residual,
                report.iterations);
      made_free(&m);
    }
}

// A box that slides along a diagonal over its corners: the radial correction keeps the direction that
// would make it stick, and the law is missed; the exact resolution meets it.
TEST(the_radial_correction_misses_the_direction_of_sliding_boxes) {
  Made m = made(0.3);
  made_box(&m, v3(0, 0, 0.5), 2, 1, 1, 1);
  made_face(&m, 0, -1, -1, 1, -0.5, 0.5, 0);
  m.bodies[0].v_free.linear = v3(1, 0.6, -made_gravity * made_step);
  m.bodies[0].v_free.angular = v3(0, 0, 2);
  CHECK(!solve(&m, &variants[1]).certificate.met);
  CHECK(solve(&m, &variants[0]).certificate.met);
  made_free(&m);
}
