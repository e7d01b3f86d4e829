// distance.c - a point of A and a point of B at a distance: a rod where it is held, a rope where it
// has an upper limit, a spring or a damper between points.
//
// The distance is a free axis, held at one value unless something else is said of it. With d the
// vector between the points, |d+| - |d| = (d+ + d) . (d+ - d) / (|d+| + |d|), so that the row is
// exact with the mean vector over the mean distance.
#include "base/message.h"
#include "joint/joint.h"

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  (void)parameters;
  (void)fixed;
  if (!axes)
    return;
  // Points that coincide have no direction between them: any one is as good.
  rgVec3 direction = place->distance > 0 ? v3_scale(place->between, 1 / place->distance)
                                         : v3_unit_or(place->a[0], v3(1, 0, 0));
  axes[0] = rg_joint_row_world(place, direction);
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  (void)parameters;
  (void)seen;
  (void)fixed;
  if (!axes)
    return;
  axes[0] = place->distance;
}

// A distance is held at `length`, by default the present one, unless something acts along its axis.
static rgStatus begin(const rgJointPlace* place, rgJointDef* def, double* seen,
                      rgMessage* message) {
  (void)seen;
  rgJointAxis* axis = &def->axes[0];
  bool free = isfinite(axis->lower) || isfinite(axis->upper) || axis->motor || axis->friction > 0 ||
              axis->stiffness > 0 || axis->damping > 0 || axis->servo || axis->effort != 0;
  if (free)
    return RG_OK;
  double length = def->parameters[0] > 0 ? def->parameters[0] : place->distance;
  if (!(length > 0))
    return rg_fail(message, RG_ERROR_INPUT,
                   "the points of a distance joint coincide: length must be > 0");
  axis->lower = axis->upper = def->parameters[0] = length;
  return RG_OK;
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  (void)parameters;
  rgVec3 direction = v3_unit_or(between->position, v3(1, 0, 0));
  between->position = v3_scale(direction, coordinates[0]);
}

const rgJointInfo rg_joint_distance = {
    .name = "distance",
    .summary = "two points at a distance: rod, rope, or spring",
    .point_rows = 0,
    .fixed_count = 0,
    .two_points = true,
    .plane = RG_JOINT_PLANE_ANY,
    .axis_count = 1,
    .axes = {{"distance", false, false, RG_JOINT_ALL}},
    .parameter_count = 1,
    .parameters = {{"length", "m", 0, HUGE_VAL, true, 0,
                    "distance that is held; default: the one at the start"}},
    .rows = rows,
    .values = values,
    .put = put,
    .begin = begin,
};
