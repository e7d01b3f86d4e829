// rim.c - the points that stand for the surface of a cylinder seen along a direction.
#include "shape/smooth/rim.h"

rgVec3 rg_rim_direction(int i) {
  const double half = RG_RIM_STEP; // sine and cosine of 45 degrees
  const double x[RG_RIM_POINTS] = {1, half, 0, -half, -1, -half, 0, half};
  const double y[RG_RIM_POINTS] = {0, half, 1, half, 0, -half, -1, -half};
  return v3(x[i], y[i], 0);
}

int rg_rim_points(const rgShape* cylinder, rgVec3 d, rgRimPoint* out) {
  double r = cylinder->radius, h = cylinder->half_length;
  double across = sqrt(d.x * d.x + d.y * d.y);
  bool tilted = across > RG_RIM_TILT;
  rgVec3 c = tilted ? v3(d.x / across, d.y / across, 0) : v3_zero();
  int count = 0;
  if (tilted) {
    out[count++] = (rgRimPoint){v3(r * c.x, r * c.y, -h), RG_RIM_EXTREME};
    out[count++] = (rgRimPoint){v3(r * c.x, r * c.y, h), RG_RIM_EXTREME + 1};
  }
  if (fabs(d.z) < across)
    return count;
  uint32_t upper = d.z > 0;
  for (uint32_t i = 0; i < RG_RIM_POINTS; i++) {
    rgVec3 e = rg_rim_direction((int)i);
    if (v3_dot(e, c) < RG_RIM_SAME)
      out[count++] = (rgRimPoint){v3(r * e.x, r * e.y, upper ? h : -h), i + RG_RIM_POINTS * upper};
  }
  return count;
}

void rg_rim_cap(rgPose pose, rgVec3 d, rgRim rim, rgFeature* out) {
  double r = rim.radius, h = rim.height;
  double across = sqrt(d.x * d.x + d.y * d.y);
  rgVec3 extreme = across > RG_RIM_TILT ? v3(d.x / across, d.y / across, 0) : v3_zero();
  out->count = 0;
  for (int k = 0; k < RG_RIM_POINTS; k++) {
    int i = d.z > 0 ? k : RG_RIM_POINTS - 1 - k; // counter-clockwise from outside
    rgVec3 here = rg_rim_direction(i);
    rgVec3 next = rg_rim_direction((d.z > 0 ? i + 1 : i + RG_RIM_POINTS - 1) % RG_RIM_POINTS);
    if (v3_dot(here, extreme) < RG_RIM_SAME)
      out->points[out->count++] = pose_apply(pose, v3(r * here.x, r * here.y, h));
    // The extreme point replaces the corner it is close to, or stands between the two it lies
    // between.
    bool between = v3_dot(here, extreme) >= RG_RIM_STEP && v3_dot(next, extreme) >= RG_RIM_STEP &&
                   v3_dot(next, extreme) < RG_RIM_SAME;
    if (between || v3_dot(here, extreme) >= RG_RIM_SAME)
      out->points[out->count++] = pose_apply(pose, v3(r * extreme.x, r * extreme.y, h));
  }
  out->normal = quat_rotate(pose.orientation, v3(0, 0, d.z > 0 ? 1 : -1));
  out->disc_center = pose_apply(pose, v3(0, 0, h));
  out->disc_radius = r;
}
