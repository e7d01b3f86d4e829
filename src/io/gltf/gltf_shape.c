// gltf_shape.c - shapes as triangles.
//
// Spheres, ellipsoids, cylinders and boxes are one mesh each, scaled; a capsule is one for each ratio
// of its length to its radius. They are surfaces of revolution with exact normals, in two tones, so
// that one sees them turn. All other shapes are the triangles of rg_shape_corners; of flat ones, whose
// corners are an outline, the slab about the plane.
#include "base/hash.h"
#include "base/memory.h"
#include "io/gltf/gltf.h"
#include "math/trig.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double GROUND_REACH = 8;  // half side of a drawn half-space, of the scene's radius
static const double FLAT_DEPTH = 0.12; // thickness of flat bodies, of the scene's radius
static const double CYLINDER = -1;     // in the place of a capsule's ratio
enum {
  QUARTER = 8,      // parts of a quarter turn
  ROWS = 16,        // from pole to pole of a sphere
  PROFILE_MAX = 32, // points
  OUTLINE_MAX = 66, // points of a flat capsule
  SLAB = 12,        // corners for each point of its outline
  DARK = 184,       // tone of every second quarter
  FULL = 255
};

// What drawing has to know of the whole world.
typedef struct Surroundings {
  rgGltf* gltf;
  const rgWorld* world;
  rgVec3 center; // [m]
  double radius; // [m]
} Surroundings;

// -------------------------------------------------------------------------------------------------
// Meshes
// -------------------------------------------------------------------------------------------------

static void put(float* at, double x, double y, double z) {
  at[0] = (float)x;
  at[1] = (float)y;
  at[2] = (float)z;
}

// Index of the mesh in the file, or -1 when memory ran out.
static int add_mesh(rgGltf* gltf, const rgGltfMesh* mesh) {
  if (!rg_reserve(&gltf->pool.allocator, (void**)&gltf->meshes, &gltf->mesh_capacity,
                  gltf->mesh_count + 1, sizeof *mesh))
    return -1;
  gltf->meshes[gltf->mesh_count] = *mesh;
  return gltf->mesh_count++;
}

static bool has_corners(const rgGltfMesh* mesh, const rgVec3* corners) {
  for (int i = 0; i < mesh->vertex_count; i++) {
    const float* at = mesh->positions + 3 * (size_t)i;
    if (at[0] != (float)corners[i].x || at[1] != (float)corners[i].y ||
        at[2] != (float)corners[i].z)
      return false;
  }
  return true;
}

// Three corners for each triangle.
static int add_corners(rgGltf* gltf, const rgVec3* corners, int count) {
  rgGltfMesh mesh = {.vertex_count = count};
  mesh.key = rg_hash_bytes(RG_HASH_START, corners, (size_t)count * sizeof *corners);
  for (int i = 0; i < gltf->mesh_count; i++) {
    const rgGltfMesh* known = &gltf->meshes[i];
    if (!known->normals && known->key == mesh.key && known->vertex_count == count &&
        has_corners(known, corners))
      return i;
  }
  mesh.positions = rg_pool_take(&gltf->pool, 3 * (size_t)count, sizeof(float));
  if (!mesh.positions)
    return -1;
  for (int i = 0; i < count; i++)
    put(mesh.positions + 3 * (size_t)i, corners[i].x, corners[i].y, corners[i].z);
  return add_mesh(gltf, &mesh);
}

// Room for points that are forgotten with the next shape; NULL when memory ran out.
static rgVec3* room_for(rgGltf* gltf, int count) {
  bool room = rg_reserve(&gltf->pool.allocator, (void**)&gltf->scratch, &gltf->scratch_capacity,
                         count, sizeof(rgVec3));
  return room ? gltf->scratch : NULL;
}

// -------------------------------------------------------------------------------------------------
// Surfaces of revolution about z
// -------------------------------------------------------------------------------------------------

// A point of the half-plane of radius r and height z, and the normal there.
typedef struct Point {
  double r, z, normal_r, normal_z;
} Point;

static int vertex_of(int column, int row, int points) { return column * points + row; }

static void revolve_vertices(rgGltfMesh* mesh, const Point* profile, int points) {
  int at = 0;
  for (int column = 0; column < 4 * (QUARTER + 1); column++) { // quarters share no vertices
    int quarter = column / (QUARTER + 1), turn = quarter * QUARTER + column % (QUARTER + 1);
    double angle = RG_PI / 2 * turn / QUARTER, c = rg_cos(angle), s = rg_sin(angle);
    for (int row = 0; row < points; row++, at++) {
      const Point* p = &profile[row];
      put(mesh->positions + 3 * at, p->r * c, p->r * s, p->z);
      put(mesh->normals + 3 * at, p->normal_r * c, p->normal_r * s, p->normal_z);
      mesh->tones[at] = quarter % 2 ? DARK : FULL;
    }
  }
}

static void add_index(rgGltfMesh* mesh, int a, int b, int c) {
  uint32_t* at = mesh->indices + mesh->index_count;
  at[0] = (uint32_t)a;
  at[1] = (uint32_t)b;
  at[2] = (uint32_t)c;
  mesh->index_count += 3;
}

// Two triangles for each part, but one at the axis, and none where the profile only changes its normal.
static void revolve_triangles(rgGltfMesh* mesh, const Point* profile, int points) {
  for (int column = 0; column < 4 * (QUARTER + 1); column++)
    for (int row = 0; row + 1 < points && column % (QUARTER + 1) < QUARTER; row++) {
      const Point *low = &profile[row], *high = low + 1;
      int a = vertex_of(column, row, points), b = vertex_of(column + 1, row, points);
      if (low->r == high->r && low->z == high->z)
        continue;
      if (low->r > 0)
        add_index(mesh, a, b, b + 1);
      if (high->r > 0)
        add_index(mesh, a, b + 1, a + 1);
    }
}

// From the lower end of the profile to the upper one.
static int add_revolved(rgGltf* gltf, double ratio, const Point* profile, int points) {
  size_t count = 4 * (QUARTER + 1) * (size_t)points;
  rgGltfMesh mesh = {
      .ratio = ratio,
      .vertex_count = (int)count,
      .positions = rg_pool_take(&gltf->pool, 3 * count, sizeof(float)),
      .normals = rg_pool_take(&gltf->pool, 3 * count, sizeof(float)),
      .tones = rg_pool_take(&gltf->pool, count, 1),
      .indices = rg_pool_take(&gltf->pool, 6 * count, sizeof(uint32_t)),
  };
  if (!mesh.positions || !mesh.normals || !mesh.tones || !mesh.indices)
    return -1;
  revolve_vertices(&mesh, profile, points);
  revolve_triangles(&mesh, profile, points);
  return add_mesh(gltf, &mesh);
}

// The surface of revolution with this ratio, or -1.
static int find_revolved(const rgGltf* gltf, double ratio) {
  for (int i = 0; i < gltf->mesh_count; i++)
    if (gltf->meshes[i].normals && gltf->meshes[i].ratio == ratio)
      return i;
  return -1;
}

// Of radius 1, in halves that are `apart` from the middle.
static int add_capsule(rgGltf* gltf, double apart) {
  Point profile[PROFILE_MAX];
  int count = 0, half = ROWS / 2, known = find_revolved(gltf, apart);
  if (known >= 0)
    return known;
  for (int i = -half; i <= half; i++) {
    double angle = RG_PI / 2 * i / half, z = rg_sin(angle), r = rg_cos(angle);
    if (i == -half || i == half)
      r = 0; // the poles are on the axis
    if (i <= 0)
      profile[count++] = (Point){r, z - apart, r, z};
    if (i >= 0 && (i > 0 || apart > 0))
      profile[count++] = (Point){r, z + apart, r, z};
  }
  return add_revolved(gltf, apart, profile, count);
}

// Of radius 1 and height 2.
static int add_cylinder(rgGltf* gltf) {
  static const Point profile[] = {{0, -1, 0, -1}, {1, -1, 0, -1}, {1, -1, 1, 0},
                                  {1, 1, 1, 0},   {1, 1, 0, 1},   {0, 1, 0, 1}};
  int known = find_revolved(gltf, CYLINDER);
  return known >= 0 ? known
                    : add_revolved(gltf, CYLINDER, profile, sizeof profile / sizeof *profile);
}

// -------------------------------------------------------------------------------------------------
// Flat faces
// -------------------------------------------------------------------------------------------------

// Two triangles of a quadrangle.
static void add_quad(rgVec3* out, int* count, rgVec3 a, rgVec3 b, rgVec3 c, rgVec3 d) {
  const rgVec3 six[] = {a, b, c, a, c, d};
  memcpy(out + *count, six, sizeof six);
  *count += 6;
}

// From -1 to 1.
static int add_cube(rgGltf* gltf) {
  rgVec3 out[36];
  int count = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int side = -1; side <= 1; side += 2) {
      rgVec3 n = v3(axis == 0, axis == 1, axis == 2), u = v3(axis == 2, axis == 0, axis == 1);
      n = v3_scale(n, side);
      rgVec3 w = v3_cross(n, u);
      add_quad(out, &count, v3_sub(v3_sub(n, u), w), v3_add(v3_sub(n, w), u),
               v3_add(v3_add(n, u), w), v3_sub(v3_add(n, w), u));
    }
  return add_corners(gltf, out, count);
}

static rgVec3 lifted(rgVec3 point, double z) { return v3(point.x, point.y, z); }

// The convex outline in the plane as a slab of the thickness `depth`; `out` has room for twelve points
// for each of it.
static int add_slab(rgGltf* gltf, const rgVec3* loop, int points, double depth, rgVec3* out) {
  int count = 0;
  double z = depth / 2;
  for (int i = 2; i < points; i++) {
    out[count++] = lifted(loop[0], z);
    out[count++] = lifted(loop[i - 1], z);
    out[count++] = lifted(loop[i], z);
    out[count++] = lifted(loop[0], -z);
    out[count++] = lifted(loop[i], -z);
    out[count++] = lifted(loop[i - 1], -z);
  }
  for (int i = 0; i < points; i++) {
    rgVec3 a = loop[i], b = loop[(i + 1) % points];
    add_quad(out, &count, lifted(a, -z), lifted(b, -z), lifted(b, z), lifted(a, z));
  }
  return add_corners(gltf, out, count);
}

// A line of points in the plane as a ribbon across it.
static int add_ribbon(rgGltf* gltf, const rgVec3* line, int points, double depth, rgVec3* out) {
  int count = 0;
  double z = depth / 2;
  for (int i = 0; i + 1 < points; i++)
    add_quad(out, &count, lifted(line[i], -z), lifted(line[i + 1], -z), lifted(line[i + 1], z),
             lifted(line[i], z));
  return add_corners(gltf, out, count);
}

static int add_flat_capsule(rgGltf* gltf, double radius, double half_length, double depth) {
  rgVec3 loop[OUTLINE_MAX];
  int count = 0;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i <= 2 * QUARTER; i++) {
      double angle = RG_PI / 2 * ((double)i / QUARTER - 1 + 2 * side);
      double x = side ? -half_length : half_length;
      loop[count++] = v3(x + radius * rg_cos(angle), radius * rg_sin(angle), 0);
    }
  rgVec3* out = room_for(gltf, SLAB * count);
  return out ? add_slab(gltf, loop, count, depth, out) : -1;
}

// A square of the boundary about the foot of the scene's middle.
static int add_ground(const Surroundings* around, rgGltfPart* part, rgPose body) {
  rgPose frame = pose_mul(body, part->pose);
  double reach = GROUND_REACH * around->radius;
  rgVec3 middle = pose_unapply(frame, around->center), u = v3(reach, 0, 0), w = v3(0, reach, 0);
  middle.z = 0;
  part->pose.position = pose_apply(part->pose, middle);
  rgVec3 out[6];
  int count = 0;
  add_quad(out, &count, v3_neg(v3_add(u, w)), v3_sub(u, w), v3_add(u, w), v3_sub(w, u));
  return add_corners(around->gltf, out, count);
}

// -------------------------------------------------------------------------------------------------
// Shapes
// -------------------------------------------------------------------------------------------------

static int add_listed(const Surroundings* around, rgShapeId id, const rgShapeView* view) {
  rgGltf* gltf = around->gltf;
  int count = view->corner_count;
  double depth = FLAT_DEPTH * around->radius;
  rgVec3* corners = room_for(gltf, (gltf->flat ? 1 + SLAB : 1) * count);
  if (!corners)
    return -1;
  rg_shape_corners(around->world, id, corners, count);
  if (!gltf->flat)
    return add_corners(gltf, corners, count);
  return view->def.kind == RG_SHAPE_POLYGON
             ? add_slab(gltf, corners, count, depth, corners + count)
             : add_ribbon(gltf, corners, count, depth, corners + count);
}

// The mesh of a shape and how it is scaled; -1 when memory ran out.
static int add_shape(const Surroundings* around, rgShapeId id, const rgShapeView* view,
                     rgGltfPart* part) {
  rgGltf* gltf = around->gltf;
  const rgShapeDef* def = &view->def;
  double r = def->radius, h = def->half_length, depth = FLAT_DEPTH * around->radius;
  switch (def->kind) {
  case RG_SHAPE_SPHERE:
    part->scale = v3(r, r, r);
    return add_capsule(gltf, 0);
  case RG_SHAPE_ELLIPSOID:
    part->scale = def->half;
    return add_capsule(gltf, 0);
  case RG_SHAPE_CAPSULE:
    if (gltf->flat)
      return add_flat_capsule(gltf, r, h, depth);
    part->scale = v3(r, r, r);
    return add_capsule(gltf, h / r);
  case RG_SHAPE_CYLINDER:
    part->scale = v3(r, r, h);
    return add_cylinder(gltf);
  case RG_SHAPE_CIRCLE:
    part->scale = v3(r, r, depth / 2);
    return add_cylinder(gltf);
  case RG_SHAPE_HALFSPACE:
    return add_ground(around, part, rg_body_pose(around->world, view->body));
  default:
    break;
  }
  if (view->corner_count > 0)
    return add_listed(around, id, view);
  part->scale = def->half; // a sharp box
  return add_cube(gltf);
}

// The ball about what moves; about all that is bounded when nothing does.
static void measure(Surroundings* around, const rgShapeId* ids, int count) {
  const double far = HUGE_VAL;
  rgBounds found[2];
  for (int i = 0; i < 2; i++)
    found[i] = (rgBounds){v3(far, far, far), v3(-far, -far, -far)};
  for (int i = 0; i < count; i++) {
    rgShapeView view;
    if (rg_shape_view(around->world, ids[i], &view) != RG_OK || !isfinite(view.extent))
      continue;
    rgBounds own = rg_shape_bounds(around->world, ids[i]);
    bool moves = rg_body_kind(around->world, view.body) == RG_BODY_DYNAMIC;
    for (int k = moves ? 0 : 1; k < 2; k++) {
      found[k].lower = v3_min(found[k].lower, own.lower);
      found[k].upper = v3_max(found[k].upper, own.upper);
    }
  }
  const rgBounds* used = found[0].lower.x <= found[0].upper.x ? &found[0] : &found[1];
  around->center = v3_zero();
  around->radius = 1;
  if (!(used->lower.x <= used->upper.x))
    return;
  around->center = v3_scale(v3_add(used->lower, used->upper), 0.5);
  around->radius = fmax(0.5 * v3_norm(v3_sub(used->upper, used->lower)), 1e-9);
}

static int body_of(const rgGltf* gltf, rgBodyId id) {
  for (int i = 0; i < gltf->body_count; i++)
    if (gltf->bodies[i].id.index == id.index)
      return i;
  return -1;
}

bool rg_gltf_shapes(rgGltf* gltf, const rgWorld* world) {
  int count = rg_world_shapes(world, NULL, 0), body = 0;
  rgShapeId* ids = rg_pool_take(&gltf->pool, (size_t)count, sizeof *ids);
  gltf->parts = rg_pool_take(&gltf->pool, (size_t)count, sizeof *gltf->parts);
  if (!ids || !gltf->parts)
    return false;
  rg_world_shapes(world, ids, count);
  Surroundings around = {.gltf = gltf, .world = world};
  measure(&around, ids, count);
  for (int i = count - 1; i >= 0; i--) { // each goes before the others of its body
    rgShapeView view;
    if (rg_shape_view(world, ids[i], &view) != RG_OK)
      continue;
    if (gltf->bodies[body].id.index != view.body.index) // the next shape mostly is of the same one
      body = body_of(gltf, view.body);
    rgGltfPart part = {.body = body, .pose = view.def.pose, .scale = v3(1, 1, 1)};
    part.mesh = add_shape(&around, ids[i], &view, &part);
    if (part.mesh < 0)
      return false;
    part.next = gltf->bodies[body].first_part;
    gltf->bodies[body].first_part = gltf->part_count;
    gltf->parts[gltf->part_count++] = part;
  }
  return true;
}
