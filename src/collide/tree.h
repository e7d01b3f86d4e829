// tree.h - a balanced tree of bounding boxes over a set of boxes that move.
#ifndef COLLIDE_TREE_H
#define COLLIDE_TREE_H

#include "math/vec.h"

enum {
  RG_TREE_BUCKET = 4, // boxes per leaf: fewest cycles per pair found among 1, 2, 4, 8
  RG_TREE_DEPTH = 32  // levels, enough for INT_MAX boxes since every split is in halves
};

typedef struct rgTreeEntry {
  rgBounds box;  // [m] exact; empty (lower > upper) when the entry was removed
  int32_t proxy; // the caller's index; -1 when removed
  uint32_t rank; // the caller's order
} rgTreeEntry;

// Nodes lie in depth-first order: the left child of node i is i + 1.
typedef struct rgTreeNode {
  _Alignas(64) rgBounds box;
  int32_t right;        // right child, or 0 for a leaf
  int32_t first, count; // entries below this node
} rgTreeNode;

typedef struct rgTree {
  rgTreeEntry* entries; // in tree order once built
  rgTreeNode* nodes;
  int count, node_count;
  long long visits; // pairs of nodes looked at by the traversals so far
} rgTree;

static inline rgBounds rg_tree_empty_box(void) {
  return (rgBounds){{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
}

// Nodes that a tree of `count` entries needs.
int rg_tree_node_bound(int count);
// Sorts the entries into a new tree: n log n. The entries must be finite.
void rg_tree_build(rgTree* tree);
// Makes every node box the exact union of what lies below: n.
void rg_tree_refit(rgTree* tree);

typedef void rgTreeVisit(void* context, const rgTreeEntry* a, const rgTreeEntry* b);
// Every pair of overlapping entries within one tree, each once.
void rg_tree_self_pairs(rgTree* tree, rgTreeVisit* visit, void* context);
// Every overlapping pair of an entry of `a` and one of `b`.
void rg_tree_cross_pairs(rgTree* a, const rgTree* b, rgTreeVisit* visit, void* context);
// Every entry that overlaps `box->box`; `visit` gets (entry, box).
void rg_tree_query(const rgTree* tree, const rgTreeEntry* box, rgTreeVisit* visit, void* context);

#endif
