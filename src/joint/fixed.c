// fixed.c - two bodies as one.
#include "joint/joint.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  (void)axes;
  if (!fixed)
    return;
  rg_joint_point_rows(place, fixed);
  rg_joint_aligned_rows(place, fixed + 3);
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  (void)seen;
  (void)axes;
  rg_joint_point_values(place, fixed);
  rg_joint_aligned_values(place, fixed + 3);
}

static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  (void)place;
  (void)parameters;
  (void)motions;
  return 0;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  (void)parameters;
  (void)seen;
  (void)relative;
  return pose_identity();
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  (void)coordinates;
  *between = pose_identity();
}

const rgJointInfo rg_joint_fixed = {
    .name = "fixed",
    .summary = "does not move: a weld",
    .point_rows = 3,
    .fixed_count = 6,
    .plane = RG_JOINT_PLANE_ANY,
    .axis_count = 0,
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
};
