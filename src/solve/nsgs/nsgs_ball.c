// nsgs_ball.c - ball contacts: from a problem to their batches.
//
// Where both arms of a contact lie along its normal, arm = l n, and both bodies have one moment of
// inertia, I = i 1, the impulse p = r_n n + r_T in world axes does
//
//     u_n = n . (v_a - v_b) + bias,     u_T = ((v_a - v_b) + (l_a w_a - l_b w_b) x n)_T,
//     W_nn = 1/m_a + 1/m_b,             W_TT = (W_nn + l_a^2 / i_a + l_b^2 / i_b) 1,     W_Tn = 0,
//
// and the one-contact problem of Renouf et al. 2005, eq. 35 is solved by r_n' = max(0, r_n - u_n /
// W_nn), then r_T' = the point nearest to r_T - u_T / W_tt in the disk of radius mu r_n'. Spheres
// on spheres and on walls are of this kind. A batch takes less than half the memory of the general
// one, which is what limits sweeps over problems that no cache holds.
//
// Without friction only the normal matters: a moment of inertia of any form does, since a force
// along n through the centre turns nothing.
//
// Contacts come to their bodies in no order, so what they ask of a body is gathered in 16 bytes.
#include "math/vec.h"
#include "solve/nsgs/nsgs.h"

// An arm may be off the normal by the rounding of positions that are some thousand arms away from
// the origin, as a part of its length. Sweeps leave that out; the velocities that are judged do
// not.
static const double OFF_NORMAL = 1e-12;

static bool is_along(rgVec3 arm, rgVec3 n) {
  rgVec3 across = v3_cross(arm, n);
  return v3_norm2(across) <= OFF_NORMAL * OFF_NORMAL * v3_norm2(arm);
}

void rg_nsgs_ball_masses(const rgProblem* problem, int first, int end, rgBallMass* masses) {
  for (int i = first; i < end; i++)
    masses[i] = rg_mass_ball(problem, i);
}

static rgBallMass mass_of(const rgBallMass* masses, int body) {
  return body < 0 ? (rgBallMass){0, 0} : masses[body];
}

static bool suits(const rgProblemContact* contact, rgBallMass own, int body, rgVec3 arm) {
  bool smooth = contact->cone == RG_CONE_FRICTIONLESS;
  return body < 0 || ((smooth || own.angular >= 0) && is_along(arm, contact->n));
}

bool rg_nsgs_is_ball(const rgProblem* problem, const rgBallMass* masses,
                     const rgProblemContact* contact) {
  bool known = contact->cone == RG_CONE_DISK || contact->cone == RG_CONE_FRICTIONLESS;
  bool bias_along_n = contact->bias[1] == 0 && contact->bias[2] == 0;
  rgBallMass a = mass_of(masses, contact->body_a), b = mass_of(masses, contact->body_b);
  return known && problem->dimension == 3 && bias_along_n && a.linear + b.linear > 0 &&
         suits(contact, a, contact->body_a, contact->arm_a) &&
         suits(contact, b, contact->body_b, contact->arm_b);
}

// One body of a contact: what the velocity at the contact takes of its spin, and what an impulse
// gives to it.
typedef struct Side {
  double lever, mass, spin, compliance; // inverse mass; inverse inertia times lever; times lever^2
} Side;

static Side side_of(const rgBallMass* masses, const rgProblemContact* contact, int body,
                    rgVec3 arm) {
  rgBallMass own = mass_of(masses, body);
  Side side = {0, own.linear, 0, 0};
  if (body < 0 || contact->cone == RG_CONE_FRICTIONLESS)
    return side;
  side.lever = v3_dot(arm, contact->n);
  side.spin = own.angular * side.lever;
  side.compliance = side.spin * side.lever;
  return side;
}

rgNsgsBallLaw rg_nsgs_ball_law(const rgBallMass* masses, const rgProblemContact* contact) {
  Side a = side_of(masses, contact, contact->body_a, contact->arm_a),
       b = side_of(masses, contact, contact->body_b, contact->arm_b);
  bool rubs = contact->cone == RG_CONE_DISK;
  double w_n = a.mass + b.mass, w_t = w_n + a.compliance + b.compliance;
  return (rgNsgsBallLaw){.lever_a = a.lever,
                         .lever_b = b.lever,
                         .mass_a = a.mass,
                         .mass_b = b.mass,
                         .spin_a = a.spin,
                         .spin_b = b.spin,
                         .stiff_n = 1 / w_n,
                         .stiff_t = 1 / w_t,
                         .mu = rubs ? contact->mu : 0,
                         .inverse_rho = rubs ? (w_n + 2 * w_t) / 3 : w_n};
}

rgVec3 rg_nsgs_ball_load(const rgProblemContact* contact, const double r[4]) {
  rgVec3 p = v3_scale(contact->n, r[0]);
  return v3_axpy(v3_axpy(p, r[1], contact->t), r[2], contact->o);
}

void rg_nsgs_ball_store(const rgProblemContact* contact, rgVec3 p, double r[4]) {
  bool rubs = contact->cone == RG_CONE_DISK;
  r[0] = v3_dot(contact->n, p);
  r[1] = rubs ? v3_dot(contact->t, p) : 0;
  r[2] = rubs ? v3_dot(contact->o, p) : 0;
  r[3] = 0;
}
