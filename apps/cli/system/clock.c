// clock.c - time on the wall and time of the processor.
#include "cli/system/clock.h"

#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_wall_clock(void) { return read_clock(CLOCK_MONOTONIC); }
double cli_cpu_clock(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
