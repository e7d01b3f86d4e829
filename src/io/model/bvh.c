// bvh.c - skeletons and their recorded movements in the format BVH.
//
//     HIERARCHY
//     ROOT name
//     {
//       OFFSET x y z
//       CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
//       JOINT name { ... }             any number, nested
//       End Site { OFFSET x y z }
//     }
//     MOTION
//     Frames: 2
//     Frame Time: 0.0083333
//     v1 v2 ... vn                     one line per frame, one number per channel
//
// There is no standard; files agree on the above. Words may be in either case. A frame must be one
// line: it is the only way to tell where numbers are missing.
#include "base/memory.h"
#include "base/message.h"
#include "io/text/file.h"
#include "io/text/tokens.h"
#include <rigor/figure.h>

#include <math.h>
#include <string.h>

// Limits of what is read: skeletons have tens of joints, nested less than twenty deep.
enum { JOINTS_MAX = 4096, DEPTH_MAX = 256, SHOWN = 40 };

static const char* const channel_names[RG_CHANNEL_COUNT] = {"Xposition", "Yposition", "Zposition",
                                                            "Xrotation", "Yrotation", "Zrotation"};

const char* rg_channel_name(rgChannel channel) {
  return (int)channel >= 0 && channel < RG_CHANNEL_COUNT ? channel_names[channel] : NULL;
}

// A clip with its memory.
typedef struct Clip {
  rgClip clip; // first: what users hold
  rgClipJoint* joints;
  int joints_capacity;
  double* values;
  int values_capacity;
} Clip;

typedef struct Reader {
  rgTokens tokens;
  rgAllocator allocator;
  Clip* clip;
} Reader;

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool is_word(const rgToken* token, const char* word) {
  size_t length = strlen(word);
  bool same = token->length == length;
  for (size_t i = 0; same && i < length; i++)
    same = lower(token->text[i]) == lower(word[i]);
  return same;
}

static int shown(const rgToken* token) {
  return token->length < SHOWN ? (int)token->length : SHOWN;
}

static bool expect(Reader* reader, const char* word) {
  rgToken token;
  if (!rg_token_next(&reader->tokens, &token))
    return rg_tokens_fail(&reader->tokens, NULL, "unexpected end of file, expected %s", word);
  return is_word(&token, word) ||
         rg_tokens_fail(&reader->tokens, &token, "expected %s, found '%.*s'", word, shown(&token),
                        token.text);
}

// -------------------------------------------------------------------------------------------------
// Hierarchy
// -------------------------------------------------------------------------------------------------

static rgClipJoint* add_joint(Reader* reader, const rgToken* at, int parent) {
  Clip* clip = reader->clip;
  int count = clip->clip.joint_count;
  if (count == JOINTS_MAX) {
    rg_tokens_fail(&reader->tokens, at, "more than %d joints and end sites", JOINTS_MAX);
    return NULL;
  }
  if (!rg_reserve(&reader->allocator, (void**)&clip->joints, &clip->joints_capacity, count + 1,
                  sizeof *clip->joints)) {
    rg_tokens_no_memory(&reader->tokens);
    return NULL;
  }
  clip->clip.joint_count++;
  rgClipJoint* joint = &clip->joints[count];
  *joint = (rgClipJoint){.parent = parent, .line = at->line};
  joint->channel_start = clip->clip.channel_count;
  return joint;
}

static bool read_name(Reader* reader, rgClipJoint* joint) {
  rgToken token;
  if (!rg_token_next(&reader->tokens, &token) || is_word(&token, "{"))
    return rg_tokens_fail(&reader->tokens, &token, "a joint has no name");
  if (token.length >= sizeof joint->name)
    return rg_tokens_fail(&reader->tokens, &token, "a name of %d bytes is too long, at most %d",
                          (int)token.length, (int)sizeof joint->name - 1);
  memcpy(joint->name, token.text, token.length);
  for (size_t i = 0; i < token.length; i++)
    if ((unsigned char)token.text[i] < ' ')
      return rg_tokens_fail(&reader->tokens, &token, "a name has a control character");
  return true;
}

static bool read_offset(Reader* reader, rgVec3* offset) {
  return rg_token_real(&reader->tokens, "OFFSET x", 0, &offset->x) &&
         rg_token_real(&reader->tokens, "OFFSET y", 0, &offset->y) &&
         rg_token_real(&reader->tokens, "OFFSET z", 0, &offset->z);
}

static bool read_channel(Reader* reader, rgClipJoint* joint) {
  rgToken token;
  if (!rg_token_next(&reader->tokens, &token))
    return rg_tokens_fail(&reader->tokens, NULL, "unexpected end of file, expected a channel");
  int channel = 0;
  while (channel < RG_CHANNEL_COUNT && !is_word(&token, channel_names[channel]))
    channel++;
  if (channel == RG_CHANNEL_COUNT)
    return rg_tokens_fail(&reader->tokens, &token,
                          "unknown channel '%.*s', must be Xposition, Yposition, Zposition, "
                          "Xrotation, Yrotation or Zrotation",
                          shown(&token), token.text);
  for (int i = 0; i < joint->channel_count; i++)
    if ((int)joint->channels[i] == channel)
      return rg_tokens_fail(&reader->tokens, &token, "the channel %s is given twice",
                            channel_names[channel]);
  joint->channels[joint->channel_count++] = (rgChannel)channel;
  return true;
}

static bool read_channels(Reader* reader, rgClipJoint* joint) {
  int count = 0;
  bool good =
      rg_token_int(&reader->tokens, "the number of CHANNELS", 0, 0, RG_CHANNEL_COUNT, &count);
  for (int i = 0; i < count && good; i++)
    good = read_channel(reader, joint);
  reader->clip->clip.channel_count += joint->channel_count;
  return good;
}

// What of a joint has been read.
typedef struct Open {
  int joint;
  bool has_offset, has_channels, has_children;
} Open;

// Closes a joint at its brace.
static bool close_joint(Reader* reader, const rgToken* at, const Open* open) {
  const rgClipJoint* joint = &reader->clip->joints[open->joint];
  const char* name = joint->end ? "an end site" : joint->name;
  if (!open->has_offset)
    return rg_tokens_fail(&reader->tokens, at, "%s (line %d) has no OFFSET", name, joint->line);
  if (!joint->end && !open->has_channels)
    return rg_tokens_fail(&reader->tokens, at, "%s (line %d) has no CHANNELS", name, joint->line);
  return true;
}

static bool begin_joint(Reader* reader, const rgToken* at, Open* stack, int* depth, bool end) {
  if (*depth == DEPTH_MAX)
    return rg_tokens_fail(&reader->tokens, at, "joints are nested deeper than %d", DEPTH_MAX);
  rgClipJoint* joint = add_joint(reader, at, *depth ? stack[*depth - 1].joint : -1);
  if (!joint)
    return false;
  joint->end = end;
  if (*depth)
    stack[*depth - 1].has_children = true;
  stack[(*depth)++] = (Open){.joint = reader->clip->clip.joint_count - 1};
  return (end ? expect(reader, "Site") : read_name(reader, joint)) && expect(reader, "{");
}

static bool fail_open(Reader* reader, const Open* open) {
  const rgClipJoint* joint = &reader->clip->joints[open->joint];
  return rg_tokens_fail(&reader->tokens, NULL,
                        "unexpected end of file: %s, which begins in line %d, is not closed by }",
                        joint->end ? "the end site" : joint->name, joint->line);
}

// One word inside a joint, and what belongs to it.
static bool read_member(Reader* reader, const rgToken* token, Open* stack, int* depth) {
  Open* open = &stack[*depth - 1];
  rgClipJoint* joint = &reader->clip->joints[open->joint];
  rgTokens* tokens = &reader->tokens;
  if (is_word(token, "}")) {
    (*depth)--;
    return close_joint(reader, token, open);
  }
  if (is_word(token, "OFFSET")) {
    if (open->has_offset)
      return rg_tokens_fail(tokens, token, "a second OFFSET of the joint of line %d", joint->line);
    open->has_offset = true;
    return read_offset(reader, &joint->offset);
  }
  if (joint->end)
    return rg_tokens_fail(tokens, token, "expected OFFSET or } in an end site, found '%.*s'",
                          shown(token), token->text);
  if (is_word(token, "CHANNELS")) {
    if (open->has_channels || open->has_children)
      return rg_tokens_fail(
          tokens, token, "CHANNELS of %s must come once, before the joints inside it", joint->name);
    open->has_channels = true;
    return read_channels(reader, joint);
  }
  bool end = is_word(token, "End");
  if (!end && !is_word(token, "JOINT"))
    return rg_tokens_fail(tokens, token,
                          "expected OFFSET, CHANNELS, JOINT, End Site or }, found '%.*s'",
                          shown(token), token->text);
  return begin_joint(reader, token, stack, depth, end);
}

static bool read_hierarchy(Reader* reader) {
  Open stack[DEPTH_MAX];
  int depth = 0;
  rgToken token;
  if (!expect(reader, "HIERARCHY"))
    return false;
  rgTokens ahead = reader->tokens;
  rg_token_next(&ahead, &token);
  if (!expect(reader, "ROOT") || !begin_joint(reader, &token, stack, &depth, false))
    return false;
  while (depth > 0) {
    if (!rg_token_next(&reader->tokens, &token))
      return fail_open(reader, &stack[depth - 1]);
    if (!read_member(reader, &token, stack, &depth))
      return false;
  }
  ahead = reader->tokens;
  if (rg_token_next(&ahead, &token) && is_word(&token, "ROOT"))
    return rg_tokens_fail(&reader->tokens, &token, "a second ROOT: a clip has one skeleton");
  return true;
}

// -------------------------------------------------------------------------------------------------
// Motion
// -------------------------------------------------------------------------------------------------

static bool read_frame(Reader* reader, int frame, double* values) {
  int count = reader->clip->clip.channel_count, line = 0;
  rgTokens* tokens = &reader->tokens;
  rgToken token;
  for (int i = 0; i < count; i++) {
    if (!rg_token_next(tokens, &token))
      return i == 0 ? rg_tokens_fail(tokens, NULL, "unexpected end of file after %d of %d frames",
                                     frame, reader->clip->clip.frame_count)
                    : rg_tokens_fail(tokens, NULL,
                                     "the file ends within frame %d, after %d of %d numbers", frame,
                                     i, count);
    if (i > 0 && token.line != line)
      return rg_tokens_fail(tokens, &token,
                            "frame %d (line %d) has %d numbers, must have %d: one per channel",
                            frame, line, i, count);
    line = token.line;
    if (!rg_token_number(&token, &values[i]) || !isfinite(values[i]))
      return rg_tokens_fail(tokens, &token, "number %d of frame %d is '%.*s', must be finite", i,
                            frame, shown(&token), token.text);
  }
  rgTokens ahead = *tokens;
  if (count > 0 && rg_token_next(&ahead, &token) && token.line == line)
    return rg_tokens_fail(tokens, &token, "frame %d has more than %d numbers: one per channel",
                          frame, count);
  return true;
}

static bool read_frames(Reader* reader) {
  Clip* clip = reader->clip;
  size_t channels = (size_t)clip->clip.channel_count, frames = (size_t)clip->clip.frame_count;
  rgTokens* tokens = &reader->tokens;
  // What the rest of the file can hold bounds the memory.
  size_t possible = channels > 0 ? rg_tokens_left(tokens) / channels + 1 : frames;
  size_t room = frames < possible ? frames : possible;
  if (room * channels > INT32_MAX ||
      !rg_reserve(&reader->allocator, (void**)&clip->values, &clip->values_capacity,
                  (int)(room * channels), sizeof *clip->values))
    return rg_tokens_no_memory(tokens);
  for (size_t i = 0; i < frames; i++) {
    if (i == room)
      return rg_tokens_fail(tokens, NULL, "the file cannot hold the %d frames that it announces",
                            clip->clip.frame_count);
    if (!read_frame(reader, (int)i, clip->values + i * channels))
      return false;
  }
  rgToken token;
  if (rg_token_next(tokens, &token))
    return rg_tokens_fail(tokens, &token, "text after the last of %d frames: '%.*s'",
                          clip->clip.frame_count, shown(&token), token.text);
  return true;
}

static bool read_motion(Reader* reader) {
  rgClip* clip = &reader->clip->clip;
  if (!expect(reader, "MOTION") || !expect(reader, "Frames:") ||
      !rg_token_int(&reader->tokens, "Frames", 0, 1, INT32_MAX, &clip->frame_count) ||
      !expect(reader, "Frame") || !expect(reader, "Time:"))
    return false;
  rgToken token;
  if (!rg_token_next(&reader->tokens, &token))
    return rg_tokens_fail(&reader->tokens, NULL, "unexpected end of file, expected a Frame Time");
  if (!rg_token_number(&token, &clip->frame_time) ||
      !(clip->frame_time > 0 && isfinite(clip->frame_time)))
    return rg_tokens_fail(&reader->tokens, &token, "Frame Time is '%.*s', must be a number > 0 [s]",
                          shown(&token), token.text);
  if (clip->channel_count == 0)
    return rg_tokens_fail(&reader->tokens, &token, "the skeleton has no channels: nothing moves");
  return read_frames(reader);
}

// -------------------------------------------------------------------------------------------------
// Clips
// -------------------------------------------------------------------------------------------------

rgStatus rg_clip_parse(const char* text, size_t length, const char* name, rgClip** out,
                       rgMessage* message) {
  *out = NULL;
  rgMessage unused;
  Reader reader = {.tokens = rg_tokens(text, length, name, message ? message : &unused),
                   .allocator = rg_allocator_default()};
  reader.clip = rg_allocate(&reader.allocator, sizeof *reader.clip);
  if (!reader.clip)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  bool good = read_hierarchy(&reader) && read_motion(&reader);
  reader.clip->clip.joints = reader.clip->joints;
  reader.clip->clip.values = reader.clip->values;
  if (good)
    *out = &reader.clip->clip;
  else
    rg_clip_free(&reader.clip->clip);
  return good ? RG_OK : reader.tokens.status;
}

rgStatus rg_clip_read(const char* path, rgClip** clip, rgMessage* message) {
  rgAllocator allocator = rg_allocator_default();
  char* text;
  size_t length, size;
  *clip = NULL;
  rgStatus status = rg_file_read(path, &allocator, &text, &length, &size, message);
  if (status != RG_OK)
    return status;
  status = rg_clip_parse(text, length, path, clip, message);
  rg_release(&allocator, text, size);
  return status;
}

void rg_clip_free(rgClip* clip) {
  if (!clip)
    return;
  rgAllocator allocator = rg_allocator_default();
  Clip* own = (Clip*)clip;
  rg_release(&allocator, own->joints, (size_t)own->joints_capacity * sizeof *own->joints);
  rg_release(&allocator, own->values, (size_t)own->values_capacity * sizeof *own->values);
  rg_release(&allocator, own, sizeof *own);
}
