// Pairs with at least one curved shape: known cases, and facts that hold for every placement.
#include "test.h"

#include "collide/collide.h"
#include "support/random.h"
#include "support/shape.h"

enum { LIST = 4 };

static rgShape* sized(rgShapeKind kind, double radius, double half_length, rgVec3 half) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = radius;
  def.half_length = half_length;
  def.half = half;
  return make_shape(def);
}

enum { HULL_POINTS = 14 };

// The same random shape at any scale.
static rgShapeDef random_def(rgShapeKind kind, rgVec3 points[HULL_POINTS]) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = random_between(0.1, 1);
  def.half_length = random_between(0.1, 1);
  def.half = v3(random_between(0.1, 1), random_between(0.1, 1), random_between(0.1, 1));
  for (int i = 0; i < HULL_POINTS; i++)
    points[i] = random_vector();
  def.points = points;
  def.point_count = HULL_POINTS;
  return def;
}

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

// About the x axis by a quarter turn: z becomes -y.
static rgPose lying(double x, double y, double z) {
  return (rgPose){v3(x, y, z), quat_unit((rgQuat){1, 1, 0, 0})};
}

static double deepest(const Result* r) {
  double gap = HUGE_VAL;
  for (int i = 0; i < r->list.count; i++)
    for (int k = 0; k < r->items[i].count; k++)
      gap = fmin(gap, r->items[i].points[k].gap);
  return gap;
}

static void check_vector(rgVec3 x, rgVec3 expected, double tolerance) {
  CHECK_NEAR(x.x, expected.x, tolerance);
  CHECK_NEAR(x.y, expected.y, tolerance);
  CHECK_NEAR(x.z, expected.z, tolerance);
}

static void check_single(const Result* r, rgVec3 normal, double gap, double tolerance) {
  REQUIRE_INT(r->list.count, 1);
  REQUIRE_INT(r->items[0].count, 1);
  check_vector(r->items[0].normal, normal, tolerance);
  CHECK_NEAR(r->items[0].points[0].gap, gap, tolerance);
}

// --- Known cases ---------------------------------------------------------------------------------

TEST(spheres_touch_on_the_line_of_centres) {
  rgShape *a = sized(RG_SHAPE_SPHERE, 1, 0, v3_zero()),
          *b = sized(RG_SHAPE_SPHERE, 2, 0, v3_zero());
  Result r;
  collide(a, at(3, 0, 4), b, at(0, 0, 0), 3, &r);
  check_single(&r, v3(0.6, 0, 0.8), 2, 1e-15);
  check_vector(r.items[0].points[0].point_a, v3(2.4, 0, 3.2), 1e-15);
  check_vector(r.items[0].points[0].point_b, v3(1.2, 0, 1.6), 1e-15);
  collide(a, at(3, 0, 4), b, at(0, 0, 0), 1.999, &r);
  CHECK_INT(r.list.count, 0);
  collide(a, at(1, 1, 1), b, at(1, 1, 1), 0, &r); // one centre: some direction, depth of both radii
  REQUIRE_INT(r.list.count, 1);
  CHECK_NEAR(r.items[0].points[0].gap, -3, 1e-15);
  free_shape(a);
  free_shape(b);
}

TEST(sphere_against_face_edge_corner_and_inside_of_a_box) {
  rgShape *s = sized(RG_SHAPE_SPHERE, 0.5, 0, v3_zero()),
          *b = sized(RG_SHAPE_BOX, 0, 0, v3(1, 2, 3));
  Result r;
  collide(s, at(1.6, 0.5, 0.5), b, at(0, 0, 0), 0.2, &r);
  check_single(&r, v3(1, 0, 0), 0.1, 1e-15);
  collide(s, at(1.3, 2.4, 0.5), b, at(0, 0, 0), 0.2, &r);
  check_single(&r, v3(0.6, 0.8, 0), 0, 1e-15);
  collide(s, at(1.2, 2.3, 3.6), b, at(0, 0, 0), 0.3, &r);
  check_single(&r, v3(2.0 / 7, 3.0 / 7, 6.0 / 7), 0.2, 1e-15);
  collide(s, at(0.9, 0.5, 0.5), b, at(0, 0, 0), 0, &r);
  check_single(&r, v3(1, 0, 0), -0.6, 1e-15);
  free_shape(s);
  free_shape(b);
}

// The foot of (3, 0, 2) on the ellipsoid x^2/4 + y^2 + z^2 = 1... chosen from its normal: the point
// p = (2 cos t, 0, sin t) has normal (cos t / 2, 0, sin t), so p + g n is at distance g.
TEST(sphere_against_an_ellipsoid_is_exact_from_every_side) {
  rgShape *s = sized(RG_SHAPE_SPHERE, 0.25, 0, v3_zero()),
          *e = sized(RG_SHAPE_ELLIPSOID, 0, 0, v3(2, 1, 0.5));
  random_state = 1;
  for (int i = 0; i < 2000; i++) {
    rgVec3 y = random_direction(), p = v3(2 * y.x, y.y, 0.5 * y.z);
    rgVec3 n = v3_unit_or(v3(y.x / 2, y.y, y.z / 0.5), v3_zero());
    double g = random_between(-0.1, 3); // inside, less than the least radius of curvature 0.5^2/2
    Result r;
    collide(s, (rgPose){v3_axpy(p, g, n), quat_identity()}, e, at(0, 0, 0), 5, &r);
    check_single(&r, n, g - 0.25, 1e-13);
    check_vector(r.items[0].points[0].point_b, p, 1e-12);
  }
  collide(s, at(0, 0, 0), e, at(0, 0, 0), 0, &(Result){0}); // the centre: must not fail
  free_shape(s);
  free_shape(e);
}

TEST(ellipsoid_on_a_plane_touches_at_its_support_point) {
  rgShape *e = sized(RG_SHAPE_ELLIPSOID, 0, 0, v3(3, 2, 1)),
          *plane = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  // Turned about y by an angle with sine 0.6: the height of the centre is sqrt((3 * 0.6)^2 + (1 *
  // 0.8)^2).
  rgQuat q = quat_unit((rgQuat){3, 0, 1, 0}); // tan(half) = 1/3
  double h = sqrt(1.8 * 1.8 + 0.8 * 0.8);
  Result r;
  collide(e, (rgPose){v3(5, 6, h - 0.01), q}, plane, at(0, 0, 0), 0, &r);
  check_single(&r, v3(0, 0, 1), -0.01, 1e-15);
  CHECK_NEAR(r.items[0].points[0].point_a.z, -0.01, 1e-15);
  CHECK_NEAR(r.items[0].points[0].point_a.y, 6, 1e-15);
  // dh/d(angle) = x offset of the contact from the centre: (9 - 1) * 0.6 * 0.8 / h.
  CHECK_NEAR(fabs(r.items[0].points[0].point_a.x - 5), 8 * 0.48 / h, 1e-14);
  free_shape(e);
  free_shape(plane);
}

TEST(capsule_lies_on_two_points_and_stands_on_one) {
  rgShape *c = sized(RG_SHAPE_CAPSULE, 0.5, 1, v3_zero()),
          *plane = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  rgShape *b = sized(RG_SHAPE_BOX, 0, 0, v3(3, 3, 1)),
          *small = sized(RG_SHAPE_BOX, 0, 0, v3(3, 0.25, 1));
  Result r;
  collide(c, lying(0, 0, 0.5), plane, at(0, 0, 0), 0.01, &r);
  REQUIRE_INT(r.list.count, 1);
  CHECK_INT(r.items[0].count, 2);
  CHECK_NEAR(fabs(r.items[0].points[0].point_a.y - r.items[0].points[1].point_a.y), 2, 1e-14);
  collide(c, at(0, 0, 1.5), plane, at(0, 0, 0), 0.01, &r);
  check_single(&r, v3(0, 0, 1), 0, 1e-15);
  collide(c, lying(0, 0, 1.49), b, at(0, 0, 0), 0.01, &r);
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 2);
  check_vector(r.items[0].normal, v3(0, 0, 1), 1e-15);
  CHECK_NEAR(fabs(r.items[0].points[0].point_b.y - r.items[0].points[1].point_b.y), 2, 1e-14);
  collide(c, lying(0, 0.5, 1.49), small, at(0, 0, 0), 0.01, &r); // hangs over on both sides
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 2);
  CHECK_NEAR(fabs(r.items[0].points[0].point_b.y), 0.25, 1e-14);
  CHECK_NEAR(fabs(r.items[0].points[1].point_b.y), 0.25, 1e-14);
  free_shape(c);
  free_shape(plane);
  free_shape(b);
  free_shape(small);
}

TEST(capsules_side_by_side_touch_at_the_ends_of_the_common_part) {
  rgShape *a = sized(RG_SHAPE_CAPSULE, 0.5, 1, v3_zero()),
          *b = sized(RG_SHAPE_CAPSULE, 0.25, 2, v3_zero());
  Result r;
  collide(a, at(0.75, 0, 1.5), b, at(0, 0, 0), 0.01, &r); // common part from 0.5 to 2
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 2);
  check_vector(r.items[0].normal, v3(1, 0, 0), 1e-15);
  check_vector(r.items[0].points[0].point_b, v3(0.25, 0, 0.5), 1e-15);
  check_vector(r.items[0].points[1].point_b, v3(0.25, 0, 2), 1e-15);
  collide(a, lying(0.7, 0, 0), b, at(0, 0, 0), 0.01, &r); // crossing
  check_single(&r, v3(1, 0, 0), -0.05, 1e-15);
  collide(a, at(0, 0, 3.74), b, at(0, 0, 0), 0.01, &r); // end to end
  check_single(&r, v3(0, 0, 1), -0.01, 1e-14);
  collide(a, lying(0, 0, 0), b, at(0, 0, 0), 0.01, &r); // axes cross: parted across both
  check_single(&r, v3(r.items[0].normal.x, 0, 0), -0.75, 1e-15);
  CHECK_NEAR(fabs(r.items[0].normal.x), 1, 1e-15);
  collide(a, at(0, 0, 0.5), b, at(0, 0, 0), 0.01, &r); // on one axis: parted across it
  REQUIRE_INT(r.list.count, 1);
  CHECK_NEAR(deepest(&r), -0.75, 1e-15);
  free_shape(a);
  free_shape(b);
}

TEST(cylinder_lies_stands_and_tilts_on_a_plane) {
  rgShape *c = sized(RG_SHAPE_CYLINDER, 0.5, 1, v3_zero()),
          *plane = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  Result r;
  collide(c, lying(0, 0, 0.5), plane, at(0, 0, 0), 0.01, &r);
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 2);
  CHECK_NEAR(r.items[0].points[0].gap, 0, 1e-15);
  CHECK_NEAR(r.items[0].points[1].gap, 0, 1e-15);
  collide(c, at(0, 0, 1), plane, at(0, 0, 0), 0.01, &r);
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 8);
  for (int k = 0; k < 8; k++) {
    rgVec3 p = r.items[0].points[k].point_a;
    CHECK_NEAR(p.x * p.x + p.y * p.y, 0.25, 1e-15);
    CHECK_NEAR(r.items[0].points[k].gap, 0, 1e-15);
  }
  // Tilted by an angle t about an axis in the plane: the lowest rim point is H cos t + R sin t
  // below the centre.
  random_state = 2;
  for (int i = 0; i < 500; i++) {
    double t = random_between(0.01, 1.56), turn = random_between(0, 6.28);
    rgQuat spin = {cos(turn / 2), 0, 0, sin(turn / 2)}, tilt = {cos(t / 2), 0, sin(t / 2), 0};
    double h = cos(t) + 0.5 * sin(t);
    collide(c, (rgPose){v3(0, 0, h), quat_mul(tilt, spin)}, plane, at(0, 0, 0), 1e-4, &r);
    REQUIRE_INT(r.list.count, 1);
    CHECK_NEAR(deepest(&r), 0, 1e-14);
    const rgManifoldPoint* p = &r.items[0].points[0];
    CHECK_NEAR(p->point_a.y, 0, 1e-14);
    CHECK_NEAR(fabs(p->point_a.x), fabs(sin(t) - 0.5 * cos(t)), 1e-14);
  }
  free_shape(c);
  free_shape(plane);
}

TEST(cylinders_touch_along_lines_and_on_caps) {
  rgShape *a = sized(RG_SHAPE_CYLINDER, 0.5, 1, v3_zero()),
          *b = sized(RG_SHAPE_CYLINDER, 0.25, 2, v3_zero());
  Result r;
  collide(a, at(0.74, 0, 1.5), b, at(0, 0, 0), 0.01, &r); // side by side from 0.5 to 2
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 2);
  check_vector(r.items[0].normal, v3(1, 0, 0), 1e-14);
  CHECK_NEAR(r.items[0].points[0].point_b.z + r.items[0].points[1].point_b.z, 2.5, 1e-14);
  CHECK_NEAR(r.items[0].points[0].gap, -0.01, 1e-14);
  collide(a, at(0, 0, 2.995), b, at(0, 0, 0), 0.01, &r); // cap on cap: the smaller octagon
  REQUIRE_INT(r.list.count, 1);
  check_vector(r.items[0].normal, v3(0, 0, 1), 1e-15);
  CHECK_INT(r.items[0].count, 8);
  for (int k = 0; k < r.items[0].count; k++) {
    rgVec3 p = r.items[0].points[k].point_b;
    CHECK_NEAR(sqrt(p.x * p.x + p.y * p.y), 0.25, 1e-14);
    CHECK_NEAR(r.items[0].points[k].gap, -0.005, 1e-14);
  }
  collide(a, lying(0.745, 0.3, 0.2), b, at(0, 0, 0), 0.01, &r); // crossed
  check_single(&r, v3(1, 0, 0), -0.005, 1e-14);
  free_shape(a);
  free_shape(b);
}

TEST(cylinder_on_a_box_lies_stands_and_hangs_over) {
  rgShape *c = sized(RG_SHAPE_CYLINDER, 0.5, 1, v3_zero()),
          *b = sized(RG_SHAPE_BOX, 0, 0, v3(3, 3, 1));
  Result r;
  collide(c, at(0, 0, 1.999), b, at(0, 0, 0), 0.01, &r);
  REQUIRE_INT(r.list.count, 1);
  CHECK_INT(r.items[0].count, 8);
  check_vector(r.items[0].normal, v3(0, 0, 1), 1e-15);
  collide(c, at(3, 0, 1.999), b, at(0, 0, 0), 0.01, &r); // half over the edge
  REQUIRE_INT(r.list.count, 1);
  check_vector(r.items[0].normal, v3(0, 0, 1), 1e-15);
  double right = -HUGE_VAL;
  for (int k = 0; k < r.items[0].count; k++)
    right = fmax(right, r.items[0].points[k].point_b.x);
  CHECK_NEAR(right, 3, 1e-14);
  collide(c, lying(0, 2.5, 1.499), b, at(0, 0, 0), 0.01, &r); // lying, half over the edge
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(r.items[0].count, 2);
  CHECK_NEAR(fmax(r.items[0].points[0].point_b.y, r.items[0].points[1].point_b.y), 3, 1e-14);
  CHECK_NEAR(fmin(r.items[0].points[0].point_b.y, r.items[0].points[1].point_b.y), 1.5, 1e-14);
  free_shape(c);
  free_shape(b);
}

// Two ellipsoids placed from their common normal: p on A with outward normal -n, q on B with
// outward normal n, p - q = g n. Apart for g > 0; for -g below the least radii of curvature still
// the least depth.
TEST(ellipsoids_are_as_far_apart_as_they_were_placed) {
  random_state = 3;
  for (int i = 0; i < 3000; i++) {
    rgVec3 ea = v3(random_between(0.2, 1), random_between(0.2, 1), random_between(0.2, 1));
    rgVec3 eb = v3(random_between(0.2, 1), random_between(0.2, 1), random_between(0.2, 1));
    rgShape *a = sized(RG_SHAPE_ELLIPSOID, 0, 0, ea), *b = sized(RG_SHAPE_ELLIPSOID, 0, 0, eb);
    rgPose pose_a = {v3_zero(), random_rotation()}, pose_b = {v3_zero(), random_rotation()};
    rgVec3 n = random_direction();
    double gap = i % 2 ? random_between(0, 1) : random_between(-0.07, 0); // 0.2^2/1 twice is 0.08
    rgVec3 na = v3_mul(ea, quat_unrotate(pose_a.orientation, v3_neg(n)));
    rgVec3 nb = v3_mul(eb, quat_unrotate(pose_b.orientation, n));
    rgVec3 p = quat_rotate(pose_a.orientation, v3_scale(v3_mul(ea, na), 1 / v3_norm(na)));
    rgVec3 q = quat_rotate(pose_b.orientation, v3_scale(v3_mul(eb, nb), 1 / v3_norm(nb)));
    pose_a.position = v3_sub(v3_axpy(q, gap, n), p);
    Result r;
    collide(a, pose_a, b, pose_b, 2, &r);
    CONTEXT("placement %d gap %g", i, gap);
    check_single(&r, n, gap, 1e-12);
    check_vector(r.items[0].points[0].point_b, q, 1e-12);
    free_shape(a);
    free_shape(b);
  }
}

TEST(coincident_shapes_give_finite_contacts) {
  for (rgShapeKind i = RG_SHAPE_SPHERE; i <= RG_SHAPE_HULL; i++)
    for (rgShapeKind j = RG_SHAPE_SPHERE; j <= RG_SHAPE_HALFSPACE; j++) {
      rgVec3 points[HULL_POINTS];
      random_state = 4;
      rgShape* a = make_shape(random_def(i, points));
      random_state = 4;
      rgShape* b = make_shape(random_def(j, points));
      Result r;
      collide(a, at(1, 2, 3), b, at(1, 2, 3), 0.1, &r);
      CONTEXT("%s %s", rg_shape_kind_name(i), rg_shape_kind_name(j));
      CHECK(r.list.count > 0);
      for (int m = 0; m < r.list.count; m++) {
        CHECK_NEAR(v3_norm(r.items[m].normal), 1, 1e-14);
        CHECK(r.items[m].count > 0);
        for (int k = 0; k < r.items[m].count; k++)
          CHECK(v3_finite(r.items[m].points[k].point_a) &&
                v3_finite(r.items[m].points[k].point_b) && r.items[m].points[k].gap < 0);
      }
      free_shape(a);
      free_shape(b);
    }
}

// --- Every placement -----------------------------------------------------------------------------

static rgVec3 support(const rgShape* shape, rgPose pose, rgVec3 d) {
  return pose_apply(pose,
                    rg_shape_info(shape->kind)->support(shape, quat_unrotate(pose.orientation, d)));
}

// How far apart a and b are along n: for every n a lower bound of the distance.
static double apart_along(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                          rgVec3 n) {
  return v3_dot(n, v3_sub(support(a, pose_a, v3_neg(n)), support(b, pose_b, n)));
}

// The best lower bound by search over the sphere: a fixed set of directions, then ever smaller
// steps.
static double brute_distance(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b) {
  enum { DIRECTIONS = 400 };
  rgVec3 n = v3(0, 0, 1);
  double best = -HUGE_VAL;
  for (int i = 0; i < DIRECTIONS; i++) { // a spiral
    double z = 1 - 2 * (i + 0.5) / DIRECTIONS, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
    rgVec3 d = v3(r * cos(turn), r * sin(turn), z);
    double h = apart_along(a, pose_a, b, pose_b, d);
    if (h > best) {
      best = h;
      n = d;
    }
  }
  for (double step = 0.1; step > 1e-8; step *= 0.6)
    for (int k = 0; k < 12; k++) {
      rgVec3 t, o;
      v3_frame(n, &t, &o);
      rgVec3 d =
          v3_axpy(v3_axpy(n, step * cos(0.5236 * k + step), t), step * sin(0.5236 * k + step), o);
      d = v3_scale(d, 1 / v3_norm(d));
      double h = apart_along(a, pose_a, b, pose_b, d);
      if (h > best) {
        best = h;
        n = d;
      }
    }
  return best;
}

typedef struct Case {
  rgShape *a, *b;
  rgPose pose_a, pose_b;
  double reach;
} Case;

// Shapes and a placement near touching: apart, or overlapping by less than a few percent, or
// anyhow.
static Case random_case(rgShapeKind i, rgShapeKind j, int trial, double scale) {
  rgVec3 points_a[HULL_POINTS], points_b[HULL_POINTS];
  rgShapeDef def_a = random_def(i, points_a), def_b = random_def(j, points_b);
  rgShapeDef* defs[2] = {&def_a, &def_b};
  for (int k = 0; k < 2; k++) {
    defs[k]->radius *= scale;
    defs[k]->half_length *= scale;
    defs[k]->half = v3_scale(defs[k]->half, scale);
    rgVec3* points = k ? points_b : points_a;
    for (int p = 0; p < HULL_POINTS; p++)
      points[p] = v3_scale(points[p], scale);
  }
  Case c = {make_shape(def_a),
            make_shape(def_b),
            {v3_zero(), random_rotation()},
            {v3_zero(), random_rotation()},
            0.1 * scale};
  rgVec3 n = random_direction();
  if (trial % 4 == 0) { // axes aligned: where the degenerate cases are
    c.pose_a.orientation = c.pose_b.orientation;
    n = trial % 8 == 0 ? quat_rotate(c.pose_b.orientation, v3(0, 0, 1)) : n;
  }
  double bottom = j == RG_SHAPE_HALFSPACE ? 0 : apart_along(c.a, c.pose_a, c.b, c.pose_b, n);
  double gap = trial % 3 == 0   ? random_between(0, 0.1) * scale
               : trial % 3 == 1 ? random_between(-0.02, 0) * scale
                                : random_between(-1, 0) * fabs(bottom);
  c.pose_a.position = v3_scale(n, gap - bottom);
  return c;
}

static void drop_case(Case c) {
  free_shape(c.a);
  free_shape(c.b);
}

static bool round_pair(rgShapeKind i, rgShapeKind j) {
  bool flat_i = i == RG_SHAPE_BOX || i == RG_SHAPE_HULL;
  bool flat_j = j == RG_SHAPE_BOX || j == RG_SHAPE_HULL || j == RG_SHAPE_HALFSPACE;
  return !(flat_i && flat_j);
}

// Distance of x from the surface of a shape, by the definition of the shape; a bound from below for
// hulls.
static double off_surface(const rgShape* s, rgPose pose, rgVec3 point) {
  rgVec3 x = pose_unapply(pose, point);
  double rho = sqrt(x.x * x.x + x.y * x.y), most = -HUGE_VAL;
  switch (s->kind) {
  case RG_SHAPE_SPHERE:
    return v3_norm(x) - s->radius;
  case RG_SHAPE_BOX:
    return fmax(fabs(x.x) - s->half.x, fmax(fabs(x.y) - s->half.y, fabs(x.z) - s->half.z));
  case RG_SHAPE_CAPSULE:
    return v3_norm(v3(x.x, x.y, fmax(fabs(x.z) - s->half_length, 0))) - s->radius;
  case RG_SHAPE_CYLINDER:
    return fmax(rho - s->radius, fabs(x.z) - s->half_length);
  case RG_SHAPE_ELLIPSOID: // in units of the shortest semi-axis
    return (v3_norm(v3(x.x / s->half.x, x.y / s->half.y, x.z / s->half.z)) - 1) * s->size;
  case RG_SHAPE_HULL:
    for (int f = 0; f < s->polyhedron->face_count; f++)
      most = fmax(most, v3_dot(s->polyhedron->normals[f], x) - s->polyhedron->offsets[f]);
    return most;
  default:
    return x.z;
  }
}

static void check_sane(const Case* c, const Result* r, double size) {
  for (int m = 0; m < r->list.count; m++) {
    CHECK_NEAR(v3_norm(r->items[m].normal), 1, 1e-14);
    CHECK(r->items[m].count > 0);
    for (int k = 0; k < r->items[m].count; k++) {
      const rgManifoldPoint* p = &r->items[m].points[k];
      CHECK_NEAR(v3_dot(v3_sub(p->point_a, p->point_b), r->items[m].normal), p->gap, 1e-9 * size);
      CHECK(p->gap <= c->reach);
      // Deep overlaps of smooth shapes come from a polytope that fits them to some digits.
      CHECK_NEAR(off_surface(c->a, c->pose_a, p->point_a), 0, 1e-5 * size);
      CHECK_NEAR(off_surface(c->b, c->pose_b, p->point_b), 0, 1e-5 * size);
    }
  }
}

static void sweep(int trials, void (*check)(const Case* c, const Result* r, int trial)) {
  for (rgShapeKind i = RG_SHAPE_SPHERE; i <= RG_SHAPE_HULL; i++)
    for (rgShapeKind j = i; j <= RG_SHAPE_HALFSPACE; j++) {
      if (!round_pair(i, j))
        continue;
      random_state = 100 * (uint64_t)i + j;
      for (int trial = 0; trial < trials; trial++) {
        Case c = random_case(i, j, trial, 1);
        Result r;
        collide(c.a, c.pose_a, c.b, c.pose_b, c.reach, &r);
        CONTEXT("%s %s trial %d", rg_shape_kind_name(i), rg_shape_kind_name(j), trial);
        check(&c, &r, trial);
        drop_case(c);
      }
    }
}

static void expect_sane(const Case* c, const Result* r, int trial) {
  (void)trial;
  check_sane(c, r, 4);
}

TEST(contacts_are_finite_on_the_surfaces_and_consistent) {
  sweep(test_fast() ? 200 : 2000, expect_sane);
}

TEST(contacts_are_finite_on_the_surfaces_and_consistent_slow) {
  sweep(test_thorough() ? 100000 : 20000, expect_sane);
}

// No direction separates the shapes further than the contact says, and along its normal they are as
// far apart.
static void expect_distance(const Case* c, const Result* r, int trial) {
  (void)trial;
  if (c->b->kind == RG_SHAPE_HALFSPACE)
    return;
  double truth = brute_distance(c->a, c->pose_a, c->b, c->pose_b);
  if (r->list.count == 0) {
    CHECK(truth > 0.5 * c->reach); // the search falls short of the truth at edges
    return;
  }
  double gap = deepest(r);
  CHECK(truth <= gap + 1e-9);
  CHECK_NEAR(apart_along(c->a, c->pose_a, c->b, c->pose_b, r->items[0].normal), gap, 1e-9);
}

TEST(no_direction_is_better_than_the_normal_found) {
  sweep(test_fast() ? 20 : 150, expect_distance);
}

// Order of arguments, place in the world, unit of length: nothing but the coordinates changes.
static void expect_same_elsewhere(const Case* c, const Result* r, int trial) {
  (void)trial;
  Result other;
  collide(c->b, c->pose_b, c->a, c->pose_a, c->reach, &other);
  REQUIRE_INT(other.list.count, r->list.count);
  for (int m = 0; m < r->list.count; m++) {
    if (c->a->kind != c->b->kind) {
      CHECK_INT(other.items[m].count, r->items[m].count);
      check_vector(v3_neg(other.items[m].normal), r->items[m].normal, 0);
      check_vector(other.items[m].points[0].point_a, r->items[m].points[0].point_b, 0);
    }
  }
  if (r->list.count > 0)
    CHECK_NEAR(deepest(&other), deepest(r), 1e-9);

  rgPose motion = {v3(random_between(-3, 3), random_between(-3, 3), random_between(-3, 3)),
                   random_rotation()};
  collide(c->a, pose_mul(motion, c->pose_a), c->b, pose_mul(motion, c->pose_b), c->reach, &other);
  if (r->list.count > 0 && deepest(r) < c->reach - 1e-9) {
    REQUIRE_INT(other.list.count, r->list.count);
    CHECK_NEAR(deepest(&other), deepest(r), 1e-9);
  }
}

TEST(contacts_do_not_depend_on_order_or_place) {
  sweep(test_fast() ? 100 : 1000, expect_same_elsewhere);
}

TEST(contacts_scale_with_the_unit_of_length) {
  const double scale =
      1024; // a power of two, so that the input scales exactly: then so must the output
  int trials = test_fast() ? 100 : 1000;
  for (rgShapeKind i = RG_SHAPE_SPHERE; i <= RG_SHAPE_HULL; i++)
    for (rgShapeKind j = i; j <= RG_SHAPE_HALFSPACE; j++) {
      if (!round_pair(i, j))
        continue;
      for (int trial = 0; trial < trials; trial++) {
        random_state = 7000 + (uint64_t)trial;
        Case small = random_case(i, j, trial, 1);
        random_state = 7000 + (uint64_t)trial;
        Case large = random_case(i, j, trial, scale);
        Result r, s;
        collide(small.a, small.pose_a, small.b, small.pose_b, small.reach, &r);
        collide(large.a, large.pose_a, large.b, large.pose_b, large.reach, &s);
        CONTEXT("%s %s trial %d", rg_shape_kind_name(i), rg_shape_kind_name(j), trial);
        REQUIRE_INT(s.list.count, r.list.count);
        for (int m = 0; m < r.list.count; m++) {
          REQUIRE_INT(s.items[m].count, r.items[m].count);
          check_vector(s.items[m].normal, r.items[m].normal, 1e-12);
          for (int k = 0; k < r.items[m].count; k++) {
            CHECK_NEAR(s.items[m].points[k].gap, scale * r.items[m].points[k].gap, 1e-12 * scale);
            check_vector(s.items[m].points[k].point_a,
                         v3_scale(r.items[m].points[k].point_a, scale), 1e-12 * scale);
          }
        }
        drop_case(small);
        drop_case(large);
      }
    }
}

// A hint is only a first guess.
static void expect_same_with_hint(const Case* c, const Result* r, int trial) {
  (void)trial;
  rgPairHint hint = {random_direction()};
  Result other;
  other.list = (rgManifoldList){.items = other.items, .capacity = LIST};
  rg_collide(c->a, c->pose_a, c->b, c->pose_b, c->reach, &hint, &other.list);
  REQUIRE_INT(other.list.count, r->list.count);
  if (r->list.count > 0)
    CHECK_NEAR(deepest(&other), deepest(r), 1e-9);
}

TEST(contacts_do_not_depend_on_the_hint) { sweep(test_fast() ? 100 : 1000, expect_same_with_hint); }
