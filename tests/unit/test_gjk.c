// Distances and depths of convex sets: against closed forms, and against certificates that need the
// support functions only. For sets apart, n.a = min n.A and n.b = max n.B prove that no smaller
// distance exists.
#include "test_collide_poly.h"

static rgDistance distance_of(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b) {
  rgConvex ca = rg_convex_of_shape(a, pose_a), cb = rg_convex_of_shape(b, pose_b);
  rgDistance d;
  CHECK(rg_convex_distance(&ca, &cb, HUGE_VAL, v3_zero(), &d));
  return d;
}

// Separation along unit n, from B to A, by the shapes' own support functions.
static double separation(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                         rgVec3 n) {
  rgVec3 d_a = quat_unrotate(pose_a.orientation, v3_neg(n));
  rgVec3 d_b = quat_unrotate(pose_b.orientation, n);
  rgVec3 x_a = pose_apply(pose_a, rg_shape_info(a->kind)->support(a, d_a));
  rgVec3 x_b = pose_apply(pose_b, rg_shape_info(b->kind)->support(b, d_b));
  return v3_dot(n, v3_sub(x_a, x_b));
}

static void check_witness(const rgDistance* d, double size) {
  CHECK_NEAR(v3_norm(d->normal), 1, 1e-14);
  rgVec3 between = v3_sub(d->point_a, d->point_b);
  check_vector(between, v3_scale(d->normal, d->distance), 1e-13 * size);
}

TEST(spheres) {
  rgShape *a = make_sphere(1), *b = make_sphere(2);
  rgDistance d = distance_of(a, pose_at(0, 0, 5), b, pose_at(0, 4, 2));
  CHECK_NEAR(d.distance, 2, 1e-15);
  check_vector(d.normal, v3(0, -0.8, 0.6), 1e-15);
  check_vector(d.point_a, v3(0, 0.8, 4.4), 1e-15);
  check_vector(d.point_b, v3(0, 2.4, 3.2), 1e-15);
  // Overlap by more than a radius, where the centres still tell the direction.
  d = distance_of(a, pose_at(0, 0, 0.1), b, pose_at(0, 0, 0));
  CHECK_NEAR(d.distance, 0.1 - 3, 1e-15);
  check_vector(d.normal, v3(0, 0, 1), 1e-15);
  // The same centre: any direction frees them, at the cost of both radii.
  d = distance_of(a, pose_at(7, 8, 9), b, pose_at(7, 8, 9));
  CHECK_NEAR(d.distance, -3, 1e-14);
  CHECK_NEAR(v3_norm(d.normal), 1, 1e-14);
  free_shape(a), free_shape(b);
}

TEST(crossing_capsules_are_freed_along_the_common_perpendicular) {
  rgShape* c = make_round(RG_SHAPE_CAPSULE, 0.25, 2);
  rgPose lying = {v3(0.3, 0.2, 0), turn(v3(0, 1, 0), 1.5707963267948966)};
  for (int i = 0; i < 3; i++) {
    double height = 0.1 * i; // zero: the axes meet
    rgPose across = {v3(-0.5, 0.7, height), turn(v3(1, 0, 0), 1.5707963267948966)};
    rgDistance d = distance_of(c, across, c, lying);
    CHECK_NEAR(d.distance, height - 0.5, 1e-14);
    CHECK_NEAR(fabs(d.normal.z), 1, 1e-14);
    CHECK_NEAR(d.point_a.x, -0.5, 1e-13);
    CHECK_NEAR(d.point_a.y, 0.2, 1e-13);
  }
  // Coaxial and overlapping: freed sideways.
  rgDistance d = distance_of(c, pose_at(0, 0, 0), c, pose_at(0, 0, 1));
  CHECK_NEAR(d.distance, -0.5, 1e-13);
  CHECK_NEAR(d.normal.z, 0, 1e-13);
  free_shape(c);
}

// Distance of boxes with parallel axes, by their intervals.
static double aligned_distance(rgVec3 offset, rgVec3 sum) {
  rgVec3 gap = v3_sub(v3_abs(offset), sum);
  double most = fmax(gap.x, fmax(gap.y, gap.z));
  return most < 0 ? most : v3_norm(v3_max(gap, v3_zero()));
}

TEST(parallel_boxes_by_intervals) {
  for (int trial = 0; trial < 3000; trial++) {
    rgVec3 half_a = v3(random_between(0.1, 2), random_between(0.1, 2), random_between(0.1, 2));
    rgVec3 half_b = v3(random_between(0.1, 2), random_between(0.1, 2), random_between(0.1, 2));
    rgShape *a = make_box(half_a.x, half_a.y, half_a.z),
            *b = make_box(half_b.x, half_b.y, half_b.z);
    rgVec3 offset = v3_scale(random_vector(), 4);
    rgPose world = {v3_scale(random_vector(), 5), random_turn()};
    rgPose pose_a = pose_mul(world, (rgPose){offset, quat_identity()});
    rgDistance d = distance_of(a, pose_a, b, world);
    CONTEXT("trial %d", trial);
    CHECK_NEAR(d.distance, aligned_distance(offset, v3_add(half_a, half_b)), 1e-13);
    check_witness(&d, 10);
    free_shape(a), free_shape(b);
  }
}

TEST(sphere_deep_inside_a_box_leaves_through_the_nearest_face) {
  rgShape *s = make_sphere(0.1), *b = make_box(1, 2, 3);
  rgDistance d = distance_of(s, pose_at(0.6, 0.3, -2.5), b, pose_at(0, 0, 0));
  CHECK_NEAR(d.distance, -0.4 - 0.1, 1e-14);
  check_vector(d.normal, v3(1, 0, 0), 1e-14);
  check_vector(d.point_b, v3(1, 0.3, -2.5), 1e-13);
  free_shape(s), free_shape(b);
}

TEST(triangle_given_by_points) {
  const rgVec3 corners[3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}};
  rgConvexPoints set = {corners, 3};
  rgConvex triangle = rg_convex_of_points(&set, 0);
  rgShape* s = make_sphere(0.5);
  const struct {
    rgVec3 at, nearest;
  } cases[] = {{{0.5, 0.5, 1}, {0.5, 0.5, 0}}, {{2, 2, 0}, {1, 1, 0}}, {{-3, -4, 0}, {0, 0, 0}}};
  for (int i = 0; i < 3; i++) {
    rgConvex ball = rg_convex_of_shape(s, (rgPose){cases[i].at, quat_identity()});
    rgDistance d;
    CHECK(rg_convex_distance(&ball, &triangle, HUGE_VAL, v3_zero(), &d));
    CHECK_NEAR(d.distance, v3_norm(v3_sub(cases[i].at, cases[i].nearest)) - 0.5, 1e-14);
    check_vector(d.point_b, cases[i].nearest, 1e-14);
  }
  free_shape(s);
}

// An ellipsoid above or in a wide plate: the support function of the ellipsoid is the exact answer.
TEST(ellipsoid_and_plate) {
  rgShape *e = make_ellipsoid(0.5, 1, 1.5), *plate = make_box(50, 50, 10);
  for (int trial = 0; trial < 200; trial++) {
    rgPose pose = {v3(random_between(-1, 1), random_between(-1, 1), random_between(10, 12)),
                   random_turn()};
    rgVec3 up = quat_unrotate(pose.orientation, v3(0, 0, 1));
    double exact = pose.position.z - v3_norm(v3_mul(up, v3(0.5, 1, 1.5))) - 10;
    rgDistance d = distance_of(e, pose, plate, pose_identity());
    CONTEXT("trial %d exact %.17g", trial, exact);
    CHECK_NEAR(d.distance, exact, 1e-8 * 1.5);
    CHECK_NEAR(d.normal.z, 1, 1e-8);
  }
  free_shape(e), free_shape(plate);
}

TEST(upright_cylinders_by_their_discs) {
  rgShape *a = make_round(RG_SHAPE_CYLINDER, 1, 2), *b = make_round(RG_SHAPE_CYLINDER, 0.5, 1);
  for (int trial = 0; trial < 200; trial++) {
    rgVec3 at = v3(random_between(-3, 3), random_between(-3, 3), random_between(-4, 4));
    double across = sqrt(at.x * at.x + at.y * at.y) - 1.5, along = fabs(at.z) - 3;
    double exact =
        across > 0 && along > 0 ? sqrt(across * across + along * along) : fmax(across, along);
    rgDistance d = distance_of(a, (rgPose){at, quat_identity()}, b, pose_identity());
    CONTEXT("trial %d at %g %g %g", trial, at.x, at.y, at.z);
    CHECK_NEAR(d.distance, exact, 1e-8);
  }
  free_shape(a), free_shape(b);
}

// --- certificates -------------------------------------------------------------------------------

enum { ZOO = 7 };

static void make_zoo(rgShape** zoo) {
  zoo[0] = make_sphere(0.6);
  zoo[1] = make_box(0.3, 0.7, 1.1);
  zoo[2] = make_round(RG_SHAPE_CAPSULE, 0.3, 0.8);
  zoo[3] = make_round(RG_SHAPE_CYLINDER, 0.5, 0.7);
  zoo[4] = make_ellipsoid(0.4, 0.8, 1.0);
  zoo[5] = make_pebble(30, v3(0.6, 0.9, 1.2));
  zoo[6] = make_block(0.5, 0.5, 0.5);
}

static void free_zoo(rgShape** zoo) {
  for (int i = 0; i < ZOO; i++)
    free_shape(zoo[i]);
}

static bool is_smooth(const rgShape* shape) {
  return shape->kind == RG_SHAPE_CYLINDER || shape->kind == RG_SHAPE_ELLIPSOID;
}

TEST(distance_is_proved_by_the_support_functions) {
  rgShape* zoo[ZOO];
  make_zoo(zoo);
  for (int trial = 0; trial < 20000; trial++) {
    const rgShape *a = zoo[trial % ZOO], *b = zoo[trial / ZOO % ZOO];
    rgPose pose_a = {v3_scale(random_vector(), 2), random_turn()},
           pose_b = {v3_scale(random_vector(), 2), random_turn()};
    rgDistance d = distance_of(a, pose_a, b, pose_b);
    if (d.distance <= 0)
      continue;
    CONTEXT("trial %d: %d against %d, distance %g", trial, a->kind, b->kind, d.distance);
    check_witness(&d, 10);
    // Relative 1e-10 for polytopes and 1e-8 for smooth shapes, as promised; sizes are about 1.
    double tolerance = is_smooth(a) || is_smooth(b) ? 1e-8 : 1e-10 * d.distance + 1e-14;
    CHECK_NEAR(separation(a, pose_a, b, pose_b, d.normal), d.distance, tolerance);
  }
  free_zoo(zoo);
}

TEST(no_direction_is_shallower_than_the_depth_found) {
  rgShape* zoo[ZOO];
  make_zoo(zoo);
  int tried = 0;
  for (int trial = 0; trial < 4000; trial++) {
    const rgShape *a = zoo[trial % ZOO], *b = zoo[trial / ZOO % ZOO];
    rgPose pose_a = {v3_scale(random_vector(), 0.7), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.7), random_turn()};
    rgDistance d = distance_of(a, pose_a, b, pose_b);
    if (d.distance > 0)
      continue;
    tried++;
    CONTEXT("trial %d: %d against %d, distance %g", trial, a->kind, b->kind, d.distance);
    check_witness(&d, 10);
    CHECK_NEAR(separation(a, pose_a, b, pose_b, d.normal), d.distance, 1e-8);
    for (int i = 0; i < 200; i++) { // half of them about the normal
      rgVec3 n = random_direction();
      if (i % 2)
        n = v3_unit_or(v3_axpy(d.normal, random_between(0, 0.1), n), n);
      CHECK(separation(a, pose_a, b, pose_b, n) <= d.distance + 1e-8);
    }
  }
  CHECK(tried > 2000);
  free_zoo(zoo);
}

TEST(reach_only_cuts_off) {
  rgShape* zoo[ZOO];
  make_zoo(zoo);
  for (int trial = 0; trial < 5000; trial++) {
    const rgShape *a = zoo[trial % ZOO], *b = zoo[trial / ZOO % ZOO];
    rgPose pose_a = {v3_scale(random_vector(), 2), random_turn()},
           pose_b = {v3_scale(random_vector(), 2), random_turn()};
    rgDistance full = distance_of(a, pose_a, b, pose_b), part;
    rgConvex ca = rg_convex_of_shape(a, pose_a), cb = rg_convex_of_shape(b, pose_b);
    double reach = random_between(0, 1);
    bool near = rg_convex_distance(&ca, &cb, reach, v3_zero(), &part);
    CHECK(near == (full.distance <= reach));
    if (near)
      CHECK_BITS(part.distance, full.distance);
    else
      CHECK(separation(a, pose_a, b, pose_b, part.normal) > reach - 1e-12);
    CHECK(!rg_convex_apart_along(&ca, &cb, reach, v3_zero()));
    CHECK(rg_convex_apart_along(&ca, &cb, full.distance - 1e-6, full.normal));
    CHECK(!rg_convex_apart_along(&ca, &cb, full.distance + 1e-6, full.normal));
  }
  free_zoo(zoo);
}

TEST(far_from_the_origin_and_in_other_units) {
  rgShape *a = make_box(1, 1, 1), *b = make_pebble(20, v3(1, 1, 1));
  for (int trial = 0; trial < 500; trial++) {
    rgPose pose_a = {v3_scale(random_vector(), 1.5), random_turn()},
           pose_b = {v3_scale(random_vector(), 1.5), random_turn()};
    rgDistance near = distance_of(a, pose_a, b, pose_b);
    rgVec3 away = v3(1e4, -1e4, 1e4);
    pose_a.position = v3_add(pose_a.position, away);
    pose_b.position = v3_add(pose_b.position, away);
    rgDistance far = distance_of(a, pose_a, b, pose_b);
    // Positions near 1e4 are rounded to 2e-12.
    CHECK_NEAR(far.distance, near.distance, 1e-11);
  }
  free_shape(a), free_shape(b);
}

TEST(very_different_sizes) {
  rgShape *floor = make_box(1e4, 1e4, 1), *grain = make_box(1, 0.5, 0.25);
  for (int trial = 0; trial < 500; trial++) {
    rgPose pose = {v3(random_between(-5e3, 5e3), random_between(-5e3, 5e3), random_between(0.5, 3)),
                   random_turn()};
    double exact = -highest_along(grain, pose, v3(0, 0, -1)) - 1;
    rgDistance d = distance_of(grain, pose, floor, pose_identity());
    CONTEXT("trial %d", trial);
    CHECK_NEAR(d.distance, exact, 1e-9); // 1e4 is rounded to 2e-12
    CHECK_NEAR(d.normal.z, 1, 1e-9);
  }
  free_shape(floor), free_shape(grain);
}

TEST(touching_is_neither_lost_nor_wild) {
  rgShape *a = make_box(1, 1, 1), *b = make_pebble(40, v3(1, 1, 1));
  for (int trial = 0; trial < 2000; trial++) {
    rgPose pose_a = {v3_scale(random_vector(), 3), random_turn()},
           pose_b = {v3_scale(random_vector(), 3), random_turn()};
    rgDistance d = distance_of(a, pose_a, b, pose_b);
    if (d.distance <= 0)
      continue;
    double beyond = random_between(-1, 1) * pow(10, random_between(-16, -6));
    rgVec3 n = d.normal;
    pose_a.position = v3_axpy(pose_a.position, beyond - d.distance, n);
    rgDistance touching = distance_of(a, pose_a, b, pose_b);
    CONTEXT("trial %d beyond %g", trial, beyond);
    // Apart: exact but for vertices below 1e-9, which EPA takes as touching. Overlapping: moving by
    // -beyond frees them.
    if (beyond > 0)
      CHECK_NEAR(touching.distance, beyond, 1e-9);
    CHECK(touching.distance >= fmin(beyond, 0) - 1e-14 &&
          touching.distance <= fmax(beyond, 0) + 1e-14);
    check_witness(&touching, 10);
  }
  free_shape(a), free_shape(b);
}
