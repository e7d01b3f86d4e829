// detect.c - finding the contacts of the present configuration.
//
// A point of a body moves in the coming step by at most
//
//     travel = h (|v| + h |a|) + h (|w| + h |dw|) extent,
//
// a and dw being what gravity and the forces of the last step do. Bounds grown by the travel are
// given to the broad phase, and two shapes are searched for contacts up to what the pair may come
// closer: whatever can touch during the step is in the step's problem (Renouf et al. 2005, section
// 4.2). A gap that the step counts as touching, up to what the projection leaves, is found even
// where nothing moves: bodies at rest without a load of their own, pushed by others, would otherwise
// touch or not by the rounding of their positions. No other length enters.
//
// Pairs come sorted by shape slots (search/pairs.c). The narrow phase runs over blocks of pairs in parallel; each pair remembers which
// worker holds its contacts, and they are gathered in pair order, so that the order never depends on
// the threads. One thread finds them in that order, and writes them where they stay.
#include "base/memory.h"
#include "base/prefetch.h"
#include "collide/patch.h"
#include "shape/smooth/rim.h"
#include "world/search/follow.h"
#include "world/search/gather.h"
#include "world/world.h"

#include <limits.h>
#include <string.h>

enum { PAIRS_PER_TASK = 32, MANIFOLDS_AT_FIRST = 8 };
// Part of what solves and projections leave, relative to the smaller shape, by which a pair may have moved whose
// contacts follow it instead of being searched anew. Contact points wander as far in carry.c.
static const double FOLLOWED = 0.01;
// Pairs ahead for which memory is asked: shapes first, what they point to when these have come.
enum { PLACES_AHEAD = 16, SHAPES_AHEAD = 6 };
// The same of bodies that are placed, for each of three things in turn.
enum { PLACED_AHEAD = 8 };

// Sets the travel of a body that moves.
static void predict_travel(const rgWorld* world, rgBody* body, double h) {
  double linear = v3_norm(body->velocity.linear), angular = v3_norm(body->velocity.angular);
  double thrust = 0;
  if (body->kind == RG_BODY_DYNAMIC) {
    rgVec3 a = rg_body_acceleration(body, world->options.gravity);
    double largest = body->inverse_principal.x;
    if (body->inverse_principal.y > largest)
      largest = body->inverse_principal.y;
    if (body->inverse_principal.z > largest)
      largest = body->inverse_principal.z;
    thrust = h * v3_norm(a);
    linear += thrust;
    angular += h * v3_norm(body->applied.torque) * largest;
  } else if (body->motion) {
    rgPose next = rg_plane_flatten(world, body->motion(world->time + h, body->motion_context));
    rgQuat turn = quat_mul(next.orientation, quat_conj(body->orientation));
    thrust = linear = v3_norm(v3_sub(next.position, body->position)) / h;
    if (!(linear >= 0)) // the motion gives no place: the step will say so
      thrust = linear = HUGE_VAL;
    angular = 2 * sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z) / (fabs(turn.w) * h);
    if (!(angular * h < 4))
      angular = 4 / h; // half a turn and more: everything within the extent
  }
  double swing = h * angular * body->extent;
  if (!(swing >= 0)) // no extent, or no turning, times what is beyond the range of numbers
    swing = HUGE_VAL;
  body->thrust = h * thrust;
  body->shift = h * linear;
  body->travel = body->shift + swing;
}

// Asks for a body that is placed some iterations later, and for what it points to when it has come.
static void prefetch_place(const rgWorld* world, int slot) {
  const rgBody* later = &world->bodies[rg_ahead(slot, 3 * PLACED_AHEAD, world->body_slots)];
  rg_prefetch(later, offsetof(rgBody, principal_axes));
  int shape = world->bodies[rg_ahead(slot, 2 * PLACED_AHEAD, world->body_slots)].first_shape;
  if (shape >= 0)
    rg_prefetch(&world->shapes[shape], sizeof *world->shapes);
  shape = world->bodies[rg_ahead(slot, PLACED_AHEAD, world->body_slots)].first_shape;
  if (shape < 0)
    return;
  rg_prefetch(world->shapes[shape].shape, sizeof(rgShape));
  rg_broad_prefetch(world->search.broad, world->shapes[shape].proxy);
}

// Which pairs are searched: all, or those with a body that was `moved`, or that is `anew`. Others stay as they are.
typedef enum Sought { ALL_PAIRS, MOVED_PAIRS, ANEW_PAIRS } Sought;

typedef struct Search {
  double h;     // [s] of the coming step
  double moved; // [s] for which bodies moved since the last search
  bool predict; // how far bodies may come in the step
  bool
      follows; // contacts are where the last search found them: those of pairs that have hardly moved follow
  Sought sought;
} Search;

typedef struct Placing {
  rgWorld* world;
  Search search;
} Placing;

// Bodies that are not placed alone are dynamic and have no function of the user.
static bool is_placed_alone(const rgWorld* world, const rgBody* body) {
  return world->search.stale || body->kind != RG_BODY_DYNAMIC;
}

// Whether a body is where it was in the last search, and asleep.
static bool rests(const rgBody* body) {
  return body->kind == RG_BODY_STATIC || (body->quiet == RG_QUIET_MOST && !body->anew);
}

// The shapes of a body stay where they were placed last.
static void leave_shapes(rgWorld* world, const rgBody* body) {
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next)
    world->shapes[i].moved = (rgMovement){0};
}

// True when there are bodies left for one thread.
static bool place_range(void* context, int first, int end) {
  const Placing* placing = context;
  rgWorld* world = placing->world;
  bool left = false;
  for (int i = first; i < end; i++) {
    rgBody* body = &world->bodies[i];
    prefetch_place(world, i);
    if (!body->alive)
      continue;
    if (is_placed_alone(world, body)) {
      left = left || world->search.stale || body->kind != RG_BODY_STATIC;
      continue;
    }
    body->anew = body->anew || (placing->search.sought == ANEW_PAIRS && body->moved);
    body->moved = false;
    double travel = body->travel;
    if (placing->search.predict)
      predict_travel(world, body, placing->search.h);
    bool slept = rests(body) && placing->search.sought == ALL_PAIRS;
    if (slept && body->travel == travel) {
      leave_shapes(world, body);
      continue;
    }
    body->quiet = slept ? 0 : body->quiet; // another force acts on it
    body->moved = !rg_world_try_place_shapes(world, i);
    left = left || body->moved;
    body->anew = body->anew && (body->moved || placing->search.sought == ANEW_PAIRS);
  }
  return left;
}

// Where the world was changed, static bodies as well. A dynamic body whose bounds go to another tree of the
// broad phase is placed once more, by one thread.
static void place_bodies(rgWorld* world, Search search) {
  Placing placing = {world, search};
  bool left = rg_tasks_any(world->threads.tasks, world->body_slots, place_range, &placing);
  rg_broad_note_moved(world->search.broad);
  for (int i = 0; i < world->body_slots && left; i++) {
    rgBody* body = &world->bodies[i];
    bool alone = is_placed_alone(world, body);
    if (!body->alive || (!alone && !body->moved))
      continue;
    body->moved = false;
    if (body->kind == RG_BODY_STATIC && !world->search.stale)
      continue;
    if (alone && search.predict && body->kind != RG_BODY_STATIC)
      predict_travel(world, body, search.h);
    if (alone)
      rg_world_place_shapes(world, i);
    else
      rg_world_place_shapes_again(world, i);
    body->anew = body->anew && (world->search.stale || search.sought == ANEW_PAIRS);
  }
}

#define SWAP(type, a, b)                                                                           \
  do {                                                                                             \
    type swap_ = (a);                                                                              \
    (a) = (b);                                                                                     \
    (b) = swap_;                                                                                   \
  } while (0)

// How far apart two bodies may be to touch in the step: both go on as they do, or one of them is
// stopped by a third, or the gap is `touching`.
static double pair_reach(const rgWorldShape* a, const rgWorldShape* b, double h, double touching) {
  double closing = h * v3_norm(v3_sub(a->velocity, b->velocity)) + a->thrust + b->thrust;
  double reach = a->shift > b->shift ? a->shift : b->shift;
  reach = (closing > reach ? closing : reach) + (a->travel - a->shift) + (b->travel - b->shift);
  return reach > touching ? reach : touching;
}

// Most pairs of a heap of spheres are, and need not be looked at further.
static bool balls_are_apart(const rgWorldShape* a, const rgWorldShape* b, double reach) {
  double far = a->ball + b->ball + reach;
  return a->ball > 0 && b->ball > 0 &&
         v3_norm2(v3_sub(a->pose.position, b->pose.position)) > far * far;
}

// A search for contacts.
typedef struct Narrow {
  rgWorld* world;
  Search search;
  bool fills; // patches that twist get contacts inside
  bool alone; // one thread, which takes the pairs in their order
  bool keeps; // contacts of bodies that sleep
} Narrow;

static void store_manifold(const Narrow* narrow, const rgPair* pair, const rgManifold* manifold,
                           rgWorker* worker) {
  const rgWorldShape *a = &narrow->world->shapes[pair->a], *b = &narrow->world->shapes[pair->b];
  rgWorldContact* contacts = worker->contacts + worker->contact_count;
  double size = rg_smaller_size(a, b);
  for (int k = 0; k < manifold->count; k++) {
    const rgManifoldPoint* point = &manifold->points[k];
    rgWorldContact* out = &contacts[k]; // written once: zeroing it first takes longer than the rest
    out->normal = manifold->normal;
    out->point_a = point->point_a;
    out->point_b = point->point_b;
    out->gap = point->gap;
    out->impulse = v3_zero();
    out->torsion = 0;
    out->body_a = a->body;
    out->body_b = b->body;
    out->shape_a = (int)pair->a;
    out->shape_b = (int)pair->b;
    out->material_a = a->material;
    out->material_b = b->material;
    out->size = size;
    out->share = 0;
    out->key = manifold->key;
    out->feature = point->feature;
    out->ball_a = a->ball > 0;
    out->ball_b = b->ball > 0;
  }
  worker->contact_count += manifold->count;
  if (narrow->fills)
    worker->contact_count +=
        rg_world_fill_patch(narrow->world, pair, contacts, manifold->count, narrow->search.h);
}

// Contacts that are not numbers come from a function of the user alone (collide.h).
static void note_unknown(const rgWorld* world, const rgPair* pair, rgWorker* worker) {
  if (!rg_answers_asked(world->shapes[pair->a].shape) &&
      !rg_answers_asked(world->shapes[pair->b].shape))
    return;
  int side, at = (int)(pair - world->search.pairs);
  rgMeetDoubt doubt;
  for (int m = 0; m < worker->manifolds.count; m++) {
    if (!rg_answers_doubted(&worker->manifolds.items[m], &side, &doubt))
      continue;
    if (at < worker->unknown.pair)
      worker->unknown = (rgUnknown){at, (int)(side == 0 ? pair->a : pair->b), doubt};
    worker->manifolds.count = 0;
  }
}

// Whether a worker has room for so many contacts more.
static bool has_room(rgWorker* worker, int count) {
  worker->contacts_wanted = worker->contact_count + count;
  if (worker->contacts_wanted > worker->contacts_most)
    worker->contacts_most = worker->contacts_wanted;
  return worker->contacts_wanted <= worker->contact_capacity;
}

// Whether contacts of a pair depend on nothing but the places of its shapes, and a search takes longer than following
// them: spheres are searched as fast, and stay spheres to the last bit. Functions of the user are asked in every step.
static bool may_follow(const Narrow* narrow, const rgPair* pair) {
  const rgWorld* world = narrow->world;
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  bool fills =
      narrow->fills && (rg_shape_info(a->shape->kind)->rim || rg_shape_info(b->shape->kind)->rim);
  return !fills && a->ball == 0 && b->ball == 0 && !rg_answers_asked(a->shape) &&
         !rg_answers_asked(b->shape) && !rg_world_has_seams(world, (int)pair->a) &&
         !rg_world_has_seams(world, (int)pair->b);
}

// Contacts of one pair into the worker's memory. False when there was not enough memory; nothing is
// changed then.
static bool collide_pair(const Narrow* narrow, rgPair* pair, rgWorker* worker) {
  const rgWorld* world = narrow->world;
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  double size = rg_smaller_size(a, b), touching = world->options.projection_tolerance * size;
  double reach = pair_reach(a, b, narrow->search.h, touching);
  if (balls_are_apart(a, b, reach)) {
    pair->contact_start = worker->contact_count;
    pair->contact_count = 0;
    pair->drift = HUGE_VALF;
    return true;
  }
  rgPairHint hint = pair->hint; // kept only with the contacts, or a second try would see another
  worker->manifolds.count = 0;
  worker->manifolds.overflow = false;
  worker->manifolds.coarseness = touching;
  rg_collide(a->shape, a->pose, b->shape, b->pose, reach, &hint, &worker->manifolds);
  if (worker->manifolds.overflow)
    return false;
  note_unknown(world, pair, worker);
  bool follows = may_follow(narrow, pair);
  if (!follows && world->search.seams.count > 0 && worker->manifolds.count > 0)
    rg_world_correct_seams(world, (int)pair->a, (int)pair->b, NULL, reach, &worker->manifolds);
  int total = 0;
  for (int m = 0; m < worker->manifolds.count; m++)
    total += worker->manifolds.items[m].count + (narrow->fills ? RG_PATCH_POINTS : 0);
  if (!has_room(worker, total))
    return false;
  int start = worker->contact_count;
  for (int m = 0; m < worker->manifolds.count; m++)
    store_manifold(narrow, pair, &worker->manifolds.items[m], worker);
  int spare = total - (worker->contact_count - start);
  worker->contacts_spare = spare > worker->contacts_spare ? spare : worker->contacts_spare;
  total -= spare;
  if (total > 0)
    rg_world_carry_impulses(world, pair, worker->contacts + start, total, narrow->search.moved);
  pair->hint = hint;
  pair->reach = (float)reach;
  pair->drift = follows ? 0 : HUGE_VALF;
  pair->contact_start = start;
  pair->contact_count = total;
  return true;
}

// Pairs come in the order of their first shapes, so that those lie near, but are as cold; the second ones do not.
static void prefetch_pair(const rgWorld* world, int i) {
  const rgPair* far = &world->search.pairs[rg_ahead(i, PLACES_AHEAD, world->search.pair_count)];
  rg_prefetch(&world->shapes[far->a], offsetof(rgWorldShape, next));
  rg_prefetch(&world->shapes[far->b], offsetof(rgWorldShape, next));
  const rgPair* near = &world->search.pairs[rg_ahead(i, SHAPES_AHEAD, world->search.pair_count)];
  rg_prefetch_line(world->shapes[near->b].shape);
}

// More room for the pair that did not fit: for its manifolds, or for its contacts.
static bool grow_worker(rgWorld* world, rgWorker* worker) {
  if (worker->manifolds.overflow)
    return rg_reserve(&world->allocator, (void**)&worker->manifolds.items,
                      &worker->manifolds.capacity, worker->manifolds.capacity + 1,
                      sizeof(rgManifold));
  return rg_reserve(&world->allocator, (void**)&worker->contacts, &worker->contact_capacity,
                    worker->contacts_wanted, sizeof(rgWorldContact));
}

// The contacts of a pair that was not searched, in their place among those that one thread finds.
// False when there was not enough memory.
static bool keep_pair(const rgWorld* world, rgPair* pair, rgWorker* worker) {
  int start = worker->contact_count;
  worker->manifolds.overflow = false;
  if (!has_room(worker, pair->contact_count))
    return false;
  if (pair->contact_count > 0)
    memcpy(worker->contacts + start, world->contacts + pair->contact_start,
           (size_t)pair->contact_count * sizeof *worker->contacts);
  worker->contact_count += pair->contact_count;
  pair->contact_start = start;
  return true;
}

// Whether a pair that was searched keeps its contacts.
static bool stays(const Narrow* narrow, const rgPair* pair) {
  const rgWorld* world = narrow->world;
  Sought sought = narrow->search.sought;
  if (sought == ALL_PAIRS && !narrow->keeps)
    return false;
  const rgBody *a = &world->bodies[world->shapes[pair->a].body],
               *b = &world->bodies[world->shapes[pair->b].body];
  if (sought == MOVED_PAIRS)
    return !a->moved && !b->moved;
  if (pair->worker == RG_PAIR_UNDONE)
    return false;
  return sought == ANEW_PAIRS ? !a->anew && !b->anew : rests(a) && rests(b);
}

// Whether the contacts of a pair follow it.
static bool follows(const Narrow* narrow, const rgPair* pair) {
  const rgWorld* world = narrow->world;
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  if (!narrow->search.follows || pair->drift == HUGE_VALF)
    return false;
  double size = rg_smaller_size(a, b), touching = world->options.projection_tolerance * size;
  double limit =
      FOLLOWED * fmin(world->options.tolerance, world->options.projection_tolerance) * size;
  return rg_follow_allows(pair, a, b, pair_reach(a, b, narrow->search.h, touching), limit) &&
         may_follow(narrow, pair);
}

// The contacts of such a pair.
static bool follow_pair(const rgWorld* world, rgPair* pair, rgWorker* worker) {
  if (!keep_pair(world, pair, worker))
    return false;
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  rg_follow_contacts(a, b, worker->contacts + pair->contact_start, pair->contact_count);
  pair->drift += a->moved.most + b->moved.most;
  return true;
}

// True when the pair has its contacts.
static bool search_pair(const Narrow* narrow, rgPair* pair, bool kept, rgWorker* worker) {
  if (kept)
    return !narrow->alone || keep_pair(narrow->world, pair, worker);
  return follows(narrow, pair) ? follow_pair(narrow->world, pair, worker)
                               : collide_pair(narrow, pair, worker);
}

static void collide_block(void* context, int block, int worker_index) {
  Narrow* narrow = context;
  rgWorld* world = narrow->world;
  rgWorker* worker = &world->threads.workers[worker_index];
  int first = block * PAIRS_PER_TASK, last = first + PAIRS_PER_TASK;
  if (last > world->search.pair_count)
    last = world->search.pair_count;
  for (int i = first; i < last; i++) {
    rgPair* pair = &world->search.pairs[i];
    prefetch_pair(world, i);
    bool kept = stays(narrow, pair);
    pair->worker = kept ? RG_PAIR_KEPT : worker_index;
    bool done = search_pair(narrow, pair, kept, worker);
    while (!done && narrow->alone && grow_worker(world, worker))
      done = search_pair(narrow, pair, kept, worker);
    if (!done) {
      pair->worker = RG_PAIR_UNDONE;
      worker->lacked_room = true;
    }
  }
}

// Room for what the last search found, in the memory of each worker: any may come to do all pairs.
static bool reserve_workers(rgWorld* world) {
  for (int i = 0; i < rg_tasks_threads(world->threads.tasks); i++) {
    rgWorker* worker = &world->threads.workers[i];
    worker->contact_count = worker->contacts_most = worker->contacts_spare = 0;
    worker->unknown.pair = INT_MAX;
    worker->lacked_room = false;
    if (!rg_reserve(&world->allocator, (void**)&worker->manifolds.items,
                    &worker->manifolds.capacity, MANIFOLDS_AT_FIRST, sizeof(rgManifold)) ||
        !rg_reserve(&world->allocator, (void**)&worker->contacts, &worker->contact_capacity,
                    world->contact_count, sizeof(rgWorldContact)))
      return false;
  }
  return true;
}

// Runs the narrow phase; pairs that did not fit are done again, one by one, with more memory.
static rgStatus run_narrow_phase(rgWorld* world, Search search) {
  bool alone = rg_tasks_threads(world->threads.tasks) == 1, room = reserve_workers(world);
  bool keeps = search.sought == ALL_PAIRS && world->options.sleeping && !world->search.stale;
  Narrow narrow = {world, search, rg_world_fills_patches(world), alone, keeps};
  if (room)
    rg_tasks_run(world->threads.tasks,
                 (world->search.pair_count + PAIRS_PER_TASK - 1) / PAIRS_PER_TASK, collide_block,
                 &narrow);
  rgWorker* worker = &world->threads.workers[0];
  bool undone = false;
  for (int i = 0; i < rg_tasks_threads(world->threads.tasks); i++)
    undone = undone || world->threads.workers[i].lacked_room;
  for (int i = 0; i < world->search.pair_count && room && undone; i++) {
    rgPair* pair = &world->search.pairs[i];
    while (pair->worker == RG_PAIR_UNDONE && room) {
      if (!alone && search_pair(&narrow, pair, false, worker))
        pair->worker = 0;
      else
        room = !alone && grow_worker(world, worker);
    }
  }
  if (!room)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for contacts");
  return RG_OK;
}

// Whether all functions can be believed. Of several that cannot, that of the first pair is named, so that
// the message does not depend on threads.
static rgStatus check_known(rgWorld* world) {
  rgUnknown first = {.pair = INT_MAX};
  for (int i = 0; i < rg_tasks_threads(world->threads.tasks); i++)
    if (world->threads.workers[i].unknown.pair < first.pair)
      first = world->threads.workers[i].unknown;
  if (first.pair == INT_MAX)
    return RG_OK;
  const rgWorldShape* shape = &world->shapes[first.shape];
  rgMessage why;
  rg_meet_say(shape->shape, first.doubt, &why);
  return rg_world_fail(world, RG_ERROR_INPUT,
                       "body %d: the function of shape %d %s; the step is taken back",
                       world->bodies[shape->body].index, shape->index, why.text);
}

// The memory of the contacts before the last ones is where one thread writes the new ones.
static void lend_contacts(rgWorld* world) {
  rgWorker* worker = &world->threads.workers[0];
  SWAP(rgWorldContact*, worker->contacts, world->search.old_contacts);
  SWAP(int, worker->contact_capacity, world->search.old_contacts_capacity);
}

// Without memory the contacts stay those of the last search.
static rgStatus detect(rgWorld* world, Search search) {
  bool alone = rg_tasks_threads(world->threads.tasks) == 1;
  if (alone)
    lend_contacts(world);
  rgStatus status = run_narrow_phase(world, search);
  if (status == RG_OK)
    status = check_known(world);
  if (status == RG_OK)
    status = rg_gather_contacts(world, alone);
  if (alone)
    lend_contacts(world);
  if (status != RG_OK)
    return status;
  SWAP(rgWorldContact*, world->contacts, world->search.old_contacts);
  SWAP(int, world->contacts_capacity, world->search.old_contacts_capacity);
  rg_world_forget_dropped(world);
  return RG_OK;
}

// What was moved by the user was sought anew. Static shapes are placed no more.
static void end_edits(rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++)
    world->bodies[i].anew = false;
  for (int i = 0; i < world->shape_slots; i++)
    world->shapes[i].moved = (rgMovement){0};
}

static rgStatus detect_all(rgWorld* world, Search search) {
  rgStatus status = world->search.done ? RG_OK : rg_world_order(world);
  if (status != RG_OK)
    return status;
  world->search.done = true;
  place_bodies(world, search);
  if (world->search.stale || !world->search.seams.known)
    status = rg_world_find_seams(world);
  if (status == RG_OK)
    status = rg_world_find_pairs(world);
  if (world->search.stale)
    search.moved = 0;
  if (status == RG_OK)
    status = detect(world, search);
  if (status != RG_OK)
    return status;
  if (world->search.stale)
    world->problems_valid = false; // they are of another state
  if (world->search.stale)
    end_edits(world);
  world->search.stale = false;
  world->search.since = world->ids.next_generation;
  return RG_OK;
}

// What was kept of the pairs is found in them again where the search fails: the next one starts
// from the same pairs.
rgStatus rg_world_detect(rgWorld* world, double h) {
  rgContactSearch* search = &world->search;
  int count = search->pair_count;
  if (!RG_SET_RESERVE(world, search, old_pairs, count))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for pairs");
  if (count > 0)
    memcpy(search->old_pairs, search->pairs, (size_t)count * sizeof *search->pairs);
  rgStatus status = detect_all(world, (Search){.h = h, .predict = true, .follows = true});
  if (status == RG_OK)
    return RG_OK;
  if (count > 0)
    memcpy(search->pairs, search->old_pairs, (size_t)count * sizeof *search->pairs);
  search->pair_count = count;
  return status;
}

rgStatus rg_world_detect_ahead(rgWorld* world, double h, double moved, bool follows) {
  return detect_all(world, (Search){.h = h, .moved = moved, .predict = true, .follows = follows});
}

// Bodies that reach farther stay `anew`, until contacts are sought as far as velocities say.
rgStatus rg_world_detect_within(rgWorld* world, double h) {
  return detect_all(world, (Search){.h = h, .sought = ANEW_PAIRS});
}

static void end_anew_range(void* context, int first, int end) {
  const rgWorld* world = context;
  for (int i = first; i < end; i++)
    world->bodies[i].anew = false;
}

rgStatus rg_world_detect_corrected(rgWorld* world, double h) {
  rgStatus status = detect_all(world, (Search){.h = h, .predict = true, .sought = ANEW_PAIRS});
  rg_tasks_ranges(world->threads.tasks, world->body_slots, end_anew_range, world);
  return status;
}

// True when there are bodies left for one thread.
static bool place_moved_range(void* context, int first, int end) {
  rgWorld* world = context;
  bool left = false;
  for (int i = first; i < end; i++) {
    rgBody* body = &world->bodies[i];
    body->moved = body->alive && body->moved;
    if (!body->moved)
      continue;
    body->anew = true; // contacts that follow it to first order are no answer of a search
    body->moved = !rg_world_try_place_shapes(world, i);
    left = left || body->moved;
  }
  return left;
}

void rg_world_place_moved(rgWorld* world) {
  bool left = rg_tasks_any(world->threads.tasks, world->body_slots, place_moved_range, world);
  rg_broad_note_moved(world->search.broad);
  for (int i = 0; i < world->body_slots && left; i++) {
    if (world->bodies[i].moved)
      rg_world_place_shapes(world, i);
    world->bodies[i].moved = false;
  }
}

rgStatus rg_world_detect_moved(rgWorld* world, double h) {
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && world->bodies[i].moved)
      rg_world_place_shapes(world, i);
  rgStatus status = detect(world, (Search){.h = h, .sought = MOVED_PAIRS});
  for (int i = 0; i < world->body_slots; i++)
    world->bodies[i].moved = false;
  return status;
}
