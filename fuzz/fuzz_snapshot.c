// fuzz_snapshot.c - forged snapshots: a world is built by the first bytes of the input, its snapshot
// is changed by the others, and the hash at its end is made right again. The world refuses it and is
// what it was, or takes it and works: it can be stepped, edited, saved and restored.
#include "calls.h"
#include "checks.h"

#include "base/hash.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { BODIES = 6, CHANGES_MAX = 24, SNAPSHOT_MAX = 1 << 16 };

static rgWorld* build(Input* in) {
  rgWorld* world = make_world(in, NULL);
  require(world != NULL);
  int bodies = 1 + next_byte(in) % BODIES;
  rgForceId id;
  for (int i = 0; i < bodies; i++)
    call_add_body(in, world);
  uint8_t more = next_byte(in);
  if (more & 1)
    call_add_joint(in, world);
  if (more & 2)
    call_add_force(in, world, &id);
  for (int i = 0; i < (more >> 2 & 7); i++)
    rg_world_step(world, NULL);
  if (more & 32 && rg_world_body_count(world) > 1)
    rg_world_remove_body(world, rg_world_body(world, more % rg_world_body_count(world)));
  return world;
}

// Numbers that counts, indices and slots must not be.
static const int32_t INTS[] = {
    -1, 0, 1, 2, 3, 7, 64, 4096, INT32_MAX, INT32_MIN, INT32_MAX - 1, 0x01010101};
static const double REALS[] = {0, -1, 1e300, 1e-310, (double)NAN, HUGE_VAL, -HUGE_VAL};

// One change at a place that the input chooses, from either end.
static void change(Input* in, uint8_t* data, size_t size) {
  uint8_t kind = next_byte(in);
  size_t at = (size_t)next_byte(in) | (size_t)next_byte(in) << 8;
  at = kind & 128 ? size - 1 - at % size : at % size;
  size_t room = size - at;
  int32_t whole = INTS[next_byte(in) % (sizeof INTS / sizeof *INTS)];
  double real = REALS[next_byte(in) % (sizeof REALS / sizeof *REALS)];
  switch (kind % 5) {
  case 0:
    memcpy(data + at, &whole, room < sizeof whole ? room : sizeof whole);
    break;
  case 1:
    memcpy(data + at, &real, room < sizeof real ? room : sizeof real);
    break;
  case 2: { // a part of it again elsewhere
    size_t from = (size_t)next_byte(in) * size / 256, length = next_byte(in);
    length = length < room ? length : room;
    length = length < size - from ? length : size - from;
    memmove(data + at, data + from, length);
    break;
  }
  default:
    data[at] ^= (uint8_t)(1u << (kind >> 3) % 8);
  }
}

static void use(rgWorld* world) {
  for (int i = 0; i < 2; i++)
    rg_world_step(world, NULL);
  Saved saved = save_world(world);
  require(rg_world_load(world, saved.data, saved.size) == RG_OK);
  Saved again = save_world(world);
  require(is_same(&saved, &again));
  free(saved.data);
  free(again.data);
  if (rg_world_body_count(world) > 0)
    rg_world_remove_body(world, rg_world_body(world, 0));
  rg_world_step(world, NULL);
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    require(rg_world_contact(world, i, &contact) == RG_OK && rg_body_valid(world, contact.body_a));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input in = {data, size, 0};
  rgWorld* world = build(&in);
  Saved real = save_world(world);
  if (real.size <= SNAPSHOT_MAX) {
    // In memory of its own size, so that a sanitizer sees reads past its end.
    size_t body = real.size - sizeof(uint64_t);
    uint8_t* forged = malloc(real.size);
    require(forged != NULL);
    memcpy(forged, real.data, real.size);
    for (int i = 0; i < CHANGES_MAX && !is_empty(&in); i++)
      change(&in, forged, body);
    uint64_t hash = rg_hash_bytes(RG_HASH_START, forged, body);
    memcpy(forged + body, &hash, sizeof hash);
    if (rg_world_load(world, forged, real.size) != RG_OK) {
      Saved after = save_world(world);
      require(is_same(&after, &real));
      free(after.data);
    }
    free(forged);
    use(world);
  }
  free(real.data);
  rg_world_destroy(world);
  return 0;
}
