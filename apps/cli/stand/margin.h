// margin.h - how far an assembly that stands is from falling, with a proof on both sides.
//
// Each margin is a number that was halved between a value at which forces balance and one at which a
// motion shows that none do.
//
// Shaking: gravity plus a horizontal acceleration a. The accelerations that the assembly bears are a
// convex set in the plane. Beyond its edge the motion v of the proof gives a line that the set does not
// cross: every a with (sum of m v) . a >= (what it costs) is too much. The place of that line nearest
// to a = 0 is the next direction to be tried, until the distance no longer falls; several first
// directions are tried, because a convex set may have several near edges.
#ifndef CLI_MARGIN_H
#define CLI_MARGIN_H

#include "cli/stand/assembly.h"

typedef struct CliMargin {
  double stands, falls; // the last value that stands, the first that falls; infinite: none falls
  rgVec3 direction;     // of a horizontal acceleration: the weakest
} CliMargin;

// The smallest factor on friction with which it stands: `falls` is below `stands`; zero when it
// stands without friction, both infinite when no friction is enough.
CliMargin cli_margin_friction(CliAssembly* assembly);
// The largest horizontal acceleration [m/s2] that it bears in every direction.
CliMargin cli_margin_shaking(CliAssembly* assembly);
// The largest factor on the forces besides gravity.
CliMargin cli_margin_forces(CliAssembly* assembly);

#endif
