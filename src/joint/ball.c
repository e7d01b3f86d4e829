// ball.c - a point of A and a point of B stay together (Cline 2002, section 4.4.1, eq. 4.1 to 4.6).
//
// Free: three turns, about the axes of A's frame, with the rotation vector of B against A as
// coordinates, so that equal springs on all three pull straight back; and the swing, the angle
// between the two x axes, which can only be limited (a cone).
#include "joint/joint.h"
#include "math/trig.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  if (fixed)
    rg_joint_point_rows(place, fixed);
  if (!axes)
    return;
  for (int i = 0; i < 3; i++)
    axes[i] = rg_joint_row_about(v3_unit_or(place->a[i], v3_zero()));
  // The swing grows about the common normal of the two axes; where they coincide, about any.
  rgVec3 other = v3_unit_or(place->a[2], v3(0, 0, 1));
  axes[3] = rg_joint_row_about(v3_unit_or(v3_cross(place->a[0], place->b[0]), other));
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  (void)seen;
  rg_joint_point_values(place, fixed);
  if (!axes)
    return;
  double sine[3];
  rg_joint_aligned_values(place, sine);
  double trace = v3_dot(place->a[0], place->b[0]) + v3_dot(place->a[1], place->b[1]) +
                 v3_dot(place->a[2], place->b[2]);
  double length = sqrt(sine[0] * sine[0] + sine[1] * sine[1] + sine[2] * sine[2]);
  double angle = rg_atan2(length, 0.5 * (trace - 1));
  double factor = length > 0 ? angle / length : 1;
  for (int i = 0; i < 3; i++)
    axes[i] = factor * sine[i];
  axes[3] = rg_atan2(v3_norm(v3_cross(place->a[0], place->b[0])), v3_dot(place->a[0], place->b[0]));
}

static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)place;
  (void)parameters;
  for (int i = 0; i < 3; i++)
    motions[i] = (rgTwist){v3_zero(), v3(i == 0, i == 1, i == 2)};
  return 3;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  return (rgPose){v3_zero(), relative.orientation};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  rgVec3 turn = v3(coordinates[0], coordinates[1], coordinates[2]);
  double angle = v3_norm(turn);
  rgVec3 axis = v3_scale(turn, angle > 0 ? rg_sin(0.5 * angle) / angle : 0.5);
  *between = (rgPose){v3_zero(), quat_unit((rgQuat){rg_cos(0.5 * angle), axis.x, axis.y, axis.z})};
}

const rgJointInfo rg_joint_ball = {
    .name = "ball",
    .summary = "turns in every way about a point",
    .point_rows = 3,
    .points_only = true,
    .fixed_count = 3,
    .plane = RG_JOINT_PLANE_ANY,
    .axis_count = 4,
    .axes = {{"turn_x", true, false, RG_JOINT_FORCES},
             {"turn_y", true, false, RG_JOINT_FORCES},
             {"turn_z", true, false, RG_JOINT_FORCES},
             {"swing", true, false, RG_JOINT_LIMITS}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
