// heaps.h - heaps of every shape and of mixtures, for tests of equal bits: many more pairs than one
// thread takes at a time, of shapes whose contacts are found by iterations that start where the last
// ones ended.
#ifndef SUPPORT_HEAPS_H
#define SUPPORT_HEAPS_H

#include "support/builder.h"

typedef struct HeapScene {
  const char* name;
  rgShapeDef (*shape)(int i); // of the i-th body
  double spacing; // [m] of the lattice; below the width of a body they overlap at the start
  double theta;
  int dimension;
  rgShapeDef (*ground)(void); // NULL: a floor
} HeapScene;

const HeapScene* heap_scene(int index); // NULL past the end
// `side`^2 times `layers` bodies over the ground or within it, each turned anyhow.
rgWorld* heap_build(const HeapScene* scene, int side, int layers, int threads);

#endif
