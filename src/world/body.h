// body.h - a body as the world keeps it between steps.
#ifndef WORLD_BODY_H
#define WORLD_BODY_H

#include "base/memory.h"
#include "base/prefetch.h"
#include "math/vec.h"
#include <rigor/world.h>

enum { RG_BODY_NAME_SIZE = 64, RG_UNCHOSEN_MOST = UINT8_MAX };

// Steps for which an island must have been at rest before it sleeps, and the largest number that is counted.
enum { RG_QUIET_STEPS = 50, RG_QUIET_MOST = RG_QUIET_STEPS + 2 };

// Members stand in the order in which a step needs them: what most passes over the bodies read is
// in the first cache lines, what few read is at the end.
typedef struct rgBody {
  _Alignas(RG_ALIGNMENT) rgBodyKind kind;
  int first_shape; // slot of the first shape of a linked list; -1 when there is none
  bool alive;
  bool isotropic; // all principal moments are equal
  bool rotation_locked;
  bool massless; // mass and moments are zero, their inverses those of what stands in for them
  bool moved;    // by the position projection since the contacts were last found
  // State: its pairs are sought anew. It was moved otherwise than by a step, or contacts have followed a
  // correction of its place; in a correction also: it reaches farther than they were sought.
  bool anew;
  bool iterated; // state: the last step solved its island by iteration within the iteration limit
  uint8_t quiet; // state: steps in a row in which its island was at rest, see step/sleep/asleep.c
  // State: steps since the choice among the impulses of its island failed, 0 when it did not; up to RG_UNCHOSEN_MOST.
  uint8_t unchosen;

  // State.
  double inverse_mass; // [1/kg] zero for bodies that are not dynamic
  rgVec3 position;     // [m] of the centre of mass
  rgQuat orientation;  // of the body axes
  rgTwist velocity;
  double travel; // [m] how far any point may move in the coming step: the reach of contacts
  double shift;  // [m] the part of the travel that the centre of mass makes
  double thrust; // [m] the part of the shift that forces make

  // With these the energy of a body is in three cache lines.
  double mass;      // [kg]
  rgVec3 principal; // [kg m2] moments about the principal axes
  double extent;    // [m] radius about the centre of mass that holds all bounded shapes

  rgWrench applied; // [N] [N m] forces besides gravity, weighted over the last step
  double thin;      // [m] smallest half-width of its bounded shapes
  rgMotion* motion; // of a kinematic body; NULL when it keeps its velocity

  rgVec3 inverse_principal; // [1/(kg m2)] inverses of the principal moments; zero when locked
  rgVec3 center;            // [m] centre of mass in the body frame
  void* motion_context;
  int index;           // index in the id of the body
  uint32_t generation; // generation in the id of the body

  rgQuat principal_axes; // turns principal axes into body axes
  // State: the angular momentum about the centre [kg m2/s] that belongs to the angular velocity
  // `momentum_of`. Free flight carries it along instead of computing it from the velocity in each
  // step, so that rounding does not add up.
  rgVec3 momentum, momentum_of;
} rgBody;

// For loops over the slots: prefetch the state, or all, of the body that comes some iterations
// later.
enum { RG_SLOTS_AHEAD = 6 };
static inline void rg_body_prefetch_state(const rgBody* bodies, int slot, int count) {
  if (slot + RG_SLOTS_AHEAD < count)
    rg_prefetch(&bodies[slot + RG_SLOTS_AHEAD], offsetof(rgBody, extent));
}
static inline void rg_body_prefetch(const rgBody* bodies, int slot, int count) {
  if (slot + RG_SLOTS_AHEAD < count)
    rg_prefetch(&bodies[slot + RG_SLOTS_AHEAD], sizeof *bodies);
}

// What no step reads is kept apart, so that bodies lie close together; and what most bodies do not have, apart from that.
typedef struct rgBodyExtra {
  char name[RG_BODY_NAME_SIZE];
  bool inertia_given; // as in rgBodyDef
  rgVec3 center;
  rgMat3 inertia;
} rgBodyExtra;
typedef struct rgBodyRecord {
  double mass;        // [kg] as given: that of the body is computed from it when shapes change
  rgBodyExtra* extra; // NULL: no name, no inertia
  int first_force, first_joint; // heads of the lists in rgBooks
} rgBodyRecord;
static inline const char* rg_body_record_name(const rgBodyRecord* record) {
  return record->extra ? record->extra->name : "";
}

// Pose of the body frame.
rgPose rg_body_frame(const rgBody* body);
// Orientation of a body that is not dynamic after the time dt [s] at its angular velocity: the turn
// is by the angle |w| dt, however large.
rgQuat rg_body_turned(const rgBody* body, rgQuat start, double dt);
// Inverse inertia in world axes at an orientation.
rgMat3 rg_body_inverse_inertia(const rgBody* body, rgQuat orientation);
rgVec3 rg_body_angular_momentum(const rgBody* body); // about the centre of mass [kg m2/s]
// What gravity and the applied force change its velocity by [m/s2].
static inline rgVec3 rg_body_acceleration(const rgBody* body, rgVec3 gravity) {
  return v3_axpy(body->massless ? v3_zero() : gravity, body->inverse_mass, body->applied.force);
}

#endif
