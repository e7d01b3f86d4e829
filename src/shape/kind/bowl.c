// bowl.c - the inside of a sphere up to a rim; in the plane of a 2D world the inside of a circle.
//
// The centre is the origin, and the surface is where z <= rim (2D: y <= rim). A rim of the radius or
// more is none: the whole sphere.
#include "base/message.h"
#include "math/trig.h"
#include "shape/kinds.h"
#include "shape/parameters.h"

#include <stddef.h>

static const rgShapeParameter rim = {
    "rim",
    RG_PARAMETER_REALS,
    .offset = offsetof(rgShapeDef, parameters),
    .count = 1,
    .lower = -HUGE_VAL,
    .upper = HUGE_VAL,
    .unit = "m",
    .help = "height of the rim of a bowl above the centre of its sphere, along z (2D: along y): "
            "larger than -`radius`; 0 is a half sphere, and from `radius` on the sphere is whole"};

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!(def->radius > 0) || def->parameters[0] > -def->radius)
    return true; // the range of the radius is checked for all kinds
  rg_fail(message, RG_ERROR_INPUT, "rim is %.9g, must be > -radius = %.9g", def->parameters[0],
          -def->radius);
  return false;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  shape->radius = shape->extent = shape->size = def->radius;
  shape->planar = def->planar;
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  double r = shape->radius;
  return rg_bounds_about(pose.position, v3(r, r, shape->planar ? 0 : r));
}

static rgFoot foot(const rgShape* shape, rgVec3 x) {
  double distance = v3_norm(x), r = shape->radius;
  rgVec3 fallback = shape->planar ? v3(0, -1, 0) : v3(0, 0, -1);
  rgVec3 out = distance > 0 ? v3_scale(x, 1 / distance) : fallback;
  return (rgFoot){r - distance, v3_neg(out), v3_scale(out, r)};
}

static int rims(const rgShape* shape, rgWallRim out[RG_WALL_RIMS_MAX]) {
  double r = shape->radius, height = shape->parameters[0];
  if (height >= r)
    return 0;
  out[0] = (rgWallRim){sqrt((r - height) * (r + height)), height, 0, 1};
  return 1;
}

// From the lowest point to the rim in equal angles.
static rgVec3 place(const rgShape* shape, double u, double v) {
  double r = shape->radius, height = shape->parameters[0] < r ? shape->parameters[0] : r;
  double full = rg_atan2(sqrt((r - height) * (r + height)), -height);
  double down = shape->planar ? full * (2 * u - 1) : full * v, around = 2 * RG_PI * u;
  double across = r * rg_sin(down), along = -r * rg_cos(down);
  return shape->planar ? v3(across, along, 0)
                       : v3(across * rg_cos(around), across * rg_sin(around), along);
}

static const rgWall wall = {.foot = foot, .rims = rims, .place = place};

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgRaySpan span = rg_ray_ball(ray, v3_zero(), shape->radius);
  const double places[2] = {span.enter, span.leave};
  for (int i = 0; i < 2; i++) {
    rgVec3 x = v3_axpy(ray->origin, places[i], ray->direction);
    if (isfinite(places[i]) && (shape->planar ? x.y : x.z) <= shape->parameters[0] &&
        rg_ray_surface(ray, places[i], foot(shape, x).normal, out))
      return true;
  }
  return false;
}

const rgShapeInfo rg_shape_info_bowl = {
    .kind = RG_SHAPE_BOWL,
    .name = "bowl",
    .summary = "inside of a sphere below a rim across z; in a 2D world of a circle below a rim "
               "across y; for bodies that do not move freely",
    .parameters = {&rg_parameter_radius, &rim},
    .optional = 1u << 1,
    .any_dimension = true,
    .check = check,
    .build = build,
    .bounds = bounds,
    .wall = &wall,
    .ray = ray,
};
