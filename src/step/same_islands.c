// same_islands.c - islands and trees of the last step, where they are those of this one.
//
// Which bodies form islands and trees follows from what the world is built of, from the bodies of the contacts in
// the problem, in their order, and from the joints: how many rows each has there, and whether it is closed. A
// mechanism that moves has the same of these in most steps, and comparing them takes a tenth of the time of
// building islands and trees, which for a chain of few links takes as long as factoring it.
//
// What is kept is in the arrays of the set and in the context, by slots of bodies and joints: an index of a problem
// that was built since would stand there instead, so that each building makes it void (rg_islands_build). Worlds with
// forces, whose rows come and go, and with axes that follow others build theirs in each step.
#include "step/same_islands.h"

#include "step/trees.h"

#include <string.h>

static bool is_plain_world(const rgWorld* world) {
  return world->joint_count > 0 && !world->force_slots;
}

static bool has_full_coordinates(const rgWorld* world) {
  return strcmp(world->options.coordinates, "full") == 0;
}

static rgBuiltContact contact_of(const rgStep* step, int i) {
  const rgWorldContact* contact = &step->world->contacts[i];
  if (step->contacts[i].mark == RG_MARK_OUT)
    return (rgBuiltContact){-1, -1, -1};
  return (rgBuiltContact){contact->body_a, contact->body_b, step->contacts[i].problem_contact};
}

// What islands and trees read of a joint, as one number.
enum { IS_OUT = -1, IS_COUPLED = -2, ROWS = 64 };
static int16_t seen_of(const rgStep* step, int slot) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  if (!joint->alive || scratch->mark == RG_MARK_OUT)
    return IS_OUT;
  if (joint->coupled)
    return IS_COUPLED;
  int rows = ROWS * scratch->row_count + joint->held_count;
  return (int16_t)(2 * rows + rg_trees_is_closed(step, slot));
}

rgStatus rg_same_islands_note(rgStep* step) {
  rgWorld* world = step->world;
  rgBuilt* built = &step->forest.built;
  if (!is_plain_world(world))
    return RG_OK;
  if (!RG_SET_RESERVE(world, built, contacts, world->contact_count))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for islands");
  for (int i = 0; i < world->contact_count; i++)
    built->contacts[i] = contact_of(step, i);
  for (int i = 0; i < world->joint_slots; i++)
    step->joints[i].built = seen_of(step, i);
  built->contact_count = world->contact_count;
  built->edits = world->ids.edits;
  built->mean_rows = step->mean_rows;
  built->full = has_full_coordinates(world);
  built->valid = true;
  return RG_OK;
}

static bool is_same(const rgStep* step) {
  const rgWorld* world = step->world;
  const rgBuilt* built = &step->forest.built;
  if (!built->valid || !step->past.goes_on || built->edits != world->ids.edits ||
      !is_plain_world(world) || built->contact_count != world->contact_count ||
      built->mean_rows != step->mean_rows || built->full != has_full_coordinates(world))
    return false;
  for (int i = 0; i < world->contact_count; i++) {
    rgBuiltContact now = contact_of(step, i), then = built->contacts[i];
    if (now.body_a != then.body_a || now.body_b != then.body_b)
      return false;
  }
  for (int i = 0; i < world->joint_slots; i++) {
    rg_step_prefetch_joint(step, i);
    int seen = seen_of(step, i);
    if (seen != step->joints[i].built || seen == IS_COUPLED)
      return false;
  }
  return true;
}

// An island as it is when it was just built.
static rgIsland anew(const rgIsland* island) {
  return (rgIsland){.body_start = island->body_start,
                    .body_count = island->body_count,
                    .contact_start = island->contact_start,
                    .contact_count = island->contact_count,
                    .row_start = island->row_start,
                    .row_count = island->row_count,
                    .trees = island->trees,
                    .may_be_bare = island->may_be_bare};
}

bool rg_same_islands_take(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  if (!is_same(step))
    return false;
  for (int i = 0; i < set->island_count; i++)
    set->islands[i] = anew(&set->islands[i]);
  for (int i = 0; i < step->world->body_slots; i++)
    step->bodies[i].plain = false;
  for (int i = 0; i < step->world->contact_count; i++)
    if (step->contacts[i].mark != RG_MARK_OUT)
      step->contacts[i].problem_contact = step->forest.built.contacts[i].problem_contact;
  for (int i = 0; i < step->world->joint_slots; i++)
    step->joints[i].in_tree = step->joints[i].child >= 0;
  return true;
}
