// distance.c - a point of A and a point of B at a distance: a rod where it is held, a rope where it
// has an upper limit, a spring or a damper between points.
//
// The distance is a free axis, held at one value unless something else is said of it. With d the
// vector between the points, |d+| - |d| = (d+ + d) . (d+ - d) / (|d+| + |d|), so that the row is
// exact with the mean vector over the mean distance.
#include "joint/joint.h"

static void rows(const rgJointPlace* place, rgJointRow* fixed, rgJointRow* axes) {
  (void)fixed;
  if (!axes)
    return;
  // Points that coincide have no direction between them: any one is as good.
  rgVec3 direction = place->distance > 0 ? v3_scale(place->between, 1 / place->distance)
                                         : v3_unit_or(place->a[0], v3(1, 0, 0));
  axes[0] = rg_joint_row_world(place, direction);
}

static void values(const rgJointPlace* place, double* fixed, double* axes) {
  (void)fixed;
  if (!axes)
    return;
  axes[0] = place->distance;
}

const rgJointInfo rg_joint_distance = {
    .name = "distance",
    .summary = "two points at a distance: rod, rope, or spring",
    .point_rows = 0,
    .fixed_count = 0,
    .axis_count = 1,
    .axes = {{"distance", false, false, RG_JOINT_ALL}},
    .rows = rows,
    .values = values,
};
