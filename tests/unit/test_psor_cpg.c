// psor and cpg: known answers, agreement with nsgs where the answer is unique, units, messages.
#include "solve/one/generators.h"
#include "sweep/problems.h"
#include "test.h"

static const char* const solvers[] = {"psor", "cpg"};

static rgSolveReport run(Made* m, const char* solver, const char* options, double tolerance) {
  made_ready(m, solver);
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 50000;
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m->problem, solver, options, &stop, &m->solution, m->work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s: %s", solver, message.text);
  return report;
}

static void set_cone(Made* m, rgConeKind cone, int facets) {
  for (int i = 0; i < m->problem.contact_count; i++) {
    m->contacts[i].cone = cone;
    m->contacts[i].facets = facets;
  }
}

// --- known answers ---

// A block pushed along an inner square: along its axis the square holds mu N, along its side's
// normal only mu N / sqrt(2).
TEST(block_slides_off_a_square_as_the_square_says) {
  const double mu = 0.5, weight = made_gravity * made_step;
  for (int s = 0; s < 2; s++)
    for (int diagonal = 0; diagonal < 2; diagonal++) {
      CONTEXT("%s, diagonal %d", solvers[s], diagonal);
      Made m = made(mu);
      made_body(&m, v3(0, 0, 0), 2, 0, 0, 0);
      rgProblemContact* contact = made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
      contact->cone = RG_CONE_INNER;
      contact->facets = 4;
      rgVec3 along = diagonal ? v3_scale(v3_add(contact->t, contact->o), sqrt(0.5)) : contact->t;
      m.bodies[0].v_free.linear = v3_axpy(v3(0, 0, -weight), weight, along);
      run(&m, solvers[s], NULL, 1e-13);
      double held = diagonal ? mu * sqrt(0.5) : mu;
      rgVec3 v = v3(m.solution.v[0], m.solution.v[1], m.solution.v[2]);
      CHECK_NEAR(v3_dot(v, along), weight * (1 - held), 1e-12);
      CHECK_NEAR(v3_norm(v3_axpy(v, -v3_dot(v, along), along)), 0, 1e-12);
      made_free(&m);
    }
}

// Without friction the velocities of a pile are unique; impulses of redundant contacts are not.
TEST(frictionless_pile_moves_as_with_nsgs) {
  Made reference = made_pile(3, 3, 3, 0.4);
  set_cone(&reference, RG_CONE_FRICTIONLESS, 0);
  run(&reference, "nsgs", NULL, 1e-11);
  for (int s = 0; s < 2; s++)
    for (int local = 0; local < 2; local++) {
      CONTEXT("%s, local %d", solvers[s], local);
      Made m = made_pile(3, 3, 3, 0.4);
      set_cone(&m, RG_CONE_FRICTIONLESS, 0);
      if (local)
        m = made_local(m);
      run(&m, solvers[s], NULL, 1e-11);
      for (int i = 0; i < m.problem.contact_count; i++) {
        double u[4], *mine = m.solution.v + 4 * (size_t)i, of_bodies[4];
        rg_contact_velocity(&reference.contacts[i], reference.solution.v, u);
        if (!local) {
          rg_contact_velocity(&m.contacts[i], m.solution.v, of_bodies);
          mine = of_bodies;
        }
        CHECK_NEAR(mine[0], u[0], 1e-8);
      }
      made_free(&m);
    }
  made_free(&reference);
}

// A wall at rest: what each face carries is fixed by the weights above, whoever computes it.
TEST(stack_carries_the_weight_above) {
  const double weight = made_gravity * made_step;
  for (int s = 0; s < 2; s++) {
    CONTEXT("%s", solvers[s]);
    const int count = s == 0 ? 3 : 8; // relaxation is slow on tall stacks
    Made m = made_stack(count, 10, 0.5);
    set_cone(&m, s == 0 ? RG_CONE_OUTER : RG_CONE_DISK, 6);
    run(&m, solvers[s], NULL, 1e-10);
    for (int i = 0; i < count; i++) {
      double sum = 0;
      for (int k = 0; k < 4; k++)
        sum += m.solution.r[4 * (4 * i + k)];
      CHECK_REL(sum, (count - 1 - i + 10) * weight, 1e-7);
    }
    made_free(&m);
  }
}

// A column of spheres is a chain of springs: the textbook case for over-relaxation.
TEST(over_relaxation_is_faster_on_a_chain) {
  const char* const omegas[] = {"omega=0.7", "omega=1", "omega=1.4"};
  const int count = 12;
  int iterations[3];
  for (int i = 0; i < 3; i++) {
    Made m = made(0);
    m.cone = RG_CONE_FRICTIONLESS;
    for (int k = 0; k < count; k++) {
      made_sphere(&m, v3(0, 0, 0.5 + k), 0.5, 1);
      made_contact(&m, k, k - 1, v3(0, 0, k), v3(0, 0, 1));
    }
    iterations[i] = run(&m, "psor", omegas[i], 1e-10).iterations;
    for (int k = 0; k < count; k++)
      CHECK_REL(m.solution.r[4 * k], (count - k) * made_gravity * made_step, 1e-7);
    made_free(&m);
  }
  CHECK(iterations[2] < iterations[1] && iterations[1] < iterations[0]);
}

// --- units: masses and lengths in other units change no iteration ---

TEST(units_do_not_matter) {
  const double length = 1024, mass = 4096; // powers of two: bits are kept, with their exponents
  for (int s = 0; s < 2; s++) {
    CONTEXT("%s", solvers[s]);
    Made a = made_pile(3, 3, 2, 0.3), b = made_pile(3, 3, 2, 0.3);
    set_cone(&a, s == 0 ? RG_CONE_INNER : RG_CONE_DISK, 6);
    set_cone(&b, s == 0 ? RG_CONE_INNER : RG_CONE_DISK, 6);
    for (int i = 0; i < b.problem.body_count; i++) {
      b.bodies[i].inverse_mass /= mass;
      b.bodies[i].inverse_inertia =
          m3_scale(&b.bodies[i].inverse_inertia, 1 / (mass * length * length));
      b.bodies[i].v_free.linear = v3_scale(b.bodies[i].v_free.linear, length);
    }
    for (int i = 0; i < b.problem.contact_count; i++) {
      b.contacts[i].arm_a = v3_scale(b.contacts[i].arm_a, length);
      b.contacts[i].arm_b = v3_scale(b.contacts[i].arm_b, length);
    }
    CHECK_INT(run(&a, solvers[s], NULL, 1e-8).iterations,
              run(&b, solvers[s], NULL, 1e-8).iterations);
    for (int i = 0; i < 4 * a.problem.contact_count; i++)
      CHECK_BITS(b.solution.r[i], a.solution.r[i] * mass * length);
    made_free(&a);
    made_free(&b);
  }
}

// --- generators ---

TEST(splitting_an_impulse_into_corners_and_joining_it_gives_it_back) {
  uint64_t seed = 3;
  for (int facets = 3; facets <= 9; facets++) {
    Made m = made(0.6);
    made_body(&m, v3(0, 0, 0), 1, 0, 0, 0);
    made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
    set_cone(&m, facets % 2 ? RG_CONE_INNER : RG_CONE_OUTER, facets);
    _Alignas(64) char memory[4096];
    rgCarver carver = {memory, 0};
    int total;
    rgGenerators* contact = rg_generators_make(&m.problem, &carver, &total);
    CHECK_INT(total, facets);
    for (int i = 0; i < 100; i++) {
      double a[16], again[16], r[4], back[4];
      for (int j = 0; j < facets; j++)
        a[j] = made_random(&seed) < 0.5 ? 0 : made_random(&seed);
      rg_generators_join(contact, a, r);
      rg_generators_split(contact, r, again);
      rg_generators_join(contact, again, back);
      for (int k = 0; k < 4; k++)
        CHECK_NEAR(back[k], r[k], 1e-14);
      for (int j = 0; j < facets; j++)
        CHECK(again[j] >= 0);
    }
    made_free(&m);
  }
}

// --- messages ---

TEST(what_psor_does_not_take) {
  Made m = made_stack(1, 1, 0.5);
  made_ready(&m, "psor");
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m.problem, "psor", NULL, &stop, &m.solution, m.work, &report, &message);
  CHECK_INT(status, RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text,
            "psor takes frictionless and polygonal contacts, contact 0 has the cone disk");
  set_cone(&m, RG_CONE_FRICTIONLESS, 0);
  status = rg_solve(&m.problem, "psor", "omega=2", &stop, &m.solution, m.work, &report, &message);
  CHECK_INT(status, RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "omega is \"2\", must be a number in 0.001 .. 1.999");
  made_free(&m);
}

TEST(cpg_refuses_a_matrix_far_from_symmetric) {
  int row_start[] = {0, 2, 4}, column[] = {0, 1, 0, 1};
  double values[] = {1, 2, 0, 1}, r[8] = {0}, u[8] = {0};
  rgProblemContact contacts[2] = {{.body_a = -1, .body_b = -1, .bias = {-1}},
                                  {.body_a = -1, .body_b = -1, .bias = {-1}}};
  rgLocalMatrix matrix = {.block = 1, .row_start = row_start, .column = column, .values = values};
  rgProblem problem = {.dimension = 3, .contact_count = 2, .contacts = contacts, .local = &matrix};
  void* work = malloc(rg_solve_work_size(&problem, "cpg"));
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&problem, "cpg", NULL, &stop, &(rgSolution){u, r, NULL}, work, &report, &message);
  CHECK_INT(status, RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "cpg needs a symmetric W, this one differs from its transpose by 1 of "
                          "its largest number");
  free(work);
}
