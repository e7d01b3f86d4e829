// recording.c - recorded runs read back.
#include "base/memory.h"
#include "base/message.h"
#include "io/gltf/gltf.h"
#include "io/trajectory/trajectory.h"

#include <string.h>

// What the caller sees, and the memory of all it points to.
typedef struct Recording {
  rgRecording seen;
  rgPool pool;
} Recording;

static bool is_named(const char* path, const char* ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

rgStatus rg_recording_read(const char* path, rgRecording** recording, rgMessage* message) {
  *recording = NULL;
  if (!is_named(path, ".h5"))
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: the ending must be .h5", path);
  rgAllocator allocator = rg_allocator_default();
  Recording* made = rg_allocate(&allocator, sizeof *made);
  if (!made)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  made->pool = (rgPool){allocator, NULL};
  rgTrajectoryPoses poses;
  rgStatus status = rg_trajectory_read_h5(path, &made->pool, &poses, message);
  made->seen = (rgRecording){
      .frame_count = poses.frame_count,
      .body_count = poses.body_count,
      .time = poses.time,
      .step = poses.step,
      .position = (const rgVec3*)(const void*)poses.position,
      .orientation = (const rgQuat*)(const void*)poses.orientation,
      .scene = poses.scene,
      .contact_start = poses.contact_start,
      .contacts = poses.contacts,
      .measures = poses.measures,
  };
  if (status == RG_OK)
    *recording = &made->seen;
  else
    rg_recording_free(&made->seen);
  return status;
}

void rg_recording_free(rgRecording* recording) {
  if (!recording)
    return;
  Recording* made = (Recording*)(void*)recording; // the first member of it
  rgAllocator allocator = made->pool.allocator;
  rg_pool_free(&made->pool);
  rg_release(&allocator, made, sizeof *made);
}

// -------------------------------------------------------------------------------------------------
// Export
// -------------------------------------------------------------------------------------------------

static rgStatus append_frames(rgGltf* gltf, const rgRecording* recording, rgMessage* message) {
  rgStatus status = RG_OK;
  size_t count = (size_t)recording->body_count;
  rgPose* poses = rg_pool_take(&gltf->pool, count, sizeof *poses);
  if (!poses)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", gltf->path);
  for (int frame = 0; frame < recording->frame_count && status == RG_OK; frame++) {
    for (size_t i = 0, at = (size_t)frame * count; i < count; i++, at++)
      poses[i] = (rgPose){recording->position[at], recording->orientation[at]};
    status = rg_gltf_append(gltf, recording->time[frame], poses, message);
  }
  return status;
}

rgStatus rg_recording_export(const rgRecording* recording, const rgWorld* world, const char* path,
                             rgMessage* message) {
  if (!is_named(path, rg_trajectory_glb.ending))
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: the ending must be .glb", path);
  int count = rg_world_body_count(world);
  if (count != recording->body_count)
    return rg_fail(message, RG_ERROR_INPUT, "%s: the run has %d bodies, its scene %d", path,
                   recording->body_count, count);
  if (recording->frame_count == 0)
    return rg_fail(message, RG_ERROR_INPUT, "%s: the run has no frame", path);
  rgAllocator allocator = rg_allocator_default();
  rgGltf* gltf;
  rgStatus status = rg_gltf_open(path, world, &allocator, &gltf, message);
  if (status != RG_OK)
    return status;
  status = append_frames(gltf, recording, message);
  if (status == RG_OK)
    return rg_gltf_close(gltf, message);
  rg_gltf_abandon(gltf);
  return status;
}
