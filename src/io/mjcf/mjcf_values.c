// mjcf_values.c - settings, options, poses and names.
#include "io/mjcf/mjcf.h"

#include "math/vec.h"

#include <stdio.h>
#include <string.h>

bool rg_mjcf_bool(rgMjcf* m, const rgXmlElement* element, const char* name, bool* value) {
  static const char* const words[] = {"false", "true", NULL};
  int word = *value;
  bool good = rg_robot_word(m->robot, element, name, words, &word);
  *value = word == 1;
  return good;
}

// -------------------------------------------------------------------------------------------------
// Settings
// -------------------------------------------------------------------------------------------------

static bool read_sequence(rgMjcf* m, const rgXmlElement* e) {
  const rgXmlAttribute* a = rg_xml_attribute(e, "eulerseq");
  if (!a)
    return true;
  bool good = strlen(a->value) == 3;
  for (int i = 0; i < 3 && good; i++)
    good = strchr("xyzXYZ", a->value[i]) != NULL;
  if (!good)
    return rg_robot_fail(m->robot, rg_robot_place_of(e, a),
                         "eulerseq is \"%.20s\", must be three of x, y, z, X, Y, Z", a->value);
  memcpy(m->settings.sequence, a->value, 4);
  return true;
}

static bool read_folder(rgMjcf* m, const rgXmlElement* e) {
  const char* folder = rg_robot_string(e, "meshdir", rg_robot_string(e, "assetdir", NULL));
  if (!folder)
    return true;
  size_t length = strlen(folder);
  bool slash = length == 0 || folder[length - 1] == '/';
  m->settings.mesh_folder = rg_robot_text(m->robot, "%.400s%s", folder, slash ? "" : "/");
  return m->robot->status == RG_OK;
}

static bool read_compiler(rgMjcf* m, const rgXmlElement* e) {
  static const char* const angles[] = {"degree", "radian", NULL};
  static const char* const autos[] = {"false", "true", "auto", NULL};
  static const char* const coordinates[] = {"local", "global", NULL};
  rgRobot* robot = m->robot;
  rgMjcfSettings* s = &m->settings;
  int angle = s->radians, coordinate = 0;
  bool good = rg_robot_word(robot, e, "angle", angles, &angle) &&
              rg_robot_word(robot, e, "coordinate", coordinates, &coordinate) &&
              rg_robot_word(robot, e, "inertiafromgeom", autos, &s->from_geoms) &&
              rg_robot_reals(robot, e, "inertiagrouprange", 2, 2, s->group_range, NULL) &&
              rg_robot_real(robot, e, "boundmass", &s->least_mass) &&
              rg_robot_real(robot, e, "boundinertia", &s->least_inertia) &&
              rg_robot_real(robot, e, "settotalmass", &s->total_mass) &&
              rg_mjcf_bool(m, e, "balanceinertia", &s->balance) &&
              rg_mjcf_bool(m, e, "autolimits", &s->autolimits) &&
              rg_mjcf_bool(m, e, "strippath", &s->strip_path) &&
              rg_mjcf_bool(m, e, "exactmeshinertia", &s->exact_inertia) && read_sequence(m, e) &&
              read_folder(m, e);
  s->radians = angle == 1;
  if (good && coordinate == 1)
    return rg_robot_fail(robot, rg_robot_place_of(e, rg_xml_attribute(e, "coordinate")),
                         "coordinate is \"global\"; only local coordinates are read");
  return good;
}

bool rg_mjcf_read_settings(rgMjcf* m) {
  m->settings = (rgMjcfSettings){.autolimits = true,
                                 .from_geoms = 2,
                                 .group_range = {0, 5},
                                 .total_mass = -1,
                                 .sequence = "xyz",
                                 .mesh_folder = ""};
  for (const rgXmlElement* e = m->root->child; e; e = e->next)
    if (strcmp(e->name, "compiler") == 0 && !read_compiler(m, e))
      return false;
  return true;
}

static bool read_flags(rgMjcf* m, const rgXmlElement* e) {
  static const char* const words[] = {"disable", "enable", NULL};
  int gravity = 1, contact = 1;
  if (!rg_robot_word(m->robot, e, "gravity", words, &gravity) ||
      !rg_robot_word(m->robot, e, "contact", words, &contact))
    return false;
  if (gravity == 0)
    m->robot->gravity = v3_zero();
  if (contact == 0)
    m->robot->no_contact = true;
  return true;
}

bool rg_mjcf_read_options(rgMjcf* m) {
  rgRobot* robot = m->robot;
  robot->step = 0.002; // MuJoCo's default
  for (const rgXmlElement* e = m->root->child; e; e = e->next) {
    if (strcmp(e->name, "option") != 0)
      continue;
    if (!rg_robot_real(robot, e, "timestep", &robot->step) ||
        !rg_robot_vec3(robot, e, "gravity", &robot->gravity))
      return false;
    if (!(robot->step > 0))
      return rg_robot_fail(robot, rg_robot_place_of(e, rg_xml_attribute(e, "timestep")),
                           "timestep is %g, must be > 0", robot->step);
    for (const rgXmlElement* flag = e->child; flag; flag = flag->next)
      if (!read_flags(m, flag))
        return false;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Poses
// -------------------------------------------------------------------------------------------------

static double angle_of(const rgMjcf* m, double value) {
  return m->settings.radians ? value : value * (RG_PI / 180);
}

// Turns about the axes of the sequence: small letters about axes that turn along, large ones about
// fixed axes.
static rgQuat from_euler(const rgMjcf* m, const double angles[3]) {
  rgQuat q = quat_identity();
  for (int i = 0; i < 3; i++) {
    char c = m->settings.sequence[i];
    bool fixed = c < 'a';
    int axis = fixed ? c - 'X' : c - 'x';
    rgQuat turn = rg_robot_turn(v3(axis == 0, axis == 1, axis == 2), angle_of(m, angles[i]));
    q = fixed ? quat_mul(turn, q) : quat_mul(q, turn);
  }
  return q;
}

static bool fail_orientation(rgMjcf* m, const rgXmlElement* e, const char* name) {
  return rg_robot_fail(m->robot, rg_robot_place_of(e, rg_xml_attribute(e, name)),
                       "%s of <%s> has no direction, must not be zero", name, e->name);
}

static bool read_orientation(rgMjcf* m, const rgXmlElement* e, rgQuat* q) {
  rgRobot* robot = m->robot;
  double quat[4] = {1, 0, 0, 0}, turn[4] = {0, 0, 1, 0}, axes[6] = {1, 0, 0, 0, 1, 0};
  double euler[3] = {0};
  rgVec3 z = v3(0, 0, 1);
  if (!rg_robot_reals(robot, e, "quat", 4, 4, quat, NULL) ||
      !rg_robot_reals(robot, e, "axisangle", 4, 4, turn, NULL) ||
      !rg_robot_reals(robot, e, "xyaxes", 6, 6, axes, NULL) ||
      !rg_robot_reals(robot, e, "euler", 3, 3, euler, NULL) ||
      !rg_robot_vec3(robot, e, "zaxis", &z))
    return false;
  rgQuat given = {quat[0], quat[1], quat[2], quat[3]};
  if (!(quat_norm2(given) > 0))
    return fail_orientation(m, e, "quat");
  *q = quat_unit(given);
  if (rg_xml_attribute(e, "axisangle"))
    *q = rg_robot_turn(v3(turn[0], turn[1], turn[2]), angle_of(m, turn[3]));
  if (rg_xml_attribute(e, "euler"))
    *q = from_euler(m, euler);
  if (rg_xml_attribute(e, "zaxis")) {
    if (!(v3_norm(z) > 0))
      return fail_orientation(m, e, "zaxis");
    *q = rg_robot_from_z(z);
  }
  if (rg_xml_attribute(e, "xyaxes")) {
    rgVec3 x = v3_unit_or(v3(axes[0], axes[1], axes[2]), v3_zero()),
           y = v3(axes[3], axes[4], axes[5]);
    y = v3_unit_or(v3_axpy(y, -v3_dot(x, y), x), v3_zero());
    if (!(v3_norm(v3_cross(x, y)) > 0.5))
      return fail_orientation(m, e, "xyaxes");
    *q = rg_robot_from_axes(x, y, v3_cross(x, y));
  }
  return true;
}

bool rg_mjcf_pose(rgMjcf* m, const rgXmlElement* element, rgPose* pose) {
  *pose = pose_identity();
  return rg_robot_vec3(m->robot, element, "pos", &pose->position) &&
         read_orientation(m, element, &pose->orientation);
}

// -------------------------------------------------------------------------------------------------
// Names
// -------------------------------------------------------------------------------------------------

const char* rg_mjcf_name(rgMjcf* m, const rgXmlElement* element) {
  const char* name = rg_robot_string(element, "name", "");
  return name[0] ? rg_robot_text(m->robot, "%s%s%s", m->prefix, name, m->suffix) : "";
}

bool rg_mjcf_add_name(rgMjcf* m, rgNames* names, const rgXmlElement* element, const char* name,
                      int index) {
  if (!name[0])
    return true;
  if (rg_names_find(names, name, strlen(name)) >= 0)
    return rg_robot_fail(m->robot, rg_robot_place_of(element, rg_xml_attribute(element, "name")),
                         "a second <%s> has the name \"%.60s\"; names must be unique",
                         element->name, name);
  return rg_names_add(names, name, index) ? true : rg_robot_no_memory(m->robot);
}

int rg_mjcf_find(rgMjcf* m, const rgNames* names, const rgXmlElement* element,
                 const char* attribute, const char* what) {
  const rgXmlAttribute* named = rg_xml_attribute(element, attribute);
  if (!named) {
    rg_robot_fail(m->robot, rg_robot_place(element), "<%s> has no %s", element->name, attribute);
    return -1;
  }
  const char* full = rg_robot_text(m->robot, "%s%s%s", m->prefix, named->value, m->suffix);
  int index = rg_names_find(names, full, strlen(full));
  if (index < 0)
    index = rg_names_find(names, named->value, strlen(named->value));
  if (index >= 0 || m->part)
    return index;
  rgGuess guess = {.word = named->value};
  rg_names_guess(names, &guess);
  rg_robot_fail(m->robot, rg_robot_place_of(element, named),
                "%s of <%s> is \"%.60s\", which is no %s of the model%s%.60s%s", attribute,
                element->name, named->value, what, guess.best ? "; did you mean \"" : "",
                guess.best ? guess.best : "", guess.best ? "\"?" : "");
  return -1;
}
