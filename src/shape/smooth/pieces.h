// pieces.h - convex shapes as intersections of smooth convex functions.
//
// Every convex solid here is the common set f_i(x) <= 0 of smooth convex functions about a core: all
// points within a margin of it (Chakraborty et al. 2007, appendix: bodies as intersections of convex
// functions). A ball or a capsule is a point or a segment with a margin, a rounded polyhedron its sharp
// core; all others have the margin zero.
#ifndef SHAPE_SMOOTH_PIECES_H
#define SHAPE_SMOOTH_PIECES_H

#include "shape/shape.h"

// Number of functions; 0 for a core without a volume (point, segment).
int rg_pieces_count(const rgShape* shape);
// Function i at x (shape frame), its gradient and its Hessian.
double rg_pieces_value(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian);
// Whether function i has no gradient at one point of the surface, and which.
bool rg_pieces_tip(const rgShape* shape, int i, rgVec3* tip);

// (x^2 + y^2 - r^2) / 2r [m]: an endless cylinder about z.
double rg_pieces_pipe(double radius, rgVec3 x, rgVec3* gradient, rgMat3* hessian);
// (|x - center|^2 - r^2) / 2r [m]
double rg_pieces_ball(rgVec3 center, double radius, rgVec3 x, rgVec3* gradient, rgMat3* hessian);

#endif
