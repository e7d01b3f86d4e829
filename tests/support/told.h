// told.h - all that a world says, as one hash: for tests of equal bits.
//
// The sign of a zero and the bits of what is not a number mean nothing and are not told.
#ifndef SUPPORT_TOLD_H
#define SUPPORT_TOLD_H

#include <rigor/rigor.h>

enum { TOLD_BODIES_MAX = 40 }; // islands of more are not told

typedef struct Told {
  rgWorld* world;
  uint64_t hash;
} Told;

Told told_begin(rgWorld* world);

void tell_bytes(Told* told, const void* data, size_t size);
void tell_text(Told* told, const char* text);
void tell_int(Told* told, int64_t value);
void tell(Told* told, double value);
void tell_vector(Told* told, rgVec3 v);
// A status, and the message of the world when it is not RG_OK.
void tell_status(Told* told, rgStatus status);
void tell_certificate(Told* told, const rgCertificate* certificate);

// What the world is: time, energy, bodies, shapes, materials, forces, joints, contacts, configuration,
// controls, values of sensors.
void tell_state(Told* told);
// What it knows of its last step: certificate, counts, stepper, islands with their problems, solutions
// and reports, loads.
void tell_step(Told* told);
// The problems of its last step in other forms: local form, what impulses do, certificates of answers that miss,
// measures of the literature.
void tell_problems(Told* told);

// Makes a step and tells its status and all of both.
rgStatus tell_next_step(Told* told);

#endif
