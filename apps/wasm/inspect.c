// inspect.c - what the page tells of one body, and of the spring that drags one.
#include "wasm/page.h"

#include <stdio.h>

// Of every body by its index.
PAGE_EXPORT(page_masses) const double* page_masses(Page* page) {
  int count = page_body_count(page);
  double* out = page_room(page, count * (int)(sizeof(PageMass) / sizeof(double)));
  PageMass* to = (PageMass*)(void*)out;
  for (int i = 0; out && i < count; ++i, ++to) {
    rgBodyId id = page_body(page, i);
    *to = (PageMass){0};
    if (!id.generation || rg_body_kind(page->world, id) != RG_BODY_DYNAMIC)
      continue;
    rgMassProperties mass = rg_body_mass(page->world, id);
    to->mass = mass.mass;
    page_put(to->center, mass.center);
  }
  return out;
}

// One PageInspect; zeros when there is no such body.
PAGE_EXPORT(page_inspect) const double* page_inspect(Page* page, int body) {
  double* out = page_room(page, (int)(sizeof(PageInspect) / sizeof(double)));
  if (!out)
    return NULL;
  PageInspect* to = (PageInspect*)(void*)out;
  *to = (PageInspect){0};
  rgBodyId id = page_body(page, body);
  if (!id.generation)
    return out;
  rgTwist velocity = rg_body_velocity(page->world, id);
  to->mass =
      rg_body_kind(page->world, id) == RG_BODY_DYNAMIC ? rg_body_mass(page->world, id).mass : 0;
  page_put(to->velocity, velocity.linear);
  page_put(to->spin, velocity.angular);
  page_put(to->contactForce, rg_body_contact_force(page->world, id, (rgBodyId){0, 0}).force);
  return out;
}

// The kind of a joint and its name, if it has one: "hinge shoulder".
PAGE_EXPORT(page_joint_name) const char* page_joint_name(Page* page, int joint) {
  rgJointId id = rg_world_joint(page->world, joint);
  rgJointState state;
  if (!page_note(page, rg_joint_state(page->world, id, &state)))
    return NULL;
  snprintf(page->text, sizeof page->text, "%s %s", rg_joint_kind_name(state.kind),
           rg_joint_name(page->world, id));
  return page->text;
}

// The force of the spring that drags a body [N], at the end of the last step; 0 when none does. The
// spring is as long as it is stretched, and resists the velocity of its end on the body.
PAGE_EXPORT(page_grip) double page_grip(const Page* page) {
  const rgForceDef* grip = &page->grip;
  if (!page->spring.generation)
    return 0;
  rgPose pose = rg_body_pose(page->world, grip->body);
  rgTwist velocity = rg_body_velocity(page->world, grip->body);
  rgVec3 point = rg_pose_apply(pose, grip->point);
  rgVec3 arm =
      rg_vec3_sub(point, rg_pose_apply(pose, rg_body_mass(page->world, grip->body).center));
  rgVec3 moves = rg_vec3_add(velocity.linear, rg_vec3_cross(velocity.angular, arm));
  rgVec3 along = rg_vec3_sub(grip->other_point, point);
  double length = rg_vec3_norm(along);
  double rate = length > 0 ? -rg_vec3_dot(moves, along) / length : 0; // of the length
  double force = grip->stiffness * length + grip->damping * rate;
  return force < 0 ? -force : force;
}
