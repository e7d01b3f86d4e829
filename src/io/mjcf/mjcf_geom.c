// mjcf_geom.c - geoms: shapes that collide, and mass.
#include "io/mjcf/mjcf.h"

#include "math/vec.h"

#include <string.h>

enum { PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF };
static const char* const types[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                    "cylinder", "box",    "mesh",   "sdf",     NULL};
static const rgShapeKind kinds[] = {RG_SHAPE_HALFSPACE, RG_SHAPE_FIELD,     RG_SHAPE_SPHERE,
                                    RG_SHAPE_CAPSULE,   RG_SHAPE_ELLIPSOID, RG_SHAPE_CYLINDER,
                                    RG_SHAPE_BOX,       RG_SHAPE_HULL};
// Numbers of `size`, without and with fromto.
static const int sizes[][2] = {{0, 0}, {0, 0}, {1, 1}, {2, 1}, {3, 1}, {2, 1}, {3, 1}, {0, 0}};

typedef struct Geom {
  const rgXmlElement* e;
  rgRobotPlace place;
  int type;
  rgShapeDef def; // its pose is in the link's frame
  uint32_t contype, conaffinity;
  double mass, density; // mass < 0: from the density
  int group;
  rgMjcfMesh* mesh;
} Geom;

static bool read_bits(rgMjcf* m, const rgXmlElement* e, const char* name, uint32_t* bits) {
  int value = 1;
  bool good = rg_robot_int(m->robot, e, name, &value);
  *bits = (uint32_t)value;
  return good;
}

// The ends of the axis, instead of pose and length.
static bool read_ends(rgMjcf* m, Geom* g, double* half, bool* given) {
  double ends[6];
  int count;
  if (!rg_robot_reals(m->robot, g->e, "fromto", 6, 6, ends, &count))
    return false;
  *given = count == 6 &&
           (g->type == CAPSULE || g->type == CYLINDER || g->type == BOX || g->type == ELLIPSOID);
  if (!*given)
    return true;
  rgVec3 from = v3(ends[0], ends[1], ends[2]), to = v3(ends[3], ends[4], ends[5]);
  rgVec3 along = v3_sub(from, to);
  if (!(v3_norm(along) > 1e-14))
    return rg_robot_fail(m->robot, rg_robot_place_of(g->e, rg_xml_attribute(g->e, "fromto")),
                         "fromto of <geom> has two equal ends");
  *half = v3_norm(along) / 2;
  g->def.pose = (rgPose){v3_scale(v3_add(from, to), 0.5), rg_robot_from_z(along)};
  return true;
}

static bool read_size(rgMjcf* m, Geom* g) {
  double size[3] = {0}, half = 0;
  int count;
  bool ends;
  if (!rg_robot_reals(m->robot, g->e, "size", 1, 3, size, &count) || !read_ends(m, g, &half, &ends))
    return false;
  int needed = sizes[g->type][ends];
  bool good = count >= needed;
  for (int i = 0; i < needed && good; i++)
    good = size[i] > 0;
  if (!good)
    return rg_robot_fail(m->robot, rg_robot_place_of(g->e, rg_xml_attribute(g->e, "size")),
                         "size of a %s has %d numbers; it needs %d that are > 0", types[g->type],
                         count, needed);
  g->def.radius = size[0];
  g->def.half_length = ends ? half : size[1];
  g->def.half = ends ? v3(size[0], size[0], half) : v3(size[0], size[1], size[2]);
  return true;
}

static bool read_kind(rgMjcf* m, Geom* g) {
  g->type = SPHERE;
  if (rg_xml_attribute(g->e, "mesh") && !rg_xml_attribute(g->e, "type"))
    g->type = MESH;
  if (!rg_robot_word(m->robot, g->e, "type", types, &g->type))
    return false;
  bool mesh = g->type == MESH;
  if (g->type == HFIELD || g->type == SDF)
    return rg_robot_fail(m->robot, g->place, "a geom of type %s is not supported", types[g->type]);
  if (!mesh && rg_xml_attribute(g->e, "mesh"))
    return rg_robot_fail(m->robot, rg_robot_place_of(g->e, rg_xml_attribute(g->e, "mesh")),
                         "a %s that is fitted to a mesh is not supported", types[g->type]);
  g->def = rg_shape_def(kinds[g->type]);
  if (!rg_mjcf_pose(m, g->e, &g->def.pose) || !read_size(m, g))
    return false;
  if (!mesh)
    return true;
  int index = rg_mjcf_find_mesh(m, g->e);
  g->mesh = index < 0 ? NULL : &m->meshes[index];
  return index >= 0;
}

// -------------------------------------------------------------------------------------------------
// Mass
// -------------------------------------------------------------------------------------------------

// Mass properties for density 1, in the link's frame; false when there is no volume.
static bool unit_mass(const Geom* g, rgMassProperties* mass) {
  if (g->type == PLANE)
    return false;
  if (g->type == MESH) {
    *mass = rg_robot_mass_move(g->mesh->mass, g->def.pose);
    return g->mesh->has_volume;
  }
  rgShapeDef def = g->def;
  def.density = 1;
  return rg_shape_mass(&def, mass, NULL) == RG_OK;
}

static bool add_mass(rgMjcf* m, const Geom* g, rgMjcfMassSum* sum) {
  if (!sum || g->group < m->settings.group_range[0] || g->group > m->settings.group_range[1])
    return true;
  rgMassProperties one;
  if (g->mass == 0 || g->density == 0) {
    bool solid = !(g->mesh && g->mesh->missing) && unit_mass(g, &one);
    sum->spare = solid ? rg_robot_mass_add(sum->spare, one) : sum->spare;
    return true;
  }
  if (g->mesh && g->mesh->missing) {
    sum->unknown = sum->unknown || !(g->mass > 0);
    sum->lost += fmax(g->mass, 0);
    sum->lost_file = g->mesh->why;
    sum->lost_place = g->place;
    return true;
  }
  if (!unit_mass(g, &one))
    return g->type == PLANE ||
           rg_robot_fail(m->robot, g->place, "the geom has no volume, and so no mass");
  double factor = g->mass > 0 ? g->mass / one.mass : g->density;
  one.mass *= factor;
  one.inertia = m3_scale(&one.inertia, factor);
  sum->mass = rg_robot_mass_add(sum->mass, one);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Shape
// -------------------------------------------------------------------------------------------------

static bool read_friction(rgMjcf* m, const Geom* g, rgRobotShape* shape) {
  static const double initial[3] = {1, 0.005, 0.0001};
  memcpy(shape->friction, initial, sizeof initial);
  shape->dimension = 3;
  if (!rg_robot_reals(m->robot, g->e, "friction", 1, 3, shape->friction, NULL) ||
      !rg_robot_int(m->robot, g->e, "condim", &shape->dimension) ||
      !rg_robot_int(m->robot, g->e, "priority", &shape->priority))
    return false;
  int d = shape->dimension;
  rgRobotPlace place = rg_robot_place_of(g->e, rg_xml_attribute(g->e, "condim"));
  if (d != 1 && d != 3 && d != 4 && d != 6)
    return rg_robot_fail(m->robot, place, "condim is %d, must be 1, 3, 4 or 6", d);
  for (int i = 0; i < 3; i++)
    if (!(shape->friction[i] >= 0))
      return rg_robot_fail(m->robot, rg_robot_place_of(g->e, rg_xml_attribute(g->e, "friction")),
                           "friction has %g, must be >= 0", shape->friction[i]);
  if (d == 6)
    rg_robot_remark(m->robot, place, "rolling",
                    "rolling friction (condim 6) is ignored; torsion is kept");
  return true;
}

static bool add_shape(rgMjcf* m, Geom* g, int link) {
  rgRobot* robot = m->robot;
  int index = robot->shape_count;
  rgRobotShape* shape = rg_robot_add_shape(robot, g->place, rg_mjcf_name(m, g->e), link);
  if (!shape || !rg_mjcf_add_name(m, &m->shape_names, g->e, shape->name, index) ||
      !read_friction(m, g, shape))
    return false;
  shape->type = g->contype;
  shape->affinity = g->conaffinity;
  if (g->mesh) {
    // A shape that touches nothing needs no hull.
    bool needed = g->contype || g->conaffinity;
    if (needed && g->mesh->missing)
      return rg_robot_fail(robot, g->place, "%s, the file of a mesh that collides, cannot be read",
                           g->mesh->why);
    if (needed && !rg_mjcf_mesh_hull(m, g->mesh, g->place))
      return false;
    g->def.points = g->mesh->corners.items;
    g->def.point_count = g->mesh->corners.count;
  }
  shape->def = g->def;
  return true;
}

bool rg_mjcf_read_geom(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame,
                       int class_index, rgMjcfMassSum* sum) {
  rgRobot* robot = m->robot;
  Geom g = {.e = rg_mjcf_whole(m, element, class_index),
            .place = rg_robot_place(element),
            .mass = -1,
            .density = 1000};
  if (!g.e || !read_kind(m, &g) || !read_bits(m, g.e, "contype", &g.contype) ||
      !read_bits(m, g.e, "conaffinity", &g.conaffinity) ||
      !rg_robot_real(robot, g.e, "mass", &g.mass) ||
      !rg_robot_real(robot, g.e, "density", &g.density) ||
      !rg_robot_int(robot, g.e, "group", &g.group))
    return false;
  if ((rg_xml_attribute(g.e, "mass") && g.mass < 0) || g.density < 0)
    return rg_robot_fail(robot, g.place, "mass and density of a geom must be >= 0");
  g.def.pose = pose_mul(frame, g.def.pose);
  if (g.mesh && !rg_mjcf_load_mesh(m, g.mesh))
    return false;
  if (g.mesh && g.mesh->missing && !(g.contype || g.conaffinity))
    rg_robot_remark(robot, g.place, "missing-mesh",
                    "%s cannot be read; the geom only shows it, and is left out", g.mesh->why);
  return add_mass(m, &g, sum) && add_shape(m, &g, link);
}
