// query.h - what the queries of a world share.
#ifndef WORLD_QUERY_QUERY_H
#define WORLD_QUERY_QUERY_H

#include "collide/distance.h"
#include "world/world.h"
#include <rigor/query.h>

// Whether a query looks at the shape in this slot.
bool rg_query_takes(const rgWorld* world, const rgQueryFilter* filter, int shape_slot);
// Where a shape is now: a body may have been moved since shapes were last placed.
rgPose rg_query_pose(const rgWorld* world, int shape_slot);
// Its exact bounds there.
rgBounds rg_query_bounds(const rgWorld* world, int shape_slot);
// Whether the boxes of the broad phase hold all shapes where they are.
static inline bool rg_query_has_tree(const rgWorld* world) {
  return world->search.done && !world->search.stale;
}

static inline rgClosest rg_query_closest(const rgDistance* d, rgShapeId a, rgShapeId b) {
  return (rgClosest){a, b, d->point_a, d->point_b, d->normal, d->distance};
}

#endif
