// first_order.c - the Aristotelian world: velocity follows force (Redon, Kheddar,
// Coquillart 2002, note 11).
//
// Gauss' principle applied to velocities instead of accelerations: of all velocities that joints
// and contacts allow, the one nearest in the kinetic norm to the unconstrained one,
//
//     (h / tau) M v = h F + G' lambda + H r,      q+ = q + h v,
//     g + h u >= 0 complementary to r_n >= 0.
//
// Nothing has inertia: what is not pushed stands still, what is pushed moves with the velocity tau
// F / m at once. The time tau (option damping_time) is what turns an acceleration into a velocity:
// that in which a drag of m / tau brings a body to its final velocity; the paper has 1 in its
// place. Impulses are forces times h, and friction is Coulomb's. There is no velocity before an
// impact and no restitution. Energy is the potential energy alone; a step takes h v' M v / tau from
// it, besides what friction takes. First order in h; movement along a straight line under a
// constant force is exact.
//
// Meant for putting things together: bodies slide along each other to where they are at rest
// without swinging or bouncing.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static void follow_force(rgStep* step) {
  rgWorld* world = step->world;
  double h = step->h, tau = world->options.damping_time;
  rg_fill_free_motion(step);
  rg_fill_gather_forces(step, h, step->theta, false); // soft rows are of a world with inertia
  for (int i = 0; i < world->body_slots; i++) {
    rgBody* body = &world->bodies[i];
    rgBodyStep* scratch = &step->bodies[i];
    if (!body->alive || body->kind != RG_BODY_DYNAMIC)
      continue;
    scratch->inverse_inertia = rg_body_inverse_inertia(body, body->orientation);
    rgVec3 a = rg_body_acceleration(body, world->options.gravity);
    rgVec3 spin = m3_apply(&scratch->inverse_inertia, body->applied.torque);
    scratch->v_free = (rgTwist){v3_scale(a, tau), v3_scale(spin, tau)};
    scratch->turn_free = v3_scale(scratch->v_free.angular, h);
    // No memory: the reach of contacts too goes by the velocity of this step.
    body->velocity = scratch->start_velocity = scratch->v_free;
  }
}

static bool select_contacts(rgStep* step) {
  for (int i = 0; i < step->world->contact_count; i++)
    step->contacts[i].mark = RG_MARK_IN;
  return true;
}

static void contact(const rgStep* step, int index, rgProblemContact* out) {
  const rgWorldContact* contact = &step->world->contacts[index];
  if (contact->gap < 0)
    out->bias[0] = rg_stabilizer_contact_bias(step->world, contact);
  else if (contact->gap > rg_stabilizer_allowed_overlap(step->world, contact))
    out->bias[0] = contact->gap / step->h;
}

static rgStatus step_first_order(rgStep* step) {
  const rgScheme scheme = {.theta = 1,
                           .free_motion = follow_force,
                           .select = select_contacts,
                           .contact = contact,
                           .mobility = step->world->options.damping_time / step->h};
  return rg_step_advance(step, &scheme);
}

const rgStepper rg_stepper_first_order = {
    .name = "first-order",
    .summary = "Aristotelian: velocity follows force with the factor damping_time / m; no inertia, "
               "no restitution",
    .reference = "Redon, Kheddar, Coquillart 2002, note 11",
    .no_inertia = true,
    .step = step_first_order,
};
