// mjcf_sensor.c - sensors at sites, of frames and of joints. What has no counterpart is ignored with a
// remark, by the table.
#include "io/mjcf/mjcf.h"

#include "math/vec.h"

#include <string.h>

// What a sensor is attached to.
typedef enum Carrier { SITE, FRAME, JOINT } Carrier;

static const struct {
  const char* word;
  Carrier carrier;
  rgSensorKind kind;
  const char* remark; // where it shows something else; NULL: it does not
} kinds[] = {
    {"accelerometer", SITE, RG_SENSOR_ACCELEROMETER, NULL},
    {"gyro", SITE, RG_SENSOR_GYRO, NULL},
    {"velocimeter", SITE, RG_SENSOR_VELOCIMETER, NULL},
    {"force", SITE, RG_SENSOR_FORCE_TORQUE, "shows force and torque"},
    {"torque", SITE, RG_SENSOR_FORCE_TORQUE, "shows force and torque"},
    {"touch", SITE, RG_SENSOR_TOUCH, "adds up all contacts of its body, wherever they are"},
    {"rangefinder", SITE, RG_SENSOR_RANGE, "shows an infinite distance where there is nothing"},
    {"framepos", FRAME, RG_SENSOR_POSITION, NULL},
    {"framequat", FRAME, RG_SENSOR_ORIENTATION, NULL},
    {"framelinvel", FRAME, RG_SENSOR_VELOCITY, NULL},
    {"jointpos", JOINT, RG_SENSOR_JOINT_COORDINATE, NULL},
    {"jointvel", JOINT, RG_SENSOR_JOINT_RATE, NULL},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool at_site(rgMjcf* m, const rgXmlElement* e, const char* attribute, int* link,
                    rgPose* pose) {
  int site = rg_mjcf_find(m, &m->site_names, e, attribute, "site");
  if (site < 0)
    return false;
  *link = m->sites[site].link;
  *pose = m->sites[site].pose;
  return true;
}

static bool unlike(rgMjcf* m, const rgXmlElement* e, const char* why) {
  char key[80] = "sensor ";
  strncat(key, e->name, 60);
  rg_robot_remark(m->robot, rg_robot_place(e), key, "<%s> is left out: %s", e->name, why);
  return false;
}

// Of a frame: a site, or a body by its frame or, where the orientation does not matter, its centre.
static bool at_frame(rgMjcf* m, const rgXmlElement* e, rgSensorKind kind, int* link, rgPose* pose) {
  const char* type = rg_robot_string(e, "objtype", "");
  if (rg_xml_attribute(e, "refname"))
    return unlike(m, e, "frames are measured against the world alone");
  if (strcmp(type, "site") == 0)
    return at_site(m, e, "objname", link, pose);
  bool own = strcmp(type, "xbody") == 0, center = strcmp(type, "body") == 0;
  if (!own && (!center || kind == RG_SENSOR_ORIENTATION))
    return unlike(m, e,
                  "of frames, those of sites and bodies (xbody) are measured, and the "
                  "centres of bodies");
  *link = rg_mjcf_find(m, &m->link_names, e, "objname", "body");
  if (*link < 0)
    return false;
  *pose = pose_identity();
  if (center)
    pose->position = m->robot->links[*link].mass.center;
  return true;
}

static bool read_sensor(rgMjcf* m, const rgXmlElement* e, int k) {
  int link = -1, joint = -1;
  rgPose pose = pose_identity();
  if (kinds[k].carrier == JOINT) {
    joint = rg_mjcf_find(m, &m->joint_names, e, "joint", "joint");
  } else if (kinds[k].carrier == SITE) {
    if (!rg_xml_attribute(e, "site")) {
      unlike(m, e, "it is at no site");
      return true;
    }
    at_site(m, e, "site", &link, &pose);
  } else {
    at_frame(m, e, kinds[k].kind, &link, &pose);
  }
  if (link < 0 && joint < 0) // a failure, a remark, or of another part of the model
    return m->robot->status == RG_OK;
  if (joint >= 0 && m->robot->joints[joint].kind != RG_ROBOT_HINGE &&
      m->robot->joints[joint].kind != RG_ROBOT_SLIDE)
    return rg_robot_fail(m->robot, rg_robot_place(e), "<%s> needs a hinge or slide joint", e->name);
  rgRobotSensor* sensor =
      rg_robot_add_sensor(m->robot, rg_robot_place(e), rg_mjcf_name(m, e), kinds[k].kind);
  if (!sensor)
    return false;
  sensor->what = kinds[k].word;
  sensor->link = link;
  sensor->joint = joint;
  sensor->pose = pose;
  if (kinds[k].remark) {
    char key[80] = "sensor like ";
    strncat(key, e->name, 60);
    rg_robot_remark(m->robot, sensor->place, key, "<%s> %s", e->name, kinds[k].remark);
  }
  return true;
}

bool rg_mjcf_read_sensors(rgMjcf* m) {
  for (const rgXmlElement* section = m->root->child; section; section = section->next)
    for (const rgXmlElement* e = strcmp(section->name, "sensor") == 0 ? section->child : NULL; e;
         e = e->next)
      for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].word, e->name) == 0 && !read_sensor(m, e, k))
          return false;
  return true;
}
