// ray.c - from a ray in the world to the answer of a kind.
//
// The origin of a ray may be far from the shape. Products of such distances would cost digits, so that
// the ray first goes on to the ball about the shape: from there all numbers are of the size of the
// shape, and the only error left is the rounding of the origin itself.
#include "shape/ray/ray.h"

#include "shape/shape.h"

// Of the extent: the ball is a little larger, so that rounding does not put its surface inside.
static const double MARGIN = 1e-6;

// How far the ray may go before it can meet a ball about the origin; negative when it never does.
static double way_to_ball(const rgRay* ray, double radius) {
  double middle = -v3_dot(ray->origin, ray->direction);
  rgVec3 nearest = v3_axpy(ray->origin, middle, ray->direction);
  double apart = v3_norm(nearest);
  if (apart > radius || middle < -radius)
    return -1;
  double half = sqrt((radius - apart) * (radius + apart));
  return middle > half ? middle - half : 0;
}

bool rg_ray_shape(const rgShape* shape, rgPose pose, const rgRay* ray, rgRayTouch* out) {
  rgRay own = {pose_unapply(pose, ray->origin), quat_unrotate(pose.orientation, ray->direction),
               ray->length};
  double way = isfinite(shape->extent) ? way_to_ball(&own, shape->extent * (1 + MARGIN)) : 0;
  if (way < 0 || way > own.length)
    return false;
  own.origin = v3_axpy(own.origin, way, own.direction);
  own.length -= way;
  if (!rg_shape_info(shape->kind)->ray(shape, &own, out))
    return false;
  out->distance += way;
  out->normal = out->inside ? v3_neg(ray->direction) : quat_rotate(pose.orientation, out->normal);
  return out->distance <= ray->length;
}

bool rg_ray_solid(const rgRay* ray, rgRaySpan span, rgRayTouch* out) {
  if (!(span.enter <= span.leave) || span.leave < 0 || span.enter > ray->length)
    return false;
  bool inside = span.enter < 0;
  *out = (rgRayTouch){inside ? 0 : span.enter, inside ? v3_neg(ray->direction) : span.normal,
                      inside, 0};
  return true;
}

bool rg_ray_surface(const rgRay* ray, double distance, rgVec3 normal, rgRayTouch* out) {
  if (!(distance >= 0 && distance <= ray->length))
    return false;
  bool behind = v3_dot(normal, ray->direction) > 0;
  *out = (rgRayTouch){distance, behind ? v3_neg(normal) : normal, false, 0};
  return true;
}
