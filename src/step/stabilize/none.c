// none.c - no stabilization: errors of position grow as the discretization makes them (Cline 2002,
// 3.1).
#include "step/stabilize/stabilizer.h"

const rgStabilizer rg_stabilizer_none = {
    .name = "none",
    .summary = "errors of position are left as they are and grow (drift)",
    .reference = "Cline 2002, section 3.1",
};
