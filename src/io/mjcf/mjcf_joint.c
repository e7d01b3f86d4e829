// mjcf_joint.c - joints of bodies.
#include "io/mjcf/mjcf.h"

#include "math/vec.h"

#include <string.h>

enum { FREE, BALL, SLIDE, HINGE };
static const char* const types[] = {"free", "ball", "slide", "hinge", NULL};
static const rgRobotJointKind kinds[] = {RG_ROBOT_FREE, RG_ROBOT_BALL, RG_ROBOT_SLIDE,
                                         RG_ROBOT_HINGE};

static bool read_limits(rgMjcf* m, const rgXmlElement* e, int type, double unit,
                        rgJointAxis* axis) {
  static const char* const words[] = {"false", "true", "auto", NULL};
  int limited = 2;
  double range[2] = {0, 0};
  if (!rg_robot_word(m->robot, e, "limited", words, &limited) ||
      !rg_robot_reals(m->robot, e, "range", 2, 2, range, NULL))
    return false;
  bool meant = limited == 1 || (limited == 2 && m->settings.autolimits && range[0] != range[1]);
  if (!meant)
    return true;
  if (!(range[0] < range[1]))
    return rg_robot_fail(m->robot, rg_robot_place_of(e, rg_xml_attribute(e, "range")),
                         "range of a joint is from %g to %g, must increase", range[0], range[1]);
  axis->lower = type == BALL ? -HUGE_VAL : unit * range[0];
  axis->upper = unit * range[1];
  return true;
}

// Newer models may give a polynomial; its first coefficient is the linear law.
static bool read_linear(rgMjcf* m, const rgXmlElement* e, const char* name, double* value) {
  double numbers[3] = {*value};
  int count;
  if (!rg_robot_reals(m->robot, e, name, 1, 3, numbers, &count))
    return false;
  *value = numbers[0];
  if (count > 1 && (numbers[1] != 0 || numbers[2] != 0))
    rg_robot_remark(m->robot, rg_robot_place_of(e, rg_xml_attribute(e, name)), name,
                    "%s of <joint> is linear here: its higher terms are ignored", name);
  return true;
}

static bool read_values(rgMjcf* m, const rgXmlElement* e, int type, rgRobotJoint* joint) {
  rgRobot* robot = m->robot;
  rgJointAxis* axis = &joint->axis_values;
  bool turn = type == HINGE || type == BALL;
  double unit = turn && !m->settings.radians ? RG_PI / 180 : 1;
  if (!read_limits(m, e, type, unit, axis) || !read_linear(m, e, "damping", &axis->damping) ||
      !read_linear(m, e, "stiffness", &axis->stiffness) ||
      !rg_robot_real(robot, e, "springref", &axis->rest) ||
      !rg_robot_real(robot, e, "frictionloss", &axis->friction) ||
      !rg_robot_real(robot, e, "armature", &joint->armature) ||
      !rg_robot_real(robot, e, "ref", &joint->reference))
    return false;
  axis->rest *= unit;
  joint->reference *= unit;
  const struct {
    const char* name;
    double value;
  } least_zero[] = {{"damping", axis->damping},
                    {"stiffness", axis->stiffness},
                    {"frictionloss", axis->friction},
                    {"armature", joint->armature}};
  for (size_t i = 0; i < sizeof least_zero / sizeof *least_zero; i++)
    if (least_zero[i].value < 0)
      return rg_robot_fail(robot, rg_robot_place_of(e, rg_xml_attribute(e, least_zero[i].name)),
                           "%s of <joint> is %g, must be >= 0", least_zero[i].name,
                           least_zero[i].value);
  return true;
}

static void start_position(const rgRobot* robot, rgRobotJoint* joint) {
  const rgRobotLink* link = &robot->links[joint->link];
  rgVec3 p = link->pose.position;
  rgQuat q = link->pose.orientation;
  joint->position[0] = joint->reference;
  if (joint->kind == RG_ROBOT_BALL)
    joint->position[0] = 1;
  if (joint->kind == RG_ROBOT_FREE)
    memcpy(joint->position, (double[]){p.x, p.y, p.z, q.w, q.x, q.y, q.z}, sizeof joint->position);
}

static bool check_series(rgRobot* robot, const rgXmlElement* e, int link, int type) {
  const rgRobotLink* l = &robot->links[link];
  rgRobotPlace place = rg_robot_place(e);
  if (link == 0)
    return rg_robot_fail(robot, place, "the world has no joints");
  if (l->carried)
    return rg_robot_fail(robot, place, "a mocap body has no joints");
  bool free_before = l->joint_count > 0 && robot->joints[l->first_joint].kind == RG_ROBOT_FREE;
  if (free_before || (type == FREE && l->joint_count > 0))
    return rg_robot_fail(robot, place, "a body with a free joint has no other joints");
  if (type == FREE && l->parent != 0)
    return rg_robot_fail(robot, place, "a free joint is for children of the world");
  return true;
}

bool rg_mjcf_read_joint(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame,
                        int class_index) {
  rgRobot* robot = m->robot;
  bool freejoint = strcmp(element->name, "freejoint") == 0;
  const rgXmlElement* e = freejoint ? element : rg_mjcf_whole(m, element, class_index);
  int type = freejoint ? FREE : HINGE;
  if (!e || !rg_robot_word(robot, e, "type", types, &type) || !check_series(robot, e, link, type))
    return false;
  int index = robot->joint_count;
  rgRobotJoint* joint =
      rg_robot_add_joint(robot, rg_robot_place(e), rg_mjcf_name(m, e), link, kinds[type]);
  if (!joint || !rg_mjcf_add_name(m, &m->joint_names, e, joint->name, index))
    return false;
  if (!rg_robot_vec3(robot, e, "pos", &joint->point) ||
      !rg_robot_vec3(robot, e, "axis", &joint->axis))
    return false;
  if (!(v3_norm(joint->axis) > 0))
    return rg_robot_fail(robot, rg_robot_place_of(e, rg_xml_attribute(e, "axis")),
                         "axis of <joint> is zero");
  joint->point = pose_apply(frame, joint->point);
  joint->axis = quat_rotate(frame.orientation, v3_unit_or(joint->axis, v3(0, 0, 1)));
  if (type != FREE && !read_values(m, e, type, joint))
    return false;
  start_position(robot, joint);
  return true;
}
