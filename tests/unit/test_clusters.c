// Searches on clusters of a polyhedron against a visit of all its vertices, faces and edges: the
// same index and the same bits, since the products are the same.
#include "shape/solid/clusters.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

enum { POINTS = 1500 };

static rgShape* hull_of(const rgVec3* points, int count) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  return make_shape(def);
}

// Bodies that are smooth, long, flat with wide faces, faceted with many equal heights, and uneven.
static rgShape* body(int kind) {
  static rgVec3 points[POINTS];
  int n = 0;
  for (int i = 0; i < POINTS; i++) {
    rgVec3 d = random_direction();
    double angle = 2 * acos(-1) * (i / 2) / (POINTS / 2);
    if (kind == 0)
      d = v3_add(v3(1, -2, 3), d);
    else if (kind == 1)
      d = v3(20 * d.x, d.y, 0.5 * d.z);
    else if (kind == 2) // a cut ball: one face of many corners
      d.z = d.z > 0.2 ? 0.2 : d.z;
    else if (kind == 3) // a prism
      d = v3(cos(angle), sin(angle), i % 2 ? 1 : -1);
    else if (kind == 4) // a globe: rings of the same height
      d = v3(cos(i / 30 * 0.06 - 1.5) * cos(i % 30 * acos(-1) / 15),
             cos(i / 30 * 0.06 - 1.5) * sin(i % 30 * acos(-1) / 15), sin(i / 30 * 0.06 - 1.5));
    else // nearly coplanar: merged faces that are not quite flat
      d = v3_axpy(v3(d.x, d.y, d.z > 0 ? 0.3 : -0.3), 3e-7, random_vector());
    points[n++] = d;
  }
  return hull_of(points, n);
}

enum { KINDS = 6, TRIALS = 400 };

// Random directions, axes, normals of faces, and directions in which faces or vertices tie.
static rgVec3 direction(const rgPolyhedron* p, int k) {
  int f = (int)random_between(0, p->face_count), e = (int)random_between(0, p->edge_count);
  if (k < 6)
    return v3(k % 3 == 0 ? 1 - k / 3 * 2 : 0, k % 3 == 1 ? 1 - k / 3 * 2 : 0,
              k % 3 == 2 ? 1 - k / 3 * 2 : 0);
  if (k % 3 == 0)
    return p->normals[f];
  if (k % 3 == 1)
    return v3_unit_or(v3_add(p->normals[p->edges[e][2]], p->normals[p->edges[e][3]]), v3(1, 0, 0));
  return random_direction();
}

TEST(every_face_edge_and_vertex_is_in_one_leaf) {
  for (int kind = 0; kind < KINDS; kind++) {
    CONTEXT("kind %d", kind);
    rgShape* shape = body(kind);
    const rgPolyhedron* p = shape->polyhedron;
    if (kind < 5)
      REQUIRE(p->clusters != NULL);
    int faces = 0, edges = 0, vertices = 0;
    for (int k = 0; p->clusters && k < p->clusters->count; k++) {
      const rgCluster* c = &p->clusters->list[k];
      if (c->skip != k + 1)
        continue;
      CHECK_INT(c->faces, faces);
      CHECK_INT(c->edges, edges);
      CHECK_INT(c->vertices, vertices);
      faces = c->faces_end, edges = c->edges_end, vertices = c->vertices_end;
    }
    if (p->clusters) {
      CHECK_INT(faces, p->face_count);
      CHECK_INT(edges, p->edge_count);
      CHECK_INT(vertices, p->vertex_count);
    }
    free_shape(shape);
  }
}

TEST(the_highest_vertex_is_that_of_a_visit_of_all) {
  for (int kind = 0; kind < KINDS; kind++) {
    rgShape* shape = body(kind);
    const rgPolyhedron* p = shape->polyhedron;
    for (int k = 0; k < TRIALS; k++) {
      CONTEXT("kind %d, trial %d", kind, k);
      rgVec3 d = direction(p, k);
      int best = 0;
      for (int i = 1; i < p->vertex_count; i++)
        best = v3_dot(p->vertices[i], d) > v3_dot(p->vertices[best], d) ? i : best;
      CHECK_INT(rg_clusters_highest(p, d), best);
      CHECK(rg_clusters_height(p, d) == v3_dot(p->vertices[best], d));
    }
    free_shape(shape);
  }
}

TEST(the_face_along_a_direction_is_that_of_a_visit_of_all) {
  for (int kind = 0; kind < KINDS; kind++) {
    rgShape* shape = body(kind);
    const rgPolyhedron* p = shape->polyhedron;
    for (int k = 0; k < TRIALS; k++) {
      CONTEXT("kind %d, trial %d", kind, k);
      rgVec3 d = direction(p, k);
      double bias = k % 2 ? 1e-9 : 1e-4; // that of contacts, and one within which many faces are
      int best = 0;
      for (int f = 1; f < p->face_count; f++)
        best = v3_dot(p->normals[f], d) > v3_dot(p->normals[best], d) + bias ? f : best;
      CHECK_INT(rg_clusters_face_along(p, d, bias), best);
    }
    free_shape(shape);
  }
}

// An ellipsoid with corners evenly along a spiral: the same body, finer or coarser.
static rgShape* spiral(int count) {
  rgVec3* points = malloc((size_t)count * sizeof *points);
  double turn = acos(-1) * (3 - sqrt(5));
  for (int i = 0; i < count; i++) {
    double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
    points[i] = v3(0.5 * r * cos(turn * i), 0.4 * r * sin(turn * i), 0.3 * z);
  }
  rgShape* shape = hull_of(points, count);
  free(points);
  return shape;
}

// Mean number of items in the cells of random directions; infinite where a cell has none and the
// clusters would have to be searched.
static double visits(const rgDirections* directions) {
  double sum = 0;
  for (int i = 0; i < TRIALS; i++) {
    rgDirectionCell cell = rg_directions_cell(directions, random_direction());
    sum += cell.end > cell.begin ? (double)(cell.end - cell.begin) : HUGE_VAL;
  }
  return sum / TRIALS;
}

// What is found there is compared above. There are 5 items to a cell; a cell as wide as sqrt(5)
// items shares those with its neighbours that are about it: pi (sqrt(5 / 2) + 0.6)^2 = 15.
TEST(a_lookup_visits_a_number_of_corners_and_faces_that_does_not_grow) {
  static const int sizes[] = {152, 802, 3000, 7000, 20000};
  for (int k = 0; k < (test_fast() ? 3 : 5); k++) {
    CONTEXT("%d corners", sizes[k]);
    rgShape* shape = spiral(sizes[k]);
    double vertices = visits(&shape->polyhedron->clusters->tops);
    double faces = visits(&shape->polyhedron->clusters->fronts);
    CHECK(vertices >= 5 && vertices <= 30);
    CHECK(faces >= 5 && faces <= 30);
    free_shape(shape);
  }
}

static bool selected(const rgSelection* s, int item) {
  for (int i = 0; i < s->count; i++)
    if (rg_selected(s, i) == item)
      return true;
  return false;
}

static void check_rising(const rgSelection* s) {
  for (int i = 1; i < s->count; i++)
    CHECK(rg_selected(s, i - 1) < rg_selected(s, i));
}

static void check_above(const rgPolyhedron* p, rgVec3 d, double floor) {
  rgSelection vertices, edges;
  rg_clusters_vertices_above(p, d, floor, &vertices);
  rg_clusters_edges_above(p, d, floor, &edges);
  check_rising(&vertices);
  check_rising(&edges);
  for (int i = 0; i < p->vertex_count; i++)
    if (v3_dot(d, p->vertices[i]) >= floor)
      CHECK(selected(&vertices, i));
  for (int i = 0; i < p->edge_count; i++)
    if (v3_dot(d, p->vertices[p->edges[i][0]]) >= floor ||
        v3_dot(d, p->vertices[p->edges[i][1]]) >= floor)
      CHECK(selected(&edges, i));
}

static void check_about(const rgPolyhedron* p, rgVec3 d, double floor) {
  rgSelection about;
  int q = rg_clusters_highest(p, d), above = 0;
  double angle = random_between(0.001, 0.3);
  rg_clusters_vertices_about(p, d, floor, q, angle, &about);
  for (int i = 0; i < p->vertex_count; i++) {
    double below = v3_dot(d, v3_sub(p->vertices[q], p->vertices[i]));
    bool reaches = v3_dot(d, p->vertices[i]) >= floor;
    above += reaches;
    if (reaches && below < angle * v3_norm(v3_sub(p->vertices[q], p->vertices[i])))
      CHECK(selected(&about, i));
  }
  for (int count = above - 3; count < above + 3; count++)
    CHECK(rg_clusters_more_above(p, d, floor, count) == (above > count));
}

static void check_below(const rgPolyhedron* p, rgVec3 x, double floor) {
  rgSelection edges;
  rg_clusters_edges_below(p, x, floor, &edges);
  check_rising(&edges);
  for (int i = 0; i < p->edge_count; i++)
    for (int side = 2; side < 4; side++) {
      int f = p->edges[i][side];
      if (v3_dot(p->normals[f], x) - p->offsets[f] >= floor)
        CHECK(selected(&edges, i));
    }
}

TEST(selections_leave_nothing_out) {
  for (int kind = 0; kind < KINDS; kind++) {
    rgShape* shape = body(kind);
    const rgPolyhedron* p = shape->polyhedron;
    for (int k = 0; k < TRIALS / 10; k++) {
      CONTEXT("kind %d, trial %d", kind, k);
      rgVec3 d = direction(p, k);
      double depth = shape->size * pow(10, random_between(-9, -0.5));
      check_above(p, d, rg_clusters_height(p, d) - depth);
      check_about(p, d, rg_clusters_height(p, d) - depth);
      rgVec3 x = v3_axpy(p->vertices[rg_clusters_highest(p, d)], -depth, d);
      check_below(p, x, -depth);
    }
    free_shape(shape);
  }
}
