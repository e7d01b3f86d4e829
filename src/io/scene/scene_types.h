// scene_types.h - a scene as data: the structs that the tables of scene_table.c read and write.
#ifndef IO_SCENE_SCENE_TYPES_H
#define IO_SCENE_SCENE_TYPES_H

#include "io/schema/schema.h"
#include "io/text/names.h"
#include <rigor/joint.h>
#include <rigor/scene.h>

enum {
  RG_SCENE_BODIES_MAX = 1000000, // copies counted
  RG_SCENE_PAIRS_MAX = 1000000,  // pairs of bodies that do not collide, copies counted
  RG_SCENE_NAME_MAX = 48,        // bytes of a body's name: leaves room for the number of a copy
  RG_SCENE_DEFAULT_MATERIAL = -1 // the material of shapes that name none
};

typedef struct rgSceneMaterial {
  rgSchemaHead head;
  const char* name;
  rgMaterial material;
  bool used; // by a shape or a pair
} rgSceneMaterial;

typedef struct rgScenePair {
  rgSchemaHead head;
  int a, b;            // materials
  rgMaterial material; // only what was given counts; the rest is combined from the two
} rgScenePair;

typedef struct rgSceneShape {
  rgSchemaHead head;
  rgShapeDef def; // points, triangles and heights point into the lists
  rgList points, triangles, heights;
  rgList members; // rgSceneShape
  int material;
} rgSceneShape;

// A grid of copies.
typedef struct rgSceneRepeat {
  rgSchemaHead head;
  int count[3];
  rgVec3 spacing; // [m]
} rgSceneRepeat;

typedef enum rgSceneMotionKind {
  RG_SCENE_MOTION_TABLE,
  RG_SCENE_MOTION_HARMONIC
} rgSceneMotionKind;

typedef struct rgSceneMotion {
  rgSchemaHead head;
  int kind;
  rgList times, positions, orientations; // table
  rgVec3 amplitude;                      // [m] harmonic
  rgVec3 swing;                          // [rad] rotation vector
  double frequency;                      // [Hz]
  double phase;                          // [rad]
} rgSceneMotion;

// What an rgMotion callback gets: the motion of one copy.
typedef struct rgSceneMover {
  const rgSceneMotion* motion;
  rgPose start;  // of this copy
  rgVec3 offset; // [m] of this copy from the first
} rgSceneMover;

typedef struct rgSceneBody {
  rgSchemaHead head;
  const char* name;
  int kind; // rgBodyKind
  rgPose pose;
  rgTwist velocity;
  double mass; // [kg] 0: from density
  rgVec3 center;
  rgMat3 inertia;
  bool rotation_locked;
  bool massless;
  rgList shapes;
  rgSceneRepeat repeat;
  rgSceneMotion motion;
  int first, copies;    // bodies first .. first + copies - 1 of the world
  rgSceneMover* movers; // one per copy; NULL when there is no motion
} rgSceneBody;

// A body by name: one copy, or all (copy -1).
typedef struct rgSceneBodyRef {
  int body, copy;
} rgSceneBodyRef;

typedef struct rgSceneBodyPair {
  rgSceneBodyRef a, b;
} rgSceneBodyPair;

typedef struct rgSceneForce {
  rgSchemaHead head;
  int kind; // rgForceKind
  rgSceneBodyRef body, other;
  rgVec3 force, torque, point;
  rgVec3 other_point, center;
  double stiffness, damping, rest, drag, spin_drag, strength, range;
  rgList path;
  bool body_axes;
  rgList times, forces, torques;
  rgWrench* wrenches; // table: made of forces and torques
} rgSceneForce;

typedef struct rgSceneJointAxis {
  rgSchemaHead head;
  const char* name; // "": the only one
  rgJointAxis values;
  const char *follow, *follow_axis; // joint that leads, "": none, and its axis, "": the only one
  rgList polynomial;                // of double
} rgSceneJointAxis;

enum { RG_SCENE_JOINT_PARAMETER_MAX = 12 }; // keys of parameters of all kinds together
typedef struct rgSceneJoint {
  rgSchemaHead head;
  int kind; // rgJointKind
  const char* name;
  rgSceneBodyRef a, b;
  rgVec3 point, point_b, axis, axis_2;
  rgPose frame_a, frame_b;
  double parameters[RG_SCENE_JOINT_PARAMETER_MAX]; // by their keys: as scene_joint.c lists these
  rgList axes;
  bool collide;
} rgSceneJoint;

// How the scene wants to be looked at (scene_camera.c).
typedef struct rgSceneCamera {
  rgSchemaHead head;
  rgVec3 at, from; // [m]
  double height;   // [m] in a scene of dimension 2
} rgSceneCamera;

typedef struct rgSceneSensor {
  rgSchemaHead head;
  int kind; // rgSensorKind
  const char* name;
  rgSceneBodyRef body, other;
  const char* joint; // name
  rgPose frame;
  double length; // [m]
} rgSceneSensor;

// A file that the scene has named and that was read.
typedef struct rgSceneFile {
  const char* path;
  const struct rgSceneFile* next;
} rgSceneFile;

// A remark of the reader of a model file.
typedef struct rgSceneNote {
  const char *place, *text;
} rgSceneNote;

struct rgScene {
  rgSchemaHead head;
  int version;
  const char* schema;
  const char* title;
  double time; // [s]
  int dimension;
  int preset;
  rgOptions options;
  rgSceneCamera camera;
  rgList materials, pairs, bodies, no_collision, forces, joints, sensors;

  // Not in the file.
  int body_count; // copies counted
  int pair_count; // of no_collision, copies counted
  rgNames material_names, body_names;
  const char* file_name; // for messages
  const rgSceneFile* files;
  rgList notes;       // rgSceneNote
  const char* folder; // where files named in the scene are looked for; NULL: nowhere
  rgPool pool;
};

// The tables.
extern const rgSchemaObject rg_scene_object;
extern const rgSchemaObject rg_scene_body_object;
extern const rgSchemaObject rg_scene_camera_object;
extern const rgSchemaObject rg_scene_pair_object;
extern const rgSchemaObject rg_scene_force_object;
extern const rgSchemaObject rg_scene_joint_object;
extern const rgSchemaObject rg_scene_joint_axis_object;
extern const rgSchemaObject rg_scene_sensor_object;
extern const rgSchemaObject rg_scene_shape_object;
extern const rgSchemaObject rg_scene_motion_object;

// Values with types of their own (scene_values.c).
extern const rgSchemaCustom rg_scene_orientation;
extern const rgSchemaCustom rg_scene_orientations;
extern const rgSchemaCustom rg_scene_inertia;
extern const rgSchemaCustom rg_scene_material_ref;
extern const rgSchemaCustom rg_scene_body_ref;
extern const rgSchemaCustom rg_scene_body_pairs;
extern const rgSchemaCustom rg_scene_off_file;

// What several keys must satisfy together (scene_finish.c).
bool rg_scene_finish_material(rgReader* reader, const rgJsonNode* node, void* item);
bool rg_scene_finish_pair(rgReader* reader, const rgJsonNode* node, void* item);
bool rg_scene_finish_shape(rgReader* reader, const rgJsonNode* node, void* item);
bool rg_scene_finish_motion(rgReader* reader, const rgJsonNode* node, void* item);
bool rg_scene_finish_body(rgReader* reader, const rgJsonNode* node, void* item);
bool rg_scene_finish_force(rgReader* reader, const rgJsonNode* node, void* item);

// As rg_scene_parse, but files that the scene names are looked for in `folder` (with its slash).
rgStatus rg_scene_parse_in(const char* text, size_t length, const char* name, const char* folder,
                           rgScene** scene, rgMessage* message);

// The file of a scene's object, for messages.
static inline const char* rg_scene_file_of(const rgScene* scene, const rgSchemaHead* head) {
  return head->file ? head->file : scene->file_name;
}

// Adds a joint, or those of all copies, to a world whose bodies are in the order of the scene.
rgStatus rg_scene_add_joint(const rgScene* scene, const rgSceneJoint* joint, const rgBodyId* bodies,
                            rgWorld* world);

// Couples axes of a joint that follow others, in a world that has all joints.
rgStatus rg_scene_couple_joint(const rgScene* scene, const rgSceneJoint* joint, rgWorld* world,
                               rgMessage* why);

// Adds a sensor, or those of all copies, to a world that has its bodies and joints.
rgStatus rg_scene_add_sensor(const rgScene* scene, const rgSceneSensor* sensor,
                             const rgBodyId* bodies, rgWorld* world, rgMessage* message);

// How many joints that makes.
int rg_scene_joint_count(const rgScene* scene, const rgSceneJoint* joint);

// Pose at time t of a body with a motion; an rgMotion whose context is an rgSceneMover.
rgPose rg_scene_motion_pose(double time, void* mover);
// Offset of a copy from the first.
rgVec3 rg_scene_copy_offset(const rgSceneRepeat* repeat, int copy);
// Name of a copy: "name", or "name[copy]" when there are several; "" when the body has no name.
void rg_scene_copy_name(const rgSceneBody* body, int copy, char* text, size_t size);

static inline const rgSceneBody* rg_scene_body(const rgScene* scene, int index) {
  return (const rgSceneBody*)scene->bodies.items + index;
}
static inline const rgSceneMaterial* rg_scene_material(const rgScene* scene, int index) {
  return (const rgSceneMaterial*)scene->materials.items + index;
}

#endif
