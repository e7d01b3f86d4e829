// post.c - errors of position are removed at the end of the step by the smallest displacement in
// the kinetic norm (Cline 2002, eq. 3.7); project.c has the method. Cline takes one linear step; his
// section 5.2.3 names what helps where errors are large: several steps, and a bound on their size.
// `post` has both, `post-once` is the step as printed.
#include "step/stabilize/project.h"
#include "step/stabilize/stabilizer.h"

static rgStatus correct(rgStep* step) {
  return rg_project_positions(step, (rgProjectForm){.repeats = true, .bounded = true});
}

static rgStatus correct_once(rgStep* step) {
  return rg_project_positions(step, (rgProjectForm){.repeats = false, .bounded = false});
}

const rgStabilizer rg_stabilizer_post = {
    .name = "post",
    .summary =
        "positions are corrected after the step by the smallest displacement in the kinetic norm",
    .reference = "Cline 2002, eq. 3.7 and section 5.2.3",
    .correct = correct,
};

const rgStabilizer rg_stabilizer_post_once = {
    .name = "post-once",
    .summary = "the same by one linear step, neither repeated nor bounded, as printed",
    .reference = "Cline 2002, eq. 3.7",
    .correct = correct_once,
};
