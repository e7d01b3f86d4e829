// curved.h - feet and normals of any smooth convex surface, from its properties alone.
//
// For kinds without closed forms. A surface is known by `value`, a convex function f with gradient
// and Hessian, and by `support`; the origin of the shape frame lies inside.
#ifndef SHAPE_SMOOTH_CURVED_H
#define SHAPE_SMOOTH_CURVED_H

#include "shape/shape.h"

// A point of the surface with its outward normal and the curvature there: along the surface the
// normal turns by bend * displacement.
typedef struct rgSpot {
  rgVec3 point, normal;
  rgMat3 bend; // [1/m] for displacements in the tangent plane
} rgSpot;

// The point where the ray from the origin through x, which is not the origin, leaves the shape.
rgSpot rg_curved_spot(const rgShape* shape, rgVec3 x);

// The two functions of rgShapeInfo with these names.
rgFoot rg_curved_foot(const rgShape* shape, rgVec3 x, double reach);
void rg_curved_line_normals(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                            rgLineNormals* out);

// A function of the unit vectors on an arc.
typedef double rgArcFunction(const void* context, rgVec3 e);
// A root between the unit vectors p and q, less than half a turn apart, where the function has the
// values f_p and f_q of opposite signs.
rgVec3 rg_curved_arc_root(rgArcFunction* f, const void* context, rgVec3 p, double f_p, rgVec3 q,
                          double f_q);

#endif
