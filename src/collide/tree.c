// tree.c - a balanced tree of bounding boxes, refitted every step and rebuilt when it has worn out.
//
// Problem: among n axis-aligned boxes find all pairs that overlap.
//
// Method: the boxes are split at the median of their centres along the axis in which the centres spread most,
// down to buckets of a few boxes. All nodes lie in one array in depth-first order, so that refitting is one
// backward sweep through memory. Pairs are found by descending two subtrees at once: a pair of subtrees
// whose boxes are disjoint is dropped, otherwise the one with more entries is opened. Each internal node
// stands for the pairs between its two children.
//
// Cost: build n log n, refit n, pairs n log n + p for boxes that do not overlap too much. The box tests
// are exact, so the pairs do not depend on the shape of the tree; only the time does.
#include "collide/tree.h"

static rgTreeEntry* swap_entries(rgTreeEntry* a, rgTreeEntry* b) {
  rgTreeEntry t = *a;
  *a = *b;
  *b = t;
  return a;
}

static inline double center2(const rgTreeEntry* e, int axis) {
  return v3_get(e->box.lower, axis) + v3_get(e->box.upper, axis);
}

// A value between the smallest and the largest centre: the median of three.
static double pivot_value(const rgTreeEntry* e, int low, int high, int axis) {
  double a = center2(&e[low], axis), b = center2(&e[low + (high - low) / 2], axis);
  double c = center2(&e[high], axis);
  double small = a < b ? a : b, large = a < b ? b : a;
  return c < small ? small : c > large ? large : c;
}

// Hoare's selection: afterwards entries before `middle` have centres <= those from `middle` on.
static void select_median(rgTreeEntry* e, int low, int high, int middle, int axis) {
  while (low < high) {
    double pivot = pivot_value(e, low, high, axis);
    int i = low, j = high;
    while (i <= j) {
      while (center2(&e[i], axis) < pivot) i++;
      while (center2(&e[j], axis) > pivot) j--;
      if (i <= j) swap_entries(&e[i++], &e[j--]);
    }
    if (middle <= j)
      high = j;
    else if (middle >= i)
      low = i;
    else
      return;
  }
}

static int widest_axis(const rgTreeEntry* e, int count) {
  rgVec3 lower = v3_add(e[0].box.lower, e[0].box.upper), upper = lower;
  for (int i = 1; i < count; i++) {
    rgVec3 c = v3_add(e[i].box.lower, e[i].box.upper);
    lower = v3_min(lower, c);
    upper = v3_max(upper, c);
  }
  rgVec3 w = v3_sub(upper, lower);
  return w.x >= w.y && w.x >= w.z ? 0 : w.y >= w.z ? 1 : 2;
}

// Left part of `count` entries: half of them in whole buckets.
static int left_count(int count) {
  int buckets = (count + RG_TREE_BUCKET - 1) / RG_TREE_BUCKET;
  return (buckets + 1) / 2 * RG_TREE_BUCKET;
}

static void build_node(rgTree* tree, int first, int count) {
  rgTreeNode* node = &tree->nodes[tree->node_count++];
  node->first = first;
  node->count = count;
  node->right = 0;
  if (count <= RG_TREE_BUCKET) return;
  int left = left_count(count);
  rgTreeEntry* e = tree->entries + first;
  select_median(e, 0, count - 1, left, widest_axis(e, count));
  build_node(tree, first, left);
  node->right = tree->node_count;
  build_node(tree, first + left, count - left);
}

int rg_tree_node_bound(int count) {
  int buckets = (count + RG_TREE_BUCKET - 1) / RG_TREE_BUCKET;
  return buckets > 0 ? 2 * buckets - 1 : 0;
}

void rg_tree_build(rgTree* tree) {
  tree->node_count = 0;
  if (tree->count > 0) build_node(tree, 0, tree->count);
  rg_tree_refit(tree);
}

void rg_tree_refit(rgTree* tree) {
  for (int i = tree->node_count - 1; i >= 0; i--) {
    rgTreeNode* node = &tree->nodes[i];
    if (node->right) {
      node->box = bounds_union(node[1].box, tree->nodes[node->right].box);
      continue;
    }
    const rgTreeEntry* e = tree->entries + node->first;
    node->box = e[0].box;
    for (int k = 1; k < node->count; k++) node->box = bounds_union(node->box, e[k].box);
  }
}

// Without short cuts, so that six comparisons cost one branch.
static inline bool boxes_overlap(const rgBounds* a, const rgBounds* b) {
  return (a->lower.x <= b->upper.x) & (b->lower.x <= a->upper.x) & (a->lower.y <= b->upper.y) &
         (b->lower.y <= a->upper.y) & (a->lower.z <= b->upper.z) & (b->lower.z <= a->upper.z);
}

static void bucket_pairs(const rgTreeEntry* a, const rgTreeNode* na, const rgTreeEntry* b,
                         const rgTreeNode* nb, rgTreeVisit* visit, void* context) {
  for (int i = na->first; i < na->first + na->count; i++) {
    if (!boxes_overlap(&a[i].box, &nb->box)) continue;
    for (int j = nb->first; j < nb->first + nb->count; j++)
      if (boxes_overlap(&a[i].box, &b[j].box)) visit(context, &a[i], &b[j]);
  }
}

// All pairs of an entry below node i of a and an entry below node j of b.
static void descend(rgTree* a, int i, const rgTree* b, int j, rgTreeVisit* visit, void* context) {
  int stack[4 * RG_TREE_DEPTH][2];
  int top = 0;
  long long visits = 0;
  if (!boxes_overlap(&a->nodes[i].box, &b->nodes[j].box)) return;
  for (;;) {
    visits++;
    const rgTreeNode *na = &a->nodes[i], *nb = &b->nodes[j];
    if (na->right && (na->count >= nb->count || !nb->right)) {
      if (boxes_overlap(&a->nodes[na->right].box, &nb->box)) {
        stack[top][0] = na->right;
        stack[top++][1] = j;
      }
      if (boxes_overlap(&na[1].box, &nb->box)) {
        i = i + 1;
        continue;
      }
    } else if (nb->right) {
      if (boxes_overlap(&na->box, &b->nodes[nb->right].box)) {
        stack[top][0] = i;
        stack[top++][1] = nb->right;
      }
      if (boxes_overlap(&na->box, &nb[1].box)) {
        j = j + 1;
        continue;
      }
    } else {
      bucket_pairs(a->entries, na, b->entries, nb, visit, context);
    }
    if (top == 0) break;
    i = stack[--top][0];
    j = stack[top][1];
  }
  a->visits += visits;
}

void rg_tree_self_pairs(rgTree* tree, rgTreeVisit* visit, void* context) {
  const rgTreeEntry* e = tree->entries;
  for (int n = 0; n < tree->node_count; n++) {
    const rgTreeNode* node = &tree->nodes[n];
    if (node->right) {
      descend(tree, n + 1, tree, node->right, visit, context);
      continue;
    }
    for (int i = node->first; i < node->first + node->count; i++)
      for (int j = i + 1; j < node->first + node->count; j++)
        if (boxes_overlap(&e[i].box, &e[j].box)) visit(context, &e[i], &e[j]);
  }
}

void rg_tree_cross_pairs(rgTree* a, const rgTree* b, rgTreeVisit* visit, void* context) {
  if (a->node_count > 0 && b->node_count > 0) descend(a, 0, b, 0, visit, context);
}

void rg_tree_query(const rgTree* tree, const rgTreeEntry* box, rgTreeVisit* visit, void* context) {
  for (int i = 0; i < tree->node_count;) {
    const rgTreeNode* node = &tree->nodes[i];
    bool hit = boxes_overlap(&node->box, &box->box);
    if (node->right) {
      i = hit ? i + 1 : i + 2 * ((node->count + RG_TREE_BUCKET - 1) / RG_TREE_BUCKET) - 1;
      continue;
    }
    for (int k = node->first; hit && k < node->first + node->count; k++)
      if (boxes_overlap(&tree->entries[k].box, &box->box)) visit(context, &tree->entries[k], box);
    i++;
  }
}
