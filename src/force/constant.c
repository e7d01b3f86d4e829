// constant.c - a wrench that does not change.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!v3_finite(def->wrench.force) || !v3_finite(def->wrench.torque))
    return rg_fail(message, RG_ERROR_INPUT, "force is not finite");
  return RG_OK;
}

static rgWrench evaluate(const rgForceDef* def, const rgForceView* view) {
  (void)view;
  return def->wrench;
}

const rgForceInfo rg_force_constant = {
    .name = "constant",
    .summary = "the same force and torque at all times, in world or body axes",
    .check = check,
    .evaluate = evaluate,
};
