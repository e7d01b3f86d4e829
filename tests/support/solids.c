// solids.c - what solids.h promises. Formulas with the C library, in the order of the text books.
#include "solids.h"

#include <string.h>

enum {
  SPHERE,
  BOX,
  ROUND_BOX,
  CAPSULE,
  CYLINDER,
  ELLIPSOID,
  HULL,
  ROUND_HULL,
  SUPER,
  CONE,
  FRUSTUM,
  LENS,
  DOME,
  MEET,
  FUNCTION,
  KINDS
};

static const char* const names[KINDS] = {
    "sphere",    "box",  "round box",  "capsule",        "cylinder",
    "ellipsoid", "hull", "round hull", "superellipsoid", "cone",
    "frustum",   "lens", "dome",       "intersection",   "function"};
static const rgShapeKind kinds[KINDS] = {
    RG_SHAPE_SPHERE,    RG_SHAPE_BOX,  RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,        RG_SHAPE_CYLINDER,
    RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL, RG_SHAPE_HULL, RG_SHAPE_SUPERELLIPSOID, RG_SHAPE_CONE,
    RG_SHAPE_CONE,      RG_SHAPE_LENS, RG_SHAPE_LENS, RG_SHAPE_INTERSECTION,   RG_SHAPE_FUNCTION};

int solid_kinds(void) { return KINDS; }
const char* solid_name(int kind) { return names[kind]; }

static double (*draw)(void);
static double between(double low, double high) { return low + (high - low) * draw(); }
static rgVec3 vector_within(double low, double high) {
  double x = between(low, high), y = between(low, high), z = between(low, high);
  return v3(x, y, z);
}

// --- Functions and intersections -----------------------------------------------------------------

static rgPose turned_pose(double shift) {
  rgVec3 at = vector_within(-shift, shift), v = vector_within(-1, 1);
  return (rgPose){at, quat_unit((rgQuat){1, v.x, v.y, v.z})};
}

static double value_of(void* context, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  const Solid* solid = context;
  rgVec3 h = solid->def.half, p = pose_unapply(solid->turned, x),
         y = v3(p.x / (h.x * h.x), p.y / (h.y * h.y), p.z / (h.z * h.z));
  double s = v3_dot(p, y);
  rgVec3 g = quat_rotate(solid->turned.orientation, v3_scale(y, 2)); // of s
  rgMat3 r = m3_from_quat(solid->turned.orientation), rt = m3_transpose(&r),
         d = m3_diag(2 / (h.x * h.x), 2 / (h.y * h.y), 2 / (h.z * h.z)), hs = m3_mul(&r, &d);
  hs = m3_mul(&hs, &rt);
  *gradient = v3_scale(g, 1 + 2 * s);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      hessian->m[i][k] = (1 + 2 * s) * hs.m[i][k] + 2 * v3_get(g, i) * v3_get(g, k);
  return s + s * s - 2;
}

static void make_function(Solid* solid) {
  solid->turned = turned_pose(0.3);
  rgVec3 far = v3(2.5, 2.5, 2.5); // |c| + the longest half axis, and some
  solid->function =
      (rgConvexFunction){.value = value_of, .context = solid, .bounds = {v3_neg(far), far}};
  solid->def.function = &solid->function;
}

// Each member holds the ball of the radius INNER about the origin.
static const double INNER = 0.15;

static void make_meet(Solid* solid) {
  solid->def.members = solid->members;
  solid->def.member_count = 2 + (int)(draw() * (SOLID_MEMBERS - 1));
  for (int i = 0; i < solid->def.member_count; i++) {
    rgShapeDef* m = &solid->members[i];
    *m = rg_shape_def(i == 0 || i == 3   ? RG_SHAPE_SPHERE
                      : i == 1 || i == 4 ? RG_SHAPE_ELLIPSOID
                                         : RG_SHAPE_HALFSPACE);
    m->radius = between(0.6, 1.2);
    m->half = vector_within(0.5, 1.2);
    m->pose = turned_pose(0.2); // |c| <= 0.35 <= the least half axis - INNER
    if (m->kind == RG_SHAPE_HALFSPACE)
      m->pose.position = v3_scale(quat_rotate(m->pose.orientation, v3(0, 0, 1)), between(INNER, 1));
  }
}

static rgVec3 half_of(const rgShapeDef* m) {
  return m->kind == RG_SHAPE_SPHERE ? v3(m->radius, m->radius, m->radius) : m->half;
}

// Largest of d.x over an ellipsoid, and where.
static double ellipsoid_reach(rgVec3 half, rgPose pose, rgVec3 d, rgVec3* at) {
  rgVec3 own = quat_unrotate(pose.orientation, d), scaled = v3_mul(half, own);
  *at = pose_apply(pose, v3_scale(v3_mul(half, scaled), 1 / v3_norm(scaled)));
  return v3_dot(d, pose.position) + v3_norm(scaled);
}

static double ellipsoid_outside(rgVec3 h, rgPose pose, rgVec3 x, rgVec3* normal) {
  rgVec3 own = pose_unapply(pose, x), y = v3(own.x / h.x, own.y / h.y, own.z / h.z),
         g = v3(y.x / h.x, y.y / h.y, y.z / h.z);
  *normal = quat_rotate(pose.orientation, v3_scale(g, 1 / v3_norm(g)));
  return (v3_dot(y, y) - 1) / (2 * v3_norm(g));
}

static double member_outside(const rgShapeDef* m, rgVec3 x, rgVec3* normal) {
  *normal = quat_rotate(m->pose.orientation, v3(0, 0, 1));
  if (m->kind == RG_SHAPE_HALFSPACE)
    return v3_dot(*normal, v3_sub(x, m->pose.position));
  return ellipsoid_outside(half_of(m), m->pose, x, normal);
}

// n is the normal of the half-space, or any direction for the others.
static double member_reach(const rgShapeDef* m, rgVec3 n) {
  rgVec3 at;
  return m->kind == RG_SHAPE_HALFSPACE ? v3_dot(n, m->pose.position)
                                       : ellipsoid_reach(half_of(m), m->pose, n, &at);
}

// Length of the ray from the origin along d within a member.
static double member_exit(const rgShapeDef* m, rgVec3 d) {
  rgVec3 o = pose_unapply(m->pose, v3_zero()), e = quat_unrotate(m->pose.orientation, d),
         h = half_of(m);
  if (m->kind == RG_SHAPE_HALFSPACE)
    return e.z > 0 ? -o.z / e.z : HUGE_VAL;
  o = v3(o.x / h.x, o.y / h.y, o.z / h.z);
  e = v3(e.x / h.x, e.y / h.y, e.z / h.z);
  double a = v3_dot(e, e), b = v3_dot(o, e), c = v3_dot(o, o) - 1;
  return (sqrt(b * b - a * c) - b) / a;
}

static rgVec3 meet_point(const Solid* solid, rgVec3 d) {
  double least = HUGE_VAL;
  for (int i = 0; i < solid->def.member_count; i++)
    least = fmin(least, member_exit(&solid->members[i], d));
  return v3_scale(d, least);
}

// d = l_1 n_1 + .. + rest with l >= 0 of up to three of the normals; the bound of d.x that this gives.
static double bound_by(const double* reach, const rgVec3* n, const int* chosen, int count,
                       rgVec3 d) {
  double l[3] = {0, 0, 0}, sum = 0;
  rgVec3 a = n[chosen[0]], b = n[chosen[count > 1]], c = n[chosen[count > 2 ? 2 : 0]], rest = d;
  if (count == 1) {
    l[0] = v3_dot(a, d);
  } else {
    c = count == 2 ? v3_cross(a, b) : c;
    double det = v3_dot(a, v3_cross(b, c));
    l[0] = v3_dot(d, v3_cross(b, c)) / det;
    l[1] = v3_dot(d, v3_cross(c, a)) / det;
    l[2] = count == 2 ? 0 : v3_dot(d, v3_cross(a, b)) / det;
  }
  for (int i = 0; i < count; i++) {
    if (!(l[i] >= 0))
      return HUGE_VAL;
    rest = v3_axpy(rest, -l[i], n[chosen[i]]);
    sum += l[i] * reach[chosen[i]];
  }
  return sum + 1.6 * v3_norm(rest); // all is within the ball of member 0: 1.2 + 0.35 and less
}

// d.x = l_1 n_1.x + .. <= l_1 h_1(n_1) + .. for all x of the intersection: weak duality, whatever the n.
// Those of the members that `near` is on make the bound sharp.
static double meet_reach(const Solid* solid, rgVec3 d, rgVec3 near) {
  double reach[SOLID_MEMBERS], best = HUGE_VAL;
  rgVec3 n[SOLID_MEMBERS];
  int count = 0;
  for (int i = 0; i < solid->def.member_count; i++)
    if (fabs(member_outside(&solid->members[i], near, &n[count])) <= 1e-6) {
      reach[count] = member_reach(&solid->members[i], n[count]);
      count++;
    }
  for (int i = 0; i < count; i++)
    for (int j = i; j < count; j++)
      for (int k = j; k < count; k++) {
        int chosen[3] = {i, j, k}, size = j == i ? 1 : k == j ? 2 : 3;
        if (!(j == i && k > j))
          best = fmin(best, bound_by(reach, n, chosen, size, d));
      }
  return best;
}

// The gauge g of a set with the ball of the radius INNER: g(v) <= |v| / INNER. For u = w_1 u_1 + w_2 u_2 +
// w_3 u_3 with sum w <= 1/cos(theta) the hull of the points of the u_i has the gauge
// sum w g(u_i) <= (g(u) + theta/INNER)/cos(theta) at most, so that of the length r = 1/g(u) no more is missed than
// r^2 times what this is above g(u).
double solid_missed(const Solid* solid, double theta, double radius) {
  if (solid->def.kind != RG_SHAPE_INTERSECTION)
    return 2 * radius * theta;
  double r =
      radius / cos(theta); // the solid itself reaches no farther than its hull and the angle allow
  return r * (1 / cos(theta) - 1) + r * r * theta / (INNER * cos(theta));
}

void solid_make(Solid* solid, int kind, double (*uniform)(void)) {
  draw = uniform;
  rgShapeDef* def = &solid->def;
  *def = rg_shape_def(kinds[kind]);
  def->radius = between(0.2, 1);
  def->half_length = between(0.2, 1.5);
  def->half = vector_within(0.2, 1.2);
  def->points = solid->points;
  def->point_count = 5 + (int)(between(0, 1) * (SOLID_POINTS - 5));
  for (int i = 0; i < SOLID_POINTS; i++)
    solid->points[i] = vector_within(-1, 1);
  if (kind == ROUND_BOX)
    def->rounding = 0.19;
  if (kind == ROUND_HULL)
    def->rounding = between(0.05, 0.4);
  if (kind == SUPER) {
    def->parameters[0] = between(2, 8);
    def->parameters[1] = between(2, 8);
  }
  if (kind == LENS || kind == DOME) {
    def->parameters[0] = between(0.1, 2) * def->radius;
    def->parameters[1] =
        kind == DOME ? 0 : between(0.05, 1) * def->radius * def->radius / def->parameters[0];
  }
  if (kind == FRUSTUM)
    def->parameters[0] = between(0.05, 1);
  if (kind == MEET)
    make_meet(solid);
  if (kind == FUNCTION)
    make_function(solid);
}

// --- Formulas ------------------------------------------------------------------------------------

static double norm2(double x, double y) { return sqrt(x * x + y * y); }

// The ball of a cap of a lens; a flat one is on a ball so large that it is flat to rounding of what matters
// here, and is not asked for.
static rgVec3 cap_center(const rgShapeDef* def, int i, double* radius) {
  double h = def->parameters[i], q = def->radius;
  *radius = (q * q + h * h) / (2 * h);
  return v3(0, 0, i == 0 ? h - *radius : *radius - h);
}

// The farthest point of the two balls is on one of them and in the other, or on the rim.
static rgVec3 lens_point(const rgShapeDef* def, rgVec3 d, rgVec3 e) {
  for (int i = 0; i < 2; i++) {
    double r, side = i == 0 ? 1 : -1;
    if (!(def->parameters[i] > 0))
      continue;
    rgVec3 c = cap_center(def, i, &r), p = v3_axpy(c, r, d);
    if (p.z * side >= 0)
      return p;
  }
  return v3_scale(e, def->radius);
}

// Largest of d.x over the sharp core.
static double core_reach(const Solid* solid, rgVec3 d, rgVec3* at) {
  const rgShapeDef* def = &solid->def;
  rgVec3 h = def->half;
  double r = def->radius, l = def->half_length, across = norm2(d.x, d.y), most = -HUGE_VAL;
  rgVec3 e = across > 0 ? v3(d.x / across, d.y / across, 0) : v3_zero(), p = v3_zero();
  switch (def->kind) {
  case RG_SHAPE_SPHERE:
    break;
  case RG_SHAPE_BOX:
    h = v3_sub(h, v3(def->rounding, def->rounding, def->rounding));
    p = v3(copysign(h.x, d.x), copysign(h.y, d.y), copysign(h.z, d.z));
    break;
  case RG_SHAPE_CAPSULE:
    p = v3(0, 0, copysign(l, d.z));
    break;
  case RG_SHAPE_CYLINDER:
    p = v3(r * e.x, r * e.y, copysign(l, d.z));
    break;
  case RG_SHAPE_CONE: {
    rgVec3 low = v3(r * e.x, r * e.y, -l),
           top = v3(def->parameters[0] * e.x, def->parameters[0] * e.y, l);
    p = v3_dot(d, low) > v3_dot(d, top) ? low : top;
    break;
  }
  case RG_SHAPE_LENS:
    p = lens_point(def, d, e);
    break;
  case RG_SHAPE_ELLIPSOID: {
    double s = v3_norm(v3_mul(h, d));
    p = v3_scale(v3_mul(v3_mul(h, h), d), 1 / s);
    break;
  }
  case RG_SHAPE_FUNCTION:
    return ellipsoid_reach(h, solid->turned, d, at);
  case RG_SHAPE_HULL:
    for (int i = 0; i < def->point_count; i++)
      if (v3_dot(d, def->points[i]) > most) {
        most = v3_dot(d, def->points[i]);
        p = def->points[i];
      }
    break;
  case RG_SHAPE_SUPERELLIPSOID: {
    // The dual norm with exponents q = p / (p - 1); its gradient is the point.
    double q = def->parameters[0] / (def->parameters[0] - 1),
           s = def->parameters[1] / (def->parameters[1] - 1);
    double u = fabs(h.x * d.x), v = fabs(h.y * d.y), w = fabs(h.z * d.z);
    double k = pow(pow(u, q) + pow(v, q), 1 / q), t = pow(pow(k, s) + pow(w, s), 1 / s);
    double outer = k > 0 ? pow(k / t, s - 1) : 0;
    p.x = k > 0 ? copysign(h.x * outer * pow(u / k, q - 1), d.x) : 0;
    p.y = k > 0 ? copysign(h.y * outer * pow(v / k, q - 1), d.y) : 0;
    p.z = copysign(h.z * pow(w / t, s - 1), d.z);
    break;
  }
  default:
    break;
  }
  *at = p;
  return v3_dot(d, p);
}

static double margin(const Solid* solid) {
  rgShapeKind kind = solid->def.kind;
  return kind == RG_SHAPE_SPHERE || kind == RG_SHAPE_CAPSULE ? solid->def.radius
                                                             : solid->def.rounding;
}

rgVec3 solid_point(const Solid* solid, rgVec3 d) {
  rgVec3 p;
  if (solid->def.kind == RG_SHAPE_INTERSECTION)
    return meet_point(solid, d);
  core_reach(solid, d, &p);
  return v3_axpy(p, margin(solid), d);
}

double solid_reach(const Solid* solid, rgVec3 d, rgVec3 near) {
  rgVec3 p;
  if (solid->def.kind == RG_SHAPE_INTERSECTION)
    return meet_reach(solid, d, near);
  return core_reach(solid, d, &p) + margin(solid);
}

static double beyond(double x, double limit) { return fmax(0, fabs(x) - limit); }

double solid_outside(const Solid* solid, rgVec3 x) {
  const rgShapeDef* def = &solid->def;
  rgVec3 normal;
  double outside = -HUGE_VAL;
  rgVec3 h = def->half;
  double r = def->radius, l = def->half_length, rho = norm2(x.x, x.y);
  switch (def->kind) {
  case RG_SHAPE_SPHERE:
    return v3_norm(x) - r;
  case RG_SHAPE_BOX: {
    double c = def->rounding;
    rgVec3 out = v3(beyond(x.x, h.x - c), beyond(x.y, h.y - c), beyond(x.z, h.z - c));
    double inside = fmax(fabs(x.x) - h.x, fmax(fabs(x.y) - h.y, fabs(x.z) - h.z));
    return v3_norm(out) > 0 ? v3_norm(out) - c : inside;
  }
  case RG_SHAPE_CAPSULE:
    return v3_norm(v3(x.x, x.y, beyond(x.z, l))) - r;
  case RG_SHAPE_CYLINDER:
    return fmax(rho - r, fabs(x.z) - l);
  case RG_SHAPE_CONE: {
    double top = def->parameters[0], at = r + (top - r) * (x.z + l) / (2 * l),
           slope = (top - r) / (2 * l);
    return fmax((rho - at) / sqrt(1 + slope * slope), fabs(x.z) - l);
  }
  case RG_SHAPE_LENS: {
    double most = -HUGE_VAL;
    for (int i = 0; i < 2; i++) {
      double radius = 0, flat = i == 0 ? x.z : -x.z;
      rgVec3 c = def->parameters[i] > 0 ? cap_center(def, i, &radius) : v3_zero();
      most = fmax(most, def->parameters[i] > 0 ? v3_norm(v3_sub(x, c)) - radius : flat);
    }
    return most;
  }
  case RG_SHAPE_ELLIPSOID: {
    rgVec3 y = v3(x.x / h.x, x.y / h.y, x.z / h.z), g = v3(y.x / h.x, y.y / h.y, y.z / h.z);
    return (v3_dot(y, y) - 1) / (2 * v3_norm(g));
  }
  case RG_SHAPE_SUPERELLIPSOID: {
    double p = def->parameters[0], s = def->parameters[1];
    double m = pow(pow(fabs(x.x / h.x), p) + pow(fabs(x.y / h.y), p), 1 / p);
    return (pow(pow(m, s) + pow(fabs(x.z / h.z), s), 1 / s) - 1) * fmin(h.x, fmin(h.y, h.z));
  }
  case RG_SHAPE_FUNCTION:
    return ellipsoid_outside(h, solid->turned, x, &normal);
  case RG_SHAPE_INTERSECTION:
    for (int i = 0; i < def->member_count; i++)
      outside = fmax(outside, member_outside(&solid->members[i], x, &normal));
    return outside;
  default:
    return (double)NAN; // a hull is known by its corners
  }
}
