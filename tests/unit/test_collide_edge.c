// A cylinder or capsule along an edge of a box or hull, nearly parallel to it: the line of contact
// has both of its ends, whichever side of the edge rounding puts it on.
#include "collide/collide.h"

#include "support/builder.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

static const double RADIUS = 0.1, HALF_LENGTH = 0.15, HALF_PI = 1.57079632679489661923;

static rgShape* block(bool hull) {
  static const rgVec3 half = {1, 1, 0.2};
  rgVec3 points[8];
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  rgShapeDef def = hull ? rg_shape_def(RG_SHAPE_HULL) : shape_box(half);
  def.points = points;
  def.point_count = 8;
  return make_shape(def);
}

// The block's edge is at x = 1, z = 0.2, along y. The axis of the other shape is as far away as its
// radius and the gap say, at an angle from z that is less than the tilt up to which faces count as
// facing, and turned against the edge by no more than a solver leaves.
static void check_line(const rgShape* round, const rgShape* flat) {
  double tilt = random_between(1e-3, 0.19), gap = random_between(-1, 1) * 1e-6;
  double yaw = random_between(-1, 1) * pow(10, random_between(-12, -7));
  double distance = RADIUS + gap;
  rgPose pose = {
      v3(1 + distance * sin(tilt), random_between(-0.5, 0.5), 0.2 + distance * cos(tilt)),
      quat_mul(turn_about(random_direction(), yaw), turn_about(v3(1, 0, 0), HALF_PI))};
  rgPose frame = {v3_scale(random_vector(), 3), random_rotation()};
  rgManifold items[4];
  rgManifoldList list = {.items = items, .capacity = 4};
  rgPairHint hint = {v3_zero()};
  rg_collide(round, pose_mul(frame, pose), flat, frame, 1e-3, &hint, &list);
  REQUIRE_INT(list.count, 1);
  rgVec3 n = quat_unrotate(frame.orientation, items[0].normal);
  CHECK_NEAR(v3_norm(v3_sub(n, v3(sin(tilt), 0, cos(tilt)))), 0, 1e-5); // yaw over the gap
  double span = 0;
  for (int i = 1; i < items[0].count; i++)
    span = fmax(span, v3_norm(v3_sub(items[0].points[i].point_a, items[0].points[0].point_a)));
  CHECK_MSG(span >= 2 * HALF_LENGTH - 1e-6, "tilt %g, gap %g, yaw %g: %d contacts over %g m", tilt,
            gap, yaw, items[0].count, span);
  for (int i = 0; i < items[0].count; i++)
    CHECK_NEAR(items[0].points[i].gap, gap, 1e-7); // yaw times the length
}

TEST(a_line_along_an_edge_is_held_at_both_ends) {
  for (int kind = 0; kind < 4; kind++) {
    rgShape* round = make_shape(kind % 2 ? shape_cylinder(RADIUS, HALF_LENGTH)
                                         : shape_capsule(RADIUS, HALF_LENGTH));
    rgShape* flat = block(kind / 2);
    for (int i = 0; i < 1000; i++)
      check_line(round, flat);
    free_shape(round);
    free_shape(flat);
  }
}
