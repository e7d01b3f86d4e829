// mjcf_table.c - the elements and attributes of MJCF that are known, and what becomes of them.
#include "io/mjcf/mjcf.h"

#include <rigor/util.h>

#include <string.h>

typedef enum Fate {
  READ,    // it is read
  LOOKS,   // only pictures need it: left out with all inside it
  IGNORED, // left out with all inside it, with a remark of its own
  REFUSED  // the model means something else without it
} Fate;

typedef struct Entry {
  const char* in; // the elements it may be in; "body" stands for worldbody, frame, replicate too
  const char* name;
  Fate fate;
  const char* read;    // attributes that are read
  const char* ignored; // attributes that are remarked
  const char* silent;  // attributes without a meaning for the motion
} Entry;

#define POSE "pos quat axisangle xyaxes zaxis euler "
#define SOFT "solref solimp "
#define DRIVE                                                                                      \
  "name class joint jointinparent tendon site body refsite cranksite slidersite gear ctrllimited " \
  "ctrlrange forcelimited forcerange "
#define DRIVE_IGNORED                                                                              \
  "actlimited actrange actdim actearly lengthrange cranklength user nsample interp delay "         \
  "armature damping input velrange ffrange "
#define DRIVE_SILENT "group "
#define SENSE_IGNORED "cutoff nsample interp delay interval "
#define SENSE_SILENT "noise user group "

// clang-format off
static const Entry entries[] = {
    {"mujoco", "compiler", READ,
     "angle eulerseq meshdir assetdir autolimits inertiafromgeom inertiagrouprange boundmass "
     "boundinertia balanceinertia settotalmass coordinate strippath exactmeshinertia",
     "fitaabb alignfree saveinertial conflict",
     "texturedir discardvisual convexhull usethread fusestatic"},
    {"compiler", "lengthrange", IGNORED, "", "", ""},
    {"mujoco", "option", READ,
     "timestep gravity",
     "impratio wind magnetic density viscosity o_margin o_solref o_solimp o_friction integrator "
     "cone jacobian solver iterations tolerance ls_iterations ls_tolerance noslip_iterations "
     "noslip_tolerance mpr_iterations mpr_tolerance ccd_iterations ccd_tolerance sdf_iterations "
     "sdf_initpoints actuatorgroupdisable apirate collision sleep_tolerance",
     ""},
    {"option", "flag", READ,
     "gravity contact",
     "constraint equality frictionloss limit passive spring damper clampctrl warmstart filterparent "
     "actuation refsafe sensor midphase eulerdamp autoreset override energy fwdinv invdiscrete "
     "sensornoise multiccd island nativeccd sleep diagexact ipc",
     ""},
    {"mujoco", "size", READ, "", "",
     "memory njmax nconmax nstack nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site "
     "nuser_cam nuser_tendon nuser_actuator nuser_sensor"},
    {"mujoco", "visual", LOOKS, "", "", ""},
    {"mujoco", "statistic", LOOKS, "", "", ""},
    {"mujoco default", "default", READ, "class", "", ""},
    {"mujoco", "custom", IGNORED, "", "", ""},
    {"mujoco", "asset", READ, "", "", ""},
    {"mujoco", "worldbody", READ, "", "", "name"},
    {"mujoco", "contact", READ, "", "", ""},
    {"mujoco", "equality", READ, "", "", ""},
    {"mujoco", "tendon", READ, "", "", ""},
    {"mujoco", "actuator", READ, "", "", ""},
    {"mujoco", "sensor", READ, "", "", ""},
    {"mujoco", "keyframe", READ, "", "", ""},
    {"mujoco", "deformable", READ, "", "", ""},
    {"deformable", "skin", LOOKS, "", "", ""},
    {"deformable", "flex", REFUSED, "", "", ""},
    {"mujoco", "extension", IGNORED, "", "", ""},

    {"asset", "texture", LOOKS, "", "", ""},
    {"asset default", "material", LOOKS, "", "", ""},
    {"asset", "skin", LOOKS, "", "", ""},
    {"asset default", "mesh", READ,
     "name class file scale vertex face refpos refquat inertia maxhullvert content_type", "plugin builtin params",
     "normal texcoord smoothnormal material"},
    {"asset", "hfield", READ, "name file nrow ncol size elevation", "", "content_type"},
    {"asset", "model", READ, "name file", "content_type", ""},

    {"body", "body", READ, POSE "name childclass mocap gravcomp", "sleep", "user simple fuse"},
    {"body", "frame", READ, POSE "childclass", "", "name user"},
    {"body", "replicate", READ, "count sep offset euler", "", "childclass"},
    {"body", "attach", READ, "model body prefix", "frame", ""},
    {"body", "inertial", READ, POSE "mass diaginertia fullinertia", "", ""},
    {"body default", "joint", READ,
     "name class type pos axis limited range damping stiffness springref ref armature frictionloss "
     "actuatorfrcrange actuatorfrclimited",
     SOFT "solreflimit solimplimit solreffriction solimpfriction margin springdamper "
     "actuatorgravcomp user align",
     "group"},
    {"body", "freejoint", READ, "name", "align", "group"},
    {"body default", "geom", READ,
     POSE "name class type size fromto mesh hfield contype conaffinity condim friction priority mass "
     "density group fitscale",
     SOFT "solmix margin gap fluidshape fluidcoef shellinertia surfacevel adhesion",
     "rgba material user"},
    {"body default", "site", READ, POSE "name class fromto", "", "type size group material mesh rgba user"},
    {"body default", "camera", LOOKS, "", "", ""},
    {"body default", "light", LOOKS, "", "", ""},
    {"body", "composite", REFUSED, "", "", ""},
    {"body", "flexcomp", REFUSED, "", "", ""},
    {"body geom mesh", "plugin", IGNORED, "", "", ""},

    {"contact default", "pair", READ, "name class geom1 geom2 condim friction",
     SOFT "solreffriction margin gap adhesion", ""},
    {"contact", "exclude", READ, "name body1 body2", "", ""},

    {"default", "equality", READ, "active", SOFT, ""},
    {"equality", "connect", READ, "name class active body1 body2 anchor site1 site2", SOFT, ""},
    {"equality", "weld", READ, "name class active body1 body2 relpose anchor site1 site2",
     SOFT "torquescale", ""},
    {"equality", "joint", READ, "name class active joint1 joint2 polycoef", SOFT, ""},
    {"equality", "tendon", IGNORED, "", "", ""},
    {"equality", "flex", REFUSED, "", "", ""},
    {"equality", "flexvert", REFUSED, "", "", ""},
    {"equality", "flexstrain", REFUSED, "", "", ""},
    {"equality", "distance", REFUSED, "", "", ""},

    {"default", "tendon", READ, "class",
     "limited range " SOFT "solreflimit solimplimit solreffriction solimpfriction margin frictionloss "
     "springlength stiffness damping armature actuatorfrclimited actuatorfrcrange",
     "width rgba material group user"},
    {"tendon", "fixed", READ, "name class",
     "limited range " SOFT "solreflimit solimplimit solreffriction solimpfriction margin frictionloss "
     "springlength stiffness damping armature actuatorfrclimited actuatorfrcrange",
     "group user"},
    {"tendon", "spatial", IGNORED, "", "", ""},
    {"fixed", "joint", READ, "joint coef", "", ""},

    {"actuator default", "general", READ, DRIVE "dyntype gaintype biastype gainprm biasprm",
     DRIVE_IGNORED "dynprm", DRIVE_SILENT},
    {"actuator default", "motor", READ, DRIVE, DRIVE_IGNORED, DRIVE_SILENT},
    {"actuator default", "position", READ, DRIVE "kp kv dampratio inheritrange", DRIVE_IGNORED "timeconst",
     DRIVE_SILENT},
    {"actuator default", "velocity", READ, DRIVE "kv", DRIVE_IGNORED, DRIVE_SILENT},
    {"actuator default", "intvelocity", IGNORED, "", "", ""},
    {"actuator default", "damper", IGNORED, "", "", ""},
    {"actuator default", "cylinder", IGNORED, "", "", ""},
    {"actuator default", "muscle", IGNORED, "", "", ""},
    {"actuator default", "adhesion", IGNORED, "", "", ""},
    {"actuator default", "orientation", IGNORED, "", "", ""},
    {"actuator default", "pid", IGNORED, "", "", ""},
    {"actuator default", "dcmotor", IGNORED, "", "", ""},
    {"actuator", "plugin", IGNORED, "", "", ""},

    {"sensor", "accelerometer", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "gyro", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "velocimeter", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "force", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "torque", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "touch", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "rangefinder", READ, "name site", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "jointpos", READ, "name joint", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "jointvel", READ, "name joint", SENSE_IGNORED, SENSE_SILENT},
    {"sensor", "framepos", READ, "name objtype objname reftype refname", SENSE_IGNORED,
     SENSE_SILENT},
    {"sensor", "framequat", READ, "name objtype objname reftype refname", SENSE_IGNORED,
     SENSE_SILENT},
    {"sensor", "framelinvel", READ, "name objtype objname reftype refname", SENSE_IGNORED,
     SENSE_SILENT},
    {"sensor", "magnetometer", IGNORED, "", "", ""},
    {"sensor", "camprojection", IGNORED, "", "", ""},
    {"sensor", "tendonpos", IGNORED, "", "", ""},
    {"sensor", "tendonvel", IGNORED, "", "", ""},
    {"sensor", "actuatorpos", IGNORED, "", "", ""},
    {"sensor", "actuatorvel", IGNORED, "", "", ""},
    {"sensor", "actuatorfrc", IGNORED, "", "", ""},
    {"sensor", "jointactuatorfrc", IGNORED, "", "", ""},
    {"sensor", "tendonactuatorfrc", IGNORED, "", "", ""},
    {"sensor", "ballquat", IGNORED, "", "", ""},
    {"sensor", "ballangvel", IGNORED, "", "", ""},
    {"sensor", "jointlimitpos", IGNORED, "", "", ""},
    {"sensor", "jointlimitvel", IGNORED, "", "", ""},
    {"sensor", "jointlimitfrc", IGNORED, "", "", ""},
    {"sensor", "tendonlimitpos", IGNORED, "", "", ""},
    {"sensor", "tendonlimitvel", IGNORED, "", "", ""},
    {"sensor", "tendonlimitfrc", IGNORED, "", "", ""},
    {"sensor", "framexaxis", IGNORED, "", "", ""},
    {"sensor", "frameyaxis", IGNORED, "", "", ""},
    {"sensor", "framezaxis", IGNORED, "", "", ""},
    {"sensor", "frameangvel", IGNORED, "", "", ""},
    {"sensor", "framelinacc", IGNORED, "", "", ""},
    {"sensor", "frameangacc", IGNORED, "", "", ""},
    {"sensor", "subtreecom", IGNORED, "", "", ""},
    {"sensor", "subtreelinvel", IGNORED, "", "", ""},
    {"sensor", "subtreeangmom", IGNORED, "", "", ""},
    {"sensor", "insidesite", IGNORED, "", "", ""},
    {"sensor", "distance", IGNORED, "", "", ""},
    {"sensor", "normal", IGNORED, "", "", ""},
    {"sensor", "fromto", IGNORED, "", "", ""},
    {"sensor", "contact", IGNORED, "", "", ""},
    {"sensor", "e_potential", IGNORED, "", "", ""},
    {"sensor", "e_kinetic", IGNORED, "", "", ""},
    {"sensor", "clock", IGNORED, "", "", ""},
    {"sensor", "user", IGNORED, "", "", ""},
    {"sensor", "tactile", IGNORED, "", "", ""},
    {"sensor", "plugin", IGNORED, "", "", ""},

    {"keyframe", "key", READ, "name qpos qvel ctrl mpos mquat", "time act", ""},
};
// clang-format on

// Why attributes are ignored, by their names.
static const struct {
  const char *names, *why;
} reasons[] = {
    {"solref solimp solreflimit solimplimit solreffriction solimpfriction solmix impratio o_solref "
     "o_solimp springdamper",
     "contacts, limits and joints are rigid here"},
    {"cone jacobian solver iterations tolerance ls_iterations ls_tolerance noslip_iterations "
     "noslip_tolerance integrator mpr_iterations mpr_tolerance ccd_iterations ccd_tolerance",
     "steps and solvers are this program's own, with the exact cone"},
    {"margin gap o_margin", "contacts act where they close"},
    {"density viscosity wind fluidshape fluidcoef", "air and water do not act"},
};

static bool has_word(const char* list, const char* word) {
  size_t length = strlen(word);
  for (const char* at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return length > 0;
  return false;
}

static const char* context_of(const rgXmlElement* element) {
  const char* name = element->name;
  bool body = strcmp(name, "worldbody") == 0 || strcmp(name, "frame") == 0 ||
              strcmp(name, "replicate") == 0;
  return body ? "body" : name;
}

static const Entry* find_entry(const char* context, const char* name) {
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(entries[i].name, name) == 0 && has_word(entries[i].in, context))
      return &entries[i];
  return NULL;
}

static bool unknown_element(rgMjcf* m, const rgXmlElement* element, const char* context) {
  rgGuess guess = {.word = element->name};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (has_word(entries[i].in, context))
      rg_guess_offer(&guess, entries[i].name);
  return rg_robot_fail(
      m->robot, rg_robot_place(element), "unknown element <%.40s> in <%.40s>%s%s%s", element->name,
      element->parent ? element->parent->name : "", guess.best ? "; did you mean <" : "",
      guess.best ? guess.best : "", guess.best ? ">?" : "");
}

// Offers the words of a list to a guess, through copies.
static void offer_words(rgMjcf* m, const char* list, rgGuess* guess) {
  while (*list) {
    size_t length = strcspn(list, " ");
    char* word = rg_pool_take(&m->robot->scratch, length + 1, 1);
    if (!word)
      return;
    memcpy(word, list, length);
    rg_guess_offer(guess, word);
    list += length;
    list += strspn(list, " ");
  }
}

static bool unknown_attribute(rgMjcf* m, const rgXmlElement* element,
                              const rgXmlAttribute* attribute, const Entry* entry) {
  rgGuess guess = {.word = attribute->name};
  offer_words(m, entry->read, &guess);
  offer_words(m, entry->ignored, &guess);
  offer_words(m, entry->silent, &guess);
  return rg_robot_fail(m->robot, rg_robot_place_of(element, attribute),
                       "unknown attribute %.40s of <%s>%s%s%s", attribute->name, element->name,
                       guess.best ? "; did you mean " : "", guess.best ? guess.best : "",
                       guess.best ? "?" : "");
}

static void remark_attribute(rgMjcf* m, const rgXmlElement* element,
                             const rgXmlAttribute* attribute) {
  const char* why = NULL;
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons && !why; i++)
    why = has_word(reasons[i].names, attribute->name) ? reasons[i].why : NULL;
  char key[160];
  strcpy(key, "attribute ");
  strncat(key, element->name, 60);
  strcat(key, " ");
  strncat(key, attribute->name, 60);
  rg_robot_remark(m->robot, rg_robot_place_of(element, attribute), key, "%s of <%s> is ignored%s%s",
                  attribute->name, element->name, why ? ": " : "", why ? why : "");
}

static bool check_attributes(rgMjcf* m, const rgXmlElement* element, const Entry* entry) {
  for (int i = 0; i < element->attribute_count; i++) {
    const rgXmlAttribute* attribute = &element->attributes[i];
    if (has_word(entry->read, attribute->name) || has_word(entry->silent, attribute->name))
      continue;
    if (!has_word(entry->ignored, attribute->name))
      return unknown_attribute(m, element, attribute, entry);
    remark_attribute(m, element, attribute);
  }
  return true;
}

static bool check(rgMjcf* m, const rgXmlElement* element) {
  const char* context = context_of(element->parent);
  const Entry* entry = find_entry(context, element->name);
  if (!entry)
    return unknown_element(m, element, context);
  rgRobotPlace place = rg_robot_place(element);
  if (entry->fate == LOOKS) {
    rg_robot_remark(m->robot, place, "looks",
                    "what only pictures need is left out (<%s>, and materials, textures, lights, "
                    "cameras)",
                    element->name);
    return true;
  }
  if (entry->fate == IGNORED) {
    char key[80] = "element ";
    strncat(key, element->name, 60);
    rg_robot_remark(m->robot, place, key, "<%s> is ignored", element->name);
    return true;
  }
  if (entry->fate == REFUSED)
    return rg_robot_fail(m->robot, place, "<%s> is not supported", element->name);
  if (!check_attributes(m, element, entry))
    return false;
  for (const rgXmlElement* child = element->child; child; child = child->next)
    if (!check(m, child))
      return false;
  return true;
}

bool rg_mjcf_check(rgMjcf* m, const rgXmlElement* root) {
  for (int i = 0; i < root->attribute_count; i++)
    if (strcmp(root->attributes[i].name, "model") != 0)
      return rg_robot_fail(m->robot, rg_robot_place_of(root, &root->attributes[i]),
                           "unknown attribute %.40s of <%s>; did you mean model?",
                           root->attributes[i].name, root->name);
  for (const rgXmlElement* child = root->child; child; child = child->next)
    if (!check(m, child))
      return false;
  return true;
}
