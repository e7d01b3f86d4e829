// Contacts of hulls of many corners: few, and no corner that is left out sinks far.
#include "collide/collide.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

enum { MANIFOLDS = 4, TRIALS = 60 };

// Half axes [m] of an ellipsoid that the hulls are inscribed in, and its largest radius of curvature.
static const rgVec3 AXES = {0.5, 0.4, 0.3};
static const double RADIUS = 0.5 * 0.5 / 0.3;

static rgShape* fine_hull(int count) {
  rgVec3* points = malloc((size_t)count * sizeof *points);
  double turn = acos(-1) * (3 - sqrt(5));
  for (int i = 0; i < count; i++) {
    double z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
    points[i] = v3_mul(AXES, v3(r * cos(turn * i), r * sin(turn * i), z));
  }
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  rgShape* shape = make_shape(def);
  free(points);
  return shape;
}

static rgPose pose_at(rgVec3 position) {
  rgQuat q = {random_between(-1, 1), random_between(-1, 1), random_between(-1, 1),
              random_between(-1, 1)};
  return (rgPose){position, quat_unit(q)};
}

static rgVec3 vertex_at(const rgShape* shape, rgPose pose, int i) {
  return v3_add(pose.position, quat_rotate(pose.orientation, shape->polyhedron->vertices[i]));
}

static rgVec3 lowest_corner(const rgShape* shape, rgPose pose) {
  rgVec3 least = v3(0, 0, HUGE_VAL);
  for (int i = 0; i < shape->polyhedron->vertex_count; i++) {
    rgVec3 x = vertex_at(shape, pose, i);
    least = x.z < least.z ? x : least;
  }
  return least;
}

static double lowest_vertex(const rgShape* shape, rgPose pose) {
  return lowest_corner(shape, pose).z;
}

// Moves the body as a step may: it turns by w, and comes down until the first contact is closed.
// Returns how deep the lowest corner then is, of a motion that is linear in w.
static double sinks(const rgShape* shape, rgPose pose, const rgManifold* contacts, rgVec3 w) {
  double down = HUGE_VAL, depth = -HUGE_VAL;
  for (int k = 0; k < contacts->count; k++) {
    rgVec3 arm = v3_sub(contacts->points[k].point_a, pose.position);
    down = fmin(down, contacts->points[k].gap + v3_cross(w, arm).z);
  }
  for (int i = 0; i < shape->polyhedron->vertex_count; i++) {
    rgVec3 x = vertex_at(shape, pose, i);
    depth = fmax(depth, down - x.z - v3_cross(w, v3_sub(x, pose.position)).z);
  }
  return depth;
}

// The lowest point of the ellipsoid: A^2 n / |A n| for the direction n that is down in its frame.
static rgVec3 lowest_point(rgPose pose) {
  rgVec3 n = quat_unrotate(pose.orientation, v3(0, 0, -1)), scaled = v3_mul(AXES, n);
  rgVec3 x = v3_scale(v3_mul(AXES, scaled), 1 / v3_norm(scaled));
  return v3_add(pose.position, quat_rotate(pose.orientation, x));
}

// Let x be the lowest point of the ellipsoid and q the lowest corner. The ellipsoid is inside a ball
// of its largest radius of curvature R that touches it in x (Blaschke): a corner p is higher above x
// than |p - x|^2 / (2 R). While q does not sink, p sinks by no more than
//     gap_q - gap_p + f |p - q| <= (q - x)_z + f |q - x| + f |p - x| - |p - x|^2 / (2 R)
//                               <= (q - x)_z + f |q - x| + f^2 R / 2.
TEST(a_corner_left_out_of_a_contact_with_the_ground_sinks_by_the_square_of_the_turn) {
  static const int sizes[] = {800, 3000, 7000};
  rgShape* ground = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  for (int n = 0; n < (test_fast() ? 1 : 3); n++) {
    rgShape* hull = fine_hull(sizes[n]);
    for (int trial = 0; trial < TRIALS; trial++) {
      double reach = pow(10, random_between(-3, -1.3)), angle = reach / hull->extent;
      CONTEXT("%d corners, trial %d, reach %g", sizes[n], trial, reach);
      rgPose pose = pose_at(v3_zero());
      pose.position.z = random_between(-0.2, 0.5) * reach - lowest_vertex(hull, pose);
      rgManifold manifolds[MANIFOLDS];
      rgManifoldList list = {.items = manifolds, .capacity = MANIFOLDS, .coarseness = 1e-7};
      rgPairHint hint = {0};
      rg_collide(hull, pose, ground, (rgPose){.orientation = {1, 0, 0, 0}}, reach, &hint, &list);
      REQUIRE(list.count == 1);
      CHECK(manifolds[0].count >= 1 && manifolds[0].count <= RG_MANIFOLD_MAX);
      rgVec3 w = v3_scale(random_direction(), angle);
      rgVec3 from = v3_sub(lowest_corner(hull, pose), lowest_point(pose));
      double most = from.z + angle * v3_norm(from) + angle * angle * RADIUS / 2;
      CHECK(sinks(hull, pose, &manifolds[0], w) <= most);
      double lowest = HUGE_VAL; // the deepest corner is a contact
      for (int k = 0; k < manifolds[0].count; k++)
        lowest = fmin(lowest, manifolds[0].points[k].gap);
      CHECK_NEAR(lowest, lowest_vertex(hull, pose), 1e-14); // rounding of a pose
    }
    free_shape(hull);
  }
  free_shape(ground);
}

// A cap of a smooth body touches in a triangle about its deepest corner, or in less where the step
// cannot turn it that far. Fewer corners than are within reach are fine where some are redundant.
TEST(contacts_with_the_ground_become_no_more_as_a_hull_becomes_finer) {
  static const int sizes[] = {152, 802, 3000, 7000};
  rgShape* ground = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  for (int n = 0; n < 4; n++) {
    rgShape* hull = fine_hull(sizes[n]);
    for (int trial = 0; trial < TRIALS; trial++) {
      CONTEXT("%d corners, trial %d", sizes[n], trial);
      rgPose pose = pose_at(v3_zero());
      double reach = random_between(1e-3, 0.05);
      pose.position.z = -lowest_vertex(hull, pose);
      int within = 0;
      for (int i = 0; i < sizes[n]; i++)
        within += vertex_at(hull, pose, i).z <= reach;
      rgManifold manifolds[MANIFOLDS];
      rgManifoldList list = {.items = manifolds, .capacity = MANIFOLDS, .coarseness = 1e-7};
      rgPairHint hint = {0};
      rg_collide(hull, pose, ground, (rgPose){.orientation = {1, 0, 0, 0}}, reach, &hint, &list);
      REQUIRE(list.count == 1);
      if (within > RG_MANIFOLD_MAX)
        CHECK(manifolds[0].count >= 1 && manifolds[0].count <= 4);
      else
        CHECK(manifolds[0].count <= within);
    }
    free_shape(hull);
  }
  free_shape(ground);
}

// A prism of 64 sides stands on its base: all corners of the base are kept, in several manifolds, so that in
// no direction they are less wide than the base.
TEST(all_corners_of_one_face_stay) {
  enum { SIDES = 64 };
  rgVec3 points[2 * SIDES];
  for (int i = 0; i < 2 * SIDES; i++) {
    double angle = 2 * acos(-1) * (i / 2 + 0.3) / SIDES;
    points[i] = v3(cos(angle), sin(angle), i % 2 ? 0.5 : -0.5);
  }
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = 2 * SIDES;
  rgShape *prism = make_shape(def), *ground = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  rgManifold manifolds[MANIFOLDS];
  rgManifoldList list = {.items = manifolds, .capacity = MANIFOLDS, .coarseness = 1e-6};
  rgPairHint hint = {0};
  rg_collide(prism, (rgPose){v3(0, 0, 0.5), {1, 0, 0, 0}}, ground,
             (rgPose){.orientation = {1, 0, 0, 0}}, 0.003, &hint, &list);
  int count = 0;
  for (int m = 0; m < list.count; m++)
    count += manifolds[m].count;
  CHECK_INT(count, SIDES);
  for (int k = 0; k < 360; k++) {
    double angle = k * acos(-1) / 180, width = 0;
    for (int m = 0; m < list.count; m++)
      for (int i = 0; i < manifolds[m].count; i++) {
        rgVec3 x = manifolds[m].points[i].point_a;
        width = fmax(width, x.x * cos(angle) + x.y * sin(angle));
      }
    CHECK(width >= cos(acos(-1) / SIDES));
  }
  free_shape(prism);
  free_shape(ground);
}

// Contacts that are nearly one make a problem hard: none is nearer to another than 2 % of the
// half-width.
TEST(contacts_of_fine_hulls_keep_apart) {
  rgShape* hull = fine_hull(3000);
  int touching = 0;
  for (int trial = 0; trial < 4 * TRIALS; trial++) {
    CONTEXT("trial %d", trial);
    rgPose a = pose_at(v3_zero()), b = pose_at(v3_scale(random_direction(), 0.75));
    rgManifold manifolds[MANIFOLDS];
    rgManifoldList list = {.items = manifolds, .capacity = MANIFOLDS, .coarseness = 1e-7};
    rgPairHint hint = {0};
    rg_collide(hull, a, hull, b, 0.02, &hint, &list);
    for (int m = 0; m < list.count; m++) {
      touching++;
      for (int i = 0; i < manifolds[m].count; i++)
        for (int j = 0; j < i; j++)
          CHECK(v3_norm(v3_sub(manifolds[m].points[i].point_a, manifolds[m].points[j].point_a)) >=
                0.02 * hull->size);
    }
  }
  CHECK(touching > TRIALS / 2);
  free_shape(hull);
}
