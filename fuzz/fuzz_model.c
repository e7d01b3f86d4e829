// fuzz_model.c - any bytes as a model file (MJCF, URDF): an error with a message, or a scene that
// survives writing, building and stepping.
#include "scenes.h"

#include <stdint.h>

enum { BODIES_MAX = 30 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static bool names_the_file(const char* text) {
  return strncmp(text, "fuzz.xml:", strlen("fuzz.xml:")) == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Scenes have a target of their own.
  if (size == 0 || data[0] != '<')
    return 0;
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse((const char*)data, size, "fuzz.xml", &scene, &message);
  if (status != RG_OK) {
    require(names_the_file(message.text));
    return 0;
  }
  const char *place, *text;
  for (int i = 0; rg_scene_note(scene, i, &place, &text); i++)
    require(names_the_file(place) && text[0]);
  check_writing(scene);
  check_stepping(scene, BODIES_MAX);
  rg_scene_free(scene);
  return 0;
}
