// step_memory.c - the memory of a step's context, and the state that a failed step goes back to.
#include "base/memory.h"
#include "step/energy/energy.h"
#include "step/fill/fill.h"
#include "step/gauss/gauss.h"
#include "step/scheme/scheme.h"
#include "step/step.h"
#include "step/sum.h"
#include "step/tree/tree.h"

#include <string.h>

#define RELEASE(owner, name)                                                                       \
  rg_release(&allocator, (owner)->name, (size_t)(owner)->name##_capacity * sizeof *(owner)->name)

static void release(rgWorld* world) {
  rgAllocator allocator = world->allocator;
  rgStep* step = world->step;
  RELEASE(step, bodies);
  RELEASE(&step->scratch, sums);
  RELEASE(step, contacts);
  RELEASE(step, joints);
  RELEASE(step, forces);
  RELEASE(step, terms);
  RELEASE(step, ends);
  RELEASE(step, contact_ends);
  RELEASE(&step->kept, joints);
  RELEASE(&step->kept, contacts);
  RELEASE(&step->part.whole, bodies);
  RELEASE(&step->part.whole.kept, joints);
  RELEASE(&step->part.whole, pairs);
  RELEASE(&step->part.whole.kept, contacts);
  RELEASE(step, slots);
  RELEASE(&step->scratch, zeros);
  RELEASE(&step->past, slept);
  RELEASE(&step->look, met_pairs);
  RELEASE(&step->look, late_points);
  RELEASE(&step->acted, origins);
  RELEASE(&step->acted, given);
  RELEASE(&step->acted, impacts);
  RELEASE(&step->forest, parent);
  RELEASE(&step->forest, island_of);
  RELEASE(&step->forest, index);
  RELEASE(&step->forest.built, contacts);
  RELEASE(&step->forest.trees, root);
  RELEASE(&step->forest.trees, start);
  RELEASE(&step->forest.trees, edges);
  RELEASE(&step->forest.trees, placed);
  rg_islands_release(&step->velocity, &allocator);
  step->position.contacts = NULL; // the world's
  rg_islands_release(&step->position, &allocator);
  rg_islands_release(&step->suiting, &allocator);
  rg_release(&allocator, step->factors, (size_t)step->factors_capacity * RG_ALIGNMENT);
  rg_gauss_release(step);
  rg_release(&allocator, step, sizeof *step);
  world->step = NULL;
}

static rgStep* make(rgWorld* world) {
  rgStep* step = rg_allocate(&world->allocator, sizeof *step);
  if (!step)
    return NULL;
  step->world = world;
  world->step = step;
  world->release_step = release;
  return step;
}

// Room for the terms of all forces; each force gets its range.
static bool reserve_terms(rgStep* step) {
  const rgWorld* world = step->world;
  int terms = 0;
  for (int i = 0; i < world->force_slots; i++) {
    step->forces[i].term_start = terms;
    if (world->forces[i].alive)
      terms += rg_force_term_room(&world->forces[i]);
  }
  return RG_SET_RESERVE(step->world, step, terms, terms);
}

// Whether steps may follow contacts to their ends.
static bool follows_contacts(const rgWorld* world) {
  const rgStepper* stepper = rg_stepper_find(world->options.stepper);
  return world->options.theta < 1 || (stepper && stepper->end_contacts);
}

// What names in the options say, which is asked more than once in a step.
static void read_options(rgStep* step) {
  step->round.sequential = strcmp(step->world->options.impacts, "simultaneous") != 0;
  step->round.may_follow = follows_contacts(step->world);
}

// Room for the ends that rounds may guess.
static bool reserve_ends(rgStep* step) {
  rgWorld* world = step->world;
  bool contacts = step->round.may_follow, any = contacts || world->joint_count > 0;
  if (any && !RG_SET_RESERVE(world, step, ends, world->body_slots))
    return false;
  for (int i = 0; i < world->body_slots && any; i++)
    step->ends[i].known = false;
  if (contacts && !RG_SET_RESERVE(world, step, contact_ends, world->contact_count))
    return false;
  for (int i = 0; i < world->contact_count && contacts; i++)
    step->contact_ends[i].known = false;
  return true;
}

// Room for every contact of the world.
static bool reserve_by_contact(rgStep* step) {
  rgWorld* world = step->world;
  return RG_SET_RESERVE(world, step, contacts, world->contact_count) &&
         (!rg_fill_impacts_are_sequential(step) ||
          RG_SET_RESERVE(world, &step->acted, given, world->contact_count));
}

// The solver's memory is that of movements on trial, too.
static bool reserve_trial(rgStep* step) {
  rgWorker* worker = &step->world->threads.workers[0];
  size_t size = (size_t)step->world->body_slots * sizeof *step->scratch.trial;
  bool room = rg_reserve_anew(&step->world->allocator, &worker->work, &worker->work_capacity,
                              (int)(rg_align(size) / RG_ALIGNMENT), RG_ALIGNMENT);
  step->scratch.trial = worker->work;
  return room;
}

static bool reserve_kept(rgWorld* world, rgKept* kept) {
  return RG_SET_RESERVE(world, kept, joints, world->joint_slots) &&
         RG_SET_RESERVE(world, kept, contacts, world->contact_count);
}

rgStatus rg_step_begin(rgWorld* world, double h, rgStep** out) {
  rgStep* step = world->step ? world->step : make(world);
  *out = step;
  if (step)
    read_options(step);
  bool room = step && RG_SET_RESERVE(world, step, bodies, world->body_slots) &&
              RG_SET_RESERVE(world, step, slots, world->body_slots) && reserve_trial(step) &&
              reserve_by_contact(step) && RG_SET_RESERVE(world, step, joints, world->joint_slots) &&
              RG_SET_RESERVE(world, step, forces, world->force_slots) && reserve_terms(step) &&
              reserve_ends(step) && reserve_kept(world, &step->kept) &&
              rg_step_reserve_sums(step) &&
              RG_SET_RESERVE(world, &world->search, old_pairs, world->search.pair_count);
  if (!room)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a step");
  step->h = step->part.ahead = h;
  step->theta = 1;
  step->contacts_at = RG_CONTACTS_START;
  step->work = 0;
  step->scheme = NULL;
  step->mean_rows = step->round.closes = false;
  step->look.late_contacts = 0;
  step->look.watched = step->look.in_doubt = step->look.failed = step->look.displaced = false;
  step->part.leaps = false;
  step->certificate = (rgCertificate){0};
  bool goes_on = step->past.goes_on = rg_step_goes_on(world);
  for (int i = 0; i < world->joint_slots; i++) {
    step->joints[i].seen = goes_on && step->joints[i].seen; // in this order: memory may be new
    step->joints[i].in_tree = false;
    step->joints[i].noted = step->joints[i].rates_known = 0;
  }
  return RG_OK;
}

static void keep_body_range(void* context, int first, int end) {
  rgStep* step = context;
  const rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    const rgBody* body = &world->bodies[i];
    rg_body_prefetch(world->bodies, i, world->body_slots);
    if (body->alive)
      step->bodies[i].before = (rgBodyState){
          body->position, body->orientation, body->velocity, body->momentum, body->momentum_of,
          body->applied,  body->travel,      body->shift,    body->thrust,   body->iterated,
          body->anew,     body->quiet,       body->unchosen};
    step->bodies[i].sleeps = false;
    rg_energy_begin_body(step, i); // while it is at hand
  }
}

// The state of all bodies, and their account.
static void keep_bodies(rgStep* step) {
  rg_tasks_ranges(step->world->threads.tasks, step->world->body_slots, keep_body_range, step);
}

// Trails are kept when they change (tree/trail.c).
static void keep_joints(const rgWorld* world, rgKept* kept) {
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    rgJointKept* state = &kept->joints[i];
    const rgJoint* later = &world->joints[rg_ahead(i, RG_SLOTS_AHEAD, world->joint_slots)];
    rg_prefetch_line(later);
    rg_prefetch(&later->coordinate, offsetof(rgJoint, trail) - offsetof(rgJoint, coordinate));
    if (!joint->alive)
      continue;
    state->reaction = joint->reaction;
    for (int k = 0; k < joint->row_count; k++)
      state->impulse[k] = joint->impulse[k];
    memcpy(state->coordinate, joint->coordinate, sizeof state->coordinate);
    memcpy(state->force, joint->force, sizeof state->force);
    memcpy(state->rotor, joint->rotor, sizeof state->rotor);
  }
  kept->whole = false;
}

// A copy of an array.
typedef struct Copy {
  const char* from;
  char* to;
  size_t item_size;
} Copy;

static void copy_range(void* context, int first, int end) {
  const Copy* copy = context;
  size_t start = (size_t)first * copy->item_size, size = (size_t)(end - first) * copy->item_size;
  if (size > 0)
    memcpy(copy->to + start, copy->from + start, size);
}

// Copies: a step finds its impulses in the contacts and its hints in the pairs, and replaces both.
static void keep(const rgWorld* world, rgKept* kept, rgPair* pairs) {
  keep_joints(world, kept);
  kept->time = world->time;
  kept->steps = world->steps;
  kept->counts = world->counts;
  kept->joints_stale = world->joints_stale;
  kept->rotors_stale = world->rotors_stale;
  kept->pair_count = world->search.pair_count;
  Copy of_pairs = {(const char*)world->search.pairs, (char*)pairs, sizeof *pairs};
  rg_tasks_ranges(world->threads.tasks, kept->pair_count, copy_range, &of_pairs);
  kept->contact_count = world->contact_count;
  Copy of_contacts = {(const char*)world->contacts, (char*)kept->contacts, sizeof *kept->contacts};
  rg_tasks_ranges(world->threads.tasks, kept->contact_count, copy_range, &of_contacts);
}

void rg_step_keep(rgStep* step) {
  keep_bodies(step);
  keep(step->world, &step->kept, step->world->search.old_pairs);
}

rgStatus rg_step_keep_whole(rgStep* step) {
  rgWorld* world = step->world;
  if (!RG_SET_RESERVE(world, &step->part.whole, bodies, world->body_slots) ||
      !RG_SET_RESERVE(world, &step->part.whole, pairs, world->search.pair_count) ||
      !reserve_kept(world, &step->part.whole.kept))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a step");
  keep_bodies(step);
  for (int i = 0; i < world->body_slots; i++)
    step->part.whole.bodies[i] = step->bodies[i].before;
  keep(world, &step->part.whole.kept, step->part.whole.pairs);
  for (int i = 0; i < world->joint_slots; i++)
    step->part.whole.kept.joints[i].trail = world->joints[i].trail;
  step->part.whole.kept.whole = true;
  return RG_OK;
}

static void take_back_bodies(rgStep* step) {
  rgWorld* world = step->world;
  for (int i = 0; i < world->body_slots; i++) {
    rgBody* body = &world->bodies[i];
    const rgBodyState* before = &step->bodies[i].before;
    if (!body->alive)
      continue;
    body->position = before->position;
    body->orientation = before->orientation;
    body->velocity = before->velocity;
    body->momentum = before->momentum;
    body->momentum_of = before->momentum_of;
    body->applied = before->applied;
    body->travel = before->travel;
    body->shift = before->shift;
    body->thrust = before->thrust;
    body->iterated = before->iterated;
    body->unchosen = before->unchosen;
    body->anew = before->anew;
    body->quiet = before->quiet;
    body->moved = false;
    rg_world_place_shapes(world, i);
  }
}

static void take_back_joints(rgStep* step) {
  rgWorld* world = step->world;
  for (int i = 0; i < world->joint_slots; i++) {
    rgJoint* joint = &world->joints[i];
    const rgJointKept* state = &step->kept.joints[i];
    if (!joint->alive)
      continue;
    rg_tree_take_trail_back(step, i);
    joint->reaction = state->reaction;
    for (int k = 0; k < joint->row_count; k++)
      joint->impulse[k] = state->impulse[k];
    memcpy(joint->coordinate, state->coordinate, sizeof joint->coordinate);
    memcpy(joint->force, state->force, sizeof joint->force);
    memcpy(joint->rotor, state->rotor, sizeof joint->rotor);
  }
}

#define SWAP_ARRAYS(type, a, of_a, b, of_b)                                                        \
  do {                                                                                             \
    type* items_ = (a)->of_a;                                                                      \
    int capacity_ = (a)->of_a##_capacity;                                                          \
    (a)->of_a = (b)->of_b;                                                                         \
    (a)->of_a##_capacity = (b)->of_b##_capacity;                                                   \
    (b)->of_b = items_;                                                                            \
    (b)->of_b##_capacity = capacity_;                                                              \
  } while (0)

// The arrays of pairs and contacts are taken themselves: those of the world may have become others
// that are too small.
// What was kept is copied: with its memory, which has no room beyond it, a search a step later would have to ask for
// more. Where the copy finds no room, as after a snapshot was loaded, the arrays are exchanged.
#define TAKE_BACK(type, a, of_a, b, of_b, count)                                                   \
  do {                                                                                             \
    if ((count) > (a)->of_a##_capacity)                                                            \
      SWAP_ARRAYS(type, a, of_a, b, of_b);                                                         \
    else if ((count) > 0)                                                                          \
      memcpy((a)->of_a, (b)->of_b, (size_t)(count) * sizeof(type));                                \
  } while (0)

void rg_step_take_back(rgStep* step) {
  rgWorld* world = step->world;
  rgKept* kept = &step->kept;
  take_back_bodies(step);
  take_back_joints(step);
  world->time = kept->time;
  world->steps = kept->steps;
  world->counts = kept->counts;
  world->joints_stale = kept->joints_stale;
  world->rotors_stale = kept->rotors_stale;
  world->search.stale = false; // contacts had been found before the state was kept
  TAKE_BACK(rgPair, &world->search, pairs, &world->search, old_pairs, kept->pair_count);
  world->search.pair_count = kept->pair_count;
  TAKE_BACK(rgWorldContact, world, contacts, kept, contacts, kept->contact_count);
  world->contact_count = kept->contact_count;
  world->problems_valid = false;
}

void rg_step_take_back_whole(rgStep* step) {
  rgKept of_part = step->kept;
  for (int i = 0; i < step->world->body_slots; i++)
    step->bodies[i].before = step->part.whole.bodies[i];
  step->kept = step->part.whole.kept;
  step->part.whole.kept = of_part;
  SWAP_ARRAYS(rgPair, &step->world->search, old_pairs, &step->part.whole, pairs);
  rg_step_take_back(step);
}

static rgStatus reserve_contacts(rgStep* step, rgStatus status) {
  rgWorld* world = step->world;
  bool ends = step->round.may_follow;
  bool room = status == RG_OK && reserve_by_contact(step) &&
              (!ends || RG_SET_RESERVE(world, step, contact_ends, world->contact_count));
  for (int i = 0; i < world->contact_count && room && ends; i++)
    step->contact_ends[i].known = false;
  if (status != RG_OK || room)
    return status;
  return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for contacts");
}

static rgStatus detect(rgStep* step, double moved, bool follows) {
  rgPhase before = rg_phase_begin(&step->world->user.phases, RG_PHASE_CONTACTS);
  rgStatus status = rg_world_detect_ahead(step->world, step->part.ahead, moved, follows);
  rg_phase_end(&step->world->user.phases, before);
  return reserve_contacts(step, status);
}

rgStatus rg_step_detect(rgStep* step, double moved) { return detect(step, moved, false); }

rgStatus rg_step_detect_end(rgStep* step) { return detect(step, step->h, !step->look.displaced); }

rgStatus rg_step_detect_within(rgStep* step) {
  return reserve_contacts(step, rg_world_detect_within(step->world, step->part.ahead));
}

rgStatus rg_step_detect_corrected(rgStep* step) {
  return reserve_contacts(step, rg_world_detect_corrected(step->world, step->part.ahead));
}

rgStatus rg_step_detect_moved(rgStep* step) {
  return reserve_contacts(step, rg_world_detect_moved(step->world, step->part.ahead));
}
