// admm: known answers for every law, agreement with newton and nsgs, redundant contacts, rows, mass
// ratios, units, warm starts, budget, workspace, messages.
#include "solve/solver.h"
#include "support/chains.h"
#include "sweep/problems.h"
#include "test.h"

static rgSolveReport run(Made* m, const char* solver, const char* options, double tolerance) {
  made_ready(m, solver);
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m->problem, solver, options, &stop, &m->solution, m->work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s: %s", solver, message.text);
  rgCertificate certificate;
  rg_problem_certify(&m->problem, &m->solution, tolerance, &certificate);
  CHECK_MSG(certificate.met, "residual %g", certificate.residual);
  return report;
}

static void set_cone(Made* m, rgConeKind cone, int facets) {
  for (int i = 0; i < m->problem.contact_count; i++) {
    m->contacts[i].cone = cone;
    m->contacts[i].facets = facets;
  }
}

// Largest difference of a velocity of two answers, bodies or local form [m/s].
static double difference(const Made* a, const Made* b) {
  double largest = 0;
  int count = a->problem.local ? 4 * a->problem.contact_count : 6 * a->problem.body_count;
  for (int i = 0; i < count; i++)
    largest = fmax(largest, fabs(a->solution.v[i] - b->solution.v[i]));
  return largest;
}

// Runs admm and another solver on the same problem; their velocities agree.
static void agree(Made a, Made b, const char* other, double limit) {
  run(&a, "admm", NULL, 1e-10);
  run(&b, other, NULL, 1e-10);
  CHECK_NEAR(difference(&a, &b), 0, limit);
  made_free(&a);
  made_free(&b);
}

// --- known answers -------------------------------------------------------------------------------

static const double weight = made_gravity * made_step; // of a mass of 1 in one step [N s]

// A block without rotation, pushed along a direction of the tangential plane with the impulse that
// its weight has: friction takes mu times the reach of the section in that direction.
static void check_sliding(rgConeKind cone, int facets, rgVec3 along, double reach) {
  const double mu = 0.5;
  for (int local = 0; local < 2; local++) {
    CONTEXT("%s, %d facets, local %d", rg_cone_kind_name(cone), facets, local);
    Made m = made(mu);
    made_body(&m, v3_zero(), 2, 0, 0, 0);
    rgProblemContact* contact = made_contact(&m, 0, -1, v3_zero(), v3(0, 0, 1));
    contact->t = v3(1, 0, 0);
    contact->o = v3(0, 1, 0);
    contact->cone = cone;
    contact->facets = facets;
    contact->e_t = 1.25;
    contact->e_o = 0.5;
    m.bodies[0].v_free.linear = v3_axpy(v3(0, 0, -weight), weight, along);
    if (local)
      m = made_local(m);
    run(&m, "admm", NULL, 1e-12);
    double x = m.solution.v[local ? 1 : 0], y = m.solution.v[local ? 2 : 1];
    CHECK_NEAR(x, weight * (1 - mu * reach) * along.x, 1e-11);
    CHECK_NEAR(y, weight * (1 - mu * reach) * along.y, 1e-11);
    CHECK_NEAR(m.solution.r[0], 2 * weight, 1e-11);
    made_free(&m);
  }
}

// Directions along which the section has a flat or a corner, so that friction opposes the motion.
TEST(a_block_slides_as_the_section_of_its_cone_says) {
  const double half = sqrt(0.5);
  check_sliding(RG_CONE_FRICTIONLESS, 0, v3(1, 0, 0), 0);
  check_sliding(RG_CONE_DISK, 0, v3(0.6, 0.8, 0), 1);
  check_sliding(RG_CONE_ELLIPSOID, 0, v3(1, 0, 0), 1.25);
  check_sliding(RG_CONE_ELLIPSOID, 0, v3(0, 1, 0), 0.5);
  check_sliding(RG_CONE_INNER, 4, v3(1, 0, 0), 1);
  check_sliding(RG_CONE_INNER, 4, v3(half, half, 0), half);
  check_sliding(RG_CONE_OUTER, 4, v3(1, 0, 0), 1);
  check_sliding(RG_CONE_OUTER, 4, v3(half, half, 0), 1 / half);
  check_sliding(RG_CONE_INNER, 3, v3(-1, 0, 0), 1);  // friction into a corner
  check_sliding(RG_CONE_INNER, 3, v3(1, 0, 0), 0.5); // friction on a side
}

// A spinning body on a contact with torsion: the spin loses mu e_tau times the weight.
TEST(torsion_takes_spin) {
  Made m = made(0.5);
  made_body(&m, v3_zero(), 1, 1, 1, 1);
  rgProblemContact* contact = made_contact(&m, 0, -1, v3_zero(), v3(0, 0, 1));
  contact->cone = RG_CONE_ELLIPSOID;
  contact->e_tau = 0.2;
  m.bodies[0].v_free.angular = v3(0, 0, 1);
  run(&m, "admm", NULL, 1e-12);
  CHECK_NEAR(m.solution.v[5], 1 - 0.5 * 0.2 * weight, 1e-10);
  made_free(&m);
}

// What each face of a stack carries is fixed by the weights above. The last ratio is beyond what
// sweeps solve.
TEST(a_stack_carries_the_weight_above_at_any_mass_ratio) {
  const int count = 4;
  for (double ratio = 1e-3; ratio < 2e6; ratio *= 1e3) {
    CONTEXT("mass ratio %g", ratio);
    Made m = made_stack(count, ratio, 0.5);
    CHECK(run(&m, "admm", NULL, 1e-8).iterations < 2000);
    for (int i = 0; i < count; i++) {
      double sum = 0;
      for (int k = 0; k < 4; k++)
        sum += m.solution.r[4 * (4 * i + k)];
      CHECK_REL(sum, (count - 1 - i + ratio) * weight, 1e-6);
    }
    made_free(&m);
  }
}

// --- rows ----------------------------------------------------------------------------------------

// A body of mass 2 whose row along x asks for the velocity 1: held, at a bound, soft.
TEST(rows_have_bounds_and_compliance) {
  static const struct {
    double lower, upper, compliance, lambda;
  } cases[] = {
      {-HUGE_VAL, HUGE_VAL, 0, 2},   // v = 1
      {-HUGE_VAL, HUGE_VAL, 0.5, 1}, // v - 1 + lambda / 2 = 0 with v = lambda / 2
      {-0.3, 0.3, 0, 0.3},           // at its upper bound
      {-3, 3, 0, 2},                 // between its bounds
      {-0.3, 0.3, 0.5, 0.3},         // soft, at its bound
      {-3, 3, 0.5, 1},               // soft, between its bounds
      {-HUGE_VAL, -0.5, 0, -0.5},    // one-sided: the wrong way
      {0, HUGE_VAL, 0, 2},           // one-sided
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("case %d", (int)i);
    Made m = made(0);
    made_body(&m, v3_zero(), 2, 1, 1, 1);
    m.bodies[0].v_free.linear = v3_zero();
    rgProblemRow* row = made_row(&m, 0, -1);
    row->g_a.linear = v3(1, 0, 0);
    row->bias = -1;
    row->lower = cases[i].lower;
    row->upper = cases[i].upper;
    row->compliance = cases[i].compliance;
    run(&m, "admm", NULL, 1e-12);
    CHECK_NEAR(m.solution.lambda[0], cases[i].lambda, 1e-11);
    CHECK_NEAR(m.solution.v[0], cases[i].lambda / 2, 1e-11);
    made_free(&m);
  }
}

// Rows without bounds are solved by the factorization, not by iterations: length and mass ratio of
// a chain do not matter.
TEST(chains_take_few_iterations) {
  for (int links = 10; links <= 1000; links *= 10) {
    CONTEXT("%d links", links);
    Made m = chain_line(links, 3, 100, true), other = chain_line(links, 3, 100, true);
    CHECK(run(&m, "admm", NULL, 1e-9).iterations <= 20);
    run(&other, "direct", NULL, 1e-12);
    CHECK_NEAR(difference(&m, &other), 0, 1e-8);
    made_free(&m);
    made_free(&other);
  }
}

// No impulse holds two rows that contradict each other: the solve ends long before the limit.
TEST(contradicting_rows_end_the_solve_early) {
  Made m = made(0);
  made_body(&m, v3_zero(), 2, 1, 1, 1);
  for (int i = 0; i < 2; i++) {
    rgProblemRow* row = made_row(&m, 0, -1);
    row->g_a.linear = v3(1, 0, 0);
    row->bias = i;
  }
  made_ready(&m, "admm");
  rgStop stop = rg_stop_default();
  stop.iteration_limit = 1000000;
  rgSolveReport report;
  rgStatus status = rg_solve(&m.problem, "admm", NULL, &stop, &m.solution, m.work, &report, NULL);
  CHECK_INT(status, RG_NOT_CONVERGED);
  CHECK(report.iterations < 5000);
  made_free(&m);
}

// --- agreement -----------------------------------------------------------------------------------

// A column of spheres of many sizes, each leaning on the one below, with random velocities: W is
// regular, and with little friction the velocities are unique.
static Made thrown(uint64_t seed, rgConeKind cone) {
  enum { COUNT = 12 };
  Made m = made(0.2);
  rgVec3 half = v3(0.5, 0.5, 0.5), base = v3_zero(), up = v3(0, 0, 1);
  for (int i = 0; i < COUNT; i++) {
    double radius = 0.1 + 0.2 * made_random(&seed);
    made_sphere(&m, v3_axpy(base, radius, up), radius, radius * radius * radius);
    made_contact(&m, i, i - 1, base, up);
    rgVec3 x = made_vector(&seed), y = made_vector(&seed), lean = made_vector(&seed);
    m.bodies[i].v_free = (rgTwist){v3_sub(v3_sub(x, half), v3(0, 0, 0.1 * i)), v3_sub(y, half)};
    up = v3_add(v3(0, 0, 2), v3_sub(lean, half));
    up = v3_scale(up, 1 / v3_norm(up));
    base = v3_axpy(m.centers[i], radius, up);
  }
  set_cone(&m, cone, 6);
  for (int i = 0; i < m.problem.contact_count; i++) {
    m.contacts[i].e_t = 1.3;
    m.contacts[i].e_o = 0.7;
    m.contacts[i].e_tau = 0.1;
  }
  return m;
}

// The same with motors of little strength and soft rods between every third.
static Made joined(uint64_t seed) {
  Made m = thrown(seed, RG_CONE_DISK);
  for (int i = 3; i < m.problem.body_count; i++) {
    rgProblemRow* row = made_row(&m, i, i - 3);
    rgVec3 axis = v3_add(made_vector(&seed), v3(0.1, 0.1, 0.1));
    row->g_a = i % 2 ? (rgTwist){axis, v3_zero()} : (rgTwist){v3_zero(), axis};
    row->g_b = (rgTwist){v3_neg(row->g_a.linear), v3_neg(row->g_a.angular)};
    row->bias = made_random(&seed) - 0.5;
    row->compliance = i % 3 ? 0 : 0.2;
    row->lower = -0.1 * made_random(&seed);
    row->upper = 0.1 * made_random(&seed);
  }
  return m;
}

// Exact cones against newton, polygons against nsgs.
TEST(thrown_spheres_move_as_with_other_solvers) {
  for (int cone = RG_CONE_FRICTIONLESS; cone < RG_CONE_KIND_COUNT; cone++)
    for (uint64_t seed = 1; seed <= 5; seed++) {
      CONTEXT("%s, seed %d", rg_cone_kind_name((rgConeKind)cone), (int)seed);
      bool polygon = cone == RG_CONE_INNER || cone == RG_CONE_OUTER;
      agree(thrown(seed, (rgConeKind)cone), thrown(seed, (rgConeKind)cone),
            polygon ? "nsgs" : "newton", 1e-8);
    }
}

TEST(contacts_with_bounded_and_soft_rows_move_as_with_newton) {
  for (uint64_t seed = 1; seed <= 10; seed++) {
    CONTEXT("seed %d", (int)seed);
    agree(joined(seed), joined(seed), "newton", 1e-8);
  }
}

TEST(both_forms_agree) {
  for (uint64_t seed = 1; seed <= 5; seed++)
    for (int cone = RG_CONE_FRICTIONLESS; cone < RG_CONE_KIND_COUNT; cone++) {
      CONTEXT("%s, seed %d", rg_cone_kind_name((rgConeKind)cone), (int)seed);
      Made bodies = thrown(seed, (rgConeKind)cone),
           local = made_local(thrown(seed, (rgConeKind)cone));
      run(&bodies, "admm", NULL, 1e-10);
      run(&local, "admm", NULL, 1e-10);
      for (int i = 0; i < bodies.problem.contact_count; i++) {
        double u[4];
        rg_contact_velocity(&bodies.contacts[i], bodies.solution.v, u);
        for (int k = 0; k < 4; k++)
          CHECK_NEAR(local.solution.v[4 * i + k], u[k], 1e-7); // spins are ten times as large
      }
      made_free(&bodies);
      made_free(&local);
    }
}

// In the plane every cone is an interval: disk, ellipsoid and polygons of the same extent move
// alike.
TEST(two_dimensions) {
  Made first = made_stack(3, 2, 0.3);
  for (int kind = 0; kind < 4; kind++) {
    static const rgConeKind cones[] = {RG_CONE_DISK, RG_CONE_ELLIPSOID, RG_CONE_INNER,
                                       RG_CONE_OUTER};
    CONTEXT("%s", rg_cone_kind_name(cones[kind]));
    Made m = made_stack(3, 2, 0.3);
    m.problem.dimension = 2;
    set_cone(&m, cones[kind], 4);
    for (int i = 0; i < m.problem.contact_count; i++) {
      m.contacts[i].t = v3(1, 0, 0);
      m.contacts[i].o = v3(0, 1, 0);
    }
    m.bodies[2].v_free.linear.x = 0.5;
    run(&m, "admm", NULL, 1e-11);
    if (kind > 0)
      CHECK_NEAR(difference(&m, &first), 0, 1e-9);
    made_free(kind > 0 ? &m : &first);
    if (kind == 0)
      first = m;
  }
  made_free(&first);
}

// Four legs with four contacts each on the ground: 48 unknowns of rank 6.
TEST(redundant_contacts_are_solved_to_rounding) {
  for (int i = 0; i < 3; i++) {
    Made m = i == 0 ? made_table(20, 0.5) : i == 1 ? made_stack(10, 1, 0.5) : made_pyramid(6, 0.6);
    CHECK(run(&m, "admm", NULL, 1e-12).iterations < 1000);
    made_free(&m);
  }
}

// --- units, starts, budget -----------------------------------------------------------------------

static void rescale(Made* m, double length, double mass) {
  for (int i = 0; i < m->problem.body_count; i++) {
    m->bodies[i].inverse_mass /= mass;
    m->bodies[i].inverse_inertia =
        m3_scale(&m->bodies[i].inverse_inertia, 1 / (mass * length * length));
    m->bodies[i].v_free.linear = v3_scale(m->bodies[i].v_free.linear, length);
  }
  for (int i = 0; i < m->problem.contact_count; i++) {
    m->contacts[i].arm_a = v3_scale(m->contacts[i].arm_a, length);
    m->contacts[i].arm_b = v3_scale(m->contacts[i].arm_b, length);
  }
}

// Millimetres and grams: the same iterations. With powers of two the same bits as well.
TEST(units_do_not_matter) {
  const double units[][2] = {{1000, 1000}, {1024, 4096}, {1e-3, 1e-6}};
  for (int i = 0; i < 3; i++)
    for (int polygon = 0; polygon < 2; polygon++) {
      CONTEXT("units %d, polygon %d", i, polygon);
      Made a = made_pile(3, 3, 2, 0.3), b = made_pile(3, 3, 2, 0.3);
      set_cone(&a, polygon ? RG_CONE_INNER : RG_CONE_DISK, 6);
      set_cone(&b, polygon ? RG_CONE_INNER : RG_CONE_DISK, 6);
      rescale(&b, units[i][0], units[i][1]);
      CHECK_INT(run(&a, "admm", NULL, 1e-8).iterations, run(&b, "admm", NULL, 1e-8).iterations);
      for (int k = 0; k < 4 * a.problem.contact_count && i == 1; k++)
        CHECK_BITS(b.solution.r[k], a.solution.r[k] * units[i][0] * units[i][1]);
      made_free(&a);
      made_free(&b);
    }
}

TEST(a_good_start_saves_iterations) {
  Made m = made_pile(3, 3, 3, 0.4);
  int cold = run(&m, "admm", NULL, 1e-6).iterations;
  rgStop stop = rg_stop_default();
  stop.tolerance = 1e-6;
  rgSolveReport report;
  uint64_t seed = 5;
  for (int i = 0; i < 4 * m.problem.contact_count; i++)
    m.solution.r[i] *= 1 + 1e-5 * made_random(&seed);
  rg_solve(&m.problem, "admm", NULL, &stop, &m.solution, m.work, &report, NULL);
  CHECK_INT(report.status, RG_OK);
  CHECK(report.iterations > 0);
  CHECK_MSG(report.iterations <= cold / 2, "%d iterations, from nothing %d", report.iterations,
            cold);
  made_free(&m);
}

TEST(over_relaxation_saves_iterations) {
  Made plain = made_pyramid(8, 0.6), relaxed = made_pyramid(8, 0.6);
  int slow = run(&plain, "admm", "relaxation=1", 1e-9).iterations;
  int fast = run(&relaxed, "admm", NULL, 1e-9).iterations;
  CHECK_MSG(fast < slow, "%d iterations, without it %d", fast, slow);
  made_free(&plain);
  made_free(&relaxed);
}

// Whatever the first penalty is, the update finds one that works.
TEST(the_first_penalty_does_not_matter) {
  static const char* const penalties[] = {"penalty=1e-4", "penalty=1", "penalty=1e4"};
  for (int i = 0; i < 3; i++) {
    CONTEXT("%s", penalties[i]);
    Made m = made_stack(5, 1000, 0.5);
    CHECK(run(&m, "admm", penalties[i], 1e-8).iterations < 1000);
    made_free(&m);
  }
}

TEST(the_iteration_limit_holds_and_history_has_each_iteration) {
  Made m = made_pile(3, 3, 3, 0.4);
  made_ready(&m, "admm");
  double history[64];
  rgStop stop = rg_stop_default();
  stop.iteration_limit = 7;
  stop.history = history;
  stop.history_capacity = 64;
  rgSolveReport report;
  rgStatus status = rg_solve(&m.problem, "admm", NULL, &stop, &m.solution, m.work, &report, NULL);
  CHECK_INT(status, RG_NOT_CONVERGED);
  CHECK_INT(report.iterations, 7);
  CHECK_INT(report.history_count, 7);
  CHECK(report.certificate.residual < 1); // it keeps what it has found
  made_free(&m);
}

// Nothing is written beyond the workspace.
TEST(the_workspace_is_as_large_as_it_says) {
  enum { GUARD = 256 };
  for (int local = 0; local < 2; local++) {
    CONTEXT("local %d", local);
    Made m = thrown(3, local ? RG_CONE_ELLIPSOID : RG_CONE_INNER);
    if (local)
      m = made_local(m);
    made_ready(&m, "admm");
    m.work = realloc(m.work, m.work_size + GUARD);
    memset(m.work, 0xa5, m.work_size + GUARD);
    rgStop stop = rg_stop_default();
    rgSolveReport report;
    rg_solve(&m.problem, "admm", NULL, &stop, &m.solution, m.work, &report, NULL);
    for (int i = 0; i < GUARD; i++)
      CHECK_INT(((unsigned char*)m.work)[m.work_size + (size_t)i], 0xa5);
    made_free(&m);
  }
}

// --- messages ------------------------------------------------------------------------------------

TEST(what_admm_does_not_take) {
  rgMessage message;
  rgProblem problem = {.dimension = 3, .body_count = 5000};
  CHECK_INT(rg_solver_admm.accepts(&problem, &message), RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "admm takes at most 4096 bodies, the problem has 5000");
  rgLocalMatrix matrix = {.block = 1};
  problem = (rgProblem){.dimension = 3, .contact_count = 3000, .local = &matrix};
  CHECK_INT(rg_solver_admm.accepts(&problem, &message), RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "admm takes at most 2048 contacts in local form, the problem has 3000");
}
