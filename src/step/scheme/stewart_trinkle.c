// stewart_trinkle.c - the gap at the end of the step, to first order, inside the law of the contact
// (Stewart and Trinkle 1996, the scheme that Chakraborty et al. 2007 compare theirs with).
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
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

#include <string.h>

static double normal_bias(const rgStep* step, int index) {
  const rgWorld* world = step->world;
  const rgWorldContact* contact = &world->contacts[index];
  if (step->contacts[index].mark == RG_MARK_IMPACT)
    return rg_fill_restitution(world, contact) *
           rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
  if (contact->gap < 0 && strcmp(world->options.stabilizer, "none") != 0)
    return rg_stabilizer_contact_bias(world, contact);
  // What the projection leaves alone counts as touching: rest is the same problem in every step.
  double allowed = rg_stabilizer_allowed_overlap(world, contact);
  return fabs(contact->gap) > allowed ? contact->gap / step->h : 0;
}

static void contact(const rgStep* step, int index, rgProblemContact* out) {
  out->bias[0] = normal_bias(step, index);
}

static rgStatus step_stewart_trinkle(rgStep* step) {
  static const rgScheme scheme = {.theta = 1,
                                  .free_motion = rg_fill_free_motion,
                                  .select = rg_fill_select_impacts,
                                  .contact = contact};
  return rg_step_advance(step, &scheme);
}

const rgStepper rg_stepper_stewart_trinkle = {
    .name = "stewart-trinkle",
    .summary = "contact law with gap / h: gaps close within the step and are not passed",
    .reference = "Stewart, Trinkle 1996; Chakraborty, Berard, Akella, Trinkle 2007, section 1",
    .sleeps = true,
    .step = step_stewart_trinkle,
};
