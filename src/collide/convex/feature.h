// feature.h - the part of a convex shape that faces a direction: a point, a segment or a polygon.
//
// Two shapes whose common normal n is known touch where the feature of A that faces -n lies over
// the feature of B that faces n. This turns one normal into the whole manifold: two points for a
// line of contact, the corners of the common polygon for faces.
#ifndef COLLIDE_CONVEX_FEATURE_H
#define COLLIDE_CONVEX_FEATURE_H

#include "collide/collide.h"

enum {
  RG_FEATURE_MAX = 64,                     // corners; faces with more are thinned evenly
  RG_CONTACTS_MAX = 2 * RG_FEATURE_MAX + 2 // of two features
};

typedef struct rgFeature {
  int count; // 1 point, 2 segment, more: polygon, counter-clockwise seen from outside
  rgVec3 points[RG_FEATURE_MAX]; // [m] world
  // Segment: ends of the straight line on the surface. On a capsule that is tilted the farther end
  // differs from points[], where it is the farthest point of the round end.
  rgVec3 line[2];
  rgVec3 normal; // polygon: outward
  // A cap of a cylinder is a polygon and also the disc it is inscribed in, which decides about
  // single points and segments. Radius zero for other polygons.
  rgVec3 disc_center;
  double disc_radius; // [m]
} rgFeature;

// A face or line is taken as facing d while it is tilted against it by less than this (sine). Only
// bounds how far the contacts of one manifold may be apart in height; those out of reach are
// dropped anyway.
#define RG_FEATURE_TILT 0.2

// The feature of a shape of finite size that faces the unit vector d (world).
void rg_shape_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out);
// The same for a polygon given by its corners, counter-clockwise about its unit normal.
void rg_polygon_feature(const rgVec3* corners, int count, rgVec3 normal, rgVec3 d, rgFeature* out);

// Contacts of feature a over feature b along n, all that have gap <= reach, into
// points[RG_CONTACTS_MAX]. Returns their number; 0 when one feature does not lie over the other or
// when both are single points.
int rg_feature_contacts(const rgFeature* a, const rgFeature* b, rgVec3 n, double reach,
                        rgManifoldPoint* points);

#endif
