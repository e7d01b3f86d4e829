// baumgarte.c - errors of position are taken back by the velocities of the next step.
//
// The constraint g = 0 is held at the level of velocities as J v + alpha g = 0 instead of J v = 0
// (Cline 2002, section 3.2): from step to step an error falls by the factor 1 - alpha h. It oscillates for
// alpha h > 1 and grows for alpha h > 2. An error costs one addition per row, but the velocity that
// takes it back stays in the velocities: energy is added, and the certificate's `energy` shows it.
// For a contact g is its overlap; a gap that is open asks for nothing.
#include "step/stabilize/stabilizer.h"

static double rate(const rgOptions* options) { return options->baumgarte_rate; }

const rgStabilizer rg_stabilizer_baumgarte = {
    .name = "baumgarte",
    .summary = "velocities take errors of position back at the rate baumgarte_rate",
    .reference = "Cline 2002, section 3.2",
    .rate = rate,
};
