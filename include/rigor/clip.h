// clip.h - recorded movements of a skeleton: files of the format BVH.
//
// A clip is a tree of joints with offsets from joint to joint, and for each frame the numbers of all
// channels: positions in the unit of the file, and angles [deg] of turns that follow each other in the
// order of the channels. The files do not say what their unit of length is.
//
//     rgClip* clip;
//     if (rg_clip_read("pitch.bvh", &clip, &message) != RG_OK)
//       return fail(message.text); // begins with file, line and column
//     printf("%d joints, %.3g s\n", clip->joint_count, clip->frame_count * clip->frame_time);
//     rg_clip_free(clip);
#ifndef RIGOR_CLIP_H
#define RIGOR_CLIP_H

#include "vec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rgChannel {
  RG_CHANNEL_X_POSITION,
  RG_CHANNEL_Y_POSITION,
  RG_CHANNEL_Z_POSITION,
  RG_CHANNEL_X_ROTATION,
  RG_CHANNEL_Y_ROTATION,
  RG_CHANNEL_Z_ROTATION,
  RG_CHANNEL_COUNT
} rgChannel;
RG_API const char* rg_channel_name(rgChannel channel); // "Xposition", ...; NULL past the end

enum { RG_CLIP_NAME_SIZE = 64 };

typedef struct rgClipJoint {
  char name[RG_CLIP_NAME_SIZE]; // "" of an end site
  int parent;                   // -1: the root; a parent comes before its children
  bool end;                     // an end site: a point without channels where a chain ends
  rgVec3 offset;                // from the parent, in its axes, unit of the file
  int channel_start;            // of its first channel in a frame
  int channel_count;
  rgChannel channels[RG_CHANNEL_COUNT];
  int line; // of the file, where it begins
} rgClipJoint;

typedef struct rgClip {
  int joint_count; // end sites included
  const rgClipJoint* joints;
  int channel_count, frame_count;
  double frame_time;    // [s]
  const double* values; // frame by frame, channel_count numbers each
} rgClip;

// Reads a file, or a text of `length` bytes, for which `name` stands in messages. On failure *clip is
// NULL and the message begins with "file:line:column: ".
RG_API rgStatus rg_clip_read(const char* path, rgClip** clip, rgMessage* message);
RG_API rgStatus rg_clip_parse(const char* text, size_t length, const char* name, rgClip** clip,
                              rgMessage* message);
RG_API void rg_clip_free(rgClip* clip); // NULL is allowed

#ifdef __cplusplus
}
#endif
#endif
