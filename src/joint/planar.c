// planar.c - B moves in the plane of y and z of A's frame and turns about its normal, x.
#include "joint/joint.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  if (fixed) {
    fixed[0] = rg_joint_row_along(place, place->a[0]);
    rg_joint_parallel_rows(place, fixed + 1);
  }
  if (!axes)
    return;
  axes[0] = rg_joint_row_along(place, place->a[1]);
  axes[1] = rg_joint_row_along(place, place->a[2]);
  axes[2] = rg_joint_row_about(v3_unit_or(place->a[0], v3_zero()));
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  fixed[0] = v3_dot(place->between, place->a[0]);
  rg_joint_parallel_values(place, fixed + 1);
  if (!axes)
    return;
  axes[0] = v3_dot(place->between, place->a[1]);
  axes[1] = v3_dot(place->between, place->a[2]);
  axes[2] = rg_joint_turn_angle(place, seen[2]);
}

static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)parameters;
  motions[0] = (rgTwist){v3_cross(place->a[2], place->a[0]), v3_zero()};
  motions[1] = (rgTwist){v3_cross(place->a[0], place->a[1]), v3_zero()};
  motions[2] = (rgTwist){v3_zero(), place->b[0]};
  return 3;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  return (rgPose){v3(0, relative.position.y, relative.position.z),
                  rg_joint_twist_x(relative.orientation)};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  *between = (rgPose){v3(0, coordinates[0], coordinates[1]), rg_joint_about_x(coordinates[2])};
}

const rgJointInfo rg_joint_planar = {
    .name = "planar",
    .summary = "moves in a plane and turns about its normal",
    .point_rows = 1,
    .fixed_count = 3,
    .needs_axis = true,
    .slides = true,
    .axis_count = 3,
    .axes = {{"slide_y", false, false, RG_JOINT_ANY},
             {"slide_z", false, false, RG_JOINT_ANY},
             {"turn", true, true, RG_JOINT_ANY}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
