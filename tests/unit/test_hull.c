// Convex hulls: polygon faces, known solids, degenerate and noisy input.
#include "shape/solid/polyhedron.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

#include <float.h>

static rgShape* try_hull(const rgVec3* points, int count, rgMessage* message) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  return try_shape(&def, message);
}

static rgShape* make_hull(const rgVec3* points, int count) {
  rgMessage message = {""};
  rgShape* shape = try_hull(points, count, &message);
  REQUIRE_MSG(shape != NULL, "%s", message.text);
  return shape;
}

static int face_size(const rgPolyhedron* p, int face) {
  return p->face_start[face + 1] - p->face_start[face];
}

static int faces_of_size(const rgPolyhedron* p, int size) {
  int count = 0;
  for (int f = 0; f < p->face_count; f++)
    count += face_size(p, f) == size;
  return count;
}

// Position of the directed edge a -> b in the loop of a face; -1 when it is not there.
static int find_edge(const rgPolyhedron* p, int face, int a, int b) {
  const int* loop = p->face_loop + p->face_start[face];
  int n = face_size(p, face);
  for (int i = 0; i < n; i++)
    if (loop[i] == a && loop[(i + 1) % n] == b)
      return i;
  return -1;
}

// What every polyhedron must be. `planar` [m]: how far a face's vertices may be from its plane;
// `rounding` [m]: how far a point may be outside a plane.
static void check_sound(const rgPolyhedron* p, const rgVec3* points, int count, double planar,
                        double rounding) {
  CHECK_INT(p->vertex_count - p->edge_count + p->face_count, 2); // Euler
  CHECK_INT(p->face_start[p->face_count], 2 * p->edge_count);
  for (int f = 0; f < p->face_count; f++) {
    CHECK_NEAR(v3_norm(p->normals[f]), 1, 4 * DBL_EPSILON);
    CHECK(v3_dot(p->normals[f], p->center) < p->offsets[f]);
    for (int i = 0; i < count; i++)
      CHECK(v3_dot(p->normals[f], points[i]) <= p->offsets[f] + rounding);
    const int* loop = p->face_loop + p->face_start[f];
    int n = face_size(p, f);
    CHECK(n >= 3);
    for (int i = 0; i < n; i++) {
      rgVec3 a = p->vertices[loop[i]], b = p->vertices[loop[(i + 1) % n]];
      rgVec3 c = p->vertices[loop[(i + 2) % n]];
      CHECK(v3_dot(p->normals[f], a) >= p->offsets[f] - planar);
      double turn = v3_dot(p->normals[f], v3_cross(v3_sub(b, a), v3_sub(c, b)));
      CHECK(turn > -planar * v3_norm(v3_sub(c, a)));
    }
  }
  for (int e = 0; e < p->edge_count; e++) {
    const int* edge = p->edges[e];
    CHECK(find_edge(p, edge[2], edge[0], edge[1]) >= 0);
    CHECK(find_edge(p, edge[3], edge[1], edge[0]) >= 0);
  }
}

static void cube_points(rgVec3 points[8], double half) {
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half);
}

// --- cubes ---------------------------------------------------------------------------------------

TEST(a_cube_has_six_square_faces_with_exact_planes) {
  rgVec3 points[8];
  cube_points(points, 0.7);
  rgShape* shape = make_hull(points, 8);
  const rgPolyhedron* p = shape->polyhedron;
  CHECK_INT(p->vertex_count, 8);
  CHECK_INT(p->face_count, 6);
  CHECK_INT(p->edge_count, 12);
  CHECK_INT(faces_of_size(p, 4), 6);
  check_sound(p, points, 8, 0, 0);
  for (int f = 0; f < 6; f++) {
    CHECK(v3_max_abs(p->normals[f]) == 1);
    CHECK(p->offsets[f] == 0.7);
  }
  for (int i = 0; i < 8; i++) // vertices keep the order of the points
    CHECK(v3_norm(v3_sub(p->vertices[i], points[i])) == 0);
  CHECK_NEAR(shape->size, 0.7, DBL_EPSILON);
  CHECK_NEAR(shape->extent, 0.7 * sqrt(3), 2 * DBL_EPSILON);
  CHECK_NEAR(v3_norm(p->center), 0, DBL_EPSILON);
  free_shape(shape);
}

TEST(points_on_faces_on_edges_inside_and_twice_change_nothing) {
  for (int turned = 0; turned < 20; turned++) {
    CONTEXT("turn %d", turned);
    rgVec3 points[100];
    cube_points(points, 1);
    int n = 8;
    for (int i = 0; i < 24; i++) { // on faces, on a grid so that many are collinear
      double u = (i % 5 - 2) * 0.5, v = (i / 5 - 2) * 0.25, s = i % 2 ? 1 : -1;
      points[n++] = i % 3 == 0 ? v3(s, u, v) : i % 3 == 1 ? v3(u, s, v) : v3(u, v, s);
    }
    for (int i = 0; i < 12; i++) { // on edges
      double u = random_between(-1, 1), s = i & 1 ? 1 : -1, t = i & 2 ? 1 : -1;
      points[n++] = i % 3 == 0 ? v3(u, s, t) : i % 3 == 1 ? v3(s, u, t) : v3(s, t, u);
    }
    for (int i = 0; i < 20; i++) // inside
      points[n++] = random_vector();
    for (int i = 0; i < 20; i++) // twice
      points[n++] = points[2 * i];
    rgQuat q = turned == 0 ? quat_identity() : random_rotation();
    rgVec3 shift = v3_scale(random_vector(), turned == 0 ? 0 : 3);
    for (int i = 0; i < n; i++)
      points[i] = v3_add(shift, quat_rotate(q, points[i]));

    rgShape* shape = make_hull(points, n);
    const rgPolyhedron* p = shape->polyhedron;
    CHECK_INT(p->vertex_count, 8);
    CHECK_INT(p->face_count, 6);
    CHECK_INT(faces_of_size(p, 4), 6);
    check_sound(p, points, n, 1e-14, 1e-14); // coordinates are at most 5: rounding is 1e-15
    rgMassProperties mass;
    rg_polyhedron_mass(p, &mass);
    CHECK_NEAR(mass.mass, 8, 1e-13);
    free_shape(shape);
  }
}

TEST(noise_of_the_seventh_digit_does_not_cut_faces) {
  for (int trial = 0; trial < 50; trial++) {
    CONTEXT("trial %d", trial);
    rgVec3 points[8 + 36];
    cube_points(points, 1);
    int n = 8;
    for (int i = 0; i < 36; i++) { // along the edges, where slivers arise, and on faces
      double u = 0.9 * random_between(-1, 1), s = i & 1 ? 1 : -1,
             t = i < 24 ? (i & 2 ? 1 : -1) : 0.9 * random_between(-1, 1);
      points[n++] = i % 3 == 0 ? v3(u, s, t) : i % 3 == 1 ? v3(t, u, s) : v3(s, t, u);
    }
    rgQuat q = random_rotation();
    for (int i = 0; i < n; i++)
      points[i] = v3_axpy(quat_rotate(q, points[i]), 1e-6, random_vector());
    rgShape* shape = make_hull(points, n);
    const rgPolyhedron* p = shape->polyhedron;
    CHECK_INT(p->vertex_count, 8);
    CHECK_INT(p->face_count, 6);
    CHECK_INT(faces_of_size(p, 4), 6);
    // Planes fitted to noise of 1e-6 let a dropped point look out by a few times that.
    check_sound(p, points, n, 1e-5, 1e-5);
    free_shape(shape);
  }
}

TEST(a_thin_plate_keeps_its_sides_and_a_needle_its_edges) {
  for (double thin = 1; thin > 2e-7; thin *= 0.1) {
    CONTEXT("thickness %g", thin);
    rgVec3 points[8];
    rgQuat q = random_rotation();
    cube_points(points, 1);
    for (int i = 0; i < 8; i++)
      points[i] = quat_rotate(q, v3(points[i].x, points[i].y, thin * points[i].z));
    rgShape* shape = make_hull(points, 8);
    CHECK_INT(shape->polyhedron->face_count, 6);
    CHECK_INT(faces_of_size(shape->polyhedron, 4), 6);
    CHECK_NEAR(shape->size, thin, 1e-15); // the rounding of coordinates up to 1
    free_shape(shape);

    cube_points(points, 1);
    for (int i = 0; i < 8; i++)
      points[i] = quat_rotate(q, v3(points[i].x, thin * points[i].y, thin * points[i].z));
    shape = make_hull(points, 8);
    CHECK_INT(shape->polyhedron->face_count, 6);
    CHECK_INT(faces_of_size(shape->polyhedron, 4), 6);
    CHECK_NEAR(shape->size, thin, 1e-15); // the rounding of coordinates up to 1
    free_shape(shape);
  }
}

TEST(a_flat_tetrahedron_keeps_its_four_faces) {
  for (double height = 1; height > 2e-7; height *= 0.1) {
    CONTEXT("height %g", height);
    rgVec3 points[4] = {v3(-1, 0, 0), v3(1, 0, 0), v3(0, -1, height), v3(0, 1, height)};
    rgShape* shape = make_hull(points, 4);
    CHECK_INT(shape->polyhedron->face_count, 4);
    rgMassProperties mass;
    rg_polyhedron_mass(shape->polyhedron, &mass);
    CHECK_REL(mass.mass, 2.0 / 3 * height, 1e-9); // a b h / 6 for crossed edges a, b
    free_shape(shape);
  }
}

// --- known solids --------------------------------------------------------------------------------

typedef struct Solid {
  const char* file;
  int vertices, faces;
  int triangles, squares, pentagons, hexagons, decagons;
} Solid;

static const Solid solids[] = {
    {"tetrahedron", 4, 4, 4, 0, 0, 0, 0},
    {"octahedron", 6, 8, 8, 0, 0, 0, 0},
    {"dodecahedron", 20, 12, 0, 0, 12, 0, 0},
    {"icosahedron", 12, 20, 20, 0, 0, 0, 0},
    {"truncated-icosahedron", 60, 32, 0, 0, 12, 20, 0},
    {"snub-cube", 24, 38, 32, 6, 0, 0, 0},
    {"decagonal-antiprism", 20, 22, 20, 0, 0, 0, 2},
    {"square-pyramid", 5, 5, 4, 1, 0, 0, 0},
    {"gyrobifastigium", 8, 8, 4, 4, 0, 0, 0},
    {"pentagonal-rotunda", 20, 17, 10, 0, 6, 0, 1},
    {"sphenocorona", 10, 14, 12, 2, 0, 0, 0},
    {"augmented-sphenocorona", 11, 17, 16, 1, 0, 0, 0},
};

static int read_off(const char* name, rgVec3* points, int capacity) {
  char path[256];
  snprintf(path, sizeof path, "data/polyhedra/%s.off", name);
  FILE* file = fopen(test_shared(path), "r");
  REQUIRE(file != NULL);
  int vertices = 0, faces, edges;
  bool good = fscanf(file, "OFF %d %d %d", &vertices, &faces, &edges) == 3 && vertices <= capacity;
  for (int i = 0; good && i < vertices; i++)
    good = fscanf(file, "%lf %lf %lf", &points[i].x, &points[i].y, &points[i].z) == 3;
  fclose(file);
  REQUIRE_MSG(good, "%s cannot be read", name);
  return vertices;
}

TEST(known_solids_written_with_six_digits_get_their_faces) {
  for (size_t s = 0; s < sizeof solids / sizeof *solids; s++) {
    const Solid* solid = &solids[s];
    CONTEXT("%s", solid->file);
    rgVec3 points[64];
    int n = read_off(solid->file, points, 64);
    rgShape* shape = make_hull(points, n);
    const rgPolyhedron* p = shape->polyhedron;
    CHECK_INT(p->vertex_count, solid->vertices);
    CHECK_INT(p->face_count, solid->faces);
    CHECK_INT(faces_of_size(p, 3), solid->triangles);
    CHECK_INT(faces_of_size(p, 4), solid->squares);
    CHECK_INT(faces_of_size(p, 5), solid->pentagons);
    CHECK_INT(faces_of_size(p, 6), solid->hexagons);
    CHECK_INT(faces_of_size(p, 10), solid->decagons);
    check_sound(p, points, n, 1e-5, 0); // convex to 1e-5, say the files; planes hold every vertex
    free_shape(shape);
  }
}

TEST(regular_solids_have_their_known_volume_and_inertia) {
  // Edge length a. Volume: tetrahedron a^3 / (6 sqrt 2), octahedron sqrt 2 / 3 a^3, dodecahedron
  // (15 + 7 sqrt 5) / 4 a^3, icosahedron 5 (3 + sqrt 5) / 12 a^3. Inertia / (m a^2): 1/20, 1/10,
  // (39 phi + 28) / 150, phi^2 / 10.
  double root5 = sqrt(5), phi = (1 + root5) / 2;
  const struct {
    const char* file;
    double volume, inertia;
  } known[] = {
      {"tetrahedron", 1 / (6 * sqrt(2)), 1.0 / 20},
      {"octahedron", sqrt(2) / 3, 1.0 / 10},
      {"dodecahedron", (15 + 7 * root5) / 4, (39 * phi + 28) / 150},
      {"icosahedron", 5 * (3 + root5) / 12, phi * phi / 10},
  };
  for (int i = 0; i < 4; i++) {
    CONTEXT("%s", known[i].file);
    rgVec3 points[64];
    int n = read_off(known[i].file, points, 64);
    rgShape* shape = make_hull(points, n);
    const rgPolyhedron* p = shape->polyhedron;
    double a = v3_norm(v3_sub(p->vertices[p->edges[0][0]], p->vertices[p->edges[0][1]]));
    rgMassProperties mass;
    rg_polyhedron_mass(p, &mass);
    // six digits in the files
    CHECK_REL(mass.mass, known[i].volume * a * a * a, 1e-5);
    for (int k = 0; k < 3; k++) {
      CHECK_REL(mass.inertia.m[k][k], known[i].inertia * mass.mass * a * a, 1e-5);
      CHECK_NEAR(mass.inertia.m[k][(k + 1) % 3], 0, 1e-5 * mass.inertia.m[k][k]);
    }
    free_shape(shape);
  }
}

TEST(solids_do_not_depend_on_units_or_order) {
  rgVec3 points[64], other[64];
  int n = read_off("truncated-icosahedron", points, 64);
  rgShape* shape = make_hull(points, n);
  for (double scale = 1e-9; scale < 1e10; scale *= 1e3) {
    CONTEXT("scale %g", scale);
    for (int i = 0; i < n; i++)
      other[i] = v3_scale(points[(i * 7) % n], scale);
    rgShape* scaled = make_hull(other, n);
    CHECK_INT(scaled->polyhedron->face_count, 32);
    CHECK_INT(faces_of_size(scaled->polyhedron, 6), 20);
    CHECK_REL(scaled->size, scale * shape->size, 1e-12);
    CHECK_REL(scaled->extent, scale * shape->extent, 1e-12);
    free_shape(scaled);
  }
  free_shape(shape);
}

// --- many points ---------------------------------------------------------------------------------

static double highest_of(const rgVec3* points, int count, rgVec3 d) {
  double highest = -HUGE_VAL;
  for (int i = 0; i < count; i++)
    highest = v3_dot(d, points[i]) > highest ? v3_dot(d, points[i]) : highest;
  return highest;
}

// Against a visit of all vertices, in random directions, along axes, and across faces, where many
// vertices are nearly as far.
static void check_farthest(const rgPolyhedron* p, double size) {
  for (int k = 0; k < 300 + p->face_count; k++) {
    rgVec3 d = k < 6     ? v3(k % 3 == 0, k % 3 == 1, k % 3 == 2)
               : k < 300 ? random_direction()
                         : p->normals[k - 300];
    d = k < 3 ? v3_neg(d) : d;
    double height = v3_dot(d, p->vertices[rg_polyhedron_farthest(p, d)]);
    CHECK_NEAR(height, highest_of(p->vertices, p->vertex_count, d), 1e-11 * size); // of the grid
  }
}

TEST(every_point_on_a_sphere_is_a_vertex_and_the_farthest_is_found) {
  static rgVec3 points[2000];
  for (int count = 10; count <= 2000; count = count * 2 + 3) {
    CONTEXT("%d points", count);
    for (int i = 0; i < count; i++)
      points[i] = v3_add(v3(1, 2, 3), v3_scale(random_direction(), 5));
    rgShape* shape = make_hull(points, count);
    const rgPolyhedron* p = shape->polyhedron;
    // A point may vanish only when it is within 4e-5 of the hull of the others.
    CHECK(p->vertex_count >= count - 2);
    CHECK(p->neighbours != NULL || count < 100); // climbs
    check_sound(p, points, count, 1e-4, 1e-14);
    check_farthest(p, 5);
    free_shape(shape);
  }
}

TEST(climbing_finds_the_farthest_vertex) {
  static rgVec3 points[1000];
  int n = 0;
  for (int i = 0; i < 31; i++) // a globe: rings, and on them squares that are exactly planar
    for (int j = 0; j < 32; j++) {
      double latitude = (i - 15) * 0.1, longitude = j * acos(-1) / 16;
      points[n++] =
          v3(cos(latitude) * cos(longitude), 2 * cos(latitude) * sin(longitude), 3 * sin(latitude));
    }
  rgShape* shape = make_hull(points, n);
  const rgPolyhedron* p = shape->polyhedron;
  CHECK_INT(p->vertex_count, n);
  CHECK_INT(p->face_count, 30 * 32 + 2);
  CHECK_INT(faces_of_size(p, 32), 2);
  CHECK(p->neighbours != NULL);
  check_sound(p, points, n, 1e-13, 1e-13);
  check_farthest(p, 3);
  free_shape(shape);
}

TEST(climbing_is_not_misled_by_uneven_faces) {
  static rgVec3 points[1200];
  for (int trial = 0; trial < 20; trial++) {
    CONTEXT("trial %d", trial);
    int n = 0;
    for (int i = 0; i < 60; i++) // a prism with 60 sides and uneven ends, points all over them
      for (int j = 0; j < 20; j++) {
        double angle = i * acos(-1) / 30, r = j < 8 ? 1 : 0.9 * (j - 8) / 12;
        points[n++] =
            v3_axpy(v3(r * cos(angle), r * sin(angle), j < 8 ? j / 3.5 - 1 : j % 2 * 2 - 1), 3e-7,
                    random_vector());
      }
    rgShape* shape = make_hull(points, n);
    const rgPolyhedron* p = shape->polyhedron;
    CHECK_INT(p->face_count, 62);
    CHECK_INT(p->vertex_count, 120);
    CHECK(p->neighbours != NULL);
    check_sound(p, points, n, 1e-5, 1e-5);
    check_farthest(p, 1);
    free_shape(shape);
  }
}

TEST(the_hull_of_many_points_in_a_grid_is_its_box) {
  static rgVec3 points[11 * 12 * 13];
  int n = 0;
  rgQuat q = random_rotation();
  for (int i = 0; i < 11; i++)
    for (int j = 0; j < 12; j++)
      for (int k = 0; k < 13; k++)
        points[n++] = quat_rotate(q, v3(0.1 * i, 0.3 * j, 0.7 * k));
  rgShape* shape = make_hull(points, n);
  CHECK_INT(shape->polyhedron->vertex_count, 8);
  CHECK_INT(shape->polyhedron->face_count, 6);
  CHECK_NEAR(shape->size, 0.5, 1e-14);
  free_shape(shape);
}

TEST(a_prism_of_many_sides_keeps_them) {
  static rgVec3 points[2 * 1000];
  for (int sides = 3; sides <= 1000; sides = sides * 3 / 2) {
    CONTEXT("%d sides", sides);
    for (int i = 0; i < sides; i++) {
      double angle = 2 * acos(-1) * i / sides;
      points[2 * i] = v3(cos(angle), sin(angle), -1);
      points[2 * i + 1] = v3(cos(angle), sin(angle), 1);
    }
    rgShape* shape = make_hull(points, 2 * sides);
    const rgPolyhedron* p = shape->polyhedron;
    CHECK_INT(p->vertex_count, 2 * sides);
    CHECK_INT(p->face_count, sides + 2);
    check_sound(p, points, 2 * sides, 1e-12, 1e-12);
    rgMassProperties mass;
    rg_polyhedron_mass(p, &mass);
    CHECK_REL(mass.mass, sides * sin(2 * acos(-1) / sides), 1e-12);
    free_shape(shape);
  }
}

TEST(details_near_the_tolerance_still_give_a_sound_polyhedron) {
  // Caps and clouds that are curved by about as much as faces may be uneven.
  static rgVec3 points[400];
  for (int trial = 0; trial < 60; trial++) {
    double bulge = pow(10, -8 + 7.0 * (trial % 12) / 12);
    CONTEXT("trial %d, bulge %g", trial, bulge);
    int n = 0;
    for (int i = 0; i < 300; i++) {
      double x = random_between(-1, 1), y = random_between(-1, 1);
      points[n++] =
          v3(x, y, 1 - bulge * (x * x + y * y) + (trial % 2 ? 1e-7 * random_between(-1, 1) : 0));
    }
    for (int i = 0; i < 4; i++)
      points[n++] = v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, -1);
    rgShape* shape = make_hull(points, n);
    check_sound(shape->polyhedron, points, n, 1e-4, 1e-4);
    rgMassProperties mass;
    rg_polyhedron_mass(shape->polyhedron, &mass);
    CHECK(mass.mass > 6.5 && mass.mass < 8.1);
    free_shape(shape);
  }
}

// Merging may change the volume by its tolerance times the surface.
static void check_hull_volume(const rgPolyhedron* p, const rgVec3* points, int count) {
  void* scratch = aligned_alloc(64, rg_quickhull_scratch(count));
  REQUIRE(scratch != NULL);
  rgHullSurface surface;
  rgMessage message;
  REQUIRE(rg_quickhull(points, count, scratch, &surface, &message) == RG_OK);
  double volume = 0, area = 0;
  for (int t = 0; t < surface.triangle_count; t++) {
    const int* corner = surface.triangles[t].vertex;
    rgVec3 a = v3_sub(points[corner[0]], p->center), b = v3_sub(points[corner[1]], p->center);
    rgVec3 c = v3_sub(points[corner[2]], p->center);
    volume += v3_dot(a, v3_cross(b, c)) / 6;
    area += v3_norm(v3_cross(v3_sub(b, a), v3_sub(c, a))) / 2;
  }
  rgMassProperties mass;
  rg_polyhedron_mass(p, &mass);
  double tolerance = fmin(1e-5 * surface.extent, 1e-3 * surface.thickness);
  CHECK_NEAR(mass.mass, volume, 4 * tolerance * area);
  free(scratch);
}

// Point sets of which many lie on common lines and planes.
static rgVec3 degenerate_point(int kind, double divisions) {
  rgVec3 x = random_vector();
  double angle = floor(8 * x.x) * acos(-1) / 8;
  switch (kind) {
  case 0: // lattice
    return v3(floor(x.x * divisions + 0.5) / divisions, floor(x.y * divisions + 0.5) / divisions,
              floor(x.z * divisions + 0.5) / divisions);
  case 1: // lines
    return v3(floor(x.x * divisions + 0.5) / divisions, x.y,
              floor(x.z * divisions + 0.5) / divisions);
  case 2: // prism with points along its edges
    return v3(cos(angle), sin(angle), floor(3 * x.z));
  default: // sphere
    return v3_scale(x, 1 / v3_norm(x));
  }
}

TEST(degenerate_flattened_and_noisy_sets_give_sound_polyhedra) {
  rgVec3 points[64];
  int made = 0, trials = test_fast() ? 1000 : 10000;
  for (int trial = 0; trial < trials; trial++) {
    int n = 4 + trial * 7 % 60;
    double noise = trial % 7 == 0 ? 0 : pow(10, -16 + trial % 14);
    rgVec3 flatten = v3(1, pow(10, -(trial % 4)), pow(10, -2 * (trial % 3)));
    rgQuat q = trial % 2 ? random_rotation() : quat_identity();
    for (int i = 0; i < n; i++) {
      rgVec3 x = v3_mul(degenerate_point(trial / 3 % 4, 1 + trial % 5), flatten);
      points[i] = v3_add(v3(0.3, -2, 1), quat_rotate(q, v3_axpy(x, noise, random_vector())));
    }
    CONTEXT("trial %d: %d points of kind %d with noise %g", trial, n, trial / 3 % 4, noise);
    rgMessage message;
    rgShape* shape = try_hull(points, n, &message);
    if (!shape)
      continue; // all in one plane
    made++;
    // Half-widths are at most 3, the tolerance for planes 1e-5 of it; vertices on edges 4 times
    // that.
    check_sound(shape->polyhedron, points, n, 1.2e-4, 1e-11);
    check_hull_volume(shape->polyhedron, points, n);
    free_shape(shape);
  }
  CHECK(made > 0.98 * trials);
}

TEST(the_same_points_give_the_same_polyhedron) {
  rgVec3 points[60];
  for (int i = 0; i < 60; i++)
    points[i] = random_vector();
  rgShape *a = make_hull(points, 60), *b = make_hull(points, 60);
  const rgPolyhedron *p = a->polyhedron, *q = b->polyhedron;
  REQUIRE_INT(p->face_count, q->face_count);
  REQUIRE_INT(p->edge_count, q->edge_count);
  CHECK(memcmp(p->face_loop, q->face_loop, 2 * (size_t)p->edge_count * sizeof(int)) == 0);
  CHECK(memcmp(p->normals, q->normals, (size_t)p->face_count * sizeof(rgVec3)) == 0);
  CHECK(memcmp(p->edges, q->edges, (size_t)p->edge_count * sizeof *p->edges) == 0);
  free_shape(a);
  free_shape(b);
}

// --- refused -------------------------------------------------------------------------------------

static void check_refused(const rgVec3* points, int count, const char* text) {
  rgMessage message = {""};
  rgShape* shape = try_hull(points, count, &message);
  CHECK(shape == NULL);
  CHECK_STR(message.text, text);
  if (shape)
    free_shape(shape);
}

TEST(points_without_a_volume_are_refused) {
  rgVec3 points[50];
  cube_points(points, 1);
  check_refused(points, 3, "point_count is 3, must be at least 4");
  check_refused(NULL, 5, "points is NULL, must be given");

  rgVec3 a = v3(0.1, 0.2, 0.3), b = v3(0.7, -0.4, 0.9), c = v3(0.5, 0.11, 0.13);
  for (int i = 0; i < 50; i++)
    points[i] = a;
  check_refused(points, 50,
                "points lie at one place (to 1e-07 of their width), must span a volume");
  for (int i = 0; i < 50; i++)
    points[i] = v3_axpy(a, random_between(-1, 1), b);
  check_refused(points, 50, "points lie on one line (to 1e-07 of their width), must span a volume");
  for (int i = 0; i < 50; i++) {
    double u = random_between(-1, 1), v = random_between(-1, 1);
    points[i] = v3_axpy(v3_axpy(a, u, b), v, c);
  }
  check_refused(points, 50,
                "points lie in one plane (to 1e-07 of their width), must span a volume");

  points[7].y = nan("");
  rgMessage message = {""};
  CHECK(try_hull(points, 50, &message) == NULL);
  CHECK_CONTAINS(message.text, "points[7] is (");
  CHECK_CONTAINS(message.text, "must be finite");
}

TEST(sizes_beyond_the_range_of_numbers_are_refused) {
  rgVec3 points[8];
  const double halves[] = {1e300, 1e100, 1e-100, 1e-300, 5e-324};
  for (int i = 0; i < 5; i++) {
    CONTEXT("half %g", halves[i]);
    cube_points(points, halves[i]);
    rgMessage message = {""};
    rgShape* shape = try_hull(points, 8, &message);
    CHECK(shape == NULL);
    CHECK(message.text[0] != '\0');
  }
  cube_points(points, 1e50);
  free_shape(make_hull(points, 8));
  cube_points(points, 1e-50);
  free_shape(make_hull(points, 8));
}
