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
  KINDS
};

static const char* const names[KINDS] = {
    "sphere",         "box",  "round box", "capsule", "cylinder", "ellipsoid", "hull", "round hull",
    "superellipsoid", "cone", "frustum",   "lens",    "dome"};
static const rgShapeKind kinds[KINDS] = {
    RG_SHAPE_SPHERE,    RG_SHAPE_BOX,  RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,        RG_SHAPE_CYLINDER,
    RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL, RG_SHAPE_HULL, RG_SHAPE_SUPERELLIPSOID, RG_SHAPE_CONE,
    RG_SHAPE_CONE,      RG_SHAPE_LENS, RG_SHAPE_LENS};

int solid_kinds(void) { return KINDS; }
const char* solid_name(int kind) { return names[kind]; }

static double (*draw)(void);
static double between(double low, double high) { return low + (high - low) * draw(); }
static rgVec3 vector_within(double low, double high) {
  double x = between(low, high), y = between(low, high), z = between(low, high);
  return v3(x, y, z);
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
  core_reach(solid, d, &p);
  return v3_axpy(p, margin(solid), d);
}

double solid_reach(const Solid* solid, rgVec3 d, rgVec3 near) {
  (void)near;
  rgVec3 p;
  return core_reach(solid, d, &p) + margin(solid);
}

static double beyond(double x, double limit) { return fmax(0, fabs(x) - limit); }

double solid_outside(const Solid* solid, rgVec3 x) {
  const rgShapeDef* def = &solid->def;
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
  default:
    return NAN; // a hull is known by its corners
  }
}
