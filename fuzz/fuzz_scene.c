// fuzz_scene.c - any bytes as a scene: an error with a message, or a scene that survives writing,
// building and stepping.
#include "scenes.h"

#include <stdint.h>

enum { BODIES_MAX = 50 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse((const char*)data, size, "fuzz.json", &scene, &message);
  if (status != RG_OK) {
    require(strncmp(message.text, "fuzz.json:", strlen("fuzz.json:")) == 0);
    return 0;
  }
  check_writing(scene);
  check_stepping(scene, BODIES_MAX);
  rg_scene_free(scene);
  return 0;
}
