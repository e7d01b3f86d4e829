// mjcf_actuator.c - actuators on joints.
//
// The force of an actuator is gain u + b0 + b1 l + b2 l', with the control u and the length
// l = gear q of its transmission; the joint feels gear times that. A motor has gain 1 and no bias,
// a position servo gain kp, b1 = -kp, b2 = -kv, a velocity servo gain kv, b2 = -kv.
#include "io/mjcf/mjcf.h"

#include "base/memory.h"
#include "math/vec.h"

#include <string.h>

typedef struct Law {
  double gain, bias[3];
} Law;

// -------------------------------------------------------------------------------------------------
// Laws
// -------------------------------------------------------------------------------------------------

static bool read_general(rgMjcf* m, const rgXmlElement* e, Law* law, bool* usual) {
  static const char* const dynamics[] = {"none",   "integrator", "filter", "filterexact",
                                         "muscle", "user",       NULL};
  static const char* const gains[] = {"fixed", "affine", "muscle", "user", NULL};
  static const char* const biases[] = {"none", "affine", "muscle", "user", NULL};
  int dynamic = 0, gain = 0, bias = 0;
  double gains_given[10] = {1}, biases_given[10] = {0};
  if (!rg_robot_word(m->robot, e, "dyntype", dynamics, &dynamic) ||
      !rg_robot_word(m->robot, e, "gaintype", gains, &gain) ||
      !rg_robot_word(m->robot, e, "biastype", biases, &bias) ||
      !rg_robot_reals(m->robot, e, "gainprm", 1, 10, gains_given, NULL) ||
      !rg_robot_reals(m->robot, e, "biasprm", 1, 10, biases_given, NULL))
    return false;
  *usual = dynamic == 0 && gain == 0 && bias <= 1;
  law->gain = gains_given[0];
  for (int i = 0; i < 3 && bias == 1; i++)
    law->bias[i] = biases_given[i];
  return true;
}

// Inertia that a joint feels in the reference configuration, all others held: that of everything
// behind it about its axis, and its armature.
static double felt_inertia(const rgRobot* robot, int index) {
  const rgRobotJoint* joint = &robot->joints[index];
  double sum = joint->armature;
  for (int i = joint->link; i < robot->link_count; i++) {
    rgPose pose = pose_identity();
    int at = i;
    for (; at > joint->link; at = robot->links[at].parent)
      pose = pose_mul(robot->links[at].pose, pose);
    if (at != joint->link || robot->links[i].mass.mass == 0)
      continue;
    rgMassProperties mass = rg_robot_mass_move(robot->links[i].mass, pose);
    rgVec3 axis = v3_unit_or(joint->axis, v3(0, 0, 1)), arm = v3_sub(mass.center, joint->point);
    rgVec3 across = v3_cross(axis, arm);
    sum += joint->kind == RG_ROBOT_SLIDE
               ? mass.mass
               : v3_dot(axis, m3_apply(&mass.inertia, axis)) + mass.mass * v3_norm2(across);
  }
  return sum;
}

static bool read_law(rgMjcf* m, const rgXmlElement* e, int joint, double gear, Law* law,
                     bool* usual) {
  rgRobot* robot = m->robot;
  double kp = 1, kv = strcmp(e->name, "velocity") == 0 ? 1 : 0, ratio = 0;
  *law = (Law){.gain = 1};
  *usual = true;
  if (strcmp(e->name, "general") == 0)
    return read_general(m, e, law, usual);
  if (strcmp(e->name, "motor") == 0)
    return true;
  if (!rg_robot_real(robot, e, "kp", &kp) || !rg_robot_real(robot, e, "kv", &kv) ||
      !rg_robot_real(robot, e, "dampratio", &ratio))
    return false;
  if (strcmp(e->name, "velocity") == 0) {
    *law = (Law){kv, {0, 0, -kv}};
    return true;
  }
  if (ratio > 0 && joint >= 0)
    kv = 2 * ratio * sqrt(kp * felt_inertia(robot, joint)) / fabs(gear);
  *law = (Law){kp, {0, -kp, -kv}};
  return true;
}

// -------------------------------------------------------------------------------------------------
// Transmission
// -------------------------------------------------------------------------------------------------

static int joint_of_tendon(rgMjcf* m, const rgXmlElement* e, double* gear) {
  const char* name = rg_robot_string(e, "tendon", "");
  for (int i = 0; i < m->tendon_count; i++)
    if (strcmp(m->tendons[i].name, name) == 0) {
      *gear *= m->tendons[i].coefficient;
      return m->tendons[i].joint;
    }
  rg_robot_fail(m->robot, rg_robot_place_of(e, rg_xml_attribute(e, "tendon")),
                "tendon of <%s> is \"%.60s\", which is no tendon of the model", e->name, name);
  return -1;
}

// The joint that an actuator drives; -1: another thing, or none.
static int find_joint(rgMjcf* m, const rgXmlElement* e, double* gear) {
  double gears[6] = {1};
  if (!rg_robot_reals(m->robot, e, "gear", 1, 6, gears, NULL))
    return -1;
  *gear = gears[0];
  if (rg_xml_attribute(e, "tendon"))
    return joint_of_tendon(m, e, gear);
  bool joint = rg_xml_attribute(e, "joint") != NULL,
       in_parent = rg_xml_attribute(e, "jointinparent") != NULL;
  if (!joint && !in_parent)
    return -1;
  int index = rg_mjcf_find(m, &m->joint_names, e, joint ? "joint" : "jointinparent", "joint");
  if (index < 0)
    return -1;
  rgRobotJointKind kind = m->robot->joints[index].kind;
  return kind == RG_ROBOT_HINGE || kind == RG_ROBOT_SLIDE ? index : -1;
}

// -------------------------------------------------------------------------------------------------
// One actuator
// -------------------------------------------------------------------------------------------------

static bool read_range(rgMjcf* m, const rgXmlElement* e, const char* limited, const char* name,
                       double range[2]) {
  static const char* const words[] = {"false", "true", "auto", NULL};
  int word = 2;
  double given[2] = {0, 0};
  range[0] = -HUGE_VAL;
  range[1] = HUGE_VAL;
  if (!rg_robot_word(m->robot, e, limited, words, &word) ||
      !rg_robot_reals(m->robot, e, name, 2, 2, given, NULL))
    return false;
  if (word == 0 || (word == 2 && given[0] == given[1]))
    return true;
  if (!(given[0] < given[1]))
    return rg_robot_fail(m->robot, rg_robot_place_of(e, rg_xml_attribute(e, name)),
                         "%s of <%s> is from %g to %g, must increase", name, e->name, given[0],
                         given[1]);
  memcpy(range, given, sizeof given);
  return true;
}

static bool read_control(rgMjcf* m, const rgXmlElement* e, rgMjcfControl* c) {
  double gear = 1, force[2];
  Law law;
  bool usual;
  *c = (rgMjcfControl){.place = rg_robot_place(e), .joint = find_joint(m, e, &gear)};
  if (m->robot->status != RG_OK || !read_range(m, e, "ctrllimited", "ctrlrange", c->range) ||
      !read_range(m, e, "forcelimited", "forcerange", force))
    return false;
  if (c->joint >= 0 && gear == 0) {
    rg_robot_remark(m->robot, c->place, "gear",
                    "the actuator is ignored: its gear is 0, so that it moves nothing");
    c->joint = -1;
    return true;
  }
  if (!read_law(m, e, c->joint, gear, &law, &usual))
    return false;
  c->gain = gear * law.gain;
  c->base = gear * law.bias[0];
  c->stiffness = -gear * gear * law.bias[1];
  c->damping = -gear * gear * law.bias[2];
  c->bound = fabs(gear) * fmax(fabs(force[0]), fabs(force[1]));
  if (c->joint < 0 || !usual || c->stiffness < 0 || c->damping < 0) {
    if (!(m->part && c->joint < 0))
      rg_robot_remark(m->robot, c->place, "actuator",
                      "the actuator is ignored: it drives no single hinge or slide, or has "
                      "dynamics of its own");
    c->joint = -1;
  } else if (isfinite(c->bound) && force[0] != -force[1]) {
    rg_robot_remark(m->robot, c->place, "forcerange",
                    "forcerange from %g to %g: the larger of the two bounds both directions",
                    force[0], force[1]);
  }
  return true;
}

static bool is_actuator(const rgXmlElement* e) {
  static const char* const names[] = {"general", "motor", "position", "velocity"};
  for (int i = 0; i < 4; i++)
    if (strcmp(e->name, names[i]) == 0)
      return true;
  return false;
}

static bool add_actuator(rgMjcf* m, const rgXmlElement* element) {
  if (!rg_reserve(&m->robot->scratch.allocator, (void**)&m->controls, &m->control_capacity,
                  m->control_count + 1, sizeof *m->controls))
    return rg_robot_no_memory(m->robot);
  rgMjcfControl* c = &m->controls[m->control_count++];
  *c = (rgMjcfControl){.place = rg_robot_place(element), .joint = -1};
  if (!is_actuator(element))
    return true; // the table has remarked it
  const rgXmlElement* e = rg_mjcf_whole(m, element, 0);
  return e && rg_mjcf_add_name(m, &m->actuator_names, e, rg_mjcf_name(m, e), m->control_count) &&
         read_control(m, e, c);
}

bool rg_mjcf_read_actuators(rgMjcf* m) {
  for (const rgXmlElement* section = m->root->child; section; section = section->next)
    for (const rgXmlElement* e = strcmp(section->name, "actuator") == 0 ? section->child : NULL; e;
         e = e->next)
      if (!add_actuator(m, e))
        return false;
  rg_mjcf_set_controls(m, NULL);
  return true;
}

// Several actuators on a joint add up.
static void add_drive(rgRobotJoint* joint, const rgMjcfControl* c, double control) {
  rgRobotDrive* d = &joint->drive;
  double push = c->base + c->gain * fmin(fmax(control, c->range[0]), c->range[1]);
  double target = c->stiffness > 0 ? push / c->stiffness : 0,
         speed = c->stiffness == 0 && c->damping > 0 ? push / c->damping : 0;
  double k = d->stiffness + c->stiffness, v = d->damping + c->damping;
  if (k > 0)
    d->target = (d->stiffness * d->target + c->stiffness * target) / k;
  if (v > 0)
    d->speed = (d->damping * d->speed + c->damping * speed) / v;
  if (c->stiffness == 0 && c->damping == 0)
    d->effort += push;
  d->bound = joint->driven ? d->bound + c->bound : c->bound;
  d->stiffness = k;
  d->damping = v;
  d->servo = k > 0 || v > 0;
  d->place = joint->driven ? d->place : c->place;
  joint->driven = true;
}

void rg_mjcf_set_controls(rgMjcf* m, const double* controls) {
  for (int i = 0; i < m->control_count; i++)
    if (m->controls[i].joint >= 0) {
      m->robot->joints[m->controls[i].joint].driven = false;
      m->robot->joints[m->controls[i].joint].drive = (rgRobotDrive){.bound = HUGE_VAL};
    }
  for (int i = 0; i < m->control_count; i++)
    if (m->controls[i].joint >= 0)
      add_drive(&m->robot->joints[m->controls[i].joint], &m->controls[i],
                controls ? controls[i] : 0);
}
