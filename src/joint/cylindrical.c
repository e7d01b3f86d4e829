// cylindrical.c - B moves along the x axis of A's frame and turns about it.
#include "joint/joint.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  if (fixed) {
    fixed[0] = rg_joint_row_along(place, place->a[1]);
    fixed[1] = rg_joint_row_along(place, place->a[2]);
    rg_joint_parallel_rows(place, fixed + 2);
  }
  if (!axes)
    return;
  axes[0] = rg_joint_row_along(place, place->a[0]);
  axes[1] = rg_joint_row_about(v3_unit_or(place->a[0], v3_zero()));
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  fixed[0] = v3_dot(place->between, place->a[1]);
  fixed[1] = v3_dot(place->between, place->a[2]);
  rg_joint_parallel_values(place, fixed + 2);
  if (!axes)
    return;
  axes[0] = v3_dot(place->between, place->a[0]);
  axes[1] = rg_joint_turn_angle(place, seen[1]);
}

static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)parameters;
  motions[0] = (rgTwist){v3_cross(place->a[1], place->a[2]), v3_zero()};
  motions[1] = (rgTwist){v3_zero(), place->b[0]};
  return 2;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  return (rgPose){v3(relative.position.x, 0, 0), rg_joint_twist_x(relative.orientation)};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  *between = (rgPose){v3(coordinates[0], 0, 0), rg_joint_about_x(coordinates[1])};
}

const rgJointInfo rg_joint_cylindrical = {
    .name = "cylindrical",
    .summary = "moves along an axis and turns about it",
    .point_rows = 2,
    .fixed_count = 4,
    .needs_axis = true,
    .slides = true,
    .axis_count = 2,
    .axes = {{"slide", false, false, RG_JOINT_ANY}, {"turn", true, true, RG_JOINT_ANY}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
