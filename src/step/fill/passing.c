// passing.c - which pairs may be passed in the solved movement, and whether they are.
//
// Which bodies. A contact of the start is a bound for the material that touches; other material of
// a body comes beyond the plane of the contact by |turn| times the distance between the two, at
// most 2 |turn| extent. While that is small against the thickness of the body, it is a small overlap
// that the stabilizer takes out, and nothing is looked at: that costs a comparison per body. A
// sphere about its centre of mass does not bring up other material at all. A mesh, field or wall
// comes beyond the plane of a contact by itself, where it is hollow: no contact of the start holds a
// ball in the middle of a bowl from going through it. So what moves far against one is watched as
// well, whether it turns or not; up to a half of the overlap that passes it cannot come by less. What
// is nearly a ball brings up little, but turned many times it goes beyond the plane with the arm of
// its contact: by |turn| times that arm across the normal, at most sqrt(extent^2 - thin^2).
//
// Sinking. At theta < 1 the movement is that of the mean velocity, so that what was fast goes on for
// a part of the step, whatever its contact does to it. An island that would sink by more than is
// left to the stabilizer gets haste: its movement has theta + haste in place of theta, by its end
// velocity at most. What sinks by its end velocity, because the tolerance of a solve leaves a part of
// a large speed, is watched as well.
//
// Which pairs. Those that were searched for contacts, where one of the bodies is watched and the
// bounds of sweep.c along the normals of its contacts do not exclude it; and for bodies that move
// farther than the search assumed, as those do that are struck, what lies within their movement.
//
// All is done by one thread in the order of slots. A pair costs a few calls of the narrow phase.
#include "step/fill/passing.h"

#include "base/memory.h"
#include "step/fill/fill.h"
#include "step/stabilize/stabilizer.h"

// Turns that bring up the surface by less than this part of the smallest half-width, and movements
// that go beyond the search by less, are not watched.
static const double WATCHED_PART = 0.25;
// An overlap of this part of the half-width of the smaller shape on the way is passing. Half the
// width would be the most from which the nearest way out leads back.
static const double PASSING_PART = 0.5;

static bool is_small(const rgStep* step, const rgBody* body, const rgTwist* v) {
  double small = 0.5 * WATCHED_PART * body->thin / step->h, extent = body->extent;
  return v3_norm2(v->linear) <= small * small &&
         v3_norm2(v->angular) * extent * extent <= small * small;
}

// Whether no point of a body moves far in any of the velocities that its movement is made of.
static bool is_slow(const rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  if (body->kind == RG_BODY_STATIC || !body->alive)
    return true;
  if (scratch->flies && body->isotropic) // it goes where it was foreseen to go
    return true;
  return is_small(step, body, &body->velocity) &&
         (body->isotropic || is_small(step, body, &scratch->v_free)) &&
         (step->theta == 1 || is_small(step, body, &scratch->start_velocity));
}

// A ball about its centre of mass.
static bool is_ball(const rgBody* body) { return body->extent <= body->thin; }

static bool is_convex(const rgShape* shape) { return rg_shape_info(shape->kind)->convex; }

// Whether a body that turns by an angle may come beyond the planes of its contacts.
static bool leaves_plane(const rgBody* body, double angle) {
  double thin = body->thin, extent = body->extent, small = WATCHED_PART * thin;
  return extent > thin + small ||
         (extent > thin && angle * angle * (extent * extent - thin * thin) > small * small);
}

// What a body may pass, without the contacts that hold it.
static rgWatch watch_of(const rgStep* step, int slot) {
  if (is_slow(step, slot))
    return RG_WATCH_NONE;
  const rgBody* body = &step->world->bodies[slot];
  rgVec3 shift = v3_scale(body->velocity.linear, step->h),
         turn = v3_scale(body->velocity.angular, step->h);
  if (step->theta < 1 || !body->isotropic || body->kind != RG_BODY_DYNAMIC)
    rg_step_movement(step, slot, &shift, &turn);
  double small = WATCHED_PART * body->thin, swing = v3_norm(turn) * body->extent;
  if (v3_norm(shift) + swing > body->travel + small)
    return RG_WATCH_FAR;
  return swing > small && leaves_plane(body, v3_norm(turn)) ? RG_WATCH_NEAR : RG_WATCH_MOVES;
}

// The way that the points of a contact come closer in the problem, by the velocity of the end or as
// the step weights it [m].
typedef struct Way {
  double end, whole;
} Way;

static Way way_of(const rgStep* step, const rgWorldContact* contact) {
  double start = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START),
         end = rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW);
  double theta = step->theta + step->bodies[contact->body_a].haste;
  if (step->world->bodies[contact->body_a].kind != RG_BODY_DYNAMIC)
    theta = step->theta + step->bodies[contact->body_b].haste;
  return (Way){step->h * end, step->h * (theta * end + (1 - theta) * start)};
}

// Whether contacts that the problem holds sink all the same, farther than is left to the stabilizer.
static bool sinks(const rgWorldContact* contact, double way) {
  return (contact->gap > 0 ? contact->gap : 0) + way < -WATCHED_PART * contact->size;
}

// Bodies that nothing moves or that only follow their motion are in no island.
static int root_of(const rgStep* step, const rgWorldContact* contact) {
  int root = step->forest.parent[contact->body_a];
  return root >= 0 ? root : step->forest.parent[contact->body_b];
}

// Visits the contacts in the problem of bodies that move far. Returns how many `visit` counts.
typedef bool ContactVisit(rgStep* step, const rgWorldContact* contact);
static int visit_moving(rgStep* step, ContactVisit* visit) {
  int count = 0;
  for (int i = 0; i < step->world->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[i];
    bool moves = step->bodies[contact->body_a].watch > RG_WATCH_NONE ||
                 step->bodies[contact->body_b].watch > RG_WATCH_NONE;
    if (moves && step->contacts[i].mark != RG_MARK_OUT)
      count += visit(step, contact);
  }
  return count;
}

// Makes an island go by its end velocity as far as a contact needs that sinks by its start velocity,
// so that it ends touching: haste = (touching - g - h u~) / (h (u+ - u)).
static bool hasten(rgStep* step, const rgWorldContact* contact) {
  Way way = way_of(step, contact);
  if (!sinks(contact, way.whole))
    return false;
  double* haste = &step->bodies[root_of(step, contact)].haste;
  double left = 1 - step->theta, touching = -rg_stabilizer_allowed_overlap(step->world, contact);
  double needed = (touching - contact->gap - way.whole) * left / (way.end - way.whole);
  if (needed > *haste)
    *haste = needed < left ? needed : left;
  return way.end > way.whole;
}

// A late contact has the gap of a part of the movement: what is beyond that has to be looked at.
static bool watch_sinking(rgStep* step, const rgWorldContact* contact) {
  bool late = step->contacts[contact - step->world->contacts].late;
  if (!late && !sinks(contact, way_of(step, contact).whole))
    return false;
  rgBodyStep *a = &step->bodies[contact->body_a], *b = &step->bodies[contact->body_b];
  a->watch = a->watch < RG_WATCH_NEAR ? RG_WATCH_NEAR : a->watch;
  b->watch = b->watch < RG_WATCH_NEAR ? RG_WATCH_NEAR : b->watch;
  return true;
}

// The haste of roots, to all bodies of their islands.
static void spread_haste(rgStep* step) {
  for (int i = 0; i < step->world->body_slots; i++) {
    int root = step->forest.parent[i];
    if (root >= 0)
      step->bodies[i].haste = step->bodies[i].bound ? 0 : step->bodies[root].haste;
  }
}

// All bodies carry out their movement, as the step weights it.
static void begin_watch(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  for (int i = 0; i < step->world->body_slots; i++) {
    step->bodies[i].part = 1;
    step->bodies[i].haste = 0;
    step->bodies[i].bound = false;
  }
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    int end = rg_island_has_joints(set, island) ? island->body_start + island->body_count : 0;
    for (int i = island->body_start; i < end; i++)
      step->bodies[set->body_order[i]].bound = true;
  }
  step->look.watched = true;
}

// [m] At theta = 1 contacts sink by no more than what their solve has missed.
static double largest_miss(const rgStep* step) {
  double miss = 0;
  for (int k = 0; k < step->velocity.island_count; k++) {
    const rgCertificate* certificate = &step->velocity.islands[k].report.certificate;
    miss = fmax(miss, step->h * certificate->residual * certificate->scale);
  }
  return miss;
}

// Looks for the largest watch and the least thickness, this with its sign changed.
static void watch_range(void* context, int first, int end, double largest[2]) {
  rgStep* step = context;
  const rgWorld* world = step->world;
  for (int i = first; i < end; i++) {
    rg_body_prefetch_state(world->bodies, i, world->body_slots);
    rgWatch watch = watch_of(step, i);
    step->bodies[i].watch = watch;
    largest[0] = fmax(largest[0], (double)watch);
    if (watch > RG_WATCH_NONE && -world->bodies[i].thin > largest[1])
      largest[1] = -world->bodies[i].thin;
  }
}

static rgWatch watch_bodies(rgStep* step, double* thinnest) {
  double largest[2] = {RG_WATCH_NONE, -HUGE_VAL};
  rg_tasks_measure(step->world->threads.tasks, step->world->body_slots, watch_range, step, largest);
  *thinnest = -largest[1];
  return (rgWatch)largest[0];
}

static bool has_surface_in(void* context, int first, int end) {
  const rgWorld* world = context;
  for (int i = first; i < end; i++)
    if (world->shapes[i].alive && !is_convex(world->shapes[i].shape))
      return true;
  return false;
}

// Watches what moves far against surfaces that are not convex.
static bool watch_surfaces(rgStep* step) {
  rgWorld* world = step->world;
  bool any = false;
  if (!rg_tasks_any(world->threads.tasks, world->shape_slots, has_surface_in, world))
    return false;
  for (int i = 0; i < world->search.pair_count; i++) {
    const rgWorldShape *a = &world->shapes[world->search.pairs[i].a],
                       *b = &world->shapes[world->search.pairs[i].b];
    rgWatch *of_a = &step->bodies[a->body].watch, *of_b = &step->bodies[b->body].watch;
    rgWatch* moves = *of_a == RG_WATCH_MOVES ? of_a : of_b;
    if (*moves != RG_WATCH_MOVES || (is_convex(a->shape) && is_convex(b->shape)))
      continue;
    *moves = RG_WATCH_NEAR;
    any = true;
  }
  return any;
}

// The common case, in which nothing is written.
static bool has_fast_body(void* context, int first, int end) {
  const rgStep* step = context;
  for (int i = first; i < end; i++)
    if (!is_slow(step, i))
      return true;
  return false;
}

bool rg_fill_watch_bodies(rgStep* step) {
  step->look.watched = false; // so that movements are those without haste
  if (!rg_tasks_any(step->world->threads.tasks, step->world->body_slots, has_fast_body, step))
    return false;
  double thinnest;
  rgWatch most = watch_bodies(step, &thinnest);
  if (most > RG_WATCH_NONE && watch_surfaces(step) && most == RG_WATCH_MOVES)
    most = RG_WATCH_NEAR;
  bool sinking = step->theta < 1 || largest_miss(step) > WATCHED_PART * thinnest;
  if (most == RG_WATCH_NONE || (most == RG_WATCH_MOVES && !sinking))
    return false;
  begin_watch(step);
  if (step->theta < 1 && visit_moving(step, hasten) > 0) {
    spread_haste(step);
    most = watch_bodies(step, &thinnest);
    if (watch_surfaces(step) && most == RG_WATCH_MOVES)
      most = RG_WATCH_NEAR;
  }
  bool sunk = sinking && visit_moving(step, watch_sinking) > 0;
  return sunk || most > RG_WATCH_MOVES;
}

// -------------------------------------------------------------------------------------------------
// One pair
// -------------------------------------------------------------------------------------------------

static double part_of(const rgStep* step, int slot) {
  int root = step->forest.parent[slot];
  return root < 0 ? 1 : step->bodies[root].part;
}

static rgSweepSide side_of(const rgStep* step, int shape) {
  const rgWorldShape* placed = &step->world->shapes[shape];
  const rgBody* body = &step->world->bodies[placed->body];
  rgSweepSide side = {.shape = placed->shape, .start = {body->position, body->orientation}};
  side.extent = isfinite(placed->shape->extent) ? body->extent : 0;
  if (body->kind != RG_BODY_STATIC)
    rg_step_movement(step, placed->body, &side.shift, &side.turn);
  double part = part_of(step, placed->body);
  if (is_ball(body))
    side.turn = v3_zero();
  side.shift = v3_scale(side.shift, part);
  side.turn = v3_scale(side.turn, part);
  return side;
}

static bool grow_list(rgWorld* world, rgManifoldList* list) {
  return rg_reserve(&world->allocator, (void**)&list->items, &list->capacity,
                    2 * list->capacity + 1, sizeof(rgManifold));
}

// The pose of a shape on its body, for those pairs alone that have to be followed.
static void place_side(const rgStep* step, int shape, rgSweepSide* side) {
  side->placed = pose_mul(pose_inverse(side->start), step->world->shapes[shape].pose);
}

// Follows a pair; true when it passes.
static bool follow(rgStep* step, rgPassingPair* pair) {
  rgManifoldList* list = &step->world->threads.workers[0].manifolds;
  bool room = true;
  place_side(step, pair->a, &pair->sweep.a);
  place_side(step, pair->b, &pair->sweep.b);
  while (room && !rg_sweep(&pair->sweep, list, &pair->passing))
    room = grow_list(step->world, list);
  pair->list = list;
  step->look.failed = step->look.failed || !room;
  step->look.in_doubt = step->look.in_doubt || pair->passing.found;
  return room && pair->passing.found;
}

rgPassing rg_fill_refine_passing(rgStep* step, const rgPassingPair* pair) {
  rgManifoldList* list = &step->world->threads.workers[0].manifolds;
  bool room = true;
  rgPassing passing = pair->passing;
  while (room && !rg_sweep_refine(&pair->sweep, list, &passing)) {
    room = grow_list(step->world, list);
    passing = pair->passing;
  }
  step->look.failed = step->look.failed || !room;
  return passing;
}

// `found` is NULL for a pair that was not searched.
static bool begin_pair(const rgStep* step, int a, int b, const rgPair* found, rgPassingPair* pair) {
  const rgWorldShape* shapes = step->world->shapes;
  *pair = (rgPassingPair){.a = a, .b = b};
  if (found) {
    pair->contact_start = found->contact_start;
    pair->contact_count = found->contact_count;
  }
  pair->sweep = (rgSweep){.a = side_of(step, a), .b = side_of(step, b)};
  pair->sweep.depth = PASSING_PART * rg_smaller_size(&shapes[a], &shapes[b]);
  return pair->sweep.depth > 0;
}

// -------------------------------------------------------------------------------------------------
// All pairs
// -------------------------------------------------------------------------------------------------

// Whether bodies of different islands do not carry out their movement alike.
static bool parts_differ(const rgStep* step, int a, int b) {
  return part_of(step, a) != part_of(step, b);
}

// Whether a pair that was searched may be passed.
static bool is_open(const rgStep* step, const rgPair* pair) {
  const rgWorldShape* shapes = step->world->shapes;
  int a = shapes[pair->a].body, b = shapes[pair->b].body;
  return step->bodies[a].watch >= RG_WATCH_NEAR || step->bodies[b].watch >= RG_WATCH_NEAR ||
         parts_differ(step, a, b);
}

// Whether the contacts at the start exclude that the pair passes: convex shapes by their normal, a
// surface by the way alone, since it has other places than those of its contacts. A contact that a
// look has changed has the gap of a part of the movement, which bounds nothing.
static bool is_excluded(const rgStep* step, const rgPair* found, const rgSweep* sweep) {
  bool surfaces = !is_convex(sweep->a.shape) || !is_convex(sweep->b.shape);
  if (found->contact_count == 0 && !surfaces)
    return false;
  const rgWorldContact* contacts = step->world->contacts; // NULL while there are none
  int start = found->contact_start, end = start + found->contact_count;
  double gap = found->contact_count > 0 ? HUGE_VAL : 0;
  for (int i = start; i < end; i++) {
    if (step->contacts[i].late)
      return false;
    gap = contacts[i].gap < gap ? contacts[i].gap : gap;
  }
  double way =
      surfaces ? rg_sweep_movement(sweep, 0) : rg_sweep_approach(sweep, 0, contacts[start].normal);
  return way <= gap + 0.5 * sweep->depth;
}

static bool is_before(const rgBroadPair* one, const rgBroadPair* other) {
  return one->a < other->a || (one->a == other->a && one->b < other->b);
}

static bool was_searched(const rgWorld* world, const rgBroadPair* key) {
  int low = 0, high = world->search.pair_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    rgBroadPair at = {world->search.pairs[middle].a, world->search.pairs[middle].b};
    if (is_before(&at, key))
      low = middle + 1;
    else
      high = middle;
  }
  return low < world->search.pair_count && world->search.pairs[low].a == key->a &&
         world->search.pairs[low].b == key->b;
}

typedef struct Meeting {
  rgStep* step;
  uint32_t shape;
} Meeting;

// Puts a pair into the sorted list of those that bodies come upon, each once.
static void meet(void* context, uint32_t other) {
  const Meeting* meeting = context;
  rgStep* step = meeting->step;
  uint32_t own = meeting->shape;
  rgBroadPair key = {own < other ? own : other, own < other ? other : own};
  if (own == other ||
      !rg_world_shapes_collide(step->world, &step->world->shapes[own],
                               &step->world->shapes[other]) ||
      was_searched(step->world, &key))
    return;
  if (!RG_SET_RESERVE(step->world, &step->look, met_pairs, step->look.met_pair_count + 1)) {
    step->look.failed = true;
    return;
  }
  int at = step->look.met_pair_count;
  while (at > 0 && is_before(&key, &step->look.met_pairs[at - 1]))
    at--;
  if (at > 0 && step->look.met_pairs[at - 1].a == key.a && step->look.met_pairs[at - 1].b == key.b)
    return;
  for (int i = step->look.met_pair_count++; i > at; i--)
    step->look.met_pairs[i] = step->look.met_pairs[i - 1];
  step->look.met_pairs[at] = key;
}

// What a body comes upon that moves farther than the search assumed.
static void meet_others(rgStep* step, int slot) {
  const rgWorld* world = step->world;
  const rgBody* body = &world->bodies[slot];
  rgVec3 shift, turn;
  rg_step_movement(step, slot, &shift, &turn);
  double moved = v3_norm(shift) + v3_norm(turn) * body->extent;
  for (int i = body->first_shape; i >= 0; i = world->shapes[i].next) {
    const rgWorldShape* shape = &world->shapes[i];
    rgBounds bounds = rg_shape_info(shape->shape->kind)->bounds(shape->shape, shape->pose);
    Meeting meeting = {step, (uint32_t)i};
    rg_broad_query(world->search.broad, bounds_grow(bounds, moved), meet, &meeting);
  }
}

rgStatus rg_fill_look_status(const rgStep* step) {
  return step->look.failed
             ? rg_world_fail(step->world, RG_ERROR_MEMORY, "not enough memory for what bodies pass")
             : RG_OK;
}

int rg_fill_visit_passing(rgStep* step, rgPassingVisit* visit) {
  const rgWorld* world = step->world;
  rgPassingPair pair;
  int count = 0;
  step->look.in_doubt = false;
  for (int i = 0; i < world->search.pair_count; i++) {
    const rgPair* found = &world->search.pairs[i];
    if (is_open(step, found) && begin_pair(step, (int)found->a, (int)found->b, found, &pair) &&
        !is_excluded(step, found, &pair.sweep) && follow(step, &pair))
      count += visit(step, &pair);
  }
  step->look.met_pair_count = 0;
  for (int i = 0; i < world->body_slots; i++)
    if (step->bodies[i].watch == RG_WATCH_FAR)
      meet_others(step, i);
  for (int i = 0; i < step->look.met_pair_count; i++)
    if (begin_pair(step, (int)step->look.met_pairs[i].a, (int)step->look.met_pairs[i].b, NULL,
                   &pair) &&
        follow(step, &pair))
      count += visit(step, &pair);
  return count;
}
