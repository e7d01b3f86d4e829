// seams.c - which shapes touch others that move as one with them.
//
// A rigid group is all shapes of one body, or all shapes of all static bodies. Within a group the
// shapes never move against each other, so that the neighbours of a shape are found when the world
// is changed and not in a step: shapes of the group whose bounds are within the tolerance of seams.
// With each neighbour goes the box in which both can be, in the frame of the group, which is the
// world for static bodies and the body frame for others. Most contacts are outside all of these
// boxes and cost a few comparisons; what happens to the others is in collide/seam/seam.c.
//
// The lists are a function of the placement of static shapes and of the shapes of bodies: they are
// not part of a snapshot. They are in the order of slots, so that nothing depends on the order in
// which the tree is walked.
#include "base/hash.h"
#include "collide/seam/seam.h"
#include "world/world.h"

static bool is_static(const rgWorld* world, const rgWorldShape* shape) {
  return world->bodies[shape->body].kind == RG_BODY_STATIC;
}

// Whether others may move as one with the shape, and it can answer what seams ask.
static bool has_group(const rgWorld* world, int slot) {
  const rgWorldShape* shape = &world->shapes[slot];
  if (!shape->alive || !rg_solid_known(shape->shape))
    return false;
  return is_static(world, shape) || shape->next >= 0 ||
         world->bodies[shape->body].first_shape != slot;
}

// Of all shapes of groups, and of the poses of static ones.
static uint64_t signature(const rgWorld* world) {
  uint64_t hash = RG_HASH_START;
  for (int i = 0; i < world->shape_slots; i++) {
    if (!has_group(world, i))
      continue;
    const rgWorldShape* shape = &world->shapes[i];
    const uint32_t names[3] = {(uint32_t)i, shape->generation, (uint32_t)shape->body};
    hash = rg_hash_bytes(hash, names, sizeof names);
    if (is_static(world, shape))
      hash = rg_hash_bytes(hash, &shape->pose, sizeof shape->pose);
  }
  return hash;
}

// --- Neighbours ----------------------------------------------------------------------------------

typedef struct Search {
  rgWorld* world;
  int slot;        // whose neighbours are sought
  rgBounds bounds; // [m] in the frame of its group
  bool failed;     // memory ran out
} Search;

static rgBounds group_bounds(const rgWorld* world, const rgWorldShape* shape) {
  rgPose pose = is_static(world, shape) ? shape->pose : shape->shape->pose;
  return rg_shape_info(shape->shape->kind)->bounds(shape->shape, pose);
}

static rgVec3 larger(rgVec3 a, rgVec3 b) {
  return v3(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

static rgVec3 smaller(rgVec3 a, rgVec3 b) { return v3_neg(larger(v3_neg(a), v3_neg(b))); }

static void add_neighbour(Search* search, int slot) {
  rgWorld* world = search->world;
  rgSeams* seams = &world->search.seams;
  const rgWorldShape *own = &world->shapes[search->slot], *other = &world->shapes[slot];
  double tolerance = rg_seam_tolerance(own->shape, other->shape);
  rgBounds a = bounds_grow(search->bounds, tolerance),
           b = bounds_grow(group_bounds(world, other), tolerance);
  if (!bounds_overlap(a, b))
    return;
  if (!RG_SET_RESERVE(world, seams, list, seams->count + 1)) {
    search->failed = true;
    return;
  }
  int at = seams->count++;
  for (; at > seams->start[search->slot] && seams->list[at - 1].shape > slot; at--)
    seams->list[at] = seams->list[at - 1];
  rgBounds common = {larger(a.lower, b.lower), smaller(a.upper, b.upper)};
  seams->list[at] = (rgNeighbour){common, slot};
}

static void visit(void* context, uint32_t user) {
  Search* search = context;
  int slot = (int)user;
  const rgWorld* world = search->world;
  if (slot != search->slot && has_group(world, slot) && is_static(world, &world->shapes[slot]))
    add_neighbour(search, slot);
}

static bool find_neighbours(rgWorld* world, int slot) {
  const rgWorldShape* shape = &world->shapes[slot];
  Search search = {world, slot, group_bounds(world, shape), false};
  if (is_static(world, shape)) {
    double tolerance = 2 * rg_seam_tolerance(shape->shape, shape->shape);
    rg_broad_query(world->search.broad, bounds_grow(search.bounds, tolerance), visit, &search);
    return !search.failed;
  }
  for (int i = world->bodies[shape->body].first_shape; i >= 0; i = world->shapes[i].next)
    if (i != slot && rg_solid_known(world->shapes[i].shape))
      add_neighbour(&search, i);
  return !search.failed;
}

rgStatus rg_world_find_seams(rgWorld* world) {
  rgSeams* seams = &world->search.seams;
  uint64_t now = signature(world);
  if (seams->known && now == seams->signature)
    return RG_OK;
  seams->known = false;
  seams->count = seams->slots = 0;
  bool room = RG_SET_RESERVE(world, seams, start, world->shape_slots + 1);
  for (int i = 0; i < world->shape_slots && room; i++) {
    seams->start[i] = seams->count;
    if (has_group(world, i) && rg_shape_info(world->shapes[i].shape->kind)->support)
      room = find_neighbours(world, i);
  }
  if (!room) {
    seams->count = 0;
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for the seams of shapes");
  }
  seams->start[world->shape_slots] = seams->count;
  seams->slots = world->shape_slots;
  seams->signature = now;
  seams->known = true;
  return RG_OK;
}

bool rg_world_has_seams(const rgWorld* world, int shape) {
  const rgSeams* seams = &world->search.seams;
  return seams->count > 0 && shape < seams->slots && seams->start[shape] < seams->start[shape + 1];
}

// --- Contacts ------------------------------------------------------------------------------------

// The neighbours of one shape of a pair.
typedef struct Side {
  const rgWorld* world;
  const rgWorldShape* other; // what touches the shape
  rgPose frame;              // of the group
  bool still;                // the frame is the world's
  bool moved;                // the frame is not where the shapes of the world are
  int first, last;
} Side;

static bool within(rgBounds box, rgVec3 x) {
  return x.x >= box.lower.x && x.x <= box.upper.x && x.y >= box.lower.y && x.y <= box.upper.y &&
         x.z >= box.lower.z && x.z <= box.upper.z;
}

static bool next_neighbour(const void* context, rgVec3 point, int* cursor, rgPlaced* out) {
  const Side* side = context;
  rgVec3 x = side->still ? point : pose_unapply(side->frame, point);
  for (int i = side->first + *cursor; i < side->last; i++) {
    const rgNeighbour* neighbour = &side->world->search.seams.list[i];
    const rgWorldShape* shape = &side->world->shapes[neighbour->shape];
    if (!within(neighbour->common, x) || !shape->alive ||
        !rg_world_shapes_collide(side->world, side->other, shape))
      continue;
    *cursor = i + 1 - side->first;
    rgPose pose = side->moved ? pose_mul(side->frame, shape->shape->pose) : shape->pose;
    *out = (rgPlaced){shape->shape, pose};
    return true;
  }
  return false;
}

// The shape at the end of a movement of its body, whose frame is then `end`, or where it is now: NULL.
static rgPlaced placed(const rgWorldShape* shape, const rgPose* end) {
  return (rgPlaced){shape->shape, end ? pose_mul(*end, shape->shape->pose) : shape->pose};
}

static void correct_side(const rgWorld* world, const int slots[2], const rgPose* ends, int own_side,
                         double reach, rgManifoldList* list) {
  const rgSeams* seams = &world->search.seams;
  int slot = slots[own_side];
  if (slot >= seams->slots || seams->start[slot] == seams->start[slot + 1])
    return;
  const rgWorldShape *own = &world->shapes[slot], *against = &world->shapes[slots[1 - own_side]];
  if (!rg_shape_info(against->shape->kind)->support)
    return; // the normals of half-spaces and surfaces are those of their own faces
  bool still = is_static(world, own);
  const rgPose *own_end = ends ? &ends[own_side] : NULL,
               *other_end = ends ? &ends[1 - own_side] : NULL;
  Side side = {.world = world,
               .other = against,
               .frame = own_end ? *own_end : rg_body_frame(&world->bodies[own->body]),
               .still = still,
               .moved = ends && !still,
               .first = seams->start[slot],
               .last = seams->start[slot + 1]};
  rgSeam seam = {.solid = placed(own, own_end),
                 .other = placed(against, other_end),
                 .solid_is_a = own_side == 0,
                 .reach = reach,
                 .next = next_neighbour,
                 .context = &side};
  rg_seam_correct(&seam, list);
}

void rg_world_correct_seams(const rgWorld* world, int shape_a, int shape_b, const rgPose* ends,
                            double reach, rgManifoldList* list) {
  const int slots[2] = {shape_a, shape_b};
  correct_side(world, slots, ends, 0, reach, list);
  correct_side(world, slots, ends, 1, reach, list);
}
