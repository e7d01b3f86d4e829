// force.h - what pushes bodies besides gravity and contact. One file per kind, one row in kinds.c.
#ifndef FORCE_FORCE_H
#define FORCE_FORCE_H

#include "math/vec.h"
#include <rigor/world.h>

// A force as the world keeps it: the definition with its table copied.
typedef struct rgForce {
  rgForceDef def;
  uint32_t generation;
  bool alive;
} rgForce;

typedef struct rgForceInfo {
  const char* name;
  const char* summary;
  rgStatus (*check)(const rgForceDef* def, rgMessage* message);
  // Force and torque as the definition states them, at a time, for a body (frame pose, velocity of
  // the centre).
  rgWrench (*evaluate)(const rgForceDef* def, double time, rgPose pose, rgTwist velocity);
} rgForceInfo;

extern const rgForceInfo rg_force_constant;
extern const rgForceInfo rg_force_table;
extern const rgForceInfo rg_force_callback;

const rgForceInfo* rg_force_info(rgForceKind kind); // NULL when out of range

// The wrench at the centre of mass in world axes: evaluates, turns body axes, moves the point of
// attack.
rgWrench rg_force_wrench(const rgForceDef* def, double time, rgPose frame, rgVec3 center,
                         rgTwist velocity);

#endif
