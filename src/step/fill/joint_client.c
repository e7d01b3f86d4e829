// joint_client.c - joints as a client of the rounds: their rows belong to the end of the step, and
// so to the solution.
//
// An island is settled when the impulses it has meet the tolerance for the rows that belong to
// them. Each follow-up round gains a factor of about h |w|; what turns so fast that the rounds are
// not enough is not resolved by the step and gets the plain step instead: rows at the start and
// theta = 1, which is linear and loses energy. The certificate counts it as missed.
#include "step/fill/clients.h"
#include "step/fill/fill.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

// Where rounding stops the rounds, as in a body whose inertia is nothing against the joint's lever,
// what they have is taken in the end: beyond the strict rounds, each that leaves more than GAINED
// of what the last one missed lets the next ask for less, by the factor LOOSER.
enum { FOLLOWS = 16, STRICT_FOLLOWS = 8 };
static const double GAINED = 0.5, LOOSER = 3;
// Rounds that will not get there are given up when this many in a row have said so.
enum { SLOW_ROUNDS = 2 };
// Residual up to which what the rounds have found is kept although it misses the tolerance. The plain
// step has the rows of the start in place of those of the mean, which is off by h |w| / 2: an answer that
// misses by less than a thousandth of what a slow body turns by is the better one. The certificate
// counts it as missed.
static const double KEPT = 1e-6;

static void begin(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->joint_slots; i++) {
    int ahead = rg_ahead(i, RG_SLOTS_AHEAD, world->joint_slots);
    rg_joint_prefetch(world->joints, i, world->joint_slots);
    rg_prefetch(&step->joints[ahead], offsetof(rgJointStep, place.a));
    step->joints[i].mean_friction = 0;
    step->joints[i].mark = world->joints[i].alive ? RG_MARK_IN : RG_MARK_OUT;
    if (!world->joints[i].alive)
      continue;
    rg_fill_joint_start(step, i);
    rg_fill_select_rows(step, i);
  }
}

// Under the impulses of the last step, at their rows of the present placement.
static void guess(rgStep* step) {
  rg_fill_foresee_trees(step);
  rgJointRule rule = rg_fill_joint_rule(step);
  rule.mean = false;
  rg_fill_joints(step, &rule);
}

static void fill(rgStep* step) {
  rgJointRule rule = rg_fill_joint_rule(step);
  rg_fill_joints(step, &rule);
}

static rgStatus close_joints(rgStep* step) {
  if (!rg_rounds_follow_ends(step))
    return RG_OK;
  rgStatus status = rg_fill_settle_trees(step);
  status = status == RG_OK ? rg_fill_close_joints(step) : status;
  return status == RG_OK ? rg_fill_find_dependent(step) : status;
}

// Lets an island ask for less where rounds do not gain any more.
static void loosen(rgIsland* island, int round, double tolerance) {
  if (round + 1 < STRICT_FOLLOWS || island->report.start_residual < GAINED * island->missed[1])
    return;
  island->start_tolerance = LOOSER * fmax(island->start_tolerance, tolerance);
}

// Foresees, from what one round has gained or from what two have, whichever is more, whether the rounds that
// are left will be enough for an island with contacts: a round in which contacts change between sticking, sliding
// and open gains nothing, and says nothing of the next one. Rows that were thought to depend on others are
// given back their impulses before the rounds are given up.
static void foresee(rgIsland* island, int round, double tolerance) {
  double now = island->report.start_residual, end = now;
  double gain = fmin(now / island->missed[1], sqrt(now / island->missed[0]));
  island->missed[0] = island->missed[1];
  island->missed[1] = now;
  if (island->contact_count == 0 || round < 2)
    return;
  for (int k = round; k < FOLLOWS && end > tolerance; k++)
    end *= gain;
  island->slow_rounds = end <= tolerance ? 0 : island->slow_rounds + 1;
  if (island->slow_rounds < SLOW_ROUNDS)
    return;
  island->hopeless = !island->leaves_out;
  island->leaves_out = false;
  island->slow_rounds = 0;
}

// Settles the islands that need no further round; false when all are settled.
static bool go_on(rgStep* step, int round) {
  rgProblemSet* set = &step->velocity;
  bool any = false;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    bool found = island->last_iterations == 0 && (round > 0 || island->closed);
    bool exhausted = !island->report.certificate.met || island->hopeless;
    if (!rg_island_has_joints(set, island))
      continue;
    island->settled = island->settled || found || exhausted;
    any = any || !island->settled;
  }
  return any;
}

static bool moved(rgStep* step) {
  if (!rg_rounds_follow_ends(step))
    return false;
  double tolerance = step->world->options.tolerance;
  for (int k = 0; k < step->velocity.island_count && step->round.follows > 0; k++) {
    rgIsland* island = &step->velocity.islands[k];
    if (island->settled || !rg_island_has_joints(&step->velocity, island))
      continue;
    loosen(island, step->round.follows - 1, tolerance);
    foresee(island, step->round.follows - 1, tolerance);
  }
  return step->round.follows < FOLLOWS && go_on(step, step->round.follows);
}

// Takes the islands back into work whose last solve missed the tolerance: their impulses do not
// belong to the movement they were found for, and of slender bodies the spin could be anything.
// False when there are none, and all others are settled.
static bool reopen(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  bool any = go_on(step, FOLLOWS);
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    double allowed = fmax(step->world->options.tolerance, KEPT);
    bool part = island->leaves_out && island->last_iterations > 0; // not judged by all rows
    bool missed = !(island->report.certificate.residual <= allowed) || part;
    if (rg_island_has_joints(set, island) && (missed || island->hopeless)) {
      island->settled = false;
      island->leaves_out = island->dependent_rows > 0;
      any = true;
    }
  }
  return any;
}

static bool give_up(rgStep* step) {
  if (!rg_rounds_follow_ends(step) || !reopen(step))
    return false;
  rgJointRule plain = {.theta = 1, .stabilization = rg_stabilizer_rate(step->world)};
  rg_fill_plain_step(step);
  rg_fill_bodies(step);
  rg_fill_contacts(step);
  rg_fill_joints(step, &plain);
  return true;
}

static int gains(rgStep* step) {
  rgJointRule rule = rg_fill_joint_rule(step);
  return rg_fill_end_joint_gains(step, &rule);
}

const rgRoundClient rg_client_joints = {
    .name = "joints",
    .begin = begin,
    .guess = guess,
    .keep = rg_fill_keep_joint_impulses,
    .fill = fill,
    .close = close_joints,
    .moved = moved,
    .give_up = give_up,
    .enters = rg_fill_add_limits,
    .gains = gains,
};
