// body_islands.c - which island each body was in during the last step, for those who draw them.
#include "step/report.h"
#include <rigor/view.h>

// Place of a body among the living ones, by bisection: rg_world_body lists them by index. -1 when it
// is not among them.
static int living_rank(const rgWorld* world, int slot) {
  uint32_t index = (uint32_t)world->bodies[slot].index;
  int low = 0, high = rg_world_body_count(world);
  while (low < high) {
    int middle = (low + high) / 2;
    if (rg_world_body(world, middle).index < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rg_world_body_count(world) && rg_world_body(world, low).index == index ? low : -1;
}

int rg_world_body_islands(const rgWorld* world, int* islands, int capacity) {
  int count = rg_world_body_count(world), room = count < capacity ? count : capacity;
  int island_count = rg_world_island_count(world);
  for (int i = 0; i < room; i++)
    islands[i] = -1;
  const rgProblemSet* set = island_count > 0 ? &world->step->velocity : NULL;
  for (int k = 0; k < island_count; k++)
    for (int i = 0; i < set->islands[k].body_count; i++) {
      int slot = set->body_order[set->islands[k].body_start + i];
      int place = slot >= 0 && slot < world->body_slots ? living_rank(world, slot) : -1;
      if (place >= 0 && place < room)
        islands[place] = k;
    }
  return count;
}
