// tessellation.h - balls of many corners, finer and finer.
#ifndef EXPERIMENTS_TESSELLATION_H
#define EXPERIMENTS_TESSELLATION_H

#include <rigor/rigor.h>

enum { TESSELLATION_MAX = 2048 };

// Puts `count` corners evenly on a sphere of this radius [m], turned so that the first is lowest: along
// -z. Their convex hull has 2 count - 4 triangles.
void tessellate(rgVec3* points, int count, double radius);
// Replaces the shape of a body, whose mass stays, by the hull of such corners. `points` has room for
// them.
rgStatus tessellate_body(rgWorld* world, const char* name, int count, double radius,
                         rgVec3* points);

#endif
