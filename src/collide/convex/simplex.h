// simplex.h - points of a Minkowski difference, and the point of their hull nearest to the origin.
//
// Shared by gjk.c and epa.c. The difference C = A - B is taken in world axes about the position of
// A, so that places far from the world's origin cost no digits.
#ifndef COLLIDE_CONVEX_SIMPLEX_H
#define COLLIDE_CONVEX_SIMPLEX_H

#include "collide/convex/gjk.h"

typedef struct rgDifference {
  const rgConvex *a, *b;
  rgVec3 offset; // [m] position of B less that of A
  int evaluations;
} rgDifference;

// w = a - b, with a on the core of A and b on the core of B.
typedef struct rgDifferencePoint {
  rgVec3 w, a;
} rgDifferencePoint;

// Farthest point of the difference of the cores in direction d.
rgDifferencePoint rg_simplex_support(rgDifference* difference, rgVec3 d);

// The hull of one to four points, with the weights of the point nearest to the origin.
typedef struct rgSimplex {
  int count;
  rgDifferencePoint points[4];
  double weights[4];
} rgSimplex;

// Nearest point of the hull to the origin. Reduces the simplex to the vertices that carry it and
// sets their weights. With four vertices left the hull holds the origin, and the result is zero;
// never so when the caller knows that the origin is outside, whatever rounding does to a small
// simplex.
rgVec3 rg_simplex_nearest(rgSimplex* simplex, bool origin_outside);

// The point of A that belongs to the nearest point.
rgVec3 rg_simplex_point_a(const rgSimplex* simplex);

// Least depth of overlapping cores, started from the simplex that GJK ended with. `distance` is
// minus the depth; `guess` is taken for the normal where every direction is as good.
void rg_epa(rgDifference* difference, const rgSimplex* simplex, rgVec3 guess, rgDistance* out);

#endif
