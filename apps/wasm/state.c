// state.c - what a frame of the page shows: bodies, contacts, joints, certificate.
#include "wasm/page.h"

#include "cli/text/text.h"

#include <stdio.h>
#include <string.h>

static double mean_mass(const rgWorld* world) {
  double mass = 0;
  int dynamic = 0;
  for (int i = 0; i < rg_world_body_count(world); ++i) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    mass += rg_body_mass(world, id).mass;
    ++dynamic;
  }
  return mass / (dynamic ? dynamic : 1);
}

// One PageState, and the fields of the last step's certificate after it.
PAGE_EXPORT(page_state) const double* page_state(Page* page) {
  int fields = 0;
  while (rg_certificate_field(fields))
    ++fields;
  double* out = page_room(page, (int)(sizeof(PageState) / sizeof(double)) + fields);
  if (!out)
    return NULL;
  const rgWorld* world = page->world;
  rgEnergy energy = rg_world_energy(world);
  PageState state = {
      .time = rg_world_time(world),
      .steps = (double)rg_world_steps(world),
      .kinetic = energy.kinetic,
      .potential = energy.potential,
      .islands = rg_world_counts(world).islands,
      .dimension = rg_world_dimension(world),
      .step = rg_world_options(world)->step,
      .meanMass = mean_mass(world),
      .gravity = rg_vec3_norm(rg_world_options(world)->gravity),
  };
  memcpy(out, &state, sizeof state);
  for (int i = 0; i < fields; ++i)
    out[sizeof state / sizeof *out + (size_t)i] =
        rg_certificate_value(rg_world_certificate(world), rg_certificate_field(i));
  return out;
}

// The stages of the last step that missed what was asked, in words; empty when there are none.
PAGE_EXPORT(page_missed) const char* page_missed(Page* page) {
  size_t used = 0, size = sizeof page->text;
  page->text[0] = '\0';
  for (int i = 0; i < RG_STAGE_COUNT && used < size; ++i) {
    const rgStageReport* stage = &rg_world_certificate(page->world)->stages[i];
    if (stage->missed == 0)
      continue;
    char reached[64], asked[64];
    cli_measure_text(stage->reached, rg_stage_info(i)->unit, reached, sizeof reached);
    cli_measure_text(stage->asked, rg_stage_info(i)->unit, asked, sizeof asked);
    used += (size_t)snprintf(page->text + used, size - used, "%sthe step %s, %s (asked %s)",
                             used ? "; " : "", rg_stage_info(i)->missed, reached, asked);
  }
  return page->text;
}

// --- bodies ------------------------------------------------------------------------------------

// One more than the largest index of a living body.
PAGE_EXPORT(page_body_count) int page_body_count(const Page* page) {
  int count = rg_world_body_count(page->world);
  return count > 0 ? (int)rg_world_body(page->world, count - 1).index + 1 : 0;
}

PAGE_EXPORT(page_body_name) const char* page_body_name(const Page* page, int body) {
  return rg_body_name(page->world, page_body(page, body));
}

static void put_body(const rgWorld* world, rgBodyId id, int island, PageBody* out) {
  rgPose pose = rg_body_pose(world, id);
  page_put(out->position, pose.position);
  page_put_turn(out->orientation, pose.orientation);
  out->kind = rg_body_kind(world, id);
  out->island = island;
}

// Every body by its index.
PAGE_EXPORT(page_bodies) const double* page_bodies(Page* page) {
  const rgWorld* world = page->world;
  int count = page_body_count(page), living = rg_world_body_count(world);
  // The islands, as ints, have their place behind the records.
  int size = count * (int)(sizeof(PageBody) / sizeof(double));
  double* out = page_room(page, size + living);
  if (!out)
    return NULL;
  PageBody* bodies = (PageBody*)(void*)out;
  int* islands = (int*)(void*)(out + size);
  rg_world_body_islands(world, islands, living);
  for (int i = 0; i < count; ++i)
    bodies[i] = (PageBody){.orientation = {1, 0, 0, 0}, .kind = -1, .island = -1};
  for (int i = 0; i < living; ++i) {
    rgBodyId id = rg_world_body(world, i);
    put_body(world, id, islands[i], &bodies[id.index]);
  }
  return out;
}

// --- what acts between them --------------------------------------------------------------------

PAGE_EXPORT(page_contact_count) int page_contact_count(const Page* page) {
  return rg_world_contact_count(page->world);
}

PAGE_EXPORT(page_contacts) const double* page_contacts(Page* page) {
  int count = rg_world_contact_count(page->world);
  double* out = page_room(page, count * (int)(sizeof(PageContact) / sizeof(double)));
  PageContact* to = (PageContact*)(void*)out;
  for (int i = 0; out && i < count; ++i, ++to) {
    rgContact contact;
    rgMaterial law = {0};
    if (!page_note(page, rg_world_contact(page->world, i, &contact)))
      return NULL;
    rg_world_pair_material(page->world, contact.material_a, contact.material_b, &law);
    page_put(to->point, contact.point);
    page_put(to->normal, contact.normal);
    page_put(to->impulse, contact.impulse);
    to->gap = contact.gap;
    to->mu = law.mu;
    to->bodyA = contact.body_a.index;
    to->bodyB = contact.body_b.index;
  }
  return out;
}

PAGE_EXPORT(page_joint_count) int page_joint_count(const Page* page) {
  return rg_world_joint_count(page->world);
}

// What is along the free axes of a joint.
static void put_axes(const rgJointState* joint, PageJoint* to) {
  _Static_assert(RG_JOINT_AXIS_MAX == sizeof to->coordinate / sizeof(double), "all axes fit");
  to->axes = joint->axis_count;
  for (int i = 0; i < RG_JOINT_AXIS_MAX; ++i) {
    bool there = i < joint->axis_count;
    to->angle[i] = there && rg_joint_axis_is_angle(joint->kind, i);
    to->coordinate[i] = there ? joint->coordinate[i] : 0;
    to->rate[i] = there ? joint->rate[i] : 0;
    to->along[i] = there ? joint->force[i] : 0;
  }
}

PAGE_EXPORT(page_joints) const double* page_joints(Page* page) {
  int count = rg_world_joint_count(page->world);
  double* out = page_room(page, count * (int)(sizeof(PageJoint) / sizeof(double)));
  PageJoint* to = (PageJoint*)(void*)out;
  for (int i = 0; out && i < count; ++i, ++to) {
    rgJointState joint;
    if (!page_note(page, rg_joint_state(page->world, rg_world_joint(page->world, i), &joint)))
      return NULL;
    to->kind = joint.kind;
    page_put(to->position, joint.frame_a.position);
    page_put_turn(to->orientation, joint.frame_a.orientation);
    page_put(to->other, joint.frame_b.position);
    to->error = joint.error;
    to->force = rg_vec3_norm(joint.reaction.force);
    to->bodyA = joint.body_a.generation ? joint.body_a.index : -1.0;
    to->bodyB = joint.body_b.generation ? joint.body_b.index : -1.0;
    to->torque = rg_vec3_norm(joint.reaction.torque);
    put_axes(&joint, to);
  }
  return out;
}

PAGE_EXPORT(page_force_count) int page_force_count(const Page* page) {
  return rg_world_forces(page->world, NULL, 0);
}

// The ids of the forces have their place behind the records.
PAGE_EXPORT(page_forces) const double* page_forces(Page* page) {
  int count = page_force_count(page), size = count * (int)(sizeof(PageForce) / sizeof(double));
  _Static_assert(sizeof(rgForceId) <= sizeof(double), "an id fits into a number");
  double* out = page_room(page, size + count);
  if (!out)
    return NULL;
  PageForce* to = (PageForce*)(void*)out;
  rgForceId* ids = (rgForceId*)(void*)(out + size);
  rg_world_forces(page->world, ids, count);
  for (int i = 0; i < count; ++i, ++to) {
    rgForceState force;
    rg_force_state(page->world, ids[i], &force);
    bool drawn = force.kind == RG_FORCE_SPRING || force.kind == RG_FORCE_ATTRACTOR;
    *to = (PageForce){.kind = drawn ? (double)force.kind : -1, .strength = force.strength};
    page_put(to->from, force.from);
    page_put(to->to, force.to);
  }
  return out;
}
