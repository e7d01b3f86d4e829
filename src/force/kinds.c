// kinds.c - the table of forces and what they have in common.
#include "force/force.h"

static const rgForceInfo* const kinds[RG_FORCE_KIND_COUNT] = {
    [RG_FORCE_CONSTANT] = &rg_force_constant,
    [RG_FORCE_TABLE] = &rg_force_table,
    [RG_FORCE_CALLBACK] = &rg_force_callback,
};

const rgForceInfo* rg_force_info(rgForceKind kind) {
  return (unsigned)kind < RG_FORCE_KIND_COUNT ? kinds[kind] : NULL;
}

const char* rg_force_kind_name(rgForceKind kind) {
  const rgForceInfo* info = rg_force_info(kind);
  return info ? info->name : NULL;
}

const char* rg_force_kind_summary(rgForceKind kind) {
  const rgForceInfo* info = rg_force_info(kind);
  return info ? info->summary : NULL;
}

rgForceDef rg_force_def(void) { return (rgForceDef){.kind = RG_FORCE_CONSTANT}; }

rgWrench rg_force_wrench(const rgForceDef* def, double time, rgPose frame, rgVec3 center,
                         rgTwist velocity) {
  rgWrench wrench = rg_force_info(def->kind)->evaluate(def, time, frame, velocity);
  if (def->body_axes) {
    wrench.force = quat_rotate(frame.orientation, wrench.force);
    wrench.torque = quat_rotate(frame.orientation, wrench.torque);
  }
  if (def->at_point) {
    rgVec3 arm = v3_sub(pose_apply(frame, def->point), center);
    wrench.torque = v3_add(wrench.torque, v3_cross(arm, wrench.force));
  }
  return wrench;
}
