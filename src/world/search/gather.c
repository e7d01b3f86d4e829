// gather.c - the contacts that threads have found, in the order of their pairs.
//
// Several threads leave them in memory of their own, from where blocks of pairs are copied side by side. One thread
// has written them where they stay.
#include "world/search/gather.h"
#include "base/memory.h"

#include <string.h>

// Room for all contacts of this search, wherever it is made the next time: arrays are swapped, and threads share pairs as
// it comes. An array that grows a step later would be an allocation at rest.
static bool reserve_contacts(rgWorld* world, int total) {
  int threads = rg_tasks_threads(world->threads.tasks), spare = 0;
  if (threads == 1)
    return RG_WORLD_RESERVE(world, contacts, world->threads.workers[0].contacts_most);
  for (int i = 0; i < threads; i++)
    if (world->threads.workers[i].contacts_spare > spare)
      spare = world->threads.workers[i].contacts_spare;
  for (int i = 0; i < threads; i++)
    if (!rg_reserve(&world->allocator, (void**)&world->threads.workers[i].contacts,
                    &world->threads.workers[i].contact_capacity, total + spare,
                    sizeof(rgWorldContact)))
      return false;
  return RG_WORLD_RESERVE(world, contacts, total) &&
         RG_SET_RESERVE(world, &world->search, old_contacts, total);
}

// Blocks of pairs whose contacts are copied side by side.
enum { GATHER_BLOCKS = 64, PAIRS_PER_BLOCK = 32 }; // blocks at most, pairs of one at least
typedef struct Gathering {
  rgWorld* world;
  int start[GATHER_BLOCKS]; // of the contacts of each block
} Gathering;

static int gathering_blocks(const rgWorld* world) {
  int count = world->search.pair_count / PAIRS_PER_BLOCK + 1;
  return count < GATHER_BLOCKS ? count : GATHER_BLOCKS;
}

static int gathering_bound(const rgWorld* world, int block) {
  return (int)((int64_t)world->search.pair_count * block / gathering_blocks(world));
}

// At first the number of its contacts.
static void count_block(void* context, int block, int worker) {
  (void)worker;
  Gathering* gathering = context;
  const rgWorld* world = gathering->world;
  int total = 0;
  for (int i = gathering_bound(world, block); i < gathering_bound(world, block + 1); i++)
    total += world->search.pairs[i].contact_count;
  gathering->start[block] = total;
}

static void gather_block(void* context, int block, int worker) {
  (void)worker;
  const Gathering* gathering = context;
  rgWorld* world = gathering->world;
  int total = gathering->start[block];
  for (int i = gathering_bound(world, block); i < gathering_bound(world, block + 1); i++) {
    rgPair* pair = &world->search.pairs[i];
    const rgWorldContact* source = pair->worker == RG_PAIR_KEPT
                                       ? world->contacts
                                       : world->threads.workers[pair->worker].contacts;
    if (pair->contact_count > 0)
      memcpy(world->search.old_contacts + total, source + pair->contact_start,
             (size_t)pair->contact_count * sizeof *source);
    pair->contact_start = total;
    total += pair->contact_count;
  }
}

rgStatus rg_gather_contacts(rgWorld* world, bool alone) {
  Gathering gathering = {.world = world};
  int blocks = alone ? 0 : gathering_blocks(world), total = 0;
  rg_tasks_run(world->threads.tasks, blocks, count_block, &gathering);
  for (int k = 0; k < blocks; k++) {
    int count = gathering.start[k];
    gathering.start[k] = total;
    total += count;
  }
  if (alone)
    total = world->threads.workers[0].contact_count;
  if (!reserve_contacts(world, total))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for contacts");
  world->contact_count = total;
  world->counts.pairs = world->search.pair_count;
  rg_tasks_run(world->threads.tasks, blocks, gather_block, &gathering);
  return RG_OK;
}
