// closing.c - which contacts close in a step, and which of them are impacts: shared by the schemes
// of advance.c.
//
// Friction and energy. In a step whose movement is that of the velocity v~ = theta v+ + (1 - theta)
// v, impulses do the work r . u~, and friction r_t . u~_t. Coulomb's law at the end of the step
// makes r_t . u_t+ <= 0, which is enough at theta = 1. At smaller theta r_t . u_t can be positive:
// where other impulses reverse a slip within the step, friction holds against them along the slip
// that there was. The law of the mean slip, u~_t in place of u_t+, never gains (Fremond 1995 asks
// for it in impacts), but as a rule it would be a bad one: what sticks would change the sign of its
// slip in each step. So it holds only for the contacts that would gain otherwise; after such a step
// their friction is against the slip, and the next one ends it.
#include "step/fill/fill.h"
#include "step/stabilize/stabilizer.h"

// A closing gap smaller than this part of the movement in the step is rounding.
static const double CLOSED_ROUNDING = 1e-12;

double rg_fill_restitution(const rgWorld* world, const rgWorldContact* contact) {
  return rg_world_law(world, contact)->material.restitution;
}

double rg_fill_normal_velocity(const rgStep* step, const rgWorldContact* contact,
                               rgVelocityKind kind) {
  return v3_dot(rg_fill_contact_normal(step, contact),
                rg_fill_contact_velocity(step, contact, kind));
}

// A patch with contacts inside (world/patches.c) lands on its corners, too, when they are deeper by
// this part of the overlap a that is left alone, and rests on them from half of that on: rounding does
// not take them out again. A cap of radius R that tilts about an inner contact at r, until its rim is
// deeper by s, lifts the inner contact across by 2 r s / (R - r); with r = 2/3 R (pole in the centre) that
// is 4 s, which has to stay below a for them all to count as touching: s < a / 4. From below, s has to
// be more than what solves leave, which turn a body for several steps before they are solved anew: t g h^2 in a
// step, t being the tolerance. With t = 1e-3, a = 1e-4 m and h = 1/60 s that is a / 40, and what solves leave in a few
// steps is more than a / 16: tolerances as that of `realtime` give up the bound from above.
// Measured: tests/laws/test_patches.c and test_redundant.c pass in all presets for either number from a / 1000 to a, the
// first for any larger one as well, and wherever COARSE is put; with 0 a disc that is twisted beyond what its area bears is
// held by its rim. So the answer does not depend on them but for their being there.
static const double CORNER_LANDS = 1.0 / 16, CORNER_LANDS_COARSE = 0.5, COARSE = 1e-4;

double rg_fill_corner_slack(const rgWorld* world, const rgWorldContact* contact) {
  if (!(contact->share < 0))
    return 0;
  double allowed = rg_stabilizer_allowed_overlap(world, contact);
  double slack = allowed * (world->options.tolerance > COARSE ? CORNER_LANDS_COARSE : CORNER_LANDS);
  return contact->gap > -0.5 * slack ? slack : 0;
}

bool rg_fill_contact_closes(const rgStep* step, const rgWorldContact* contact, double start,
                            rgVelocityKind end_kind) {
  double end = rg_fill_normal_velocity(step, contact, end_kind), theta = step->theta;
  double way = step->h * (theta * end + (1 - theta) * start);
  double gap = contact->gap + rg_fill_corner_slack(step->world, contact);
  return gap + way <= -CLOSED_ROUNDING * fabs(way);
}

// What touches is in the problem whatever the free motion does: bodies of a stack at rest fall
// freely all alike, so that no gap between them closes by itself, and left out they would have to
// come back in a further round of every step.
static rgMark mark_of(const rgStep* step, const rgWorldContact* contact) {
  const rgWorld* world = step->world;
  if (rg_fill_corner_slack(world, contact) > 0)
    return RG_MARK_OUT;
  if (rg_fill_restitution(world, contact) == 0)
    return RG_MARK_IN;
  double start = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
  double allowed = rg_stabilizer_allowed_overlap(world, contact);
  // Corners of a patch with contacts inside, which hold the body, come to no hit (theta.c).
  if (start >= 0 || (contact->share < 0 && -step->h * start <= allowed))
    return RG_MARK_IN;
  bool impact =
      contact->gap <= allowed || rg_fill_contact_closes(step, contact, start, RG_VELOCITY_FREE);
  return impact ? RG_MARK_IMPACT : RG_MARK_OUT;
}

static bool leaves_some_out(void* context, int first, int end) {
  rgStep* step = context;
  bool some = false;
  for (int i = first; i < end; i++) {
    rgMark mark = mark_of(step, &step->world->contacts[i]);
    step->contacts[i].mark = mark;
    some = some || mark == RG_MARK_OUT;
  }
  return some;
}

bool rg_fill_select_impacts(rgStep* step) {
  const rgWorld* world = step->world;
  return !rg_tasks_any(world->threads.tasks, world->contact_count, leaves_some_out, step);
}

int rg_fill_add_closing(rgStep* step) {
  int entered = 0;
  for (int i = 0; i < step->world->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[i];
    if (step->contacts[i].mark != RG_MARK_OUT)
      continue;
    double start = rg_fill_normal_velocity(step, contact, RG_VELOCITY_START);
    if (!rg_fill_contact_closes(step, contact, start, RG_VELOCITY_NOW))
      continue;
    bool impact = start < 0 && rg_fill_restitution(step->world, contact) > 0 && contact->share >= 0;
    step->contacts[i].mark = impact ? RG_MARK_IMPACT : RG_MARK_IN;
    entered++;
  }
  return entered;
}

// Work of friction over the impulse that is a gain and no rounding of the solve, as a part of the
// velocities of the island's problem: this many times what the solve may leave. A gain of first order, which is what
// is sought, is the slip of a step itself: any number above 1 and below the inverse of the tolerance tells them apart.
// Measured: tests of stopping, sliding, rolling and of the energy of friction pass with 0 and with all powers of ten to
// 1e9. Below 1 steps at rest may take the law of the mean slip for nothing; far above, gains are paid for
// (energy/pay.c) instead of not being made.
static const double GAIN_SEEN = 100;

// The work of the friction of a contact in the step [J].
static double friction_work(const rgStep* step, const rgWorldContact* contact) {
  rgVec3 n = rg_fill_contact_normal(step, contact);
  rgVec3 friction = v3_axpy(contact->impulse, -v3_dot(n, contact->impulse), n);
  double work = v3_dot(friction, rg_fill_mean_velocity(step, contact, step->theta));
  if (contact->torsion != 0)
    work += contact->torsion * rg_fill_mean_spin(step, contact, step->theta);
  return work;
}

// Sums of friction over the contacts of each body of an island.
static void sum_friction(rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    rgEnd* end = &step->ends[set->body_order[i]];
    end->friction_work = end->impulse = 0;
  }
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[set->contact_order[i]];
    double work = friction_work(step, contact), impulse = v3_norm(contact->impulse);
    step->ends[contact->body_a].friction_work += work;
    step->ends[contact->body_b].friction_work += work;
    step->ends[contact->body_a].impulse += impulse;
    step->ends[contact->body_b].impulse += impulse;
  }
}

static bool body_gains(const rgStep* step, int slot, double least) {
  const rgEnd* end = &step->ends[slot];
  return step->world->bodies[slot].kind == RG_BODY_DYNAMIC &&
         end->friction_work > least * end->impulse;
}

// Bodies are judged, not contacts: how redundant contacts share what a body needs is arbitrary, and
// single ones of them may seem to gain at any time.
static bool gains(const rgStep* step, const rgWorldContact* contact, double least) {
  return body_gains(step, contact->body_a, least) || body_gains(step, contact->body_b, least);
}

int rg_fill_end_contact_gains(rgStep* step) {
  const rgProblemSet* set = &step->velocity;
  double theta = step->theta, part = (1 - theta) / theta;
  int ended = 0;
  for (int k = 0; k < set->island_count && theta < 1; k++) {
    const rgIsland* island = &set->islands[k];
    double least = GAIN_SEEN * step->world->options.tolerance * island->report.certificate.scale;
    if (island->plain)
      continue;
    sum_friction(step, island);
    for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
      int index = set->contact_order[i];
      rgContactStep* scratch = &step->contacts[index];
      if (scratch->slip_part > 0 || !gains(step, &step->world->contacts[index], least))
        continue;
      scratch->slip_part = part;
      ended++;
    }
  }
  return ended;
}
