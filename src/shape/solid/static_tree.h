// static_tree.h - static tree of boxes, built once and walked without a stack.
#ifndef SHAPE_SOLID_STATIC_TREE_H
#define SHAPE_SOLID_STATIC_TREE_H

#include "math/vec.h"

// Nodes stand in the order of a walk that takes the left child first: the left child of an inner
// node is the next node, and `skip` is the node to go on with when a subtree is left out. One
// cache line.
typedef struct rgStaticNode {
  rgBounds bounds;
  int skip;
  int first, count; // leaf: items order[first .. first + count); inner node: right child, 0
} rgStaticNode;

// Bytes of scratch for rg_static_tree_build, aligned to 64 bytes.
size_t rg_static_tree_scratch(int item_count);

// Largest number of nodes for so many items.
int rg_static_tree_limit(int item_count);

// Builds a tree over items with the given bounds. Writes the nodes (room for rg_static_tree_limit)
// and the order of the items; returns the number of nodes.
int rg_static_tree_build(const rgBounds* items, int item_count, void* scratch, rgStaticNode* nodes,
                         int* order);

#endif
