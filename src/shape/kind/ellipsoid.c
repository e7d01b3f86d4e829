// ellipsoid.c - an ellipsoid about the origin with its semi-axes along x, y, z.
#include "shape/check.h"
#include "shape/kinds.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  return rg_check_positive3(def->half, "half", message);
}

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

const rgShapeInfo rg_shape_info_ellipsoid = {
    .kind = RG_SHAPE_ELLIPSOID,
    .name = "ellipsoid",
    .summary = "ellipsoid given by its three semi-axes",
    .solid = true,
    .convex = true,
    .check = check,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
};
