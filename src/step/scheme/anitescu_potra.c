// anitescu_potra.c - the mixed complementarity problem of velocities and impulses (001, eq. 2.49).
//
//     M (v+ - v) = h f + J_e' lambda + H r,      q+ = q + h v+
//     J_e v+ = 0,      u+ + e min(u, 0) >= 0 complementary to r_n >= 0,      friction as the cone
//     says
//
// The position of a contact is not in its law: a contact is there or it is not. 001 cuts the step
// in half until nothing overlaps (4.1, step 6) and has then the contacts that touch. With a fixed
// step the contacts that are there are those that touch and those that the motion of this step
// would pass through; which these are is found by solving with more and more of them. What lands
// with e = 0 therefore stops at a distance of up to h |u| and comes down from there in the steps
// that follow: it rests at a gap of at most |g| h^2, never in overlap.
//
// With polygons for cones (cone = inner) the friction is that of eq. 2.47 and 2.48; with cone =
// exact it is Coulomb's own. Restitution is Newton's (eq. 4.16). Stiff forces enter as soft rows:
// M - h^2 df/dp - h df/dv in place of M (eq. 2.52 to 2.55). First order in h.
#include "step/step.h"

static bool select_contacts(rgWorld* world, double h, double theta) {
  bool all = true;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    double start = rg_contact_normal_velocity(world, contact, RG_VELOCITY_START);
    bool there = contact->gap <= rg_allowed_overlap(world, contact) ||
                 rg_contact_closes(world, contact, start, RG_VELOCITY_FREE, h, theta);
    contact->problem_contact = there ? 0 : -1;
    contact->impact = there && start < 0 && rg_contact_restitution(world, contact) > 0;
    all = all && there;
  }
  return all;
}

static double normal_bias(const rgWorld* world, const rgWorldContact* contact, double h) {
  (void)h;
  double bounce = contact->impact
                      ? rg_contact_restitution(world, contact) *
                            rg_contact_normal_velocity(world, contact, RG_VELOCITY_START)
                      : 0;
  return fmin(bounce, rg_stabilizer_contact_bias(world, contact));
}

static rgStatus step(rgWorld* world, double h, rgCertificate* certificate, double* work) {
  static const rgVelocityScheme scheme = {.theta = 1,
                                          .free_motion = rg_free_motion,
                                          .select = select_contacts,
                                          .normal_bias = normal_bias};
  return rg_velocity_step(world, h, &scheme, certificate, work);
}

const rgStepper rg_stepper_anitescu_potra = {
    .name = "anitescu-potra",
    .summary = "contact law of velocities alone, for contacts that the step would pass through",
    .reference = "Cline 2002, eq. 2.49 and 2.52-2.55; Anitescu, Potra 1997",
    .step = step,
};
