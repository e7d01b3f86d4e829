// open_joints.c - joints that are not closed after the last step.
//
// A joint stays open when others hold its bodies elsewhere: two welds of one body to different
// places, a rod between bodies that are moved apart. No solver can help there; the user has to know
// which joints are meant.
#include "cli/run/open_joints.h"

#include "cli/text/label.h"
#include "cli/text/text.h"

#include <stdio.h>
#include <string.h>

enum { NAMED = 4 }; // joints at most; the others are counted

typedef struct OpenJoint {
  rgJointId id;
  double error; // [m]
} OpenJoint;

// Keeps the worst ones, sorted.
static void keep_worst(OpenJoint* worst, int* kept, OpenJoint joint) {
  int place = *kept < NAMED ? (*kept)++ : NAMED;
  for (; place > 0 && worst[place - 1].error < joint.error; --place)
    if (place < NAMED)
      worst[place] = worst[place - 1];
  if (place < NAMED)
    worst[place] = joint;
}

// "hinge 'elbow' of arm and forearm by 1 m"
static size_t joint_text(const rgWorld* world, const OpenJoint* joint, char* text, size_t size) {
  rgJointState state;
  char name[CLI_TEXT_MAX], ends[CLI_TEXT_MAX], error[CLI_TEXT_MAX];
  rg_joint_state(world, joint->id, &state);
  cli_clean(rg_joint_name(world, joint->id), name, sizeof name);
  cli_label_ends(world, &state, ends, sizeof ends);
  cli_measure_text(joint->error, "m", error, sizeof error);
  return (size_t)snprintf(text, size, "%s%s%.60s%s of %s by %s", rg_joint_kind_name(state.kind),
                          name[0] ? " '" : "", name, name[0] ? "'" : "", ends, error);
}

void cli_open_joints(const rgWorld* world, double allowed, char* text, size_t size) {
  OpenJoint worst[NAMED];
  int kept = 0, open = 0;
  text[0] = '\0';
  for (int i = 0; i < rg_world_joint_count(world); ++i) {
    OpenJoint joint = {.id = rg_world_joint(world, i)};
    rgJointState state;
    if (rg_joint_state(world, joint.id, &state) != RG_OK || state.error <= allowed)
      continue;
    joint.error = state.error;
    keep_worst(worst, &kept, joint);
    ++open;
  }
  if (open == 0)
    return;
  size_t used = (size_t)snprintf(text, size, "joints that are not closed at the end: ");
  for (int i = 0; i < kept && used < size; ++i) {
    used += (size_t)snprintf(text + used, size - used, "%s", i ? "; " : "");
    if (used < size)
      used += joint_text(world, &worst[i], text + used, size - used);
  }
  if (open > kept && used < size)
    used += (size_t)snprintf(text + used, size - used, "; and %d more", open - kept);
  if (used < size)
    snprintf(text + used, size - used,
             ". They contradict each other, or what moves their bodies; change or remove one");
}
