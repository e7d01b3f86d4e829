// distance.c - closest points of shapes and bodies.
#include "world/query/query.h"

#include "base/message.h"

// The slot of a shape, or -1.
static int find_shape(const rgWorld* world, rgShapeId id) {
  if (id.index >= (uint32_t)world->shape_slots)
    return -1;
  int slot = world->ids.slot_of_shape[id.index];
  const rgWorldShape* shape = &world->shapes[slot];
  return shape->alive && shape->generation == id.generation ? slot : -1;
}

static rgStatus no_shape(rgShapeId id, rgMessage* message) {
  return rg_fail(message, RG_ERROR_NOT_FOUND, "there is no shape with index %u and generation %u",
                 id.index, id.generation);
}

static rgStatus no_answer(const rgShape* a, const rgShape* b, rgMessage* message) {
  return rg_fail(message, RG_ERROR_UNSUPPORTED,
                 "no distance between a %s and a %s: one of them must be a convex solid of finite "
                 "size, and on the free side of a wall",
                 rg_shape_kind_name(a->kind), rg_shape_kind_name(b->kind));
}

static bool measure(const rgWorld* world, int a, int b, double reach, rgClosest* closest) {
  rgDistance d;
  if (!rg_collide_distance(world->shapes[a].shape, rg_query_pose(world, a), world->shapes[b].shape,
                           rg_query_pose(world, b), reach, &d))
    return false;
  *closest = rg_query_closest(&d, rg_shape_id(world, a), rg_shape_id(world, b));
  return true;
}

rgStatus rg_shape_distance(const rgWorld* world, rgShapeId a, rgShapeId b, rgClosest* closest,
                           rgMessage* message) {
  int slot_a = find_shape(world, a), slot_b = find_shape(world, b);
  if (slot_a < 0 || slot_b < 0)
    return no_shape(slot_a < 0 ? a : b, message);
  if (measure(world, slot_a, slot_b, HUGE_VAL, closest))
    return RG_OK;
  return no_answer(world->shapes[slot_a].shape, world->shapes[slot_b].shape, message);
}

// [m] A lower bound of the distance of what is in two boxes.
static double apart(const rgBounds* a, const rgBounds* b) {
  rgVec3 gap = v3_max(v3_sub(a->lower, b->upper), v3_sub(b->lower, a->upper));
  return v3_norm(v3_max(gap, v3_zero()));
}

rgStatus rg_body_distance(const rgWorld* world, rgBodyId a, rgBodyId b, rgClosest* closest,
                          rgMessage* message) {
  const rgBody *body_a = rg_world_body_slot(world, a), *body_b = rg_world_body_slot(world, b);
  if (!body_a || !body_b)
    return rg_fail(message, RG_ERROR_NOT_FOUND, "there is no body with index %u and generation %u",
                   (body_a ? b : a).index, (body_a ? b : a).generation);
  if (body_a->first_shape < 0 || body_b->first_shape < 0)
    return rg_fail(message, RG_ERROR_NOT_FOUND, "body %s has no shapes",
                   rg_body_name(world, body_a->first_shape < 0 ? a : b));
  bool found = false;
  for (int i = body_a->first_shape; i >= 0; i = world->shapes[i].next) {
    rgBounds box_a = rg_query_bounds(world, i);
    for (int j = body_b->first_shape; j >= 0; j = world->shapes[j].next) {
      rgBounds box_b = rg_query_bounds(world, j);
      rgClosest pair;
      if ((found && apart(&box_a, &box_b) > closest->distance) ||
          !measure(world, i, j, HUGE_VAL, &pair) || (found && pair.distance >= closest->distance))
        continue;
      found = true;
      *closest = pair;
    }
  }
  return found ? RG_OK
               : no_answer(world->shapes[body_a->first_shape].shape,
                           world->shapes[body_b->first_shape].shape, message);
}
