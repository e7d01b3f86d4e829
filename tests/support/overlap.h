// overlap.h - how deep the bodies of a scene lie in each other, from their poses alone.
//
// This measure judges every engine alike, so it shares no code with any of them: spheres and
// half-spaces in closed form, boxes and hulls by the separating-axis depth.
#ifndef SUPPORT_OVERLAP_H
#define SUPPORT_OVERLAP_H

#include "scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Overlap {
  double depth;       // [m] largest
  double relative;    // [-] largest of depth / smallest half-width of the smaller body
  int body_a, body_b; // where `depth` is found; -1 when nothing overlaps
} Overlap;

// `poses` are those of the bodies' frames in metres, one per body of the scene. Spheres, boxes,
// half-spaces, hulls of up to 16 points (not against spheres). Bodies that share a joint count as
// apart. Infinite when a pose is not finite.
Overlap overlap_of(const Scene* scene, const rgPose* poses);

// Largest distance that a moving body's frame has gone from its place at the start [m].
double overlap_displacement(const Scene* scene, const rgPose* poses);

// Largest distance of the two points that a joint should hold together [m].
double overlap_joint_gap(const Scene* scene, const rgPose* poses);

#ifdef __cplusplus
}
#endif
#endif
