// sweep.h - whether two shapes pass into each other on the way from the start to the end of a step.
#ifndef COLLIDE_SWEEP_H
#define COLLIDE_SWEEP_H

#include "collide/collide.h"

// One of the two shapes, on a body that moves. The centre of mass is at start.position + s shift,
// and the body has turned by the Cayley rotation of s turn, at the part s of the movement.
typedef struct rgSweepSide {
  const rgShape* shape;
  rgPose start;  // centre of mass and orientation of the body at s = 0
  rgPose placed; // of the shape frame in body axes, from the centre of mass
  rgVec3 shift;  // [m]
  rgVec3 turn;   // [rad] as a Cayley vector in world axes
  double extent; // [m] radius about the centre of mass that holds the shape; 0 when it has none
} rgSweepSide;

typedef struct rgSweep {
  rgSweepSide a, b;
  double depth; // [m] > 0: overlaps below it are no passing
} rgSweep;

typedef struct rgPassing {
  bool found;   // the shapes pass; the list holds their manifolds at `part`, unless there are none
  double safe;  // last part of the movement at which they were seen not to
  double part;  // first part at which they were seen to
  double limit; // [m] gap below which they pass
} rgPassing;

// The pose of the shape at the part s of the movement.
rgPose rg_sweep_pose(const rgSweepSide* side, double s);
// Where the material point that is at x [m] at the part s is at the part `other`.
rgVec3 rg_sweep_point(const rgSweepSide* side, rgVec3 x, double s, double other);
// Bound of how far the shapes come closer along the unit vector n, from B to A, for each part of the
// movement from s on [m]; for s = 0 in all of it.
double rg_sweep_approach(const rgSweep* sweep, double s, rgVec3 n);
// The same along any axis.
double rg_sweep_movement(const rgSweep* sweep, double s);
// Follows the movement to the first overlap of more than `depth`, found when it is between half of
// it and all. What overlaps more at the start has to come deeper by as much. False when the list
// was too short: the caller grows it and calls again.
bool rg_sweep(const rgSweep* sweep, rgManifoldList* list, rgPassing* out);
// Brings the two parts of a passing that was found closer together. The list is used, not filled;
// false when it was too short.
bool rg_sweep_refine(const rgSweep* sweep, rgManifoldList* list, rgPassing* passing);

#endif
