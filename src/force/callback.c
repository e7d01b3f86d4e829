// callback.c - a wrench computed by the caller's function from time and state.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (!def->callback)
    return rg_fail(message, RG_ERROR_INPUT, "a callback force has no callback");
  return RG_OK;
}

static rgWrench evaluate(const rgForceDef* def, double time, rgPose pose, rgTwist velocity) {
  return def->callback(time, pose, velocity, def->context);
}

const rgForceInfo rg_force_callback = {
    .name = "callback",
    .summary = "force and torque from a function of time, pose and velocity (C interface)",
    .check = check,
    .evaluate = evaluate,
};
