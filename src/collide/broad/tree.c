// tree.c - a tree of bounding boxes, refitted every step and rebuilt when it has worn out.
//
// Problem: among n axis-aligned boxes find all pairs that overlap.
//
// Method: the boxes are put in an order in which neighbours in the list are neighbours in space, by
// splitting at the median of the centres along the axis in which they spread most, again and again.
// Four boxes in a row make a node, four nodes a node of the next level, and so on; so the tree
// needs no pointers, all leaves are equally deep, and refitting is one sweep through memory. Pairs
// are found by descending two nodes of one level at once: four boxes are compared with one by
// vector instructions, and only children that overlap are followed.
//
// Cost: build n log n, refit n, pairs n log n + p for boxes that do not overlap too much. The
// comparisons are exact, so the pairs do not depend on the shape of the tree; only the time does.
#include "collide/broad/tree_kernel.h"

#include <float.h>

// --- Order ---------------------------------------------------------------------------------------

static void swap_entries(rgTreeEntry* a, rgTreeEntry* b) {
  rgTreeEntry t = *a;
  *a = *b;
  *b = t;
}

// Twice the centre.
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
static void select_middle(rgTreeEntry* e, int low, int high, int middle, int axis) {
  while (low < high) {
    double pivot = pivot_value(e, low, high, axis);
    int i = low, j = high;
    while (i <= j) {
      while (center2(&e[i], axis) < pivot)
        i++;
      while (center2(&e[j], axis) > pivot)
        j--;
      if (i <= j)
        swap_entries(&e[i++], &e[j--]);
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

// Orders entries that fill the first part of `room` places; the split must fall between nodes.
static void order(rgTreeEntry* e, int count, long long room) {
  while (room > RG_TREE_ARITY) {
    room /= 2;
    if (count <= room)
      continue;
    select_middle(e, 0, count - 1, (int)room, widest_axis(e, count));
    order(e + room, count - (int)room, room);
    count = (int)room;
  }
}

// --- Nodes ---------------------------------------------------------------------------------------

int rg_tree_node_bound(int count) {
  int total = 0, level = count;
  while (level > 0) {
    level = (level + RG_TREE_ARITY - 1) / RG_TREE_ARITY;
    total += level;
    if (level == 1)
      break;
  }
  return total;
}

static void set_lane(rgTreeNode* node, int lane, rgBounds box) {
  node->lower[0][lane] = box.lower.x;
  node->lower[1][lane] = box.lower.y;
  node->lower[2][lane] = box.lower.z;
  node->upper[0][lane] = box.upper.x;
  node->upper[1][lane] = box.upper.y;
  node->upper[2][lane] = box.upper.z;
}

static double least(const double x[RG_TREE_ARITY]) {
  double a = x[0] < x[1] ? x[0] : x[1], b = x[2] < x[3] ? x[2] : x[3];
  return a < b ? a : b;
}

static double most(const double x[RG_TREE_ARITY]) {
  double a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
  return a > b ? a : b;
}

static rgBounds union_of(const rgTreeNode* node) {
  return (rgBounds){{least(node->lower[0]), least(node->lower[1]), least(node->lower[2])},
                    {most(node->upper[0]), most(node->upper[1]), most(node->upper[2])}};
}

static int level_size(const rgTree* tree, int level) {
  return tree->level_start[level + 1] - tree->level_start[level];
}

void rg_tree_build(rgTree* tree) {
  tree->level_count = 0;
  tree->level_start[0] = 0;
  long long room = 1;
  for (int size = tree->count; size > 1 || (size == 1 && tree->level_count == 0);
       tree->level_count++) {
    size = (size + RG_TREE_ARITY - 1) / RG_TREE_ARITY;
    room *= RG_TREE_ARITY;
    tree->level_start[tree->level_count + 1] = tree->level_start[tree->level_count] + size;
  }
  order(tree->entries, tree->count, room);
  for (int i = 0; i < tree->level_start[tree->level_count]; i++)
    for (int lane = 0; lane < RG_TREE_ARITY; lane++)
      set_lane(&tree->nodes[i], lane, rg_tree_empty_box());
  rg_tree_refit(tree);
}

void rg_tree_refit(rgTree* tree) {
  if (tree->level_count == 0)
    return;
  for (int i = 0; i < tree->count; i++)
    set_lane(&tree->nodes[i / RG_TREE_ARITY], i % RG_TREE_ARITY, tree->entries[i].box);
  for (int level = 1; level < tree->level_count; level++) {
    const rgTreeNode* below = tree->nodes + tree->level_start[level - 1];
    rgTreeNode* here = tree->nodes + tree->level_start[level];
    int size = level_size(tree, level - 1);
    for (int i = 0; i < size; i++)
      set_lane(&here[i / RG_TREE_ARITY], i % RG_TREE_ARITY, union_of(&below[i]));
  }
}

// --- Pairs ---------------------------------------------------------------------------------------

bool rg_tree_next_piece(rgTreePairs* out) {
  rgTreeRoom* room = out->room;
  if (!room || __atomic_load_n(&room->used, __ATOMIC_RELAXED) > room->capacity - RG_TREE_PIECE)
    return false;
  int first = __atomic_fetch_add(&room->used, RG_TREE_PIECE, __ATOMIC_RELAXED);
  if (first > room->capacity - RG_TREE_PIECE)
    return false;
  out->before += out->count;
  out->items = room->items + first;
  out->count = 0;
  out->capacity = RG_TREE_PIECE;
  return true;
}

long long rg_tree_descend_plain(const rgTree* a, const rgTree* b, rgNodePair first, int floor,
                                rgTreePairs* out) {
  return descend(a, b, first, floor, out);
}

static rgTreeDescend* best_descend(void) {
  rgTreeDescend* avx2 = rg_tree_descend_avx2();
  return avx2 ? avx2 : rg_tree_descend_plain;
}

void rg_tree_self_pairs(rgTree* tree, rgTreePairs* out) {
  if (tree->level_count > 0)
    tree->visits += best_descend()(tree, tree, (rgNodePair){tree->level_count - 1, 0, 0}, 0, out);
}

// From the level of so many nodes upward: they are enough for many threads, and few beside the entries.
int rg_tree_seeds(rgTree* tree, rgBroadPair* seeds, int capacity, int* level) {
  enum { NODES = 512 };
  int top = tree->level_count - 1;
  *level = 0;
  if (top < 0)
    return 0;
  while (*level < top && level_size(tree, *level) > NODES)
    ++*level;
  for (; *level < top; ++*level) {
    rgTreePairs found = {.items = seeds, .capacity = capacity};
    long long visits = best_descend()(tree, tree, (rgNodePair){top, 0, 0}, *level + 1, &found);
    if (found.lost > 0)
      continue;
    tree->visits += visits;
    return found.count;
  }
  seeds[0] = (rgBroadPair){0, 0};
  return 1;
}

long long rg_tree_seed_pairs(const rgTree* tree, int level, rgBroadPair seed, rgTreePairs* out) {
  return best_descend()(tree, tree, (rgNodePair){level, (int)seed.a, (int)seed.b}, 0, out);
}

// Nodes of `level` that may hold something in the box, or entries for level -1, are given to
// `visit`.
static void search(const rgTree* tree, const rgBounds* box, int level, rgTreeVisit* visit,
                   void* context) {
  rgNodePair stack[STACK];
  int top = 0;
  stack[top++] = (rgNodePair){tree->level_count - 1, 0, 0};
  while (top > 0) {
    rgNodePair p = stack[--top];
    if (p.level == level) {
      visit(context, p.a);
      continue;
    }
    unsigned hits = children_in_box(&tree->nodes[tree->level_start[p.level] + p.a], box);
    for (; hits; hits &= hits - 1)
      stack[top++] = (rgNodePair){p.level - 1, RG_TREE_ARITY * p.a + __builtin_ctz(hits), 0};
  }
}

typedef struct Crossing {
  const rgTree *higher,
      *lower; // all of the lower tree is below one node of the level at which they meet
  int level;
  long long visits;
  rgTreeDescend* descend;
  rgTreePairs* out;
} Crossing;

static void cross_node(void* context, int index) {
  Crossing* c = context;
  c->visits += c->descend(c->higher, c->lower, (rgNodePair){c->level, index, 0}, 0, c->out);
}

void rg_tree_cross_pairs(rgTree* a, const rgTree* b, rgTreePairs* out) {
  if (a->level_count == 0 || b->level_count == 0)
    return;
  const rgTree *higher = a->level_count >= b->level_count ? a : b, *lower = higher == a ? b : a;
  Crossing c = {higher, lower, lower->level_count - 1, 0, best_descend(), out};
  rgBounds box = union_of(&lower->nodes[lower->level_start[c.level]]);
  search(higher, &box, c.level, cross_node, &c);
  a->visits += c.visits;
}

static rgVec3 finite(rgVec3 v) {
  rgVec3 most = v3(DBL_MAX, DBL_MAX, DBL_MAX);
  return v3_max(v3_neg(most), v3_min(most, v));
}

// Places that hold nothing have the empty box, whose ends are infinite: a box without bounds must
// not reach them.
void rg_tree_query(const rgTree* tree, rgBounds box, rgTreeVisit* visit, void* context) {
  rgBounds reach = {finite(box.lower), finite(box.upper)};
  if (tree->level_count > 0)
    search(tree, &reach, -1, visit, context);
}

// A node, or below level 0 an entry, and where the ray comes into its box.
typedef struct RayNode {
  double enter; // [m]
  int level, index;
} RayNode;

static rgBounds child_box(const rgTreeNode* node, int k) {
  return (rgBounds){v3(node->lower[0][k], node->lower[1][k], node->lower[2][k]),
                    v3(node->upper[0][k], node->upper[1][k], node->upper[2][k])};
}

// Puts the children that the ray meets onto the stack, the nearest on top.
static int push_children(const rgTree* tree, const RayNode* parent, const rgRay* ray, double limit,
                         RayNode* stack, int top) {
  const rgTreeNode* node = &tree->nodes[tree->level_start[parent->level] + parent->index];
  int bottom = top;
  for (int k = 0; k < RG_TREE_ARITY; k++) {
    rgBounds box = child_box(node, k);
    if (!(box.lower.x <= box.upper.x)) // there is none
      continue;
    RayNode child = {rg_ray_bounds(ray, &box, limit), parent->level - 1,
                     RG_TREE_ARITY * parent->index + k};
    if (child.enter < 0)
      continue;
    int place = top++;
    for (; place > bottom && stack[place - 1].enter < child.enter; place--)
      stack[place] = stack[place - 1];
    stack[place] = child;
  }
  return top;
}

void rg_tree_ray(const rgTree* tree, const rgRay* ray, const double* limit, rgTreeVisit* visit,
                 void* context) {
  RayNode stack[RG_TREE_ARITY * (RG_TREE_LEVELS + 1)];
  int top = 0;
  if (tree->level_count > 0)
    stack[top++] = (RayNode){0, tree->level_count - 1, 0};
  while (top > 0) {
    RayNode node = stack[--top];
    if (node.enter > *limit)
      continue;
    if (node.level < 0)
      visit(context, node.index);
    else
      top = push_children(tree, &node, ray, *limit, stack, top);
  }
}
