// trees.c - which joints of a problem form trees.
//
// Joints are taken in the order of their slots as long as they close no loop, all that does not move
// counting as one body: a spanning forest. An island with further joints that hold something (they close
// loops, or are far open) stays in full coordinates as a whole: loops of real mechanisms are redundant,
// which a factorization of all rows sees and a small W of the closing ones does not bear. A tree that hangs
// on what does not move has its roots there, another one at its first body, and links follow in the
// order of a breadth-first search, parents first.
//
// A joint takes part when its kind says what movements it leaves (motions, closed), its bodies have
// masses in every direction and its errors are of the size of rounding: those of a tree are exactly
// closed, and one that is far open has to be brought together by the stabilizer first. In a problem of
// positions those of the step's velocity problem take part, which has left them closed.
#include "step/trees.h"

#include "base/forest.h"
#include "step/tree/tree.h"

#include <string.h>

// Errors up to which a joint counts as closed, as a part of its size.
static const double CLOSED = 1e-8;

static bool is_dynamic(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_DYNAMIC;
}

static bool has_mass(const rgWorld* world, int slot) {
  const rgBody* body = &world->bodies[slot];
  return !body->rotation_locked && body->inverse_mass > 0;
}

bool rg_trees_is_closed(const rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* start = &step->joints[slot];
  for (int i = 0; i < joint->info->fixed_count; i++) {
    double size = i < joint->info->point_rows ? start->size : 1;
    if (!(fabs(start->values.fixed[i]) <= CLOSED * size))
      return false;
  }
  return true;
}

static bool takes_part(const rgStep* step, const rgProblemSet* set, int slot) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  if (!joint->alive || step->joints[slot].mark == RG_MARK_OUT || !joint->info->motions)
    return false;
  bool a = is_dynamic(world, joint->body_a), b = is_dynamic(world, joint->body_b);
  return (a || b) && (!a || has_mass(world, joint->body_a)) &&
         (!b || has_mass(world, joint->body_b)) &&
         (set == &step->velocity ? rg_trees_is_closed(step, slot) : step->joints[slot].in_tree);
}

// The problem body at one end of a joint; the set's body count stands for what does not move.
static int end_of(const rgStep* step, const rgProblemSet* set, int slot) {
  return is_dynamic(step->world, slot) ? step->bodies[slot].problem_body : set->body_count;
}

// Joints that close no loop, each in the lists of its moving bodies.
static void span(rgStep* step, const rgProblemSet* set, rgTreeScratch* scratch) {
  int outside = set->body_count;
  int *root = scratch->root, *start = scratch->start;
  for (int i = 0; i <= outside; i++)
    root[i] = i;
  memset(start, 0, ((size_t)outside + 2) * sizeof *start);
  for (int i = 0; i < step->world->joint_slots; i++) {
    const rgJoint* joint = &step->world->joints[i];
    step->joints[i].spans = false;
    rg_step_prefetch_joint(step, i);
    if (!takes_part(step, set, i))
      continue;
    int a = end_of(step, set, joint->body_a), b = end_of(step, set, joint->body_b);
    if (rg_forest_root(root, a) == rg_forest_root(root, b))
      continue;
    rg_forest_join(root, a, b);
    step->joints[i].spans = true;
    start[a + 1]++;
    start[b + 1]++;
  }
  for (int i = 0; i <= outside; i++)
    start[i + 1] += start[i];
  memcpy(root, start, ((size_t)outside + 1) * sizeof *root);
  for (int i = 0; i < step->world->joint_slots; i++) {
    const rgJoint* joint = &step->world->joints[i];
    rg_step_prefetch_joint(step, i);
    if (!step->joints[i].spans)
      continue;
    scratch->edges[root[end_of(step, set, joint->body_a)]++] = i;
    scratch->edges[root[end_of(step, set, joint->body_b)]++] = i;
  }
}

// Rows of a joint in a problem, and those of them that hold for all rates, which come first.
static int rows_of(const rgStep* step, const rgProblemSet* set, int slot) {
  return set->joint_rows == RG_ROWS_ACTING ? step->joints[slot].row_count
                                           : step->world->joints[slot].constraint_count;
}

static int implied_rows(const rgStep* step, const rgProblemSet* set, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  bool acting = set->joint_rows == RG_ROWS_ACTING;
  int count = 0, all = rows_of(step, set, slot);
  while (count < all &&
         joint->rows[acting ? step->joints[slot].rows[count] : count].kind == RG_ROW_FIXED)
    count++;
  return count;
}

// Makes `body` the link that a joint holds to `parent`, a problem body or what does not move.
static void hang(rgStep* step, rgProblemSet* set, const rgIsland* island, int slot, int body,
                 int parent) {
  const rgJoint* joint = &step->world->joints[slot];
  rgJointStep* scratch = &step->joints[slot];
  int rows = implied_rows(step, set, slot);
  scratch->child = body;
  set->link_joint[body] = slot;
  scratch->child_is_a = end_of(step, set, joint->body_a) == body;
  rgProblemLink* link = &set->links[body]; // all else is zero, see order_island
  link->parent = parent == set->body_count ? -1 : parent - island->body_start;
  link->row = scratch->problem_row - island->row_start;
  link->row_count = rows;
  link->axis_row_count = rows_of(step, set, slot) - rows;
}

// Puts a body at the end of the order.
static void place(rgStep* step, rgProblemSet* set, const rgIsland* island, int body, int* end) {
  set->link_order[(*end)++] = body - island->body_start;
  step->forest.trees.placed[body] = true;
}

// Hangs what the joints of `node` hold and has no place yet.
static void hang_around(rgStep* step, rgProblemSet* set, const rgIsland* island, int node,
                        int* end) {
  const rgTreeScratch* scratch = &step->forest.trees;
  for (int k = scratch->start[node]; k < scratch->start[node + 1]; k++) {
    int slot = scratch->edges[k];
    const rgJoint* joint = &step->world->joints[slot];
    int a = end_of(step, set, joint->body_a), b = end_of(step, set, joint->body_b),
        other = a == node ? b : a;
    if (step->joints[slot].child >= 0 || other == set->body_count)
      continue;
    hang(step, set, island, slot, other, node);
    place(step, set, island, other, end);
  }
}

// Hangs what is joined to what does not move.
static void hang_on_ground(rgStep* step, rgProblemSet* set, const rgIsland* island, int body,
                           int* end) {
  const rgTreeScratch* scratch = &step->forest.trees;
  int outside = set->body_count;
  for (int k = scratch->start[body]; k < scratch->start[body + 1]; k++) {
    int slot = scratch->edges[k];
    const rgJoint* joint = &step->world->joints[slot];
    if (end_of(step, set, joint->body_a) != outside && end_of(step, set, joint->body_b) != outside)
      continue;
    hang(step, set, island, slot, body, outside);
    place(step, set, island, body, end);
  }
}

static bool has_tree_joint(const rgStep* step, const rgIsland* island) {
  const int* start = step->forest.trees.start;
  return start[island->body_start] < start[island->body_start + island->body_count];
}

// Whether a joint holds its bodies without being one of a tree.
static bool holds_apart(const rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  if (step->joints[slot].spans)
    return false;
  for (int i = 0; i < joint->constraint_count; i++)
    if (joint->rows[i].kind == RG_ROW_FIXED || joint->rows[i].kind == RG_ROW_HELD)
      return true;
  return false;
}

static bool has_loops(const rgStep* step, const rgProblemSet* set, const rgIsland* island) {
  int end = island->row_start + island->row_count;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
    if (holds_apart(step, set->row_joint[i]))
      return true;
    i += rows_of(step, set, set->row_joint[i]);
  }
  return false;
}

static bool all_have_mass(const rgStep* step, const rgProblemSet* set, const rgIsland* island) {
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    if (!has_mass(step->world, set->body_order[i]))
      return false;
  return true;
}

// Places of the bodies in the order: what hangs on the ground first, then each free root.
static void order_island(rgStep* step, rgProblemSet* set, rgIsland* island) {
  int first = island->body_start, last = first + island->body_count, end = first, done = first;
  memset(&set->links[first], 0, (size_t)island->body_count * sizeof *set->links);
  for (int i = first; i < last; i++) {
    set->links[i].parent = set->links[i].row = -1;
    set->link_joint[i] = -1;
    step->forest.trees.placed[i] = false;
  }
  for (int i = first; i < last; i++)
    hang_on_ground(step, set, island, i, &end);
  for (int root = first; root < last; root++) {
    for (; done < end; done++)
      hang_around(step, set, island, first + set->link_order[done], &end);
    if (!step->forest.trees.placed[root])
      place(step, set, island, root, &end);
  }
}

// Which joints are those of trees, for problems of positions.
static void remember(rgStep* step) {
  for (int i = 0; i < step->world->joint_slots; i++)
    step->joints[i].in_tree = step->joints[i].child >= 0;
}

rgStatus rg_trees_build(rgStep* step, rgProblemSet* set) {
  rgWorld* world = step->world;
  rgTreeScratch* scratch = &step->forest.trees;
  for (int k = 0; k < set->island_count; k++)
    set->islands[k].trees = set->islands[k].may_be_bare = false;
  for (int i = 0; i < world->joint_slots; i++) {
    step->joints[i].child = -1;
    step->joints[i].in_tree = step->joints[i].in_tree && set != &step->velocity;
  }
  if (world->joint_count == 0 || !step->mean_rows ||
      strcmp(world->options.coordinates, "full") == 0)
    return RG_OK;
  int bodies = set->body_count;
  if (!RG_SET_RESERVE(world, scratch, root, bodies + 1) ||
      !RG_SET_RESERVE(world, scratch, start, bodies + 2) ||
      !RG_SET_RESERVE(world, scratch, placed, bodies) ||
      !RG_SET_RESERVE(world, scratch, edges, 2 * world->joint_slots) ||
      !RG_SET_RESERVE(world, set, links, bodies) ||
      !RG_SET_RESERVE(world, set, link_order, bodies) ||
      !RG_SET_RESERVE(world, set, link_joint, bodies))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for trees of joints");
  span(step, set, scratch);
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    island->trees = has_tree_joint(step, island) && !has_loops(step, set, island) &&
                    all_have_mass(step, set, island);
    if (island->trees)
      order_island(step, set, island);
    island->may_be_bare = set == &step->velocity && rg_tree_may_be_bare(step, set, island);
  }
  if (set == &step->velocity)
    remember(step);
  return RG_OK;
}
