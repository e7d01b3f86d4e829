// The first overlap along a movement, against closed forms and against fine sampling.
#include "collide/sweep.h"

#include "math/trig.h"
#include "support/builder.h"
#include "support/random.h"
#include "support/shape.h"

enum { MANIFOLDS = 64 };
static rgManifold manifolds[MANIFOLDS];

static rgManifoldList empty_list(void) {
  return (rgManifoldList){.items = manifolds, .capacity = MANIFOLDS};
}

static rgSweepSide still(const rgShape* shape) {
  return (rgSweepSide){.shape = shape, .start = pose_identity(), .placed = pose_identity()};
}

static rgSweepSide moving(const rgShape* shape, rgVec3 position, rgVec3 shift, rgVec3 turn) {
  rgSweepSide side = still(shape);
  side.start.position = position;
  side.shift = shift;
  side.turn = turn;
  side.extent = shape->extent;
  return side;
}

// A ball falls by `way` onto a half-space: it is found with an overlap between half the depth and
// all of it.
TEST(a_falling_ball_is_found_at_the_depth_that_was_asked_for) {
  rgShape *ball = make_shape(shape_sphere(0.1)), *ground = make_shape(shape_halfspace());
  random_state = 1;
  for (int k = 0; k < 50; k++) {
    double gap = random_between(0, 2), way = gap + random_between(0.06, 5), depth = 0.05;
    rgSweep sweep = {moving(ball, v3(0, 0, 0.1 + gap), v3(3, 1, -way), v3(1, 2, 3)), still(ground),
                     depth};
    sweep.a.turn = random_vector();
    rgManifoldList list = empty_list();
    rgPassing passing;
    CONTEXT("gap %g, way %g", gap, way);
    REQUIRE(rg_sweep(&sweep, &list, &passing));
    CHECK(passing.found);
    double overlap = passing.part * way - gap;
    CHECK_MSG(overlap >= 0.5 * depth && overlap <= depth * (1 + 1e-9), "overlap %g", overlap);
    CHECK(list.count == 1 && list.items[0].count == 1);
    rg_sweep_refine(&sweep, &list, &passing);
    CHECK(passing.safe * way - gap < 0.5 * depth && passing.safe < passing.part);
  }
  free_shape(ball);
  free_shape(ground);
}

// A rod above the ground turns about its centre, which stays: its end is at the depth d below the
// ground at a known angle, and so at a known part of the turn. However large the Cayley vector is, the body
// turns by less than half a turn: such a movement is followed to its end as well.
TEST(the_end_of_a_turning_rod_is_found_where_it_reaches_the_ground) {
  const double length = 0.5, radius = 0.01, depth = 0.005;
  rgShape *rod = make_shape(shape_capsule(radius, length)), *ground = make_shape(shape_halfspace());
  const double turns[] = {3, 30, 1e4, 1e12};
  for (int k = 1; k < 80; k++) {
    double height = 0.02 * (k % 20) + 0.02, turn = turns[k / 20];
    rgSweep sweep = {moving(rod, v3(0, 0, height), v3_zero(), v3(0, turn, 0)), still(ground),
                     depth};
    sweep.a.start.orientation = turn_about(v3(0, 1, 0), 0.5 * RG_PI); // along x
    rgManifoldList list = empty_list();
    rgPassing passing;
    CONTEXT("height %g, turn %g", height, turn);
    REQUIRE(rg_sweep(&sweep, &list, &passing));
    REQUIRE(passing.found && list.count > 0);
    // The Cayley rotation of s turn is by the angle a with tan(a / 2) = s turn / 2.
    double tangent = 0.5 * passing.part * turn, sine = 2 * tangent / (1 + tangent * tangent),
           overlap = length * sine + radius - height;
    CHECK_MSG(overlap >= 0.5 * depth && overlap <= depth * (1 + 1e-9), "overlap %g", overlap);
    sweep.a.start.position.z = length + 1.01 * radius;
    REQUIRE(rg_sweep(&sweep, &list, &passing));
    CHECK(!passing.found);
  }
  free_shape(rod);
  free_shape(ground);
}

static double gap_at(const rgSweep* sweep, double s) {
  rgManifoldList list = empty_list();
  double gap = HUGE_VAL;
  rg_collide(sweep->a.shape, rg_sweep_pose(&sweep->a, s), sweep->b.shape,
             rg_sweep_pose(&sweep->b, s), 0, NULL, &list);
  for (int m = 0; m < list.count; m++)
    for (int i = 0; i < list.items[m].count; i++)
      gap = fmin(gap, list.items[m].points[i].gap);
  return gap;
}

// Thin shapes that turn and fly through each other: no sample of the movement before the part that is
// found is deeper than the depth, and none at all where nothing is found.
TEST(nothing_thin_is_stepped_over) {
  const rgShapeDef thin[] = {shape_box(v3(0.5, 0.01, 0.01)),
                             shape_box(v3(0.5, 0.5, 0.01)),
                             shape_ellipsoid(v3(0.5, 0.02, 0.02)),
                             shape_cylinder(0.01, 0.5),
                             shape_capsule(0.01, 0.5),
                             shape_cylinder(0.5, 0.01)};
  random_state = 9;
  int found = 0;
  for (int k = 0; k < 240; k++) {
    rgShape *a = make_shape(thin[k % 6]),
            *b = make_shape(thin[random_between(0, 6) > 3 ? 1 : k % 5]);
    rgVec3 at = v3_scale(random_direction(), random_between(0.6, 2));
    double depth = 0.005;
    rgVec3 shift = v3_axpy(v3_scale(at, random_between(-3, 0)), 0.5, random_vector());
    rgVec3 turn = v3_scale(random_vector(), 3), other = v3_scale(random_vector(), 2);
    rgSweep sweep = {moving(a, at, shift, turn), moving(b, v3_zero(), v3_zero(), other), depth};
    sweep.a.start.orientation = random_rotation();
    rgManifoldList list = empty_list();
    rgPassing passing;
    CONTEXT("trial %d", k);
    if (gap_at(&sweep, 0) > 0) {
      REQUIRE(rg_sweep(&sweep, &list, &passing));
      double end = passing.found ? passing.part : 1;
      found += passing.found;
      for (int i = 0; i <= 2000; i++) {
        double gap = gap_at(&sweep, end * i / 2000);
        CHECK_MSG(gap >= -depth * 1.01, "an overlap of %g m at %d / 2000", -gap, i);
      }
      if (passing.found)
        CHECK(gap_at(&sweep, passing.part) < -0.49 * depth);
    }
    free_shape(a);
    free_shape(b);
  }
  CHECK_MSG(found >= 40, "only %d pairs met", found);
}

// Where a material point is at another part of the movement, and back.
TEST(material_points_are_followed_along_the_movement) {
  rgShape* ball = make_shape(shape_sphere(0.1));
  random_state = 2;
  for (int k = 0; k < 50; k++) {
    rgSweepSide side = moving(ball, random_vector(), random_vector(), random_vector());
    rgVec3 x = random_vector();
    double s = random_unit();
    rgVec3 there = rg_sweep_point(&side, x, 0, s), back = rg_sweep_point(&side, there, s, 0);
    CHECK_NEAR(distance(x, back), 0, 1e-14); // rounding
    rgVec3 arm = v3_sub(x, side.start.position);
    rgVec3 moved = v3_add(v3_axpy(side.start.position, s, side.shift),
                          quat_rotate(quat_cayley(v3_scale(side.turn, s)), arm));
    CHECK_NEAR(distance(there, moved), 0, 1e-14);
  }
  free_shape(ball);
}
