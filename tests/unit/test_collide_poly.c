// Contacts of boxes with boxes and with half-spaces.
#include "test_collide_poly.h"

static const double HALF_PI = 1.5707963267948966;

// --- half-space ---------------------------------------------------------------------------------

TEST(box_on_the_floor_stands_on_four_corners) {
  rgShape *box = make_box(0.5, 1, 0.25), *floor = make_halfspace();
  Result r;
  const rgManifold* m =
      collide(rg_pair_box_halfspace, box, pose_at(3, 4, 0.25), floor, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 4);
  check_vector(m->normal, v3(0, 0, 1), 0);
  for (int i = 0; i < 4; i++) {
    CHECK(m->points[i].gap == 0);
    CHECK(has_point(m, v3(i & 1 ? 3.5 : 2.5, i & 2 ? 5 : 3, 0), 0));
  }
  CHECK(collide(rg_pair_box_halfspace, box, pose_at(0, 0, 0.2601), floor, pose_identity(), 0.01,
                &r) == NULL);
  free_shape(box), free_shape(floor);
}

TEST(box_and_tilted_plane_by_vertices) {
  rgShape *box = make_box(0.5, 1, 0.25), *block = make_block(0.5, 1, 0.25),
          *plane = make_halfspace();
  for (int trial = 0; trial < 2000; trial++) {
    rgPose floor = {v3_scale(random_vector(), 2), random_turn()},
           pose = {v3_scale(random_vector(), 2), random_turn()};
    double reach = random_between(0, 0.5);
    Result rb, rh;
    const rgManifold* b = collide(rg_pair_box_halfspace, box, pose, plane, floor, reach, &rb);
    const rgManifold* h = collide(rg_pair_hull_halfspace, block, pose, plane, floor, reach, &rh);
    rgVec3 n = quat_rotate(floor.orientation, v3(0, 0, 1));
    double lowest = -highest_along(box, pose, v3_neg(n)) - v3_dot(n, floor.position);
    CONTEXT("trial %d lowest %g reach %g", trial, lowest, reach);
    CHECK((b != NULL) == (lowest <= reach));
    CHECK((h != NULL) == (lowest <= reach));
    if (!b || !h)
      continue;
    CHECK_INT(b->count, h->count);
    CHECK_NEAR(least_gap(b), lowest, 1e-14);
    CHECK_NEAR(least_gap(h), lowest, 1e-14);
    check_vector(b->normal, n, 1e-15);
    for (int i = 0; i < b->count; i++) {
      rgManifoldPoint p = b->points[i];
      CHECK_NEAR(v3_dot(n, v3_sub(p.point_b, floor.position)), 0, 1e-14);
      check_vector(v3_sub(p.point_a, p.point_b), v3_scale(n, p.gap), 1e-14);
      check_vector(p.point_a, pose_apply(pose, box->polyhedron->vertices[p.feature]), 1e-14);
    }
  }
  free_shape(box), free_shape(block), free_shape(plane);
}

// --- faces --------------------------------------------------------------------------------------

// One cube on another, turned about the vertical by a little: of the eight corners of the common
// area the four where sides cross at a small angle are this far from the line of their neighbours.
// All eight are corners; coarser than that, the area is as good as one square.
TEST(crossings_almost_in_line_are_left_out_when_asked) {
  rgShape* cube = make_box(0.5, 0.5, 0.5);
  const double angle = 1e-3;
  rgPose lower = pose_identity(), upper = pose_at(0, 0, 1);
  upper.orientation = turn(v3(0, 0, 1), angle);
  for (int coarse = 0; coarse < 2; coarse++) {
    Result r;
    r.list = (rgManifoldList){.items = r.items, .capacity = LIST, .coarseness = coarse * angle};
    rgPairHint hint = {v3_zero()};
    rg_pair_box_box(cube, lower, cube, upper, 0.01, &hint, &r.list);
    REQUIRE(r.list.count == 1);
    CHECK_INT(r.items[0].count, coarse ? 4 : 8);
    for (int i = 0; i < 4; i++)
      CHECK(!coarse ||
            has_point(&r.items[0], v3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 0.5), 2 * angle));
  }
  free_shape(cube);
}

TEST(equal_cubes_flush_touch_in_their_corners_exactly) {
  rgShape* cube = make_box(0.5, 0.5, 0.5);
  for (int axis = 0; axis < 3; axis++) {
    for (int sign = -1; sign <= 1; sign += 2) {
      rgVec3 up = v3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
      Result r;
      const rgManifold* m = collide(rg_pair_box_box, cube, (rgPose){up, quat_identity()}, cube,
                                    pose_identity(), 0.01, &r);
      REQUIRE(m != NULL);
      CHECK_INT(m->count, 4);
      check_vector(m->normal, up, 0);
      check_manifold(cube, (rgPose){up, quat_identity()}, cube, pose_identity(), 0.01, m);
      for (int i = 0; i < 4; i++) {
        double s = i & 1 ? 0.5 : -0.5, t = i & 2 ? 0.5 : -0.5, h = 0.5 * sign;
        rgVec3 corner = axis == 0 ? v3(h, s, t) : axis == 1 ? v3(s, h, t) : v3(s, t, h);
        CHECK(has_point(m, corner, 0));
        CHECK(m->points[i].gap == 0);
      }
    }
  }
  free_shape(cube);
}

TEST(overhang_cuts_the_support_polygon_at_the_edge_exactly) {
  rgShape* block = make_box(1, 0.5, 0.125);
  double offset = 0.7;
  Result r;
  const rgManifold* m =
      collide(rg_pair_box_box, block, pose_at(offset, 0, 0.25), block, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 4);
  CHECK(has_point(m, v3(1, 0.5, 0.125), 0) && has_point(m, v3(1, -0.5, 0.125), 0));
  CHECK(has_point(m, v3(offset - 1, 0.5, 0.125), 1e-16));
  CHECK(has_point(m, v3(offset - 1, -0.5, 0.125), 1e-16));
  free_shape(block);
}

TEST(cube_turned_by_45_degrees_stands_on_an_octagon) {
  rgShape* cube = make_box(1, 1, 1);
  rgPose top = {v3(0, 0, 2), turn(v3(0, 0, 1), HALF_PI / 2)};
  Result r;
  const rgManifold* m = collide(rg_pair_box_box, cube, top, cube, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 8);
  check_manifold(cube, top, cube, pose_identity(), 0.01, m);
  double a = sqrt(2) - 1; // where the sides of the turned square cut those of the other
  for (int i = 0; i < 4; i++) {
    double s = i & 1 ? 1 : -1, t = i & 2 ? a : -a;
    CHECK(has_point(m, v3(s, t, 1), 1e-15) && has_point(m, v3(t, s, 1), 1e-15));
  }
  free_shape(cube);
}

TEST(small_cube_inside_a_large_face_touches_with_its_own_corners) {
  rgShape *table = make_box(1e4, 1e4, 1), *cube = make_box(1, 1, 1);
  rgPose pose = {v3(123, -456, 2), turn(v3(0, 0, 1), 0.3)};
  Result r;
  const rgManifold* m = collide(rg_pair_box_box, cube, pose, table, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 4);
  for (int i = 0; i < 4; i++) {
    rgVec3 corner = pose_apply(pose, v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, -1));
    CHECK(has_point(m, corner, 1e-12)); // 1e4 is rounded to 2e-12
  }
  free_shape(table), free_shape(cube);
}

TEST(rounding_of_a_resting_stack_does_not_change_its_contacts) {
  rgShape* cube = make_box(0.5, 0.5, 0.5);
  Result first, r;
  const rgManifold* clean =
      collide(rg_pair_box_box, cube, pose_at(0, 0, 1), cube, pose_identity(), 1e-3, &first);
  for (int trial = 0; trial < 2000; trial++) {
    // Noise as solvers leave it.
    rgPose pose = {v3_add(v3(0, 0, 1), v3_scale(random_vector(), 1e-8)),
                   turn(random_direction(), 5e-8)};
    const rgManifold* m = collide(rg_pair_box_box, cube, pose, cube, pose_identity(), 1e-3, &r);
    REQUIRE(m != NULL);
    REQUIRE_INT(m->count, 4);
    for (int i = 0; i < 4; i++) {
      check_vector(m->points[i].point_b, clean->points[i].point_b, 1e-7);
      CHECK_INT(m->points[i].feature, clean->points[i].feature);
    }
  }
  free_shape(cube);
}

TEST(names_stay_while_a_box_slides_and_follow_no_exchange_of_roles) {
  rgShape *small = make_box(0.5, 0.4, 0.3), *large = make_box(1, 1, 1);
  uint32_t names[4] = {0};
  for (int step = 0; step < 50; step++) {
    // Tilted one way, the upper face is the reference; tilted the other way, the lower one.
    double tilt = 1e-3 * sin(step);
    rgPose pose = {v3(-0.2 + 0.008 * step, 0.1, 1.3), turn(v3(0.3, 1, 0), tilt)};
    Result r;
    const rgManifold* m = collide(rg_pair_box_box, small, pose, large, pose_identity(), 0.1, &r);
    REQUIRE(m != NULL);
    REQUIRE_INT(m->count, 4);
    for (int i = 0; i < 4; i++) {
      bool known = step == 0;
      for (int j = 0; j < 4; j++)
        known |= names[j] == m->points[i].feature;
      CHECK_MSG(known, "step %d", step);
    }
    for (int i = 0; step == 0 && i < 4; i++)
      names[i] = m->points[i].feature;
  }
  free_shape(small), free_shape(large);
}

TEST(tilted_box_within_reach_gives_all_its_corners) {
  // Turned so that edges cross: the nearest features are two edges, but the faces can meet within
  // the step.
  rgShape* cube = make_box(0.5, 0.5, 0.5);
  double tilt = 2e-3, reach = 0.01;
  rgQuat yaw = turn(v3(0, 0, 1), 0.4);
  rgPose pose = {v3(0.55, 0.6, 1.001), quat_mul(turn(v3(1, 1, 0), tilt), yaw)};
  Result r;
  const rgManifold* m = collide(rg_pair_box_box, cube, pose, cube, pose_identity(), reach, &r);
  REQUIRE(m != NULL);
  CHECK(m->count >= 4);
  check_manifold(cube, pose, cube, pose_identity(), reach, m);
  free_shape(cube);
}

// --- edges and vertices -------------------------------------------------------------------------

TEST(crossing_edges_touch_in_one_point) {
  rgShape* cube = make_box(1, 1, 1);
  double diagonal = sqrt(2);
  for (int i = 0; i < 5; i++) {
    double gap = 0.004 * (i - 2);
    // Both stand on an edge; the edges cross at right angles.
    rgPose lower = {v3(0, 0, 0), turn(v3(1, 0, 0), HALF_PI / 2)};
    rgPose upper = {v3(0.3, 0.2, 2 * diagonal + gap), turn(v3(0, 1, 0), HALF_PI / 2)};
    Result r;
    const rgManifold* m = collide(rg_pair_box_box, cube, upper, cube, lower, 0.01, &r);
    REQUIRE(m != NULL);
    CHECK_INT(m->count, 1);
    check_vector(m->normal, v3(0, 0, 1), 1e-15);
    CHECK_NEAR(m->points[0].gap, gap, 1e-14);
    check_vector(m->points[0].point_a, v3(0.3, 0, diagonal + gap), 1e-14);
    check_vector(m->points[0].point_b, v3(0.3, 0, diagonal), 1e-14);
  }
  free_shape(cube);
}

TEST(vertex_over_a_face) {
  rgShape* cube = make_box(1, 1, 1);
  // The diagonal of the upper cube is upright.
  rgQuat upright = turn(v3(1, -1, 0), acos(1 / sqrt(3)));
  CHECK_NEAR(fabs(quat_rotate(upright, v3(1, 1, 1)).z), sqrt(3), 1e-14);
  for (int i = 0; i < 3; i++) {
    double gap = 0.005 * (i - 1);
    rgPose pose = {v3(0.2, -0.3, 1 + sqrt(3) + gap), upright};
    Result r;
    const rgManifold* m = collide(rg_pair_box_box, cube, pose, cube, pose_identity(), 0.01, &r);
    REQUIRE(m != NULL);
    CHECK_INT(m->count, 1);
    check_vector(m->normal, v3(0, 0, 1), 1e-15);
    CHECK_NEAR(m->points[0].gap, gap, 1e-14);
    check_vector(m->points[0].point_b, v3(0.2, -0.3, 1), 1e-14);
  }
  free_shape(cube);
}

TEST(edge_on_a_face_touches_along_its_length) {
  rgShape* cube = make_box(1, 1, 1);
  rgPose pose = {v3(0.5, 0, 1 + sqrt(2)), turn(v3(1, 0, 0), HALF_PI / 2)};
  Result r;
  const rgManifold* m = collide(rg_pair_box_box, cube, pose, cube, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 2);
  CHECK(has_point(m, v3(-0.5, 0, 1), 1e-14) && has_point(m, v3(1, 0, 1), 1e-14));
  free_shape(cube);
}

TEST(boxes_passing_diagonally_get_the_normal_of_their_distance) {
  rgShape* cube = make_box(0.5, 0.5, 0.5);
  Result r;
  // Parallel edges: the shared stretch, along the diagonal.
  const rgManifold* m =
      collide(rg_pair_box_box, cube, pose_at(1.03, 0.25, 1.04), cube, pose_identity(), 0.06, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 2);
  check_vector(m->normal, v3(0.6, 0, 0.8), 1e-13);
  CHECK_NEAR(m->points[0].gap, 0.05, 1e-14);
  CHECK(has_point(m, v3(0.5, -0.25, 0.5), 1e-14) && has_point(m, v3(0.5, 0.5, 0.5), 1e-14));
  // Vertex against vertex.
  m = collide(rg_pair_box_box, cube, pose_at(1.02, 1.01, 1.02), cube, pose_identity(), 0.04, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 1);
  check_vector(m->normal, v3(2. / 3, 1. / 3, 2. / 3), 1e-13);
  CHECK_NEAR(m->points[0].gap, 0.03, 1e-14);
  // The separation along an axis is within reach, the distance is not: no contact, so nothing to
  // bar the way.
  CHECK(collide(rg_pair_box_box, cube, pose_at(1.03, 0, 1.04), cube, pose_identity(), 0.049, &r) ==
        NULL);
  free_shape(cube);
}

// --- anywhere -----------------------------------------------------------------------------------

static rgShape* random_box(double least, double most) {
  double x = random_between(least, most), y = random_between(least, most),
         z = random_between(least, most);
  return make_box(x, y, z);
}

TEST(random_boxes_agree_with_brute_force) {
  int overlapping = 0, apart = 0;
  for (int trial = 0; trial < 4000; trial++) {
    rgShape *a = random_box(0.2, 1), *b = random_box(0.2, 1);
    rgPose pose_a = {v3_scale(random_vector(), 1.1), random_turn()},
           pose_b = {v3_scale(random_vector(), 1.1), random_turn()};
    double reach = 1e-6; // little reach: a face must be exact to be preferred
    double brute = brute_separation(a, pose_a, b, pose_b);
    Result r;
    const rgManifold* m = collide(rg_pair_box_box, a, pose_a, b, pose_b, reach, &r);
    CONTEXT("trial %d separation %g", trial, brute);
    CHECK((m != NULL) == (brute <= reach));
    if (m) {
      check_manifold(a, pose_a, b, pose_b, reach, m);
      CHECK_NEAR(least_gap(m), brute, 2e-9);
      CHECK_NEAR(separation_along(a, pose_a, b, pose_b, m->normal), brute, 2e-9);
    }
    *(brute < 0 ? &overlapping : &apart) += 1;
    free_shape(a), free_shape(b);
  }
  CHECK(overlapping > 1000 && apart > 1000);
}

TEST(random_boxes_apart_agree_with_the_distance) {
  int contacts = 0;
  for (int trial = 0; trial < 10000; trial++) {
    rgShape *a = random_box(0.2, 1), *b = random_box(0.2, 1);
    rgPose pose_a = {v3_scale(random_vector(), 1.5), random_turn()},
           pose_b = {v3_scale(random_vector(), 1.5), random_turn()};
    rgConvex ca = rg_convex_of_shape(a, pose_a), cb = rg_convex_of_shape(b, pose_b);
    rgDistance d;
    bool near = rg_convex_distance(&ca, &cb, 0.5, v3_zero(), &d);
    if (near && d.distance > 1e-3) {
      Result r;
      const rgManifold* m = collide(rg_pair_box_box, a, pose_a, b, pose_b, 0.5, &r);
      CONTEXT("trial %d distance %g", trial, d.distance);
      // Corners that pass close to a face are left out.
      CHECK(m != NULL || across_a_face(a, pose_a, d.normal) || across_a_face(b, pose_b, d.normal));
      if (m) {
        contacts++;
        check_manifold(a, pose_a, b, pose_b, 0.5, m);
        // With so much reach faces are taken up to 0.02 rad, which changes the gap by some 0.02^2.
        CHECK_REL(least_gap(m), d.distance, 6e-4);
        CHECK(v3_dot(m->normal, d.normal) > cos(0.021));
      }
    }
    CHECK(near || collide(rg_pair_box_box, a, pose_a, b, pose_b, 0.5, &(Result){0}) == NULL);
    free_shape(a), free_shape(b);
  }
  CHECK(contacts > 2000);
}

TEST(hints_do_not_change_a_bit) {
  for (int trial = 0; trial < 3000; trial++) {
    rgShape *a = random_box(0.2, 1), *b = random_box(0.2, 1);
    rgPose pose_a = {random_vector(), random_turn()}, pose_b = {random_vector(), random_turn()};
    Result plain, hinted;
    memset(&plain, 0, sizeof plain);
    memset(&hinted, 0, sizeof hinted);
    rgPairHint hint = {trial % 2 ? random_direction() : v3_zero()};
    const rgManifold* m = collide(rg_pair_box_box, a, pose_a, b, pose_b, 0.05, &plain);
    const rgManifold* h = collide_with(rg_pair_box_box, a, pose_a, b, pose_b, 0.05, hint, &hinted);
    CHECK((m == NULL) == (h == NULL));
    CHECK(memcmp(&plain.items, &hinted.items, sizeof plain.items) == 0);
    free_shape(a), free_shape(b);
  }
}

TEST(remembered_axis_rejects_and_contacts_come_back) {
  rgShape* cube = make_box(0.5, 0.5, 0.5);
  rgPairHint hint = {v3_zero()};
  Result r = {.list = {.items = r.items, .capacity = LIST}};
  rg_pair_box_box(cube, pose_at(0, 0, 1.2), cube, pose_identity(), 0.01, &hint, &r.list);
  CHECK_INT(r.list.count, 0);
  check_vector(hint.axis, v3(0, 0, 1), 0);
  rg_pair_box_box(cube, pose_at(0.2, 0, 1.1), cube, pose_identity(), 0.01, &hint, &r.list);
  CHECK_INT(r.list.count, 0);
  rg_pair_box_box(cube, pose_at(0.2, 0, 1.005), cube, pose_identity(), 0.01, &hint, &r.list);
  CHECK_INT(r.list.count, 1);
  free_shape(cube);
}

TEST(exchanging_the_boxes_turns_the_normal_round) {
  for (int trial = 0; trial < 3000; trial++) {
    rgShape *a = random_box(0.2, 1), *b = random_box(0.2, 1);
    rgPose pose_a = {v3_scale(random_vector(), 0.9), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.9), random_turn()};
    Result ra, rb;
    const rgManifold* ab = collide(rg_pair_box_box, a, pose_a, b, pose_b, 0.01, &ra);
    const rgManifold* ba = collide(rg_pair_box_box, b, pose_b, a, pose_a, 0.01, &rb);
    CONTEXT("trial %d", trial);
    REQUIRE((ab == NULL) == (ba == NULL));
    if (ab) {
      REQUIRE_INT(ab->count, ba->count);
      check_vector(ab->normal, v3_neg(ba->normal), 1e-12);
      CHECK_NEAR(least_gap(ab), least_gap(ba), 1e-12);
    }
    free_shape(a), free_shape(b);
  }
}

TEST(contacts_move_with_the_bodies) {
  for (int trial = 0; trial < 3000; trial++) {
    rgShape *a = random_box(0.2, 1), *b = random_box(0.2, 1);
    rgPose pose_a = {v3_scale(random_vector(), 0.9), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.9), random_turn()};
    rgPose world = {v3_scale(random_vector(), 10), random_turn()};
    Result r, moved;
    const rgManifold* m = collide(rg_pair_box_box, a, pose_a, b, pose_b, 0.01, &r);
    const rgManifold* w = collide(rg_pair_box_box, a, pose_mul(world, pose_a), b,
                                  pose_mul(world, pose_b), 0.01, &moved);
    CONTEXT("trial %d", trial);
    REQUIRE((m == NULL) == (w == NULL));
    if (m) {
      REQUIRE_INT(m->count, w->count);
      check_vector(quat_rotate(world.orientation, m->normal), w->normal, 1e-12);
      for (int i = 0; i < m->count; i++) {
        CHECK_INT(m->points[i].feature, w->points[i].feature);
        check_vector(pose_apply(world, m->points[i].point_a), w->points[i].point_a, 1e-11);
      }
    }
    free_shape(a), free_shape(b);
  }
}

TEST(a_thousand_times_larger_is_the_same) {
  for (int trial = 0; trial < 2000; trial++) {
    rgVec3 ha = v3(random_between(0.2, 1), random_between(0.2, 1), random_between(0.2, 1));
    rgVec3 hb = v3(random_between(0.2, 1), random_between(0.2, 1), random_between(0.2, 1));
    rgShape *a = make_box(ha.x, ha.y, ha.z), *b = make_box(hb.x, hb.y, hb.z);
    rgShape* la = make_box(1000 * ha.x, 1000 * ha.y, 1000 * ha.z);
    rgShape* lb = make_box(1000 * hb.x, 1000 * hb.y, 1000 * hb.z);
    rgPose pose_a = {v3_scale(random_vector(), 0.9), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.9), random_turn()};
    rgPose large_a = pose_a, large_b = pose_b;
    large_a.position = v3_scale(pose_a.position, 1000);
    large_b.position = v3_scale(pose_b.position, 1000);
    Result r, large;
    const rgManifold* m = collide(rg_pair_box_box, a, pose_a, b, pose_b, 0.01, &r);
    const rgManifold* l = collide(rg_pair_box_box, la, large_a, lb, large_b, 10, &large);
    CONTEXT("trial %d", trial);
    REQUIRE((m == NULL) == (l == NULL));
    if (m) {
      REQUIRE_INT(m->count, l->count);
      check_vector(m->normal, l->normal, 1e-12);
      for (int i = 0; i < m->count; i++) {
        CHECK_INT(m->points[i].feature, l->points[i].feature);
        CHECK_NEAR(m->points[i].gap, l->points[i].gap / 1000, 1e-12);
        check_vector(m->points[i].point_b, v3_scale(l->points[i].point_b, 1e-3), 1e-12);
      }
    }
    free_shape(a), free_shape(b), free_shape(la), free_shape(lb);
  }
}

TEST(coinciding_and_nested_boxes_leave_through_the_nearest_face) {
  rgShape *cube = make_box(1, 1, 1), *grain = make_box(1e-4, 2e-4, 3e-4);
  Result r;
  const rgManifold* m =
      collide(rg_pair_box_box, cube, pose_identity(), cube, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_NEAR(least_gap(m), -2, 1e-14);
  check_manifold(cube, pose_identity(), cube, pose_identity(), 0.01, m);
  rgPose inside = {v3(0.3, -0.6, 0.2), turn(v3(0, 1, 0), 0)};
  m = collide(rg_pair_box_box, grain, inside, cube, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  check_vector(m->normal, v3(0, -1, 0), 1e-15);
  CHECK_NEAR(least_gap(m), -0.4 - 2e-4, 1e-14);
  CHECK_INT(m->count, 4);
  free_shape(cube), free_shape(grain);
}

// A pose from a few values that make ties: aligned, quarter turns, touching exactly, or anything.
static rgPose awkward_pose(double size) {
  double steps = random_between(0, 1) < 0.5 ? 0.5 : 0.25;
  rgPose pose = {v3_scale(random_vector(), 2), random_turn()};
  if (random_between(0, 1) < 0.7) {
    pose.position.x = floor(pose.position.x / steps) * steps;
    pose.position.y = floor(pose.position.y / steps) * steps;
    pose.position.z = floor(pose.position.z / steps) * steps;
  }
  if (random_between(0, 1) < 0.7) {
    rgVec3 axis = v3(random_between(0, 1) < 0.5, random_between(0, 1) < 0.5, 1);
    pose.orientation = turn(axis, floor(random_between(0, 8)) * HALF_PI / 2);
  }
  if (random_between(0, 1) < 0.2)
    pose.orientation =
        quat_mul(pose.orientation, turn(random_direction(), pow(10, random_between(-16, -3))));
  pose.position = v3_scale(pose.position, size);
  return pose;
}

TEST(awkward_pairs_never_fail) {
  int trials = test_fast() ? 20000 : 100000, contacts = 0;
  rgShape* shapes[6] = {make_box(1, 1, 1),   make_box(0.5, 0.5, 0.5),  make_box(2, 0.25, 1),
                        make_block(1, 1, 1), make_block(0.5, 1, 0.25), make_box(1e-4, 1e-4, 1e-4)};
  for (int trial = 0; trial < trials; trial++) {
    const rgShape *a = shapes[(int)random_between(0, 6)], *b = shapes[(int)random_between(0, 6)];
    rgPose pose_a = awkward_pose(1), pose_b = awkward_pose(1);
    double reach = trial % 3 ? 0.02 : 0;
    Result r = {.list = {.items = r.items, .capacity = LIST}};
    rg_collide(a, pose_a, b, pose_b, reach, NULL, &r.list);
    CONTEXT("trial %d", trial);
    if (r.list.count == 0)
      continue;
    contacts++;
    check_manifold(a, pose_a, b, pose_b, reach, &r.items[0]);
    rgConvex ca = rg_convex_of_shape(a, pose_a), cb = rg_convex_of_shape(b, pose_b);
    rgDistance d;
    CHECK(rg_convex_distance(&ca, &cb, reach + 1e-9, v3_zero(), &d));
    CHECK_NEAR(least_gap(&r.items[0]), d.distance, 4e-4 * fabs(d.distance) + 0.05 * reach + 3e-9);
  }
  CHECK(contacts > trials / 10);
  for (int i = 0; i < 6; i++)
    free_shape(shapes[i]);
}

// --- sliding past -------------------------------------------------------------------------------

TEST(block_slides_over_the_joints_of_a_pavement) {
  rgShape *box = make_box(0.5, 0.5, 0.5), *tile = make_box(1, 1, 1);
  rgShape *block = make_block(0.5, 0.5, 0.5), *slab = make_block(1, 1, 1);
  const double heights[] = {0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-7, -1e-7, 1e-4};
  for (int i = 0; i < 8; i++) {
    // In front of the tile by 5 mm, as high as its top but for what a solver leaves.
    rgPose pose = pose_at(1.505, 0.2, 1.5 + heights[i]);
    Result r;
    CONTEXT("height %g", heights[i]);
    CHECK(collide(rg_pair_box_box, box, pose, tile, pose_identity(), 0.02, &r) == NULL);
    CHECK(collide(rg_pair_box_box, tile, pose_identity(), box, pose, 0.02, &r) == NULL);
    CHECK(collide(rg_pair_hull_hull, block, pose, slab, pose_identity(), 0.02, &r) == NULL);
    // Over the joint it rests on both tiles, also when it has come only a little way.
    pose.position.x = 1.499;
    const rgManifold* m = collide(rg_pair_box_box, box, pose, tile, pose_identity(), 0.02, &r);
    REQUIRE(m != NULL);
    check_vector(m->normal, v3(0, 0, 1), 0);
    CHECK_INT(m->count, 4);
  }
  // A step of a millimetre is real.
  Result r;
  const rgManifold* m =
      collide(rg_pair_box_box, box, pose_at(1.505, 0.2, 1.499), tile, pose_identity(), 0.02, &r);
  REQUIRE(m != NULL);
  check_vector(m->normal, v3(1, 0, 0), 0);
  CHECK_INT(m->count, 4);
  free_shape(box), free_shape(tile), free_shape(block), free_shape(slab);
}

TEST(bricks_that_share_an_edge_do_not_hold_each_other) {
  rgShape* brick = make_box(1, 0.5, 0.25);
  Result r;
  for (int i = 0; i < 100; i++) {
    rgPose pose = {v3_add(v3(2, 0, 0.5), v3_scale(random_vector(), 1e-9)),
                   turn(random_direction(), 1e-9)};
    CHECK(collide(rg_pair_box_box, brick, pose, brick, pose_identity(), 0.01, &r) == NULL);
  }
  free_shape(brick);
}

TEST(thin_plate_standing_on_edge_is_no_grazing_contact) {
  rgShape *plate = make_box(0.5, 1e-5, 0.5), *table = make_box(5, 5, 1);
  Result r;
  const rgManifold* m = collide(rg_pair_box_box, plate, pose_at(0.3, 0.1, 1.5 + 0.02), table,
                                pose_identity(), 0.03, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 4);
  free_shape(plate), free_shape(table);
}

TEST(poses_that_are_not_finite_give_no_contacts) {
  rgShape *cube = make_box(1, 1, 1), *block = make_block(1, 1, 1);
  const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < 3; i++) {
    rgPose place = pose_at(0, bad[i], 1), turned = pose_at(0, 0, 1);
    turned.orientation.x = bad[i];
    Result r = {.list = {.items = r.items, .capacity = LIST}};
    rg_collide(cube, place, cube, pose_identity(), 0.1, NULL, &r.list);
    rg_collide(cube, pose_identity(), block, turned, 0.1, NULL, &r.list);
    CHECK_INT(r.list.count, 0);
  }
  free_shape(cube), free_shape(block);
}
