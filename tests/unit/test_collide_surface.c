// Convex shapes on meshes and height fields: flat and hollow edges are not felt, ridges are.
#include "test.h"

#include "collide/collide.h"
#include "collide/convex/gjk.h"
#include "support/builder.h"
#include "support/random.h"
#include "support/shape.h"

enum { LIST = 32 };

static rgShape* box(double x, double y, double z) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_BOX);
  def.half = v3(x, y, z);
  return make_shape(def);
}

static rgShape* sphere(double r) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_SPHERE);
  def.radius = r;
  return make_shape(def);
}

// One of each kind that rolls or slides, all with lowest point 0.5 below the centre when upright.
static rgShape* half_high(rgShapeKind kind) {
  static const rgVec3 corners[8] = {{-.4, -.3, -.5}, {.4, -.3, -.5}, {-.4, .3, -.5}, {.4, .3, -.5},
                                    {-.3, -.2, .5},  {.3, -.2, .5},  {-.3, .2, .5},  {.3, .2, .5}};
  rgShapeDef def = rg_shape_def(kind);
  def.radius = kind == RG_SHAPE_CAPSULE ? 0.2 : kind == RG_SHAPE_CYLINDER ? 0.35 : 0.5;
  def.half_length = kind == RG_SHAPE_CAPSULE ? 0.3 : 0.5;
  def.half = v3(0.4, 0.3, 0.5);
  def.points = corners;
  def.point_count = 8;
  return make_shape(def);
}

// z(x, y) on a grid of `cells` by `cells` unit squares centred on the origin, each cut into two
// triangles.
static rgShape* grid_mesh(int cells, double (*height)(double x, double y)) {
  int side = cells + 1, count = 0;
  rgVec3* points = malloc(sizeof(rgVec3) * (size_t)(side * side));
  int* triangles = malloc(sizeof(int) * (size_t)(6 * cells * cells));
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) {
      double x = i - 0.5 * cells, y = j - 0.5 * cells;
      points[j * side + i] = v3(x, y, height(x, y));
    }
  for (int j = 0; j < cells; j++)
    for (int i = 0; i < cells; i++) {
      int p = j * side + i, corners[6] = {p, p + 1, p + side + 1, p, p + side + 1, p + side};
      for (int k = 0; k < 6; k++)
        triangles[count++] = corners[k];
    }
  rgShapeDef def = rg_shape_def(RG_SHAPE_MESH);
  def.points = points;
  def.point_count = side * side;
  def.triangles = triangles;
  def.triangle_count = count / 3;
  rgShape* mesh = make_shape(def);
  free(points);
  free(triangles);
  return mesh;
}

static rgShape* grid_field(int cells, double (*height)(double x, double y)) {
  int side = cells + 1;
  double* heights = malloc(sizeof(double) * (size_t)(side * side));
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++)
      heights[j * side + i] = height(i - 0.5 * cells, j - 0.5 * cells);
  rgShapeDef def = rg_shape_def(RG_SHAPE_FIELD);
  def.heights = heights;
  def.rows = def.columns = side;
  def.spacing_x = def.spacing_y = 1;
  rgShape* field = make_shape(def);
  free(heights);
  return field;
}

// The unit cube as a mesh of 12 triangles, from -1 to 1.
static rgShape* cube_mesh(void) {
  static const rgVec3 corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                    {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
  static const int triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                    2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
  rgShapeDef def = rg_shape_def(RG_SHAPE_MESH);
  def.points = corners;
  def.point_count = 8;
  def.triangles = triangles;
  def.triangle_count = 12;
  return make_shape(def);
}

static double flat(double x, double y) { return (void)x, (void)y, 0; }
static double roof(double x, double y) { return (void)y, -fabs(x); }
static double valley(double x, double y) { return (void)y, fabs(x); }
static double slope(double x, double y) { return 0.5 * x + 0.25 * y; }

typedef struct Result {
  rgManifold items[LIST];
  rgManifoldList list;
} Result;

static void collide(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                    Result* r) {
  r->list = (rgManifoldList){.items = r->items, .capacity = LIST};
  rg_collide(a, pose_a, b, pose_b, reach, NULL, &r->list);
  CHECK(!r->list.overflow);
}

static rgPose at(double x, double y, double z) { return (rgPose){v3(x, y, z), quat_identity()}; }

// Facts that hold for every result: finite, unit normals, gap along the normal, within reach.
static void check_sane(const Result* r, double reach, double size) {
  for (int i = 0; i < r->list.count; i++) {
    const rgManifold* m = &r->items[i];
    CHECK_NEAR(v3_norm(m->normal), 1, 1e-14);
    CHECK(m->count > 0);
    for (int k = 0; k < m->count; k++) {
      const rgManifoldPoint* p = &m->points[k];
      CHECK(v3_finite(p->point_a) && v3_finite(p->point_b));
      CHECK_NEAR(v3_dot(v3_sub(p->point_a, p->point_b), m->normal), p->gap, 1e-13 * size);
      CHECK(p->gap <= reach + 1e-13 * size);
    }
    for (int j = 0; j < i; j++)
      CHECK(r->items[j].key != m->key);
  }
}

// --- Flat ----------------------------------------------------------------------------------------

static void check_flat(const rgShape* shape, const rgShape* surface, rgPose pose, double gap,
                       int count) {
  Result r;
  collide(shape, pose, surface, pose_identity(), 0.01, &r);
  check_sane(&r, 0.01, 4);
  REQUIRE_INT(r.list.count, 1);
  CHECK_NEAR(r.items[0].normal.x, 0, 1e-14);
  CHECK_NEAR(r.items[0].normal.y, 0, 1e-14);
  CHECK_NEAR(r.items[0].normal.z, 1, 1e-14);
  if (count > 0)
    CHECK_INT(r.items[0].count, count);
  for (int k = 0; k < r.items[0].count; k++)
    CHECK_NEAR(r.items[0].points[k].gap, gap, 1e-14);
}

TEST(box_sliding_over_a_flat_surface_has_its_four_corners_everywhere) {
  rgShape* surfaces[2] = {grid_mesh(8, flat), grid_field(8, flat)};
  rgShape* b = box(0.7, 0.3, 0.5);
  random_state = 1;
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 1000; i++) {
      // Across the grid along x; every fourth position has an edge of the box on an edge of the
      // mesh.
      double x = i % 4 == 0 ? floor(random_between(-2, 2)) + 0.7 : -2 + 4e-3 * i,
             y = i % 8 == 0 ? 0.7 : 0.123;
      rgPose pose = at(x, y, i % 2 ? 0.5 : 0.499);
      if (i % 3 == 0) // turned about the vertical
        pose.orientation = quat_unit((rgQuat){1, 0, 0, random_between(-1, 1)});
      CONTEXT("surface %d position %d", s, i);
      check_flat(b, surfaces[s], pose, i % 2 ? 0 : -0.001, 4);
    }
  free_shape(b);
  for (int s = 0; s < 2; s++)
    free_shape(surfaces[s]);
}

TEST(sphere_on_a_flat_surface_has_one_contact_everywhere) {
  rgShape* surfaces[2] = {grid_mesh(8, flat), grid_field(8, flat)};
  rgShape* ball = sphere(0.5);
  random_state = 2;
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < 1000; i++) {
      double x = i % 3 == 0 ? floor(random_between(-3, 3)) : random_between(-3, 3);
      double y = i % 5 == 0 ? x : i % 5 == 1 ? floor(random_between(-3, 3)) : random_between(-3, 3);
      CONTEXT("surface %d at %.17g %.17g", s, x, y);
      check_flat(ball, surfaces[s], at(x, y, 0.499), -0.001, 1);
    }
  free_shape(ball);
  for (int s = 0; s < 2; s++)
    free_shape(surfaces[s]);
}

TEST(every_shape_standing_on_a_flat_surface_is_pushed_straight_up) {
  rgShape* surfaces[2] = {grid_mesh(8, flat), grid_field(8, flat)};
  random_state = 3;
  for (rgShapeKind kind = RG_SHAPE_SPHERE; kind <= RG_SHAPE_HULL; kind++) {
    rgShape* shape = half_high(kind);
    for (int i = 0; i < 300; i++) {
      double x = i % 3 == 0 ? 1 : random_between(-3, 3), y = i % 4 == 0 ? x : random_between(-3, 3);
      CONTEXT("%s at %.17g %.17g", rg_shape_kind_name(kind), x, y);
      check_flat(shape, surfaces[i % 2], at(x, y, 0.4999), -1e-4, 0);
    }
    free_shape(shape);
  }
  for (int s = 0; s < 2; s++)
    free_shape(surfaces[s]);
}

// Any attitude: on a flat mesh exactly the contacts of a half-space, as far as they can be
// compared: the deepest gap, and normals that are all vertical.
TEST(tilted_shapes_on_a_flat_mesh_meet_a_plane) {
  rgShape* mesh = grid_mesh(12, flat);
  rgShape* plane = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  random_state = 4;
  for (rgShapeKind kind = RG_SHAPE_SPHERE; kind <= RG_SHAPE_HULL; kind++) {
    rgShape* shape = half_high(kind);
    for (int i = 0; i < 500; i++) {
      rgPose pose = {v3(random_between(-3, 3), random_between(-3, 3), 0), random_rotation()};
      rgVec3 down = quat_unrotate(pose.orientation, v3(0, 0, -1));
      rgVec3 low = pose_apply(pose, rg_shape_info(kind)->support(shape, down));
      pose.position.z = -low.z + random_between(-0.004, 0.004);
      Result on_mesh, on_plane;
      collide(shape, pose, mesh, pose_identity(), 0.01, &on_mesh);
      collide(shape, pose, plane, pose_identity(), 0.01, &on_plane);
      CONTEXT("%s %d", rg_shape_kind_name(kind), i);
      check_sane(&on_mesh, 0.01, 4);
      REQUIRE_INT(on_mesh.list.count, 1);
      CHECK_NEAR(on_mesh.items[0].normal.z, 1, 1e-14);
      double deepest = HUGE_VAL, expected = HUGE_VAL;
      for (int k = 0; k < on_mesh.items[0].count; k++)
        deepest = fmin(deepest, on_mesh.items[0].points[k].gap);
      for (int k = 0; k < on_plane.items[0].count; k++)
        expected = fmin(expected, on_plane.items[0].points[k].gap);
      CHECK_NEAR(deepest, expected, 1e-13);
    }
    free_shape(shape);
  }
  free_shape(mesh);
  free_shape(plane);
}

TEST(sloping_flat_field_has_one_normal) {
  rgShape* field = grid_field(10, slope);
  rgVec3 n = v3_unit_or(v3(-0.5, -0.25, 1), v3_zero());
  rgShape* ball = sphere(0.5);
  random_state = 5;
  for (int i = 0; i < 500; i++) {
    double x = i % 2 ? floor(random_between(-3, 3)) : random_between(-3, 3),
           y = random_between(-3, 3);
    rgVec3 foot = v3(x, y, slope(x, y));
    Result r;
    collide(ball, (rgPose){v3_axpy(foot, 0.49, n), quat_identity()}, field, pose_identity(), 0.02,
            &r);
    REQUIRE_INT(r.list.count, 1);
    REQUIRE_INT(r.items[0].count, 1);
    CHECK_NEAR(v3_norm(v3_sub(r.items[0].normal, n)), 0, 1e-13);
    CHECK_NEAR(r.items[0].points[0].gap, -0.01, 1e-13);
  }
  free_shape(ball);
  free_shape(field);
}

// --- Edges ---------------------------------------------------------------------------------------

// Rolling over a ridge the normal turns from one face to the other without a jump, and the gap is
// the distance.
TEST(sphere_rolls_over_a_ridge) {
  rgShape* mesh = grid_mesh(6, roof);
  rgShape* ball = sphere(0.5);
  for (int i = -100; i <= 100; i++) {
    double angle = i * 0.01; // of the normal against the vertical; the faces are at 0.785
    double x = sin(angle) * 0.5, z = cos(angle) * 0.5;
    if (fabs(angle) > 0.7853) { // further down on the face
      double s = sqrt(0.5), down = 0.5 * (fabs(angle) - 0.7853);
      x = (angle < 0 ? -1 : 1) * (s * 0.5 + s * down);
      z = s * 0.5 - s * down;
    }
    Result r;
    collide(ball, at(x, 0.3, z), mesh, pose_identity(), 0.001, &r);
    CONTEXT("angle %g", angle);
    REQUIRE_INT(r.list.count, 1);
    CHECK_INT(r.items[0].count, 1);
    CHECK_NEAR(r.items[0].points[0].gap, 0, 1e-4);
    double expected = fabs(angle) > 0.7853 ? (angle < 0 ? -sqrt(0.5) : sqrt(0.5)) : sin(angle);
    CHECK_NEAR(r.items[0].normal.x, expected, 1e-4);
    CHECK_NEAR(r.items[0].normal.y, 0, 1e-12);
  }
  free_shape(ball);
  free_shape(mesh);
}

// The corners of the mesh along the ridge are not felt either.
TEST(sphere_rolls_along_a_ridge) {
  rgShape* mesh = grid_mesh(6, roof);
  rgShape* ball = sphere(0.5);
  for (int i = 0; i <= 400; i++) {
    Result r;
    collide(ball, at(0, -2 + 0.01 * i, 0.4995), mesh, pose_identity(), 0.05, &r);
    CONTEXT("y %g", -2 + 0.01 * i);
    REQUIRE_INT(r.list.count, 1);
    CHECK_INT(r.items[0].count, 1);
    CHECK_NEAR(r.items[0].normal.z, 1, 1e-12);
    CHECK_NEAR(r.items[0].points[0].gap, -0.0005, 1e-12);
  }
  free_shape(ball);
  free_shape(mesh);
}

TEST(sphere_in_a_valley_touches_both_faces) {
  rgShape* mesh = grid_mesh(6, valley);
  rgShape* ball = sphere(0.5);
  for (int i = 0; i <= 100; i++) {
    Result r;
    collide(ball, at(0, -1 + 0.02 * i, 0.5 * sqrt(2.0) - 0.001), mesh, pose_identity(), 0.01, &r);
    REQUIRE_INT(r.list.count, 2);
    for (int k = 0; k < 2; k++) {
      CHECK_INT(r.items[k].count, 1);
      CHECK_NEAR(r.items[k].normal.z, sqrt(0.5), 1e-12);
      CHECK_NEAR(r.items[k].points[0].gap, -0.001 * sqrt(0.5), 1e-12);
    }
    CHECK_NEAR(r.items[0].normal.x + r.items[1].normal.x, 0, 1e-12);
  }
  free_shape(ball);
  free_shape(mesh);
}

// A level box balanced on the ridge of a roof touches it along a line, pushed straight up.
TEST(box_balances_on_a_ridge) {
  rgShape* mesh = grid_mesh(6, roof);
  rgShape* b = box(0.4, 0.6, 0.3);
  for (int i = 0; i <= 100; i++)
    for (int deep = 0; deep < 2; deep++) {
      Result r;
      collide(b, at(0.1, -1 + 0.02 * i, deep ? 0.2999 : 0.3001), mesh, pose_identity(), 0.001, &r);
      CONTEXT("y %g deep %d", -1 + 0.02 * i, deep);
      check_sane(&r, 0.001, 4);
      REQUIRE_INT(r.list.count, 1);
      CHECK_NEAR(r.items[0].normal.z, 1, 1e-9);
      CHECK_INT(r.items[0].count, 2);
      for (int k = 0; k < r.items[0].count; k++) {
        CHECK_NEAR(r.items[0].points[k].gap, deep ? -1e-4 : 1e-4, 1e-9);
        CHECK_NEAR(r.items[0].points[k].point_b.x, 0, 1e-9);
      }
    }
  free_shape(b);
  free_shape(mesh);
}

// A box that hangs over the edge of a mesh cube is held by the top alone, never pushed sideways by
// the side face.
TEST(box_overhanging_an_edge_feels_the_top_only) {
  rgShape* cube = cube_mesh();
  rgShape* b = box(0.5, 0.5, 0.5);
  for (int i = 0; i <= 200; i++)
    for (int deep = 0; deep < 3; deep++) {
      double x = 1 + (i - 100) * 0.0049, sink = deep * 1e-5;
      Result r;
      collide(b, at(x, 0.1, 1.5 - sink), cube, pose_identity(), 0.001, &r);
      CONTEXT("x %g sink %g", x, sink);
      check_sane(&r, 0.001, 4);
      REQUIRE_INT(r.list.count, 1);
      CHECK_NEAR(r.items[0].normal.z, 1, 1e-9);
      CHECK_INT(r.items[0].count, 4);
      for (int k = 0; k < r.items[0].count; k++) {
        CHECK_NEAR(r.items[0].points[k].gap, -sink, 1e-9);
        CHECK(r.items[0].points[k].point_b.x <= 1 + 1e-9);
      }
    }
  free_shape(b);
  free_shape(cube);
}

// The corner of a cube: the normal of a sphere is that from the corner, and the one contact is not
// found thrice.
TEST(sphere_on_the_corner_of_a_cube) {
  rgShape* cube = cube_mesh();
  rgShape* ball = sphere(0.5);
  random_state = 6;
  for (int i = 0; i < 200; i++) {
    rgVec3 d =
        v3_unit_or(v3(random_unit() + 0.05, random_unit() + 0.05, random_unit() + 0.05), v3_zero());
    Result r;
    collide(ball, (rgPose){v3_axpy(v3(1, 1, 1), 0.49, d), random_rotation()}, cube, pose_identity(),
            0.001, &r);
    REQUIRE_INT(r.list.count, 1);
    CHECK_INT(r.items[0].count, 1);
    CHECK_NEAR(v3_norm(v3_sub(r.items[0].normal, d)), 0, 1e-12);
    CHECK_NEAR(r.items[0].points[0].gap, -0.01, 1e-12);
  }
  free_shape(ball);
  free_shape(cube);
}

static const rgManifoldPoint* deepest_point(const Result* r, rgVec3* normal) {
  const rgManifoldPoint* best = NULL;
  for (int m = 0; m < r->list.count; m++)
    for (int k = 0; k < r->items[m].count; k++)
      if (!best || r->items[m].points[k].gap < best->gap) {
        best = &r->items[m].points[k];
        *normal = r->items[m].normal;
      }
  return best;
}

// Outside a convex mesh the nearest contact is that of the solid it bounds, which GJK knows.
// The least depth of a body over the normals of a ridge, by trying them, from the face on the left to the one
// on the right of `roof`, and then more densely about the best.
static double depth_over_arc(const rgShape* shape, rgPose pose, rgVec3* normal) {
  enum { TRIES = 1000 };
  double best = -HUGE_VAL, at_best = 0, centre = 0;
  for (double width = 1; width > 1e-8; width *= 2.0 / TRIES, centre = at_best)
    for (int i = 0; i <= TRIES; i++) {
      double x = fmax(-1, fmin(1, centre + width * (2.0 * i / TRIES - 1)));
      rgVec3 n = v3_unit_or(v3(x, 0, 1), v3(0, 0, 1));
      rgVec3 down = quat_unrotate(pose.orientation, v3_neg(n));
      rgVec3 low = pose_apply(pose, rg_shape_info(shape->kind)->support(shape, down));
      double gap = v3_dot(n, low);
      if (gap > best) {
        best = gap;
        at_best = x;
        *normal = n;
      }
    }
  return best;
}

// A ridge that has come deeper into a slender body than half of its width there, as it easily does near
// pointed ends: the nearest way out leads down into the roof, and used to leave no contact at all. So did the way
// out of one triangle, along it, for plates that lie on two of them.
TEST(slender_bodies_across_a_ridge_are_pushed_up_from_beyond_their_middle) {
  static const rgShapeKind kinds[] = {RG_SHAPE_ELLIPSOID, RG_SHAPE_SUPERELLIPSOID, RG_SHAPE_BOX,
                                      RG_SHAPE_CAPSULE};
  rgShape* surface = grid_mesh(4, roof);
  random_state = 91;
  for (int i = 0; i < 800; i++) {
    rgShapeDef def = rg_shape_def(kinds[i % 4]);
    double thin = random_between(0.01, 0.05);
    def.half = v3(0.4, thin, thin * random_between(0.3, 1));
    def.radius = thin;
    def.half_length = 0.4;
    def.parameters[0] = def.parameters[1] = random_between(2, 3);
    rgShape* shape = make_shape(def);
    rgPose pose = at(random_between(-0.35, 0.35), random_between(-0.3, 0.3), 0);
    pose.orientation = quat_mul(turn_about(v3(0, 0, 1), random_between(-0.8, 0.8)),
                                turn_about(v3(0, 1, 0), random_between(-0.3, 0.3)));
    rgVec3 normal;
    pose.position.z -= depth_over_arc(shape, pose, &normal); // touching, or nearly so
    pose.position.z -= random_between(-0.2, 1.2) * shape->size;
    double least = depth_over_arc(shape, pose, &normal);
    bool inside = fabs(normal.x) < 0.6; // of the arc, and not at its ends
    // Deeper than the half-width there may be two normals, of which one is found.
    if (inside && -least < shape->size && v3_dot(normal, pose.position) > -0.9 * shape->size) {
      Result r;
      collide(shape, pose, surface, at(0, 0, 0), 0.01, &r);
      CONTEXT("%s of %g, %d, depth %g", rg_shape_info(shape->kind)->name, def.half.z, i, -least);
      double miss = HUGE_VAL; // of the contacts on the ridge; faces may have theirs besides
      for (int m = 0; m < r.list.count; m++) {
        double gap = HUGE_VAL;
        for (int k = 0; k < r.items[m].count; k++)
          gap = fmin(gap, r.items[m].points[k].gap);
        miss = fmin(miss, fabs(gap - least));
      }
      CHECK_MSG(miss <= 1e-8, "%d manifolds, the nearest off by %g", r.list.count, miss);
    }
    free_shape(shape);
  }
  free_shape(surface);
}

TEST(gap_to_a_cube_mesh_is_the_distance_to_a_cube) {
  rgShape* cube = cube_mesh();
  rgShape* solid = box(1, 1, 1);
  rgConvex convex_solid = rg_convex_of_shape(solid, pose_identity());
  random_state = 7;
  int compared = 0, trials = test_fast() ? 300 : 3000;
  for (rgShapeKind kind = RG_SHAPE_SPHERE; kind <= RG_SHAPE_HULL; kind++) {
    rgShape* shape = half_high(kind);
    for (int i = 0; i < trials; i++) {
      rgPose pose = {v3(random_between(-2, 2), random_between(-2, 2), random_between(-2, 2)),
                     random_rotation()};
      Result r;
      collide(shape, pose, cube, pose_identity(), 0.1, &r);
      check_sane(&r, 0.1, 4);
      rgConvex convex = rg_convex_of_shape(shape, pose);
      rgDistance truth;
      bool close = rg_convex_distance(&convex, &convex_solid, 0.1, v3_zero(), &truth);
      if (close &&
          truth.distance < 1e-6) // overlapping: a surface has no inside to measure depth through
        continue;
      rgVec3 n = v3_zero();
      const rgManifoldPoint* p = deepest_point(&r, &n);
      CONTEXT("%s %d: %g against %g", rg_shape_kind_name(kind), i, p ? p->gap : 9,
              close ? truth.distance : 9);
      if (!close || truth.distance > 0.0999) {
        CHECK(!p || p->gap > 0.0999);
        continue;
      }
      compared++;
      REQUIRE(p != NULL);
      CHECK_NEAR(p->gap, truth.distance, 1e-9);
      CHECK_NEAR(v3_norm(v3_sub(n, truth.normal)), 0,
                 1e-4); // GJK turns on smooth bodies by some 1e-5
    }
    free_shape(shape);
  }
  CHECK(compared > trials / 10); // the rest overlap or are out of reach
  free_shape(solid);
  free_shape(cube);
}

// --- Depth and motion ----------------------------------------------------------------------------

// However the shape has slipped below the surface, up to its size, it is pushed up.
TEST(nothing_falls_through_a_flat_or_hollow_surface) {
  rgShape* flat_mesh = grid_mesh(6, flat);
  rgShape* valley_mesh = grid_mesh(6, valley);
  for (rgShapeKind kind = RG_SHAPE_SPHERE; kind <= RG_SHAPE_HULL; kind++) {
    rgShape* shape = half_high(kind);
    for (int i = 0; i < 100; i++) {
      double depth =
          shape->size * (0.008 * i - 0.1); // of the origin; the centroid of the hull is lower
      for (int k = 0; k < 2; k++) {
        Result r;
        collide(shape, at(k ? 0 : 0.3, 0.2, -depth), k ? valley_mesh : flat_mesh, pose_identity(),
                0.01, &r);
        CONTEXT("%s in %s, centre %g below", rg_shape_kind_name(kind), k ? "valley" : "plane",
                depth);
        check_sane(&r, 0.01, 4);
        CHECK(r.list.count > 0);
        double up = 0;
        for (int m = 0; m < r.list.count; m++)
          up = fmax(up, r.items[m].normal.z);
        CHECK(up > 0.7);
      }
    }
    free_shape(shape);
  }
  free_shape(flat_mesh);
  free_shape(valley_mesh);
}

static double bumps(double x, double y) {
  random_state = (uint64_t)((x + 50) * 131 + (y + 50) * 7919);
  random_unit();
  random_unit();
  return 0.7 * random_unit();
}

TEST(random_placements_on_rough_ground_are_sane_and_move_with_it) {
  rgShape* surfaces[2] = {grid_mesh(8, bumps), grid_field(8, bumps)};
  random_state = 8;
  int trials = test_fast() ? 200 : 2000, contacts = 0;
  for (rgShapeKind kind = RG_SHAPE_SPHERE; kind <= RG_SHAPE_HULL; kind++) {
    rgShape* shape = half_high(kind);
    for (int i = 0; i < trials; i++) {
      rgPose pose = {v3(random_between(-4, 4), random_between(-4, 4), random_between(-0.3, 1.5)),
                     random_rotation()};
      Result r, moved;
      collide(shape, pose, surfaces[i % 2], pose_identity(), 0.05, &r);
      CONTEXT("%s %d", rg_shape_kind_name(kind), i);
      check_sane(&r, 0.05, 4);
      rgPose motion = {v3(random_between(-5, 5), random_between(-5, 5), random_between(-5, 5)),
                       random_rotation()};
      collide(shape, pose_mul(motion, pose), surfaces[i % 2], motion, 0.05, &moved);
      check_sane(&moved, 0.05, 10);
      // The same deepest contact, wherever in the world it happens.
      rgVec3 n, n_moved;
      const rgManifoldPoint *p = deepest_point(&r, &n), *q = deepest_point(&moved, &n_moved);
      contacts += r.list.count;
      if (!p || p->gap > 0.0499)
        continue;
      REQUIRE(q != NULL);
      CHECK_NEAR(p->gap, q->gap, 1e-9);
    }
    free_shape(shape);
  }
  CHECK(contacts > trials);
  free_shape(surfaces[0]);
  free_shape(surfaces[1]);
}

static double ripples(double x, double y) { return 0.05 * bumps(x, y); }

// What is overlapped does not depend on how far contacts are sought. Planes of triangles that are far
// away used to count, where hollow edges lie between: in nine of ten placements. Deep on a ridge, which of
// its normals is taken may still depend on the triangles that are looked at: in one of a hundred.
TEST(overlaps_on_rough_ground_do_not_depend_on_the_reach) {
  enum { MANIFOLDS = 1024 };
  static rgManifold items[2][MANIFOLDS];
  rgShape* surfaces[4] = {grid_mesh(12, bumps), grid_field(12, bumps), grid_mesh(12, ripples),
                          grid_field(12, ripples)};
  random_state = 9;
  int overlaps = 0, off = 0;
  for (rgShapeKind kind = RG_SHAPE_BOX; kind <= RG_SHAPE_HULL; kind++) {
    rgShape* shape = half_high(kind);
    for (int i = 0; i < 1000; i++) {
      double x = random_between(-4, 4), y = random_between(-4, 4), z = random_between(0, 0.4);
      rgPose pose = {v3(x, y, z + (i % 4 < 2 ? 0.5 : 0.03)), random_rotation()};
      double deepest[2] = {0, 0};
      for (int far = 0; far < 2; far++) {
        rgManifoldList list = {.items = items[far], .capacity = MANIFOLDS};
        rg_collide(shape, pose, surfaces[i % 4], pose_identity(), far ? 5 : 0.01, NULL, &list);
        REQUIRE(!list.overflow);
        for (int m = 0; m < list.count; m++)
          for (int k = 0; k < list.items[m].count; k++)
            deepest[far] = fmin(deepest[far], list.items[m].points[k].gap);
      }
      overlaps += deepest[0] < 0;
      off += fabs(deepest[0] - deepest[1]) > 1e-9;
    }
    free_shape(shape);
  }
  CHECK(overlaps > 200);
  CHECK_MSG(off <= overlaps / 100, "%d of %d overlaps", off, overlaps);
  for (int s = 0; s < 4; s++)
    free_shape(surfaces[s]);
}

enum { SHELL = 200 };
static double shell(double x, double y) {
  return SHELL - sqrt((double)(SHELL * SHELL) - x * x - y * y);
}

// Contacts are carried from step to step by the key of their manifold: it tells all normals of a
// surface apart, however many of them are nearly the same. The search for a free key used to go round
// for ever after 256 of them. A ball in the centre of a spherical surface is over each of its triangles.
TEST(keys_of_many_nearly_equal_normals_differ) {
  enum { CELLS = 32, MANIFOLDS = 2 * CELLS * CELLS };
  static rgManifold items[MANIFOLDS];
  rgShape* surfaces[2] = {grid_mesh(CELLS, shell), grid_field(CELLS, shell)};
  rgShape* ball = sphere(1);
  for (int s = 0; s < 2; s++) {
    rgManifoldList list = {.items = items, .capacity = MANIFOLDS};
    rg_collide(ball, at(0, 0, SHELL), surfaces[s], pose_identity(), SHELL, NULL, &list);
    CONTEXT("surface %d", s);
    CHECK_MSG(!list.overflow && list.count > 1000, "%d manifolds", list.count);
    int same = 0;
    for (int i = 0; i < list.count; i++)
      for (int j = 0; j < i; j++)
        same += items[i].key == items[j].key;
    CHECK_MSG(same == 0, "%d pairs of %d manifolds share a key", same, list.count);
    free_shape(surfaces[s]);
  }
  free_shape(ball);
}
