// world.h - what a world holds.
//
// Slots: bodies, shapes, joints and forces live in arrays of slots. An id is an index and the
// generation that lives there. The index of a joint or a force is its slot. That of a body or a
// shape leads to its slot and back: both stay bound to each other, used or not, from the first
// search for contacts on, which puts large worlds into spatial order (layout.c). A step knows slots
// only. Indices are what users see: ids, names and lists follow them.
//
// All arrays only grow, and only outside the inner phases of a step, so that a warmed-up world
// never allocates. Contacts always describe the present configuration: they are found at the end of
// a step (or at its start when the world was changed in between) and solved in the next one.
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include "base/memory.h"
#include "base/prefetch.h"
#include "base/task.h"
#include "collide/broad/broad.h"
#include "collide/collide.h"
#include "force/force.h"
#include "joint/joint.h"
#include "math/vec.h"
#include "shape/shape.h"
#include <rigor/solver.h>
#include <rigor/world.h>

enum { RG_BODY_NAME_SIZE = 64 };

// In the order in which a step comes to need it: what most passes over the bodies read is in the
// first cache line, what few read is at the end.
typedef struct rgBody {
  _Alignas(RG_ALIGNMENT) rgBodyKind kind;
  int problem_body; // index in the step's problem arrays, -1 when in no island
  int first_shape;  // slot of the first of a linked list, -1 when there is none
  bool alive;
  bool isotropic; // all principal moments equal
  bool rotation_locked;
  bool moved;    // by the position projection, since contacts were last sought
  bool iterated; // the last step's solve of its island ended neither at the warm start nor with its
                 // budget; part of the state

  // State.
  double inverse_mass; // zero inverses for bodies that are not dynamic and for locked rotation
  rgVec3 position;     // [m] of the centre of mass
  rgQuat orientation;  // of the body axes
  rgTwist velocity;
  double travel; // [m] how far any point may move in the coming step, as assumed when contacts were
                 // sought
  double shift;  // [m] the part of it that is the centre's
  double thrust; // [m] the part of the shift that forces do

  double extent;            // [m] radius about the centre of mass that holds all bounded shapes
  rgVec3 inverse_principal; // [1/(kg m2)] inverses of the principal moments
  rgVec3 center;            // [m] centre of mass in the body frame
  rgWrench applied;         // [N] [N m] forces besides gravity, weighted over the step

  // Filled in each step.
  rgTwist start_velocity;
  rgTwist v_free;
  rgVec3 turn_free; // [rad] rotation of the free motion, as a Cayley vector in world axes

  // One cache line.
  double mass;
  rgVec3 principal;      // [kg m2] moments about the principal axes
  rgQuat principal_axes; // turns principal axes into body axes

  rgMat3 inverse_inertia; // [1/(kg m2)] world axes, at the orientation that the free motion reaches
  // Angular momentum about the centre [kg m2/s] that belongs to the angular velocity `momentum_of`;
  // part of the state. In free flight it is carried along instead of being computed from the
  // velocity each time, so that no rounding adds up.
  rgVec3 momentum, momentum_of;
  struct {
    rgVec3 position;
    rgQuat orientation;
    rgTwist velocity;
    rgVec3 momentum, momentum_of;
  } before;         // the step: restored should it fail
  rgMotion* motion; // of a kinematic body, NULL when it keeps its velocity
  void* motion_context;
  int index;           // of its id,
  uint32_t generation; // and what else is in it
} rgBody;

// For loops over the slots: asks for the state of the body that comes some turns later, and for all
// of it.
enum { RG_SLOTS_AHEAD = 6 };
static inline void rg_prefetch_state(const rgBody* bodies, int slot, int count) {
  const rgBody* next = &bodies[rg_ahead(slot, RG_SLOTS_AHEAD, count)];
  rg_prefetch(next, offsetof(rgBody, extent));
}
static inline void rg_prefetch_body(const rgBody* bodies, int slot, int count) {
  rg_prefetch(&bodies[rg_ahead(slot, RG_SLOTS_AHEAD, count)], sizeof *bodies);
}

// What no step reads, apart, so that bodies lie close together.
typedef struct rgBodyRecord {
  rgBodyDef def; // as given, without the name; mass is recomputed from it when shapes change
  char name[RG_BODY_NAME_SIZE];
} rgBodyRecord;

// What pairs and contacts ask of a shape is in two cache lines, its body's motion included: they
// come to it in no order.
typedef struct rgWorldShape {
  _Alignas(RG_ALIGNMENT) rgPose pose; // of the shape frame in the world
  double ball;                        // [m] radius of a sphere, 0 for others
  // Of its body when contacts are sought.
  rgVec3 velocity;              // [m/s]
  double travel, shift, thrust; // [m]
  rgShape* shape;
  int material;
  int body; // slot

  int next; // next shape of the same body, -1 at the end
  int proxy;
  bool alive;
  int index;           // of its id,
  uint32_t generation; // and what else is in it
} rgWorldShape;

// What holds between two materials. `direction_side`: whose body carries the direction (0 none, 1
// A, 2 B). Where either could, `contested`, it is the one whose shape has the lower index.
typedef struct rgLaw {
  rgMaterial material;
  int direction_side;
  bool contested;
} rgLaw;

static inline double rg_smaller_size(const rgWorldShape* a, const rgWorldShape* b) {
  return a->shape->size < b->shape->size ? a->shape->size : b->shape->size;
}

// A contact at the present configuration. Contacts of one manifold follow each other.
typedef struct rgWorldContact {
  rgVec3 normal;
  rgVec3 point_a,
      point_b;    // [m] on the surfaces of A and B: where they will touch, seen from either body
  double gap;     // [m]
  rgVec3 impulse; // [N s] on A: of the last step, and the guess for the next
  double torsion; // [N m s]
  int body_a, body_b, shape_a, shape_b; // slots
  int material_a, material_b;
  double size; // [m] the smaller one of the two shapes
  uint32_t key, feature;
  int problem_contact; // index in the step's problem arrays, -1 when left out
  bool impact;         // restitution applies in this step
  bool ball_a, ball_b; // the shape is a sphere
  double slip_part;    // of the start's slip in the slip that friction opposes, see closing.c
} rgWorldContact;

typedef struct rgPair {
  uint32_t a, b; // shape slots, a < b
  int contact_start, contact_count;
  int worker; // while contacts are sought: whose memory holds them, or one of the values below
  rgPairHint hint;
} rgPair;
enum { RG_PAIR_KEPT = -1, RG_PAIR_UNDONE = -2 };

// What a row of a joint does, and for which error or free axis.
typedef enum rgRowKind {
  RG_ROW_FIXED, // an error that must be zero
  RG_ROW_HELD,  // a free axis whose limits are equal
  RG_ROW_LOWER, // limits
  RG_ROW_UPPER,
  RG_ROW_MOTOR,
  RG_ROW_FRICTION,
  RG_ROW_SPRING // and damper
} rgRowKind;
typedef struct rgRowUse {
  uint8_t kind;
  uint8_t index; // of the fixed row, or of the free axis
} rgRowUse;
enum { RG_JOINT_ROW_MAX = 18 }; // of a planar joint with everything on its three axes

typedef struct rgJoint {
  // What every step reads of every joint comes first, and fits a cache line or two.
  const rgJointInfo* info;
  int body_a, body_b;       // slots, -1 for the ground
  int problem_row;          // index of the first row in the step's problem arrays, -1 when left out
  int16_t row_count;        // the same in every step
  int16_t constraint_count; // of these, the first: fixed, held and limited
  bool alive;
  bool asks;      // to be corrected by the projection of positions
  bool bounded;   // some of its rows have bounds: limits, motors, friction
  bool axis_rows; // some of its rows belong to free axes
  bool watched;   // coordinates matter to the step: there are such rows, or turns are counted
  uint8_t mean_friction; // bit of each free axis whose friction opposes the rate of the whole step
                         // instead of that of its end, see joint_problem.c
  rgRowUse rows[RG_JOINT_ROW_MAX];
  rgPose frame_a, frame_b;          // in the frames of the bodies
  rgVec3 arm;                       // [m] of B, with which the rows were made
  double impulse[RG_JOINT_ROW_MAX]; // state: [N s] or [N m s] of the last step, and the guess for
                                    // the next
  // G v of the constraints at the start of the step [m/s] or [rad/s].
  double start_rate[RG_JOINT_ROW_MAX];

  // State.
  double coordinate[RG_JOINT_AXIS_MAX]; // when last seen: angles go on from there
  rgWrench reaction;                    // [N] [N m] on B at its frame's origin, in the last step
  double force[RG_JOINT_AXIS_MAX];      // [N] or [N m] along the free axes, in the last step

  // Identity.
  rgJointDef def; // as given; of a distance that is held, the limits are filled in
  uint32_t generation;
  char name[RG_BODY_NAME_SIZE];
} rgJoint;

// The end of a step as it is thought to be while joints are solved.
typedef struct rgMotionEnd {
  rgPose pose; // of the centre of mass
  rgTwist velocity;
  rgVec3 turn;      // [rad] of the step, as a Cayley vector in world axes
  rgMat3 stiffness; // [kg m2] of the joints' levers
  bool known;       // the body is in an island with joints
} rgMotionEnd;

// Errors of the fixed rows of a joint and coordinates of its free axes.
typedef struct rgJointValues {
  double fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
} rgJointValues;

// A joint at the start of a step.
typedef struct rgJointStart {
  double size;        // [m] see rg_joint_size
  rgJointPlace place; // as rg_joint_row_place gives it
  rgJointValues values;
} rgJointStart;

typedef struct rgIsland {
  int body_start, body_count, contact_start, contact_count, row_start, row_count;
  rgSolveReport report; // iterations of all solves in the step
  int last_iterations;  // of the last solve
  int redundant_rows;   // most found by a solve
  bool settled;         // not to be solved again
  bool rounded;         // its impulses and the motion they make were found together
  size_t factor_start;  // [bytes] where its factor is, see joint_rounds.c
  bool rough;           // its joints got the plain step
  // Rounds of motion and impulses: what the impulses of the last two missed for the rows of the
  // next, what is allowed to be missed where more than the solve's own start_tolerance is, rounds
  // in a row that were too slow, and whether that was too many.
  double missed[2];
  double start_tolerance;
  int slow_rounds;
  bool hopeless;
} rgIsland;

// Memory of one worker thread.
typedef struct rgWorker {
  rgManifoldList manifolds;
  rgWorldContact* contacts;
  int contact_count, contact_capacity;
  void* work;
  int work_capacity; // [cache lines]
} rgWorker;

// An array with its capacity; see rg_reserve.
#define RG_ARRAY(type, name)                                                                       \
  type* name;                                                                                      \
  int name##_capacity

// The contact problems of all islands, laid out one after the other.
typedef struct rgProblemSet {
  int dimension;
  bool constraints_only;        // of joints: no motors, friction and springs
  RG_ARRAY(int, contact_order); // problem contact -> world contact
  RG_ARRAY(int, body_order);    // problem body -> body slot
  RG_ARRAY(rgIsland, islands);
  int island_count, body_count, contact_count, row_count;
  RG_ARRAY(rgProblemBody, bodies);
  RG_ARRAY(rgProblemContact, contacts);
  RG_ARRAY(double, v);      // 6 per body
  RG_ARRAY(double, r);      // 4 per contact
  RG_ARRAY(int, row_joint); // row -> joint slot, the rows of a joint follow each other; those of
                            // forces come after them and have -1
  RG_ARRAY(rgProblemRow, rows);
  RG_ARRAY(double, lambda); // 1 per row
} rgProblemSet;

// States and slopes of a body within a step of the stepper gauss.
typedef struct rgGaussState {
  rgVec3 position;
  rgQuat orientation;
  rgTwist velocity;
} rgGaussState;
typedef struct rgGaussSlope {
  rgTwist velocity;
  rgQuat turn; // rate of the quaternion
  rgTwist acceleration;
} rgGaussSlope;
typedef struct rgGaussBody {
  rgGaussState step, part; // at the start of the step, and of the part of it that is being made
  rgGaussSlope slope, sum; // of the last stage; weighted over the stages
  double overlap;          // [m] deepest at the start of the part
} rgGaussBody;

struct rgWorld {
  int dimension;         // 3 or 2
  rgAllocator allocator; // counts into `memory` and passes on to `user_allocator`
  rgAllocator user_allocator;
  rgOptions options;
  rgMessage message;
  double time; // [s]
  int64_t steps;
  rgCertificate certificate;
  size_t memory; // [bytes] held through the allocator

  RG_ARRAY(rgBody, bodies);
  RG_ARRAY(rgBodyRecord, body_records); // by the index of the body
  RG_ARRAY(int, slot_of_body);          // by its index
  RG_ARRAY(int, living);                // indices of the living bodies, ascending
  int body_slots, body_count, kinematic_count;
  RG_ARRAY(rgWorldShape, shapes);
  RG_ARRAY(rgMassProperties, shape_masses); // by the index of the shape; no mass when not solid
  RG_ARRAY(int, slot_of_shape);             // by its index
  int shape_slots, shape_count;
  RG_ARRAY(rgForce, forces);
  int force_slots;
  RG_ARRAY(rgForceTerm, force_terms); // of all forces in the present step
  RG_ARRAY(rgJoint, joints);
  int joint_slots, joint_count;
  RG_ARRAY(rgMaterial, materials);
  int material_count;
  RG_ARRAY(rgLaw, laws); // material_count squared
  struct rgPairMaterial {
    int a, b;
    rgMaterial material;
  } * pair_materials;
  int pair_materials_capacity, pair_material_count;
  RG_ARRAY(uint64_t, no_collision); // sorted keys of bodies, see rg_body_pair_key
  int no_collision_count;
  RG_ARRAY(uint64_t, joined); // the same of bodies that do not collide because a joint joins them;
  int joined_count;           // once per joint
  uint32_t next_generation;

  rgBroad* broad;
  rgTasks* tasks;
  RG_ARRAY(rgWorker, workers);
  bool contacts_sought; // at least once: slots stay as they are
  bool contacts_stale;  // the world was changed since then
  bool joints_stale;    // velocities were changed from outside: they may not suit the joints

  RG_ARRAY(rgBroadPair, broad_pairs);
  RG_ARRAY(rgPair, pairs);
  int pair_count;
  RG_ARRAY(rgPair, old_pairs);
  int old_pair_count;
  RG_ARRAY(rgWorldContact, contacts);
  int contact_count;
  RG_ARRAY(rgWorldContact, old_contacts);

  RG_ARRAY(int, parent);                 // scratch: union-find over body slots
  RG_ARRAY(int, island_of);              // scratch: body slot -> island
  rgProblemSet velocity;                 // the problem of the last step
  rgProblemSet position;                 // the last projection of positions
  RG_ARRAY(rgGaussBody, gauss_bodies);   // scratch of the stepper gauss, per body slot
  RG_ARRAY(rgManifold, gauss_manifolds); // and of one pair
  RG_ARRAY(rgMotionEnd, ends);          // body slot -> end of the step; only where there are joints
  RG_ARRAY(rgJointStart, joint_starts); // joint slot -> its start
  void* factors;                        // of the islands with joints; see joint_rounds.c
  int factors_capacity;                 // [cache lines]
  rgStepCounts counts;
};

// rg_reserve for an array of the world; false when memory ran out.
#define RG_WORLD_RESERVE(world, name, count) RG_SET_RESERVE(world, world, name, count)
#define RG_SET_RESERVE(world, set, name, count)                                                    \
  rg_reserve(&(world)->allocator, (void**)&(set)->name, &(set)->name##_capacity, (count),          \
             sizeof *(set)->name)

// Sets the world's message and returns the status.
rgStatus rg_world_fail(rgWorld* world, rgStatus status, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// What an id names, or NULL.
rgBody* rg_world_body_slot(const rgWorld* world, rgBodyId id);
// The number of a slot, and the id of what lives in one; of the ground, -1, that of no body.
static inline int rg_slot_of(const rgWorld* world, const rgBody* body) {
  return (int)(body - world->bodies);
}
static inline rgBodyId rg_body_id(const rgWorld* world, int slot) {
  if (slot < 0)
    return (rgBodyId){0, 0};
  return (rgBodyId){(uint32_t)world->bodies[slot].index, world->bodies[slot].generation};
}
static inline rgShapeId rg_shape_id(const rgWorld* world, int slot) {
  return (rgShapeId){(uint32_t)world->shapes[slot].index, world->shapes[slot].generation};
}
// The key of two bodies, given by their slots, whichever is the first.
static inline uint64_t rg_body_pair_key(const rgWorld* world, int a, int b) {
  uint32_t i = (uint32_t)world->bodies[a].index, k = (uint32_t)world->bodies[b].index;
  return i < k ? (uint64_t)i << 32 | k : (uint64_t)k << 32 | i;
}

// layout.c: puts the bodies and shapes of a large world into spatial order. Before contacts are
// sought for the first time.
rgStatus rg_world_order(rgWorld* world);
// Puts them into a given order: slot -> index. RG_ERROR_INPUT when an index is missing; on failure
// nothing is changed. Contacts, pairs and problems keep their old numbers: there must be none, or
// the caller replaces them, and places all shapes anew.
rgStatus rg_world_renumber(rgWorld* world, const int* body_indices, const int* shape_indices);

// plane.c: refuse what would leave the plane of a 2D world; RG_OK in every other. `what` begins the
// message: "position".
rgStatus rg_plane_vector(const rgWorld* world, rgVec3 v, const char* what, rgMessage* message);
rgStatus rg_plane_turn(const rgWorld* world, rgVec3 v, const char* what, rgMessage* message);
rgStatus rg_plane_pose(const rgWorld* world, rgPose pose, rgMessage* message);
rgStatus rg_plane_twist(const rgWorld* world, rgTwist twist, rgMessage* message);
rgStatus rg_plane_force(const rgWorld* world, const rgForceDef* def, rgMessage* message);
rgStatus rg_plane_shape(const rgWorld* world, const rgShapeDef* def, rgMessage* message);
rgStatus rg_plane_joint(const rgWorld* world, const rgJoint* joint, rgMessage* message);
bool rg_plane_row(const rgJointRow* row); // whether a row does anything in the plane
// Takes out of the rows of a joint what leaves the plane of a 2D world: rounding, which nothing
// would hold back. `axes` may be NULL.
void rg_plane_flatten_rows(const rgWorld* world, const rgJoint* joint, rgJointRow* fixed,
                           rgJointRow* axes);
// The part in the plane.
rgWrench rg_plane_wrench(const rgWorld* world, rgWrench wrench);
rgPose rg_plane_flatten(const rgWorld* world, rgPose pose);
void rg_plane_mass(const rgWorld* world, rgMassProperties* mass);

// Pose of the body frame.
rgPose rg_body_frame(const rgBody* body);
// World-axes inverse inertia at an orientation.
rgMat3 rg_body_inverse_inertia(const rgBody* body, rgQuat orientation);
rgVec3 rg_body_angular_momentum(const rgBody* body); // about the centre of mass [kg m2/s]

// Recomputes poses and bounds of the shapes of all moving bodies, or of one body.
void rg_world_place_shapes(rgWorld* world, int body_slot);

// The law between two shapes' materials.
const rgLaw* rg_world_law(const rgWorld* world, const rgWorldContact* contact);
// The direction of friction in the world that a law gives to a contact; zero length when isotropic.
rgVec3 rg_world_friction_direction(const rgWorld* world, const rgWorldContact* contact,
                                   const rgLaw* law);
// Rebuilds the table of laws; false when memory ran out.
bool rg_world_build_laws(rgWorld* world);

// Finds all contacts at the present configuration (broad and narrow phase), carrying impulses over
// from the last ones by feature. `h` [s] is the step that the contacts must reach ahead.
rgStatus rg_world_detect(rgWorld* world, double h);
// The same for the pairs with a body that was `moved`, keeping the set of pairs.
rgStatus rg_world_detect_moved(rgWorld* world);
// Only places the shapes of bodies that were `moved`; the caller brings the contacts up to date.
void rg_world_place_moved(rgWorld* world);

// Placement of the frames of a joint, with the centres of mass of its bodies at the given poses
// (position of the centre, orientation). The pose of the ground is not read.
rgJointPlace rg_world_joint_place(const rgWorld* world, const rgJoint* joint, rgPose a, rgPose b);
// The same at the present configuration.
rgJointPlace rg_world_joint_place_now(const rgWorld* world, const rgJoint* joint);
// The values there; angles nearest to those last seen.
rgJointValues rg_joint_values(const rgJoint* joint, const rgJointPlace* place);
// The same as far as the step reads them: placements without axes and values without coordinates
// where no row needs them; rows of free axes only where there are any, otherwise `axes` is not
// written.
static inline bool rg_joint_needs_points(const rgJoint* joint) { // and no axes of its frames
  return joint->info->points_only && !joint->watched;
}
rgJointPlace rg_joint_row_place(const rgWorld* world, const rgJoint* joint, rgPose a, rgPose b);
rgJointPlace rg_joint_row_place_now(const rgWorld* world, const rgJoint* joint);
rgJointValues rg_joint_row_values(const rgJoint* joint, const rgJointPlace* place);
void rg_joint_rows(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place,
                   rgJointRow* fixed, rgJointRow* axes);
// Rows of a joint in a set.
static inline int rg_joint_row_count(const rgProblemSet* set, const rgJoint* joint) {
  return set->constraints_only ? joint->constraint_count : joint->row_count;
}
// [m] the longest arm of the joint or radius of gyration of its dynamic bodies: what turns its
// angles into lengths.
double rg_joint_size(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place);
// [m] largest error of the joint, held and limited axes included.
double rg_joint_error(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place,
                      const rgJointValues* values);
double rg_world_joint_error(const rgWorld* world);     // [m] the largest of all joints
double rg_world_joint_potential(const rgWorld* world); // [J] of the springs on free axes
// What a force looks at: the present state of its bodies; `h` [s] of the coming step, 0 for none.
rgForceView rg_force_view(const rgWorld* world, const rgForce* force, double h);
double rg_world_force_potential(const rgWorld* world); // [J] of springs
// Ends all forces of a body.
void rg_world_remove_forces_of(rgWorld* world, int body_slot);

// Ends all joints of a body.
void rg_world_remove_joints_of(rgWorld* world, int body_slot);

// carry.c: impulses for the new contacts of a pair from its last ones, from which the bodies have
// moved away for the time h [s].
void rg_world_carry_impulses(const rgWorld* world, const rgPair* pair, rgWorldContact* contacts,
                             int count, double h);

// Which contacts and joints are in the problem is marked by problem_contact and problem_row >= 0.
// Groups them and their bodies by island, in a fixed order: fills islands and orders of the set and
// the problem indices of contacts, joints and bodies, and makes room in the other arrays of the
// set.
rgStatus rg_world_build_islands(rgWorld* world, rgProblemSet* set);
// The rgProblem and the solution of one island as views into the set.
rgProblem rg_island_problem(const rgProblemSet* set, const rgIsland* island);
rgSolution rg_island_solution(const rgProblemSet* set, const rgIsland* island);
// Rows of joints come before those of forces.
static inline bool rg_island_has_joints(const rgProblemSet* set, const rgIsland* island) {
  return island->row_count > 0 && set->row_joint[island->row_start] >= 0;
}
// Solves all islands, in parallel. Island reports hold the results.
rgStatus rg_world_solve_islands(rgWorld* world, rgProblemSet* set, const char* solver,
                                const rgStop* stop);

#endif
