// Queries of a world: rays through the tree against all shapes one by one; distances against certificates
// that need support functions only, closed forms, and rays; bad input.
#include "collide/distance.h"
#include "support/random.h"
#include "support/shape.h"
#include "support/variety.h"
#include <rigor/query.h>
#include <rigor/view.h>

static rgWorld* new_world(bool flat) {
  rgWorldDef def = flat ? rg_world_def_2d() : rg_world_def();
  def.options.gravity = v3_zero();
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  return world;
}

static rgBodyId add(rgWorld* world, const rgShapeDef* shape, rgPose pose, rgBodyKind kind) {
  rgBodyDef def = rg_body_def();
  def.pose = pose;
  def.kind = kind;
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, shape, 1, &id) == RG_OK, "%s",
              rg_world_message(world));
  return id;
}

static rgShapeDef some_solid(void) {
  static const rgShapeKind kinds[] = {RG_SHAPE_SPHERE,    RG_SHAPE_BOX,
                                      RG_SHAPE_CAPSULE,   RG_SHAPE_CYLINDER,
                                      RG_SHAPE_ELLIPSOID, RG_SHAPE_SUPERELLIPSOID,
                                      RG_SHAPE_HULL};
  static rgVec3 points[12];
  rgShapeDef def = rg_shape_def(kinds[(int)random_between(0, 7)]);
  def.radius = random_between(0.1, 0.5);
  def.half_length = random_between(0.1, 0.6);
  def.half = random_within(0.1, 0.5);
  def.parameters[0] = random_between(2, 8);
  def.parameters[1] = random_between(2, 8);
  if (def.kind == RG_SHAPE_BOX && random_unit() < 0.4)
    def.rounding = 0.05;
  for (int i = 0; i < 12; i++)
    points[i] = v3_scale(random_vector(), 0.5);
  def.points = points;
  def.point_count = 12;
  return def;
}

static rgPose some_pose(double range) {
  rgVec3 x = v3_scale(random_vector(), range);
  return (rgPose){x, random_rotation()};
}

// --- Rays ----------------------------------------------------------------------------------------

typedef struct Visits {
  int count;
} Visits;

static bool count_visit(rgBodyId body, rgShapeId shape, void* context) {
  (void)body, (void)shape;
  ((Visits*)context)->count++;
  return true;
}

static rgRay some_ray(double range) {
  rgVec3 o = v3_scale(random_vector(), range), to = v3_scale(random_vector(), range);
  rgVec3 d = v3_scale(v3_sub(to, o), random_between(0.01, 100));
  return (rgRay){o, d, random_unit() < 0.3 ? random_between(0, 2 * range) : HUGE_VAL};
}

// Each body alone in the filter: nothing of the tree's order or of the shortened ray is left.
static bool is_that(rgBodyId body, rgShapeId shape, void* context) {
  (void)shape;
  return rg_body_equal(body, *(rgBodyId*)context);
}

static void check_rays(const rgWorld* world, double range, int rays) {
  for (int i = 0; i < rays; i++) {
    rgRay ray = some_ray(range);
    int expected = 0;
    rgRayHit best = {.distance = HUGE_VAL}, hit, all[64];
    for (int b = 0; b < rg_world_body_count(world); b++) {
      rgBodyId id = rg_world_body(world, b);
      rgQueryFilter one = rg_query_filter();
      one.accept = is_that;
      one.context = &id;
      if (rg_world_ray(world, &ray, &one, &hit, NULL) != RG_OK)
        continue;
      expected++;
      if (hit.distance < best.distance)
        best = hit;
    }
    rgStatus status = rg_world_ray(world, &ray, NULL, &hit, NULL);
    CHECK_INT(status, expected > 0 ? RG_OK : RG_ERROR_NOT_FOUND);
    if (status == RG_OK) {
      CHECK_BITS(hit.distance, best.distance);
      CHECK(rg_body_equal(hit.body, best.body) && rg_shape_equal(hit.shape, best.shape));
      rgVec3 x = v3_axpy(ray.origin, hit.distance / v3_norm(ray.direction), ray.direction);
      CHECK_NEAR(v3_norm(v3_sub(hit.point, x)), 0, 1e-14 * (1 + 4 * range));
    }
    int count;
    CHECK_INT(rg_world_ray_all(world, &ray, NULL, all, 64, &count, NULL), RG_OK);
    CHECK_INT(count, expected);
    for (int k = 1; k < count; k++)
      CHECK(all[k - 1].distance <= all[k].distance);
    if (count > 0)
      CHECK_BITS(all[0].distance, best.distance);
    rgRayHit two[2] = {{.distance = 0}};
    int again;
    CHECK_INT(rg_world_ray_all(world, &ray, NULL, two, 2, &again, NULL), RG_OK);
    CHECK_INT(again, expected);
    for (int k = 0; k < 2 && k < count; k++)
      CHECK(rg_shape_equal(two[k].shape, all[k].shape));
  }
}

TEST(rays_find_the_same_with_and_without_the_tree) {
  rgWorld* world = new_world(false);
  for (int i = 0; i < 60; i++) {
    rgShapeDef shape = some_solid();
    rgBodyId id = add(world, &shape, some_pose(3), i % 5 ? RG_BODY_DYNAMIC : RG_BODY_STATIC);
    if (i % 5)
      rg_body_set_velocity(world, id, (rgTwist){random_vector(), random_vector()});
  }
  rgShapeDef ground = rg_shape_def(RG_SHAPE_HALFSPACE);
  add(world, &ground, (rgPose){v3(0, 0, -4), quat_identity()}, RG_BODY_STATIC);
  check_rays(world, 5, 60); // before the first step
  for (int step = 0; step < 6; step++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    check_rays(world, 5, 30);
  }
  // A body that was moved is hit where it is.
  rgBodyId moved = rg_world_body(world, 1);
  REQUIRE_INT(rg_body_set_pose(world, moved, (rgPose){v3(40, 0, 0), quat_identity()}), RG_OK);
  rgRay ray = {v3(40, 0, 20), v3(0, 0, -1), 25};
  rgRayHit hit;
  REQUIRE_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_OK);
  CHECK(rg_body_equal(hit.body, moved));
  check_rays(world, 5, 30);
  rg_world_destroy(world);
}

// Everything that a world can hold, as it moves.
TEST(rays_find_the_same_in_every_small_scene) {
  for (int i = 0; variety(i); i++) {
    rgWorld* world = variety_build(variety(i), 1, NULL);
    CONTEXT("%s", variety(i)->name);
    for (int step = 0; step < 5; step++) {
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
      uint64_t before = rg_world_hash(world);
      for (int k = 0; k < 20; k++) {
        rgRay ray = some_ray(3);
        if (variety(i)->planar)
          ray.origin.z = ray.direction.z = 0;
        rgRayHit hit, all[64];
        int count;
        rgStatus status = rg_world_ray(world, &ray, NULL, &hit, NULL);
        CHECK_INT(rg_world_ray_all(world, &ray, NULL, all, 64, &count, NULL), RG_OK);
        CHECK_INT(status, count > 0 ? RG_OK : RG_ERROR_NOT_FOUND);
        if (count > 0)
          CHECK(rg_shape_equal(hit.shape, all[0].shape));
      }
      CHECK_HEX(rg_world_hash(world), before);
    }
    rg_world_destroy(world);
  }
}

TEST(a_ray_through_many_bodies_looks_at_few) {
  for (int n = 10; n <= (test_fast() ? 10 : 20); n += 10) {
    rgWorld* world = new_world(false);
    rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
    ball.radius = 0.2;
    for (int i = 0; i < n * n * n; i++)
      add(world, &ball, (rgPose){v3(i % n, i / n % n, (double)(i / (n * n))), quat_identity()},
          RG_BODY_DYNAMIC);
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    Visits visits = {0};
    rgQueryFilter filter = rg_query_filter();
    filter.accept = count_visit;
    filter.context = &visits;
    for (int i = 0; i < 200; i++) {
      rgRay ray = {v3(-5, random_between(0, n - 1), random_between(0, n - 1)), v3(1, 0, 0),
                   HUGE_VAL};
      rgRayHit hit;
      rg_world_ray(world, &ray, &filter, &hit, NULL);
    }
    // A row has n balls; a ray between the rows meets none of their boxes, one through a row the first.
    CHECK(visits.count < 200 * 2);
    rg_world_destroy(world);
  }
}

TEST(rays_that_start_inside_and_ties) {
  rgWorld* world = new_world(false);
  rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE), box = rg_shape_def(RG_SHAPE_BOX);
  ball.radius = 1;
  box.half = v3(1, 1, 1);
  rgBodyId first = add(world, &ball, pose_identity(), RG_BODY_STATIC);
  rgBodyId second = add(world, &box, pose_identity(), RG_BODY_STATIC);
  rgRay ray = {v3(-3, 0, 0), v3(2, 0, 0), HUGE_VAL};
  rgRayHit hit;
  REQUIRE_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_OK);
  CHECK(rg_body_equal(hit.body, first)); // both at 2: the lower index
  CHECK_NEAR(hit.distance, 2, 0);
  rgQueryFilter filter = rg_query_filter();
  filter.ignore = first;
  REQUIRE_INT(rg_world_ray(world, &ray, &filter, &hit, NULL), RG_OK);
  CHECK(rg_body_equal(hit.body, second));
  filter.mask = 2;
  CHECK_INT(rg_world_ray(world, &ray, &filter, &hit, NULL), RG_ERROR_NOT_FOUND);
  ray.origin = v3(0.99, 0.9, 0);
  REQUIRE_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_OK);
  CHECK(rg_body_equal(hit.body, second) && hit.inside && hit.distance == 0);
  CHECK_NEAR(hit.normal.x, -1, 0);
  rg_world_destroy(world);
}

TEST(bad_rays_are_refused_with_a_message) {
  rgWorld* world = new_world(false);
  rgWorld* flat = new_world(true);
  rgRayHit hit;
  rgMessage message = {""};
  rgRay ray = {v3((double)NAN, 0, 0), v3(1, 0, 0), 1};
  CHECK_INT(rg_world_ray(world, &ray, NULL, &hit, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "origin is not finite");
  ray = (rgRay){v3_zero(), v3_zero(), 1};
  CHECK_INT(rg_world_ray(world, &ray, NULL, &hit, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "direction is zero or not finite");
  ray.direction = v3(0, HUGE_VAL, 0);
  CHECK_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_ERROR_INPUT);
  ray = (rgRay){v3_zero(), v3(1, 0, 0), -1};
  CHECK_INT(rg_world_ray(world, &ray, NULL, &hit, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "length is -1, must be >= 0");
  ray.length = (double)NAN;
  int count;
  CHECK_INT(rg_world_ray_all(world, &ray, NULL, &hit, 1, &count, NULL), RG_ERROR_INPUT);
  ray = (rgRay){v3(0, 0, 1), v3(1, 0, 0), 1};
  CHECK_INT(rg_world_ray(flat, &ray, NULL, &hit, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "origin has z = 1, must be 0 in a 2D world");
  ray = (rgRay){v3_zero(), v3(5e-324, 0, 0), HUGE_VAL}; // the smallest number is a direction
  rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
  ball.radius = 1;
  add(world, &ball, (rgPose){v3(5, 0, 0), quat_identity()}, RG_BODY_STATIC);
  CHECK_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_OK);
  CHECK_NEAR(hit.distance, 4, 1e-14);
  ray.direction = v3(1e308, 1e308, 0); // and so is the largest
  CHECK_INT(rg_world_ray(world, &ray, NULL, &hit, NULL), RG_ERROR_NOT_FOUND);
  rg_world_destroy(world);
  rg_world_destroy(flat);
}

// --- Distances -----------------------------------------------------------------------------------

static rgVec3 support(const rgShape* shape, rgPose pose, rgVec3 d) {
  return pose_apply(pose,
                    rg_shape_info(shape->kind)->support(shape, quat_unrotate(pose.orientation, d)));
}

// Apart: the points are on the shapes, and no point of A is lower, none of B higher along the normal. So
// no two points are closer. Overlapping: moved by the depth along the normal the shapes touch, and along
// no other direction that is tried they overlap less.
TEST(distances_of_convex_shapes_prove_themselves) {
  int trials = test_fast() ? 300 : 3000;
  for (int trial = 0; trial < trials; trial++) {
    rgShapeDef def_a = some_solid();
    rgShape* a = make_shape(def_a);
    rgShapeDef def_b = some_solid();
    rgShape* b = make_shape(def_b);
    rgPose pose_a = some_pose(0.9), pose_b = some_pose(0.9);
    CONTEXT("trial %d: %s, %s", trial, rg_shape_kind_name(a->kind), rg_shape_kind_name(b->kind));
    rgDistance d;
    REQUIRE(rg_collide_distance(a, pose_a, b, pose_b, HUGE_VAL, &d));
    CHECK_NEAR(v3_norm(d.normal), 1, 1e-14);
    CHECK_NEAR(v3_norm(v3_sub(v3_sub(d.point_a, d.point_b), v3_scale(d.normal, d.distance))), 0,
               1e-14);
    double bound = v3_dot(
        d.normal, v3_sub(support(a, pose_a, v3_neg(d.normal)), support(b, pose_b, d.normal)));
    CHECK_NEAR(bound, d.distance, 1e-12);
    rgFoot on_a = rg_shape_info(a->kind)->foot(a, pose_unapply(pose_a, d.point_a), HUGE_VAL),
           on_b = rg_shape_info(b->kind)->foot(b, pose_unapply(pose_b, d.point_b), HUGE_VAL);
    if (d.distance > 0) {
      // The error of the normal, and with it of the place across it, is the root of that of the
      // distance where no normal is known exactly (gjk.c: 1e-7).
      CHECK_NEAR(on_a.distance, 0, 1e-7);
      CHECK_NEAR(on_b.distance, 0, 1e-7);
    } else {
      for (int i = 0; i < 200; i++) {
        rgVec3 n = random_direction();
        double other = v3_dot(n, v3_sub(support(a, pose_a, v3_neg(n)), support(b, pose_b, n)));
        CHECK(other <= d.distance + 1e-9);
      }
    }
    rgDistance back;
    REQUIRE(rg_collide_distance(b, pose_b, a, pose_a, HUGE_VAL, &back));
    CHECK_NEAR(back.distance, d.distance, 1e-9);
    free_shape(a), free_shape(b);
  }
}

// A ray from the closest point of A along the normal meets B after just this distance.
TEST(rays_and_distances_agree) {
  for (int trial = 0; trial < 500; trial++) {
    rgWorld* world = new_world(false);
    rgShapeDef def_a = some_solid();
    rgBodyId a = add(world, &def_a, some_pose(2), RG_BODY_DYNAMIC);
    rgShapeDef def_b = some_solid();
    rgBodyId b = add(world, &def_b, some_pose(2), RG_BODY_DYNAMIC);
    rgClosest closest;
    REQUIRE_INT(rg_body_distance(world, a, b, &closest, NULL), RG_OK);
    if (closest.distance > 1e-3) {
      // Into B by a millionth of the way to its centre, so that rounding does not lead beside it.
      rgVec3 past = v3_lerp(closest.point_b, rg_body_center(world, b), 1e-6);
      rgRay ray = {closest.point_a, v3_sub(past, closest.point_a), HUGE_VAL};
      rgQueryFilter filter = rg_query_filter();
      filter.ignore = a;
      rgRayHit hit;
      if (CHECK_INT(rg_world_ray(world, &ray, &filter, &hit, NULL), RG_OK)) {
        CHECK(rg_body_equal(hit.body, b));
        CHECK_NEAR(hit.distance, closest.distance, 2e-6); // sizes are below 1 m
      }
    }
    rg_world_destroy(world);
  }
}

// Distance of a point to a triangle, by its planes and edges.
static double to_triangle(rgVec3 x, const rgVec3 c[3]) {
  rgVec3 n = v3_unit_or(v3_cross(v3_sub(c[1], c[0]), v3_sub(c[2], c[0])), v3_zero());
  double least = HUGE_VAL;
  bool over = true;
  for (int i = 0; i < 3; i++) {
    rgVec3 p = c[i], e = v3_sub(c[(i + 1) % 3], p);
    double s = fmin(fmax(v3_dot(v3_sub(x, p), e) / v3_norm2(e), 0), 1);
    least = fmin(least, v3_norm(v3_sub(x, v3_axpy(p, s, e))));
    over = over && v3_dot(v3_cross(n, e), v3_sub(x, p)) >= 0;
  }
  return over ? fabs(v3_dot(n, v3_sub(x, c[0]))) : least;
}

TEST(balls_over_a_field_are_as_far_as_their_centres_say) {
  enum { ROWS = 8, COLUMNS = 8 };
  double heights[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    heights[i] = random_between(-0.2, 0.2);
  rgShapeDef def = rg_shape_def(RG_SHAPE_FIELD);
  def.heights = heights;
  def.rows = ROWS;
  def.columns = COLUMNS;
  def.spacing_x = def.spacing_y = 0.25;
  rgShape* field = make_shape(def);
  rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
  ball.radius = 0.1;
  rgShape* sphere = make_shape(ball);
  for (int trial = 0; trial < 400; trial++) {
    rgVec3 x = v3_scale(random_vector(), 2);
    x.z = random_between(0.45, 6); // centres above the surface
    double expected = HUGE_VAL;
    for (int i = 0; i < 2 * (ROWS - 1) * (COLUMNS - 1); i++) {
      rgTriangle t;
      rg_shape_triangle(field, i, &t);
      expected = fmin(expected, to_triangle(x, t.corner));
    }
    rgPose frame = some_pose(3);
    rgPose at = {pose_apply(frame, x), random_rotation()};
    rgDistance d;
    REQUIRE(rg_collide_distance(sphere, at, field, frame, HUGE_VAL, &d));
    CHECK_NEAR(d.distance, expected - 0.1, 1e-12);
    double reach = random_between(0, 2);
    CHECK_INT(rg_collide_distance(sphere, at, field, frame, reach, &d), expected - 0.1 <= reach);
  }
  // Across: into a flat surface by less than the radius, on either side of the middle of the ball.
  for (int i = 0; i < ROWS * COLUMNS; i++)
    heights[i] = 0;
  rgShape* plain = make_shape(def);
  rgShapeDef box = rg_shape_def(RG_SHAPE_BOX);
  box.half = v3(0.1, 0.2, 0.3);
  rgShape* block = make_shape(box);
  for (double z = -0.25; z < 0.3; z += 0.05) {
    rgDistance d;
    REQUIRE(rg_collide_distance(block, (rgPose){v3(0.03, 0.04, z), quat_identity()}, plain,
                                pose_identity(), HUGE_VAL, &d));
    CHECK_NEAR(d.distance, z - 0.3, 1e-12);
    CHECK_NEAR(d.normal.z, 1, 1e-12);
  }
  free_shape(field), free_shape(sphere), free_shape(plain), free_shape(block);
}

TEST(distances_to_walls_and_half_spaces_in_closed_form) {
  rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
  ball.radius = 0.1;
  rgShape* sphere = make_shape(ball);
  rgShapeDef def = rg_shape_def(RG_SHAPE_TUBE);
  def.radius = 1;
  rgShape* tube = make_shape(def);
  def = rg_shape_def(RG_SHAPE_BOWL);
  def.radius = 1;
  def.parameters[0] = 2;
  rgShape* bowl = make_shape(def);
  def = rg_shape_def(RG_SHAPE_RING);
  def.radius = 0.2;
  def.parameters[0] = 1;
  rgShape* ring = make_shape(def);
  rgShape* ground = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  for (int trial = 0; trial < 300; trial++) {
    rgPose frame = some_pose(3);
    rgVec3 x = v3_scale(random_vector(), 0.55);
    rgPose at = {pose_apply(frame, x), random_rotation()};
    double out = sqrt(x.x * x.x + x.y * x.y), bar = sqrt((out - 1) * (out - 1) + x.z * x.z);
    rgDistance d;
    REQUIRE(rg_collide_distance(sphere, at, tube, frame, HUGE_VAL, &d));
    CHECK_NEAR(d.distance, 0.9 - out, 1e-13);
    REQUIRE(rg_collide_distance(bowl, frame, sphere, at, HUGE_VAL, &d));
    CHECK_NEAR(d.distance, 0.9 - v3_norm(x), 1e-13);
    CHECK_NEAR(v3_dot(quat_unrotate(frame.orientation, d.normal), x), v3_norm(x), 1e-12);
    REQUIRE(rg_collide_distance(sphere, at, ring, frame, HUGE_VAL, &d));
    CHECK_NEAR(d.distance, bar - 0.3, 1e-12);
    REQUIRE(rg_collide_distance(sphere, at, ground, frame, HUGE_VAL, &d));
    CHECK_NEAR(d.distance, x.z - 0.1, 1e-13);
  }
  rgDistance d;
  CHECK(!rg_collide_distance(tube, pose_identity(), ground, pose_identity(), HUGE_VAL, &d));
  free_shape(sphere), free_shape(tube), free_shape(bowl), free_shape(ring), free_shape(ground);
}

// --- Flat shapes ---------------------------------------------------------------------------------

// Corners of a placed polygon; a triangle or a square with one of its sides moved.
static int flat_corners(const rgShapeDef* def, rgPose pose, rgVec3* corners) {
  if (def->kind == RG_SHAPE_CIRCLE)
    corners[0] = v3_zero();
  for (int i = 0; def->kind == RG_SHAPE_POLYGON && i < def->point_count; i++)
    corners[i] = def->points[i];
  if (def->kind == RG_SHAPE_CAPSULE)
    corners[0] = v3(-def->half_length, 0, 0), corners[1] = v3(def->half_length, 0, 0);
  int count = def->kind == RG_SHAPE_CIRCLE    ? 1
              : def->kind == RG_SHAPE_CAPSULE ? 2
                                              : def->point_count;
  for (int i = 0; i < count; i++)
    corners[i] = pose_apply(pose, corners[i]);
  return count;
}

static double low(const rgVec3* corners, int count, rgVec3 n) {
  double least = HUGE_VAL;
  for (int i = 0; i < count; i++)
    least = fmin(least, v3_dot(corners[i], n));
  return least;
}

// The largest separation over many directions is the distance of the cores, or minus their depth, as
// closely as the directions lie.
TEST(flat_distances_are_the_largest_separation) {
  static const rgVec3 square[4] = {{0.4, 0.3, 0}, {-0.4, 0.3, 0}, {-0.4, -0.3, 0}, {0.5, -0.3, 0}};
  for (int trial = 0; trial < 300; trial++) {
    rgShapeDef defs[2];
    rgPose poses[2];
    rgVec3 corners[2][4];
    int counts[2];
    double radii = 0;
    for (int k = 0; k < 2; k++) {
      static const rgShapeKind kinds[3] = {RG_SHAPE_CIRCLE, RG_SHAPE_CAPSULE, RG_SHAPE_POLYGON};
      defs[k] = rg_shape_def(kinds[(int)random_between(0, 3)]);
      defs[k].planar = true;
      defs[k].radius = random_between(0.1, 0.3);
      defs[k].half_length = random_between(0.1, 0.4);
      defs[k].points = square;
      defs[k].point_count = 4;
      double angle = random_between(-3, 3);
      poses[k] = (rgPose){random_flat_within(-0.6, 0.6), {cos(angle), 0, 0, sin(angle)}};
      counts[k] = flat_corners(&defs[k], poses[k], corners[k]);
      radii += defs[k].kind == RG_SHAPE_POLYGON ? 0 : defs[k].radius;
    }
    double best = -HUGE_VAL;
    enum { DIRECTIONS = 20000 };
    for (int i = 0; i < DIRECTIONS; i++) {
      double angle = 6.283185307179586 * i / DIRECTIONS;
      rgVec3 n = v3(cos(angle), sin(angle), 0);
      best = fmax(best, low(corners[0], counts[0], n) + low(corners[1], counts[1], v3_neg(n)));
    }
    rgShape *a = make_shape(defs[0]), *b = make_shape(defs[1]);
    rgDistance d;
    REQUIRE(rg_collide_distance(a, poses[0], b, poses[1], HUGE_VAL, &d));
    // Corners are at most 1 m from the middle: a direction that is off by e loses e, apart e^2 / 2.
    CHECK_NEAR(d.distance, best - radii, 1.2 * 3.15e-4);
    CHECK(d.distance >= best - radii - 1e-13);
    CHECK(d.normal.z == 0 && d.point_a.z == 0 && d.point_b.z == 0);
    CHECK_NEAR(v3_dot(v3_sub(d.point_a, d.point_b), d.normal), d.distance, 1e-14);
    free_shape(a), free_shape(b);
  }
}

// --- Overlap -------------------------------------------------------------------------------------

TEST(overlaps_list_what_is_within_reach_in_order) {
  rgWorld* world = new_world(false);
  enum { BODIES = 50 };
  rgBodyId ids[BODIES];
  for (int i = 0; i < BODIES; i++) {
    rgShapeDef shape = some_solid();
    ids[i] = add(world, &shape, some_pose(2), RG_BODY_STATIC);
  }
  rgShapeDef def = some_solid();
  rgProbe* probe;
  REQUIRE_INT(rg_probe_create(&def, 3, &probe, NULL), RG_OK);
  rgShapeId shapes[BODIES];
  REQUIRE_INT(rg_world_shapes(world, shapes, BODIES), BODIES);
  for (int pass = 0; pass < 2; pass++) { // by all shapes, then by the tree
    for (int trial = 0; trial < 100; trial++) {
      rgPose pose = some_pose(2);
      double reach = trial % 2 ? random_between(0, 1) : 0;
      rgOverlap found[BODIES];
      int count, expected = 0;
      REQUIRE_INT(rg_world_overlap(world, probe, pose, reach, NULL, found, BODIES, &count, NULL),
                  RG_OK);
      for (int i = 0; i < BODIES; i++) {
        bool listed = expected < count && rg_body_equal(found[expected].body, ids[i]);
        if (listed) {
          CHECK(rg_shape_equal(found[expected].closest.shape_b, shapes[i]));
          CHECK(found[expected].closest.distance <= reach);
          expected++;
        }
      }
      CHECK_INT(expected, count); // each of them a body, in the order of the bodies
      rgOverlap few[1];
      int again;
      REQUIRE_INT(rg_world_overlap(world, probe, pose, reach, NULL, few, 1, &again, NULL), RG_OK);
      CHECK_INT(again, count);
      if (count > 0)
        CHECK(rg_body_equal(few[0].body, found[0].body));
      rgOverlap all[BODIES];
      int total;
      REQUIRE_INT(rg_world_overlap(world, probe, pose, 100, NULL, all, BODIES, &total, NULL),
                  RG_OK);
      CHECK_INT(total, BODIES);
      int within = 0;
      for (int i = 0; i < total; i++)
        within += all[i].closest.distance <= reach;
      CHECK_INT(within, count);
    }
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
  }
  rgMessage message = {""};
  int count;
  rgPose bad = {v3((double)NAN, 0, 0), quat_identity()};
  CHECK_INT(rg_world_overlap(world, probe, bad, 0, NULL, NULL, 0, &count, &message),
            RG_ERROR_INPUT);
  CHECK_STR(message.text, "the pose is not finite or its orientation is not of norm 1");
  CHECK_INT(rg_world_overlap(world, probe, pose_identity(), -1, NULL, NULL, 0, &count, &message),
            RG_ERROR_INPUT);
  CHECK_STR(message.text, "reach is -1, must be >= 0");
  rg_probe_destroy(probe);
  rg_world_destroy(world);
}

TEST(bad_probes_and_ids_are_refused) {
  rgProbe* probe;
  rgMessage message = {""};
  rgShapeDef def = rg_shape_def(RG_SHAPE_SPHERE);
  CHECK_INT(rg_probe_create(&def, 3, &probe, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "radius");
  CHECK(probe == NULL);
  def.radius = 1;
  CHECK_INT(rg_probe_create(&def, 2, &probe, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "a sphere needs a 3D world, the probe has dimension 2");
  CHECK_INT(rg_probe_create(&def, 4, &probe, NULL), RG_ERROR_INPUT);
  rg_probe_destroy(NULL);
  rgWorld* world = new_world(false);
  rgShapeDef ground = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId one = add(world, &ground, pose_identity(), RG_BODY_STATIC),
           two = add(world, &ground, pose_identity(), RG_BODY_STATIC);
  rgClosest closest;
  CHECK_INT(rg_body_distance(world, one, two, &closest, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "no distance between a halfspace and a halfspace");
  CHECK_INT(rg_body_distance(world, one, (rgBodyId){7, 7}, &closest, &message), RG_ERROR_NOT_FOUND);
  CHECK_STR(message.text, "there is no body with index 7 and generation 7");
  CHECK_INT(rg_shape_distance(world, (rgShapeId){0, 0}, (rgShapeId){0, 0}, &closest, &message),
            RG_ERROR_NOT_FOUND);
  rgBodyDef empty = rg_body_def();
  empty.kind = RG_BODY_STATIC;
  empty.name = "air";
  rgBodyId air;
  REQUIRE_INT(rg_world_add_body(world, &empty, NULL, 0, &air), RG_OK);
  CHECK_INT(rg_body_distance(world, one, air, &closest, &message), RG_ERROR_NOT_FOUND);
  CHECK_STR(message.text, "body air has no shapes");
  rg_world_destroy(world);
}

// Where no distance can be found, the message names both kinds, in the order in which they were given.
TEST(what_has_no_distance_is_named) {
  rgWorld* world = new_world(false);
  rgShapeDef plane = rg_shape_def(RG_SHAPE_HALFSPACE), tube = rg_shape_def(RG_SHAPE_TUBE);
  tube.radius = 2;
  rgBodyId one = add(world, &plane, some_pose(1), RG_BODY_STATIC),
           other = add(world, &tube, some_pose(1), RG_BODY_STATIC);
  rgClosest closest;
  rgMessage message = {""};
  CHECK_INT(rg_body_distance(world, one, other, &closest, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "no distance between a halfspace and a tube");
  CHECK_INT(rg_body_distance(world, other, one, &closest, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "no distance between a tube and a halfspace");
  rg_world_destroy(world);
}
