// wall.h - smooth surfaces about the z axis of their frame that convex bodies touch from their free
// side: the inside of a cylinder, of a sphere, of a ring, and a ring seen from outside.
//
// A wall is known by the distance of a point to it, which is exact, and by its rims: circles where
// it ends, or the one circle that a ring is drawn around. Collision asks nothing else of it
// (collide/wall/).
#ifndef SHAPE_WALL_H
#define SHAPE_WALL_H

#include "shape/touch.h"

struct rgShape;

// A circle about the z axis with a radius of its own around it.
typedef struct rgWallRim {
  double radius, height; // [m]
  double thickness;      // [m] the body touches points this far from the circle; 0: a sharp edge
  // +1 where the surface ends upwards, -1 where it ends downwards: the edge does not push back into
  // the surface. 0: there is none.
  double sense;
} rgWallRim;

enum { RG_WALL_RIMS_MAX = 2 };

typedef struct rgWall {
  // The foot of x on the surface, as if it had no rims; NULL where there is nothing but a rim. The
  // distance is positive on the free side, to which the normal points.
  rgFoot (*foot)(const struct rgShape* shape, rgVec3 x);
  int (*rims)(const struct rgShape* shape, rgWallRim rims[RG_WALL_RIMS_MAX]);
  // The free side is not convex: an edge of a body may touch between its ends.
  bool saddle;
  // The point of the surface at u (around) and v (across), both in [0, 1]: for drawing.
  rgVec3 (*place)(const struct rgShape* shape, double u, double v);
} rgWall;

#endif
