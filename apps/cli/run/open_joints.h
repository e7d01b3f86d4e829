// open_joints.h - joints that are not closed after the last step.
#ifndef CLI_OPEN_JOINTS_H
#define CLI_OPEN_JOINTS_H

#include <rigor/rigor.h>

// Names the joints of the last state whose error is above `allowed` [m], the worst first, with what
// to look for; "" when there are none.
void cli_open_joints(const rgWorld* world, double allowed, char* text, size_t size);

#endif
