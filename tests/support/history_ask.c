// history_ask.c - questions of histories (history.h): rays, overlaps and distances among what is there.
#include "support/builder.h"
#include "support/history.h"
#include "test.h"
#include <rigor/query.h>

enum { SHAPES_MAX = 200 };

static void tell_hit(Told* told, const rgRayHit* hit) {
  tell_int(told, hit->body.index);
  tell_int(told, hit->shape.index);
  tell_vector(told, hit->point);
  tell_vector(told, hit->normal);
  tell(told, hit->distance);
  tell_int(told, hit->inside);
  tell_int(told, hit->triangle);
}

static void tell_closest(Told* told, rgStatus status, const rgMessage* message,
                         const rgClosest* closest) {
  tell_int(told, status);
  if (status != RG_OK) {
    tell_text(told, message->text);
    return;
  }
  tell_int(told, closest->shape_a.index);
  tell_int(told, closest->shape_b.index);
  tell_vector(told, closest->point_a);
  tell_vector(told, closest->point_b);
  tell_vector(told, closest->normal);
  tell(told, closest->distance);
}

static void ask_rays(Told* told, const rgQueryFilter* filter) {
  enum { HITS = 6 };
  rgRayHit hits[HITS];
  rgMessage message = {.text = ""};
  rgRay ray = {.origin = history_beside(told, 1)};
  ray.direction = history_vector(told, 1);
  ray.length = history_chance(0.5) ? HUGE_VAL : history_between(0, 2);
  int count = 0, capacity = 1 + history_draw(HITS);
  rgStatus status = rg_world_ray(told->world, &ray, filter, hits, &message);
  tell_int(told, status);
  if (status == RG_OK)
    tell_hit(told, hits);
  status = rg_world_ray_all(told->world, &ray, filter, hits, capacity, &count, &message);
  tell_int(told, status);
  tell_int(told, count);
  for (int i = 0; i < count && i < capacity; i++)
    tell_hit(told, &hits[i]);
}

static void ask_overlaps(Told* told, const rgQueryFilter* filter) {
  enum { OVERLAPS = 8 };
  rgOverlap overlaps[OVERLAPS];
  rgMessage message = {.text = ""};
  rgShapeDef shape = history_shape(told);
  rgProbe* probe;
  int count = 0, dimension = rg_world_dimension(told->world);
  REQUIRE(rg_probe_create(&shape, dimension, &probe, &message) == RG_OK);
  rgPose pose = pose_at(history_beside(told, 1));
  pose.orientation = history_turn(told, 3);
  tell_int(told, rg_world_overlap(told->world, probe, pose, history_between(0, 1), filter, overlaps,
                                  OVERLAPS, &count, &message));
  tell_int(told, count);
  for (int i = 0; i < count && i < OVERLAPS; i++)
    tell_closest(told, RG_OK, &message, &overlaps[i].closest);
  rg_probe_destroy(probe);
}

void history_ask(Told* told) {
  rgMessage message = {.text = ""};
  rgClosest closest;
  rgQueryFilter filter = rg_query_filter();
  if (history_chance(0.3))
    filter.mask = 1;
  if (history_chance(0.5))
    filter.ignore = history_body(told);
  ask_rays(told, &filter);
  ask_overlaps(told, &filter);
  rgBodyId a = history_body(told), b = history_body(told);
  rgStatus status = rg_body_distance(told->world, a, b, &closest, &message);
  tell_closest(told, status, &message, &closest);
  rgShapeId ids[SHAPES_MAX];
  int count = rg_world_shapes(told->world, ids, SHAPES_MAX);
  count = count < SHAPES_MAX ? count : SHAPES_MAX;
  if (count == 0)
    return;
  rgShapeId one = ids[history_draw(count)], other = ids[history_draw(count)];
  other.generation += history_chance(0.1); // there is none
  status = rg_shape_distance(told->world, one, other, &closest, &message);
  tell_closest(told, status, &message, &closest);
}
