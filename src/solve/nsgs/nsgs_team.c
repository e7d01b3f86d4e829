// nsgs_team.c - passes over the packed form, by one thread or by a team of them.
//
// Batches of one colour share no moving body: a visit reads and writes the velocities of its own bodies and
// nothing that another one of the colour writes. So the members of a team take equal parts of a colour at
// the same time, wait for each other, and go on to the next; every number comes from the same operations
// in the same order as with one thread. Colours too narrow to be shared are left to the first member,
// several of them between two waits. The largest change is a maximum, which has no order. Products that
// are summed are summed by blocks of bodies, and the blocks in their order, whoever has them.
//
// The first member leads: it runs the solver, and where this asks for a pass, the others join in.
//
// Cost: one wait per colour, about a microsecond while all have a processor. A pass over a colour of 40 us,
// as of 10,000 spheres, is halved by two threads.
#include "base/team.h"
#include "solve/nsgs/nsgs_pack.h"

enum {
  SHARED_LANES = 1536, // [lanes of batches of one point] a smaller problem is swept by one thread
  NARROW = 24,         // [batches] a smaller colour is visited by one thread
  MEMBERS_MAX = 64,
};

typedef enum Task { TASK_STOP, TASK_SWEEP, TASK_VELOCITIES, TASK_IMPULSES } Task;

struct rgNsgsTeam {
  rgNsgs* nsgs;
  rgTeam* team;
  void (*leader)(void* context);
  void* context;
  // What the leader asks for.
  Task task;
  bool backward;
  double beta;
  struct {
    _Alignas(64) double worst;
  } member[MEMBERS_MAX];
};

static double larger(double a, double b) { return a > b ? a : b; }

static bool is_narrow(const rgNsgsPart* hue) { return hue->end - hue->first < NARROW; }

// A member's part of a colour. Twins stay together.
static rgNsgsPart share_of(const rgNsgs* nsgs, rgNsgsPart hue, int member, int members) {
  int32_t count = hue.end - hue.first, bound[2];
  for (int i = 0; i < 2; i++) {
    bound[i] = hue.first + (int32_t)((int64_t)count * (member + i) / members);
    while (!hue.balls && bound[i] < hue.end && nsgs->runs[bound[i]].twin == 2)
      bound[i]++;
  }
  return (rgNsgsPart){hue.balls, bound[0], bound[1]};
}

static void sweep_shared(rgNsgsTeam* team, int member) {
  const rgNsgs* nsgs = team->nsgs;
  int members = rg_team_size(team->team);
  double worst = 0;
  bool alone = false; // the first member has been alone since the last wait
  for (int k = 0; k < nsgs->hue_count; k++) {
    const rgNsgsPart* hue = &nsgs->hues[team->backward ? nsgs->hue_count - 1 - k : k];
    bool narrow = is_narrow(hue);
    if (narrow && member == 0)
      worst = larger(worst, nsgs->kernel->sweep(nsgs, *hue, team->backward));
    if (!narrow) {
      if (alone)
        rg_team_wait(team->team);
      worst = larger(
          worst, nsgs->kernel->sweep(nsgs, share_of(nsgs, *hue, member, members), team->backward));
      rg_team_wait(team->team);
    }
    alone = narrow;
  }
  team->member[member].worst = worst;
}

// Bounds of a member's part of `count` things.
static int share_bound(int count, int member, int members) {
  return (int)((int64_t)count * member / members);
}

static int block_count(const rgNsgs* nsgs) {
  return (nsgs->problem->body_count + RG_NSGS_BLOCK - 1) / RG_NSGS_BLOCK;
}

static void extrapolate_blocks(rgNsgs* nsgs, double beta, int first, int end) {
  for (int k = first; k < end; k++) {
    int body = k * RG_NSGS_BLOCK, last = body + RG_NSGS_BLOCK, count = nsgs->problem->body_count;
    nsgs->sums[k] = nsgs->kernel->extrapolate(nsgs, beta, body, last < count ? last : count);
  }
}

static void take_part(rgNsgsTeam* team, int member) {
  rgNsgs* nsgs = team->nsgs;
  int members = rg_team_size(team->team), blocks = block_count(nsgs), points = nsgs->point_count;
  if (team->task == TASK_SWEEP)
    sweep_shared(team, member);
  else if (team->task == TASK_VELOCITIES)
    extrapolate_blocks(nsgs, team->beta, share_bound(blocks, member, members),
                       share_bound(blocks, member + 1, members));
  else
    nsgs->kernel->extrapolate_points(nsgs, team->beta, share_bound(points, member, members),
                                     share_bound(points, member + 1, members));
}

// The leader's call of a pass: the others are waiting for it, and it returns when all are done.
static void share(rgNsgsTeam* team, Task task) {
  team->task = task;
  rg_team_wait(team->team);
  if (task == TASK_STOP)
    return;
  take_part(team, 0);
  rg_team_wait(team->team);
}

static void run_member(void* context, rgTeam* own, int member) {
  rgNsgsTeam* team = context;
  if (member == 0) {
    team->team = own;
    team->leader(team->context);
    share(team, TASK_STOP);
    return;
  }
  for (;;) {
    rg_team_wait(own);
    if (team->task == TASK_STOP)
      return;
    take_part(team, member);
    rg_team_wait(own);
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

// The impulses of batches with several points or in world axes; those of balls are left to the next sweep.
void rg_nsgs_extrapolate_impulses(rgNsgs* nsgs, double beta) {
  if (nsgs->team) {
    nsgs->team->beta = beta;
    share(nsgs->team, TASK_IMPULSES);
  } else {
    nsgs->kernel->extrapolate_points(nsgs, beta, 0, nsgs->point_count);
  }
}
