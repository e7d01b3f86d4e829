// view_shape.c - the shapes of a world as they look: definition, corners, bounds.
#include "shape/parameters.h"
#include "shape/solid/outline.h"
#include "shape/solid/rounding.h"
#include "world/world.h"
#include <rigor/view.h>

#include <string.h>

int rg_world_shapes(const rgWorld* world, rgShapeId* ids, int capacity) {
  int count = 0;
  for (int i = 0; i < world->shape_slots; i++) {
    int slot = world->ids.slot_of_shape[i];
    if (!world->shapes[slot].alive)
      continue;
    if (count < capacity)
      ids[count] = rg_shape_id(world, slot);
    count++;
  }
  return count;
}

// What an id names, or NULL.
static const rgWorldShape* find_shape(const rgWorld* world, rgShapeId id) {
  if (id.index >= (uint32_t)world->shape_slots)
    return NULL;
  const rgWorldShape* shape = &world->shapes[world->ids.slot_of_shape[id.index]];
  return shape->alive && shape->generation == id.generation ? shape : NULL;
}

// -------------------------------------------------------------------------------------------------
// Corners
// -------------------------------------------------------------------------------------------------

enum { SURFACE_PARTS = 12 }; // along each edge of the cube of directions

typedef struct Corners {
  const rgShape* shape;
  rgVec3* out;
  int capacity, count;
} Corners;

static void add_corner(Corners* corners, rgVec3 point) {
  if (corners->count < corners->capacity)
    corners->out[corners->count] = point;
  corners->count++;
}

static void add_triangle(void* context, int index) {
  Corners* corners = context;
  rgTriangle triangle;
  rg_shape_triangle(corners->shape, index, &triangle);
  for (int i = 0; i < 3; i++)
    add_corner(corners, triangle.corner[i]);
}

// Each face as a fan around its first vertex.
static void add_faces(Corners* corners, const rgPolyhedron* solid) {
  for (int face = 0; face < solid->face_count; face++) {
    const int* loop = solid->face_loop + solid->face_start[face];
    int length = solid->face_start[face + 1] - solid->face_start[face];
    for (int i = 2; i < length; i++) {
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

enum { WALL_AROUND = 48, WALL_ACROSS = 24 };

// A wall, on a grid; counter-clockwise seen from its free side. A flat one is a line of points.
static void add_wall(Corners* corners, const rgShape* shape) {
  const rgWall* wall = rg_shape_info(shape->kind)->wall;
  for (int i = 0; shape->planar && i <= WALL_AROUND; ++i)
    add_corner(corners, wall->place(shape, (double)i / WALL_AROUND, 0));
  for (int i = 0; !shape->planar && i < WALL_AROUND; ++i)
    for (int j = 0; j < WALL_ACROSS; ++j) {
      double u = (double)i / WALL_AROUND, v = (double)j / WALL_ACROSS;
      double next_u = (i + 1.0) / WALL_AROUND, next_v = (j + 1.0) / WALL_ACROSS;
      rgVec3 a = wall->place(shape, u, v), b = wall->place(shape, next_u, v),
             c = wall->place(shape, next_u, next_v), d = wall->place(shape, u, next_v);
      if (wall->foot) { // seen from inside
        rgVec3 swap = b;
        b = d;
        d = swap;
      }
      add_corner(corners, a), add_corner(corners, b), add_corner(corners, c);
      add_corner(corners, a), add_corner(corners, c), add_corner(corners, d);
    }
}

// Whether radius, half length and half extents say all: the page has geometry for such kinds.
static bool told_by_size(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  for (int i = 0; i < RG_SHAPE_PARAMETERS_MAX && info->parameters[i]; ++i) {
    const rgShapeParameter* p = info->parameters[i];
    bool size = p == &rg_parameter_radius || p == &rg_parameter_half ||
                p == &rg_parameter_half_length ||
                (p == &rg_parameter_rounding && !rg_rounding_is(shape));
    if (!size)
      return false;
  }
  return true;
}

static int list_corners(const rgShape* shape, rgVec3* out, int capacity) {
  const rgBounds everything = {v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL),
                               v3(HUGE_VAL, HUGE_VAL, HUGE_VAL)};
  Corners corners = {shape, out, capacity, 0};
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (info->wall)
    add_wall(&corners, shape);
  else if (shape->polyhedron && !rg_rounding_is(shape) && !told_by_size(shape))
    add_faces(&corners, shape->polyhedron);
  else if (shape->outline)
    for (int i = 0; i < shape->outline->count; ++i)
      add_corner(&corners, shape->outline->corners[i]);
  else if (info->support && !told_by_size(shape))
    add_surface(&corners, shape);
  else
    rg_shape_triangles(shape, everything, add_triangle, &corners);
  return corners.count;
}

int rg_shape_corners(const rgWorld* world, rgShapeId id, rgVec3* corners, int capacity) {
  const rgWorldShape* found = find_shape(world, id);
  return found ? list_corners(found->shape, corners, capacity) : 0;
}

// -------------------------------------------------------------------------------------------------
// Views
// -------------------------------------------------------------------------------------------------

rgStatus rg_shape_view(const rgWorld* world, rgShapeId id, rgShapeView* view) {
  const rgWorldShape* found = find_shape(world, id);
  if (!found)
    return RG_ERROR_NOT_FOUND;
  const rgShape* shape = found->shape;
  rgShapeDef def = rg_shape_def(shape->kind);
  def.pose = shape->pose;
  def.planar = world->dimension == 2;
  def.rounding = shape->polyhedron ? shape->radius : 0;
  def.radius = shape->polyhedron ? 0 : shape->radius;
  def.half_length = shape->half_length;
  double outer = shape->half.x > 0 ? def.rounding : 0; // of a box; hulls have no half extents
  def.half = v3_add(shape->half, v3(outer, outer, outer));
  memcpy(def.parameters, shape->parameters, sizeof def.parameters);
  def.density = 0;
  def.material = found->material;
  def.group = shape->group;
  def.mask = shape->mask;
  *view = (rgShapeView){.body = rg_body_id(world, found->body),
                        .def = def,
                        .extent = shape->extent,
                        .corner_count = list_corners(shape, NULL, 0)};
  return RG_OK;
}

rgBounds rg_shape_bounds(const rgWorld* world, rgShapeId id) {
  const rgWorldShape* found = find_shape(world, id);
  if (!found || !isfinite(found->shape->extent))
    return (rgBounds){v3_zero(), v3_zero()};
  // The world's own placement of shapes is older when a body was added or set since the step.
  rgPose pose = pose_mul(rg_body_frame(&world->bodies[found->body]), found->shape->pose);
  return rg_shape_info(found->shape->kind)->bounds(found->shape, pose);
}
