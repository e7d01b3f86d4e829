// plan.c - how many steps a time takes.
#include "cli/run/plan.h"

#include <math.h>

// Part of a time by which the sum of many steps may be off.
static const double TIME_ROUNDING = 1e-9;

double cli_steps_between(double start, double end, double step) {
  double exact = (end - start) / step, nearest = floor(exact + 0.5);
  return fabs(exact - nearest) <= TIME_ROUNDING * (1 + end / step) ? nearest : ceil(exact);
}
