// quickhull.h - triangulated convex hull of points, exact on a fine grid.
#ifndef SHAPE_SOLID_QUICKHULL_H
#define SHAPE_SOLID_QUICKHULL_H

#include "math/vec.h"

// A triangle of the hull, counter-clockwise from outside. Edge i runs from corner i to i + 1.
typedef struct rgHullTriangle {
  int vertex[3];    // indices of points
  int neighbour[3]; // triangle across edge i
  bool flat[3];     // the neighbour across edge i lies exactly (on the grid) in the same plane
  rgVec3 normal;    // outward unit normal
  double area;      // in units of the grid, for comparing triangles with each other
} rgHullTriangle;

typedef struct rgHullSurface {
  rgHullTriangle* triangles;
  int triangle_count;
  double extent;    // [m] largest half-width of the points along an axis
  double thickness; // [m] distance of the points from a plane that lies near all of them; the least
                    // width of the hull is at most twice this and not much less
} rgHullSurface;

// Bytes of scratch for rg_quickhull, aligned to 64 bytes.
size_t rg_quickhull_scratch(int point_count);

// The hull of at least four finite points. The result lives in `scratch`. RG_ERROR_INPUT with a
// message when the points do not span a volume.
rgStatus rg_quickhull(const rgVec3* points, int point_count, void* scratch, rgHullSurface* surface,
                      rgMessage* message);

#endif
