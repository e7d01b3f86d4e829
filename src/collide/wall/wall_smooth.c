// wall_smooth.c - minima of the distance to a wall over a smooth convex shape.
//
// With s(d) the farthest point of A along the unit vector d and n(x) the gradient of the distance
// phi, a minimum is where the surface of A faces the wall: d = -n(s(d)). Iterating
//   d <- -n(s(d))
// falls in every step where phi is concave (phi(s') <= phi(s) + n.(s' - s), and s' is lowest along
// n), and contracts by the ratio of the radii of curvature. Where phi rises all the same, next to a
// saddle, the step is halved. Newton's method on d + n(s(d)) = 0 in the tangent plane of d, with
// differences for the derivative, ends it at once; its step is taken when the residual falls.
//
// There may be several minima, and whole circles of them where A lies level: the search begins at
// fixed directions of A all around and keeps what ends apart.
#include "collide/wall/wall.h"

enum { ITERATIONS = 60, PLAIN = 4, HALVINGS = 8, STARTS = 15, FOUND_MAX = 8 };

static const double DIFFERENCE = 1e-6; // [rad] a thousandth of what curvature changes over
static const double SETTLED = 1e-14;   // [rad] rounding
// Places closer than this part of the size of the shape are one contact.
static const double SAME_PLACE = 0.05;

// A direction with the point of A that is farthest along it and what the wall is there.
typedef struct Place {
  rgVec3 d, x, pull; // pull: -n, where the direction should be
  double distance;
} Place;

static Place place_at(const rgWallJob* job, rgVec3 d) {
  rgVec3 own = quat_unrotate(job->pose.orientation, d);
  rgVec3 x = pose_apply(job->pose, job->info->support(job->shape, own));
  rgFoot foot = job->wall->foot(job->surface, x);
  return (Place){d, x, v3_neg(foot.normal), foot.distance};
}

static double residual(const Place* p) { return v3_norm(v3_cross(p->d, p->pull)); }

static rgVec3 unit(rgVec3 a) { return v3_scale(a, 1 / v3_norm(a)); }

// One Newton step; the place itself when it leads nowhere.
static Place newton_step(const rgWallJob* job, const Place* p) {
  rgVec3 t, o;
  v3_frame(p->d, &t, &o);
  rgVec3 r = v3_sub(p->pull, p->d);
  double rt = v3_dot(r, t), ro = v3_dot(r, o), j[2][2];
  for (int k = 0; k < 2; k++) {
    Place beside = place_at(job, unit(v3_axpy(p->d, DIFFERENCE, k == 0 ? t : o)));
    rgVec3 change = v3_sub(v3_sub(beside.pull, beside.d), r);
    j[0][k] = v3_dot(change, t) / DIFFERENCE;
    j[1][k] = v3_dot(change, o) / DIFFERENCE;
  }
  double determinant = j[0][0] * j[1][1] - j[0][1] * j[1][0];
  double st = -(j[1][1] * rt - j[0][1] * ro), so = -(j[0][0] * ro - j[1][0] * rt);
  double length = sqrt(st * st + so * so);
  if (!(length < fabs(determinant))) // more than half a right angle away
    return *p;
  return place_at(job, unit(v3_axpy(v3_axpy(p->d, st / determinant, t), so / determinant, o)));
}

// The minima found so far.
typedef struct Found {
  int count;
  Place places[FOUND_MAX];
} Found;

static bool is_known(const rgWallJob* job, const Found* found, rgVec3 x) {
  double same = SAME_PLACE * job->shape->size;
  for (int k = 0; k < found->count; k++)
    if (v3_norm2(v3_sub(found->places[k].x, x)) <= same * same)
      return true;
  return false;
}

// Walks to a minimum and adds it, unless it is out of reach or known.
static void settle(const rgWallJob* job, rgVec3 start, Found* found) {
  Place p = place_at(job, start);
  double rounding = 1e-15 * (job->shape->extent + fabs(p.distance));
  for (int i = 0; i < ITERATIONS && !(residual(&p) <= SETTLED && v3_dot(p.d, p.pull) > 0); i++) {
    if (i >= PLAIN) {
      if (is_known(job, found, p.x))
        return;
      Place newton = newton_step(job, &p);
      if (residual(&newton) < 0.5 * residual(&p) && newton.distance <= p.distance + rounding) {
        p = newton;
        continue;
      }
    }
    Place next = place_at(job, p.pull);
    for (int k = 0; k < HALVINGS && next.distance > p.distance + rounding; k++)
      next = place_at(job, v3_unit_or(v3_add(p.d, next.d), p.pull));
    if (!(next.distance <= p.distance + rounding))
      break;
    p = next;
  }
  if (p.distance <= job->reach && !is_known(job, found, p.x))
    found->places[found->count++] = p;
}

// The directions of the faces and corners of a cube, and from the wall's point of view.
static rgVec3 start_direction(const rgWallJob* job, int i) {
  if (i == 0)
    return v3_neg(job->behind.normal);
  if (i <= 6)
    return v3_scale(quat_rotate(job->pose.orientation, v3(i <= 2, i == 3 || i == 4, i >= 5)),
                    i % 2 ? 1 : -1);
  i -= 7;
  const double c = 0.57735026918962576451; // 1 / sqrt(3)
  return quat_rotate(job->pose.orientation, v3(i & 1 ? c : -c, i & 2 ? c : -c, i & 4 ? c : -c));
}

void rg_wall_smooth(rgWallJob* job) {
  Found found = {.count = 0};
  for (int i = 0; i < STARTS && found.count < FOUND_MAX; i++)
    settle(job, start_direction(job, i), &found);
  for (int k = 0; k < found.count; k++)
    rg_wall_add_point(job, found.places[k].x, 0, RG_WALL_SMOOTH + (uint32_t)k);
}
