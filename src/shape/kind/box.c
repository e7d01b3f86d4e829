// box.c - a box about the origin of its frame, with edges along the axes.
//
// Features, the same for every box: vertex i has the signs of bits of i (bit 0: x, bit 1: y, bit 2:
// z; set = positive); faces are +x -x +y -y +z -z; edges lie four each along x, y, z.
#include "base/memory.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/feature.h"

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

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  (void)def, (void)scratch, (void)message;
  *extra_size = sizeof(Block);
  return RG_OK;
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch;
  rgVec3 h = def->half;
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
  shape->extent = v3_norm(h);
  shape->size = h.x < h.y ? h.x : h.y;
  shape->size = h.z < shape->size ? h.z : shape->size;
}

static void mass(const rgShape* shape, rgMassProperties* out) {
  rgVec3 h = shape->half;
  double m = 8 * h.x * h.y * h.z;
  double xx = m / 3 * h.x * h.x, yy = m / 3 * h.y * h.y, zz = m / 3 * h.z * h.z;
  *out = (rgMassProperties){m, v3_zero(), m3_diag(yy + zz, zz + xx, xx + yy)};
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  return rg_shape_bounds_placed((rgBounds){v3_neg(shape->half), shape->half}, pose);
}

static rgVec3 support(const rgShape* shape, rgVec3 d) {
  rgVec3 h = shape->half;
  return v3(d.x < 0 ? -h.x : h.x, d.y < 0 ? -h.y : h.y, d.z < 0 ? -h.z : h.z);
}

static double clamp(double x, double limit) { return x < -limit ? -limit : x > limit ? limit : x; }

static double sign(double x) { return x < 0 ? -1 : 1; }

static rgFoot foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
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

const rgShapeInfo rg_shape_info_box = {
    .kind = RG_SHAPE_BOX,
    .name = "box",
    .summary = "box given by its half extents",
    .parameters = {&rg_parameter_half},
    .solid = true,
    .convex = true,
    .prepare = prepare,
    .build = build,
    .mass = mass,
    .bounds = bounds,
    .support = support,
    .feature = rg_feature_of_polyhedron,
    .single = rg_feature_single_vertex,
    .foot = foot,
};
