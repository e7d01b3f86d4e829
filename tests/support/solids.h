// solids.h - convex solids by formulas of their own: an oracle for closest points that takes nothing from
// the library but definitions of shapes.
#ifndef SUPPORT_SOLIDS_H
#define SUPPORT_SOLIDS_H

#include "math/vec.h"
#include <rigor/shape.h>

enum { SOLID_POINTS = 24, SOLID_MEMBERS = 6 };

// A solid with room for what its definition points to.
typedef struct Solid {
  rgShapeDef def;
  rgVec3 points[SOLID_POINTS];
  rgShapeDef members[SOLID_MEMBERS]; // of an intersection: balls, ellipsoids and half-spaces
  // Of a function: phi(s) = s + s^2 - 2 of s = |D^-1 R^T (x - c)|^2, an ellipsoid D = half, R, c = turned.
  rgConvexFunction function;
  rgPose turned;
} Solid;

// One of solid_kinds() kinds, of a random size; the caller has `random_state`.
int solid_kinds(void);
const char* solid_name(int kind);
void solid_make(Solid* solid, int kind, double (*uniform)(void));

// How far x (frame of the shape) is outside of the solid, to first order and never less than that by more
// than a factor; negative inside [m].
double solid_outside(const Solid* solid, rgVec3 x);
// Upper bound of d.x over the solid, d a unit vector; for all but intersections the largest value itself.
// `near` is a point at which it may be attained.
double solid_reach(const Solid* solid, rgVec3 d, rgVec3 near);
// A point of the surface, by the direction d: the farthest along it, of intersections the one in that
// direction from the origin.
rgVec3 solid_point(const Solid* solid, rgVec3 d);
// How far a point of the solid is at most from the hull of the points of directions of which one is within
// the angle theta of any other and three are around it, when all are within `radius` of the origin.
double solid_missed(const Solid* solid, double theta, double radius);

#endif
