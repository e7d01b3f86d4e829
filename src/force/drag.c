// drag.c - resistance against the velocity of the centre of mass and against the spin.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!(def->drag >= 0 && isfinite(def->drag)))
    return rg_fail(message, RG_ERROR_INPUT, "drag is %g, must be finite and >= 0", def->drag);
  if (!(def->spin_drag >= 0 && isfinite(def->spin_drag)))
    return rg_fail(message, RG_ERROR_INPUT, "spin_drag is %g, must be finite and >= 0",
                   def->spin_drag);
  if (def->drag == 0 && def->spin_drag == 0)
    return rg_fail(message, RG_ERROR_INPUT,
                   "drag and spin_drag are both 0, one of them must be > 0");
  return RG_OK;
}

static int terms(const rgForce* force, const rgForceView* view, rgForceTerm* out) {
  (void)view;
  int count = 0;
  for (int i = 0; i < 6; i++) {
    rgVec3 axis = v3(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    double damping = i < 3 ? force->def.drag : force->def.spin_drag;
    if (damping == 0)
      continue;
    rgTwist row = {i < 3 ? axis : v3_zero(), i < 3 ? v3_zero() : axis};
    out[count++] = (rgForceTerm){.g_a = row, .damping = damping};
  }
  return count;
}

const rgForceInfo rg_force_drag = {
    .name = "drag",
    .summary = "force against the velocity of a body and torque against its spin",
    .check = check,
    .terms = terms,
    .term_max = 6,
};
