// stewart_trinkle.c - the gap at the end of the step, to first order, inside the law of the contact
// (Stewart and Trinkle 1996, the scheme that 004 compares itself with).
//
//     M (v+ - v) = h f + J_e' lambda + H r,      q+ = q + h v+
//     g + h u+ >= 0 complementary to r_n >= 0:      bias = g / h
//
// A contact with e > 0 that approaches and that the step would close is an impact with Newton's
// law, bias = e u; one that stays open is left out. What lands with e = 0 touches at the end of the
// step, neither before nor behind the surface. An overlap would be pushed out within one step by g
// / h < 0, which gives the bodies the speed g / h to keep. It is so under the stabilizer none, as
// published; under baumgarte the rate takes the place of 1 / h, and under post overlaps count as
// touching, since post removes them without giving any speed. First order in h.
#include "step/step.h"

#include <string.h>

static double normal_bias(const rgWorld* world, const rgWorldContact* contact, double h) {
  if (contact->impact)
    return rg_contact_restitution(world, contact) *
           rg_contact_normal_velocity(world, contact, RG_VELOCITY_START);
  if (contact->gap < 0 && strcmp(world->options.stabilizer, "none") != 0)
    return rg_stabilizer_contact_bias(world, contact);
  // What the projection leaves alone counts as touching: rest is the same problem in every step.
  return fabs(contact->gap) > rg_allowed_overlap(world, contact) ? contact->gap / h : 0;
}

static rgStatus step(rgWorld* world, double h, rgCertificate* certificate, double* work) {
  static const rgVelocityScheme scheme = {.theta = 1,
                                          .free_motion = rg_free_motion,
                                          .select = rg_contacts_select_impacts,
                                          .normal_bias = normal_bias};
  return rg_velocity_step(world, h, &scheme, certificate, work);
}

const rgStepper rg_stepper_stewart_trinkle = {
    .name = "stewart-trinkle",
    .summary = "contact law with gap / h: gaps close within the step and are not passed",
    .reference = "Stewart, Trinkle 1996; Chakraborty 2007, section 1",
    .step = step,
};
