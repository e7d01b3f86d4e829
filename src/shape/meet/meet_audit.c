// meet_audit.c - whether what a user's function answers while steps are made can be believed.
//
// Problem. A contact stands on the point x of the set f <= 0 that is farthest along a unit vector d, and on d
// being the normal there. Both come from values and gradients g that the user computes. When the function is
// added it is tried at places of its bounds (meet_check.c); it may lie elsewhere, or later.
//
// Method. For a convex f and its gradient, for any two points and any length s,
//   f(y) >= f(x) + g(x).(y - x),                                                (1)
//   (f(x) - f(x - s e)) / s <= g(x).e <= (f(x + s e) - f(x)) / s.               (2)
// These hold without a truncation error, so that an honest function is accused by rounding alone, for which
// there is room. (1) is asked of x, of the farthest point along -d and of the centre that the search starts
// from, each with each, and of each two points that follow one another in the search. (2) is asked at x along d and across, for two lengths: the short one leaves a gradient
// no more room than the curvature over that length, the long one shows a surface that bends the wrong way.
// Besides, everything is finite, x is within the box that was found when the function was added, the centre has
// the value that it had then, and the gap
// of the search (meet_solve.c), which says how far the goal is from its best if g is true, is small.
//
// What this proves. With g(x) true to the room of (2), f(x) = 0 and f convex, no point of the set is farther
// along d than x: the supporting plane is right whatever the function said elsewhere during the search.
// answers.c draws from this that a contact, or that there is none, is right.
//
// What is not seen: a gradient that is wrong by less than the room, some 1e-6 of the width over the radius of
// curvature; a set that is not convex far from the points asked; an answer that differs from call to
// call and is right when it is audited. A Hessian leads the search alone: a wrong one costs steps, or the gap.
//
// Cost: two searches and 15 evaluations.
#include "base/message.h"
#include "shape/meet/meet.h"

#include <float.h>

enum { LENGTHS = 2, WITNESSES = 3 };
// Of the width of the set: s of (2).
static const double LENGTH[LENGTHS] = {1e-6, 1e-3};
// Of the extent: the largest gap of a search whose point is used; how far x may be outside the box.
static const double NARROW = 1e-6;

typedef struct Answer {
  rgVec3 x, g;
  double f;
} Answer;

static bool ask(const rgMeet* meet, rgVec3 x, Answer* out) {
  rgMat3 h = m3_diag((double)NAN, (double)NAN, (double)NAN);
  *out = (Answer){.x = x, .g = v3((double)NAN, (double)NAN, (double)NAN)};
  out->f = rg_meet_value(meet, 0, x, &out->g, &h);
  return isfinite(out->f) && v3_finite(out->g) && v3_finite(m3_row(&h, 0)) &&
         v3_finite(m3_row(&h, 1)) && v3_finite(m3_row(&h, 2));
}

static double noise_of(const Answer* a, double extent) {
  return RG_MEET_NOISE * (fabs(a->f) + v3_norm(a->g) * extent);
}

static rgMeetDoubt doubt(rgMeetDoubtKind kind, rgVec3 x) { return (rgMeetDoubt){kind, x}; }

// (2) at a, along the unit vector e.
static rgMeetDoubtKind check_along(const rgMeet* meet, const Answer* a, rgVec3 e, double s,
                                   double extent) {
  Answer up, down;
  if (!ask(meet, v3_axpy(a->x, s, e), &up) || !ask(meet, v3_axpy(a->x, -s, e), &down))
    return RG_MEET_NOT_FINITE;
  double slope = s * v3_dot(a->g, e),
         noise = noise_of(a, extent) + RG_MEET_NOISE * (fabs(up.f) + fabs(down.f));
  if (up.f + down.f - 2 * a->f < -2 * noise)
    return RG_MEET_NOT_CONVEX;
  return a->f - down.f <= slope + noise && slope <= up.f - a->f + noise ? RG_MEET_SOUND
                                                                        : RG_MEET_WRONG_GRADIENT;
}

static rgMeetDoubt check_gradient(const rgMeet* meet, const Answer* a, rgVec3 d, double extent) {
  rgVec3 axes[3] = {d};
  double width = v3_norm(v3_sub(meet->box.upper, meet->box.lower));
  v3_frame(d, &axes[1], &axes[2]);
  for (int i = 0; i < LENGTHS; i++)
    for (int k = 0; k < 3; k++) {
      rgMeetDoubtKind kind = check_along(meet, a, axes[k], LENGTH[i] * width, extent);
      if (kind != RG_MEET_SOUND)
        return doubt(kind, a->x);
    }
  return doubt(RG_MEET_SOUND, a->x);
}

// (1) of each with each.
static rgMeetDoubt check_planes(const Answer* answers, int count, double extent) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) {
      const Answer *x = &answers[i], *y = &answers[k];
      double noise = noise_of(x, extent) + noise_of(y, extent);
      if (!(y->f >= x->f + v3_dot(x->g, v3_sub(y->x, x->x)) - noise))
        return doubt(RG_MEET_NOT_CONVEX, x->x);
    }
  return doubt(RG_MEET_SOUND, answers[0].x);
}

static rgMeetDoubt farthest(const rgShape* shape, rgVec3 d, Answer* out, bool* bent) {
  const rgMeet* meet = shape->meet;
  rgMeetGoal goal = {.d = d, .x = v3_zero()};
  rgMeetBest best = rg_meet_solve(meet, &goal, shape->extent);
  *bent = best.bent;
  if (!ask(meet, best.point, out))
    return doubt(RG_MEET_NOT_FINITE, best.point);
  if (!(best.gap <= NARROW * shape->extent))
    return doubt(RG_MEET_NOT_FOUND, best.point);
  double room = NARROW * shape->extent;
  rgVec3 more = v3(room, room, room), low = v3_sub(meet->box.lower, more),
         high = v3_add(meet->box.upper, more);
  bool within = v3_equal(v3_min(v3_max(best.point, low), high), best.point);
  return doubt(within ? RG_MEET_SOUND : RG_MEET_CHANGED, best.point);
}

rgMeetDoubt rg_meet_audit(const rgShape* shape, rgVec3 d, rgVec3* top) {
  Answer answers[WITNESSES];
  *top = v3_zero();
  const rgMeet* meet = shape->meet;
  if (!ask(meet, meet->center, &answers[2]))
    return doubt(RG_MEET_NOT_FINITE, meet->center);
  if (!(fabs(answers[2].f - meet->center_value) <= noise_of(&answers[2], shape->extent)))
    return doubt(RG_MEET_CHANGED, meet->center);
  bool bent, bent_below;
  rgMeetDoubt found = farthest(shape, d, &answers[0], &bent);
  if (found.kind == RG_MEET_SOUND)
    found = check_gradient(meet, &answers[0], d, shape->extent);
  if (found.kind == RG_MEET_SOUND)
    found = farthest(shape, v3_neg(d), &answers[1], &bent_below);
  if (found.kind == RG_MEET_SOUND)
    found = check_planes(answers, WITNESSES, shape->extent);
  if (found.kind == RG_MEET_SOUND && (bent || bent_below))
    found.kind = RG_MEET_NOT_CONVEX;
  *top = answers[0].x;
  return found;
}

double rg_meet_height(const rgShape* shape, rgVec3 x) {
  Answer a;
  return ask(shape->meet, x, &a) ? a.f / fmax(v3_norm(a.g), DBL_MIN) : (double)NAN;
}

// Central differences of the values.
static rgVec3 slope_at(const rgMeet* meet, rgVec3 x) {
  double s = LENGTH[0] * v3_norm(v3_sub(meet->box.upper, meet->box.lower)), g[3];
  for (int k = 0; k < 3; k++) {
    Answer up, down;
    rgVec3 e = v3(k == 0 ? s : 0, k == 1 ? s : 0, k == 2 ? s : 0);
    ask(meet, v3_add(x, e), &up);
    ask(meet, v3_sub(x, e), &down);
    g[k] = (up.f - down.f) / (2 * s);
  }
  return v3(g[0], g[1], g[2]);
}

void rg_meet_say(const rgShape* shape, rgMeetDoubt found, rgMessage* message) {
  static const char* const what[] = {
      [RG_MEET_SOUND] = "is as it should be",
      [RG_MEET_NOT_FINITE] = "value, gradient and Hessian must be finite numbers",
      [RG_MEET_WRONG_GRADIENT] = "its gradient must be that of its values",
      [RG_MEET_NOT_CONVEX] = "it must be convex, with the gradient of its values",
      [RG_MEET_NOT_FOUND] =
          "the search for its farthest point did not end; gradient and Hessian must "
          "be those of its values",
      [RG_MEET_CHANGED] = "it must answer as it did when it was added",
      [RG_MEET_WRONG_CONTACT] =
          "contacts found with its answers contradict one another; it must answer "
          "the same whenever it is asked"};
  rgVec3 x = found.place;
  double scale = 1 / shape->meet->pieces[0].scale; // a power of two: the numbers of the user
  Answer a;
  ask(shape->meet, x, &a);
  rgVec3 slope = v3_scale(slope_at(shape->meet, x), scale);
  a.f *= scale, a.g = v3_scale(a.g, scale);
  rg_fail(message, RG_ERROR_INPUT,
          "at (%.9g, %.9g, %.9g): %s; value %.9g, gradient (%.9g, %.9g, %.9g), differences of "
          "values (%.9g, %.9g, %.9g)",
          x.x, x.y, x.z, what[found.kind], a.f, a.g.x, a.g.y, a.g.z, slope.x, slope.y, slope.z);
}
