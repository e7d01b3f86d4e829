// answers.c - contacts that stand on answers of a user's function.
//
// Problem. Contacts of a function are found by asking it for values and gradients at many places, some of
// which may be lies. The contacts, or that there are none, are judged by what they say alone.
//
// Method. Along a unit vector n from B to A let h(n) be the lowest point of A minus the highest of B. Both
// are audited (meet_audit.c): they are right if the function is convex and true at these points. Then
//   no contact     h(n) is the least that the bodies are apart: it must exceed the reach for one n that the
//                  search can have stopped at
//   a contact      the least gap along its normal n is h(n); apart, its points are in the bodies, so that
//                  their distance is an upper bound of what h(n) bounds from below (equation 9 of Chakraborty,
//                  Berard, Akella and Trinkle 2007 in other words)
// For overlap the normal is not proved to be that of the least depth; h(n) bounds the depth from above. Of
// meshes, fields and walls the normals of the contacts are audited, and their gaps are taken as they are.
//
// Cost: an audit for each normal and function.
#include "collide/answers.h"

#include "collide/contact.h"
#include "collide/convex/axis.h"

// Of the extents: what the search may be off by where a surface is flat.
static const double ROOM = 1e-6;

typedef struct Verdict {
  int side;
  rgMeetDoubt doubt;
} Verdict;

static const Verdict sound = {0, {RG_MEET_SOUND, {0, 0, 0}}};

static double room_of(const rgAnswers* s) {
  double a = isfinite(s->a->extent) ? s->a->extent : 0,
         b = isfinite(s->b->extent) ? s->b->extent : 0;
  return ROOM * (a + b);
}

// The farthest point of a shape along d (world), audited; false when it has none.
static bool top_of(const rgShape* shape, rgPose pose, rgVec3 d, rgMeetDoubt* doubt,
                   double* height) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  rgVec3 own = quat_unrotate(pose.orientation, d), x;
  *doubt = (rgMeetDoubt){RG_MEET_SOUND, own};
  if (rg_answers_asked(shape)) {
    *doubt = rg_meet_audit(shape, own, &x);
  } else if (info->support && !shape->outline) {
    x = info->support(shape, own);
  } else if (shape->kind == RG_SHAPE_HALFSPACE && own.z > 0) {
    x = v3_zero();
  } else {
    return false;
  }
  *height = v3_dot(d, pose_apply(pose, x));
  return true;
}

// Audits both along n; h(n), or NaN when it is not known.
static Verdict judge_along(const rgAnswers* s, rgVec3 n, double* h) {
  Verdict a = {.side = 0}, b = {.side = 1};
  double low = 0, high = 0;
  bool known = top_of(s->a, s->pose_a, v3_neg(n), &a.doubt, &low);
  known = top_of(s->b, s->pose_b, n, &b.doubt, &high) && known;
  *h = known ? -low - high : (double)NAN;
  return a.doubt.kind != RG_MEET_SOUND ? a : b;
}

static Verdict contradiction(const rgAnswers* s, rgVec3 x) {
  int side = rg_answers_asked(s->a) ? 0 : 1;
  rgVec3 own = pose_unapply(side == 0 ? s->pose_a : s->pose_b, x);
  return (Verdict){side, {RG_MEET_WRONG_CONTACT, own}};
}

// Whether a point of a contact is outside the body that it is said to be on.
static bool is_outside(const rgShape* shape, rgPose pose, rgVec3 x, double room) {
  return rg_answers_asked(shape) && !(rg_meet_height(shape, pose_unapply(pose, x)) <= room);
}

static rgVec3 line_of(const rgAnswers* s) {
  return v3_unit_or(v3_sub(s->pose_a.position, s->pose_b.position), v3(0, 0, 1));
}

static Verdict judge_contact(const rgAnswers* s, const rgManifold* manifold) {
  double h, least = HUGE_VAL, room = room_of(s);
  bool finite = v3_finite(manifold->normal);
  Verdict verdict = judge_along(s, finite ? manifold->normal : line_of(s), &h);
  if (verdict.doubt.kind == RG_MEET_SOUND && !finite)
    return contradiction(s, s->pose_a.position);
  if (verdict.doubt.kind != RG_MEET_SOUND || isnan(h))
    return verdict;
  for (int i = 0; i < manifold->count; i++) {
    const rgManifoldPoint* p = &manifold->points[i];
    least = fmin(least, p->gap);
    if (p->gap > 0 && (is_outside(s->a, s->pose_a, p->point_a, room) ||
                       is_outside(s->b, s->pose_b, p->point_b, room)))
      return contradiction(s, p->point_a);
  }
  return fabs(least - h) <= room ? sound : contradiction(s, manifold->points[0].point_a);
}

// The vectors at which a search without contacts can have stopped: the hint, a face, the plane itself.
static int axes_of(const rgAnswers* s, rgVec3 hint, rgVec3 axes[3]) {
  int count = 0;
  if (v3_norm2(hint) > 0)
    axes[count++] = v3_unit_or(hint, hint);
  if (s->a->kind == RG_SHAPE_HALFSPACE)
    axes[count++] = v3_neg(rg_halfspace_normal(s->pose_a));
  if (s->b->kind == RG_SHAPE_HALFSPACE)
    axes[count++] = rg_halfspace_normal(s->pose_b);
  if (rg_shape_info(s->a->kind)->support && rg_shape_info(s->b->kind)->support) {
    rgAxisSearch own = rg_axis_search(s->a, s->pose_a, s->b, s->pose_b);
    rg_axis_try_own(&own, true);
    rg_axis_try_own(&own, false);
    if (v3_norm2(own.normal) > 0)
      axes[count++] = own.normal;
  }
  if (count == 0)
    axes[count++] = line_of(s);
  return count;
}

static Verdict judge_none(const rgAnswers* s, rgVec3 hint) {
  rgVec3 axes[3];
  int count = axes_of(s, hint, axes);
  Verdict first = sound;
  bool open = false; // that there is none is not seen along one that is known
  for (int i = 0; i < count; i++) {
    double h;
    Verdict verdict = judge_along(s, axes[i], &h);
    if (verdict.doubt.kind != RG_MEET_SOUND)
      first = first.doubt.kind == RG_MEET_SOUND ? verdict : first;
    else if (h >= s->reach - room_of(s))
      return sound;
    open = open || !isnan(h);
  }
  return first.doubt.kind != RG_MEET_SOUND || !open ? first : contradiction(s, s->pose_a.position);
}

// What cannot be known is said: a contact that is not a number, by which the step is refused.
static void say_doubt(const Verdict* verdict, rgManifoldList* out) {
  rgManifold* manifold = rg_manifold_begin(out, v3((double)NAN, (double)NAN, (double)NAN),
                                           (uint32_t)verdict->doubt.kind);
  if (manifold)
    rg_manifold_add(manifold, verdict->doubt.place, verdict->doubt.place, (double)NAN,
                    (uint32_t)verdict->side);
}

void rg_answers_check(const rgAnswers* answers, int first, rgPairHint* hint, rgManifoldList* out) {
  if (out->overflow) // it is done again
    return;
  Verdict verdict = sound;
  for (int i = first; i < out->count && verdict.doubt.kind == RG_MEET_SOUND; i++)
    verdict = judge_contact(answers, &out->items[i]);
  if (first == out->count)
    verdict = judge_none(answers, hint->axis);
  if (verdict.doubt.kind == RG_MEET_SOUND)
    return;
  *hint = (rgPairHint){v3_zero()};
  out->count = first;
  say_doubt(&verdict, out);
}

bool rg_answers_doubted(const rgManifold* manifold, int* side, rgMeetDoubt* doubt) {
  if (v3_finite(manifold->normal))
    return false;
  const rgManifoldPoint* p = &manifold->points[0];
  *side = (int)p->feature;
  *doubt = (rgMeetDoubt){(rgMeetDoubtKind)manifold->key, p->point_a};
  return true;
}
