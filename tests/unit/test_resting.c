// Faces on which parts can stand, and the quasi-static estimate.
#include "test.h"

#include <rigor/rigor.h>
#include <rigor/vec_math.h>

enum { CORNERS = 600, FACES = 200 };

// The triangles of the hull of points, from a world; returns their number.
static int hull_of(const rgVec3* points, int count, rgVec3* corners, rgVec3* center) {
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  REQUIRE(rg_world_create(&def, &world, NULL) == RG_OK);
  rgBodyDef body = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  rgBodyId id;
  rgShapeId hull;
  shape.points = points;
  shape.point_count = count;
  REQUIRE(rg_world_add_body(world, &body, &shape, 1, &id) == RG_OK);
  REQUIRE(rg_world_shapes(world, &hull, 1) == 1);
  int triangles = rg_shape_corners(world, hull, corners, CORNERS) / 3;
  *center = rg_body_mass(world, id).center;
  rg_world_destroy(world);
  return triangles;
}

static int box_points(rgVec3 half, double shear, rgVec3* points) {
  for (int i = 0; i < 8; i++) {
    double z = i & 4 ? half.z : -half.z;
    points[i] = rg_vec3((i & 1 ? half.x : -half.x) + shear * z, i & 2 ? half.y : -half.y, z);
  }
  return 8;
}

// The solid angle of a rectangle a x b at the distance d above its middle is
// 4 asin(ab / sqrt((a^2 + 4d^2)(b^2 + 4d^2))).
TEST(faces_of_boxes_have_the_solid_angle_of_rectangles) {
  static const rgVec3 halves[] = {{1, 1, 1}, {2, 1, 1}, {3, 2, 1}, {0.01, 0.3, 0.02}};
  rgVec3 points[8], corners[CORNERS], center;
  rgRestingFace faces[FACES];
  for (int i = 0; i < 4; i++) {
    double half[3] = {halves[i].x, halves[i].y, halves[i].z};
    int triangles = hull_of(points, box_points(halves[i], 0, points), corners, &center);
    REQUIRE(rg_resting_faces(corners, triangles, center, faces, FACES) == 6);
    for (int f = 0; f < 6; f++) {
      rgVec3 n = faces[f].normal;
      int axis = fabs(n.x) > 0.5 ? 0 : fabs(n.y) > 0.5 ? 1 : 2;
      double a = half[(axis + 1) % 3], b = half[(axis + 2) % 3], d = half[axis];
      double angle = 4 * asin(a * b / sqrt((a * a + d * d) * (b * b + d * d)));
      CHECK_REL(faces[f].angle, angle, 1e-12);
      CHECK_REL(faces[f].likelihood, angle / (4 * RG_PI), 1e-12);
      CHECK_REL(faces[f].height, d, 1e-12);
      CHECK_REL(faces[f].margin, fmin(a, b), 1e-12);
      CHECK_INT(faces[f].end, f);
    }
  }
}

// A column that leans by more than half its width over its height tips from both ends, onto the side
// to which its centre leans.
TEST(columns_that_lean_too_far_tip_from_their_ends) {
  rgVec3 points[8], corners[CORNERS], center;
  rgRestingFace faces[FACES];
  for (double shear = 0.07; shear < 0.8; shear += 0.1) {
    // With half widths 1 and half height 4 the foot is 4 shear from the middle of an end.
    int triangles = hull_of(points, box_points(rg_vec3(1, 1, 4), shear, points), corners, &center);
    REQUIRE(rg_resting_faces(corners, triangles, center, faces, FACES) == 6);
    double sum = 0;
    for (int f = 0; f < 6; f++) {
      sum += faces[f].likelihood;
      if (fabs(faces[f].normal.z) < 0.9)
        continue;
      CHECK_NEAR(faces[f].margin, 1 - 4 * shear, 1e-12);
      CHECK_INT(faces[f].end == f, 4 * shear < 1);
      CHECK((faces[f].likelihood > 0) == (4 * shear < 1));
      if (4 * shear > 1) // onto the side that faces the way it leans, and down
        CHECK(faces[faces[f].end].normal.x * faces[f].normal.z < 0);
    }
    CHECK_NEAR(sum, 1, 1e-12);
  }
}

// The triangles of a gyrobifastigium stand on their edges with the squares: the centre of mass is above
// these edges. Two prisms with squares of the side 2 for their common base, turned by a right angle.
TEST(a_centre_above_an_edge_does_not_stand) {
  double h = sqrt(3);
  const rgVec3 points[] = {{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0},
                           {1, 0, h}, {-1, 0, h}, {0, 1, -h}, {0, -1, -h}};
  rgVec3 corners[CORNERS], center;
  rgRestingFace faces[FACES];
  int triangles = hull_of(points, 8, corners, &center), stable = 0;
  REQUIRE(rg_resting_faces(corners, triangles, center, faces, FACES) == 8);
  for (int f = 0; f < 8; f++) {
    bool triangle = fabs(faces[f].normal.z) < 0.1; // these are vertical
    CHECK_INT(faces[f].end == f, !triangle);
    stable += faces[f].end == f;
  }
  CHECK_INT(stable, 4);
}

// Of any hull: the faces cover the whole sphere, the likelihoods make one, the lowest face is stable,
// and tipping never lifts the centre.
TEST(likelihoods_of_random_hulls_make_one) {
  rgVec3 points[40], corners[CORNERS], center;
  rgRestingFace faces[FACES];
  for (uint64_t hull = 0; hull < 60; hull++) {
    int count = 4 + (int)(hull % 36);
    for (int i = 0; i < count; i++)
      points[i] = rg_vec3(3 * rg_draw_normal(1, hull, (uint32_t)(3 * i)),
                          rg_draw_normal(1, hull, (uint32_t)(3 * i + 1)),
                          0.5 * rg_draw_normal(1, hull, (uint32_t)(3 * i + 2)));
    int triangles = hull_of(points, count, corners, &center);
    int number = rg_resting_faces(corners, triangles, center, faces, FACES), lowest = 0;
    REQUIRE(number >= 4 && number <= FACES);
    double angle = 0, sum = 0;
    for (int f = 0; f < number; f++) {
      angle += faces[f].angle;
      sum += faces[f].likelihood;
      lowest = faces[f].height < faces[lowest].height ? f : lowest;
      CHECK(faces[faces[f].end].height <= faces[f].height);
      CHECK((faces[f].likelihood > 0) == (faces[f].end == f));
      CHECK((faces[f].margin < 0) == (faces[f].next != f));
      CHECK(faces[faces[f].end].margin >= 0);
    }
    CHECK_NEAR(angle, 4 * RG_PI, 1e-10);
    CHECK_NEAR(sum, 1, 1e-10);
    CHECK_INT(faces[lowest].end, lowest);
  }
}

// The estimate by chance instead of by solid angles: rays from the centre in random directions hit the
// faces as often as the estimate says, to four deviations.
TEST(rays_from_the_centre_hit_faces_as_often_as_their_solid_angles_say) {
  enum { RAYS = 20000 };
  rgVec3 points[12], corners[CORNERS], center;
  rgRestingFace faces[FACES];
  int hits[FACES] = {0};
  for (int i = 0; i < 12; i++)
    points[i] = rg_vec3(2 * rg_draw_unit(2, 0, (uint32_t)(3 * i)),
                        rg_draw_unit(2, 0, (uint32_t)(3 * i + 1)),
                        rg_draw_unit(2, 0, (uint32_t)(3 * i + 2)));
  int triangles = hull_of(points, 12, corners, &center);
  int number = rg_resting_faces(corners, triangles, center, faces, FACES);
  for (uint64_t ray = 0; ray < RAYS; ray++) {
    rgVec3 d = rg_quat_rotate(rg_draw_rotation(3, ray, 0), rg_vec3(0, 0, 1));
    int first = 0;
    double least = HUGE_VAL;
    for (int f = 0; f < number; f++) {
      double along = rg_vec3_dot(d, faces[f].normal);
      if (along > 0 && faces[f].height / along < least) {
        least = faces[f].height / along;
        first = f;
      }
    }
    hits[first]++;
  }
  for (int f = 0; f < number; f++) {
    double p = faces[f].angle / (4 * RG_PI);
    CHECK_NEAR((double)hits[f] / RAYS, p, 4 * sqrt(p * (1 - p) / RAYS) + 1e-12);
  }
}
