// cut.c - bodies that would pass others in spite of the rounds stop on their way.
//
// The bodies of an island carry out the same part of their movement, the largest for which nothing
// is seen to be passed, and keep the velocities of the end of the step: they are where they would
// have been earlier, and the contact that they were about to pass is one of the next step. An
// island that stops may be in the way of another, so that it is looked for again, as long as a part
// became smaller. Islands with joints are not cut, since their joints hold at the start and at the
// end of the movement only; they are reported.
//
// Energy. Turning less, a body keeps its velocity in body axes and so its kinetic energy. But forces
// have done work on the whole way: the work on the rest of it,
//
//     w = (1 - part) ((m g + F) . shift + T . turn),
//
// is taken out of the kinetic energy where it is positive, by a factor on the velocity. What impulses
// gain is the account's (energy/energy.c).
#include "step/fill/passing.h"

#include "step/report.h"

// A chain of bodies that run up on each other longer than this is left as it is.
enum { CUTS = 8 };

// Kinetic energy of a body at an orientation.
static double kinetic_energy(const rgBody* body, rgQuat orientation, rgTwist velocity) {
  rgVec3 w = quat_unrotate(quat_mul(orientation, body->principal_axes), velocity.angular);
  return 0.5 * body->mass * v3_norm2(velocity.linear) + 0.5 * v3_dot(w, v3_mul(body->principal, w));
}

// The orientation at which the free motion of a body ends: that of the velocities of the problem.
static rgQuat free_orientation(const rgStep* step, int slot) {
  return quat_mul(quat_cayley(step->bodies[slot].turn_free), step->world->bodies[slot].orientation);
}

static void scale_velocity(rgBody* body, double factor) {
  body->velocity.linear = v3_scale(body->velocity.linear, factor);
  body->velocity.angular = v3_scale(body->velocity.angular, factor);
}

// Makes an island that follows its ends (ends.c) one that moves as others do (advance.c), by the same
// movement. There the velocity of the problem belongs to the start of the turn, and so it does here
// when the free motion does not turn.
static void release(rgStep* step, rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  double weight = step->h * step->theta;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    rgBodyStep* scratch = &step->bodies[slot];
    double haste = scratch->haste;
    rgVec3 shift, turn;
    scratch->haste = 0;
    rg_step_movement(step, slot, &shift, &turn);
    scratch->haste = haste;
    scratch->v_free.angular =
        v3_axpy(step->world->bodies[slot].velocity.angular, -1 / weight, turn);
    scratch->turn_free = v3_zero();
    step->ends[slot].known = false;
  }
  island->follows = false;
}

static bool cut_body(rgStep* step, int slot, double safe) {
  int root = step->forest.parent[slot];
  if (root < 0 || step->bodies[slot].bound)
    return false;
  double* part = &step->bodies[root].part;
  *part *= safe;
  return true;
}

// Bodies with joints stop nobody.
static bool cut_pair(rgStep* step, const rgPassingPair* pair) {
  const rgWorldShape* shapes = step->world->shapes;
  int a = shapes[pair->a].body, b = shapes[pair->b].body;
  rgPassing passing = rg_fill_refine_passing(step, pair);
  // Up to the first part that was seen the overlap is less than what passes: nothing stays for ever.
  double safe = passing.safe > 0 ? passing.safe : passing.part;
  bool together = step->forest.parent[a] == step->forest.parent[b];
  bool cut = cut_body(step, a, safe);
  cut = (!together && cut_body(step, b, safe)) || cut;
  step->look.uncut += !cut;
  return cut;
}

static int count_cut(const rgStep* step) {
  int count = 0;
  for (int i = 0; i < step->world->body_slots; i++) {
    int root = step->world->bodies[i].alive ? step->forest.parent[i] : -1;
    count += root >= 0 && step->bodies[root].part < 1;
  }
  return count;
}

// Cuts all that is passed; returns how many bodies and pairs that concerns.
static int cut_all(rgStep* step) {
  int cut = 1;
  for (int i = 0; i < CUTS && cut > 0; i++) {
    step->look.uncut = 0;
    cut = rg_fill_visit_passing(step, cut_pair);
  }
  for (int i = 0; i < step->world->body_slots; i++) {
    int root = step->forest.parent[i];
    if (root >= 0)
      step->bodies[i].part = step->bodies[root].part;
  }
  return count_cut(step) + step->look.uncut;
}

rgStatus rg_fill_cut_passing(rgStep* step, bool changed) {
  rgProblemSet* set = &step->velocity;
  if (changed)
    step->look.in_doubt = rg_fill_watch_bodies(step);
  if (!step->look.watched)
    return RG_OK;
  if (step->look.in_doubt) {
    int cut = cut_all(step);
    if (cut > 0)
      rg_report_stage(step, RG_STAGE_PASSING, 0, cut);
  }
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    const rgBodyStep* any = &step->bodies[set->body_order[island->body_start]];
    if (island->follows && !any->bound && (any->haste > 0 || any->part < 1))
      release(step, island);
  }
  return rg_fill_look_status(step);
}

void rg_fill_cut_movement(const rgStep* step, int slot, rgVec3* shift, rgVec3* turn) {
  rgBody* body = &step->world->bodies[slot];
  double part = step->bodies[slot].part,
         kinetic = kinetic_energy(body, free_orientation(step, slot), body->velocity);
  rgVec3 force = v3_axpy(body->applied.force, body->mass, step->world->options.gravity);
  double rest = (1 - part) * (v3_dot(force, *shift) + v3_dot(body->applied.torque, *turn));
  *shift = v3_scale(*shift, part);
  *turn = v3_scale(*turn, part);
  if (!(rest > 0))
    return;
  scale_velocity(body, rest < kinetic ? sqrt(1 - rest / kinetic) : 0);
}
