// state.c - copies of the whole state within a process, by memory alone.
//
// A snapshot (snapshot.c) may come from anywhere and is checked to the last byte; a copy that never
// leaves the process need not be. It holds what a snapshot holds, as the world has it in memory, besides
// the placement of shapes and the rows of joints, so that going back computes nothing. What the world is
// built of is compared by the fingerprint, which a world computes once after each edit.
//
// One walk serves both ways. Cost: a few hundred bytes for each body, joint, shape and contact.
#include "world/world.h"
#include <rigor/bulk.h>

#include <string.h>

struct rgState {
  rgAllocator allocator;
  void* data;
  int data_capacity; // [cache lines]
  bool kept;         // something was saved
  uint64_t fingerprint;
  int body_slots, shape_slots, joint_slots, force_slots, value_count;
  int pair_count, contact_count;
  double time;
  int64_t steps;
  uint64_t search_hash;
  bool stale, joints_stale, rotors_stale, done;
};

// The bytes between two members of a struct.
#define BETWEEN(type, first, after)                                                                \
  offsetof(type, first), offsetof(type, after) - offsetof(type, first)

// A place in the data, from which is read or into which is written.
typedef struct Tape {
  char* at;
  bool save;
} Tape;

static void move(Tape* tape, void* field, size_t size) {
  if (size == 0)
    return;
  if (tape->save)
    memcpy(tape->at, field, size);
  else
    memcpy(field, tape->at, size);
  tape->at += size;
}

static void move_part(Tape* tape, void* item, size_t offset, size_t size) {
  move(tape, (char*)item + offset, size);
}

// -------------------------------------------------------------------------------------------------
// The walk
// -------------------------------------------------------------------------------------------------

static void move_body(Tape* tape, rgBody* body) {
  move_part(tape, body, BETWEEN(rgBody, position, mass));
  move(tape, &body->applied, sizeof body->applied);
  move(tape, &body->momentum, sizeof body->momentum);
  move(tape, &body->momentum_of, sizeof body->momentum_of);
  move(tape, &body->iterated, sizeof body->iterated);
  move(tape, &body->unchosen, sizeof body->unchosen);
  move(tape, &body->anew, sizeof body->anew);
  move(tape, &body->quiet, sizeof body->quiet);
}

// With its box in the broad phase.
static void move_shape(Tape* tape, rgWorld* world, rgWorldShape* shape) {
  rgBounds box = {{0, 0, 0}, {0, 0, 0}};
  if (tape->save)
    box = rg_broad_bounds(world->search.broad, shape->proxy);
  move_part(tape, shape, BETWEEN(rgWorldShape, pose, shape));
  move(tape, &box, sizeof box);
  if (!tape->save)
    rg_broad_move(world->search.broad, shape->proxy, box);
}

static void move_joint(Tape* tape, rgJoint* joint) {
  move_part(tape, joint, BETWEEN(rgJoint, row_count, frame_a));
  move_part(tape, joint, BETWEEN(rgJoint, coordinate, def));
  move(tape, joint->def.axes, (size_t)joint->info->axis_count * sizeof *joint->def.axes);
}

static void move_force(Tape* tape, rgForce* force) {
  if (force->def.kind != RG_FORCE_ATTRACTOR)
    return;
  move(tape, &force->def.center, sizeof force->def.center);
  move(tape, &force->def.strength, sizeof force->def.strength);
}

// Pairs of removed shapes are left out: their slots may have been taken by others since, and a world that
// goes back could not tell. They have no contacts (rg_world_save_state).
static void move_pairs(Tape* tape, rgWorld* world, const rgState* state) {
  rgPair* pairs = world->search.pairs;
  if (!tape->save || state->pair_count == world->search.pair_count) {
    move(tape, pairs, (size_t)state->pair_count * sizeof *pairs);
    return;
  }
  for (int i = 0; i < world->search.pair_count; i++)
    if (rg_world_pair_lives(world, &pairs[i]))
      move(tape, &pairs[i], sizeof pairs[i]);
}

// The numbers of pairs and contacts are those of the state.
static void move_world(Tape* tape, rgWorld* world, const rgState* state) {
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive)
      move_body(tape, &world->bodies[i]);
  for (int i = 0; i < world->shape_slots; i++)
    if (world->shapes[i].alive)
      move_shape(tape, world, &world->shapes[i]);
  for (int i = 0; i < world->joint_slots; i++)
    if (world->joints[i].alive)
      move_joint(tape, &world->joints[i]);
  for (int i = 0; i < world->force_slots; i++)
    if (world->forces[i].alive)
      move_force(tape, &world->forces[i]);
  rgSensing* sensing = &world->user.sensing;
  move(tape, sensing->values, (size_t)sensing->value_count * sizeof *sensing->values);
  move_pairs(tape, world, state);
  move(tape, world->contacts, (size_t)state->contact_count * sizeof *world->contacts);
}

// The indices of all slots: whether two worlds have their bodies and shapes in the same order.
static size_t order_size(const rgWorld* world) {
  return ((size_t)world->body_slots + (size_t)world->shape_slots) * sizeof(int);
}

static void save_order(Tape* tape, const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++)
    move(tape, &world->bodies[i].index, sizeof(int));
  for (int i = 0; i < world->shape_slots; i++)
    move(tape, &world->shapes[i].index, sizeof(int));
}

static bool is_same_order(const char* saved, const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++, saved += sizeof(int))
    if (memcmp(saved, &world->bodies[i].index, sizeof(int)) != 0)
      return false;
  for (int i = 0; i < world->shape_slots; i++, saved += sizeof(int))
    if (memcmp(saved, &world->shapes[i].index, sizeof(int)) != 0)
      return false;
  return true;
}

static size_t data_size(const rgWorld* world) {
  size_t bodies = sizeof(rgBody), shapes = sizeof(rgWorldShape) + sizeof(rgBounds);
  return order_size(world) + (size_t)world->body_slots * bodies +
         (size_t)world->shape_slots * shapes + (size_t)world->joint_slots * sizeof(rgJoint) +
         (size_t)world->force_slots * (sizeof(rgVec3) + sizeof(double)) +
         (size_t)world->user.sensing.value_count * sizeof(double) +
         (size_t)world->search.pair_count * sizeof(rgPair) +
         (size_t)world->contact_count * sizeof(rgWorldContact);
}

// -------------------------------------------------------------------------------------------------
// Both ways
// -------------------------------------------------------------------------------------------------

// The fingerprint, which the world remembers until it is edited.
static uint64_t fingerprint_of(rgWorld* world) {
  rgIds* ids = &world->ids;
  if (!ids->known || ids->known_edits != ids->edits) {
    ids->fingerprint = rg_world_fingerprint(world);
    ids->known_edits = ids->edits;
    ids->known = true;
  }
  return ids->fingerprint;
}

rgStatus rg_state_create(rgState** state) {
  rgAllocator allocator = rg_allocator_default();
  *state = rg_allocate(&allocator, sizeof **state);
  if (!*state)
    return RG_ERROR_MEMORY;
  **state = (rgState){.allocator = allocator};
  return RG_OK;
}

void rg_state_destroy(rgState* state) {
  if (!state)
    return;
  rgAllocator allocator = state->allocator;
  rg_release(&allocator, state->data, (size_t)state->data_capacity * RG_ALIGNMENT);
  rg_release(&allocator, state, sizeof *state);
}

rgStatus rg_world_save_state(rgWorld* world, rgState* state) {
  if (world->books.contact_links.removed > 0)
    return rg_world_fail(world, RG_ERROR_UNSUPPORTED,
                         "bodies with contacts were removed since the last step: make a step, or "
                         "take a snapshot");
  size_t lines = data_size(world) / RG_ALIGNMENT + 1;
  state->kept = false;
  if (!rg_reserve(&state->allocator, &state->data, &state->data_capacity, (int)lines, RG_ALIGNMENT))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a state");
  rgState now = {.allocator = state->allocator,
                 .data = state->data,
                 .data_capacity = state->data_capacity,
                 .kept = true,
                 .fingerprint = fingerprint_of(world),
                 .body_slots = world->body_slots,
                 .shape_slots = world->shape_slots,
                 .joint_slots = world->joint_slots,
                 .force_slots = world->force_slots,
                 .value_count = world->user.sensing.value_count,
                 .pair_count = rg_world_living_pairs(world),
                 .contact_count = world->contact_count,
                 .time = world->time,
                 .steps = world->steps,
                 .search_hash = rg_world_search_hash(world),
                 .stale = world->search.stale,
                 .joints_stale = world->joints_stale,
                 .rotors_stale = world->rotors_stale,
                 .done = world->search.done};
  *state = now;
  Tape tape = {state->data, true};
  save_order(&tape, world);
  move_world(&tape, world, state);
  return RG_OK;
}

static bool fits(rgWorld* world, const rgState* state) {
  return state->kept && state->body_slots == world->body_slots &&
         state->shape_slots == world->shape_slots && state->joint_slots == world->joint_slots &&
         state->force_slots == world->force_slots &&
         state->value_count == world->user.sensing.value_count &&
         state->fingerprint == fingerprint_of(world) && is_same_order(state->data, world);
}

rgStatus rg_world_load_state(rgWorld* world, const rgState* state) {
  if (!fits(world, state))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         state->kept ? "the state belongs to a world that was built differently"
                                     : "nothing was saved in the state");
  if (!RG_SET_RESERVE(world, &world->search, pairs, state->pair_count) ||
      !RG_WORLD_RESERVE(world, contacts, state->contact_count))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for the state");
  Tape tape = {(char*)state->data + order_size(world), false};
  move_world(&tape, world, state);
  rg_world_forget_dropped(world);
  world->time = state->time;
  world->steps = state->steps;
  world->search.stale = state->stale || state->search_hash != rg_world_search_hash(world);
  world->joints_stale = state->joints_stale;
  world->rotors_stale = state->rotors_stale;
  world->search.done = state->done;
  world->search.pair_count = state->pair_count;
  world->search.since = world->ids.next_generation;
  world->contact_count = state->contact_count;
  world->problems_valid = false;
  return RG_OK;
}
