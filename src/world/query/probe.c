// probe.c - shapes that are not in a world, and what of it is near them.
#include "world/query/query.h"

#include "base/message.h"

struct rgProbe {
  rgAllocator allocator;
  int dimension;
  rgShape* shape;
};

rgStatus rg_probe_create(const rgShapeDef* def, int dimension, rgProbe** probe,
                         rgMessage* message) {
  *probe = NULL;
  if (dimension != 2 && dimension != 3)
    return rg_fail(message, RG_ERROR_INPUT, "dimension is %d, must be 2 or 3", dimension);
  if (!rg_shape_info(def->kind))
    return rg_fail(message, RG_ERROR_INPUT, "kind is %d, must be one of rgShapeKind",
                   (int)def->kind);
  if (!rg_shape_kind_fits(def->kind, dimension))
    return rg_fail(message, RG_ERROR_INPUT, "a %s needs a %s world, the probe has dimension %d",
                   rg_shape_kind_name(def->kind), dimension == 2 ? "3D" : "2D", dimension);
  rgAllocator allocator = rg_allocator_default();
  rgProbe* made = rg_allocate(&allocator, sizeof *made);
  if (!made)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a probe");
  rgShapeDef own = *def;
  own.planar = dimension == 2;
  rgStatus status;
  *made = (rgProbe){allocator, dimension, NULL};
  made->shape = rg_shape_create(&own, &allocator, &status, message);
  if (!made->shape) {
    rg_release(&allocator, made, sizeof *made);
    return status;
  }
  *probe = made;
  return RG_OK;
}

void rg_probe_destroy(rgProbe* probe) {
  if (!probe)
    return;
  rgAllocator allocator = probe->allocator;
  rg_shape_destroy(probe->shape, &allocator);
  rg_release(&allocator, probe, sizeof *probe);
}

// --- Overlap -------------------------------------------------------------------------------------

typedef struct Near {
  const rgWorld* world;
  const rgQueryFilter* filter;
  const rgShape* shape;
  rgPose pose;
  double reach; // [m]
  rgOverlap* overlaps;
  int capacity, count;
} Near;

// Keeps those with the lowest indices, in order.
static void keep(Near* near, const rgOverlap* overlap) {
  int place = near->count < near->capacity ? near->count : near->capacity - 1;
  uint32_t index = overlap->closest.shape_b.index;
  near->count++;
  if (place < 0 ||
      (near->count > near->capacity && near->overlaps[place].closest.shape_b.index < index))
    return;
  for (; place > 0 && near->overlaps[place - 1].closest.shape_b.index > index; place--)
    near->overlaps[place] = near->overlaps[place - 1];
  near->overlaps[place] = *overlap;
}

static void visit(void* context, uint32_t slot) {
  Near* near = context;
  const rgWorld* world = near->world;
  rgDistance d;
  if (!rg_query_takes(world, near->filter, (int)slot) ||
      !rg_collide_distance(near->shape, near->pose, world->shapes[slot].shape,
                           rg_query_pose(world, (int)slot), near->reach, &d))
    return;
  rgOverlap overlap = {rg_body_id(world, world->shapes[slot].body),
                       rg_query_closest(&d, (rgShapeId){0, 0}, rg_shape_id(world, (int)slot))};
  keep(near, &overlap);
}

static rgStatus check(const rgWorld* world, const rgProbe* probe, rgPose pose, double reach,
                      int capacity, rgMessage* message) {
  if (probe->dimension != world->dimension)
    return rg_fail(message, RG_ERROR_INPUT, "the probe has dimension %d, the world %d",
                   probe->dimension, world->dimension);
  if (!v3_finite(pose.position) || !(fabs(quat_norm2(pose.orientation) - 1) <= 1e-6))
    return rg_fail(message, RG_ERROR_INPUT,
                   "the pose is not finite or its orientation is not of norm 1");
  if (!(reach >= 0))
    return rg_fail(message, RG_ERROR_INPUT, "reach is %.9g, must be >= 0", reach);
  if (capacity < 0)
    return rg_fail(message, RG_ERROR_INPUT, "capacity is %d, must be >= 0", capacity);
  return rg_plane_pose(world, pose, message);
}

rgStatus rg_world_overlap(const rgWorld* world, const rgProbe* probe, rgPose pose, double reach,
                          const rgQueryFilter* filter, rgOverlap* overlaps, int capacity,
                          int* count, rgMessage* message) {
  *count = 0;
  rgStatus status = check(world, probe, pose, reach, capacity, message);
  if (status != RG_OK)
    return status;
  pose.orientation = quat_unit(pose.orientation);
  Near near = {world, filter,   probe->shape, pose_mul(pose, probe->shape->pose),
               reach, overlaps, capacity,     0};
  rgBounds box = rg_shape_info(near.shape->kind)->bounds(near.shape, near.pose);
  box = bounds_grow(box, reach);
  if (rg_query_has_tree(world)) {
    rg_broad_query(world->search.broad, box, visit, &near);
  } else {
    for (int i = 0; i < world->shape_slots; i++)
      if (world->shapes[i].alive && bounds_overlap(rg_query_bounds(world, i), box))
        visit(&near, (uint32_t)i);
  }
  *count = near.count;
  return RG_OK;
}
