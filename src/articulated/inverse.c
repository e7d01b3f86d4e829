// inverse.c - inverse dynamics: the trees of a world, and what joints must do for a given movement.
//
// At an instant a body of mass m and inertia I (world axes) with the acceleration (a, alpha) needs
//
//     w = (m (a - g) - F, I alpha + omega x I omega - T)
//
// from its joints, F and T being what else acts on it (Cline 2002, right side of eq. 5.3). Between the
// ends of a step of the stepper theta it needs the change of its momenta,
//
//     w = (m (v+ - v) / h - m g - F, (L+ - L) / h - T),
//
// exactly, because that is the equation of the step (free_motion.c); and its joints act with the rows
// of the mean placement of start and end, as in the step (fill/joint.c). The multipliers of the free
// axes are then those that the step used, to rounding. Rows of an instant in place of the mean would
// be off by O(h).
//
// Differences from the thesis: the axes of J and H are those of this library's joints instead of
// those of the frames of A and B, which span the same rows (eq. 5.4); trees are solved from the leaves
// (inverse_tree.c) unless the full system is asked for (inverse_full.c).
#include "articulated/inverse.h"

#include "base/message.h"

#include <string.h>

static const char* const form_names[] = {"tree", "full"};

const char* rg_inverse_form_name(rgInverseForm form) {
  return (int)form >= 0 && form < RG_INVERSE_FORM_COUNT ? form_names[form] : NULL;
}

// -------------------------------------------------------------------------------------------------
// Trees
// -------------------------------------------------------------------------------------------------

static int link_at(const rgInverse* inverse, int slot) {
  return slot < 0 ? -1 : inverse->link_of[slot];
}

static bool is_dynamic(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].alive && world->bodies[slot].kind == RG_BODY_DYNAMIC;
}

static void add_link(rgInverse* inverse, int slot, int parent, int joint, int side) {
  inverse->link_of[slot] = inverse->link_count;
  inverse->links[inverse->link_count++] = (rgInverseLink){
      .slot = slot, .parent = parent, .joint = joint, .side = side, .tree = inverse->tree_count};
}

// Rows of a kind that carry a multiplier: errors, and axes that take forces. The swing of a ball joint
// depends on its turns and is none.
static bool has_multiplier(const rgJointAxisInfo* axis) {
  return (axis->takes & RG_JOINT_FORCES) != 0;
}

static int multiplier_count(const rgJointInfo* info) {
  int count = info->fixed_count;
  for (int i = 0; i < info->axis_count; i++)
    count += has_multiplier(&info->axes[i]);
  return count;
}

// Follows the joints of link after link. `used` marks joints that lead to a parent.
static void grow(rgInverse* inverse, int from, bool* used) {
  const rgWorld* world = inverse->world;
  for (int i = from; i < inverse->link_count; i++) {
    int slot = inverse->links[i].slot;
    const rgBodyRecord* record = &world->ids.body_records[world->bodies[slot].index];
    for (int k = record->first_joint; k >= 0; k = world->books.joint_links.items[k].next) {
      const rgJoint* joint = &world->joints[k / 2];
      int side = k % 2, other = side ? joint->body_a : joint->body_b;
      if (used[k / 2] || !is_dynamic(world, other))
        continue;
      if (link_at(inverse, other) >= 0)
        continue; // closes a loop
      used[k / 2] = true;
      add_link(inverse, other, i, k / 2, !side);
    }
  }
}

// Trees that are held come first, each from the first joint that holds it; then those that nothing
// holds, from their body of the lowest index.
static void find_links(rgInverse* inverse, bool* used) {
  const rgWorld* world = inverse->world;
  for (int j = 0; j < world->joint_slots; j++) {
    const rgJoint* joint = &world->joints[j];
    bool a = joint->alive && is_dynamic(world, joint->body_a),
         b = joint->alive && is_dynamic(world, joint->body_b);
    int slot = a ? joint->body_a : joint->body_b, first = inverse->link_count;
    if (a == b || link_at(inverse, slot) >= 0)
      continue;
    used[j] = true;
    add_link(inverse, slot, -1, j, b);
    grow(inverse, first, used);
    inverse->tree_count++;
  }
  for (int i = 0; i < world->body_count; i++) {
    int slot = rg_slot_of(world, rg_world_body_slot(world, rg_world_body(world, i)));
    int first = inverse->link_count;
    if (!is_dynamic(world, slot) || link_at(inverse, slot) >= 0)
      continue;
    add_link(inverse, slot, -1, -1, 0);
    grow(inverse, first, used);
    inverse->tree_count++;
  }
}

static rgStatus find_trees(rgInverse* inverse) {
  rgWorld* world = inverse->world;
  size_t size = (size_t)world->joint_slots + 1;
  bool* used = rg_allocate(&world->allocator, size);
  if (!used)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for the trees of joints");
  for (int i = 0; i < world->body_slots; i++)
    inverse->link_of[i] = -1;
  find_links(inverse, used);
  inverse->loop = -1;
  for (int j = 0; j < world->joint_slots && inverse->loop < 0; j++) {
    const rgJoint* joint = &world->joints[j];
    if (joint->alive && (!used[j] || multiplier_count(joint->info) != 6))
      inverse->loop = j;
  }
  rg_release(&world->allocator, used, size);
  if (inverse->loop < 0 || inverse->form == RG_INVERSE_FULL)
    return RG_OK;
  const rgJoint* joint = &world->joints[inverse->loop];
  return rg_world_fail(world, RG_ERROR_UNSUPPORTED,
                       multiplier_count(joint->info) != 6
                           ? "the %s joint%s%s in slot %d does not hold six directions, as a tree "
                             "needs; use the form full"
                           : "the %s joint%s%s in slot %d closes a loop, the form tree takes trees "
                             "only; use the form full",
                       joint->info->name, joint->name[0] ? " " : "", joint->name, inverse->loop);
}

static bool reserve(rgInverse* inverse) {
  rgWorld* world = inverse->world;
  int bodies = world->body_slots + 1, joints = world->joint_slots + 1;
  return RG_SET_RESERVE(world, inverse, links, bodies) &&
         RG_SET_RESERVE(world, inverse, link_of, bodies) &&
         RG_SET_RESERVE(world, inverse, needed, bodies) &&
         RG_SET_RESERVE(world, inverse, joints, joints) &&
         RG_SET_RESERVE(world, inverse, multipliers, RG_INVERSE_ROW_MAX * joints);
}

rgStatus rg_inverse_create(rgWorld* world, rgInverseForm form, rgInverse** out) {
  *out = NULL;
  if (!rg_inverse_form_name(form))
    return rg_world_fail(world, RG_ERROR_INPUT, "the form is %d, must be 0 (tree) or 1 (full)",
                         (int)form);
  rgInverse* inverse = rg_allocate(&world->allocator, sizeof *inverse);
  if (!inverse)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for inverse dynamics");
  *inverse = (rgInverse){.world = world,
                         .form = form,
                         .body_count = world->body_count,
                         .joint_count = world->joint_count,
                         .generation = world->ids.next_generation};
  rgStatus status = reserve(inverse) ? find_trees(inverse)
                                     : rg_world_fail(world, RG_ERROR_MEMORY,
                                                     "not enough memory for inverse dynamics");
  if (status == RG_OK)
    *out = inverse;
  else
    rg_inverse_destroy(inverse);
  return status;
}

#define RELEASE(name)                                                                              \
  rg_release(allocator, inverse->name, (size_t)inverse->name##_capacity * sizeof *inverse->name)

void rg_inverse_destroy(rgInverse* inverse) {
  if (!inverse)
    return;
  const rgAllocator* allocator = &inverse->world->allocator;
  RELEASE(links);
  RELEASE(link_of);
  RELEASE(joints);
  RELEASE(multipliers);
  RELEASE(needed);
  RELEASE(dense);
  rg_release(allocator, inverse, sizeof *inverse);
}

// -------------------------------------------------------------------------------------------------
// What bodies need
// -------------------------------------------------------------------------------------------------

static rgPose center_pose(const rgBody* body, rgPose frame) {
  return (rgPose){pose_apply(frame, body->center), frame.orientation};
}

// I x in world axes at an orientation.
static rgVec3 apply_inertia(const rgBody* body, rgQuat orientation, rgVec3 x) {
  rgQuat axes = quat_mul(orientation, body->principal_axes);
  return quat_rotate_exactly(axes, v3_mul(body->principal, quat_unrotate_exactly(axes, x)));
}

static rgWrench needed_at(const rgWorld* world, const rgBody* body, const rgBodyMotion* m) {
  rgQuat q = m->pose.orientation;
  rgVec3 w = m->velocity.angular, force = v3_sub(m->acceleration.linear, world->options.gravity);
  rgVec3 torque = v3_add(apply_inertia(body, q, m->acceleration.angular),
                         v3_cross(w, apply_inertia(body, q, w)));
  return (rgWrench){v3_scale(force, body->mass), torque};
}

static rgWrench needed_between(const rgWorld* world, const rgBody* body, const rgBodyMotion* start,
                               const rgBodyMotion* end, double h) {
  rgVec3 change = v3_scale(v3_sub(end->velocity.linear, start->velocity.linear), 1 / h);
  rgVec3 momentum = apply_inertia(body, start->pose.orientation, start->velocity.angular);
  rgVec3 reached = apply_inertia(body, end->pose.orientation, end->velocity.angular);
  return (rgWrench){v3_scale(v3_sub(change, world->options.gravity), body->mass),
                    v3_scale(v3_sub(reached, momentum), 1 / h)};
}

// The index of a body in the lists that users see is the rank of its slot's index.
static int order_of(const rgInverse* inverse, int slot) {
  const rgWorld* world = inverse->world;
  return rg_slots_rank(&world->books.bodies, world->bodies[slot].index);
}

static rgPose pose_of(const rgInverse* inverse, int slot, const rgBodyMotion* motion) {
  if (slot < 0)
    return pose_identity();
  return center_pose(&inverse->world->bodies[slot], motion[order_of(inverse, slot)].pose);
}

static rgJointPlace place_at(const rgInverse* inverse, const rgJoint* joint,
                             const rgBodyMotion* motion) {
  return rg_world_joint_place(inverse->world, joint, pose_of(inverse, joint->body_a, motion),
                              pose_of(inverse, joint->body_b, motion));
}

// Rows of all joints, at the mean of two placements where `end` is given.
static void make_rows(rgInverse* inverse, const rgBodyMotion* start, const rgBodyMotion* end) {
  const rgWorld* world = inverse->world;
  for (int j = 0; j < world->joint_slots; j++) {
    const rgJoint* joint = &world->joints[j];
    rgInverseRows* out = &inverse->joints[j];
    out->count = 0;
    if (!joint->alive)
      continue;
    rgJointPlace place = place_at(inverse, joint, start);
    if (end) {
      rgJointPlace last = place_at(inverse, joint, end);
      rg_joint_mean_place(joint->info, &place, false, &last);
      place = last;
    }
    rgJointRow axes[RG_JOINT_AXIS_MAX];
    joint->info->rows(&place, joint->def.parameters, out->rows, axes);
    for (; out->count < joint->info->fixed_count; out->count++)
      out->axis[out->count] = -1;
    for (int i = 0; i < joint->info->axis_count; i++) {
      if (!has_multiplier(&joint->info->axes[i]))
        continue;
      out->rows[out->count] = axes[i];
      out->axis[out->count++] = i;
    }
    out->arm_b = place.arm_b;
  }
}

// -------------------------------------------------------------------------------------------------
// Solving
// -------------------------------------------------------------------------------------------------

static rgStatus check(rgInverse* inverse) {
  rgWorld* world = inverse->world;
  if (inverse->body_count != world->body_count || inverse->joint_count != world->joint_count ||
      inverse->generation != world->ids.next_generation)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "bodies or joints were added or removed after rg_inverse_create");
  return RG_OK;
}

static void take_joints(const rgInverse* inverse, rgInverseJoint* joints) {
  const rgWorld* world = inverse->world;
  for (int i = 0, j = 0; j < world->joint_slots; j++) {
    if (!world->joints[j].alive)
      continue;
    const rgInverseRows* rows = &inverse->joints[j];
    rgInverseJoint* out = &joints[i++];
    memset(out, 0, sizeof *out);
    for (int k = 0; k < rows->count; k++) {
      double x = inverse->multipliers[RG_INVERSE_ROW_MAX * j + k];
      rg_inverse_add_row(&out->reaction, rows->rows[k].g_b, x);
      if (rows->axis[k] >= 0)
        out->force[rows->axis[k]] = x;
    }
    // The moment about the centre of B becomes the one about the joint.
    out->reaction.torque = v3_sub(out->reaction.torque, v3_cross(rows->arm_b, out->reaction.force));
  }
}

static rgStatus run(rgInverse* inverse, double h, const rgBodyMotion* start,
                    const rgBodyMotion* end, const rgWrench* applied, rgInverseJoint* joints,
                    rgWrench* missing) {
  const rgWorld* world = inverse->world;
  make_rows(inverse, start, end);
  for (int i = 0; i < inverse->link_count; i++) {
    int slot = inverse->links[i].slot, order = order_of(inverse, slot);
    const rgBody* body = &world->bodies[slot];
    rgWrench w = end ? needed_between(world, body, &start[order], &end[order], h)
                     : needed_at(world, body, &start[order]);
    if (applied) {
      w.force = v3_sub(w.force, applied[order].force);
      w.torque = v3_sub(w.torque, applied[order].torque);
    }
    inverse->needed[i] = w;
  }
  rgStatus status = inverse->form == RG_INVERSE_FULL ? rg_inverse_solve_full(inverse)
                                                     : rg_inverse_solve_tree(inverse);
  if (status != RG_OK)
    return status;
  take_joints(inverse, joints);
  if (!missing)
    return RG_OK;
  memset(missing, 0, (size_t)world->body_count * sizeof *missing);
  for (int i = 0; i < inverse->link_count; i++)
    missing[order_of(inverse, inverse->links[i].slot)] = inverse->needed[i];
  return RG_OK;
}

rgStatus rg_inverse_motion(rgInverse* inverse, const rgBodyMotion* motion, const rgWrench* applied,
                           rgInverseJoint* joints, rgWrench* missing) {
  rgStatus status = check(inverse);
  return status == RG_OK ? run(inverse, 0, motion, NULL, applied, joints, missing) : status;
}

rgStatus rg_inverse_step(rgInverse* inverse, double h, const rgBodyMotion* start,
                         const rgBodyMotion* end, const rgWrench* applied, rgInverseJoint* joints,
                         rgWrench* missing) {
  if (!(h > 0 && isfinite(h)))
    return rg_world_fail(inverse->world, RG_ERROR_INPUT, "h is %g, must be > 0", h);
  rgStatus status = check(inverse);
  return status == RG_OK ? run(inverse, h, start, end, applied, joints, missing) : status;
}
