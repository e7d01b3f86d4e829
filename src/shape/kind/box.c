// box.c - a box about the origin of its frame, with edges along the axes, sharp or rounded. A rounded
// box has the half extents of the sharp one: its core is smaller by the rounding.
//
// Features, the same for every box: vertex i has the signs of bits of i (bit 0: x, bit 1: y, bit 2:
// z; set = positive); faces are +x -x +y -y +z -z; edges lie four each along x, y, z.
#include "base/memory.h"
#include "base/message.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/feature.h"
#include "shape/solid/rounding.h"

enum { VERTICES = 8, FACES = 6, EDGES = 12 };

static const rgVec3 normals[FACES] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
static const int face_start[FACES + 1] = {0, 4, 8, 12, 16, 20, 24};
static const int face_loop[4 * FACES] = {1, 3, 7, 5, 0, 4, 6, 2, 2, 6, 7, 3,
                                         0, 1, 5, 4, 4, 5, 7, 6, 0, 2, 3, 1};
static const int edges[EDGES][4] = {
    {0, 1, 3, 5}, {2, 3, 5, 2}, {4, 5, 4, 3}, {6, 7, 2, 4}, // along x
    {0, 2, 5, 1}, {1, 3, 0, 5}, {4, 6, 1, 4}, {5, 7, 4, 0}, // along y
    {0, 4, 1, 3}, {1, 5, 3, 0}, {2, 6, 2, 1}, {3, 7, 0, 2}, // along z
};

// What differs from box to box.
typedef struct Block {
  rgPolyhedron polyhedron;
  rgVec3 vertices[VERTICES];
  double offsets[FACES];
} Block;

static double least_of(rgVec3 h) {
  double least = h.x < h.y ? h.x : h.y;
  return h.z < least ? h.z : least;
}

static bool check(const rgShapeDef* def, rgMessage* message) {
  double least = least_of(def->half);
  if (!(least > 0) || def->rounding < least)
    return true; // the range of the half extents is checked for all kinds
  rg_fail(message, RG_ERROR_INPUT, "rounding is %.9g, must be < the least half extent, %.9g",
          def->rounding, least);
  return false;
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  (void)def, (void)scratch, (void)message;
  *extra_size = sizeof(Block);
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch;
  double r = def->rounding;
  rgVec3 h = v3_sub(def->half, v3(r, r, r));
  Block* block = memory;
  for (int i = 0; i < VERTICES; i++)
    block->vertices[i] = v3(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
  for (int i = 0; i < FACES; i++)
    block->offsets[i] = v3_get(h, i / 2);
  block->polyhedron = (rgPolyhedron){
      .vertex_count = VERTICES,
      .face_count = FACES,
      .edge_count = EDGES,
      .vertices = block->vertices,
      .normals = normals,
      .offsets = block->offsets,
      .face_start = face_start,
      .face_loop = face_loop,
      .edges = edges,
  };
  shape->polyhedron = &block->polyhedron;
  shape->half = h;
  shape->radius = r;
  shape->extent = v3_norm(h) + r;
  shape->size = least_of(def->half);
}

// A box is symmetric: what rounding of numbers leaves of a centre and of products is dropped.
static void rounded_mass(const rgShape* shape, rgMassProperties* out) {
  rg_rounding_mass(shape->polyhedron, shape->radius, out);
  out->center = v3_zero();
  out->inertia = m3_diag(out->inertia.m[0][0], out->inertia.m[1][1], out->inertia.m[2][2]);
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  if (shape->radius > 0) {
    rounded_mass(shape, out);
    return;
  }
  rgVec3 h = shape->half;
  double m = 8 * h.x * h.y * h.z;
  double xx = m / 3 * h.x * h.x, yy = m / 3 * h.y * h.y, zz = m / 3 * h.z * h.z;
  *out = (rgMassProperties){m, v3_zero(), m3_diag(yy + zz, zz + xx, xx + yy)};
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  rgBounds core = rg_shape_bounds_placed((rgBounds){v3_neg(shape->half), shape->half}, pose);
  return bounds_grow(core, shape->radius);
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  rgVec3 h = shape->half;
  rgVec3 corner = v3(d.x < 0 ? -h.x : h.x, d.y < 0 ? -h.y : h.y, d.z < 0 ? -h.z : h.z);
  return rg_rounding_support(shape, corner, d);
}

static double clamp(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }

static double sign(double x) { return x < 0 ? -1 : 1; }

static rgFoot core_foot(const rgShape* shape, rgVec3 x) {
  rgVec3 half = shape->half;
  rgVec3 q = v3(clamp(x.x, half.x), clamp(x.y, half.y), clamp(x.z, half.z));
  rgVec3 d = v3_sub(x, q);
  double distance = v3_norm(d);
  if (distance > 0)
    return (rgFoot){distance, v3_scale(d, 1 / distance), q};
  rgVec3 depth = v3_sub(half, v3_abs(x));
  if (depth.x <= depth.y && depth.x <= depth.z)
    return (rgFoot){-depth.x, v3(sign(x.x), 0, 0), v3(sign(x.x) * half.x, x.y, x.z)};
  if (depth.y <= depth.z)
    return (rgFoot){-depth.y, v3(0, sign(x.y), 0), v3(x.x, sign(x.y) * half.y, x.z)};
  return (rgFoot){-depth.z, v3(0, 0, sign(x.z)), v3(x.x, x.y, sign(x.z) * half.z)};
}

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  return rg_rounding_foot(shape, core_foot(shape, x));
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  if (shape->radius > 0)
    return rg_ray_by_foot(shape, ray, out);
  rgRaySpan x = rg_ray_slab(ray, v3(1, 0, 0), shape->half.x),
            y = rg_ray_slab(ray, v3(0, 1, 0), shape->half.y),
            z = rg_ray_slab(ray, v3(0, 0, 1), shape->half.z);
  return rg_ray_solid(ray, rg_ray_common(rg_ray_common(x, y), z), out);
}

const rgShapeInfo rg_shape_info_box = {
    .kind = RG_SHAPE_BOX,
    .name = "box",
    .summary = "box given by its half extents, with sharp or rounded edges",
    .parameters = {&rg_parameter_half, &rg_parameter_rounding},
    .optional = 1u << 1,
    .solid = true,
    .convex = true,
    .check = check,
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
