// gather.h - the contacts that threads have found, in the order of their pairs.
#ifndef WORLD_SEARCH_GATHER_H
#define WORLD_SEARCH_GATHER_H

#include "world/world.h"

// Copies the contacts from the workers (or, where a pair was kept, from the last ones) in pair
// order into the other array of contacts. Those of one thread are there already.
rgStatus rg_gather_contacts(rgWorld* world, bool alone);

#endif
