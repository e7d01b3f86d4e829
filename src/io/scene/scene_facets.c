// scene_facets.c - polytopes in the place of smooth shapes, as other engines have them.
//
// A convex shape with a curved surface becomes the hull of points on it: those where it is farthest
// in directions that cover the sphere evenly (a spiral of the golden angle, turned by an arbitrary
// one so that no facet lies on an axis of symmetry), or for a cylinder the corners of a regular
// prism. A polytope of n triangles has n / 2 + 2 corners. It lies within the shape: a ball of
// radius R with n facets is off by about R 4 pi / (3 sqrt(3) n) where a facet is farthest. Bodies
// keep mass, centre and inertia of the smooth shapes, so that nothing differs but the surface.
#include "io/scene/scene_types.h"

#include "base/message.h"
#include "math/trig.h"
#include "shape/shape.h"

static const double GOLDEN_ANGLE = 2.39996322972865332;       // [rad] pi (3 - sqrt(5))
static const double PI = 3.14159265358979323846, START = 0.7; // [rad]
enum { FACETS_MIN = 8, FACETS_MAX = 100000 };

static rgVec3 direction(int index, int count) {
  double z = 1 - (2.0 * index + 1) / count, r = sqrt(1 - z * z);
  double angle = START + GOLDEN_ANGLE * index;
  return v3(r * rg_cos(angle), r * rg_sin(angle), z);
}

static int corner_count(const rgShapeDef* def, int facets) {
  return def->kind == RG_SHAPE_CYLINDER ? 2 * (facets - 2) : facets / 2 + 2;
}

static void find_corners(const rgShape* shape, int count, rgVec3* corners) {
  if (shape->kind != RG_SHAPE_CYLINDER) {
    for (int i = 0; i < count; i++)
      corners[i] = rg_shape_info(shape->kind)->support(shape, direction(i, count));
    return;
  }
  for (int i = 0; i < count; i++) {
    double angle = START + 2 * PI * (i / 2) / (count / 2);
    corners[i] = v3(shape->radius * rg_cos(angle), shape->radius * rg_sin(angle),
                    i % 2 ? shape->half_length : -shape->half_length);
  }
}

static bool is_smooth(const rgShapeDef* def) {
  const rgShapeInfo* info = rg_shape_info(def->kind);
  return info->solid && info->convex && info->support && !info->planar &&
         def->kind != RG_SHAPE_BOX && def->kind != RG_SHAPE_HULL;
}

bool rg_scene_is_smooth(const rgScene* scene) {
  for (int i = 0; i < scene->bodies.count && scene->dimension == 3; i++) {
    const rgSceneBody* body = (const rgSceneBody*)scene->bodies.items + i;
    for (int k = 0; k < body->shapes.count; k++)
      if (is_smooth(&((const rgSceneShape*)body->shapes.items)[k].def))
        return true;
  }
  return false;
}

static rgStatus facet_shape(rgScene* scene, rgSceneShape* item, int facets, rgMessage* message) {
  rgAllocator heap = rg_allocator_default();
  rgStatus status;
  rgShape* shape = rg_shape_create(&item->def, &heap, &status, message);
  if (!shape)
    return status;
  int count = corner_count(&item->def, facets);
  rgVec3* corners = rg_pool_take(&scene->pool, (size_t)count, sizeof *corners);
  if (corners)
    find_corners(shape, count, corners);
  rg_shape_destroy(shape, &heap);
  if (!corners)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", scene->file_name);
  rgShapeDef hull = rg_shape_def(RG_SHAPE_HULL);
  hull.pose = item->def.pose;
  hull.density = item->def.density;
  hull.material = item->def.material;
  hull.group = item->def.group;
  hull.mask = item->def.mask;
  hull.points = corners;
  hull.point_count = count;
  item->def = hull;
  item->points = (rgList){corners, count};
  return RG_OK;
}

static void give(rgSceneBody* body, const char* key) {
  body->head.given |= (uint32_t)1 << rg_schema_find(&rg_scene_body_object, key);
}

// The body keeps the mass that the world has given it.
static void keep_mass(const rgWorld* world, rgSceneBody* body) {
  if (body->kind != RG_BODY_DYNAMIC)
    return;
  if (body->massless) // what was given stands in for it
    return;
  rgMassProperties mass = rg_body_mass(world, rg_world_body(world, body->first));
  body->mass = mass.mass;
  give(body, "mass");
  if (body->rotation_locked)
    return;
  body->center = mass.center;
  body->inertia = mass.inertia;
  give(body, "center");
  give(body, "inertia");
}

rgStatus rg_scene_facet(rgScene* scene, int facets, rgMessage* message) {
  if (facets < FACETS_MIN || facets > FACETS_MAX)
    return rg_fail(message, RG_ERROR_INPUT, "facets is %d, must be >= %d and <= %d", facets,
                   (int)FACETS_MIN, (int)FACETS_MAX);
  rgWorld* world;
  rgStatus status = rg_scene_build(scene, NULL, &world, message);
  if (status != RG_OK)
    return status;
  for (int i = 0; i < scene->bodies.count && scene->dimension == 3; i++) {
    rgSceneBody* body = (rgSceneBody*)scene->bodies.items + i;
    rgSceneShape* shapes = body->shapes.items;
    bool changed = false;
    for (int k = 0; k < body->shapes.count && status == RG_OK; k++)
      if (is_smooth(&shapes[k].def)) {
        status = facet_shape(scene, &shapes[k], facets, message);
        changed = true;
      }
    if (changed)
      keep_mass(world, body);
  }
  rg_world_destroy(world);
  return status;
}
