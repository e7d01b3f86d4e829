// mjcf.h - reading MJCF, the model files of MuJoCo (Todorov, Erez and Tassa 2012), into an rgRobot.
//
// A file is read in passes: files that it includes take the place of their <include>; every element
// and attribute is looked up in the table (mjcf_table.c), which says what is read, what is ignored
// with a remark and what is unknown; settings and default classes; the tree of bodies; what refers
// to bodies and joints by name; the initial configuration. An element is read together with what its
// default classes say: mjcf_default.c makes one element of them.
#ifndef IO_MJCF_MJCF_H
#define IO_MJCF_MJCF_H

#include "io/model/mesh.h"
#include "io/robot/robot.h"
#include "io/text/names.h"

// A class of defaults.
typedef struct rgMjcfClass {
  const char* name;
  const rgXmlElement* element; // <default>; the outermost one may have several
  int parent;                  // -1: the outermost
} rgMjcfClass;

typedef struct rgMjcfMesh {
  const rgXmlElement* element;
  const char* name;
  const char* file;
  bool loaded, missing;
  const char* why;       // it is missing
  rgMesh mesh;           // scaled
  rgList corners;        // of its hull; empty until it is needed
  rgMassProperties mass; // density 1
  bool has_volume;
} rgMjcfMesh;

typedef struct rgMjcfSite {
  int link;
  rgPose pose;
} rgMjcfSite;

typedef struct rgMjcfTendon {
  const char* name;
  int joint; // the only one of a fixed tendon; -1: several, or spatial
  double coefficient;
} rgMjcfTendon;

// Mass that a body's geoms make up.
typedef struct rgMjcfMassSum {
  rgMassProperties mass;
  rgMassProperties spare; // density 1, of geoms that are said to have no mass
  double lost;            // [kg] of geoms whose mesh is missing
  bool unknown;           // some of that is not known, as it follows from a volume
  const char* lost_file;
  rgRobotPlace lost_place;
} rgMjcfMassSum;

// An actuator on a joint: force = base + gain control - stiffness q - damping q', within +- bound.
typedef struct rgMjcfControl {
  rgRobotPlace place;
  int joint; // -1: it is ignored
  double gain, base, stiffness, damping, bound;
  double range[2]; // of the control
} rgMjcfControl;

// Settings of <compiler>.
typedef struct rgMjcfSettings {
  bool radians, autolimits, strip_path, exact_inertia;
  int from_geoms; // inertiafromgeom: 0 false, 1 true, 2 auto
  double group_range[2];
  double least_mass, least_inertia, total_mass;
  bool balance;
  char sequence[4]; // of Euler angles
  const char* mesh_folder;
} rgMjcfSettings;

// One file with those it includes.
typedef struct rgMjcf {
  rgRobot* robot;
  rgXmlElement* root;
  const char* folder; // of the file, with its slash
  rgMjcfSettings settings;
  rgMjcfClass* classes;
  rgMjcfMesh* meshes;
  rgMjcfSite* sites;
  rgMjcfTendon* tendons;
  int class_count, class_capacity, mesh_count, mesh_capacity;
  int site_count, site_capacity, tendon_count, tendon_capacity;
  rgNames link_names, joint_names, shape_names, site_names, actuator_names;
  const char *prefix, *suffix; // of names, where a model is attached or copied
  int attach_depth;
  rgMjcfControl* controls; // one per actuator
  int control_count, control_capacity;
  bool part; // only a part of the model is there: references may lead nowhere
} rgMjcf;

bool rg_mjcf_check(rgMjcf* m, const rgXmlElement* root); // mjcf_table.c

// mjcf_default.c
bool rg_mjcf_read_classes(rgMjcf* m);
// The element with what its class, or else `class_index` (a childclass), says about elements of its
// kind; NULL after a failure.
const rgXmlElement* rg_mjcf_whole(rgMjcf* m, const rgXmlElement* element, int class_index);
int rg_mjcf_find_class(rgMjcf* m, const rgXmlElement* element, const char* attribute, int fallback);

// mjcf_values.c
bool rg_mjcf_read_settings(rgMjcf* m);
bool rg_mjcf_read_options(rgMjcf* m);
bool rg_mjcf_pose(rgMjcf* m, const rgXmlElement* element, rgPose* pose);
bool rg_mjcf_bool(rgMjcf* m, const rgXmlElement* element, const char* name, bool* value);
const char* rg_mjcf_name(rgMjcf* m, const rgXmlElement* element); // with prefix; "" when none
bool rg_mjcf_add_name(rgMjcf* m, rgNames* names, const rgXmlElement* element, const char* name,
                      int index);
// The index behind a name of a reference; -1 after a failure, or without one where only a part of
// the model is there.
int rg_mjcf_find(rgMjcf* m, const rgNames* names, const rgXmlElement* element,
                 const char* attribute, const char* what);

// mjcf_asset.c
bool rg_mjcf_read_assets(rgMjcf* m);
int rg_mjcf_find_mesh(rgMjcf* m, const rgXmlElement* geom);
bool rg_mjcf_load_mesh(rgMjcf* m, rgMjcfMesh* mesh);
bool rg_mjcf_mesh_hull(rgMjcf* m, rgMjcfMesh* mesh, rgRobotPlace place);

// mjcf_body.c
bool rg_mjcf_read_bodies(rgMjcf* m, const rgXmlElement* parent, int link, rgPose frame,
                         int class_index);
bool rg_mjcf_read_geom(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame,
                       int class_index, rgMjcfMassSum* sum);
// The file again, with its own settings, for a part of it: mjcf.c.
bool rg_mjcf_attach(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame);

// mjcf_joint.c, mjcf_actuator.c, mjcf_rest.c
bool rg_mjcf_read_joint(rgMjcf* m, const rgXmlElement* element, int link, rgPose frame,
                        int class_index);
bool rg_mjcf_read_actuators(rgMjcf* m);
// Drives of the joints at the given controls, one per actuator; NULL: all 0.
void rg_mjcf_set_controls(rgMjcf* m, const double* controls);
bool rg_mjcf_read_rest(rgMjcf* m);    // contact, equality, tendon
bool rg_mjcf_read_sensors(rgMjcf* m); // mjcf_sensor.c
bool rg_mjcf_read_key(rgMjcf* m);
bool rg_mjcf_read_sections(rgMjcf* m); // what refers to bodies, in their order

#endif
