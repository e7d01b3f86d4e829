// fuzz_clip.c - any bytes as a clip: an error with its place, or a skeleton whose parents come before
// their children and whose numbers are finite; and, of it, a figure that moves and a
// character, or a reason why not.
#include <rigor/character.h>

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

enum { JOINTS_MAX = 64, FRAMES_MAX = 64 }; // larger ones are read only, so that a run stays fast

// A character of the figure makes a step, or says why not.
static void check_character(const rgFigure* figure) {
  rgWorldDef def = rg_world_def();
  rgCharacterDef character_def = rg_character_def();
  rgWorld* world;
  rgCharacter* character;
  if (rg_world_create(&def, &world, NULL) != RG_OK)
    return;
  rgStatus status = rg_character_create(world, figure, &character_def, &character);
  if (status == RG_OK)
    status = rg_character_drive(character);
  if (status == RG_OK)
    status = rg_world_step(world, NULL);
  if (status != RG_OK && !rg_world_message(world)[0])
    abort();
  rg_character_destroy(character);
  rg_world_destroy(world);
}

static void check_figure(const rgClip* clip) {
  rgFigure* figure;
  rgMessage message = {""};
  rgFigureDef def = rg_figure_def();
  if (rg_figure_create(clip, &def, &figure, &message) != RG_OK) {
    if (figure || !message.text[0])
      abort();
    return;
  }
  int links = rg_figure_link_count(figure);
  rgBodyMotion motion[JOINTS_MAX];
  if (links < 1 || links > clip->joint_count)
    abort();
  rg_figure_motion(figure, 0.5 * (rg_figure_start(figure) + rg_figure_end(figure)), motion);
  for (int i = 0; i < links; i++) {
    rgFigureLink link;
    if (rg_figure_link(figure, i, &link) != RG_OK || link.parent >= i || !(link.mass > 0))
      abort();
  }
  check_character(figure);
  rg_figure_destroy(figure);
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
  if (clip->joint_count <= JOINTS_MAX && clip->frame_count <= FRAMES_MAX)
    check_figure(clip);
  rg_clip_free(clip);
  return 0;
}
