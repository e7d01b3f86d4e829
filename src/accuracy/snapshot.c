// snapshot.c - the whole of a run with an accuracy in one block of memory.
//
// First what is known of the pass and of each body, then the snapshots of the start, of the world
// and of the shadow's own run, each with its size before it; the last eight bytes are a hash of all
// before them. As in world/snapshot.c one walk serves measuring, saving and reading, and nothing is
// changed before everything was found sound: the states are tried on the shadow, which holds
// nothing between two intervals, and that of the world last.
#include "accuracy/accuracy.h"
#include "base/hash.h"
#include "base/message.h"
#include "world/world.h"

#include <string.h>

typedef enum Mode { MEASURE, SAVE, READ } Mode;

typedef struct Walk {
  Mode mode;
  char* data;
  size_t size, at;
  bool bad;
} Walk;

static const char MAGIC[8] = {'R', 'I', 'G', 'O', 'R', 'A', 'C', '1'};

static void item(Walk* walk, void* field, size_t size) {
  if (walk->mode != MEASURE && (walk->bad || size > walk->size - walk->at)) {
    walk->bad = true;
    return;
  }
  if (walk->mode == SAVE)
    memcpy(walk->data + walk->at, field, size);
  else if (walk->mode == READ)
    memcpy(field, walk->data + walk->at, size);
  walk->at += size;
}

#define ITEM(walk, field) item((walk), &(field), sizeof(field))

static void require(Walk* walk, bool sound) { walk->bad = walk->bad || !sound; }

static void walk_bool(Walk* walk, bool* field) {
  uint8_t value = *field;
  ITEM(walk, value);
  require(walk, value <= 1);
  *field = value == 1;
}

// A number that must be what this run has.
static void same(Walk* walk, double expected) {
  double value = expected;
  ITEM(walk, value);
  require(walk, value == expected);
}

// Zero or more, and not a NaN; errors may be infinite.
static void walk_size(Walk* walk, double* field) {
  ITEM(walk, *field);
  require(walk, *field >= 0);
}

static void walk_count(Walk* walk, int64_t* field) {
  ITEM(walk, *field);
  require(walk, *field >= 0);
}

static void walk_report(Walk* walk, const rgAccuracy* accuracy, rgAccuracyReport* report) {
  walk_size(walk, &report->estimate);
  walk_bool(walk, &report->holds);
  ITEM(walk, report->held_until);
  ITEM(walk, report->passes);
  ITEM(walk, report->tolerance);
  walk_count(walk, &report->steps);
  walk_count(walk, &report->cut);
  walk_count(walk, &report->total_steps);
  walk_size(walk, &report->shortest);
  walk_size(walk, &report->longest);
  walk_bool(walk, &report->spent);
  require(walk, report->held_until >= accuracy->start && isfinite(report->held_until));
  require(walk, report->passes >= 1 && report->tolerance > 0 && isfinite(report->tolerance));
}

static void walk_pass(Walk* walk, const rgAccuracy* accuracy, rgAccuracyPass* pass) {
  walk_report(walk, accuracy, &pass->report);
  walk_size(walk, &pass->slack);
  walk_size(walk, &pass->unsolved);
  ITEM(walk, pass->last_until);
  walk_size(walk, &pass->largest);
  ITEM(walk, pass->level);
  ITEM(walk, pass->at);
  walk_bool(walk, &pass->lost);
  require(walk, isfinite(pass->last_until));
  bool level = pass->level >= 0 && pass->level <= RG_ACCURACY_LEVELS;
  require(walk, level && pass->at >= 0 && pass->at < 1 << RG_ACCURACY_LEVELS);
  require(walk, level && pass->at % (1 << (RG_ACCURACY_LEVELS - pass->level)) == 0);
}

// What a run is asked for, and the number of bodies; the start is that of the snapshot.
static void walk_head(Walk* walk, const rgAccuracy* accuracy, double* start) {
  char magic[sizeof MAGIC];
  memcpy(magic, MAGIC, sizeof magic);
  ITEM(walk, magic);
  require(walk, memcmp(magic, MAGIC, sizeof magic) == 0);
  same(walk, accuracy->def.length);
  same(walk, accuracy->def.end);
  same(walk, accuracy->def.effort);
  same(walk, accuracy->step);
  same(walk, accuracy->body_count);
  ITEM(walk, *start);
  require(walk, isfinite(*start));
}

// A block inside the buffer: its size, and when reading, where it is.
static void walk_block(Walk* walk, rgAccuracyBlock* block) {
  uint64_t size = block->size;
  ITEM(walk, size);
  if (walk->mode == READ) {
    require(walk, size <= walk->size - walk->at);
    *block = (rgAccuracyBlock){walk->bad ? NULL : walk->data + walk->at, (size_t)size, 0};
    walk->at += walk->bad ? 0 : (size_t)size;
  } else {
    item(walk, block->data, block->size);
  }
}

// The state of the world is not in a block between two intervals, only its size.
static void save_world(Walk* walk, const rgWorld* world) {
  uint64_t size = rg_world_save_size(world);
  ITEM(walk, size);
  if (walk->mode == SAVE && size <= walk->size - walk->at)
    rg_world_save(world, walk->data + walk->at, (size_t)size);
  walk->at += (size_t)size;
}

static void walk_bodies(Walk* walk, const rgAccuracy* accuracy, bool put) {
  for (int i = 0; i < accuracy->body_count && !walk->bad; i++) {
    double apart = accuracy->bodies[i].apart, rough = accuracy->bodies[i].rough;
    walk_size(walk, &apart);
    walk_size(walk, &rough);
    if (put) {
      accuracy->bodies[i].apart = apart;
      accuracy->bodies[i].rough = rough;
    }
  }
}

static void give(Walk* walk, const rgAccuracy* accuracy) {
  double start = accuracy->start;
  rgAccuracyPass pass = accuracy->pass;
  rgAccuracyBlock first = accuracy->first, along = accuracy->along;
  walk_head(walk, accuracy, &start);
  walk_pass(walk, accuracy, &pass);
  walk_bodies(walk, accuracy, false);
  walk_block(walk, &first);
  walk_block(walk, &along);
  save_world(walk, accuracy->world);
}

size_t rg_accuracy_save_size(const rgAccuracy* accuracy) {
  Walk walk = {.mode = MEASURE};
  give(&walk, accuracy);
  return walk.at + sizeof(uint64_t);
}

rgStatus rg_accuracy_save(const rgAccuracy* accuracy, void* buffer, size_t size) {
  if (size < rg_accuracy_save_size(accuracy))
    return RG_ERROR_INPUT;
  Walk walk = {.mode = SAVE, .data = buffer, .size = size};
  give(&walk, accuracy);
  uint64_t hash = rg_hash_bytes(RG_HASH_START, buffer, walk.at);
  ITEM(&walk, hash);
  return RG_OK;
}

bool rg_accuracy_is_snapshot(const void* buffer, size_t size) {
  return size >= sizeof MAGIC && memcmp(buffer, MAGIC, sizeof MAGIC) == 0;
}

// Tries the states; the world is changed by the last of them, and only where all are sound.
static rgStatus put_states(rgAccuracy* accuracy, const rgAccuracyBlock* first,
                           const rgAccuracyBlock* along, const rgAccuracyBlock* world) {
  rgStatus status = rg_accuracy_put(first, accuracy->shadow);
  if (status == RG_OK)
    status = rg_accuracy_put(along, accuracy->shadow);
  if (status == RG_OK && (!rg_accuracy_reserve(accuracy, &accuracy->first, first->size) ||
                          !rg_accuracy_reserve(accuracy, &accuracy->along, along->size)))
    status = RG_ERROR_MEMORY;
  return status == RG_OK ? rg_accuracy_put(world, accuracy->world) : status;
}

static void copy_block(const rgAccuracyBlock* from, rgAccuracyBlock* to) {
  memcpy(to->data, from->data, from->size);
  to->size = from->size;
}

// The steps that the worlds have: contacts in the states were found for them.
static rgStatus set_step(rgAccuracy* accuracy, int level) {
  rgOptions options = accuracy->world->options;
  options.step = accuracy->step / (double)(1 << level) / 2;
  return rg_world_set_options(accuracy->world, &options);
}

// What a snapshot says; blocks lie in its own memory.
typedef struct Contents {
  double start; // [s]
  rgAccuracyPass pass;
  size_t bodies; // [bytes] where they are
  rgAccuracyBlock first, along, world;
} Contents;

static void read_contents(Walk* walk, const rgAccuracy* accuracy, Contents* contents) {
  walk_head(walk, accuracy, &contents->start);
  rgAccuracy begun = *accuracy; // with the start of the snapshot
  begun.start = contents->start;
  walk_pass(walk, &begun, &contents->pass);
  contents->bodies = walk->at;
  walk_bodies(walk, accuracy, false);
  walk_block(walk, &contents->first);
  walk_block(walk, &contents->along);
  walk_block(walk, &contents->world);
  require(walk, walk->at == walk->size);
}

// The states go into the worlds, or nothing changes.
static rgStatus load(rgAccuracy* accuracy, const Contents* contents) {
  rgWorld* world = accuracy->world;
  double step = world->options.step;
  bool stale = world->search.stale;
  rgStatus status = set_step(accuracy, contents->pass.level);
  if (status == RG_OK)
    status = put_states(accuracy, &contents->first, &contents->along, &contents->world);
  if (status != RG_OK) {
    world->options.step = step;
    world->search.stale = stale;
    return status;
  }
  copy_block(&contents->first, &accuracy->first);
  copy_block(&contents->along, &accuracy->along);
  accuracy->start = contents->start;
  accuracy->limit = rg_accuracy_limit(&accuracy->def, accuracy->start, accuracy->step);
  accuracy->pass = contents->pass;
  return RG_OK;
}

rgStatus rg_accuracy_load(rgAccuracy* accuracy, const void* buffer, size_t size,
                          rgMessage* message) {
  const char* wrong = "the snapshot is damaged, or of a run with another accuracy, end, effort, "
                      "step or world";
  uint64_t hash = 0;
  Walk walk = {.mode = READ, .data = (char*)(uintptr_t)buffer};
  Contents contents = {0};
  if (size < sizeof hash)
    return rg_fail(message, RG_ERROR_INPUT, "%s", wrong);
  walk.size = size - sizeof hash;
  memcpy(&hash, walk.data + walk.size, sizeof hash);
  require(&walk, hash == rg_hash_bytes(RG_HASH_START, buffer, walk.size));
  read_contents(&walk, accuracy, &contents);
  rgStatus status = walk.bad ? RG_ERROR_INPUT : load(accuracy, &contents);
  if (status != RG_OK)
    return rg_fail(message, status, "%s",
                   status == RG_ERROR_MEMORY ? "not enough memory for the snapshot" : wrong);
  walk.at = contents.bodies;
  walk_bodies(&walk, accuracy, true);
  return RG_OK;
}
