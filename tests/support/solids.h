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
  rgShapeDef members[SOLID_MEMBERS];
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
// Some point of the surface, by the direction d.
rgVec3 solid_point(const Solid* solid, rgVec3 d);

#endif
