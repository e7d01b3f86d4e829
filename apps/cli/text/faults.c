// faults.c - everything that is wrong in a scene, not only the first of it.
#include "cli/text/faults.h"

#include <rigor/scene.h>

#include <stdio.h>
#include <string.h>

static void print_other(void* context, const char* text) {
  if (strcmp(context, text) != 0)
    fprintf(stderr, "%s\n", text);
}

void cli_print_faults(const char* path, const char* message) {
  rgMessage first;
  snprintf(first.text, sizeof first.text, "%s", message);
  fprintf(stderr, "%s\n", first.text);
  // A message that begins with a place, file:line:column, is one about contents: there may be others.
  size_t length = strlen(path);
  if (strncmp(message, path, length) == 0 && message[length] == ':' &&
      strspn(message + length + 1, "0123456789") > 0)
    rg_scene_faults(path, print_other, first.text);
}
