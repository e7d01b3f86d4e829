// bulk.h - a world as a few arrays: where it stands, how it moves, what drives it; and many worlds at
// once. What control and learning need in every step, with one call for each.
//
// The configuration of a world is, in this order,
//
//     for each root: position (x, y, z) [m] and orientation (w, x, y, z) of its body frame,
//     for each joint in the order of rg_world_joint: the coordinates of its free axes [m] or [rad];
//
// a root is a dynamic body that no joint holds as its B. The rates are the velocity of the centre of
// mass [m/s] and the angular velocity [rad/s] of each root in world axes, and the rates of the axes. The
// controls are one number for each coordinate of a joint: the target of its servo, or else the speed of
// its motor, or else its effort.
#ifndef RIGOR_BULK_H
#define RIGOR_BULK_H

#include "joint.h"

#ifdef __cplusplus
extern "C" {
#endif

RG_API int rg_world_root_count(const rgWorld* world);
RG_API rgBodyId rg_world_root(const rgWorld* world, int index); // generation 0 past the end
// How many numbers a configuration has, and its rates: 7 and 6 for each root, and the
// rg_world_coordinate_count of both.
RG_API int rg_world_position_count(const rgWorld* world);
RG_API int rg_world_rate_count(const rgWorld* world);
// Writes the configuration and the rates; either may be NULL.
RG_API void rg_world_get_configuration(const rgWorld* world, double* positions, double* rates);
// Puts a world into a configuration, with rates; NULL: the present positions, rates of zero.
// RG_ERROR_INPUT for numbers that are no pose and in the cases of rg_joint_set_state.
RG_API rgStatus rg_world_set_configuration(rgWorld* world, const double* positions,
                                           const double* rates);

// Sets the controls of all joint axes; rg_world_coordinate_count numbers, those of axes that take limits
// only, as the swing of a ball joint, being 0. As cheap as rg_joint_set_effort, and nothing that the world
// knows of the last step is lost. What is wrong is told before anything is set.
RG_API rgStatus rg_world_set_controls(rgWorld* world, const double* controls);
// The present ones.
RG_API void rg_world_get_controls(const rgWorld* world, double* controls);

// Copies of the whole state within a process, for control that tries and goes back. A copy holds what a
// snapshot does (world.h): steps that follow are, to the bit, those that followed the save. It goes on in
// the world that it is of, and in others made by the same calls; one that was built differently refuses it
// and is not changed. Some microseconds for a robot, and no allocation once a state has held as much.
typedef struct rgState rgState;                   // opaque
RG_API rgStatus rg_state_create(rgState** state); // RG_ERROR_MEMORY, and *state is NULL
RG_API void rg_state_destroy(rgState* state);     // NULL is allowed
RG_API rgStatus rg_world_save_state(rgWorld* world, rgState* state);
RG_API rgStatus rg_world_load_state(rgWorld* world, const rgState* state);

// Steps of many worlds, each alone, on some threads: the same bits for any number of threads. Arrays have
// the numbers of one step after the other, world after world, and may be NULL.
typedef struct rgRollout {
  rgWorld* const* worlds; // all with the same numbers of positions and rates
  int world_count;
  int steps;              // >= 0 of each world
  int threads;            // >= 1
  const double* controls; // before each step
  double* positions;      // configurations after each step
  double* rates;          // and rates
  unsigned char* met;     // whether each step was met (0 or 1)
} rgRollout;
// A world that fails stops where it is, others go on. Returns the status of the first one that failed,
// with its number in the message.
RG_API rgStatus rg_rollout(const rgRollout* rollout, rgMessage* message);

#ifdef __cplusplus
}
#endif
#endif
