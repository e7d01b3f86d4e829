// surface.h - what the parts of surface.c share.
#ifndef COLLIDE_SURFACE_SURFACE_H
#define COLLIDE_SURFACE_SURFACE_H

#include "collide/collide.h"
#include "collide/convex/feature.h"

// Normals may leave the cone of the surface by this much [rad]. Twice the angle below which shapes
// call an edge flat, so that no direction is lost between two faces that are nearly one.
#define RG_SURFACE_ANGLE 2e-5
// Points this near to an edge or corner, in widths of the triangle, are on it.
#define RG_SURFACE_NEAR 1e-7
// A contact is as close as a bound says when it is so to this part of the extent of the shape.
#define RG_SURFACE_CERTAIN 1e-10

// A convex shape against one surface, in the frame of the surface.
typedef struct rgSurfaceJob {
  const rgShape *shape, *surface;
  rgPose pose;         // of the shape
  rgPose surface_pose; // of the surface in the world
  rgVec3 center;       // a point well inside the shape
  double reach;        // [m]
  rgBounds near;       // bounds of the shape, grown by reach
  rgManifoldList* out;
  int first;  // manifolds of this pair start here
  bool split; // a normal has several manifolds
} rgSurfaceJob;

// Adds contacts to the manifold of normal n; points and n in the frame of the surface.
void rg_surface_add(rgSurfaceJob* job, rgVec3 n, const rgManifoldPoint* points, int count);
// Whether an edge of the triangle is a real one: convex, or a border.
bool rg_surface_ridge(const rgTriangle* triangle, int edge);
// Whether the surface may push along n at a point of the triangle.
bool rg_surface_allows(const rgShape* surface, const rgTriangle* triangle, rgVec3 point, rgVec3 n);

// The smallest gap; infinite when there are no points.
double rg_surface_deepest(const rgManifoldPoint* points, int count);

// Contacts on the ridges and corners of one triangle along the best normal that the surface allows
// there.
typedef struct rgRidgeContacts {
  rgVec3 normal;
  double gap; // [m] the smallest
  int count;
  rgManifoldPoint points[RG_CONTACTS_MAX + 1];
} rgRidgeContacts;
void rg_surface_ridge_contacts(const rgSurfaceJob* job, const rgTriangle* triangle,
                               rgRidgeContacts* out);

rgTriangleVisit rg_surface_sphere; // a sphere on one triangle; context is the job

#endif
