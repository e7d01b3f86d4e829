// Bodies that fly together have no velocity against each other but the rounding of their own: a contact
// between them keeps its law, whatever tiny impulse it has, and one that misses by more does not.
#include "support/random.h"
#include "test.h"
#include <rigor/problem.h>

enum { A = 0, B = 1 };

typedef struct Pair {
  rgProblemBody bodies[2];
  rgProblemContact contact;
  double v[12], r[4];
} Pair;

// Two bodies that fly with `speed` and approach each other with `approach` along a random normal.
static Pair random_pair(double speed, double approach, double impulse) {
  Pair pair = {.r = {impulse}};
  rgProblemContact* contact = &pair.contact;
  *contact = (rgProblemContact){.body_a = A, .body_b = B, .cone = RG_CONE_DISK, .mu = 0.5};
  contact->n = random_direction();
  v3_frame(contact->n, &contact->t, &contact->o);
  contact->arm_a = v3_scale(random_vector(), 0.1);
  contact->arm_b = v3_scale(random_vector(), 0.1);
  rgVec3 flight = v3_scale(random_direction(), speed);
  for (int i = 0; i < 2; i++) {
    rgVec3 own = i == A ? v3_axpy(flight, -approach, contact->n) : flight;
    pair.bodies[i] = (rgProblemBody){.inverse_mass = random_between(0.5, 2),
                                     .inverse_inertia = m3_diag(100, 100, 100),
                                     .v_free = {own, v3_zero()}};
    double* v = &pair.v[6 * i];
    v[0] = own.x, v[1] = own.y, v[2] = own.z; // which a tiny impulse does not change
  }
  return pair;
}

static rgCertificate certify(Pair* pair) {
  rgProblem problem = {.dimension = 3,
                       .body_count = 2,
                       .contact_count = 1,
                       .bodies = pair->bodies,
                       .contacts = &pair->contact};
  rgSolution solution = {pair->v, pair->r, NULL};
  rgCertificate certificate;
  rg_problem_certify(&problem, &solution, 1e-6, &certificate);
  return certificate;
}

// A velocity of v [m/s] is known to v 2^-53 in each of its parts: two bodies, each with three of
// them, differ by no more than 6 of these, and the certificate allows 16 times 2^-52.
TEST(what_is_rounding_of_velocities_misses_nothing) {
  static const double UNIT = 0x1p-53;
  random_state = 3;
  for (int trial = 0; trial < 500; trial++) {
    double speed = 0.01 * (1 << trial % 20), impulse = trial % 2 ? 0 : 1e-30 * (1 << trial % 30);
    Pair pair = random_pair(speed, 6 * UNIT * speed * random_unit(), impulse);
    rgCertificate certificate = certify(&pair);
    CONTEXT("speed %g, impulse %g", speed, impulse);
    CHECK(certificate.met);
    CHECK_NEAR(certificate.signorini, 0, 0);
    CHECK_NEAR(certificate.coulomb, 0, 0);
  }
}

// A thousand times that is an approach, which the law forbids: all of it is missed.
TEST(what_is_more_than_rounding_is_seen) {
  random_state = 4;
  for (int trial = 0; trial < 500; trial++) {
    double speed = 0.01 * (1 << trial % 20), approach = 1e-12 * speed;
    Pair pair = random_pair(speed, approach, trial % 2 ? 0 : 1e-30);
    rgCertificate certificate = certify(&pair);
    CONTEXT("speed %g", speed);
    CHECK(!certificate.met);
    CHECK_NEAR(certificate.signorini, approach, 1e-2 * approach); // which is known to 1e-16 speed
  }
}
