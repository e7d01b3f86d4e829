// ray.c - the shapes along a ray.
//
// The tree of the broad phase leads the ray to the boxes that it meets, nearer nodes first, and what it
// hits shortens it. Boxes hold the shapes and, grown by the travel of the coming step, a little more.
// After an edit the boxes are those of the last step: then all shapes are asked.
#include "world/query/query.h"

#include "base/message.h"

rgQueryFilter rg_query_filter(void) { return (rgQueryFilter){.mask = UINT32_MAX}; }

bool rg_query_takes(const rgWorld* world, const rgQueryFilter* filter, int slot) {
  const rgWorldShape* shape = &world->shapes[slot];
  if (!shape->alive)
    return false;
  if (!filter)
    return true;
  rgBodyId body = rg_body_id(world, shape->body);
  if (!(shape->shape->group & filter->mask) || rg_body_equal(body, filter->ignore))
    return false;
  return !filter->accept || filter->accept(body, rg_shape_id(world, slot), filter->context);
}

rgPose rg_query_pose(const rgWorld* world, int slot) {
  const rgWorldShape* shape = &world->shapes[slot];
  return pose_mul(rg_body_frame(&world->bodies[shape->body]), shape->shape->pose);
}

rgBounds rg_query_bounds(const rgWorld* world, int slot) {
  const rgShape* shape = world->shapes[slot].shape;
  return rg_shape_info(shape->kind)->bounds(shape, rg_query_pose(world, slot));
}

typedef struct Search {
  const rgWorld* world;
  const rgQueryFilter* filter;
  rgRay ray;    // with a direction of unit length
  double limit; // [m] what is farther is not looked at
  rgRayHit* hits;
  int capacity, kept;
  int count; // of all
} Search;

static bool comes_before(const rgRayHit* a, const rgRayHit* b) {
  return a->distance < b->distance ||
         (a->distance == b->distance && a->shape.index < b->shape.index);
}

// Keeps the nearest ones in order.
static void keep(Search* search, const rgRayHit* hit) {
  search->count++;
  int place = search->kept < search->capacity ? search->kept++ : search->capacity - 1;
  if (place < 0 || (search->count > search->capacity && !comes_before(hit, &search->hits[place])))
    return;
  for (; place > 0 && comes_before(hit, &search->hits[place - 1]); place--)
    search->hits[place] = search->hits[place - 1];
  search->hits[place] = *hit;
}

static void visit(void* context, uint32_t slot) {
  Search* search = context;
  const rgWorld* world = search->world;
  const rgWorldShape* shape = &world->shapes[slot];
  rgRayTouch touch;
  if (!rg_query_takes(world, search->filter, (int)slot) ||
      !rg_ray_shape(shape->shape, rg_query_pose(world, (int)slot), &search->ray, &touch))
    return;
  rgRayHit hit = {.body = rg_body_id(world, shape->body),
                  .shape = rg_shape_id(world, (int)slot),
                  .point = v3_axpy(search->ray.origin, touch.distance, search->ray.direction),
                  .normal = touch.normal,
                  .distance = touch.distance,
                  .inside = touch.inside,
                  .triangle = touch.triangle};
  keep(search, &hit);
}

// The same for the first hit alone, which shortens the ray.
static void visit_first(void* context, uint32_t slot) {
  Search* search = context;
  visit(context, slot);
  if (search->kept > 0)
    search->limit = search->hits[0].distance;
}

static void run(Search* search, rgBroadVisit* visit_shape) {
  const rgWorld* world = search->world;
  if (rg_query_has_tree(world)) {
    rg_broad_ray(world->search.broad, &search->ray, &search->limit, visit_shape, search);
    return;
  }
  for (int i = 0; i < world->shape_slots; i++) {
    if (!world->shapes[i].alive)
      continue;
    rgBounds box = rg_query_bounds(world, i);
    if (rg_ray_bounds(&search->ray, &box, search->limit) >= 0)
      visit_shape(search, (uint32_t)i);
  }
}

static rgStatus check(const rgWorld* world, const rgRay* ray, rgMessage* message) {
  if (!v3_finite(ray->origin))
    return rg_fail(message, RG_ERROR_INPUT, "origin is not finite");
  if (!v3_finite(ray->direction) || !(v3_max_abs(ray->direction) > 0))
    return rg_fail(message, RG_ERROR_INPUT, "direction is zero or not finite");
  if (!(ray->length >= 0))
    return rg_fail(message, RG_ERROR_INPUT, "length is %.9g, must be >= 0", ray->length);
  rgStatus status = rg_plane_vector(world, ray->origin, "origin", message);
  return status == RG_OK ? rg_plane_vector(world, ray->direction, "direction", message) : status;
}

// Directions may be as short or as long as numbers go: no square of them is taken before they are near 1.
static rgVec3 unit(rgVec3 d) {
  rgVec3 near_one = v3_scale(d, 1 / v3_max_abs(d));
  if (!v3_finite(near_one)) { // a subnormal direction
    d = v3_scale(d, 0x1p1000);
    near_one = v3_scale(d, 1 / v3_max_abs(d));
  }
  return v3_scale(near_one, 1 / v3_norm(near_one));
}

static Search begin(const rgWorld* world, const rgRay* ray, const rgQueryFilter* filter) {
  return (Search){.world = world,
                  .filter = filter,
                  .ray = {ray->origin, unit(ray->direction), ray->length},
                  .limit = ray->length};
}

rgStatus rg_world_ray(const rgWorld* world, const rgRay* ray, const rgQueryFilter* filter,
                      rgRayHit* hit, rgMessage* message) {
  rgStatus status = check(world, ray, message);
  if (status != RG_OK)
    return status;
  Search search = begin(world, ray, filter);
  search.hits = hit;
  search.capacity = 1;
  run(&search, visit_first);
  return search.kept > 0 ? RG_OK : RG_ERROR_NOT_FOUND;
}

rgStatus rg_world_ray_all(const rgWorld* world, const rgRay* ray, const rgQueryFilter* filter,
                          rgRayHit* hits, int capacity, int* count, rgMessage* message) {
  *count = 0;
  if (capacity < 0)
    return rg_fail(message, RG_ERROR_INPUT, "capacity is %d, must be >= 0", capacity);
  rgStatus status = check(world, ray, message);
  if (status != RG_OK)
    return status;
  Search search = begin(world, ray, filter);
  search.hits = hits;
  search.capacity = capacity;
  run(&search, visit);
  *count = search.count;
  return RG_OK;
}
