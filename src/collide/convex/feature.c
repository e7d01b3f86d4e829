// feature.c - the part of a convex shape that faces a direction.
//
// Polyhedron: the face most along d when it is tilted by less than RG_FEATURE_TILT; else the edge
// whose lower end is highest along d, when it is level to the same tilt; else the highest vertex.
// Capsule, cylinder: the line on the side when d is across the axis, the cap's rim polygon when d
// is along it.
#include "collide/convex/feature.h"

#include "collide/convex/rim.h"

static void set_point(rgFeature* out, rgVec3 point) {
  out->count = 1;
  out->points[0] = point;
}

static void set_segment(rgFeature* out, rgVec3 p, rgVec3 q) {
  out->count = 2;
  out->points[0] = out->line[0] = p;
  out->points[1] = out->line[1] = q;
}

static void sphere_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  set_point(out, v3_axpy(pose.position, shape->radius, d));
}

static void ellipsoid_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 ed = v3_mul(shape->half, quat_unrotate(pose.orientation, d));
  set_point(out, pose_apply(pose, v3_scale(v3_mul(shape->half, ed), 1 / v3_norm(ed))));
}

static void capsule_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 axis = quat_rotate(pose.orientation, v3(0, 0, shape->half_length));
  rgVec3 low = v3_sub(pose.position, axis), high = v3_add(pose.position, axis);
  double along = v3_dot(axis, d) / shape->half_length;
  if (!(fabs(along) <= RG_FEATURE_TILT)) {
    set_point(out, v3_axpy(along > 0 ? high : low, shape->radius, d));
    return;
  }
  rgVec3 side = v3_axpy(d, -along / shape->half_length, axis);
  side = v3_scale(side, shape->radius / v3_norm(side));
  set_segment(out, v3_add(low, side), v3_add(high, side));
  out->points[along > 0] = v3_axpy(along > 0 ? high : low, shape->radius, d);
}

// The rim polygon of the cap that faces d: the fixed points and, in its place among them, the
// extreme one.
static void cap_polygon(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  double r = shape->radius, h = d.z > 0 ? shape->half_length : -shape->half_length;
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

static void cylinder_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 local = quat_unrotate(pose.orientation, d);
  double across = sqrt(local.x * local.x + local.y * local.y), r = shape->radius,
         h = shape->half_length;
  if (across <= RG_FEATURE_TILT) {
    cap_polygon(shape, pose, local, out);
    return;
  }
  rgVec3 side = v3(r * local.x / across, r * local.y / across, 0);
  if (fabs(local.z) <= RG_FEATURE_TILT)
    set_segment(out, pose_apply(pose, v3(side.x, side.y, -h)),
                pose_apply(pose, v3(side.x, side.y, h)));
  else
    set_point(out, pose_apply(pose, v3(side.x, side.y, local.z > 0 ? h : -h)));
}

// --- Polygons ------------------------------------------------------------------------------------

// The edge or the corner of a polygon that is highest along d.
static void highest_part(const rgVec3* corners, int count, rgVec3 d, rgFeature* out) {
  int top = 0, edge = 0;
  double best = -HUGE_VAL, best_edge = -HUGE_VAL;
  for (int i = 0; i < count; i++) {
    int j = i + 1 < count ? i + 1 : 0;
    double here = v3_dot(corners[i], d), next = v3_dot(corners[j], d),
           lower = here < next ? here : next;
    if (here > best) {
      best = here;
      top = i;
    }
    if (lower > best_edge) {
      best_edge = lower;
      edge = i;
    }
  }
  rgVec3 p = corners[edge], q = corners[edge + 1 < count ? edge + 1 : 0];
  if (best - best_edge <= RG_FEATURE_TILT * v3_norm(v3_sub(q, p)))
    set_segment(out, p, q);
  else
    set_point(out, corners[top]);
}

void rg_polygon_feature(const rgVec3* corners, int count, rgVec3 normal, rgVec3 d, rgFeature* out) {
  double along = v3_dot(normal, d);
  if (along <= 0 || 1 - along * along > RG_FEATURE_TILT * RG_FEATURE_TILT) {
    highest_part(corners, count, d, out);
    return;
  }
  out->count = count < RG_FEATURE_MAX ? count : RG_FEATURE_MAX;
  for (int i = 0; i < out->count; i++)
    out->points[i] = corners[count <= RG_FEATURE_MAX ? i : i * count / RG_FEATURE_MAX];
  out->normal = normal;
  out->disc_radius = 0;
}

static void face_polygon(const rgPolyhedron* h, int face, rgPose pose, rgFeature* out) {
  int first = h->face_start[face], count = h->face_start[face + 1] - first;
  out->count = count < RG_FEATURE_MAX ? count : RG_FEATURE_MAX;
  for (int i = 0; i < out->count; i++) {
    int k = count <= RG_FEATURE_MAX ? i : i * count / RG_FEATURE_MAX;
    out->points[i] = pose_apply(pose, h->vertices[h->face_loop[first + k]]);
  }
  out->normal = quat_rotate(pose.orientation, h->normals[face]);
  out->disc_radius = 0;
}

static void polyhedron_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  const rgPolyhedron* h = shape->polyhedron;
  rgVec3 local = quat_unrotate(pose.orientation, d);
  int face = 0;
  double along = -1;
  for (int f = 0; f < h->face_count; f++) {
    double cosine = v3_dot(h->normals[f], local);
    if (cosine > along) {
      along = cosine;
      face = f;
    }
  }
  if (1 - along * along <= RG_FEATURE_TILT * RG_FEATURE_TILT) {
    face_polygon(h, face, pose, out);
    return;
  }
  int edge = 0;
  double best = -HUGE_VAL;
  for (int e = 0; e < h->edge_count; e++) {
    double p = v3_dot(h->vertices[h->edges[e][0]], local),
           q = v3_dot(h->vertices[h->edges[e][1]], local);
    double lower = p < q ? p : q;
    if (lower > best) {
      best = lower;
      edge = e;
    }
  }
  rgVec3 corners[2] = {h->vertices[h->edges[edge][0]], h->vertices[h->edges[edge][1]]};
  double rise = v3_dot(v3_sub(corners[1], corners[0]), local);
  // The highest vertex ends the edge whose lower end is highest: were it elsewhere, an edge from
  // there towards this one would have a higher lower end.
  if (fabs(rise) <= RG_FEATURE_TILT * v3_norm(v3_sub(corners[1], corners[0])))
    set_segment(out, pose_apply(pose, corners[0]), pose_apply(pose, corners[1]));
  else
    set_point(out, pose_apply(pose, corners[rise > 0]));
}

typedef void FeatureFunction(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out);

static FeatureFunction* const feature_of_kind[RG_SHAPE_KIND_COUNT] = {
    [RG_SHAPE_SPHERE] = sphere_feature,       [RG_SHAPE_BOX] = polyhedron_feature,
    [RG_SHAPE_CAPSULE] = capsule_feature,     [RG_SHAPE_CYLINDER] = cylinder_feature,
    [RG_SHAPE_ELLIPSOID] = ellipsoid_feature, [RG_SHAPE_HULL] = polyhedron_feature,
};

void rg_shape_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  feature_of_kind[shape->kind](shape, pose, d, out);
}
