// plan.h - how many steps a time takes.
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

// Steps from one time to another [s]; a whole number up to rounding is taken as one. May be more
// than CLI_COUNT_MAX, or negative.
double cli_steps_between(double start, double end, double step);

#endif
