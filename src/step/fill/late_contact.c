// late_contact.c - what the solved movement passes, as contacts of the problem: a client of the
// rounds.
//
// Let the shapes overlap at some part of the movement, at a material point of A and one of B, with
// the normal n. The distance of the two points along n at the part s is, x being the arm of a point
// at the start and x(s) at s,
//
//     d(s) = g0 + s n . (shift_a + turn_a x (x_a + x_a(s)) / 2 - the same of B),
//
// exactly, because the Cayley rotation R of s turn has R x - x = s turn x (x + R x) / 2. So a contact
// with the mean of the two arms has in the problem, which is linear in the velocities, the distance
// that the bodies come to, however far they turn: with u~ the weighted velocity of the problem,
// d(s) = g0 + s h u~ >= 0 asks for the gap g0 / s. It is taken at the s where d is least. The free
// rotation of the step turns bodies a little otherwise than their weighted velocity; with it
//
//     g = d(s) / s - h u~
//
// at the present velocities. What would be less than nothing is 0: the points do not approach.
//
// The arms are those of the present solution. After the next one the bodies move otherwise, and what
// is still passed is placed anew; after LOOKS of them the rest is left to cut.c. A contact of the
// start of the step with the same material point is replaced: kept beside it, the two would hold the
// body like a wall with two arms.
//
// Energy: start velocity and mass are those of all other contacts, the arm is one for both of its
// velocities, and g >= 0, so that the work of the impulse is bounded in the same way (theta.c).
//
// Contacts that are new stand behind those of the world, outside the ranges of pairs. At the end of
// the step their impulses go to the nearest contact of the pair, so that users see what acted, and
// the search for contacts forgets them.
#include "step/fill/clients.h"
#include "step/fill/fill.h"
#include "step/fill/passing.h"

enum { LOOKS = 6 };
// Places along the rest of the movement where the distance is taken.
enum { PLACES = 8 };
// Points nearer to each other than this part of the smaller half-width are one.
static const double SAME_POINT = 0.5;
// So are normals up to this cosine.
static const double SAME_NORMAL = 0.9;

void rg_fill_forget_late_contacts(rgStep* step) {
  rgWorldContact* contacts = step->world->contacts;
  step->world->contact_count -= step->look.late_contacts;
  step->look.late_contacts = 0;
  step->look.displaced = step->look.displaced || step->look.late_point_count > 0;
  for (int i = 0; i < step->look.late_point_count; i++) {
    const rgLatePoint* late = &step->look.late_points[i];
    if (late->heir < 0)
      continue;
    contacts[late->heir].impulse =
        v3_add(contacts[late->heir].impulse, contacts[late->contact].impulse);
    contacts[late->heir].torsion += contacts[late->contact].torsion;
  }
  step->look.late_point_count = 0;
}

// The contact of a pair at the start of the step that is nearest to a new one and on the same side.
static int find_heir(const rgStep* step, const rgPassingPair* pair, const rgWorldContact* contact) {
  int heir = -1;
  double least = HUGE_VAL;
  for (int i = pair->contact_start; i < pair->contact_start + pair->contact_count; i++) {
    const rgWorldContact* old = &step->world->contacts[i];
    double distance2 = v3_norm2(v3_sub(old->point_a, contact->point_a));
    if (v3_dot(old->normal, contact->normal) < SAME_NORMAL || !(distance2 < least))
      continue;
    least = distance2;
    heir = i;
  }
  return heir;
}

static void begin(rgStep* step) { step->look.looks = step->look.late_point_count = 0; }

// How far the points come closer in the problem [m].
static double linear_way(const rgStep* step, const rgWorldContact* contact) {
  double theta = step->theta;
  return step->h * (theta * rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW) +
                    (1 - theta) * rg_fill_normal_velocity(step, contact, RG_VELOCITY_START));
}

static double distance_at(const rgPassingPair* pair, const rgWorldContact* contact, double s) {
  rgVec3 a = rg_sweep_point(&pair->sweep.a, contact->point_a, 0, s),
         b = rg_sweep_point(&pair->sweep.b, contact->point_b, 0, s);
  return v3_dot(contact->normal, v3_sub(a, b));
}

// Where the two points come farthest beyond each other, from the part on at which they were seen
// to.
static double deepest_part(const rgPassingPair* pair, const rgWorldContact* contact) {
  double first = pair->passing.part, part = first, least = HUGE_VAL;
  for (int k = 0; k <= PLACES; k++) {
    double s = first + (1 - first) * k / PLACES, distance = distance_at(pair, contact, s);
    if (distance < least) {
      least = distance;
      part = s;
    }
  }
  return part;
}

// The place with the mean of the arms that a point has at the start and at the part s.
static rgVec3 mean_point(const rgSweepSide* side, rgVec3 start, double s) {
  rgVec3 moved = v3_axpy(rg_sweep_point(side, start, 0, s), -s, side->shift);
  return v3_scale(v3_add(start, moved), 0.5);
}

// Completes a contact of the world that has its material points at the start of the step.
static void place(const rgStep* step, const rgPassingPair* pair, rgWorldContact* contact) {
  double s = deepest_part(pair, contact), distance = distance_at(pair, contact, s);
  contact->point_a = mean_point(&pair->sweep.a, contact->point_a, s);
  contact->point_b = mean_point(&pair->sweep.b, contact->point_b, s);
  double gap = distance / s - linear_way(step, contact);
  contact->gap = gap > 0 ? gap : 0;
}

static rgWorldContact contact_of(const rgStep* step, const rgPassingPair* pair,
                                 const rgManifold* manifold, const rgManifoldPoint* point) {
  const rgWorldShape *a = &step->world->shapes[pair->a], *b = &step->world->shapes[pair->b];
  double s = pair->passing.part;
  return (rgWorldContact){.normal = manifold->normal,
                          .point_a = rg_sweep_point(&pair->sweep.a, point->point_a, s, 0),
                          .point_b = rg_sweep_point(&pair->sweep.b, point->point_b, s, 0),
                          .body_a = a->body,
                          .body_b = b->body,
                          .shape_a = pair->a,
                          .shape_b = pair->b,
                          .material_a = a->material,
                          .material_b = b->material,
                          .size = rg_smaller_size(a, b),
                          .key = manifold->key,
                          .feature = point->feature,
                          .ball_a = a->ball > 0,
                          .ball_b = b->ball > 0};
}

static bool is_same(const rgWorldContact* contact, rgVec3 point_a, const rgWorldContact* like) {
  double same = SAME_POINT * like->size;
  return contact->shape_a == like->shape_a && contact->shape_b == like->shape_b &&
         v3_norm2(v3_sub(point_a, like->point_a)) <= same * same &&
         v3_dot(contact->normal, like->normal) >= SAME_NORMAL;
}

static bool was_changed(const rgStep* step, int contact) {
  for (int i = 0; i < step->look.late_point_count; i++)
    if (step->look.late_points[i].contact == contact)
      return true;
  return false;
}

// The contact that there is already for the same points, and its late point, -1 when it has none
// yet. False when there is no such contact.
static bool find_same(const rgStep* step, const rgPassingPair* pair, const rgWorldContact* like,
                      int* contact, int* late) {
  const rgWorldContact* contacts = step->world->contacts;
  for (*late = 0; *late < step->look.late_point_count; ++*late) {
    *contact = step->look.late_points[*late].contact;
    if (is_same(&contacts[*contact], step->look.late_points[*late].point_a, like))
      return true;
  }
  *late = -1;
  for (int i = 0; i < pair->contact_count; i++) {
    *contact = pair->contact_start + i;
    if (is_same(&contacts[*contact], contacts[*contact].point_a, like) &&
        !was_changed(step, *contact))
      return true;
  }
  return false;
}

static bool make_room(rgStep* step, int contacts, int late_points) {
  rgWorld* world = step->world;
  return RG_WORLD_RESERVE(world, contacts, contacts) &&
         RG_SET_RESERVE(world, step, contacts, contacts) &&
         (!rg_fill_impacts_are_sequential(step) ||
          RG_SET_RESERVE(world, &step->acted, given, contacts)) &&
         (step->contacts_at == RG_CONTACTS_START ||
          RG_SET_RESERVE(world, step, contact_ends, contacts)) &&
         RG_SET_RESERVE(world, &step->look, late_points, late_points);
}

// Puts a contact, given with its material points at the start of the step, into the problem. False
// when there is no memory for it.
static bool enter(rgStep* step, const rgPassingPair* pair, const rgWorldContact* given) {
  rgWorld* world = step->world;
  int index, late;
  bool known = find_same(step, pair, given, &index, &late);
  if (!known)
    index = world->contact_count;
  if (late < 0)
    late = step->look.late_point_count;
  if (!make_room(step, index + 1, late + 1)) {
    step->look.failed = true;
    return false;
  }
  int heir = known ? -1 : find_heir(step, pair, given);
  if (late == step->look.late_point_count)
    step->look.late_points[step->look.late_point_count++] =
        (rgLatePoint){.contact = index, .heir = heir};
  step->look.late_points[late].point_a = given->point_a;
  rgWorldContact* contact = &world->contacts[index];
  rgVec3 impulse = known ? contact->impulse : v3_zero();
  double torsion = known ? contact->torsion : 0;
  if (!known) {
    world->contact_count++;
    step->look.late_contacts++;
    step->contacts[index] = (rgContactStep){.mark = RG_MARK_IN};
    if (rg_fill_impacts_are_sequential(step))
      step->acted.given[index] = (rgGiven){0};
  }
  *contact = *given;
  contact->impulse = impulse;
  contact->torsion = torsion;
  if (step->contacts_at != RG_CONTACTS_START)
    step->contact_ends[index].known = false;
  place(step, pair, contact);
  double start = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
  bool impact = start < 0 && rg_fill_restitution(world, contact) > 0;
  step->contacts[index].mark = impact ? RG_MARK_IMPACT : RG_MARK_IN;
  step->contacts[index].late = true;
  return true;
}

static bool enter_pair(rgStep* step, const rgPassingPair* pair) {
  bool any = false;
  for (int m = 0; m < pair->list->count; m++) {
    const rgManifold* manifold = &pair->list->items[m];
    for (int i = 0; i < manifold->count; i++) {
      if (!(manifold->points[i].gap < 0))
        continue;
      rgWorldContact contact = contact_of(step, pair, manifold, &manifold->points[i]);
      any = enter(step, pair, &contact) || any;
    }
  }
  return any;
}

static int enters(rgStep* step) {
  step->look.in_doubt = rg_fill_watch_bodies(step);
  if (!step->look.in_doubt || step->look.looks == LOOKS)
    return 0;
  step->look.looks++;
  return rg_fill_visit_passing(step, enter_pair);
}

const rgRoundClient rg_client_passing = {.name = "passing", .begin = begin, .enters = enters};
