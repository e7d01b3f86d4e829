// collide.h - from two placed shapes to contact manifolds.
//
// Conventions: the normal n points from B to A; gap = dot(point_a - point_b, n), positive when
// apart; point_a lies on the surface of A and point_b on that of B, both in world coordinates.
// `reach` [m] is the largest gap that is of interest in this step; it comes from the movement, so
// that no constant length is hidden here. Tolerances inside are relative to the sizes of the
// shapes.
#ifndef COLLIDE_COLLIDE_H
#define COLLIDE_COLLIDE_H

#include "shape/shape.h"

enum { RG_MANIFOLD_MAX = 16 };

typedef struct rgManifoldPoint {
  rgVec3 point_a, point_b; // [m] world
  double gap;              // [m]
  uint32_t feature;        // the same from step to step while the same features touch
} rgManifoldPoint;

// Contact points that share one normal; a large face has several such.
typedef struct rgManifold {
  rgVec3 normal;
  int count;
  uint32_t
      key; // tells manifolds of one shape pair apart (triangle index for meshes and fields, else 0)
  rgManifoldPoint points[RG_MANIFOLD_MAX];
} rgManifold;

// Collects manifolds; `overflow` is set, and nothing written, when there is no room.
typedef struct rgManifoldList {
  rgManifold* items;
  int count, capacity;
  bool overflow;
  // [m] Where edges of two faces cross almost in line, the crossing is left out if the common area
  // loses no more than this much of its width.
  double coarseness;
} rgManifoldList;

// Hint kept for a shape pair from step to step: only ever a first guess, never part of the answer.
typedef struct rgPairHint {
  rgVec3 axis; // last separating or contact normal in world axes; zero length when there is none
} rgPairHint;

// All contacts closer than `reach` of shape a placed at pose_a and shape b placed at pose_b (poses
// of the SHAPE frames). Never fails; degenerate input gives fewer contacts, never NaN. A function of the
// user whose answers contradict one another gives one contact that is NaN (answers.h).
void rg_collide(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                rgPairHint* hint, rgManifoldList* out);

// The visible matrix: one function per pair of kinds, always called with kind_a <= kind_b
// (rg_collide swaps the bodies, and the sides of the result).
typedef void rgPairFunction(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                            double reach, rgPairHint* hint, rgManifoldList* out);

// Start a manifold in the list (NULL and overflow when full); add a point to it.
rgManifold* rg_manifold_begin(rgManifoldList* list, rgVec3 normal, uint32_t key);
void rg_manifold_add(rgManifold* manifold, rgVec3 point_a, rgVec3 point_b, double gap,
                     uint32_t feature);
// Adds a point unless the manifold is full of points that are all needed: then false, and nothing is changed.
bool rg_manifold_try(rgManifold* manifold, rgManifoldPoint point);
// Any number of points, as manifolds with one normal and key 0.
void rg_manifold_write(rgManifoldList* list, rgVec3 normal, const rgManifoldPoint* points,
                       int count);

// Drops the points that add nothing: those inside the convex hull (in the plane across the normal)
// of others that are at least as deep. Keeps at most RG_MANIFOLD_MAX of the rest.
void rg_manifold_reduce(rgManifold* manifold);

#endif
