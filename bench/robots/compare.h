// compare.h - parts of the comparison with MuJoCo.
#ifndef BENCH_ROBOTS_COMPARE_H
#define BENCH_ROBOTS_COMPARE_H

#include "bench/robots/robots.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <rigor/rigor.h>

// NaN is the worst.
static inline void worse(double* worst, double value) {
  *worst = value > *worst || isnan(value) ? value : *worst;
}

// Joints and what acts along them; the forces of actuators where both have the same control.
void compare_joints(const rgWorld* world, const mjModel* m, const mjData* d, bool forces,
                    Difference* diff);

#endif
