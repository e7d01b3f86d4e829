// closing.c - which contacts close in a step, and which of them are impacts: shared by the schemes
// of velocity_step.c.
//
// Friction and energy. In a step whose motion is that of the velocity v~ = theta v+ + (1 - theta)
// v, impulses do the work r . u~, and friction r_t . u~_t. Coulomb's law at the end of the step
// makes r_t . u_t+ <= 0, which is enough at theta = 1. At smaller theta r_t . u_t can be positive:
// where other impulses reverse a slip within the step, friction holds against them along the slip
// that there was. The law of the mean slip, u~_t in place of u_t+, never gains (Fremond 1995 asks
// for it in impacts), but as a rule it would be a bad one: what sticks would change the sign of its
// slip in each step. So it holds only for the contacts that would gain otherwise; after such a step
// their friction is against the slip, and the next one ends it.
#include "step/step.h"

// A closing gap smaller than this part of the motion in the step is rounding.
static const double CLOSED_ROUNDING = 1e-12;

double rg_contact_restitution(const rgWorld* world, const rgWorldContact* contact) {
  return rg_world_law(world, contact)->material.restitution;
}

double rg_contact_normal_velocity(const rgWorld* world, const rgWorldContact* contact,
                                  rgVelocityKind kind) {
  return v3_dot(contact->normal, rg_world_contact_velocity(world, contact, kind));
}

bool rg_contact_closes(const rgWorld* world, const rgWorldContact* contact, double start,
                       rgVelocityKind end_kind, double h, double theta) {
  double end = rg_contact_normal_velocity(world, contact, end_kind);
  double motion = h * (theta * end + (1 - theta) * start);
  return contact->gap + motion <= -CLOSED_ROUNDING * fabs(motion);
}

// What touches is in the problem whatever the free motion does: bodies of a stack at rest fall
// freely all alike, so that no gap between them closes by itself, and left out they would have to
// come back in a further round of every step.
bool rg_contacts_select_impacts(rgWorld* world, double h, double theta) {
  bool all = true;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    contact->problem_contact = 0;
    contact->impact = false;
    if (rg_contact_restitution(world, contact) == 0)
      continue;
    double start = rg_contact_normal_velocity(world, contact, RG_VELOCITY_START);
    if (start >= 0)
      continue;
    contact->impact = contact->gap <= rg_allowed_overlap(world, contact) ||
                      rg_contact_closes(world, contact, start, RG_VELOCITY_FREE, h, theta);
    if (contact->impact)
      continue;
    contact->problem_contact = -1;
    all = false;
  }
  return all;
}

bool rg_contacts_add_closing(rgWorld* world, double h, double theta) {
  bool any = false;
  for (int i = 0; i < world->contact_count; i++) {
    rgWorldContact* contact = &world->contacts[i];
    if (contact->problem_contact >= 0)
      continue;
    double start = rg_contact_normal_velocity(world, contact, RG_VELOCITY_START);
    if (!rg_contact_closes(world, contact, start, RG_VELOCITY_NOW, h, theta))
      continue;
    contact->impact = start < 0 && rg_contact_restitution(world, contact) > 0;
    contact->problem_contact = 0;
    any = true;
  }
  return any;
}

// Work of friction over the impulse of the contact that is a gain and no rounding of the solve, as
// a part of the velocities of the island's problem: this many times what the solve may leave.
static const double GAIN_SEEN = 100;

static bool gains(const rgWorld* world, const rgWorldContact* contact, double theta, double least) {
  rgVec3 n = contact->normal;
  rgVec3 friction = v3_axpy(contact->impulse, -v3_dot(n, contact->impulse), n);
  rgVec3 start = rg_world_contact_velocity(world, contact, RG_VELOCITY_START),
         end = rg_world_contact_velocity(world, contact, RG_VELOCITY_NOW);
  double work = theta * v3_dot(friction, end) + (1 - theta) * v3_dot(friction, start);
  work += contact->torsion * (theta * rg_contact_spin(world, contact, RG_VELOCITY_NOW) +
                              (1 - theta) * rg_contact_spin(world, contact, RG_VELOCITY_START));
  return work > least * v3_norm(contact->impulse);
}

bool rg_contacts_end_gains(rgWorld* world, double theta) {
  const rgProblemSet* set = &world->velocity;
  double part = (1 - theta) / theta;
  bool any = false;
  for (int k = 0; k < set->island_count && theta < 1; k++) {
    const rgIsland* island = &set->islands[k];
    double least = GAIN_SEEN * world->options.tolerance * island->report.certificate.scale;
    int end = island->rough ? 0 : island->contact_start + island->contact_count;
    for (int i = island->contact_start; i < end; i++) {
      rgWorldContact* contact = &world->contacts[set->contact_order[i]];
      if (contact->slip_part > 0 || !gains(world, contact, theta, least))
        continue;
      contact->slip_part = part;
      any = true;
    }
  }
  return any;
}
