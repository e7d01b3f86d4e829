// universal.c - a ball joint with one forbidden axis (Cline 2002, section 4.4.1): an axis fixed to A, x of
// its frame, and one fixed to B, y of its frame, stay perpendicular.
//
// The rotational error x_A . y_B is sin(gamma) cos(beta) in the angles of eq. 4.10, v_2 being x of
// A and v_1 y of B: zero where gamma is, and with a row of length 1 for every beta, where the angle
// gamma itself has none at beta = 90 degrees.
#include "joint/joint.h"
#include "math/trig.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  if (fixed) {
    rg_joint_point_rows(place, fixed);
    fixed[3] = rg_joint_row_product(place->b[1], place->a[0]);
  }
  if (!axes)
    return;
  axes[0] = rg_joint_row_about(v3_unit_or(place->a[0], v3_zero()));
  axes[1] = rg_joint_row_about(v3_unit_or(place->b[1], v3_zero()));
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  rg_joint_point_values(place, fixed);
  fixed[3] = v3_dot(place->b[1], place->a[0]);
  if (!axes)
    return;
  axes[0] = rg_joint_turn_angle(place, seen[0]);
  double turn_b = rg_atan2(v3_dot(place->a[0], place->b[2]), v3_dot(place->a[0], place->b[0]));
  axes[1] = rg_joint_continued(turn_b, seen[1]);
}

static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)parameters;
  motions[0] = (rgTwist){v3_zero(), place->a[0]};
  motions[1] = (rgTwist){v3_zero(), place->b[1]};
  return 2;
}

// With a and b half of the angles about x and y, the rotation is (cos a cos b, sin a cos b, cos a sin b,
// sin a sin b): two parallel pairs, of which the longer one has the direction.
static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  rgQuat q = relative.orientation;
  double first = q.w * q.w + q.x * q.x, second = q.y * q.y + q.z * q.z;
  double length = sqrt(fmax(first, second));
  double c = (first >= second ? q.w : q.y) / length, s = (first >= second ? q.x : q.z) / length;
  double cosine = q.w * c + q.x * s, sine = q.y * c + q.z * s;
  return (rgPose){v3_zero(), quat_unit((rgQuat){c * cosine, s * cosine, c * sine, s * sine})};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  rgQuat a = rg_joint_about_x(coordinates[0]), b = rg_joint_about_y(coordinates[1]);
  *between = (rgPose){v3_zero(), quat_mul(a, b)};
}

const rgJointInfo rg_joint_universal = {
    .name = "universal",
    .summary = "turns about an axis of A and an axis of B, perpendicular to each other",
    .point_rows = 3,
    .fixed_count = 4,
    .needs_axis = true,
    .perpendicular = true,
    .axis_count = 2,
    .axes = {{"turn_a", true, true, RG_JOINT_ALL}, {"turn_b", true, true, RG_JOINT_ALL}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
