// place.h - files that come with the command, found from where it is.
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include <stdbool.h>

enum { CLI_PATH_MAX = 4096 };

// The first of the places, ended by NULL, that names a file which can be read, taken from the folder
// of the running command and with `ending` behind it. False when there is none.
bool cli_place_find(const char* const* places, const char* ending, char path[CLI_PATH_MAX]);

// The file of a scene that comes with the command: "dominoes" is scenes/dominoes.json in a build, or
// share/rigor/scenes/dominoes.json of an installation. False for what is a file as it stands or looks
// like a path, and when there is no such scene.
bool cli_place_scene(const char* name, char path[CLI_PATH_MAX]);

// The folder in which these scenes are; false when there is none.
bool cli_place_scenes(char path[CLI_PATH_MAX]);

#endif
