// play_scene.c - the bodies of a world as a scene: what a recorded run is shown with.
#include "cli/character/play.h"
#include "cli/text/json.h"

#include <stdlib.h>
#include <string.h>

static void put_vector(CliJson* json, const char* key, const double* numbers, int count) {
  cli_json_open(json, key, '[');
  for (int i = 0; i < count; i++)
    cli_json_real(json, NULL, numbers[i]);
  cli_json_close(json, ']');
}

static void put_pose(CliJson* json, rgPose pose) {
  rgVec3 p = pose.position;
  rgQuat q = pose.orientation;
  put_vector(json, "position", (double[]){p.x, p.y, p.z}, 3);
  put_vector(json, "orientation", (double[]){q.w, q.x, q.y, q.z}, 4);
}

static void put_points(CliJson* json, const rgWorld* world, rgShapeId id, int count) {
  rgVec3* points = malloc((size_t)count * sizeof *points);
  cli_json_open(json, "points", '[');
  if (points)
    rg_shape_corners(world, id, points, count);
  for (int i = 0; i < count && points; i++)
    put_vector(json, NULL, (double[]){points[i].x, points[i].y, points[i].z}, 3);
  cli_json_close(json, ']');
  free(points);
}

static void put_shape(CliJson* json, const rgWorld* world, rgShapeId id, const rgShapeView* view) {
  const rgShapeDef* def = &view->def;
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "shape", rg_shape_kind_name(def->kind));
  put_pose(json, def->pose);
  if (def->kind == RG_SHAPE_SPHERE || def->kind == RG_SHAPE_CAPSULE)
    cli_json_real(json, "radius", def->radius);
  if (def->kind == RG_SHAPE_CAPSULE)
    cli_json_real(json, "half_length", def->half_length);
  if (def->kind == RG_SHAPE_BOX)
    put_vector(json, "half", (double[]){def->half.x, def->half.y, def->half.z}, 3);
  if (def->kind == RG_SHAPE_HULL)
    put_points(json, world, id, view->corner_count);
  cli_json_count(json, "group", def->group);
  cli_json_count(json, "mask", def->mask);
  cli_json_close(json, '}');
}

static bool same_body(rgBodyId a, rgBodyId b) {
  return a.index == b.index && a.generation == b.generation;
}

static void put_body(CliJson* json, const rgWorld* world, rgBodyId id, const rgShapeId* shapes,
                     int shape_count) {
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "name", rg_body_name(world, id));
  cli_json_text(json, "kind", rg_body_kind_name(rg_body_kind(world, id)));
  put_pose(json, rg_body_pose(world, id));
  cli_json_open(json, "shapes", '[');
  for (int i = 0; i < shape_count; i++) {
    rgShapeView view;
    if (rg_shape_view(world, shapes[i], &view) == RG_OK && same_body(view.body, id))
      put_shape(json, world, shapes[i], &view);
  }
  cli_json_close(json, ']');
  cli_json_close(json, '}');
}

char* cli_play_scene(const CliPlay* play, const char* title) {
  const rgWorld* world = play->world;
  int count = rg_world_shapes(world, NULL, 0);
  rgShapeId* shapes = malloc((size_t)count * sizeof *shapes);
  char* text = NULL;
  size_t length = 0;
  FILE* stream = shapes ? open_memstream(&text, &length) : NULL;
  if (!stream) {
    free(shapes);
    return NULL;
  }
  rg_world_shapes(world, shapes, count);
  CliJson json = {.stream = stream};
  cli_json_open(&json, NULL, '{');
  cli_json_count(&json, "rigor", 1);
  cli_json_text(&json, "title", title);
  cli_json_real(&json, "time", play->def.to - play->def.from);
  cli_json_open(&json, "bodies", '[');
  for (int i = 0; i < rg_world_body_count(world); i++)
    put_body(&json, world, rg_world_body(world, i), shapes, count);
  cli_json_close(&json, ']');
  cli_json_close(&json, '}');
  bool whole = ferror(stream) == 0;
  whole = fclose(stream) == 0 && whole;
  free(shapes);
  if (whole)
    return text;
  free(text);
  return NULL;
}
