// hinge.c - a ball joint whose x axes stay parallel (Cline 2002, section 4.4.1, eq. 4.7 to 4.10).
//
// The two rotational errors are products of axes, x_B . y_A = sin(gamma) cos(beta) and x_B . z_A =
// -sin(beta) in the angles of eq. 4.10: the same zeros, equal to them in first order, and their
// rate is G v exactly, which that of the angles is not.
#include "joint/joint.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  if (fixed) {
    rg_joint_point_rows(place, fixed);
    rg_joint_parallel_rows(place, fixed + 3);
  }
  if (!axes)
    return;
  axes[0] = rg_joint_row_about(v3_unit_or(place->a[0], v3_zero()));
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  rg_joint_point_values(place, fixed);
  rg_joint_parallel_values(place, fixed + 3);
  if (!axes)
    return;
  axes[0] = rg_joint_turn_angle(place, seen[0]);
}

// The mean of B's x axis: the rows are products with it.
static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)parameters;
  motions[0] = (rgTwist){v3_zero(), place->b[0]};
  return 1;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  return (rgPose){v3_zero(), rg_joint_twist_x(relative.orientation)};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  *between = (rgPose){v3_zero(), rg_joint_about_x(coordinates[0])};
}

const rgJointInfo rg_joint_hinge = {
    .name = "hinge",
    .summary = "turns about an axis",
    .point_rows = 3,
    .fixed_count = 5,
    .needs_axis = true,
    .plane = RG_JOINT_PLANE_ACROSS,
    .axis_count = 1,
    .axes = {{"turn", true, true, RG_JOINT_ANY}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
