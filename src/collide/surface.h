// surface.h - what the parts of surface.c share.
#ifndef COLLIDE_SURFACE_H
#define COLLIDE_SURFACE_H

#include "collide/collide.h"
#include "collide/feature.h"

// Normals may leave the cone of the surface by this much [rad]. Twice the angle below which shapes call an edge flat, so
// that no direction is lost between two faces that are nearly one.
#define RG_SURFACE_ANGLE 2e-5
// Points this near to an edge or corner, in widths of the triangle, are on it.
#define RG_SURFACE_NEAR 1e-7

// A convex shape against one surface, in the frame of the surface.
typedef struct rgSurfaceJob {
  const rgShape *shape, *surface;
  rgPose pose;         // of the shape
  rgPose surface_pose; // of the surface in the world
  rgVec3 center;       // a point well inside the shape
  double reach;        // [m]
  rgBounds near;       // bounds of the shape, grown by reach
  rgManifoldList* out;
  int first; // manifolds of this pair start here
} rgSurfaceJob;

// Adds contacts to the manifold of normal n; points and n in the frame of the surface.
void rg_surface_add(rgSurfaceJob* job, rgVec3 n, const rgManifoldPoint* points, int count);
// Whether an edge of the triangle is a real one: convex, or a border.
bool rg_surface_ridge(const rgTriangle* triangle, int edge);
// Whether the surface may push along n at a point of the triangle.
bool rg_surface_allows(const rgShape* surface, const rgTriangle* triangle, rgVec3 point, rgVec3 n);

rgTriangleVisit rg_surface_sphere; // a sphere on one triangle; context is the job

#endif
