// halving.c - the step of anitescu_potra.c, cut in half until nothing overlaps (Cline 2002, 4.1 step 6).
//
//     M (v+ - v) = dt f + J_e' lambda + H r,      q+ = q + dt v+
//     J_e v+ = 0,      u+ + e min(u, 0) >= 0 complementary to r_n >= 0,      friction as the cone says
//
// for the contacts that touch at the start of each part (parts.c), which is Cline's main loop: the step is
// as long as nothing is passed, and what is about to touch is in no problem before it does. What lands
// touches when and where it lands; anitescu-potra, whose step is fixed, stops it at up to h |u| before.
//
// Impulses of contacts after the step are those of its last part. First order in h between impacts. For
// few bodies: every impact of the world cuts the step of all.
#include "step/fill/fill.h"
#include "step/parts.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static bool select_contacts(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    rgMark* mark = &step->contacts[i].mark;
    *mark = RG_MARK_OUT;
    if (contact->gap > rg_stabilizer_allowed_overlap(world, contact))
      continue;
    bool approaches = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START) < 0;
    *mark = approaches && rg_fill_restitution(world, contact) > 0 ? RG_MARK_IMPACT : RG_MARK_IN;
  }
  return true; // what the movement closes ends the part, and does not enter
}

static rgStatus step_halving(rgStep* step) {
  static const rgScheme scheme = {.theta = 1,
                                  .free_motion = rg_fill_free_motion,
                                  .select = select_contacts,
                                  .contact = rg_fill_velocity_law};
  rgStatus status = rg_step_advance(step, &scheme);
  step->part.contact_count = step->world->contact_count;
  step->part.leaps = status == RG_OK && rg_parts_leaps(step);
  return status;
}

const rgStepper rg_stepper_halving = {
    .name = "halving",
    .summary =
        "anitescu-potra with steps that are halved until nothing overlaps: impacts are met where "
        "bodies touch",
    .reference = "Cline 2002, section 4.1 step 6, eq. 2.49",
    .cuts = true,
    .step = step_halving,
};
