// project.h - what the projection of positions (project.c), its marks (project_mark.c) and its joints (project_joints.c) share.
#ifndef STEP_STABILIZE_PROJECT_H
#define STEP_STABILIZE_PROJECT_H

#include "step/step.h"

// What a projection does besides one linear step.
typedef struct rgProjectForm {
  bool repeats; // further passes remove what the second order of the last one has left
  bool bounded; // no pass turns a body far
  bool shifts;  // bodies are shifted only, where no joints are
  bool closes;  // what the movement of a step has left of gaps, to the last digits (close.c)
} rgProjectForm;

// What is asked for in one pass.
typedef struct rgProjection {
  rgProjectForm form;
  double allowed; // [m] smallest error that is left alone, of what asks; infinite = nothing asks
  double deepest; // [m] largest correction asked for
  double joint_error; // [m] largest error of a joint that asks
  bool overlaps;      // a contact or a limit asks
  // What the certificate is told: the largest error as a multiple of what users were promised, which
  // for joints is more than what the projection aims at. Both are 0 where there is no error at all.
  double promised, worst; // [m]
} rgProjection;

// Counts an error against what was promised [m].
static inline void rg_project_judge(rgProjection* asked, double promised, double error) {
  bool first = asked->worst == 0;
  if (error <= 0 || (!first && error * asked->promised <= asked->worst * promised))
    return;
  asked->promised = promised;
  asked->worst = error;
}

// Overlap that a correction leaves, as a part of what is left alone.
static const double RG_PROJECT_CUSHION = 0.5;

// Bias of a contact or a limit: one that asks is opened up to the cushion, the others may close up
// to it but not become deeper than they are.
static inline double rg_project_bias(double gap, double allowed, bool asks) {
  gap += RG_PROJECT_CUSHION * allowed;
  return asks || gap > 0 ? gap : 0;
}

// project_mark.c: marks the contacts and joints that ask and the contacts that are near enough to be closed by
// corrections of this size, or within `reach` [m].
rgProjection rg_project_mark(rgStep* step, rgProjectForm form, double reach);
// Marks the joints that ask.
void rg_project_mark_joints(rgStep* step, rgProjection* asked);
// Fills the rows of an island and returns the largest |bias|, angles times the joint's size [m].
double rg_project_fill_joints(rgStep* step, const rgIsland* island);

// Finds the corrections of islands of trees, `largest` [m] being the largest |bias|, and settles them; `all`: no others are
// left.
rgStatus rg_project_solve_trees(rgStep* step, const rgStop* stop, double largest, bool* all);

// Removes errors of position by moving bodies; contacts are up to date afterwards.
rgStatus rg_project_positions(rgStep* step, rgProjectForm form);

#endif
