// state.c - what a frame of the page shows: bodies, contacts, joints, certificate.
#include "wasm/page.h"

PAGE_EXPORT(page_layout) int page_layout(int which) {
  static const int sizes[] = {PAGE_STATE, PAGE_BODY,   PAGE_SHAPE, PAGE_CONTACT,
                              PAGE_JOINT, PAGE_BOUNDS, PAGE_FORCE};
  return which >= 0 && which < (int)(sizeof sizes / sizeof *sizes) ? sizes[which] : 0;
}

// time, steps, residual, tolerance, met, penetration, energy error, iterations, contacts in the
// problem, kinetic and potential energy, islands, solved, warm, not met, bytes, dimension, step,
// mean mass of dynamic bodies, size of gravity
PAGE_EXPORT(page_state) const double* page_state(Page* page) {
  double* out = page_room(page, PAGE_STATE);
  if (!out)
    return NULL;
  const rgWorld* world = page->world;
  const rgCertificate* certificate = rg_world_certificate(world);
  rgEnergy energy = rg_world_energy(world);
  rgStepCounts counts = rg_world_counts(world);
  double mass = 0;
  int dynamic = 0;
  for (int i = 0; i < world->body_slots; ++i)
    if (world->bodies[i].alive && world->bodies[i].kind == RG_BODY_DYNAMIC) {
      mass += world->bodies[i].mass;
      ++dynamic;
    }
  const double values[PAGE_STATE] = {rg_world_time(world),
                                     (double)rg_world_steps(world),
                                     certificate->residual,
                                     certificate->tolerance,
                                     certificate->met,
                                     certificate->penetration,
                                     certificate->energy,
                                     certificate->iterations,
                                     certificate->contacts,
                                     energy.kinetic,
                                     energy.potential,
                                     counts.islands,
                                     counts.solved,
                                     counts.warm,
                                     counts.not_met,
                                     (double)counts.memory,
                                     world->dimension,
                                     world->options.step,
                                     mass / (dynamic ? dynamic : 1),
                                     v3_norm(world->options.gravity)};
  for (int i = 0; i < PAGE_STATE; ++i)
    out[i] = values[i];
  return out;
}

PAGE_EXPORT(page_body_count) int page_body_count(const Page* page) {
  return page->world->body_slots;
}

PAGE_EXPORT(page_body_name) const char* page_body_name(const Page* page, int body) {
  return page->world->body_records[body].name;
}

// Pose, kind and island (-1 none) of every body by its index; the kind is -1 where there is none.
PAGE_EXPORT(page_bodies) const double* page_bodies(Page* page) {
  const rgWorld* world = page->world;
  double* out = page_room(page, world->body_slots * PAGE_BODY);
  if (!out)
    return NULL;
  for (int i = 0; i < world->body_slots; ++i) {
    const rgBody* body = &world->bodies[i];
    double* next = page_put_pose(out + body->index * PAGE_BODY, rg_body_frame(body));
    next[0] = body->alive ? (double)body->kind : -1;
    next[1] = -1;
  }
  const rgProblemSet* set = &world->velocity;
  for (int k = 0; k < set->island_count; ++k)
    for (int i = 0; i < set->islands[k].body_count; ++i) {
      int slot = set->body_order[set->islands[k].body_start + i];
      if (slot >= 0 && slot < world->body_slots)
        out[world->bodies[slot].index * PAGE_BODY + 8] = k;
    }
  return out;
}

PAGE_EXPORT(page_contact_count) int page_contact_count(const Page* page) {
  return rg_world_contact_count(page->world);
}

// Point, normal (towards A), gap, impulse on A, mu, indices of A and B.
PAGE_EXPORT(page_contacts) const double* page_contacts(Page* page) {
  int count = rg_world_contact_count(page->world);
  double* out = page_room(page, count * PAGE_CONTACT);
  for (int i = 0; out && i < count; ++i) {
    rgContact contact;
    if (!page_note(page, rg_world_contact(page->world, i, &contact)))
      return NULL;
    double* next = page_put(out + i * PAGE_CONTACT, contact.point);
    next = page_put(next, contact.normal);
    *next++ = contact.gap;
    next = page_put(next, contact.impulse);
    next[0] = rg_world_law(page->world, &page->world->contacts[i])->material.mu;
    next[1] = contact.body_a.index;
    next[2] = contact.body_b.index;
  }
  return out;
}

PAGE_EXPORT(page_joint_count) int page_joint_count(const Page* page) {
  return rg_world_joint_count(page->world);
}

// Kind, frame on A, origin of the frame on B, error, size of the reaction, indices of A and B (-1
// the ground).
PAGE_EXPORT(page_joints) const double* page_joints(Page* page) {
  int count = rg_world_joint_count(page->world);
  double* out = page_room(page, count * PAGE_JOINT);
  for (int i = 0; out && i < count; ++i) {
    rgJointState joint;
    if (!page_note(page, rg_joint_state(page->world, rg_world_joint(page->world, i), &joint)))
      return NULL;
    double* next = out + i * PAGE_JOINT;
    *next++ = joint.kind;
    next = page_put_pose(next, joint.frame_a);
    next = page_put(next, joint.frame_b.position);
    next[0] = joint.error;
    next[1] = v3_norm(joint.reaction.force);
    next[2] = joint.body_a.generation ? joint.body_a.index : -1.0;
    next[3] = joint.body_b.generation ? joint.body_b.index : -1.0;
  }
  return out;
}

PAGE_EXPORT(page_force_count) int page_force_count(const Page* page) {
  return page->world->force_slots;
}

// Kind, the point on the body and that on the other of a spring, the place of an attractor (twice),
// its strength; the kind is -1 where there is nothing to draw.
PAGE_EXPORT(page_forces) const double* page_forces(Page* page) {
  const rgWorld* world = page->world;
  double* out = page_room(page, world->force_slots * PAGE_FORCE);
  for (int i = 0; out && i < world->force_slots; ++i) {
    const rgForce* force = &world->forces[i];
    const rgForceDef* def = &force->def;
    rgForceView view = {0};
    rgVec3 from = v3_zero(), to = v3_zero();
    bool drawn = force->alive;
    if (drawn && def->kind == RG_FORCE_SPRING) {
      view = rg_force_view(world, force, 0);
      from = pose_apply(view.a.frame, def->point);
      to = pose_apply(view.b.frame, def->other_point);
    } else if (drawn && def->kind == RG_FORCE_ATTRACTOR) {
      from = to = rg_attractor_center(def, rg_world_time(world));
    } else {
      drawn = false;
    }
    double* next = out + i * PAGE_FORCE;
    *next++ = drawn ? (double)def->kind : -1;
    page_put(page_put(next, from), to)[0] = def->strength;
  }
  return out;
}
