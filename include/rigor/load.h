// load.h - what acted on bodies in the last step: contacts, joints and forces, as means over the step.
//
// A contact or a limit that gives way within a step has acted all the same. rg_world_contact lists
// the contacts of the present placement; the functions here list those that acted, with the point and
// arms with which they did, so that the balance of every dynamic body closes to rounding:
//
//     m (v+ - v) / h = applied + contacts + joints + m correction / h
//
// Forces are on A, or on the body that is asked about, in world axes, and are the impulses of the step
// over its length h. The correction is what changed the velocity beside all forces: velocities set
// from outside that do not suit the joints, ringing of joint rates, energy that is taken back
// (docs/architecture.md). It is zero in most steps of most worlds. Of a massless body m is 0: forces on it are in balance, up
// to the tolerance of the step.
//
// Known from a step on until the world is changed by an edit, a snapshot or a failed step. The steppers
// gauss and halving cut a step into parts and keep no loads. In the stepper first-order velocity follows force,
// and m v / damping_time takes the place of the left side; there is no correction.
#ifndef RIGOR_LOAD_H
#define RIGOR_LOAD_H

#include "joint.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether the loads of the last step are known; otherwise the functions below list nothing.
RG_API bool rg_world_has_loads(const rgWorld* world);

typedef struct rgContactLoad {
  rgBodyId body_a, body_b;
  rgShapeId shape_a, shape_b;
  rgVec3 point;        // [m] where it acted
  rgVec3 normal;       // from B to A
  double gap;          // [m] at the start of the step
  rgVec3 force;        // [N] on A, mean over the step, world axes
  double torsion;      // [N m] on A about the normal
  rgVec3 arm_a, arm_b; // [m] from the centres of mass of A and B, with which the force acted
} rgContactLoad;
// The contacts of the last step's problems, those without force included. Fills at most `capacity` of
// them and returns how many there are. With sequential impacts, a contact comes once for each impact.
RG_API int rg_world_contact_loads(const rgWorld* world, rgContactLoad* loads, int capacity);

typedef struct rgJointLoad {
  rgJointId joint;
  rgBodyId body_a, body_b; // generation 0: the ground
  int axis_count;
  double drive[RG_JOINT_AXIS_MAX]; // [N] or [N m] on B along each free axis by its motor, servo and
                                   // effort: of what rgJointState.force has
  rgWrench on_a, on_b;             // [N] [N m] at the centre of mass of A and of B
} rgJointLoad;
// For each joint in the order of rg_world_joint.
RG_API int rg_world_joint_loads(const rgWorld* world, rgJointLoad* loads, int capacity);
// The same of one joint; false when it is not there or nothing is known.
RG_API bool rg_joint_load(const rgWorld* world, rgJointId joint, rgJointLoad* load);

typedef struct rgBodyLoad {
  rgWrench applied;  // [N] [N m] gravity and the forces of the world; of dynamic bodies
  rgWrench contacts; // [N] [N m] of all contacts, at the centre of mass
  rgWrench joints;   // [N] [N m] of all joints, at the centre of mass
  rgVec3 correction; // [m/s] of the velocity; of dynamic bodies
} rgBodyLoad;
// For each body in the order of rg_world_body.
RG_API int rg_world_body_loads(const rgWorld* world, rgBodyLoad* loads, int capacity);

// The sum of the contact forces on a body at its centre of mass: those by another body, or, with
// generation 0, by all. Zero when nothing is known.
RG_API rgWrench rg_body_contact_force(const rgWorld* world, rgBodyId body, rgBodyId other);
// The sum of the sizes of their normal forces [N]: what presses on the body from all sides.
RG_API double rg_body_normal_force(const rgWorld* world, rgBodyId body, rgBodyId other);

#ifdef __cplusplus
}
#endif
#endif
