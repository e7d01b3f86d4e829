// Surfaces: meshes and height fields, their triangles, neighbours and edges.
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

#include <float.h>

static rgShapeDef mesh_def(const rgVec3* points, int point_count, const int* triangles, int count) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_MESH);
  def.points = points;
  def.point_count = point_count;
  def.triangles = triangles;
  def.triangle_count = count;
  return def;
}

static rgShapeDef field_def(const double* heights, int rows, int columns, double dx, double dy) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_FIELD);
  def.heights = heights;
  def.rows = rows;
  def.columns = columns;
  def.spacing_x = dx;
  def.spacing_y = dy;
  return def;
}

// Bit i of vertex index: positive along axis i.
static void cube_points(rgVec3 points[8]) {
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
}

// Two triangles for each of +x -x +y -y +z -z.
static const int cube_triangles[36] = {1, 3, 7, 1, 7, 5, 0, 4, 6, 0, 6, 2, 2, 6, 7, 2, 7, 3,
                                       0, 1, 5, 0, 5, 4, 4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1};

// --- queries against all triangles ---------------------------------------------------------------

typedef struct Found {
  int count;
  int triangles[20000];
} Found;

static void collect(void* context, int triangle) {
  Found* found = context;
  REQUIRE(found->count < 20000);
  found->triangles[found->count++] = triangle;
}

static rgBounds bounds_of(const rgTriangle* t) {
  return (rgBounds){v3_min(v3_min(t->corner[0], t->corner[1]), t->corner[2]),
                    v3_max(v3_max(t->corner[0], t->corner[1]), t->corner[2])};
}

static void check_query(const rgShape* shape, int triangle_count, rgBounds box) {
  static Found found, again;
  static bool seen[20000];
  found.count = again.count = 0;
  rg_shape_triangles(shape, box, collect, &found);
  rg_shape_triangles(shape, box, collect, &again);
  CHECK_INT(found.count, again.count);
  CHECK(memcmp(found.triangles, again.triangles, sizeof(int) * (size_t)found.count) == 0);

  memset(seen, 0, sizeof seen);
  for (int i = 0; i < found.count; i++) {
    CHECK_MSG(!seen[found.triangles[i]], "triangle %d comes twice", found.triangles[i]);
    seen[found.triangles[i]] = true;
  }
  for (int t = 0; t < triangle_count; t++) {
    rgTriangle triangle;
    rg_shape_triangle(shape, t, &triangle);
    CHECK_MSG(seen[t] == bounds_overlap(bounds_of(&triangle), box), "triangle %d", t);
  }
}

static void check_queries(const rgShape* shape, int triangle_count, double reach) {
  for (int k = 0; k < 200; k++) {
    rgVec3 middle = v3_scale(random_vector(), reach);
    rgVec3 half = v3_scale(v3_abs(random_vector()), reach * (k % 4 == 0 ? 0 : 0.3));
    CONTEXT("query %d", k);
    check_query(shape, triangle_count, (rgBounds){v3_sub(middle, half), v3_add(middle, half)});
  }
  CONTEXT("everything");
  rgVec3 far = v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
  check_query(shape, triangle_count, (rgBounds){v3_neg(far), far});
  check_query(shape, triangle_count, (rgBounds){far, v3_neg(far)});
  for (int k = 0; k < 50; k++) { // boxes that just touch
    int t = (int)((random_between(-1, 1) + 1) / 2 * triangle_count);
    rgTriangle triangle;
    rg_shape_triangle(shape, t, &triangle);
    rgVec3 p = triangle.corner[k % 3];
    check_query(shape, triangle_count, (rgBounds){p, p});
    check_query(shape, triangle_count, (rgBounds){p, v3_add(p, v3(reach, reach, reach))});
  }
}

// A bumpy sheet with rows x columns points.
static int sheet(int rows, int columns, rgVec3* points, int* triangles) {
  for (int i = 0; i < rows * columns; i++)
    points[i] = v3((i % columns) * 2.0 / (columns - 1) - 1, (i / columns) * 2.0 / (rows - 1) - 1,
                   0.2 * random_between(-1, 1));
  int n = 0;
  for (int r = 0; r < rows - 1; r++)
    for (int c = 0; c < columns - 1; c++) {
      int p = r * columns + c;
      const int cell[6] = {p, p + 1, p + columns + 1, p, p + columns + 1, p + columns};
      memcpy(triangles + n, cell, sizeof cell);
      n += 6;
    }
  return n / 3;
}

TEST(a_mesh_query_finds_what_a_visit_of_all_triangles_finds) {
  static rgVec3 points[3000];
  static int triangles[6 * 39 * 49];
  int count = sheet(40, 50, points, triangles);
  rgShapeDef def = mesh_def(points, 2000, triangles, count);
  rgShape* shape = make_shape(def);
  check_queries(shape, count, 1.2);
  free_shape(shape);

  for (int i = 0; i < 3000; i++) // a soup of triangles of very different sizes
    points[i] =
        v3_axpy(points[i / 3 * 3], i % 3 ? exp(4 * random_between(-1, 1) - 4) : 0, random_vector());
  for (int i = 0; i < 3000; i++)
    triangles[i] = i;
  def = mesh_def(points, 3000, triangles, 1000);
  shape = make_shape(def);
  check_queries(shape, 1000, 1.5);
  free_shape(shape);
}

TEST(the_tree_is_bounded_when_triangles_cannot_be_told_apart) {
  // All centres equal; and centres in a row whose distances grow twofold, which cuts of equal
  // width split one by one.
  enum { COUNT = 1000 };
  static rgVec3 points[3 * COUNT];
  static int triangles[3 * COUNT];
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; i < COUNT; i++) {
      double x = kind ? ldexp(1, i % 500 - 250) : 0, s = kind ? x * 0.1 : 1 + i;
      points[3 * i] = v3(x - s, -s, 0);
      points[3 * i + 1] = v3(x + s, -s, 0);
      points[3 * i + 2] = v3(x, s, 0);
    }
    for (int i = 0; i < 3 * COUNT; i++)
      triangles[i] = i;
    if (kind == 1) // the second half repeats the first: turn it over, so that edges run both ways
      for (int i = COUNT / 2; i < COUNT; i++) {
        triangles[3 * i + 1] = 3 * i + 2;
        triangles[3 * i + 2] = 3 * i + 1;
      }
    rgShapeDef def = mesh_def(points, 3 * COUNT, triangles, COUNT);
    rgShape* shape = make_shape(def);
    check_queries(shape, COUNT, kind ? 1 : 500);
    free_shape(shape);
  }
}

// --- edges ---------------------------------------------------------------------------------------

TEST(a_cube_of_triangles_has_flat_diagonals_and_convex_edges) {
  rgVec3 points[8];
  cube_points(points);
  rgShapeDef def = mesh_def(points, 8, cube_triangles, 12);
  rgShape* shape = make_shape(def);
  int convex = 0, flat = 0;
  for (int t = 0; t < 12; t++) {
    rgTriangle triangle;
    rg_shape_triangle(shape, t, &triangle);
    rgVec3 outward = v3_add(v3_add(triangle.corner[0], triangle.corner[1]), triangle.corner[2]);
    CHECK(v3_dot(triangle.normal, outward) > 0);
    CHECK(v3_max_abs(triangle.normal) == 1);
    for (int i = 0; i < 3; i++) {
      rgVec3 edge = v3_sub(triangle.corner[(i + 1) % 3], triangle.corner[i]);
      bool diagonal = v3_norm(edge) > 2.5;
      double dot = v3_dot(triangle.normal, triangle.neighbour_normal[i]);
      CHECK(dot == (diagonal ? 1 : 0));
      CHECK(triangle.convex_edge[i] == !diagonal);
      convex += triangle.convex_edge[i];
      flat += diagonal;
    }
  }
  CHECK_INT(convex, 24); // each of the 12 edges from both sides
  CHECK_INT(flat, 12);   // each of the 6 diagonals from both sides
  CHECK_NEAR(shape->extent, sqrt(3), 1e-15);
  CHECK_NEAR(shape->size, 1, 1e-15);
  free_shape(shape);
}

TEST(a_cube_seen_from_inside_has_no_convex_edge) {
  rgVec3 points[8];
  cube_points(points);
  int triangles[36];
  for (int i = 0; i < 36; i++)
    triangles[i] = cube_triangles[i / 3 * 3 + (3 - i % 3) % 3];
  rgShapeDef def = mesh_def(points, 8, triangles, 12);
  rgShape* shape = make_shape(def);
  for (int t = 0; t < 12; t++) {
    rgTriangle triangle;
    rg_shape_triangle(shape, t, &triangle);
    CHECK(v3_dot(triangle.normal, triangle.corner[0]) < 0);
    for (int i = 0; i < 3; i++)
      CHECK(!triangle.convex_edge[i] && v3_norm(triangle.neighbour_normal[i]) == 1);
  }
  free_shape(shape);
}

TEST(points_at_the_same_place_are_welded) {
  rgVec3 points[8], loose[36];
  int triangles[36];
  cube_points(points);
  for (int i = 0; i < 36; i++) {
    loose[i] = points[cube_triangles[i]];
    triangles[i] = i;
  }
  rgShapeDef tight_def = mesh_def(points, 8, cube_triangles, 12);
  rgShapeDef loose_def = mesh_def(loose, 36, triangles, 12);
  rgShape *a = make_shape(tight_def), *b = make_shape(loose_def);
  for (int t = 0; t < 12; t++) {
    rgTriangle s, u;
    rg_shape_triangle(a, t, &s);
    rg_shape_triangle(b, t, &u);
    for (int i = 0; i < 3; i++) {
      CHECK(s.convex_edge[i] == u.convex_edge[i]);
      CHECK(v3_norm(v3_sub(s.neighbour_normal[i], u.neighbour_normal[i])) == 0);
    }
  }
  free_shape(a);
  free_shape(b);
}

TEST(zero_of_either_sign_is_the_same_place) {
  const rgVec3 points[6] = {{0, 0, 0},       {1, 0, 0},    {0, 1, 0},
                            {-0.0, -0.0, 0}, {0, 1, -0.0}, {-1, 0, 0}};
  const int triangles[6] = {0, 1, 2, 3, 4, 5};
  rgShapeDef def = mesh_def(points, 6, triangles, 2);
  rgShape* shape = make_shape(def);
  rgTriangle triangle;
  rg_shape_triangle(shape, 0, &triangle);
  CHECK(triangle.neighbour_normal[2].z == 1);
  free_shape(shape);
}

TEST(borders_and_edges_of_three_triangles_have_no_neighbour) {
  // Three leaves of a book about the z axis, two of them lying flat.
  const rgVec3 points[5] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}};
  const int triangles[9] = {0, 2, 1, 0, 1, 3, 0, 1, 4};
  rgShapeDef def = mesh_def(points, 5, triangles, 3);
  rgShape* shape = make_shape(def);
  for (int t = 0; t < 3; t++) {
    rgTriangle triangle;
    rg_shape_triangle(shape, t, &triangle);
    for (int i = 0; i < 3; i++)
      CHECK(v3_norm(triangle.neighbour_normal[i]) == 0 && !triangle.convex_edge[i]);
  }
  free_shape(shape);

  def = mesh_def(points, 5, triangles, 2); // without the third they are neighbours, and flat
  shape = make_shape(def);
  rgTriangle triangle;
  rg_shape_triangle(shape, 0, &triangle);
  CHECK(v3_dot(triangle.neighbour_normal[2], triangle.normal) == 1 && !triangle.convex_edge[2]);
  CHECK(v3_norm(triangle.neighbour_normal[0]) == 0);
  free_shape(shape);
}

TEST(an_edge_is_convex_by_its_angle_and_not_by_its_length) {
  for (double angle = -3; angle <= 3; angle += 0.25) {
    for (double scale = 1e-6; scale < 1e7; scale *= 1e3) {
      CONTEXT("angle %g scale %g", angle, scale);
      // The second triangle is bent down from the first by `angle`.
      rgVec3 points[4] = {v3(0, 0, 0), v3(scale, 0, 0), v3(0, scale, 0),
                          v3(0, -scale * cos(angle), -scale * sin(angle))};
      const int triangles[6] = {0, 1, 2, 0, 3, 1};
      rgShapeDef def = mesh_def(points, 4, triangles, 2);
      rgShape* shape = make_shape(def);
      rgTriangle triangle;
      rg_shape_triangle(shape, 0, &triangle);
      CHECK(triangle.convex_edge[0] == (angle > 0));
      CHECK_NEAR(v3_dot(triangle.normal, triangle.neighbour_normal[0]), cos(angle), 1e-15);
      free_shape(shape);
    }
  }
}

TEST(a_blade_is_convex) {
  const rgVec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const int triangles[6] = {0, 1, 2, 0, 2, 1};
  rgShapeDef def = mesh_def(points, 3, triangles, 2);
  rgShape* shape = make_shape(def);
  rgTriangle triangle;
  rg_shape_triangle(shape, 1, &triangle);
  for (int i = 0; i < 3; i++)
    CHECK(triangle.convex_edge[i] && triangle.neighbour_normal[i].z == 1);
  free_shape(shape);
}

// --- fields --------------------------------------------------------------------------------------

static double heights[40 * 50];

TEST(a_field_query_finds_what_a_visit_of_all_triangles_finds) {
  for (int i = 0; i < 40 * 50; i++)
    heights[i] = 0.2 * random_between(-1, 1);
  rgShapeDef def = field_def(heights, 40, 50, 2.0 / 49, 2.0 / 39);
  rgShape* shape = make_shape(def);
  check_queries(shape, 2 * 39 * 49, 1.2);
  free_shape(shape);
  def = field_def(heights, 2, 2, 0.1, 3);
  shape = make_shape(def);
  check_queries(shape, 2, 2);
  free_shape(shape);
}

TEST(a_field_equals_the_mesh_of_its_triangles) {
  enum { ROWS = 7, COLUMNS = 9 };
  rgVec3 points[ROWS * COLUMNS];
  int triangles[6 * (ROWS - 1) * (COLUMNS - 1)];
  double z[ROWS * COLUMNS];
  int count = sheet(ROWS, COLUMNS, points, triangles);
  for (int i = 0; i < ROWS * COLUMNS; i++)
    z[i] = points[i].z;
  rgShapeDef f_def = field_def(z, ROWS, COLUMNS, 2.0 / (COLUMNS - 1), 2.0 / (ROWS - 1));
  rgShapeDef m_def = mesh_def(points, ROWS * COLUMNS, triangles, count);
  rgShape *field = make_shape(f_def), *mesh = make_shape(m_def);
  for (int t = 0; t < count; t++) {
    CONTEXT("triangle %d", t);
    rgTriangle a, b;
    rg_shape_triangle(field, t, &a);
    rg_shape_triangle(mesh, t, &b);
    CHECK_NEAR(v3_norm(v3_sub(a.normal, b.normal)), 0, 1e-14);
    for (int i = 0; i < 3; i++) {
      CHECK_NEAR(v3_norm(v3_sub(a.corner[i], b.corner[i])), 0, 1e-15);
      CHECK_NEAR(v3_norm(v3_sub(a.neighbour_normal[i], b.neighbour_normal[i])), 0, 1e-14);
      CHECK(a.convex_edge[i] == b.convex_edge[i]);
    }
  }
  rgPose pose = {v3(1, 2, 3), quat_unit((rgQuat){1, 0.2, -0.3, 0.4})};
  rgBounds a = rg_shape_info(RG_SHAPE_FIELD)->bounds(field, pose);
  rgBounds b = rg_shape_info(RG_SHAPE_MESH)->bounds(mesh, pose);
  CHECK_NEAR(v3_norm(v3_sub(a.lower, b.lower)), 0, 1e-14);
  CHECK_NEAR(v3_norm(v3_sub(a.upper, b.upper)), 0, 1e-14);
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    rgVec3 x = pose_apply(pose, points[i]);
    CHECK(bounds_overlap(bounds_grow(a, 1e-14), (rgBounds){x, x}));
  }
  CHECK_NEAR(field->size, 1, 1e-15);
  CHECK_NEAR(mesh->size, 1, 1e-15);
  CHECK(field->extent >= mesh->extent && field->extent <= sqrt(2 + 0.04) + 1e-15);
  free_shape(field);
  free_shape(mesh);
}

TEST(a_ridge_of_a_field_is_convex_and_its_valley_is_not) {
  const double z[3 * 5] = {0, 1, 0, -1, 0, 0, 1, 0, -1, 0, 0, 1, 0, -1, 0};
  rgShapeDef def = field_def(z, 3, 5, 1, 1);
  rgShape* shape = make_shape(def);
  // Triangle 0 of cell (0, c) has its right side as edge 1: columns 1 (ridge), 2 (slope), 3
  // (valley).
  for (int c = 0; c < 3; c++) {
    rgTriangle triangle;
    rg_shape_triangle(shape, 2 * c, &triangle);
    CHECK(triangle.convex_edge[1] == (c == 0));
    CHECK(!triangle.convex_edge[2]); // the diagonal lies in a plane
    CHECK(v3_norm(triangle.neighbour_normal[0]) == 0);
  }
  free_shape(shape);
}

// --- refused -------------------------------------------------------------------------------------

static void check_refused(const rgShapeDef* def, const char* text) {
  rgMessage message = {""};
  rgShape* shape = try_shape(def, &message);
  CHECK(shape == NULL);
  CHECK_STR(message.text, text);
  if (shape)
    free_shape(shape);
}

TEST(wrong_meshes_are_refused_by_triangle) {
  const rgVec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {1, 1, 0}};
  const int out_of_range[6] = {0, 1, 2, 1, 4, 5};
  rgShapeDef def = mesh_def(points, 5, out_of_range, 2);
  check_refused(&def, "triangles[1] has point 5, must be 0 to 4");
  const int negative[3] = {0, -1, 2};
  def = mesh_def(points, 5, negative, 1);
  check_refused(&def, "triangles[0] has point -1, must be 0 to 4");
  const int degenerate[6] = {0, 1, 2, 0, 3, 1};
  def = mesh_def(points, 5, degenerate, 2);
  check_refused(&def,
                "triangles[1] (points 0, 3, 1) has no area, its corners must not lie on one line");
  const int twice[3] = {0, 1, 1};
  def = mesh_def(points, 5, twice, 1);
  check_refused(&def,
                "triangles[0] (points 0, 1, 1) has no area, its corners must not lie on one line");
  const int turned[6] = {0, 1, 2, 1, 2, 4};
  def = mesh_def(points, 5, turned, 2);
  check_refused(&def,
                "triangles[0] and triangles[1] run the same way along the edge from point 1 to 2, "
                "one of them must be reversed");
  def = mesh_def(points, 5, turned, 0);
  check_refused(&def, "triangle_count is 0, must be at least 1");
  def = mesh_def(points, 5, NULL, 1);
  check_refused(&def, "triangles is NULL, must be given");
  def = mesh_def(points, 2, turned, 1);
  check_refused(&def, "point_count is 2, must be at least 3");
}

TEST(wrong_fields_are_refused) {
  double z[6] = {0, 1, 2, 3, 4, 5};
  rgShapeDef def = field_def(z, 1, 6, 1, 1);
  check_refused(&def, "rows is 1, must be at least 2");
  def = field_def(z, 2, 1, 1, 1);
  check_refused(&def, "columns is 1, must be at least 2");
  def = field_def(z, 2, 3, 0, 1);
  check_refused(&def, "spacing_x is 0, must be > 0");
  def = field_def(z, 2, 3, 1, -1);
  check_refused(&def, "spacing_y is -1, must be > 0");
  def = field_def(NULL, 2, 3, 1, 1);
  check_refused(&def, "heights is NULL, must be given");
  def = field_def(z, 1 << 20, 1 << 20, 1, 1);
  check_refused(&def, "rows times columns is 1099511627776, must be at most 67108864");
  z[4] = HUGE_VAL;
  def = field_def(z, 2, 3, 1, 1);
  check_refused(&def, "heights[4] (row 1, column 1) is inf, must be finite");
}
