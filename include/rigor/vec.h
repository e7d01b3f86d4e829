// vec.h - the plain value types of the interface.
#ifndef RIGOR_VEC_H
#define RIGOR_VEC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgVec3 {
  double x, y, z;
} rgVec3;

// Unit quaternion, w first. Rotates body coordinates to world coordinates.
typedef struct rgQuat {
  double w, x, y, z;
} rgQuat;

// 3 x 3 matrix, row by row: m[row][column].
typedef struct rgMat3 {
  double m[3][3];
} rgMat3;

// Rigid placement: world = position + orientation * local.
typedef struct rgPose {
  rgVec3 position; // [m]
  rgQuat orientation;
} rgPose;

// Generalized velocity of a body: velocity of its centre of mass and angular velocity, both in
// world axes.
typedef struct rgTwist {
  rgVec3 linear;  // [m/s]
  rgVec3 angular; // [rad/s]
} rgTwist;

// Force at the centre of mass and torque about it, in world axes. Also an impulse [N s], [N m s].
typedef struct rgWrench {
  rgVec3 force;  // [N]
  rgVec3 torque; // [N m]
} rgWrench;

// Axis-aligned box; empty when lower > upper.
typedef struct rgBounds {
  rgVec3 lower, upper; // [m]
} rgBounds;

#ifdef __cplusplus
}
#endif
#endif
