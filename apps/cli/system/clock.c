// clock.c - time on the wall and time of the processor.
#include "cli/system/clock.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_wall_clock(void) { return read_clock(CLOCK_MONOTONIC); }
double cli_cpu_clock(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }
double cli_thread_clock(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

double cli_thread_waited(void) {
  FILE* file = fopen("/proc/thread-self/schedstat", "r");
  unsigned long long ran = 0, waited = 0; // [ns]
  bool read = file && fscanf(file, "%llu %llu", &ran, &waited) == 2;
  if (file)
    fclose(file);
  return read ? 1e-9 * (double)waited : (double)NAN;
}
