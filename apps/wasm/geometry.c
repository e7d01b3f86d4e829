// geometry.c - what a body looks like: the numbers of simple shapes, the triangles of all others.
#include "wasm/page.h"

#include "shape/parameters.h"
#include "shape/solid/outline.h"

#include <math.h>

PAGE_EXPORT(page_shape_count) int page_shape_count(const Page* page) {
  return page->world->shape_slots;
}

enum { SURFACE_PARTS = 12 }; // along each edge of the cube of directions

// Corners of polyhedra as fans of their faces, of surfaces as their triangles, of flat shapes as
// the loop of their outline. With `out` NULL they are only counted.
typedef struct Corners {
  const rgShape* shape;
  double* out;
  int count;
} Corners;

static void add_corner(Corners* corners, rgVec3 point) {
  if (corners->out)
    page_put(corners->out + (size_t)3 * corners->count, point);
  ++corners->count;
}

static void add_triangle(void* context, int index) {
  Corners* corners = context;
  rgTriangle triangle;
  rg_shape_triangle(corners->shape, index, &triangle);
  for (int i = 0; i < 3; ++i)
    add_corner(corners, triangle.corner[i]);
}

static void add_faces(Corners* corners, const rgPolyhedron* solid) {
  for (int face = 0; face < solid->face_count; ++face) {
    const int* loop = solid->face_loop + solid->face_start[face];
    int length = solid->face_start[face + 1] - solid->face_start[face];
    for (int i = 2; i < length; ++i) {
      add_corner(corners, solid->vertices[loop[0]]);
      add_corner(corners, solid->vertices[loop[i - 1]]);
      add_corner(corners, solid->vertices[loop[i]]);
    }
  }
}

// Farthest point along a direction of the cube from -1 to 1: place (i, j) of a side.
static rgVec3 surface_point(const rgShape* shape, int side, int i, int j) {
  double u = 2.0 * i / SURFACE_PARTS - 1, v = 2.0 * j / SURFACE_PARTS - 1, w = side < 3 ? 1 : -1;
  int axis = side % 3;
  rgVec3 d = axis == 0 ? v3(w, u, v * w) : axis == 1 ? v3(v * w, w, u) : v3(u, v * w, w);
  return rg_shape_info(shape->kind)->support(shape, d);
}

// Any convex surface, by its support function on a grid of directions. The points crowd where the
// surface is curved, which is where they are needed.
static void add_surface(Corners* corners, const rgShape* shape) {
  for (int side = 0; side < 6; ++side)
    for (int i = 0; i < SURFACE_PARTS; ++i)
      for (int j = 0; j < SURFACE_PARTS; ++j) {
        rgVec3 a = surface_point(shape, side, i, j), b = surface_point(shape, side, i + 1, j),
               c = surface_point(shape, side, i + 1, j + 1),
               d = surface_point(shape, side, i, j + 1);
        add_corner(corners, a), add_corner(corners, b), add_corner(corners, c);
        add_corner(corners, a), add_corner(corners, c), add_corner(corners, d);
      }
}

// Whether radius, half length and half extents say all: the page has geometry for such kinds.
static bool told_by_size(const rgShapeInfo* info) {
  for (int i = 0; i < RG_SHAPE_PARAMETERS_MAX && info->parameters[i]; ++i)
    if (info->parameters[i] != &rg_parameter_radius && info->parameters[i] != &rg_parameter_half &&
        info->parameters[i] != &rg_parameter_half_length)
      return false;
  return true;
}

static int list_corners(const rgShape* shape, double* out) {
  const rgBounds everything = {v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL),
                               v3(HUGE_VAL, HUGE_VAL, HUGE_VAL)};
  Corners corners = {shape, out, 0};
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (shape->polyhedron && !told_by_size(info))
    add_faces(&corners, shape->polyhedron);
  else if (shape->outline)
    for (int i = 0; i < shape->outline->count; ++i)
      add_corner(&corners, shape->outline->corners[i]);
  else if (info->support && !told_by_size(info))
    add_surface(&corners, shape);
  else
    rg_shape_triangles(shape, everything, add_triangle, &corners);
  return corners.count;
}

// Index of the body (-1 where there is no shape), kind, pose in the body, radius, half length, half
// extents, extent, number of corners that follow.
PAGE_EXPORT(page_shape) const double* page_shape(Page* page, int index) {
  const rgWorld* world = page->world;
  const rgWorldShape* slot = &world->shapes[world->slot_of_shape[index]];
  int count = slot->alive ? list_corners(slot->shape, NULL) : 0;
  double* out = page_room(page, PAGE_SHAPE + 3 * count);
  if (!out)
    return NULL;
  out[0] = -1;
  if (!slot->alive)
    return out;
  const rgShape* shape = slot->shape;
  out[0] = world->bodies[slot->body].index;
  out[1] = shape->kind;
  double* next = page_put_pose(out + 2, shape->local);
  *next++ = shape->radius;
  *next++ = shape->half_length;
  next = page_put(next, shape->half);
  next[0] = shape->extent;
  next[1] = count;
  list_corners(shape, out + PAGE_SHAPE);
  return out;
}

// Lower and upper corner of every shape; of those that are not there, and of half-spaces, zeros.
PAGE_EXPORT(page_bounds) const double* page_bounds(Page* page) {
  const rgWorld* world = page->world;
  double* out = page_room(page, world->shape_slots * PAGE_BOUNDS);
  for (int i = 0; out && i < world->shape_slots; ++i) {
    const rgWorldShape* slot = &world->shapes[i];
    rgBounds bounds = {v3_zero(), v3_zero()};
    if (slot->alive && isfinite(slot->shape->extent)) {
      // The world's own placement of shapes is older when a body was added or set since the step.
      rgPose pose = pose_mul(rg_body_frame(&world->bodies[slot->body]), slot->shape->local);
      bounds = rg_shape_info(slot->shape->kind)->bounds(slot->shape, pose);
    }
    page_put(page_put(out + slot->index * PAGE_BOUNDS, bounds.lower), bounds.upper);
  }
  return out;
}
