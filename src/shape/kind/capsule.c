// capsule.c - all points within a radius of a segment: along z in space, along x in the plane of a
// 2D world.
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/rim.h"
#include "shape/solid/feature.h"
#include "shape/solid/outline.h"

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  (void)scratch, (void)message;
  *extra_size = def->planar ? rg_outline_size(2) : 0;
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch;
  shape->radius = def->radius;
  shape->half_length = def->half_length;
  if (def->planar) {
    rgVec3 ends[2] = {{-def->half_length, 0, 0}, {def->half_length, 0, 0}};
    rg_outline_build(shape, ends, 2, memory);
    return;
  }
  shape->extent = def->radius + def->half_length;
  shape->size = def->radius;
}

// Rectangle and two half-disks. A half-disk has its centre 4 r / (3 pi) from its flat side; moving
// it out by h adds m (h^2 + 8 r h / (3 pi)) to the moment about the centre of that side.
static rgMassProperties planar_mass(double r, double h) {
  double rectangle = 4 * h * r, disk = RG_PI * r * r;
  double moment =
      rectangle * (h * h + r * r) / 3 + disk * (0.5 * r * r + h * h + 8 * r * h / (3 * RG_PI));
  return rg_outline_mass(rectangle + disk, v3_zero(), moment);
}

// Cylinder and two half-balls. A half-ball has its centre 3/8 r from its flat side and, about the
// centre of that side, the inertia of a ball of its mass; moving it out by h adds m (h^2 + 3/4 r h)
// across the axis.
static void mass(const rgShape* shape, rgMassProperties* out) {
  double r = shape->radius, h = shape->half_length;
  if (shape->outline) {
    *out = planar_mass(r, h);
    return;
  }
  double cylinder = 2 * RG_PI * r * r * h;
  double ball = 4.0 / 3.0 * RG_PI * r * r * r;
  double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
  double across =
      cylinder * (0.25 * r * r + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * r * h);
  *out = (rgMassProperties){cylinder + ball, v3_zero(), m3_diag(across, across, along)};
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  if (shape->outline)
    return rg_outline_bounds(shape, pose);
  rgVec3 axis = v3_abs(quat_rotate(pose.orientation, v3(0, 0, shape->half_length)));
  rgVec3 half = v3_add(axis, v3(shape->radius, shape->radius, shape->radius));
  return rg_bounds_about(pose.position, half);
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  if (shape->outline)
    return rg_outline_support(shape, d);
  rgVec3 point = v3_scale(d, shape->radius / v3_norm(d));
  point.z += d.z < 0 ? -shape->half_length : shape->half_length;
  return point;
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 axis = quat_rotate(pose.orientation, v3(0, 0, shape->half_length));
  rgVec3 low = v3_sub(pose.position, axis), high = v3_add(pose.position, axis);
  double along = v3_dot(axis, d) / shape->half_length;
  if (!(fabs(along) <= RG_FEATURE_TILT)) {
    rg_feature_point(out, v3_axpy(along > 0 ? high : low, shape->radius, d));
    return;
  }
  rgVec3 side = v3_axpy(d, -along / shape->half_length, axis);
  side = v3_scale(side, shape->radius / v3_norm(side));
  rg_feature_segment(out, v3_add(low, side), v3_add(high, side));
  out->points[along > 0] = v3_axpy(along > 0 ? high : low, shape->radius, d);
}

static bool single(const rgShape* shape, rgVec3 d) {
  (void)shape;
  return fabs(d.z) > RG_RIM_TILT;
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  double radius = shape->radius, half_length = shape->half_length;
  rgVec3 q = v3(0, 0, x.z < -half_length ? -half_length : x.z > half_length ? half_length : x.z);
  rgVec3 d = v3_sub(x, q);
  double distance = v3_norm(d);
  rgVec3 n = distance > 0 ? v3_scale(d, 1 / distance) : v3(1, 0, 0);
  return (rgFoot){distance - radius, n, v3_axpy(q, radius, n)};
}

// The balls at the ends and the cylinder between them: together convex.
static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  if (shape->outline)
    return rg_ray_outline(shape, ray, out);
  double h = shape->half_length;
  rgRaySpan side = rg_ray_common(rg_ray_pipe(ray, shape->radius), rg_ray_slab(ray, v3(0, 0, 1), h));
  rgRaySpan ends = rg_ray_hull_of(rg_ray_ball(ray, v3(0, 0, -h), shape->radius),
                                  rg_ray_ball(ray, v3(0, 0, h), shape->radius));
  return rg_ray_solid(ray, rg_ray_hull_of(ends, side), out);
}

const rgShapeInfo rg_shape_info_capsule = {
    .kind = RG_SHAPE_CAPSULE,
    .name = "capsule",
    .summary = "cylinder along z with half-balls on both ends; in a 2D world flat and along x",
    .parameters = {&rg_parameter_radius, &rg_parameter_half_length},
    .solid = true,
    .convex = true,
    .any_dimension = true,
    .prepare = prepare,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = feature,
    .single = single,
    .foot = foot,
    .core = RG_CORE_AXIS,
    .ray = ray,
};
