// heaps.c - what heaps.h promises.
#include "support/heaps.h"

#include "support/random.h"
#include "test.h"

static rgShapeDef ball(int i) { return shape_sphere(0.1 + 0.01 * (i % 3)); }
static rgShapeDef box(int i) { return shape_box(v3(0.1, 0.1 + 0.01 * (i % 3), 0.14)); }
static rgShapeDef capsule(int i) { return shape_capsule(0.08, 0.06 + 0.01 * (i % 3)); }
static rgShapeDef cylinder(int i) { return shape_cylinder(0.1 + 0.01 * (i % 3), 0.12); }
static rgShapeDef ellipsoid(int i) { return shape_ellipsoid(v3(0.1, 0.13 + 0.01 * (i % 3), 0.16)); }

static rgShapeDef hull(int i) {
  static const rgVec3 points[] = {{0.15, 0, 0},     {-0.12, 0.05, 0.02}, {0, 0.14, -0.02},
                                  {0.02, -0.15, 0}, {0, 0.01, 0.13},     {0, 0, -0.12},
                                  {0.1, 0.1, 0.05}, {-0.1, -0.07, 0.06}};
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  shape.points = points;
  shape.point_count = 6 + i % 3;
  return shape;
}

// Every kind that a dynamic body may have in space and that needs nothing but numbers, in turn.
static rgShapeDef any_number_shape(int i) {
  switch (i % 6) {
  case 0:
    return box(i);
  case 1:
    return ball(i);
  case 2:
    return capsule(i);
  case 3:
    return cylinder(i);
  case 4:
    return ellipsoid(i);
  default:
    return hull(i);
  }
}

static rgShapeDef superellipsoid(int i) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  shape.half = v3(0.12, 0.1 + 0.01 * (i % 3), 0.14);
  shape.parameters[0] = 2 + i % 4;
  shape.parameters[1] = 3;
  return shape;
}

static rgShapeDef flat(int i) {
  static const rgVec3 corners[] = {{0, 0, 0}, {0.2, 0, 0}, {0.15, 0.15, 0}, {0, 0.2, 0}};
  static const rgShapeKind kinds[] = {RG_SHAPE_CIRCLE, RG_SHAPE_POLYGON, RG_SHAPE_CAPSULE};
  rgShapeDef shape = rg_shape_def(kinds[i % 3]);
  shape.radius = 0.1;
  shape.half_length = 0.08;
  shape.points = corners;
  shape.point_count = 3 + i % 2;
  return shape;
}

static rgShapeDef rounded(int i) {
  rgShapeDef shape = i % 2 ? box(i) : hull(i);
  shape.rounding = 0.02 + 0.01 * (i % 3);
  return shape;
}

// --- grounds ------------------------------------------------------------------------------------

static rgShapeDef wall(rgShapeKind kind, double radius, double number, rgVec3 place) {
  rgShapeDef shape = rg_shape_def(kind);
  shape.radius = radius;
  shape.parameters[0] = number;
  shape.pose.position = place;
  return shape;
}

static rgShapeDef in_a_bowl(void) { return wall(RG_SHAPE_BOWL, 2, 0.5, v3(0.6, 0.6, 2)); }
static rgShapeDef in_a_torus(void) { return wall(RG_SHAPE_TORUS, 2, 2.5, v3(3, 0.6, 1.2)); }
static rgShapeDef on_a_ring(void) { return wall(RG_SHAPE_RING, 0.4, 0.8, v3(0.6, 0.6, -0.3)); }
static rgShapeDef in_a_tube(void) {
  rgShapeDef shape = wall(RG_SHAPE_TUBE, 1.5, 0, v3(0.6, 0.6, 1.2));
  shape.pose.orientation = turn_about(v3(1, 0, 0), 1.5);
  return shape;
}

static rgShapeDef on_a_mesh(void) {
  static const rgVec3 points[] = {
      {-6, -6, 0.3}, {6, -6, 0}, {6, 6, 0.3}, {-6, 6, 0}, {0.5, 0.5, -0.2}};
  static const int triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
  rgShapeDef shape = rg_shape_def(RG_SHAPE_MESH);
  shape.points = points;
  shape.point_count = 5;
  shape.triangles = triangles;
  shape.triangle_count = 4;
  return shape;
}

static rgShapeDef on_a_field(void) {
  static const double heights[] = {0.3, 0.1, 0.2,  0.3, 0,   -0.1, 0.1, 0.2,
                                   0.1, 0,   -0.1, 0.1, 0.3, 0.2,  0.1, 0.2};
  rgShapeDef shape = rg_shape_def(RG_SHAPE_FIELD);
  shape.heights = heights;
  shape.rows = shape.columns = 4;
  shape.spacing_x = shape.spacing_y = 1;
  shape.pose.position = v3(0.5, 0.5, 0);
  return shape;
}

static const HeapScene table[] = {
    {"balls", ball, 0.25, 1, 3, NULL},
    {"boxes", box, 0.33, 1, 3, NULL},
    {"capsules", capsule, 0.3, 1, 3, NULL},
    {"cylinders", cylinder, 0.33, 1, 3, NULL},
    {"ellipsoids", ellipsoid, 0.38, 1, 3, NULL},
    {"hulls", hull, 0.33, 1, 3, NULL},
    {"superellipsoids", superellipsoid, 0.3, 1, 3, NULL},
    {"mixture", any_number_shape, 0.35, 0.5, 3, NULL},
    {"flat shapes", flat, 0.3, 1, 2, NULL},
    {"overlapping cylinders", cylinder, 0.18, 1, 3, NULL},
    {"overlapping ellipsoids", ellipsoid, 0.2, 1, 3, NULL},
    {"overlapping mixture", any_number_shape, 0.18, 0.5, 3, NULL},
    {"overlapping flat shapes", flat, 0.15, 1, 2, NULL},
    {"rounded boxes and hulls", rounded, 0.36, 1, 3, NULL},
    {"mixture in a bowl", any_number_shape, 0.35, 1, 3, in_a_bowl},
    {"rounded ones in a tube", rounded, 0.33, 0.5, 3, in_a_tube},
    {"mixture in a torus", any_number_shape, 0.33, 1, 3, in_a_torus},
    {"mixture on a ring", any_number_shape, 0.33, 1, 3, on_a_ring},
    {"mixture on a mesh", any_number_shape, 0.33, 1, 3, on_a_mesh},
    {"mixture on a field", any_number_shape, 0.33, 0.5, 3, on_a_field},
};

const HeapScene* heap_scene(int index) {
  return index >= 0 && index < (int)(sizeof table / sizeof *table) ? &table[index] : NULL;
}

static void add_ground(rgWorld* world, const HeapScene* scene) {
  static const rgVec3 ends[2] = {{-20, 0, 0}, {20, 0, 0}};
  rgBodyDef floor = body_at(RG_BODY_STATIC, v3_zero());
  if (scene->ground) {
    build_body(world, &floor, scene->ground());
    return;
  }
  if (scene->dimension == 3) {
    build_floor(world);
    return;
  }
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SEGMENT);
  shape.points = ends;
  shape.point_count = 2;
  build_body(world, &floor, shape);
}

rgWorld* heap_build(const HeapScene* scene, int side, int layers, int threads) {
  rgWorldDef def = scene->dimension == 2 ? rg_world_def_2d() : rg_world_def();
  def.options.threads = threads;
  def.options.step = 1.0 / 60; // half a second in 32 steps: what falls comes to lie
  def.options.theta = scene->theta;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.4, 0.3);
  add_ground(world, scene);
  random_state = 17;
  for (int i = 0; i < side * side * layers; i++) {
    rgVec3 at = v3(i % side, i / side % side, i / (side * side) + 1);
    rgQuat turned = random_rotation();
    if (scene->dimension == 2) { // one row after the other
      at = v3(i % (side * side), i / (side * side) + 1, 0);
      turned = turn_about(v3(0, 0, 1), 3 * random_unit());
    }
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_scale(at, scene->spacing));
    body.pose.orientation = turned;
    build_body(world, &body, scene->shape(i));
  }
  return world;
}
