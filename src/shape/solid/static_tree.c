// static_tree.c - static tree of boxes, built once and walked without a stack.
//
// Problem:  find the items whose boxes touch a query box.
//
// Method:   top-down; a range of items is cut where the expected cost of a query
//
//               n_left area(left) + n_right area(right)
//
//           is least (the surface-area heuristic of Goldsmith and Salmon 1987), over BINS - 1
//           cuts of equal width on each axis (binning, Wald 2007). Ranges that cannot be cut in
//           space (equal centres), or lie deeper than any useful tree, are halved by count, which
//           bounds the depth.
//
// Cost:     O(n log n) time. Ties go to the first cut and items keep their order within a side, so
//           that the tree is a function of its input alone.
#include "shape/solid/static_tree.h"
#include "base/memory.h"

enum {
  BINS = 16,
  LEAF_ITEMS = 4,     // so few are scanned faster than cut once more
  DEPTH_SPATIAL = 48, // deeper than this, ranges are halved by count: at most 31 levels more
};
enum { DEPTH_LIMIT = DEPTH_SPATIAL + 32, NONE = -1 };

typedef struct Range {
  int first, count, depth;
  int parent; // whose right child this is; NONE for a left child or the root
} Range;

typedef struct Bin {
  rgBounds bounds;
  int count;
} Bin;

typedef struct Cut {
  int axis; // NONE: there is none
  int bin;  // items in bins <= bin go left
  double origin, scale;
} Cut;

typedef struct Builder {
  const rgBounds* items;
  int* order;
  int* side_space; // items that go right, while a range is partitioned
  rgStaticNode* nodes;
  int node_count;
} Builder;

size_t rg_static_tree_scratch(int item_count) { return rg_align((size_t)item_count * sizeof(int)); }

int rg_static_tree_limit(int item_count) { return item_count > 0 ? 2 * item_count - 1 : 0; }

static rgBounds empty_bounds(void) {
  return (rgBounds){v3(HUGE_VAL, HUGE_VAL, HUGE_VAL), v3(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL)};
}

static double half_area(rgBounds box) {
  rgVec3 d = v3_sub(box.upper, box.lower);
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

// Halves first, so that no sum overflows.
static double center_of(const rgBounds* box, int axis) {
  return 0.5 * v3_get(box->lower, axis) + 0.5 * v3_get(box->upper, axis);
}

static int bin_of(double center, const Cut* cut) {
  int bin = (int)((center - cut->origin) * cut->scale);
  return bin < BINS ? bin : BINS - 1;
}

static void fill_bins(const Builder* builder, Range range, const Cut* cut, Bin bins[BINS]) {
  for (int i = 0; i < BINS; i++)
    bins[i] = (Bin){empty_bounds(), 0};
  for (int i = range.first; i < range.first + range.count; i++) {
    const rgBounds* item = &builder->items[builder->order[i]];
    Bin* bin = &bins[bin_of(center_of(item, cut->axis), cut)];
    bin->bounds = bounds_union(bin->bounds, *item);
    bin->count++;
  }
}

// The cheapest cut along one axis; improves *best and *best_cost.
static void try_axis(const Builder* builder, Range range, int axis, Cut* best, double* best_cost) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int i = range.first; i < range.first + range.count; i++) {
    double center = center_of(&builder->items[builder->order[i]], axis);
    low = center < low ? center : low;
    high = center > high ? center : high;
  }
  Cut cut = {axis, 0, low, BINS / (high - low)};
  if (!(high > low) || !isfinite(cut.scale))
    return;
  Bin bins[BINS];
  fill_bins(builder, range, &cut, bins);
  double right_cost[BINS];
  rgBounds right = empty_bounds();
  for (int i = BINS - 1, count = 0; i > 0; i--) {
    right = bounds_union(right, bins[i].bounds);
    count += bins[i].count;
    right_cost[i] = count > 0 ? count * half_area(right) : 0;
  }
  rgBounds left = empty_bounds();
  for (int i = 0, count = 0; i < BINS - 1; i++) {
    left = bounds_union(left, bins[i].bounds);
    count += bins[i].count;
    if (count == 0 || count == range.count)
      continue;
    double cost = count * half_area(left) + right_cost[i + 1];
    if (cost < *best_cost) {
      *best_cost = cost;
      *best = cut;
      best->bin = i;
    }
  }
}

// Puts the items that go left in front, keeping their order; returns how many there are.
static int partition(Builder* builder, Range range, const Cut* cut) {
  int left = 0, right = 0;
  int* items = builder->order + range.first;
  for (int i = 0; i < range.count; i++) {
    int item = items[i];
    if (bin_of(center_of(&builder->items[item], cut->axis), cut) <= cut->bin)
      items[left++] = item;
    else
      builder->side_space[right++] = item;
  }
  for (int i = 0; i < right; i++)
    items[left + i] = builder->side_space[i];
  return left;
}

static int split(Builder* builder, Range range) {
  Cut cut = {.axis = NONE};
  double cost = HUGE_VAL;
  for (int axis = 0; axis < 3 && range.depth < DEPTH_SPATIAL; axis++)
    try_axis(builder, range, axis, &cut, &cost);
  return cut.axis != NONE ? partition(builder, range, &cut) : range.count / 2;
}

static rgBounds bounds_of(const Builder* builder, Range range) {
  rgBounds box = empty_bounds();
  for (int i = range.first; i < range.first + range.count; i++)
    box = bounds_union(box, builder->items[builder->order[i]]);
  return box;
}

// Adds nodes in walking order; inner nodes keep their right child in `first`.
static void add_nodes(Builder* builder, int item_count) {
  Range stack[DEPTH_LIMIT + 1];
  int top = 0;
  stack[top++] = (Range){0, item_count, 0, NONE};
  while (top > 0) {
    Range range = stack[--top];
    int index = builder->node_count++;
    rgStaticNode* node = &builder->nodes[index];
    *node = (rgStaticNode){.bounds = bounds_of(builder, range), .first = range.first};
    if (range.parent != NONE)
      builder->nodes[range.parent].first = index;
    if (range.count <= LEAF_ITEMS) {
      node->count = range.count;
      continue;
    }
    int left = split(builder, range);
    stack[top++] = (Range){range.first + left, range.count - left, range.depth + 1, index};
    stack[top++] = (Range){range.first, left, range.depth + 1, NONE};
  }
}

// A left child skips to its sibling, a right child to where its parent does.
static void link_skips(rgStaticNode* nodes, int node_count) {
  nodes[0].skip = node_count;
  for (int i = 0; i < node_count; i++) {
    if (nodes[i].count > 0)
      continue;
    int right = nodes[i].first;
    nodes[i + 1].skip = right;
    nodes[right].skip = nodes[i].skip;
  }
}

int rg_static_tree_build(const rgBounds* items, int item_count, void* scratch, rgStaticNode* nodes,
                         int* order) {
  if (item_count <= 0)
    return 0;
  Builder builder = {items, order, scratch, nodes, 0};
  for (int i = 0; i < item_count; i++)
    order[i] = i;
  add_nodes(&builder, item_count);
  link_skips(nodes, builder.node_count);
  return builder.node_count;
}
