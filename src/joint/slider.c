// slider.c - B moves along the x axis of A's frame and does not turn against it.
#include "joint/joint.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  if (fixed) {
    fixed[0] = rg_joint_row_along(place, place->a[1]);
    fixed[1] = rg_joint_row_along(place, place->a[2]);
    rg_joint_aligned_rows(place, fixed + 2);
  }
  if (!axes)
    return;
  axes[0] = rg_joint_row_along(place, place->a[0]);
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  (void)seen;
  fixed[0] = v3_dot(place->between, place->a[1]);
  fixed[1] = v3_dot(place->between, place->a[2]);
  rg_joint_aligned_values(place, fixed + 2);
  if (!axes)
    return;
  axes[0] = v3_dot(place->between, place->a[0]);
}

static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)parameters;
  motions[0] = (rgTwist){v3_cross(place->a[1], place->a[2]), v3_zero()};
  return 1;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  return (rgPose){v3(relative.position.x, 0, 0), quat_identity()};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  *between = (rgPose){v3(coordinates[0], 0, 0), quat_identity()};
}

const rgJointInfo rg_joint_slider = {
    .name = "slider",
    .summary = "moves along an axis without turning",
    .point_rows = 2,
    .fixed_count = 5,
    .needs_axis = true,
    .plane = RG_JOINT_PLANE_WITHIN,
    .slides = true,
    .axis_count = 1,
    .axes = {{"slide", false, false, RG_JOINT_ANY}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
