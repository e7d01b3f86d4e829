// feature.c - the part of a convex shape that faces a direction.
//
// Polyhedron: the face most along d when it is tilted by less than RG_FEATURE_TILT; else the edge
// whose lower end is highest along d, when it is level to the same tilt; else the highest vertex.
#include "shape/solid/feature.h"

#include "shape/smooth/rim.h"

void rg_feature_point(rgFeature* out, rgVec3 point) {
  out->count = 1;
  out->points[0] = point;
}

void rg_feature_segment(rgFeature* out, rgVec3 p, rgVec3 q) {
  out->count = 2;
  out->points[0] = out->line[0] = p;
  out->points[1] = out->line[1] = q;
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
    rg_feature_segment(out, p, q);
  else
    rg_feature_point(out, corners[top]);
}

void rg_feature_of_polygon(const rgVec3* corners, int count, rgVec3 normal, rgVec3 d,
                           rgFeature* out) {
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

static void core_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  const rgPolyhedron* h = shape->polyhedron;
  rgVec3 own = quat_unrotate(pose.orientation, d);
  int face = 0;
  double along = -1;
  for (int f = 0; f < h->face_count; f++) {
    double cosine = v3_dot(h->normals[f], own);
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
    double p = v3_dot(h->vertices[h->edges[e][0]], own),
           q = v3_dot(h->vertices[h->edges[e][1]], own);
    double lower = p < q ? p : q;
    if (lower > best) {
      best = lower;
      edge = e;
    }
  }
  rgVec3 corners[2] = {h->vertices[h->edges[edge][0]], h->vertices[h->edges[edge][1]]};
  double rise = v3_dot(v3_sub(corners[1], corners[0]), own);
  // The highest vertex ends the edge whose lower end is highest: were it elsewhere, an edge from
  // there towards this one would have a higher lower end.
  if (fabs(rise) <= RG_FEATURE_TILT * v3_norm(v3_sub(corners[1], corners[0])))
    rg_feature_segment(out, pose_apply(pose, corners[0]), pose_apply(pose, corners[1]));
  else
    rg_feature_point(out, pose_apply(pose, corners[rise > 0]));
}

// Of a rounded one, the balls about the corners of the core's feature are touched along d.
void rg_feature_of_polyhedron(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  core_feature(shape, pose, d, out);
  if (!(shape->radius > 0))
    return;
  rgVec3 shift = v3_scale(d, shape->radius);
  for (int i = 0; i < out->count; i++)
    out->points[i] = v3_add(out->points[i], shift);
  for (int i = 0; i < 2 && out->count == 2; i++)
    out->line[i] = out->points[i];
}

// Whether the highest vertex along d (frame of the shape) stands out.
bool rg_feature_single_vertex(const rgShape* shape, rgVec3 d) {
  const rgPolyhedron* h = shape->polyhedron;
  double first = -HUGE_VAL, second = -HUGE_VAL;
  for (int i = 0; i < h->vertex_count; i++) {
    double height = v3_dot(h->vertices[i], d);
    second = height > first ? first : height > second ? height : second;
    first = height > first ? height : first;
  }
  return first - second > RG_RIM_TILT * shape->extent;
}
