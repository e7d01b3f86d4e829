// quadric.h - common normals of ellipsoids, and of the circles and shadows that are flat
// ellipsoids.
#ifndef SHAPE_SMOOTH_QUADRIC_H
#define SHAPE_SMOOTH_QUADRIC_H

#include "math/vec.h"

// The set {E y : |y| <= 1} about `center`, E'E = square, known by its support sqrt(n' square n). A
// semi-axis may be zero: a disc.
typedef struct rgQuadric {
  rgMat3 square;                 // [m2] in world axes
  rgVec3 center;                 // [m]
  double least_curvature_radius; // [m] smallest semi-axis squared over the largest
} rgQuadric;

rgQuadric rg_quadric(rgVec3 semi_axes, rgPose pose);

// h(n) = n.(center_a - center_b) - |E_a n| - |E_b n| [m]: how far apart a and b are along the unit
// vector n.
double rg_quadric_gap(const rgQuadric* a, const rgQuadric* b, rgVec3 n);
// Farthest point along n. Where a disc is seen along its axis, its centre.
rgVec3 rg_quadric_support(const rgQuadric* q, rgVec3 n);

// Climbs from the unit vector n to a local maximum of h; returns it. Apart (h > 0) it is the only
// one.
double rg_quadric_climb(const rgQuadric* a, const rgQuadric* b, rgVec3* n);
// The largest h of all, which is the distance or minus the least depth; `guess` (unit or zero) only
// saves time.
double rg_quadric_common_normal(const rgQuadric* a, const rgQuadric* b, rgVec3 guess, rgVec3* n);

// Unit normal across the line x + s direction along which q and the line are farthest apart, from q
// to the line.
rgVec3 rg_quadric_line_normal(const rgQuadric* q, rgVec3 x, rgVec3 direction);

#endif
