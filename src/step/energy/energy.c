// energy.c - the energy that a step makes from nothing.
//
// Balance. With M (v+ - v) = h F + P, P being the wrenches of all impulses, and the movement
// h v~ = h (theta v+ + (1 - theta) v), the energy changes beyond the work of outside forces by
//
//     dE = 1/2 |v+|^2 - 1/2 |v|^2 - h F . v~ = P . v~ - (theta - 1/2) |v+ - v|^2
//        = P . (v+ + v) / 2 + B,     B = -(theta - 1/2) h F . (v+ - v),
//
// F with the weights. Where the laws make P . v~ <= 0 (theta.c, closing.c), up to what the solve
// leaves, a step gains nothing. Impacts at theta > 1/2 have the law of the mean, P . (v+ + v) <= 0,
// and may gain B: it damps what falls, and adds where an impact reverses a fall, because the body
// then rises with its new speed for the whole step. Over the steps it adds up to (theta - 1/2) h F .
// (v_0 - v_N), however many: energy is borrowed, not made. Contacts that press without an impact in the
// same island have P . v~ <= 0 but not P . (v+ + v) <= 0: there the sum of r_n u~_n over the impacts
// that part takes the place of B, up to (theta - 1/2) h sum |F| |v+ - v|. So an island may gain in a
// step
//
//     max(0, B) where there are impacts, and T = sum |r_c| e + sum |lambda_i| e / weight_i,
//
// e = 2 tolerance scale being what a residual allows of relative velocity at both ends of the mean.
// Stabilizers that push contacts with the velocity -bias add r_n |bias|, and rows at the rate a by
// G v~ = -a error, which does the work |lambda| a error / weight: they were chosen for that. The
// impulses of an answer that misses may be anything; T is at most what it can be in an island of n
// bodies, through each of which impulses pass on the energy Q of all: 4 tolerance n Q, Q being the
// kinetic energy at the start and what the forces add to it in a step, Q_F. B is at most what velocities
// of this energy allow, (theta - 1/2) |h F| |v+ - v| <= (theta - 1/2) sqrt(2 Q_F) 2 sqrt(2 Q).
//
// Forces with a potential that are not among the rows are taken as constant in a step, and springs
// among them follow their direction at its start: what their work is off by is theirs, not counted.
//
// What an island gains beyond that is taken back (pay.c).
#include "step/energy/energy.h"

#include "problem/operator.h"
#include "step/fill/fill.h"
#include "step/report.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"
#include "step/sum.h"
#include "step/tree/tree.h"

#include <string.h>

// What a residual at the tolerance allows, see above.
static const double BOTH_ENDS = 2, PER_BODY = 4;
// Rounding of a sum over bodies of energies, as a part of the sum of their sizes.
static const double ROUNDING = 1e-13;
// [rad] largest turn in a step that a method of order 4 resolves.
static const double RESOLVED = 0.4;

static bool is_dynamic(const rgBody* body) { return body->alive && body->kind == RG_BODY_DYNAMIC; }

// In principal axes; `in_world`, unless it is NULL: as rg_world_body_energy has it, which differs by rounding.
static inline double energy_of_body(const rgBody* body, double* in_world) {
  rgVec3 turn = body->velocity.angular, w = turn;
  rgQuat axes = quat_identity();
  double linear = 0.5 * body->mass * v3_norm2(body->velocity.linear);
  if (!body->isotropic) {
    axes = quat_mul(body->orientation, body->principal_axes);
    w = quat_unrotate_exactly(axes, w);
  }
  rgVec3 momentum = v3_mul(body->principal, w);
  if (in_world)
    *in_world = linear + 0.5 * v3_dot(turn, body->isotropic ? v3_scale(turn, body->principal.x)
                                                            : quat_rotate_exactly(axes, momentum));
  return linear + 0.5 * v3_dot(w, momentum);
}

double rg_energy_of_body(const rgBody* body) { return energy_of_body(body, NULL); }

double rg_energy_of_stand_in(const rgBody* body, rgTwist velocity) {
  if (!body->massless)
    return 0;
  return 0.5 * v3_norm2(velocity.linear) / body->inverse_mass +
         0.5 * v3_norm2(velocity.angular) / body->inverse_principal.x;
}

// A residual up to which velocities of massless bodies are those that the joints make them.
static const double STRAYED = 1e-3;

bool rg_energy_has_strayed(const rgIsland* island) {
  const rgCertificate* certificate = &island->report.certificate;
  return (!certificate->met && !(certificate->residual <= STRAYED)) || island->plain;
}

static void write_stand_ins(const rgStep* step, const void* context, int first, int end,
                            double* terms) {
  const rgIsland* island = context;
  for (int i = first; i < end; i++) {
    const rgBody* body = &step->world->bodies[step->velocity.body_order[island->body_start + i]];
    terms[i - first] = rg_energy_of_stand_in(body, body->velocity);
  }
}

static void write_earlier_stand_ins(const rgStep* step, const void* context, int first, int end,
                                    double* terms) {
  const rgIsland* island = context;
  for (int i = first; i < end; i++) {
    int slot = step->velocity.body_order[island->body_start + i];
    const rgBody* body = &step->world->bodies[slot];
    terms[i - first] =
        body->massless ? rg_energy_of_stand_in(body, step->bodies[slot].start_velocity) : 0;
  }
}

double rg_energy_of_stand_ins(const rgStep* step, const rgIsland* island) {
  double energy = 0;
  if (island->stand_ins && rg_energy_has_strayed(island))
    rg_step_sum(step, island->body_count, 1, write_stand_ins, island, &energy);
  return energy;
}

double rg_energy_stand_ins_had(const rgStep* step, const rgIsland* island) {
  double start = 0;
  if (island->stand_ins && rg_energy_has_strayed(island))
    rg_step_sum(step, island->body_count, 1, write_earlier_stand_ins, island, &start);
  return start;
}

// Velocities of massless bodies hold no energy, and where a solve has missed by far nothing else would bound them: what
// stands in for their mass must not gain any either.
static double gain_of_stand_ins(const rgStep* step, const rgIsland* island) {
  return fmax(0, rg_energy_of_stand_ins(step, island) - rg_energy_stand_ins_had(step, island));
}

void rg_energy_begin_body(rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  rgBodyStep* scratch = &step->bodies[slot];
  scratch->island = -1;
  scratch->lift = scratch->work = 0;
  if (is_dynamic(body))
    scratch->kinetic = step->past.goes_on ? scratch->end_kinetic : rg_energy_of_body(body);
}

void rg_energy_begin(rgStep* step, double error) {
  step->account = (rgAccount){.start_error = error, .rotors = rg_world_rotor_energy(step->world)};
}

static void write_energies(const rgStep* step, const void* context, int first, int end,
                           double* terms) {
  bool as_moved = *(const bool*)context;
  const rgWorld* world = step->world;
  for (int i = first; i < end; i++, terms += 2) {
    const rgBody* body = &world->bodies[i];
    rgEnergy own;
    if (as_moved && is_dynamic(body) && step->bodies[i].island >= 0)
      own = (rgEnergy){.kinetic = step->bodies[i].moved_kinetic,
                       .potential = -body->mass * v3_dot(world->options.gravity, body->position)};
    else
      own = rg_world_body_energy(world, i);
    terms[0] = own.kinetic;
    terms[1] = own.potential;
  }
}

rgEnergy rg_energy_of_bodies(const rgStep* step, bool as_moved) {
  const rgAccount* account = &step->account;
  double sums[2] = {0};
  as_moved = as_moved && account->accounted && !account->corrected && !account->slowed;
  rg_step_sum(step, step->world->body_slots, 2, write_energies, &as_moved, sums);
  return (rgEnergy){.kinetic = sums[0], .potential = sums[1]};
}

double rg_energy_of_motion(const rgStep* step) {
  double energy = rg_world_rotor_energy(step->world);
  for (int i = 0; i < step->world->body_slots; i++)
    energy += is_dynamic(&step->world->bodies[i]) ? rg_energy_of_body(&step->world->bodies[i]) : 0;
  return energy;
}

void rg_energy_suited(rgStep* step) {
  double rotors = rg_world_rotor_energy(step->world);
  step->account.suited += rotors - step->account.rotors;
  step->account.rotors = rotors;
  for (int i = 0; i < step->world->body_slots; i++) {
    const rgBody* body = &step->world->bodies[i];
    if (!is_dynamic(body))
      continue;
    double now = rg_energy_of_body(body);
    step->account.suited += now - step->bodies[i].kinetic;
    step->bodies[i].kinetic = now;
  }
}

// The axis of the velocity problem's row first + i that has a rotor, `first` being the first one of the joint; NULL
// otherwise. Where that is, the context tells of the last problem only, which may be a projection.
static double* rotor_of(const rgStep* step, int slot, int i, double* armature) {
  rgJoint* joint = &step->world->joints[slot];
  rgRowUse use = joint->rows[step->joints[slot].rows[i]];
  *armature = use.kind == RG_ROW_SOFT ? joint->def.axes[use.index].armature : 0;
  return *armature > 0 ? &joint->rotor[use.index] : NULL;
}

// The next row of an island from `row` on that is the first one of a joint with rotors, or the end of its rows. Rows of
// a joint follow each other, before those of forces.
static int next_with_rotors(const rgStep* step, const rgIsland* island, int row) {
  const int* row_joint = step->velocity.row_joint;
  int end = island->row_start + island->row_count;
  while (row < end && row_joint[row] >= 0 && !step->world->joints[row_joint[row]].rotors)
    row += step->joints[row_joint[row]].row_count;
  return row < end && row_joint[row] >= 0 ? row : end;
}

double rg_energy_of_rotors(const rgStep* step, const rgIsland* island) {
  int end = island->row_start + island->row_count;
  double energy = 0, armature;
  for (int first = next_with_rotors(step, island, island->row_start); first < end;) {
    int slot = step->velocity.row_joint[first], count = step->joints[slot].row_count;
    for (int i = 0; i < count; i++) {
      const double* rate = rotor_of(step, slot, i, &armature);
      energy += rate ? 0.5 * armature * *rate * *rate : 0;
    }
    first = next_with_rotors(step, island, first + count);
  }
  return energy;
}

void rg_energy_slow_rotors(const rgStep* step, const rgIsland* island, double part) {
  int end = island->row_start + island->row_count;
  double armature;
  for (int first = next_with_rotors(step, island, island->row_start); first < end;) {
    int slot = step->velocity.row_joint[first], count = step->joints[slot].row_count;
    for (int i = 0; i < count; i++) {
      double* rate = rotor_of(step, slot, i, &armature);
      if (rate)
        *rate *= part;
    }
    first = next_with_rotors(step, island, first + count);
  }
}

// -------------------------------------------------------------------------------------------------
// What an island may gain
// -------------------------------------------------------------------------------------------------

// Work of moving ground, of what drives axes, and of springs and rotors, whose energy is not that of
// bodies.
static double outside_work(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  rgJointRule rule = rg_fill_joint_rule(step);
  if (island->plain)
    rule.theta = 1;
  double work = 0;
  int end = step->world->kinematic_count > 0 ? island->contact_start + island->contact_count : 0;
  for (int i = island->contact_start; i < end; i++)
    work += rg_report_contact_ground_work(step, set->contact_order[i]);
  for (int i = island->row_start; i < island->row_start + island->row_count;) {
    int slot = set->row_joint[i];
    if (slot < 0) {
      work += rg_fill_force_row_work(step, island, i);
      i++;
      continue;
    }
    rg_step_prefetch_rows(step, i, island->row_start + island->row_count);
    work += rg_fill_joint_outside_work(step, slot, &rule);
    i += step->joints[slot].row_count;
  }
  return work;
}

static rgVec3 force_on(const rgStep* step, const rgBody* body) {
  return v3_axpy(body->applied.force, body->mass, step->world->options.gravity);
}

// The speed [m/s] with which a contact that overlaps and is no impact is pushed apart. With contacts at
// the mean or the end of the step a bias may be negative because a surface curves, which gains nothing.
static double own_push(const rgStep* step, int index) {
  int slot = step->velocity.contact_order[index];
  const rgWorldContact* contact = &step->world->contacts[slot];
  rgProblemContact own = step->velocity.contacts[index];
  if (step->contacts[slot].mark == RG_MARK_IMPACT || !(contact->gap < 0))
    return 0;
  if (step->contacts_at != RG_CONTACTS_START)
    return -rg_stabilizer_contact_bias(step->world, contact);
  own.bias[0] = 0;
  step->scheme->contact(step, slot, &own);
  return fmax(0, -own.bias[0]);
}

// Q and Q_F, see above.
typedef struct Hand {
  double all, forces; // [J]
  double height;      // [J] of the weights above the origin, whose rounding counts
  double massless;    // how many bodies have something that stands in for their mass
} Hand;

// Their parts by bodies of an island, in this order.
static void write_hands(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  const rgIsland* island = context;
  const rgProblemSet* set = &step->velocity;
  double g = v3_norm(step->world->options.gravity);
  for (int i = first; i < end; i++, terms += 4) {
    int slot = set->body_order[island->body_start + i];
    const rgBody* body = &step->world->bodies[slot];
    rgVec3 speed = v3_scale(force_on(step, body), step->h * body->inverse_mass);
    terms[0] = step->bodies[slot].kinetic;
    terms[1] = 0.5 * body->mass * v3_norm2(speed);
    terms[2] = body->mass * g * v3_norm(body->position);
    terms[3] = body->massless;
  }
}

static Hand energy_at_hand(const rgStep* step, const rgIsland* island) {
  double sums[4] = {0};
  rg_step_sum(step, island->body_count, 4, write_hands, island, sums);
  Hand hand = {.all = sums[0], .forces = sums[1], .height = sums[2], .massless = sums[3]};
  hand.all += hand.forces + rg_energy_of_rotors(step, island);
  return hand;
}

// [m/s] what a residual allows of relative velocity, e above.
static double allowed_error(const rgStep* step, const rgIsland* island) {
  return BOTH_ENDS * step->world->options.tolerance * island->report.certificate.scale;
}

static void write_bounds(const rgStep* step, const void* context, int first, int end,
                         double* terms) {
  const rgIsland* island = context;
  double error = allowed_error(step, island);
  for (int i = first; i < end; i++) {
    const double* r = &step->velocity.r[4 * (island->contact_start + i)];
    terms[i - first] = v3_norm(v3(r[0], r[1], r[2])) * error;
  }
}

// T of the contacts, and what stabilizers push there.
static double contacts_bound(const rgStep* step, const rgIsland* island, double* push_sum) {
  const rgProblemSet* set = &step->velocity;
  bool pushes = strcmp(step->world->options.stabilizer, rg_stabilizer_post.name) != 0;
  double bound = 0;
  rg_step_sum(step, island->contact_count, 1, write_bounds, island, &bound);
  int end = pushes ? island->contact_start + island->contact_count : 0;
  for (int i = island->contact_start; i < end; i++)
    *push_sum += fabs(set->r[4 * i]) * own_push(step, i);
  return bound;
}

// T of the rows, on top of that of the contacts; `push_sum` as above, at the rate `row_push` [m/s].
static double rows_bound(const rgStep* step, rgIsland* island, double bound, double row_push,
                         double* push_sum) {
  const rgProblemSet* set = &step->velocity;
  rg_tree_write_rows(step, island);
  rgProblem problem = rg_island_problem(set, island);
  double error = allowed_error(step, island);
  for (int i = 0; i < island->row_count; i++) {
    if (set->lambda[island->row_start + i] == 0)
      continue;
    const rgProblemRow* row = &problem.rows[i];
    double impulse = fabs(set->lambda[island->row_start + i]) / rg_row_weight(&problem, row);
    bound += impulse * error;
    *push_sum += impulse * row_push;
  }
  return bound;
}

static bool has_impacts(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++)
    if (step->contacts[set->contact_order[i]].mark == RG_MARK_IMPACT)
      return true;
  return false;
}

// The first row of an island that is no joint's of a bare one: rows of joints come first.
static int first_written(const rgProblemSet* set, const rgIsland* island) {
  int row = island->row_start;
  while (island->bare && row < island->row_start + island->row_count && set->row_joint[row] >= 0)
    row++;
  return row;
}

// Whether what does not move freely takes part.
static bool is_grounded(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++)
    if (set->contacts[i].body_a < 0 || set->contacts[i].body_b < 0)
      return true;
  for (int i = island->body_start; i < island->body_start + island->body_count && island->bare; i++)
    if (set->links[i].row >= 0 && set->links[i].parent < 0)
      return true;
  for (int i = first_written(set, island); i < island->row_start + island->row_count; i++)
    if (set->rows[i].body_a < 0 || set->rows[i].body_b < 0)
      return true;
  return false;
}

// The work of impacts over the movement, r_n u~_n where they part, in an island in which others press
// as well; 0 where impacts are alone.
static double impact_work(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  double work = 0;
  bool mixed = island->row_count > 0;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    int index = set->contact_order[i];
    const rgWorldContact* contact = &step->world->contacts[index];
    if (step->contacts[index].mark != RG_MARK_IMPACT)
      mixed = mixed || set->r[4 * i] > 0;
    else
      work += set->r[4 * i] * fmax(0, v3_dot(rg_fill_contact_normal(step, contact),
                                             rg_fill_mean_velocity(step, contact, step->theta)));
  }
  return mixed ? work : 0;
}

// max(0, B) or that of impacts among others, and their bounds.
static double borrowed(const rgStep* step, const rgIsland* island, const Hand* hand) {
  const rgProblemSet* set = &step->velocity;
  double sum = 0, size = 0, late = (island->plain ? 1 : step->theta) - 0.5;
  if (late == 0 || !has_impacts(step, island))
    return 0;
  for (int i = island->body_start; i < island->body_start + island->body_count; i++) {
    int slot = set->body_order[i];
    const double* v = &set->v[6 * i];
    rgVec3 change = v3_sub(v3(v[0], v[1], v[2]), step->bodies[slot].start_velocity.linear);
    rgVec3 force = force_on(step, &step->world->bodies[slot]);
    sum -= v3_dot(force, change);
    size += v3_norm(force) * v3_norm(change);
  }
  double lent = fmax(late * step->h * sum, impact_work(step, island));
  lent = fmin(fmax(0, lent), late * step->h * size);
  return fmin(lent, late * 4 * sqrt(hand->forces * hand->all));
}

// The parts of what an island may gain. Nearly all steps lose energy, and what rows leave, which takes the weights of
// all of them, is not asked for: it is found when it is, unless a stabilizer pushes rows.
void rg_energy_foresee(rgStep* step, rgIsland* island) {
  Hand hand = energy_at_hand(step, island);
  double row_push = step->round.stabilization * step->account.start_error;
  rgMayGain* may = &island->may_gain;
  island->outside = outside_work(step, island);
  island->at_hand = hand.all;
  island->stand_ins = hand.massless > 0;
  island->grounded = is_grounded(step, island);
  *may =
      (rgMayGain){.borrowed = borrowed(step, island, &hand),
                  .most = PER_BODY * step->world->options.tolerance * island->body_count * hand.all,
                  .rounding = ROUNDING * (hand.all + hand.height + fabs(island->outside))};
  may->contacts = contacts_bound(step, island, &may->push);
  may->rows_known = row_push != 0;
  if (may->rows_known)
    may->rows = rows_bound(step, island, may->contacts, row_push, &may->push);
}

double rg_energy_surely_may_gain(const rgIsland* island) {
  const rgMayGain* may = &island->may_gain;
  return may->borrowed + fmin(may->rows_known ? may->rows : may->contacts, may->most) + may->push +
         may->rounding;
}

double rg_energy_may_gain(const rgStep* step, rgIsland* island) {
  rgMayGain* may = &island->may_gain;
  double none = 0;
  if (!may->rows_known)
    may->rows = rows_bound(step, island, may->contacts, 0, &none);
  may->rows_known = true;
  return rg_energy_surely_may_gain(island);
}

// Velocities of a stepper without inertia hold no energy.
static bool has_inertia(const rgStep* step) { return !step->account.massless; }

double rg_energy_gain_of_body(const rgStep* step, int slot, double kinetic) {
  const rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  rgVec3 shift = v3_sub(body->position, scratch->before.position);
  double gain = -scratch->work - body->mass * v3_dot(step->world->options.gravity, shift);
  return has_inertia(step) ? gain + kinetic - scratch->kinetic : gain;
}

static void write_gains(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  const rgIsland* island = context;
  for (int i = first; i < end; i++) {
    int slot = step->velocity.body_order[island->body_start + i];
    step->bodies[slot].end_kinetic =
        energy_of_body(&step->world->bodies[slot], &step->bodies[slot].moved_kinetic);
    terms[i - first] = rg_energy_gain_of_body(step, slot, step->bodies[slot].end_kinetic);
  }
}

double rg_energy_gain(const rgStep* step, const rgIsland* island) {
  double gain = -island->outside;
  rg_step_sum(step, island->body_count, 1, write_gains, island, &gain);
  return gain + gain_of_stand_ins(step, island);
}

typedef struct Naming {
  rgStep* step;
  const rgIsland* island;
} Naming;

static void name_range(void* context, int first, int end) {
  const Naming* naming = context;
  const rgProblemSet* set = &naming->step->velocity;
  for (int i = first; i < end; i++)
    naming->step->bodies[set->body_order[naming->island->body_start + i]].island =
        (int)(naming->island - set->islands);
}

static void account_island(void* context, rgIsland* island) {
  Naming naming = {context, island};
  island->gain = rg_energy_gain(naming.step, island);
  island->room_known = false;
  rg_tasks_ranges(naming.step->world->threads.tasks, island->body_count, name_range, &naming);
}

void rg_energy_account(rgStep* step) {
  step->account.accounted = true;
  rg_islands_each(step, &step->velocity, account_island, step);
}

bool rg_energy_owes(const rgStep* step, int slot) {
  int k = step->bodies[slot].island;
  rgIsland* island = k < 0 ? NULL : &step->velocity.islands[k];
  return island && island->gain > rg_energy_surely_may_gain(island) &&
         island->gain > rg_energy_may_gain(step, island);
}

// -------------------------------------------------------------------------------------------------
// What the step may gain
// -------------------------------------------------------------------------------------------------

// What a method of order 4 that does not know of energy leaves of that of a body: (h |w|)^5 of it,
// as long as it resolves the turn. Free rotation, w' = I^-1 (I w x w), has |w'| <= |w|^2, as moments of
// inertia obey |I_2 - I_3| <= I_1: y' = y^2 is its majorant, with the solution y_0 / (1 - y_0 t), whose
// terms are y_0 (y_0 t)^k. The first that the method does not have is (h |w|)^5 |w|.
static double truncation(const rgStep* step, int slot) {
  double turn = step->h * v3_norm(step->bodies[slot].before.velocity.angular);
  turn = fmin(turn, RESOLVED);
  return turn * turn * turn * turn * turn * step->bodies[slot].kinetic;
}

// What bodies gain by impulses and by the projection, less what rotors have paid of it, without what
// forces with a potential leave; and the numbers whose difference the balance is [J].
static void write_sizes(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  (void)context;
  const rgWorld* world = step->world;
  const rgAccount* account = &step->account;
  double g = v3_norm(world->options.gravity);
  bool as_moved = account->accounted && !account->corrected && !account->slowed;
  for (int i = first; i < end; i++, terms += 2) {
    const rgBody* body = &world->bodies[i];
    terms[0] = terms[1] = 0;
    if (!is_dynamic(body))
      continue;
    rgBodyStep* scratch = &step->bodies[i];
    if (!as_moved || scratch->island < 0)
      scratch->end_kinetic = rg_energy_of_body(body);
    double kinetic = scratch->end_kinetic, force = body->mass * g + v3_norm(body->applied.force);
    terms[0] = rg_energy_gain_of_body(step, i, kinetic);
    terms[1] = scratch->kinetic + kinetic + force * v3_norm(body->position) +
               v3_norm(body->applied.torque);
  }
}

static double gain_of_bodies(const rgStep* step, double* size) {
  double sums[2] = {-step->account.rotors_paid, fabs(step->work)};
  rg_step_sum(step, step->world->body_slots, 2, write_sizes, NULL, sums);
  *size = sums[1];
  for (int k = 0; k < step->velocity.island_count; k++)
    sums[0] -= step->velocity.islands[k].outside;
  return sums[0];
}

// What islands may gain in sum: at least, or all of it.
static double islands_bound(const rgStep* step, bool whole) {
  double bound = 0;
  for (int k = 0; k < step->velocity.island_count; k++) {
    rgIsland* island = &step->velocity.islands[k];
    bound += whole ? rg_energy_may_gain(step, island) : rg_energy_surely_may_gain(island);
  }
  return bound;
}

double rg_energy_bound(const rgStep* step, double gain) {
  double size, gained = gain_of_bodies(step, &size);
  double bound = (1 + ROUNDING) * step->account.unpaid + ROUNDING * size;
  if (step->account.accounted) {
    bound += fmax(0, step->account.suited) + fmax(0, step->account.rung) +
             fmax(0, gain - step->account.suited - gained);
    double least = bound + islands_bound(step, false);
    return gain <= least ? least : bound + islands_bound(step, true);
  }
  for (int i = 0; i < step->world->body_slots; i++)
    if (is_dynamic(&step->world->bodies[i]))
      bound += truncation(step, i) + step->world->options.tolerance * step->bodies[i].kinetic;
  return bound;
}
