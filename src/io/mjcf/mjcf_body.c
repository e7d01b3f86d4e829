// mjcf_body.c - the tree of bodies: frames, copies, masses.
#include "io/mjcf/mjcf.h"

#include "base/memory.h"
#include "math/sym3.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

enum { COPIES_MAX = 10000 };

static bool is(const rgXmlElement* element, const char* name) {
  return strcmp(element->name, name) == 0;
}

// -------------------------------------------------------------------------------------------------
// Mass
// -------------------------------------------------------------------------------------------------

static bool read_inertial(rgMjcf* m, const rgXmlElement* e, rgPose frame, rgMassProperties* mass) {
  rgRobot* robot = m->robot;
  rgPose pose;
  double full[6], diagonal[3];
  int full_count, diagonal_count;
  *mass = (rgMassProperties){0};
  if (!rg_mjcf_pose(m, e, &pose) || !rg_robot_real(robot, e, "mass", &mass->mass) ||
      !rg_robot_reals(robot, e, "diaginertia", 3, 3, diagonal, &diagonal_count) ||
      !rg_robot_reals(robot, e, "fullinertia", 6, 6, full, &full_count))
    return false;
  if (!rg_xml_attribute(e, "mass") || mass->mass < 0)
    return rg_robot_fail(robot, rg_robot_place(e), "<inertial> needs a mass >= 0");
  if (full_count == 0 && diagonal_count == 0)
    return rg_robot_fail(robot, rg_robot_place(e), "<inertial> has no diaginertia or fullinertia");
  if (full_count > 0)
    mass->inertia = (rgMat3){
        {{full[0], full[3], full[4]}, {full[3], full[1], full[5]}, {full[4], full[5], full[2]}}};
  else
    mass->inertia = m3_diag(diagonal[0], diagonal[1], diagonal[2]);
  *mass = rg_robot_mass_move(*mass, pose_mul(frame, pose));
  return true;
}

// The bounds of <compiler>, and the check of what the file says.
static bool finish_mass(rgMjcf* m, rgRobotPlace place, rgMassProperties* mass) {
  const rgMjcfSettings* s = &m->settings;
  rgVec3 moments;
  rgMat3 axes;
  mass->mass = fmax(mass->mass, s->least_mass);
  if (mass->mass == 0)
    return true;
  rg_sym3_eigen(&mass->inertia, &moments, &axes);
  rgVec3 least = v3(s->least_inertia, s->least_inertia, s->least_inertia);
  rgVec3 bounded = s->least_inertia > 0 ? v3_max(moments, least) : moments;
  if (s->balance && bounded.z > bounded.x + bounded.y) {
    double mean = (bounded.x + bounded.y + bounded.z) / 3;
    bounded = v3(mean, mean, mean);
    rg_robot_remark(m->robot, place, "balance",
                    "the inertia breaks the triangle rule and is replaced by its mean, as "
                    "balanceinertia asks");
  }
  if (!v3_equal(moments, bounded))
    mass->inertia = m3_congruence(&axes, bounded);
  const char* fault = rg_robot_inertia_fault(&mass->inertia, &moments);
  if (fault)
    return rg_robot_fail(m->robot, place, "has an inertia that %s (principal moments %g, %g, %g)",
                         fault, moments.x, moments.y, moments.z);
  return true;
}

// Mass of geoms whose mesh is missing is spread over the other ones, by their mass, or by their
// volume where they are said to have none.
static bool spread_lost(rgMjcf* m, rgMjcfMassSum* sum) {
  if (!sum->lost_file)
    return true;
  rgMassProperties over = sum->mass.mass > 0 ? sum->mass : sum->spare;
  if (sum->unknown || !(over.mass > 0))
    return rg_robot_fail(m->robot, sum->lost_place,
                         "the mass of the body needs a mesh, but %s cannot be read",
                         sum->lost_file);
  rg_robot_remark(m->robot, sum->lost_place, "lost-mass",
                  "%s cannot be read; its mass (%g) is spread over the body's other geoms",
                  sum->lost_file, sum->lost);
  double factor = (sum->mass.mass + sum->lost) / over.mass;
  sum->mass = over;
  sum->mass.mass *= factor;
  sum->mass.inertia = m3_scale(&over.inertia, factor);
  return true;
}

// -------------------------------------------------------------------------------------------------
// One body
// -------------------------------------------------------------------------------------------------

typedef struct Body {
  int link;
  const rgXmlElement* inertial;
  rgPose inertial_frame;
  rgMjcfMassSum sum;
} Body;

static bool read_site(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame, int class) {
  const rgXmlElement* e = rg_mjcf_whole(m, element, class);
  rgPose pose;
  if (!e || !rg_mjcf_pose(m, e, &pose))
    return false;
  double ends[6];
  int count;
  if (!rg_robot_reals(m->robot, e, "fromto", 6, 6, ends, &count))
    return false;
  if (count == 6)
    pose = (rgPose){v3((ends[0] + ends[3]) / 2, (ends[1] + ends[4]) / 2, (ends[2] + ends[5]) / 2),
                    rg_robot_from_z(v3(ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]))};
  if (!rg_reserve(&m->robot->scratch.allocator, (void**)&m->sites, &m->site_capacity,
                  m->site_count + 1, sizeof *m->sites))
    return rg_robot_no_memory(m->robot);
  m->sites[m->site_count] = (rgMjcfSite){link, pose_mul(frame, pose)};
  return rg_mjcf_add_name(m, &m->site_names, e, rg_mjcf_name(m, e), m->site_count++);
}

// A <frame>: what is in it is placed by it.
static bool enter_frame(rgMjcf* m, const rgXmlElement* e, rgPose* frame, int* class) {
  rgPose pose;
  *class = rg_mjcf_find_class(m, e, "childclass", *class);
  if (*class < 0 || !rg_mjcf_pose(m, e, &pose))
    return false;
  *frame = pose_mul(*frame, pose);
  return true;
}

// Joints, geoms, sites and the mass of a body, through frames.
static bool read_own(rgMjcf* m, const rgXmlElement* element, Body* body, rgPose frame, int class) {
  for (const rgXmlElement* e = element->child; e; e = e->next) {
    bool good = true;
    if (is(e, "geom")) {
      good = rg_mjcf_read_geom(m, e, body->link, frame, class, body->link ? &body->sum : NULL);
    } else if (is(e, "joint") || is(e, "freejoint")) {
      good = rg_mjcf_read_joint(m, e, body->link, frame, class);
    } else if (is(e, "site")) {
      good = read_site(m, e, body->link, frame, class);
    } else if (is(e, "inertial")) {
      body->inertial = e;
      body->inertial_frame = frame;
    } else if (is(e, "frame")) {
      rgPose inner = frame;
      int inner_class = class;
      good = enter_frame(m, e, &inner, &inner_class) && read_own(m, e, body, inner, inner_class);
    }
    if (!good)
      return false;
  }
  return true;
}

static bool read_mass(rgMjcf* m, const rgXmlElement* element, Body* body) {
  rgMassProperties* mass = &m->robot->links[body->link].mass;
  bool given = body->inertial && m->settings.from_geoms != 1;
  if (!given && !spread_lost(m, &body->sum))
    return false;
  *mass = body->sum.mass;
  if (given && !read_inertial(m, body->inertial, body->inertial_frame, mass))
    return false;
  rgRobotPlace place = rg_robot_place(given ? body->inertial : element);
  return finish_mass(m, place, mass);
}

static bool read_body(rgMjcf* m, const rgXmlElement* e, int parent, rgPose frame, int class) {
  rgRobot* robot = m->robot;
  rgPose pose;
  bool mocap = false;
  double weightless = 0;
  class = rg_mjcf_find_class(m, e, "childclass", class);
  if (class < 0 || !rg_mjcf_pose(m, e, &pose) || !rg_mjcf_bool(m, e, "mocap", &mocap) ||
      !rg_robot_real(robot, e, "gravcomp", &weightless))
    return false;
  int index = robot->link_count;
  rgRobotLink* link = rg_robot_add_link(robot, rg_robot_place(e), rg_mjcf_name(m, e), parent);
  if (!link || !rg_mjcf_add_name(m, &m->link_names, e, link->name, index))
    return false;
  link->pose = pose_mul(frame, pose);
  link->carried = mocap;
  link->weightless = weightless;
  if (mocap && parent != 0)
    return rg_robot_fail(robot, link->place, "a mocap body must be a child of the world");
  Body body = {.link = index};
  return read_own(m, e, &body, pose_identity(), class) && read_mass(m, e, &body) &&
         rg_mjcf_read_bodies(m, e, index, pose_identity(), class);
}

// -------------------------------------------------------------------------------------------------
// Children
// -------------------------------------------------------------------------------------------------

// Copies, each one step of offset and rotation after the one before.
static bool read_copies(rgMjcf* m, const rgXmlElement* e, int link, rgPose frame, int class) {
  rgRobot* robot = m->robot;
  int count = 1;
  rgPose step = pose_identity();
  if (!rg_robot_int(robot, e, "count", &count) || !rg_mjcf_pose(m, e, &step) ||
      !rg_robot_vec3(robot, e, "offset", &step.position))
    return false;
  if (count < 1 || count > COPIES_MAX)
    return rg_robot_fail(robot, rg_robot_place(e), "count is %d, must be from 1 to %d", count,
                         COPIES_MAX);
  const char* outer = m->suffix;
  const char* separator = rg_robot_string(e, "sep", "");
  int digits = snprintf(NULL, 0, "%d", count);
  bool good = true;
  for (int i = 0; i < count && good; i++) {
    m->suffix = rg_robot_text(robot, "%s%.20s%0*d", outer, separator, digits, i);
    Body world = {.link = link};
    good = (link != 0 || read_own(m, e, &world, frame, class)) &&
           rg_mjcf_read_bodies(m, e, link, frame, class);
    frame = pose_mul(frame, step);
  }
  m->suffix = outer;
  return good;
}

bool rg_mjcf_read_bodies(rgMjcf* m, const rgXmlElement* parent, int link, rgPose frame,
                         int class_index) {
  if (is(parent, "worldbody") && !m->part) {
    Body world = {.link = link};
    if (!read_own(m, parent, &world, frame, class_index))
      return false;
  }
  for (const rgXmlElement* e = parent->child; e; e = e->next) {
    bool good = true;
    if (is(e, "body")) {
      good = read_body(m, e, link, frame, class_index);
    } else if (is(e, "frame")) {
      rgPose inner = frame;
      int inner_class = class_index;
      good = enter_frame(m, e, &inner, &inner_class) &&
             rg_mjcf_read_bodies(m, e, link, inner, inner_class);
    } else if (is(e, "replicate")) {
      good = read_copies(m, e, link, frame, class_index);
    } else if (is(e, "attach")) {
      good = rg_mjcf_attach(m, e, link, frame);
    }
    if (!good)
      return false;
  }
  return true;
}
