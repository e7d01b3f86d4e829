// geometry.c - what a body looks like: the numbers of round shapes, the triangles of the others.
#include "wasm/page.h"

#include "shape/solid/outline.h"

#include <math.h>

PAGE_EXPORT(page_shape_count) int page_shape_count(const Page* page) {
  return page->world->shape_slots;
}

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

static int list_corners(const rgShape* shape, double* out) {
  const rgBounds everything = {v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL),
                               v3(HUGE_VAL, HUGE_VAL, HUGE_VAL)};
  Corners corners = {shape, out, 0};
  if (shape->kind == RG_SHAPE_HULL)
    add_faces(&corners, shape->polyhedron);
  else if (shape->outline)
    for (int i = 0; i < shape->outline->count; ++i)
      add_corner(&corners, shape->outline->corners[i]);
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
