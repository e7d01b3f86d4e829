// Every solver on every problem it accepts, judged by the certificate alone.
#include "solve/solver.h"
#include "sweep/problems.h"
#include "test.h"

static Made stack_on_stack(void) { return made_stack(8, 20, 0.6); }
static Made slippery_pyramid(void) { return made_pyramid(6, 0.1); }
static Made pyramid(void) { return made_pyramid(6, 0.5); }
static Made table(void) { return made_table(20, 0.5); }
static Made pile(void) { return made_pile(4, 4, 4, 0.4); }
static Made smooth_pile(void) { return made_pile(4, 4, 4, 0); }
static Made collision(void) { return made_thrown(21); }

static Made with_cone(Made m, rgConeKind cone, int facets) {
  for (int i = 0; i < m.problem.contact_count; i++) {
    m.contacts[i].cone = cone;
    m.contacts[i].facets = facets;
    m.contacts[i].e_t = 1.5;
    m.contacts[i].e_o = 0.5;
    m.contacts[i].e_tau = 0.05;
  }
  return m;
}
static Made ellipsoids(void) { return with_cone(made_pile(3, 3, 3, 0.3), RG_CONE_ELLIPSOID, 0); }
static Made thrown_ellipsoids(void) { return with_cone(collision(), RG_CONE_ELLIPSOID, 0); }
static Made inner_squares(void) { return with_cone(made_pile(3, 3, 3, 0.3), RG_CONE_INNER, 4); }
static Made outer_octagons(void) { return with_cone(collision(), RG_CONE_OUTER, 8); }

// A chain of boxes joined by ball joints, hung up at one end and lying on the ground with the
// other.
static Made chain(void) {
  Made m = made(0.5);
  const rgVec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  for (int i = 0; i < 6; i++) {
    made_box(&m, v3(i, 0, 0.1), 0.9, 0.2, 0.2, 1);
    for (int k = 0; k < 3; k++) {
      rgProblemRow* row = made_row(&m, i, i - 1);
      row->g_a = (rgTwist){axes[k], v3_cross(v3(-0.5, 0, 0), axes[k])};
      if (i > 0)
        row->g_b = (rgTwist){v3_neg(axes[k]), v3_neg(v3_cross(v3(0.5, 0, 0), axes[k]))};
    }
  }
  for (int i = 3; i < 6; i++)
    made_face(&m, i, -1, i - 0.45, i + 0.45, -0.1, 0.1, 0);
  return m;
}

static Made chain_with_squares(void) { return with_cone(chain(), RG_CONE_INNER, 4); }

static const struct {
  const char* name;
  Made (*make)(void);
} problems[] = {
    {"heavy on light", stack_on_stack},
    {"pyramid", pyramid},
    {"slippery pyramid", slippery_pyramid},
    {"table", table},
    {"pile", pile},
    {"smooth pile", smooth_pile},
    {"collision", collision},
    {"ellipsoids", ellipsoids},
    {"thrown ellipsoids", thrown_ellipsoids},
    {"inner squares", inner_squares},
    {"outer octagons", outer_octagons},
    {"chain", chain},
    {"chain with squares", chain_with_squares},
};

static void solve_and_judge(const rgSolver* solver, const char* problem, const char* form,
                            Made* m) {
  rgMessage message;
  m->problem.local = m->values ? &m->matrix : NULL;
  if (solver->accepts(&m->problem, &message) != RG_OK)
    return;
  made_ready(m, solver->name);
  rgStop stop = rg_stop_default();
  stop.tolerance = 1e-6;
  stop.iteration_limit = 50000;
  rgSolveReport report;
  CONTEXT("solver %s, problem %s, %s form", solver->name, problem, form);
  rgStatus status =
      rg_solve(&m->problem, solver->name, NULL, &stop, &m->solution, m->work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s: %s", rg_status_name(status), message.text);
  rgCertificate certificate;
  rg_problem_certify(&m->problem, &m->solution, stop.tolerance, &certificate);
  CHECK_MSG(certificate.met, "residual %g", certificate.residual);
}

TEST(every_solver_meets_the_tolerance_on_every_problem_it_accepts) {
  for (int s = 0; rg_solver_at(s); s++)
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
      Made m = problems[p].make();
      solve_and_judge(rg_solver_at(s), problems[p].name, "motion", &m);
      made_free(&m);
      m = problems[p].make();
      if (m.problem.row_count == 0) {
        m = made_local(m);
        solve_and_judge(rg_solver_at(s), problems[p].name, "local", &m);
      }
      made_free(&m);
    }
}

// The same problem twice gives the same bits, whatever the workspace held before.
TEST(solvers_are_repeatable) {
  for (int s = 0; rg_solver_at(s); s++) {
    Made a = collision(), b = collision();
    if (rg_solver_at(s)->accepts(&a.problem, NULL) != RG_OK) {
      made_free(&a);
      made_free(&b);
      a = outer_octagons();
      b = outer_octagons();
    }
    made_ready(&a, rg_solver_name(s));
    made_ready(&b, rg_solver_name(s));
    memset(a.work, 0xff, a.work_size);
    memset(b.work, 0x55, b.work_size);
    rgStop stop = rg_stop_default();
    rgSolveReport report;
    rg_solve(&a.problem, rg_solver_name(s), NULL, &stop, &a.solution, a.work, &report, NULL);
    rg_solve(&b.problem, rg_solver_name(s), NULL, &stop, &b.solution, b.work, &report, NULL);
    CONTEXT("solver %s", rg_solver_name(s));
    CHECK(memcmp(a.solution.r, b.solution.r,
                 4 * (size_t)a.problem.contact_count * sizeof(double)) == 0);
    CHECK(memcmp(a.solution.v, b.solution.v, 6 * (size_t)a.problem.body_count * sizeof(double)) ==
          0);
    made_free(&a);
    made_free(&b);
  }
}
