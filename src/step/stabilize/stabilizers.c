// stabilizers.c - the table of stabilizers, and what steppers ask of it.
#include "step/stabilize/stabilizer.h"

#include <string.h>

static const rgStabilizer* const stabilizers[] = {
    &rg_stabilizer_none,
    &rg_stabilizer_baumgarte,
    &rg_stabilizer_post,
    &rg_stabilizer_post_once,
};
enum { STABILIZER_COUNT = sizeof stabilizers / sizeof *stabilizers };

static const rgStabilizer* at(int index) {
  return index >= 0 && index < STABILIZER_COUNT ? stabilizers[index] : NULL;
}

const rgStabilizer* rg_stabilizer_find(const char* name) {
  for (int i = 0; i < STABILIZER_COUNT; i++)
    if (strcmp(stabilizers[i]->name, name) == 0)
      return stabilizers[i];
  return NULL;
}

const char* rg_stabilizer_name(int index) { return at(index) ? at(index)->name : NULL; }
const char* rg_stabilizer_summary(int index) { return at(index) ? at(index)->summary : NULL; }
const char* rg_stabilizer_reference(int index) { return at(index) ? at(index)->reference : NULL; }

double rg_stabilizer_rate(const rgWorld* world) {
  const rgStabilizer* stabilizer = rg_stabilizer_find(world->options.stabilizer);
  return stabilizer && stabilizer->rate ? stabilizer->rate(&world->options) : 0;
}

double rg_stabilizer_contact_bias(const rgWorld* world, const rgWorldContact* contact) {
  double error = contact->gap + rg_stabilizer_allowed_overlap(world, contact);
  return error < 0 ? rg_stabilizer_rate(world) * error : 0;
}
