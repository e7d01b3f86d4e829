// lens.c - the intersection of two balls, or of a ball and a half-space: a sharp rim with a cap above and
// one below.
//
// With the radius q of the rim, in the plane z = 0, and the heights h_i of the caps above (s = 1) and below
// (s = -1), the ball of a cap has
//   the radius R = (q^2 + h^2) / 2h   and the centre at   z = s (h - R);
// h = 0 is the half-space s z <= 0. The common set of both has these caps exactly when
//   h_1 h_2 <= q^2,
// with equality for the whole ball: the other ball then reaches as far as each cap. One cap may be higher
// than the rim is wide.
//
// Mass, closed form: above the rim the squared radius at height z is
//   R^2 - (z - c)^2 = q^2 + 2 c z - z^2,   2 c h = h^2 - q^2,
// and volume, moments along z and I_zz = pi/2 int (q^2 + 2 c z - z^2)^2 dz are polynomials of h and q,
// without the large radius of a flat cap.
//
// A foot is on one ball where it is inside the other, and on the rim otherwise.
#include "base/message.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/pieces.h"
#include "shape/smooth/quadric.h"
#include "shape/smooth/rim.h"
#include "shape/solid/feature.h"

#include <stddef.h>

static const rgShapeParameter caps = {
    "caps",
    RG_PARAMETER_REALS,
    .offset = offsetof(rgShapeDef, parameters),
    .count = 2,
    .lower = 0,
    .upper = HUGE_VAL,
    .unit = "m",
    .help = "thickness of a lens above and below its rim, a circle of `radius` in the plane z = 0: "
            "each side is a "
            "part of a sphere of that height. One of the two may be 0: that side is flat. Their "
            "product is at most "
            "`radius`^2; [`radius`, `radius`] is a ball, [`radius`, 0] a half ball"};

// One cap: s z <= 0 when the height is zero, else the ball about (0, 0, center).
typedef struct Cap {
  double sign, height, center, radius;
} Cap;

static Cap cap_of(const rgShape* shape, int i) {
  double s = i == 0 ? 1 : -1, h = shape->parameters[i], q = shape->radius;
  if (!(h > 0))
    return (Cap){s, 0, 0, HUGE_VAL};
  return (Cap){s, h, s * 0.5 * (h * h - q * q) / h, 0.5 * (q * q + h * h) / h};
}

static bool check(const rgShapeDef* def, rgMessage* message) {
  double q = def->radius, up = def->parameters[0], down = def->parameters[1];
  if (up == 0 && down == 0) {
    rg_fail(message, RG_ERROR_INPUT, "caps are both 0, one must be > 0");
    return false;
  }
  if (up > 0 && down > 0 && q > 0 && up * down > q * q) {
    rg_fail(
        message, RG_ERROR_INPUT,
        "caps are %.9g and %.9g, their product must be <= radius^2, %.9g: no two balls have both "
        "caps at one rim",
        up, down, q * q);
    return false;
  }
  return true;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch, (void)memory;
  double q = def->radius, up = def->parameters[0], down = def->parameters[1];
  shape->radius = q;
  double wide = q;
  for (int i = 0; i < 2; i++) {
    Cap cap = cap_of(shape, i);
    if (cap.height > q) // wider than its rim
      wide = fabs(cap.center) + cap.radius;
  }
  shape->extent = fmax(wide, fmax(up, down));
  shape->size = 0.5 * fmin(up + down, 2 * q);
}

// --- Mass ----------------------------------------------------------------------------------------

typedef struct Moments {
  double volume, first, second, about; // of z^0, z, z^2 and of x^2 + y^2
} Moments;

// With g = q^2 + 2 c z - z^2 for z = 0 .. h above the rim, 2 c h = h^2 - q^2.
static Moments cap_moments(double q, double h) {
  double q2 = q * q, h2 = h * h, e = h2 - q2; // 2 c h
  Moments m = {
      .volume = RG_PI * h * (q2 + e / 2 - h2 / 3),
      .first = RG_PI * h2 * (q2 / 2 + e / 3 - h2 / 4),
      .second = RG_PI * h2 * h * (q2 / 3 + e / 4 - h2 / 5),
      .about = 0.5 * RG_PI * h *
               (q2 * q2 + e * e / 3 + h2 * h2 / 5 + q2 * e - 2.0 / 3 * q2 * h2 - e * h2 / 2),
  };
  return m;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  Moments up = cap_moments(shape->radius, shape->parameters[0]);
  Moments down = cap_moments(shape->radius, shape->parameters[1]);
  double total = up.volume + down.volume, center = (up.first - down.first) / total;
  double about = up.about + down.about;
  double across = 0.5 * about + up.second + down.second - total * center * center;
  *out = (rgMassProperties){total, v3(0, 0, center), m3_diag(across, across, about)};
}

// --- Support -------------------------------------------------------------------------------------

static double across_of(rgVec3 d) { return sqrt(d.x * d.x + d.y * d.y); }

static rgVec3 rim_point(const rgShape* shape, rgVec3 d) {
  double across = across_of(d), s = across > 0 ? shape->radius / across : 0;
  return v3(s * d.x, s * d.y, 0);
}

// The cap whose ball is farthest along d on its own side of the rim; -1: the rim.
static int cap_along(const rgShape* shape, rgVec3 d) {
  double length = v3_norm(d);
  for (int i = 0; i < 2; i++) {
    Cap cap = cap_of(shape, i);
    if (cap.height > 0 ? cap.sign * (cap.center + cap.radius * (d.z / length)) > 0
                       : cap.sign * d.z > 0 && across_of(d) <= RG_RIM_TILT * length)
      return i;
  }
  return -1;
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  int i = cap_along(shape, d);
  if (i < 0)
    return rim_point(shape, d);
  Cap cap = cap_of(shape, i);
  if (!(cap.height > 0))
    return v3_norm2(v3(d.x, d.y, 0)) > 0 ? rim_point(shape, d) : v3_zero();
  return v3_axpy(v3(0, 0, cap.center), cap.radius / v3_norm(d), d);
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgMat3 r = m3_from_quat(pose.orientation);
  double upper[3], lower[3];
  for (int i = 0; i < 3; i++) {
    rgVec3 d = m3_row(&r, i);
    upper[i] = v3_dot(d, support(shape, d));
    lower[i] = v3_dot(d, support(shape, v3_neg(d)));
  }
  return (rgBounds){v3_add(pose.position, v3(lower[0], lower[1], lower[2])),
                    v3_add(pose.position, v3(upper[0], upper[1], upper[2]))};
}

static bool is_flat(const rgShape* shape, rgVec3 d) {
  return !(shape->parameters[d.z > 0 ? 0 : 1] > 0);
}

static void feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 own = quat_unrotate(pose.orientation, d);
  if (is_flat(shape, own) && across_of(own) <= RG_FEATURE_TILT)
    rg_rim_cap(pose, own, (rgRim){shape->radius, 0}, out);
  else
    rg_feature_point(out, pose_apply(pose, support(shape, own)));
}

static bool single(const rgShape* shape, rgVec3 d) {
  return !(is_flat(shape, d) && across_of(d) <= RG_RIM_TILT);
}

// --- Foot ----------------------------------------------------------------------------------------

static rgFoot cap_foot(Cap cap, rgVec3 x) {
  if (!(cap.height > 0))
    return (rgFoot){cap.sign * x.z, v3(0, 0, cap.sign), v3(x.x, x.y, 0)};
  rgVec3 d = v3(x.x, x.y, x.z - cap.center), n = v3_unit_or(d, v3(0, 0, cap.sign));
  return (rgFoot){v3_norm(d) - cap.radius, n, v3_axpy(v3(0, 0, cap.center), cap.radius, n)};
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  Cap up = cap_of(shape, 0), down = cap_of(shape, 1);
  rgFoot above = cap_foot(up, x), below = cap_foot(down, x);
  rgFoot nearer = above.distance > below.distance ? above : below;
  if (nearer.distance <= 0)
    return nearer;
  // On its ball a cap is on its own side of the rim.
  double q = shape->radius, rho = across_of(x);
  if (above.distance > 0 && (up.height > 0 ? above.point.z >= 0 : rho <= q))
    return above;
  if (below.distance > 0 && (down.height > 0 ? below.point.z <= 0 : rho <= q))
    return below;
  rgVec3 p = rho > 0 ? rim_point(shape, x) : v3(q, 0, 0), d = v3_sub(x, p);
  return (rgFoot){v3_norm(d), v3_unit_or(d, nearer.normal), p};
}

// --- Pieces --------------------------------------------------------------------------------------

static double piece(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  Cap cap = cap_of(shape, i);
  if (cap.height > 0)
    return rg_pieces_ball(v3(0, 0, cap.center), cap.radius, x, gradient, hessian);
  *gradient = v3(0, 0, cap.sign);
  *hessian = m3_zero();
  return cap.sign * x.z;
}

// From the centres of the balls to the line, and the shadow of the rim.
static void line_normals(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 direction,
                         rgLineNormals* out) {
  rgQuadric rim = rg_quadric(v3(shape->radius, shape->radius, 0), pose);
  *out = (rgLineNormals){1, 0, {rg_quadric_line_normal(&rim, x, direction)}};
  for (int i = 0; i < 2; i++) {
    Cap cap = cap_of(shape, i);
    rgVec3 apart = v3_sub(x, pose_apply(pose, v3(0, 0, cap.center)));
    if (cap.height > 0)
      out->normals[out->count++] =
          v3_unit_or(v3_axpy(apart, -v3_dot(apart, direction), direction), v3_zero());
  }
}

static rgRaySpan cap_span(Cap cap, const rgRay* ray) {
  return cap.height > 0 ? rg_ray_ball(ray, v3(0, 0, cap.center), cap.radius)
                        : rg_ray_halfspace(ray, v3(0, 0, cap.sign), 0);
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  rgRaySpan above = cap_span(cap_of(shape, 0), ray), below = cap_span(cap_of(shape, 1), ray);
  return rg_ray_solid(ray, rg_ray_common(above, below), out);
}

const rgShapeInfo rg_shape_info_lens = {
    .kind = RG_SHAPE_LENS,
    .name = "lens",
    .summary = "two spherical caps on one rim: the intersection of two balls; one cap may be flat",
    .parameters = {&rg_parameter_radius, &caps},
    .solid = true,
    .convex = true,
    .check = check,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = feature,
    .single = single,
    .foot = foot,
    .line_normals = line_normals,
    .pieces = {2, piece, NULL},
    .flat_axis = {0, 0, 1},
    .ray = ray,
};
