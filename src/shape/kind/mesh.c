// mesh.c - a surface of triangles with a static tree, solid behind.
//
// For each edge the neighbour across it is known, and whether the edge is a real convex ridge, so
// that contact can tell real edges from those inside a flat or hollow part.
#include "base/memory.h"
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/adjacency.h"
#include "shape/solid/facing.h"
#include "shape/solid/static_tree.h"

#include <float.h>
#include <string.h>

// Keeps sizes in bytes within 32 bits.
enum { COUNT_MAX = 1 << 22 };

// [-] Twice the area relative to the longest edge squared: below, the direction of the normal is
// made of rounding errors.
static const double degenerate = 16 * DBL_EPSILON;

typedef struct Triangle {
  int corner[3];    // points
  int neighbour[3]; // triangle across the edge from corner i to i + 1, or -1
  rgVec3 normal;
  bool convex[3];
} Triangle;

struct rgMesh {
  int point_count, triangle_count, node_count;
  const rgVec3* points;
  const Triangle* triangles;
  const rgStaticNode* nodes;
  const int* order; // triangles as the leaves of the tree have them
};

// --- checks --------------------------------------------------------------------------------------

// Twice the vector area; zero when the triangle is degenerate.
static rgVec3 area_of(const rgVec3* points, const int* corner) {
  rgVec3 a = points[corner[0]], b = points[corner[1]], c = points[corner[2]];
  double ab2 = v3_norm2(v3_sub(b, a)), bc2 = v3_norm2(v3_sub(c, b)), ca2 = v3_norm2(v3_sub(a, c));
  double longest2 = ab2 > bc2 ? ab2 : bc2;
  longest2 = ca2 > longest2 ? ca2 : longest2;
  rgVec3 area = rg_twice_area(a, b, c);
  return v3_norm(area) > degenerate * longest2 ? area : v3_zero();
}

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!rg_check_points(def, 3, COUNT_MAX, message) ||
      !rg_check_count(def->triangle_count, 1, COUNT_MAX, "triangle_count", message) ||
      !rg_check_given(def->triangles, "triangles", message))
    return false;
  for (int t = 0; t < def->triangle_count; t++) {
    const int* corner = def->triangles + 3 * (size_t)t;
    for (int i = 0; i < 3; i++)
      if (corner[i] < 0 || corner[i] >= def->point_count) {
        rg_fail(message, RG_ERROR_INPUT, "triangles[%d] has point %d, must be 0 to %d", t,
                corner[i], def->point_count - 1);
        return false;
      }
    if (!(v3_norm2(area_of(def->points, corner)) > 0)) {
      rg_fail(message, RG_ERROR_INPUT,
              "triangles[%d] (points %d, %d, %d) has no area, its corners must not lie on one line",
              t, corner[0], corner[1], corner[2]);
      return false;
    }
  }
  return true;
}

// --- making --------------------------------------------------------------------------------------

typedef struct Scratch {
  rgBounds* bounds; // by triangle
  int* neighbours;
  rgStaticNode* nodes;
  int* order;
  int node_count;
  void* rest; // for adjacency, then for the tree
} Scratch;

static size_t scratch_layout(const rgShapeDef* def, void* memory, Scratch* scratch) {
  size_t triangles = (size_t)def->triangle_count;
  size_t adjacency = rg_adjacency_scratch(def->point_count, def->triangle_count);
  size_t tree = rg_static_tree_scratch(def->triangle_count);
  rgCarver carver = {memory, 0};
  rg_carve(&carver, 1, sizeof(Scratch)); // the struct itself stands in front
  scratch->bounds = rg_carve(&carver, triangles, sizeof(rgBounds));
  scratch->neighbours = rg_carve(&carver, 3 * triangles, sizeof(int));
  scratch->nodes =
      rg_carve(&carver, (size_t)rg_static_tree_limit(def->triangle_count), sizeof(rgStaticNode));
  scratch->order = rg_carve(&carver, triangles, sizeof(int));
  scratch->rest = rg_carve(&carver, 1, adjacency > tree ? adjacency : tree);
  return carver.used;
}

static size_t scratch_size(const rgShapeDef* def) {
  Scratch scratch;
  return scratch_layout(def, NULL, &scratch);
}

typedef struct Parts {
  rgMesh* mesh;
  rgVec3* points;
  Triangle* triangles;
  rgStaticNode* nodes;
  int* order;
} Parts;

static size_t layout(const rgShapeDef* def, int node_count, void* memory, Parts* parts) {
  rgCarver carver = {memory, 0};
  parts->mesh = rg_carve(&carver, 1, sizeof(rgMesh));
  parts->points = rg_carve(&carver, (size_t)def->point_count, sizeof(rgVec3));
  parts->triangles = rg_carve(&carver, (size_t)def->triangle_count, sizeof(Triangle));
  parts->nodes = rg_carve(&carver, (size_t)node_count, sizeof(rgStaticNode));
  parts->order = rg_carve(&carver, (size_t)def->triangle_count, sizeof(int));
  return carver.used;
}

static rgBounds triangle_bounds(const rgVec3* points, const int* corner) {
  rgVec3 a = points[corner[0]], b = points[corner[1]], c = points[corner[2]];
  return (rgBounds){v3_min(v3_min(a, b), c), v3_max(v3_max(a, b), c)};
}

static rgStatus prepare(const rgShapeDef* def, void* memory, size_t* extra_size,
                        rgMessage* message) {
  Scratch* scratch = memory;
  scratch_layout(def, memory, scratch);
  rgStatus status = rg_adjacency(def->points, def->point_count, def->triangles, def->triangle_count,
                                 scratch->rest, scratch->neighbours, message);
  if (status != RG_OK)
    return status;
  for (int t = 0; t < def->triangle_count; t++)
    scratch->bounds[t] = triangle_bounds(def->points, def->triangles + 3 * (size_t)t);
  scratch->node_count = rg_static_tree_build(scratch->bounds, def->triangle_count, scratch->rest,
                                             scratch->nodes, scratch->order);
  Parts parts;
  *extra_size = layout(def, scratch->node_count, NULL, &parts);
  return RG_OK;
}

static void fill_triangles(const rgShapeDef* def, const Scratch* scratch, Triangle* triangles) {
  for (int t = 0; t < def->triangle_count; t++) {
    Triangle* triangle = &triangles[t];
    for (int i = 0; i < 3; i++) {
      triangle->corner[i] = def->triangles[3 * (size_t)t + i];
      triangle->neighbour[i] = scratch->neighbours[3 * (size_t)t + i];
    }
    rgVec3 area = area_of(def->points, triangle->corner);
    double length = v3_norm(area);
    triangle->normal = v3(area.x / length, area.y / length, area.z / length);
  }
  for (int t = 0; t < def->triangle_count; t++) {
    Triangle* triangle = &triangles[t];
    for (int i = 0; i < 3; i++) {
      if (triangle->neighbour[i] < 0)
        continue;
      rgVec3 edge =
          v3_sub(def->points[triangle->corner[(i + 1) % 3]], def->points[triangle->corner[i]]);
      triangle->convex[i] =
          rg_ridge_convex(triangle->normal, triangles[triangle->neighbour[i]].normal, edge);
    }
  }
}

static void build(const rgShapeDef* def, void* memory, rgShape* shape, void* block) {
  const Scratch* scratch = memory;
  Parts parts;
  layout(def, scratch->node_count, block, &parts);
  size_t points = (size_t)def->point_count, triangles = (size_t)def->triangle_count;
  memcpy(parts.points, def->points, points * sizeof(rgVec3));
  memcpy(parts.nodes, scratch->nodes, (size_t)scratch->node_count * sizeof(rgStaticNode));
  memcpy(parts.order, scratch->order, triangles * sizeof(int));
  fill_triangles(def, scratch, parts.triangles);
  *parts.mesh = (rgMesh){
      .point_count = def->point_count,
      .triangle_count = def->triangle_count,
      .node_count = scratch->node_count,
      .points = parts.points,
      .triangles = parts.triangles,
      .nodes = parts.nodes,
      .order = parts.order,
  };
  shape->mesh = parts.mesh;
  shape->size = rg_shape_surface_size(parts.nodes[0].bounds);
  for (int t = 0; t < def->triangle_count; t++)
    for (int i = 0; i < 3; i++) { // points that no triangle has do not count
      double distance = v3_norm(parts.points[parts.triangles[t].corner[i]]);
      shape->extent = distance > shape->extent ? distance : shape->extent;
    }
}

// --- use -----------------------------------------------------------------------------------------

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  return rg_shape_bounds_placed(shape->mesh->nodes[0].bounds, pose);
}

static void triangles_of_leaf(const rgMesh* mesh, const rgStaticNode* node, const rgBounds* box,
                              rgTriangleVisit* visit, void* context) {
  for (int i = node->first; i < node->first + node->count; i++) {
    int t = mesh->order[i];
    if (bounds_overlap(triangle_bounds(mesh->points, mesh->triangles[t].corner), *box))
      visit(context, t);
  }
}

static void triangles(const rgShape* shape, rgBounds box, rgTriangleVisit* visit, void* context) {
  const rgMesh* mesh = shape->mesh;
  for (int i = 0; i < mesh->node_count;) {
    const rgStaticNode* node = &mesh->nodes[i];
    if (!bounds_overlap(node->bounds, box)) {
      i = node->skip;
      continue;
    }
    if (node->count > 0)
      triangles_of_leaf(mesh, node, &box, visit, context);
    i++;
  }
}

static void triangle(const rgShape* shape, int index, rgTriangle* out) {
  const rgMesh* mesh = shape->mesh;
  const Triangle* own = &mesh->triangles[index];
  out->normal = own->normal;
  for (int i = 0; i < 3; i++) {
    int neighbour = own->neighbour[i];
    out->corner[i] = mesh->points[own->corner[i]];
    out->neighbour_normal[i] = neighbour < 0 ? v3_zero() : mesh->triangles[neighbour].normal;
    out->convex_edge[i] = own->convex[i];
  }
}

// The nearest triangle of a leaf, if it is nearer than *limit.
static void ray_leaf(const rgMesh* mesh, const rgStaticNode* node, const rgRay* ray,
                     const rgRayShear* shear, double* limit, int* nearest) {
  for (int i = node->first; i < node->first + node->count; i++) {
    int t = mesh->order[i];
    const int* corner = mesh->triangles[t].corner;
    rgVec3 corners[3] = {mesh->points[corner[0]], mesh->points[corner[1]], mesh->points[corner[2]]};
    double distance = rg_ray_triangle(ray, shear, corners);
    if (distance >= 0 &&
        (distance < *limit || (distance == *limit && (*nearest < 0 || t < *nearest)))) {
      *limit = distance;
      *nearest = t;
    }
  }
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  const rgMesh* mesh = shape->mesh;
  rgRayShear shear = rg_ray_shear(ray->direction);
  double limit = ray->length;
  int nearest = -1;
  for (int i = 0; i < mesh->node_count;) {
    const rgStaticNode* node = &mesh->nodes[i];
    if (rg_ray_bounds(ray, &node->bounds, limit) < 0) {
      i = node->skip;
      continue;
    }
    if (node->count > 0)
      ray_leaf(mesh, node, ray, &shear, &limit, &nearest);
    i++;
  }
  if (nearest < 0 || !rg_ray_surface(ray, limit, mesh->triangles[nearest].normal, out))
    return false;
  out->triangle = nearest;
  return true;
}

const rgShapeInfo rg_shape_info_mesh = {
    .kind = RG_SHAPE_MESH,
    .name = "mesh",
    .summary = "surface of triangles; for bodies that do not move freely",
    .parameters = {&rg_parameter_points, &rg_parameter_triangles},
    .solid = false,
    .convex = false,
    .check = check,
    .scratch_size = scratch_size,
    .prepare = prepare,
    .build = build,
    .bounds = bounds,
    .triangles = triangles,
    .triangle = triangle,
    .ray = ray,
};
