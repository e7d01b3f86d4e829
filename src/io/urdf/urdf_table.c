// urdf_table.c - the elements and attributes of URDF that are known, and what becomes of them.
#include "io/urdf/urdf.h"

#include <rigor/util.h>

#include <string.h>

typedef enum Fate { READ, LOOKS, IGNORED } Fate;

typedef struct Entry {
  const char* in;
  const char* name;
  Fate fate;
  const char *read, *ignored;
} Entry;

// clang-format off
static const Entry entries[] = {
    {"robot", "link", READ, "name", "type"},
    {"robot", "joint", READ, "name type", "dont_collapse"},
    {"robot", "material", LOOKS, "", ""},
    {"robot", "transmission", IGNORED, "", ""},
    {"robot", "gazebo", IGNORED, "", ""},
    {"robot", "sensor", IGNORED, "", ""},
    {"robot", "ros2_control", IGNORED, "", ""},
    {"robot", "mujoco", IGNORED, "", ""},
    {"link", "inertial", READ, "", ""},
    {"link", "visual", LOOKS, "", ""},
    {"link", "collision", READ, "name", "group concave"},
    {"link", "sensor", IGNORED, "", ""},
    {"link", "contact", IGNORED, "", ""},
    {"link", "self_collision_checking", IGNORED, "", ""},
    {"link", "collision_checking", IGNORED, "", ""},
    {"link", "verbose", IGNORED, "", ""},
    {"inertial", "origin", READ, "xyz rpy", ""},
    {"inertial", "mass", READ, "value", ""},
    {"inertial", "inertia", READ, "ixx ixy ixz iyy iyz izz", ""},
    {"collision", "origin", READ, "xyz rpy", ""},
    {"collision", "geometry", READ, "", ""},
    {"collision", "material", LOOKS, "", ""},
    {"collision", "contact_coefficients", IGNORED, "", ""},
    {"collision", "verbose", IGNORED, "", ""},
    {"geometry", "box", READ, "size", ""},
    {"geometry", "sphere", READ, "radius", ""},
    {"geometry", "cylinder", READ, "radius length", ""},
    {"geometry", "capsule", READ, "radius length", ""},
    {"geometry", "mesh", READ, "filename scale", "convex"},
    {"joint", "origin", READ, "xyz rpy", ""},
    {"joint", "parent", READ, "link", ""},
    {"joint", "child", READ, "link", ""},
    {"joint", "axis", READ, "xyz", ""},
    {"joint", "limit", READ, "lower upper effort velocity", "acceleration jerk deceleration"},
    {"joint", "dynamics", READ, "damping friction", "spring_reference spring_stiffness rotor_inertia"},
    {"joint", "mimic", READ, "joint multiplier offset", ""},
    {"joint", "calibration", IGNORED, "", ""},
    {"joint", "safety_controller", IGNORED, "", ""},
};
// clang-format on

static bool has_word(const char* list, const char* word) {
  size_t length = strlen(word);
  for (const char* at = list; length > 0 && (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

static bool unknown(rgUrdf* u, const rgXmlElement* e) {
  rgGuess guess = {.word = e->name};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(entries[i].in, e->parent->name) == 0)
      rg_guess_offer(&guess, entries[i].name);
  return rg_robot_fail(u->robot, rg_robot_place(e), "unknown element <%.40s> in <%s>%s%s%s",
                       e->name, e->parent->name, guess.best ? "; did you mean <" : "",
                       guess.best ? guess.best : "", guess.best ? ">?" : "");
}

// What xacro would have replaced.
static bool find_xacro(rgUrdf* u, const rgXmlElement* e) {
  bool macro = strncmp(e->name, "xacro:", 6) == 0;
  rgRobotPlace place = rg_robot_place(e);
  for (int i = 0; i < e->attribute_count && !macro; i++)
    if (strstr(e->attributes[i].value, "${") || strstr(e->attributes[i].value, "$(")) {
      macro = true;
      place = rg_robot_place_of(e, &e->attributes[i]);
    }
  return !macro ||
         rg_robot_fail(u->robot, place,
                       "has macros of xacro; expand them first: xacro %.200s > robot.urdf",
                       u->robot->name);
}

static bool check_attributes(rgUrdf* u, const rgXmlElement* e, const Entry* entry) {
  for (int i = 0; i < e->attribute_count; i++) {
    const rgXmlAttribute* a = &e->attributes[i];
    if (has_word(entry->read, a->name))
      continue;
    if (!has_word(entry->ignored, a->name) && !strchr(a->name, ':'))
      return rg_robot_fail(u->robot, rg_robot_place_of(e, a), "unknown attribute %.40s of <%s>",
                           a->name, e->name);
    char key[140] = "attribute ";
    strncat(key, a->name, 60);
    strncat(key, e->name, 60);
    rg_robot_remark(u->robot, rg_robot_place_of(e, a), key, "%s of <%s> is ignored", a->name,
                    e->name);
  }
  return true;
}

static bool check(rgUrdf* u, const rgXmlElement* e) {
  const Entry* entry = NULL;
  for (size_t i = 0; i < sizeof entries / sizeof *entries && !entry; i++)
    if (strcmp(entries[i].name, e->name) == 0 && strcmp(entries[i].in, e->parent->name) == 0)
      entry = &entries[i];
  if (!find_xacro(u, e))
    return false;
  // What has a prefix is for another program.
  bool foreign = !entry && strchr(e->name, ':');
  if (!entry && !foreign)
    return unknown(u, e);
  char key[80] = "element ";
  strncat(key, e->name, 60);
  if (entry && entry->fate == LOOKS) {
    rg_robot_remark(u->robot, rg_robot_place(e), "looks",
                    "what only pictures need is left out (<visual>, <material>)");
    return true;
  }
  if (foreign || entry->fate == IGNORED) {
    rg_robot_remark(u->robot, rg_robot_place(e), key, "<%.60s> is ignored", e->name);
    return true;
  }
  if (!check_attributes(u, e, entry))
    return false;
  for (const rgXmlElement* child = e->child; child; child = child->next)
    if (!check(u, child))
      return false;
  return true;
}

bool rg_urdf_check(rgUrdf* u) {
  for (int i = 0; i < u->root->attribute_count; i++) {
    const rgXmlAttribute* a = &u->root->attributes[i];
    if (!has_word("name version", a->name) && strncmp(a->name, "xmlns", 5) != 0 &&
        strncmp(a->name, "xsi:", 4) != 0)
      return rg_robot_fail(u->robot, rg_robot_place_of(u->root, a),
                           "unknown attribute %.40s of <robot>", a->name);
  }
  for (const rgXmlElement* e = u->root->child; e; e = e->next)
    if (!check(u, e))
      return false;
  return true;
}
