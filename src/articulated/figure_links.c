// figure_links.c - which joints of a clip make a link.
//
// Skeletons of clips have joints that are none: those that never move, and several in the same place,
// as where fingers and thumb leave the hand. They are taken together:
//
// 1. A joint that never moves is welded to its parent.
// 2. A link that then has no bone of its own would have no mass. If joints leave from its own place,
//    it is one with the first of them, turns included, and the others are welded to that one as they
//    stand in the first frame: a hand keeps its fingers. If there is none, it is the end of a chain
//    and belongs to its parent.
//
// What is left has a bone each, and every joint is a ball.
#include "articulated/figure.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/trig.h"

#include <string.h>

// [rad] A joint whose turns differ by less than this over the clip never moves: files have four
// decimals of a degree.
static const double STILL = 1e-5;
// Offsets below this part of the clip's largest one are zero.
static const double NO_LENGTH = 1e-6;

static rgQuat turn_about_axis(int axis, double degrees) {
  double half = fmod(degrees, 720) * (RG_PI / 360), s = rg_sin(half); // fmod is exact
  return (rgQuat){rg_cos(half), axis == 0 ? s : 0, axis == 1 ? s : 0, axis == 2 ? s : 0};
}

// The turn of a joint against its parent; turns follow each other in the order of the channels.
static rgQuat turn_of(const rgClip* clip, int joint, int frame) {
  const rgClipJoint* it = &clip->joints[joint];
  const double* values = clip->values + (size_t)frame * (size_t)clip->channel_count;
  rgQuat turn = quat_identity();
  for (int i = 0; i < it->channel_count; i++)
    if (it->channels[i] >= RG_CHANNEL_X_ROTATION)
      turn = quat_mul(turn, turn_about_axis((int)it->channels[i] - RG_CHANNEL_X_ROTATION,
                                            values[it->channel_start + i]));
  return turn;
}

static rgVec3 place_of_root(const rgClip* clip, int frame) {
  const rgClipJoint* root = &clip->joints[0];
  const double* values = clip->values + (size_t)frame * (size_t)clip->channel_count;
  double place[3] = {root->offset.x, root->offset.y, root->offset.z};
  for (int i = 0; i < root->channel_count; i++)
    if (root->channels[i] <= RG_CHANNEL_Z_POSITION)
      place[root->channels[i]] += values[root->channel_start + i];
  return v3(place[0], place[1], place[2]);
}

// Turns y, which points up in clips, to z.
static rgQuat upright(void) { return quat_unit((rgQuat){1, 1, 0, 0}); }

void rg_figure_place_joints(const rgFigure* figure, const rgClip* clip, int frame, rgPose* joints) {
  double scale = figure->def.scale;
  for (int i = 0; i < clip->joint_count; i++) {
    const rgClipJoint* joint = &clip->joints[i];
    rgQuat turn = turn_of(clip, i, frame);
    if (joint->parent < 0) {
      joints[i].orientation = quat_mul(upright(), turn);
      joints[i].position = v3_scale(quat_rotate(upright(), place_of_root(clip, frame)), scale);
      continue;
    }
    const rgPose* parent = &joints[joint->parent];
    joints[i].position = pose_apply(*parent, v3_scale(joint->offset, scale));
    joints[i].orientation = quat_unit(quat_mul(parent->orientation, turn));
  }
}

// -------------------------------------------------------------------------------------------------
// Welding
// -------------------------------------------------------------------------------------------------

typedef struct Weld {
  int into;      // joint with which it is one link; itself where it leads one
  bool has_bone; // of a leader: some joint of its link has a bone
  int carrier;   // of a leader: whose axes the link has
} Weld;

static double angle_between(rgQuat a, rgQuat b) {
  rgQuat d = quat_mul(quat_conj(a), b);
  return 2 * rg_atan2(v3_norm(v3(d.x, d.y, d.z)), fabs(d.w));
}

static bool never_moves(const rgFigure* figure, const rgClip* clip, int joint) {
  rgQuat first = turn_of(clip, joint, figure->def.first_frame);
  for (int f = figure->def.first_frame + 1; f < clip->frame_count; f++)
    if (angle_between(first, turn_of(clip, joint, f)) > STILL)
      return false;
  return true;
}

static int leader_of(const Weld* welds, int joint) {
  while (welds[joint].into != joint)
    joint = welds[joint].into;
  return joint;
}

static bool has_length(const rgClipJoint* joint, double least) {
  return v3_norm(joint->offset) > least;
}

static void find_bones(const rgClip* clip, double least, Weld* welds) {
  for (int i = 0; i < clip->joint_count; i++)
    welds[i].has_bone = false;
  for (int i = 1; i < clip->joint_count; i++)
    if (has_length(&clip->joints[i], least))
      welds[leader_of(welds, clip->joints[i].parent)].has_bone = true;
}

// Makes a link without a bone one with the first joint that leaves from its place, or with its
// parent. Its other joints are then all in that place too. False when there is no such joint.
static bool join_boneless(const rgClip* clip, Weld* welds, int joint) {
  int first = -1;
  for (int i = joint + 1; i < clip->joint_count; i++) {
    int parent = clip->joints[i].parent;
    if (clip->joints[i].end || welds[i].into != i || leader_of(welds, parent) != joint)
      continue;
    if (first < 0)
      first = i;
    welds[i].into = joint;
  }
  if (first >= 0)
    welds[joint].carrier = first;
  else if (joint > 0)
    welds[joint].into = clip->joints[joint].parent;
  return first >= 0;
}

static void weld(const rgFigure* figure, const rgClip* clip, Weld* welds) {
  double largest = 0;
  for (int i = 1; i < clip->joint_count; i++)
    largest = fmax(largest, v3_norm(clip->joints[i].offset));
  double least = NO_LENGTH * largest;
  for (int i = 0; i < clip->joint_count; i++) {
    bool still = i > 0 && (clip->joints[i].end || never_moves(figure, clip, i));
    welds[i] = (Weld){.into = still ? clip->joints[i].parent : i, .carrier = i};
  }
  find_bones(clip, least, welds);
  for (int i = 0; i < clip->joint_count; i++) {
    while (welds[i].into == i && !welds[i].has_bone && join_boneless(clip, welds, i))
      find_bones(clip, least, welds);
  }
}

// -------------------------------------------------------------------------------------------------
// Links and bones
// -------------------------------------------------------------------------------------------------

// The link of a leader in the list, -1: not there.
static int link_of(const rgFigure* figure, const int* leaders, int leader) {
  for (int i = 0; i < figure->link_count; i++)
    if (leaders[i] == leader)
      return i;
  return -1;
}

static void list_links(rgFigure* figure, const rgClip* clip, const Weld* welds,
                       const rgPose* joints, int* leaders) {
  for (int i = 0; i < clip->joint_count; i++) {
    if (welds[i].into != i)
      continue;
    rgLinkPart* link = &figure->links[figure->link_count];
    *link = (rgLinkPart){.parent = -1, .carrier = welds[i].carrier};
    memcpy(link->name, clip->joints[i].name, sizeof link->name);
    if (clip->joints[i].parent >= 0) {
      link->parent = link_of(figure, leaders, leader_of(welds, clip->joints[i].parent));
      int carrier = figure->links[link->parent].carrier;
      link->offset = pose_unapply(joints[carrier], joints[i].position);
    }
    leaders[figure->link_count++] = i;
  }
}

static void list_bones(rgFigure* figure, const rgClip* clip, const Weld* welds,
                       const rgPose* joints, const int* leaders) {
  for (int i = 1; i < clip->joint_count; i++) {
    int parent = clip->joints[i].parent;
    int link = link_of(figure, leaders, leader_of(welds, parent));
    rgPose frame = joints[figure->links[link].carrier];
    frame.position = joints[leaders[link]].position;
    rgVec3 from = pose_unapply(frame, joints[parent].position),
           to = pose_unapply(frame, joints[i].position);
    if (v3_norm(v3_sub(to, from)) > 0 && has_length(&clip->joints[i], 0))
      figure->bones[figure->bone_count++] = (rgBone){.link = link, .from = from, .to = to};
  }
}

rgStatus rg_figure_make_links(rgFigure* figure, const rgClip* clip, rgMessage* message) {
  size_t count = (size_t)clip->joint_count;
  size_t size = count * (sizeof(Weld) + sizeof(rgPose) + sizeof(int));
  void* memory = rg_allocate(&figure->allocator, size);
  figure->link_room = figure->bone_room = clip->joint_count;
  figure->links = rg_allocate(&figure->allocator, count * sizeof *figure->links);
  figure->bones = rg_allocate(&figure->allocator, count * sizeof *figure->bones);
  rgStatus status = RG_OK;
  if (!memory || !figure->links || !figure->bones)
    status =
        rg_fail(message, RG_ERROR_MEMORY, "not enough memory for %d joints", clip->joint_count);
  rgPose* joints = memory;
  Weld* welds = (Weld*)(joints + count);
  int* leaders = (int*)(welds + count);
  if (status == RG_OK) {
    rg_figure_place_joints(figure, clip, figure->def.first_frame, joints);
    weld(figure, clip, welds);
    list_links(figure, clip, welds, joints, leaders);
    list_bones(figure, clip, welds, joints, leaders);
    if (figure->bone_count == 0)
      status = rg_fail(message, RG_ERROR_INPUT,
                       "the skeleton has no bones: all of its offsets are zero");
  }
  rg_release(&figure->allocator, memory, size);
  return status;
}
