// Contacts of hulls with hulls, boxes and half-spaces, and the matrix that finds the function of a
// pair.
#include "test_collide_poly.h"

static const double PI = 3.141592653589793;

// Upright prism with a regular polygon of circumradius 1.
static rgShape* make_prism(int sides, double half_height) {
  static rgVec3 points[1024];
  for (int i = 0; i < sides; i++) {
    double angle = 2 * PI * i / sides;
    points[2 * i] = v3(cos(angle), sin(angle), half_height);
    points[2 * i + 1] = v3(cos(angle), sin(angle), -half_height);
  }
  return make_hull(points, 2 * sides);
}

TEST(block_made_of_points_collides_like_a_box) {
  int contacts = 0;
  for (int trial = 0; trial < 5000; trial++) {
    rgVec3 h = v3(random_between(0.2, 1), random_between(0.2, 1), random_between(0.2, 1));
    rgShape *box = make_box(h.x, h.y, h.z), *block = make_block(h.x, h.y, h.z);
    rgShape* cube = make_box(0.6, 0.6, 0.6);
    rgPose pose_a = {v3_scale(random_vector(), 0.8), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.8), random_turn()};
    if (trial % 2) { // as boxes rest: flat on each other
      pose_a = (rgPose){v3(random_between(-1, 1), random_between(-1, 1), h.z + 0.6),
                        turn(v3(0, 0, 1), trial)};
      pose_b = pose_identity();
    }
    Result rb, rh;
    const rgManifold* m = collide(rg_pair_box_box, cube, pose_b, box, pose_a, 0.01, &rb);
    const rgManifold* n = collide(rg_pair_box_hull, cube, pose_b, block, pose_a, 0.01, &rh);
    CONTEXT("trial %d", trial);
    REQUIRE((m == NULL) == (n == NULL));
    if (m) {
      contacts++;
      REQUIRE_INT(m->count, n->count);
      check_vector(m->normal, n->normal, 1e-9);
      for (int i = 0; i < m->count; i++)
        CHECK(has_point(n, m->points[i].point_b, 1e-9));
      CHECK_NEAR(least_gap(m), least_gap(n), 1e-9);
    }
    free_shape(box), free_shape(block), free_shape(cube);
  }
  CHECK(contacts > 2000);
}

TEST(random_hulls_agree_with_brute_force_and_with_epa) {
  int overlapping = 0, edges = 0;
  for (int trial = 0; trial < 1500; trial++) {
    rgShape *a = make_pebble(6 + trial % 20, v3(1, 0.8, 0.6)),
            *b = make_pebble(5 + trial % 13, v3(1, 1, 1));
    rgPose pose_a = {v3_scale(random_vector(), 0.9), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.9), random_turn()};
    double reach = 1e-6, brute = brute_separation(a, pose_a, b, pose_b);
    Result r;
    const rgManifold* m = collide(rg_pair_hull_hull, a, pose_a, b, pose_b, reach, &r);
    CONTEXT("trial %d separation %g", trial, brute);
    CHECK((m != NULL) == (brute <= reach));
    if (m) {
      check_manifold(a, pose_a, b, pose_b, reach, m);
      CHECK_NEAR(least_gap(m), brute, 2e-9);
      rgConvex ca = rg_convex_of_shape(a, pose_a), cb = rg_convex_of_shape(b, pose_b);
      rgDistance d;
      CHECK(rg_convex_distance(&ca, &cb, reach, v3_zero(), &d));
      CHECK_NEAR(d.distance, brute, 1e-10);
      overlapping++;
      edges += m->count == 1;
    }
    free_shape(a), free_shape(b);
  }
  CHECK(overlapping > 500 && edges > 50);
}

TEST(hulls_apart_get_the_normal_of_their_distance) {
  int contacts = 0;
  for (int trial = 0; trial < 3000; trial++) {
    rgShape *a = make_pebble(20, v3(1, 0.8, 0.6)), *b = make_pebble(12, v3(1, 1, 1));
    rgPose pose_a = {v3_scale(random_vector(), 2), random_turn()},
           pose_b = {v3_scale(random_vector(), 2), random_turn()};
    double reach = 0.2;
    Result r;
    const rgManifold* m = collide(rg_pair_hull_hull, a, pose_a, b, pose_b, reach, &r);
    rgConvex ca = rg_convex_of_shape(a, pose_a), cb = rg_convex_of_shape(b, pose_b);
    rgDistance d;
    bool near = rg_convex_distance(&ca, &cb, reach, v3_zero(), &d);
    CONTEXT("trial %d", trial);
    CHECK(near || m == NULL);
    CHECK(!near || m || across_a_face(a, pose_a, d.normal) || across_a_face(b, pose_b, d.normal));
    if (m && d.distance > 0) {
      contacts++;
      check_manifold(a, pose_a, b, pose_b, reach, m);
      CHECK_REL(least_gap(m), d.distance, 6e-4); // faces are taken up to 0.02 rad
      CHECK(v3_dot(m->normal, d.normal) > cos(0.021));
    }
    free_shape(a), free_shape(b);
  }
  CHECK(contacts > 100);
}

TEST(hexagon_on_hexagon_turned_by_half_a_side_makes_twelve_points) {
  rgShape* prism = make_prism(6, 0.5);
  rgPose top = {v3(0, 0, 1), turn(v3(0, 0, 1), PI / 6)};
  Result r;
  const rgManifold* m = collide(rg_pair_hull_hull, prism, top, prism, pose_identity(), 0.01, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 12);
  check_manifold(prism, top, prism, pose_identity(), 0.01, m);
  // All on the circle through the corners of the common twelve-sided polygon.
  double inradius = cos(PI / 6), radius = inradius / cos(PI / 12);
  for (int i = 0; i < m->count; i++) {
    rgVec3 p = m->points[i].point_b;
    CHECK_NEAR(sqrt(p.x * p.x + p.y * p.y), radius, 1e-14);
    CHECK_NEAR(p.z, 0.5, 1e-14);
  }
  free_shape(prism);
}

// Whether each corner of the lower face is there once, in manifolds that share a normal.
static void check_corners(const rgManifoldList* list, int sides, rgVec3 normal, double z) {
  int total = 0;
  for (int i = 0; i < list->count; i++) {
    check_vector(list->items[i].normal, normal, 0);
    total += list->items[i].count;
  }
  CHECK_INT(total, sides);
  for (int k = 0; k < sides; k++) {
    rgVec3 corner = v3(cos(2 * PI * k / sides), sin(2 * PI * k / sides), z);
    int found = 0;
    for (int i = 0; i < list->count; i++)
      for (int m = 0; m < list->items[i].count; m++)
        found += v3_norm(v3_sub(list->items[i].points[m].point_b, corner)) <= 1e-12;
    CHECK_INT(found, 1);
  }
}

TEST(faces_with_many_sides_keep_all_corners) {
  static const int sides[] = {16, 17, 100, 256};
  static rgManifold items[32];
  rgPairHint hint = {.axis = v3_zero()};
  for (int i = 0; i < 4; i++) {
    rgShape *prism = make_prism(sides[i], 0.5), *floor = make_halfspace(),
            *slab = make_box(3, 3, 0.5);
    rgManifoldList list = {.items = items, .capacity = 32};
    rg_pair_hull_halfspace(prism, pose_at(0, 0, 0.5), floor, pose_identity(), 0.01, &hint, &list);
    check_corners(&list, sides[i], v3(0, 0, 1), 0);
    list.count = 0;
    rg_pair_box_hull(slab, pose_at(0, 0, -0.5), prism, pose_at(0, 0, 0.5), 0.01, &hint, &list);
    check_corners(&list, sides[i], v3(0, 0, -1), 0);
    free_shape(prism), free_shape(floor), free_shape(slab);
  }
}

TEST(tetrahedron_on_its_vertex_edge_and_face) {
  const rgVec3 points[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  rgShape *t = make_hull(points, 4), *slab = make_box(5, 5, 1);
  Result r;
  // On an edge: as it is, the edge from point 1 to point 2 is below, at z = -1.
  const rgManifold* m =
      collide(rg_pair_box_hull, slab, pose_identity(), t, pose_at(0, 0, 2), 1e-3, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 2);
  CHECK(has_point(m, v3(1, -1, 1), 1e-15) && has_point(m, v3(-1, 1, 1), 1e-15));
  // Turned so that (1, 1, 1) points up it stands on a face, sqrt(1/3) below the centre; pointing
  // down, on a vertex.
  rgQuat up = turn(v3(1, -1, 0), acos(1 / sqrt(3)));
  m = collide(rg_pair_box_hull, slab, pose_identity(), t, (rgPose){v3(0, 0, 1 + sqrt(1. / 3)), up},
              1e-3, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 3);
  CHECK_NEAR(least_gap(m), 0, 1e-14);
  rgQuat down = quat_mul(turn(v3(1, 0, 0), PI), up);
  m = collide(rg_pair_box_hull, slab, pose_identity(), t, (rgPose){v3(0, 0, 1 + sqrt(3)), down},
              1e-3, &r);
  REQUIRE(m != NULL);
  CHECK_INT(m->count, 1);
  CHECK(has_point(m, v3(0, 0, 1), 1e-14));
  free_shape(t), free_shape(slab);
}

TEST(hulls_move_scale_and_exchange) {
  for (int trial = 0; trial < 1000; trial++) {
    rgVec3 pa[12], pb[12], la[12], lb[12];
    for (int i = 0; i < 12; i++) {
      pa[i] = random_direction(), pb[i] = random_direction();
      la[i] = v3_scale(pa[i], 1000), lb[i] = v3_scale(pb[i], 1000);
    }
    rgShape *a = make_hull(pa, 12), *b = make_hull(pb, 12);
    rgShape *large_a = make_hull(la, 12), *large_b = make_hull(lb, 12);
    rgPose pose_a = {v3_scale(random_vector(), 0.9), random_turn()},
           pose_b = {v3_scale(random_vector(), 0.9), random_turn()};
    rgPose world = {v3_scale(random_vector(), 10), random_turn()};
    rgPose moved_a = pose_mul(world, pose_a), moved_b = pose_mul(world, pose_b);
    moved_a.position = v3_scale(moved_a.position, 1000);
    moved_b.position = v3_scale(moved_b.position, 1000);
    Result r, rl, rx;
    const rgManifold* m = collide(rg_pair_hull_hull, a, pose_a, b, pose_b, 0.01, &r);
    const rgManifold* l = collide(rg_pair_hull_hull, large_a, moved_a, large_b, moved_b, 10, &rl);
    const rgManifold* x = collide(rg_pair_hull_hull, b, pose_b, a, pose_a, 0.01, &rx);
    CONTEXT("trial %d", trial);
    REQUIRE((m == NULL) == (l == NULL) && (m == NULL) == (x == NULL));
    if (m) {
      REQUIRE_INT(m->count, l->count);
      REQUIRE_INT(m->count, x->count);
      check_vector(quat_rotate(world.orientation, m->normal), l->normal, 1e-11);
      check_vector(v3_neg(m->normal), x->normal, 1e-11);
      for (int i = 0; i < m->count; i++)
        CHECK_NEAR(m->points[i].gap, l->points[i].gap / 1000, 1e-11);
      CHECK_NEAR(least_gap(m), least_gap(x), 1e-11);
    }
    free_shape(a), free_shape(b), free_shape(large_a), free_shape(large_b);
  }
}

TEST(hints_do_not_change_a_bit_of_hulls) {
  rgShape *a = make_pebble(20, v3(1, 0.8, 0.6)), *b = make_pebble(12, v3(1, 1, 1));
  for (int trial = 0; trial < 2000; trial++) {
    rgPose pose_a = {v3_scale(random_vector(), 1.2), random_turn()},
           pose_b = {v3_scale(random_vector(), 1.2), random_turn()};
    Result plain, hinted;
    memset(&plain, 0, sizeof plain);
    memset(&hinted, 0, sizeof hinted);
    rgPairHint hint = {random_direction()};
    collide(rg_pair_hull_hull, a, pose_a, b, pose_b, 0.05, &plain);
    collide_with(rg_pair_hull_hull, a, pose_a, b, pose_b, 0.05, hint, &hinted);
    CHECK_INT(plain.list.count, hinted.list.count);
    CHECK(memcmp(&plain.items, &hinted.items, sizeof plain.items) == 0);
  }
  free_shape(a), free_shape(b);
}

// Reads an OFF file: header, counts, points.
static int read_off(const char* path, rgVec3* points, int capacity) {
  FILE* file = fopen(path, "r");
  REQUIRE(file != NULL);
  int vertices = 0, faces = 0, edges = 0;
  REQUIRE(fscanf(file, "OFF %d %d %d", &vertices, &faces, &edges) == 3);
  REQUIRE(vertices <= capacity);
  for (int i = 0; i < vertices; i++)
    REQUIRE(fscanf(file, "%lf %lf %lf", &points[i].x, &points[i].y, &points[i].z) == 3);
  fclose(file);
  return vertices;
}

TEST(known_solids_stand_on_each_of_their_faces) {
  const char* names[] = {"tetrahedron",           "octahedron",      "dodecahedron",
                         "icosahedron",           "square-pyramid",  "snub-cube",
                         "truncated-icosahedron", "gyrobifastigium", "pentagonal-rotunda",
                         "sphenocorona"};
  rgShape* floor = make_halfspace();
  rgShape* slab = make_box(20, 20, 1);
  for (int k = 0; k < 10; k++) {
    char name[64];
    snprintf(name, sizeof name, "data/polyhedra/%s.off", names[k]);
    rgVec3 points[64];
    rgShape* solid = make_hull(points, read_off(test_shared(name), points, 64));
    const rgPolyhedron* p = solid->polyhedron;
    for (int f = 0; f < p->face_count; f++) {
      CONTEXT("%s face %d", names[k], f);
      // Turn the face's normal down and put the face at the floor's height.
      rgVec3 n = p->normals[f], axis = v3_cross(n, v3(0, 0, -1));
      rgQuat down = turn(v3_norm(axis) > 1e-9 ? axis : v3(1, 0, 0), acos(fmax(-1, fmin(1, -n.z))));
      rgPose pose = {v3(0.1, 0.2, p->offsets[f]), down};
      int corners = p->face_start[f + 1] - p->face_start[f];
      Result r;
      double reach = 1e-6 * solid->extent;
      const rgManifold* m =
          collide(rg_pair_hull_halfspace, solid, pose, floor, pose_identity(), reach, &r);
      REQUIRE(m != NULL);
      CHECK_INT(m->count, corners);
      m = collide(rg_pair_box_hull, slab, pose_at(0, 0, -1), solid, pose, reach, &r);
      REQUIRE(m != NULL);
      CHECK_INT(m->count, corners);
      check_vector(m->normal, v3(0, 0, -1), 1e-7);
      for (int i = 0; i < m->count; i++)
        CHECK_NEAR(m->points[i].gap, 0, 1e-6 * solid->extent); // the files have some ten digits
    }
    free_shape(solid);
  }
  free_shape(floor), free_shape(slab);
}

TEST(collide_orders_the_pair_and_turns_the_result) {
  rgShape *box = make_box(1, 1, 1), *block = make_block(0.5, 0.5, 0.5), *floor = make_halfspace();
  rgPose high = pose_at(0.2, 0, 1.49);
  Result r = {.list = {.items = r.items, .capacity = LIST}},
         s = {.list = {.items = s.items, .capacity = LIST}};
  rgPairHint hint = {v3_zero()};
  rg_collide(box, pose_identity(), block, high, 0.02, NULL, &r.list);
  rg_collide(block, high, box, pose_identity(), 0.02, &hint, &s.list);
  REQUIRE_INT(r.list.count, 1);
  REQUIRE_INT(s.list.count, 1);
  check_vector(r.items[0].normal, v3(0, 0, -1), 0);
  check_vector(s.items[0].normal, v3(0, 0, 1), 0);
  check_vector(hint.axis, v3(0, 0, 1), 0);
  REQUIRE_INT(r.items[0].count, 4);
  for (int i = 0; i < 4; i++) {
    check_vector(r.items[0].points[i].point_a, s.items[0].points[i].point_b, 0);
    check_vector(r.items[0].points[i].point_b, s.items[0].points[i].point_a, 0);
    CHECK_NEAR(s.items[0].points[i].gap, -0.01, 1e-15);
  }
  rg_collide(floor, pose_identity(), box, pose_at(0, 0, 1), 0.02, NULL, &r.list);
  REQUIRE_INT(r.list.count, 2); // added to the list
  check_vector(r.items[1].normal, v3(0, 0, -1), 0);
  rg_collide(floor, pose_identity(), floor, pose_identity(), 0.02, NULL, &r.list);
  CHECK_INT(r.list.count, 2);
  free_shape(box), free_shape(block), free_shape(floor);
}

TEST(general_function_agrees_with_the_exact_ones) {
  rgShape *box = make_box(1, 0.5, 0.25), *block = make_pebble(16, v3(1, 1, 1));
  for (int trial = 0; trial < 2000; trial++) {
    rgPose pose_a = {random_vector(), random_turn()}, pose_b = {random_vector(), random_turn()};
    Result r, g;
    const rgManifold* m = collide(rg_pair_box_hull, box, pose_a, block, pose_b, 1e-6, &r);
    const rgManifold* c = collide(rg_pair_convex_convex, box, pose_a, block, pose_b, 1e-6, &g);
    CONTEXT("trial %d", trial);
    REQUIRE((m == NULL) == (c == NULL));
    if (m) {
      CHECK_NEAR(least_gap(m), least_gap(c), 1e-6);
      check_vector(m->normal, c->normal, 1e-6);
    }
  }
  free_shape(box), free_shape(block);
}

TEST(random_pairs_are_finite_slow) {
  rgShape* shapes[8] = {make_pebble(4, v3(1, 1, 1)),
                        make_pebble(60, v3(1, 1, 1)),
                        make_pebble(30, v3(1, 1, 1e-3)),
                        make_pebble(20, v3(1e-4, 1e-4, 1e-4)),
                        make_prism(7, 0.3),
                        make_prism(40, 2),
                        make_box(1, 1, 1e-3),
                        make_box(0.5, 0.7, 0.9)};
  int contacts = 0;
  for (int trial = 0; trial < 100000; trial++) {
    const rgShape *a = shapes[trial % 8], *b = shapes[trial / 8 % 8];
    double away = trial % 5 == 0 ? 1e4 : 0;
    rgPose pose_a = {v3_add(v3_scale(random_vector(), 0.8), v3(away, 0, away)), random_turn()};
    rgPose pose_b = {v3_add(v3_scale(random_vector(), 0.8), v3(away, 0, away)), random_turn()};
    if (trial % 7 == 0)
      pose_b.position = pose_a.position;
    if (trial % 11 == 0)
      pose_b.orientation = pose_a.orientation;
    Result r = {.list = {.items = r.items, .capacity = LIST}};
    rg_collide(a, pose_a, b, pose_b, 0.01, NULL, &r.list);
    CONTEXT("trial %d", trial);
    if (r.list.count > 0) {
      contacts++;
      check_manifold(a, pose_a, b, pose_b, 0.01, &r.items[0]);
    }
  }
  CHECK(contacts > 20000);
  for (int i = 0; i < 8; i++)
    free_shape(shapes[i]);
}
