// causes.c - what took the energy that a step lost, or made what it gained.
//
// The balance of a step is E = dT + dV - (work of applied forces and of moving ground). In the step
// of a scheme (advance.c) a body gets the impulse p = m (v+ - v) - h F, and moves by h v~ with
// v~ = theta v+ + (1 - theta) v. Its part of the balance in translation is
//
//     m (v+^2 - v^2) / 2 - h F . v~ = p . (v+ + v) / 2  +  h F . ((v+ + v) / 2 - v~).
//
// 1. The first term, summed over bodies, is the work of impulses at the mean velocity, which is what
//    an impact takes: of contacts r . (u+ + u) / 2, u being their relative velocity with the ground's
//    taken off, and the same of constraint rows.
// 2. The second is the integration's: -(theta - 1/2) h F . (v+ - v), for a body in free fall the loss
//    of (theta - 1/2) m (g h)^2 per step. In rotation it is what remains of a body's balance when
//    the work of its impulses is taken off; I is the inertia of the problem, p = I (w+ - w_free):
//
//     w+ . I w+ / 2 - w . I0 w / 2 - T . turn - (w+ + w) . I (w+ - w_free) / 2.
//
//    Islands that follow their ends (fill/ends.c) have none of it.
// 3. The projection's is measured around it.
// 4. What remains is that of joints, springs and dampers. In a step without constraint rows there is
//    none of it, and the remainder is the integration's.
//
// Of the steppers gauss and first-order, which solve for other unknowns, the parts are not known:
// their balance goes to contacts if the step has any, else to joints if it has rows, else to the
// integration; that of first-order, where the medium takes all, to the integration.
#include "step/fill/fill.h"
#include "step/report.h"
#include "step/sum.h"

// The sums v+ + v of the two bodies of a contact. Those of a manifold come one after the other.
typedef struct Pair {
  int a, b; // slots; -1 before the first contact
  rgTwist sum_a, sum_b;
} Pair;

static rgTwist velocity_sum(const rgStep* step, int slot) {
  const rgTwist *start = &step->bodies[slot].start_velocity,
                *end = &step->world->bodies[slot].velocity;
  return (rgTwist){v3_add(start->linear, end->linear), v3_add(start->angular, end->angular)};
}

static double contact_work(const rgStep* step, int index, Pair* pair) {
  const rgWorldContact* contact = &step->world->contacts[index];
  if (contact->body_a != pair->a || contact->body_b != pair->b)
    *pair = (Pair){contact->body_a, contact->body_b, velocity_sum(step, contact->body_a),
                   velocity_sum(step, contact->body_b)};
  rgVec3 arm_a, arm_b;
  rg_fill_contact_arms(step, contact, &arm_a, &arm_b);
  rgVec3 u_a = v3_add(pair->sum_a.linear, v3_cross(pair->sum_a.angular, arm_a)),
         u_b = v3_add(pair->sum_b.linear, v3_cross(pair->sum_b.angular, arm_b));
  double work = 0.5 * v3_dot(contact->impulse, v3_sub(u_a, u_b));
  if (contact->torsion != 0)
    work += contact->torsion * rg_fill_mean_spin(step, contact, 0.5);
  return work;
}

// The integration's part in the translation of a body.
static double translation(const rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  rgVec3 force = v3_axpy(body->applied.force, body->mass, step->world->options.gravity);
  rgVec3 change = v3_sub(body->velocity.linear, step->bodies[slot].start_velocity.linear);
  return (0.5 - step->theta) * step->h * v3_dot(force, change);
}

// And in its rotation, which is free but for impulses of contacts.
static double rotation(const rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  if (body->rotation_locked || body->massless)
    return 0;
  rgVec3 start = scratch->start_velocity.angular, end = body->velocity.angular;
  rgVec3 gain = v3_sub(end, scratch->v_free.angular);
  rgMat3 inertia = m3_inverse(&scratch->inverse_inertia);
  rgQuat axes = quat_mul(body->orientation, body->principal_axes);
  rgVec3 principal = quat_unrotate_exactly(axes, start);
  double before = 0.5 * v3_dot(principal, v3_mul(body->principal, principal));
  double after = 0.5 * v3_dot(end, m3_apply(&inertia, end));
  double impulses = 0.5 * v3_dot(v3_add(start, end), m3_apply(&inertia, gain));
  double torque =
      v3_dot(body->applied.torque, v3_axpy(scratch->turn_free, step->h * step->theta, gain));
  return after - before - torque - impulses;
}

static double integration(const rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  const rgWorld* world = step->world;
  double sum = 0;
  for (int i = 0; i < world->body_slots; i++) {
    if (!world->bodies[i].alive || world->bodies[i].kind != RG_BODY_DYNAMIC)
      continue;
    sum += translation(step, i);
    if (step->bodies[i].problem_body < 0)
      sum += rotation(step, i);
  }
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    for (int i = 0; i < island->body_count && island->row_count == 0 && !island->follows; i++)
      sum += rotation(step, set->body_order[island->body_start + i]);
  }
  return sum;
}

static void write_works(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  (void)context;
  Pair pair = {.a = -1, .b = -1};
  for (int i = first; i < end; i++) {
    bool acts = step->contacts[i].mark != RG_MARK_OUT &&
                !v3_equal(step->world->contacts[i].impulse, v3_zero());
    terms[i - first] = acts ? contact_work(step, i, &pair) : 0;
  }
}

void rg_causes_find(rgStep* step) {
  double sum = 0;
  rg_step_sum(step, step->world->contact_count, 1, write_works, NULL, &sum);
  step->account.causes_known = true;
  step->certificate.energy_contacts = sum;
  // Without rows it is the remainder.
  step->certificate.energy_integration = step->velocity.row_count > 0 ? integration(step) : 0;
}

void rg_causes_balance(rgStep* step, bool inertia, double energy, double projection) {
  rgCertificate* result = &step->certificate;
  result->energy = energy;
  result->energy_projection = projection;
  double rest = energy - projection - result->energy_contacts - result->energy_integration;
  if (inertia && !step->account.causes_known && result->contacts > 0)
    result->energy_contacts = rest;
  else if (inertia && step->velocity.row_count > 0)
    result->energy_joints = rest;
  else
    result->energy_integration += rest;
}
