// screw.c - B turns about the x axis of A's frame and moves along it by `lead` in a full turn, as a
// nut on a thread: right-handed where the lead is positive, a hinge where it is zero.
//
// With x the way along the axis and phi the angle about it, counted on beyond full turns, the
// coupling
//
//     x - lead / (2 pi) phi = 0
//
// is a length. x is a product of vectors, and the row of phi is exact as well (rows.c), so that a
// step changes the coupling by what its row says, whatever the size of the turn: it does not drift,
// and its force does no work at theta = 1/2. Turns of pi and more in a step are beyond it, since
// phi is then not known.
#include "joint/joint.h"
#include "math/trig.h"

// [m/rad] way along the axis per angle.
static double pitch_of(const double* parameters) { return parameters[0] / (2 * RG_PI); }

static void fixed_rows(const rgJointPlace* place, const double* parameters, const rgJointRow* turn,
                       rgJointRow* fixed) {
  rgJointRow slide = rg_joint_row_along(place, place->a[0]);
  double pitch = pitch_of(parameters);
  fixed[0] = rg_joint_row_along(place, place->a[1]);
  fixed[1] = rg_joint_row_along(place, place->a[2]);
  fixed[2] = slide;
  fixed[2].g_a.angular = v3_axpy(slide.g_a.angular, -pitch, turn->g_a.angular);
  fixed[2].g_b.angular = v3_axpy(slide.g_b.angular, -pitch, turn->g_b.angular);
  rg_joint_parallel_rows(place, fixed + 3);
}

static void rows(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
                 rgJointRow* axes) {
  rgJointRow turn = rg_joint_turn_row(place);
  if (fixed)
    fixed_rows(place, parameters, &turn, fixed);
  if (axes)
    axes[0] = turn;
}

static void values(const rgJointPlace* place, const double* parameters, const double* seen,
                   double* fixed, double* axes) {
  double turn = rg_joint_turn_angle(place, seen[0]);
  fixed[0] = v3_dot(place->between, place->a[1]);
  fixed[1] = v3_dot(place->between, place->a[2]);
  fixed[2] = v3_dot(place->between, place->a[0]) - pitch_of(parameters) * turn;
  rg_joint_parallel_values(place, fixed + 3);
  if (!axes)
    return;
  axes[0] = turn;
}

// Where B stands along the thread says how many turns it has made.
static rgStatus begin(const rgJointPlace* place, rgJointDef* def, double* seen,
                      rgMessage* message) {
  (void)message;
  double turn = v3_dot(place->between, place->a[0]) / pitch_of(def->parameters);
  if (isfinite(turn))
    seen[0] = turn;
  return RG_OK;
}

// A turn s b_x goes with a shift c (a_y x a_z): c a_x . (a_y x a_z) = pitch s (t . b_x), t being the row
// of the angle.
static int motions(const rgJointPlace* place, const double* parameters, rgTwist* motions) {
  rgVec3 along = v3_cross(place->a[1], place->a[2]);
  double turn = v3_dot(rg_joint_turn_row(place).g_b.angular, place->b[0]);
  double part = pitch_of(parameters) * turn / v3_dot(place->a[0], along);
  motions[0] = (rgTwist){v3_scale(along, part), place->b[0]};
  return 1;
}

static rgPose closed(rgPose relative, const double* parameters, const double* seen) {
  rgQuat twist = rg_joint_twist_x(relative.orientation);
  double turn = rg_joint_continued(2 * rg_atan2(twist.x, twist.w), seen[0]);
  return (rgPose){v3(pitch_of(parameters) * turn, 0, 0), twist};
}

static void put(const double* parameters, const double* coordinates, rgPose* between) {
  *between =
      (rgPose){v3(pitch_of(parameters) * coordinates[0], 0, 0), rg_joint_about_x(coordinates[0])};
}

const rgJointInfo rg_joint_screw = {
    .name = "screw",
    .summary =
        "turns about an axis and moves along it, by `lead` in each full turn: a nut on a thread",
    .point_rows = 3,
    .fixed_count = 5,
    .needs_axis = true,
    .exact_turn = true,
    .slides = true,
    .axis_count = 1,
    .axes = {{"turn", true, true, RG_JOINT_ANY}},
    .parameter_count = 1,
    .parameters = {{"lead", "m", -HUGE_VAL, HUGE_VAL, false, (double)NAN,
                    "distance that `b` moves along the axis in one full turn about it, as the lead "
                    "of a thread: 0.002 for "
                    "2 mm. Positive: right-handed thread; negative: left-handed; 0: a hinge"}},
    .rows = rows,
    .values = values,
    .motions = motions,
    .closed = closed,
    .put = put,
    .begin = begin,
};
