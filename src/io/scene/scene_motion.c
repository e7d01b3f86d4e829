// scene_motion.c - motions of kinematic bodies, and where copies of a body stand.
//
// A motion is evaluated inside the step, so it uses the project's own sine and gives the same bits
// everywhere.
#include "io/scene/scene_types.h"

#include "math/trig.h"
#include "math/vec.h"

#include <stdio.h>

rgVec3 rg_scene_copy_offset(const rgSceneRepeat* repeat, int copy) {
  int nx = repeat->count[0], ny = repeat->count[1];
  int i = copy % nx, j = copy / nx % ny, k = copy / nx / ny;
  return v3_mul(repeat->spacing, v3(i, j, k));
}

void rg_scene_copy_name(const rgSceneBody* body, int copy, char* text, size_t size) {
  const char* name = body->name ? body->name : "";
  if (name[0] && body->copies > 1)
    snprintf(text, size, "%s[%d]", name, copy);
  else
    snprintf(text, size, "%s", name);
}

// Last row whose time is not after `time`, and how far (0 .. 1) to the next; constant outside the
// table.
static int find_row(const rgList* times, double time, double* fraction) {
  const double* t = times->items;
  int low = 0, high = times->count;
  *fraction = 0;
  if (time <= t[0])
    return 0;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (t[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  if (low + 1 < times->count)
    *fraction = (time - t[low]) / (t[low + 1] - t[low]);
  return low;
}

// Normalised linear interpolation along the shorter arc.
static rgQuat quat_between(rgQuat a, rgQuat b, double s) {
  double dot = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  double p = 1 - s, q = dot < 0 ? -s : s;
  return quat_unit(
      (rgQuat){p * a.w + q * b.w, p * a.x + q * b.x, p * a.y + q * b.y, p * a.z + q * b.z});
}

static rgPose table_pose(const rgSceneMover* mover, double time) {
  const rgSceneMotion* motion = mover->motion;
  double s;
  int row = find_row(&motion->times, time, &s);
  int next = row + 1 < motion->times.count ? row + 1 : row;
  rgPose pose = mover->start;
  if (motion->positions.count > 0) {
    const rgVec3* p = motion->positions.items;
    pose.position = v3_add(v3_lerp(p[row], p[next], s), mover->offset);
  }
  if (motion->orientations.count > 0) {
    const rgQuat* q = motion->orientations.items;
    pose.orientation = quat_between(q[row], q[next], s);
  }
  return pose;
}

static rgPose harmonic_pose(const rgSceneMover* mover, double time) {
  const rgSceneMotion* motion = mover->motion;
  double wave = rg_sin(2 * RG_PI * motion->frequency * time + motion->phase);
  rgPose pose = mover->start;
  pose.position = v3_axpy(pose.position, wave, motion->amplitude);
  double angle = v3_norm(motion->swing);
  if (angle > 0) {
    double half = 0.5 * angle * wave, factor = rg_sin(half) / angle;
    rgQuat turn = {rg_cos(half), factor * motion->swing.x, factor * motion->swing.y,
                   factor * motion->swing.z};
    pose.orientation = quat_unit(quat_mul(turn, pose.orientation));
  }
  return pose;
}

rgPose rg_scene_motion_pose(double time, void* context) {
  const rgSceneMover* mover = context;
  return mover->motion->kind == RG_SCENE_MOTION_TABLE ? table_pose(mover, time)
                                                      : harmonic_pose(mover, time);
}
