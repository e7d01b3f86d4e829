// signorini.c - Moreau-Jean time stepping with the contact law as printed (Renouf, Acary, Dumont 2005,
// eq. 20 and 22).
//
//     M (v+ - v) = h F + H r,      q+ = q + h (theta v+ + (1 - theta) v)
//     if g + h u <= 0:   0 <= u+ + e u complementary to r_n >= 0;      otherwise r_n = 0
//
// g + h u predicts the gap with the velocity of the start of the step. Whether a contact is in the
// problem is decided by it alone, and the gap itself is not in the law. What lands with e = 0 may
// therefore stop before it touches, by up to h |u|, and what a force brings down within the step, at
// u = 0 and g > 0, goes through by up to h^2 |F| / m before the next step sees it: `theta` predicts with
// the velocity that the step ends with and lands on the surface. Neither looks at what the solved
// movement closes.
//
// Lifting what has gone through would be work that no impulse has done: m g h^2 g for each landing, more
// than the kinetic energy of the fall. Stabilizers that correct positions are refused.
//
// Gaps and overlaps within what the projection leaves alone count as zero; otherwise rest would be
// decided by rounding. First order in h through an impact. For comparisons.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static bool select_contacts(rgStep* step) {
  for (int i = 0; i < step->world->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[i];
    double start = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
    double allowed = rg_stabilizer_allowed_overlap(step->world, contact);
    double gap = fabs(contact->gap) <= allowed ? 0 : contact->gap;
    bool there = gap + step->h * start <= 0;
    step->contacts[i].mark = !there ? RG_MARK_OUT : start < 0 ? RG_MARK_IMPACT : RG_MARK_IN;
  }
  return true;
}

static rgStatus step_signorini(rgStep* step) {
  static const rgScheme scheme = {.free_motion = rg_fill_free_motion,
                                  .select = select_contacts,
                                  .contact = rg_fill_velocity_law};
  return rg_step_advance(step, &scheme);
}

const rgStepper rg_stepper_signorini = {
    .name = "signorini",
    .summary =
        "Moreau-Jean as printed: the velocity law where the gap predicted with the velocity of "
        "the start closes, theta in [1/2, 1]",
    .reference = "Renouf, Acary, Dumont 2005, eq. 22",
    .overlaps = true,
    .sleeps = true,
    .step = step_signorini,
};
