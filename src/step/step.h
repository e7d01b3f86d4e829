// step.h - the context of one step: what a step needs and a world between steps does not.
//
// A world holds state; everything that is computed in a step and forgotten after it is here: free
// motions, marks, the problems of all islands, the ends that bodies are thought to reach. The world
// owns one context, made by its first step, whose arrays only grow, so that a warmed-up step never
// allocates. `h` and `theta` are arguments of the step: nothing below rg_world_step reads them from
// the options.
#ifndef STEP_STEP_H
#define STEP_STEP_H

#include "step/islands.h"
#include "world/world.h"

// Part of a contact, joint or force in the problem that is being built.
typedef enum rgMark {
  RG_MARK_OUT,    // not in the problem
  RG_MARK_IN,     // in the problem
  RG_MARK_IMPACT, // a contact in the problem to which restitution applies in this step
  RG_MARK_ASKS    // in a projection, and the reason for it
} rgMark;

// State before a step, to which a step that fails goes back; see body.h and joint_slot.h.
typedef struct rgBodyState {
  rgVec3 position;
  rgQuat orientation;
  rgTwist velocity;
  rgVec3 momentum, momentum_of;
  rgWrench applied;
  double travel, shift, thrust;
  bool iterated, anew;
  uint8_t quiet;
  uint8_t unchosen;
} rgBodyState;

typedef struct rgJointKept {
  rgWrench reaction;
  double coordinate[RG_JOINT_AXIS_MAX], force[RG_JOINT_AXIS_MAX], rotor[RG_JOINT_AXIS_MAX];
  double impulse[RG_JOINT_ROW_MAX]; // of the rows that the joint has
  rgTrail trail;                    // what the step has changed of it, see tree/trail.c
} rgJointKept;

typedef struct rgKept {
  double time;
  int64_t steps;
  rgStepCounts counts;
  bool joints_stale, rotors_stale;
  RG_ARRAY(rgJointKept, joints); // by joint slot
  bool whole;                    // with all trails
  int pair_count;                // the pairs themselves are in rgContactSearch.old_pairs
  RG_ARRAY(rgWorldContact, contacts);
  int contact_count;
} rgKept;

// The state before a step that is made in parts, see parts.h.
typedef struct rgWhole {
  RG_ARRAY(rgBodyState, bodies); // by body slot
  RG_ARRAY(rgPair, pairs);
  rgKept kept;
} rgWhole;

// A part of such a step.
typedef struct rgPartState {
  rgWhole whole;
  double ahead;      // [s] for which contacts are sought at its end: the length of the whole step
  int contact_count; // of its start
  bool leaps;        // the movement goes through a contact that is not in the problem
} rgPartState;

// Where the rounds of a step are, see rounds.h.
typedef struct rgRoundState {
  int rebuilds, follows; // rounds of either kind
  bool complete;         // no contact was left out that may have to enter
  bool closes;           // gaps at the end of the step are closed, see stabilize/close.c
  bool sequential;       // what the options say of impacts,
  bool may_follow;       // and whether contacts may be followed to their ends
  double stabilization;  // [1/s] see rgJointRule
} rgRoundState;

// Which others a body may pass in its solved movement, see fill/passing.h.
typedef enum rgWatch {
  RG_WATCH_NONE,
  RG_WATCH_MOVES, // it moves far, but its contacts prevent that as far as they can
  RG_WATCH_NEAR,  // those that were searched for contacts
  RG_WATCH_FAR    // all: it moves farther than contacts were searched
} rgWatch;

// A body in a step. What most passes over the bodies read or write is in the first cache line.
typedef struct rgBodyStep {
  _Alignas(RG_ALIGNMENT) int problem_body; // index in the arrays of a problem set, -1 when in none
  int island;                              // of the velocity problem, -1 when in none
  rgWatch watch;
  bool flies;           // no contact and no joint is about it
  bool jointed;         // sequential impacts: some joint is about it
  bool held;            // joints hold it and nothing else is about it, see fill/free_motion.c
  bool bound;           // it is in an island with joints, which is neither hastened nor cut
  bool plain;           // it is in an island that took the plain step
  bool sleeps;          // it has zero velocity, and does not move
  int slept;            // 1 + its island in rgPast.slept; 0: none
  int strongest;        // sequential impacts: which of its contacts that collide is the strongest
  double kinetic;       // [J] at the start of the step
  double end_kinetic;   // [J] after its movement; from its balance on, at its end
  double moved_kinetic; // [J] after its movement, with the rounding of rg_world_body_energy
  double work;          // [J] of the applied forces in the step
  double lift;          // [J] work of the projection against gravity
  double asked;         // [J] the same of the corrections that are about to be made

  rgTwist start_velocity;
  rgTwist v_free;
  rgVec3 turn_free;       // [rad] rotation of the free motion, as a Cayley vector in world axes
  rgMat3 inverse_inertia; // [1/(kg m2)] world axes, at the orientation that the free motion reaches

  double part;        // [-] of its movement that is carried out, see fill/cut.c
  double haste;       // [-] added to theta in its movement, see fill/passing.c
  double approach;    // [m/s] of the strongest contact
  rgBodyState before; // restored when the step fails
} rgBodyStep;

// A contact in a step.
typedef struct rgContactStep {
  rgMark mark;
  int problem_contact; // index in the arrays of a problem set; valid when the mark is not OUT
  double slip_part;    // part of the start's slip in the slip that friction opposes, see closing.c
  bool late;           // found or changed in the rounds, see late_contact.c
  int joined; // while islands are built: a body that the contact joins to another; -1: none
} rgContactStep;

// What sequential impacts have given to a contact.
typedef struct rgGiven {
  rgVec3 impulse; // [N s]
  double torsion; // [N m s]
} rgGiven;

enum { RG_NOTED = 4 };

// The rate of an axis over a step, by its dynamic bodies and by those that are moved from outside.
typedef struct rgAxisRate {
  double mean, taken; // [m/s] or [rad/s]
} rgAxisRate;

// A joint in a step. Members stand in the order in which its passes need them, as those of rgBody.
typedef struct rgJointStep {
  _Alignas(RG_ALIGNMENT) rgMark mark;
  int problem_row;                // index of its first row in the arrays of a problem set
  int row_count;                  // of its rows in the velocity problem, see fill/limits.c
  int acted_row, acted_count;     // its rows in the solved velocity problem, see loads.c
  uint8_t rows[RG_JOINT_ROW_MAX]; // which of rgJoint.rows they are, in this order
  bool plain;                     // its island took the plain step
  bool spans;                     // it closes no loop: see trees.c
  bool in_tree;                   // it is the joint of a tree of the velocity problem
  bool child_is_a;                // the link that it holds is its body A
  uint8_t noted;         // what of its trail was changed and kept: RG_NOTED, and a bit for A and B
  uint8_t mean_friction; // a bit for each free axis whose friction opposes the rate of the whole
                         // step instead of that of its end, see fill/joint.c
  int child; // body of that link in the problem built last; -1 where it is not the joint of a tree
  double size; // [m] see rg_world_joint_size
  rgJointFrames frames;
  rgVec3 arm; // [m] of B, with which the rows were made
  // Of a bare island (tree/tree.h): the placement with which its link was made, and the wrench of its implied rows on
  // that link, about its centre [N s] [N m s].
  rgJointPlace mean;
  rgTwist wrench;
  // As rg_world_joint_row_place gives it, and its values: those of the start of the step until the projection
  // looks, whose last look is the start of the next step. `size` goes with them.
  rgJointPlace place;
  rgJointValues values;
  rgPose seen_a, seen_b;               // where both bodies were then
  bool seen;                           // and the joint is still the one that it was
  bool seen_watched;                   // its axes, too, and not its points alone
  uint8_t rates_known;                 // a bit for each free axis whose rate over the step is known
  int16_t built;                       // what islands and trees were built of, see same_islands.c
  double start_rate[RG_JOINT_ROW_MAX]; // G v of the held rows at the start [m/s] or [rad/s]
  double lag
      [RG_JOINT_AXIS_MAX]; // [m/s] or [rad/s] of rotors: rate less that of the axis, at the start
  double drive[RG_JOINT_AXIS_MAX]; // [N] or [N m] by motor, servo and effort
  rgAxisRate rates[RG_JOINT_AXIS_MAX];
} rgJointStep;

// A force in a step.
typedef struct rgForceStep {
  int term_start, term_count; // in rgStep.terms
  rgMark mark;
  int problem_row; // first row in the arrays of a problem set; valid when the mark is not OUT
  int island;      // of the rows
} rgForceStep;

// The end of a step as the present round guesses it, for a body.
typedef struct rgEnd {
  rgPose pose;                   // of the centre of mass
  rgTwist velocity;              // there; only where contacts do not act at the start of the step
  rgTwist guess;                 // the velocity of the problem that leads there
  rgVec3 turn;                   // [rad] of the step, as a Cayley vector in world axes
  rgMat3 stiffness;              // [kg m2] of the joints' levers
  rgVec3 pull;                   // [N m s] with which the stiffness pulls where the guess is
  bool known;                    // the body is in an island whose ends are guessed
  double friction_work, impulse; // [J] [N s] sums over its contacts, see closing.c
} rgEnd;

// A contact over the whole step, or at its end, as the present round guesses it: see
// fill/contact_ends.c.
typedef struct rgContactEnd {
  bool known;                      // the rest is valid
  rgVec3 normal;                   // mean of start and end, or that of the end
  rgVec3 end_normal;               // that of the end, where the law holds
  rgVec3 arm_a, arm_b;             // [m] likewise
  rgVec3 lag;                      // [m/s] slip at the end of the step less that of the problem
  double lag_spin;                 // [rad/s] the same of the spin about the normal
  double gap;                      // [m] at the end
  double closing;                  // [m/s] normal velocity that the guess has at the end
  rgVec3 turn_a, turn_b;           // [rad] of the bodies for which the rest was found
  double stiffness_a, stiffness_b; // [kg m2] of the arm that wanders as the body turns
  bool on_plane;               // a curved shape on a plane: the rest is valid, see contact_spot.c
  rgVec3 spot;                 // [m] where it touches, in the frame of the curved shape
  int spot_rounds;             // in which it was sought
  rgVec3 past[2], past_way[2]; // [m] the places of the last two rounds, and the ways from there
  rgMat3 bending;              // [kg m2] stiffness of the body that has it
  rgVec3 pull;                 // [N m s]
} rgContactEnd;

// The account of the energy of a step, see energy/energy.c.
typedef struct rgAccount {
  bool massless;  // velocities hold no energy
  bool accounted; // the gains of the islands are known
  double suited;  // [J] by which velocities at the start were changed before the step
  double rung;    // [J] energy by which taking out ringing changed velocities, to and fro
  double unpaid;  // [J] lift that no kinetic energy was left for
  bool paid;      // islands have paid
  bool slowed;    // velocities were changed after the movement, by that or by taking out ringing
  double start_error; // [m] largest overlap or error of a joint at the start
  double rotors;      // [J] kinetic energy of rotors at the start
  double rotors_paid; // [J] taken from rotors
  bool corrected;     // the stabilizer has moved bodies
  bool lifted;        // bodies are charged with its work against gravity
  bool judged;        // it has not, but has looked at joints:
  double joint_error; // [m] the largest
  bool causes_known;  // of the energy that the step loses, see causes.c
} rgAccount;

// A contact that the rounds have found or changed, see fill/late_contact.c.
typedef struct rgLatePoint {
  int contact;    // of the world
  int heir;       // contact of the start of the step that gets its impulse; -1: none
  rgVec3 point_a; // [m] where its material point of A is at the start of the step
} rgLatePoint;

// What loads.c notes of a step: of each contact of its problem what the problem does not know, and
// whole contacts of sequential impacts.
typedef struct rgContactOrigin {
  rgShapeId shape_a, shape_b; // which may be removed before somebody asks
  int body_a, body_b;         // slots
  double gap;                 // [m]
} rgContactOrigin;
typedef struct rgActedContact {
  rgContactOrigin origin;
  rgVec3 normal, arm_a, arm_b; // arms [m]
  rgVec3 impulse;              // [N s] on A
  double torsion;              // [N m s]
} rgActedContact;
typedef struct rgActed {
  RG_ARRAY(rgContactOrigin, origins); // by contact of the velocity problem
  RG_ARRAY(rgGiven, given);           // by contact of the world; only where impacts are sequential
  RG_ARRAY(rgActedContact, impacts);
  int impact_count;
  double impact_work; // [J] of sequential impacts
  bool suited;        // velocities were changed before the step to suit the joints
  bool parts;         // the step was cut into parts: what acted in all of it is not known
} rgActed;

// What the rounds see along the solved movement, see fill/passing.h.
typedef struct rgLook {
  RG_ARRAY(rgBroadPair, met_pairs); // that bodies come upon beyond the search for contacts
  int met_pair_count;
  int late_contacts; // at the end of the world's contacts: found in the rounds
  RG_ARRAY(rgLatePoint, late_points);
  int late_point_count;
  int looks;      // how often the rounds looked for them
  bool watched;   // bodies have a watch, parts and haste
  bool in_doubt;  // something is passed in the solved movement, or nobody has looked
  bool failed;    // memory ran out in a look
  int uncut;      // pairs that are passed and whose bodies cannot stop on the way
  bool displaced; // contacts of the world are not where the last search found them
} rgLook;

// Where contacts of moving islands act and are judged: where they are at the start of the step, or
// followed to the ends of their bodies, at the mean of both or at the end (fill/contact_ends.c).
typedef enum rgContactsAt { RG_CONTACTS_START, RG_CONTACTS_MEAN, RG_CONTACTS_END } rgContactsAt;

// Memory that is used for a moment.
typedef struct rgScratch {
  rgBodyState*
      trial; // by body slot; before a movement on trial, in the memory of the solver: not while
             // something is solved
  RG_ARRAY(double, sums);  // terms of a sum that several threads write (sum.c)
  RG_ARRAY(double, zeros); // velocities of the largest island at rest (sleep/asleep.c)
} rgScratch;

// What a step knows of the one before it.
typedef struct rgPast {
  bool goes_on;              // the step begins where that one has ended
  rgEnergy body_energy;      // [J] of the bodies, when it was last asked for,
  rgVec3 gravity;            // [m/s2] under this
  bool still;                // it has left the state as it was (sleep/still.c),
  uint64_t edits, commands;  // after so many of them
  RG_ARRAY(rgIsland, slept); // its islands that slept, whose problems are kept (sleep/kept.c),
  int slept_count;
  const struct rgScheme* scheme; // which it made
  double h;                      // [s]
} rgPast;

typedef struct rgStep {
  rgWorld* world;
  double h;                      // [s]
  double theta;                  // [-] weight of the end of the step in the movement
  const char* stepper;           // that makes the step; NULL before the first
  const struct rgScheme* scheme; // within its advance only
  rgContactsAt contacts_at;      // of moving islands
  bool mean_rows;                // of the scheme: joints act at the mean of start and end
  rgCertificate certificate;
  double work; // [J] of applied forces and of bodies moved from outside
  rgAccount account;
  rgPast past;

  RG_ARRAY(rgBodyStep, bodies);         // by body slot
  RG_ARRAY(rgContactStep, contacts);    // by contact of the world
  RG_ARRAY(rgJointStep, joints);        // by joint slot
  RG_ARRAY(rgForceStep, forces);        // by force slot
  RG_ARRAY(rgForceTerm, terms);         // of all forces
  RG_ARRAY(rgEnd, ends);                // by body slot; only where ends are followed
  RG_ARRAY(rgContactEnd, contact_ends); // by contact of the world; only where they are followed
  rgScratch scratch;
  RG_ARRAY(int, slots); // of dynamic bodies, where a step needs a list of them

  rgProblemSet velocity; // the problem of the step
  rgProblemSet position; // of the last projection of positions
  rgProblemSet suiting;  // velocities that suit the joints
  rgForest forest;
  rgKept kept;
  rgPartState part;     // of steppers that cut
  void* factors;        // of islands with joints, see fill/joint_newton.c
  int factors_capacity; // [cache lines]

  rgLook look;
  rgActed acted;

  rgRoundState round;
  struct rgGauss* gauss; // scratch of the stepper gauss; NULL before it is used
} rgStep;

// For loops over the slots of joints: the first cache lines of both records.
static inline void rg_step_prefetch_joint(const rgStep* step, int slot) {
  int ahead = slot + RG_SLOTS_AHEAD;
  if (ahead >= step->world->joint_slots)
    return;
  rg_prefetch_line(&step->world->joints[ahead]);
  rg_prefetch_line(&step->joints[ahead]);
}

// Loops over the joints of an island go by their rows, a few for each: the joint some iterations later, or -1.
// Both records are prefetched up to the rows.
enum { RG_ROWS_AHEAD = 24 };
static inline int rg_step_prefetch_rows(const rgStep* step, int row, int end) {
  if (row + RG_ROWS_AHEAD >= end)
    return -1;
  int slot = step->velocity.row_joint[row + RG_ROWS_AHEAD];
  if (slot >= 0) {
    rg_prefetch_line(&step->world->joints[slot]);
    rg_prefetch_line(&step->joints[slot]);
  }
  return slot;
}

// step_memory.c: the context of a world for a step of h [s], made when there is none, with room
// for every body, contact, joint and force.
rgStatus rg_step_begin(rgWorld* world, double h, rgStep** step);
// Whether the world is as the last step has left it, so that what that step has found of it holds.
static inline bool rg_step_goes_on(const rgWorld* world) {
  return world->problems_valid && !world->search.stale;
}
// Keeps the present state of the world, and restores it to the last bit: neither can fail.
void rg_step_keep(rgStep* step);
void rg_step_take_back(rgStep* step);
// The same for a step of several parts: keeps the state before the first, on top of what each part
// keeps. RG_ERROR_MEMORY when there is no room for it.
rgStatus rg_step_keep_whole(rgStep* step);
void rg_step_take_back_whole(rgStep* step);
// Finds the contacts of the present configuration, bodies having moved for the time `moved` [s]
// since the last search, and makes room for them in the context.
rgStatus rg_step_detect(rgStep* step, double moved);
// The same at the end of the step, where contacts of what has hardly moved may follow it.
rgStatus rg_step_detect_end(rgStep* step);
rgStatus rg_step_detect_within(rgStep* step);
rgStatus rg_step_detect_corrected(rgStep* step);
rgStatus rg_step_detect_moved(rgStep* step);

// range.c: fails with a message about the body whose state has left the range of numbers.
rgStatus rg_step_out_of_range(rgStep* step);
bool rg_step_velocities_finite(const rgStep* step);
bool rg_step_poses_finite(const rgStep* step);

// step.c: the time after `steps` + 1 steps: n h as long as every step was one of h, so that roundings do
// not add up. After a second in steps of 1/240 s it is 1 s.
double rg_step_time_after(double time, int64_t steps, double h);

// body_islands.c: place in rg_world_body of the body with this index in its id; -1 when there is none.
int rg_step_body_place(const rgWorld* world, int index);

// advance.c: the step of all schemes whose unknown is the velocity at the end of the step.
rgStatus rg_step_advance(rgStep* step, const struct rgScheme* scheme);
// Moves the bodies of an island of the velocity problem by its solution.
void rg_step_move_island(rgStep* step, const rgIsland* island);
void rg_step_move_body(const rgStep* step, int slot); // that moves for itself

// The movement of a body in such a step under its present velocity.
static inline void rg_step_movement(const rgStep* step, int slot, rgVec3* shift, rgVec3* turn) {
  const rgTwist* end = &step->world->bodies[slot].velocity;
  const rgBodyStep* scratch = &step->bodies[slot];
  const rgTwist* start = &scratch->start_velocity;
  double h = step->h, theta = step->theta;
  *shift = v3_scale(start->linear, h * (1 - theta));
  *shift = v3_axpy(*shift, h * theta, end->linear);
  *turn = v3_axpy(scratch->turn_free, h * theta, v3_sub(end->angular, scratch->v_free.angular));
  if (!step->look.watched || scratch->haste == 0)
    return;
  *shift = v3_axpy(*shift, h * scratch->haste, v3_sub(end->linear, start->linear));
  *turn = v3_axpy(*turn, h * scratch->haste, v3_sub(end->angular, start->angular));
}

#endif
