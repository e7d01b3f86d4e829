// The certificate does not depend on how a problem is described: axes, which body of a contact or a row
// is A, in which order things stand. For any numbers, also such as are far from a solution: each residual
// then has a size of its own, and all of them have to agree.
#include "problem/operator.h"
#include "support/random.h"
#include "test.h"

enum { BODIES = 4, CONTACTS = 8, ROWS = 6 };

typedef struct Numbers {
  int dimension;
  rgProblemBody bodies[BODIES];
  rgProblemContact contacts[CONTACTS];
  rgProblemRow rows[ROWS];
  double v[6 * BODIES], r[4 * CONTACTS], lambda[ROWS];
} Numbers;

static int random_body(void) { return (int)(random_unit() * (BODIES + 1)) - 1; }

static void random_pair(int* a, int* b) {
  do {
    *a = random_body();
    *b = random_body();
  } while (*a == *b);
}

static rgTwist random_twist(double angular) {
  rgVec3 linear = random_vector();
  return (rgTwist){linear, v3_scale(random_vector(), angular)};
}

static rgProblemBody random_mass(void) {
  rgMat3 axes = m3_from_quat(random_rotation());
  rgProblemBody body = {.inverse_mass = random_between(0.2, 2)};
  body.inverse_inertia = m3_congruence(&axes, random_within(1, 20));
  body.v_free = random_twist(3);
  return body;
}

static rgProblemContact random_contact(int i) {
  rgProblemContact contact = {.cone = (rgConeKind)(i % RG_CONE_KIND_COUNT), .facets = 3 + i};
  random_pair(&contact.body_a, &contact.body_b);
  contact.n = random_direction();
  v3_frame(contact.n, &contact.t, &contact.o);
  contact.arm_a = v3_scale(random_vector(), 0.5);
  contact.arm_b = v3_scale(random_vector(), 0.5);
  for (int k = 0; k < 4; k++)
    contact.bias[k] = random_between(-0.5, 0.5);
  contact.mu = random_between(0.1, 1);
  contact.e_t = random_between(0.3, 1);
  contact.e_o = random_between(0.3, 1);
  contact.e_tau = i % 2 ? random_between(0.01, 0.2) : 0;
  return contact;
}

static rgProblemRow random_row(int i) {
  rgProblemRow row = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
  random_pair(&row.body_a, &row.body_b);
  row.g_a = random_twist(1);
  row.g_b = random_twist(1);
  if (i % 3 == 0) // angles alone
    row.g_a.linear = row.g_b.linear = v3_zero();
  if (i % 2)
    row.lower = random_between(-0.5, 0.5), row.upper = row.lower + 0.3;
  row.compliance = i % 4 == 0 ? random_between(0.1, 1) : 0;
  row.bias = random_between(-1, 1);
  return row;
}

static Numbers random_numbers(uint64_t seed) {
  Numbers x = {.dimension = 3};
  random_state = seed;
  for (int i = 0; i < BODIES; i++)
    x.bodies[i] = random_mass();
  for (int i = 0; i < CONTACTS; i++)
    x.contacts[i] = random_contact(i + (int)seed);
  for (int i = 0; i < ROWS; i++)
    x.rows[i] = random_row(i + (int)seed);
  for (int i = 0; i < 6 * BODIES; i++)
    x.v[i] = random_between(-1, 1);
  for (int i = 0; i < 4 * CONTACTS; i++)
    x.r[i] = i % 4 == 0 ? random_between(-0.2, 1) : random_between(-0.4, 0.4);
  for (int i = 0; i < ROWS; i++)
    x.lambda[i] = random_between(-1, 1);
  return x;
}

// The certificate of one contact, one row (-1: none) or of all.
static rgCertificate judge(Numbers* x, int contact, int row, bool all) {
  rgProblem problem = {.dimension = x->dimension,
                       .body_count = BODIES,
                       .contact_count = all ? CONTACTS : contact >= 0,
                       .row_count = all ? ROWS : row >= 0,
                       .bodies = x->bodies,
                       .contacts = x->contacts + (all || contact < 0 ? 0 : contact),
                       .rows = x->rows + (all || row < 0 ? 0 : row)};
  rgSolution solution = {.v = x->v,
                         .r = x->r + (all || contact < 0 ? 0 : 4 * contact),
                         .lambda = x->lambda + (all || row < 0 ? 0 : row)};
  rgMessage message = {""};
  REQUIRE_MSG(rg_problem_check(&problem, &message) == RG_OK, "%s", message.text);
  rgCertificate certificate;
  rg_problem_certify(&problem, &solution, 1e-6, &certificate);
  return certificate;
}

static void check_same(const rgCertificate* a, const rgCertificate* b) {
  const double rounding = 1e-12; // some tens of operations
  CHECK_REL(a->signorini, b->signorini, rounding);
  CHECK_REL(a->coulomb, b->coulomb, rounding);
  CHECK_REL(a->joint, b->joint, rounding);
  CHECK_REL(a->dynamics, b->dynamics, rounding);
  CHECK_REL(a->scale, b->scale, rounding);
  CHECK_REL(a->residual, b->residual, rounding);
}

// All of the problem, and each contact and row alone.
static void compare(Numbers* a, Numbers* b) {
  rgCertificate one = judge(a, 0, 0, true), other = judge(b, 0, 0, true);
  check_same(&one, &other);
  for (int i = 0; i < CONTACTS; i++) {
    one = judge(a, i, -1, false);
    other = judge(b, i, -1, false);
    check_same(&one, &other);
  }
  for (int i = 0; i < ROWS; i++) {
    one = judge(a, -1, i, false);
    other = judge(b, -1, i, false);
    check_same(&one, &other);
  }
}

static rgTwist turned(rgQuat q, rgTwist x) {
  return (rgTwist){quat_rotate(q, x.linear), quat_rotate(q, x.angular)};
}

TEST(axes_do_not_matter) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    CONTEXT("case %d", (int)seed);
    Numbers a = random_numbers(seed), b = a;
    rgQuat q = random_rotation();
    rgMat3 m = m3_from_quat(q), back = m3_transpose(&m);
    for (int i = 0; i < BODIES; i++) {
      rgMat3 half = m3_mul(&m, &a.bodies[i].inverse_inertia);
      b.bodies[i].inverse_inertia = m3_mul(&half, &back);
      b.bodies[i].v_free = turned(q, a.bodies[i].v_free);
      rg_body_put(b.v, i, turned(q, rg_body_twist(a.v, i)));
    }
    for (int i = 0; i < CONTACTS; i++) {
      rgVec3* vectors[] = {&b.contacts[i].n, &b.contacts[i].t, &b.contacts[i].o,
                           &b.contacts[i].arm_a, &b.contacts[i].arm_b};
      for (int k = 0; k < 5; k++)
        *vectors[k] = quat_rotate(q, *vectors[k]);
    }
    for (int i = 0; i < ROWS; i++) {
      b.rows[i].g_a = turned(q, a.rows[i].g_a);
      b.rows[i].g_b = turned(q, a.rows[i].g_b);
    }
    compare(&a, &b);
  }
}

// With A and B exchanged the normal and one tangent change their signs; the other tangent stays, and
// what is measured along it changes its sign.
static void exchange(rgProblemContact* contact, double* r) {
  rgProblemContact was = *contact;
  contact->body_a = was.body_b;
  contact->body_b = was.body_a;
  contact->arm_a = was.arm_b;
  contact->arm_b = was.arm_a;
  contact->n = v3_neg(was.n);
  contact->t = v3_neg(was.t);
  contact->bias[2] = -was.bias[2];
  r[2] = -r[2];
}

TEST(which_body_is_a_does_not_matter) {
  for (uint64_t seed = 101; seed <= 140; seed++) {
    CONTEXT("case %d", (int)seed);
    Numbers a = random_numbers(seed);
    if (seed % 4 == 0) { // the other direction of friction is not there
      a.dimension = 2;
      for (int i = 0; i < CONTACTS; i++)
        a.r[4 * i + 2] = 0;
    }
    Numbers b = a;
    for (int i = 0; i < CONTACTS; i++)
      exchange(&b.contacts[i], &b.r[4 * i]);
    for (int i = 0; i < ROWS; i++) {
      b.rows[i].body_a = a.rows[i].body_b;
      b.rows[i].body_b = a.rows[i].body_a;
      b.rows[i].g_a = a.rows[i].g_b;
      b.rows[i].g_b = a.rows[i].g_a;
    }
    compare(&a, &b);
  }
}

// A row and its opposite ask for the same: bounds change places, and all changes its sign. Rows with one bound at zero,
// as limits have, are among them.
TEST(which_way_a_row_points_does_not_matter) {
  for (uint64_t seed = 301; seed <= 360; seed++) {
    CONTEXT("case %d", (int)seed);
    Numbers a = random_numbers(seed);
    for (int i = 0; i < ROWS; i++) {
      if ((i + seed) % 3 == 0)
        a.rows[i].lower = 0, a.rows[i].upper = HUGE_VAL;
      if ((i + seed) % 3 == 0 && i % 2)
        a.rows[i].lower = -HUGE_VAL, a.rows[i].upper = 0;
    }
    Numbers b = a;
    for (int i = 0; i < ROWS; i++) {
      rgProblemRow* row = &b.rows[i];
      row->g_a = (rgTwist){v3_neg(row->g_a.linear), v3_neg(row->g_a.angular)};
      row->g_b = (rgTwist){v3_neg(row->g_b.linear), v3_neg(row->g_b.angular)};
      row->bias = -row->bias;
      row->lower = -a.rows[i].upper;
      row->upper = -a.rows[i].lower;
      b.lambda[i] = -a.lambda[i];
    }
    compare(&a, &b);
  }
}

static int reversed(int body) { return body < 0 ? -1 : BODIES - 1 - body; }

TEST(the_order_does_not_matter) {
  for (uint64_t seed = 201; seed <= 240; seed++) {
    CONTEXT("case %d", (int)seed);
    Numbers a = random_numbers(seed), b = a;
    for (int i = 0; i < BODIES; i++) {
      b.bodies[reversed(i)] = a.bodies[i];
      rg_body_put(b.v, reversed(i), rg_body_twist(a.v, i));
    }
    for (int i = 0; i < CONTACTS; i++) {
      int to = CONTACTS - 1 - i;
      b.contacts[to] = a.contacts[i];
      b.contacts[to].body_a = reversed(a.contacts[i].body_a);
      b.contacts[to].body_b = reversed(a.contacts[i].body_b);
      memcpy(&b.r[4 * to], &a.r[4 * i], 4 * sizeof(double));
    }
    for (int i = 0; i < ROWS; i++) {
      int to = ROWS - 1 - i;
      b.rows[to] = a.rows[i];
      b.rows[to].body_a = reversed(a.rows[i].body_a);
      b.rows[to].body_b = reversed(a.rows[i].body_b);
      b.lambda[to] = a.lambda[i];
    }
    rgCertificate one = judge(&a, 0, 0, true), other = judge(&b, 0, 0, true);
    check_same(&one, &other);
  }
}

// A body of the problem and ground that moves are two descriptions of one thing: with a mass beyond all
// others, so that no impulse changes it, or with its velocity in the bias.
TEST(ground_may_be_a_body_that_nothing_moves) {
  for (uint64_t seed = 301; seed <= 340; seed++) {
    CONTEXT("case %d", (int)seed);
    Numbers a = random_numbers(seed);
    a.bodies[0] = (rgProblemBody){.v_free = a.bodies[0].v_free};
    rgTwist ground = a.bodies[0].v_free;
    rg_body_put(a.v, 0, ground);
    Numbers b = a;
    for (int i = 0; i < CONTACTS; i++) {
      rgProblemContact* contact = &b.contacts[i];
      double u[4];
      rgTwist none = {{0, 0, 0}, {0, 0, 0}};
      bool is_a = contact->body_a == 0, is_b = contact->body_b == 0;
      rg_contact_relative(contact, is_a ? ground : none, is_b ? ground : none, u);
      for (int k = 0; k < 4 && (is_a || is_b); k++)
        contact->bias[k] += u[k];
      contact->body_a = is_a ? -1 : contact->body_a;
      contact->body_b = is_b ? -1 : contact->body_b;
      rgCertificate one = judge(&a, i, -1, false);
      if (contact->body_a == contact->body_b)
        continue;
      rgCertificate other = judge(&b, i, -1, false);
      CHECK_REL(one.signorini, other.signorini, 1e-12);
      CHECK_REL(one.coulomb, other.coulomb, 1e-12);
      CHECK_REL(one.scale, other.scale, 1e-12);
    }
  }
}
