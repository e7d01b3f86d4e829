// Clips (BVH): what is read, and what is said of broken files.
#include "test.h"

#include <rigor/figure.h>

static const char arm[] = "HIERARCHY\n"                                // 1
                          "ROOT Chest\n"                               // 2
                          "{\n"                                        // 3
                          "OFFSET 0 0 0\n"                             // 4
                          "CHANNELS 6 Zposition Yposition Xposition "  //
                          "Zrotation Xrotation Yrotation\n"            // 5
                          "JOINT Arm\n"                                // 6
                          "{\n"                                        // 7
                          "OFFSET 0.2 .1 -1e-1\n"                      // 8
                          "CHANNELS 3 Xrotation Yrotation Zrotation\n" // 9
                          "End Site\n"                                 // 10
                          "{\n"                                        // 11
                          "OFFSET 0.3 0 0\n"                           // 12
                          "}\n"                                        // 13
                          "}\n"                                        // 14
                          "}\n"                                        // 15
                          "MOTION\n"                                   // 16
                          "Frames: 2\n"                                // 17
                          "Frame Time: .0083333\n"                     // 18
                          "1 2 3 4 5 6 7 8 9\n"                        // 19
                          "11 12 13 14 15 16 17 18 19\n";              // 20

TEST(a_clip_is_read_with_hierarchy_channels_and_frames) {
  rgClip* clip;
  rgMessage message = {""};
  REQUIRE_INT(rg_clip_parse(arm, strlen(arm), "arm.bvh", &clip, &message), RG_OK);
  CHECK_INT(clip->joint_count, 3);
  CHECK_STR(clip->joints[0].name, "Chest");
  CHECK_INT(clip->joints[0].parent, -1);
  CHECK_INT(clip->joints[0].channel_count, 6);
  CHECK_INT(clip->joints[0].channels[0], RG_CHANNEL_Z_POSITION);
  CHECK_INT(clip->joints[0].channels[4], RG_CHANNEL_X_ROTATION);
  CHECK_STR(clip->joints[1].name, "Arm");
  CHECK_INT(clip->joints[1].parent, 0);
  CHECK_INT(clip->joints[1].channel_start, 6);
  CHECK_NEAR(clip->joints[1].offset.y, 0.1, 0);
  CHECK_NEAR(clip->joints[1].offset.z, -0.1, 0);
  CHECK_INT(clip->joints[1].line, 6);
  CHECK(clip->joints[2].end);
  CHECK_INT(clip->joints[2].parent, 1);
  CHECK_INT(clip->joints[2].channel_count, 0);
  CHECK_INT(clip->frame_count, 2);
  CHECK_INT(clip->channel_count, 9);
  CHECK_NEAR(clip->frame_time, 0.0083333, 0);
  for (int i = 0; i < 18; i++)
    CHECK_NEAR(clip->values[i], i < 9 ? i + 1 : i + 2, 0);
  rg_clip_free(clip);
}

// A change of the text above, and what the message must say of it.
typedef struct Broken {
  const char *from, *to; // to NULL: the text ends where `from` begins
  const char* message;
} Broken;

static const Broken broken[] = {
    {"HIERARCHY", "HIERARCHI", "b.bvh:1:1: expected HIERARCHY, found 'HIERARCHI'"},
    {"ROOT", "JOINT", "b.bvh:2:1: expected ROOT, found 'JOINT'"},
    {"JOINT Arm", "JOINT", "b.bvh:7:1: a joint has no name"},
    {"OFFSET 0.2 .1", "OFFSET 0.2", "b.bvh:9:1: OFFSET z is 'CHANNELS', must be a finite number"},
    {"OFFSET 0.3 0 0", "OFFSET 0.3 nan 0", "b.bvh:12:12: OFFSET y is 'nan', must be a finite"},
    {"OFFSET 0.3 0 0", "", "b.bvh:13:1: an end site (line 10) has no OFFSET"},
    {"OFFSET 0.3 0 0", "OFFSET 1 1 1 OFFSET 1 1 1", "a second OFFSET of the joint of line 10"},
    {"OFFSET 0.3 0 0", "JOINT x {", "b.bvh:12:1: expected OFFSET or } in an end site"},
    {"CHANNELS 3", "CHANNELS 4", "b.bvh:10:1: unknown channel 'End', must be Xposition"},
    {"CHANNELS 3", "CHANNELS 2", "b.bvh:9:32: expected OFFSET, CHANNELS, JOINT, End Site or }"},
    {"CHANNELS 3", "CHANNELS 7",
     "the number of CHANNELS is '7', must be a whole number from 0 to 6"},
    {"CHANNELS 3 X", "CHANNELS 3 W", "b.bvh:9:12: unknown channel 'Wrotation'"},
    {"CHANNELS 3 X", "CHANNELS 3 Y", "b.bvh:9:22: the channel Yrotation is given twice"},
    {"CHANNELS 3 Xrotation Yrotation Zrotation", "", "b.bvh:14:1: Arm (line 6) has no CHANNELS"},
    {"End Site", "End Sight", "b.bvh:10:5: expected Site, found 'Sight'"},
    {"}\n}\n}\nMOTION", "}\n}\nMOTION", "b.bvh:15:1: expected OFFSET, CHANNELS"},
    {"}\n}\nMOTION", NULL, "Arm, which begins in line 6, is not closed by }"},
    {"MOTION", "ROOT second", "b.bvh:16:1: a second ROOT: a clip has one skeleton"},
    {"MOTION", NULL, "unexpected end of file, expected MOTION"},
    {"Frames: 2", "Frames: two", "b.bvh:17:9: Frames is 'two', must be a whole number >= 1"},
    {"Frames: 2", "Frames: 0", "Frames is '0', must be a whole number >= 1"},
    {"Frames: 2", "Frames: 3", "b.bvh:21:1: unexpected end of file after 2 of 3 frames"},
    {"Frames: 2", "Frames: 1", "b.bvh:20:1: text after the last of 1 frames: '11'"},
    {"Frames: 2", "Frames: 2000000000", "unexpected end of file after 2 of 2000000000 frames"},
    {".0083333", "0", "b.bvh:18:13: Frame Time is '0', must be a number > 0"},
    {".0083333", "inf", "Frame Time is 'inf', must be a number > 0"},
    {" 9\n11", "\n11", "b.bvh:20:1: frame 0 (line 19) has 8 numbers, must have 9"},
    {" 9\n11", " 9 10\n11", "b.bvh:19:19: frame 0 has more than 9 numbers"},
    {" 19\n", "\n", "the file ends within frame 1, after 8 of 9 numbers"},
    {"14 15", "14 NaN", "b.bvh:20:13: number 4 of frame 1 is 'NaN', must be finite"},
    {"14 15", "14 1e999", "number 4 of frame 1 is '1e999', must be finite"},
    {"14 15", "14 x", "b.bvh:20:13: number 4 of frame 1 is 'x', must be finite"},
};

TEST(broken_clips_are_refused_with_the_place_and_the_reason) {
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    const Broken* b = &broken[i];
    CONTEXT("'%s' for '%s'", b->to ? b->to : "the end", b->from);
    const char* at = strstr(arm, b->from);
    REQUIRE(at != NULL);
    char text[1024];
    int length = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - arm), arm, b->to ? b->to : "",
                          b->to ? at + strlen(b->from) : "");
    rgClip* clip;
    rgMessage message = {""};
    CHECK_INT(rg_clip_parse(text, (size_t)length, "b.bvh", &clip, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, b->message);
    CHECK(clip == NULL);
  }
}

TEST(a_hierarchy_that_is_too_deep_or_too_large_is_refused) {
  for (int deep = 0; deep < 2; deep++) {
    enum { COPIES = 5000 };
    const char* copy = deep ? "JOINT j { OFFSET 0 0 0 CHANNELS 0\n" : "End Site { OFFSET 0 0 0 }\n";
    size_t room = 100 + COPIES * strlen(copy), used = 0;
    char* text = malloc(room);
    used += (size_t)snprintf(text, room, "HIERARCHY ROOT r { OFFSET 0 0 0 CHANNELS 1 Xrotation\n");
    for (int i = 0; i < COPIES; i++)
      used += (size_t)snprintf(text + used, room - used, "%s", copy);
    rgClip* clip;
    rgMessage message = {""};
    CHECK_INT(rg_clip_parse(text, used, "large.bvh", &clip, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, deep ? "large.bvh:257:1: joints are nested deeper than 256"
                                      : "large.bvh:4097:1: more than 4096 joints and end sites");
    free(text);
  }
}

// Every prefix of a clip is an error with a place, or the whole clip.
TEST(every_truncated_clip_is_refused) {
  for (size_t length = 0; length + 3 < strlen(arm); length++) {
    rgClip* clip;
    rgMessage message = {""};
    CONTEXT("%d bytes", (int)length);
    CHECK_INT(rg_clip_parse(arm, length, "t.bvh", &clip, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, "t.bvh:");
  }
}

TEST(the_two_recorded_clips_load) {
  static const struct {
    const char* path;
    int frames;
  } clips[] = {{"data/mocap/124_01.bvh", 644}, {"data/mocap/143_22.bvh", 1092}};
  for (int i = 0; i < 2; i++) {
    rgClip* clip;
    rgMessage message = {""};
    REQUIRE_INT(rg_clip_read(test_shared(clips[i].path), &clip, &message), RG_OK);
    int ends = 0;
    for (int k = 0; k < clip->joint_count; k++)
      ends += clip->joints[k].end;
    CHECK_INT(clip->joint_count - ends, 31);
    CHECK_INT(clip->channel_count, 96);
    CHECK_INT(clip->frame_count, clips[i].frames);
    rg_clip_free(clip);
  }
}

TEST(a_file_that_is_not_there_is_named) {
  rgClip* clip;
  rgMessage message = {""};
  CHECK_INT(rg_clip_read("/nowhere/x.bvh", &clip, &message), RG_ERROR_IO);
  CHECK_CONTAINS(message.text, "/nowhere/x.bvh");
}
