// shape.c - making shapes, and what is common to all kinds.
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/meet/meet_make.h"
#include "shape/parameters.h"
#include "shape/solid/clusters.h"
#include "shape/solid/outline.h"

#include <string.h>

rgShapeDef rg_shape_def(rgShapeKind kind) {
  return (rgShapeDef){
      .kind = kind,
      .pose = pose_identity(),
      .density = 1000,
      .group = 1,
      .mask = UINT32_MAX,
  };
}

// The one block: the struct first, what it points to behind it.
static rgShape* allocate_shape(const rgShapeDef* def, const rgAllocator* allocator,
                               size_t extra_size) {
  size_t head = rg_align(sizeof(rgShape));
  rgShape* shape = rg_allocate(allocator, head + extra_size);
  if (!shape)
    return NULL;
  shape->kind = def->kind;
  shape->pose = (rgPose){def->pose.position, quat_unit(def->pose.orientation)};
  shape->material = def->material;
  shape->group = def->group;
  shape->mask = def->mask;
  shape->memory_size = head + extra_size;
  memcpy(shape->parameters, def->parameters, sizeof shape->parameters);
  return shape;
}

static rgStatus out_of_memory(rgMessage* message) {
  return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a shape");
}

// Sizes may be so large or so small that their fifth power overflows or vanishes.
static bool in_range(const rgShape* shape) {
  rgMassProperties mass;
  rg_shape_info(shape->kind)->mass(shape, &mass);
  double trace = mass.inertia.m[0][0] + mass.inertia.m[1][1] + mass.inertia.m[2][2];
  return mass.mass > 0 && trace > 0 && isfinite(mass.mass) && isfinite(trace);
}

typedef struct SurfaceHash {
  const rgShape* shape;
  uint64_t hash;
} SurfaceHash;

static void mix_triangle(void* context, int index) {
  SurfaceHash* to = context;
  rgTriangle triangle;
  rg_shape_triangle(to->shape, index, &triangle);
  to->hash = rg_hash_bytes(to->hash, &index, sizeof index);
  to->hash = rg_hash_bytes(to->hash, triangle.corner, sizeof triangle.corner);
}

// Once for a shape, which never changes: a snapshot must not go through all of a terrain.
static uint64_t hash_surface(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  SurfaceHash to = {shape, RG_HASH_START};
  if (!info->triangles)
    return 0;
  info->triangles(shape, info->bounds(shape, pose_identity()), mix_triangle, &to);
  return to.hash;
}

// Prepares in `scratch`, then makes the shape with exactly the memory it needs.
static rgStatus make(const rgShapeInfo* info, const rgShapeDef* def, const rgAllocator* allocator,
                     void* scratch, rgShape** shape, rgMessage* message) {
  size_t extra_size = 0;
  if (info->prepare) {
    rgStatus status = info->prepare(def, scratch, &extra_size, message);
    if (status != RG_OK)
      return status;
  }
  *shape = allocate_shape(def, allocator, extra_size);
  if (!*shape)
    return out_of_memory(message);
  info->build(def, scratch, *shape, (char*)*shape + rg_align(sizeof(rgShape)));
  (*shape)->surface = hash_surface(*shape);
  if (!info->solid || in_range(*shape))
    return RG_OK;
  rg_shape_destroy(*shape, allocator);
  *shape = NULL;
  return rg_fail(message, RG_ERROR_INPUT,
                 "the volume or inertia of this %s is beyond the range of numbers", info->name);
}

rgShape* rg_shape_create(const rgShapeDef* def, const rgAllocator* allocator, rgStatus* status,
                         rgMessage* message) {
  *status = RG_ERROR_INPUT;
  if (!rg_check_common(def, message))
    return NULL;
  const rgShapeInfo* info = rg_shape_info(def->kind);
  if ((info->check && !info->check(def, message)) || !rg_shape_check_parameters(info, def, message))
    return NULL;

  if (def->kind == RG_SHAPE_INTERSECTION && rg_meet_is_polytope(def))
    return rg_meet_polytope(def, allocator, status, message);

  size_t scratch_size = info->scratch_size ? info->scratch_size(def) : 0;
  void* scratch = NULL;
  if (scratch_size > 0) {
    scratch = rg_allocate(allocator, scratch_size);
    if (!scratch) {
      *status = out_of_memory(message);
      return NULL;
    }
  }
  rgShape* shape = NULL;
  *status = make(info, def, allocator, scratch, &shape, message);
  rg_release(allocator, scratch, scratch_size);
  return shape;
}

void rg_shape_destroy(rgShape* shape, const rgAllocator* allocator) {
  if (shape)
    rg_release(allocator, shape, shape->memory_size);
}

// Where a pointer into one block points to in a copy of it; pointers elsewhere stay.
typedef struct Move {
  const char* from;
  size_t size;
  char* to;
} Move;

static const void* moved(const Move* move, const void* pointer) {
  const char* p = pointer;
  bool inside = p && (uintptr_t)p >= (uintptr_t)move->from &&
                (uintptr_t)p < (uintptr_t)move->from + move->size;
  return inside ? move->to + (p - move->from) : p;
}

static void move_clusters(const Move* move, rgClusters* clusters) {
  if (!clusters)
    return;
  clusters->list = moved(move, clusters->list);
  clusters->faces = moved(move, clusters->faces);
  clusters->vertices = moved(move, clusters->vertices);
  clusters->edges = moved(move, clusters->edges);
  clusters->leaf_of = moved(move, clusters->leaf_of);
  clusters->face_edges = moved(move, clusters->face_edges);
}

rgShape* rg_shape_copy(const rgShape* shape, const rgAllocator* allocator) {
  char* memory = rg_allocate(allocator, shape->memory_size);
  if (!memory)
    return NULL;
  memcpy(memory, shape, shape->memory_size);
  rgShape* copy = (rgShape*)(void*)memory;
  Move move = {(const char*)shape, shape->memory_size, memory};
  copy->polyhedron = moved(&move, shape->polyhedron);
  copy->outline = moved(&move, shape->outline);
  if (copy->polyhedron) {
    rgPolyhedron* p = (rgPolyhedron*)(uintptr_t)copy->polyhedron;
    p->vertices = moved(&move, p->vertices);
    p->normals = moved(&move, p->normals);
    p->offsets = moved(&move, p->offsets);
    p->face_start = moved(&move, p->face_start);
    p->face_loop = moved(&move, p->face_loop);
    p->edges = moved(&move, p->edges);
    p->neighbour_start = moved(&move, p->neighbour_start);
    p->neighbours = moved(&move, p->neighbours);
    p->clusters = moved(&move, p->clusters);
    move_clusters(&move, (rgClusters*)(uintptr_t)p->clusters);
  }
  copy->meet = moved(&move, shape->meet);
  if (copy->meet) {
    rgMeet* meet = (rgMeet*)(uintptr_t)copy->meet;
    meet->members = moved(&move, meet->members);
    meet->function = moved(&move, meet->function);
  }
  if (copy->outline) {
    rgOutline* outline = (rgOutline*)(uintptr_t)copy->outline;
    outline->corners = moved(&move, outline->corners);
    outline->normals = moved(&move, outline->normals);
  }
  return copy;
}

uint64_t rg_shape_hash(const rgShape* shape, uint64_t hash) {
#define MIX(field) hash = rg_hash_bytes(hash, &(field), sizeof(field))
  MIX(shape->kind);
  MIX(shape->pose);
  MIX(shape->radius);
  MIX(shape->half_length);
  MIX(shape->half);
  MIX(shape->parameters);
  MIX(shape->extent);
  MIX(shape->size);
  MIX(shape->material);
  MIX(shape->group);
  MIX(shape->mask);
  MIX(shape->surface);
#undef MIX
  const rgPolyhedron* solid = shape->polyhedron;
  if (solid)
    hash = rg_hash_bytes(hash, solid->vertices, (size_t)solid->vertex_count * sizeof(rgVec3));
  const rgMeet* meet = shape->meet;
  for (int i = 0; meet && i < meet->member_count; i++)
    hash = rg_shape_hash(&meet->members[i], hash);
  if (meet) // a function is known by what it did when it was added
    hash = rg_hash_bytes(hash, &meet->mass, sizeof meet->mass);
  const rgOutline* flat = shape->outline;
  if (flat)
    hash = rg_hash_bytes(hash, flat->corners, (size_t)flat->count * sizeof(rgVec3));
  return hash;
}

void rg_shape_mass_of(const rgShape* shape, double density, rgMassProperties* out) {
  rgMassProperties own;
  rg_shape_info(shape->kind)->mass(shape, &own);
  rgMat3 r = m3_from_quat(shape->pose.orientation);
  rgMat3 transposed = m3_transpose(&r);
  rgMat3 turned = m3_mul(&r, &own.inertia);
  turned = m3_mul(&turned, &transposed);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) // symmetric to the last bit
      out->inertia.m[i][j] = 0.5 * density * (turned.m[i][j] + turned.m[j][i]);
  out->mass = density * own.mass;
  out->center = pose_apply(shape->pose, own.center);
}

rgStatus rg_shape_mass(const rgShapeDef* def, rgMassProperties* mass, rgMessage* message) {
  if (!rg_check_common(def, message))
    return RG_ERROR_INPUT;
  const rgShapeInfo* info = rg_shape_info(def->kind);
  if (!info->solid)
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "a %s has no volume and so no mass", info->name);

  rgStatus status;
  rgAllocator heap = rg_allocator_default();
  rgShape* shape = rg_shape_create(def, &heap, &status, message);
  if (!shape)
    return status;
  rg_shape_mass_of(shape, def->density, mass);
  rg_shape_destroy(shape, &heap);
  return RG_OK;
}

double rg_shape_mass_error(const rgShapeDef* def) {
  rgMassProperties mass;
  if (rg_shape_mass(def, &mass, NULL) != RG_OK)
    return -1;
  rgStatus status;
  rgAllocator heap = rg_allocator_default();
  rgShape* shape = rg_shape_create(def, &heap, &status, NULL);
  if (!shape)
    return -1;
  double error = shape->meet ? shape->meet->mass_error : 0;
  rg_shape_destroy(shape, &heap);
  return error;
}

void rg_shape_triangles(const rgShape* shape, rgBounds box, rgTriangleVisit* visit, void* context) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (info->triangles)
    info->triangles(shape, box, visit, context);
}

void rg_shape_triangle(const rgShape* shape, int triangle, rgTriangle* out) {
  rg_shape_info(shape->kind)->triangle(shape, triangle, out);
}

rgBounds rg_shape_bounds_placed(rgBounds box, rgPose pose) {
  rgMat3 r = m3_from_quat(pose.orientation);
  rgVec3 half = v3_scale(v3_sub(box.upper, box.lower), 0.5);
  rgVec3 center = pose_apply(pose, v3_scale(v3_add(box.lower, box.upper), 0.5));
  return rg_bounds_about(center, v3(v3_dot(v3_abs(m3_row(&r, 0)), half),
                                    v3_dot(v3_abs(m3_row(&r, 1)), half),
                                    v3_dot(v3_abs(m3_row(&r, 2)), half)));
}

double rg_shape_surface_size(rgBounds bounds) {
  rgVec3 w = v3_sub(bounds.upper, bounds.lower);
  double low = w.x < w.y ? w.x : w.y, high = w.x < w.y ? w.y : w.x;
  double middle = w.z < low ? low : w.z > high ? high : w.z;
  return 0.5 * middle;
}
