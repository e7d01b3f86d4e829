// Contacts on shapes with flush neighbours: which normals stand, which are replaced and by what.
//
// Two prisms S and N meet in the plane x = 0, S on the side of positive x; their tops rise from
// there with the slopes s and n. A ball or a box touches S. Every case is tried in random frames,
// with S as the first and as the second shape of the pair.
#include "collide/seam/seam.h"

#include "support/builder.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

static const double REACH = 0.05, HALF_PI = 1.57079632679489661923;

typedef struct Scene {
  rgShape *solid, *neighbour, *other;
  rgPose frame;
  rgPose solid_pose, neighbour_pose; // in the world
  rgManifold items[8];
  rgManifoldList list;
} Scene;

static bool next(const void* context, rgVec3 point, int* cursor, rgPlaced* out) {
  (void)point;
  const Scene* scene = context;
  if (*cursor > 0 || !scene->neighbour)
    return false;
  *cursor = 1;
  *out = (rgPlaced){scene->neighbour, scene->neighbour_pose};
  return true;
}

// A prism from x0 to x1 whose top has the heights z0 and z1 there.
static rgShape* prism(double x0, double x1, double z0, double z1) {
  rgVec3 points[8];
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? x1 : x0, i & 2 ? 2 : -2, i & 4 ? -1 : i & 1 ? z1 : z0);
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = 8;
  return make_shape(def);
}

static Scene begin(double slope, double neighbour_slope, double step, rgShapeDef other) {
  Scene scene = {.solid = prism(0, 2, 0, 2 * slope),
                 .neighbour = prism(-2, 0, step + 2 * neighbour_slope, step),
                 .other = make_shape(other)};
  scene.frame = (rgPose){v3_scale(random_vector(), 3), random_rotation()};
  scene.solid_pose = scene.neighbour_pose = scene.frame;
  return scene;
}

static void end(Scene* scene) {
  free_shape(scene->solid);
  free_shape(scene->neighbour);
  free_shape(scene->other);
}

// The corrected contacts of the other shape placed in the frame of the prisms; true when there are
// any. Their points and normals are given back in that frame, with normals out of the solid.
static bool touch(Scene* scene, rgPose own, bool solid_is_a, rgManifold* out) {
  rgPose pose = pose_mul(scene->frame, own);
  scene->list = (rgManifoldList){.items = scene->items, .capacity = 8};
  rgPairHint hint = {v3_zero()};
  if (solid_is_a)
    rg_collide(scene->solid, scene->solid_pose, scene->other, pose, REACH, &hint, &scene->list);
  else
    rg_collide(scene->other, pose, scene->solid, scene->solid_pose, REACH, &hint, &scene->list);
  rgSeam seam = {.solid = {scene->solid, scene->solid_pose},
                 .other = {scene->other, pose},
                 .solid_is_a = solid_is_a,
                 .reach = REACH,
                 .next = next,
                 .context = scene};
  rg_seam_correct(&seam, &scene->list);
  if (scene->list.count == 0)
    return false;
  *out = scene->items[0];
  rgVec3 n = solid_is_a ? v3_neg(out->normal) : out->normal;
  out->normal = quat_unrotate(scene->frame.orientation, n);
  for (int i = 0; i < out->count; i++) {
    rgVec3 a = pose_unapply(scene->frame, out->points[i].point_a),
           b = pose_unapply(scene->frame, out->points[i].point_b);
    out->points[i].point_a = solid_is_a ? b : a; // of the other shape
    out->points[i].point_b = solid_is_a ? a : b; // of the solid
  }
  return true;
}

static double deepest(const rgManifold* m) {
  double gap = HUGE_VAL;
  for (int i = 0; i < m->count; i++)
    gap = fmin(gap, m->points[i].gap);
  return gap;
}

static void check_normal(const rgManifold* m, double x, double z) {
  rgVec3 expected = v3_scale(v3(x, 0, z), 1 / sqrt(x * x + z * z));
  CHECK_NEAR(v3_norm(v3_sub(m->normal, expected)), 0, 1e-6); // rounding in a random frame
}

TEST(a_ball_before_a_flat_seam_does_not_touch_what_lies_beyond) {
  for (int i = 0; i < 200; i++) {
    double r = random_between(0.02, 0.5), slope = random_between(-0.5, 0.5);
    Scene scene = begin(slope, -slope, 0, shape_sphere(r));
    double along = sqrt(1 + slope * slope), at = -r * random_between(1e-3, 0.2),
           gap = 1e-3 * (random_unit() - 0.5);
    rgVec3 n = v3(-slope / along, 0, 1 / along), x = v3_axpy(v3(at, 0, at * slope), r + gap, n);
    rgManifold m;
    CHECK(!touch(&scene, pose_at(x), i % 2, &m));
    x = v3_axpy(v3(-at, 0, -at * slope), r + gap, n); // over it
    if (CHECK(touch(&scene, pose_at(x), i % 2, &m))) {
      check_normal(&m, -slope, 1);
      CHECK_NEAR(deepest(&m), gap, 1e-12);
    }
    end(&scene);
  }
}

// Deeper than it is wide, the overlap with S is least along x; the inner face pushes nobody.
TEST(a_box_over_a_seam_is_pushed_up_and_not_along_it) {
  for (int i = 0; i < 200; i++) {
    double overlap = random_between(1e-5, 2e-3), depth = overlap * random_between(1.1, 10);
    rgVec3 half = v3(0.2, 0.15, random_between(0.1, 0.3));
    Scene scene = begin(0, 0, 0, shape_box(half));
    rgManifold m;
    if (CHECK(touch(&scene, pose_at(v3(overlap - half.x, 0, half.z - depth)), i % 2, &m))) {
      check_normal(&m, 0, 1);
      CHECK_NEAR(deepest(&m), -depth, 1e-12);
      CHECK(m.count == 4);
    }
    // Before the seam there is nothing to touch yet.
    CHECK(!touch(&scene, pose_at(v3(-overlap - half.x, 0, half.z - depth)), i % 2, &m));
    end(&scene);
  }
}

// The arc of a ridge is that between the normals of the two tops.
TEST(a_ridge_pushes_between_its_faces) {
  for (int i = 0; i < 200; i++) {
    double s = random_between(-0.6, -0.1), n = random_between(-0.6, -0.1),
           r = random_between(0.05, 0.3);
    Scene scene = begin(s, n, 0, shape_sphere(r));
    double part = random_between(0.05, 0.95), gap = random_between(-1e-3, 1e-3);
    // Tangents of the angles of the normals against z: n to the left, -s to the right.
    double tilt = n + part * (-s - n), length = sqrt(1 + tilt * tilt);
    rgVec3 d = v3(tilt / length, 0, 1 / length);
    rgManifold m;
    if (CHECK(touch(&scene, pose_at(v3_scale(d, r + gap)), i % 2, &m))) {
      check_normal(&m, tilt, 1);
      CHECK_NEAR(deepest(&m), gap, 1e-12);
    }
    double beyond = n - random_between(0.01, 0.3); // over the neighbour
    length = sqrt(1 + beyond * beyond);
    d = v3(beyond / length, 0, 1 / length);
    CHECK(!touch(&scene, pose_at(v3_scale(d, r + gap)), i % 2, &m));
    end(&scene);
  }
}

// Before a hollow corner the plane of the top of S runs on inside N: the ball is as far from it as
// its height over that plane.
TEST(the_far_side_of_a_valley_is_a_plane) {
  for (int i = 0; i < 200; i++) {
    double slope = random_between(0.05, 0.5), r = random_between(0.05, 0.2),
           length = sqrt(1 + slope * slope);
    Scene scene = begin(slope, 0, 0, shape_sphere(r));
    // So far ahead of the corner that S is nearest in its edge.
    rgVec3 x = v3(-r * (slope + random_between(0.01, 0.1)), 0, r);
    double gap = (x.z - slope * x.x) / length - r;
    rgManifold m;
    bool found = touch(&scene, pose_at(x), i % 2, &m);
    CHECK_INT(found, gap <= REACH);
    if (found) {
      check_normal(&m, -slope, 1);
      CHECK_NEAR(deepest(&m), gap, 1e-9);
    }
    end(&scene);
  }
}

// A wedge along y with its edge at the origin, pointing down and to the side of `side` x.
static rgShapeDef wedge(double side, rgVec3* points) {
  double low = random_between(0.1, 0.5), high = low + random_between(0.2, 0.6);
  for (int i = 0; i < 6; i++) {
    double a = i % 3 == 1 ? low : high;
    rgVec3 across = i % 3 == 0 ? v3_zero() : v3(-0.4 * side * cos(a), 0, 0.4 * sin(a));
    points[i] = v3_add(across, v3(0, i < 3 ? -0.3 : 0.3, 0));
  }
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = 6;
  return def;
}

// The edge of a wedge in the corner of floor and wall, sunk a little into both, is pushed by both,
// whichever is S.
TEST(the_corner_of_wall_and_floor_pushes_along_both) {
  for (int i = 0; i < 400; i++) {
    bool wall = i % 2; // S is the wall and N the floor before it; else S is the floor
    rgVec3 points[6];
    Scene scene = begin(0, 0, wall ? -0.5 : 0.5, wedge(wall ? 1 : -1, points));
    double gap_floor = random_between(-1, 0.01) * pow(10, random_between(-7, -3)),
           gap_wall = random_between(-1, 0.01) * pow(10, random_between(-7, -3));
    rgVec3 edge = wall ? v3(-gap_wall, 0, -0.5 + gap_floor) : v3(gap_wall, 0, gap_floor);
    rgManifold m;
    CONTEXT("%s, gaps %g and %g", wall ? "wall" : "floor", gap_floor, gap_wall);
    if (CHECK(touch(&scene, pose_at(edge), i / 2 % 2, &m))) {
      check_normal(&m, wall ? -1 : 0, wall ? 0 : 1);
      // The contact may be where the wedge comes out of the other side of the corner; features are
      // tilted by at most 0.2.
      double off = 1e-9 + 0.25 * fabs(wall ? gap_floor : gap_wall);
      CHECK_NEAR(deepest(&m), wall ? gap_wall : gap_floor, off);
    }
    end(&scene);
  }
}

// Two round shapes of radius r about axes along y, at x = c and x = -c: they overlap, and the crease
// between them is at the height z with z^2 = r^2 - c^2. A wedge stands in it, point down.
TEST(the_crease_of_round_shapes_pushes_along_both) {
  for (int i = 0; i < 300; i++) {
    double r = 0.5, c = random_between(0.1, 0.4), z = sqrt(r * r - c * c);
    rgShapeDef round = i % 3 == 0   ? shape_sphere(r)
                       : i % 3 == 1 ? shape_capsule(r, 1)
                                    : shape_cylinder(r, 1);
    rgVec3 points[6];
    double width = random_between(0.05, 0.5) * z / c, up = 0.3;
    for (int k = 0; k < 6; k++)
      points[k] = v3((k % 3 - 1) * width * up, k < 3 ? -0.3 : 0.3, k % 3 == 1 ? 0 : up);
    rgShapeDef point_down = rg_shape_def(RG_SHAPE_HULL);
    point_down.points = points;
    point_down.point_count = 6;
    Scene scene = {.solid = make_shape(round),
                   .neighbour = make_shape(round),
                   .other = make_shape(point_down)};
    scene.frame = (rgPose){v3_scale(random_vector(), 3), random_rotation()};
    double gap = random_between(-1, 0.01) * pow(10, random_between(-7, -3));
    rgManifold m;
    CONTEXT("%s, c %g, gap %g", rg_shape_kind_name(round.kind), c, gap);
    rgQuat lying = turn_about(v3(1, 0, 0), HALF_PI);
    scene.solid_pose = pose_mul(scene.frame, (rgPose){v3(c, 0, 0), lying});
    scene.neighbour_pose = pose_mul(scene.frame, (rgPose){v3(-c, 0, 0), lying});
    if (CHECK(touch(&scene, pose_at(v3(0, 0, z + gap)), i % 2, &m))) {
      rgVec3 expected = v3(-c / r, 0, z / r);
      CHECK_NEAR(v3_norm(v3_sub(m.normal, expected)), 0, 1e-2); // it turns over the depth
      CHECK_NEAR(deepest(&m), gap * z / r, 0.01 * fabs(gap) + 1e-8);
    }
    end(&scene);
  }
}

TEST(steps_above_the_tolerance_are_real) {
  for (int i = 0; i < 200; i++) {
    double r = random_between(0.02, 0.3), rise = -random_between(3e-6, 1e-3); // N is lower
    Scene scene = begin(0, 0, rise, shape_sphere(r));
    double at = -sqrt(2 * r * -rise) - 1e-4; // the ball rolls on N towards the step
    rgVec3 x = v3(at, 0, rise + r);
    rgManifold m, alone;
    bool found = touch(&scene, pose_at(x), i % 2, &m);
    rgShape* neighbour = scene.neighbour;
    scene.neighbour = NULL;
    CHECK(found && touch(&scene, pose_at(x), i % 2, &alone));
    CHECK_NEAR(v3_norm(v3_sub(m.normal, alone.normal)), 0, 0);
    CHECK_NEAR(deepest(&m), deepest(&alone), 0);
    scene.neighbour = neighbour;
    end(&scene);
  }
}

// A small ball over the gap between shapes that count as flush is held by either.
TEST(a_ball_over_a_gap_of_rounding_is_held) {
  for (int i = 0; i < 200; i++) {
    double r = random_between(1e-3, 1e-2), tolerance = 1e-6;
    Scene scene = begin(0, 0, 0, shape_sphere(r));
    rgVec3 x = v3(-tolerance * random_between(0.05, 0.45), 0, r + 1e-5 * random_unit());
    rgManifold m;
    if (CHECK(touch(&scene, pose_at(x), i % 2, &m)))
      check_normal(&m, 0, 1);
    end(&scene);
  }
}
