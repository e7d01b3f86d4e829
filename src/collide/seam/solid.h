// solid.h - what seams ask of a placed shape, the same for shapes in space, flat shapes and
// half-spaces.
#ifndef COLLIDE_SEAM_SOLID_H
#define COLLIDE_SEAM_SOLID_H

#include "shape/shape.h"

typedef struct rgPlaced {
  const rgShape* shape;
  rgPose pose; // of the shape frame in the world
} rgPlaced;

// Whether a shape can answer: convex shapes and, as neighbours only, half-spaces.
bool rg_solid_known(const rgShape* shape);

// Signed distance of the point x [m]; anything above `reach` when it is farther than that.
double rg_solid_distance(const rgPlaced* solid, rgVec3 x, double reach);
// The outward unit normal at the point of the surface nearest to x.
rgVec3 rg_solid_outward(const rgPlaced* solid, rgVec3 x);
// Whether the surface is smooth and not flat where it has the normal n.
bool rg_solid_is_curved(const rgPlaced* solid, rgVec3 n);
// The farthest point in the direction d. Not for half-spaces.
rgVec3 rg_solid_support(const rgPlaced* solid, rgVec3 d);
// How far the solid stands out beyond the plane through x across the unit vector n [m]; infinite
// where there is no end to it. Zero where x is on its surface and n is one of its normals there.
double rg_solid_rise(const rgPlaced* solid, rgVec3 x, rgVec3 n);

// Flat faces: their number, and the outward unit normal and offset [m] of one of them (world).
int rg_solid_face_count(const rgShape* shape);
rgVec3 rg_solid_face(const rgPlaced* solid, int face, double* offset);

// The part that faces the unit vector d. Not for half-spaces.
void rg_solid_feature(const rgPlaced* solid, rgVec3 d, rgFeature* out);
// Moves the border of a segment or polygon outward by `margin` [m], in its own line or plane.
void rg_solid_grow_feature(rgFeature* feature, double margin);

#endif
