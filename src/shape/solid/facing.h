// facing.h - which way triangles face, and how they meet.
#ifndef SHAPE_SOLID_FACING_H
#define SHAPE_SOLID_FACING_H

#include "math/vec.h"

// (b - a) x (c - a), twice the vector area, from the two edges at the end of the shortest one: the
// cross product of two long, nearly parallel edges of a sliver would lose its direction.
static inline rgVec3 rg_twice_area(rgVec3 a, rgVec3 b, rgVec3 c) {
  rgVec3 ab = v3_sub(b, a), bc = v3_sub(c, b), ca = v3_sub(a, c);
  double ab2 = v3_norm2(ab), bc2 = v3_norm2(bc), ca2 = v3_norm2(ca);
  if (ab2 < ca2 && ab2 <= bc2)
    return v3_cross(ab, bc);
  return bc2 < ca2 ? v3_cross(bc, ca) : v3_cross(ca, ab);
}

// [rad] Faces that meet at less than this are one flat face: what remains of coplanar triangles
// whose corners were written with six or seven digits.
static const double RG_FLAT_ANGLE = 1e-5;

// Whether the edge between a face with normal `n` that runs along `edge` (counter-clockwise, any
// length) and its neighbour with normal `neighbour` sticks out. A fold by half a turn (a
// blade) does; a border (`neighbour` of zero length) does not.
static inline bool rg_ridge_convex(rgVec3 n, rgVec3 neighbour, rgVec3 edge) {
  double sine = v3_dot(v3_cross(n, neighbour), edge) / v3_norm(edge);
  return sine > RG_FLAT_ANGLE || (sine >= -RG_FLAT_ANGLE && v3_dot(n, neighbour) < 0);
}

#endif
