// tree_newton.c - impulses of islands of trees and the ends that they lead to, found together.
//
// Problem: ends.c. Rows of joints, and with them the links of trees and the velocities without impulses,
// depend on where the step ends, and so on the impulses of contacts and bounded rows. With x these
// impulses, the law (problem.h) is one for
//
//     u(x) = D(x)' v(x),   v(x) = rest(x) + R(x) D(x) x,
//
// where R is the response of the trees (linkage.h) and everything belongs to the ends of v(x).
//
// Method: W = D' R D is filled once, with the rows of the first guess. An iteration follows the ends to the
// present velocities, factors the trees there, which is linear in the links, and solves the law for
//
//     u = u(x) + W (x+ - x)
//
// by newton from x, which finds little to do. W is filled anew while the ends still move far. Where nothing
// that the trees do not satisfy by themselves acts, it is a pass through the tree and no more. What W leaves out is its change over the step, of
// order h |w|, which is what an iteration gains.
//
// It ends when following the ends once more would change no velocity by more than a part of what the
// tolerance allows. That is at most the last change times what the iterations gain, as far as they show it,
// or, with dw and dv the last change of a body's velocities: its rows turn by h dw, and with them the
// impulses p that it carries, so that velocities change by
//
//     h (|w| + |w+|) (|dv| + s |dw|) + h |dw| |p| max(1 / m, s^2 / I),
//
// s being the size of its joints; where one of them slides, the arms of p change by h dv, too. The smaller of
// both counts, but for bodies that turn far in the step, where the first is no bound. At rest it is nothing, and the
// impulses of the last step, where they meet the law, are the answer.
//
// That bound has the inertia of single links, which the tree holds, and is some 100 times too large. Where it does not
// end the iterations, and at theta = 1 no joint slides, what turned ends change is found to first order (foreseen_change):
// the offsets o of links whose arms and axes turn, the moments p of their joints and of free motions written anew,
//
//     dv = o + R (p - M o).
//
// It ends the iterations where it is a fifth of the goal, and what single bodies make of p no more than that: they end the
// step with the momentum of their impulses. Where it does not, the next iteration takes its ends at v + dv: a step of
// Newton's method for v = v(ends of v), impulses of the law left as they are. The cost is a tenth of an iteration. At
// theta < 1 ends are not left like that: errors of momentum would ring.
//
// What is found is a start for the solver: the driver sees that it meets the tolerance, by all rows of
// all joints, and has nothing left to do. Where iterations do not converge what is left goes the usual
// way, solve by solve, and so do contacts that act at the mean of the step (contact_ends.c), which follow
// the ends themselves.
#include "problem/operator.h"
#include "solve/reduced/reduced.h"
#include "step/fill/fill.h"
#include "step/tree/tree.h"

#include <string.h>

enum {
  ITERATIONS = 16,
  PASSES = 8 // in which contacts and limits enter; beyond these the driver sees what is left
};
// What is aimed at, as a part of the tolerance.
static const double GOAL = 0.3;
// An iteration gains at least this; less is no convergence, or rounding.
static const double PROGRESS = 0.5;
// What is foreseen to first order counts this many times: it is no bound, and what steps leave adds up.
static const double FORESEEN = 5;
// Where an iteration leaves more than this part of what the last one missed, or begins farther from the end
// than that, W is worth being filled anew.
static const double RENEWED = 0.02, FAR = 1e4;
// Impulses of the last step that meet the law by this part of the tolerance stay what they are: as in
// solve_islands.c, so that what was left of the last step is not left again. What they leave adds up, step by step,
// to the way that something creeps in a grip; a solve more now and then costs little.
static const double HELD = 1e-4;
// What is left of that which stands in for the mass of massless bodies: nothing that could be seen, and enough for
// axes in line with each other, along which a massless body moves freely.
static const double LIGHTER = 1e-6;
// [rad] Turns of bodies in a step beyond which what iterations have gained says little of what they will.
static const double FAST = 0.5;

typedef struct Trees {
  rgStep* step;
  rgJointRule rule;
  rgIsland* island;
  rgProblem problem;
  rgSolution solution;
  rgReduced reduced;
  rgSolve run;
  double* size;    // [m] of the joints of each body
  double* pull;    // [m/s] of each body: what the impulses of its joints would do to it alone
  bool* slides;    // one of its joints does
  int* kept;       // rows of the local form
  double* lighter; // of each body: rgReduced.lighter
  double *offset, *change; // 6 per body: see foreseen_change
  bool foreseen;           // these are those of the present velocities,
  double gain;             // and leave this part of the last change
  bool
      turns; // joints neither slide nor follow others, nothing is moved from outside, nor without mass by forces
  bool massless; // there are massless bodies
  bool filled;   // W is that of the present nodes,
  bool fresh;    // and of the present ends; or none is needed
  int followed;  // times that the trees were factored at new ends
} Trees;

// Contacts that do not follow the ends, which their geometry would.
static bool may_take_part(const rgStep* step, const rgIsland* island) {
  bool fixed = step->contacts_at == RG_CONTACTS_START || island->contact_count == 0;
  return island->trees && fixed && strcmp(step->world->options.solver, "auto") == 0;
}

static bool takes_part(const rgStep* step, const rgIsland* island) {
  rgProblem problem = rg_island_problem(&step->velocity, island);
  return may_take_part(step, island) && rg_reduced_takes(&problem);
}

void rg_fill_foresee_trees(rgStep* step) {
  for (int k = 0; k < step->velocity.island_count; k++) {
    rgIsland* island = &step->velocity.islands[k];
    island->settles = may_take_part(step, island) && step->theta == 1 &&
                      step->world->dimension * island->contact_count <= RG_REDUCED_NUMBERS;
    island->bare = rg_tree_is_bare(step, island);
  }
}

static size_t carve(Trees* trees, rgCarver* carver) {
  size_t bodies = (size_t)trees->problem.body_count;
  trees->size = rg_carve(carver, bodies, sizeof(double));
  trees->pull = rg_carve(carver, bodies, sizeof(double));
  trees->slides = rg_carve(carver, bodies, sizeof(bool));
  trees->lighter = rg_carve(carver, bodies, sizeof(double));
  trees->offset = rg_carve(carver, 6 * bodies, sizeof(double));
  trees->change = rg_carve(carver, 6 * bodies, sizeof(double));
  trees->kept = rg_carve(carver, (size_t)trees->problem.row_count, sizeof(int));
  rg_reduced_carve(&trees->reduced, &trees->problem, carver);
  return carver->used;
}

static void see_body(const Trees* trees, int body, double size, bool slides) {
  if (body < 0)
    return;
  trees->size[body] = v3_larger(trees->size[body], size);
  trees->slides[body] = trees->slides[body] || slides;
}

// Whether the rows of a joint read no ends but those of a link and its parent.
static bool reads_own_ends(const rgStep* step, int slot) {
  return step->joints[slot].child >= 0 && !step->world->joints[slot].coupled;
}

// Sizes of the joints of each body.
static void see_joints(Trees* trees) {
  const rgProblemSet* set = &trees->step->velocity;
  const rgIsland* island = trees->island;
  memset(trees->size, 0, (size_t)island->body_count * sizeof *trees->size);
  memset(trees->slides, 0, (size_t)island->body_count * sizeof *trees->slides);
  int end = island->row_start + island->row_count;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
    int slot = set->row_joint[i];
    rg_step_prefetch_rows(trees->step, i, end);
    bool slides = trees->step->world->joints[slot].info->slides;
    trees->turns = trees->turns && !slides && reads_own_ends(trees->step, slot);
    int own = trees->step->joints[slot].child - island->body_start;
    bool linked = own >= 0;
    double size = trees->step->joints[slot].size;
    see_body(trees, linked ? own : set->rows[i].body_a, size, slides);
    see_body(trees, linked ? trees->problem.links[own].parent : set->rows[i].body_b, size, slides);
    i += trees->step->joints[slot].row_count;
  }
}

static bool is_pushed(const rgBody* body) {
  return v3_norm2(body->applied.force) > 0 || v3_norm2(body->applied.torque) > 0;
}

// Massless bodies take part with next to no mass, unless forces act on them: their free motion is then made
// of what stands in for it.
static void see_massless(Trees* trees) {
  const rgStep* step = trees->step;
  const int* slots = &step->velocity.body_order[trees->island->body_start];
  trees->turns = trees->rule.theta == 1 && step->world->kinematic_count == 0;
  for (int i = 0; i < trees->island->body_count; i++) {
    const rgBody* body = &step->world->bodies[slots[i]];
    bool light = body->massless && !is_pushed(body);
    trees->turns = trees->turns && light == body->massless;
    trees->lighter[i] = light ? LIGHTER : 1;
    trees->massless = trees->massless || light;
  }
  trees->reduced.lighter = trees->massless ? trees->lighter : NULL;
  trees->reduced.linkage.no_offsets = trees->rule.theta == 1 && step->world->kinematic_count == 0;
}

// The free motion of massless bodies that goes with the velocities and impulses found. What is left of the balance
// of these is rounding, and LIGHTER of what the last iteration has changed.
static void free_massless(const Trees* trees) {
  const rgProblem* problem = &trees->problem;
  rgProblemSet* set = &trees->step->velocity;
  double* wrench = trees->reduced.wrench;
  if (!trees->massless)
    return;
  memset(wrench, 0, 6 * (size_t)problem->body_count * sizeof *wrench);
  rg_problem_add_wrenches(problem, &trees->solution, wrench);
  for (int i = 0; i < problem->body_count; i++) {
    if (trees->lighter[i] == 1)
      continue;
    rgTwist* free = &set->bodies[trees->island->body_start + i].v_free;
    rgTwist v = rg_body_twist(trees->solution.v, i),
            due = rg_mass_velocity(problem, i, rg_body_twist(wrench, i));
    free->linear = v3_add(free->linear, v3_sub(v.linear, due.linear));
    free->angular = v3_add(free->angular, v3_sub(v.angular, due.angular));
  }
}

// What an impulse of 1 through a joint of a body would do to it alone [1/kg]; 0 where it is nothing that moves.
static double yielding(const Trees* trees, int body) {
  if (body < 0)
    return 0;
  const rgProblemBody* own = &trees->problem.bodies[body];
  const rgMat3* i = &own->inverse_inertia;
  double size = trees->size[body], turning = size * size * (i->m[0][0] + i->m[1][1] + i->m[2][2]);
  return v3_larger(own->inverse_mass, turning);
}

// A massless body hands the impulse on: it does to its neighbour what it would do to the body.
static void pull_body(const Trees* trees, int body, int other, double impulse) {
  if (body < 0)
    return;
  bool hands_on = trees->lighter[body] < 1 && (other < 0 || trees->lighter[other] == 1);
  double pull = impulse * yielding(trees, hands_on ? other : body);
  trees->pull[body] = v3_larger(trees->pull[body], pull);
}

static void pull_bodies(const Trees* trees) {
  memset(trees->pull, 0, (size_t)trees->island->body_count * sizeof *trees->pull);
  for (int i = 0; i < trees->problem.body_count; i++) {
    const rgProblemLink* link = &trees->problem.links[i];
    if (link->row < 0)
      continue;
    double impulse = v3_norm(rg_body_twist(trees->reduced.wrench, i).linear);
    pull_body(trees, i, link->parent, impulse);
    pull_body(trees, link->parent, i, impulse);
  }
}

// [m/s] what following the ends to the present velocities would change of them, with what links get
// from their joints; the last change, and the largest turn of a body in the step [rad].
static double missed_by_ends(const Trees* trees, double* change, double* turn) {
  const rgStep* step = trees->step;
  const rgProblemSet* set = &step->velocity;
  double most = 0;
  *change = *turn = 0;
  pull_bodies(trees);
  for (int i = 0; i < trees->island->body_count; i++) {
    const int* slots = &set->body_order[trees->island->body_start];
    int slot = slots[i], later = slots[rg_ahead(i, RG_SLOTS_AHEAD, trees->island->body_count)];
    rg_prefetch(&step->ends[later].guess, sizeof(rgTwist));
    rg_prefetch(&step->bodies[later].start_velocity, sizeof(rgTwist));
    const rgTwist *seen = &step->ends[slot].guess, *start = &step->bodies[slot].start_velocity;
    rgTwist v = rg_body_twist(trees->reduced.v, i);
    double linear = v3_norm(v3_sub(v.linear, seen->linear)),
           angular = v3_norm(v3_sub(v.angular, seen->angular));
    double turning = v3_norm(v.angular) + v3_norm(start->angular);
    double missed = turning * (linear + angular * trees->size[i]) + angular * trees->pull[i] +
                    (trees->slides[i] ? linear / trees->size[i] * trees->pull[i] : 0);
    most = missed <= most ? most : missed; // NaN stays
    *change = v3_larger(*change, linear + angular * trees->size[i]);
    *turn = v3_larger(*turn, 0.5 * step->h * turning);
  }
  return step->h * most;
}

// Half of what a body ends further turned with the present velocities than where its rows are taken, over which its
// angular velocity differs by `change`, and its spin in the step.
typedef struct Turn {
  rgVec3 half, change, spin;
} Turn;

static Turn turn_of(const Trees* trees, int body) {
  if (body < 0)
    return (Turn){v3_zero(), v3_zero(), v3_zero()};
  const rgStep* step = trees->step;
  int slot = step->velocity.body_order[trees->island->body_start + body];
  double theta = trees->rule.theta;
  rgVec3 w = rg_body_twist(trees->reduced.v, body).angular,
         change = v3_sub(w, step->ends[slot].guess.angular),
         start = step->bodies[slot].start_velocity.angular;
  return (Turn){v3_scale(change, 0.5 * step->h * theta), change,
                v3_axpy(w, (1 - theta) / theta, start)};
}

// What the moment of a body that reaches w, written anew there, has besides what the inertia I halfway, with the
// stiffness K, foresees from the w* of its rows (free_motion.c): K (w - w*) that it need not take after all, less
//
//     t x (I dw) + I (t x dw) + 2 h' x (I w),
//
// t being half of the turn in the step and h' half of the further one. A massless body has nothing to turn, and its
// free motion is w itself.
static rgVec3 moment_anew(const Trees* trees, int body, const Turn* turn) {
  const rgStep* step = trees->step;
  int slot = step->velocity.body_order[trees->island->body_start + body];
  const rgSix* inertia = &trees->reduced.masses[body].inertia;
  if (trees->lighter[body] < 1)
    return six_apply(inertia, turn->change);
  rgVec3 w = rg_body_twist(trees->reduced.v, body).angular,
         half = v3_scale(turn->spin, 0.5 * step->h * trees->rule.theta);
  rgVec3 a = v3_cross(half, six_apply(inertia, turn->change)),
         b = six_apply(inertia, v3_cross(half, turn->change)),
         c = v3_cross(turn->half, six_apply(inertia, w));
  rgVec3 all = v3_axpy(v3_add(a, b), 2, c);
  return v3_sub(m3_apply(&step->ends[slot].stiffness, turn->change), all);
}

// [m/s] what that makes of the body's own velocity at most: it ends the step with the momentum of its impulses (ends.c).
static double own_change(const Trees* trees, int body, rgVec3 moment) {
  const rgStep* step = trees->step;
  int slot = step->velocity.body_order[trees->island->body_start + body];
  double light = v3_max_abs(step->world->bodies[slot].inverse_principal);
  return trees->lighter[body] < 1 ? 0 : v3_norm(moment) * light * trees->size[body];
}

// Whether a link is the body A of its joint.
static bool link_is_a(const Trees* trees, int body) {
  const rgProblemSet* set = &trees->step->velocity;
  int index = trees->island->body_start + body;
  return trees->step->world->joints[set->link_joint[index]].body_a == set->body_order[index];
}

// The wrench of a link's joint on it, with what acts along its axes.
static rgTwist joint_wrench(const Trees* trees, int body) {
  const rgProblemLink* link = &trees->problem.links[body];
  rgTwist wrench = rg_body_twist(trees->reduced.wrench, body);
  for (int k = 0; k < link->axis_row_count; k++) {
    int i = link->row + link->row_count + k;
    const rgProblemRow* row = &trees->problem.rows[i];
    const rgTwist* g = row->body_a == body ? &row->g_a : &row->g_b;
    wrench.linear = v3_axpy(wrench.linear, trees->solution.lambda[i], g->linear);
    wrench.angular = v3_axpy(wrench.angular, trees->solution.lambda[i], g->angular);
  }
  return wrench;
}

// Adds what a link's joint changes of moments and of velocities.
static void add_turned_link(const Trees* trees, int body, const Turn* turn, double* wrench) {
  const rgProblemLink* link = &trees->problem.links[body];
  Turn parent = turn_of(trees, link->parent);
  rgLinkTurn own = {.own = turn->half,
                    .parent = parent.half,
                    .spin = turn->spin,
                    .parent_spin = parent.spin,
                    .is_a = link_is_a(trees, body),
                    .wrench = joint_wrench(trees, body)};
  rg_fill_turn_link(link, &own);
  rgTwist given = rg_body_twist(trees->offset, link->parent);
  rgVec3 carried = v3_add(given.linear, v3_cross(given.angular, link->from_parent));
  rg_body_put(
      trees->offset, body,
      (rgTwist){v3_add(carried, own.offset.linear), v3_add(given.angular, own.offset.angular)});
  rg_body_add(wrench, body, 1, v3_zero(), own.moment);
  rg_body_add(wrench, link->parent, 1, v3_zero(), own.parent_moment);
}

// [m/s] what following the ends to the present velocities would change of them to first order, the impulses of
// contacts and bounded rows left as they are: with o the offsets that the turned links make and p what bodies lack
// there, o + R (p - M o). What the laws make of it is no more in the kinetic norm, where they are projections. `own`:
// see own_change.
static double foreseen_change(const Trees* trees, double* own) {
  const rgProblem* problem = &trees->problem;
  *own = 0;
  double *wrench = trees->change, *offset = trees->offset, most = 0;
  size_t numbers = 6 * (size_t)problem->body_count;
  memset(wrench, 0, numbers * sizeof *wrench);
  memset(offset, 0, numbers * sizeof *offset);
  for (int i = 0; i < problem->body_count; i++) {
    int body = problem->link_order[i];
    Turn turn = turn_of(trees, body);
    rgVec3 moment = moment_anew(trees, body, &turn);
    *own = v3_larger(*own, own_change(trees, body, moment));
    rg_body_add(wrench, body, 1, v3_zero(), moment);
    if (problem->links[body].row >= 0)
      add_turned_link(trees, body, &turn, wrench);
  }
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist o = rg_body_twist(offset, i);
    const rgLinkageMass* mass = &trees->reduced.masses[i];
    rg_body_add(wrench, i, -1, v3_scale(o.linear, mass->mass),
                six_apply(&mass->inertia, o.angular));
  }
  rg_linkage_response(&trees->reduced.linkage, wrench, wrench);
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist o = rg_body_twist(offset, i), v = rg_body_twist(wrench, i);
    double missed = v3_norm(v3_add(v.linear, o.linear)) +
                    v3_norm(v3_add(v.angular, o.angular)) * trees->size[i];
    most = missed <= most ? most : missed; // NaN stays
  }
  return most;
}

// Ends with the present velocities, and what of the problem belongs to them.
static void follow(const Trees* trees) {
  rgStep* step = trees->step;
  rgProblemSet* set = &step->velocity;
  const rgIsland* island = trees->island;
  memcpy(trees->solution.v, trees->reduced.v, 6 * (size_t)island->body_count * sizeof(double));
  for (int i = 0; i < island->body_count; i++) { // parents first
    int body = island->body_start + set->link_order[island->body_start + i],
        slot = set->link_joint[body];
    rg_fill_prefetch_link(step, island, i);
    rg_fill_follow_end(step, body, trees->rule.theta);
    if (slot >= 0 && reads_own_ends(step, slot))
      rg_fill_joint_rows(step, slot, island->body_start, &trees->rule);
  }
  int end = island->row_start + island->row_count;
  for (int i = island->row_start;
       i < end && set->row_joint[i] >= 0 && !island->bare;) { // the others
    int slot = set->row_joint[i];
    if (!reads_own_ends(step, slot))
      rg_fill_joint_rows(step, slot, island->body_start, &trees->rule);
    i += step->joints[slot].row_count;
  }
}

// Solves the law for the present ends, from the present impulses, and again with what the answer violates.
static void solve_law(Trees* trees) {
  rgReduced* reduced = &trees->reduced;
  for (int pass = 0; pass < PASSES; pass++) {
    trees->fresh = trees->fresh || !trees->filled;
    if (!trees->filled)
      rg_reduced_fill(reduced, &trees->solution);
    else
      rg_reduced_shift(reduced);
    trees->filled = true;
    if (reduced->contact_count + reduced->row_count > 0)
      rg_reduced_newton(reduced, &trees->run);
    rg_reduced_velocity(reduced);
    if (rg_reduced_add_violated(reduced, trees->run.goal) == 0)
      return;
    rg_reduced_store(reduced, &trees->solution);
    trees->filled = false;
  }
}

// [m/s] what contacts, and rows that the trees do not satisfy by themselves, miss of their laws.
static double missed_by_laws(const Trees* trees) {
  const rgReduced* reduced = &trees->reduced;
  rgSolution solution = trees->solution;
  solution.v = reduced->v;
  rgProblem part = trees->problem;
  rgCertificate certificate;
  part.row_count = 0;
  rg_problem_laws(&part, &solution, &certificate);
  double worst = v3_larger(certificate.signorini, certificate.coulomb);
  int* kept = trees->kept;
  int count = 0;
  for (int k = 0; k < reduced->acting_count; k++)
    if (reduced->role[reduced->acting[k]] == RG_REDUCED_KEPT)
      kept[count++] = reduced->acting[k];
  part = trees->problem;
  part.contact_count = 0;
  return v3_larger(worst, rg_problem_missed_by(&part, &solution, kept, count));
}

// Whether the impulses that the iterations begin with meet the law, at the present ends.
static bool is_held(Trees* trees) {
  if (trees->filled)
    return false; // newton sees
  rg_reduced_take(&trees->reduced, &trees->solution);
  rg_reduced_velocity(&trees->reduced);
  return missed_by_laws(trees) <= HELD * trees->run.target &&
         rg_reduced_add_violated(&trees->reduced, trees->run.goal) == 0;
}

// Ends at the present velocities, or where these are foreseen to lead, and velocities there under the present impulses.
static bool go_on(Trees* trees, bool renewed) {
  for (int i = 0; i < 6 * trees->problem.body_count && trees->foreseen; i++)
    trees->reduced.v[i] += trees->change[i] + trees->offset[i];
  follow(trees);
  trees->fresh = false;
  trees->followed++;
  if (!rg_reduced_refresh(&trees->reduced))
    return false;
  trees->filled = trees->filled && !renewed;
  if (trees->filled)
    rg_reduced_velocity(&trees->reduced);
  return true;
}

// Whether following the ends once more would change less than the goal: by what it is known to change at most, or else
// to first order. What a W of other ends has left of the laws is seen apart.
static bool is_near(Trees* trees, double missed, double turn, double change) {
  double goal = GOAL * trees->run.target;
  trees->foreseen = false;
  if (missed <= goal || !(goal > 0) || !(turn < FAST) || !trees->turns)
    return missed <= goal;
  double own, foreseen = foreseen_change(trees, &own);
  trees->foreseen = foreseen < change;
  trees->gain = foreseen / change;
  if (trees->massless)
    own = v3_larger(own, LIGHTER * change);
  return FORESEEN * foreseen <= goal && own <= goal &&
         (trees->fresh || missed_by_laws(trees) <= goal);
}

// True when the impulses belong to the ends; where not they are as good as the iterations made them, or none are
// `found`.
static bool iterate(Trees* trees, bool* found) {
  double goal = GOAL * trees->run.target, last = HUGE_VAL, last_change = 0;
  bool done = false;
  for (int i = 0; i < ITERATIONS; i++) {
    if (is_held(trees))
      trees->fresh = true; // at the present ends
    else
      solve_law(trees);
    rg_reduced_react(&trees->reduced, &trees->solution);
    double change, turn, missed = missed_by_ends(trees, &change, &turn);
    double gain = trees->foreseen ? trees->gain : change / last_change;
    if (turn < FAST)
      missed = fmin(missed, change < last_change ? change * gain : change);
    if (trees->massless)
      missed = v3_larger(missed, LIGHTER * change);
    done = is_near(trees, missed, turn, change) && trees->run.measure <= trees->run.target;
    if (done || !(missed < PROGRESS * last))
      break;
    bool renewed = last < HUGE_VAL ? missed > RENEWED * last : missed > FAR * goal;
    last = missed;
    last_change = change;
    if (!go_on(trees, renewed))
      return false;
  }
  *found = true;
  return done;
}

// Part of the terms of a difference that is rounding.
static const double ROUNDED = 16 * 2.2e-16;

// The largest of three numbers, those left out that are rounding of the sums that they come from.
static double seen_size(rgVec3 w, double size) {
  double most = v3_max_abs(w);
  return most > ROUNDED * size ? most : 0;
}

// [m/s] how fast the point of a joint would come apart, component by component, were it not for the joint; below zero
// where its rows say something else. These are its first three rows, whose weight is 1.
static double point_scale(const Trees* trees, int body) {
  const rgProblemLink* link = &trees->problem.links[body];
  int slot = trees->step->velocity.link_joint[trees->island->body_start + body];
  const rgJointInfo* info = trees->step->world->joints[slot].info;
  if (info->slides || info->point_rows != 3)
    return -1;
  rgTwist own = rg_body_free(&trees->problem, body),
          given = rg_body_free(&trees->problem, link->parent);
  rgVec3 other = v3_add(link->arm, link->from_parent);
  rgVec3 at_own = v3_add(own.linear, v3_cross(own.angular, link->arm)),
         at_other = v3_add(given.linear, v3_cross(given.angular, other));
  rgVec3 apart = link_is_a(trees, body) ? v3_sub(at_other, at_own) : v3_sub(at_own, at_other);
  const rgProblemRow* rows = &trees->problem.rows[link->row];
  if (!trees->island->bare) // whose rows have no bias
    apart = v3_add(apart, v3(rows[0].bias, rows[1].bias, rows[2].bias));
  return seen_size(apart, v3_max_abs(at_own) + v3_max_abs(at_other));
}

// [m/s] the scale of the problem, or less: without the rows that hold directions of links.
static double least_scale(const Trees* trees) {
  rgProblem part = trees->problem;
  part.row_count = 0;
  double scale = rg_problem_scale(&part);
  part.contact_count = 0;
  for (int i = 0; i < part.body_count; i++) {
    const rgProblemLink* link = &part.links[i];
    double own = link->row < 0 ? 0 : point_scale(trees, i);
    if (own < 0)
      return rg_problem_scale(&trees->problem);
    part.rows = &trees->problem.rows[link->row + link->row_count];
    part.row_count = link->row < 0 ? 0 : link->axis_row_count;
    scale = v3_larger(scale, own);
    if (part.row_count > 0)
      scale = rg_problem_scale_above(&part, scale);
  }
  return scale > 0 || trees->island->bare ? scale : rg_problem_scale(&trees->problem);
}

static Trees trees_of(rgStep* step, const rgJointRule* rule, rgIsland* island) {
  rgJointRule own = *rule;
  own.bare = island->bare;
  return (Trees){.step = step,
                 .rule = own,
                 .island = island,
                 .problem = rg_island_problem(&step->velocity, island),
                 .solution = rg_island_solution(&step->velocity, island)};
}

// The answer of the iterations, which the tolerance allows to be judged. False where they have found none.
static bool answer(Trees* trees, bool found) {
  rgIsland* island = trees->island;
  double tolerance = trees->step->world->options.tolerance;
  if (!island->bare) {
    if (found)
      rg_reduced_complete(&trees->reduced, &trees->solution);
    return true;
  }
  rg_tree_keep_wrenches(trees->step, island, found ? &trees->reduced : NULL);
  if (!found)
    return false;
  memcpy(trees->solution.v, trees->reduced.v, 6 * (size_t)island->body_count * sizeof(double));
  // The scale of the rows as they are now: iterations have moved the ends since their goal was set.
  rg_tree_judge(&trees->reduced, &trees->solution, trees->size, least_scale(trees), tolerance,
                &island->report.certificate);
  return island->report.certificate.met && island->report.certificate.scale > 0;
}

// Once its arrays have their places.
static void settle(Trees* trees) {
  rgIsland* island = trees->island;
  const rgOptions* options = &trees->step->world->options;
  rgStop stop = {.tolerance = options->tolerance, .cancel = trees->step->world->user.cancel};
  double scale = least_scale(trees);
  trees->run = (rgSolve){.problem = &trees->problem,
                         .solution = &trees->solution,
                         .stop = &stop,
                         .target = options->tolerance * scale,
                         .goal = GOAL * options->tolerance * scale,
                         .iteration_limit = options->iteration_limit,
                         .deadline = HUGE_VAL,
                         .scale = scale,
                         .work_limit = HUGE_VAL};
  bool found = false;
  see_massless(trees);
  if (rg_reduced_build(&trees->reduced, &trees->solution)) {
    see_joints(trees);
    island->closed = iterate(trees, &found);
  }
  if (!answer(trees, found) || (island->bare && !island->closed))
    rg_tree_end_bare(trees->step, island);
  if (found)
    free_massless(trees);
  island->report.iterations += trees->run.iterations + trees->followed;
  island->report.factorizations = trees->run.effort.factorizations + trees->followed;
}

static void settle_island(void* context, int item, int worker) {
  (void)worker;
  const Trees* shared = context;
  rgStep* step = shared->step;
  rgIsland* island = &step->velocity.islands[item];
  if (!island->settles)
    return;
  Trees trees = trees_of(step, &shared->rule, island);
  rgCarver carver = {(char*)step->factors + island->factor_start, 0};
  carve(&trees, &carver);
  settle(&trees);
}

static void count_effort(rgStep* step) {
  int most = 0;
  for (int k = 0; k < step->velocity.island_count; k++) {
    const rgIsland* island = &step->velocity.islands[k];
    if (!island->settles)
      continue;
    step->certificate.factorizations += island->report.factorizations;
    most = island->report.iterations > most ? island->report.iterations : most;
  }
  step->certificate.iterations += most;
}

static bool has_room(rgStep* step, size_t size) {
  return rg_reserve(&step->world->allocator, &step->factors, &step->factors_capacity,
                    (int)(size / RG_ALIGNMENT), RG_ALIGNMENT);
}

// Islands side by side, each with memory of its own.
static bool settle_together(rgStep* step, const rgJointRule* rule) {
  rgProblemSet* set = &step->velocity;
  size_t used = 0;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    if (!island->settles)
      continue;
    Trees trees = {.problem = rg_island_problem(set, island)};
    rgCarver counter = {NULL, 0};
    island->factor_start = used;
    used += carve(&trees, &counter);
  }
  if (used > 0 && !has_room(step, used))
    return false;
  Trees shared = {.step = step, .rule = *rule};
  rg_tasks_run(step->world->threads.tasks, used > 0 ? set->island_count : 0, settle_island,
               &shared);
  return true;
}

// One after the other in the same memory: arrays have their places at once where there is room for them.
static bool settle_in_turn(rgStep* step, const rgJointRule* rule) {
  for (int k = 0; k < step->velocity.island_count; k++) {
    rgIsland* island = &step->velocity.islands[k];
    if (!island->settles)
      continue;
    Trees trees = trees_of(step, rule, island);
    rgCarver carver = {step->factors, 0};
    if (carve(&trees, &carver) > (size_t)step->factors_capacity * RG_ALIGNMENT) {
      if (!has_room(step, carver.used))
        return false;
      carver = (rgCarver){step->factors, 0};
      carve(&trees, &carver);
    }
    settle(&trees);
  }
  return true;
}

// One that is not taken after all has its rows written.
static void take_island(rgStep* step, rgIsland* island) {
  island->settles = takes_part(step, island);
  if (island->settles || !island->bare)
    return;
  rg_tree_keep_wrenches(step, island, NULL);
  rg_tree_end_bare(step, island);
}

rgStatus rg_fill_settle_trees(rgStep* step) {
  rgWorld* world = step->world;
  rgProblemSet* set = &step->velocity;
  rgJointRule rule = rg_fill_joint_rule(step);
  for (int k = 0; k < set->island_count; k++)
    take_island(step, &set->islands[k]);
  bool room = rg_tasks_threads(world->threads.tasks) > 1 ? settle_together(step, &rule)
                                                         : settle_in_turn(step, &rule);
  if (!room)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for trees of joints");
  count_effort(step);
  return RG_OK;
}
