// parts.h - a step that is cut into parts at its impacts (Cline 2002, 4.1 step 6).
#ifndef STEP_PARTS_H
#define STEP_PARTS_H

#include "step/step.h"

// How a part of a step ends.
typedef enum rgPartEnd {
  RG_PART_FREE,    // nothing new touches
  RG_PART_TOUCHES, // something touches that was not in the problem
  RG_PART_PASSES,  // the bodies have gone through something
  RG_PART_STRIKES  // it begins with an impact, and is too long for one
} rgPartEnd;

// What a step is made with. A part that passes or strikes is taken back.
typedef struct rgMethod {
  const struct rgStepper* stepper;
  const struct rgStabilizer* stabilizer;
  double ahead;   // [s] for which contacts are sought at the end; 0: the length of the step
  rgPartEnd* end; // of a part; NULL: the step is made whatever it passes
} rgMethod;

// step.c: makes a step of h [s], or a part of one, with its contacts, stabilizer and certificate.
// What fails, passes or strikes leaves the state as it was.
rgStatus rg_step_make(rgWorld* world, const rgMethod* method, double h);

// Makes a step of h [s] in parts. One that fails leaves the state before the first.
rgStatus rg_parts_make(rgWorld* world, const rgMethod* method, double h);
// How the movement that was just made ends; contacts are those of its end.
rgPartEnd rg_parts_end(const rgStep* step);
// Whether the present velocities lead through a contact of the start that is not in the problem, so
// far that no overlap may be left at the end: asked before bodies move or after, by their poses of the
// start.
bool rg_parts_leaps(const rgStep* step);

#endif
