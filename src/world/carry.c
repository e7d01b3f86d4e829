// carry.c - impulses of the last contacts of a pair as the first guess for its new ones.
//
// Each impulse goes to one contact: to the nearest with its feature where that is still there, otherwise to
// the nearest on its side, so that the pair goes on carrying what it carried while corners of the common
// area come and go, and the impulses that users read after a step sum up to what acted. Several contacts of
// a pair may have one feature (a crossing of an edge with several triangles in one plane, walls, seams).
//
// But corners also wander: where two edges are almost in line, their crossing moves far when the
// bodies turn a little, and impulses that simply stay with their features would start the next step
// with another wrench than the last one ended with. So the impulses of a flat manifold are changed
// to have the force and the moment that they had, moved along with the bodies. With x_j the place
// across n from the centre of weights w_j, and S = sum of w_j x_j x_j',
//
//     w_j = r_n:             (1 + beta . x_j) r               adds the moment S beta x n,
//     w_j = mu r_n - |r_T|:  r + w_j (tau + gamma n x x_j)    adds the force sum(w) tau and the
//                                                             moment gamma trace(S) about n.
//
// Changes are in proportion to what is there, so that nothing is made to pull and nothing leaves
// its cone; where that is not enough (a factor of 1 or more), they are left out. A wrong guess
// costs iterations, never accuracy; but the friction that users read of a patch that slides and turns, whose cones
// have no room for the second change, is then that of the first, some percent off (rigor/load.h has what acted).
#include "world/world.h"

// Cosine between normals down to which an impulse may pass from one contact to another.
static const double SAME_SIDE = 0.5;
// Part of the tolerance that the moment of an impulse may change by, relative to the distance
// between contacts.
static const double WANDER = 0.01;
// Part of its trace that is added to S, which is singular when all points are in line.
static const double IN_LINE = 1e-6;

// Contacts of a pair whose moments are kept: a face with more has its impulses as they were.
enum { KEPT_MAX = 256 };

static bool same_feature(const rgWorldContact* a, const rgWorldContact* b) {
  return a->feature == b->feature && a->key == b->key;
}

// The nearest of the contacts with the same feature (several triangles, walls or seams may give the same
// one), or, otherwise, of those on the same side; the first among equals, NULL when there is none.
static rgWorldContact* find_nearest(rgWorldContact* contacts, int count, const rgWorldContact* to,
                                    bool by_feature) {
  rgWorldContact* nearest = NULL;
  double least = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    if (by_feature ? !same_feature(&contacts[i], to)
                   : v3_dot(contacts[i].normal, to->normal) < SAME_SIDE)
      continue;
    double distance2 = v3_norm2(v3_sub(contacts[i].point_a, to->point_a));
    if (!(distance2 < least))
      continue;
    least = distance2;
    nearest = &contacts[i];
  }
  return nearest;
}

rgWorldContact* rg_world_find_heir(rgWorldContact* contacts, int count, const rgWorldContact* old) {
  rgWorldContact* same = find_nearest(contacts, count, old, true);
  return same ? same : find_nearest(contacts, count, old, false);
}

// Each impulse goes to one contact: what a pair is said to have carried is what it carried.
static void give(const rgWorldContact* old, rgWorldContact* heir) {
  bool first = v3_norm2(heir->impulse) == 0 && heir->torsion == 0;
  heir->impulse = first ? old->impulse : v3_add(heir->impulse, old->impulse);
  heir->torsion = first ? old->torsion : heir->torsion + old->torsion;
}

// Hands the impulses over. True when every contact kept its feature.
static bool hand_over(const rgWorldContact* last, int last_count, rgWorldContact* contacts,
                      int count) {
  int kept = 0;
  while (kept < last_count && kept < count && same_feature(&last[kept], &contacts[kept]))
    kept++;
  if (kept == last_count && kept == count) {
    for (int i = 0; i < kept; i++)
      give(&last[i], &contacts[i]);
    return true;
  }
  for (int i = 0; i < last_count; i++) {
    rgWorldContact* heir = find_nearest(contacts, count, &last[i], true);
    if (heir)
      give(&last[i], heir);
  }
  for (int i = 0; i < last_count; i++) {
    if (v3_norm2(last[i].impulse) == 0 || find_nearest(contacts, count, &last[i], true))
      continue;
    rgWorldContact* heir = find_nearest(contacts, count, &last[i], false);
    if (heir)
      give(&last[i], heir);
  }
  return false;
}

// True when contacts that kept their features moved with respect to each other.
static bool wandered(const rgWorldContact* last, const rgWorldContact* contacts, int count,
                     double part) {
  rgVec3 first = v3_sub(contacts[0].point_a, last[0].point_a);
  for (int i = 1; i < count; i++) {
    rgVec3 moved = v3_sub(v3_sub(contacts[i].point_a, last[i].point_a), first);
    rgVec3 apart = v3_sub(contacts[i].point_a, contacts[0].point_a);
    if (v3_norm2(moved) > part * part * v3_norm2(apart))
      return true;
  }
  return false;
}

static bool is_flat(const rgWorldContact* contacts, int count) {
  for (int i = 1; i < count; i++)
    if (!v3_equal(contacts[i].normal, contacts[0].normal))
      return false;
  return true;
}

// -------------------------------------------------------------------------------------------------
// Keeping the wrench
// -------------------------------------------------------------------------------------------------

// A manifold seen along its normal.
typedef struct Flat {
  rgWorldContact* contacts;
  int count;
  rgVec3 n, t, o;
  rgVec3 origin;
  struct {
    double t, o; // [m]
    double weight;
  } at[KEPT_MAX];
} Flat;

typedef struct Wrench {
  rgVec3 force, moment;
} Wrench;

static void add_impulse(Wrench* wrench, double sign, rgVec3 arm, rgVec3 impulse) {
  wrench->force = v3_axpy(wrench->force, sign, impulse);
  wrench->moment = v3_axpy(wrench->moment, sign, v3_cross(arm, impulse));
}

// Where a contact point of the last step is now if it moved with the dynamic bodies of the pair.
static rgVec3 moved_point(const rgWorld* world, const rgWorldContact* contact, double h) {
  const rgBody* bodies[2] = {&world->bodies[contact->body_a], &world->bodies[contact->body_b]};
  rgVec3 sum = v3_zero();
  int count = 0;
  for (int i = 0; i < 2; i++) {
    if (bodies[i]->kind != RG_BODY_DYNAMIC)
      continue;
    rgVec3 arm = v3_sub(contact->point_a, bodies[i]->position);
    sum = v3_add(sum, v3_cross(bodies[i]->velocity.angular, arm));
    sum = v3_add(sum, bodies[i]->velocity.linear);
    count++;
  }
  return count > 0 ? v3_axpy(contact->point_a, h / count, sum) : contact->point_a;
}

// What is missing of `wrench`.
static Wrench missing_of(const Flat* flat, Wrench wrench) {
  for (int i = 0; i < flat->count; i++)
    add_impulse(&wrench, -1, v3_sub(flat->contacts[i].point_a, flat->origin),
                flat->contacts[i].impulse);
  return wrench;
}

// Moves the origin of the coordinates into the centre of the weights; returns their sum, 0 when
// there is none.
static double center(Flat* flat) {
  double total = 0, t = 0, o = 0;
  for (int i = 0; i < flat->count; i++) {
    rgVec3 arm = v3_sub(flat->contacts[i].point_a, flat->origin);
    flat->at[i].t = v3_dot(flat->t, arm);
    flat->at[i].o = v3_dot(flat->o, arm);
    total += flat->at[i].weight;
    t += flat->at[i].weight * flat->at[i].t;
    o += flat->at[i].weight * flat->at[i].o;
  }
  if (!(total > 0))
    return 0;
  t /= total;
  o /= total;
  for (int i = 0; i < flat->count; i++) {
    flat->at[i].t -= t;
    flat->at[i].o -= o;
  }
  flat->origin = v3_axpy(v3_axpy(flat->origin, t, flat->t), o, flat->o);
  return total;
}

static void keep_tilting_moment(Flat* flat, rgVec3 moment) {
  double tt = 0, to = 0, oo = 0;
  for (int i = 0; i < flat->count; i++) {
    double w = flat->at[i].weight, t = flat->at[i].t, o = flat->at[i].o;
    tt += w * t * t;
    to += w * t * o;
    oo += w * o * o;
  }
  double added = IN_LINE * (tt + oo);
  tt += added;
  oo += added;
  double det = tt * oo - to * to;
  if (!(det > 0))
    return;
  double b_t = -v3_dot(flat->o, moment), b_o = v3_dot(flat->t, moment); // n x moment
  double beta_t = (oo * b_t - to * b_o) / det, beta_o = (tt * b_o - to * b_t) / det;
  double factor[KEPT_MAX];
  for (int i = 0; i < flat->count; i++) {
    factor[i] = beta_t * flat->at[i].t + beta_o * flat->at[i].o;
    if (!(fabs(factor[i]) < 1))
      return;
  }
  for (int i = 0; i < flat->count; i++)
    flat->contacts[i].impulse = v3_scale(flat->contacts[i].impulse, 1 + factor[i]);
}

// Nothing is changed where there is not enough room in the cones.
static void keep_friction(Flat* flat, double total, const Wrench* missing) {
  if (!(total > 0))
    return;
  double trace = 0;
  for (int i = 0; i < flat->count; i++)
    trace += flat->at[i].weight * (flat->at[i].t * flat->at[i].t + flat->at[i].o * flat->at[i].o);
  double gamma = trace > 0 ? v3_dot(flat->n, missing->moment) / trace : 0;
  double tau_t = v3_dot(flat->t, missing->force) / total,
         tau_o = v3_dot(flat->o, missing->force) / total;
  rgVec3 change[KEPT_MAX];
  for (int i = 0; i < flat->count; i++) {
    double t = tau_t - gamma * flat->at[i].o, o = tau_o + gamma * flat->at[i].t;
    if (!(t * t + o * o < 1))
      return;
    change[i] = v3_axpy(v3_scale(flat->t, t), o, flat->o);
  }
  for (int i = 0; i < flat->count; i++)
    flat->contacts[i].impulse = v3_axpy(flat->contacts[i].impulse, flat->at[i].weight, change[i]);
}

static void keep_wrench(const rgWorld* world, const rgPair* pair, rgWorldContact* contacts,
                        int count, double h) {
  const rgWorldContact* last = world->contacts + pair->contact_start;
  Flat flat;
  flat.contacts = contacts;
  flat.count = count;
  flat.n = contacts[0].normal;
  if (world->dimension == 2) { // exactly in the plane, and so is what follows
    flat.t = v3(-flat.n.y, flat.n.x, 0);
    flat.o = v3(0, 0, 1);
  } else {
    v3_frame(flat.n, &flat.t, &flat.o);
  }
  flat.origin = contacts[0].point_a;
  for (int i = 0; i < count; i++) {
    double normal = v3_dot(flat.n, contacts[i].impulse);
    flat.at[i].weight = normal > 0 ? normal : 0;
  }
  if (!(center(&flat) > 0))
    return;
  Wrench before = {v3_zero(), v3_zero()};
  for (int i = 0; i < pair->contact_count; i++)
    add_impulse(&before, 1, v3_sub(moved_point(world, &last[i], h), flat.origin), last[i].impulse);
  keep_tilting_moment(&flat, missing_of(&flat, before).moment);

  double mu = rg_world_law(world, &contacts[0])->material.mu;
  for (int i = 0; i < count; i++) {
    double normal = v3_dot(flat.n, contacts[i].impulse);
    double slack = mu * normal - v3_norm(v3_axpy(contacts[i].impulse, -normal, flat.n));
    flat.at[i].weight = slack > 0 ? slack : 0;
  }
  rgVec3 origin = flat.origin;
  double total = center(&flat);
  before.moment = v3_sub(before.moment, v3_cross(v3_sub(flat.origin, origin), before.force));
  Wrench missing = missing_of(&flat, before);
  keep_friction(&flat, total, &missing);
}

void rg_world_carry_impulses(const rgWorld* world, const rgPair* pair, rgWorldContact* contacts,
                             int count, double h) {
  if (pair->contact_count == 0)
    return;
  const rgWorldContact* last = world->contacts + pair->contact_start;
  bool same = hand_over(last, pair->contact_count, contacts, count);
  if (count < 2 || count > KEPT_MAX || !is_flat(contacts, count))
    return;
  if (!same || wandered(last, contacts, count, WANDER * world->options.tolerance))
    keep_wrench(world, pair, contacts, count, h);
}
