// scene.h - scene files: JSON in, JSON out, checked against one table. docs/scene.md describes the
// format. Model files of robots (MJCF, URDF) are read into scenes too; docs/models.md describes what
// is read of them.
//
// Reading a file and running it:
//
//     rgMessage message = {""};
//     rgScene* scene;
//     rgWorld* world;
//     if (rg_scene_read("scenes/stack.json", &scene, &message) != RG_OK ||
//         rg_scene_build(scene, NULL, &world, &message) != RG_OK)
//       return fail(message.text); // begins with file, line and column
//     while (rg_world_time(world) < rg_scene_time(scene) && rg_world_step(world, NULL) == RG_OK)
//       ;
//     rg_world_destroy(world); // before its scene
//     rg_scene_free(scene);
#ifndef RIGOR_SCENE_H
#define RIGOR_SCENE_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// A scene as data: what a file says, before a world is made from it. Opaque.
typedef struct rgScene rgScene;

// Reads and checks a file, or a text of `length` bytes, for which `name` stands in messages. On
// failure *scene is NULL and the message begins with "file:line:column: ", followed by the path of
// the value in the file, what is wrong, and what would be right. Files that a scene names (OFF) are
// searched beside it, and by rg_scene_read only. A text that begins with "<" is a model file and is
// read with the default rgModelOptions.
RG_API rgStatus rg_scene_read(const char* path, rgScene** scene, rgMessage* message);
RG_API rgStatus rg_scene_parse(const char* text, size_t length, const char* name, rgScene** scene,
                               rgMessage* message);
RG_API void rg_scene_free(rgScene* scene); // NULL is allowed
// Everything that is wrong in a file, for people who mend it: calls `fault` with a message as above for each of the first ten
// faults, and returns what rg_scene_read would. A key or an element with a fault is passed over; what refers to it is not told.
typedef void rgSceneFault(void* context, const char* text);
RG_API rgStatus rg_scene_faults(const char* path, rgSceneFault* fault, void* context);

// How model files are read.
typedef struct rgModelOptions {
  bool ground;     // adds a half-space under the lowest point, unless the model has a plane
  bool fixed_base; // links that move freely and carry others stand still
  bool strict;     // what would be remarked is an error
  const char* key; // MJCF: name or number of the <key> to start from, "none" for the reference
                   // configuration; NULL: the first one, if there is any
  const char* const* packages; // URDF: "NAME=FOLDER" for package://NAME/...
  int package_count;
  int hull_points; // >= 8: most corners of the convex hull of a mesh
} rgModelOptions;
RG_API rgModelOptions rg_scene_model_options(void); // the defaults
// As rg_scene_read; the options are those of model files and do nothing for scenes.
RG_API rgStatus rg_scene_read_model(const char* path, const rgModelOptions* options,
                                    rgScene** scene, rgMessage* message);
// What the reader of a model file has ignored, repaired or approximated: the index-th remark, with
// its place ("robot.xml:14:9"). False past the end.
RG_API bool rg_scene_note(const rgScene* scene, int index, const char** place, const char** text);

// Writes the scene as JSON. Keys with default values are left out, numbers are exact to the bit,
// and points of files are written out, so that reading the text gives the same scene. As snprintf
// does, it writes at most `capacity` bytes including the final zero (`text` may be NULL when it is
// 0) and returns the length of the whole text.
RG_API size_t rg_scene_write(const rgScene* scene, char* text, size_t capacity);

RG_API const char* rg_scene_title(const rgScene* scene); // "" when there is none
RG_API double rg_scene_time(const rgScene* scene);       // [s] how long the run is meant to be
// Options as the file gives them (preset first, then single options); may be changed before
// building.
RG_API rgOptions* rg_scene_options(rgScene* scene);
// Whether there are shapes with curved surfaces (in space) that rg_scene_facet would replace; and
// that: the hull of about as many triangles as `facets` (8 to 100,000) within each of them, a prism for a
// cylinder, with the mass, centre and inertia of the smooth body.
RG_API bool rg_scene_is_smooth(const rgScene* scene);
RG_API rgStatus rg_scene_facet(rgScene* scene, int facets, rgMessage* message);
// Bodies that a world of this scene has, copies counted.
RG_API int rg_scene_body_count(const rgScene* scene);
// Paths of the files that the scene named and that were read with it, such as those of meshes; NULL
// past the end.
RG_API const char* rg_scene_file(const rgScene* scene, int index);

// Where something that a world of this scene has was described: for messages about it.
typedef enum rgSceneList {
  RG_SCENE_BODIES,   // by the order of rg_world_body of a fresh world, copies counted
  RG_SCENE_JOINTS,   // by the order of rg_world_joint, likewise
  RG_SCENE_FORCES,   // by the order of rg_world_forces, likewise
  RG_SCENE_MATERIALS // by the number of the world's material; 0 is the one named "default"
} rgSceneList;
typedef struct rgScenePlace {
  char path[48]; // "bodies[3]": in the file of a scene, or in what 'rigor import' makes of a model
  const char* file; // in which it begins, at this line and column; owned by the scene
  int line, column; // from 1 on
} rgScenePlace;
// False when there is no such thing, or when the file does not describe it (material 0 without an entry).
RG_API bool rg_scene_place(const rgScene* scene, rgSceneList list, int index, rgScenePlace* place);

// Makes a world with the bodies in the order of the file, the copies of a repeated body one after
// the other. `allocator` may be NULL for the C library's heap. The motions of kinematic bodies live
// in the scene, which must therefore outlive the world and its copies.
RG_API rgStatus rg_scene_build(const rgScene* scene, const rgAllocator* allocator, rgWorld** world,
                               rgMessage* message);

// Remarks on what is legal but suspicious: overlaps at the start, no friction anywhere, large mass
// ratios, a step too large for the smallest moving body, bodies that nothing can touch, materials
// that nothing uses, coordinates so large that digits are lost; of model files also rg_scene_note. Calls `remark` for each of them
// with a place ("bodies[3] (box)") and a text that continues the sentence.
typedef void rgSceneRemark(void* context, const char* place, const char* text);
RG_API rgStatus rg_scene_inspect(const rgScene* scene, rgSceneRemark* remark, void* context,
                                 rgMessage* message);

// The documentation of the format (Markdown) and a JSON Schema, both generated from the table. As
// rg_scene_write.
RG_API size_t rg_scene_reference(char* text, size_t capacity);
RG_API size_t rg_scene_schema(char* text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
