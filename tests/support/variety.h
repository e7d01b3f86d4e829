// variety.h - small scenes that together use everything a world can do: all shapes, impacts,
// friction with directions and torsion, moving ground, free rotation, flush plates, smooth walls. For tests of promises that
// hold for every scene: same bits, no allocation, snapshots. All numbers are computed with
// operations that give the same bits everywhere.
#ifndef SUPPORT_VARIETY_H
#define SUPPORT_VARIETY_H

#include "support/builder.h"

typedef struct Variety {
  const char* name;
  const char* summary;
  double step, theta; // [s], [-]
  bool weightless;
  rgStatus (*build)(rgWorld* world); // the first status that is not RG_OK
  bool planar;                       // a 2D world
} Variety;

const Variety* variety(int index); // NULL past the end
const Variety* variety_find(const char* name);

// A world of the scene with the default preset's tolerance; `allocator` may be NULL. Ends the test
// when it fails.
rgWorld* variety_build(const Variety* scene, int threads, const rgAllocator* allocator);

// The same with all that can go wrong: *world is NULL unless it came to be, and even then the
// status may say that not all of the scene is in it.
rgStatus variety_try(const Variety* scene, int threads, const rgAllocator* allocator,
                     rgWorld** world);

#endif
