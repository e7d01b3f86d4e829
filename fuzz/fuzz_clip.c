// fuzz_clip.c - any bytes as a clip: an error with its place, or a skeleton whose parents come before
// their children and whose numbers are finite.
#include <rigor/clip.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_joint(const rgClip* clip, int index) {
  const rgClipJoint* joint = &clip->joints[index];
  if (joint->parent >= index || (index == 0) != (joint->parent < 0))
    abort();
  if (joint->channel_start + joint->channel_count > clip->channel_count)
    abort();
  if (!isfinite(joint->offset.x) || !isfinite(joint->offset.y) || !isfinite(joint->offset.z))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rgClip* clip;
  rgMessage message = {""};
  rgStatus status = rg_clip_parse((const char*)data, size, "fuzz.bvh", &clip, &message);
  if (status != RG_OK) {
    if (clip || strncmp(message.text, "fuzz.bvh:", strlen("fuzz.bvh:")) != 0)
      abort();
    return 0;
  }
  for (int i = 0; i < clip->joint_count; i++)
    check_joint(clip, i);
  for (int64_t i = 0; i < (int64_t)clip->frame_count * clip->channel_count; i++)
    if (!isfinite(clip->values[i]))
      abort();
  rg_clip_free(clip);
  return 0;
}
