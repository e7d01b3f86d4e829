// inverse.h - inverse dynamics: the forces along joint axes that make bodies move as they are told.
//
// What is given is a movement of the bodies of a world, and all that acts on them besides gravity and
// joints. What is found are the wrenches that the joints pass on, and of these the parts along the free
// axes: the torques of hinges and ball joints, the forces of sliders. The torques of a robot that was
// recorded, of a person in front of cameras, or of the last step of a simulation:
//
//     rgInverse* inverse;
//     rg_inverse_create(world, RG_INVERSE_TREE, &inverse);
//     rg_inverse_state(world, start);                      // start, end: one rgBodyMotion per body
//     rg_world_step(world, NULL);
//     rg_inverse_state(world, end);
//     rg_inverse_applied(world, applied);                  // contacts and forces of that step
//     rg_inverse_step(inverse, h, start, end, applied, joints, missing);
//     printf("%g N m\n", joints[3].force[0]);              // what the fourth joint's axis was given
//     rg_inverse_destroy(inverse);
//
// All arrays have one item per body in the order of rg_world_body, or per joint in the order of
// rg_world_joint.
#ifndef RIGOR_INVERSE_H
#define RIGOR_INVERSE_H

#include "joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgInverse rgInverse; // opaque

// Two ways to the same numbers.
typedef enum rgInverseForm {
  // Newton and Euler's equations from the leaves of each tree to its root: time linear in the number
  // of bodies. Joints that close a loop, and kinds that do not hold six directions (distance), are
  // refused.
  RG_INVERSE_TREE,
  // One system of equations for all multipliers at once (Cline 2002, eq. 5.3). Where joints close
  // loops their forces are not determined: the smallest ones are taken. Time cubic in the number of
  // bodies that hang together.
  RG_INVERSE_FULL,
  RG_INVERSE_FORM_COUNT
} rgInverseForm;
RG_API const char* rg_inverse_form_name(rgInverseForm form); // "tree", "full"; NULL past the end

// The movement of a body at an instant.
typedef struct rgBodyMotion {
  rgPose pose;          // of the body frame
  rgTwist velocity;     // of the centre of mass [m/s], and angular [rad/s], world axes
  rgTwist acceleration; // [m/s2] of the centre of mass, [rad/s2], world axes
} rgBodyMotion;

// What a joint does.
typedef struct rgInverseJoint {
  double force[RG_JOINT_AXIS_MAX]; // [N] or [N m] along the free axes, on B
  // What A does to B through the joint: force, and torque about the origin of the frame on B, world
  // axes. It includes the forces along the axes.
  rgWrench reaction; // [N] [N m]
} rgInverseJoint;

// Finds the trees of a world. It must not outlive the world, and bodies and joints must stay as they
// are; the calls below say so when they do not. The message is in the world.
RG_API rgStatus rg_inverse_create(rgWorld* world, rgInverseForm form, rgInverse** inverse);
RG_API void rg_inverse_destroy(rgInverse* inverse); // NULL is allowed

// The joints of a movement that is known at an instant. `applied` are the wrenches on the bodies at
// their centres of mass [N] [N m] in world axes, besides gravity and what joints do; NULL: none.
// `missing` may be NULL: the wrench that a tree which nothing holds would need at its root (the body
// of the lowest index in it) to move like this, zero for all other bodies.
RG_API rgStatus rg_inverse_motion(rgInverse* inverse, const rgBodyMotion* motion,
                                  const rgWrench* applied, rgInverseJoint* joints,
                                  rgWrench* missing);

// The joints of a step of h [s] with the stepper `theta` between two successive states, whose
// accelerations are not read: the forces are those that the step used, to rounding, where it was met
// and no stabilizer moved its end. At theta < 1 the end must have the velocities of rg_inverse_reached.
RG_API rgStatus rg_inverse_step(rgInverse* inverse, double h, const rgBodyMotion* start,
                                const rgBodyMotion* end, const rgWrench* applied,
                                rgInverseJoint* joints, rgWrench* missing);

// The state of all bodies as it is now, accelerations zero.
RG_API void rg_inverse_state(const rgWorld* world, rgBodyMotion* motion);
// Puts into the end of a step of the stepper `theta` the velocities with which the step came there from
// its start: at theta < 1 those that are left after it lack the ringing that was taken out of them. Found
// from poses, with their rounding over h.
RG_API void rg_inverse_reached(const rgWorld* world, double h, double theta,
                               const rgBodyMotion* start, rgBodyMotion* end);
// What acted on the bodies in the last step besides gravity and joints, mean over the step: forces of
// the world and contacts. RG_ERROR_INPUT when the problems of that step are not known any more.
RG_API rgStatus rg_inverse_applied(rgWorld* world, rgWrench* applied);

#ifdef __cplusplus
}
#endif
#endif
