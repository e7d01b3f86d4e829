// contact.h - writing contacts of pairs that touch in one point or in a few.
#ifndef COLLIDE_CONTACT_H
#define COLLIDE_CONTACT_H

#include "collide/pair/pairs.h"

// One contact; nothing when it is out of reach.
static inline void rg_emit_point(rgManifoldList* out, rgVec3 normal, rgVec3 point_a, rgVec3 point_b,
                                 double gap, double reach, uint32_t feature) {
  if (!(gap <= reach))
    return;
  rgManifold* manifold = rg_manifold_begin(out, normal, 0);
  if (manifold)
    rg_manifold_add(manifold, point_a, point_b, gap, feature);
}

// Adds to a manifold that is begun with the first point within reach.
static inline void rg_emit_shared(rgManifoldList* out, rgManifold** manifold, rgVec3 normal,
                                  rgVec3 point_a, rgVec3 point_b, double gap, double reach,
                                  uint32_t feature) {
  if (!(gap <= reach))
    return;
  if (!*manifold)
    *manifold = rg_manifold_begin(out, normal, 0);
  if (*manifold)
    rg_manifold_add(*manifold, point_a, point_b, gap, feature);
}

// Plane of a half-space: its upward normal and the height of a point above it.
static inline rgVec3 rg_halfspace_normal(rgPose pose) {
  return quat_rotate(pose.orientation, v3(0, 0, 1));
}
static inline double rg_halfspace_height(rgPose pose, rgVec3 normal, rgVec3 x) {
  return v3_dot(v3_sub(x, pose.position), normal);
}

#endif
