// robots.h - Rigor and MuJoCo on the same model files.
#ifndef BENCH_ROBOTS_ROBOTS_H
#define BENCH_ROBOTS_ROBOTS_H

#include <stdbool.h>
#include <stddef.h>

// The largest differences over all bodies and configurations.
typedef struct Difference {
  int bodies, unmatched; // compared, over all configurations
  int remarks;           // of the reader
  double mass, inertia;  // relative; where a file has full matrices: against these
  double meshed; // of what follows from meshes: mass and sum of moments, relative, and centres [m]
  double decomposed; // relative: MuJoCo's principal moments and axes against the full matrices of
                     // the file, and against those of meshes
  double place;      // [m] of centres and frames, and of quaternions
  double potential;  // relative to the weight times 1 m
  double kinetic;    // relative
  int joints;        // compared, over all configurations
  double coordinate; // [m, rad] and [m/s, rad/s]
  double limits;     // [m, rad]
  double passive;    // rotors, damping, friction, springs: relative; rests: [m, rad]
  double force;      // of actuators on joints, relative to the largest
  int left_out;      // actuators that the reader remarks
  char message[512]; // why it could not be compared
} Difference;

// Compares what both make of the model `path`; `file` is written for MuJoCo.
bool compare_model(const char* path, const char* file, Difference* diff);

// The largest distance [m] of a body after one second without contact, limits, dry friction and
// loops: MuJoCo by RK4 at 0.1 ms, Rigor by theta = 1/2 and this step [s]. NAN with a message on failure.
double follow_model(const char* path, const char* file, double step, char* message, size_t size);

// Times both on the models in `folder`, those whose name contains `only`; NULL: all.
int bench_robots(const char* folder, const char* scratch, const char* only);
// How far a rod creeps in a grip, by force and program.
void bench_grip(const char* scratch);
// Time per link of chains of 10 to 10,000 links.
void bench_links(const char* scratch);

#endif
