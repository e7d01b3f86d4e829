// rows.c - implied rows on demand, and what is made of the wrenches of joints in their place.
//
// A joint's wrench w on its link is the sum of what its implied rows do there, about the centre of the link. On the
// parent they do the opposite at the same point, X' w (linkage.h), and w itself is all that reactions and the
// momentum of bodies are made of. Rows follow from the placement with which the joint's link was made, their impulses
// from w and these rows.
#include "step/tree/tree.h"

#include "problem/operator.h"
#include "step/fill/fill.h"

#include <string.h>

enum { CHOICE_LINKS = 8 };
bool rg_tree_is_large(const rgIsland* island) {
  return island->trees && island->body_count > CHOICE_LINKS;
}

enum { POINT_ROWS = 3 };

static bool holds_point(const rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  return step->joints[slot].child >= 0 && !joint->coupled && !joint->info->slides &&
         joint->info->point_rows == POINT_ROWS;
}

bool rg_tree_may_be_bare(const rgStep* step, const rgProblemSet* set, const rgIsland* island) {
  int end = island->row_start + island->row_count;
  bool bare = island->trees && step->world->dimension == 3;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0 && bare;) {
    bare = holds_point(step, set->row_joint[i]);
    i += step->joints[set->row_joint[i]].row_count;
  }
  for (int i = 0; i < island->body_count && bare; i++)
    bare = !step->world->bodies[set->body_order[island->body_start + i]].massless;
  return bare;
}

bool rg_tree_is_bare(const rgStep* step, const rgIsland* island) {
  // Whether an island may sleep is judged by all of its rows.
  return island->settles && island->may_be_bare && step->theta == 1 &&
         step->world->kinematic_count == 0 && !step->world->options.sleeping &&
         (island->contact_count == 0 || rg_tree_is_large(island));
}

// -------------------------------------------------------------------------------------------------
// Rows
// -------------------------------------------------------------------------------------------------

void rg_tree_keep_wrenches(rgStep* step, const rgIsland* island, const rgReduced* reduced) {
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < island->body_count; i++) {
    int slot = set->link_joint[island->body_start + i];
    if (slot >= 0)
      step->joints[slot].wrench =
          reduced ? rg_body_twist(reduced->wrench, i) : (rgTwist){v3_zero(), v3_zero()};
  }
}

static bool link_is_a(const rgStep* step, int slot, int body) {
  return step->world->joints[slot].body_a == step->velocity.body_order[body];
}

// Those of one link, an index of the set.
static void write_link(const rgStep* step, const rgIsland* island, int body) {
  const rgProblemSet* set = &step->velocity;
  const rgProblemLink* link = &set->links[body];
  int slot = set->link_joint[body], own = body - island->body_start;
  const rgJoint* joint = &step->world->joints[slot];
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
  rg_world_joint_rows(step->world, joint, &step->joints[slot].mean, fixed, axes);
  bool is_a = link_is_a(step, slot, body);
  for (int k = 0; k < link->row_count; k++)
    set->rows[island->row_start + link->row + k] = (rgProblemRow){
        .body_a = is_a ? own : link->parent,
        .body_b = is_a ? link->parent : own,
        .g_a = fixed[joint->rows[k].index].g_a,
        .g_b = fixed[joint->rows[k].index].g_b,
        .lower = -HUGE_VAL,
        .upper = HUGE_VAL,
    };
  rgProblem problem = rg_island_problem(set, island);
  rg_reduced_impulses(&problem, own, step->joints[slot].wrench, set->lambda + island->row_start);
}

void rg_tree_write_rows(const rgStep* step, rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  if (!island->bare || island->written)
    return;
  island->written = true;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++)
    if (set->link_joint[i] >= 0)
      write_link(step, island, i);
}

void rg_tree_write_all_rows(const rgWorld* world) {
  const rgProblemSet* set = &world->step->velocity;
  for (int k = 0; k < set->island_count; k++)
    rg_tree_write_rows(world->step, &set->islands[k]);
}

void rg_tree_end_bare(const rgStep* step, rgIsland* island) {
  rg_tree_write_rows(step, island);
  island->bare = island->written = false;
}

// -------------------------------------------------------------------------------------------------
// What wrenches do
// -------------------------------------------------------------------------------------------------

static void add_moment(double* v, int body, double s, rgVec3 moment) {
  rg_body_add(v, body, s, v3_zero(), moment);
}

void rg_tree_add_moments(const rgStep* step, const rgIsland* island, double* v) {
  const rgProblemSet* set = &step->velocity;
  rgProblem problem = rg_island_problem(set, island);
  rgSolution solution = rg_island_solution(set, island);
  int joints = 0;
  for (int i = 0; i < island->body_count; i++) {
    const rgProblemLink* link = &problem.links[i];
    if (link->row < 0)
      continue;
    rgTwist w = step->joints[set->link_joint[island->body_start + i]].wrench;
    add_moment(v, i, 1, w.angular);
    add_moment(v, link->parent, -1, v3_add(w.angular, v3_cross(link->from_parent, w.linear)));
    int end = link->row + link->row_count + link->axis_row_count;
    for (int k = link->row + link->row_count; k < end; k++) {
      add_moment(v, problem.rows[k].body_a, solution.lambda[k], problem.rows[k].g_a.angular);
      add_moment(v, problem.rows[k].body_b, solution.lambda[k], problem.rows[k].g_b.angular);
    }
    joints = end > joints ? end : joints;
  }
  problem.rows += joints; // rows of joints come first
  problem.row_count -= joints;
  solution.lambda += joints;
  rg_problem_add_moments(&problem, &solution, v);
}

rgWrench rg_tree_reaction(const rgStep* step, int slot) {
  const rgJointStep* scratch = &step->joints[slot];
  const rgProblemLink* link = &step->velocity.links[scratch->child];
  double s = (link_is_a(step, slot, scratch->child) ? -1 : 1) / step->h;
  rgTwist w = scratch->wrench;
  return (rgWrench){v3_scale(w.linear, s),
                    v3_scale(v3_sub(w.angular, v3_cross(link->arm, w.linear)), s)};
}
