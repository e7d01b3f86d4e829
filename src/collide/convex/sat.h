// sat.h - the axis along which two polyhedra are farthest apart, or overlap least.
#ifndef COLLIDE_CONVEX_SAT_H
#define COLLIDE_CONVEX_SAT_H

#include "shape/shape.h"

// Polyhedron b placed in the frame of polyhedron a: x_a = offset + rotation x_b.
typedef struct rgPolyhedra {
  const rgPolyhedron *a, *b;
  rgMat3 rotation;
  rgVec3 offset; // [m]
  double size;   // [m] of the smaller one, what tolerances are relative to
} rgPolyhedra;

// The same pair seen from b.
rgPolyhedra rg_sat_turned(const rgPolyhedra* pair);

// Face whose normal is most along d (unit, frame of the polyhedron); near ties go to the lowest
// index.
int rg_sat_face_along(const rgPolyhedron* polyhedron, rgVec3 d);

typedef struct rgAxis {
  rgVec3 normal;      // unit, out of a, frame of a
  double separation;  // [m] least height of b above a along it; negative when they overlap
  int edge_a, edge_b; // edges whose cross product it is; negative when it is the normal of a face
} rgAxis;

// The axis of greatest separation among the normals of the faces of both. `guess` (frame of a; zero
// where there is none) is where the search begins and has no part in the answer.
rgAxis rg_sat_face_axis(const rgPolyhedra* pair, rgVec3 guess);

// The axis of greatest separation at all, from that of the faces. `apart` [m] is an upper bound of
// the true distance when the polyhedra do not overlap. Edge pairs must win over faces by more than
// rounding.
rgAxis rg_sat_axis(const rgPolyhedra* pair, rgAxis faces, double apart);

#endif
