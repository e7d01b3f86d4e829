// fill.h - from bodies, contacts, joints and forces to the discrete problem, and back.
#ifndef STEP_FILL_FILL_H
#define STEP_FILL_FILL_H

#include "step/step.h"

// --- free_motion.c -------------------------------------------------------------------------------

// Gives kinematic bodies the velocity that their motions have at the start of the step.
void rg_fill_start_motions(rgStep* step);
// Start velocity, v_free, turn_free, inverse inertia and applied forces of every moving body;
// kinematic bodies get the velocity of their motion.
void rg_fill_free_motion(rgStep* step);
// The free motion of a body once more, after rg_fill_free_motion_at has written another.
void rg_fill_free_motion_anew(rgStep* step, int slot);
// The movement of a body whose step ends with a given velocity (of the problem: see free_motion.c).
void rg_fill_end_at(const rgStep* step, int slot, rgTwist velocity, double theta, rgEnd* end);
// The same, and the free motion that belongs to it: v_free, turn_free and inverse_inertia are written anew so that they are exact at
// this velocity. The stiffness of `end` is added to the inertia: what the moment of impulses loses
// when the body turns faster, per angular velocity.
void rg_fill_free_motion_at(rgStep* step, int slot, rgTwist velocity, double theta, rgEnd* end);
// The angular velocity with which the free motion of a body ends, turned back by its turn.
rgVec3 rg_fill_free_spin(const rgStep* step, int slot, double theta);
// The angular velocity that belongs to an angular momentum.
rgVec3 rg_fill_end_velocity(const rgBody* body, rgQuat orientation, rgVec3 momentum);
// True when the free motion goes farther than the reach of the contacts.
bool rg_fill_outran_contacts(rgStep* step);

// --- force.c -------------------------------------------------------------------------------------

// `applied` of every body: the forces at its present state for a step of h [s], at the times now
// and now + h weighted by 1 - theta and theta. With `implicit` the terms are left to
// rg_fill_forces.
void rg_fill_gather_forces(rgStep* step, double h, double theta, bool implicit);
// Rows of implicit forces in the velocity problem, and their warm start.
void rg_fill_forces(rgStep* step);
// Work [J] to be added to that of the applied forces, before bodies are moved: what bodies moved
// from outside do through springs, less what explicit springs do, whose energy counts as potential.
double rg_fill_force_work(const rgStep* step);
// Work [J] on its bodies of a row of an implicit force.
double rg_fill_force_row_work(const rgStep* step, const rgIsland* island, int row);

// --- contact.c -----------------------------------------------------------------------------------

// The velocity of A's material point at a contact less that of B's, for one of these velocities.
typedef enum rgVelocityKind { RG_VELOCITY_START, RG_VELOCITY_FREE, RG_VELOCITY_NOW } rgVelocityKind;
rgVec3 rg_fill_contact_velocity(const rgStep* step, const rgWorldContact* contact,
                                rgVelocityKind kind);
// The same with arms that are known.
rgVec3 rg_fill_velocity_at(const rgStep* step, const rgWorldContact* contact, rgVelocityKind kind,
                           rgVec3 arm_a, rgVec3 arm_b);
// theta times that of now and 1 - theta times that of the start; and of the relative spin about n.
rgVec3 rg_fill_mean_velocity(const rgStep* step, const rgWorldContact* contact, double theta);
double rg_fill_mean_spin(const rgStep* step, const rgWorldContact* contact, double theta);
// Their relative angular velocity about the normal [rad/s].
double rg_fill_contact_spin(const rgStep* step, const rgWorldContact* contact, rgVelocityKind kind);
// Bodies of the velocity problem from their free motion.
void rg_fill_bodies(rgStep* step);
// Contacts and the warm start of the velocity problem, for the islands that are not settled.
void rg_fill_contacts(rgStep* step);
// For loops over the contacts of a set in their order: prefetches one some iterations after the
// i-th, and the bodies of a nearer one.
void rg_fill_prefetch_contact(const rgStep* step, const rgProblemSet* set, int i);
// The law of velocities alone, for schemes that have no gap in it: a contact in impact bounces, one that
// touches does not close, and the stabilizer adds its push.
void rg_fill_velocity_law(const rgStep* step, int index, rgProblemContact* out);
// Puts the solution back: velocities of bodies, impulses of contacts.
void rg_fill_take_solution(rgStep* step);
void rg_fill_take_impulses(rgStep* step);                                // the second alone,
void rg_fill_take_island_impulses(rgStep* step, const rgIsland* island); // of one island

// --- closing.c -----------------------------------------------------------------------------------

// The coefficient of restitution of a contact, and its normal velocity [m/s], < 0 when it closes.
double rg_fill_restitution(const rgWorld* world, const rgWorldContact* contact);
double rg_fill_normal_velocity(const rgStep* step, const rgWorldContact* contact,
                               rgVelocityKind kind);
// [m] How much deeper a corner of a patch with contacts inside may come before it carries.
double rg_fill_corner_slack(const rgWorld* world, const rgWorldContact* contact);
// Whether a step that starts with the normal velocity `start` and ends with the given kind of
// velocity, weighted by theta, passes through the gap.
bool rg_fill_contact_closes(const rgStep* step, const rgWorldContact* contact, double start,
                            rgVelocityKind end_kind);
// Marks all contacts as in the problem but corners of patches that their inside holds, and those that
// approach with e > 0 and stay open in the free motion; those that approach with e > 0 and close are impacts. False when some were left out.
bool rg_fill_select_impacts(rgStep* step);
// Takes those contacts into the problem that were left out and that the solved movement closes, and
// gives contacts whose friction gains energy the slip of the whole step, theta u+ + (1 - theta) u,
// in place of that of its end. Both return how many.
int rg_fill_add_closing(rgStep* step);
int rg_fill_end_contact_gains(rgStep* step);

// --- sequential.c --------------------------------------------------------------------------------

// Whether the option `impacts` asks for impacts one after the other, `sequential` or `routh`.
bool rg_fill_impacts_are_sequential(const rgStep* step);
// Makes the impacts of the step, pair by pair, after the free motion: bodies get the velocities that
// they leave, and the free motion from there. The impulses are kept apart from those of the rounds,
// to which the second adds them, with their work.
rgStatus rg_fill_sequential_impacts(rgStep* step);
void rg_fill_add_impacts(rgStep* step);

// --- routh.c -------------------------------------------------------------------------------------

// Solves an island that is one impact of one contact by following its slip, and settles it. False
// when it is left to the law of the problem.
bool rg_fill_routh(rgStep* step, rgIsland* island);

// --- joint.c -------------------------------------------------------------------------------------

// How rows of joints are made.
typedef struct rgJointRule {
  double theta; // weight of the end velocity in the movement of the step, > 0
  bool bare;    // no rows that links imply, see tree/tree.h
  bool mean;    // rows with the mean of the present placement and that of rgStep.ends, and with
                // the turn that belongs to it; otherwise with the present placement
  double stabilization; // [1/s] an error e is asked to change at the rate -stabilization e
} rgJointRule;
rgJointRule rg_fill_joint_rule(const rgStep* step);
// The pose that a body reaches, which need not be in an island: by its present velocity there.
rgPose rg_fill_reached_pose(const rgStep* step, int slot);
// Every joint is in the problem: called before islands are built.
void rg_fill_select_joints(rgStep* step);
// The gap of a limit at the start of the step, and the one that counts as touching [m] or [rad].
double rg_fill_limit_gap(const rgStep* step, int joint, rgRowUse use);
double rg_fill_limit_touching(const rgStep* step, int joint, int axis);
// Of limits, bits of rgJoint.rows: those whose law the present velocities miss, w < 0.
uint32_t rg_fill_passed_limits(const rgStep* step, int joint, uint32_t limits);
// Place, values and size of a joint where its bodies are; nothing to do where they were when it was seen last.
void rg_fill_see_joint(rgStep* step, int joint);
// [m] the largest error of all joints, by what is seen.
double rg_fill_joint_error(rgStep* step);
rgEnergy rg_fill_energy(rgStep* step); // [J] as rg_world_energy
// [J] The same after the movement, before anything corrects it.
rgEnergy rg_fill_moved_energy(rgStep* step);
// [J] The same at the start of a step, with that of the bodies from the end of the last one where it goes on from there.
rgEnergy rg_fill_start_energy(rgStep* step);
// What rows read of the start of the step; before anything else of a step about joints.
void rg_fill_joint_start(rgStep* step, int joint);
// Rows of joints and their warm start, for the islands that are not settled. Bodies of the problem,
// their start velocities and those of kinematic bodies are known.
void rg_fill_joints(rgStep* step, const rgJointRule* rule);
// The rows of one joint, without the warm start.
void rg_fill_joint_rows(rgStep* step, int joint, int body_start, const rgJointRule* rule);
// Whether a row drives its axis.
static inline bool rg_fill_is_driven(rgRowKind kind) {
  return kind == RG_ROW_MOTOR || kind == RG_ROW_SERVO || kind == RG_ROW_EFFORT;
}

// --- joint_work.c --------------------------------------------------------------------------------

// Gives axes whose friction gains energy the law of the whole step in place of that of its end;
// returns how many. Velocities of bodies are those of the solution.
int rg_fill_end_joint_gains(rgStep* step, const rgJointRule* rule);
// The impulses of the solution become the warm start of the next rg_fill_joints.
void rg_fill_keep_joint_impulses(rgStep* step);
// Puts the solution back: impulses, reactions and forces of joints. Returns the work [J] that
// motors and moving ground do through joints, for bodies that have their velocity of the end.
double rg_fill_take_joints(rgStep* step, const rgJointRule* rule);
// Work [J] on the bodies of a joint by what acts along its axes, and by bodies that are moved from
// outside.
double rg_fill_joint_outside_work(const rgStep* step, int joint, const rgJointRule* rule);

// Takes out of the rates of rotors, after the movement, what would change its sign from step to step.
void rg_fill_end_rotor_ringing(rgStep* step);

// --- limits.c ------------------------------------------------------------------------------------

// Which rows of a joint are in the velocity problem: all but limits that are far; of all joints, all rows.
void rg_fill_select_rows(rgStep* step, int joint);
void rg_fill_select_all_rows(rgStep* step);
// Takes those limits into the problem that were left out and that the solved movement passes. Returns
// how many.
int rg_fill_add_limits(rgStep* step);

// --- ends.c --------------------------------------------------------------------------------

// Decides which islands follow their ends: those with joints, and at theta < 1 those whose contacts
// move. A first guess of their ends, under the impulses of the present problem.
void rg_fill_guess_ends(rgStep* step);
// The ends of the bodies of all islands that follow and are not settled, with the velocities of
// the present solution: writes their free motion anew and fills rgStep.ends.
void rg_fill_follow_ends(rgStep* step);
// Makes an island one that does not follow: free motions and contacts are those of the start.
void rg_fill_forget_ends(rgStep* step, rgIsland* island);
// The same for one body of the problem, which gets its free motion; the stiffness of joints stays.
void rg_fill_follow_end(rgStep* step, int problem_body, double theta);
// Gives the islands that are not settled the free motion of the plain step, theta = 1.
void rg_fill_plain_step(rgStep* step);
// Moves the bodies of all islands that follow to where the movement under the solution ends;
// returns the work of the applied forces [J].
double rg_fill_finish_ends(rgStep* step);
double rg_fill_finish_island(rgStep* step, const rgIsland* island); // the same for one island

// --- contact_ends.c ------------------------------------------------------------------------------

// A curved shape on a plane, in steps with contacts at the end (contact_spot.c): replaces the point that the
// narrow phase found by where the shape would touch next, with the stiffness of wandering there. `known`: `out` has
// that of the last round.
void rg_fill_take_spot(const rgStep* step, const rgWorldContact* contact, rgVec3 normal, bool known,
                       rgManifoldPoint* point, rgContactEnd* out);
int rg_fill_curved_body(const rgWorld* world, const rgWorldContact* contact); // of such a pair
// [-] How far the surface is tilted against the normal where the impulse acted, after the movement;
// 0 for other pairs.
double rg_fill_spot_misalignment(const rgStep* step, const rgWorldContact* contact, rgVec3 normal);

static inline bool rg_fill_knows_contact_end(const rgStep* step, int contact) {
  return step->contacts_at != RG_CONTACTS_START && step->contact_ends[contact].known;
}
// No contact is known at its end.
void rg_fill_forget_contact_ends(rgStep* step);
// Contacts of the islands that follow and are not settled, at the ends of their bodies.
void rg_fill_contact_ends(rgStep* step);
// [m] the gap that a contact of a scheme with `end_contacts` may have at the end of the step: 0, or
// the overlap that it starts with and that the stabilizer will remove.
double rg_fill_least_gap(const rgWorld* world, const rgWorldContact* contact);
// [m] What the tolerance of velocities allows of a gap, `scale` being that of the certificate of the island, and rounding.
double rg_fill_gap_asked(const rgStep* step, const rgWorldContact* contact, double scale);
// After the movement of such a scheme: reports gap and alignment of the contacts in the
// problem where their bodies are now. Of a scheme that closes gaps afterwards: alignment.
void rg_fill_judge_ends(rgStep* step);
// A contact over the whole step; NULL where it is not known.
static inline const rgContactEnd* rg_fill_contact_end(const rgStep* step,
                                                      const rgWorldContact* contact) {
  int index = (int)(contact - step->world->contacts);
  return rg_fill_knows_contact_end(step, index) ? &step->contact_ends[index] : NULL;
}
// Whether the impulse of a contact acts halfway between the two surfaces (contact.c).
static inline bool rg_fill_acts_between(const rgWorld* world, const rgWorldContact* contact) {
  return world->bodies[contact->body_a].kind == RG_BODY_DYNAMIC &&
         world->bodies[contact->body_b].kind == RG_BODY_DYNAMIC;
}
// The normal of a contact, and where its impulse acts: means over the step where the end is known.
static inline rgVec3 rg_fill_contact_normal(const rgStep* step, const rgWorldContact* contact) {
  const rgContactEnd* end = rg_fill_contact_end(step, contact);
  return end ? end->normal : contact->normal;
}
static inline void rg_fill_contact_arms(const rgStep* step, const rgWorldContact* contact,
                                        rgVec3* arm_a, rgVec3* arm_b) {
  const rgWorld* world = step->world;
  const rgContactEnd* end = rg_fill_contact_end(step, contact);
  if (end) {
    *arm_a = end->arm_a;
    *arm_b = end->arm_b;
    return;
  }
  rgVec3 a = contact->point_a, b = contact->point_b;
  if (rg_fill_acts_between(world, contact))
    a = b = v3_scale(v3_add(a, b), 0.5);
  *arm_a = v3_sub(a, world->bodies[contact->body_a].position);
  *arm_b = v3_sub(b, world->bodies[contact->body_b].position);
}

// --- link.c --------------------------------------------------------------------------------------

// The geometry of the link that a joint of a tree holds, for a placement of the joint and the drifts
// of its bodies (joint.c).
void rg_fill_link(rgStep* step, rgProblemSet* set, int joint, const rgJointPlace* place,
                  rgTwist drift_a, rgTwist drift_b);
// What changes of a link and its parent where both end a little further turned.
typedef struct rgLinkTurn {
  rgVec3 own, parent;           // [rad] half of these turns: rows are those of the mean
  rgVec3 spin, parent_spin;     // [rad/s] of the step, over theta
  bool is_a;                    // the link is A of its joint
  rgTwist wrench;               // [N s] [N m s] of the joint on the link, about its centre
  rgTwist offset;               // out: of the velocity of the link, at the same rates of its axes
  rgVec3 moment, parent_moment; // out: [N m s] that the joint adds
} rgLinkTurn;
// For joints that do not slide, to first order.
void rg_fill_turn_link(const rgProblemLink* link, rgLinkTurn* turn);
// The geometry for the present placement of a joint that is a little open, in a problem of positions: the
// offset of the link closes it.
void rg_fill_open_link(rgStep* step, rgProblemSet* set, int joint, const rgJointPlace* place);
// For loops over the links of an island in their order: what they read of the one that comes some iterations
// after the i-th, its body, its end and its joint.
void rg_fill_prefetch_link(const rgStep* step, const rgIsland* island, int i);
// Brings the ends of the links of an island to where the joints of its trees are exactly closed.
void rg_fill_close_links(rgStep* step, const rgIsland* island);
// The same for the present poses of all trees, after they were changed a little.
void rg_fill_close_trees(rgStep* step);

// --- joint_newton.c ------------------------------------------------------------------------------

// Brings impulses of islands with joints alone and the ends they lead to together, from a filled
// problem; rgIsland.closed tells where that worked.
rgStatus rg_fill_close_joints(rgStep* step);

// --- dependent_rows.c ----------------------------------------------------------------------------

// Finds the rows of loops that carry no impulse in the rounds, in a filled problem: rgIsland.dependent_rows.
rgStatus rg_fill_find_dependent(rgStep* step);

// --- tree_newton.c -------------------------------------------------------------------------------

// The same for islands of trees, with contacts and bounded rows.
rgStatus rg_fill_settle_trees(rgStep* step);
// Marks the islands that it will most likely take, which need no more than the start velocity as a first
// guess: rgIsland.settles. Not at theta < 1, where the rows of the start are kept (suiting.c).
void rg_fill_foresee_trees(rgStep* step);

// --- suiting.c -----------------------------------------------------------------------------------

// Velocities that were set from outside are made to suit the joints, by impulses of the joints.
rgStatus rg_fill_suit_velocities(rgStep* step);
// Takes out of the end velocities, after the movement, what would change its sign from step to
// step.
rgStatus rg_fill_end_ringing(rgStep* step);

#endif
