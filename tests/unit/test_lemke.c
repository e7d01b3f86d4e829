// lemke on contacts with polyhedral cones, limits and joints: answers known by hand, and those of
// nsgs.
#include "problem/operator.h"
#include "solve/solver.h"
#include "sweep/problems.h"
#include "test.h"

static rgStatus solve(Made* m, const char* solver, double tolerance) {
  made_ready(m, solver);
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  stop.iteration_limit = 1000000;
  rgSolveReport report;
  rgMessage message = {""};
  rgStatus status =
      rg_solve(&m->problem, solver, NULL, &stop, &m->solution, m->work, &report, &message);
  CHECK_MSG(status == RG_OK || status == RG_NO_SOLUTION, "%s: %s: %s", solver,
            rg_status_name(status), message.text);
  return status;
}

static Made with_cone(Made m, rgConeKind cone, int facets) {
  for (int i = 0; i < m.problem.contact_count; i++) {
    m.contacts[i].cone = cone;
    m.contacts[i].facets = facets;
  }
  return m;
}

// Velocities of two solutions of the same problem, relative to the scale of the certificate.
static void check_same_motion(const Made* a, const Made* b, double tolerance) {
  double scale = rg_problem_scale(&a->problem), worst = 0;
  for (int i = 0; i < 6 * a->problem.body_count; i++)
    worst = fmax(worst, fabs(a->solution.v[i] - b->solution.v[i]));
  CHECK_MSG(worst <= tolerance * scale, "velocities differ by %g of %g", worst, scale);
}

// --- known answers ---

// A box pushed along x on a horizontal floor: v_free = (s, 0, -g h). With friction mu g h < s it
// keeps s - mu g h along a corner of an inner polygon, and stops for larger mu.
TEST(a_pushed_box_slides_or_sticks) {
  const double fall = made_gravity * made_step;
  for (int k = 0; k < 4; k++) {
    double mu = k % 2 ? 1.5 : 0.4, push = 1.2 * fall;
    Made m = made(mu);
    made_box(&m, v3(0, 0, 0.5), 10, 10, 1, 3); // wide: friction does not tip it
    made_face(&m, 0, -1, -5, 5, -5, 5, 0);
    for (int i = 0; i < 4; i++) {
      m.contacts[i].t = v3(1, 0, 0);
      m.contacts[i].o = v3(0, 1, 0);
    }
    m.bodies[0].v_free.linear.x = push;
    if (k >= 2)
      m.problem.dimension = 2; // then a disk is an interval
    else
      m = with_cone(m, RG_CONE_INNER, 6);
    CHECK_INT(solve(&m, "lemke", 1e-10), RG_OK);
    CONTEXT("dimension %d, mu %g", m.problem.dimension, mu);
    CHECK_NEAR(m.solution.v[0], k % 2 ? 0 : push - mu * fall, 1e-12);
    CHECK_NEAR(m.solution.v[2], 0, 1e-12);
    double load = 0;
    for (int i = 0; i < 4; i++)
      load += m.solution.r[4 * i];
    CHECK_REL(load, 3 * fall, 1e-12);
    made_free(&m);
  }
}

// Sliding between the corners of an outer polygon: a square outside the disk has its corners at 45
// degrees, friction along x is the distance of its side, 1; of an inner one it is the corner, 1,
// and along the diagonal 1 / sqrt(2).
TEST(polygons_have_the_friction_of_their_corners_and_sides) {
  const double fall = made_gravity * made_step, half = sqrt(0.5);
  const struct {
    rgConeKind cone;
    bool diagonal;
    double friction; // along the push
  } cases[] = {{RG_CONE_OUTER, false, 1},
               {RG_CONE_OUTER, true, sqrt(2)},
               {RG_CONE_INNER, false, 1},
               {RG_CONE_INNER, true, half}};
  for (int k = 0; k < 4; k++) {
    Made m = made(0.3);
    made_box(&m, v3(0, 0, 0), 1, 1, 1, 2);
    rgProblemContact* contact = made_contact(&m, 0, -1, v3(0, 0, 0), v3(0, 0, 1));
    contact->t = v3(1, 0, 0);
    contact->o = v3(0, 1, 0);
    m = with_cone(m, cases[k].cone, 4);
    rgVec3 push = cases[k].diagonal ? v3(half, half, 0) : v3(1, 0, 0);
    m.bodies[0].v_free.linear = v3(2 * push.x, 2 * push.y, -fall);
    CHECK_INT(solve(&m, "lemke", 1e-10), RG_OK);
    double along = m.solution.v[0] * push.x + m.solution.v[1] * push.y;
    CONTEXT("case %d", k);
    CHECK_NEAR(along, 2 - 0.3 * fall * cases[k].friction, 1e-12);
    made_free(&m);
  }
}

// One body, rows along x with every kind of bounds; mass 2, so impulses are twice the change of
// velocity.
TEST(rows_keep_their_bounds) {
  const struct {
    double free, bias, lower, upper, compliance, lambda;
  } cases[] = {
      {-1, 0, 0, HUGE_VAL, 0, 2},         {1, 0, 0, HUGE_VAL, 0, 0},
      {1, 0, -HUGE_VAL, 0, 0, -2},        {-1, 0, -HUGE_VAL, 0, 0, 0},
      {-1, 0, -0.5, 0.5, 0, 0.5},         {1, 0, -0.5, 0.5, 0, -0.5},
      {0.1, 0, -0.5, 0.5, 0, -0.2},       {-1, 3, -5, 5, 0, -4},
      {1, 0, 0.7, 0.7, 0, 0.7},           {1, 0, 0.5, 0.9, 0, 0.5},
      {-1, 0, -HUGE_VAL, HUGE_VAL, 0, 2}, {-1, 0, 0, HUGE_VAL, 0.5, 1},
      {-1, 0, -0.5, 3, 0.5, 1},           {-1, 0, -HUGE_VAL, HUGE_VAL, 0.5, 1},
      {-1, 0, 0.25, HUGE_VAL, 0.5, 1},    {-1, 0, 1e-3, 1e9, 0, 2},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Made m = made(0);
    made_box(&m, v3(0, 0, 0), 1, 1, 1, 2);
    m.bodies[0].v_free.linear = v3(cases[k].free, 0, 0);
    rgProblemRow* row = made_row(&m, 0, -1);
    row->g_a.linear = v3(1, 0, 0);
    row->bias = cases[k].bias;
    row->lower = cases[k].lower;
    row->upper = cases[k].upper;
    row->compliance = cases[k].compliance;
    CONTEXT("case %d", (int)k);
    CHECK_INT(solve(&m, "lemke", 1e-12), RG_OK);
    CHECK_NEAR(m.solution.lambda[0], cases[k].lambda, 1e-12);
    made_free(&m);
  }
}

// Two rows that ask for v_x >= 1 and v_x <= -1.
TEST(contradiction_is_reported_as_a_ray) {
  Made m = made(0);
  made_box(&m, v3(0, 0, 0), 1, 1, 1, 1);
  for (int i = 0; i < 2; i++) {
    rgProblemRow* row = made_row(&m, 0, -1);
    row->g_a.linear = v3(i ? -1 : 1, 0, 0);
    row->bias = -1;
    row->lower = 0;
  }
  CHECK_INT(solve(&m, "lemke", 1e-8), RG_NO_SOLUTION);
  made_free(&m);
}

TEST(exact_cones_are_refused_with_advice) {
  Made m = made(0.3);
  made_box(&m, v3(0, 0, 0.5), 1, 1, 1, 1);
  made_face(&m, 0, -1, -0.5, 0.5, -0.5, 0.5, 0);
  rgMessage message;
  const rgSolver* lemke = rg_solver_find("lemke");
  CHECK_INT(lemke->accepts(&m.problem, &message), RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "lemke takes polyhedral cones only, contact 0 has the cone \"disk\": use "
                          "\"inner\" or \"outer\" with facets");
  m.problem.dimension = 2;
  CHECK_INT(lemke->accepts(&m.problem, &message), RG_OK);
  m.problem.dimension = 3;
  m.mu = 0;
  for (int i = 0; i < 4; i++)
    m.contacts[i].mu = 0;
  CHECK_INT(lemke->accepts(&m.problem, &message), RG_OK);
  made_free(&m);
}

// --- joints ---

// Boxes joined by ball joints, hung up at one end; the rest lies on the ground.
static Made chain(int count, int repeats, double mu, bool faces) {
  Made m = made(mu);
  const rgVec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
  for (int i = 0; i < count; i++) {
    made_box(&m, v3(i, 0, 0.1), 0.9, 0.2, 0.2, 1);
    for (int k = 0; k < 3 * repeats; k++) { // repeated rows follow from each other
      rgProblemRow* row = made_row(&m, i, i - 1);
      row->g_a = (rgTwist){axes[k % 3], v3_cross(v3(-0.5, 0, 0), axes[k % 3])};
      if (i > 0)
        row->g_b = (rgTwist){v3_neg(axes[k % 3]), v3_neg(v3_cross(v3(0.5, 0, 0), axes[k % 3]))};
    }
  }
  for (int i = count / 2; i < count; i++)
    if (faces)
      made_face(&m, i, -1, i - 0.45, i + 0.45, -0.1, 0.1, 0);
    else
      made_contact(&m, i, -1, v3(i + 0.45, 0, 0), v3(0, 0, 1));
  return m;
}

TEST(chain_of_fifty_bodies) {
  Made a = with_cone(chain(50, 1, 0, true), RG_CONE_FRICTIONLESS, 0);
  Made b = with_cone(chain(50, 2, 0, true), RG_CONE_FRICTIONLESS, 0);
  Made c = with_cone(chain(50, 1, 0, true), RG_CONE_FRICTIONLESS, 0);
  CHECK_INT(solve(&a, "lemke", 1e-9), RG_OK);
  CHECK_INT(solve(&b, "lemke", 1e-9), RG_OK); // every joint twice
  CHECK_INT(solve(&c, "newton", 1e-9), RG_OK);
  check_same_motion(&a, &b, 1e-7);
  check_same_motion(&a, &c, 1e-7);
  made_free(&a);
  made_free(&b);
  made_free(&c);
}

// One point per body: how redundant contacts share the friction is not unique, and the motion with
// it.
TEST(joints_with_polygons_move_as_with_nsgs) {
  for (int k = 0; k < 4; k++) {
    Made a = with_cone(chain(6, 1, 0.3, false), k % 2 ? RG_CONE_OUTER : RG_CONE_INNER, 4 + k);
    for (int i = 0; i < a.problem.body_count; i++)
      a.bodies[i].v_free.linear = v3(0.1 * k, 0.05 * i, -made_gravity * made_step);
    Made b = with_cone(chain(6, 1, 0.3, false), k % 2 ? RG_CONE_OUTER : RG_CONE_INNER, 4 + k);
    memcpy(b.bodies, a.bodies, (size_t)a.problem.body_count * sizeof *a.bodies);
    CONTEXT("%s with %d facets", k % 2 ? "outer" : "inner", 4 + k);
    CHECK_INT(solve(&a, "lemke", 1e-9), RG_OK);
    CHECK_INT(solve(&b, "nsgs", 1e-9), RG_OK);
    check_same_motion(&a, &b, 1e-7);
    made_free(&a);
    made_free(&b);
  }
}

// --- friction against nsgs ---

// Spheres resting on each other and the floor, pushed in all directions.
static Made pushed_spheres(uint64_t seed, rgConeKind cone, int facets, int dimension) {
  Made m = dimension == 2 ? made(0.1) : made_pile(2, 2, 2, 0.3);
  m.problem.dimension = dimension;
  for (int i = 0; i < 6 && dimension == 2; i++) { // a pyramid of disks in the plane y = 0
    int level = i < 3 ? 0 : i < 5 ? 1 : 2, along = i - (i < 3 ? 0 : i < 5 ? 3 : 5);
    made_sphere(&m, v3(along + 0.5 * level, 0, 0.5 + 0.8660254037844386 * level), 0.5, 1);
  }
  for (int a = 0; a < m.problem.body_count && dimension == 2; a++) {
    rgVec3 c = m.centers[a];
    m.bodies[a].inverse_mass = 1;
    m.bodies[a].inverse_inertia = m3_diag(0, 8, 0);
    if (c.z < 0.6)
      made_contact(&m, a, -1, v3(c.x, 0, 0), v3(0, 0, 1));
    for (int b = 0; b < a; b++) {
      rgVec3 d = v3_sub(c, m.centers[b]);
      if (v3_norm2(d) < 1.01) {
        rgVec3 n = v3_scale(d, 1 / v3_norm(d));
        made_contact(&m, a, b, v3_axpy(m.centers[b], 0.5, n), n);
      }
    }
  }
  for (int i = 0; i < m.problem.contact_count; i++) {
    rgProblemContact* contact = &m.contacts[i];
    contact->cone = cone;
    contact->facets = facets;
    if (dimension == 2) {
      contact->t = v3(contact->n.z, 0, -contact->n.x);
      contact->o = v3_cross(contact->n, contact->t);
    }
  }
  for (int i = 0; i < m.problem.body_count; i++) {
    rgVec3 x = made_vector(&seed);
    double y = dimension == 2 ? 0 : 0.3 * (2 * x.y - 1);
    m.bodies[i].v_free.linear = v3(0.3 * (2 * x.x - 1), y, -0.4 * x.z);
  }
  return m;
}

TEST(polygons_and_plane_friction_move_as_with_nsgs) {
  for (uint64_t seed = 1; seed <= 12; seed++) {
    int dimension = seed % 3 == 0 ? 2 : 3;
    rgConeKind cone = dimension == 2 ? RG_CONE_DISK : seed % 2 ? RG_CONE_INNER : RG_CONE_OUTER;
    Made a = pushed_spheres(seed, cone, 3 + (int)seed % 6, dimension);
    Made b = pushed_spheres(seed, cone, 3 + (int)seed % 6, dimension);
    CONTEXT("seed %d, dimension %d", (int)seed, dimension);
    CHECK_INT(solve(&a, "lemke", 1e-10), RG_OK);
    CHECK_INT(solve(&b, "nsgs", 1e-10), RG_OK);
    check_same_motion(&a, &b, 1e-7);
    made_free(&a);
    made_free(&b);
  }
}

// Millimetres and grams: velocities a thousand times, impulses a million times as large.
TEST(units_do_not_matter) {
  Made a = with_cone(made_table(20, 0.3), RG_CONE_INNER, 5);
  Made b = with_cone(made_table(20, 0.3), RG_CONE_INNER, 5);
  for (int i = 0; i < a.problem.body_count; i++) {
    a.bodies[i].v_free.linear.x = 0.5;
    rgProblemBody* body = &b.bodies[i];
    body->inverse_mass *= 1e-3;
    body->inverse_inertia = m3_scale(&body->inverse_inertia, 1e-9);
    body->v_free.linear = v3_scale(a.bodies[i].v_free.linear, 1e3);
  }
  for (int i = 0; i < b.problem.contact_count; i++) {
    b.contacts[i].arm_a = v3_scale(b.contacts[i].arm_a, 1e3);
    b.contacts[i].arm_b = v3_scale(b.contacts[i].arm_b, 1e3);
  }
  CHECK_INT(solve(&a, "lemke", 1e-10), RG_OK);
  CHECK_INT(solve(&b, "lemke", 1e-10), RG_OK);
  for (int i = 0; i < 6 * a.problem.body_count; i++)
    CHECK_NEAR(b.solution.v[i] * (i % 6 < 3 ? 1e-3 : 1), a.solution.v[i], 1e-9);
  made_free(&a);
  made_free(&b);
}
