// polygon.c - the convex hull of points in the plane, for 2D worlds.
//
// Area, centre and moment are sums over triangles (p0, p, q) about one corner p0, so that a polygon
// far from the origin of its frame loses no digits: with c = p x q,
//
//     A = sum c / 2,   S = sum c (p + q) / 6,   I = sum c (p.p + p.q + q.q) / 12,
//
// all relative to p0; the moment about the centre is I - A |S / A|^2.
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/outline.h"

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!rg_check_points(def, 3, RG_OUTLINE_MAX, message))
    return false;
  for (int i = 0; i < def->point_count; i++)
    if (def->points[i].z != 0) {
      rg_fail(message, RG_ERROR_INPUT, "points[%d] has z = %.9g, must be 0 in a 2D world", i,
              def->points[i].z);
      return false;
    }
  return true;
}

// The corners of the hull, as prepare leaves them for build.
typedef struct Scratch {
  int count;
  rgVec3 corners[];
} Scratch;

static size_t scratch_size(const rgShapeDef* def) {
  return sizeof(Scratch) + 3 * (size_t)def->point_count * sizeof(rgVec3);
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  Scratch* hull = scratch;
  hull->count = rg_outline_hull(def->points, def->point_count, hull->corners);
  if (hull->count < 3)
    return rg_fail(message, RG_ERROR_INPUT, "the points lie on a line, must span an area");
  *extra_size = rg_outline_size(hull->count);
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)def;
  const Scratch* hull = scratch;
  rg_outline_build(shape, hull->corners, hull->count, memory);
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  const rgOutline* outline = shape->outline;
  rgVec3 origin = outline->corners[0], first = v3_zero();
  double area = 0, second = 0;
  for (int i = 1; i + 1 < outline->count; i++) {
    rgVec3 p = v3_sub(outline->corners[i], origin), q = v3_sub(outline->corners[i + 1], origin);
    double c = p.x * q.y - p.y * q.x;
    area += c / 2;
    first = v3_axpy(first, c / 6, v3_add(p, q));
    second += c / 12 * (v3_norm2(p) + v3_dot(p, q) + v3_norm2(q));
  }
  rgVec3 center = v3_scale(first, 1 / area);
  *out = rg_outline_mass(area, v3_add(origin, center), second - area * v3_norm2(center));
}

const rgShapeInfo rg_shape_info_polygon = {
    .kind = RG_SHAPE_POLYGON,
    .name = "polygon",
    .summary = "convex polygon of a 2D world, given by its corners",
    .parameters = {&rg_parameter_points},
    .solid = true,
    .convex = true,
    .planar = true,
    .check = check,
    .scratch_size = scratch_size,
    .prepare = prepare,
    .build = build,
    .mass = mass,
    .bounds = rg_outline_bounds,
    .support = rg_outline_support,
    .ray = rg_ray_outline,
};
