// arbitrary.h - random scenes for laws that hold whatever the scene is.
//
// A scene is its seed: dimension, preset, stepper, solver, limit on iterations, shapes up to a given
// slenderness, friction, restitution, joints with limits, friction and rotors, velocities and spins. Nothing
// drives it: no motor, no moving body, no applied force, no spring. Bodies start apart.
#ifndef SUPPORT_ARBITRARY_H
#define SUPPORT_ARBITRARY_H

#include "support/builder.h"

typedef struct Arbitrary {
  rgWorld* world;
  int bodies, joints; // that may move; that were taken
  double extent;      // [m] no body reaches farther from its centre of mass
  char name[256];     // what a failure prints
} Arbitrary;

extern const rgAllocator* arbitrary_allocator; // of the worlds; NULL, as it is at first: the heap

// The scene of a seed. `world` is NULL where stepper, solver and cone do not go together.
Arbitrary arbitrary_scene(uint64_t seed);

// The same from a wider family: walls, rings, meshes, fields, rounded edges, bodies of two shapes,
// bodies that do not turn, friction with directions and torsion, other steps, stabilizers, coordinates
// and laws of impact. Apart from the first, whose scenes are those of recorded histories.
Arbitrary arbitrary_wide_scene(uint64_t seed);

#endif
