// wall_rim.c - a convex shape against the rims of a wall, and against the circle of a ring.
//
// With delta(p) the signed distance of a point p to A and m its gradient (the outward normal of A at
// the foot of p), A touches the circle p(s) where delta(p(s)) has a minimum. Apart from a thickness
// the gap is delta, and the normal of the contact is -m.
//
// Inside A delta has kinks, on which minima lie: an edge of a box pressed onto the rim is as deep
// behind one of its faces as behind the other. The normal there is the combination of the two, m1
// and m2 on either side, that is across the circle:
//   c = (1 - l) m1 + l m2,   c . p' = 0,   m = c / |c|.
// Both faces are d deep, so that the edge point e has c.(p - e) = -d, and along m it is d / |c| deep.
//
// A flat face that lies on a part of the circle is as near along all of it: the ends of that part
// are contacts too, and where it is the whole circle, fixed points of it.
//
// A wall is a sheet without thickness: its edge pushes along all normals that do not point back into
// the sheet.
#include "collide/wall/wall.h"

#include "collide/convex/feature.h"
#include "math/trig.h"
#include "shape/kinds.h"
#include "shape/smooth/rim.h"

// Normals may leave the cone of the edge by this much [rad], for rounding.
static const double CONE_SLACK = 1e-9;
static const double DEEP = 0.5;       // [-] of the size of A
static const double ROUNDING = 1e-12; // [-] of the extent of A
static const double ASIDE = 1e-6; // [-] of the extent of A: how far a face is extended at its sides

typedef struct Rim {
  rgWallJob* job;
  rgWallRim circle;
  rgVec3 u, w; // unit, in the plane of the circle: s counts from u towards w
  uint32_t feature;
} Rim;

// A point of the circle and how A lies to it.
typedef struct Near {
  rgVec3 p, along, m; // along: unit tangent
  double distance;
} Near;

static Near near_at(const Rim* rim, double s) {
  const rgWallJob* job = rim->job;
  double c = rg_cos(s), d = rg_sin(s);
  rgVec3 out = v3_axpy(v3_scale(rim->u, c), d, rim->w);
  rgVec3 p = v3_axpy(v3(0, 0, rim->circle.height), rim->circle.radius, out);
  rgFoot foot = job->info->foot(job->shape, pose_unapply(job->pose, p), HUGE_VAL);
  return (Near){p, v3_axpy(v3_scale(rim->u, -d), c, rim->w),
                quat_rotate(job->pose.orientation, foot.normal), foot.distance};
}

static rgWallSpot rim_distance(void* context, double s) {
  Near near = near_at(context, s);
  return (rgWallSpot){s, near.distance, v3_dot(near.m, near.along)};
}

// Whether the edge at p may push along n, p being `distance` from A. An edge deep inside A was not
// met as an edge: A came through the sheet from behind.
static bool allows(const Rim* rim, rgVec3 p, rgVec3 n, double distance) {
  if (rim->circle.sense == 0)
    return true;
  if (distance < -DEEP * rim->job->shape->size)
    return false;
  rgVec3 inner = rim->job->wall->foot(rim->job->surface, p).normal;
  rgVec3 up = v3(0, 0, rim->circle.sense), on = v3_axpy(up, -v3_dot(up, inner), inner);
  return v3_dot(n, on) >= -CONE_SLACK;
}

// Adds the contact of the circle at p with A, m being the normal of A, across the circle, and
// `distance` along it.
static void add(const Rim* rim, rgVec3 p, rgVec3 m, double distance, uint32_t feature) {
  rgVec3 n = v3_neg(m);
  if (allows(rim, p, n, distance))
    rg_wall_add(rim->job,
                (rgWallContact){v3_axpy(p, -distance, m), v3_axpy(p, -rim->circle.thickness, m), n,
                                distance - rim->circle.thickness, rim->feature + feature});
}

static void add_valley(const Rim* rim, const rgWallValley* valley, uint32_t feature) {
  Near low = near_at(rim, valley->low.s), high = near_at(rim, valley->high.s);
  double a = v3_dot(low.m, low.along), b = v3_dot(high.m, high.along);
  if (!(a < 0 && b > 0 && low.distance < 0)) {
    add(rim, low.p, low.m, low.distance, feature);
    return;
  }
  rgVec3 c = v3_lerp(low.m, high.m, a / (a - b));
  double length = v3_norm(c);
  add(rim, low.p, v3_scale(c, 1 / length), low.distance / length, feature);
}

// --- Flat faces ----------------------------------------------------------------------------------

// Adds a place that is no minimum, so that m need not be across the circle: the point of the bar
// around the circle that is nearest to A there, and how A lies to it.
static void add_place(const Rim* rim, const Near* near, uint32_t feature) {
  const rgWallJob* job = rim->job;
  rgVec3 out = v3_axpy(near->m, -v3_dot(near->m, near->along), near->along);
  if (!(v3_norm2(out) > 0))
    return;
  rgVec3 b = v3_axpy(near->p, -rim->circle.thickness / v3_norm(out), out);
  rgFoot foot = job->info->foot(job->shape, pose_unapply(job->pose, b), HUGE_VAL);
  rgVec3 m = quat_rotate(job->pose.orientation, foot.normal), n = v3_neg(m);
  if (allows(rim, near->p, n, foot.distance))
    rg_wall_add(rim->job, (rgWallContact){v3_axpy(b, -foot.distance, m), b, n, foot.distance,
                                          rim->feature + feature});
}

// Whether p is over the face: not beyond one of its sides, but for the side `but`.
static bool is_over(const rgFeature* face, rgVec3 p, int but, double slack) {
  for (int i = 0; i < face->count; i++) {
    rgVec3 q = face->points[i], side = v3_sub(face->points[(i + 1) % face->count], q);
    if (i != but && v3_dot(v3_cross(face->normal, side), v3_sub(p, q)) < -slack * v3_norm(side))
      return false;
  }
  return true;
}

// Adds the circle at p, which is over the face: the lowest point of the bar around it.
static void add_over_face(const Rim* rim, rgVec3 p, const rgFeature* face, uint32_t feature) {
  const rgWallJob* job = rim->job;
  rgVec3 m = face->normal, n = v3_neg(m), along = v3_unit_or(v3(-p.y, p.x, 0), v3_zero());
  rgVec3 out = v3_axpy(m, -v3_dot(m, along), along);
  rgVec3 b = v3_axpy(p, -rim->circle.thickness / v3_norm(out), out);
  double gap = v3_dot(m, v3_sub(b, face->points[0]));
  bool near = gap >= -DEEP * job->shape->size && is_over(face, b, -1, ASIDE * job->shape->extent);
  if (near && allows(rim, p, n, gap))
    rg_wall_add(rim->job, (rgWallContact){v3_axpy(b, -gap, m), b, n, gap, rim->feature + feature});
}

// The ends of the parts of the circle that lie over the face: k.(p - q) = 0 for a side through q with
// the inward normal k is a cos s + b sin s + c = 0.
static void add_ends(const Rim* rim, const rgFeature* face, uint32_t feature) {
  rgVec3 center = v3(0, 0, rim->circle.height);
  for (int i = 0; i < face->count; i++) {
    rgVec3 q = face->points[i];
    rgVec3 k = v3_cross(face->normal, v3_sub(face->points[(i + 1) % face->count], q));
    double a = rim->circle.radius * k.x, b = rim->circle.radius * k.y;
    double c = v3_dot(k, v3_sub(center, q)), square = a * a + b * b;
    if (!(c * c < square))
      continue;
    double root = sqrt(square - c * c);
    for (int sign = -1; sign <= 1; sign += 2) {
      rgVec3 e = v3((-c * a - sign * b * root) / square, (-c * b + sign * a * root) / square, 0);
      rgVec3 p = v3_axpy(center, rim->circle.radius, e);
      if (is_over(face, p, i, ROUNDING * rim->job->shape->extent))
        add_over_face(rim, p, face, feature + 2 * (uint32_t)i + (sign > 0));
    }
  }
}

// Faces of A that lie level over the circle.
static void add_faces(const Rim* rim) {
  for (int sign = -1; sign <= 1; sign += 2) {
    rgFeature face;
    if (sign * rim->circle.sense > 0)
      continue; // facing away from the end of the surface
    rg_shape_feature(rim->job->shape, rim->job->pose, v3(0, 0, sign), &face);
    if (face.count > 2)
      add_ends(rim, &face, (sign > 0 ? 3 : 2) << 12);
  }
}

static void add_fixed(const Rim* rim) {
  for (int k = 0; k < RG_RIM_POINTS; k++) {
    rgVec3 e = rg_rim_direction(k);
    Near near = near_at(rim, rg_atan2(v3_dot(e, rim->w), v3_dot(e, rim->u)));
    add_place(rim, &near, RG_WALL_SAMPLES + (uint32_t)k);
  }
}

// --- Rims ----------------------------------------------------------------------------------------

// [m] How far x is from the circle.
static double circle_distance(const rgWallRim* circle, double across, double z) {
  double a = across - circle->radius, b = z - circle->height;
  return sqrt(a * a + b * b);
}

static void add_rim(rgWallJob* job, int index) {
  rgVec3 x = job->pose.position;
  double across = sqrt(x.x * x.x + x.y * x.y);
  Rim rim = {.job = job,
             .circle = job->rims[index],
             .u = v3(1, 0, 0),
             .w = v3(0, 1, 0),
             .feature = RG_WALL_RIM + ((uint32_t)index << 16)};
  double far = job->shape->extent + job->reach + rim.circle.thickness;
  if (circle_distance(&rim.circle, across, x.z) > far)
    return;
  // Seen from the axis, A lies within the angle whose sine is far / across. A window follows A, and
  // the whole circle does not.
  bool closed = !(across > far);
  if (!closed) {
    rim.u = v3(x.x / across, x.y / across, 0);
    rim.w = v3(-rim.u.y, rim.u.x, 0);
  }
  double half = closed ? RG_PI : 0.5 * RG_PI * far / across, spread;
  rgWallValley valleys[RG_WALL_SAMPLES];
  int count = rg_wall_valleys(rim_distance, &rim, -half, half, valleys, &spread);
  bool level = closed && spread <= RG_RIM_TILT * rim.circle.radius;
  add_faces(&rim); // first, for their exact normals
  for (int i = 0; i < count && !level; i++)
    add_valley(&rim, &valleys[i], (uint32_t)i);
  if (closed && spread <= RG_FEATURE_TILT * rim.circle.radius)
    add_fixed(&rim);
}

void rg_wall_rim_contacts(rgWallJob* job) {
  for (int i = 0; i < job->rim_count; i++)
    add_rim(job, i);
}
