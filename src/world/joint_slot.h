// joint_slot.h - a joint as the world keeps it between steps.
#ifndef WORLD_JOINT_SLOT_H
#define WORLD_JOINT_SLOT_H

#include "joint/joint.h"
#include "world/body.h"

// What a row of a joint does, and for which error or free axis.
typedef enum rgRowKind {
  RG_ROW_FIXED, // an error that must be zero
  RG_ROW_HELD,  // a free axis whose limits are equal
  RG_ROW_LOWER, // limits
  RG_ROW_UPPER,
  RG_ROW_MOTOR,
  RG_ROW_FRICTION,
  RG_ROW_SERVO,
  RG_ROW_SOFT,   // spring, damper and rotor
  RG_ROW_EFFORT, // a given impulse
  RG_ROW_COUPLED // a free axis that follows another one: among the rows that are held
} rgRowKind;
typedef struct rgRowUse {
  uint8_t kind;
  uint8_t index; // of the fixed row, or of the free axis
} rgRowUse;
enum { RG_JOINT_ROW_MAX = 24 }; // of a planar joint with everything on its three axes

// What an axis follows, see couple/couple.h.
typedef struct rgJointLead {
  int joint, axis; // slot of the leader, and its axis
  double polynomial[RG_COUPLING_TERMS];
} rgJointLead;

// How the velocities of A and B have changed in the last steps: in the last of them, the change of that, and
// the change of this one.
enum { RG_CHANGES = 3 };
typedef struct rgTrail {
  rgTwist change[2][RG_CHANGES]; // zero where nobody asks for it
  double step;                   // [s] length of these steps
  int count;                     // of the changes that are known
} rgTrail;

typedef struct rgJoint {
  // What every step reads of every joint comes first.
  _Alignas(RG_ALIGNMENT) const rgJointInfo* info;
  int body_a, body_b; // slots; -1 is the ground
  // All rows that it may have; a step has those of them that can act in it (rgJointStep).
  int16_t row_count;
  int16_t held_count;       // the first rows: fixed and held ones, which are in every step
  int16_t constraint_count; // these and the limits, which follow them
  bool alive;
  bool axis_rows;  // some of its rows belong to free axes and may act
  bool limited;    // some axis has a limit
  bool watched;    // a step needs its coordinates: there are such rows, or turns are counted
  int8_t rotors;   // how many axes have an armature
  uint8_t coupled; // a bit for each axis that follows another one
  int followers;   // axes that follow its own
  uint32_t idle;   // a bit for each row that does nothing: of an effort that is zero
  rgRowUse rows[RG_JOINT_ROW_MAX];
  rgPose frame_a, frame_b; // in the frames of the bodies

  // State.
  double coordinate[RG_JOINT_AXIS_MAX]; // when last seen: angles continue from there
  rgWrench reaction;                    // [N] [N m] on B at its frame's origin, in the last step
  double force[RG_JOINT_AXIS_MAX];      // [N] or [N m] along the free axes, in the last step
  double rotor[RG_JOINT_AXIS_MAX];      // [m/s] or [rad/s] of the rotors, see joint_place.c
  double impulse[RG_JOINT_ROW_MAX];     // [N s] or [N m s] of the last step: the next one's guess
  rgTrail trail;                        // of the links of trees, see step/tree/trail.c

  rgJointLead leads[RG_JOINT_AXIS_MAX]; // of the axes that follow others

  // Identity.
  rgJointDef def; // as given; a distance that is held has its limits filled in
  uint32_t generation;
  char name[RG_BODY_NAME_SIZE];
} rgJoint;

// For loops over the slots, as rg_body_prefetch: what every step reads of the joint that comes some iterations
// later, up to its frames or with them.
static inline void rg_joint_prefetch_head(const rgJoint* joints, int slot, int count) {
  if (slot + RG_SLOTS_AHEAD < count)
    rg_prefetch_line(&joints[slot + RG_SLOTS_AHEAD]);
}
static inline void rg_joint_prefetch(const rgJoint* joints, int slot, int count) {
  if (slot + RG_SLOTS_AHEAD < count)
    rg_prefetch(&joints[slot + RG_SLOTS_AHEAD], offsetof(rgJoint, coordinate));
}

// The frames of a joint about the centres of mass of its bodies, in their axes; in the world where there is
// no body.
typedef struct rgJointFrames {
  rgPose a, b;
} rgJointFrames;

// Errors of the fixed rows of a joint and coordinates of its free axes.
typedef struct rgJointValues {
  double fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
} rgJointValues;

// Whether the rows of a joint are made of its two points alone, without the axes of its frames.
static inline bool rg_world_joint_needs_points(const rgJoint* joint) {
  return joint->info->points_only && !joint->watched;
}

#endif
