// hull.c - the convex hull of points, as a polyhedron with polygon faces; rounded, all points within
// the rounding of it.
#include "base/memory.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/smooth/foot.h"
#include "shape/solid/clusters.h"
#include "shape/solid/feature.h"
#include "shape/solid/polyhedron.h"
#include "shape/solid/rounding.h"

// Keeps sizes in bytes within 32 bits.
enum { POINTS_MAX = 1 << 22 };

typedef struct Scratch {
  rgHullSurface surface;
  rgFaces faces;
} Scratch;

static bool check(const rgShapeDef* def, rgMessage* message) {
  return rg_check_points(def, 4, POINTS_MAX, message);
}

static size_t scratch_size(const rgShapeDef* def) {
  return rg_align(sizeof(Scratch)) + rg_quickhull_scratch(def->point_count) +
         rg_faces_scratch(def->point_count);
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  Scratch* head = scratch;
  char* quickhull = (char*)scratch + rg_align(sizeof(Scratch));
  char* faces = quickhull + rg_quickhull_scratch(def->point_count);
  rgStatus status = rg_quickhull(def->points, def->point_count, quickhull, &head->surface, message);
  if (status != RG_OK)
    return status;
  rg_faces(&head->surface, def->points, def->point_count, faces, &head->faces);
  *extra_size = rg_polyhedron_size(&head->faces, &head->surface);
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  const Scratch* head = scratch;
  shape->polyhedron = rg_polyhedron_make(&head->faces, &head->surface, def->points, memory);
  for (int i = 0; i < def->point_count; i++) {
    double distance = v3_norm(def->points[i]);
    shape->extent = distance > shape->extent ? distance : shape->extent;
  }
  shape->radius = def->rounding;
  shape->extent += def->rounding;
  shape->size = rg_polyhedron_half_width(shape->polyhedron) + def->rounding;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  if (shape->radius > 0)
    rg_rounding_mass(shape->polyhedron, shape->radius, out);
  else
    rg_polyhedron_mass(shape->polyhedron, out);
}

// Greatest coordinate i of the rotated vertices.
static double farthest_along(const rgPolyhedron* polyhedron, const rgMat3* r, int i) {
  return rg_clusters_height(polyhedron, m3_row(r, i));
}

static double nearest_along(const rgPolyhedron* polyhedron, const rgMat3* r, int i) {
  return -rg_clusters_height(polyhedron, v3_neg(m3_row(r, i)));
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  const rgPolyhedron* p = shape->polyhedron;
  rgMat3 r = m3_from_quat(pose.orientation);
  rgVec3 lower = v3(nearest_along(p, &r, 0), nearest_along(p, &r, 1), nearest_along(p, &r, 2));
  rgVec3 upper = v3(farthest_along(p, &r, 0), farthest_along(p, &r, 1), farthest_along(p, &r, 2));
  rgBounds box = {v3_add(lower, pose.position), v3_add(upper, pose.position)};
  return bounds_grow(box, shape->radius);
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  rgVec3 core = shape->polyhedron->vertices[rg_polyhedron_farthest(shape->polyhedron, d)];
  return rg_rounding_support(shape, core, d);
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  return rg_rounding_foot(shape, rg_foot_polyhedron(shape->polyhedron, x, reach + shape->radius));
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  if (shape->radius > 0)
    return rg_ray_by_foot(shape, ray, out);
  return rg_ray_solid(ray, rg_ray_polyhedron(ray, shape->polyhedron), out);
}

const rgShapeInfo rg_shape_info_hull = {
    .kind = RG_SHAPE_HULL,
    .name = "hull",
    .summary = "convex hull of points, with sharp or rounded edges",
    .parameters = {&rg_parameter_points, &rg_parameter_rounding},
    .optional = 1u << 1,
    .solid = true,
    .convex = true,
    .check = check,
    .scratch_size = scratch_size,
    .prepare = prepare,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = rg_feature_of_polyhedron,
    .single = rg_feature_single_vertex,
    .foot = foot,
    .ray = ray,
};
