// robot_file.c - files that a model file names.
#include "io/robot/robot.h"

#include "base/memory.h"
#include "base/message.h"
#include "io/text/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

// Keeps the path of a file that was read, once.
static bool note_file(rgRobot* robot, const char* path) {
  rgScene* scene = robot->scene;
  for (const rgSceneFile* file = scene->files; file; file = file->next)
    if (strcmp(file->path, path) == 0)
      return true;
  rgSceneFile* file = rg_pool_take(&scene->pool, 1, sizeof *file);
  const char* copy = rg_pool_text(&scene->pool, path);
  if (!file || !copy)
    return rg_robot_no_memory(robot);
  *file = (rgSceneFile){copy, scene->files};
  scene->files = file;
  return true;
}

static bool join(const char* folder, const char* name, char path[PATH_SIZE]) {
  int wanted = snprintf(path, PATH_SIZE, "%s%s", name[0] == '/' ? "" : folder, name);
  return wanted < PATH_SIZE;
}

bool rg_robot_has_file(const rgRobot* robot, const char* folder, const char* name) {
  char path[PATH_SIZE];
  if (!robot->folder || !join(folder, name, path))
    return false;
  return access(path, R_OK) == 0;
}

char* rg_robot_read_file(rgRobot* robot, rgRobotPlace place, const char* folder, const char* name,
                         const char** path, size_t* length) {
  char full[PATH_SIZE];
  if (!robot->folder) {
    rg_robot_fail(robot, place,
                  "names the file \"%.60s\", but only a model that is read from a file can name "
                  "other files",
                  name);
    return NULL;
  }
  if (!join(folder, name, full)) {
    rg_robot_fail(robot, place, "names a file whose path is too long");
    return NULL;
  }
  char* text;
  size_t size;
  rgMessage why = {""};
  rgStatus status =
      rg_file_read_regular(full, &robot->scratch.allocator, &text, length, &size, &why);
  if (status == RG_ERROR_MEMORY) {
    rg_robot_no_memory(robot);
    return NULL;
  }
  if (status != RG_OK) {
    rg_robot_fail(robot, place, "%s", why.text);
    return NULL;
  }
  char* copy = rg_pool_take(&robot->scratch, *length + 1, 1);
  *path = rg_pool_text(robot->pool, full);
  if (copy)
    memcpy(copy, text, *length);
  rg_release(&robot->scratch.allocator, text, size);
  if (!copy || !*path || !note_file(robot, full)) {
    rg_robot_no_memory(robot);
    return NULL;
  }
  return copy;
}

rgXmlElement* rg_robot_read_xml(rgRobot* robot, rgRobotPlace place, const char* folder,
                                const char* name) {
  const char* path;
  size_t length;
  char* text = rg_robot_read_file(robot, place, folder, name, &path, &length);
  if (!text)
    return NULL;
  rgXmlElement* root;
  rgMessage why = {""};
  rgStatus status = rg_xml_parse(text, length, path, &robot->scratch, &root, &why);
  if (status != RG_OK)
    rg_robot_pass(robot, status, why.text);
  return root;
}
