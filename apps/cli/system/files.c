// files.c - whole files, and scenes as text.
#include "cli/system/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t SIZE_LIMIT = (size_t)1 << 32; // [bytes] no browser shows a page that is larger

char* cli_read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t length = 0, capacity = (size_t)1 << 20;
  char* text = malloc(capacity);
  while (text) {
    length += fread(text + length, 1, capacity - length - 1, file);
    if (length < capacity - 1)
      break;
    capacity *= 2;
    char* more = capacity <= SIZE_LIMIT ? realloc(text, capacity) : NULL;
    if (!more)
      free(text);
    text = more;
  }
  if (text && ferror(file)) {
    free(text);
    text = NULL;
  }
  fclose(file);
  if (text)
    text[length] = '\0';
  return text;
}

char* cli_scene_text(const rgScene* scene) {
  size_t length = rg_scene_write(scene, NULL, 0);
  char* text = malloc(length + 1);
  if (text)
    rg_scene_write(scene, text, length + 1);
  return text;
}

bool cli_ends_with(const char* path, const char* ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

char* cli_path_beside(const char* trajectory, const char* ending) {
  size_t stem = strlen(trajectory) - strlen(".csv");
  char* path = malloc(stem + strlen(ending) + 1);
  if (path) {
    memcpy(path, trajectory, stem);
    strcpy(path + stem, ending);
  }
  return path;
}

char* cli_scene_beside(const char* trajectory) {
  return cli_ends_with(trajectory, ".csv") ? cli_path_beside(trajectory, ".scene.json") : NULL;
}
