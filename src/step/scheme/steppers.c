// steppers.c - the table of steppers.
#include "step/scheme/scheme.h"

#include <string.h>

static const rgStepper* const steppers[] = {
    &rg_stepper_theta,
    &rg_stepper_anitescu_potra,
    &rg_stepper_stewart_trinkle,
    &rg_stepper_implicit_geometry,
    &rg_stepper_gauss,
    &rg_stepper_first_order,
    &rg_stepper_signorini,
    &rg_stepper_halving,
    &rg_stepper_auto,
};
enum { STEPPER_COUNT = sizeof steppers / sizeof *steppers };

static const rgStepper* at(int index) {
  return index >= 0 && index < STEPPER_COUNT ? steppers[index] : NULL;
}

const rgStepper* rg_stepper_find(const char* name) {
  for (int i = 0; i < STEPPER_COUNT; i++)
    if (strcmp(steppers[i]->name, name) == 0)
      return steppers[i];
  return NULL;
}

const char* rg_stepper_name(int index) { return at(index) ? at(index)->name : NULL; }
const char* rg_stepper_summary(int index) { return at(index) ? at(index)->summary : NULL; }
const char* rg_stepper_reference(int index) { return at(index) ? at(index)->reference : NULL; }
