// scheme.h - steppers: from a world at time t to the same world at t + h. One file per stepper, one
// row in steppers.c.
#ifndef STEP_SCHEME_SCHEME_H
#define STEP_SCHEME_SCHEME_H

#include "step/step.h"

typedef struct rgStepper {
  const char* name;
  const char* summary;
  const char* reference;
  bool sequential;   // takes impacts one after the other, too: the option `impacts`
  bool end_contacts; // contacts are taken where they are at the end of the step
  // Bodies pass each other by what its law cannot see; lifting them out would gain energy. Stabilizers
  // that correct positions are refused.
  bool overlaps;
  bool sleeps;     // islands may sleep: the option `sleeping`
  bool cuts;       // into parts at its impacts, see parts.h
  bool no_inertia; // velocities do not persist: there is no kinetic energy in the balance
  // RG_OK, or RG_ERROR_UNSUPPORTED with a message that says what the stepper does not take and what
  // would make it run; NULL = takes everything.
  rgStatus (*accepts)(bool friction, rgMessage* message);
  // Moves every body from t to t + step->h and fills the solver's part of step->certificate and
  // step->work. Contacts of the present configuration are known when it is called. On failure it
  // leaves bodies to rg_step_take_back.
  rgStatus (*step)(rgStep* step);
} rgStepper;

extern const rgStepper rg_stepper_theta;
extern const rgStepper rg_stepper_anitescu_potra;
extern const rgStepper rg_stepper_stewart_trinkle;
extern const rgStepper rg_stepper_implicit_geometry;
extern const rgStepper rg_stepper_first_order;
extern const rgStepper rg_stepper_gauss;
extern const rgStepper rg_stepper_signorini;
extern const rgStepper rg_stepper_auto;
extern const rgStepper rg_stepper_halving;

const rgStepper* rg_stepper_find(const char* name); // NULL when there is none

// What the schemes whose unknown is the velocity at the end of the step differ in (advance.c).
typedef struct rgScheme {
  double theta; // [-] weight of the end of the step in the movement; 0 = that of the options
  // rg_fill_free_motion or what takes its place.
  void (*free_motion)(rgStep* step);
  // Marks which contacts are in the problem. False when some were left out that must enter should
  // the solved movement close them.
  bool (*select)(rgStep* step);
  // Completes a contact of the problem, which has the frame, the arms and the law of the start of
  // the step and no bias: writes the bias in the normal direction, and may replace all else.
  void (*contact)(const rgStep* step, int contact, rgProblemContact* out);
  double mobility;   // [-] factor on inverse masses, 0 for 1
  bool sequential;   // impacts may be taken one after the other (fill/sequential.c)
  bool mean_rows;    // joints act at the mean of start and end (fill/ends.c), not at the start
  bool end_contacts; // contacts act and are judged where they are at the end (fill/contact_ends.c)
  bool closes;       // gaps are closed at the end by multipliers of positions (stabilize/close.c)
} rgScheme;

// theta.c: the law of a contact whose movement is that of the mean velocity.
void rg_stepper_theta_contact(const rgStep* step, int index, rgProblemContact* out);

#endif
