// scene.h - scene files: JSON in, JSON out, checked against one table.
#ifndef RIGOR_SCENE_H
#define RIGOR_SCENE_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// A scene as data: what a file says, before a world is made of it.
typedef struct rgScene rgScene;

// Reads and checks a file or a text. On failure *scene is NULL and the message begins with "file:line:column: "
// followed by the JSON path, what is wrong and what would be right.
RG_API rgStatus rg_scene_read(const char* path, rgScene** scene, rgMessage* message);
RG_API rgStatus rg_scene_parse(const char* text, size_t length, const char* name, rgScene** scene,
                               rgMessage* message);
RG_API void rg_scene_free(rgScene* scene); // NULL is allowed

// Writes the scene as JSON, every default left out, numbers exact. `capacity` as for snprintf; returns the length.
RG_API size_t rg_scene_write(const rgScene* scene, char* text, size_t capacity);

RG_API const char* rg_scene_title(const rgScene* scene);
RG_API double rg_scene_time(const rgScene* scene); // [s] how long to run by default
// Options as the file gives them (preset first, then single options).
RG_API rgOptions* rg_scene_options(rgScene* scene);
RG_API int rg_scene_body_count(const rgScene* scene);

// Makes a world with the bodies in the file's order. `allocator` may be NULL.
RG_API rgStatus rg_scene_build(const rgScene* scene, const rgAllocator* allocator, rgWorld** world,
                               rgMessage* message);

// What is suspicious though legal: overlaps at the start, no friction anywhere, large mass ratios, a step too large for
// the smallest moving thing. Calls `report` for each with a place ("bodies[3]") and a text.
typedef void rgSceneRemark(void* context, const char* place, const char* text);
RG_API rgStatus rg_scene_inspect(const rgScene* scene, rgSceneRemark* remark, void* context, rgMessage* message);

// The documentation of the format (Markdown) and a JSON Schema, both generated from the table. As rg_scene_write.
RG_API size_t rg_scene_reference(char* text, size_t capacity);
RG_API size_t rg_scene_schema(char* text, size_t capacity);

#ifdef __cplusplus
}
#endif
#endif
