// scenes.h - what holds of a scene that was read, from whatever it was. For the targets that read scenes.
#ifndef FUZZ_SCENES_H
#define FUZZ_SCENES_H

#include "checks.h"

#include <string.h>

enum { SCENE_STEPS = 2, SCENE_ITERATIONS = 20 };

// The canonical text reads back, to the same text.
static inline void check_writing(const rgScene* scene) {
  size_t length = rg_scene_write(scene, NULL, 0);
  char* text = malloc(2 * (length + 1));
  if (!text)
    return;
  rg_scene_write(scene, text, length + 1);
  rgScene* again = NULL;
  rgMessage message;
  require(rg_scene_parse(text, length, "again.json", &again, &message) == RG_OK);
  char* second = text + length + 1;
  require(rg_scene_write(again, second, length + 1) == length && strcmp(text, second) == 0);
  rg_scene_free(again);
  free(text);
}

static inline void check_remark(void* context, const char* place, const char* text) {
  (void)context;
  require(place[0] && text[0]);
}

// It builds and steps, or says why not. Larger ones are not built, so that a run stays fast.
static inline void check_stepping(rgScene* scene, int bodies_max) {
  if (rg_scene_body_count(scene) > bodies_max)
    return;
  rgOptions* options = rg_scene_options(scene);
  options->iteration_limit = SCENE_ITERATIONS;
  options->time_limit = 0;
  options->threads = 1;
  rgMessage message = {""};
  rgWorld* world;
  if (rg_scene_build(scene, NULL, &world, &message) != RG_OK) {
    require(message.text[0]);
    return;
  }
  for (int i = 0; i < SCENE_STEPS; i++)
    if (rg_world_step(world, NULL) != RG_OK)
      break;
  rg_world_destroy(world);
  rg_scene_inspect(scene, check_remark, NULL, &message);
}

#endif
