// sweep.c - conservative advancement along the movement of a step (Mirtich 1996, Timestep Control),
// carried on into small overlaps.
//
// Problem: the gap g(s) of two shapes at the part s of their movement is known at single s only.
// Wanted is the first s at which they overlap by more than a depth d.
//
// Method. Let n be the normal of a manifold at s and g its smallest gap. Along this fixed axis the
// shapes come closer, until s + ds, by at most
//
//     ds m(n, s),  m = max(0, -n . (shift_a - shift_b)) + |n x w_a| R_a + |n x w_b| R_b,
//
// since a point at the arm x moves by n . (w x x) = (n x w) . x, |x| <= R. The angle of the Cayley
// rotation of s turn is 2 atan(s |turn| / 2): it grows by no more than |w| ds from s on,
//
//     w(s) = turn / (1 + (s |turn| / 2)^2),
//
// and by less than half a turn in all, however large |turn| is. If they are apart, n separates them as long
// as ds m < g. If they overlap, the overlap along n is an upper bound of their depth, which is the
// smallest over all axes, and it grows by no more than ds m. So in both cases the depth stays below
// d for ds = (g + d) / m: nothing is stepped over, however thin the shapes are. A depth between d /
// 2 and d ends the search, so that ds is at least d / 2 m.
//
// A mesh, field or wall has a manifold for each direction within reach, and each bounds its own part of it
// only; the others are farther than the reach, along any axis. There the way until s + ds is besides kept
// below the extent of the other body, or below the smallest gap where that is more, because a triangle that
// lies beside is no bound for what comes sideways. The reach is of that size, since triangles that are far
// cost as much as others, and is doubled as long as nothing is within it.
//
// Where balls about the bodies do not touch, one goes on to where they do.
//
// Contacts are places where faces, edges and corners face each other: between shapes that are apart
// there may be none. Then the distance of the two is asked for.
//
// Cost: one narrow phase per step of s. Where the shapes slide along each other, these steps are
// short; after SAMPLES of them the rest of the movement counts as not looked at.
#include "collide/sweep.h"

#include "collide/convex/gjk.h"

enum { SAMPLES = 256 };
enum { BISECTIONS = 6 };

static rgPose body_pose(const rgSweepSide* side, double s) {
  rgQuat turned = quat_cayley(v3_scale(side->turn, s));
  return (rgPose){v3_axpy(side->start.position, s, side->shift),
                  quat_mul(turned, side->start.orientation)};
}

rgPose rg_sweep_pose(const rgSweepSide* side, double s) {
  return pose_mul(body_pose(side, s), side->placed);
}

rgVec3 rg_sweep_point(const rgSweepSide* side, rgVec3 x, double s, double other) {
  return pose_apply(body_pose(side, other), pose_unapply(body_pose(side, s), x));
}

// How much slower than at the start the body turns at s.
static double slowed(const rgSweepSide* side, double s) {
  double half = 0.5 * s;
  return 1 / (1 + half * half * v3_norm2(side->turn));
}

static double swing(const rgSweepSide* side, double s, rgVec3 n) {
  rgVec3 across = v3_cross(n, side->turn);
  return v3_norm2(across) > 0 ? v3_norm(across) * side->extent * slowed(side, s) : 0;
}

double rg_sweep_approach(const rgSweep* sweep, double s, rgVec3 n) {
  double straight = v3_dot(n, v3_sub(sweep->b.shift, sweep->a.shift));
  return (straight > 0 ? straight : 0) + swing(&sweep->a, s, n) + swing(&sweep->b, s, n);
}

static double turned(const rgSweepSide* side, double s) {
  return v3_norm2(side->turn) > 0 ? v3_norm(side->turn) * side->extent * slowed(side, s) : 0;
}

static double shifted(const rgSweep* sweep) {
  return v3_norm(v3_sub(sweep->a.shift, sweep->b.shift));
}

double rg_sweep_movement(const rgSweep* sweep, double s) {
  return shifted(sweep) + turned(&sweep->a, s) + turned(&sweep->b, s);
}

// Meshes, fields and walls: no single normal separates others from them.
static bool is_surface(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  return info->triangle != NULL || info->wall != NULL;
}

static double smallest_gap(const rgManifold* manifold) {
  double gap = HUGE_VAL;
  for (int i = 0; i < manifold->count; i++)
    gap = manifold->points[i].gap < gap ? manifold->points[i].gap : gap;
  return gap;
}

// The smallest gap of all manifolds, and how far s may go before one of them is below `limit`.
static double advance(const rgSweep* sweep, double s, const rgManifoldList* list, double limit,
                      double* ds) {
  double least = HUGE_VAL;
  for (int i = 0; i < list->count; i++) {
    double gap = smallest_gap(&list->items[i]);
    double m = rg_sweep_approach(sweep, s, list->items[i].normal);
    least = gap < least ? gap : least;
    if (m * *ds > gap - limit)
      *ds = (gap - limit) / m;
  }
  return least;
}

// The manifolds at the part s; false when the list is too short.
static bool collide_at(const rgSweep* sweep, double s, double reach, rgPairHint* hint,
                       rgManifoldList* list) {
  list->count = 0;
  list->overflow = false;
  rg_collide(sweep->a.shape, rg_sweep_pose(&sweep->a, s), sweep->b.shape,
             rg_sweep_pose(&sweep->b, s), reach, hint, list);
  return !list->overflow;
}

static bool has_support(const rgShape* shape) {
  return !shape->outline && rg_shape_info(shape->kind)->support != NULL;
}

// The same for shapes without contacts, by their distance.
static double advance_apart(const rgSweep* sweep, double s, double reach, double limit,
                            double* ds) {
  if (!has_support(sweep->a.shape) || !has_support(sweep->b.shape))
    return HUGE_VAL;
  rgConvex a = rg_convex_of_shape(sweep->a.shape, rg_sweep_pose(&sweep->a, s)),
           b = rg_convex_of_shape(sweep->b.shape, rg_sweep_pose(&sweep->b, s));
  rgDistance apart;
  rgSeparation separation = rg_convex_separation(&a, &b, reach, v3_zero(), &apart);
  if (separation == RG_SEPARATION_FAR)
    return HUGE_VAL;
  bool near = separation == RG_SEPARATION_NEAR;
  double gap = near ? apart.distance : 0,
         m = near ? rg_sweep_approach(sweep, s, apart.normal) : rg_sweep_movement(sweep, s);
  if (m * *ds > gap - limit)
    *ds = (gap - limit) / m;
  return gap;
}

// The first part from s on at which balls about the bodies, which turn on the spot, touch; beyond 1 when
// they do not. With x from centre to centre, u the direction of its change and R the sum of the radii, a
// little more for rounding, they touch after the way t with |x + t u| = R.
static double balls_meet(const rgSweep* sweep, double s) {
  const rgSweepSide *a = &sweep->a, *b = &sweep->b;
  if (!(a->extent > 0 && b->extent > 0))
    return s;
  double way = shifted(sweep), r = (a->extent + b->extent) * (1 + 1e-6);
  rgVec3 e = v3_sub(a->shift, b->shift),
         x = v3_axpy(v3_sub(a->start.position, b->start.position), s, e);
  double apart2 = v3_norm2(x) - r * r;
  if (!(apart2 > 0))
    return s;
  double closing = way > 0 ? -v3_dot(x, v3_scale(e, 1 / way)) : 0;
  double under_root = closing * closing - apart2;
  if (!(closing > 0 && under_root > 0))
    return 2;
  return s + apart2 / (closing + sqrt(under_root)) / way;
}

// [m] The way after which one has to look again beside what was seen: the size of the other body, for
// surfaces.
static double way_beside(const rgSweep* sweep) {
  if (is_surface(sweep->a.shape))
    return sweep->b.shape->extent;
  return is_surface(sweep->b.shape) ? sweep->a.shape->extent : HUGE_VAL;
}

bool rg_sweep(const rgSweep* sweep, rgManifoldList* list, rgPassing* out) {
  double limit = -sweep->depth, beside = way_beside(sweep), longest = beside, s = 0;
  rgPairHint hint = {v3_zero()};
  *out = (rgPassing){.found = false, .safe = 1, .part = 1};
  for (int sample = 0; sample < SAMPLES; sample++) {
    s = balls_meet(sweep, s);
    if (s > 1) { // nothing more can touch
      out->safe = out->part = 1;
      return true;
    }
    double moved = rg_sweep_movement(sweep, s); // [m] for each part from s on
    double ds = fmin(1 - s, longest / moved);
    if (!collide_at(sweep, s, ds * moved, &hint, list))
      return false;
    longest = list->count > 0 ? beside : 2 * longest;
    double gap = list->count > 0 ? advance(sweep, s, list, limit, &ds)
                                 : advance_apart(sweep, s, ds * moved, limit, &ds);
    if (sample == 0 && gap < 0.5 * limit) { // overlaps at the start
      limit = gap - sweep->depth;
      ds = fmin(1, beside / moved);
      advance(sweep, s, list, limit, &ds);
    }
    if (list->count > 0)
      ds = fmin(ds, fmax(beside, gap) / moved);
    out->part = s;
    out->limit = limit + 0.5 * sweep->depth;
    out->found = gap < out->limit;
    if (out->found)
      return true;
    out->safe = s;
    if (!(s < 1))
      return true;
    s = s + ds < 1 ? s + ds : 1;
  }
  out->found = true;
  list->count = 0;
  return true;
}

bool rg_sweep_refine(const rgSweep* sweep, rgManifoldList* list, rgPassing* passing) {
  rgPairHint hint = {v3_zero()};
  for (int i = 0; i < BISECTIONS; i++) {
    double s = 0.5 * (passing->safe + passing->part), none = 1;
    if (!collide_at(sweep, s, 0, &hint, list))
      return false;
    if (advance(sweep, s, list, 0, &none) < passing->limit)
      passing->part = s;
    else
      passing->safe = s;
  }
  return true;
}
