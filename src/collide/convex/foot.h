// foot.h - the nearest point of a surface to a given point, and the signed distance to it.
//
// All in the frame of the shape. The distance is negative inside; the normal is the outward unit
// normal at the foot, so that x = point + distance * normal. Where the foot is not unique (a
// centre, an axis), one is chosen by a fixed rule.
#ifndef COLLIDE_CONVEX_FOOT_H
#define COLLIDE_CONVEX_FOOT_H

#include "shape/shape.h"

typedef struct rgFoot {
  double distance; // [m]
  rgVec3 normal;
  rgVec3 point; // [m]
} rgFoot;

rgFoot rg_foot_box(rgVec3 half, rgVec3 x);
rgFoot rg_foot_capsule(double radius, double half_length, rgVec3 x);
rgFoot rg_foot_cylinder(double radius, double half_length, rgVec3 x);
rgFoot rg_foot_ellipsoid(rgVec3 semi_axes, rgVec3 x);
// Stops early, with a distance that is too small but above `reach`, once x is known to be farther
// than that.
rgFoot rg_foot_polyhedron(const rgPolyhedron* polyhedron, rgVec3 x, double reach);

// Nearest point of the segment from p to q; *s in [0, 1] is where it lies.
rgVec3 rg_nearest_on_segment(rgVec3 p, rgVec3 q, rgVec3 x, double* s);

#endif
