// tube.c - the inside of a circular cylinder along z, open at both ends or endless.
#include "math/trig.h"
#include "shape/kinds.h"
#include "shape/parameters.h"

// Half of the length that is drawn of an endless tube, in radii.
static const double DRAWN = 20;

static bool is_endless(const rgShape* shape) { return shape->half_length == 0; }

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  double r = def->radius, h = def->half_length;
  shape->radius = r;
  shape->half_length = h;
  shape->extent = h == 0 ? HUGE_VAL : sqrt(r * r + h * h);
  shape->size = r;
}

// As for the solid cylinder. An endless one is bounded across the axes that it is normal to exactly:
// the least tilt makes it reach any place along them.
static double half_along(const rgShape* shape, double along, double across2) {
  double far = is_endless(shape) ? (along == 0 ? 0 : HUGE_VAL) : shape->half_length * fabs(along);
  return far + shape->radius * sqrt(across2);
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgVec3 a = quat_rotate(pose.orientation, v3(0, 0, 1));
  double xx = a.x * a.x, yy = a.y * a.y, zz = a.z * a.z;
  rgVec3 half = v3(half_along(shape, a.x, yy + zz), half_along(shape, a.y, zz + xx),
                   half_along(shape, a.z, xx + yy));
  return rg_bounds_about(pose.position, half);
}

static rgFoot foot(const rgShape* shape, rgVec3 x) {
  double across = sqrt(x.x * x.x + x.y * x.y), r = shape->radius;
  rgVec3 out = across > 0 ? v3(x.x / across, x.y / across, 0) : v3(1, 0, 0);
  return (rgFoot){r - across, v3_neg(out), v3(r * out.x, r * out.y, x.z)};
}

static int rims(const rgShape* shape, rgWallRim out[RG_WALL_RIMS_MAX]) {
  if (is_endless(shape))
    return 0;
  out[0] = (rgWallRim){shape->radius, -shape->half_length, 0, -1};
  out[1] = (rgWallRim){shape->radius, shape->half_length, 0, 1};
  return 2;
}

static rgVec3 place(const rgShape* shape, double u, double v) {
  double h = is_endless(shape) ? DRAWN * shape->radius : shape->half_length;
  double angle = 2 * RG_PI * u;
  return v3(shape->radius * rg_cos(angle), shape->radius * rg_sin(angle), h * (2 * v - 1));
}

static const rgWall wall = {.foot = foot, .rims = rims, .place = place};

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgRaySpan span = rg_ray_pipe(ray, shape->radius);
  const double places[2] = {span.enter, span.leave};
  for (int i = 0; i < 2; i++) {
    rgVec3 x = v3_axpy(ray->origin, places[i], ray->direction);
    if (isfinite(places[i]) && (is_endless(shape) || fabs(x.z) <= shape->half_length) &&
        rg_ray_surface(ray, places[i], foot(shape, x).normal, out))
      return true;
  }
  return false;
}

const rgShapeInfo rg_shape_info_tube = {
    .kind = RG_SHAPE_TUBE,
    .name = "tube",
    .summary = "inside of a cylinder along z, open at both ends, or endless without a half length; "
               "for bodies that do not move freely",
    .parameters = {&rg_parameter_radius, &rg_parameter_half_length},
    .optional = 1u << 1,
    .build = build,
    .bounds = bounds,
    .wall = &wall,
    .ray = ray,
};
