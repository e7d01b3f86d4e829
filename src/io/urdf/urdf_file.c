// urdf_file.c - meshes of a robot, and where packages lie.
//
// package://NAME/PATH is PATH in the folder that --package gives for NAME; else NAME/PATH, or PATH
// alone where the folder itself is the package, in the folders around the file, from the nearest
// outwards. Parts that go before the folder's own name, as in package://example/robots/NAME/..., are
// left out one by one.
#include "io/urdf/urdf.h"

#include "math/vec.h"

#include <stdio.h>
#include <string.h>

enum { LEVELS = 8, PATH_SIZE = 2048 };

static bool try_path(rgUrdf* u, const char* folder, const char* name, const char** found) {
  if (!rg_robot_has_file(u->robot, folder, name))
    return false;
  *found = rg_robot_text(u->robot, "%.250s%.250s", folder, name);
  return true;
}

static bool in_given_package(rgUrdf* u, const char* rest, const char** found) {
  const char* slash = strchr(rest, '/');
  size_t length = slash ? (size_t)(slash - rest) : 0;
  for (int i = 0; slash && i < u->robot->options->package_count; i++) {
    const char* given = u->robot->options->packages[i];
    if (strncmp(given, rest, length) != 0 || given[length] != '=')
      continue;
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%s/", given + length + 1);
    if (try_path(u, folder, slash + 1, found))
      return true;
  }
  return false;
}

static bool around(rgUrdf* u, const char* rest, const char** found) {
  char folder[PATH_SIZE];
  if (strlen(u->robot->folder) + 3 * LEVELS + 1 > sizeof folder)
    return false;
  strcpy(folder, u->robot->folder);
  for (int level = 0; level < LEVELS; level++) {
    for (const char* part = rest; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
      if (strchr(part, '/') && try_path(u, folder, part, found))
        return true;
    strcat(folder, "../");
  }
  return false;
}

static const char* find_file(rgUrdf* u, const rgXmlElement* e, const char* name) {
  const char* found = NULL;
  rgRobotPlace place = rg_robot_place_of(e, rg_xml_attribute(e, "filename"));
  if (!u->robot->folder) {
    rg_robot_fail(u->robot, place,
                  "names the file \"%.100s\", but only a model that is read from a file can name "
                  "other files",
                  name);
    return NULL;
  }
  bool package = strncmp(name, "package://", 10) == 0;
  if (package || strncmp(name, "model://", 8) == 0) {
    const char* rest = name + (package ? 10 : 8);
    if (in_given_package(u, rest, &found) || around(u, rest, &found))
      return found;
    rg_robot_fail(u->robot, place,
                  "%.200s is not there; say where the package lies: --package %.*s=DIR", name,
                  (int)strcspn(rest, "/"), rest);
    return NULL;
  }
  if (strncmp(name, "file://", 7) == 0)
    name += 7;
  const char* folder = name[0] == '/' ? "" : u->robot->folder;
  if (try_path(u, folder, name, &found))
    return found;
  rg_robot_fail(u->robot, place, "%.100s%.300s cannot be read", folder, name);
  return NULL;
}

bool rg_urdf_read_mesh(rgUrdf* u, const rgXmlElement* e, rgMesh* mesh, const char** path) {
  rgRobot* robot = u->robot;
  const char* name = rg_robot_string(e, "filename", "");
  rgRobotPlace place = rg_robot_place_of(e, rg_xml_attribute(e, "filename"));
  if (!name[0])
    return rg_robot_fail(robot, rg_robot_place(e), "<mesh> has no filename");
  const char* found = find_file(u, e, name);
  size_t length;
  char* text = found ? rg_robot_read_file(robot, place, "", found, path, &length) : NULL;
  if (!text)
    return false;
  rgMessage why = {""};
  rgStatus status = rg_mesh_parse(text, length, *path, &robot->scratch, mesh, &why);
  if (status == RG_ERROR_MEMORY)
    return rg_robot_no_memory(robot);
  if (status != RG_OK)
    return rg_robot_fail(robot, place, "%s", why.text);
  rgVec3 scale = v3(1, 1, 1);
  if (!rg_robot_vec3(robot, e, "scale", &scale))
    return false;
  rgVec3* points = mesh->points.items;
  for (int i = 0; i < mesh->points.count; i++)
    points[i] = v3_mul(points[i], scale);
  return true;
}
