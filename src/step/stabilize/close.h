// close.h - gaps at the end of a step of second order, closed by multipliers of positions (close.c).
#ifndef STEP_STABILIZE_CLOSE_H
#define STEP_STABILIZE_CLOSE_H

#include "step/stabilize/project.h"

// [m] The overlap that is left of a contact.
double rg_close_asked(const rgStep* step, const rgWorldContact* contact);
// Whether a contact is to be closed or opened: not if its overlap is older than the step, or if it has rebounded.
bool rg_close_takes(const rgStep* step, const rgWorldContact* contact);
// Whether a contact is held closed: it pushes, and does not land in the next step by the velocity it has.
bool rg_close_holds(const rgStep* step, const rgWorldContact* contact);
// Lets the contacts of an island of the projection that are held press. Returns how far they would go [m].
double rg_close_press(rgStep* step, const rgIsland* island);
// Closes the gaps and reports what they are, by geometry alone; contacts are up to date before and after.
rgStatus rg_close_gaps(rgStep* step);

#endif
