// snapshot.c - saving and restoring the whole state, bit for bit.
//
// State is what a step reads and cannot compute again: the order of bodies and shapes, the state
// of bodies, the contacts with their impulses, the hints of pairs, time. Bodies, shapes, materials
// and forces are not in it: a snapshot is loaded into a world built by the same calls, and refused
// otherwise. One walk over the state serves measuring, saving, checking and loading. Bodies and
// shapes are named by their indices, and the order, slot -> index, is put into effect before the
// rest is loaded: the world may have had any other. Numbers are stored in the machine's own form
// (little-endian IEEE on every supported target), the last eight bytes are a hash of all before
// them.
#include "base/hash.h"
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

typedef enum Mode { MEASURE, SAVE, CHECK, LOAD } Mode; // the first two give, the others take

typedef struct Walk {
  Mode mode;
  char* data;
  size_t size, at;
  bool bad; // CHECK: something does not fit
} Walk;

static const char MAGIC[8] = {'R', 'I', 'G', 'O', 'R', 'S', 'N', '3'};

// One field. In CHECK mode the field is read into `field`, which is then a copy that nobody keeps.
static void item(Walk* walk, void* field, size_t size) {
  if (walk->mode != MEASURE) {
    if (walk->at + size > walk->size) {
      walk->bad = true;
      return;
    }
    if (walk->mode == SAVE)
      memcpy(walk->data + walk->at, field, size);
    else
      memcpy(field, walk->data + walk->at, size);
  }
  walk->at += size;
}

#define ITEM(walk, field) item((walk), &(field), sizeof(field))

// A number that must be what the world has.
static void same(Walk* walk, int64_t expected) {
  int64_t value = expected;
  ITEM(walk, value);
  if (value != expected)
    walk->bad = true;
}

static void walk_body(Walk* walk, rgBody* body) {
  same(walk, body->alive);
  same(walk, body->alive ? body->generation : 0);
  if (!body->alive)
    return;
  ITEM(walk, body->position);
  ITEM(walk, body->orientation);
  ITEM(walk, body->velocity);
  ITEM(walk, body->momentum);
  ITEM(walk, body->momentum_of);
  ITEM(walk, body->travel);
  uint8_t iterated = body->iterated;
  ITEM(walk, iterated);
  if (iterated > 1)
    walk->bad = true;
  body->iterated = iterated == 1;
  ITEM(walk, body->shift);
  ITEM(walk, body->thrust);
  ITEM(walk, body->applied);
  bool sound = v3_finite(body->position) && v3_finite(body->velocity.linear) &&
               v3_finite(body->velocity.angular) && fabs(quat_norm2(body->orientation) - 1) < 1e-6;
  if (!sound)
    walk->bad = true;
}

// The slot of a living body or shape, stored as its index. What is none gets slot 0 and is bad.
static int walk_body_slot(Walk* walk, const rgWorld* world, int slot) {
  int index = walk->mode <= SAVE ? world->bodies[slot].index : 0;
  ITEM(walk, index);
  bool sound = index >= 0 && index < world->body_slots &&
               world->bodies[world->ids.slot_of_body[index]].alive;
  walk->bad = walk->bad || !sound;
  return sound ? world->ids.slot_of_body[index] : 0;
}

static int walk_shape_slot(Walk* walk, const rgWorld* world, int slot) {
  int index = walk->mode <= SAVE ? world->shapes[slot].index : 0;
  ITEM(walk, index);
  bool sound = index >= 0 && index < world->shape_slots &&
               world->shapes[world->ids.slot_of_shape[index]].alive;
  walk->bad = walk->bad || !sound;
  return sound ? world->ids.slot_of_shape[index] : 0;
}

static void walk_pair(Walk* walk, const rgWorld* world, rgPair* pair, int contact_count) {
  pair->a = (uint32_t)walk_shape_slot(walk, world, (int)pair->a);
  pair->b = (uint32_t)walk_shape_slot(walk, world, (int)pair->b);
  ITEM(walk, pair->contact_start);
  ITEM(walk, pair->contact_count);
  ITEM(walk, pair->hint.axis);
  ITEM(walk, pair->hint.feature_a);
  ITEM(walk, pair->hint.feature_b);
  bool sound = pair->contact_start >= 0 && pair->contact_count >= 0 &&
               pair->contact_start <= contact_count - pair->contact_count;
  if (!sound)
    walk->bad = true;
}

static void walk_contact(Walk* walk, const rgWorld* world, rgWorldContact* contact) {
  ITEM(walk, contact->normal);
  ITEM(walk, contact->point_a);
  ITEM(walk, contact->point_b);
  ITEM(walk, contact->gap);
  ITEM(walk, contact->impulse);
  ITEM(walk, contact->torsion);
  contact->body_a = walk_body_slot(walk, world, contact->body_a);
  contact->body_b = walk_body_slot(walk, world, contact->body_b);
  contact->shape_a = walk_shape_slot(walk, world, contact->shape_a);
  contact->shape_b = walk_shape_slot(walk, world, contact->shape_b);
  ITEM(walk, contact->key);
  ITEM(walk, contact->feature);
  if (walk->bad)
    return;
  const rgWorldShape *a = &world->shapes[contact->shape_a], *b = &world->shapes[contact->shape_b];
  contact->material_a = a->material;
  contact->material_b = b->material;
  contact->size = rg_smaller_size(a, b);
  contact->ball_a = a->ball > 0;
  contact->ball_b = b->ball > 0;
}

// Pairs of removed shapes and removed contacts are left out of a snapshot.
static bool pair_lives(const rgWorld* world, const rgPair* pair) {
  return world->shapes[pair->a].alive && world->shapes[pair->b].alive;
}

static int count_living_pairs(const rgWorld* world) {
  int count = 0;
  for (int i = 0; i < world->search.pair_count; i++)
    count += pair_lives(world, &world->search.pairs[i]);
  return count;
}

static void save_contacts(Walk* walk, const rgWorld* world) {
  int contact_count = rg_world_kept_count(world);
  for (int i = 0; i < world->search.pair_count; i++) {
    rgPair pair = world->search.pairs[i];
    if (!pair_lives(world, &pair))
      continue;
    pair.contact_start = rg_world_kept_before(world, pair.contact_start);
    walk_pair(walk, world, &pair, contact_count);
  }
  for (int i = 0; i < contact_count; i++) {
    rgWorldContact contact = *rg_world_kept_contact(world, i);
    walk_contact(walk, world, &contact);
  }
}

// In CHECK mode everything is read into copies.
static void load_contacts(Walk* walk, rgWorld* world, int pair_count, int contact_count) {
  bool copies = walk->mode == CHECK;
  for (int i = 0; i < pair_count && !walk->bad; i++) {
    rgPair copy = {0};
    walk_pair(walk, world, copies ? &copy : &world->search.pairs[i], contact_count);
  }
  for (int i = 0; i < contact_count && !walk->bad; i++) {
    rgWorldContact copy = {0};
    walk_contact(walk, world, copies ? &copy : &world->contacts[i]);
  }
}

static void walk_joint(Walk* walk, rgJoint* joint) {
  same(walk, joint->alive);
  same(walk, joint->alive ? joint->generation : 0);
  if (!joint->alive)
    return;
  ITEM(walk, joint->coordinate);
  ITEM(walk, joint->impulse);
  ITEM(walk, joint->reaction);
  ITEM(walk, joint->force);
  for (int i = 0; i < joint->row_count; i++)
    if (!isfinite(joint->impulse[i]))
      walk->bad = true;
}

// What a world was built of, as far as it decides how the saved state goes on.
static uint64_t fingerprint(const rgWorld* world) {
  uint64_t hash = RG_HASH_START;
#define MIX(field) hash = rg_hash_bytes(hash, &(field), sizeof(field))
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    if (!body->alive)
      continue;
    MIX(body->kind);
    MIX(body->mass);
    MIX(body->principal);
    MIX(body->principal_axes);
    MIX(body->center);
  }
  for (int i = 0; i < world->shape_slots; i++) {
    const rgShape* shape = world->shapes[world->ids.slot_of_shape[i]].shape;
    if (shape)
      hash = rg_shape_hash(shape, hash);
  }
  for (int i = 0; i < world->laws.material_count * world->laws.material_count; i++)
    MIX(world->laws.table[i].material);
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    if (!joint->alive)
      continue;
    MIX(joint->def.kind);
    rgBodyId a = rg_body_id(world, joint->body_a), b = rg_body_id(world, joint->body_b);
    MIX(a);
    MIX(b);
    MIX(joint->frame_a);
    MIX(joint->frame_b);
    MIX(joint->rows);
    hash = rg_joint_hash(hash, &joint->def);
  }
#undef MIX
  return hash;
}

// Indices by slot; whether they are all there is checked when they are put into effect.
static void walk_order(Walk* walk, const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++) {
    int index = world->bodies[i].index;
    ITEM(walk, index);
  }
  for (int i = 0; i < world->shape_slots; i++) {
    int index = world->shapes[i].index;
    ITEM(walk, index);
  }
}

// `world` is changed in LOAD mode only; in CHECK mode everything is read into copies.
static void walk_world(Walk* walk, rgWorld* world) {
  bool copies = walk->mode == CHECK;
  char magic[sizeof MAGIC];
  memcpy(magic, MAGIC, sizeof magic);
  ITEM(walk, magic);
  if (memcmp(magic, MAGIC, sizeof magic) != 0)
    walk->bad = true;
  same(walk, world->body_slots);
  same(walk, world->shape_slots);
  same(walk, world->joint_slots);
  same(walk, (int64_t)fingerprint(world));
  if (walk->bad)
    return;

  double time = world->time;
  int64_t steps = world->steps;
  uint8_t flags =
      (uint8_t)(world->search.stale | world->joints_stale << 1 | world->search.done << 2);
  int pair_count = count_living_pairs(world), contact_count = rg_world_kept_count(world);
  ITEM(walk, time);
  ITEM(walk, steps);
  ITEM(walk, flags);
  ITEM(walk, pair_count);
  ITEM(walk, contact_count);
  if (pair_count < 0 || contact_count < 0)
    walk->bad = true;
  walk_order(walk, world);
  for (int i = 0; i < world->body_slots && !walk->bad; i++) {
    rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    rgBody copy = *body;
    walk_body(walk, copies ? &copy : body);
  }
  for (int i = 0; i < world->joint_slots && !walk->bad; i++) {
    rgJoint copy = world->joints[i];
    walk_joint(walk, copies ? &copy : &world->joints[i]);
  }
  if (walk->mode <= SAVE)
    save_contacts(walk, world);
  else
    load_contacts(walk, world, pair_count, contact_count);
  if (walk->mode == LOAD) {
    rg_world_forget_dropped(world);
    world->time = time;
    world->steps = steps;
    world->search.stale = flags & 1;
    world->search.seams.known = false; // slots may have another order
    world->joints_stale = flags >> 1 & 1;
    world->search.done = flags >> 2 & 1;
    world->search.pair_count = pair_count;
    world->contact_count = contact_count;
  }
  if (copies && !isfinite(time))
    walk->bad = true;
}

size_t rg_world_save_size(const rgWorld* world) {
  Walk walk = {.mode = MEASURE};
  walk_world(&walk, (rgWorld*)(uintptr_t)world);
  return walk.at + sizeof(uint64_t);
}

rgStatus rg_world_save(const rgWorld* world, void* buffer, size_t size) {
  Walk walk = {.mode = SAVE, .data = buffer, .size = size};
  if (size < rg_world_save_size(world))
    return RG_ERROR_INPUT;
  walk_world(&walk, (rgWorld*)(uintptr_t)world);
  uint64_t hash = rg_hash_bytes(RG_HASH_START, buffer, walk.at);
  ITEM(&walk, hash);
  return RG_OK;
}

// Counts of pairs and contacts stand at a fixed place behind the header, and the order behind them.
// Room is made, and the order put into effect, before anything else is changed.
static rgStatus prepare(rgWorld* world, const char* data) {
  int counts[2];
  size_t at =
      sizeof MAGIC + 4 * sizeof(int64_t) + sizeof(double) + sizeof(int64_t) + sizeof(uint8_t);
  memcpy(counts, data + at, sizeof counts);
  if (!RG_SET_RESERVE(world, &world->search, pairs, counts[0]) ||
      !RG_WORLD_RESERVE(world, contacts, counts[1]))
    return RG_ERROR_MEMORY;
  size_t size = ((size_t)world->body_slots + (size_t)world->shape_slots) * sizeof(int);
  int* indices = rg_allocate(&world->allocator, size);
  if (!indices)
    return RG_ERROR_MEMORY;
  memcpy(indices, data + at + sizeof counts, size);
  rgStatus status = rg_world_renumber(world, indices, indices + world->body_slots);
  rg_release(&world->allocator, indices, size);
  return status;
}

rgStatus rg_world_load(rgWorld* world, const void* buffer, size_t size) {
  const char* wrong = "the snapshot is damaged, or belongs to a world that was built differently";
  uint64_t hash;
  if (size < sizeof hash)
    return rg_world_fail(world, RG_ERROR_INPUT, "%s", wrong);
  size -= sizeof hash;
  memcpy(&hash, (const char*)buffer + size, sizeof hash);
  if (hash != rg_hash_bytes(RG_HASH_START, buffer, size))
    return rg_world_fail(world, RG_ERROR_INPUT, "%s", wrong);
  Walk check = {.mode = CHECK, .data = (char*)(uintptr_t)buffer, .size = size};
  walk_world(&check, world);
  if (check.bad || check.at != size)
    return rg_world_fail(world, RG_ERROR_INPUT, "%s", wrong);
  rgStatus status = prepare(world, buffer);
  if (status != RG_OK)
    return rg_world_fail(world, status, "%s",
                         status == RG_ERROR_MEMORY ? "not enough memory for the snapshot" : wrong);
  Walk load = {.mode = LOAD, .data = (char*)(uintptr_t)buffer, .size = size};
  walk_world(&load, world);
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive)
      rg_world_place_shapes(world, i);
  world->problems_valid = false;
  return RG_OK;
}
