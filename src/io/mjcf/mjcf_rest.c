// mjcf_rest.c - what refers to bodies, geoms and joints by name: contact, equality, tendon.
#include "io/mjcf/mjcf.h"

#include "base/memory.h"
#include "math/vec.h"

#include <string.h>

static bool is(const rgXmlElement* element, const char* name) {
  return strcmp(element->name, name) == 0;
}

// A reference that leads nowhere is a failure, unless only a part of the model is there.
static bool nowhere(const rgMjcf* m) { return m->part && m->robot->status == RG_OK; }

// -------------------------------------------------------------------------------------------------
// Contact
// -------------------------------------------------------------------------------------------------

static bool read_exclude(rgMjcf* m, const rgXmlElement* e) {
  int a = rg_mjcf_find(m, &m->link_names, e, "body1", "body"),
      b = a < 0 ? -1 : rg_mjcf_find(m, &m->link_names, e, "body2", "body");
  if (a < 0 || b < 0)
    return nowhere(m);
  return rg_robot_add_excluded(m->robot, rg_robot_place(e), a, b) != NULL;
}

static bool read_pair(rgMjcf* m, const rgXmlElement* element) {
  rgRobot* robot = m->robot;
  const rgXmlElement* e = rg_mjcf_whole(m, element, 0);
  int a = e ? rg_mjcf_find(m, &m->shape_names, e, "geom1", "geom") : -1,
      b = a < 0 ? -1 : rg_mjcf_find(m, &m->shape_names, e, "geom2", "geom");
  if (a < 0 || b < 0)
    return nowhere(m);
  const rgRobotShape *one = &robot->shapes[a], *other = &robot->shapes[b];
  int dimension = one->dimension > other->dimension ? one->dimension : other->dimension;
  // Two directions of sliding, torsion, two of rolling.
  double friction[5];
  for (int i = 0; i < 5; i++)
    friction[i] = fmax(one->friction[(i + 1) / 2], other->friction[(i + 1) / 2]);
  if (!rg_robot_int(robot, e, "condim", &dimension) ||
      !rg_robot_reals(robot, e, "friction", 1, 5, friction, NULL))
    return false;
  if (friction[0] != friction[1] && rg_xml_attribute(e, "friction"))
    rg_robot_remark(robot, rg_robot_place(e), "pair-friction",
                    "friction of a <pair> that differs between two directions: the first is taken");
  rgRobotPair* pair = rg_robot_add_pair(robot, rg_robot_place(e), a, b);
  if (!pair)
    return false;
  pair->dimension = dimension;
  memcpy(pair->friction, (double[]){friction[0], friction[2], friction[3]}, sizeof pair->friction);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Equality
// -------------------------------------------------------------------------------------------------

// Where a link stands in the reference configuration.
static rgPose reference_pose(const rgRobot* robot, int link) {
  rgPose pose = pose_identity();
  for (; link > 0; link = robot->links[link].parent)
    pose = pose_mul(robot->links[link].pose, pose);
  return pose;
}

static int second_body(rgMjcf* m, const rgXmlElement* e) {
  return rg_xml_attribute(e, "body2") ? rg_mjcf_find(m, &m->link_names, e, "body2", "body") : 0;
}

static bool read_sites(rgMjcf* m, const rgXmlElement* e, bool fixed) {
  int a = rg_mjcf_find(m, &m->site_names, e, "site1", "site"),
      b = a < 0 ? -1 : rg_mjcf_find(m, &m->site_names, e, "site2", "site");
  if (a < 0 || b < 0)
    return nowhere(m);
  rgRobotLoop* loop =
      rg_robot_add_loop(m->robot, rg_robot_place(e), m->sites[a].link, m->sites[b].link);
  if (!loop)
    return false;
  loop->fixed = fixed;
  loop->name = rg_mjcf_name(m, e);
  loop->frame_a = m->sites[a].pose;
  loop->frame_b = m->sites[b].pose;
  return true;
}

// A connection or a weld of two bodies.
static bool read_loop(rgMjcf* m, const rgXmlElement* e, bool fixed) {
  rgRobot* robot = m->robot;
  if (rg_xml_attribute(e, "site1") || rg_xml_attribute(e, "site2"))
    return read_sites(m, e, fixed);
  int a = rg_mjcf_find(m, &m->link_names, e, "body1", "body"), b = a < 0 ? -1 : second_body(m, e);
  if (a < 0 || b < 0)
    return nowhere(m);
  rgVec3 anchor = v3_zero();
  double relative[7] = {0};
  if (!rg_robot_vec3(robot, e, "anchor", &anchor) ||
      !rg_robot_reals(robot, e, "relpose", 7, 7, relative, NULL))
    return false;
  if (!fixed && !rg_xml_attribute(e, "anchor"))
    return rg_robot_fail(robot, rg_robot_place(e), "<connect> has no anchor");
  rgPose pose_a = reference_pose(robot, a), pose_b = reference_pose(robot, b);
  rgRobotLoop* loop = rg_robot_add_loop(robot, rg_robot_place(e), a, b);
  if (!loop)
    return false;
  loop->fixed = fixed;
  loop->name = rg_mjcf_name(m, e);
  if (!fixed) {
    loop->frame_a.position = anchor;
    loop->frame_b.position = pose_unapply(pose_b, pose_apply(pose_a, anchor));
    return true;
  }
  rgQuat q = {relative[3], relative[4], relative[5], relative[6]};
  bool given = quat_norm2(q) > 0;
  loop->frame_a = given ? (rgPose){v3(relative[0], relative[1], relative[2]), quat_unit(q)}
                        : pose_mul(pose_inverse(pose_a), pose_b);
  loop->frame_a.orientation = quat_unit(loop->frame_a.orientation);
  return true;
}

// The polynomial of x that is p(x - reference): MuJoCo's are of the distances from the references.
static void shift(double p[RG_COUPLING_TERMS], double reference) {
  for (int i = 0; i + 1 < RG_COUPLING_TERMS; i++) // Horner's scheme, once for each power
    for (int k = RG_COUPLING_TERMS - 2; k >= i; k--)
      p[k] -= reference * p[k + 1];
}

static bool read_coupling(rgMjcf* m, const rgXmlElement* e) {
  rgRobot* robot = m->robot;
  double poly[5] = {0, 1, 0, 0, 0};
  int a = rg_mjcf_find(m, &m->joint_names, e, "joint1", "joint");
  if (a < 0)
    return nowhere(m);
  if (!rg_robot_reals(robot, e, "polycoef", 1, 5, poly, NULL))
    return false;
  rgRobotJoint* first = &robot->joints[a];
  if (!rg_xml_attribute(e, "joint2")) {
    // Held at a constant.
    first->axis_values.lower = first->axis_values.upper = first->reference + poly[0];
    return true;
  }
  int b = rg_mjcf_find(m, &m->joint_names, e, "joint2", "joint");
  if (b < 0)
    return nowhere(m);
  rgRobotCoupling* c = rg_robot_add_coupling(robot, rg_robot_place(e), a, b);
  if (!c)
    return false;
  memcpy(c->polynomial, poly, sizeof poly);
  shift(c->polynomial, robot->joints[b].reference);
  c->polynomial[0] += first->reference;
  return true;
}

static bool read_equality(rgMjcf* m, const rgXmlElement* element) {
  const rgXmlElement* e = rg_mjcf_whole(m, element, 0);
  bool active = true;
  if (!e || !rg_mjcf_bool(m, e, "active", &active))
    return false;
  if (!active) {
    rg_robot_remark(m->robot, rg_robot_place(e), "inactive",
                    "an equality that is not active is left out");
    return true;
  }
  if (is(e, "connect"))
    return read_loop(m, e, false);
  if (is(e, "weld"))
    return read_loop(m, e, true);
  return is(e, "joint") ? read_coupling(m, e) : true;
}

// -------------------------------------------------------------------------------------------------
// Tendons
// -------------------------------------------------------------------------------------------------

// A fixed tendon over one joint is that joint with another gear; a tendon that nothing acts on
// does nothing.
static bool read_tendon(rgMjcf* m, const rgXmlElement* element) {
  rgRobot* robot = m->robot;
  const rgXmlElement* e = is(element, "fixed") ? rg_mjcf_whole(m, element, 0) : element;
  if (!e)
    return false;
  rgMjcfTendon tendon = {rg_robot_string(e, "name", ""), -1, 1};
  int count = 0;
  for (const rgXmlElement* j = is(e, "fixed") ? e->child : NULL; j; j = j->next, count++) {
    double coefficient = 1;
    int index = rg_mjcf_find(m, &m->joint_names, j, "joint", "joint");
    if (index < 0 && !nowhere(m))
      return false;
    if (!rg_robot_real(robot, j, "coef", &coefficient))
      return false;
    tendon.joint = count == 0 ? index : -1;
    tendon.coefficient = coefficient;
  }
  if (!rg_reserve(&robot->scratch.allocator, (void**)&m->tendons, &m->tendon_capacity,
                  m->tendon_count + 1, sizeof *m->tendons))
    return rg_robot_no_memory(robot);
  m->tendons[m->tendon_count++] = tendon;
  return true;
}

bool rg_mjcf_read_rest(rgMjcf* m) {
  for (const rgXmlElement* section = m->root->child; section; section = section->next)
    for (const rgXmlElement* e = section->child; e; e = e->next) {
      bool good = true;
      if (is(section, "contact"))
        good = is(e, "pair") ? read_pair(m, e) : read_exclude(m, e);
      else if (is(section, "equality"))
        good = read_equality(m, e);
      else if (is(section, "tendon"))
        good = read_tendon(m, e);
      if (!good)
        return false;
    }
  return true;
}
