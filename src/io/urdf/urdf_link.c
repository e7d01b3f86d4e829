// urdf_link.c - links: mass, with what is wrong with it repaired, and shapes.
#include "io/urdf/urdf.h"

#include "math/power.h"
#include "math/vec.h"

#include <string.h>

// Turns about fixed axes: roll about x, pitch about y, yaw about z.
bool rg_urdf_origin(rgUrdf* u, const rgXmlElement* element, rgPose* pose) {
  const rgXmlElement* e = rg_xml_child(element, "origin");
  rgVec3 angles = v3_zero();
  *pose = pose_identity();
  if (!e)
    return true;
  if (!rg_robot_vec3(u->robot, e, "xyz", &pose->position) ||
      !rg_robot_vec3(u->robot, e, "rpy", &angles))
    return false;
  rgQuat x = rg_robot_turn(v3(1, 0, 0), angles.x), y = rg_robot_turn(v3(0, 1, 0), angles.y),
         z = rg_robot_turn(v3(0, 0, 1), angles.z);
  pose->orientation = quat_mul(z, quat_mul(y, x));
  return true;
}

// -------------------------------------------------------------------------------------------------
// Mass
// -------------------------------------------------------------------------------------------------

static bool repair(rgUrdf* u, rgRobotPlace place, const char* name, rgMassProperties* mass) {
  rgVec3 moments;
  const char* fault = rg_robot_inertia_fault(&mass->inertia, &moments);
  if (!fault)
    return true;
  // Where there is no moment at all, that of a ball of water of the same mass.
  double radius = rg_pow(mass->mass / 1000 * 3 / (4 * RG_PI), 1.0 / 3);
  double least = moments.z > 0 ? 1e-3 * moments.z : 0.4 * mass->mass * radius * radius;
  mass->inertia = rg_robot_inertia_repaired(&mass->inertia, least);
  rgVec3 now;
  rg_robot_inertia_fault(&mass->inertia, &now);
  rg_robot_remark(u->robot, place, rg_robot_text(u->robot, "inertia %.60s", name),
                  "the link \"%.60s\" has an inertia that %s: its principal moments %g, %g, %g are "
                  "repaired to %g, %g, %g",
                  name, fault, moments.x, moments.y, moments.z, now.x, now.y, now.z);
  return true;
}

static bool read_inertial(rgUrdf* u, const rgUrdfLink* from, rgMassProperties* mass) {
  const rgXmlElement* e = rg_xml_child(from->element, "inertial");
  *mass = (rgMassProperties){0};
  if (!e)
    return true;
  const rgXmlElement *m = rg_xml_child(e, "mass"), *i = rg_xml_child(e, "inertia");
  rgRobotPlace place = rg_robot_place(e);
  rgPose pose;
  double ixx = 0, ixy = 0, ixz = 0, iyy = 0, iyz = 0, izz = 0;
  if (!m || !rg_xml_attribute(m, "value"))
    return rg_robot_fail(u->robot, place, "<inertial> has no <mass value=\"...\"/>");
  if (!rg_urdf_origin(u, e, &pose) || !rg_robot_real(u->robot, m, "value", &mass->mass))
    return false;
  if (i && !(rg_robot_real(u->robot, i, "ixx", &ixx) && rg_robot_real(u->robot, i, "ixy", &ixy) &&
             rg_robot_real(u->robot, i, "ixz", &ixz) && rg_robot_real(u->robot, i, "iyy", &iyy) &&
             rg_robot_real(u->robot, i, "iyz", &iyz) && rg_robot_real(u->robot, i, "izz", &izz)))
    return false;
  if (mass->mass < 0)
    return rg_robot_fail(u->robot, rg_robot_place(m), "mass is %g, must be >= 0", mass->mass);
  mass->inertia = (rgMat3){{{ixx, ixy, ixz}, {ixy, iyy, iyz}, {ixz, iyz, izz}}};
  if (mass->mass == 0) {
    rg_robot_remark(u->robot, place, "no-mass",
                    "the link \"%.60s\" has the mass 0 and is taken as a frame", from->name);
    *mass = (rgMassProperties){0};
    return true;
  }
  if (!repair(u, place, from->name, mass))
    return false;
  *mass = rg_robot_mass_move(*mass, pose);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Shapes
// -------------------------------------------------------------------------------------------------

static rgRobotShape* add_shape(rgUrdf* u, const rgXmlElement* collision, int link, rgShapeKind kind,
                               rgPose pose) {
  rgRobotShape* shape = rg_robot_add_shape(
      u->robot, rg_robot_place(collision),
      rg_robot_text(u->robot, "%s", rg_robot_string(collision, "name", "")), link);
  if (!shape)
    return NULL;
  shape->def = rg_shape_def(kind);
  shape->def.pose = pose;
  shape->type = shape->affinity = 1;
  shape->friction[0] = rg_material_default().mu;
  return shape;
}

static bool need(rgUrdf* u, const rgXmlElement* e, const char* name, double* value) {
  *value = 0;
  if (!rg_robot_real(u->robot, e, name, value))
    return false;
  return *value > 0 || rg_robot_fail(u->robot, rg_robot_place(e), "%s of <%s> is %g, must be > 0",
                                     name, e->name, *value);
}

// The hull of one group of a mesh.
static bool add_hull(rgUrdf* u, const rgXmlElement* collision, const rgMesh* mesh, int group,
                     const char* path, int link, rgPose pose) {
  rgRobot* robot = u->robot;
  const int *firsts = mesh->groups.items, *corners = mesh->triangles.items;
  int first = firsts[group],
      last = group + 1 < mesh->groups.count ? firsts[group + 1] : mesh->triangles.count;
  const rgVec3* all = mesh->points.items;
  rgVec3* points = rg_pool_take(&robot->scratch, 3 * (size_t)(last - first), sizeof *points);
  if (!points)
    return rg_robot_no_memory(robot);
  for (int i = 3 * first; i < 3 * last; i++)
    points[i - 3 * first] = all[corners[i]];
  rgList hull;
  double dropped;
  rgMessage why = {""};
  rgStatus status = rg_mesh_hull(points, 3 * (last - first), robot->options->hull_points,
                                 &robot->scratch, robot->pool, &hull, &dropped, &why);
  if (status == RG_ERROR_MEMORY)
    return rg_robot_no_memory(robot);
  if (status != RG_OK && mesh->groups.count > 1) {
    rg_robot_remark(robot, rg_robot_place(collision), path,
                    "a group of %.200s has no volume and is left out: %s", path, why.text);
    return true;
  }
  if (status != RG_OK)
    return rg_robot_fail(robot, rg_robot_place(collision), "%.200s has no convex hull: %s", path,
                         why.text);
  if (dropped > 0)
    rg_robot_remark(robot, rg_robot_place(collision), path,
                    "the hull of %.200s is reduced to %d corners; it lies up to %.3g m inside the "
                    "full one",
                    path, hull.count, dropped);
  rgRobotShape* shape = add_shape(u, collision, link, RG_SHAPE_HULL, pose);
  if (!shape)
    return false;
  shape->def.points = hull.items;
  shape->def.point_count = hull.count;
  return true;
}

static bool add_mesh(rgUrdf* u, const rgXmlElement* collision, const rgXmlElement* e, int link,
                     rgPose pose) {
  rgMesh mesh;
  const char* path;
  if (!rg_urdf_read_mesh(u, e, &mesh, &path))
    return false;
  for (int i = 0; i < mesh.groups.count; i++)
    if (!add_hull(u, collision, &mesh, i, path, link, pose))
      return false;
  return true;
}

static bool read_collision(rgUrdf* u, const rgXmlElement* collision, int link) {
  rgRobot* robot = u->robot;
  const rgXmlElement* geometry = rg_xml_child(collision, "geometry");
  const rgXmlElement* e = geometry ? geometry->child : NULL;
  rgPose pose;
  double length;
  if (!e)
    return rg_robot_fail(robot, rg_robot_place(collision), "<collision> has no <geometry>");
  if (!rg_urdf_origin(u, collision, &pose))
    return false;
  if (strcmp(e->name, "mesh") == 0)
    return add_mesh(u, collision, e, link, pose);
  rgRobotShape shape = {0};
  if (strcmp(e->name, "box") == 0) {
    rgVec3 size = v3_zero();
    if (!rg_robot_vec3(robot, e, "size", &size))
      return false;
    if (!(size.x > 0 && size.y > 0 && size.z > 0))
      return rg_robot_fail(robot, rg_robot_place(e), "size of <box> must be three numbers > 0");
    shape.def.kind = RG_SHAPE_BOX;
    shape.def.half = v3_scale(size, 0.5);
  } else if (strcmp(e->name, "sphere") == 0) {
    shape.def.kind = RG_SHAPE_SPHERE;
    if (!need(u, e, "radius", &shape.def.radius))
      return false;
  } else {
    shape.def.kind = strcmp(e->name, "capsule") == 0 ? RG_SHAPE_CAPSULE : RG_SHAPE_CYLINDER;
    if (!need(u, e, "radius", &shape.def.radius) || !need(u, e, "length", &length))
      return false;
    shape.def.half_length = length / 2;
  }
  rgRobotShape* added = add_shape(u, collision, link, shape.def.kind, pose);
  if (!added)
    return false;
  added->def.half = shape.def.half;
  added->def.radius = shape.def.radius;
  added->def.half_length = shape.def.half_length;
  return true;
}

bool rg_urdf_read_link(rgUrdf* u, const rgUrdfLink* from, int link) {
  rgMassProperties mass;
  if (!read_inertial(u, from, &mass))
    return false;
  u->robot->links[link].mass = mass;
  for (const rgXmlElement* e = from->element->child; e; e = e->next)
    if (strcmp(e->name, "collision") == 0 && !read_collision(u, e, link))
      return false;
  return true;
}
