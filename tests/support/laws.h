// laws.h - running a scene in a test and reading it in SI units, whatever units the world has.
#ifndef SUPPORT_LAWS_H
#define SUPPORT_LAWS_H

#include "overlap.h"
#include "scenes.h"

#include "math/vec.h"
#include "test.h"

enum { LAW_BODIES = 64, LAW_NOT_MET_MAX = 5 };

// Usage: fill `scene` with a builder, law_begin, law_run, look, law_end.
typedef struct Law {
  Scene scene;
  SceneUnits units;
  rgWorld* world;
  rgBodyId ids[LAW_BODIES];
  int not_met;     // steps whose certificate is above its tolerance
  double residual; // [-] largest over the run
} Law;

// A preset with another step [s] and theta = 1/2, where the scheme is of second order.
rgOptions law_options(const char* preset, double step);

// All end the test when they fail; law_run also when several steps did not meet their tolerance.
void law_begin(Law* law, const rgOptions* options, SceneUnits units);
void law_run(Law* law, int steps);
void law_end(Law* law);

double law_time(const Law* law);           // [s]
rgPose law_pose(const Law* law, int body); // [m]
rgVec3 law_position(const Law* law, int body);
rgTwist law_velocity(const Law* law, int body);
double law_energy(const Law* law);          // [J] kinetic and potential
rgVec3 law_moved(const Law* law, int body); // [m] from the place at the start
double law_displacement(const Law* law);    // [m] largest of all moving bodies
Overlap law_overlap(const Law* law);

static inline double radians(double degrees) { return degrees * (3.14159265358979323846 / 180); }

#endif
