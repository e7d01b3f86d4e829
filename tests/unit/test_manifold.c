// The reduction of manifolds keeps what is needed to carry any load, and no more.
#include "test_collide_poly.h"

static rgManifold manifold_of(const double (*points)[3], int count) {
  rgManifold m = {.normal = {0, 0, 1}};
  for (int i = 0; i < count; i++) {
    rgVec3 on_b = v3(points[i][0], points[i][1], 0);
    rg_manifold_add(&m, v3_axpy(on_b, points[i][2], m.normal), on_b, points[i][2], (uint32_t)i);
  }
  return m;
}

static bool keeps(const rgManifold* m, uint32_t feature) {
  for (int i = 0; i < m->count; i++)
    if (m->points[i].feature == feature)
      return true;
  return false;
}

TEST(corners_of_a_square_all_stay) {
  rgManifold m = manifold_of((const double[][3]){{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, 4);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 4);
}

TEST(order_of_the_points_does_not_matter) {
  // Crossing diagonals: not a polygon in this order.
  rgManifold m = manifold_of((const double[][3]){{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, 4);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 4);
  // A star: every turn is to the left, and yet it is not a convex polygon with its centre left out.
  double star[6][3];
  for (int i = 0; i < 5; i++) {
    star[i][0] = cos(i * 0.8 * 3.14159265358979);
    star[i][1] = sin(i * 0.8 * 3.14159265358979);
    star[i][2] = 0;
  }
  star[5][0] = star[5][1] = star[5][2] = 0;
  m = manifold_of(star, 6);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 5);
  CHECK(!keeps(&m, 5));
}

TEST(inner_point_goes_unless_it_is_deeper) {
  double points[][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1.2, 0.7, 0}};
  rgManifold m = manifold_of(points, 5);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 4);
  CHECK(!keeps(&m, 4));
  points[4][2] = -1e-3;
  m = manifold_of(points, 5);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 5);
}

TEST(shallow_point_outside_the_deep_ones_stays) {
  double points[][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {5, 5, 0.5}};
  rgManifold m = manifold_of(points, 4);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 4);
}

TEST(of_points_on_a_line_the_ends_stay) {
  double points[][3] = {{0.3, 0.6, 0}, {0, 0, 0}, {1, 2, 0}, {0.5, 1, 0}, {0.9, 1.8, 0}};
  rgManifold m = manifold_of(points, 5);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 2);
  CHECK(keeps(&m, 1) && keeps(&m, 2));
}

TEST(point_in_the_middle_of_a_side_goes) {
  double points[][3] = {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  rgManifold m = manifold_of(points, 5);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 4);
  CHECK(!keeps(&m, 1));
}

TEST(of_equal_points_the_deeper_or_the_first_stays) {
  double points[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, -1e-3}, {0, 1, 0}};
  rgManifold m = manifold_of(points, 5);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 3);
  CHECK(keeps(&m, 0) && keeps(&m, 2) && keeps(&m, 3));
}

TEST(equal_points_alone_leave_one) {
  double points[][3] = {{3, 4, 0}, {3, 4, 0}, {3, 4, 0}};
  rgManifold m = manifold_of(points, 3);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 1);
  CHECK(keeps(&m, 0));
}

TEST(narrow_strip_keeps_its_four_corners) {
  // A millionth of its length wide: an overhang this small still decides whether a block tips.
  double points[][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1e-6, 0}, {0, 1e-6, 0}};
  rgManifold m = manifold_of(points, 4);
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, 4);
}

TEST(at_most_the_capacity_and_the_deepest_among_them) {
  rgManifold m = {.normal = {0, 0, 1}};
  for (int i = 0; i < 40; i++) {
    double angle = i * (6.283185307179586 / 40), gap = i == 23 ? -0.01 : 0;
    rgVec3 on_b = v3(cos(angle), sin(angle), 0);
    rg_manifold_add(&m, v3_axpy(on_b, gap, m.normal), on_b, gap, (uint32_t)i);
  }
  rg_manifold_reduce(&m);
  CHECK_INT(m.count, RG_MANIFOLD_MAX);
  CHECK(keeps(&m, 23));
  // Well spread: seen from the centre no gap wider than a quarter turn.
  for (int q = 0; q < 4; q++) {
    int in_quadrant = 0;
    for (int i = 0; i < m.count; i++)
      in_quadrant += (int)m.points[i].feature / 10 == q;
    CHECK(in_quadrant >= 2);
  }
}

TEST(long_arrays_are_reduced_too) {
  // A grid of 20 x 20 points: only its corners count.
  static rgManifoldPoint points[400];
  for (int i = 0; i < 400; i++) {
    rgVec3 x = v3(i % 20, i / 20, 0);
    points[i] = (rgManifoldPoint){x, x, 0, (uint32_t)i};
  }
  CHECK_INT(rg_manifold_reduce_points(v3(0, 0, 1), points, 400, RG_MANIFOLD_MAX), 4);
  CHECK_INT(points[0].feature, 0);
  CHECK_INT(points[1].feature, 19);
  CHECK_INT(points[2].feature, 380);
  CHECK_INT(points[3].feature, 399);
}

TEST(full_list_sets_overflow_and_writes_nothing) {
  rgManifold item;
  rgManifoldList list = {.items = &item, .capacity = 1};
  CHECK(rg_manifold_begin(&list, v3(0, 0, 1), 7) == &item);
  CHECK_INT(item.key, 7);
  CHECK(!list.overflow);
  CHECK(rg_manifold_begin(&list, v3(0, 0, 1), 8) == NULL);
  CHECK(list.overflow);
  CHECK_INT(list.count, 1);
  CHECK_INT(item.key, 7);
}

// --- against brute force ------------------------------------------------------------------------

static double cross2(rgVec3 a, rgVec3 b, rgVec3 p) {
  return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// p in one of the triangles or on one of the segments of the points at least as deep
// (Caratheodory).
static bool in_hull(const rgManifoldPoint* points, const bool* use, int count, rgManifoldPoint p) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        if (!use[i] || !use[j] || !use[k])
          continue;
        rgVec3 a = points[i].point_b, b = points[j].point_b, c = points[k].point_b;
        double s = cross2(a, b, c) > 0 ? 1 : -1;
        if (s * cross2(a, b, p.point_b) >= 0 && s * cross2(b, c, p.point_b) >= 0 &&
            s * cross2(c, a, p.point_b) >= 0)
          return true;
      }
  return false;
}

TEST(random_points_agree_with_all_triangles) {
  for (int trial = 0; trial < 2000; trial++) {
    int count = 3 + (int)random_between(0, 12);
    double at[16][3];
    for (int i = 0; i < count; i++) {
      at[i][0] = random_between(-1, 1);
      at[i][1] = random_between(-1, 1);
      at[i][2] = trial % 2 ? 0 : floor(random_between(0, 3)) * 0.1; // several of the same depth
    }
    rgManifold all = manifold_of((const double(*)[3])at, count), kept = all;
    rg_manifold_reduce(&kept);
    CONTEXT("trial %d", trial);
    for (int i = 0; i < count; i++) {
      bool deeper[16];
      for (int j = 0; j < count; j++)
        deeper[j] = j != i && all.points[j].gap <= all.points[i].gap;
      CHECK(keeps(&kept, (uint32_t)i) == !in_hull(all.points, deeper, count, all.points[i]));
    }
  }
}

TEST(reduction_is_the_same_in_other_units_and_after_a_turn) {
  for (int trial = 0; trial < 500; trial++) {
    double at[12][3];
    for (int i = 0; i < 12; i++)
      for (int k = 0; k < 3; k++)
        at[i][k] = k < 2 ? random_between(-1, 1) : floor(random_between(0, 2)) * 0.01;
    rgManifold m = manifold_of((const double(*)[3])at, 12), moved = m;
    rgPose pose = {v3_scale(random_vector(), 10), random_turn()};
    moved.normal = quat_rotate(pose.orientation, m.normal);
    for (int i = 0; i < 12; i++) {
      rgManifoldPoint* p = &moved.points[i];
      p->point_a = v3_scale(pose_apply(pose, p->point_a), 1000);
      p->point_b = v3_scale(pose_apply(pose, p->point_b), 1000);
      p->gap *= 1000;
    }
    rg_manifold_reduce(&m);
    rg_manifold_reduce(&moved);
    REQUIRE_INT(moved.count, m.count);
    for (int i = 0; i < m.count; i++)
      CHECK_INT(moved.points[i].feature, m.points[i].feature);
  }
}
