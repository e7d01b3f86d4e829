// closing.c - which contacts close in a step, and which of them are impacts: shared by the schemes
// of velocity_step.c.
#include "step/step.h"

// A closing gap smaller than this part of the motion in the step is rounding.
static const double CLOSED_ROUNDING = 1e-12;

double rg_contact_restitution(const rgWorld* world, const rgWorldContact* contact) {
  return rg_world_law(world, contact->shape_a, contact->shape_b)->material.restitution;
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
