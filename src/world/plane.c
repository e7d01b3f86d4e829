// plane.c - what a world of dimension 2 takes, and what it leaves out.
//
// Bodies keep the state of space: the part outside the plane is zero and stays zero to the bit,
// since products with zeros are zero. A flat body has its moment about z on all three axes: it is
// isotropic, so that nothing in the step treats it differently, and never turns about x and y,
// because no moment about them is let in.
#include "base/message.h"
#include "world/world.h"

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
    return rg_fail(message, RG_ERROR_INPUT, "a %s is for %s worlds, this one has dimension %d",
                   rg_shape_kind_name(def->kind), world->dimension == 2 ? "3D" : "2D",
                   world->dimension);
  return rg_plane_pose(world, def->pose, message);
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

void rg_plane_mass(const rgWorld* world, rgMassProperties* mass) {
  if (world->dimension == 3)
    return;
  double moment = mass->inertia.m[2][2];
  mass->center.z = 0;
  mass->inertia = m3_diag(moment, moment, moment);
}
