// urdf_joint.c - joints, and those that follow others.
#include "io/urdf/urdf.h"

#include "math/vec.h"

#include <string.h>

enum { REVOLUTE, CONTINUOUS, PRISMATIC, FIXED, FLOATING, PLANAR };
static const char* const types[] = {"revolute", "continuous", "prismatic", "fixed",
                                    "floating", "planar",     NULL};

static bool read_limits(rgUrdf* u, const rgUrdfJoint* from, int type, rgRobotJoint* joint) {
  rgRobot* robot = u->robot;
  const rgXmlElement *limit = rg_xml_child(from->element, "limit"),
                     *dynamics = rg_xml_child(from->element, "dynamics");
  rgJointAxis* axis = &joint->axis_values;
  double lower = 0, upper = 0, effort = 0;
  if (limit && !(rg_robot_real(robot, limit, "lower", &lower) &&
                 rg_robot_real(robot, limit, "upper", &upper) &&
                 rg_robot_real(robot, limit, "effort", &effort)))
    return false;
  if (!limit && type != CONTINUOUS)
    rg_robot_remark(robot, joint->place, "no-limit",
                    "the joint \"%.60s\" has no <limit> and moves without one", from->name);
  if (limit && rg_xml_attribute(limit, "velocity"))
    rg_robot_remark(
        robot, rg_robot_place(limit), "velocity",
        "velocity and effort of <limit> are ignored: they bound an actuator, and there is none");
  if (limit && type != CONTINUOUS && lower > upper)
    return rg_robot_fail(robot, rg_robot_place(limit), "the lower limit %g is above the upper %g",
                         lower, upper);
  bool limited = limit && type != CONTINUOUS && lower < upper;
  if (limit && type != CONTINUOUS && !limited)
    rg_robot_remark(robot, rg_robot_place(limit), "equal-limits",
                    "the limits of the joint \"%.60s\" are equal or not given: it moves without "
                    "limits",
                    from->name);
  if (limited) {
    axis->lower = lower;
    axis->upper = upper;
    // A joint starts at 0, or as near to it as its limits allow.
    joint->position[0] = fmin(fmax(0, lower), upper);
  }
  if (dynamics && !(rg_robot_real(robot, dynamics, "damping", &axis->damping) &&
                    rg_robot_real(robot, dynamics, "friction", &axis->friction)))
    return false;
  if (axis->damping < 0 || axis->friction < 0)
    return rg_robot_fail(robot, rg_robot_place(dynamics), "damping and friction must be >= 0");
  return true;
}

static rgRobotJoint* add(rgUrdf* u, const rgUrdfJoint* from, int link, rgRobotJointKind kind,
                         rgVec3 axis) {
  rgRobotJoint* joint = rg_robot_add_joint(u->robot, rg_robot_place(from->element),
                                           rg_robot_text(u->robot, "%s", from->name), link, kind);
  if (joint)
    joint->axis = axis;
  return joint;
}

// In a plane: two slides and a turn about its normal.
static bool add_planar(rgUrdf* u, const rgUrdfJoint* from, int link, rgVec3 normal) {
  rgVec3 t, o;
  v3_frame(normal, &t, &o);
  return add(u, from, link, RG_ROBOT_SLIDE, t) && add(u, from, link, RG_ROBOT_SLIDE, o) &&
         add(u, from, link, RG_ROBOT_HINGE, normal);
}

static bool add_floating(rgUrdf* u, const rgUrdfJoint* from, int link) {
  rgRobotJoint* joint = add(u, from, link, RG_ROBOT_FREE, v3(0, 0, 1));
  if (!joint)
    return false;
  // Where the chain of parents puts it in the reference configuration.
  rgPose pose = pose_identity();
  for (int i = link; i > 0; i = u->robot->links[i].parent)
    pose = pose_mul(u->robot->links[i].pose, pose);
  rgVec3 p = pose.position;
  rgQuat q = quat_unit(pose.orientation);
  memcpy(joint->position, (double[]){p.x, p.y, p.z, q.w, q.x, q.y, q.z}, sizeof joint->position);
  return true;
}

bool rg_urdf_read_joint(rgUrdf* u, rgUrdfJoint* from, int link) {
  rgRobot* robot = u->robot;
  const rgXmlElement* axis_element = rg_xml_child(from->element, "axis");
  int type = -1;
  rgVec3 axis = v3(1, 0, 0);
  if (!rg_robot_word(robot, from->element, "type", types, &type) ||
      !rg_urdf_origin(u, from->element, &robot->links[link].pose) ||
      (axis_element && !rg_robot_vec3(robot, axis_element, "xyz", &axis)))
    return false;
  if (type < 0)
    return rg_robot_fail(robot, rg_robot_place(from->element), "the joint \"%.60s\" has no type",
                         from->name);
  if (type == FIXED)
    return true;
  if (type == FLOATING)
    return add_floating(u, from, link);
  if (!(v3_norm(axis) > 0))
    return rg_robot_fail(robot, rg_robot_place(axis_element), "axis of the joint \"%.60s\" is zero",
                         from->name);
  axis = v3_unit_or(axis, v3(1, 0, 0));
  if (type == PLANAR)
    return add_planar(u, from, link, axis);
  from->robot_joint = robot->joint_count;
  rgRobotJoint* joint =
      add(u, from, link, type == PRISMATIC ? RG_ROBOT_SLIDE : RG_ROBOT_HINGE, axis);
  return joint && read_limits(u, from, type, joint);
}

bool rg_urdf_read_mimics(rgUrdf* u) {
  rgRobot* robot = u->robot;
  for (int i = 0; i < u->joint_count; i++) {
    const rgXmlElement* e = rg_xml_child(u->joints[i].element, "mimic");
    if (!e)
      continue;
    const char* name = rg_robot_string(e, "joint", "");
    int index = rg_names_find(&u->joint_names, name, strlen(name));
    if (index < 0 || u->joints[index].robot_joint < 0 || u->joints[i].robot_joint < 0)
      return rg_robot_fail(robot, rg_robot_place(e),
                           "<mimic> follows \"%.60s\", which is no joint that moves about or along "
                           "an axis",
                           name);
    rgRobotCoupling* c = rg_robot_add_coupling(robot, rg_robot_place(e), u->joints[i].robot_joint,
                                               u->joints[index].robot_joint);
    if (!c || !rg_robot_real(robot, e, "multiplier", &c->polynomial[1]) ||
        !rg_robot_real(robot, e, "offset", &c->polynomial[0]))
      return false;
    robot->joints[c->joint].position[0] =
        c->polynomial[0] + c->polynomial[1] * robot->joints[c->follows].position[0];
  }
  return true;
}
