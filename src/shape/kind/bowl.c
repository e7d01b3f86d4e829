// bowl.c - the inside of a sphere or an ellipsoid up to a rim; in the plane of a 2D world the inside of
// a circle.
//
// The centre is the origin, and the surface is where z <= rim (2D: y <= rim). A rim of the radius or
// more is none: the whole sphere. Stretched along its axes the sphere is an ellipsoid, whose distance
// is found by Newton's method (foot.c). Rims are circles (shape/wall.h), so that an ellipsoid with a rim
// is stretched alike along x and y.
#include "base/message.h"
#include "math/trig.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/foot.h"

#include <stddef.h>

static const rgShapeParameter rim = {
    "rim",
    RG_PARAMETER_REALS,
    .offset = offsetof(rgShapeDef, parameters),
    .count = 1,
    .lower = -HUGE_VAL,
    .upper = HUGE_VAL,
    .unit = "m",
    .help =
        "z (2D: y) of the edge of a bowl, measured from the centre of its sphere. 0: a half "
        "sphere; between -`radius` and 0: a shallow bowl; between 0 and `radius`: one that is "
        "narrower at its edge than below; `radius` or more: a closed sphere around what is inside"};

static const rgShapeParameter stretch = {
    "stretch",
    RG_PARAMETER_REALS,
    .offset = offsetof(rgShapeDef, parameters[1]),
    .count = 3,
    .lower = 0.05,
    .upper = 20,
    .help =
        "makes a bowl an ellipsoid (3D only): its semi-axes along x, y and z are these numbers "
        "times `radius`, and `rim` is compared with the third of them. The first two must be equal "
        "unless the ellipsoid is closed. Default: [1, 1, 1], a sphere"};

static rgVec3 semi_axes(const rgShapeDef* def) {
  const double* factor = &def->parameters[1];
  double one[3];
  for (int i = 0; i < 3; i++)
    one[i] = def->radius * (factor[i] == 0 ? 1 : factor[i]);
  return v3(one[0], one[1], one[2]);
}

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!(def->radius > 0))
    return true; // the range of the radius is checked for all kinds
  rgVec3 half = semi_axes(def);
  double height = def->parameters[0], depth = half.z;
  if (def->planar && !(half.x == def->radius && half.y == def->radius && half.z == def->radius))
    rg_fail(message, RG_ERROR_INPUT, "stretch is for worlds of three dimensions");
  else if (!(height > -depth))
    rg_fail(message, RG_ERROR_INPUT, "rim is %.9g, must be > %s = %.9g", height,
            depth == def->radius ? "-radius" : "-radius * stretch[2]", -depth);
  else if (half.x != half.y && height < depth)
    rg_fail(message, RG_ERROR_INPUT,
            "stretch along x and y is %.9g and %.9g, must be equal where there is a rim, or rim "
            ">= %.9g",
            half.x / def->radius, half.y / def->radius, depth);
  else
    return true;
  return false;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  rgVec3 half = semi_axes(def);
  shape->half = half;
  shape->radius = shape->extent = fmax(half.x, fmax(half.y, half.z));
  shape->size = fmin(half.x, fmin(half.y, half.z));
  shape->planar = def->planar;
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  double r = shape->radius;
  return rg_bounds_about(pose.position, v3(r, r, shape->planar ? 0 : r));
}

static bool is_round(const rgShape* shape) { return shape->size == shape->radius; }

static rgFoot foot(const rgShape* shape, rgVec3 x) {
  if (!is_round(shape)) {
    rgFoot outside = rg_foot_ellipsoid(shape->half, x);
    return (rgFoot){-outside.distance, v3_neg(outside.normal), outside.point};
  }
  double distance = v3_norm(x), r = shape->radius;
  rgVec3 fallback = shape->planar ? v3(0, -1, 0) : v3(0, 0, -1);
  rgVec3 out = distance > 0 ? v3_scale(x, 1 / distance) : fallback;
  return (rgFoot){r - distance, v3_neg(out), v3_scale(out, r)};
}

static int rims(const rgShape* shape, rgWallRim out[RG_WALL_RIMS_MAX]) {
  double c = shape->half.z, height = shape->parameters[0];
  if (height >= c)
    return 0;
  double radius = sqrt((c - height) * (c + height));
  out[0] = (rgWallRim){is_round(shape) ? radius : radius * (shape->half.x / c), height, 0, 1};
  return 1;
}

// From the lowest point to the rim in equal angles of the sphere.
static rgVec3 place(const rgShape* shape, double u, double v) {
  double c = shape->half.z, height = shape->parameters[0] < c ? shape->parameters[0] : c;
  double full = rg_atan2(sqrt((c - height) * (c + height)), -height);
  double down = shape->planar ? full * (2 * u - 1) : full * v, around = 2 * RG_PI * u;
  double sin = rg_sin(down), along = -c * rg_cos(down);
  return shape->planar ? v3(c * sin, along, 0)
                       : v3(shape->half.x * sin * rg_cos(around),
                            shape->half.y * sin * rg_sin(around), along);
}

static const rgWall wall = {.foot = foot, .rims = rims, .place = place};

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgVec3 s = v3(1 / shape->half.x, 1 / shape->half.y, 1 / shape->half.z);
  rgVec3 d = v3_mul(ray->direction, s);
  double faster = is_round(shape) ? 1 : v3_norm(d);
  rgRay scaled = {v3_mul(ray->origin, s), v3_scale(d, 1 / faster), HUGE_VAL};
  rgRaySpan span = is_round(shape) ? rg_ray_ball(ray, v3_zero(), shape->radius)
                                   : rg_ray_ball(&scaled, v3_zero(), 1);
  const double places[2] = {span.enter / faster, span.leave / faster};
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
    .summary = "inside of a sphere or an ellipsoid below a rim across z; in a 2D world of a circle "
               "below a rim across y; for bodies that do not move freely",
    .parameters = {&rg_parameter_radius, &rim, &stretch},
    .optional = 1u << 1 | 1u << 2,
    .any_dimension = true,
    .check = check,
    .build = build,
    .bounds = bounds,
    .wall = &wall,
    .ray = ray,
};
