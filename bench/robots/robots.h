// robots.h - Rigor and MuJoCo on the same model files.
#ifndef BENCH_ROBOTS_ROBOTS_H
#define BENCH_ROBOTS_ROBOTS_H

#include <stdbool.h>

// The largest differences over all bodies and configurations.
typedef struct Difference {
  int bodies, unmatched; // compared, over all configurations
  int remarks;           // of the reader
  double mass, inertia;  // relative
  double place;          // [m] of centres and frames, and of quaternions
  double potential;      // relative to the weight times 1 m
  double kinetic;        // relative
  char message[512];     // why it could not be compared
} Difference;

// Compares what both make of the model `path`; `file` is written for MuJoCo.
bool compare_model(const char* path, const char* file, Difference* diff);

int bench_robots(const char* folder, const char* scratch);

#endif
