// Flat shapes of 2D worlds: their mass, and their contacts against distances found by sampling.
#include "test.h"

#include "collide/collide.h"
#include "shape/solid/outline.h"
#include "support/builder.h"
#include "support/random.h"
#include "support/shape.h"

static const double PI = 3.14159265358979323846;

static rgShapeDef polygon_def(const rgVec3* points, int count) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_POLYGON);
  def.points = points;
  def.point_count = count;
  def.density = 2;
  return def;
}

static rgMassProperties mass_of(const rgShapeDef* def) {
  rgMassProperties mass = {0};
  rgMessage message;
  REQUIRE(rg_shape_mass(def, &mass, &message) == RG_OK);
  return mass;
}

TEST(circle_has_the_moment_of_a_disk) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_CIRCLE);
  def.radius = 0.3;
  def.density = 2;
  rgMassProperties mass = mass_of(&def);
  CHECK_REL(mass.mass, 2 * PI * 0.09, 1e-15);
  CHECK_REL(mass.inertia.m[2][2], 0.5 * mass.mass * 0.09, 1e-15);
}

// A rectangle 2 x 1 with its centre at (5, 7), with points inside and on its sides: m (a2 + b2)
// / 12.
TEST(polygon_has_the_mass_of_its_hull) {
  rgVec3 points[] = {{4, 6.5, 0}, {5, 7, 0},   {6, 6.5, 0}, {5, 6.5, 0},
                     {6, 7.5, 0}, {4, 7.5, 0}, {4, 7, 0}};
  rgShapeDef def = polygon_def(points, 7);
  rgMassProperties mass = mass_of(&def);
  CHECK_REL(mass.mass, 4, 1e-14);
  CHECK_NEAR(mass.center.x, 5, 1e-14);
  CHECK_NEAR(mass.center.y, 7, 1e-14);
  CHECK_REL(mass.inertia.m[2][2], 4 * (4.0 + 1.0) / 12, 1e-13);
}

// A right triangle with legs a, b: m (a2 + b2) / 18 about its centre, at a third of the legs.
TEST(triangle_has_its_known_moment) {
  rgVec3 points[] = {{0, 0, 0}, {3, 0, 0}, {0, 2, 0}};
  rgShapeDef def = polygon_def(points, 3);
  rgMassProperties mass = mass_of(&def);
  CHECK_REL(mass.mass, 6, 1e-14);
  CHECK_REL(mass.center.x, 1, 1e-14);
  CHECK_REL(mass.inertia.m[2][2], 6 * 13.0 / 18, 1e-13);
}

// A capsule as a polygon with many sides, refined: its moment from sums over thin strips.
TEST(flat_capsule_has_the_moment_of_its_strips) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_CAPSULE);
  def.planar = true;
  def.radius = 0.4;
  def.half_length = 0.7;
  def.density = 1;
  double area = 0, moment = 0;
  int strips = 200000; // midpoint rule: error below 1e-7 at the rounded ends
  for (int i = 0; i < strips; i++) {
    double x = -1.1 + 2.2 * (i + 0.5) / strips, out = fabs(x) - 0.7;
    double half = out > 0 ? sqrt(0.16 - out * out) : 0.4, a = 2 * half * 2.2 / strips;
    area += a;
    moment += a * (x * x + half * half / 3);
  }
  rgMassProperties mass = mass_of(&def);
  CHECK_REL(mass.mass, area, 1e-6);
  CHECK_REL(mass.inertia.m[2][2], moment, 1e-6);
}

// --- contacts ------------------------------------------------------------------------------------

static rgShape* random_shape(int kind) {
  static const rgShapeKind kinds[] = {RG_SHAPE_CIRCLE, RG_SHAPE_POLYGON, RG_SHAPE_CAPSULE,
                                      RG_SHAPE_SEGMENT};
  rgShapeDef def = rg_shape_def(kinds[kind]);
  rgVec3 points[7];
  def.planar = true;
  def.radius = random_between(0.2, 1);
  def.half_length = random_between(0.2, 1);
  def.points = points;
  def.point_count = kinds[kind] == RG_SHAPE_SEGMENT ? 2 : 7;
  for (int i = 0; i < 7; i++)
    points[i] = v3(random_between(-1, 1), random_between(-1, 1), 0);
  return make_shape(def);
}

static rgPose random_pose(double spread) {
  return (rgPose){v3(random_between(-spread, spread), random_between(-spread, spread), 0),
                  turn_about(v3(0, 0, 1), random_between(-4, 4))};
}

// Separation along a direction: negative of the overlap of the shadows.
static double along(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, rgVec3 n) {
  rgVec3 low =
      pose_apply(pose_a, rg_outline_support(a, quat_unrotate(pose_a.orientation, v3_neg(n))));
  rgVec3 high = pose_apply(pose_b, rg_outline_support(b, quat_unrotate(pose_b.orientation, n)));
  return v3_dot(n, v3_sub(low, high));
}

// The largest separation over directions is the distance, or minus the least overlap.
static double sampled_gap(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b) {
  double best = -HUGE_VAL, angle = 0, width = PI;
  for (int i = 0; i < 3600; i++) {
    double t = 2 * PI * i / 3600;
    double gap = along(a, pose_a, b, pose_b, v3(cos(t), sin(t), 0));
    if (gap > best) {
      best = gap;
      angle = t;
    }
  }
  for (width = 2 * PI / 3600; width > 1e-13; width *= 0.6) {
    for (int side = -1; side <= 1; side += 2) {
      double t = angle + side * width, gap = along(a, pose_a, b, pose_b, v3(cos(t), sin(t), 0));
      if (gap > best) {
        best = gap;
        angle = t;
      }
    }
  }
  return best;
}

TEST(deepest_contact_is_the_distance_of_the_shapes) {
  int apart = 0, together = 0;
  for (int trial = 0; trial < 2000; trial++) {
    rgShape *a = random_shape(trial % 4), *b = random_shape(trial / 4 % 4);
    rgPose pose_a = random_pose(1.2), pose_b = random_pose(1.2);
    rgManifold items[4];
    rgManifoldList list = {.items = items, .capacity = 4};
    rg_collide(a, pose_a, b, pose_b, 10, NULL, &list);
    double expected = sampled_gap(a, pose_a, b, pose_b);
    CONTEXT("trial %d, gap %g", trial, expected);
    // Two segments that cross have no inside: any way out along a side will do.
    bool lines =
        a->radius == 0 && b->radius == 0 && a->outline->count == 2 && b->outline->count == 2;
    if (!(lines && expected < 0) && CHECK(list.count == 1)) {
      double least = HUGE_VAL;
      rgVec3 n = items[0].normal;
      for (int i = 0; i < items[0].count; i++) {
        const rgManifoldPoint* p = &items[0].points[i];
        least = fmin(least, p->gap);
        CHECK_NEAR(v3_dot(n, v3_sub(p->point_a, p->point_b)), p->gap, 1e-12);
        CHECK_NEAR(p->point_a.z, 0, 0);
      }
      CHECK_NEAR(least, expected, 1e-6);
      CHECK_NEAR(along(a, pose_a, b, pose_b, n), expected, 1e-6);
      CHECK(items[0].count <= 2);
      apart += expected > 0;
      together += expected <= 0;
    }
    free_shape(a);
    free_shape(b);
  }
  CHECK(apart > 400 && together > 400);
}

// Corners of an ellipse at angles that differ by some: neighbouring sides turn by more than a thousandth,
// below which they count as passing (outlines.c).
static rgShape* large_polygon(int corners) {
  static rgVec3 points[RG_OUTLINE_MAX];
  double x = random_between(0.5, 1), y = random_between(0.5, 1);
  for (int i = 0; i < corners; i++) {
    double t = 2 * PI * (i + random_between(-0.2, 0.2)) / corners;
    points[i] = v3(x * cos(t), y * sin(t), 0);
  }
  return make_shape(polygon_def(points, corners));
}

// Polygons of many corners are walked about instead of being compared corner by corner.
TEST(large_polygons_have_the_distance_of_the_shapes) {
  int apart = 0, together = 0;
  for (int trial = 0; trial < 60; trial++) {
    rgShape* a = large_polygon(65 + trial * 5);
    rgShape* b = trial % 3 == 0 ? random_shape(trial / 3 % 4) : large_polygon(65 + trial % 7 * 60);
    rgPose pose_a = random_pose(0.8), pose_b = random_pose(0.8);
    bool swapped = trial % 2 == 0;
    rgManifold items[4];
    rgManifoldList list = {.items = items, .capacity = 4};
    if (swapped)
      rg_collide(b, pose_b, a, pose_a, 10, NULL, &list);
    else
      rg_collide(a, pose_a, b, pose_b, 10, NULL, &list);
    double expected = sampled_gap(a, pose_a, b, pose_b);
    CONTEXT("trial %d, gap %g", trial, expected);
    if (CHECK(list.count == 1)) {
      double least = HUGE_VAL;
      for (int i = 0; i < items[0].count; i++)
        least = fmin(least, items[0].points[i].gap);
      CHECK_NEAR(least, expected, 1e-6);
      apart += expected > 0;
      together += expected <= 0;
    }
    free_shape(a);
    free_shape(b);
  }
  CHECK(apart > 5 && together > 20);
}

TEST(block_on_a_wide_ground_touches_at_its_two_corners) {
  rgVec3 block[] = {{-1, -0.5, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {-1, 0.5, 0}};
  rgVec3 line[] = {{-5, 0, 0}, {5, 0, 0}};
  rgShapeDef block_def = polygon_def(block, 4), line_def = rg_shape_def(RG_SHAPE_SEGMENT);
  line_def.points = line;
  line_def.point_count = 2;
  rgShape *a = make_shape(block_def), *b = make_shape(line_def);
  rgManifold items[2];
  rgManifoldList list = {.items = items, .capacity = 2};
  rg_collide(a, pose_at(v3(0, 0.5, 0)), b, pose_at(v3_zero()), 0.1, NULL, &list);
  REQUIRE(list.count == 1);
  CHECK_INT(items[0].count, 2);
  CHECK_NEAR(items[0].normal.y, 1, 1e-15);
  for (int i = 0; i < 2; i++) {
    CHECK_NEAR(fabs(items[0].points[i].point_a.x), 1, 1e-15);
    CHECK_NEAR(items[0].points[i].gap, 0, 1e-15);
  }
  free_shape(a);
  free_shape(b);
}

// Equal blocks exactly on top of each other have both corners, one beside the other at the same
// height has none.
TEST(flush_blocks_touch_above_and_pass_beside) {
  rgVec3 block[] = {{-1, -0.5, 0}, {1, -0.5, 0}, {1, 0.5, 0}, {-1, 0.5, 0}};
  rgShapeDef def = polygon_def(block, 4);
  rgShape *a = make_shape(def), *b = make_shape(def);
  rgManifold items[2];
  rgManifoldList list = {.items = items, .capacity = 2};
  rg_collide(a, pose_at(v3(0, 1, 0)), b, pose_at(v3_zero()), 0.1, NULL, &list);
  CHECK_INT(list.count, 1);
  CHECK_INT(items[0].count, 2);
  list.count = 0;
  rg_collide(a, pose_at(v3(2.05, 1, 0)), b, pose_at(v3_zero()), 0.1, NULL, &list);
  CHECK_INT(list.count, 0);
  rg_collide(a, pose_at(v3(2.05, 1 - 1e-9, 0)), b, pose_at(v3_zero()), 0.1, NULL, &list);
  CHECK_INT(list.count, 0);
  free_shape(a);
  free_shape(b);
}

static void check_refused(const rgShapeDef* def, const char* words) {
  rgMassProperties mass;
  rgMessage message;
  CHECK(rg_shape_mass(def, &mass, &message) != RG_OK);
  CHECK_MSG(strstr(message.text, words) != NULL, "\"%s\"", message.text);
}

TEST(bad_flat_shapes_are_refused_with_a_reason) {
  rgVec3 line[] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}}, high[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 3}};
  rgShapeDef def = polygon_def(line, 3);
  check_refused(&def, "on a line");
  def = polygon_def(high, 3);
  check_refused(&def, "z = 3");
  def = polygon_def(high, 2);
  check_refused(&def, "at least 3");
  def = polygon_def(line, RG_OUTLINE_MAX + 1);
  check_refused(&def, "at most 4096");
  def = rg_shape_def(RG_SHAPE_CIRCLE);
  def.radius = -1;
  check_refused(&def, "radius is -1");
}
