// anitescu_potra.c - the mixed complementarity problem of velocities and impulses (Cline 2002, eq.
// 2.49).
//
//     M (v+ - v) = h f + J_e' lambda + H r,      q+ = q + h v+
//     J_e v+ = 0,      u+ + e min(u, 0) >= 0 complementary to r_n >= 0,      friction as the cone
//     says
//
// The position of a contact is not in its law: a contact is there or it is not. Cline cuts the step
// in half until nothing overlaps (4.1, step 6) and has then the contacts that touch. With a fixed
// step the contacts that are there are those that touch and those that the movement of this step
// would pass through; which these are is found by solving with more and more of them. What lands
// with e = 0 therefore stops at a distance of up to h |u| and comes down from there in the steps
// that follow: it rests at a gap of at most |g| h^2, never in overlap.
//
// With polygons for cones (cone = inner) the friction is that of eq. 2.47 and 2.48; with cone =
// exact it is Coulomb's own. Restitution is Newton's (eq. 4.16). Stiff forces enter as soft rows:
// M - h^2 df/dp - h df/dv in place of M (eq. 2.52 to 2.55). First order in h.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static rgMark mark_of(const rgStep* step, const rgWorldContact* contact) {
  const rgWorld* world = step->world;
  double start = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
  bool there = contact->gap <= rg_stabilizer_allowed_overlap(world, contact) ||
               rg_fill_contact_closes(step, contact, start, RG_VELOCITY_FREE);
  if (!there)
    return RG_MARK_OUT;
  return start < 0 && rg_fill_restitution(world, contact) > 0 ? RG_MARK_IMPACT : RG_MARK_IN;
}

static bool select_contacts(rgStep* step) {
  bool all = true;
  for (int i = 0; i < step->world->contact_count; i++) {
    step->contacts[i].mark = mark_of(step, &step->world->contacts[i]);
    all = all && step->contacts[i].mark != RG_MARK_OUT;
  }
  return all;
}

static rgStatus step_anitescu_potra(rgStep* step) {
  static const rgScheme scheme = {.theta = 1,
                                  .free_motion = rg_fill_free_motion,
                                  .select = select_contacts,
                                  .contact = rg_fill_velocity_law};
  return rg_step_advance(step, &scheme);
}

const rgStepper rg_stepper_anitescu_potra = {
    .name = "anitescu-potra",
    .summary = "contact law of velocities alone, for contacts that the step would pass through",
    .reference = "Cline 2002, eq. 2.49 and 2.52-2.55; Anitescu, Potra 1997",
    .sleeps = true,
    .step = step_anitescu_potra,
};
