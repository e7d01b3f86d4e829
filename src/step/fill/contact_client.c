// contact_client.c - contacts as a client of the rounds: which are in the problem, where they act, and
// under which law of friction, depends on the movement that the problem gives.
//
// Where they act is guessed (contact_ends.c). A body whose velocity comes out other than guessed by dv
// has contacts that are off by h |w| dv in their velocities; while that is more than the tolerance
// allows, the ends are followed once more. Where velocities jump, by an impact or because friction
// jams, the geometry that counts is that of the moment; such an island is solved with that of the
// start of the step.
#include "step/fill/clients.h"
#include "step/fill/fill.h"
#include "step/rounds.h"
#include "step/scheme/scheme.h"

// Rounds for contacts alone.
enum { FOLLOWS = 16 };
// Where a contact circles about its place at first (contact_spot.c), the last digits come later.
enum { FOLLOWS_AT_END = 24 };
// A jump: velocities differ from the guess by this many times what forces and the impulses of the
// last step make of them.
static const double JUMP = 4;

static void begin_range(void* context, int first, int end) {
  rgStep* step = context;
  for (int i = first; i < end; i++) {
    step->contacts[i].slip_part = 0;
    step->contacts[i].late = false;
  }
}

static void begin(rgStep* step) {
  rg_fill_forget_contact_ends(step);
  rg_tasks_ranges(step->world->threads.tasks, step->world->contact_count, begin_range, step);
  step->round.complete = step->scheme->select(step);
}

// Bodies whose velocity follows force have another mobility (first_order.c).
static void scale_mobility(rgProblemSet* set, double factor) {
  for (int i = 0; i < set->body_count; i++) {
    set->bodies[i].inverse_mass *= factor;
    set->bodies[i].inverse_inertia = m3_scale(&set->bodies[i].inverse_inertia, factor);
  }
}

static void fill(rgStep* step) {
  rg_fill_contacts(step);
  if (step->scheme->mobility > 0)
    scale_mobility(&step->velocity, step->scheme->mobility);
}

// With the frames and arms of the start of the step.
static void guess(rgStep* step) {
  rg_fill_forget_contact_ends(step);
  rg_fill_contacts(step);
}

static rgTwist difference(rgTwist a, rgTwist b) {
  return (rgTwist){v3_sub(a.linear, b.linear), v3_sub(a.angular, b.angular)};
}

static double speed(rgTwist twist, double extent) {
  return v3_norm(twist.linear) + v3_norm(twist.angular) * extent;
}

// How a solution differs from the guess, by the largest of an island's bodies.
typedef struct Change {
  double missed; // [m/s] in the velocities of contacts, by their places
  double turned; // [-] in the normals at the end, at most
  double jump,
      expected; // [m/s] in the velocities of bodies, and in those of the guess from the start
} Change;

static Change change_of(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  Change change = {0};
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    const double* v = &set->v[6 * i];
    const rgEnd* end = &step->ends[slot];
    rgTwist now = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}},
            start = step->bodies[slot].start_velocity;
    const rgBody* body = &step->world->bodies[slot];
    double extent = body->extent;
    double off = speed(difference(now, end->guess), extent);
    double turning = v3_norm(start.angular) + v3_norm(now.angular) + off / extent;
    change.missed = fmax(change.missed, step->h * turning * off);
    change.turned = fmax(change.turned, step->h * step->theta * off / extent);
    change.jump = fmax(change.jump, off);
    rgVec3 pull = rg_body_acceleration(body, step->world->options.gravity);
    change.expected = fmax(change.expected,
                           speed(difference(end->guess, start), extent) + step->h * v3_norm(pull));
  }
  return change;
}

// Contacts that are taken at the end of the step: a follow-up round whose start already meets the
// tolerance was solved for the geometry that it leads to. A solve that misses leads to no end worth
// following: such an island takes the geometry of the start. True when it needs another round.
static bool settle_at_end(const rgStep* step, rgIsland* island) {
  bool found = step->round.follows > 0 && island->last_iterations == 0;
  island->hopeless =
      !found && (step->round.follows >= FOLLOWS_AT_END || !island->report.certificate.met);
  island->settled = found || island->hopeless;
  return !island->settled;
}

// Islands with joints are judged by theirs.
static bool moved(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  bool any = false;
  for (int k = 0; k < set->island_count && rg_rounds_follow_ends(step); k++) {
    rgIsland* island = &set->islands[k];
    if (island->settled || rg_island_has_joints(set, island))
      continue;
    if (island->follows && step->contacts_at == RG_CONTACTS_END) {
      any = settle_at_end(step, island) || any;
      continue;
    }
    Change change = island->follows ? change_of(step, island) : (Change){0};
    double tolerance = step->world->options.tolerance;
    bool found = change.missed <= tolerance * island->report.certificate.scale;
    bool jumps = change.jump > JUMP * change.expected;
    if (step->round.closes) {
      found = found && change.turned <= tolerance;
      jumps = false;
    }
    island->hopeless = !found && (jumps || step->round.follows >= FOLLOWS);
    island->settled = found || island->hopeless;
    any = any || !island->settled;
  }
  return any;
}

static bool give_up(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  bool any = false;
  for (int k = 0; k < set->island_count && rg_rounds_follow_ends(step); k++) {
    rgIsland* island = &set->islands[k];
    if (!island->hopeless || rg_island_has_joints(set, island))
      continue;
    rg_fill_forget_ends(step, island);
    island->settled = island->hopeless = false;
    any = true;
  }
  if (any) {
    rg_fill_bodies(step);
    rg_fill_contacts(step);
  }
  return any;
}

static int enters(rgStep* step) { return step->round.complete ? 0 : rg_fill_add_closing(step); }

const rgRoundClient rg_client_contacts = {
    .name = "contacts",
    .begin = begin,
    .guess = guess,
    .ends = rg_fill_contact_ends,
    .fill = fill,
    .moved = moved,
    .give_up = give_up,
    .enters = enters,
    .gains = rg_fill_end_contact_gains,
};
