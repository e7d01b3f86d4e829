// kept.c - problems of islands that sleep, where they are those of the last step.
//
// The problem of an island follows from its bodies, the forces on them, its contacts, and options. Of one that sleeps
// none of these changes: bodies do not move, contacts are kept (world/detect.c), and what is set from outside wakes it. Its
// problem, its impulses and its certificate are then still where the last step has left them, in the arrays of the
// velocity problem, and are neither filled nor judged again.
//
// That needs
//
//   - that the last step has ended with this island asleep, with the same bodies, as many contacts at the same place,
//     no rows, geometry of the start, under the same scheme, step size and edits;
//   - that nothing has moved or changed since (rgPast.goes_on), and all bodies still sleep under the same forces;
//   - that no body moves along a path, beside which contacts change, and that impacts one after the other, which are
//     solved in the same arrays, are not asked for;
//   - that it is the first building of islands in the step: places that were given up may have been written to.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/sleep/sleep.h"

#include <string.h>

static bool may_be_kept(const rgStep* step, const rgIsland* island) {
  return island->row_count == 0 && !island->follows && step->contacts_at == RG_CONTACTS_START &&
         step->world->kinematic_count == 0 && !rg_fill_impacts_are_sequential(step);
}

rgStatus rg_sleep_keep(rgStep* step) {
  const rgWorld* world = step->world;
  const rgProblemSet* set = &step->velocity;
  rgPast* past = &step->past;
  past->slept_count = 0;
  past->scheme = step->scheme;
  past->h = step->h;
  past->edits = world->ids.edits;
  if (!RG_SET_RESERVE(step->world, past, slept, set->island_count))
    return rg_world_fail(step->world, RG_ERROR_MEMORY, "not enough memory for islands that sleep");
  for (int i = 0; i < world->body_slots; i++)
    step->bodies[i].slept = 0;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    const int* slots = set->body_order + island->body_start;
    if (!island->sleeps || !may_be_kept(step, island) ||
        world->bodies[slots[0]].quiet < RG_QUIET_MOST)
      continue;
    past->slept[past->slept_count++] = *island;
    for (int i = 0; i < island->body_count; i++)
      step->bodies[slots[i]].slept = past->slept_count;
  }
  return RG_OK;
}

static bool is_same_wrench(const rgWrench* a, const rgWrench* b) {
  return memcmp(a, b, sizeof *a) == 0;
}

// The island that it was in the last step; NULL where there is none.
static const rgIsland* kept_island(const rgStep* step, const rgIsland* island) {
  const int* slots = step->velocity.body_order + island->body_start;
  int kept = step->bodies[slots[0]].slept;
  if (kept == 0 || !may_be_kept(step, island))
    return NULL;
  const rgIsland* last = &step->past.slept[kept - 1];
  if (last->body_count != island->body_count || last->contact_start != island->contact_start ||
      last->contact_count != island->contact_count)
    return NULL;
  for (int i = 0; i < island->body_count; i++) {
    const rgBody* body = &step->world->bodies[slots[i]];
    const rgBodyStep* scratch = &step->bodies[slots[i]];
    if (scratch->slept != kept || body->quiet != RG_QUIET_MOST ||
        !is_same_wrench(&body->applied, &scratch->before.applied))
      return NULL;
  }
  return last;
}

void rg_sleep_take_kept(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  const rgPast* past = &step->past;
  if (!past->goes_on || step->round.rebuilds > 1 || past->scheme != step->scheme ||
      past->h != step->h || past->edits != step->world->ids.edits)
    return;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    const rgIsland* last = kept_island(step, island);
    if (!last)
      continue;
    island->report = last->report;
    island->report.iterations = 0;
    island->settled = island->sleeps = true;
    memset(&set->v[6 * (size_t)island->body_start], 0,
           6 * (size_t)island->body_count * sizeof *set->v);
  }
}
