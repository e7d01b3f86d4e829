// trail.c - where trees of joints go on to: the velocities with which a step begins to look for its end.
//
// Problem: rows of joints belong to the end of the step, and what a step starts from decides how often its trees
// are factored until both fit (tree_newton.c).
//
// Method: velocities of what joints hold are smooth in time between impacts. With d the change of a velocity in
// the last step, d2 that of d and d3 that of d2, the next change is d + d2 + d3 + O(h^4), which is
// extrapolation by a parabola. Rounding and what tolerances leave grow by 7 at most. The velocities are those of
// the problem, at the mean inertia of the step (free_motion.c), less the one at its start. Of a step of another
// length nothing is known, and what has no joint is thought to keep its velocity. An impact, or a force that
// begins to act, is seen by differences that are no smaller than the change itself: these say nothing of the next one,
// and where d2 is one of them nothing does.
//
// The changes are state: kept with joints (rgTrail), of the link that a joint holds, and of a free root with
// each joint on it. A guess changes what a step costs and, by what the tolerance leaves, its last digits.
#include "step/tree/tree.h"

#include <string.h>

static rgTwist twist_sum(rgTwist a, double s, rgTwist b) {
  return (rgTwist){v3_axpy(a.linear, s, b.linear), v3_axpy(a.angular, s, b.angular)};
}

static rgTwist twist_at(const double* v) {
  return (rgTwist){{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
}

// The problem body at a side of a joint whose changes the joint keeps: the link that it holds, or a free
// root; -1: neither.
static int kept_body(const rgStep* step, const rgIsland* island, int slot, int side) {
  const rgJointStep* scratch = &step->joints[slot];
  const rgProblemLink* links = step->velocity.links;
  if (scratch->child < 0 || scratch->child_is_a == (side == 0))
    return scratch->child;
  int parent = links[scratch->child].parent, index = island->body_start + parent;
  return parent >= 0 && links[index].row < 0 ? index : -1;
}

// [m2/s2] of changes, with the size of a joint as the arm of turns.
static double squared(rgTwist change, double size) {
  return v3_norm2(change.linear) + size * size * v3_norm2(change.angular);
}

// What the loops read of a joint some joints after that of a row; sides follow each other.
static void prefetch_trail(const rgStep* step, int row, int end) {
  int slot = rg_step_prefetch_rows(step, row, end);
  if (slot >= 0)
    rg_prefetch(&step->world->joints[slot].trail, sizeof(rgTrail));
}

// Differences above this part of the change are no smooth motion.
static const double SMOOTH = 0.5;

// How many changes of an island lead on.
static int leading_changes(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  int end = island->row_start + island->row_count, known = RG_CHANGES, leading = 1;
  double sums[RG_CHANGES] = {0};
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
    int slot = set->row_joint[i];
    const rgTrail* trail = &step->world->joints[slot].trail;
    prefetch_trail(step, i, end);
    int own = trail->step == step->h ? trail->count : 0;
    known = own < known ? own : known;
    for (int side = 0; side < 2; side++)
      if (kept_body(step, island, slot, side) >= 0)
        for (int k = 0; k < RG_CHANGES; k++)
          sums[k] += squared(trail->change[side][k], step->joints[slot].size);
    i += step->joints[slot].row_count;
  }
  while (leading < known && sums[leading] <= SMOOTH * SMOOTH * sums[0])
    leading++;
  return leading > 1 ? leading : 0;
}

// [rad] A body that turns by more than this more than before says nothing of its next turn.
static const double STIFF = 0.1;

static void go_on(const rgStep* step, const rgTrail* trail, int side, int index, int known) {
  double* v = &step->velocity.v[6 * index];
  const rgTwist* start = &step->bodies[step->velocity.body_order[index]].start_velocity;
  rgTwist change = {v3_zero(), v3_zero()};
  for (int k = 0; k < known; k++)
    change = twist_sum(change, 1, trail->change[side][k]);
  if (!(step->h * v3_norm(change.angular) <= STIFF))
    return;
  rgTwist next = twist_sum(*start, 1, change);
  v[0] = next.linear.x, v[1] = next.linear.y, v[2] = next.linear.z;
  v[3] = next.angular.x, v[4] = next.angular.y, v[5] = next.angular.z;
}

void rg_tree_go_on(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  int end = island->row_start + island->row_count, known = leading_changes(step, island);
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0 && known > 0;) {
    int slot = set->row_joint[i];
    prefetch_trail(step, i, end);
    for (int side = 0; side < 2; side++) {
      int index = kept_body(step, island, slot, side);
      if (index >= 0)
        go_on(step, &step->world->joints[slot].trail, side, index, known);
    }
    i += step->joints[slot].row_count;
  }
}

// Puts the change of the last step in front; those behind it are its differences.
static void note(rgTwist* changes, int known, rgTwist change) {
  for (int k = 0; k <= known && k < RG_CHANGES; k++) {
    rgTwist old = changes[k];
    changes[k] = change;
    change = twist_sum(change, -1, old);
  }
}

// Keeps what a step changes of a trail, for when it fails.
static void keep(rgStep* step, int slot) {
  const rgTrail* trail = &step->world->joints[slot].trail;
  rgTrail* kept = &step->kept.joints[slot].trail;
  kept->step = trail->step;
  kept->count = trail->count;
  step->joints[slot].noted = RG_NOTED;
}

static void keep_side(rgStep* step, int slot, int side) {
  memcpy(step->kept.joints[slot].trail.change[side], step->world->joints[slot].trail.change[side],
         sizeof step->kept.joints[slot].trail.change[side]);
  step->joints[slot].noted |= (uint8_t)(1 << side);
}

void rg_tree_take_trail_back(rgStep* step, int slot) {
  rgTrail* trail = &step->world->joints[slot].trail;
  const rgTrail* kept = &step->kept.joints[slot].trail;
  int noted = step->kept.whole ? RG_NOTED | 3 : step->joints[slot].noted;
  if (noted & RG_NOTED) {
    trail->step = kept->step;
    trail->count = kept->count;
  }
  for (int side = 0; side < 2; side++)
    if (noted >> side & 1)
      memcpy(trail->change[side], kept->change[side], sizeof trail->change[side]);
}

void rg_tree_note_changes(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  int end = island->row_start + island->row_count;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
    int slot = set->row_joint[i];
    rgTrail* trail = &step->world->joints[slot].trail;
    int known = trail->step == step->h ? trail->count : 0;
    prefetch_trail(step, i, end);
    keep(step, slot);
    for (int side = 0; side < 2 && island->trees; side++) {
      int index = kept_body(step, island, slot, side);
      if (index < 0)
        continue;
      keep_side(step, slot, side);
      note(trail->change[side], known,
           twist_sum(twist_at(&set->v[6 * index]), -1,
                     step->bodies[set->body_order[index]].start_velocity));
    }
    trail->step = step->h;
    trail->count = !island->trees || island->plain ? 0 : known < RG_CHANGES ? known + 1 : known;
    i += step->joints[slot].row_count;
  }
}
