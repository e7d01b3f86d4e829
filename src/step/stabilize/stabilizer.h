// stabilizer.h - a stabilizer keeps errors of position from growing: overlaps of contacts and
// errors of joints. One file per stabilizer, one row in stabilizers.c.
#ifndef STEP_STABILIZE_STABILIZER_H
#define STEP_STABILIZE_STABILIZER_H

#include "step/step.h"

typedef struct rgStabilizer {
  const char* name;
  const char* summary;
  const char* reference;
  // The part of an error that the velocities of the coming step are to take back per second [1/s];
  // NULL = none.
  double (*rate)(const rgOptions* options);
  // Corrects positions at the end of a step; contacts are up to date before and after. NULL =
  // nothing to do.
  rgStatus (*correct)(rgStep* step);
} rgStabilizer;

extern const rgStabilizer rg_stabilizer_none;
extern const rgStabilizer rg_stabilizer_baumgarte;
extern const rgStabilizer rg_stabilizer_post;
extern const rgStabilizer rg_stabilizer_post_once;

const rgStabilizer* rg_stabilizer_find(const char* name); // NULL when there is none
// The rate of the world's stabilizer [1/s]; 0 when it does not act through velocities. A row or a
// contact whose position is off by `error` gets the bias rate * error.
double rg_stabilizer_rate(const rgWorld* world);
// The bias that a contact gets for its overlap [m/s], <= 0. What the projection leaves alone counts
// as touching here too, so that rest is at rest.
double rg_stabilizer_contact_bias(const rgWorld* world, const rgWorldContact* contact);
// The overlap of a contact that is left alone [m].
static inline double rg_stabilizer_allowed_overlap(const rgWorld* world,
                                                   const rgWorldContact* contact) {
  return world->options.projection_tolerance * contact->size;
}

#endif
