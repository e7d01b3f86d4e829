// touch.h - the answers of a convex shape to the questions that contact asks.
//
// Collision knows shapes by these answers (rgShapeInfo in shape.h), never by their kinds, so that a
// new kind collides with all others as soon as it can answer.
#ifndef SHAPE_TOUCH_H
#define SHAPE_TOUCH_H

#include "math/vec.h"

// The nearest point of the surface to a point x, and the signed distance to it, in the frame of the
// shape. The distance is negative inside; the normal is the outward unit normal at the foot, so
// that x = point + distance * normal. Where the foot is not unique (a centre, an axis), one is
// chosen by a fixed rule.
typedef struct rgFoot {
  double distance; // [m]
  rgVec3 normal;
  rgVec3 point; // [m]
} rgFoot;

enum { RG_FEATURE_MAX = 64 }; // corners; faces with more are thinned evenly

// The part of a shape that faces a direction.
typedef struct rgFeature {
  int count; // 1 point, 2 segment, more: polygon, counter-clockwise seen from outside
  rgVec3 points[RG_FEATURE_MAX]; // [m] world
  // Segment: ends of the straight line on the surface. On a capsule that is tilted the farther end
  // differs from points[], where it is the farthest point of the rounded end.
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

// Directions across a line that may be the normal between a curved surface and the line, in world
// axes and from the surface to the line; zero vectors are to be passed over. The first
// `both_count` are of any length and are to be tried in both senses, the others are unit vectors.
enum { RG_LINE_NORMALS_MAX = 4 };
typedef struct rgLineNormals {
  int count, both_count;
  rgVec3 normals[RG_LINE_NORMALS_MAX];
} rgLineNormals;

// A circular edge about the z axis of the shape frame.
typedef struct rgRim {
  double radius, height; // [m]
} rgRim;

// A shape may be all points within its radius of a core.
typedef enum rgCore {
  RG_CORE_NONE,
  RG_CORE_POINT, // the origin
  RG_CORE_AXIS,  // the segment of half_length to both sides along z
} rgCore;

#endif
