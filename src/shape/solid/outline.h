// outline.h - the flat shapes of 2D worlds: all points of the x-y plane within a radius of a point,
// a segment or a convex polygon.
#ifndef SHAPE_SOLID_OUTLINE_H
#define SHAPE_SOLID_OUTLINE_H

#include "shape/shape.h"

enum { RG_OUTLINE_MAX = 4096 }; // corners

// The core: corners counter-clockwise, z = 0, and the outward normal of each side (corner i to
// i + 1). A segment has two sides, one each way; a point has none. The shape's radius is around it.
struct rgOutline {
  int count;
  const rgVec3* corners; // [m]
  const rgVec3* normals;
};

// Bytes for an outline of `count` corners, and its layout in `memory`: copies the corners and
// computes the normals, extent and size; `shape->radius` must be set.
size_t rg_outline_size(int count);
void rg_outline_build(rgShape* shape, const rgVec3* corners, int count, void* memory);

// The convex hull of points in the plane, counter-clockwise from the leftmost, without points on
// its sides. `corners` has room for 3 * count points, of which the first are the result. Returns the
// number of corners: less than 3 when the points lie on a line.
int rg_outline_hull(const rgVec3* points, int count, rgVec3* corners);

// The same for all flat kinds.
rgBounds rg_outline_bounds(const rgShape* shape, rgPose pose);
rgVec3 rg_outline_support(const rgShape* shape, rgVec3 d);

// Mass properties of a flat shape: mass per density [kg/m2], moment about z in all three places of
// the diagonal, since a flat body turns about z alone.
rgMassProperties rg_outline_mass(double area, rgVec3 center, double moment);

#endif
