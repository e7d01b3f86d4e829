// joint.h - joints: two bodies, or a body and the ground, that may move against each other only
// along certain axes.
//
// A joint has a frame on each of its bodies: an origin and axes x, y, z. It asks that some of the
// relative placement of the two frames is zero, always; the rest are its free axes, each with a
// coordinate. Motion is always that of B against A, and what the joint does is said of B (A gets
// the opposite).
//
// Normally the frame is given once, in the world, as the joint is made, and sits on both bodies as
// they stand: every coordinate is then zero, whatever the bodies' orientations are. With frames
// given per body the bodies need not fit together at first; the stabilizer brings them together.
#ifndef RIGOR_JOINT_H
#define RIGOR_JOINT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgJointId {
  uint32_t index;
  uint32_t generation; // 0 is never valid
} rgJointId;
static inline bool rg_joint_equal(rgJointId a, rgJointId b) {
  return a.index == b.index && a.generation == b.generation;
}

// The kinds of joints, one line each: X(NAME, name) stands for the value RG_JOINT_NAME, the word
// "name" of scenes and the file src/joint/name.c.
#define RG_JOINT_KINDS(X)                                                                          \
  X(BALL, ball)               /* turns in every way about a point */                               \
  X(HINGE, hinge)             /* turns about x */                                                  \
  X(UNIVERSAL, universal)     /* turns about x of A and about y of B, which stay perpendicular */  \
  X(FIXED, fixed)             /* does not move */                                                  \
  X(SLIDER, slider)           /* moves along x */                                                  \
  X(CYLINDRICAL, cylindrical) /* moves along x and turns about it */                               \
  X(PLANAR, planar)           /* moves along y and z and turns about x */                          \
  X(DISTANCE, distance)       /* two points at a distance that is fixed, limited or sprung */      \
  X(SCREW, screw)             /* turns about x and moves along it, by `lead` in a full turn */     \
  /* new kinds go above this line */

typedef enum rgJointKind {
#define RG_JOINT_VALUE(NAME, name) RG_JOINT_##NAME,
  RG_JOINT_KINDS(RG_JOINT_VALUE)
#undef RG_JOINT_VALUE
      RG_JOINT_KIND_COUNT
} rgJointKind;
RG_API const char* rg_joint_kind_name(rgJointKind kind); // "ball", "hinge", ...; NULL past the end
RG_API const char* rg_joint_kind_summary(rgJointKind kind); // one sentence; NULL past the end

enum { RG_JOINT_AXIS_MAX = 4 };
// The free axes of a kind: how many, their names ("turn", "slide", ...), and whether the coordinate
// is an angle [rad] or a length [m].
RG_API int rg_joint_axis_count(rgJointKind kind);
RG_API const char* rg_joint_axis_name(rgJointKind kind, int axis);
RG_API bool rg_joint_axis_is_angle(rgJointKind kind, int axis);

enum { RG_JOINT_PARAMETER_MAX = 4 };
// A number that a kind has besides its frames and axes, such as the `length` of a distance joint.
typedef struct rgJointParameter {
  const char* name;    // also its key in scenes
  const char* unit;    // "m"; "" = none
  double lower, upper; // range of what may be given; -INFINITY and INFINITY = any finite number
  bool lower_open;     // `lower` itself is excluded
  double initial;      // value in rg_joint_def; NAN = there is none, the number must be given
  const char* help;
} rgJointParameter;
// The index-th parameter of a kind; NULL past the end.
RG_API const rgJointParameter* rg_joint_parameter(rgJointKind kind, int index);

// What acts along a free axis. Units are [m], [N] or, for an angle, [rad], [N m]. All of it may act
// at once; what is zero or false does not act.
typedef struct rgJointAxis {
  double lower, upper; // range of the coordinate; -INFINITY and INFINITY = none. Equal: held there
  bool motor;          // drives the rate towards `motor_speed` with at most `motor_force`
  double motor_speed;  // [m/s] or [rad/s]
  double motor_force;  // [N] or [N m] > 0: a motor must have a bound
  double friction;     // [N] or [N m] >= 0: largest dry friction
  double stiffness;    // [N/m] or [N m/rad] >= 0 of a spring
  double rest;         // coordinate at which the spring is at rest
  double damping;      // [N s/m] or [N m s/rad] >= 0
  double armature; // [kg] or [kg m2] >= 0: inertia of a rotor that turns with the axis. It resists
                   // changes of the rate of B against A; its energy is 1/2 armature rate^2
  double effort;   // [N] or [N m] given from outside, on B, and the opposite on A
  // A servo: the force stiffness (target - coordinate) + damping (speed - rate), at most `servo_force`
  // either way. Taken at the end of the step as springs are, so that any stiffness is stable.
  bool servo;
  double servo_target;    // [m] or [rad]
  double servo_speed;     // [m/s] or [rad/s]
  double servo_stiffness; // [N/m] or [N m/rad] >= 0; it or the damping must be > 0
  double servo_damping;   // [N s/m] or [N m s/rad] >= 0
  double servo_force;     // [N] or [N m] > 0; INFINITY = any
} rgJointAxis;

typedef struct rgJointDef {
  rgJointKind kind;
  rgBodyId body_a, body_b; // generation 0: the ground
  // Frame in the world at the present placement of the bodies.
  rgVec3 point;   // [m] origin
  rgVec3 point_b; // [m] distance: where it holds B; `point` is where it holds A
  rgVec3 axis;    // x; any length but zero
  rgVec3 axis_2;  // y, made perpendicular to x; zero = any. universal: must be perpendicular
  // Or a frame on each body (of the ground: in the world), in which case the four above are not
  // read.
  bool frames_given;
  rgPose frame_a, frame_b;
  double parameters[RG_JOINT_PARAMETER_MAX]; // of the kind, in its order; see rg_joint_def_set
  rgJointAxis axes[RG_JOINT_AXIS_MAX];
  bool collide;     // the two bodies may touch each other; false by default
  const char* name; // copied; NULL or "" = none. At most 63 bytes are kept
} rgJointDef;

// A joint of this kind at the origin, x along the world's x, nothing acting along its free axes.
RG_API rgJointDef rg_joint_def(rgJointKind kind);
// Sets a parameter of the definition's kind by its name. RG_ERROR_INPUT when the kind has no such
// parameter; whether the value is in range is checked as the joint is added.
//
//     rgJointDef rod = rg_joint_def(RG_JOINT_DISTANCE);
//     rg_joint_def_set(&rod, "length", 0.5);
RG_API rgStatus rg_joint_def_set(rgJointDef* def, const char* parameter, double value);

// Adds a joint, which holds until it or one of its bodies is removed.
RG_API rgStatus rg_world_add_joint(rgWorld* world, const rgJointDef* def, rgJointId* id);
RG_API rgStatus rg_world_remove_joint(rgWorld* world, rgJointId id);
// Changes what acts along a free axis: drives a motor, moves a limit.
RG_API rgStatus rg_joint_set_axis(rgWorld* world, rgJointId id, int axis,
                                  const rgJointAxis* values);
// What acts along a free axis now. RG_ERROR_NOT_FOUND when there is no such joint or axis.
RG_API rgStatus rg_joint_axis(const rgWorld* world, rgJointId id, int axis, rgJointAxis* values);
// For control loops: the effort along an axis, the speed of its motor, and the target and speed of its
// servo, which it must have. Cheap, and nothing that the world knows of the last step is lost. For all
// joints at once: bulk.h.
RG_API rgStatus rg_joint_set_effort(rgWorld* world, rgJointId id, int axis, double effort);
RG_API rgStatus rg_joint_set_motor(rgWorld* world, rgJointId id, int axis, double speed);
RG_API rgStatus rg_joint_set_servo(rgWorld* world, rgJointId id, int axis, double target,
                                   double speed);

// An axis that follows one of another joint, or another one of its own, as wheels that are geared: its
// coordinate is polynomial[0] + polynomial[1] x + ... + polynomial[4] x^4 of the leader's coordinate x. The
// powers of x are in [m] or [rad] as the two coordinates are. It holds exactly, as the joint itself does, and
// until one of the two joints is removed.
enum { RG_COUPLING_TERMS = 5 };
typedef struct rgJointCoupling {
  rgJointId leader;
  int axis; // of the leader
  double polynomial[RG_COUPLING_TERMS];
} rgJointCoupling;
typedef struct rgJointCouplingState {
  double error; // [m] or [rad] coordinate less what the leader's coordinate asks for
  double
      force; // [N] or [N m] on B along the axis that follows, mean over the last step; the leader's axis
             // gets minus the slope of the polynomial times as much
} rgJointCouplingState;
// Couples an axis, in place of what it followed before; NULL ends that. Axes of ball, universal and distance
// joints cannot be coupled. RG_ERROR_INPUT when an axis would follow itself, be it by way of others.
RG_API rgStatus rg_joint_couple(rgWorld* world, rgJointId id, int axis,
                                const rgJointCoupling* coupling);
// What an axis follows, and how well; either may be NULL. RG_ERROR_NOT_FOUND when it follows nothing.
RG_API rgStatus rg_joint_coupling(const rgWorld* world, rgJointId id, int axis,
                                  rgJointCoupling* coupling, rgJointCouplingState* state);

RG_API int rg_world_joint_count(const rgWorld* world);
// The index-th living joint in order of its slot, 0 <= index < joint_count.
RG_API rgJointId rg_world_joint(const rgWorld* world, int index);
RG_API rgJointId rg_world_find_joint(const rgWorld* world,
                                     const char* name); // generation 0 when there is none
// Whether it is there, and its name; "" when it is not there.
RG_API bool rg_joint_valid(const rgWorld* world, rgJointId id);
RG_API const char* rg_joint_name(const rgWorld* world, rgJointId id);

typedef struct rgJointState {
  rgJointKind kind;
  rgBodyId body_a, body_b;
  rgPose frame_a, frame_b;                   // of the joint on A and on B, in the world
  double parameters[RG_JOINT_PARAMETER_MAX]; // of the kind, in its order
  int axis_count;
  double coordinate[RG_JOINT_AXIS_MAX]; // [m] or [rad]; angles go on beyond a full turn
  double rate[RG_JOINT_AXIS_MAX];       // [m/s] or [rad/s]
  double force[RG_JOINT_AXIS_MAX]; // [N] or [N m] on B along the axis, in the last step, by all
                                   // that acts along it, limits and the rotor included
  double gap;                      // [m] largest error of position
  double twist; // [rad] largest error of orientation: a sine, beyond a right angle 2 - sine
  double error; // [m] the larger of the gap and of the twist times the joint's largest arm
  // What A does to B through the joint, mean over the last step: force, and torque about the origin
  // of the frame on B, both in world axes.
  rgWrench reaction; // [N] [N m]
} rgJointState;
// Where a joint stands now, and what it did in the last step.
RG_API rgStatus rg_joint_state(const rgWorld* world, rgJointId id, rgJointState* state);

// Puts a joint where its free axes have these coordinates and rates, an array of as many as the kind
// has free axes each; NULL = zeros. What is not free is made exact. B moves as one with all that hangs
// on it by other joints, whose coordinates and rates stay; where B's side is held by the ground or by
// a body that is not dynamic, A's side moves instead. RG_ERROR_INPUT when both are held, and in a
// loop. The swing of a ball joint follows from its turns and is not read; of a distance joint the
// direction stays.
RG_API rgStatus rg_joint_set_state(rgWorld* world, rgJointId id, const double* coordinates,
                                   const double* rates);
// All joints at once, as after a reset: for each living joint in the order of rg_world_joint its
// coordinates, one for each of its free axes, one joint after the other; rg_world_coordinate_count of
// them.
RG_API int rg_world_coordinate_count(const rgWorld* world);
RG_API rgStatus rg_world_set_coordinates(rgWorld* world, const double* coordinates,
                                         const double* rates);

#ifdef __cplusplus
}
#endif
#endif
