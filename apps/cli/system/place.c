// place.c - files that come with the command, found from where it is.
#include "cli/system/place.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool cli_place_find(const char* const* places, const char* ending, char path[CLI_PATH_MAX]) {
  char own[CLI_PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
  if (length <= 0)
    return false;
  own[length] = '\0';
  *strrchr(own, '/') = '\0';
  for (int i = 0; places[i]; ++i) {
    int needed = snprintf(path, CLI_PATH_MAX, "%s/%s%s", own, places[i], ending);
    if (needed < CLI_PATH_MAX && access(path, R_OK) == 0)
      return true;
  }
  return false;
}

bool cli_place_scene(const char* name, char path[CLI_PATH_MAX]) {
  static const char* const places[] = {"../scenes/", "../share/rigor/scenes/", NULL};
  char ending[CLI_PATH_MAX];
  int needed = snprintf(ending, sizeof ending, "%s.json", name);
  return !strchr(name, '/') && !strchr(name, '.') && access(name, F_OK) != 0 &&
         needed < CLI_PATH_MAX && cli_place_find(places, ending, path);
}

bool cli_place_scenes(char path[CLI_PATH_MAX]) {
  static const char* const places[] = {"../scenes", "../share/rigor/scenes", NULL};
  return cli_place_find(places, "", path);
}
