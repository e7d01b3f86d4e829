// Sweeps in floats: judged by the certificate, which is made in double from the impulses alone.
#include "math/vec.h"
#include "problem/operator.h"
#include "solve/nsgs/nsgs_pack.h"
#include "sweep/problems.h"
#include "test.h"

#include <math.h>

static const double tolerance = 1e-3; // of realtime
enum { LIMIT = 199 };

static rgSolveReport run(Made* m, const char* options) {
  if (!m->work)
    made_ready(m, "nsgs");
  memset(m->solution.r, 0, 4 * (size_t)m->problem.contact_count * sizeof(double));
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = LIMIT;
  rgSolveReport report;
  rg_solve(&m->problem, "nsgs", options, &stop, &m->solution, m->work, &report, NULL);
  rgCertificate again;
  rg_problem_certify(&m->problem, &m->solution, tolerance, &again);
  CHECK_INT(again.met, report.status == RG_OK);
  return report;
}

static double* copy_impulses(const Made* m) {
  size_t size = 4 * (size_t)m->problem.contact_count * sizeof(double);
  return memcpy(malloc(size), m->solution.r, size);
}

static bool same_impulses(const Made* m, const double* r) {
  return memcmp(m->solution.r, r, 4 * (size_t)m->problem.contact_count * sizeof(double)) == 0;
}

// Random pushes, so that contacts stick, slip and open.
static void push(Made* m, uint64_t seed, double speed) {
  for (int i = 0; i < m->problem.body_count; i++) {
    rgTwist* v = &m->bodies[i].v_free;
    v->linear = v3_axpy(v->linear, speed, made_vector(&seed));
    v->angular = v3_axpy(v->angular, speed, made_vector(&seed));
  }
}

static Made make(int which) {
  Made m = which < 2 ? made_pile(5, 4, 4, 0.2 + 0.3 * which) : made_pyramid(11, 0.5);
  push(&m, (uint64_t)which + 1, which == 2 ? 0 : 0.1);
  return m;
}

// What floats find differs from what doubles find, and meets the tolerance as well, after as many sweeps but for a
// few: rounding is far below the goal.
TEST(floats_meet_the_tolerance_as_doubles_do) {
  for (int which = 0; which < 3; which++) {
    Made m = make(which);
    rgSolveReport doubles = run(&m, "single=0");
    double* r = copy_impulses(&m);
    rgSolveReport floats = run(&m, NULL);
    CHECK(doubles.status == RG_OK && floats.status == RG_OK);
    CHECK(!same_impulses(&m, r));
    CHECK(abs(floats.iterations - doubles.iterations) <= 2 + doubles.iterations / 4);
    free(r);
    made_free(&m);
  }
}

// A tolerance, a limit or a number of bodies for which floats are not meant gives the bits of doubles.
TEST(few_bodies_and_small_tolerances_are_swept_in_double) {
  Made m = made_pile(4, 4, 4, 0.5);
  push(&m, 1, 0.1);
  CHECK(m.problem.body_count <= RG_BUDGET_FEW_BODIES);
  run(&m, "single=0");
  double* r = copy_impulses(&m);
  run(&m, NULL);
  CHECK(same_impulses(&m, r));
  CHECK(rg_nsgs_single_resolves(&m.problem, 0.1 * tolerance, 1, NULL));
  CHECK(!rg_nsgs_single_resolves(&m.problem, 0.01 * tolerance, 1, NULL));
  free(r);
  made_free(&m);
}

// Units do not matter: masses and velocities that are larger by powers of two, far beyond what the cube of a float
// holds, give impulses that are larger by their product, bit for bit.
TEST(impulses_scale_with_masses_and_velocities) {
  static const int powers[][2] = {{60, 0}, {-60, 0}, {0, 40}, {0, -60}, {90, -70}};
  for (int which = 0; which < 2; which++) {
    Made m = make(which);
    run(&m, NULL);
    double* r = copy_impulses(&m);
    for (int k = 0; k < 5; k++) {
      Made scaled = make(which);
      double mass = ldexp(1, powers[k][0]), speed = ldexp(1, powers[k][1]);
      for (int i = 0; i < scaled.problem.body_count; i++) {
        rgProblemBody* body = &scaled.bodies[i];
        body->inverse_mass /= mass;
        for (int a = 0; a < 3; a++)
          body->inverse_inertia.m[a][a] /= mass;
        body->v_free.linear = v3_scale(body->v_free.linear, speed);
        body->v_free.angular = v3_scale(body->v_free.angular, speed);
      }
      for (int i = 0; i < scaled.problem.contact_count; i++)
        for (int a = 0; a < 3; a++)
          scaled.contacts[i].bias[a] *= speed;
      run(&scaled, NULL);
      for (int i = 0; i < 4 * m.problem.contact_count; i++)
        CHECK(scaled.solution.r[i] == r[i] * mass * speed);
      made_free(&scaled);
    }
    free(r);
    made_free(&m);
  }
}

// A heap that flies past at 1,000 m/s: one unit in the last place of such a float, 6e-5 m/s, is beyond the goal of
// 1.6e-5 m/s. Velocities are counted from those of the start, so that it takes no more sweeps, and the certificate
// sees no difference: rounding of doubles, 1e-13 m/s.
TEST(a_common_velocity_costs_nothing) {
  for (int which = 0; which < 2; which++) {
    Made m = make(which), fast = make(which);
    rgVec3 common = v3(600, -800, 300);
    for (int i = 0; i < fast.problem.body_count; i++)
      fast.bodies[i].v_free.linear = v3_add(fast.bodies[i].v_free.linear, common);
    for (int i = 0; i < fast.problem.contact_count; i++) { // the floor flies along
      rgProblemContact* contact = &fast.contacts[i];
      double sign = contact->body_a < 0 ? 1 : contact->body_b < 0 ? -1 : 0;
      contact->bias[0] += sign * v3_dot(contact->n, common);
      contact->bias[1] += sign * v3_dot(contact->t, common);
      contact->bias[2] += sign * v3_dot(contact->o, common);
    }
    rgSolveReport slow = run(&m, NULL), quick = run(&fast, NULL);
    CHECK(slow.status == RG_OK && quick.status == RG_OK);
    CHECK(abs(slow.iterations - quick.iterations) <= 2);
    made_free(&m);
    made_free(&fast);
  }
}

// Floats know r to 6e-8 of itself. Where a heavy body rests on light ones that is more than the tolerance allows for a
// light one, and sweeps are made in double: the bits are those without floats.
TEST(large_ratios_of_masses_are_swept_in_double) {
  for (int heavy = 0; heavy < 2; heavy++) {
    Made m = make(0);
    double ratio = heavy ? 3000 : 300;
    m.bodies[m.problem.body_count - 1].inverse_mass /= ratio;
    run(&m, "single=0");
    double* r = copy_impulses(&m);
    run(&m, NULL);
    CHECK_INT(same_impulses(&m, r), heavy);
    free(r);
    made_free(&m);
  }
}
