// rows.c - what joints are built of: placements, and rows with their values.
#include "joint/joint.h"
#include "math/trig.h"

void rg_joint_place_frames(const rgPose* a, const rgPose* b, rgVec3 center_a, rgVec3 center_b,
                           rgJointPlace* out) {
  rg_joint_place_points(a->position, b->position, center_a, center_b, out);
  out->turn = (rgJointTurn){0, 0, 0};
  rgMat3 axes_a = m3_from_quat(a->orientation), axes_b = m3_from_quat(b->orientation);
  for (int i = 0; i < 3; i++) {
    out->a[i] = m3_column(&axes_a, i);
    out->b[i] = m3_column(&axes_b, i);
  }
}

rgJointPlace rg_joint_place(rgPose a, rgPose b, rgVec3 center_a, rgVec3 center_b) {
  rgJointPlace place;
  rg_joint_place_frames(&a, &b, center_a, center_b, &place);
  return place;
}

// The mean of B's turn about A's x axis. With c and s the products whose angle it is (see
// rg_joint_turn_row), the change of the angle is atan2(S, C), where S = s+ c - c+ s and C = c+ c +
// s+ s.
rgJointTurn rg_joint_mean_turn(const rgJointPlace* start, const rgJointPlace* end) {
  double c0 = v3_dot(start->b[1], start->a[1]), s0 = v3_dot(start->b[1], start->a[2]);
  double c1 = v3_dot(end->b[1], end->a[1]), s1 = v3_dot(end->b[1], end->a[2]);
  double sine = s1 * c0 - c1 * s0, cosine = c1 * c0 + s1 * s0;
  double factor = sine != 0 ? rg_atan2(sine, cosine) / sine : cosine > 0 ? 1 / cosine : 1;
  return (rgJointTurn){0.5 * (c0 + c1), 0.5 * (s0 + s1), factor};
}

void rg_joint_mean_place(const rgJointInfo* info, const rgJointPlace* start, bool points,
                         rgJointPlace* end) {
  if (info->exact_turn)
    end->turn = rg_joint_mean_turn(start, end);
  end->arm_a = v3_lerp(start->arm_a, end->arm_a, 0.5);
  end->arm_b = v3_lerp(start->arm_b, end->arm_b, 0.5);
  end->between = v3_lerp(start->between, end->between, 0.5);
  end->distance = 0.5 * (start->distance + end->distance);
  for (int i = 0; i < 3 && !points; i++) {
    end->a[i] = v3_lerp(start->a[i], end->a[i], 0.5);
    end->b[i] = v3_lerp(start->b[i], end->b[i], 0.5);
  }
}

rgJointRow rg_joint_row_world(const rgJointPlace* place, rgVec3 direction) {
  return (rgJointRow){{v3_neg(direction), v3_cross(direction, place->arm_a)},
                      {direction, v3_cross(place->arm_b, direction)}};
}

rgJointRow rg_joint_row_along(const rgJointPlace* place, rgVec3 direction) {
  rgVec3 arm = v3_add(place->arm_a, place->between);
  return (rgJointRow){{v3_neg(direction), v3_cross(direction, arm)},
                      {direction, v3_cross(place->arm_b, direction)}};
}

rgJointRow rg_joint_row_about(rgVec3 axis) {
  return (rgJointRow){{v3_zero(), v3_neg(axis)}, {v3_zero(), axis}};
}

void rg_joint_point_rows(const rgJointPlace* place, rgJointRow* rows) {
  rows[0] = rg_joint_row_world(place, v3(1, 0, 0));
  rows[1] = rg_joint_row_world(place, v3(0, 1, 0));
  rows[2] = rg_joint_row_world(place, v3(0, 0, 1));
}

void rg_joint_point_values(const rgJointPlace* place, double* values) {
  values[0] = place->between.x;
  values[1] = place->between.y;
  values[2] = place->between.z;
}

void rg_joint_parallel_rows(const rgJointPlace* place, rgJointRow* rows) {
  rows[0] = rg_joint_row_product(place->b[0], place->a[1]);
  rows[1] = rg_joint_row_product(place->b[0], place->a[2]);
}

void rg_joint_parallel_values(const rgJointPlace* place, double* values) {
  values[0] = v3_dot(place->b[0], place->a[1]);
  values[1] = v3_dot(place->b[0], place->a[2]);
}

// The axial vector of the relative rotation, sin(angle) times its axis.
void rg_joint_aligned_rows(const rgJointPlace* place, rgJointRow* rows) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    rgVec3 twice = v3_sub(v3_cross(place->b[j], place->a[k]), v3_cross(place->b[k], place->a[j]));
    rows[i] = rg_joint_row_about(v3_scale(twice, 0.5));
  }
}

void rg_joint_aligned_values(const rgJointPlace* place, double* values) {
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    values[i] = 0.5 * (v3_dot(place->b[j], place->a[k]) - v3_dot(place->b[k], place->a[j]));
  }
}

// Whether the rows of directions hold on the wrong side: x axes that point against each other, or orientations that
// differ by more than a right angle.
static bool is_turned_round(const rgJointPlace* place, int rows) {
  double x = v3_dot(place->a[0], place->b[0]);
  if (rows == 2)
    return x < 0;
  return rows == 3 && x + v3_dot(place->a[1], place->b[1]) + v3_dot(place->a[2], place->b[2]) < 1;
}

void rg_joint_lead_back(const rgJointInfo* info, const rgJointPlace* place, double* values) {
  int rows = info->fixed_count - info->point_rows;
  if (!is_turned_round(place, rows))
    return;
  double* sines = values + info->point_rows;
  double sum = 0;
  for (int i = 0; i < rows; i++)
    sum += sines[i] * sines[i];
  double sine = sqrt(sum);
  for (int i = 0; i < rows; i++)
    sines[i] *= sine > 0 ? 1 - 2 / sine : 0;
  if (!(sine > 0))
    sines[0] = -2;
}

rgQuat rg_joint_twist_x(rgQuat q) {
  rgQuat twist = {q.w, q.x, 0, 0};
  return quat_norm2(twist) > 0 ? quat_unit(twist) : quat_identity();
}

double rg_joint_continued(double angle, double seen) {
  double turns = (seen - angle) / (2 * RG_PI);
  return angle + 2 * RG_PI * floor(turns + 0.5);
}

double rg_joint_turn_angle(const rgJointPlace* place, double seen) {
  double angle = rg_atan2(v3_dot(place->b[1], place->a[2]), v3_dot(place->b[1], place->a[1]));
  return rg_joint_continued(angle, seen);
}

// The angle is that of c = b_y . a_y and s = b_y . a_z, products with exact rows. Its change over a
// step has the sine
//
//     S = s+ c - c+ s = mean(c) (s+ - s) - mean(s) (c+ - c),
//
// linear in the changes of c and s, so that the row of S, made of their rows, is exact, and so is
// that of the angle, which is this one times angle / S. Where start and end coincide, the factor is
// 1 / (c^2 + s^2) and the row the derivative of the angle.
rgJointRow rg_joint_turn_row(const rgJointPlace* place) {
  rgJointTurn turn = place->turn;
  if (turn.factor == 0) {
    turn.cosine = v3_dot(place->b[1], place->a[1]);
    turn.sine = v3_dot(place->b[1], place->a[2]);
    turn.factor = 1 / (turn.cosine * turn.cosine + turn.sine * turn.sine);
  }
  rgVec3 across = v3_sub(v3_scale(place->a[2], turn.cosine), v3_scale(place->a[1], turn.sine));
  return rg_joint_row_product(place->b[1], v3_scale(across, turn.factor));
}

rgQuat rg_joint_about_x(double angle) {
  return (rgQuat){rg_cos(0.5 * angle), rg_sin(0.5 * angle), 0, 0};
}

rgQuat rg_joint_about_y(double angle) {
  return (rgQuat){rg_cos(0.5 * angle), 0, rg_sin(0.5 * angle), 0};
}
