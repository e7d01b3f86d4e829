// The driver and nsgs on problems with known answers.
#include "math/vec.h"
#include "problem/operator.h"
#include "solve/nsgs/nsgs_share.h"
#include "sweep/problems.h"
#include "test.h"

static const double weight_impulse = 9.81 / 60; // of 1 kg in a step

static rgSolveReport run(Made* m, const char* options, double tolerance, int limit) {
  if (!m->work)
    made_ready(m, "nsgs");
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = limit;
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m->problem, "nsgs", options, &stop, &m->solution, m->work, &report, &message);
  CHECK_INT(status, report.status);
  CHECK_INT(report.certificate.met, status == RG_OK);
  rgCertificate again;
  rg_problem_certify(&m->problem, &m->solution, tolerance, &again);
  CHECK_REL(again.residual, report.certificate.residual,
            1e-12); // the report tells what anyone can verify
  return report;
}

// Sum of the normal impulses of contacts first .. first + 3.
static double face_load(const Made* m, int first) {
  double sum = 0;
  for (int i = first; i < first + 4; i++)
    sum += m->solution.r[4 * i];
  return sum;
}

// --- known answers ---

TEST(stack_carries_the_weight_above) {
  const int count = 10;
  Made m = made_stack(count, 1, 0.5);
  rgSolveReport report = run(&m, NULL, 1e-10, 20000);
  CHECK_INT(report.status, RG_OK);
  for (int i = 0; i < count; i++)
    CHECK_REL(face_load(&m, 4 * i), (count - i) * weight_impulse, 1e-6);
  for (int i = 0; i < 6 * count; i++)
    CHECK_NEAR(m.solution.v[i], 0, 1e-8);
  made_free(&m);
}

// A box on a plane tilted by `angle` about y, gravity straight down, frame of the plane.
static Made incline(double angle, double mu, double mass) {
  Made m = made(mu);
  made_box(&m, v3(0, 0, 0.5), 1, 1, 1, mass);
  made_face(&m, 0, -1, -0.5, 0.5, -0.5, 0.5, 0);
  m.bodies[0].v_free.linear = v3(weight_impulse * sin(angle), 0, -weight_impulse * cos(angle));
  return m;
}

TEST(block_on_incline_sticks_below_the_friction_angle_and_slips_above) {
  double mu = 0.5, critical = atan(mu);
  Made m = incline(critical * 0.999, mu, 3);
  CHECK_INT(run(&m, NULL, 1e-12, 10000).status, RG_OK);
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(m.solution.v[i], 0, 1e-12);
  made_free(&m);
  double angle = critical * 1.1;
  m = incline(angle, mu, 3);
  CHECK_INT(run(&m, NULL, 1e-12, 10000).status, RG_OK);
  CHECK_NEAR(m.solution.v[0], weight_impulse * (sin(angle) - mu * cos(angle)), 1e-11);
  for (int i = 1; i < 6; i++)
    CHECK_NEAR(m.solution.v[i], 0, 1e-11);
  made_free(&m);
}

TEST(incline_in_two_dimensions) {
  double mu = 0.5, angle = 0.6;
  Made m = made(mu);
  m.problem.dimension = 2;
  made_body(&m, v3(0, 0.5, 0), 2, 0, 0, 0.3);
  m.bodies[0].v_free.linear = v3(weight_impulse * sin(angle), -weight_impulse * cos(angle), 0);
  for (int i = 0; i < 2; i++) {
    rgProblemContact* contact = made_contact(&m, 0, -1, v3(i - 0.5, 0, 0), v3(0, 1, 0));
    contact->t = v3(1, 0, 0);
    contact->o = v3(0, 0, -1);
    contact->bias[2] = 100; // not used in two dimensions
  }
  CHECK_INT(run(&m, NULL, 1e-12, 10000).status, RG_OK);
  CHECK_NEAR(m.solution.v[0], weight_impulse * (sin(angle) - mu * cos(angle)), 1e-11);
  CHECK_NEAR(m.solution.v[5], 0, 1e-11);
  CHECK(m.solution.r[2] == 0 && m.solution.r[6] == 0);
  made_free(&m);
}

// The bias carries restitution: u + e u- >= 0.
TEST(sphere_bounces_by_the_bias) {
  Made m = made(0.3);
  made_sphere(&m, v3(0, 0, 1), 1, 2);
  m.bodies[0].v_free.linear = v3(0, 0, -4);
  made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1))->bias[0] = 0.5 * -4;
  CHECK_INT(run(&m, NULL, 1e-12, 100).status, RG_OK);
  CHECK_NEAR(m.solution.v[2], 2, 1e-12);
  made_free(&m);
}

// A sphere sliding at v: friction either stops the slip within the step (v falls to 5/7 v) or acts
// with all it has.
TEST(sliding_sphere_starts_to_roll) {
  double radius = 0.5, speed = 0.1;
  for (int rough = 0; rough < 2; rough++) {
    double mu = rough ? 1 : 0.01;
    Made m = made(mu);
    made_sphere(&m, v3(0, 0, radius), radius, 1);
    m.bodies[0].v_free.linear = v3(speed * 0.6, speed * 0.8, -weight_impulse);
    made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
    CHECK_INT(run(&m, NULL, 1e-12, 100).status, RG_OK);
    double final = rough ? speed * 5 / 7 : speed - mu * weight_impulse;
    CHECK_NEAR(m.solution.v[0], 0.6 * final, 1e-12);
    CHECK_NEAR(m.solution.v[1], 0.8 * final, 1e-12);
    made_free(&m);
  }
}

TEST(torsion_slows_a_spinning_body) {
  double mu = 0.4, e_tau = 0.05, mass = 2, inertia = 0.3;
  Made m = made(mu);
  made_body(&m, v3(0, 0, 0.5), mass, inertia, inertia, inertia);
  m.bodies[0].v_free.angular = v3(0, 0, 5);
  rgProblemContact* contact = made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  contact->cone = RG_CONE_ELLIPSOID;
  contact->e_tau = e_tau;
  CHECK_INT(run(&m, NULL, 1e-12, 1000).status, RG_OK);
  CHECK_NEAR(m.solution.v[5], 5 - mu * e_tau * mass * weight_impulse / inertia, 1e-11);
  made_free(&m);
}

// Friction twice as strong along t: a point sliding at 45 degrees is slowed along the gradient of
// the ellipse.
TEST(anisotropic_friction) {
  double mu = 0.1, e_t = 2, e_o = 1;
  Made m = made(mu);
  made_body(&m, v3(0, 0, 0.5), 1, 0, 0, 0);
  m.bodies[0].v_free.linear = v3(1, 1, -weight_impulse);
  rgProblemContact* contact = made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  contact->cone = RG_CONE_ELLIPSOID;
  contact->e_t = e_t;
  contact->e_o = e_o;
  CHECK_INT(run(&m, NULL, 1e-13, 1000).status, RG_OK);
  double u[2] = {m.solution.v[0], m.solution.v[1]}, *r = m.solution.r;
  double dual = sqrt(e_t * e_t * u[0] * u[0] + e_o * e_o * u[1] * u[1]);
  CHECK_NEAR(r[1], -mu * r[0] * e_t * e_t * u[0] / dual,
             1e-12); // maximum dissipation on the ellipse
  CHECK_NEAR(r[2], -mu * r[0] * e_o * e_o * u[1] / dual, 1e-12);
  made_free(&m);
}

// A ball joint at the end of a rod: three rows hold it; the rod starts to fall with the known
// acceleration 3 g / 4 at its centre, 3 g / (2 L) about the joint, and the joint carries a quarter
// of the weight.
TEST(rows_hold_a_joint) {
  double length = 2, mass = 3, j = mass * length * length / 12;
  Made m = made(0);
  int rod = made_body(&m, v3(1, 0, 0), mass, 1e-3, j, j);
  const rgVec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  rgVec3 arm = v3(-length / 2, 0, 0);
  for (int i = 0; i < 3; i++) {
    rgProblemRow* row = made_row(&m, rod, -1);
    row->g_a = (rgTwist){axes[i], v3_cross(arm, axes[i])};
  }
  CHECK_INT(run(&m, NULL, 1e-12, 1000).status, RG_OK);
  CHECK_NEAR(m.solution.v[2], -0.75 * weight_impulse, 1e-11);
  CHECK_NEAR(m.solution.v[4], 1.5 * weight_impulse / length, 1e-11);
  CHECK_NEAR(m.solution.lambda[2], 0.25 * mass * weight_impulse, 1e-11);
  made_free(&m);
}

TEST(row_bounds) {
  Made m = made(0);
  int body = made_box(&m, v3(0, 0, 0), 1, 1, 1, 2);
  rgProblemRow* row = made_row(&m, body, -1);
  row->g_a.linear = v3(0, 0, 1);
  row->lower = 0;
  row->upper = 0.5 * weight_impulse; // a motor that can hold a quarter of the weight
  CHECK_INT(run(&m, NULL, 1e-12, 100).status, RG_OK);
  CHECK_NEAR(m.solution.lambda[0], 0.5 * weight_impulse, 1e-15);
  m.bodies[0].v_free.linear.z = 1; // a limit that is being left pushes no more
  CHECK_INT(run(&m, NULL, 1e-12, 100).status, RG_OK);
  CHECK(m.solution.lambda[0] == 0);
  m.rows[0].g_a = (rgTwist){v3_zero(), v3(0, 0, 1)}; // angular motor
  m.rows[0].bias = -3;
  m.rows[0].upper = HUGE_VAL;
  CHECK_INT(run(&m, NULL, 1e-12, 100).status, RG_OK);
  CHECK_NEAR(m.solution.v[5], 3, 1e-12);
  made_free(&m);
}

// --- the driver ---

TEST(a_good_warm_start_needs_no_iteration) {
  Made m = made_stack(5, 1, 0.5);
  CHECK(run(&m, NULL, 1e-10, 20000).iterations > 0);
  double before = m.solution.r[0];
  rgSolveReport report = run(&m, NULL, 1e-9, 20000);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.iterations, 0);
  CHECK_BITS(m.solution.r[0], before);
  made_free(&m);
}

TEST(an_ended_budget_is_reported_with_a_true_certificate) {
  Made m = made_stack(10, 100, 0.5);
  rgSolveReport report = run(&m, NULL, 1e-10, 7);
  CHECK_INT(report.status, RG_NOT_CONVERGED);
  CHECK_INT(report.iterations, 7);
  CHECK(report.certificate.residual > 1e-10);
  made_free(&m);
}

TEST(cancel_flag_and_time_limit_end_a_solve) {
  Made m = made_stack(10, 1000, 0.5);
  made_ready(&m, "nsgs");
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  volatile int cancel = 1;
  stop.tolerance = 1e-14;
  stop.cancel = &cancel;
  CHECK_INT(rg_solve(&m.problem, "nsgs", NULL, &stop, &m.solution, m.work, &report, &message),
            RG_CANCELLED);
  CHECK_INT(report.iterations, 0);
  CHECK(report.certificate.residual > 0.1);
  stop.cancel = NULL;
  stop.iteration_limit = INT32_MAX;
  stop.time_limit = 0.02;
  CHECK_INT(rg_solve(&m.problem, "nsgs", NULL, &stop, &m.solution, m.work, &report, &message),
            RG_NOT_CONVERGED);
  CHECK(report.iterations > 0);
  made_free(&m);
}

TEST(empty_problems_and_problems_at_rest) {
  Made m = made(0.5);
  rgSolveReport report = run(&m, NULL, 1e-8, 10);
  CHECK_INT(report.status, RG_OK);
  CHECK_INT(report.iterations, 0);
  made_free(&m);
  m = made_stack(1, 1, 0.5);
  m.bodies[0].v_free = (rgTwist){v3_zero(), v3_zero()};
  made_ready(&m, "nsgs");
  m.solution.r[0] = 5; // a warm start that is wrong: nothing pushes
  CHECK_INT(run(&m, NULL, 1e-8, 10).status, RG_OK);
  CHECK(m.solution.r[0] == 0);
  made_free(&m);
}

TEST(bad_arguments_have_messages) {
  Made m = made_stack(1, 1, 0.5);
  made_ready(&m, "nsgs");
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  CHECK_INT(rg_solve(&m.problem, "gauss", NULL, &stop, &m.solution, m.work, &report, &message),
            RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "no solver \"gauss\"; known: ");
  CHECK_CONTAINS(message.text, "nsgs");
  CHECK_INT(rg_solve(&m.problem, "nsgs", "speed=3", &stop, &m.solution, m.work, &report, &message),
            RG_ERROR_INPUT);
  CHECK_STR(message.text,
            "solver nsgs has no option \"speed\"; known: momentum, horizon, local, trial, enough, "
            "single");
  CHECK_INT(
      rg_solve(&m.problem, "nsgs", "momentum=2", &stop, &m.solution, m.work, &report, &message),
      RG_ERROR_INPUT);
  CHECK_STR(message.text, "solver nsgs: momentum is \"2\", must be an integer in 0 .. 1");
  stop.tolerance = 0;
  CHECK_INT(rg_solve(&m.problem, "nsgs", NULL, &stop, &m.solution, m.work, &report, &message),
            RG_ERROR_INPUT);
  CHECK_STR(message.text, "tolerance is 0, must be > 0");
  stop = rg_stop_default();
  m.contacts[2].mu = -1;
  CHECK_INT(rg_solve(&m.problem, "nsgs", NULL, &stop, &m.solution, m.work, &report, &message),
            RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "contacts[2].mu");
  CHECK(rg_solve_work_size(&m.problem, "gauss") == 0);
  CHECK(rg_solver_name(1000) == NULL && rg_solver_option(1000, 0) == NULL);
  made_free(&m);
}

static void check_same_motion(const Made* a, const Made* b, double tolerance) {
  for (int i = 0; i < 6 * a->problem.body_count; i++)
    CHECK_NEAR(a->solution.v[i], b->solution.v[i], tolerance);
}

// The same disk contacts as ellipsoids with equal axes go through the scalar path.
TEST(scalar_path_has_the_same_fixed_point) {
  Made a = made_pile(3, 3, 3, 0.2), b = made_pile(3, 3, 3, 0.2);
  for (int i = 0; i < a.problem.body_count; i++)
    a.bodies[i].v_free.linear.x = b.bodies[i].v_free.linear.x = 0.02 * i;
  for (int i = 0; i < b.problem.contact_count; i++)
    b.contacts[i].cone = RG_CONE_ELLIPSOID;
  CHECK_INT(run(&a, NULL, 1e-11, 20000).status, RG_OK);
  CHECK_INT(run(&b, NULL, 1e-11, 20000).status, RG_OK);
  check_same_motion(&a, &b, 1e-8);
  made_free(&a);
  made_free(&b);
}

// A body with more neighbours than there are colours: the rest is visited one by one.
TEST(one_body_with_two_hundred_neighbours) {
  Made m = made(0.5);
  int plate = made_box(&m, v3(0, 0, 0.5), 40, 40, 1, 1000);
  made_face(&m, plate, -1, -20, 20, -20, 20, 0);
  for (int i = 0; i < 200; i++) {
    double x = i % 20 * 1.5 - 15, y = i / 20 * 1.5 - 7;
    made_sphere(&m, v3(x, y, 1.5), 0.5, 1);
    made_contact(&m, i + 1, plate, v3(x, y, 1), v3(0, 0, 1));
  }
  CHECK_INT(run(&m, NULL, 1e-10, 5000).status, RG_OK);
  CHECK_REL(face_load(&m, 0), 1200 * weight_impulse, 1e-6);
  made_free(&m);
}

static double between(uint64_t* seed, double low, double high) {
  return low + (high - low) * rg_random_unit(seed);
}

// Which part of the contacts that press is at the limit of friction in the answer.
static double slipping_part(const Made* m) {
  int press = 0, slip = 0;
  for (int i = 0; i < m->problem.contact_count; i++) {
    const double* r = m->solution.r + 4 * i;
    press += r[0] > 0;
    slip += r[0] > 0 && hypot(r[1], r[2]) > (1 - 1e-6) * m->problem.contacts[i].mu * r[0];
  }
  return press > 0 ? (double)slip / press : 0;
}

// Balls of radius 1 one upon the other, in the step in which they are put down.
static Made made_column(int count) {
  Made m = made(0.4);
  for (int i = 0; i < count; i++) {
    int ball = made_body(&m, v3(0, 0, 2 * i + 1), 1, 0.4, 0.4, 0.4);
    m.bodies[ball].v_free.linear = v3(0, 0, -weight_impulse);
    made_contact(&m, ball, i > 0 ? ball - 1 : -1, v3(0, 0, 2 * i), v3(0, 0, 1));
  }
  return m;
}

// A trial of 40 sweeps is all that boxes or balls get that are pushed along each other, every body at its own
// speed. It changes nothing where they rest.
TEST(a_trial_ends_what_slips_and_nothing_else) {
  for (int balls = 0; balls < 2; balls++)
    for (int pushed = 0; pushed < 2; pushed++) {
      uint64_t seed = 11;
      Made m = balls ? made_column(40) : pushed ? made_pile(3, 3, 3, 0.3) : made_stack(9, 50, 0.5);
      for (int i = 0; i < m.problem.body_count && pushed; i++)
        m.bodies[i].v_free.linear = v3_add(m.bodies[i].v_free.linear,
                                           v3(between(&seed, 5, 20), between(&seed, -20, 20), 0));
      int plain = run(&m, NULL, 1e-9, 2000).iterations;
      double part = slipping_part(&m);
      CHECK_MSG(pushed ? part > 0.5 : part < 0.1, "%g of what presses slips",
                part);   // not a matter of some contacts
      CHECK(plain > 41); // the trial could end it
      memset(m.solution.r, 0, 4 * (size_t)m.problem.contact_count * sizeof(double));
      CHECK_INT(run(&m, "trial=40", 1e-9, 2000).iterations, pushed ? 40 : plain);
      made_free(&m);
    }
}

// Sweeps that may end near the tolerance: the answer meets it by its certificate all the same, because the driver goes
// on where it does not. In piles they are fewer; in slender stacks under a heavy box each sweep changes little, and what
// they leave costs a new start.
TEST(enough_still_meets_the_tolerance_and_saves_sweeps_in_piles) {
  for (int wide = 2; wide <= 4; wide++)
    for (int pile = 0; pile < 2; pile++) {
      Made m = pile ? made_pile(wide, 3, 3, 0.3) : made_stack(3 * wide, 50, 0.5);
      int whole = run(&m, NULL, 1e-6, 100000).iterations;
      memset(m.solution.r, 0, 4 * (size_t)m.problem.contact_count * sizeof(double));
      rgSolveReport soon = run(&m, "enough=0.8", 1e-6, 100000);
      CONTEXT("%s, %d", pile ? "pile" : "stack", wide);
      CHECK(soon.certificate.met && soon.certificate.residual <= 1e-6);
      CHECK_MSG(!pile || soon.iterations < whole, "%d and %d sweeps", soon.iterations, whole);
      made_free(&m);
    }
}

// A scene in millimetres, grams and milliseconds takes the same steps: all choices are relative.
TEST(units_do_not_matter) {
  double mass = 1e3, length = 1e3, time = 1e3, speed = length / time;
  Made a = made_pile(3, 3, 3, 0.3), b = made_pile(3, 3, 3, 0.3);
  for (int i = 0; i < b.problem.body_count; i++) {
    b.bodies[i].inverse_mass /= mass;
    b.bodies[i].inverse_inertia =
        m3_scale(&b.bodies[i].inverse_inertia, 1 / (mass * length * length));
    b.bodies[i].v_free.linear = v3_scale(b.bodies[i].v_free.linear, speed);
  }
  for (int i = 0; i < b.problem.contact_count; i++) {
    b.contacts[i].arm_a = v3_scale(b.contacts[i].arm_a, length);
    b.contacts[i].arm_b = v3_scale(b.contacts[i].arm_b, length);
  }
  CHECK_INT(run(&a, NULL, 1e-9, 1000).iterations, run(&b, NULL, 1e-9, 1000).iterations);
  for (int i = 0; i < 4 * a.problem.contact_count; i++)
    CHECK_NEAR(b.solution.r[i], a.solution.r[i] * mass * speed, 1e-9 * mass * speed);
  made_free(&a);
  made_free(&b);
}

// Heavy on light, 1000 : 1: what plain sweeps cannot do within reason.
TEST(momentum_carries_a_thousandfold_mass) {
  Made m = made_stack(11, 1000, 0.5);
  rgSolveReport fast = run(&m, NULL, 1e-4, 10000);
  CHECK_INT(fast.status, RG_OK);
  made_free(&m);
  m = made_stack(11, 1000, 0.5);
  rgSolveReport plain = run(&m, "momentum=0", 1e-4, 10 * fast.iterations);
  CHECK_INT(plain.status, RG_NOT_CONVERGED);
  made_free(&m);
}

// Boxes thrown at each other, where extrapolated impulses lead far outside the cones: no lane may
// come to rest beside its law, which would stop the solve at a large residual.
TEST(thrown_boxes_converge) {
  uint64_t seed = 31;
  for (int trial = 0; trial < 40; trial++) {
    Made m = made_pyramid(6, 0.05 + 0.9 * made_random(&seed));
    for (int i = 0; i < m.problem.body_count; i++) {
      rgVec3 x = made_vector(&seed), y = made_vector(&seed);
      m.bodies[i].v_free =
          (rgTwist){v3(x.x - 0.5, x.y - 0.5, x.z - 0.9), v3_sub(y, v3(0.5, 0.5, 0.5))};
    }
    CONTEXT("trial %d", trial);
    rgSolveReport report = run(&m, NULL, 1e-5, 20000);
    CHECK_MSG(report.status == RG_OK, "residual %g", report.certificate.residual);
    made_free(&m);
  }
}

TEST(held_bodies_are_reported_not_solved) {
  Made m = made(0.5);
  made_body(&m, v3(0, 0, 1), 0, 0, 0, 0); // neither moves nor turns, yet is said to approach
  made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
  rgSolveReport report = run(&m, NULL, 1e-8, 20);
  CHECK_INT(report.status, RG_NOT_CONVERGED);
  CHECK_REL(report.certificate.residual, 1, 1e-12);
  CHECK(m.solution.r[0] == 0);
  made_free(&m);
}
