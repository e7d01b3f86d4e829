// The operators of a problem are views of one M^-1, one H and one G: each against the same matrices,
// written down densely here.
#include "problem/operator.h"

#include "support/random.h"
#include "test.h"

static rgMat3 random_inertia(double smallest, double largest) {
  rgMat3 turn = m3_from_quat(random_rotation());
  return m3_congruence(&turn, random_within(smallest, largest));
}

static rgProblemBody random_body(void) {
  rgProblemBody body = {.inverse_mass = random_between(0.2, 3),
                        .inverse_inertia = random_inertia(0.5, 20)};
  body.v_free.linear = random_vector();
  body.v_free.angular = random_vector();
  return body;
}

static rgTwist random_twist(void) {
  rgVec3 linear = random_vector();
  return (rgTwist){linear, random_vector()};
}

static double apart(rgTwist a, rgTwist b) {
  return v3_norm(v3_sub(a.linear, b.linear)) + v3_norm(v3_sub(a.angular, b.angular));
}

// M^-1 x by its definition.
static rgTwist answer(const rgProblemBody* body, rgTwist p) {
  rgTwist v = {v3_scale(p.linear, body->inverse_mass), v3_zero()};
  const double x[3] = {p.angular.x, p.angular.y, p.angular.z};
  double y[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      y[i] += body->inverse_inertia.m[i][j] * x[j];
  v.angular = v3(y[0], y[1], y[2]);
  return v;
}

static rgTwist rigid_apply(const rgRigidMatrix* m, rgTwist v) {
  return (rgTwist){v3_scale(v.linear, m->linear), six_apply(&m->angular, v.angular)};
}

static rgTwist block_apply(const double m[36], rgTwist v) {
  const double x[6] = {v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z};
  double y[6] = {0};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      y[i] += m[6 * i + j] * x[j];
  return (rgTwist){v3(y[0], y[1], y[2]), v3(y[3], y[4], y[5])};
}

TEST(masses_are_the_inverse_of_inverse_masses) {
  random_state = 3;
  for (int i = 0; i < 50; i++) {
    rgProblemBody bodies[2] = {random_body(), random_body()};
    rgProblem problem = {.dimension = 3, .body_count = 2, .bodies = bodies};
    rgTwist p = random_twist(), v = answer(&bodies[1], p);
    CHECK_NEAR(apart(rg_mass_response(&problem, 1, p), v), 0, 1e-13);
    rgTwist moved = {v3_add(v.linear, bodies[1].v_free.linear),
                     v3_add(v.angular, bodies[1].v_free.angular)};
    CHECK_NEAR(apart(rg_mass_velocity(&problem, 1, p), moved), 0, 1e-13);
    rgRigidMatrix inverse = rg_mass_inverse(&problem, 1), exact = rg_mass_exact(&problem, 1),
                  metric = rg_mass_metric(&problem, 1);
    CHECK_NEAR(apart(rigid_apply(&inverse, p), v), 0, 1e-13);
    CHECK_NEAR(apart(rigid_apply(&exact, v), p), 0, 1e-12);
    CHECK_NEAR(apart(rigid_apply(&metric, v), p), 0, 1e-6); // it may be held a little
    CHECK_NEAR(apart(rg_mass_momentum(&problem, 1, v), p), 0, 1e-12);
    double block[36], sum[36];
    rg_mass_block(&problem, 1, block);
    CHECK_NEAR(apart(block_apply(block, v), p), 0, 1e-12);
    for (int k = 0; k < 36; k++)
      sum[k] = 0.1 * k;
    rg_mass_add(&problem, 1, 2.5, sum);
    for (int k = 0; k < 36; k++)
      CHECK_NEAR(sum[k], 0.1 * k + 2.5 * block[k], 1e-12);
    CHECK_NEAR(rg_mass_linear_trace(&problem, 1), block[0] + block[7] + block[14], 1e-12);
    CHECK_NEAR(apart(rg_body_free(&problem, 1), bodies[1].v_free), 0, 0);
    CHECK_NEAR(apart(rg_body_free(&problem, -1), (rgTwist){v3_zero(), v3_zero()}), 0, 0);
  }
}

// L' g has the square g M^-1 g, and L' of two vectors their product.
TEST(the_root_of_a_mass_has_its_products) {
  random_state = 5;
  for (int i = 0; i < 50; i++) {
    rgProblemBody body = random_body();
    rgProblem problem = {.dimension = 3, .body_count = 1, .bodies = &body};
    rgMassRoot root = rg_mass_root(&problem, 0);
    rgTwist g = random_twist(), f = random_twist(), v = answer(&body, g);
    double x[6], y[6], product = 0;
    rg_mass_root_times(&root, g, x);
    rg_mass_root_times(&root, f, y);
    for (int k = 0; k < 6; k++)
      product += x[k] * y[k];
    CHECK_NEAR(product, twist_dot(f, v), 1e-12);
    CHECK(rg_mass_root_is_regular(&root, 1e-6));
    CHECK(rg_mass_exists(&problem, 0, 1e-6));
  }
  // Bodies that cannot turn about one axis, or not move at all, have no mass there.
  for (int k = 0; k < 3; k++) {
    rgVec3 moments = v3(k == 0 ? 0 : 2, k == 1 ? 0 : 3, k == 2 ? 0 : 4);
    rgProblemBody body = {.inverse_mass = 1,
                          .inverse_inertia = m3_diag(moments.x, moments.y, moments.z)};
    rgProblem problem = {.dimension = 3, .body_count = 1, .bodies = &body};
    rgMassRoot root = rg_mass_root(&problem, 0);
    CHECK(!rg_mass_root_is_regular(&root, 1e-9));
    CHECK(!rg_mass_exists(&problem, 0, 1e-9));
    rgRigidMatrix metric = rg_mass_metric(&problem, 0);
    // what can move has its inertia, what cannot a large one
    CHECK_REL(k == 0 ? metric.angular.yy : metric.angular.xx, k == 0 ? 1.0 / 3 : 0.5, 1e-6);
    CHECK((k == 0 ? metric.angular.xx : k == 1 ? metric.angular.yy : metric.angular.zz) > 1e6);
  }
  rgProblemBody still = {.inverse_mass = 0, .inverse_inertia = m3_diag(1, 2, 3)};
  rgProblem problem = {.dimension = 3, .body_count = 1, .bodies = &still};
  rgMassRoot root = rg_mass_root(&problem, 0);
  CHECK(!rg_mass_root_is_regular(&root, 1e-9));
  CHECK(!rg_mass_exists(&problem, 0, 1e-9));
  CHECK_NEAR(rg_mass_metric(&problem, 0).linear, 0, 0);
}

TEST(balls_are_bodies_whose_moments_are_equal) {
  rgProblemBody body = {.inverse_mass = 2, .inverse_inertia = m3_diag(5, 5, 5)};
  rgProblem problem = {.dimension = 3, .body_count = 1, .bodies = &body};
  CHECK_NEAR(rg_mass_ball(&problem, 0).angular, 5, 0);
  CHECK_NEAR(rg_mass_ball(&problem, 0).linear, 2, 0);
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) {
      rgProblemBody other = body;
      other.inverse_inertia.m[i][j] += 0.1;
      if (i != j)
        other.inverse_inertia.m[j][i] += 0.1;
      problem.bodies = &other;
      CHECK_NEAR(rg_mass_ball(&problem, 0).angular, -1, 0);
    }
}

// -------------------------------------------------------------------------------------------------
// H and G against dense rows
// -------------------------------------------------------------------------------------------------

static rgProblemContact random_contact(int a, int b, rgConeKind cone) {
  rgProblemContact contact = {.body_a = a,
                              .body_b = b,
                              .n = random_direction(),
                              .cone = cone,
                              .facets = 6,
                              .mu = 0.5,
                              .e_t = random_between(0.5, 2),
                              .e_o = random_between(0.5, 2),
                              .e_tau = random_between(0.05, 0.5)};
  v3_frame(contact.n, &contact.t, &contact.o);
  contact.arm_a = random_vector();
  contact.arm_b = random_vector();
  for (int k = 0; k < 4; k++)
    contact.bias[k] = random_between(-1, 1);
  return contact;
}

// The row of a component on A or B, as twelve numbers: (d, arm x d), and (0, n) for the spin.
static rgTwist row_of(const rgProblemContact* c, int component, bool b) {
  rgVec3 d = component == 0 ? c->n : component == 1 ? c->t : c->o, arm = b ? c->arm_b : c->arm_a;
  rgTwist row = component == 3 ? (rgTwist){v3_zero(), c->n} : (rgTwist){d, v3_cross(arm, d)};
  if (b)
    row = (rgTwist){v3_neg(row.linear), v3_neg(row.angular)};
  return row;
}

TEST(blocks_of_contacts_are_those_of_their_rows) {
  random_state = 7;
  for (int i = 0; i < 60; i++) {
    rgProblemBody bodies[2] = {random_body(), random_body()};
    int a = i % 3 == 0 ? -1 : 0, b = i % 3 == 1 ? -1 : 1;
    static const rgConeKind cones[] = {RG_CONE_FRICTIONLESS, RG_CONE_DISK, RG_CONE_ELLIPSOID,
                                       RG_CONE_INNER, RG_CONE_OUTER};
    rgProblemContact contact = random_contact(a, b, cones[i % 5]);
    rgProblem problem = {.dimension = i % 2 ? 3 : 2,
                         .body_count = 2,
                         .contact_count = 1,
                         .bodies = bodies,
                         .contacts = &contact};
    double w[4][4], e[4];
    rg_contact_block(&problem, &contact, w);
    for (int k = 0; k < 4; k++)
      for (int l = 0; l < 4; l++) {
        double due = 0;
        if (a >= 0)
          due +=
              twist_dot(row_of(&contact, k, false), answer(&bodies[a], row_of(&contact, l, false)));
        if (b >= 0)
          due +=
              twist_dot(row_of(&contact, k, true), answer(&bodies[b], row_of(&contact, l, true)));
        CHECK_NEAR(w[k][l], due, 1e-12);
      }
    bool flat = problem.dimension == 2, rubs = contact.cone != RG_CONE_FRICTIONLESS,
         ellipsoid = contact.cone == RG_CONE_ELLIPSOID;
    const double axes[4] = {1, rubs ? (ellipsoid ? contact.e_t : 1) : 0,
                            rubs && !flat ? (ellipsoid ? contact.e_o : 1) : 0,
                            ellipsoid && !flat ? contact.e_tau : 0};
    rg_contact_axes(&problem, &contact, e);
    double trace = 0;
    int count = 0;
    for (int k = 0; k < 4; k++) {
      CHECK_NEAR(e[k], axes[k], 0);
      if (k < 3 && axes[k] > 0)
        trace += w[k][k], count++;
    }
    CHECK_REL(rg_contact_inverse_rho(&problem, &contact, e), trace / count, 1e-12);
    // u = H' v + bias
    double v[12], u[4];
    rgTwist twists[2] = {random_twist(), random_twist()};
    rg_body_put(v, 0, twists[0]);
    rg_body_put(v, 1, twists[1]);
    rg_contact_velocity(&contact, v, u);
    for (int k = 0; k < 4; k++) {
      double due = contact.bias[k];
      due += a >= 0 ? twist_dot(row_of(&contact, k, false), twists[a]) : 0;
      due += b >= 0 ? twist_dot(row_of(&contact, k, true), twists[b]) : 0;
      CHECK_NEAR(u[k], due, 1e-13);
    }
    // H r, as wrenches on both
    const double r[4] = {1.5, -0.3, 0.4, 0.2};
    double p[12] = {0};
    double impulse[4] = {1.5, -0.3, 0.4, 0.2};
    rgSolution solution = {.r = impulse};
    rg_problem_add_wrenches(&problem, &solution, p);
    for (int side = 0; side < 2; side++) {
      int body = side ? b : a;
      rgTwist due = {v3_zero(), v3_zero()};
      for (int k = 0; k < 4 && body >= 0; k++) {
        rgTwist row = row_of(&contact, k, side);
        due.linear = v3_axpy(due.linear, r[k], row.linear);
        due.angular = v3_axpy(due.angular, r[k], row.angular);
      }
      if (body >= 0)
        CHECK_NEAR(apart(rg_body_twist(p, body), due), 0, 1e-13);
    }
  }
}

TEST(rows_have_blocks_lengths_and_weights) {
  random_state = 9;
  for (int i = 0; i < 60; i++) {
    rgProblemBody bodies[2] = {random_body(), random_body()};
    int a = i % 3 == 0 ? -1 : 0, b = i % 3 == 1 ? -1 : 1;
    rgProblemRow row = {.body_a = a,
                        .body_b = b,
                        .g_a = random_twist(),
                        .g_b = random_twist(),
                        .bias = 0.3,
                        .compliance = i % 2 ? random_between(0.1, 2) : 0};
    bool angular = i % 4 < 2;
    if (angular)
      row.g_a.linear = row.g_b.linear = v3_zero();
    rgProblem problem = {
        .dimension = 3, .body_count = 2, .row_count = 1, .bodies = bodies, .rows = &row};
    double block = 0, masses = 0;
    if (a >= 0)
      block += twist_dot(row.g_a, answer(&bodies[a], row.g_a)), masses += bodies[a].inverse_mass;
    if (b >= 0)
      block += twist_dot(row.g_b, answer(&bodies[b], row.g_b)), masses += bodies[b].inverse_mass;
    double length = angular ? sqrt(masses / block) : 1;
    CHECK_REL(rg_row_block(&problem, &row), block, 1e-12);
    CHECK_REL(rg_row_length(&problem, &row), length, 1e-12);
    CHECK_REL(rg_row_weight(&problem, &row), length * block / (block + row.compliance), 1e-12);
    double v[12];
    rgTwist twists[2] = {random_twist(), random_twist()};
    rg_body_put(v, 0, twists[0]);
    rg_body_put(v, 1, twists[1]);
    double due = row.bias + (a >= 0 ? twist_dot(row.g_a, twists[a]) : 0) +
                 (b >= 0 ? twist_dot(row.g_b, twists[b]) : 0);
    CHECK_NEAR(rg_row_velocity(&row, v), due, 1e-13);
  }
  // Rows that nothing moves
  rgProblemRow held = {.body_a = -1, .body_b = -1, .compliance = 0.5};
  rgProblem problem = {.dimension = 3, .row_count = 1, .rows = &held};
  CHECK_NEAR(rg_row_weight(&problem, &held), 1, 0);
  CHECK_NEAR(rg_row_length(&problem, &held), 1, 0);
}
