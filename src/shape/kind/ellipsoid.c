// ellipsoid.c - an ellipsoid about the origin with its semi-axes along x, y, z.
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/foot.h"
#include "shape/smooth/quadric.h"
#include "shape/solid/feature.h"

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  rgVec3 h = def->half;
  shape->half = h;
  shape->extent = v3_max_abs(h);
  shape->size = h.x < h.y ? h.x : h.y;
  shape->size = h.z < shape->size ? h.z : shape->size;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  rgVec3 h = shape->half;
  double m = 4.0 / 3.0 * RG_PI * h.x * h.y * h.z;
  double xx = 0.2 * m * h.x * h.x, yy = 0.2 * m * h.y * h.y, zz = 0.2 * m * h.z * h.z;
  *out = (rgMassProperties){m, v3_zero(), m3_diag(yy + zz, zz + xx, xx + yy)};
}

// The image of the unit ball under R diag(h) reaches |row i of R diag(h)| along axis i.
static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgMat3 r = m3_from_quat(pose.orientation);
  rgVec3 half =
      v3(v3_norm(v3_mul(m3_row(&r, 0), shape->half)), v3_norm(v3_mul(m3_row(&r, 1), shape->half)),
         v3_norm(v3_mul(m3_row(&r, 2), shape->half)));
  return rg_bounds_about(pose.position, half);
}

// x = H^2 d / |H d| with H = diag(h).
static rgVec3 support(const rgShape* shape, rgVec3 d) {
  rgVec3 scaled = v3_mul(shape->half, d);
  return v3_scale(v3_mul(shape->half, scaled), 1 / v3_norm(scaled));
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 ed = v3_mul(shape->half, quat_unrotate(pose.orientation, d));
  rg_feature_point(out, pose_apply(pose, v3_scale(v3_mul(shape->half, ed), 1 / v3_norm(ed))));
}

static bool single(const rgShape* shape, rgVec3 d) {
  (void)shape, (void)d;
  return true;
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  return rg_foot_ellipsoid(shape->half, x);
}

static void line_normals(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                         rgLineNormals* out) {
  rgQuadric q = rg_quadric(shape->half, pose);
  *out = (rgLineNormals){1, 0, {rg_quadric_line_normal(&q, x, direction)}};
}

// f = sum (x_i / h_i)^2 - 1.
static double value(const rgShape* shape, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  rgVec3 h = shape->half, s = v3(1 / (h.x * h.x), 1 / (h.y * h.y), 1 / (h.z * h.z));
  *gradient = v3_scale(v3_mul(s, x), 2);
  *hessian = m3_diag(2 * s.x, 2 * s.y, 2 * s.z);
  return v3_dot(v3_mul(s, x), x) - 1;
}

// A ball where lengths are measured in semi-axes.
static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgVec3 s = v3(1 / shape->half.x, 1 / shape->half.y, 1 / shape->half.z);
  rgVec3 d = v3_mul(ray->direction, s);
  double stretch = v3_norm(d);
  rgRay scaled = {v3_mul(ray->origin, s), v3_scale(d, 1 / stretch), HUGE_VAL};
  rgRaySpan span = rg_ray_ball(&scaled, v3_zero(), 1);
  span = (rgRaySpan){span.enter / stretch, span.leave / stretch,
                     v3_unit_or(v3_mul(span.normal, s), v3_neg(ray->direction))};
  return rg_ray_solid(ray, span, out);
}

const rgShapeInfo rg_shape_info_ellipsoid = {
    .kind = RG_SHAPE_ELLIPSOID,
    .name = "ellipsoid",
    .summary = "ellipsoid given by its three semi-axes",
    .parameters = {&rg_parameter_half},
    .solid = true,
    .convex = true,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = feature,
    .single = single,
    .foot = foot,
    .line_normals = line_normals,
    .value = value,
    .ray = ray,
};
