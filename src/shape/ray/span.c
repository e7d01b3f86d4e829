// span.c - the part of a ray that is inside a simple convex solid, in closed form.
#include "shape/ray/ray.h"

#include "shape/shape.h"

// With m = -(o - c) . d the ray is nearest to the centre at x = o + m d, and r^2 - |x - c|^2 is the
// square of half of the span: no difference of large squares.
rgRaySpan rg_ray_ball(const rgRay* ray, rgVec3 center, double radius) {
  rgVec3 o = v3_sub(ray->origin, center);
  double middle = -v3_dot(o, ray->direction);
  double apart = v3_norm(v3_axpy(o, middle, ray->direction));
  if (apart > radius)
    return rg_ray_nothing();
  double half = sqrt((radius - apart) * (radius + apart));
  rgVec3 at = v3_axpy(o, middle - half, ray->direction);
  return (rgRaySpan){middle - half, middle + half, v3_unit_or(at, v3_neg(ray->direction))};
}

// The same across z, in the plane.
rgRaySpan rg_ray_pipe(const rgRay* ray, double radius) {
  rgVec3 o = v3(ray->origin.x, ray->origin.y, 0), d = v3(ray->direction.x, ray->direction.y, 0);
  double steep = v3_norm(d);
  if (!(steep > 0)) {
    bool inside = v3_norm(o) <= radius;
    return inside ? (rgRaySpan){-HUGE_VAL, HUGE_VAL, v3_zero()} : rg_ray_nothing();
  }
  rgRay flat = {o, v3_scale(d, 1 / steep), HUGE_VAL};
  rgRaySpan span = rg_ray_ball(&flat, v3_zero(), radius);
  return (rgRaySpan){span.enter / steep, span.leave / steep, span.normal};
}

rgRaySpan rg_ray_slab(const rgRay* ray, rgVec3 normal, double half) {
  return rg_ray_common(rg_ray_halfspace(ray, normal, half),
                       rg_ray_halfspace(ray, v3_neg(normal), half));
}

rgRaySpan rg_ray_halfspace(const rgRay* ray, rgVec3 normal, double offset) {
  double along = v3_dot(normal, ray->direction), above = v3_dot(normal, ray->origin) - offset;
  if (along == 0)
    return above <= 0 ? (rgRaySpan){-HUGE_VAL, HUGE_VAL, v3_zero()} : rg_ray_nothing();
  double t = -above / along;
  return along < 0 ? (rgRaySpan){t, HUGE_VAL, normal} : (rgRaySpan){-HUGE_VAL, t, v3_zero()};
}

rgRaySpan rg_ray_common(rgRaySpan a, rgRaySpan b) {
  rgRaySpan span = a.enter >= b.enter ? a : b;
  span.leave = a.leave < b.leave ? a.leave : b.leave;
  return span;
}

rgRaySpan rg_ray_hull_of(rgRaySpan a, rgRaySpan b) {
  if (!(a.enter <= a.leave))
    return b;
  if (!(b.enter <= b.leave))
    return a;
  rgRaySpan span = a.enter <= b.enter ? a : b;
  span.leave = a.leave > b.leave ? a.leave : b.leave;
  return span;
}

rgRaySpan rg_ray_polyhedron(const rgRay* ray, const rgPolyhedron* polyhedron) {
  rgRaySpan span = {-HUGE_VAL, HUGE_VAL, v3_zero()};
  for (int f = 0; f < polyhedron->face_count && span.enter <= span.leave; f++)
    span =
        rg_ray_common(span, rg_ray_halfspace(ray, polyhedron->normals[f], polyhedron->offsets[f]));
  return span;
}

// Rounding of (b - o) / d is a few units in the last place of the result (Ize 2013).
static const double ROUNDING = 1e-15;

double rg_ray_bounds(const rgRay* ray, const rgBounds* box, double limit) {
  double enter = 0, leave = limit;
  for (int i = 0; i < 3; i++) {
    double o = v3_get(ray->origin, i), d = v3_get(ray->direction, i);
    double lower = v3_get(box->lower, i), upper = v3_get(box->upper, i);
    if (d == 0) {
      if (o < lower || o > upper)
        return -1;
      continue;
    }
    double near = ((d > 0 ? lower : upper) - o) / d, far = ((d > 0 ? upper : lower) - o) / d;
    near -= ROUNDING * fabs(near), far += ROUNDING * fabs(far);
    enter = near > enter ? near : enter;
    leave = far < leave ? far : leave;
  }
  return enter <= leave ? enter : -1;
}
