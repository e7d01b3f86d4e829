// kinds.c - the table of joints, and what a definition must keep to.
#include "base/hash.h"
#include "base/message.h"
#include "joint/joint.h"

#include <stdio.h>
#include <string.h>

static const rgJointInfo* const kinds[RG_JOINT_KIND_COUNT] = {
#define INFO_OF(NAME, name) [RG_JOINT_##NAME] = &rg_joint_##name,
    RG_JOINT_KINDS(INFO_OF)
#undef INFO_OF
};

// Cosine of the angle between the axes of a universal joint that still counts as a right angle.
static const double PERPENDICULAR = 1e-6;
// Sine of the angle below which two axes count as parallel.
static const double PARALLEL = 1e-6;
// Deviation of the norm of a frame's quaternion from 1, as for bodies.
static const double UNIT = 1e-6;

const rgJointInfo* rg_joint_info(rgJointKind kind) {
  return (unsigned)kind < RG_JOINT_KIND_COUNT ? kinds[kind] : NULL;
}

const char* rg_joint_kind_name(rgJointKind kind) {
  const rgJointInfo* info = rg_joint_info(kind);
  return info ? info->name : NULL;
}

const char* rg_joint_kind_summary(rgJointKind kind) {
  const rgJointInfo* info = rg_joint_info(kind);
  return info ? info->summary : NULL;
}

int rg_joint_axis_count(rgJointKind kind) {
  const rgJointInfo* info = rg_joint_info(kind);
  return info ? info->axis_count : 0;
}

const char* rg_joint_axis_name(rgJointKind kind, int axis) {
  const rgJointInfo* info = rg_joint_info(kind);
  return info && axis >= 0 && axis < info->axis_count ? info->axes[axis].name : NULL;
}

bool rg_joint_axis_is_angle(rgJointKind kind, int axis) {
  const rgJointInfo* info = rg_joint_info(kind);
  return info && axis >= 0 && axis < info->axis_count && info->axes[axis].angle;
}

const rgJointParameter* rg_joint_parameter(rgJointKind kind, int index) {
  const rgJointInfo* info = rg_joint_info(kind);
  return info && index >= 0 && index < info->parameter_count ? &info->parameters[index] : NULL;
}

rgStatus rg_joint_def_set(rgJointDef* def, const char* parameter, double value) {
  const rgJointParameter* own;
  for (int i = 0; (own = rg_joint_parameter(def->kind, i)); i++)
    if (strcmp(own->name, parameter) == 0) {
      def->parameters[i] = value;
      return RG_OK;
    }
  return RG_ERROR_INPUT;
}

uint64_t rg_joint_hash(uint64_t hash, const rgJointDef* def) {
  for (int i = 0; rg_joint_parameter(def->kind, i); i++)
    hash = rg_hash_bytes(hash, &def->parameters[i], sizeof def->parameters[i]);
  return hash;
}

rgJointDef rg_joint_def(rgJointKind kind) {
  rgJointDef def = {.kind = kind, .axis = {1, 0, 0}};
  def.frame_a = def.frame_b = pose_identity();
  for (int i = 0; i < RG_JOINT_AXIS_MAX; i++) {
    def.axes[i].lower = -HUGE_VAL;
    def.axes[i].upper = HUGE_VAL;
    def.axes[i].servo_force = HUGE_VAL;
  }
  for (int i = 0; rg_joint_parameter(kind, i); i++)
    def.parameters[i] = rg_joint_parameter(kind, i)->initial;
  return def;
}

static rgStatus not_negative(double value, const char* axis, const char* what, rgMessage* message) {
  if (value >= 0 && isfinite(value))
    return RG_OK;
  return rg_fail(message, RG_ERROR_INPUT, "%s: %s is %g, must be >= 0", axis, what, value);
}

static rgStatus check_limits(const rgJointAxisInfo* info, const rgJointAxis* values,
                             rgMessage* message) {
  if (!(values->lower <= values->upper))
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s: the lower limit %g is above the upper limit %g, must not be", info->name,
                   values->lower, values->upper);
  if (values->lower == HUGE_VAL || values->upper == -HUGE_VAL)
    return rg_fail(message, RG_ERROR_INPUT, "%s: a limit is infinite on the wrong side",
                   info->name);
  bool limited = isfinite(values->lower) || isfinite(values->upper);
  if (limited && !(info->takes & RG_JOINT_LIMITS))
    return rg_fail(message, RG_ERROR_INPUT, "%s takes no limits", info->name);
  return RG_OK;
}

static rgStatus check_servo(const rgJointAxisInfo* info, const rgJointAxis* values,
                            rgMessage* message) {
  if (!values->servo)
    return RG_OK;
  if (!isfinite(values->servo_target) || !isfinite(values->servo_speed))
    return rg_fail(message, RG_ERROR_INPUT, "%s: the target or speed of the servo is not finite",
                   info->name);
  rgStatus status =
      not_negative(values->servo_stiffness, info->name, "stiffness of the servo", message);
  if (status == RG_OK)
    status = not_negative(values->servo_damping, info->name, "damping of the servo", message);
  if (status != RG_OK)
    return status;
  if (!(values->servo_stiffness > 0 || values->servo_damping > 0))
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s: the servo has neither stiffness nor damping, one must be > 0", info->name);
  if (!(values->servo_force > 0))
    return rg_fail(message, RG_ERROR_INPUT, "%s: the largest %s of the servo is %g, must be > 0",
                   info->name, info->angle ? "torque" : "force", values->servo_force);
  return RG_OK;
}

static bool has_forces(const rgJointAxis* values) {
  return values->motor || values->friction > 0 || values->stiffness > 0 || values->damping > 0 ||
         values->armature > 0 || values->effort != 0 || values->servo;
}

static rgStatus check_forces(const rgJointAxisInfo* info, const rgJointAxis* values,
                             rgMessage* message) {
  if (values->motor && !isfinite(values->motor_speed))
    return rg_fail(message, RG_ERROR_INPUT, "%s: the speed of the motor is not finite", info->name);
  if (values->motor && !(values->motor_force > 0 && isfinite(values->motor_force)))
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s: the motor has no bound: its largest %s is %g, must be > 0", info->name,
                   info->angle ? "torque" : "force", values->motor_force);
  rgStatus status = not_negative(values->friction, info->name, "friction", message);
  if (status == RG_OK)
    status = not_negative(values->stiffness, info->name, "stiffness", message);
  if (status == RG_OK)
    status = not_negative(values->damping, info->name, "damping", message);
  if (status == RG_OK)
    status = not_negative(values->armature, info->name, "armature", message);
  if (status == RG_OK)
    status = check_servo(info, values, message);
  if (status != RG_OK)
    return status;
  if (!isfinite(values->rest))
    return rg_fail(message, RG_ERROR_INPUT, "%s: the rest of the spring is not finite", info->name);
  if (!isfinite(values->effort))
    return rg_fail(message, RG_ERROR_INPUT, "%s: the effort is not finite", info->name);
  if (has_forces(values) && !(info->takes & RG_JOINT_FORCES))
    return rg_fail(message, RG_ERROR_INPUT, "%s takes limits only", info->name);
  return RG_OK;
}

rgStatus rg_joint_has_axis(const rgJointInfo* info, int axis, rgMessage* message) {
  int count = info ? info->axis_count : 0;
  if (axis >= 0 && axis < count)
    return RG_OK;
  if (count == 0)
    return rg_fail(message, RG_ERROR_INPUT, "axis %d does not exist: %s has none", axis,
                   info ? info->name : "no kind");
  return rg_fail(message, RG_ERROR_INPUT, "axis %d does not exist, must be 0 .. %d", axis,
                 count - 1);
}

rgStatus rg_joint_check_axis(rgJointKind kind, int axis, const rgJointAxis* values,
                             rgMessage* message) {
  const rgJointInfo* info = rg_joint_info(kind);
  rgStatus status = rg_joint_has_axis(info, axis, message);
  if (status == RG_OK)
    status = check_limits(&info->axes[axis], values, message);
  return status == RG_OK ? check_forces(&info->axes[axis], values, message) : status;
}

// "a finite number", "> 0", "between 0 and 1": what a parameter must be.
static void describe_range(const rgJointParameter* parameter, char* text, size_t size) {
  const char* relation = parameter->lower_open ? ">" : ">=";
  if (parameter->lower == -HUGE_VAL && parameter->upper == HUGE_VAL)
    snprintf(text, size, "a finite number");
  else if (parameter->upper == HUGE_VAL)
    snprintf(text, size, "%s %g", relation, parameter->lower);
  else if (parameter->lower == -HUGE_VAL)
    snprintf(text, size, "<= %g", parameter->upper);
  else
    snprintf(text, size, "%s %g and <= %g", relation, parameter->lower, parameter->upper);
}

static rgStatus check_parameter(const rgJointParameter* parameter, double value,
                                rgMessage* message) {
  bool above = parameter->lower_open ? value > parameter->lower : value >= parameter->lower;
  if (value == parameter->initial || (isfinite(value) && above && value <= parameter->upper))
    return RG_OK;
  char range[80];
  describe_range(parameter, range, sizeof range);
  return rg_fail(message, RG_ERROR_INPUT, "%s is %g, must be %s", parameter->name, value, range);
}

static rgStatus check_axes_given(const rgJointDef* def, rgMessage* message) {
  const rgJointInfo* info = rg_joint_info(def->kind);
  if (!v3_finite(def->point) || !v3_finite(def->axis) || !v3_finite(def->axis_2))
    return rg_fail(message, RG_ERROR_INPUT, "the point or an axis of the joint is not finite");
  double first = v3_norm(def->axis), second = v3_norm(def->axis_2);
  if (!(first > 0))
    return rg_fail(message, RG_ERROR_INPUT, "the axis of the joint has the length 0, must be > 0");
  if (info->perpendicular) {
    if (!(second > 0))
      return rg_fail(message, RG_ERROR_INPUT,
                     "the second axis of a %s joint has the length 0, must be > 0", info->name);
    if (!(fabs(v3_dot(def->axis, def->axis_2)) <= PERPENDICULAR * first * second))
      return rg_fail(message, RG_ERROR_INPUT,
                     "the axes of a %s joint are not perpendicular, must be", info->name);
  } else if (second > 0 &&
             !(v3_norm(v3_cross(def->axis, def->axis_2)) > PARALLEL * first * second)) {
    return rg_fail(message, RG_ERROR_INPUT, "the two axes of the joint are parallel, must not be");
  }
  return RG_OK;
}

static rgStatus check_frames(const rgJointDef* def, rgMessage* message) {
  const rgPose* frames[2] = {&def->frame_a, &def->frame_b};
  for (int side = 0; side < 2; side++)
    if (!v3_finite(frames[side]->position) ||
        !(fabs(quat_norm2(frames[side]->orientation) - 1) <= UNIT))
      return rg_fail(message, RG_ERROR_INPUT,
                     "frame_%c is not finite or its orientation is not of norm 1", 'a' + side);
  return RG_OK;
}

static rgStatus check_points(const rgJointDef* def, rgMessage* message) {
  if (v3_finite(def->point) && v3_finite(def->point_b))
    return RG_OK;
  return rg_fail(message, RG_ERROR_INPUT, "a point of the joint is not finite");
}

rgStatus rg_joint_check(const rgJointDef* def, rgMessage* message) {
  const rgJointInfo* info = rg_joint_info(def->kind);
  if (!info)
    return rg_fail(message, RG_ERROR_INPUT, "joint kind %d does not exist", (int)def->kind);
  rgStatus status = def->frames_given  ? check_frames(def, message)
                    : info->two_points ? check_points(def, message)
                                       : check_axes_given(def, message);
  for (int i = 0; i < info->parameter_count && status == RG_OK; i++)
    status = check_parameter(&info->parameters[i], def->parameters[i], message);
  for (int i = 0; i < info->axis_count && status == RG_OK; i++)
    status = rg_joint_check_axis(def->kind, i, &def->axes[i], message);
  return status;
}

// The rotation whose matrix has these columns, right-handed and orthonormal.
static rgQuat quat_of_axes(rgVec3 x, rgVec3 y, rgVec3 z) {
  // Of the four ways to find a quaternion, the one that divides by the largest component.
  double t[4] = {1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z,
                 1 - x.x - y.y + z.z};
  int most = 0;
  for (int i = 1; i < 4; i++)
    if (t[i] > t[most])
      most = i;
  double wx = y.z - z.y, wy = z.x - x.z, wz = x.y - y.x;
  double xy = x.y + y.x, xz = x.z + z.x, yz = y.z + z.y;
  rgQuat ways[4] = {{t[0], wx, wy, wz}, {wx, t[1], xy, xz}, {wy, xy, t[2], yz}, {wz, xz, yz, t[3]}};
  return quat_unit(ways[most]);
}

rgPose rg_joint_world_frame(const rgJointDef* def, int side) {
  bool two_points = rg_joint_info(def->kind)->two_points;
  rgPose frame = {two_points && side == 1 ? def->point_b : def->point, quat_identity()};
  if (two_points)
    return frame;
  rgVec3 x = v3_unit_or(def->axis, v3(1, 0, 0)), y, z;
  v3_frame(x, &y, &z);
  if (v3_norm2(def->axis_2) > 0) {
    z = v3_unit_or(v3_cross(x, v3_unit_or(def->axis_2, y)), z);
    y = v3_cross(z, x);
  }
  frame.orientation = quat_of_axes(x, y, z);
  return frame;
}
