// plane.c - what a world of dimension 2 takes, and what it leaves out.
//
// Bodies keep the state of space: the part outside the plane is zero and stays zero to the bit,
// since products with zeros are zero. A flat body has its moment about z on all three axes: it is
// isotropic, so that nothing in the step treats it differently, and never turns about x and y,
// because no moment about them is let in.
#include "base/message.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

rgStatus rg_plane_vector(const rgWorld* world, rgVec3 v, const char* what, rgMessage* message) {
  if (world->dimension == 3 || v.z == 0)
    return RG_OK;
  return rg_fail(message, RG_ERROR_INPUT, "%s has z = %.9g, must be 0 in a 2D world", what, v.z);
}

rgStatus rg_plane_turn(const rgWorld* world, rgVec3 v, const char* what, rgMessage* message) {
  if (world->dimension == 3 || (v.x == 0 && v.y == 0))
    return RG_OK;
  return rg_fail(message, RG_ERROR_INPUT, "%s is (%.9g, %.9g, %.9g), must be along z in a 2D world",
                 what, v.x, v.y, v.z);
}

rgStatus rg_plane_pose(const rgWorld* world, rgPose pose, rgMessage* message) {
  rgStatus status = rg_plane_vector(world, pose.position, "position", message);
  rgQuat q = pose.orientation;
  return status == RG_OK
             ? rg_plane_turn(world, v3(q.x, q.y, q.z), "the axis of orientation", message)
             : status;
}

rgStatus rg_plane_twist(const rgWorld* world, rgTwist twist, rgMessage* message) {
  rgStatus status = rg_plane_vector(world, twist.linear, "linear velocity", message);
  return status == RG_OK ? rg_plane_turn(world, twist.angular, "angular velocity", message)
                         : status;
}

static rgStatus check_wrench(const rgWorld* world, rgWrench wrench, rgMessage* message) {
  rgStatus status = rg_plane_vector(world, wrench.force, "force", message);
  return status == RG_OK ? rg_plane_turn(world, wrench.torque, "torque", message) : status;
}

rgStatus rg_plane_force(const rgWorld* world, const rgForceDef* def, rgMessage* message) {
  rgStatus status = rg_plane_vector(world, def->point, "point", message);
  if (status == RG_OK)
    status = rg_plane_vector(world, def->other_point, "other_point", message);
  if (status == RG_OK)
    status = rg_plane_vector(world, def->center, "center", message);
  if (status == RG_OK)
    status = check_wrench(world, def->wrench, message);
  for (int i = 0; def->kind == RG_FORCE_TABLE && i < def->row_count && status == RG_OK; i++)
    status = check_wrench(world, def->wrenches[i], message);
  for (int i = 0; def->path && i < def->row_count && status == RG_OK; i++)
    status = rg_plane_vector(world, def->path[i], "a point of path", message);
  return status;
}

rgStatus rg_plane_shape(const rgWorld* world, const rgShapeDef* def, rgMessage* message) {
  if (!rg_shape_kind_fits(def->kind, world->dimension))
    return rg_fail(message, RG_ERROR_INPUT, "a %s needs a %s world, this one has dimension %d",
                   rg_shape_kind_name(def->kind), world->dimension == 2 ? "3D" : "2D",
                   world->dimension);
  return rg_plane_pose(world, def->pose, message);
}

// Directions come from quaternions: this much off is rounding.
static const double DIRECTION_ROUNDING = 1e-9;

static rgStatus refuse_joint(const char* name, rgMessage* message) {
  const char* known[RG_JOINT_KIND_COUNT];
  int count = 0;
  for (int i = 0; i < RG_JOINT_KIND_COUNT; i++) {
    const rgJointInfo* info = rg_joint_info((rgJointKind)i);
    if (info->plane != RG_JOINT_SPACE_ONLY)
      known[count++] = info->name;
  }
  char list[200] = "";
  for (int i = 0; i < count; i++) {
    size_t used = strlen(list);
    const char* before = i == 0 ? "" : i == count - 1 ? " and " : ", ";
    snprintf(list + used, sizeof list - used, "%s%s", before, known[i]);
  }
  return rg_fail(message, RG_ERROR_INPUT, "a %s joint is for 3D worlds; a 2D world takes %s", name,
                 list);
}

rgStatus rg_plane_joint(const rgWorld* world, const rgJoint* joint, rgMessage* message) {
  if (world->dimension == 3)
    return RG_OK;
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  rgVec3 x = place.a[0];
  const char* name = joint->info->name;
  switch (joint->info->plane) {
  case RG_JOINT_SPACE_ONLY:
    return refuse_joint(name, message);
  case RG_JOINT_PLANE_ACROSS:
    if (fabs(x.x) > DIRECTION_ROUNDING || fabs(x.y) > DIRECTION_ROUNDING)
      return rg_fail(message, RG_ERROR_INPUT,
                     "axis of a %s is (%.9g, %.9g, %.9g), must be along z in a 2D world", name, x.x,
                     x.y, x.z);
    break;
  case RG_JOINT_PLANE_WITHIN:
    if (fabs(x.z) > DIRECTION_ROUNDING)
      return rg_fail(message, RG_ERROR_INPUT,
                     "axis of a %s is (%.9g, %.9g, %.9g), must have z = 0 in a 2D world", name, x.x,
                     x.y, x.z);
    break;
  case RG_JOINT_PLANE_ANY:
    break;
  }
  if (place.arm_a.z != 0 || place.arm_b.z != 0 || place.between.z != 0)
    return rg_fail(message, RG_ERROR_INPUT, "a point of the %s joint has z != 0 in a 2D world",
                   name);
  return RG_OK;
}

bool rg_plane_row(const rgJointRow* row) {
  double in = 0, out = 0;
  const rgTwist* sides[2] = {&row->g_a, &row->g_b};
  for (int i = 0; i < 2; i++) {
    rgVec3 l = sides[i]->linear, a = sides[i]->angular;
    in += l.x * l.x + l.y * l.y + a.z * a.z;
    out += l.z * l.z + a.x * a.x + a.y * a.y;
  }
  return in > DIRECTION_ROUNDING * DIRECTION_ROUNDING * out;
}

static void flatten_row(rgJointRow* row) {
  row->g_a.linear.z = row->g_a.angular.x = row->g_a.angular.y = 0;
  row->g_b.linear.z = row->g_b.angular.x = row->g_b.angular.y = 0;
}

void rg_plane_flatten_rows(const rgWorld* world, const rgJoint* joint, rgJointRow* fixed,
                           rgJointRow* axes) {
  if (world->dimension == 3)
    return;
  for (int i = 0; fixed && i < joint->info->fixed_count; i++)
    flatten_row(&fixed[i]);
  for (int i = 0; axes && i < joint->info->axis_count; i++)
    flatten_row(&axes[i]);
}

rgWrench rg_plane_wrench(const rgWorld* world, rgWrench wrench) {
  if (world->dimension == 2) {
    wrench.force.z = 0;
    wrench.torque.x = wrench.torque.y = 0;
  }
  return wrench;
}

rgPose rg_plane_flatten(const rgWorld* world, rgPose pose) {
  if (world->dimension == 2) {
    pose.position.z = 0;
    pose.orientation = quat_unit((rgQuat){pose.orientation.w, 0, 0, pose.orientation.z});
  }
  return pose;
}

rgTwist rg_plane_flatten_twist(const rgWorld* world, rgTwist twist) {
  if (world->dimension == 2) {
    twist.linear.z = 0;
    twist.angular.x = twist.angular.y = 0;
  }
  return twist;
}

void rg_plane_mass(const rgWorld* world, rgMassProperties* mass) {
  if (world->dimension == 3)
    return;
  double moment = mass->inertia.m[2][2];
  mass->center.z = 0;
  mass->inertia = m3_diag(moment, moment, moment);
}
