// outline.c - cores of flat shapes: corners, normals, hull, bounds.
#include "shape/solid/outline.h"

#include "base/memory.h"
#include "shape/kinds.h"

size_t rg_outline_size(int count) {
  return rg_align(sizeof(rgOutline)) + 2 * rg_align((size_t)count * sizeof(rgVec3));
}

void rg_outline_build(rgShape* shape, const rgVec3* corners, int count, void* memory) {
  rgCarver carver = {memory, 0};
  rgOutline* outline = rg_carve(&carver, 1, sizeof *outline);
  rgVec3* own = rg_carve(&carver, (size_t)count, sizeof *own);
  rgVec3* normals = rg_carve(&carver, (size_t)count, sizeof *normals);
  double farthest = 0, width = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    own[i] = corners[i];
    rgVec3 side = v3_sub(corners[(i + 1) % count], corners[i]);
    normals[i] = v3_unit_or(v3(side.y, -side.x, 0), v3(1, 0, 0));
    farthest = fmax(farthest, v3_norm(corners[i]));
  }
  // Least width of a polygon: from a side to the corner farthest from it.
  for (int i = 0; i < count && count > 2; i++) {
    double far = 0;
    for (int j = 0; j < count; j++)
      far = fmax(far, v3_dot(normals[i], v3_sub(own[i], own[j])));
    width = fmin(width, far);
  }
  *outline = (rgOutline){count, own, normals};
  shape->outline = outline;
  shape->extent = farthest + shape->radius;
  // A segment has no width: a penetration is measured against half of its length.
  shape->size = count > 2           ? 0.5 * width
                : shape->radius > 0 ? shape->radius
                                    : 0.5 * v3_norm(v3_sub(own[1], own[0]));
}

// Twice the area to the left of the path a, b, c.
static double turn(rgVec3 a, rgVec3 b, rgVec3 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Corners closer to the line of their neighbours than this part of the lengths are on it.
static const double STRAIGHT = 1e-12;

static bool turns_left(rgVec3 a, rgVec3 b, rgVec3 c) {
  double size = (fabs(b.x - a.x) + fabs(b.y - a.y)) * (fabs(c.x - a.x) + fabs(c.y - a.y));
  return turn(a, b, c) > STRAIGHT * size;
}

// Andrew's monotone chain: the lower side from left to right, then the upper one back.
int rg_outline_hull(const rgVec3* points, int count, rgVec3* corners) {
  rgVec3 *chain = corners, *sorted = corners + 2 * (size_t)count;
  for (int i = 0; i < count; i++) {
    rgVec3 p = v3(points[i].x, points[i].y, 0);
    int at = i;
    for (;
         at > 0 && (sorted[at - 1].x > p.x || (sorted[at - 1].x == p.x && sorted[at - 1].y > p.y));
         at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = p;
  }
  int length = 0;
  for (int i = 0; i < count; i++) {
    while (length >= 2 && !turns_left(chain[length - 2], chain[length - 1], sorted[i]))
      length--;
    chain[length++] = sorted[i];
  }
  int lower = length;
  for (int i = count - 2; i >= 0; i--) {
    while (length > lower && !turns_left(chain[length - 2], chain[length - 1], sorted[i]))
      length--;
    chain[length++] = sorted[i];
  }
  return length - 1; // the last is the first again
}

rgBounds rg_outline_bounds(const rgShape* shape, rgPose pose) {
  const rgOutline* outline = shape->outline;
  rgVec3 first = pose_apply(pose, outline->corners[0]);
  rgBounds bounds = {first, first};
  for (int i = 1; i < outline->count; i++) {
    rgVec3 p = pose_apply(pose, outline->corners[i]);
    bounds = bounds_union(bounds, (rgBounds){p, p});
  }
  rgVec3 around = v3(shape->radius, shape->radius, 0);
  return (rgBounds){v3_sub(bounds.lower, around), v3_add(bounds.upper, around)};
}

rgVec3 rg_outline_support(const rgShape* shape, rgVec3 d) {
  const rgOutline* outline = shape->outline;
  rgVec3 flat = v3(d.x, d.y, 0), best = outline->corners[0];
  for (int i = 1; i < outline->count; i++)
    if (v3_dot(flat, outline->corners[i]) > v3_dot(flat, best))
      best = outline->corners[i];
  double length = v3_norm(flat);
  return length > 0 ? v3_axpy(best, shape->radius / length, flat) : best;
}

rgMassProperties rg_outline_mass(double area, rgVec3 center, double moment) {
  return (rgMassProperties){area, center, m3_diag(moment, moment, moment)};
}
