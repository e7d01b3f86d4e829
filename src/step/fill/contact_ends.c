// contact_ends.c - contacts in a step of second order: their geometry at the mean of start and end.
//
// At theta < 1 the movement is that of the mean velocity, and an impulse acts on the whole of it. Frames
// and arms of the start of the step make it of first order wherever contact points wander over bodies
// or normals turn: rolling, rocking, bowls. So contacts are found again at the ends that bodies are
// thought to reach (ends.c), and with n0, a0 at the start and n1, a1 at the end the problem has
//
//     n = (n0 + n1) / |n0 + n1|,     a = (a0 + a1) / 2.
//
// Both bodies feel the impulse at the mean of where it acts, so that momentum and angular momentum are
// kept; for a corner on a plane the gap changes by exactly h n . u~, since a Cayley turn c moves an arm
// by c x (a0 + a1) / 2.
//
// Law. What must not approach and must not slip is the contact at the end of the step, u1 = H1' v+,
// while impulses act with the mean H. The difference is taken from the guess, lag = H1' v+ - H' v+, and
// is part of the bias: the problem stays symmetric. With H0' v = 0 from the step before,
//
//     H' (v + v+) / 2 = (H - H0)' v / 2 - (H1 - H)' v+ / 2 = O(h^2),
//
// so that rolling contact does work of O(h^3) in a step. A law at H' v+ would make it O(h^2). In the
// normal direction the work is made <= 0 by a bound on the bias (scheme/theta.c), in friction by the
// law of the mean slip where it would gain (closing.c).
//
// Drift. For curved bodies the mean geometry foresees the gap to O(h^3) only; the rest would sink a
// rolling body step by step, and lifting it again is a gain of energy. So the mean is corrected, by
// O(h^2), until g1 - g0 = h n . u~ for the movement guessed (Gonzalez 1999): with e what is missing, t
// the part of a body's turn across the normal, a its arm and s the slip, the arm by n x t (e a^2 / d)
// and the normal by s (e / d), d = t^2 a^2 + s^2.
//
// Geometry of the end. A scheme with `end_contacts` (scheme/implicit_geometry.c) has no use for means:
// there impulses act where the contact is at the end of the step, with the frame n1 and the arms a1,
// and the lag is what the velocity of the problem, which belongs to the orientation of the start,
// differs by from the end velocity (free_motion.c). The scheme reads the gap g1, too.
//
// Curved shapes on planes: contact_spot.c.
//
// Guesses come from the impulses of the last step, which for smooth motion is enough for second order;
// contact_client.c says when it is not. A contact that has no counterpart at the end keeps its material
// points and its normal; one whose counterpart is not the same contact in motion keeps the geometry of
// the start.
#include "step/fill/fill.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

#include <string.h>

// Counterparts whose normals differ more than this [cosine], or whose arms differ by more than this
// part of the arm, are not the same contact in motion.
static const double SAME_NORMAL = 0.9, SAME_ARM = 0.5;

// Of one pair of shapes: what a mesh has beyond these keeps the geometry of the start.
enum { MANIFOLDS = 16 };

void rg_fill_forget_contact_ends(rgStep* step) {
  for (int i = 0; i < step->world->contact_count && step->contacts_at != RG_CONTACTS_START; i++)
    step->contact_ends[i].known = false;
}

// Where the impulse acts on A and on B.
typedef struct Points {
  rgVec3 a, b; // [m]
} Points;

static Points acting_points(const rgWorld* world, const rgWorldContact* contact, rgVec3 point_a,
                            rgVec3 point_b) {
  Points points = {point_a, point_b};
  if (rg_fill_acts_between(world, contact))
    points.a = points.b = v3_scale(v3_add(point_a, point_b), 0.5);
  return points;
}

// A body at the end of the step.
typedef struct Side {
  rgPose center;   // of the centre of mass
  rgTwist end;     // velocity at the end
  rgTwist problem; // the velocity of the problem that leads there
  rgTwist mean;    // the velocity of the movement
  double moved;    // [m] no point of its shapes has moved farther
} Side;

// False for a dynamic body whose end is not guessed.
static bool side_of(const rgStep* step, int slot, Side* side) {
  const rgBody* body = &step->world->bodies[slot];
  *side = (Side){
      {body->position, body->orientation}, body->velocity, body->velocity, body->velocity, 0};
  if (body->kind == RG_BODY_STATIC)
    return true;
  const rgEnd* end = &step->ends[slot];
  side->center = end->pose;
  side->moved = v3_norm(v3_sub(end->pose.position, body->position)) +
                v3_norm(step->ends[slot].turn) * body->extent;
  if (body->kind == RG_BODY_KINEMATIC)
    return true;
  side->end = end->velocity;
  side->problem = end->guess;
  const rgTwist* start = &step->bodies[slot].start_velocity;
  double theta = step->theta;
  side->mean.linear = v3_axpy(v3_scale(start->linear, 1 - theta), theta, end->guess.linear);
  side->mean.angular = v3_axpy(v3_scale(start->angular, 1 - theta), theta, end->guess.angular);
  return end->known;
}

// The frame of a body whose centre of mass is there.
static rgPose frame_at(const rgWorld* world, int slot, rgPose center) {
  rgVec3 arm = quat_rotate(center.orientation, world->bodies[slot].center);
  return (rgPose){v3_sub(center.position, arm), center.orientation};
}

static rgVec3 slip(const rgTwist* a, rgVec3 arm_a, const rgTwist* b, rgVec3 arm_b) {
  rgVec3 at_a = v3_add(a->linear, v3_cross(a->angular, arm_a));
  return v3_sub(at_a, v3_add(b->linear, v3_cross(b->angular, arm_b)));
}

// Turns a vector as it takes the unit vector `from` to `to`, which is not opposite to it.
static rgVec3 turn_along(rgVec3 x, rgVec3 from, rgVec3 to) {
  rgVec3 axis = v3_cross(from, to);
  rgQuat turn = quat_unit((rgQuat){1 + v3_dot(from, to), axis.x, axis.y, axis.z});
  return quat_rotate(turn, x);
}

// Flat faces, edges and corners foresee their gaps well enough.
static bool is_curved(const rgWorld* world, int shape) {
  const rgShape* own = world->shapes[shape].shape;
  return own->polyhedron == NULL || own->radius > 0;
}

// Whether a contact is somewhere else on a body, and not the same one in motion.
static bool jumps(const rgBody* body, rgVec3 start, rgVec3 end) {
  return body->kind == RG_BODY_DYNAMIC &&
         v3_norm2(v3_sub(end, start)) > SAME_ARM * SAME_ARM * v3_norm2(start);
}

// The correction is of second order in the movement. What is missing beyond this many times its square
// is rounding of a gap that hardly moves, or another contact.
static const double CORRECTED = 100;

// Corrects the mean geometry so that it foresees the gap at the end of the movement.
static void end_drift(const rgStep* step, const rgWorldContact* contact, double gap, const Side* a,
                      const Side* b, rgContactEnd* out) {
  rgVec3 n = out->normal, u = slip(&a->mean, out->arm_a, &b->mean, out->arm_b);
  double missing = (gap - contact->gap) / step->h - v3_dot(n, u);
  bool side_a = step->world->bodies[contact->body_a].kind == RG_BODY_DYNAMIC;
  rgVec3* arm = side_a ? &out->arm_a : &out->arm_b;
  rgVec3 w = side_a ? a->mean.angular : v3_neg(b->mean.angular);
  rgVec3 t = v3_axpy(w, -v3_dot(w, n), n), s = v3_axpy(u, -v3_dot(u, n), n);
  double length2 = v3_norm2(*arm), all = v3_norm2(t) * length2 + v3_norm2(s);
  double moved = step->h * sqrt(all / length2); // [rad]
  if (!(fabs(missing) < CORRECTED * moved * moved * sqrt(all)))
    return;
  *arm = v3_add(*arm, v3_cross(n, v3_scale(t, missing * length2 / all)));
  out->normal = v3_unit_or(v3_axpy(n, missing / all, s), n);
}

// How much a body resists a further turn because its contact wanders: seen from one round to the next,
// a turn by dt has moved the arm by da, and with it the impulse p by the moment da x p against the turn.
static double wander_stiffness(rgVec3 da, rgVec3 dt, rgVec3 impulse, double h) {
  double moved = v3_norm2(dt), against = -v3_dot(v3_cross(da, impulse), dt);
  return against > 0 && moved > 0 ? h * against / moved : 0;
}

// Before a contact that is taken at the end is placed anew: what the last round tells of its stiffness.
static void learn_stiffness(const rgStep* step, const rgWorldContact* contact, rgVec3 end_a,
                            rgVec3 end_b, bool known, rgContactEnd* out) {
  rgVec3 turn_a = step->ends[contact->body_a].turn, turn_b = step->ends[contact->body_b].turn;
  rgVec3 push = v3_scale(out->normal, v3_dot(out->normal, contact->impulse));
  if (!known)
    out->stiffness_a = out->stiffness_b = 0;
  else {
    double a = wander_stiffness(v3_sub(end_a, out->arm_a), v3_sub(turn_a, out->turn_a), push,
                                step->h),
           b = wander_stiffness(v3_sub(end_b, out->arm_b), v3_sub(turn_b, out->turn_b),
                                v3_neg(push), step->h);
    out->stiffness_a = a;
    out->stiffness_b = b;
  }
  out->turn_a = turn_a;
  out->turn_b = turn_b;
}

// The mean geometry, from the arms at the end; false when it is not the same contact in motion.
static bool know_mean(const rgStep* step, const rgWorldContact* contact, rgVec3 n1, double gap,
                      rgVec3 end_a, rgVec3 end_b, const Side* a, const Side* b, rgContactEnd* out) {
  const rgWorld* world = step->world;
  rgVec3 start_a, start_b;
  rg_fill_contact_arms(step, contact, &start_a, &start_b);
  if (v3_dot(contact->normal, n1) < SAME_NORMAL ||
      jumps(&world->bodies[contact->body_a], start_a, end_a) ||
      jumps(&world->bodies[contact->body_b], start_b, end_b))
    return false;
  out->normal = v3_unit_or(v3_add(contact->normal, n1), n1);
  out->arm_a = v3_scale(v3_add(start_a, end_a), 0.5);
  out->arm_b = v3_scale(v3_add(start_b, end_b), 0.5);
  if (is_curved(world, contact->shape_a) || is_curved(world, contact->shape_b))
    end_drift(step, contact, gap, a, b, out);
  return true;
}

static void know_end(const rgStep* step, const rgWorldContact* contact, const rgManifold* manifold,
                     const rgManifoldPoint* point, const Side* a, const Side* b, bool known,
                     rgContactEnd* out) {
  rgVec3 n1 = manifold->normal;
  rgManifoldPoint at = *point;
  if (step->contacts_at == RG_CONTACTS_END)
    rg_fill_take_spot(step, contact, n1, known, &at, out);
  Points end = acting_points(step->world, contact, at.point_a, at.point_b);
  rgVec3 end_a = v3_sub(end.a, a->center.position), end_b = v3_sub(end.b, b->center.position);
  if (step->contacts_at == RG_CONTACTS_END) {
    learn_stiffness(step, contact, end_a, end_b, known, out);
    out->normal = n1;
    out->arm_a = end_a;
    out->arm_b = end_b;
  } else if (!know_mean(step, contact, n1, point->gap, end_a, end_b, a, b, out)) {
    return;
  }
  out->gap = at.gap;
  out->end_normal = n1;
  rgVec3 at_end = turn_along(slip(&a->end, end_a, &b->end, end_b), n1, out->normal);
  rgVec3 guessed = slip(&a->problem, out->arm_a, &b->problem, out->arm_b);
  out->lag = v3_sub(at_end, guessed);
  out->closing = v3_dot(n1, guessed);
  out->lag_spin = v3_dot(n1, v3_sub(a->end.angular, b->end.angular)) -
                  v3_dot(out->normal, v3_sub(a->problem.angular, b->problem.angular));
  out->known = true;
}

// What a pair of shapes has at the start and at the end of the step.
typedef struct Pair {
  const rgWorld* world;
  const int* order; // of its contacts
  int count;
  const rgManifoldList* ends;
  bool renames; // keys at the end may be other ones than at the start for the same contact
} Pair;

static bool has_feature(const Pair* pair, uint32_t key, uint32_t feature) {
  for (int i = 0; i < pair->count; i++) {
    const rgWorldContact* contact = &pair->world->contacts[pair->order[i]];
    if (contact->key == key && contact->feature == feature)
      return true;
  }
  return false;
}

static bool has_key(const Pair* pair, uint32_t key) {
  for (int i = 0; i < pair->count; i++)
    if (pair->world->contacts[pair->order[i]].key == key)
      return true;
  return false;
}

static bool ends_with_key(const Pair* pair, uint32_t key) {
  for (int m = 0; m < pair->ends->count; m++)
    if (pair->ends->items[m].key == key)
      return true;
  return false;
}

// The same features; or where features change while bodies roll, the nearest point that has no other
// counterpart. A surface names its manifolds by their rounded normals: a key that is not there any more
// has become one that was not there before.
static const rgManifoldPoint* counterpart(const Pair* pair, const rgWorldContact* contact,
                                          const rgManifold** manifold) {
  const rgManifoldPoint* nearest = NULL;
  double least = HUGE_VAL;
  if (contact->feature >= RG_INSIDE_FEATURE) // of its patch, which keeps its material points
    return NULL;
  bool renamed = pair->renames && !ends_with_key(pair, contact->key);
  for (int m = 0; m < pair->ends->count; m++) {
    const rgManifold* candidate = &pair->ends->items[m];
    bool taken = renamed ? has_key(pair, candidate->key) : candidate->key != contact->key;
    for (int k = 0; k < candidate->count && !taken; k++) {
      const rgManifoldPoint* point = &candidate->points[k];
      bool same = point->feature == contact->feature && !renamed;
      if (!same && !renamed && has_feature(pair, candidate->key, point->feature))
        continue;
      double distance = same ? 0 : v3_norm2(v3_sub(point->point_a, contact->point_a));
      if (!(distance < least))
        continue;
      least = distance;
      nearest = point;
      *manifold = candidate;
    }
  }
  return nearest;
}

static rgVec3 carried(const rgBody* body, const Side* side, rgVec3 point) {
  rgVec3 arm = quat_unrotate(body->orientation, v3_sub(point, body->position));
  return v3_add(side->center.position, quat_rotate(side->center.orientation, arm));
}

// A contact without a counterpart: the material points that it had, and its normal.
static void know_material(const rgStep* step, const rgWorldContact* contact, const Side* a,
                          const Side* b, bool known, rgContactEnd* out) {
  const rgWorld* world = step->world;
  rgManifold manifold = {.normal = contact->normal};
  rgManifoldPoint point = {.point_a = carried(&world->bodies[contact->body_a], a, contact->point_a),
                           .point_b =
                               carried(&world->bodies[contact->body_b], b, contact->point_b)};
  point.gap = v3_dot(manifold.normal, v3_sub(point.point_a, point.point_b));
  know_end(step, contact, &manifold, &point, a, b, known, out);
}

// Whether neighbours of a shape have a part in its contacts: then geometry at the end is not that of the
// pair alone. Means of it may be those of two surfaces; contacts with means keep that of the start.
static bool has_seams(const rgWorld* world, int shape, int other) {
  return rg_world_has_seams(world, shape) &&
         rg_shape_info(world->shapes[other].shape->kind)->support;
}

// What two shapes have where their bodies are at these places, up to the reach.
static void collide_at(const rgWorld* world, const rgWorldContact* any, rgPose center_a,
                       rgPose center_b, double reach, bool seams, rgManifoldList* list) {
  const rgWorldShape *a = &world->shapes[any->shape_a], *b = &world->shapes[any->shape_b];
  const rgPose frames[2] = {frame_at(world, a->body, center_a), frame_at(world, b->body, center_b)};
  rgPairHint hint = {.axis = any->normal};
  list->coarseness = world->options.projection_tolerance * any->size;
  rg_collide(a->shape, pose_mul(frames[0], a->shape->pose), b->shape,
             pose_mul(frames[1], b->shape->pose), reach, &hint, list);
  if (seams)
    rg_world_correct_seams(world, any->shape_a, any->shape_b, frames, reach, list);
}

static bool pair_has_seams(const rgWorld* world, const rgWorldContact* any) {
  return has_seams(world, any->shape_a, any->shape_b) ||
         has_seams(world, any->shape_b, any->shape_a);
}

// The contacts first .. first + count - 1 of the problem, which are those of one pair of shapes.
static void follow_pair(rgStep* step, const rgIsland* island, int first, int count) {
  (void)island;
  const rgWorld* world = step->world;
  const int* order = &step->velocity.contact_order[first];
  const rgWorldContact* any = &world->contacts[*order];
  const rgWorldShape *a = &world->shapes[any->shape_a], *b = &world->shapes[any->shape_b];
  Side side_a, side_b;
  bool seams = pair_has_seams(world, any);
  if ((seams && step->contacts_at != RG_CONTACTS_END) || !side_of(step, a->body, &side_a) ||
      !side_of(step, b->body, &side_b))
    return;
  rgManifold manifolds[MANIFOLDS];
  rgManifoldList list = {.items = manifolds, .capacity = MANIFOLDS};
  double reach = 0;
  for (int i = 0; i < count; i++)
    reach = fmax(reach, world->contacts[order[i]].gap);
  reach += side_a.moved + side_b.moved;
  collide_at(world, any, side_a.center, side_b.center, reach, seams, &list);
  const Pair pair = {world, order, count, &list, step->contacts_at == RG_CONTACTS_END};
  for (int i = 0; i < count; i++) {
    const rgWorldContact* contact = &world->contacts[order[i]];
    rgContactEnd* end = &step->contact_ends[order[i]];
    const rgManifold* manifold;
    const rgManifoldPoint* point = counterpart(&pair, contact, &manifold);
    bool known = end->known;
    end->known = false;
    bool impact =
        step->contacts_at == RG_CONTACTS_END && step->contacts[order[i]].mark == RG_MARK_IMPACT;
    if (step->contacts[order[i]].late || impact) // it has its arms from where it passes or strikes
      continue;
    if (point)
      know_end(step, contact, manifold, point, &side_a, &side_b, known, end);
    else
      know_material(step, contact, &side_a, &side_b, known, end);
  }
}

// Calls `visit` for the contacts of each pair of shapes of an island.
static void visit_pairs(rgStep* step, const rgIsland* island,
                        void (*visit)(rgStep* step, const rgIsland* island, int first, int count)) {
  const int* order = step->velocity.contact_order;
  const rgWorldContact* contacts = step->world->contacts;
  int end = island->contact_start + island->contact_count;
  for (int first = island->contact_start, next; first < end; first = next) {
    const rgWorldContact* contact = &contacts[order[first]];
    for (next = first + 1; next < end; next++)
      if (contacts[order[next]].shape_a != contact->shape_a ||
          contacts[order[next]].shape_b != contact->shape_b)
        break;
    visit(step, island, first, next - first);
  }
}

void rg_fill_contact_ends(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  for (int k = 0; k < set->island_count && step->contacts_at != RG_CONTACTS_START; k++)
    if (set->islands[k].follows && !set->islands[k].settled)
      visit_pairs(step, &set->islands[k], follow_pair);
}

// -------------------------------------------------------------------------------------------------
// What contacts that are taken at the end have come to, by geometry alone
// -------------------------------------------------------------------------------------------------

double rg_fill_least_gap(const rgWorld* world, const rgWorldContact* contact) {
  bool left = strcmp(world->options.stabilizer, "none") != 0;
  return left && contact->gap < -rg_stabilizer_allowed_overlap(world, contact) ? contact->gap : 0;
}

// Rounding of a gap, as a part of the lengths of which it is the difference.
static const double GAP_ROUNDING = 16 * 0x1p-52;

double rg_fill_gap_asked(const rgStep* step, const rgWorldContact* contact, double scale) {
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  double lengths = v3_norm(a->position) + v3_norm(b->position) + a->extent + b->extent;
  return step->h * step->world->options.tolerance * scale + GAP_ROUNDING * lengths;
}

static rgPose present(const rgBody* body) { return (rgPose){body->position, body->orientation}; }

// [m] The gap that a contact that pushes is to have at the end (scheme/implicit_geometry.c): of an overlap that is
// left to the stabilizer what that takes back by velocities within the step is gone.
static double gap_asked_for(const rgStep* step, const rgWorldContact* contact) {
  double least = rg_fill_least_gap(step->world, contact);
  double push = least < 0 ? rg_stabilizer_contact_bias(step->world, contact) : 0;
  return least - step->h * push;
}

// One that pushes has closed; one that does not is not passed.
static void judge_gap(rgStep* step, const rgIsland* island, int index, double gap) {
  const rgWorldContact* contact = &step->world->contacts[step->velocity.contact_order[index]];
  double asked = rg_fill_gap_asked(step, contact, island->report.certificate.scale);
  bool pushes = step->velocity.r[4 * index] > 0;
  gap -= gap_asked_for(step, contact);
  rg_report_stage(step, RG_STAGE_GAP, asked, pushes ? fabs(gap) : fmax(0, -gap));
}

// Reports how far the normal of a contact that pushes is after the movement from that of its law.
static void judge_normal(rgStep* step, int index, rgVec3 normal) {
  const rgProblemSet* set = &step->velocity;
  int order = set->contact_order[index];
  if (!(set->r[4 * index] > 0))
    return;
  bool mean = step->contacts_at == RG_CONTACTS_MEAN && rg_fill_knows_contact_end(step, order);
  rgVec3 law = mean ? step->contact_ends[order].end_normal : set->contacts[index].n;
  double off = v3_norm(v3_sub(normal, law));
  if (step->contacts_at == RG_CONTACTS_END)
    off = fmax(off, rg_fill_spot_misalignment(step, &step->world->contacts[order], normal));
  rg_report_stage(step, RG_STAGE_ALIGNMENT, step->world->options.tolerance, off);
}

static void judge_pair(rgStep* step, const rgIsland* island, int first, int count) {
  const rgWorld* world = step->world;
  const int* order = &step->velocity.contact_order[first];
  const rgWorldContact* any = &world->contacts[*order];
  const rgBody *a = &world->bodies[any->body_a], *b = &world->bodies[any->body_b];
  rgManifold manifolds[MANIFOLDS];
  rgManifoldList list = {.items = manifolds, .capacity = MANIFOLDS};
  double reach = 2 * any->size;
  collide_at(world, any, present(a), present(b), reach, pair_has_seams(world, any), &list);
  const Pair pair = {world, order, count, &list, step->contacts_at == RG_CONTACTS_END};
  for (int i = 0; i < count; i++) {
    const rgContactStep* scratch = &step->contacts[order[i]];
    const rgManifold* manifold;
    const rgManifoldPoint* point = counterpart(&pair, &world->contacts[order[i]], &manifold);
    if (!point || scratch->late || scratch->mark != RG_MARK_IN)
      continue;
    judge_normal(step, first + i, manifold->normal);
    if (step->contacts_at == RG_CONTACTS_END)
      judge_gap(step, island, first + i, point->gap);
  }
}

void rg_fill_judge_ends(rgStep* step) {
  for (int k = 0; k < step->velocity.island_count; k++)
    visit_pairs(step, &step->velocity.islands[k], judge_pair);
}
