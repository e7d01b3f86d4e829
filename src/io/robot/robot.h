// robot.h - a robot as its model file describes it: links in a tree, joints, shapes, contact rules.
//
// The readers of MJCF and URDF fill an rgRobot; robot_build.c and its neighbours make a scene of
// it. Links come after their parents; link 0 is the world. A link without joints moves with its
// parent: the two become one body. Several joints of a link act in series, the first one next to
// the parent, each in the frame that those before it have moved.
#ifndef IO_ROBOT_ROBOT_H
#define IO_ROBOT_ROBOT_H

#include "base/pool.h"
#include "io/scene/scene_types.h"
#include "io/text/xml.h"
#include <rigor/joint.h>
#include <rigor/scene.h>
#include <rigor/sensor.h>

enum {
  RG_ROBOT_LINKS_MAX = 100000,
  RG_ROBOT_NAME_SIZE = 256, // [bytes] of the longest name that is taken
};

// Where something stands in a file.
typedef struct rgRobotPlace {
  const char* file;
  uint32_t line, column;
} rgRobotPlace;

typedef enum rgRobotJointKind {
  RG_ROBOT_HINGE,
  RG_ROBOT_SLIDE,
  RG_ROBOT_BALL,
  RG_ROBOT_FREE // all six coordinates: the link stands where it is put
} rgRobotJointKind;

// An actuator on a joint: force = effort + stiffness (target - q) + damping (speed - q'), within
// +- bound.
typedef struct rgRobotDrive {
  rgRobotPlace place;
  bool servo; // stiffness or damping are there
  double effort, stiffness, target, damping, speed;
  double bound; // [N] or [N m]; INFINITY: none
} rgRobotDrive;

typedef struct rgRobotJoint {
  rgRobotPlace place;
  const char* name; // "": none
  rgRobotJointKind kind;
  int link;
  rgVec3 point, axis; // in the link's frame, in the reference configuration
  double reference;   // coordinate in the reference configuration
  double position[7]; // initial: a coordinate; ball: quaternion; free: place, then quaternion
  double rate[6]; // initial: a rate; ball: in the link's axes; free: linear in the world's, then
                  // angular in the link's
  rgJointAxis axis_values; // limits, spring, damper, dry friction
  double armature;         // [kg m2] or [kg]
  rgRobotDrive drive;
  bool driven;
  // Made by robot_place.c: the link as this joint and those before it have moved it.
  rgPose after;
  rgTwist after_velocity; // of its origin
  // Made by robot_joint.c.
  int scene_joint;        // -1: none
  const char* scene_axis; // name of its free axis
} rgRobotJoint;

typedef struct rgRobotShape {
  rgRobotPlace place;
  const char* name;
  int link;
  rgShapeDef def;            // its pose is in the link's frame
  uint32_t type, affinity;   // collides with another when type & affinity, one way or the other
  double friction[3];        // sliding [-], torsion [m], rolling [m]
  int dimension;             // 1 without friction, 3 sliding, 4 also torsion, 6 also rolling
  int priority;              // friction is that of the higher priority
  int material, class_index; // made by robot_contact.c
} rgRobotShape;

typedef struct rgRobotLink {
  rgRobotPlace place;
  const char* name; // "": none
  int parent;       // -1: the world itself
  rgPose pose;      // in the parent's frame, in the reference configuration
  bool carried;     // placed by the program (mocap): a kinematic body
  int first_joint, joint_count;
  rgMassProperties mass; // in its own frame; mass 0: none
  double weightless;     // part of its weight that is compensated
  // Made by robot_place.c.
  int root;         // the link that its body stands for
  rgPose in_root;   // in that link's frame
  rgPose placed;    // in the world, in the initial configuration
  rgTwist velocity; // of its origin, in world axes
  int body;         // of the scene; -1: none
} rgRobotLink;

typedef struct rgRobotPair {
  rgRobotPlace place;
  int a, b; // links, or shapes
  double friction[3];
  int dimension;
} rgRobotPair;

// A loop that is closed: a point (ball) or all (fixed) of two links stays together.
typedef struct rgRobotLoop {
  rgRobotPlace place;
  const char* name;
  int a, b;
  bool fixed;
  rgPose frame_a, frame_b; // in the frames of the links
} rgRobotLoop;

// q of joint = polynomial of q of follows.
typedef struct rgRobotCoupling {
  rgRobotPlace place;
  int joint, follows;
  double polynomial[RG_COUPLING_TERMS];
} rgRobotCoupling;

// A sensor at a pose of a link, or on a joint.
typedef struct rgRobotSensor {
  rgRobotPlace place;
  const char* name; // "": none
  const char* what; // the word of the file
  rgSensorKind kind;
  int link, joint; // -1: none
  rgPose pose;     // in the link's frame
} rgRobotSensor;

typedef struct rgRobotRemark {
  rgRobotPlace place;
  const char *key, *text;
  int count;
  struct rgRobotRemark* next;
} rgRobotRemark;

typedef struct rgRobot {
  rgPool* pool;     // of the scene
  rgPool scratch;   // until the scene is made
  const char* name; // of the file
  const char* folder;
  rgScene* scene;
  const rgModelOptions* options;

  const char* title;
  double step; // [s] 0: not given
  rgVec3 gravity;
  bool no_contact;    // nothing collides
  bool part_overlaps; // links that overlap at the start do not collide
  rgRobotLink* links;
  rgRobotJoint* joints;
  rgRobotShape* shapes;
  rgRobotPair *excluded, *pairs; // of links; of shapes
  rgRobotLoop* loops;
  rgRobotCoupling* couplings;
  rgRobotSensor* sensors;
  int link_count, link_capacity, joint_count, joint_capacity, shape_count, shape_capacity;
  int excluded_count, excluded_capacity, pair_count, pair_capacity;
  int loop_count, loop_capacity, coupling_count, coupling_capacity;
  int sensor_count, sensor_capacity;

  rgRobotRemark *first_remark, *last_remark;
  rgStatus status;
  rgMessage* message;
} rgRobot;

// -------------------------------------------------------------------------------------------------
// Memory, failures, remarks (robot.c)
// -------------------------------------------------------------------------------------------------

static inline rgRobotPlace rg_robot_place(const rgXmlElement* element) {
  return (rgRobotPlace){element->file, element->line, element->column};
}
static inline rgRobotPlace rg_robot_place_of(const rgXmlElement* element,
                                             const rgXmlAttribute* attribute) {
  return attribute ? (rgRobotPlace){attribute->file, attribute->line, attribute->column}
                   : rg_robot_place(element);
}

// "file:line:column: text" and RG_ERROR_INPUT; keeps the first failure. Returns false.
bool rg_robot_fail(rgRobot* robot, rgRobotPlace place, const char* format, ...) RG_PRINTF(3, 4);
bool rg_robot_no_memory(rgRobot* robot);
// Passes on a message that has its own place.
bool rg_robot_pass(rgRobot* robot, rgStatus status, const char* text);
// A remark; one that has the same key and file again is counted.
void rg_robot_remark(rgRobot* robot, rgRobotPlace place, const char* key, const char* format, ...)
    RG_PRINTF(4, 5);

// New items at the end of their lists, zeroed; NULL when memory ran out, which is noted.
rgRobotLink* rg_robot_add_link(rgRobot* robot, rgRobotPlace place, const char* name, int parent);
rgRobotJoint* rg_robot_add_joint(rgRobot* robot, rgRobotPlace place, const char* name, int link,
                                 rgRobotJointKind kind);
rgRobotShape* rg_robot_add_shape(rgRobot* robot, rgRobotPlace place, const char* name, int link);
rgRobotPair* rg_robot_add_pair(rgRobot* robot, rgRobotPlace place, int a, int b);     // of shapes
rgRobotPair* rg_robot_add_excluded(rgRobot* robot, rgRobotPlace place, int a, int b); // of links
rgRobotLoop* rg_robot_add_loop(rgRobot* robot, rgRobotPlace place, int a, int b);
rgRobotSensor* rg_robot_add_sensor(rgRobot* robot, rgRobotPlace place, const char* name,
                                   rgSensorKind kind);
rgRobotCoupling* rg_robot_add_coupling(rgRobot* robot, rgRobotPlace place, int joint, int follows);

// Formats into the pool.
const char* rg_robot_text(rgRobot* robot, const char* format, ...) RG_PRINTF(2, 3);

// -------------------------------------------------------------------------------------------------
// Values of attributes (robot_values.c)
// -------------------------------------------------------------------------------------------------

// Reads from `least` to `most` numbers; their number goes to *count if that is not NULL. An
// attribute that is not there changes nothing and is no failure.
bool rg_robot_reals(rgRobot* robot, const rgXmlElement* element, const char* name, int least,
                    int most, double* values, int* count);
bool rg_robot_real(rgRobot* robot, const rgXmlElement* element, const char* name, double* value);
bool rg_robot_vec3(rgRobot* robot, const rgXmlElement* element, const char* name, rgVec3* value);
bool rg_robot_int(rgRobot* robot, const rgXmlElement* element, const char* name, int* value);
// One of several words, ended by NULL, by its index.
bool rg_robot_word(rgRobot* robot, const rgXmlElement* element, const char* name,
                   const char* const* words, int* value);
// The text of an attribute; `fallback` when it is not there.
const char* rg_robot_string(const rgXmlElement* element, const char* name, const char* fallback);
// A unit quaternion from rotations.
rgQuat rg_robot_turn(rgVec3 axis, double angle); // axis need not be a unit vector; zero: no turn
rgQuat rg_robot_from_axes(rgVec3 x, rgVec3 y, rgVec3 z);
rgQuat rg_robot_from_z(rgVec3 z); // the least turn that takes z to this direction

// -------------------------------------------------------------------------------------------------
// Files (robot_file.c)
// -------------------------------------------------------------------------------------------------

// Reads a file that another one names, from `folder` (with its slash) unless it is absolute, and
// notes it in the scene. *path is what messages call it. NULL and a failure at `place` when it
// cannot be read.
char* rg_robot_read_file(rgRobot* robot, rgRobotPlace place, const char* folder, const char* name,
                         const char** path, size_t* length);
// Whether such a file is there.
bool rg_robot_has_file(const rgRobot* robot, const char* folder, const char* name);
// A file of XML: the tree, or NULL after a failure.
rgXmlElement* rg_robot_read_xml(rgRobot* robot, rgRobotPlace place, const char* folder,
                                const char* name);

// -------------------------------------------------------------------------------------------------
// Mass (robot_mass.c)
// -------------------------------------------------------------------------------------------------

// Sum of two, in the same frame.
rgMassProperties rg_robot_mass_add(rgMassProperties a, rgMassProperties b);
// In another frame: `pose` is where the frame it is stated in stands.
rgMassProperties rg_robot_mass_move(rgMassProperties a, rgPose pose);
// Inertia of principal moments along axes.
rgMat3 rg_robot_inertia(rgVec3 moments, rgQuat axes);
// What is wrong with an inertia: NULL, or a text for "has an inertia that ...". `moments` gets the
// principal moments.
const char* rg_robot_inertia_fault(const rgMat3* inertia, rgVec3* moments);
// An inertia of a real body near this one: principal moments at least `least`, and within the
// triangle rule.
rgMat3 rg_robot_inertia_repaired(const rgMat3* inertia, double least);

// -------------------------------------------------------------------------------------------------
// The scene
// -------------------------------------------------------------------------------------------------

// Fills the scene (robot_build.c).
bool rg_robot_build(rgRobot* robot);
void rg_robot_place_links(rgRobot* robot); // robot_place.c: which body, and where in the world
// A body of the scene: its name is made fit and unique.
rgSceneBody* rg_robot_add_body(rgRobot* robot, rgRobotPlace place, const char* name,
                               rgBodyKind kind, rgPose pose);
bool rg_robot_build_joints(rgRobot* robot);   // robot_joint.c
bool rg_robot_build_contacts(rgRobot* robot); // robot_contact.c
bool rg_robot_build_sensors(rgRobot* robot);  // robot_sensor.c, after the joints
// Room in a list of the scene for this many items.
bool rg_robot_room(rgRobot* robot, rgList* list, const rgSchemaObject* object, int most);
// An item with its defaults at the end of a list that has room.
void* rg_robot_append(rgRobot* robot, rgList* list, const rgSchemaObject* object,
                      rgRobotPlace place);
// Marks a key as given.
void rg_robot_give(const rgSchemaObject* object, void* item, const char* key);

// The readers: the root element of a file, read into the robot.
bool rg_mjcf_read(rgRobot* robot, rgXmlElement* root);
bool rg_urdf_read(rgRobot* robot, rgXmlElement* root);

// A scene from the text of a model file; `folder` as in rg_scene_read.
rgStatus rg_robot_read(const char* text, size_t length, const char* folder,
                       const rgModelOptions* options, rgScene* scene, rgMessage* message);

#endif
