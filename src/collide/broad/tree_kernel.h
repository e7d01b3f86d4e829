// tree_kernel.h - descending two trees at once; included by tree.c and tree_avx2.c, which differ in
// the width of the vectors it is compiled for.
#ifndef COLLIDE_BROAD_TREE_KERNEL_H
#define COLLIDE_BROAD_TREE_KERNEL_H

#include "collide/broad/tree.h"
#include "math/simd.h"

RG_INLINE unsigned mask_bits(rgM mask) {
#if defined(__AVX__)
  return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(__SSE2__)
  return (unsigned)_mm_movemask_pd((__m128d)mask);
#else
  return (unsigned)((mask[0] & 1) | (mask[1] & 2));
#endif
}

// Bit k is set when child k overlaps the box from `lower` to `upper`.
RG_INLINE unsigned children_in(const rgTreeNode* node, const rgV lower[3], const rgV upper[3]) {
  unsigned bits = 0;
  for (int k = 0; k < RG_TREE_ARITY; k += RG_WIDTH) {
    rgM x = (v_load(node->lower[0] + k) <= upper[0]) & (lower[0] <= v_load(node->upper[0] + k));
    rgM y = (v_load(node->lower[1] + k) <= upper[1]) & (lower[1] <= v_load(node->upper[1] + k));
    rgM z = (v_load(node->lower[2] + k) <= upper[2]) & (lower[2] <= v_load(node->upper[2] + k));
    bits |= mask_bits(x & y & z) << k;
  }
  return bits;
}

// The same for child `lane` of another node.
RG_INLINE unsigned children_over(const rgTreeNode* node, const rgTreeNode* other, int lane) {
  rgV lower[3] = {v_set(other->lower[0][lane]), v_set(other->lower[1][lane]),
                  v_set(other->lower[2][lane])};
  rgV upper[3] = {v_set(other->upper[0][lane]), v_set(other->upper[1][lane]),
                  v_set(other->upper[2][lane])};
  return children_in(node, lower, upper);
}

RG_INLINE unsigned children_in_box(const rgTreeNode* node, const rgBounds* box) {
  rgV lower[3] = {v_set(box->lower.x), v_set(box->lower.y), v_set(box->lower.z)};
  rgV upper[3] = {v_set(box->upper.x), v_set(box->upper.y), v_set(box->upper.z)};
  return children_in(node, lower, upper);
}

// Each pair of nodes taken from the stack puts back at most 16 of the level below.
enum { STACK = RG_TREE_ARITY * RG_TREE_ARITY * RG_TREE_LEVELS };

// Children of node a that may meet something in node b, whose box is a child of its parent.
RG_INLINE unsigned rows_over(const rgTree* tb, const rgTreeNode* a, int level, int b) {
  if (level + 1 >= tb->level_count)
    return (1u << RG_TREE_ARITY) - 1;
  const rgTreeNode* parent = &tb->nodes[tb->level_start[level + 1] + b / RG_TREE_ARITY];
  return children_over(a, parent, b % RG_TREE_ARITY);
}

RG_INLINE long long descend(const rgTree* ta, const rgTree* tb, rgNodePair first, int floor,
                            rgTreePairs* out) {
  rgNodePair stack[STACK];
  int top = 0;
  long long visits = 0;
  stack[top++] = first;
  while (top > 0) {
    rgNodePair p = stack[--top];
    visits++;
    const rgTreeNode* a = &ta->nodes[ta->level_start[p.level] + p.a];
    const rgTreeNode* b = &tb->nodes[tb->level_start[p.level] + p.b];
    bool self = a == b;
    for (unsigned rows = self ? (1u << RG_TREE_ARITY) - 1 : rows_over(tb, a, p.level, p.b); rows;
         rows &= rows - 1) {
      int i = __builtin_ctz(rows);
      unsigned hits = children_over(b, a, i);
      if (self) // each pair once; above the entries a child also meets itself
        hits &= p.level > 0 ? ~0u << i : ~1u << i;
      for (; hits; hits &= hits - 1) {
        int child_a = RG_TREE_ARITY * p.a + i, child_b = RG_TREE_ARITY * p.b + __builtin_ctz(hits);
        if (p.level > floor)
          stack[top++] = (rgNodePair){p.level - 1, child_a, child_b};
        else if (floor > 0)
          rg_tree_emit(out, (uint32_t)child_a, (uint32_t)child_b);
        else
          rg_tree_emit(out, ta->ranks[child_a], tb->ranks[child_b]);
      }
    }
  }
  return visits;
}

#endif
