// kinds.c - the table of forces and what they have in common.
#include "base/message.h"
#include "force/force.h"

static const rgForceInfo* const kinds[RG_FORCE_KIND_COUNT] = {
    [RG_FORCE_CONSTANT] = &rg_force_constant, [RG_FORCE_TABLE] = &rg_force_table,
    [RG_FORCE_SPRING] = &rg_force_spring,     [RG_FORCE_TORSION] = &rg_force_torsion,
    [RG_FORCE_DRAG] = &rg_force_drag,         [RG_FORCE_ATTRACTOR] = &rg_force_attractor,
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

rgForceDef rg_force_def(void) { return (rgForceDef){.kind = RG_FORCE_CONSTANT, .rest = -1}; }

rgStatus rg_force_check_spring(const rgForceDef* def, rgMessage* message) {
  const char* name = rg_force_kind_name(def->kind);
  if (!(def->stiffness >= 0 && isfinite(def->stiffness)))
    return rg_fail(message, RG_ERROR_INPUT, "stiffness of a %s is %g, must be finite and >= 0",
                   name, def->stiffness);
  if (!(def->damping >= 0 && isfinite(def->damping)))
    return rg_fail(message, RG_ERROR_INPUT, "damping of a %s is %g, must be finite and >= 0", name,
                   def->damping);
  if (def->stiffness == 0 && def->damping == 0)
    return rg_fail(message, RG_ERROR_INPUT,
                   "a %s has neither stiffness nor damping, one of them must be > 0", name);
  return RG_OK;
}

rgWrench rg_force_wrench(const rgForceDef* def, const rgForceView* view) {
  const rgForceInfo* info = rg_force_info(def->kind);
  if (!info->evaluate)
    return (rgWrench){v3_zero(), v3_zero()};
  rgWrench wrench = info->evaluate(def, view);
  if (info->everywhere)
    return wrench;
  rgPose frame = view->a.frame;
  if (def->body_axes) {
    wrench.force = quat_rotate(frame.orientation, wrench.force);
    wrench.torque = quat_rotate(frame.orientation, wrench.torque);
  }
  if (def->at_point) {
    rgVec3 arm = v3_sub(pose_apply(frame, def->point), view->a.center);
    wrench.torque = v3_add(wrench.torque, v3_cross(arm, wrench.force));
  }
  return wrench;
}
