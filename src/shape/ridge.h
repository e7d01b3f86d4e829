// ridge.h - telling real edges of a surface from internal ones.
#ifndef SHAPE_RIDGE_H
#define SHAPE_RIDGE_H

#include "math/vec.h"

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
