// meet.c - the answers of an intersection to what contact asks.
//
// Support and feet outside come from the solver (meet_solve.h), feet inside from the members: what is not in
// the intersection is the union of what is not in the members, so that the nearest point of the surface is
// the nearest of theirs. The lines on the sides of cylinders and cones and the flat parts are features.
#include "shape/meet/meet.h"

#include "shape/kinds.h"
#include "shape/smooth/pieces.h"
#include "shape/solid/feature.h"

// Of the extent: a line is farthest when its better end is as far as the support, to this.
static const double SAME_HEIGHT = 1e-9;
// Of the extent: of a few operations.
static const double ROUNDING = 2e-15;
// A face or line is one along d while it is closer to it than this (sine): as for rims.
static const double SHARP = 1e-6;

double rg_meet_value(const rgMeet* meet, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  const rgMeetPiece* piece = &meet->pieces[i];
  if (meet->function) {
    double value = meet->function->value(meet->function->context, x, gradient, hessian);
    *gradient = v3_scale(*gradient, piece->scale);
    *hessian = m3_scale(hessian, piece->scale);
    return value * piece->scale;
  }
  const rgShape* member = &meet->members[piece->member];
  rgPose pose = member->pose;
  rgVec3 own = pose_unapply(pose, x), g;
  rgMat3 h = m3_zero();
  double f;
  if (member->kind == RG_SHAPE_HALFSPACE) {
    g = v3(0, 0, 1);
    f = own.z;
  } else if (member->kind == RG_SHAPE_SPHERE) {
    f = rg_pieces_ball(v3_zero(), member->radius, own, &g, &h);
  } else {
    f = rg_pieces_value(member, piece->index, own, &g, &h);
  }
  *gradient = v3_scale(quat_rotate(pose.orientation, g), piece->scale);
  rgMat3 r = m3_from_quat(pose.orientation), rt = m3_transpose(&r), turned = m3_mul(&r, &h);
  turned = m3_mul(&turned, &rt);
  *hessian = m3_scale(&turned, piece->scale);
  return f * piece->scale;
}

bool rg_meet_tip(const rgMeet* meet, int i, rgVec3* tip) {
  const rgMeetPiece* piece = &meet->pieces[i];
  if (meet->function || !rg_pieces_tip(&meet->members[piece->member], piece->index, tip))
    return false;
  *tip = pose_apply(meet->members[piece->member].pose, *tip);
  return true;
}

void rg_meet_mass(const rgShape* shape, rgMassProperties* out) { *out = shape->meet->mass; }

rgBounds rg_meet_bounds(const rgShape* shape, rgPose pose) {
  return rg_shape_bounds_placed(shape->meet->box, pose);
}

// Whether x is in all members but one, to rounding.
static bool in_others(const rgShape* shape, int member, rgVec3 x) {
  const rgMeet* meet = shape->meet;
  for (int i = 0; i < meet->piece_count; i++) {
    rgVec3 g;
    rgMat3 h;
    if (meet->pieces[i].member != member &&
        !(rg_meet_value(meet, i, x, &g, &h) <= ROUNDING * shape->extent * v3_norm(g)))
      return false;
  }
  return true;
}

// The farthest point of a member is the farthest of all where it is in the others.
static bool member_support(const rgShape* shape, rgVec3 d, rgVec3* x) {
  const rgMeet* meet = shape->meet;
  for (int i = 0; i < meet->member_count; i++) {
    const rgShape* member = &meet->members[i];
    const rgShapeInfo* info = rg_shape_info(member->kind);
    if (!info->support)
      continue;
    *x =
        pose_apply(member->pose, info->support(member, quat_unrotate(member->pose.orientation, d)));
    if (in_others(shape, i, *x))
      return true;
  }
  return false;
}

rgVec3 rg_meet_support(const rgShape* shape, rgVec3 d) {
  rgVec3 x;
  if (member_support(shape, d, &x))
    return x;
  rgMeetGoal goal = {.d = v3_scale(d, 1 / v3_norm(d)), .x = v3_zero()};
  rgMeetBest best = rg_meet_solve(shape->meet, &goal, shape->extent);
  // A user's function that fails has no point to offer: what comes of it is not a number, and the step
  // that asks is not made.
  return best.gap == best.gap ? best.point : v3((double)NAN, (double)NAN, (double)NAN);
}

// --- Features ------------------------------------------------------------------------------------

// The line on the side of a member that faces d (frame of the shape): a point of it and its direction.
static bool side_line(const rgShape* member, rgVec3 d, rgVec3* x, rgVec3* along) {
  if (member->kind != RG_SHAPE_CYLINDER && member->kind != RG_SHAPE_CONE)
    return false;
  rgVec3 own = quat_unrotate(member->pose.orientation, d),
         e = v3_unit_or(v3(own.x, own.y, 0), v3_zero());
  double below = member->radius,
         above = member->kind == RG_SHAPE_CONE ? member->parameters[0] : below;
  double h = member->half_length;
  rgVec3 p = v3(below * e.x, below * e.y, -h), q = v3(above * e.x, above * e.y, h);
  *x = pose_apply(member->pose, v3_lerp(p, q, 0.5));
  *along = quat_rotate(member->pose.orientation, v3_unit_or(v3_sub(q, p), v3(0, 0, 1)));
  return v3_norm2(e) > 0;
}

// The part of the line through x that is inside all pieces but those of one side; false when there is none.
static bool cut_line(const rgMeet* meet, int side, rgVec3 x, rgVec3 d, double range[2]) {
  for (int i = 0; i < meet->piece_count; i++) {
    if (i == side)
      continue;
    rgVec3 g;
    rgMat3 h;
    // Newton's method from both ends falls to the roots of a convex function.
    for (int end = 0; end < 2; end++)
      for (int k = 0; k < 60; k++) {
        double f = rg_meet_value(meet, i, v3_axpy(x, range[end], d), &g, &h), slope = v3_dot(g, d);
        if (!(f > 0))
          break;
        double next = range[end] - f / slope;
        if (!(end ? slope > 0 && next < range[1] : slope < 0 && next > range[0]))
          return k > 0 && f <= 1e-12 * v3_norm(g);
        range[end] = next;
      }
    if (range[0] >= range[1])
      return false;
  }
  return true;
}

// The longest line that is farthest along d up to the tilt; false when there is none.
static bool find_line(const rgShape* shape, rgVec3 d, double tilt, rgVec3 ends[2]) {
  const rgMeet* meet = shape->meet;
  double top = v3_dot(d, rg_meet_support(shape, d));
  for (int i = 0; i < meet->piece_count && !meet->function; i++) {
    rgVec3 x, along;
    const rgMeetPiece* piece = &meet->pieces[i];
    if (piece->flat || piece->index > 0 ||
        !side_line(&meet->members[piece->member], d, &x, &along) || fabs(v3_dot(along, d)) > tilt)
      continue;
    double range[2] = {-2 * shape->extent, 2 * shape->extent};
    if (!cut_line(meet, i, x, along, range))
      continue;
    ends[0] = v3_axpy(x, range[0], along);
    ends[1] = v3_axpy(x, range[1], along);
    if (fmax(v3_dot(d, ends[0]), v3_dot(d, ends[1])) >= top - SAME_HEIGHT * shape->extent)
      return true;
  }
  return false;
}

static const rgMeetFace* find_face(const rgMeet* meet, rgVec3 d, double tilt) {
  for (int i = 0; i < meet->face_count; i++)
    if (v3_dot(meet->faces[i].normal, d) > 0 && v3_norm(v3_cross(meet->faces[i].normal, d)) <= tilt)
      return &meet->faces[i];
  return NULL;
}

void rg_meet_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rgVec3 own = quat_unrotate(pose.orientation, d), ends[2];
  const rgMeetFace* face = find_face(shape->meet, own, RG_FEATURE_TILT);
  if (face) {
    out->count = face->count;
    out->normal = quat_rotate(pose.orientation, face->normal);
    out->disc_radius = 0;
    for (int i = 0; i < face->count; i++)
      out->points[i] = pose_apply(pose, face->corners[i]);
    return;
  }
  if (find_line(shape, own, RG_FEATURE_TILT, ends))
    rg_feature_segment(out, pose_apply(pose, ends[0]), pose_apply(pose, ends[1]));
  else
    rg_feature_point(out, pose_apply(pose, rg_meet_support(shape, own)));
}

bool rg_meet_single(const rgShape* shape, rgVec3 d) {
  rgVec3 ends[2];
  return !find_face(shape->meet, d, SHARP) && !find_line(shape, d, SHARP, ends);
}

// --- Foot ----------------------------------------------------------------------------------------

static rgFoot member_foot(const rgShape* member, rgVec3 x) {
  rgVec3 own = pose_unapply(member->pose, x);
  if (member->kind == RG_SHAPE_HALFSPACE)
    return (rgFoot){own.z, quat_rotate(member->pose.orientation, v3(0, 0, 1)),
                    pose_apply(member->pose, v3(own.x, own.y, 0))};
  rgFoot foot = rg_shape_info(member->kind)->foot(member, own, HUGE_VAL);
  return (rgFoot){foot.distance, quat_rotate(member->pose.orientation, foot.normal),
                  pose_apply(member->pose, foot.point)};
}

// Inside a user's function: from the rays along the gradient, the axes and their opposites the shortest.
// Not proved to be the nearest of all, as for other smooth shapes (curved.c).
static rgFoot function_foot(const rgShape* shape, rgVec3 x) {
  rgFoot best = {-HUGE_VAL, v3(0, 0, 1), x};
  for (int i = 0; i < 7; i++) {
    rgVec3 g, d = v3((i == 1) - (i == 2), (i == 3) - (i == 4), (i == 5) - (i == 6));
    rgMat3 h;
    rg_meet_value(shape->meet, 0, x, &g, &h);
    d = i == 0 ? v3_unit_or(g, v3(0, 0, 1)) : d;
    for (int k = 0; k < 20; k++) { // the ray along the normal at the end of the last one
      int piece = 0;
      double t = rg_meet_exit(shape->meet, x, d, -1, &piece);
      rgVec3 p = v3_axpy(x, t, d);
      rg_meet_value(shape->meet, 0, p, &g, &h);
      rgVec3 n = v3_unit_or(g, d);
      double depth = v3_dot(n, v3_sub(p, x));
      if (-depth > best.distance)
        best = (rgFoot){-depth, n, v3_axpy(x, depth, n)};
      d = n;
    }
  }
  return best;
}

rgFoot rg_meet_foot(const rgShape* shape, rgVec3 x, double reach) {
  (void)reach;
  const rgMeet* meet = shape->meet;
  rgVec3 g;
  rgMat3 h;
  rgFoot best = {-HUGE_VAL, v3(0, 0, 1), x};
  bool inside = meet->function ? rg_meet_value(meet, 0, x, &g, &h) <= 0 : true;
  for (int i = 0; i < meet->member_count; i++) {
    rgFoot foot = member_foot(&meet->members[i], x);
    inside = inside && foot.distance <= 0;
    if (foot.distance > best.distance)
      best = foot;
    if (foot.distance > 0 && in_others(shape, i, foot.point))
      return foot; // nothing of the member is nearer
  }
  if (inside)
    return meet->function ? function_foot(shape, x) : best;
  rgMeetGoal goal = {.d = v3_zero(), .x = x, .pull = 1};
  rgVec3 y = rg_meet_solve(meet, &goal, shape->extent).point, d = v3_sub(x, y);
  double distance = v3_norm(d);
  return (rgFoot){distance, v3_unit_or(d, best.normal), y};
}

// Newton's method on the largest of convex functions, which is one (ray/newton.c).
bool rg_meet_ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  const rgMeet* meet = shape->meet;
  double t = 0, least = 4e-16 * shape->extent;
  rgVec3 g = v3_zero();
  bool inside = true;
  for (int k = 0; k < 200; k++) {
    double most = 0, step = 0;
    rgVec3 x = v3_axpy(ray->origin, t, ray->direction);
    for (int i = 0; i < meet->piece_count; i++) {
      rgVec3 own;
      rgMat3 h;
      double f = rg_meet_value(meet, i, x, &own, &h), slope = v3_dot(own, ray->direction);
      if (!(f > 0))
        continue;
      if (!(slope < 0))
        return false;
      most = f;
      if (-f / slope > step)
        step = -f / slope, g = own;
    }
    if (!(most > 0))
      break;
    inside = false;
    t += step;
    if (t > ray->length)
      return false;
    if (step <= least)
      break;
  }
  rgVec3 back = v3_neg(ray->direction);
  *out = (rgRayTouch){t, inside ? back : v3_unit_or(g, back), inside, 0};
  return true;
}
