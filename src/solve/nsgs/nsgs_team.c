// nsgs_team.c - passes over the packed form, by one thread or by a team of them.
//
// Batches of one colour share no moving body: a visit reads and writes the velocities of its own bodies and
// nothing that another one of the colour writes. So the members of a team take parts of a colour at
// the same time (nsgs_share.c); every number comes from the same operations in the same order as with one thread.
// Of each colour a member visits first the batches with bodies of other members, once these have done theirs of the colours
// before, tells so, and goes on with the inner ones: while these last the others come to the same point, so
// that hardly anybody waits. The largest change is a maximum, which has no order. Products that
// are summed are summed by blocks of bodies, and the blocks in their order, whoever has them.
//
// The first member leads: it runs the solver, and where this asks for a pass, the others join in. Impulses are
// extrapolated by whoever visits them, at the start of the next sweep.
//
// Cost: two waits per sweep, a microsecond each while all have a processor.
#include "solve/nsgs/nsgs_share.h"

// [lanes of batches of one point] a smaller problem is swept by one thread
enum { SHARED_LANES = 1536 };

typedef enum Task { TASK_STOP, TASK_SWEEP, TASK_VELOCITIES } Task;

struct rgNsgsTeam {
  rgNsgs* nsgs;
  rgTeam* team;
  void (*leader)(void* context);
  void* context;
  rgNsgsDivision division;
  // What the leader asks for.
  Task task;
  bool backward;
  double beta;
  struct {
    _Alignas(64) double worst;
  } member[RG_TEAM_MAX];
  // Of the leader.
  rgNsgsShares* shares;
  unsigned stage;
};

static double larger(double a, double b) { return a > b ? a : b; }

static void extrapolate_parts(const rgNsgsTeam* team, const rgNsgsShares* shares) {
  const rgNsgs* nsgs = team->nsgs;
  for (int k = 0; k < team->division.stretch_count; k++) {
    rgNsgsPart part = shares->parts[k];
    if (part.balls || part.first >= part.end)
      continue;
    const rgNsgsRun* last = &nsgs->runs[part.end - 1];
    nsgs->kernel->extrapolate_points(nsgs, nsgs->leap.beta, nsgs->runs[part.first].first,
                                     last->first + last->count);
  }
}

// The stage of a member is by how many colours it is ahead of `stage`.
static void sweep_shares(rgNsgsTeam* team, int member, const rgNsgsShares* shares, unsigned stage) {
  const rgNsgs* nsgs = team->nsgs;
  double worst = 0;
  if (nsgs->leap.due)
    extrapolate_parts(team, shares);
  for (int k = 0; k < nsgs->hue_count; k++) {
    int hue = team->backward ? nsgs->hue_count - 1 - k : k;
    const rgNsgsSegment *first = shares->segments + shares->hue_start[hue],
                        *end = shares->segments + shares->hue_start[hue + 1];
    bool waited = k == 0;
    for (const rgNsgsSegment* segment = first; segment < end; segment++) {
      if (segment->inner)
        continue;
      if (!waited)
        rg_team_await_others(team->team, member, stage + (unsigned)k);
      waited = true;
      worst = larger(worst, nsgs->kernel->sweep(nsgs, segment->part, team->backward));
    }
    rg_team_post(team->team, member, stage + 1 + (unsigned)k);
    for (const rgNsgsSegment* segment = first; segment < end; segment++)
      if (segment->inner)
        worst = larger(worst, nsgs->kernel->sweep(nsgs, segment->part, team->backward));
  }
  team->member[member].worst = worst;
}

static int block_count(const rgNsgs* nsgs) {
  return (nsgs->problem->body_count + RG_NSGS_BLOCK - 1) / RG_NSGS_BLOCK;
}

// The first block of a member's bodies.
static int block_start(const rgNsgsTeam* team, int member) {
  if (member == team->division.members)
    return block_count(team->nsgs);
  return team->division.body_start[member] / RG_NSGS_BLOCK;
}

static void extrapolate_blocks(rgNsgs* nsgs, double beta, int first, int end) {
  for (int k = first; k < end; k++) {
    int body = k * RG_NSGS_BLOCK, last = body + RG_NSGS_BLOCK, count = nsgs->problem->body_count;
    nsgs->sums[k] = nsgs->kernel->extrapolate(nsgs, beta, body, last < count ? last : count);
  }
}

// Takes part in what the leader has asked for at `stage`; returns the stage at the end of it.
static unsigned take_part(rgNsgsTeam* team, int member, const rgNsgsShares* shares,
                          unsigned stage) {
  if (team->task == TASK_SWEEP) {
    sweep_shares(team, member, shares, stage);
    stage += (unsigned)team->nsgs->hue_count;
  } else if (team->task == TASK_VELOCITIES) {
    extrapolate_blocks(team->nsgs, team->beta, block_start(team, member),
                       block_start(team, member + 1));
  }
  rg_team_post(team->team, member, ++stage);
  return stage;
}

// The leader's call of a pass: the others are waiting for it, and it returns when all are done.
static void share(rgNsgsTeam* team, Task task) {
  team->task = task;
  rg_team_post(team->team, 0, ++team->stage);
  team->stage = take_part(team, 0, team->shares, team->stage);
  rg_team_await_others(team->team, 0, team->stage);
}

static void run_member(void* context, rgTeam* own, int member) {
  rgNsgsTeam* team = context;
  rgNsgsShares shares;
  rg_nsgs_take_parts(team->nsgs, &team->division, member, &shares);
  rg_team_post(own, member, 1);
  rg_team_await_others(own, member, 1);
  rg_nsgs_find_inner(team->nsgs, &team->division, member, &shares);
  unsigned stage = 1;
  if (member == 0) {
    team->team = own;
    team->shares = &shares;
    team->stage = stage;
    team->leader(team->context);
    share(team, TASK_STOP);
    return;
  }
  for (Task task = TASK_SWEEP; task != TASK_STOP;) {
    rg_team_await(own, 0, ++stage);
    task = team->task;
    stage = take_part(team, member, &shares, stage);
  }
}

void rg_nsgs_lead(rgNsgs* nsgs, rgTasks* tasks, void (*leader)(void* context), void* context) {
  rgNsgsTeam team = {.nsgs = nsgs, .leader = leader, .context = context};
  nsgs->team = NULL;
  bool small = (nsgs->ball_count + nsgs->point_count) * nsgs->form->lanes < SHARED_LANES;
  if (small || !tasks || rg_tasks_threads(tasks) == 1) {
    leader(context);
    return;
  }
  rg_nsgs_divide(nsgs, rg_tasks_threads(tasks), &team.division);
  nsgs->team = &team;
  rg_team_run(tasks, run_member, &team);
  nsgs->team = NULL;
}

// -------------------------------------------------------------------------------------------------
// Passes, shared or not
// -------------------------------------------------------------------------------------------------

// Ball contacts first; backward in the opposite order.
double rg_nsgs_sweep_batches(rgNsgs* nsgs, bool backward) {
  double worst = 0;
  if (nsgs->team) {
    nsgs->team->backward = backward;
    share(nsgs->team, TASK_SWEEP);
    for (int i = 0; i < rg_team_size(nsgs->team->team); i++)
      worst = larger(worst, nsgs->team->member[i].worst);
    return worst;
  }
  rgNsgsPart balls = {true, 0, nsgs->ball_count}, others = {false, 0, nsgs->batch_count};
  worst = nsgs->kernel->sweep(nsgs, backward ? others : balls, backward);
  return larger(worst, nsgs->kernel->sweep(nsgs, backward ? balls : others, backward));
}

double rg_nsgs_extrapolate_velocities(rgNsgs* nsgs, double beta) {
  double sum = 0;
  if (nsgs->team) {
    nsgs->team->beta = beta;
    share(nsgs->team, TASK_VELOCITIES);
  } else {
    extrapolate_blocks(nsgs, beta, 0, block_count(nsgs));
  }
  for (int k = 0; k < block_count(nsgs); k++)
    sum += nsgs->sums[k];
  return sum;
}

// The impulses of batches with several points or in world axes; those of balls are left to the next sweep, and with a team
// all are.
void rg_nsgs_extrapolate_impulses(rgNsgs* nsgs, double beta) {
  if (!nsgs->team)
    nsgs->kernel->extrapolate_points(nsgs, beta, 0, nsgs->point_count);
}
