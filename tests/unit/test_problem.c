// The check of problems, and the certificate on solutions known in closed form.
#include "problem/operator.h"
#include "sweep/problems.h"
#include "test.h"

static const double weight_impulse = 9.81 / 60; // of 1 kg in a step

TEST(cone_names) {
  CHECK_STR(rg_cone_kind_name(RG_CONE_FRICTIONLESS), "frictionless");
  CHECK_STR(rg_cone_kind_name(RG_CONE_OUTER), "outer");
  CHECK(rg_cone_kind_name(RG_CONE_KIND_COUNT) == NULL);
}

// One unit box of `mass` on four points of the ground, each carrying a quarter of its weight: an
// exact solution.
static Made resting_box(double mass, double mu) {
  Made m = made_stack(1, mass, mu);
  made_ready(&m, "nsgs");
  for (int i = 0; i < 4; i++)
    m.solution.r[4 * i] = mass * weight_impulse / 4;
  return m;
}

static rgCertificate judge(const Made* m, double tolerance) {
  rgCertificate certificate;
  rg_problem_certify(&m->problem, &m->solution, tolerance, &certificate);
  return certificate;
}

TEST(exact_solution_has_residual_zero) {
  Made m = resting_box(1, 0.5);
  rgCertificate c = judge(&m, 1e-12);
  CHECK_NEAR(c.scale, weight_impulse, 1e-15);
  CHECK_NEAR(c.residual, 0,
             1e-15); // a quarter of the weight is exact, four times it up to one rounding
  CHECK(c.met);
  CHECK_INT(c.contacts, 4);
  made_free(&m);
}

// delta more on every point lifts the box with 4 delta / m; the law is missed by exactly that
// velocity.
TEST(surplus_impulse_shows_as_velocity) {
  double mass = 7, delta = 1e-3;
  Made m = resting_box(mass, 0.5);
  for (int i = 0; i < 4; i++)
    m.solution.r[4 * i] += delta;
  rg_problem_velocity(&m.problem, &m.solution);
  rgCertificate c = judge(&m, 1e-12);
  CHECK_REL(c.signorini, 4 * delta / mass, 1e-12);
  CHECK_REL(c.coulomb, 4 * delta / mass, 1e-12);
  CHECK_NEAR(c.dynamics, 0, 1e-15);
  CHECK_REL(c.residual, 4 * delta / mass / weight_impulse, 1e-12);
  CHECK(!c.met);
  made_free(&m);
}

// Without impulses the box falls through the ground with g h, the whole scale.
TEST(no_impulse_has_residual_one) {
  Made m = resting_box(1, 0.5);
  memset(m.solution.r, 0, 16 * sizeof(double));
  rg_problem_velocity(&m.problem, &m.solution);
  rgCertificate c = judge(&m, 1e-12);
  CHECK_REL(c.residual, 1, 1e-12);
  made_free(&m);
}

TEST(velocity_that_does_not_follow_from_the_impulses_shows_as_dynamics) {
  Made m = resting_box(1, 0.5);
  m.solution.v[0] = 0.01;
  CHECK_REL(judge(&m, 1e-12).dynamics, 0.01, 1e-12);
  m.solution.v[0] = 0;
  m.solution.v[5] =
      0.01; // turns at 0.01 rad/s; the impulses act at a distance of sqrt(3)/2 from the centre
  CHECK_REL(judge(&m, 1e-12).dynamics, 0.01 * sqrt(0.75), 1e-12);
  made_free(&m);
}

TEST(dynamics_of_many_bodies) {
  Made m = made_pyramid(40, 0.5); // 820 bodies: more than are judged at once
  made_ready(&m, "nsgs");
  uint64_t seed = 5;
  for (int i = 0; i < 4 * m.problem.contact_count; i++)
    m.solution.r[i] = i % 4 == 3 ? 0 : made_random(&seed);
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK_NEAR(judge(&m, 1).dynamics, 0, 1e-12);
  m.solution.v[6 * 700 + 1] += 0.5;
  CHECK_NEAR(judge(&m, 1).dynamics, 0.5, 1e-12);
  made_free(&m);
}

// Impulses inside, on and outside their cones, and none at all, and velocities of another size.
static void random_answer(Made* m, uint64_t* seed) {
  double size = made_random(seed), speed = pow(10, -3 * fabs(made_random(seed)));
  for (int i = 0; i < m->problem.contact_count; i++) {
    double* r = m->solution.r + 4 * i;
    double angle = 7 * made_random(seed), press = size * fabs(made_random(seed));
    double part = i % 4 == 0 ? 0.5 : i % 4 == 1 ? 1 : i % 4 == 2 ? 1.3 : 0;
    r[0] = i % 7 == 0 ? 0 : press;
    r[1] = m->mu * part * press * cos(angle);
    r[2] = m->mu * part * press * sin(angle);
  }
  for (int i = 0; i < 6 * m->problem.body_count; i++)
    m->solution.v[i] = speed * made_random(seed);
}

// Contacts that cannot be the worst are passed over: those that count must not be among them.
TEST(a_problem_misses_its_laws_by_what_its_worst_contact_misses) {
  uint64_t seed = 11;
  for (int k = 0; k < 200; k++) {
    Made m = made_pyramid(4, 0.5);
    m.contacts[k % m.problem.contact_count].cone = RG_CONE_FRICTIONLESS;
    made_ready(&m, "nsgs");
    random_answer(&m, &seed);
    rgCertificate whole = judge(&m, 1);
    double signorini = 0, coulomb = 0;
    for (int i = 0; i < m.problem.contact_count; i++) {
      rgProblem one = m.problem;
      one.contacts = &m.problem.contacts[i];
      one.contact_count = 1;
      rgSolution its = {.v = m.solution.v, .r = m.solution.r + 4 * i};
      rgCertificate alone;
      rg_problem_laws(&one, &its, &alone);
      signorini = fmax(signorini, alone.signorini);
      coulomb = fmax(coulomb, alone.coulomb);
    }
    CHECK_REL(whole.signorini, signorini, 1e-14);
    CHECK_REL(whole.coulomb, coulomb, 1e-14); // rounding of the bound
    made_free(&m);
  }
}

TEST(broken_numbers_are_never_met) {
  Made m = resting_box(1, 0.5);
  m.solution.r[5] = (double)NAN;
  rg_problem_velocity(&m.problem, &m.solution);
  rgCertificate c = judge(&m, 1e30);
  CHECK(c.residual == HUGE_VAL);
  CHECK(!c.met);
  made_free(&m);
}

// A box pushed sideways at 1 m/s: friction mu m g h against the motion, the rest of the velocity
// stays.
TEST(sliding_satisfies_the_disk_law_only_against_the_motion) {
  double mu = 0.4;
  Made m = made(mu);
  made_body(&m, v3(0, 0, 0.5), 1, 0, 0, 0); // a point that cannot turn
  m.bodies[0].v_free.linear = v3(0.6, 0.8, -weight_impulse);
  made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  made_ready(&m, "nsgs");
  m.solution.r[0] = weight_impulse;
  m.solution.r[1] = -mu * weight_impulse * 0.6;
  m.solution.r[2] = -mu * weight_impulse * 0.8;
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK_NEAR(judge(&m, 1).residual, 0, 1e-15);
  m.solution.r[1] = mu * weight_impulse * 0.8; // the same size, at a right angle
  m.solution.r[2] = -mu * weight_impulse * 0.6;
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK(judge(&m, 1).coulomb > 0.5 * mu * weight_impulse);
  CHECK_NEAR(judge(&m, 1).signorini, 0, 1e-15);
  made_free(&m);
}

// Ellipsoid: a disk of friction turned about its axis loses spin at the rate mu e_tau m g / J.
TEST(torsion_law) {
  double mu = 0.4, e_tau = 0.1;
  Made m = made(mu);
  made_body(&m, v3(0, 0, 0.5), 2, 1, 1, 0.5);
  m.bodies[0].v_free.angular = v3(0, 0, 3);
  rgProblemContact* contact = made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  contact->cone = RG_CONE_ELLIPSOID;
  contact->e_tau = e_tau;
  made_ready(&m, "nsgs");
  m.solution.r[0] = 2 * weight_impulse;
  m.solution.r[3] = -mu * e_tau * 2 * weight_impulse;
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK_NEAR(m.solution.v[5], 3 - mu * e_tau * 2 * weight_impulse / 0.5, 1e-15);
  CHECK_NEAR(judge(&m, 1).coulomb, 0, 1e-15);
  m.contacts[0].e_tau = 0; // then there may be no moment at all
  CHECK(judge(&m, 1).coulomb > 0.01);
  made_free(&m);
}

// On a square section with corners on the axes, sliding at 20 degrees takes the impulse of the
// corner on the t axis.
TEST(polygon_law) {
  double mu = 0.5;
  Made m = made(mu);
  made_body(&m, v3(0, 0, 0.5), 1, 0, 0, 0);
  m.bodies[0].v_free.linear = v3(cos(0.35), sin(0.35), -weight_impulse);
  rgProblemContact* contact = made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  contact->cone = RG_CONE_INNER;
  contact->facets = 4;
  made_ready(&m, "nsgs");
  m.solution.r[0] = weight_impulse;
  m.solution.r[1] = -mu * weight_impulse;
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK_NEAR(judge(&m, 1).residual, 0, 1e-15);
  m.contacts[0].cone = RG_CONE_DISK;
  CHECK(judge(&m, 1).coulomb > 0.01);
  made_free(&m);
}

TEST(row_laws) {
  Made m = made(0);
  int a = made_box(&m, v3(0, 0, 0), 1, 1, 1, 2);
  rgProblemRow* row = made_row(&m, a, -1);
  row->g_a.linear = v3(0, 0, 1);
  made_ready(&m, "nsgs");
  m.solution.lambda[0] = 2 * weight_impulse;
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK_NEAR(judge(&m, 1).residual, 0, 1e-15); // held
  m.rows[0].upper = 0.5 * weight_impulse;      // a motor too weak pushes with all it has
  CHECK(judge(&m, 1).joint > 0.1 * weight_impulse);
  m.solution.lambda[0] = 0.5 * weight_impulse;
  rg_problem_velocity(&m.problem, &m.solution);
  CHECK_NEAR(judge(&m, 1).residual, 0, 1e-15);
  made_free(&m);
}

// The same scene in other units of mass, length and time.
static void change_units(Made* m, double mass, double length, double time) {
  double speed = length / time;
  for (int i = 0; i < m->problem.body_count; i++) {
    rgProblemBody* b = &m->bodies[i];
    b->inverse_mass /= mass;
    b->inverse_inertia = m3_scale(&b->inverse_inertia, 1 / (mass * length * length));
    b->v_free.linear = v3_scale(b->v_free.linear, speed);
    b->v_free.angular = v3_scale(b->v_free.angular, 1 / time);
  }
  for (int i = 0; i < m->problem.contact_count; i++) {
    rgProblemContact* c = &m->contacts[i];
    c->arm_a = v3_scale(c->arm_a, length);
    c->arm_b = v3_scale(c->arm_b, length);
    for (int k = 0; k < 3; k++)
      c->bias[k] *= speed;
    c->bias[3] /= time;
    c->e_tau *= length;
    for (int k = 0; k < 3; k++)
      m->solution.r[4 * i + k] *= mass * speed;
    m->solution.r[4 * i + 3] *= mass * speed * length;
  }
}

TEST(residual_does_not_depend_on_units) {
  const rgConeKind kinds[] = {RG_CONE_DISK, RG_CONE_FRICTIONLESS, RG_CONE_ELLIPSOID, RG_CONE_INNER};
  for (int k = 0; k < 4; k++) {
    Made m = made_stack(3, 5, 0.5);
    made_ready(&m, "nsgs");
    uint64_t seed = 3;
    for (int i = 0; i < m.problem.contact_count; i++) {
      m.contacts[i].cone = kinds[k];
      m.contacts[i].e_tau = 0.3;
      for (int j = 0; j < (kinds[k] == RG_CONE_ELLIPSOID ? 4 : 3); j++)
        m.solution.r[4 * i + j] = made_random(&seed) - 0.3;
    }
    rg_problem_velocity(&m.problem, &m.solution);
    double residual = judge(&m, 1).residual;
    change_units(&m, 1e3, 1e3, 1e-2); // grams, millimetres
    rg_problem_velocity(&m.problem, &m.solution);
    CONTEXT("cone %s", rg_cone_kind_name(kinds[k]));
    CHECK_REL(judge(&m, 1).residual, residual, 1e-12);
    made_free(&m);
  }
}

// With nothing moving freely the scale is zero: no impulse is right, any impulse that does
// something is wrong.
TEST(zero_scale) {
  Made m = resting_box(1, 0.5);
  m.bodies[0].v_free = (rgTwist){v3_zero(), v3_zero()};
  memset(m.solution.r, 0, 16 * sizeof(double));
  rg_problem_velocity(&m.problem, &m.solution);
  rgCertificate c = judge(&m, 1e-8);
  CHECK(c.scale == 0 && c.residual == 0 && c.met);
  m.solution.r[0] = 1;
  rg_problem_velocity(&m.problem, &m.solution);
  c = judge(&m, 1e-8);
  CHECK(c.residual == HUGE_VAL && !c.met);
  made_free(&m);
}

// Bodies that fly together differ by the rounding of their velocities: that is no approach. A
// thousand times as much is one.
TEST(rounding_of_velocities_is_no_approach) {
  const double approach[] = {1e-15, 1e-12};
  for (int i = 0; i < 2; i++) {
    Made m = made(0.5);
    made_sphere(&m, v3(0, 0, 0), 0.1, 1);
    made_sphere(&m, v3(0, 0, 0.2), 0.1, 1);
    made_contact(&m, 1, 0, v3(0, 0, 0.1), v3(0, 0, 1));
    m.bodies[0].v_free.linear = v3(1, 2, 4);
    m.bodies[1].v_free.linear = v3(1, 2, 4 - approach[i]);
    made_ready(&m, "auto");
    rgStop stop = {.tolerance = 1e-3, .iteration_limit = 100};
    rgSolveReport report;
    rg_solve(&m.problem, "auto", NULL, &stop, &m.solution, m.work, &report, NULL);
    CONTEXT("approach %g", approach[i]);
    CHECK(report.certificate.met);
    CHECK((m.solution.r[0] > 0) == (i == 1));
    CHECK((report.certificate.scale > 0) == (i == 1));
    made_free(&m);
  }
}

// trace(W)/k from the short formula equals the trace of the block.
TEST(effective_mass_is_the_mean_of_the_diagonal) {
  Made m = made_pile(3, 3, 2, 0.5);
  for (int i = 0; i < m.problem.contact_count; i++) {
    double e[4], w[4][4];
    rg_contact_axes(&m.problem, &m.contacts[i], e);
    rg_contact_block(&m.problem, &m.contacts[i], w);
    CHECK_REL(rg_contact_inverse_rho(&m.problem, &m.contacts[i], e),
              (w[0][0] + w[1][1] + w[2][2]) / 3, 1e-13);
  }
  made_free(&m);
}

static void refused(const Made* m, const char* text) {
  rgMessage message;
  CHECK_INT(rg_problem_check(&m->problem, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, text);
}

TEST(bad_problems_are_refused_with_their_place) {
  rgMessage message;
  CHECK_INT(rg_problem_check(NULL, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "NULL");
  Made m = made_stack(2, 1, 0.5);
  made_row(&m, 0, 1);
  CHECK_INT(rg_problem_check(&m.problem, NULL), RG_OK);
  rgProblemContact contact = m.contacts[5];
  rgProblemBody body = m.bodies[1];
  rgProblemRow row = m.rows[0];

  m.problem.dimension = 4;
  refused(&m, "dimension is 4, must be 2 or 3");
  m.problem.dimension = 3;
  m.bodies[1].inverse_mass = -1;
  refused(&m, "bodies[1].inverse_mass is -1, must be finite and >= 0");
  m.bodies[1] = body;
  m.bodies[1].v_free.linear.x = (double)NAN;
  refused(&m, "bodies[1].v_free is not finite");
  m.bodies[1] = body;
  for (int i = 0; i < 9; i++) {
    m.bodies[1].inverse_inertia.m[i / 3][i % 3] += i % 4 ? 1 : 0; // the diagonal has no other side
    if (i % 4)
      refused(&m, "bodies[1].inverse_inertia is not symmetric");
    m.bodies[1] = body;
  }

  m.contacts[5].body_a = 7;
  refused(&m, "contacts[5] joins bodies 7 and 0, must be -1 .. 1");
  m.contacts[5] = contact;
  m.contacts[5].body_a = m.contacts[5].body_b = -1;
  refused(&m, "contacts[5] joins body -1 with itself");
  m.contacts[5] = contact;
  m.contacts[5].n = v3(0, 0, 2);
  refused(&m, "contacts[5]: n, t, o are not a right-handed orthonormal frame");
  m.contacts[5] = contact;
  m.contacts[5].o = v3_neg(contact.o);
  refused(&m, "contacts[5]: n, t, o are not a right-handed orthonormal frame");
  m.contacts[5] = contact;
  m.contacts[5].mu = -0.1;
  refused(&m, "contacts[5].mu is -0.1, must be finite and >= 0");
  m.contacts[5] = contact;
  m.contacts[5].bias[2] = HUGE_VAL;
  refused(&m, "contacts[5]: an arm or the bias is not finite");
  m.contacts[5] = contact;
  m.contacts[5].cone = RG_CONE_INNER;
  m.contacts[5].facets = 2;
  refused(&m, "contacts[5].facets is 2, must be >= 3");
  m.contacts[5] = contact;
  m.contacts[5].cone = RG_CONE_ELLIPSOID;
  m.contacts[5].e_o = -1;
  refused(&m, "contacts[5].e_o is -1, must be finite and >= 0");
  m.contacts[5] = contact;

  m.rows[0].lower = 1;
  m.rows[0].upper = 0;
  refused(&m, "rows[0] has bounds 1 and 0, must be lower <= upper");
  m.rows[0].lower = m.rows[0].upper = HUGE_VAL;
  refused(&m, "rows[0] has bounds inf and inf");
  m.rows[0].lower = m.rows[0].upper = -HUGE_VAL;
  refused(&m, "rows[0] has bounds -inf and -inf");
  m.rows[0] = row;
  m.rows[0].body_b = -2;
  refused(&m, "rows[0] joins bodies 0 and -2");
  made_free(&m);
}

// Velocities whose squares are out of the range of numbers: no residual looks small beside them.
TEST(an_infinite_scale_is_never_met) {
  rgProblemBody body = {.inverse_mass = 1, .inverse_inertia = m3_diag(1, 1, 1)};
  rgProblemContact contact = {.body_a = 0,
                              .body_b = -1,
                              .cone = RG_CONE_DISK,
                              .mu = 0.5,
                              .n = v3(0, 0, 1),
                              .t = v3(1, 0, 0),
                              .o = v3(0, 1, 0)};
  rgProblem problem = {
      .dimension = 3, .body_count = 1, .contact_count = 1, .bodies = &body, .contacts = &contact};
  for (double speed = 1; speed < 1e300; speed *= 1e100) { // 1, 1e100, 1e200
    body.v_free.linear = v3(speed, 0, -speed);
    double v[6] = {speed, 0, -speed}, r[4] = {0};
    rgSolution solution = {.v = v, .r = r};
    rgCertificate certificate;
    rg_problem_certify(&problem, &solution, 1e-6, &certificate);
    CONTEXT("%g m/s", speed);
    CHECK_MSG(!certificate.met, "residual %g", certificate.residual);
  }
}

// A row that may not be free of impulse, lower <= lambda <= upper with 0 < lower: nothing moves
// freely, but the smallest impulse moves the body. Its velocity, lower times the mobility of the row,
// is the scale, soft or not, also of a row that pulls.
TEST(the_smallest_impulse_of_a_row_sets_the_scale) {
  for (int pull = 0; pull < 2; pull++)
    for (int soft = 0; soft < 2; soft++) {
      double compliance = soft ? 0.25 : 0;
      rgProblemBody body = {.inverse_mass = 0.5, .inverse_inertia = m3_identity()};
      rgProblemRow row = {.body_a = -1,
                          .body_b = 0,
                          .g_b = {{1, 0, 0}, {0, 0, 0}},
                          .lower = pull ? -3 : 2,
                          .upper = pull ? -2 : 3,
                          .compliance = compliance};
      rgProblem problem = {
          .dimension = 3, .body_count = 1, .row_count = 1, .bodies = &body, .rows = &row};
      double v[6] = {0}, lambda = pull ? -2 : 2;
      rgSolution solution = {.v = v, .lambda = &lambda};
      v[0] = 0.5 * lambda;
      rgCertificate certificate;
      rg_problem_certify(&problem, &solution, 1e-12, &certificate);
      CONTEXT("pull %d, compliance %g", pull, compliance);
      CHECK_REL(certificate.scale, 2 * 0.5, 1e-15);
      CHECK(certificate.met); // the bound that is next to zero, and the velocity away from it
      lambda = 0;             // beyond the bound by the whole scale
      v[0] = 0;
      rg_problem_certify(&problem, &solution, 1e-12, &certificate);
      CHECK_REL(certificate.residual, 1, 1e-12);
    }
}

// A row between bodies that nothing moves is judged by the sign of its velocity alone: within its bounds
// there must be none, at the lower one it may open, at the upper one it may close.
TEST(rows_that_nothing_moves_are_judged_by_their_sign) {
  const double lambdas[] = {-1, 0, 2}, rates[] = {-0.3, 0.3};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 2; k++) {
      rgProblemBody held = {.inverse_mass = 0};
      rgProblemRow row = {.body_a = 0,
                          .body_b = -1,
                          .g_a = {{1, 0, 0}, {0, 0, 0}},
                          .bias = rates[k],
                          .lower = -1,
                          .upper = 2};
      rgProblem problem = {
          .dimension = 3, .body_count = 1, .row_count = 1, .bodies = &held, .rows = &row};
      double v[6] = {0}, lambda = lambdas[i];
      rgSolution solution = {.v = v, .lambda = &lambda};
      rgCertificate c;
      rg_problem_certify(&problem, &solution, 1e-6, &c);
      bool free = (i == 0 && rates[k] > 0) || (i == 2 && rates[k] < 0);
      CONTEXT("lambda %g, rate %g", lambda, rates[k]);
      CHECK_NEAR(c.joint, free ? 0 : fabs(rates[k]), 1e-15);
    }
}

// A contact that pulls has no friction to give: all of its tangential impulse is wrong, in polygons too.
TEST(contacts_that_pull_have_no_friction) {
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 8; i++) {
      rgProblemBody body = {.inverse_mass = 0.5};
      double angle = 0.3 + i, size = 0.1 * (1 + i);
      rgProblemContact contact = {.body_a = 0,
                                  .body_b = -1,
                                  .n = {0, 0, 1},
                                  .t = {1, 0, 0},
                                  .o = {0, 1, 0},
                                  .cone = k ? RG_CONE_INNER : RG_CONE_OUTER,
                                  .facets = 3 + i,
                                  .mu = 1};
      rgProblem problem = {.dimension = 3,
                           .body_count = 1,
                           .contact_count = 1,
                           .bodies = &body,
                           .contacts = &contact};
      double v[6] = {0}, r[4] = {-0.6, size * cos(angle), size * sin(angle), 0};
      rgSolution solution = {.v = v, .r = r};
      rgCertificate c;
      rg_problem_certify(&problem, &solution, 1e-6, &c);
      CHECK_REL(c.coulomb, 0.5 * sqrt(0.36 + size * size), 1e-12); // |F| / rho, rho = 2 kg
    }
}

// What a normal impulse does to the contact is the first column of its block of W.
TEST(the_response_to_a_normal_impulse_is_a_column_of_w) {
  for (int i = 0; i < 6; i++) {
    rgProblemBody bodies[2] = {{.inverse_mass = 0.5, .inverse_inertia = m3_diag(1, 2, 3)},
                               {.inverse_mass = 0.2, .inverse_inertia = m3_diag(5, 4, 2)}};
    rgProblemContact contact = {.body_a = i % 3 == 0 ? -1 : 0,
                                .body_b = i % 3 == 1 ? -1 : 1,
                                .arm_a = {0.1 + 0.1 * i, -0.2, 0.3},
                                .arm_b = {-0.4, 0.5, 0.1 * i}};
    contact.n = v3_unit_or(v3(1, 0.5 * i, -2), v3(0, 0, 1));
    v3_frame(contact.n, &contact.t, &contact.o);
    rgProblem problem = {.dimension = 3,
                         .body_count = 2,
                         .contact_count = 1,
                         .bodies = bodies,
                         .contacts = &contact};
    double w[4][4];
    rg_contact_block(&problem, &contact, w);
    rgVec3 column = rg_contact_normal_response(&problem, &contact);
    CHECK_REL(v3_dot(contact.n, column), w[0][0], 1e-14);
    CHECK_NEAR(v3_dot(contact.t, column), w[1][0], 1e-14);
    CHECK_NEAR(v3_dot(contact.o, column), w[2][0], 1e-14);
  }
}

// The scale of a contact with torsion is made of all that its law stops: approach, slip and spin.
TEST(spin_about_the_normal_sets_the_scale) {
  rgProblemBody body = {.inverse_mass = 1,
                        .inverse_inertia = m3_diag(1, 1, 1),
                        .v_free = {{0.3, 0, -0.1}, {0, 0, 5}}};
  rgProblemContact contact = {.body_a = 0,
                              .body_b = -1,
                              .n = {0, 0, 1},
                              .t = {1, 0, 0},
                              .o = {0, 1, 0},
                              .cone = RG_CONE_ELLIPSOID,
                              .mu = 0.5,
                              .e_t = 1,
                              .e_o = 1,
                              .e_tau = 0.2};
  rgProblem problem = {
      .dimension = 3, .body_count = 1, .contact_count = 1, .bodies = &body, .contacts = &contact};
  CHECK_REL(rg_problem_scale(&problem), sqrt(0.09 + 0.01 + 1), 1e-14);
}

// Angles count with the radius of gyration of the bodies that turn, sqrt(I / m).
TEST(rows_of_angles_count_with_the_radius_of_gyration) {
  rgProblemBody bodies[2] = {{.inverse_mass = 0.5, .inverse_inertia = m3_diag(2, 3, 4)},
                             {.inverse_mass = 0.3, .inverse_inertia = m3_diag(1, 5, 6)}};
  rgProblemRow row = {.body_a = 0,
                      .body_b = 1,
                      .g_a = {{0, 0, 0}, {1, 0, 0}},
                      .g_b = {{0, 0, 0}, {-1, 0, 0}},
                      .bias = 3,
                      .lower = -HUGE_VAL,
                      .upper = HUGE_VAL};
  rgProblem problem = {
      .dimension = 3, .body_count = 2, .row_count = 1, .bodies = bodies, .rows = &row};
  double v[12] = {0}, lambda = 0;
  rgSolution solution = {.v = v, .lambda = &lambda};
  rgCertificate c;
  rg_problem_certify(&problem, &solution, 1e-6, &c);
  CHECK_REL(c.joint, 3 * sqrt(0.8 / 3), 1e-14);
  CHECK_REL(c.scale, 3 * sqrt(0.8 / 3), 1e-14);
  // What impulses do to a soft row has its compliance in it.
  row.compliance = 0.7;
  lambda = 2;
  double w;
  rg_problem_apply(&problem, NULL, &lambda, v, NULL, &w);
  CHECK_REL(w, 2 * (2 + 1 + 0.7), 1e-14);
}

// A disk has no friction about the normal: an impulse there is missed, as the force that it is at the longest
// arm.
TEST(an_impulse_about_the_normal_of_a_disk_is_missed) {
  for (int k = 0; k < 6; k++) {
    double twisted = 0.01 * (k + 1);
    Made m = resting_box(1, 0.5);
    rg_problem_velocity(&m.problem, &m.solution);
    CHECK(judge(&m, 1e-6).coulomb < 1e-12);
    // two that cancel, so that no body moves
    m.solution.r[3] = twisted;
    m.solution.r[7] = -twisted;
    rg_problem_velocity(&m.problem, &m.solution);
    double e[4], arm = fmax(v3_norm(m.contacts[0].arm_a), v3_norm(m.contacts[0].arm_b));
    rg_contact_axes(&m.problem, &m.contacts[0], e);
    double wanted = twisted / arm * rg_contact_inverse_rho(&m.problem, &m.contacts[0], e);
    CHECK_REL(judge(&m, 1e-6).coulomb, wanted, 1e-9);
    made_free(&m);
  }
}

// Effective masses of the local form are those of the bodies, with torsion too, which has no mass in them.
TEST(effective_masses_are_the_same_in_both_forms) {
  for (int k = 0; k < 3; k++) {
    Made m = made_stack(2, 3, 0.5);
    for (int i = 0; i < m.problem.contact_count; i++) {
      m.contacts[i].cone = k == 0 ? RG_CONE_DISK : RG_CONE_ELLIPSOID;
      m.contacts[i].e_t = 1.3;
      m.contacts[i].e_o = 0.7;
      m.contacts[i].e_tau = k == 2 ? 0.2 : 0;
    }
    rgProblem* local;
    REQUIRE(rg_problem_to_local(&m.problem, NULL, &local, NULL) == RG_OK);
    for (int i = 0; i < m.problem.contact_count; i++) {
      double e[4], f[4];
      rg_contact_axes(&m.problem, &m.contacts[i], e);
      rg_contact_axes(local, &local->contacts[i], f);
      CONTEXT("case %d, contact %d", k, i);
      CHECK_REL(rg_contact_inverse_rho(local, &local->contacts[i], f),
                rg_contact_inverse_rho(&m.problem, &m.contacts[i], e), 1e-13);
    }
    rg_problem_free(local, NULL);
    made_free(&m);
  }
}

// Whether a body has a mass matrix does not depend on the units of its inertia.
TEST(a_mass_exists_in_every_unit) {
  for (int k = -9; k <= 9; k += 3) {
    double unit = pow(10, k);
    rgProblemBody bodies[2] = {
        {.inverse_mass = unit, .inverse_inertia = m3_diag(unit, 2 * unit, 3 * unit)},
        {.inverse_mass = unit, .inverse_inertia = m3_diag(unit, 0, 3 * unit)}};
    rgProblem problem = {.dimension = 3, .body_count = 2, .bodies = bodies};
    CONTEXT("inverse moments of %g", unit);
    CHECK(rg_mass_exists(&problem, 0, 1e-3));
    CHECK(!rg_mass_exists(&problem, 1, 1e-3));
  }
}

// In local form every component of a velocity that does not follow from the impulses is seen, spin too.
TEST(velocities_of_the_local_form_show_as_dynamics) {
  for (int k = 0; k < 4; k++) {
    Made m = made_local(made_stack(1, 1, 0.5));
    made_ready(&m, "nsgs");
    rg_problem_velocity(&m.problem, &m.solution);
    m.solution.v[4 * 2 + k] += 0.25;
    CONTEXT("component %d", k);
    CHECK_REL(judge(&m, 1e-6).dynamics, 0.25, 1e-12);
    made_free(&m);
  }
}

// Bodies are 0 .. count - 1, and -1 for what does not move: of contacts and rows, on either side.
TEST(bodies_that_are_not_there_are_refused) {
  rgProblemBody bodies[2] = {{.inverse_mass = 1, .inverse_inertia = m3_diag(1, 1, 1)},
                             {.inverse_mass = 1, .inverse_inertia = m3_diag(1, 1, 1)}};
  static const int places[] = {-3, -2, 2, 3, 1000};
  for (int k = 0; k < 20; k++) {
    rgProblemContact contact = {
        .body_a = 0, .body_b = 1, .n = {1, 0, 0}, .t = {0, 1, 0}, .o = {0, 0, 1}};
    rgProblemRow row = {.body_a = 0, .body_b = 1, .lower = -HUGE_VAL, .upper = HUGE_VAL};
    rgProblem problem = {.dimension = 3,
                         .body_count = 2,
                         .contact_count = 1,
                         .row_count = 1,
                         .bodies = bodies,
                         .contacts = &contact,
                         .rows = &row};
    rgMessage message = {""};
    REQUIRE_MSG(rg_problem_check(&problem, &message) == RG_OK, "%s", message.text);
    int* side[] = {&contact.body_a, &contact.body_b, &row.body_a, &row.body_b};
    *side[k % 4] = places[k / 4];
    CONTEXT("side %d, body %d", k % 4, places[k / 4]);
    CHECK_INT(rg_problem_check(&problem, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, "must be -1 .. 1");
    *side[k % 4] = -1;
    CHECK_INT(rg_problem_check(&problem, &message), RG_OK);
  }
}
