// joint.h - the geometry of joints.
//
// A kind is one file that ends with its descriptor, and one line of RG_JOINT_KINDS in
// <rigor/joint.h>. What the rest of the library must know of a kind is in the descriptor: nothing
// else asks which kind a joint is.
//
// A joint is a few scalar functions e of the placement of its two frames: errors, which must be
// zero, and coordinates of free axes. Each comes with its row G, de/dt = G v exactly. The functions
// are products of vectors that turn with a body, and for these
//
//     e(end) - e(start) = G (shift, turn),
//
// exactly, whatever the size of the movement, when G is formed with the mean of the vectors at
// start and end and the turn of each body is a Cayley vector: a vector r turns by r+ - r = turn x
// (r+ + r) / 2. A stepper that moves bodies along G (shift, turn) = 0 keeps e and gives the forces
// G' lambda no work. Coordinates that are angles differ by a part of order turn^2, unless their row
// is that of rg_joint_turn_row, which is exact as well.
#ifndef JOINT_JOINT_H
#define JOINT_JOINT_H

#include "math/vec.h"
#include <rigor/joint.h>
#include <rigor/problem.h>

enum { RG_JOINT_FIXED_MAX = 6 };

// The angle of B's y axis about A's x axis over a step: the means of its cosine and sine, and the
// angle between start and end over the part of it that products of axes give (rg_joint_turn_row).
typedef struct rgJointTurn {
  double cosine, sine, factor;
} rgJointTurn;

// The placement of the two frames, or the mean of two placements: all that rows are made of.
typedef struct rgJointPlace {
  rgVec3 arm_a, arm_b; // [m] from the centres of mass to the origins of the frames
  rgVec3 between;      // [m] from the origin on A to that on B
  double distance;     // [m] its length
  rgVec3 a[3], b[3];   // axes of the frames, world
  rgJointTurn turn;    // of a mean, for kinds with `exact_turn`; zero otherwise
} rgJointPlace;

typedef struct rgJointRow {
  rgTwist g_a, g_b;
} rgJointRow;

// The rate of a row at the velocities of the two bodies.
static inline double rg_joint_row_rate(const rgJointRow* row, rgTwist a, rgTwist b) {
  return v3_dot(row->g_a.linear, a.linear) + v3_dot(row->g_a.angular, a.angular) +
         v3_dot(row->g_b.linear, b.linear) + v3_dot(row->g_b.angular, b.angular);
}

// What may act along a free axis.
enum {
  RG_JOINT_LIMITS = 1, // a range of the coordinate
  RG_JOINT_FORCES = 2, // all else
  RG_JOINT_ALL = RG_JOINT_LIMITS | RG_JOINT_FORCES,
  RG_JOINT_COUPLINGS =
      4, // it may follow others and lead them: angles are those of rg_joint_turn_angle
  RG_JOINT_ANY = RG_JOINT_ALL | RG_JOINT_COUPLINGS
};

typedef struct rgJointAxisInfo {
  const char* name;
  bool angle;
  bool turns; // an angle that is known up to full turns
  int takes;
} rgJointAxisInfo;

// Whether worlds of dimension 2 take a kind, and how its x axis must lie there.
typedef enum rgJointPlane {
  RG_JOINT_SPACE_ONLY,   // for worlds of dimension 3
  RG_JOINT_PLANE_ANY,    // whatever the axis
  RG_JOINT_PLANE_ACROSS, // along z, which scenes need not say
  RG_JOINT_PLANE_WITHIN  // perpendicular to z
} rgJointPlane;

typedef struct rgJointInfo {
  const char* name;
  const char* summary;
  int point_rows;     // fixed rows that are lengths; they come first
  int fixed_count;    // all fixed rows
  bool points_only;   // fixed rows are made of the two points, whatever the axes of the frames
  bool two_points;    // placed by `point` and `point_b` of the definition, without axes
  bool needs_axis;    // a scene must give its x axis
  bool perpendicular; // needs a second axis, perpendicular to the first
  bool slides;        // the origin of B moves against that of A
  bool exact_turn;    // uses rg_joint_turn_row: a mean placement keeps what this needs
  rgJointPlane plane;
  int axis_count;
  rgJointAxisInfo axes[RG_JOINT_AXIS_MAX];
  int parameter_count;
  rgJointParameter parameters[RG_JOINT_PARAMETER_MAX];
  // Rows of errors and of coordinates; either may be NULL when nobody asks for it, and `axes` below.
  // `parameters` are the values of the joint, in the order above.
  void (*rows)(const rgJointPlace* place, const double* parameters, rgJointRow* fixed,
               rgJointRow* axes);
  // Their values; of a single placement, not of a mean. Angles continue from `seen`, the
  // coordinates of the free axes when they were last read.
  void (*values)(const rgJointPlace* place, const double* parameters, const double* seen,
                 double* fixed, double* axes);
  // Movements of B against A that the fixed rows leave free: the shift of B's origin against that
  // point of A, and the turn. Returns how many, at most RG_LINK_AXES. NULL: none span them all, and
  // the joint is never one of a tree.
  int (*motions)(const rgJointPlace* place, const double* parameters, rgTwist* motions);
  // The frame on B in that on A with fixed errors zero, from one where they are small.
  rgPose (*closed)(rgPose relative, const double* parameters, const double* seen);
  // The pose of B's frame in A's frame with these coordinates and no error, in place of the present
  // one, from which it takes what the coordinates do not say.
  void (*put)(const double* parameters, const double* coordinates, rgPose* between);
  // Completes a checked definition as the joint is made, at the placement of its frames, and sets
  // the coordinates that angles continue from, which are zero before. NULL: nothing to do.
  rgStatus (*begin)(const rgJointPlace* place, rgJointDef* def, double* seen, rgMessage* message);
} rgJointInfo;

#define RG_JOINT_DECLARE(NAME, name) extern const rgJointInfo rg_joint_##name;
RG_JOINT_KINDS(RG_JOINT_DECLARE)
#undef RG_JOINT_DECLARE

const rgJointInfo* rg_joint_info(rgJointKind kind); // NULL when out of range

// Numbers, axes and what the kind takes; the message names the field. Knows nothing of bodies.
rgStatus rg_joint_check(const rgJointDef* def, rgMessage* message);
rgStatus rg_joint_has_axis(const rgJointInfo* info, int axis, rgMessage* message);
rgStatus rg_joint_check_axis(rgJointKind kind, int axis, const rgJointAxis* values,
                             rgMessage* message);
// The frame that a checked definition puts into the world; `point` of side 0 or `point_b` of 1.
rgPose rg_joint_world_frame(const rgJointDef* def, int side);
// Mixes the parameters of the definition's kind into a hash: joints that differ in them differ.
uint64_t rg_joint_hash(uint64_t hash, const rgJointDef* def);

// Of the frames on A and B in the world, and the centres of mass.
void rg_joint_place_frames(const rgPose* a, const rgPose* b, rgVec3 center_a, rgVec3 center_b,
                           rgJointPlace* out);
rgJointPlace rg_joint_place(rgPose a, rgPose b, rgVec3 center_a, rgVec3 center_b);
// The same without what is made of the axes of the frames, which is not written.
static inline void rg_joint_place_points(rgVec3 a, rgVec3 b, rgVec3 center_a, rgVec3 center_b,
                                         rgJointPlace* out) {
  out->arm_a = v3_sub(a, center_a);
  out->arm_b = v3_sub(b, center_b);
  out->between = v3_sub(b, a);
  out->distance = v3_norm(out->between);
}
// Makes `end` the mean of both; `points`: the axes of the frames are left out.
void rg_joint_mean_place(const rgJointInfo* info, const rgJointPlace* start, bool points,
                         rgJointPlace* end);

// Building blocks of rows and values.
// The point of B against that of A along a direction that is fixed in the world.
rgJointRow rg_joint_row_world(const rgJointPlace* place, rgVec3 direction);
// The same along a direction that turns with A: d/dt (between . direction).
rgJointRow rg_joint_row_along(const rgJointPlace* place, rgVec3 direction);
// Turning of B against A about an axis.
rgJointRow rg_joint_row_about(rgVec3 axis);
// d/dt (b . a) of a vector that turns with B and one that turns with A.
static inline rgJointRow rg_joint_row_product(rgVec3 b, rgVec3 a) {
  return rg_joint_row_about(v3_cross(b, a));
}
// Three rows and values that hold the origins together.
void rg_joint_point_rows(const rgJointPlace* place, rgJointRow* rows);
void rg_joint_point_values(const rgJointPlace* place, double* values);
// Two rows and values that hold the x axes together (see hinge.c).
void rg_joint_parallel_rows(const rgJointPlace* place, rgJointRow* rows);
void rg_joint_parallel_values(const rgJointPlace* place, double* values);
// Three that hold the orientations together.
void rg_joint_aligned_rows(const rgJointPlace* place, rgJointRow* rows);
void rg_joint_aligned_values(const rgJointPlace* place, double* values);
// Makes errors of the values of fixed rows. Two or three values of directions are sines of an angle, which fall again
// beyond a right one and are zero at half a turn: the joint would hold there, the wrong way round. There the
// error is 2 - sine, with the sign with which rows lead back; what rows hold is the same on both sides.
void rg_joint_lead_back(const rgJointInfo* info, const rgJointPlace* place, double* values);
// The part of a rotation that turns about x.
rgQuat rg_joint_twist_x(rgQuat q);
// [rad] an angle that is known up to full turns: the one nearest to `seen`.
double rg_joint_continued(double angle, double seen);
// [rad] angle of B's y axis about A's x axis, nearest to `seen`.
double rg_joint_turn_angle(const rgJointPlace* place, double seen);
// Turn by an angle [rad] about x or y, for poses.
rgQuat rg_joint_about_x(double angle);
rgQuat rg_joint_about_y(double angle);
// What its exact row needs of two placements, and the row.
rgJointTurn rg_joint_mean_turn(const rgJointPlace* start, const rgJointPlace* end);
rgJointRow rg_joint_turn_row(const rgJointPlace* place);

#endif
