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
#include "base/phase.h"
#include "base/task.h"
#include "force/force.h"
#include "world/body.h"
#include "world/books/links.h"
#include "world/books/lookup.h"
#include "world/books/slots.h"
#include "world/contact.h"
#include "world/joint_slot.h"
#include <rigor/solver.h>
#include <rigor/world.h>

// An array with its capacity; see rg_reserve.
#define RG_ARRAY(type, name)                                                                       \
  type* name;                                                                                      \
  int name##_capacity

// Memory held through the world's allocator, and where it comes from.
typedef struct rgWorldMemory {
  rgAllocator user;
  size_t bytes;
} rgWorldMemory;

// Threads, and the memory that belongs to each of them.
typedef struct rgThreads {
  rgTasks* tasks;
  RG_ARRAY(rgWorker, workers);
} rgThreads;

// What the ids of bodies and shapes lead to, by the index in the id.
typedef struct rgIds {
  uint32_t next_generation; // of all ids
  uint64_t edits;           // of what the world is built of, refused ones counted
  // The fingerprint when there were `known_edits` of them (state/state.c).
  bool known;
  uint64_t fingerprint, known_edits;
  RG_ARRAY(int, slot_of_body);
  RG_ARRAY(int, slot_of_shape);
  RG_ARRAY(rgBodyRecord, body_records);
  RG_ARRAY(rgMassProperties, shape_masses); // no mass when the shape is not solid
} rgIds;

// Materials, and the law between every two of them.
typedef struct rgLaws {
  RG_ARRAY(rgMaterial, materials);
  int material_count;
  RG_ARRAY(rgLaw, table); // material_count squared
  RG_ARRAY(rgPairMaterial, pairs);
  int pair_count;
} rgLaws;

// Which shapes touch others that move as one with them: their seams (seams.c).
typedef struct rgSeams {
  bool known;
  uint64_t signature;   // of all that the lists were made from
  RG_ARRAY(int, start); // shape slot i has neighbours list[start[i]] to list[start[i + 1]]
  RG_ARRAY(rgNeighbour, list);
  int count; // of all neighbours
  int slots; // shape slots when the lists were made
} rgSeams;

// What the search for contacts keeps from one step to the next.
typedef struct rgContactSearch {
  rgBroad* broad;
  bool done;      // at least once: slots stay as they are
  bool stale;     // the world was changed since then
  uint32_t since; // generation from which on shapes were added after the last search
  RG_ARRAY(rgBroadPair, broad_pairs);
  RG_ARRAY(rgBroadPair, broad_room); // of threads that find them together
  RG_ARRAY(rgPair, next_pairs);      // that they merge with the last ones
  RG_ARRAY(rgPair, pairs);           // sorted by the slots of their shapes
  int pair_count;
  RG_ARRAY(rgPair,
           old_pairs); // those of the start of a step, or of a search between two steps, to go
                       // back to when it fails
  RG_ARRAY(rgWorldContact, old_contacts); // of the search before; during a search the memory for
                                          // those that it finds
  rgSeams seams;
} rgContactSearch;

// What finds objects: used slots, names, and what belongs to whom. A step reads pairs_off only.
typedef struct rgBooks {
  rgSlots bodies, shapes;  // by index
  rgSlots forces, joints;  // by slot
  rgNameTable body_names;  // by index
  rgNameTable joint_names; // by slot
  rgLinks force_links, joint_links;
  rgPairsOff pairs_off;
  rgContactLinks contact_links;
} rgBooks;

// Sensors (module sensor), which know the world and not it them. All zero when there are none.
typedef struct rgSensing {
  struct rgSensors* sensors;
  RG_ARRAY(double, values); // state: what they show
  int value_count;
  // Called before and after a step that is made, and as the world ends.
  void (*begin)(struct rgWorld* world);
  void (*end)(struct rgWorld* world);
  void (*release)(struct rgWorld* world);
} rgSensing;

// What the user of a world has it watch and tell.
typedef struct rgUser {
  uint64_t commands;          // how often it has set a drive or an attractor
  const volatile int* cancel; // not zero when steps must end; NULL: never
  rgPhases phases;
  rgSensing sensing;
} rgUser;

struct rgWorld {
  int dimension; // 3 or 2
  rgOptions options;
  rgAllocator allocator; // counts into `memory` and passes on to its user's
  rgWorldMemory memory;
  rgThreads threads;
  rgMessage message;
  rgUser user;
  double time; // [s]
  int64_t steps;
  rgCertificate certificate;

  RG_ARRAY(rgBody, bodies);
  int body_slots, body_count, kinematic_count;
  RG_ARRAY(rgWorldShape, shapes);
  int shape_slots, shape_count;
  RG_ARRAY(rgForce, forces);
  int force_slots;
  RG_ARRAY(rgJoint, joints);
  int joint_slots, joint_count;
  bool unchecked;    // options or materials were set: they may not go together
  bool joints_stale; // velocities were changed from outside: they may not suit the joints
  bool rotors_stale; // rates of rotors are those of the axes, by the velocities of the bodies
  rgLaws laws;
  rgIds ids;
  rgBooks books;

  rgContactSearch search;
  RG_ARRAY(rgWorldContact, contacts);
  int contact_count;

  // The context of a step (step/step.h), which the first step makes; NULL before. Its problems can
  // be read until the world is changed.
  struct rgStep* step;
  void (*release_step)(struct rgWorld* world);
  bool problems_valid;
  rgStepCounts counts;
};

// rg_reserve for an array of the world; false when memory ran out.
#define RG_WORLD_RESERVE(world, name, count) RG_SET_RESERVE(world, world, name, count)
#define RG_SET_RESERVE(world, set, name, count)                                                    \
  rg_reserve(&(world)->allocator, (void**)&(set)->name, &(set)->name##_capacity, (count),          \
             sizeof *(set)->name)

// Bodies that sleep are judged anew for as long as if they had just come to rest: all, or that in a
// slot, which may be that of the ground, -1.
void rg_world_wake(rgWorld* world);
static inline void rg_world_wake_body(rgWorld* world, int slot) {
  if (slot >= 0)
    world->bodies[slot].quiet = 0;
}

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

// layout.c: puts the bodies and shapes of a large world into spatial order. Before contacts are
// sought for the first time.
rgStatus rg_world_order(rgWorld* world);
// Puts them into a given order: slot -> index. RG_ERROR_INPUT when an index is missing; on failure
// nothing is changed. Contacts, pairs and problems keep their old numbers: there must be none, or
// the caller replaces them, and places all shapes anew.
rgStatus rg_world_renumber(rgWorld* world, const int* body_indices, const int* shape_indices);
// The inverse of slot -> index; false when there is none.
bool rg_world_invert(const int* indices, int count, int* slots);
// body.c: makes the slots of bodies and shapes at least so many, new ones being free. False, and
// nothing changed, when memory ran out.
bool rg_world_add_free_slots(rgWorld* world, int bodies, int shapes);

// fingerprint.c: all that a step reads and a snapshot does not hold; the options that contacts depend
// on.
uint64_t rg_world_fingerprint(const rgWorld* world);
uint64_t rg_world_search_hash(const rgWorld* world);

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
rgTwist rg_plane_flatten_twist(const rgWorld* world, rgTwist twist);
void rg_plane_mass(const rgWorld* world, rgMassProperties* mass);

// Recomputes poses and bounds of the shapes of all moving bodies, or of one body.
void rg_world_place_shapes(rgWorld* world, int body_slot);
// The same for a body that is not static, by any thread; then rg_broad_note_moved. False where the body has to
// be placed again, by one thread alone.
bool rg_world_try_place_shapes(rgWorld* world, int body_slot);
void rg_world_place_shapes_again(rgWorld* world, int body_slot);

// The law between two shapes' materials.
const rgLaw* rg_world_law(const rgWorld* world, const rgWorldContact* contact);
// The direction of friction in the world that a law gives to a contact; zero length when isotropic.
rgVec3 rg_world_friction_direction(const rgWorld* world, const rgWorldContact* contact,
                                   const rgLaw* law);
// Rebuilds the table of laws; false when memory ran out.
bool rg_world_build_laws(rgWorld* world);

// search/pairs.c: broad phase, filters, and what is known of pairs from the last search.
rgStatus rg_world_find_pairs(rgWorld* world);
// Finds all contacts at the present configuration (broad and narrow phase), carrying impulses over
// from the last ones by feature. `h` [s] is the step that the contacts must reach ahead. For bodies
// that were put where they are; a search that fails changes no pair and no contact.
rgStatus rg_world_detect(rgWorld* world, double h);
// The same within a step, which keeps pairs and contacts and takes back what fails: bodies have moved
// with their velocities for the time `moved` [s] since the last search. `follows`: contacts are where that found them,
// and those of pairs that have hardly moved follow their shapes (search/follow.c).
rgStatus rg_world_detect_ahead(rgWorld* world, double h, double moved, bool follows);
// The same for bodies that have not moved, as far as their travel, shift and thrust say. Pairs stay as they are
// where these have not grown, which bodies tell by `anew`.
rgStatus rg_world_detect_within(rgWorld* world, double h);
// The same as far as velocities say, after some bodies were `moved`: pairs of others stay as they are.
rgStatus rg_world_detect_corrected(rgWorld* world, double h);
// The same for the pairs with a body that was `moved`, keeping the set of pairs.
rgStatus rg_world_detect_moved(rgWorld* world, double h);
// Only places the shapes of bodies that were `moved`; the caller brings the contacts up to date.
void rg_world_place_moved(rgWorld* world);

// Lists the rows of all joints anew, after their axes were set.
void rg_world_list_joint_rows(rgWorld* world);
// Sees which of its rows may act, after efforts were set.
void rg_world_see_joint_rows(rgJoint* joint);
rgJoint* rg_world_joint_slot(const rgWorld* world, rgJointId id); // NULL when it is not there
// Placement of the frames of a joint, with the centres of mass of its bodies at the given poses
// (position of the centre, orientation). The pose of the ground is not read.
rgJointPlace rg_world_joint_place(const rgWorld* world, const rgJoint* joint, rgPose a, rgPose b);
// The same at the present configuration.
rgJointPlace rg_world_joint_place_now(const rgWorld* world, const rgJoint* joint);
// The values there; angles nearest to those last seen.
rgJointValues rg_world_joint_values(const rgJoint* joint, const rgJointPlace* place);
// The same as far as the step reads them: placements without axes and values without coordinates
// where no row needs them; rows of free axes only where there are any. What is left out is not
// written.
rgJointFrames rg_world_joint_frames(const rgWorld* world, const rgJoint* joint);
void rg_world_joint_row_place(const rgJoint* joint, const rgJointFrames* frames, rgPose a, rgPose b,
                              rgJointPlace* out);
void rg_world_joint_row_place_now(const rgWorld* world, const rgJoint* joint, rgJointPlace* out);
rgJointValues rg_world_joint_row_values(const rgJoint* joint, const rgJointPlace* place);
void rg_world_joint_rows(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place,
                         rgJointRow* fixed, rgJointRow* axes);
// [m] the longest arm of the joint or radius of gyration of its dynamic bodies: what turns its
// angles into lengths.
double rg_world_joint_size(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place);
// [m] largest error of a joint in a placement, held and limited axes included.
double rg_world_joint_error_of(const rgJoint* joint, const rgJointValues* values, double size);
double rg_world_joint_potential(const rgWorld* world); // [J] of the springs on free axes
bool rg_world_joint_has_spring(const rgJoint* joint);
// [J] of the springs of a joint with these values, added to the sum.
double rg_world_joint_springs(const rgJoint* joint, const rgJointValues* values, double sum);
rgEnergy rg_world_body_energy(const rgWorld* world,
                              int slot); // [J] of a body alone, and its weight
// [J] of all, that of bodies and of springs of joints being known.
rgEnergy rg_world_energy_with(const rgWorld* world, rgEnergy bodies, double springs);
double rg_world_rotor_energy(const rgWorld* world); // [J] kinetic energy of all rotors
// The rates of the free axes by the present velocities of the bodies [m/s] or [rad/s].
void rg_world_joint_rates(const rgWorld* world, const rgJoint* joint, double* rates);
// Where the rates of rotors are stale, makes them those of their axes.
void rg_world_sync_rotors(rgWorld* world);
// What a force looks at: the present state of its bodies; `h` [s] of the coming step, 0 for none.
rgForceView rg_world_force_view(const rgWorld* world, const rgForce* force, double h);
rgForceSystemView rg_world_force_system_view(const rgWorld* world, const rgForce* force, double h);
double rg_world_force_potential(const rgWorld* world); // [J] of springs
// Ends all forces of a body.
void rg_world_remove_forces_of(rgWorld* world, int body_slot);

// Ends all joints of a body.
void rg_world_remove_joints_of(rgWorld* world, int body_slot);

// seams.c: finds the neighbours of all shapes, where the world was changed so that there may be
// others. After shapes were placed.
rgStatus rg_world_find_seams(rgWorld* world);
// Whether a shape has neighbours that move as one with it. Shapes that were added since have none.
bool rg_world_has_seams(const rgWorld* world, int shape);
// Corrects the contacts of a pair of shapes where their neighbours make another surface of them: where
// the shapes are, or where they are when the bodies of A and B have the frames ends[0] and ends[1].
void rg_world_correct_seams(const rgWorld* world, int shape_a, int shape_b, const rgPose* ends,
                            double reach, rgManifoldList* list);
// Whether two shapes may touch: filters, and bodies of which one is dynamic.
bool rg_world_shapes_collide(const rgWorld* world, const rgWorldShape* a, const rgWorldShape* b);

// patches.c: whether patches that twist get contacts inside.
bool rg_world_fills_patches(const rgWorld* world);
// Adds contacts inside a flat patch that twists, behind its corners, for a coming step of h [s];
// returns how many, at most RG_PATCH_POINTS. The contacts are those of one manifold.
int rg_world_fill_patch(const rgWorld* world, const rgPair* pair, rgWorldContact* contacts,
                        int count, double h);

// carry.c: impulses for the new contacts of a pair from its last ones, from which the bodies have
// moved away for the time h [s].
void rg_world_carry_impulses(const rgWorld* world, const rgPair* pair, rgWorldContact* contacts,
                             int count, double h);
// The contact that takes over the impulse of an old one of the pair, NULL when there is none.
rgWorldContact* rg_world_find_heir(rgWorldContact* contacts, int count, const rgWorldContact* old);

#endif
