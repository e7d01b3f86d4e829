// recording.c - recorded runs read back.
#include "base/memory.h"
#include "base/message.h"
#include "io/trajectory/trajectory.h"

#include <string.h>

// What the caller sees, and the memory of all it points to.
typedef struct Recording {
  rgRecording seen;
  rgPool pool;
} Recording;

static bool is_h5(const char* path) {
  size_t length = strlen(path);
  return length > 3 && strcmp(path + length - 3, ".h5") == 0;
}

rgStatus rg_recording_read(const char* path, rgRecording** recording, rgMessage* message) {
  *recording = NULL;
  if (!is_h5(path))
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
