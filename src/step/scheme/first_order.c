// first_order.c - the Aristotelian world: velocity follows force (000, note 11).
//
// Gauss' principle applied to velocities instead of accelerations: of all velocities that joints
// and contacts allow, the one nearest in the kinetic norm to the unconstrained one,
//
//     (h / tau) M v = h F + G' lambda + H r,      q+ = q + h v,
//     g + h u >= 0 complementary to r_n >= 0.
//
// Nothing has inertia: what is not pushed stands still, what is pushed moves with the velocity tau
// F / m at once. The time tau (option damping_time) is what turns an acceleration into a velocity:
// that in which a drag of m / tau brings a body to its final velocity; 000 has 1 in its place.
// Impulses are forces times h, and friction is Coulomb's. There is no velocity before an impact and
// no restitution. Energy is the potential energy alone; a step takes h v' M v / tau from it,
// besides what friction takes. First order in h; motion along a straight line under a constant
// force is exact.
//
// Meant for putting things together: bodies slide along each other to where they are at rest
// without swinging or bouncing.
#include "step/step.h"

static void follow_force(rgWorld* world, double h, double theta) {
  rg_free_motion(world, h, theta);
  rg_gather_forces(world, h, theta, false); // soft rows are of a world with inertia
  double tau = world->options.damping_time;
  for (int i = 0; i < world->body_slots; i++) {
    rgBody* body = &world->bodies[i];
    if (!body->alive || body->kind != RG_BODY_DYNAMIC)
      continue;
    body->inverse_inertia = rg_body_inverse_inertia(body, body->orientation);
    rgVec3 a = v3_axpy(world->options.gravity, body->inverse_mass, body->applied.force);
    body->v_free.linear = v3_scale(a, tau);
    body->v_free.angular = v3_scale(m3_apply(&body->inverse_inertia, body->applied.torque), tau);
    body->turn_free = v3_scale(body->v_free.angular, h);
    // No memory: the reach of contacts too goes by the velocity of this step.
    body->velocity = body->start_velocity = body->v_free;
  }
}

static bool select_contacts(rgWorld* world, double h, double theta) {
  (void)h;
  (void)theta;
  for (int i = 0; i < world->contact_count; i++) {
    world->contacts[i].problem_contact = 0;
    world->contacts[i].impact = false;
  }
  return true;
}

static double normal_bias(const rgWorld* world, const rgWorldContact* contact, double h) {
  if (contact->gap < 0)
    return rg_stabilizer_contact_bias(world, contact);
  return contact->gap > rg_allowed_overlap(world, contact) ? contact->gap / h : 0;
}

static rgStatus step(rgWorld* world, double h, rgCertificate* certificate, double* work) {
  rgVelocityScheme scheme = {.theta = 1,
                             .free_motion = follow_force,
                             .select = select_contacts,
                             .normal_bias = normal_bias,
                             .mobility = world->options.damping_time / h};
  return rg_velocity_step(world, h, &scheme, certificate, work);
}

const rgStepper rg_stepper_first_order = {
    .name = "first-order",
    .summary = "Aristotelian: velocity follows force with the factor damping_time / m; no inertia, "
               "no restitution",
    .reference = "Redon, Kheddar, Coquillart 2002, note 11",
    .no_inertia = true,
    .step = step,
};
