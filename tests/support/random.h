// random.h - numbers, vectors and rotations that are the same in every run. A test that wants its
// own sequence sets `random_state`.
#ifndef SUPPORT_RANDOM_H
#define SUPPORT_RANDOM_H

#include "base/random.h"
#include "math/vec.h"

static uint64_t random_state = 1;

static inline double random_unit(void) { return rg_random_unit(&random_state); } // in [0, 1)

static inline double random_between(double low, double high) {
  return low + (high - low) * random_unit();
}

// In the cube from -1 to 1; drawn one after the other, as arguments have no order of evaluation.
static inline rgVec3 random_vector(void) {
  double x = random_between(-1, 1), y = random_between(-1, 1), z = random_between(-1, 1);
  return v3(x, y, z);
}

// Each coordinate from low to high, one after the other as well.
static inline rgVec3 random_within(double low, double high) {
  double x = random_between(low, high), y = random_between(low, high),
         z = random_between(low, high);
  return v3(x, y, z);
}

// The same in the x-y plane.
static inline rgVec3 random_flat_within(double low, double high) {
  double x = random_between(low, high), y = random_between(low, high);
  return v3(x, y, 0);
}

static inline rgVec3 random_direction(void) {
  for (;;) {
    rgVec3 d = random_vector();
    double n = v3_norm(d);
    if (n > 0.1 && n < 1)
      return v3_scale(d, 1 / n);
  }
}

static inline rgQuat random_rotation(void) {
  for (;;) {
    double w = random_between(-1, 1);
    rgVec3 v = random_vector();
    rgQuat q = {w, v.x, v.y, v.z};
    double n2 = quat_norm2(q);
    if (n2 > 0.01 && n2 < 1)
      return quat_unit(q);
  }
}

#endif
