// mjcf_asset.c - meshes of a model: loaded when a geom needs them.
#include "io/mjcf/mjcf.h"

#include "base/memory.h"
#include "math/vec.h"

#include <string.h>

enum { NUMBERS_MAX = 300000 }; // of points that stand in the model file itself

// The name of a file without folder and ending.
static const char* stem(rgMjcf* m, const char* file) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  const char* dot = strrchr(base, '.');
  return rg_robot_text(m->robot, "%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);
}

static bool add_mesh(rgMjcf* m, const rgXmlElement* element) {
  const rgXmlElement* e = rg_mjcf_whole(m, element, 0);
  if (!e)
    return false;
  const char* file = rg_robot_string(e, "file", "");
  const char* name = rg_robot_string(e, "name", file[0] ? stem(m, file) : "");
  if (!name[0])
    return rg_robot_fail(m->robot, rg_robot_place(e), "<mesh> has neither name nor file");
  if (!file[0] && !rg_xml_attribute(e, "vertex"))
    return rg_robot_fail(m->robot, rg_robot_place(e), "<mesh> has neither file nor vertex");
  if (!rg_reserve(&m->robot->scratch.allocator, (void**)&m->meshes, &m->mesh_capacity,
                  m->mesh_count + 1, sizeof *m->meshes))
    return rg_robot_no_memory(m->robot);
  m->meshes[m->mesh_count++] = (rgMjcfMesh){.element = e, .name = name, .file = file};
  return true;
}

bool rg_mjcf_read_assets(rgMjcf* m) {
  for (const rgXmlElement* asset = m->root->child; asset; asset = asset->next)
    for (const rgXmlElement* e = strcmp(asset->name, "asset") == 0 ? asset->child : NULL; e;
         e = e->next)
      if (strcmp(e->name, "mesh") == 0 && !add_mesh(m, e))
        return false;
  return true;
}

int rg_mjcf_find_mesh(rgMjcf* m, const rgXmlElement* geom) {
  const rgXmlAttribute* named = rg_xml_attribute(geom, "mesh");
  rgGuess guess = {.word = named ? named->value : ""};
  for (int i = 0; named && i < m->mesh_count; i++) {
    if (strcmp(m->meshes[i].name, named->value) == 0)
      return i;
    rg_guess_offer(&guess, m->meshes[i].name);
  }
  if (!named)
    rg_robot_fail(m->robot, rg_robot_place(geom), "<geom> of type mesh has no mesh");
  else
    rg_robot_fail(m->robot, rg_robot_place_of(geom, named),
                  "mesh of <geom> is \"%.60s\", which no <mesh> of <asset> has%s%.60s%s",
                  named->value, guess.best ? "; did you mean \"" : "", guess.best ? guess.best : "",
                  guess.best ? "\"?" : "");
  return -1;
}

// -------------------------------------------------------------------------------------------------
// Loading
// -------------------------------------------------------------------------------------------------

// Points (and faces) that stand in the model file.
static bool read_inline(rgMjcf* m, rgMjcfMesh* mesh) {
  rgRobot* robot = m->robot;
  const rgXmlElement* e = mesh->element;
  double* numbers = rg_pool_take(&robot->scratch, NUMBERS_MAX, sizeof *numbers);
  double* corners = rg_pool_take(&robot->scratch, NUMBERS_MAX, sizeof *corners);
  int* triangles = rg_pool_take(&robot->scratch, NUMBERS_MAX, sizeof *triangles);
  int count, corner_count;
  if (!numbers || !corners || !triangles)
    return rg_robot_no_memory(robot);
  if (!rg_robot_reals(robot, e, "vertex", 12, NUMBERS_MAX, numbers, &count) ||
      !rg_robot_reals(robot, e, "face", 3, NUMBERS_MAX, corners, &corner_count))
    return false;
  if (count % 3 != 0 || corner_count % 3 != 0)
    return rg_robot_fail(robot, rg_robot_place(e),
                         "vertex and face of <mesh> have %d and %d "
                         "numbers, must be multiples of 3",
                         count, corner_count);
  for (int i = 0; i < corner_count; i++) {
    if (!(corners[i] >= 0 && corners[i] < count / 3 && floor(corners[i]) == corners[i]))
      return rg_robot_fail(robot, rg_robot_place_of(e, rg_xml_attribute(e, "face")),
                           "face of <mesh> names the point %g, must be from 0 to %d", corners[i],
                           count / 3 - 1);
    triangles[i] = (int)corners[i];
  }
  mesh->mesh.points = (rgList){numbers, count / 3};
  mesh->mesh.triangles = (rgList){triangles, corner_count / 3};
  return true;
}

// Notes why a mesh cannot be had; who needs it decides whether that matters.
static bool read_file(rgMjcf* m, rgMjcfMesh* mesh) {
  rgRobot* robot = m->robot;
  const char* slash = strrchr(mesh->file, '/');
  const char* file = m->settings.strip_path && slash ? slash + 1 : mesh->file;
  const char* folder = rg_robot_text(
      robot, "%s%s", m->settings.mesh_folder[0] == '/' ? "" : m->folder, m->settings.mesh_folder);
  if (!rg_robot_has_file(robot, folder, file)) {
    mesh->missing = true;
    mesh->why = rg_robot_text(robot, "%s%s", file[0] == '/' ? "" : folder, file);
    return true;
  }
  const char* path;
  size_t length;
  rgRobotPlace place = rg_robot_place_of(mesh->element, rg_xml_attribute(mesh->element, "file"));
  char* text = rg_robot_read_file(robot, place, folder, file, &path, &length);
  if (!text)
    return false;
  rgMessage why = {""};
  rgStatus status = rg_mesh_parse(text, length, path, &robot->scratch, &mesh->mesh, &why);
  if (status == RG_ERROR_MEMORY)
    return rg_robot_no_memory(robot);
  return status == RG_OK ? true : rg_robot_fail(robot, place, "%s", why.text);
}

// Scale, and the reference frame that the file's coordinates are seen from.
static bool transform(rgMjcf* m, rgMjcfMesh* mesh) {
  rgRobot* robot = m->robot;
  const rgXmlElement* e = mesh->element;
  rgVec3 scale = v3(1, 1, 1), from = v3_zero();
  double quat[4] = {1, 0, 0, 0};
  if (!rg_robot_vec3(robot, e, "scale", &scale) || !rg_robot_vec3(robot, e, "refpos", &from) ||
      !rg_robot_reals(robot, e, "refquat", 4, 4, quat, NULL))
    return false;
  rgQuat q = {quat[0], quat[1], quat[2], quat[3]};
  if (!(quat_norm2(q) > 0) || scale.x == 0 || scale.y == 0 || scale.z == 0)
    return rg_robot_fail(robot, rg_robot_place(e), "scale and refquat of <mesh> must not be zero");
  q = quat_unit(q);
  rgVec3* points = mesh->mesh.points.items;
  for (int i = 0; i < mesh->mesh.points.count; i++)
    points[i] = quat_unrotate(q, v3_sub(v3_mul(points[i], scale), from));
  // A mirrored surface is turned inside out.
  int* corners = mesh->mesh.triangles.items;
  for (int i = 0; i < mesh->mesh.triangles.count && scale.x * scale.y * scale.z < 0; i++) {
    int swap = corners[3 * i];
    corners[3 * i] = corners[3 * i + 1];
    corners[3 * i + 1] = swap;
  }
  return true;
}

bool rg_mjcf_load_mesh(rgMjcf* m, rgMjcfMesh* mesh) {
  if (mesh->loaded)
    return true;
  mesh->loaded = true;
  if (!(mesh->file[0] ? read_file(m, mesh) : read_inline(m, mesh)))
    return false;
  if (mesh->missing)
    return true;
  if (!transform(m, mesh))
    return false;
  static const char* const kinds[] = {"legacy", "exact", "convex", "shell", NULL};
  int kind = m->settings.exact_inertia;
  if (!rg_robot_word(m->robot, mesh->element, "inertia", kinds, &kind))
    return false;
  if (kind >= 2)
    rg_robot_remark(m->robot, rg_robot_place(mesh->element), "mesh-inertia",
                    "inertia=\"%s\" of a mesh is ignored: its mass is that of what it encloses",
                    kinds[kind]);
  mesh->has_volume = rg_mesh_mass(mesh->mesh.points.items, mesh->mesh.triangles.items,
                                  mesh->mesh.triangles.count, kind != 1, &mesh->mass);
  return true;
}

bool rg_mjcf_mesh_hull(rgMjcf* m, rgMjcfMesh* mesh, rgRobotPlace place) {
  rgRobot* robot = m->robot;
  if (mesh->corners.count > 0)
    return true;
  double dropped;
  rgMessage why = {""};
  rgStatus status =
      rg_mesh_hull(mesh->mesh.points.items, mesh->mesh.points.count, robot->options->hull_points,
                   &robot->scratch, robot->pool, &mesh->corners, &dropped, &why);
  if (status == RG_ERROR_MEMORY)
    return rg_robot_no_memory(robot);
  if (status != RG_OK)
    return rg_robot_fail(robot, place, "the mesh \"%.60s\" has no convex hull: %s", mesh->name,
                         why.text);
  if (dropped > 0)
    rg_robot_remark(robot, rg_robot_place(mesh->element), mesh->name,
                    "the hull of the mesh \"%.60s\" is reduced to %d corners; it lies up to %.3g m "
                    "inside the full one",
                    mesh->name, mesh->corners.count, dropped);
  return true;
}
