// snapshot.c - saving and restoring the whole state, bit for bit.
//
// State is what a step reads and cannot compute again: the order of bodies and shapes, the state
// of bodies and joints, the contacts with their impulses, the hints of pairs, time, and what calls
// change without building anything: settings of joint axes, attractors. What the world is built of
// is not in it: a snapshot is loaded into a world built by the same calls, and refused otherwise
// (fingerprint.c). Free slots may differ: something added and removed again leaves nothing but
// these.
//
// One walk over the state serves measuring, saving, checking and loading. Bodies and shapes are
// named by their indices, and the order, slot -> index, is put into effect before the rest is
// loaded: the world may have had any other. Whoever wrote a snapshot, and with whatever intent, a
// check comes before any change, and refuses what a world cannot be in: pairs out of order or of
// shapes that cannot meet, more contacts than are there, poses and velocities that are none. Contacts have no
// bodies and shapes of their own: they are those of the pair that they follow.
//
// Numbers are stored in the machine's own form (little-endian IEEE on every supported target). The
// last eight bytes are a hash of all before them, which finds accidents and not forgeries.
#include "base/hash.h"
#include "base/memory.h"
#include "world/world.h"

#include <string.h>

typedef enum Mode { MEASURE, SAVE, CHECK, LOAD } Mode; // the first two give, the others take

typedef struct Walk {
  Mode mode;
  char* data;
  size_t size, at;
  bool bad;                 // CHECK: something does not fit
  uint64_t fingerprint;     // of the world; not read when measuring
  const int* slot_of_shape; // by index, as it will be when the snapshot is loaded
} Walk;

// What a snapshot begins with.
typedef struct Header {
  int bodies, shapes; // slots
  int pairs, contacts;
  double time; // [s]
  int64_t steps;
  uint8_t flags;
  uint64_t search; // options that the contacts depend on, see rg_world_search_hash
} Header;
enum { STALE = 1, JOINTS_STALE = 2, SEARCHED = 4, ROTORS_STALE = 8, QUIET = 16, ALL_FLAGS = 31 };

static const char MAGIC[8] = {'R', 'I', 'G', 'O', 'R', 'S', 'N', '9'};

// One field: written from `field`, or read into it.
static void item(Walk* walk, void* field, size_t size) {
  if (walk->mode != MEASURE) {
    if (size > walk->size - walk->at) {
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

static void require(Walk* walk, bool sound) { walk->bad = walk->bad || !sound; }

// A byte of the memory of a bool may be anything: it goes through a number.
static void walk_bool(Walk* walk, bool* field) {
  uint8_t value = *field;
  ITEM(walk, value);
  require(walk, value <= 1);
  *field = value == 1;
}

// A number that must be what the world has.
static void same(Walk* walk, uint64_t expected) {
  uint64_t value = expected;
  ITEM(walk, value);
  require(walk, value == expected);
}

// -------------------------------------------------------------------------------------------------
// Bodies, joints and forces
// -------------------------------------------------------------------------------------------------

static void walk_body(Walk* walk, rgBody* body) {
  ITEM(walk, body->position);
  ITEM(walk, body->orientation);
  ITEM(walk, body->velocity);
  ITEM(walk, body->momentum);
  ITEM(walk, body->momentum_of);
  ITEM(walk, body->travel);
  walk_bool(walk, &body->iterated);
  ITEM(walk, body->unchosen);
  walk_bool(walk, &body->anew);
  ITEM(walk, body->shift);
  ITEM(walk, body->thrust);
  ITEM(walk, body->applied);
  require(walk, v3_finite(body->position) && v3_finite(body->velocity.linear) &&
                    v3_finite(body->velocity.angular) &&
                    fabs(quat_norm2(body->orientation) - 1) < 1e-6);
  require(walk, v3_finite(body->momentum) && v3_finite(body->applied.force) &&
                    v3_finite(body->applied.torque));
  // a distance may be beyond the range of numbers, but not none
  require(walk, body->travel >= 0 && body->shift >= 0 && body->thrust >= 0);
}

static void walk_axis(Walk* walk, const rgJoint* joint, int index, rgJointAxis* axis) {
  ITEM(walk, axis->lower);
  ITEM(walk, axis->upper);
  walk_bool(walk, &axis->motor);
  ITEM(walk, axis->motor_speed);
  ITEM(walk, axis->motor_force);
  ITEM(walk, axis->friction);
  ITEM(walk, axis->stiffness);
  ITEM(walk, axis->rest);
  ITEM(walk, axis->damping);
  ITEM(walk, axis->armature);
  ITEM(walk, axis->effort);
  walk_bool(walk, &axis->servo);
  ITEM(walk, axis->servo_target);
  ITEM(walk, axis->servo_speed);
  ITEM(walk, axis->servo_stiffness);
  ITEM(walk, axis->servo_damping);
  ITEM(walk, axis->servo_force);
  if (walk->mode == CHECK)
    require(walk, rg_joint_check_axis(joint->def.kind, index, axis, NULL) == RG_OK);
}

static void walk_trail(Walk* walk, rgTrail* trail) {
  ITEM(walk, trail->change);
  ITEM(walk, trail->step);
  ITEM(walk, trail->count);
  require(walk, trail->count >= 0 && trail->count <= RG_CHANGES);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < RG_CHANGES; i++)
      require(walk, v3_finite(trail->change[side][i].linear) &&
                        v3_finite(trail->change[side][i].angular));
}

static void walk_joint(Walk* walk, rgJoint* joint) {
  for (int i = 0; i < joint->info->axis_count; i++)
    walk_axis(walk, joint, i, &joint->def.axes[i]);
  ITEM(walk, joint->coordinate);
  ITEM(walk, joint->impulse);
  ITEM(walk, joint->reaction);
  ITEM(walk, joint->force);
  ITEM(walk, joint->rotor);
  walk_trail(walk, &joint->trail);
  for (int i = 0; i < RG_JOINT_ROW_MAX; i++)
    require(walk, isfinite(joint->impulse[i]));
  for (int i = 0; i < joint->info->axis_count; i++)
    require(walk, isfinite(joint->coordinate[i]) && isfinite(joint->rotor[i]));
}

static void walk_force(Walk* walk, rgForce* force) {
  if (force->def.kind != RG_FORCE_ATTRACTOR)
    return;
  ITEM(walk, force->def.center);
  ITEM(walk, force->def.strength);
  require(walk, v3_finite(force->def.center) && isfinite(force->def.strength));
}

// As many values as the sensors of the world show, any numbers: what is not known is none.
static void walk_sensors(Walk* walk, rgSensing* sensing) {
  for (int i = 0; i < sensing->value_count && !walk->bad; i++) {
    double value = sensing->values[i];
    ITEM(walk, value);
    if (walk->mode == LOAD)
      sensing->values[i] = value;
  }
}

// The fields are read into copies: only LOAD changes the world.
static void walk_objects(Walk* walk, rgWorld* world) {
  for (int i = 0; i < world->body_slots && !walk->bad; i++) {
    rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    rgBody copy = *body;
    if (!body->alive)
      continue;
    walk_body(walk, &copy);
    if (walk->mode == LOAD)
      *body = copy;
  }
  for (int i = 0; i < world->joint_slots && !walk->bad; i++) {
    rgJoint copy = world->joints[i];
    if (!copy.alive)
      continue;
    walk_joint(walk, &copy);
    if (walk->mode == LOAD)
      world->joints[i] = copy;
  }
  for (int i = 0; i < world->force_slots && !walk->bad; i++) {
    rgForce copy = world->forces[i];
    if (!copy.alive)
      continue;
    walk_force(walk, &copy);
    if (walk->mode == LOAD)
      world->forces[i] = copy;
  }
}

// -------------------------------------------------------------------------------------------------
// Pairs and contacts
// -------------------------------------------------------------------------------------------------

// The index of a living shape; what is none is bad.
static int walk_shape(Walk* walk, const rgWorld* world, uint32_t slot) {
  int index = walk->mode <= SAVE ? world->shapes[slot].index : -1;
  ITEM(walk, index);
  bool sound = index >= 0 && index < world->shape_slots &&
               world->shapes[world->ids.slot_of_shape[index]].alive;
  require(walk, sound);
  return sound ? index : -1;
}

// Whether the shapes are of two bodies of which one is dynamic.
static bool can_meet(const rgWorld* world, int index_a, int index_b) {
  int a = world->shapes[world->ids.slot_of_shape[index_a]].body,
      b = world->shapes[world->ids.slot_of_shape[index_b]].body;
  return a != b &&
         (world->bodies[a].kind == RG_BODY_DYNAMIC || world->bodies[b].kind == RG_BODY_DYNAMIC);
}

// `last` is the pair before it: pairs are sorted by the slots of their shapes.
static void walk_pair(Walk* walk, const rgWorld* world, const rgPair* last, rgPair* pair) {
  int a = walk_shape(walk, world, pair->a), b = walk_shape(walk, world, pair->b);
  ITEM(walk, pair->contact_count);
  ITEM(walk, pair->hint.axis);
  ITEM(walk, pair->reach);
  ITEM(walk, pair->drift);
  require(walk, pair->contact_count >= 0 && pair->reach >= 0 && pair->drift >= 0);
  if (walk->bad || walk->mode <= SAVE)
    return;
  pair->a = (uint32_t)walk->slot_of_shape[a];
  pair->b = (uint32_t)walk->slot_of_shape[b];
  bool sorted = !last || last->a < pair->a || (last->a == pair->a && last->b < pair->b);
  require(walk, sorted && pair->a < pair->b && can_meet(world, a, b));
}

// Any numbers: those of bodies 1e300 m apart are beyond the range of numbers, and a step copes with
// them.
static void walk_contact(Walk* walk, rgWorldContact* contact) {
  ITEM(walk, contact->normal);
  ITEM(walk, contact->point_a);
  ITEM(walk, contact->point_b);
  ITEM(walk, contact->gap);
  ITEM(walk, contact->impulse);
  ITEM(walk, contact->torsion);
  ITEM(walk, contact->share);
  ITEM(walk, contact->key);
  ITEM(walk, contact->feature);
}

// Contacts are between the shapes of their pair.
static void name_contacts(rgWorld* world, const rgPair* pair) {
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  for (int k = 0; k < pair->contact_count; k++) {
    rgWorldContact* contact = &world->contacts[pair->contact_start + k];
    contact->shape_a = (int)pair->a;
    contact->shape_b = (int)pair->b;
    contact->body_a = a->body;
    contact->body_b = b->body;
    contact->material_a = a->material;
    contact->material_b = b->material;
    contact->size = rg_smaller_size(a, b);
    contact->ball_a = a->ball > 0;
    contact->ball_b = b->ball > 0;
  }
}

// Pairs of removed shapes and removed contacts are left out of a snapshot.
static void save_contacts(Walk* walk, const rgWorld* world) {
  for (int i = 0; i < world->search.pair_count; i++) {
    rgPair pair = world->search.pairs[i];
    if (!rg_world_pair_lives(world, &pair))
      continue;
    walk_pair(walk, world, NULL, &pair);
    for (int k = 0; k < pair.contact_count; k++) {
      rgWorldContact contact = world->contacts[pair.contact_start + k];
      walk_contact(walk, &contact);
    }
  }
}

// In CHECK mode everything is read into copies.
static void load_contacts(Walk* walk, rgWorld* world, const Header* header) {
  bool load = walk->mode == LOAD;
  rgPair last;
  int total = 0;
  for (int i = 0; i < header->pairs && !walk->bad; i++) {
    rgPair pair = {.contact_start = total};
    walk_pair(walk, world, i > 0 ? &last : NULL, &pair);
    require(walk, pair.contact_count <= header->contacts - total);
    for (int k = 0; k < pair.contact_count && !walk->bad; k++, total++) {
      rgWorldContact contact = {0};
      walk_contact(walk, &contact);
      if (load)
        world->contacts[total] = contact;
    }
    if (load) {
      world->search.pairs[i] = pair;
      name_contacts(world, &pair);
    }
    last = pair;
  }
  require(walk, total == header->contacts);
}

// -------------------------------------------------------------------------------------------------
// The whole
// -------------------------------------------------------------------------------------------------

static bool is_quiet(const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && world->bodies[i].quiet > 0)
      return true;
  return false;
}

// For how many steps bodies were at rest, where some were: nobody counts without the option `sleeping`.
static void walk_quiet(Walk* walk, rgWorld* world, bool given) {
  for (int i = 0; i < world->body_slots && !walk->bad; i++) {
    rgBody* body = &world->bodies[world->ids.slot_of_body[i]];
    uint8_t quiet = given ? body->quiet : 0;
    if (!body->alive)
      continue;
    if (given)
      ITEM(walk, quiet);
    require(walk, quiet <= RG_QUIET_MOST);
    if (walk->mode == LOAD)
      body->quiet = quiet;
  }
}

static Header header_of(const rgWorld* world) {
  return (Header){
      .bodies = world->body_slots,
      .shapes = world->shape_slots,
      .pairs = rg_world_living_pairs(world),
      .contacts = rg_world_kept_count(world),
      .time = world->time,
      .steps = world->steps,
      .flags =
          (uint8_t)((world->search.stale ? STALE : 0) | (world->joints_stale ? JOINTS_STALE : 0) |
                    (world->rotors_stale ? ROTORS_STALE : 0) | (world->search.done ? SEARCHED : 0) |
                    (is_quiet(world) ? QUIET : 0)),
      .search = rg_world_search_hash(world),
  };
}

// Before the first search the world is in no order, and there are neither pairs nor contacts.
static bool is_sound(const Header* header) {
  bool searched = header->flags & SEARCHED;
  return header->bodies >= 0 && header->shapes >= 0 && header->pairs >= 0 &&
         header->contacts >= 0 && isfinite(header->time) && header->steps >= 0 &&
         header->flags <= ALL_FLAGS &&
         (searched || (header->flags & STALE && header->pairs == 0 && header->contacts == 0));
}

static void walk_header(Walk* walk, Header* header) {
  char magic[sizeof MAGIC];
  memcpy(magic, MAGIC, sizeof magic);
  ITEM(walk, magic);
  require(walk, memcmp(magic, MAGIC, sizeof magic) == 0);
  same(walk, walk->fingerprint);
  ITEM(walk, header->bodies);
  ITEM(walk, header->shapes);
  ITEM(walk, header->pairs);
  ITEM(walk, header->contacts);
  ITEM(walk, header->time);
  ITEM(walk, header->steps);
  ITEM(walk, header->flags);
  ITEM(walk, header->search);
  require(walk, is_sound(header));
}

// Indices by slot, which the others have been read from already.
static void walk_order(Walk* walk, const rgWorld* world, const Header* header) {
  if (walk->mode > SAVE) {
    walk->at += ((size_t)header->bodies + (size_t)header->shapes) * sizeof(int);
    return;
  }
  for (int i = 0; i < world->body_slots; i++) {
    int index = world->bodies[i].index;
    ITEM(walk, index);
  }
  for (int i = 0; i < world->shape_slots; i++) {
    int index = world->shapes[i].index;
    ITEM(walk, index);
  }
}

static void put_header(rgWorld* world, const Header* header) {
  rg_world_forget_dropped(world);
  world->time = header->time;
  world->steps = header->steps;
  world->search.stale = header->flags & STALE || header->search != rg_world_search_hash(world);
  world->joints_stale = header->flags & JOINTS_STALE;
  world->rotors_stale = header->flags & ROTORS_STALE;
  world->search.done = header->flags & SEARCHED;
  world->search.pair_count = header->pairs;
  world->search.seams.known = false; // slots may have another order
  world->search.since = world->ids.next_generation;
  world->contact_count = header->contacts;
  world->unchecked = true;
  world->problems_valid = false;
}

// `world` is changed in LOAD mode only.
static void walk_world(Walk* walk, rgWorld* world) {
  Header header = header_of(world);
  walk_header(walk, &header);
  if (walk->bad)
    return;
  walk_order(walk, world, &header);
  walk_objects(walk, world);
  walk_quiet(walk, world, header.flags & QUIET);
  walk_sensors(walk, &world->user.sensing);
  if (walk->mode <= SAVE)
    save_contacts(walk, world);
  else
    load_contacts(walk, world, &header);
  if (walk->mode == LOAD)
    put_header(world, &header);
}

size_t rg_world_save_size(const rgWorld* world) {
  Walk walk = {.mode = MEASURE};
  walk_world(&walk, (rgWorld*)(uintptr_t)world);
  return walk.at + sizeof(uint64_t);
}

rgStatus rg_world_save(const rgWorld* world, void* buffer, size_t size) {
  Walk walk = {
      .mode = SAVE, .data = buffer, .size = size, .fingerprint = rg_world_fingerprint(world)};
  if (size < rg_world_save_size(world))
    return RG_ERROR_INPUT;
  walk_world(&walk, (rgWorld*)(uintptr_t)world);
  uint64_t hash = rg_hash_bytes(RG_HASH_START, buffer, walk.at);
  ITEM(&walk, hash);
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Loading
// -------------------------------------------------------------------------------------------------

// The order of a snapshot, slot -> index, and its inverse. Slots that only the world has follow in
// the order of their indices: nothing lives there, or the fingerprint would be another.
typedef struct Order {
  int *bodies, *shapes;
  int *slot_of_body, *slot_of_shape;
} Order;

static size_t carve_order(const rgWorld* world, void* memory, Order* order) {
  rgCarver carver = {memory, 0};
  size_t bodies = (size_t)world->body_slots, shapes = (size_t)world->shape_slots;
  order->bodies = rg_carve(&carver, bodies, sizeof(int));
  order->shapes = rg_carve(&carver, shapes, sizeof(int));
  order->slot_of_body = rg_carve(&carver, bodies, sizeof(int));
  order->slot_of_shape = rg_carve(&carver, shapes, sizeof(int));
  return carver.used;
}

// Reads `saved` of `count` indices; false when they are not all there.
static bool read_order(Walk* walk, int saved, int count, int* indices, int* slots) {
  item(walk, indices, (size_t)saved * sizeof(int));
  for (int i = saved; i < count; i++)
    indices[i] = i;
  return !walk->bad && rg_world_invert(indices, count, slots);
}

// Checks a snapshot from its first byte to its last against the order that it will bring, makes
// room for all that is in it, and puts the order into effect. On failure nothing has changed.
static rgStatus prepare(rgWorld* world, Walk walk, const Header* header, const Order* order) {
  if (!read_order(&walk, header->bodies, world->body_slots, order->bodies, order->slot_of_body) ||
      !read_order(&walk, header->shapes, world->shape_slots, order->shapes, order->slot_of_shape))
    return RG_ERROR_INPUT;
  walk.at = 0;
  walk.slot_of_shape = order->slot_of_shape;
  walk_world(&walk, world);
  if (walk.bad || walk.at != walk.size)
    return RG_ERROR_INPUT;
  if (!RG_SET_RESERVE(world, &world->search, pairs, header->pairs) ||
      !RG_WORLD_RESERVE(world, contacts, header->contacts))
    return RG_ERROR_MEMORY;
  return rg_world_renumber(world, order->bodies, order->shapes);
}

// The same with memory for the order.
static rgStatus prepare_in_order(rgWorld* world, const Walk* walk, const Header* header) {
  Order order;
  size_t size = carve_order(world, NULL, &order);
  void* memory = rg_allocate(&world->allocator, size);
  if (!memory)
    return RG_ERROR_MEMORY;
  carve_order(world, memory, &order);
  rgStatus status = prepare(world, *walk, header, &order);
  rg_release(&world->allocator, memory, size);
  return status;
}

static rgStatus load(rgWorld* world, Walk walk) {
  Header header = {0};
  walk.mode = CHECK;
  walk_header(&walk, &header);
  // The order must be there before room is made for it.
  size_t indices = (size_t)header.bodies + (size_t)header.shapes;
  if (walk.bad || indices > (walk.size - walk.at) / sizeof(int))
    return RG_ERROR_INPUT;
  int bodies = world->body_slots, shapes = world->shape_slots;
  if (!rg_world_add_free_slots(world, header.bodies, header.shapes))
    return RG_ERROR_MEMORY;
  rgStatus status = prepare_in_order(world, &walk, &header);
  if (status != RG_OK) {
    world->body_slots = bodies;
    world->shape_slots = shapes;
    return status;
  }
  walk.mode = LOAD;
  walk.at = 0;
  walk.slot_of_shape = world->ids.slot_of_shape;
  walk_world(&walk, world);
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive)
      rg_world_place_shapes(world, i);
  rg_world_list_joint_rows(world);
  return RG_OK;
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
  Walk walk = {
      .data = (char*)(uintptr_t)buffer, .size = size, .fingerprint = rg_world_fingerprint(world)};
  rgStatus status = load(world, walk);
  if (status != RG_OK)
    return rg_world_fail(world, status, "%s",
                         status == RG_ERROR_MEMORY ? "not enough memory for the snapshot" : wrong);
  return RG_OK;
}
