// outline.c - a ray against a flat shape: all points within a radius of a point, a segment or a convex
// polygon.
//
// The shape is the polygon, a disk about each corner and, of each side, the side moved out by the radius.
// Every place where the ray enters one of these is in the shape, and the place where it enters the shape
// is one of them: it is the first. Likewise it leaves where it leaves the last one.
#include "shape/ray/ray.h"

#include "shape/solid/outline.h"

// The ray against the side from p to q, moved out by the radius along n.
static rgRaySpan side(const rgRay* ray, rgVec3 p, rgVec3 q, rgVec3 n, double radius) {
  double along = v3_dot(n, ray->direction);
  if (along == 0)
    return rg_ray_nothing();
  rgVec3 start = v3_axpy(p, radius, n), edge = v3_sub(q, p);
  double t = v3_dot(n, v3_sub(start, ray->origin)) / along;
  double place = v3_dot(edge, v3_sub(v3_axpy(ray->origin, t, ray->direction), start));
  if (place < 0 || place > v3_norm2(edge))
    return rg_ray_nothing();
  return (rgRaySpan){t, t, along < 0 ? n : v3_zero()};
}

static rgRaySpan polygon(const rgRay* ray, const rgOutline* outline) {
  rgRaySpan span = {-HUGE_VAL, HUGE_VAL, v3_zero()};
  for (int i = 0; i < outline->count && span.enter <= span.leave; i++) {
    rgVec3 n = outline->normals[i];
    span = rg_ray_common(span, rg_ray_halfspace(ray, n, v3_dot(n, outline->corners[i])));
  }
  return span;
}

bool rg_ray_outline(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  const rgOutline* outline = shape->outline;
  int count = outline->count;
  rgRaySpan span = count > 2 ? polygon(ray, outline) : rg_ray_nothing();
  for (int i = 0; i < count && count > 1 && (count == 2 || shape->radius > 0); i++)
    span = rg_ray_hull_of(span, side(ray, outline->corners[i], outline->corners[(i + 1) % count],
                                     outline->normals[i], shape->radius));
  for (int i = 0; i < count && shape->radius > 0; i++)
    span = rg_ray_hull_of(span, rg_ray_ball(ray, outline->corners[i], shape->radius));
  return rg_ray_solid(ray, span, out);
}
