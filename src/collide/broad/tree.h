// tree.h - a tree of bounding boxes over a set of boxes that move.
#ifndef COLLIDE_BROAD_TREE_H
#define COLLIDE_BROAD_TREE_H

#include "collide/broad/broad.h"
#include "shape/ray/ray.h"

enum {
  RG_TREE_ARITY = 4,  // boxes per node: one or two vectors of doubles
  RG_TREE_LEVELS = 16 // 4^16 is beyond INT_MAX entries
};

typedef struct rgTreeEntry {
  rgBounds box;  // [m] exact; empty (lower > upper) when the entry was removed
  int32_t proxy; // the caller's index; -1 when removed
} rgTreeEntry;

// The boxes of up to four children, coordinate by coordinate; those that do not exist are empty.
typedef struct rgTreeNode {
  _Alignas(64) double lower[3][RG_TREE_ARITY]; // [m]
  double upper[3][RG_TREE_ARITY];
} rgTreeNode;

// Child k of node i of level l is node 4 i + k of level l - 1, and entry 4 i + k below level 0.
typedef struct rgTree {
  rgTreeEntry* entries; // in tree order once built
  uint32_t* ranks;      // of the entries, in the caller's order: the names they have in pairs
  rgTreeNode* nodes;    // level by level
  int count;
  int level_count;                     // 0 for an empty tree
  int level_start[RG_TREE_LEVELS + 1]; // in nodes
  long long visits;                    // pairs of nodes looked at by the traversals so far
} rgTree;

static inline rgBounds rg_tree_empty_box(void) {
  return (rgBounds){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

// Nodes that a tree of `count` entries needs.
int rg_tree_node_bound(int count);
// Sorts the entries into a new tree: n log n. Their boxes must be finite or empty.
void rg_tree_build(rgTree* tree);
// Makes every node the exact union of what lies below: n.
void rg_tree_refit(rgTree* tree);

// Room for the pairs of several threads, of which each takes a piece at a time.
enum { RG_TREE_PIECE = 512 }; // [pairs]
typedef struct rgTreeRoom {
  rgBroadPair* items;
  int used, capacity;
} rgTreeRoom;

// Pairs of ranks, the lower first; those that find no more room are counted.
typedef struct rgTreePairs {
  rgBroadPair* items;
  int count, capacity;
  int before, lost; // in the pieces before this one, and in none
  rgTreeRoom* room; // where the next piece comes from; NULL: there is none
} rgTreePairs;

// Takes the next piece; false where there is none.
bool rg_tree_next_piece(rgTreePairs* out);

static inline void rg_tree_emit(rgTreePairs* out, uint32_t a, uint32_t b) {
  if (out->count == out->capacity && !rg_tree_next_piece(out))
    out->lost++;
  else
    out->items[out->count++] = (rgBroadPair){a < b ? a : b, a < b ? b : a};
}

// Every pair of overlapping entries within one tree, each once.
void rg_tree_self_pairs(rgTree* tree, rgTreePairs* out);
// The same in parts: pairs of overlapping nodes of one level, among them each with itself, as few of them as there is
// room for, and the pairs of entries below one of them. The first counts its visits itself, the second returns them.
int rg_tree_seeds(rgTree* tree, rgBroadPair* seeds, int capacity, int* level);
long long rg_tree_seed_pairs(const rgTree* tree, int level, rgBroadPair seed, rgTreePairs* out);
// Every overlapping pair of an entry of `a` and one of `b`. Visits are counted in `a`.
void rg_tree_cross_pairs(rgTree* a, const rgTree* b, rgTreePairs* out);

// Calls `visit` for every entry that overlaps `box`, with its place among the entries.
typedef void rgTreeVisit(void* context, int entry);
void rg_tree_query(const rgTree* tree, rgBounds box, rgTreeVisit* visit, void* context);

// Calls `visit` for every entry whose box the ray meets before *limit [m], nearer nodes first. What is
// visited may lower *limit. The direction has unit length.
void rg_tree_ray(const rgTree* tree, const rgRay* ray, const double* limit, rgTreeVisit* visit,
                 void* context);

// --- The kernel ----------------------------------------------------------------------------------

typedef struct rgNodePair {
  int level, a, b;
} rgNodePair;

// All pairs of entries below a pair of nodes of the same level, as ranks, or where `floor` is not 0 of the nodes of the
// level below it; within one tree, a node may be paired with itself. Returns the number of pairs of nodes visited.
typedef long long rgTreeDescend(const rgTree* a, const rgTree* b, rgNodePair first, int floor,
                                rgTreePairs* out);
rgTreeDescend rg_tree_descend_plain;
rgTreeDescend* rg_tree_descend_avx2(void); // NULL where that does not exist

#endif
