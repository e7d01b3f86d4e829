// trajectory_glb.c - runs as glTF, for programs that show and render scenes: poses alone.
//
// The format has its table of contents at the start, so that the file is written at the end: all frames
// are kept in memory until then, 28 bytes for each body.
#include "base/memory.h"
#include "base/message.h"
#include "io/gltf/gltf.h"
#include "io/trajectory/trajectory.h"

#include <math.h>

typedef struct Glb {
  rgAllocator allocator;
  rgGltf* gltf;
  rgPose* poses; // of one frame
  size_t size;   // of them [bytes]
} Glb;

static void free_state(Glb* glb) {
  rgAllocator allocator = glb->allocator;
  rg_release(&allocator, glb->poses, glb->size);
  rg_release(&allocator, glb, sizeof *glb);
}

static rgStatus create_file(const char* path, const rgWorld* world, unsigned kinds,
                            const rgAllocator* allocator, void** state, rgMessage* message) {
  if (kinds & ~(unsigned)RG_RECORD_BODIES)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s: a .glb file holds the poses of bodies alone; record the rest in .csv%s",
                   path, rg_trajectory_h5_format() ? " or .h5" : "");
  Glb* glb = rg_allocate(allocator, sizeof *glb);
  if (!glb)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  glb->allocator = *allocator;
  glb->size = ((size_t)rg_world_body_count(world) + 1) * sizeof *glb->poses;
  glb->poses = rg_allocate(allocator, glb->size);
  rgStatus status = glb->poses ? rg_gltf_open(path, world, allocator, &glb->gltf, message)
                               : rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  if (status == RG_OK)
    *state = glb;
  else
    free_state(glb);
  return status;
}

// The format has no place for these; the meshes are what is needed of a scene.
static rgStatus keep_scene(void* state, const char* text, rgMessage* message) {
  (void)state, (void)text, (void)message;
  return RG_OK;
}

static rgStatus keep_errors(void* state, const rgAccuracy* accuracy, rgMessage* message) {
  (void)state, (void)accuracy, (void)message;
  return RG_OK;
}

static rgStatus append_frame(void* state, const rgWorld* world, rgMessage* message) {
  Glb* glb = state;
  for (int i = 0; i < glb->gltf->body_count; i++) {
    rgBodyId id = glb->gltf->bodies[i].id;
    glb->poses[i] = rg_body_pose(world, id);
    if (!rg_body_valid(world, id))
      glb->poses[i].position.x = HUGE_VAL;
  }
  return rg_gltf_append(glb->gltf, rg_world_time(world), glb->poses, message);
}

static rgStatus flush_frames(void* state, rgMessage* message) {
  (void)state, (void)message;
  return RG_OK;
}

static rgStatus close_file(void* state, rgMessage* message) {
  Glb* glb = state;
  rgStatus status = rg_gltf_close(glb->gltf, message);
  free_state(glb);
  return status;
}

const rgTrajectoryFormat rg_trajectory_glb = {
    .ending = ".glb",
    .summary = "glTF 2.0: bodies with their shapes and an animation, for Blender and others; "
               "written at the end",
    .create = create_file,
    .keep_scene = keep_scene,
    .keep_errors = keep_errors,
    .append = append_frame,
    .flush = flush_frames,
    .close = close_file,
};
