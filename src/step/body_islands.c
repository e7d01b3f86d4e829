// body_islands.c - which island each body was in during the last step, for those who draw them.
#include "step/report.h"
#include <rigor/view.h>

int rg_step_body_place(const rgWorld* world, int index) {
  const rgSlots* bodies = &world->books.bodies;
  return rg_slots_used(bodies, index) ? rg_slots_rank(bodies, index) : -1;
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
      int place = slot >= 0 && slot < world->body_slots
                      ? rg_step_body_place(world, world->bodies[slot].index)
                      : -1;
      if (place >= 0 && place < room)
        islands[place] = k;
    }
  return count;
}
