// rim.h - the points that stand for the surface of a cylinder seen along a direction.
#ifndef SHAPE_SMOOTH_RIM_H
#define SHAPE_SMOOTH_RIM_H

#include "shape/shape.h"

enum {
  RG_RIM_POINTS = 8, // fixed points on the rim of a cap: an octagon
  RG_RIM_MAX = RG_RIM_POINTS + 2,
  RG_RIM_EXTREME =
      16 // features: 0-7 rim of the lower cap, 8-15 of the upper, then the extreme points
};

// A cap counts as flat while its normal is closer than this to the direction [rad]. The extreme rim
// point is below its fixed neighbours by at most 0.076 R times the tilt: with this tilt, by less
// than 1e-7 R.
#define RG_RIM_TILT 1e-6
// A fixed point whose angle to the extreme one has a larger cosine (2.6 degrees) would be the same
// contact twice.
#define RG_RIM_SAME 0.999
// Cosine of the angle between neighbouring fixed points.
#define RG_RIM_STEP 0.70710678118654752440

typedef struct rgRimPoint {
  rgVec3 point; // [m] in the frame of the cylinder
  uint32_t feature;
} rgRimPoint;

// Points that are extreme along the unit vector d (frame of the cylinder): the farthest point of
// each rim and, when a cap faces d within 45 degrees, the fixed points of that cap's rim.
int rg_rim_points(const rgShape* cylinder, rgVec3 d, rgRimPoint* out);

// The feature of the flat end with this rim, which faces d (frame of the shape; d.z says which side): the
// fixed points of the rim and, in its place among them, the extreme one.
void rg_rim_cap(rgPose pose, rgVec3 d, rgRim rim, rgFeature* out);

// Fixed point i of the rim, on the unit circle.
rgVec3 rg_rim_direction(int i);

#endif
