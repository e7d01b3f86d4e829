// solid.c - what seams ask of a placed shape.
//
// Shapes in space answer by the functions of their kind (rgShapeInfo); flat shapes by their outline,
// a convex polygon, segment or point with a radius around it; a half-space by its plane.
#include "collide/seam/solid.h"

#include "shape/smooth/foot.h"
#include "shape/solid/feature.h"
#include "shape/solid/outline.h"

// Sine up to which directions are the same.
static const double SAME_DIRECTION = 1e-6;
// Cosine to the neighbouring side at which corners are too sharp to be moved along both sides.
static const double SHARP = -0.9;

bool rg_solid_known(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  return shape->outline || shape->kind == RG_SHAPE_HALFSPACE || (info->support && info->foot);
}

// --- Distance ------------------------------------------------------------------------------------

// The foot on the core moved out by the radius; the normal is that of the nearest side inside.
static rgFoot outline_foot(const rgShape* shape, rgVec3 x) {
  const rgOutline* outline = shape->outline;
  double out = -HUGE_VAL, nearest2 = HUGE_VAL, where;
  rgVec3 side = v3(1, 0, 0), nearest = x;
  for (int i = 0; i < outline->count; i++) {
    rgVec3 p = outline->corners[i], q = outline->corners[i + 1 < outline->count ? i + 1 : 0];
    rgVec3 foot = outline->count > 1 ? rg_foot_on_segment(p, q, x, &where) : p;
    double distance2 = v3_norm2(v3_sub(x, foot));
    double height = v3_dot(outline->normals[i], v3_sub(x, p));
    if (distance2 < nearest2) {
      nearest2 = distance2;
      nearest = foot;
    }
    if (height > out) {
      out = height;
      side = outline->normals[i];
    }
  }
  bool inside = outline->count > 2 && out <= 0;
  double distance = (inside ? out : sqrt(nearest2)) - shape->radius;
  rgVec3 n = inside ? side : v3_unit_or(v3_sub(x, nearest), side);
  return (rgFoot){distance, n, v3_axpy(x, -distance, n)};
}

static rgFoot foot_of(const rgShape* shape, rgVec3 x, double reach) {
  if (shape->outline)
    return outline_foot(shape, x);
  if (shape->kind == RG_SHAPE_HALFSPACE)
    return (rgFoot){x.z, v3(0, 0, 1), v3(x.x, x.y, 0)};
  return rg_shape_info(shape->kind)->foot(shape, x, reach);
}

double rg_solid_distance(const rgPlaced* solid, rgVec3 x, double reach) {
  return foot_of(solid->shape, pose_unapply(solid->pose, x), reach).distance;
}

rgVec3 rg_solid_outward(const rgPlaced* solid, rgVec3 x) {
  rgFoot foot = foot_of(solid->shape, pose_unapply(solid->pose, x), HUGE_VAL);
  return quat_rotate(solid->pose.orientation, foot.normal);
}

bool rg_solid_is_curved(const rgPlaced* solid, rgVec3 n) {
  const rgShape* shape = solid->shape;
  if (shape->outline)
    return shape->radius > 0;
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (v3_norm2(info->flat_axis) > 0) // round about its axis, with an edge around its ends
    return fabs(v3_dot(quat_rotate(solid->pose.orientation, info->flat_axis), n)) <= SAME_DIRECTION;
  return info->core != RG_CORE_NONE || info->value;
}

rgVec3 rg_solid_support(const rgPlaced* solid, rgVec3 d) {
  rgVec3 own = quat_unrotate(solid->pose.orientation, d);
  return pose_apply(solid->pose, rg_shape_info(solid->shape->kind)->support(solid->shape, own));
}

double rg_solid_rise(const rgPlaced* solid, rgVec3 x, rgVec3 n) {
  if (solid->shape->kind == RG_SHAPE_HALFSPACE) {
    double offset;
    rgVec3 up = rg_solid_face(solid, 0, &offset);
    bool facing = v3_dot(up, n) > 0 && v3_norm(v3_cross(up, n)) <= SAME_DIRECTION;
    return facing ? offset - v3_dot(up, x) : HUGE_VAL;
  }
  return v3_dot(n, v3_sub(rg_solid_support(solid, n), x));
}

// --- Faces ---------------------------------------------------------------------------------------

int rg_solid_face_count(const rgShape* shape) {
  if (shape->outline)
    return shape->outline->count > 1 ? shape->outline->count : 0;
  if (shape->polyhedron)
    return shape->polyhedron->face_count;
  if (shape->kind == RG_SHAPE_HALFSPACE)
    return 1;
  return v3_norm2(rg_shape_info(shape->kind)->flat_axis) > 0 ? 2 : 0;
}

rgVec3 rg_solid_face(const rgPlaced* solid, int face, double* offset) {
  const rgShape* shape = solid->shape;
  rgVec3 own;
  double height;
  if (shape->outline) {
    own = shape->outline->normals[face];
    height = v3_dot(own, shape->outline->corners[face]) + shape->radius;
  } else if (shape->polyhedron) {
    own = shape->polyhedron->normals[face];
    height = shape->polyhedron->offsets[face];
  } else if (shape->kind == RG_SHAPE_HALFSPACE) {
    own = v3(0, 0, 1);
    height = 0;
  } else {
    own = v3_scale(rg_shape_info(shape->kind)->flat_axis, face == 0 ? 1 : -1);
    height = v3_dot(own, rg_shape_info(shape->kind)->support(shape, own));
  }
  rgVec3 n = quat_rotate(solid->pose.orientation, own);
  *offset = v3_dot(n, solid->pose.position) + height;
  return n;
}

// --- Features ------------------------------------------------------------------------------------

static void outline_feature(const rgPlaced* solid, rgVec3 d, rgFeature* out) {
  const rgShape* shape = solid->shape;
  const rgOutline* outline = shape->outline;
  rgVec3 own = quat_unrotate(solid->pose.orientation, d);
  int side = 0;
  for (int i = 1; i < outline->count; i++)
    if (v3_dot(outline->normals[i], own) > v3_dot(outline->normals[side], own))
      side = i;
  rgVec3 n = outline->normals[side];
  double along = v3_dot(n, own);
  if (outline->count < 2 || along <= 0 || 1 - along * along > RG_FEATURE_TILT * RG_FEATURE_TILT) {
    rg_feature_point(out, pose_apply(solid->pose, rg_outline_support(shape, own)));
    return;
  }
  rgVec3 p = outline->corners[side], q = outline->corners[side + 1 < outline->count ? side + 1 : 0];
  rg_feature_segment(out, pose_apply(solid->pose, v3_axpy(p, shape->radius, n)),
                     pose_apply(solid->pose, v3_axpy(q, shape->radius, n)));
}

void rg_solid_feature(const rgPlaced* solid, rgVec3 d, rgFeature* out) {
  if (solid->shape->outline)
    outline_feature(solid, d, out);
  else
    rg_shape_info(solid->shape->kind)->feature(solid->shape, solid->pose, d, out);
}

static void grow_segment(rgFeature* f, double margin) {
  rgVec3 along = v3_scale(v3_unit_or(v3_sub(f->line[1], f->line[0]), v3_zero()), margin);
  f->points[0] = v3_sub(f->points[0], along);
  f->points[1] = v3_add(f->points[1], along);
  f->line[0] = v3_sub(f->line[0], along);
  f->line[1] = v3_add(f->line[1], along);
}

// A corner between sides with outward normals u and v moves by margin (u + v) / (1 + u.v).
void rg_solid_grow_feature(rgFeature* f, double margin) {
  if (f->count == 2)
    grow_segment(f, margin);
  if (f->count < 3)
    return;
  rgVec3 first = f->points[0], corner = first;
  rgVec3 before = v3_cross(v3_sub(first, f->points[f->count - 1]), f->normal);
  before = v3_unit_or(before, v3_zero());
  for (int i = 0; i < f->count; i++) {
    rgVec3 next = i + 1 < f->count ? f->points[i + 1] : first;
    rgVec3 after = v3_unit_or(v3_cross(v3_sub(next, corner), f->normal), v3_zero());
    double cosine = v3_dot(before, after);
    double step = margin / (1 + (cosine > SHARP ? cosine : SHARP));
    f->points[i] = v3_axpy(corner, step, v3_add(before, after));
    before = after;
    corner = next;
  }
  if (f->disc_radius > 0)
    f->disc_radius += margin;
}
