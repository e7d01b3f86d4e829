// forest.h - union-find: sets as trees of parents, in an array that has -1 where there is nothing.
//
// The root of a set is its lowest member, so that sets are numbered by a walk in ascending order, which
// meets each root before the others: what follows from the numbers depends on the sets alone.
#ifndef BASE_FOREST_H
#define BASE_FOREST_H

// The root of i; halves the way to it for the next time.
static inline int rg_forest_root(int* parent, int i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

// Makes one set of the sets of two members.
static inline void rg_forest_join(int* parent, int one, int other) {
  int a = rg_forest_root(parent, one), b = rg_forest_root(parent, other);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

#endif
