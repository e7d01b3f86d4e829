// fuzz_model.c - any bytes as a model file (MJCF, URDF): an error with a message, or a scene that
// survives writing, building and stepping.
#include <rigor/scene.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  BODIES_MAX = 30, // larger worlds are read and written only, so that a run stays fast
  STEPS = 2,
  ITERATIONS = 20
};

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// What is written is a scene, and reads back to the same text.
static void check_writing(const rgScene* scene) {
  size_t length = rg_scene_write(scene, NULL, 0);
  char* text = malloc(2 * (length + 1));
  if (!text)
    return;
  rg_scene_write(scene, text, length + 1);
  rgScene* again;
  rgMessage message;
  if (rg_scene_parse(text, length, "again.json", &again, &message) != RG_OK)
    abort();
  char* second = text + length + 1;
  if (rg_scene_write(again, second, length + 1) != length || strcmp(text, second) != 0)
    abort();
  rg_scene_free(again);
  free(text);
}

static void check_stepping(rgScene* scene) {
  rgOptions* options = rg_scene_options(scene);
  options->iteration_limit = ITERATIONS;
  rgMessage message = {""};
  rgWorld* world;
  if (rg_scene_build(scene, NULL, &world, &message) != RG_OK) {
    if (!message.text[0])
      abort();
    return;
  }
  for (int i = 0; i < STEPS; i++)
    if (rg_world_step(world, NULL) != RG_OK)
      break;
  rg_world_destroy(world);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Scenes have a target of their own.
  if (size == 0 || data[0] != '<')
    return 0;
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse((const char*)data, size, "fuzz.xml", &scene, &message);
  if (status != RG_OK) {
    if (strncmp(message.text, "fuzz.xml:", strlen("fuzz.xml:")) != 0)
      abort();
    return 0;
  }
  const char *place, *text;
  for (int i = 0; rg_scene_note(scene, i, &place, &text); i++)
    if (strncmp(place, "fuzz.xml:", strlen("fuzz.xml:")) != 0 || !text[0])
      abort();
  check_writing(scene);
  if (rg_scene_body_count(scene) <= BODIES_MAX)
    check_stepping(scene);
  rg_scene_free(scene);
  return 0;
}
