// broad_state.h - what the broad phase holds: proxies, and the sets that they are in.
#ifndef COLLIDE_BROAD_BROAD_STATE_H
#define COLLIDE_BROAD_BROAD_STATE_H

#include "collide/broad/tree.h"

enum { RG_BROAD_MOVING, RG_BROAD_FIXED, RG_BROAD_UNBOUNDED, RG_BROAD_COUNT, RG_BROAD_NONE };

typedef struct rgBroadProxy {
  uint32_t user;
  int32_t entry; // entry in its set, or the next free proxy
  uint8_t set;
  bool moving;
} rgBroadProxy;

// An array with its capacity; grows only in rg_broad_add.
typedef struct rgBroadArray {
  void* items;
  int capacity;
} rgBroadArray;

typedef struct rgBroadSet {
  rgTree tree;                        // uses the arrays below
  rgBroadArray entries, nodes, ranks; // rgTreeEntry, rgTreeNode, uint32_t
  int holes;                          // entries that were removed
  bool moved;                         // boxes are newer than the nodes
  bool stale;                         // entries are newer than the tree
} rgBroadSet;

struct rgBroad {
  rgAllocator allocator;
  rgBroadArray proxies;          // rgBroadProxy
  rgBroadArray users;            // uint32_t: user value by rank
  rgBroadArray starts, cursors;  // int, by rank: runs of pairs with the same first member
  rgBroadArray keys, keys_other; // uint64_t: user and proxy, for sorting the users
  int proxy_count;               // includes free ones
  int live[2];                   // fixed, moving
  int free_proxy;                // head of the list of free ones, -1 at its end
  rgBroadSet sets[RG_BROAD_COUNT];
  bool ranks_stale;
  bool worn;         // the next rg_broad_pairs rebuilds the moving tree
  bool fresh;        // the moving tree was rebuilt and has not been descended since
  double fresh_rate; // visits per proxy and pair of the fresh tree
  double excess;     // visits wasted since then
};

// Blocks of ranks into which large sets of pairs are cut, at most: each has a number more than ranks in `starts`.
enum { RG_BROAD_BLOCKS = 257 };

static inline rgBroadProxy* rg_broad_proxy(const rgBroad* broad, int index) {
  return (rgBroadProxy*)broad->proxies.items + index;
}

// Brings trees and ranks up to date.
void rg_broad_update(rgBroad* broad);

#endif
