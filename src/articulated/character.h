// character.h - a figure in a world, and the model from which its torques are computed.
#ifndef ARTICULATED_CHARACTER_H
#define ARTICULATED_CHARACTER_H

#include "articulated/figure.h"
#include <rigor/character.h>

// What the recorded movement asks of a joint in the coming step.
typedef struct rgMuscle {
  rgJointId joint;
  double least;  // [N m] torque that feedback is at least in proportion to
  rgVec3 torque; // [N m] tau, in the axes of the parent
  rgQuat wanted; // turn of the link against its parent at the time that the feedback belongs to
  rgVec3 rate;   // [rad/s] wanted, in the axes of the parent
} rgMuscle;

// A kinematic body that follows a link of the recorded movement.
typedef struct rgFollower {
  rgCharacter* character;
  int link;
  rgVec3 offset; // [m]
} rgFollower;

// The recorded movement at a few times, since every follower asks for the same ones.
enum { RG_CHARACTER_TIMES = 4 };

struct rgCharacter {
  rgWorld* world;
  const rgFigure* figure;
  rgCharacterDef def;
  rgWorld* model; // the figure alone, in which inverse dynamics is done
  rgInverse* inverse;
  int link_count;
  bool ready;  // the joints have the rows of their muscles
  double born; // [s] time of the world as the character was made
  rgBodyId* bodies;
  rgMuscle* muscles;
  rgInverseJoint* needs;
  rgWrench *missing, *applied;
  rgBodyMotion *start, *end; // of the recorded movement over the coming step
  double end_time;           // [s] by the clip's clock, of `end`
  rgBodyMotion* earlier;     // scratch
  rgBodyMotion* seen[RG_CHARACTER_TIMES];
  double seen_time[RG_CHARACTER_TIMES];
  int seen_next;
  rgFollower* followers; // the root on its path, and ghosts
  int follower_count;
  void* memory;
  size_t memory_size;
};

// The recorded movement at a time of the world, from memory where it was asked for lately.
const rgBodyMotion* rg_character_recorded(rgCharacter* character, double time);
// balance.c: wrenches on the links by the ground that a free figure asks for in the coming step, and what
// its root is to be given, by link; `missing` is that of the recorded movement.
void rg_balance_find(rgCharacter* character, rgWrench* applied);
// The recorded movement as the character is made, in `start`.
void rg_character_begin(rgCharacter* character);

#endif
