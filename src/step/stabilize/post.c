// post.c - errors of position are removed at the end of the step by the smallest displacement in
// the kinetic norm (Cline 2002, eq. 3.7); project.c has the method.
#include "step/stabilize/project.h"
#include "step/stabilize/stabilizer.h"

const rgStabilizer rg_stabilizer_post = {
    .name = "post",
    .summary =
        "positions are corrected after the step by the smallest displacement in the kinetic norm",
    .reference = "Cline 2002, eq. 3.7",
    .correct = rg_project_positions,
};
