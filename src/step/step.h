// step.h - steppers: from a world at time t to the same world at t + h. One file per stepper, one
// row in steppers.c.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "world/world.h"

typedef struct rgStepper {
  const char* name;
  const char* summary;
  const char* reference;
  bool no_inertia; // velocities do not persist: there is no kinetic energy in the balance
  // Moves every body from t to t + h and fills the solver's part of the certificate. Contacts of
  // the present configuration are known when it is called. On failure the world is as it was.
  // `work` [J] receives the work of applied forces and moving bodies.
  rgStatus (*step)(rgWorld* world, double h, rgCertificate* certificate, double* work);
} rgStepper;

extern const rgStepper rg_stepper_theta;
extern const rgStepper rg_stepper_anitescu_potra;
extern const rgStepper rg_stepper_stewart_trinkle;
extern const rgStepper rg_stepper_first_order;
extern const rgStepper rg_stepper_gauss;

const rgStepper* rg_stepper_find(const char* name); // NULL when there is none

// A stabilizer keeps errors of position from growing: overlaps of contacts and errors of joints.
// One file per stabilizer, one row in stabilizers.c.
typedef struct rgStabilizer {
  const char* name;
  const char* summary;
  const char* reference;
  // The part of an error that the velocities of the coming step are to take back per second [1/s];
  // NULL = none.
  double (*rate)(const rgOptions* options);
  // Corrects positions at the end of a step; contacts are up to date before and after. NULL =
  // nothing to do.
  rgStatus (*correct)(rgWorld* world, double h);
} rgStabilizer;

extern const rgStabilizer rg_stabilizer_none;
extern const rgStabilizer rg_stabilizer_baumgarte;
extern const rgStabilizer rg_stabilizer_post;

const rgStabilizer* rg_stabilizer_find(const char* name); // NULL when there is none
// The rate of the world's stabilizer [1/s]; 0 when it does not act through velocities. A row or a
// contact whose position is off by `error` gets the bias rate * error.
double rg_stabilizer_rate(const rgWorld* world);
// The bias that a contact gets for its overlap [m/s], <= 0. What the projection leaves alone counts
// as touching here too, so that rest is at rest.
double rg_stabilizer_contact_bias(const rgWorld* world, const rgWorldContact* contact);

// free_motion.c: start_velocity, v_free, turn_free, inverse_inertia and applied of every moving
// body for the weight theta of the end of the step; kinematic bodies get the velocity of their
// motion.
void rg_free_motion(rgWorld* world, double h, double theta);
// force_problem.c: makes room for the terms of forces; then `applied` of every body: the forces at
// its present state, for the times now and now + h weighted by 1 - theta and theta. With `implicit`
// the terms are left to rg_force_problem.
rgStatus rg_reserve_forces(rgWorld* world);
void rg_gather_forces(rgWorld* world, double h, double theta, bool implicit);
// Fills the rows of implicit forces and their warm start, after rg_joint_problem.
void rg_force_problem(rgWorld* world, double h, double theta);
// Work [J] to be added to that of the applied forces, before bodies are moved: what bodies moved
// from outside do through springs, less what explicit springs do, whose energy counts as potential.
double rg_force_result(const rgWorld* world, double h, double theta);

// The motion of a body whose step ends with a given velocity (of the problem: see free_motion.c),
// and how it ends: v_free, turn_free and inverse_inertia are written anew so that they are exact at
// this velocity. The stiffness of `end` is added to the inertia: what the moment of impulses loses
// when the body turns faster, per angular velocity.
void rg_free_motion_at(rgBody* body, rgTwist velocity, double h, double theta, rgMotionEnd* end);
// The angular velocity that belongs to an angular momentum.
rgVec3 rg_end_velocity(const rgBody* body, rgQuat orientation, rgVec3 momentum);
// True when the free motion goes farther than contacts were sought for.
bool rg_free_motion_outran_contacts(const rgWorld* world, double h);

// contact_problem.c: the velocity of A's material point at a contact less that of B's, for one of
// the velocities below.
typedef enum rgVelocityKind { RG_VELOCITY_START, RG_VELOCITY_FREE, RG_VELOCITY_NOW } rgVelocityKind;
rgVec3 rg_world_contact_velocity(const rgWorld* world, const rgWorldContact* contact,
                                 rgVelocityKind kind);
// Their relative angular velocity about the normal [rad/s].
double rg_contact_spin(const rgWorld* world, const rgWorldContact* contact, rgVelocityKind kind);
// Fills the bodies of the velocity problem from their free motion.
void rg_problem_bodies(rgWorld* world);
// Fills contacts and the warm start of the velocity problem from world->velocity's islands.
// The normal bias is what `normal_bias` says of each contact; everything else follows from world
// and options.
typedef double rgNormalBias(const rgWorld* world, const rgWorldContact* contact, double h);
void rg_contact_problem(rgWorld* world, double h, rgNormalBias* normal_bias);
// For loops over the contacts of a set in their order: asks for one some turns after the i-th, and
// for the bodies of a nearer one.
void rg_prefetch_contact(const rgWorld* world, const rgProblemSet* set, int i);
// Puts the solution back: velocities of bodies, impulses of contacts.
void rg_contact_result(rgWorld* world);
void rg_contact_impulses(rgWorld* world); // the second alone

// closing.c: the coefficient of restitution of a contact, and its normal velocity [m/s], < 0 when
// it closes.
double rg_contact_restitution(const rgWorld* world, const rgWorldContact* contact);
double rg_contact_normal_velocity(const rgWorld* world, const rgWorldContact* contact,
                                  rgVelocityKind kind);
// Whether a step that starts with the normal velocity `start` and ends with the given kind of
// velocity, weighted by theta, passes through the gap.
bool rg_contact_closes(const rgWorld* world, const rgWorldContact* contact, double start,
                       rgVelocityKind end_kind, double h, double theta);
// Marks all contacts as in the problem but those that approach with e > 0 and stay open in the free
// motion; those that approach with e > 0 and close are impacts. False when some were left out.
bool rg_contacts_select_impacts(rgWorld* world, double h, double theta);
// Takes those contacts into the problem that were left out and that the solved motion closes. True
// when there were any.
bool rg_contacts_add_closing(rgWorld* world, double h, double theta);

// velocity_step.c: what the schemes whose unknown is the velocity at the end of the step differ in.
typedef struct rgVelocityScheme {
  double theta; // [-] weight of the end of the step in the motion
  // rg_free_motion or what takes its place.
  void (*free_motion)(rgWorld* world, double h, double theta);
  // Marks which contacts are in the problem (problem_contact >= 0) and which are impacts. False
  // when some were left out that must enter should the solved motion close them.
  bool (*select)(rgWorld* world, double h, double theta);
  rgNormalBias* normal_bias;
  double mobility; // [-] factor on inverse masses, 0 for 1
  bool mean_rows;  // joints act at the mean of start and end (joint_motion.c), not at the start
} rgVelocityScheme;
rgStatus rg_velocity_step(rgWorld* world, double h, const rgVelocityScheme* scheme,
                          rgCertificate* certificate, double* work);

// The certificate of a step from the reports of its solves. Residuals of a solve that is about less
// than `scale` [m/s] are compared with that.
void rg_reports_begin(rgWorld* world, rgCertificate* sum);
void rg_reports_add(rgWorld* world, double scale, rgCertificate* sum);
// [J] Work that moving ground does through contacts, by their impulses.
double rg_ground_work(const rgWorld* world);
bool rg_world_velocities_finite(const rgWorld* world);

// range.c: fails with a message about the body whose state has left the range of numbers in a step
// of h from the world's time on; impulses are forgotten.
rgStatus rg_step_out_of_range(rgWorld* world, double h);
// Puts the bodies back to where rg_free_motion found them.
void rg_step_take_back(rgWorld* world);

// closing.c: gives contacts whose friction gains energy the slip of the whole step, theta u+ + (1 -
// theta) u, in place of that of its end; true when there are any that had the other.
bool rg_contacts_end_gains(rgWorld* world, double theta);

// joint_problem.c: how a stepper treats joints.
typedef struct rgJointScheme {
  double theta; // weight of the end velocity in the motion of the step, > 0
  bool mean;    // rows with the mean of the present placement and that of rgWorld.ends, and with
                // the turn that belongs to it; otherwise with the present placement
  double stabilization; // [1/s] an error e is asked to change at the rate -stabilization e
} rgJointScheme;
// Every joint is in the problem: called before islands are built.
void rg_joint_select(rgWorld* world);
// What rows of joints read of the start of the step; before anything else of a step about joints.
rgStatus rg_joint_starts(rgWorld* world);
// Fills rows and their warm start of the velocity problem from world->velocity's islands. Bodies of
// the problem, their start velocities and those of kinematic bodies are known.
void rg_joint_problem(rgWorld* world, double h, const rgJointScheme* scheme);
// The same for the rows of one joint, without the warm start.
void rg_joint_fill_rows(rgWorld* world, rgJoint* joint, int body_start, double h,
                        const rgJointScheme* scheme);
// Gives axes whose friction gains energy the law of the whole step in place of that of its end;
// true when there are any that had the other. Velocities of bodies are those of the solution.
bool rg_joints_end_gains(rgWorld* world, const rgJointScheme* scheme);
// The impulses of the solution become the warm start of the next rg_joint_problem.
void rg_joint_keep_impulses(rgWorld* world);
// Puts the solution back: impulses, reactions and forces of joints. Returns the work [J] that
// motors and moving ground do through joints, for bodies that have their velocity of the end.
double rg_joint_result(rgWorld* world, double h, const rgJointScheme* scheme);

// joint_motion.c: makes room for rgWorld.ends.
rgStatus rg_joint_motion_prepare(rgWorld* world);
// A first guess at the motion of all islands with joints, under the impulses of the present
// solution: from the start velocities, as rg_joint_motion does it from then on.
void rg_joint_motion_start(rgWorld* world, double h, double theta);
// The motion of the bodies of all islands with joints that are not settled, with the velocities of
// the present solution: writes their free motion anew and fills rgWorld.ends.
void rg_joint_motion(rgWorld* world, double h, double theta);
// The same for one body of the problem, which gets its free motion; the stiffness of joints stays.
void rg_joint_motion_body(rgWorld* world, int index, double h, double theta);
// joint_rounds.c: brings impulses of islands with joints alone and the motion they make together,
// from a filled problem; rgIsland.rounded tells where that worked.
rgStatus rg_joint_rounds(rgWorld* world, double h, const rgJointScheme* scheme);
// Makes the islands that are not settled rough: their free motion is that of theta = 1.
void rg_joint_motion_plain(rgWorld* world, double h);
// Moves the bodies of all islands with rows to where the motion under the solution ends; returns
// the work of the applied forces [J].
double rg_joint_motion_finish(rgWorld* world, double h, double theta);
// Velocities that were set from outside are made to suit the joints, by impulses of the joints.
rgStatus rg_joint_suit_velocities(rgWorld* world, double h);
// Takes out of the end velocities, after the motion, what would change its sign from step to step.
rgStatus rg_joint_end_ringing(rgWorld* world, double h);

// project.c: the overlap of a contact that is left alone [m].
double rg_allowed_overlap(const rgWorld* world, const rgWorldContact* contact);
// Removes overlaps by moving bodies along contact normals; contacts are up to date afterwards.
rgStatus rg_project_positions(rgWorld* world, double h);

#endif
