#pragma once
// Two rods that a joint holds together, thrown at the floor.
#include "support/builder.h"

typedef struct Pair {
  rgWorld* world;
  rgBodyId a, b;
  rgJointId joint;
} Pair;

// Rods of 1 m end to end, joined in the middle by a joint of an arbitrary axis, in any orientation, thrown at the floor at
// 3 m/s with a spin [rad/s]; preset `reference` at theta = 1/2, no gravity. `slender` is their width [m].
Pair throw_pair(rgJointKind kind, double h, double slender, double spin, uint64_t seed);
