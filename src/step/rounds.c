// rounds.c - the loop of a step (rounds.h), over its clients.
#include "step/rounds.h"

#include "step/fill/clients.h"
#include "step/fill/fill.h"
#include "step/fill/passing.h"
#include "step/report.h"
#include "step/same_islands.h"
#include "step/scheme/scheme.h"
#include "step/sleep/sleep.h"
#include "step/trees.h"

// Rebuilds: each lets contacts enter, so that more are needed only where a chain of hits runs
// through more bodies than this.
enum { REBUILDS = 16 };
// With contacts a follow-up round is a solve from the beginning. What it finds is for rows that
// will change, so that this part of what it starts with is exact enough; the last round finds
// nothing left to do, at the tolerance that was asked for.
static const double ROUND_PART = 1e-3;

// Contacts at the end of the step are judged there by their gaps. A velocity that misses the law at the end
// that it leads to by e is followed by one that differs by e, whose end has gaps that are off by h e again:
// half of the tolerance each. A solver that ends between half of it and the whole need not get any
// better; then the whole is enough.
static const double OWN_END = 0.5;
enum { STRICT_FOLLOWS = 5 };

static const rgRoundClient* const clients[] = {&rg_client_contacts, &rg_client_joints,
                                               &rg_client_passing};
enum { CLIENTS = sizeof clients / sizeof *clients };

bool rg_rounds_follow_ends(const rgStep* step) {
  return step->scheme->mean_rows &&
         (step->world->joint_count > 0 || step->contacts_at != RG_CONTACTS_START);
}

static rgStop stop_of(const rgStep* step) {
  const rgOptions* options = &step->world->options;
  return (rgStop){.tolerance = options->tolerance,
                  .iteration_limit = options->iteration_limit,
                  .time_limit = options->time_limit};
}

static rgStatus solve(rgStep* step, rgRoundNeed need) {
  rgStatus status = step->world->options.sleeping ? rg_sleep_settle(step) : RG_OK;
  if (status != RG_OK)
    return status;
  rgStop stop = stop_of(step);
  if (rg_rounds_follow_ends(step) && need != RG_ROUND_DONE)
    stop.start_part = ROUND_PART;
  if (need == RG_ROUND_FOLLOW) {
    bool strict = step->contacts_at == RG_CONTACTS_END && step->round.follows <= STRICT_FOLLOWS;
    stop.start_tolerance = strict ? OWN_END * stop.tolerance : stop.tolerance;
  }
  return rg_islands_solve(step, &step->velocity, step->world->options.solver, &stop);
}

static void fill(rgStep* step) {
  for (int i = 0; i < CLIENTS; i++)
    if (clients[i]->fill)
      clients[i]->fill(step);
}

static void know_ends(rgStep* step) {
  for (int i = 0; i < CLIENTS; i++)
    if (clients[i]->ends)
      clients[i]->ends(step);
}

// Contacts at the end of the step have found there how stiff they make their bodies.
static void take_stiffness(rgStep* step) {
  if (step->contacts_at == RG_CONTACTS_END)
    rg_fill_follow_ends(step);
}

// The ends that the impulses of the last step or round lead to, acting as at the start of the step.
static void guess(rgStep* step) {
  if (!rg_rounds_follow_ends(step))
    return;
  for (int i = 0; i < CLIENTS; i++)
    if (clients[i]->guess)
      clients[i]->guess(step);
  rg_fill_guess_ends(step);
  know_ends(step);
  take_stiffness(step);
}

// Islands and trees, those of the last step where nothing has changed that they follow from.
static rgStatus build_islands(rgStep* step) {
  if (rg_same_islands_take(step))
    return RG_OK;
  rgStatus status = rg_islands_build(step, &step->velocity);
  if (status == RG_OK)
    status = rg_trees_build(step, &step->velocity);
  return status == RG_OK ? rg_same_islands_note(step) : status;
}

// New islands, with the ends that the impulses of the last step or round suggest.
static rgStatus rebuild(rgStep* step) {
  for (int k = 0; k < step->velocity.island_count && step->round.rebuilds > 0; k++) {
    rgIsland* island = &step->velocity.islands[k];
    if (island->follows && !rg_island_has_joints(&step->velocity, island))
      rg_fill_forget_ends(step, island);
  }
  step->round.rebuilds++;
  step->round.follows = 0;
  rgStatus status = build_islands(step);
  if (status != RG_OK)
    return status;
  if (step->world->options.sleeping)
    rg_sleep_take_kept(step);
  rg_fill_forces(step);
  rg_fill_bodies(step);
  guess(step);
  fill(step);
  for (int i = 0; i < CLIENTS && status == RG_OK; i++)
    if (clients[i]->close)
      status = clients[i]->close(step);
  return status;
}

// The same islands, with the ends that the last solution leads to.
static void follow(rgStep* step) {
  step->round.follows++;
  for (int i = 0; i < CLIENTS; i++)
    if (clients[i]->keep)
      clients[i]->keep(step);
  rg_fill_take_solution(step);
  rg_fill_follow_ends(step);
  know_ends(step);
  take_stiffness(step);
  fill(step);
}

// What the solved movement changes in the problem. Only a movement that passes nothing is judged
// for its energy.
static int count_changes(rgStep* step) {
  int entered = 0, gained = 0;
  for (int i = 0; i < CLIENTS; i++)
    entered += clients[i]->enters ? clients[i]->enters(step) : 0;
  for (int i = 0; i < CLIENTS && entered == 0; i++)
    gained += clients[i]->gains ? clients[i]->gains(step) : 0;
  return entered + gained;
}

// What the solution of a round asks for.
static rgStatus measure(rgStep* step, rgRoundNeed* need) {
  bool moved = false;
  for (int i = 0; i < CLIENTS; i++)
    moved = (clients[i]->moved && clients[i]->moved(step)) || moved;
  *need = RG_ROUND_FOLLOW;
  if (moved)
    return RG_OK;
  for (int i = 0; i < CLIENTS; i++) {
    bool plain = clients[i]->give_up && clients[i]->give_up(step);
    rgStatus status = plain ? solve(step, RG_ROUND_DONE) : RG_OK;
    if (status != RG_OK)
      return status;
  }
  rg_fill_take_solution(step);
  int changes = count_changes(step);
  *need = changes > 0 && step->round.rebuilds <= REBUILDS ? RG_ROUND_REBUILD : RG_ROUND_DONE;
  if (*need == RG_ROUND_DONE && changes > 0)
    rg_report_stage(step, RG_STAGE_CLOSING, 0, changes);
  return rg_fill_look_status(step);
}

rgStatus rg_rounds_run(rgStep* step) {
  rgStatus status = RG_OK;
  rgRoundNeed need = RG_ROUND_REBUILD;
  step->round.rebuilds = 0;
  for (int i = 0; i < CLIENTS; i++)
    clients[i]->begin(step);
  while (status == RG_OK && need != RG_ROUND_DONE) {
    if (need == RG_ROUND_REBUILD)
      status = rebuild(step);
    else
      follow(step);
    if (status == RG_OK)
      status = solve(step, need);
    if (status == RG_OK)
      status = measure(step, &need);
  }
  return status;
}
