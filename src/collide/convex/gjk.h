// gjk.h - distance or penetration depth of two convex sets known by their support functions.
#ifndef COLLIDE_CONVEX_GJK_H
#define COLLIDE_CONVEX_GJK_H

#include "shape/shape.h"

// Farthest point of a convex core in direction d (any length, not zero), in the core's own frame.
typedef rgVec3 rgSupport(const void* core, rgVec3 d);

// A convex set: all points within `margin` of a core placed by position + rotation * x. Spheres and
// capsules are a point and a segment with a margin, so that their distances are exact.
typedef struct rgConvex {
  const void* core;
  rgSupport* support;
  double margin; // [m]
  rgMat3 rotation;
  rgVec3 position; // [m]
} rgConvex;

// The set of a convex shape of finite size; `pose` is of the shape frame.
rgConvex rg_convex_of_shape(const rgShape* shape, rgPose pose);
// A triangle, segment or point set in world coordinates, borrowed; for the parts of surfaces.
typedef struct rgConvexPoints {
  const rgVec3* points; // [m]
  int count;
} rgConvexPoints;
rgConvex rg_convex_of_points(const rgConvexPoints* set, double margin);

typedef struct rgDistance {
  double distance; // [m] apart when positive; minus the penetration depth otherwise
  rgVec3 normal;   // unit, from B to A: direction of least distance or of least depth
  rgVec3 point_a,
      point_b;    // [m] witness points on the surfaces, distance = dot(point_a - point_b, normal)
  int iterations; // support evaluations of both sets
} rgDistance;

// Distance of a and b. `guess` is any vector, best the normal of the step before; zero when there
// is none. Returns false as soon as the distance is proved larger than `reach`: then only
// out->normal is set, to an axis along which the sets are farther apart than that. Never fails
// otherwise.
bool rg_convex_distance(const rgConvex* a, const rgConvex* b, double reach, rgVec3 guess,
                        rgDistance* out);

typedef enum rgSeparation {
  RG_SEPARATION_FAR,  // farther than reach; `normal` is set as above
  RG_SEPARATION_NEAR, // apart, all of rgDistance is set
  RG_SEPARATION_NONE, // overlapping, or touching to some 1e-9 of the size; nothing is set
} rgSeparation;

// The same for callers that have a better way than the general one to deal with overlap.
rgSeparation rg_convex_separation(const rgConvex* a, const rgConvex* b, double reach, rgVec3 guess,
                                  rgDistance* out);

// True when the sets are farther apart than `reach` along `axis` (from B to A, unit length or
// zero): a quick way out for an axis remembered from the step before.
bool rg_convex_apart_along(const rgConvex* a, const rgConvex* b, double reach, rgVec3 axis);

#endif
