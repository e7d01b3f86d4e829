// pay.c - energy that a step has made from nothing is taken out of the kinetic energy.
//
// What an island has gained beyond what it may (energy.c) is taken from it by making velocities
// smaller by one factor, under which joints and contacts that hold go on to do so: no step gains more,
// whatever a solve has missed, as long as there is kinetic energy to take. Where something that does
// not move freely takes part, all velocities are made smaller; in an island that flies only what they
// differ by from those of a rigid body with the same momentum and angular momentum, which both stay.
//
// Lift. The projection moves bodies by d and changes no velocity, which adds the work -F . d against
// the weights. Overlaps come from movement along the tangent, of second order in h, and from
// solves that missed: the velocity is then that of a body lower than it is put, too large by just this
// work. It belongs to the gain of the island. Bodies that are left without kinetic energy are lifted
// from nothing; in a right step by no more than
//
//     |F| |h v~| + sum F_i sum (tolerance_j + error),
//
// norms being those of M^-1 and M: d is the smallest displacement that opens contacts and closes
// joints, and the way back to the start of the step does so, but for the tolerance and the error
// that was there, which add up through what carries what. Here 1/2 |v~|^2 is at most the larger E of the
// kinetic energies at both ends. With S, the energy at the start, what comes from outside and what the
// step may gain (energy.c), and the work h F . v~ <= 2 sqrt(Q E), Q = 1/2 |h F|^2, of the weights, a right
// step has E <= S + 2 sqrt(Q E), so that
//
//     E <= (sqrt(Q) + sqrt(Q + S))^2.
//
// One that has more has made it from nothing, and is not lifted on its account. A projection that lifts more, because its
// problem has no solution, or a near one that the solve has not found, is cut: the room of a group is
// what it can pay and this much, less what it owes, and corrections are made up to the part for which
// all groups that they lift have room. What is left is an error of position that the next steps see.
//
// A group that flies and owes more than the energy of its movement within itself has not kept its
// angular momentum, which the laws of contacts keep up to first order in h only: then it is the
// movement of its bodies against the common centre that pays.
#include "step/energy/energy.h"

#include "step/sum.h"

// Rounding of the energy after velocities were changed, as a part of it.
static const double ROUNDING = 1e-13;

// Bodies that owe energy together.
typedef struct Group {
  const int* slots;
  int count;
  bool flies;
  rgIsland* island; // of their velocity problem; NULL when they are in none
} Group;

// What is taken from them.
typedef struct Debt {
  double taken, kinetic, start; // [J] to be taken, of what there is and of what there was
  double weight, tolerance;     // [N] sum of weights; [m] sum of the tolerances of the projection
  double force2;                // [N2/kg] |F|^2
  double supply;                // [J] S
} Debt;

// [m] Of its shapes; of a body that has none, by its inertia.
static double size_of(const rgBody* body) {
  rgVec3 moments = body->principal;
  if (body->massless)
    return body->extent;
  return fmax(body->extent, sqrt((moments.x + moments.y + moments.z) / body->mass));
}

// The parts of the bodies of a group, in the order of debt_of.
enum { DEBT_TERMS = 7 };
static void write_debts(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  const Group* group = context;
  double g = v3_norm(step->world->options.gravity);
  for (int i = first; i < end; i++, terms += DEBT_TERMS) {
    const rgBody* body = &step->world->bodies[group->slots[i]];
    const rgBodyStep* scratch = &step->bodies[group->slots[i]];
    terms[0] = scratch->lift;
    terms[1] = rg_energy_of_body(body);
    terms[2] = scratch->kinetic;
    terms[3] = scratch->kinetic + fmax(0, scratch->work);
    terms[4] = body->mass * g;
    terms[5] = body->mass * g * g;
    terms[6] =
        step->world->options.projection_tolerance * size_of(body) + step->account.start_error;
  }
}

// `may_gain`: of its island, where it is in one.
static Debt debt_of(const rgStep* step, const Group* group, double may_gain) {
  double sums[DEBT_TERMS] = {0};
  rg_step_sum(step, group->count, DEBT_TERMS, write_debts, group, sums);
  Debt debt = {.taken = sums[0],
               .kinetic = sums[1],
               .start = sums[2],
               .supply = sums[3],
               .weight = sums[4],
               .force2 = sums[5],
               .tolerance = sums[6]};
  if (!group->island)
    return debt;
  debt.kinetic += rg_energy_of_rotors(step, group->island);
  debt.kinetic += rg_energy_of_stand_ins(step, group->island);
  debt.supply += may_gain + fmax(0, group->island->outside);
  return debt;
}

// -------------------------------------------------------------------------------------------------
// The rigid body with the momentum of a group
// -------------------------------------------------------------------------------------------------

typedef struct Rigid {
  rgVec3 center;
  rgTwist velocity;
  double kinetic; // [J]
} Rigid;

static void find_center(const rgStep* step, const Group* group, Rigid* out, double* mass) {
  rgVec3 place = v3_zero(), momentum = v3_zero();
  *mass = 0;
  for (int i = 0; i < group->count; i++) {
    const rgBody* body = &step->world->bodies[group->slots[i]];
    place = v3_axpy(place, body->mass, body->position);
    momentum = v3_axpy(momentum, body->mass, body->velocity.linear);
    *mass += body->mass;
  }
  if (*mass == 0) // of massless bodies alone, which have nothing to pay with
    return;
  out->center = v3_scale(place, 1 / *mass);
  out->velocity.linear = v3_scale(momentum, 1 / *mass);
}

// The movement that a group keeps whatever it pays. Of one that is held, that of the ground.
static Rigid rigid_of(const rgStep* step, const Group* group) {
  Rigid out = {.center = v3_zero()};
  double mass;
  bool locked = false;
  if (!group->flies)
    return out;
  find_center(step, group, &out, &mass);
  if (mass == 0)
    return out;
  rgVec3 momentum = v3_zero();
  rgMat3 inertia = m3_zero();
  for (int i = 0; i < group->count; i++) {
    const rgBody* body = &step->world->bodies[group->slots[i]];
    rgVec3 arm = v3_sub(body->position, out.center);
    rgVec3 speed = v3_sub(body->velocity.linear, out.velocity.linear);
    momentum = v3_add(momentum, rg_body_angular_momentum(body));
    momentum = v3_axpy(momentum, body->mass, v3_cross(arm, speed));
    rgMat3 axes = m3_from_quat(quat_mul(body->orientation, body->principal_axes));
    rgMat3 own = m3_congruence(&axes, body->principal), skew = m3_skew(arm);
    rgMat3 square = m3_mul(&skew, &skew);
    square = m3_scale(&square, -body->mass);
    inertia = m3_add(&inertia, &own);
    inertia = m3_add(&inertia, &square);
    locked = locked || body->rotation_locked;
  }
  if (!locked) {
    rgMat3 inverse = m3_inverse(&inertia);
    out.velocity.angular = m3_apply(&inverse, momentum);
  }
  out.kinetic = 0.5 * mass * v3_norm2(out.velocity.linear) +
                (locked ? 0 : 0.5 * v3_dot(momentum, out.velocity.angular));
  return out;
}

static void stop_turning(const rgStep* step, const Group* group, Rigid* rigid) {
  double mass = 0;
  for (int i = 0; i < group->count; i++)
    mass += step->world->bodies[group->slots[i]].mass;
  rigid->velocity.angular = v3_zero();
  rigid->kinetic = group->flies ? 0.5 * mass * v3_norm2(rigid->velocity.linear) : 0;
}

// -------------------------------------------------------------------------------------------------
// Paying
// -------------------------------------------------------------------------------------------------

static rgVec3 between(rgVec3 from, rgVec3 to, double part) {
  return v3_axpy(from, part, v3_sub(to, from));
}

static void slow_down(rgStep* step, const Group* group, const Rigid* rigid, double part) {
  for (int i = 0; i < group->count; i++) {
    rgBody* body = &step->world->bodies[group->slots[i]];
    rgTwist still = rigid->velocity;
    if (group->flies)
      still.linear = v3_add(
          still.linear, v3_cross(rigid->velocity.angular, v3_sub(body->position, rigid->center)));
    body->velocity.linear = between(still.linear, body->velocity.linear, part);
    body->velocity.angular = between(still.angular, body->velocity.angular, part);
  }
  if (!group->island)
    return;
  double rotors = rg_energy_of_rotors(step, group->island);
  rg_energy_slow_rotors(step, group->island, part);
  step->account.rotors_paid += rotors - rg_energy_of_rotors(step, group->island);
}

static double payable_of(const rgStep* step, const Debt* debt, const Rigid* rigid) {
  return step->account.massless ? 0 : fmax(0, debt->kinetic - rigid->kinetic);
}

// The most that a right projection lifts, see above. Without inertia velocities hold no energy, and
// nothing is known of them but what they are.
static double right_lift(const rgStep* step, const Debt* debt) {
  double fall = 0.5 * step->h * step->h * debt->force2;
  double root = sqrt(fall) + sqrt(fall + debt->supply);
  double energy = fmax(debt->start, debt->kinetic);
  if (!step->account.massless)
    energy = fmin(energy, root * root);
  double way = step->h * sqrt(2 * energy);
  return sqrt(debt->force2) * way + debt->weight * debt->tolerance;
}

// What cannot be taken adds to the bound of the step, as far as a right projection lifts.
static void pay(rgStep* step, const Group* group, const Debt* debt) {
  Rigid rigid = rigid_of(step, group);
  if (debt->taken > payable_of(step, debt, &rigid))
    stop_turning(step, group, &rigid);
  double payable = payable_of(step, debt, &rigid), part = 0;
  if (debt->taken < payable)
    part = sqrt(1 - debt->taken / payable);
  else
    step->account.unpaid += fmin(debt->taken - payable, right_lift(step, debt));
  if (step->account.massless)
    return;
  slow_down(step, group, &rigid, part);
  step->account.slowed = true;
}

static Group group_of(const rgStep* step, rgIsland* island) {
  return (Group){&step->velocity.body_order[island->body_start], island->body_count,
                 !island->grounded, island};
}

static void write_lifts(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  const Group* group = context;
  for (int i = first; i < end; i++)
    terms[i - first] = step->bodies[group->slots[i]].lift;
}

// What an island owes that may gain `allowed`, with what it was lifted.
static double owed_beyond(const rgStep* step, const Group* group, double allowed) {
  double owed = group->island->gain - allowed;
  if (step->account.lifted)
    rg_step_sum(step, group->count, 1, write_lifts, group, &owed);
  return owed;
}

static bool pay_of_island(rgStep* step, rgIsland* island) {
  Group group = group_of(step, island);
  if (!(owed_beyond(step, &group, rg_energy_surely_may_gain(island)) > 0))
    return false;
  double may_gain = rg_energy_may_gain(step, island), owed = owed_beyond(step, &group, may_gain);
  if (!(owed > 0))
    return false;
  Debt debt = debt_of(step, &group, may_gain);
  debt.taken = owed;
  pay(step, &group, &debt);
  return true;
}

static bool is_alone(const rgStep* step, int slot) {
  return step->world->bodies[slot].alive && step->bodies[slot].island < 0;
}

static bool owe_alone(void* context, int first, int end) {
  const rgStep* step = context;
  for (int i = first; i < end; i++)
    if (is_alone(step, i) && step->bodies[i].lift > 0)
      return true;
  return false;
}

// Bodies in no island owe what they were lifted.
static bool pay_of_body(rgStep* step, int slot) {
  Group group = {&slot, 1, false, NULL};
  if (!(step->bodies[slot].lift > 0))
    return false;
  Debt debt = debt_of(step, &group, 0);
  pay(step, &group, &debt);
  return true;
}

// A stepper whose islands change within the step: all bodies together owe what the world has gained.
static bool pay_of_world(rgStep* step, double gain) {
  const rgWorld* world = step->world;
  double bound = rg_energy_bound(step, gain), owed = gain - bound;
  if (!(owed > 0))
    return false;
  Group group = {step->slots, 0, false, NULL};
  for (int i = 0; i < world->body_slots; i++)
    if (world->bodies[i].alive && world->bodies[i].kind == RG_BODY_DYNAMIC)
      step->slots[group.count++] = i;
  Debt debt = debt_of(step, &group, 0);
  debt.taken = owed + ROUNDING * debt.kinetic;
  debt.supply += bound + fmax(0, step->work);
  pay(step, &group, &debt);
  return true;
}

bool rg_energy_pay(rgStep* step, double gain) {
  const rgWorld* world = step->world;
  bool any = false;
  if (!step->account.accounted)
    return pay_of_world(step, gain);
  if (step->account.paid) // what islands have gained is known from before
    return false;
  step->account.paid = true;
  bool owes = step->account.lifted &&
              rg_tasks_any(world->threads.tasks, world->body_slots, owe_alone, step);
  for (int i = 0; i < world->body_slots && owes; i++)
    if (is_alone(step, i))
      any = pay_of_body(step, i) || any;
  for (int k = 0; k < step->velocity.island_count; k++)
    any = pay_of_island(step, &step->velocity.islands[k]) || any;
  return any;
}

// -------------------------------------------------------------------------------------------------
// Room for what the projection lifts
// -------------------------------------------------------------------------------------------------

double rg_energy_payable(const rgStep* step, rgIsland* island) {
  Group group = group_of(step, island);
  Debt debt = debt_of(step, &group, 0); // which its supply does not enter
  Rigid rigid = rigid_of(step, &group);
  return payable_of(step, &debt, &rigid);
}

// The more an island may gain, the more room there is.
static double room_of(const rgStep* step, const Group* group, double may_gain) {
  Debt debt = debt_of(step, group, may_gain);
  Rigid rigid = rigid_of(step, group);
  double owed = group->island ? group->island->gain - may_gain : 0;
  return payable_of(step, &debt, &rigid) + right_lift(step, &debt) - owed - debt.taken;
}

// The island of a body, with its room known, or less; NULL for a body that is in none.
static rgIsland* island_with_room(rgStep* step, int slot) {
  int k = step->bodies[slot].island;
  if (k < 0)
    return NULL;
  rgIsland* island = &step->velocity.islands[k];
  if (!island->room_known) {
    Group group = group_of(step, island);
    island->room = room_of(step, &group, rg_energy_surely_may_gain(island));
    island->room_known = true;
    island->asked = 0;
  }
  return island;
}

// All of the room of an island, where it is asked for more than it surely has. What was lifted before is known of
// its bodies.
static void find_whole_room(rgStep* step, rgIsland* island) {
  if (island->asked <= island->room || island->may_gain.rows_known)
    return;
  Group group = group_of(step, island);
  island->room = room_of(step, &group, rg_energy_may_gain(step, island));
}

// The part of `asked` that there is room for.
static double part_within(double asked, double room) {
  return asked <= room ? 1 : fmax(0, room) / asked;
}

double rg_energy_lift_part(rgStep* step, const int* slots, int count) {
  double part = 1;
  for (int i = 0; i < count; i++) {
    double asked = step->bodies[slots[i]].asked;
    rgIsland* island = island_with_room(step, slots[i]);
    if (island)
      island->asked += asked;
    Group alone = {&slots[i], 1, false, NULL};
    if (!island && asked > 0)
      part = fmin(part, part_within(asked, room_of(step, &alone, 0)));
  }
  for (int i = 0; i < count; i++) {
    rgIsland* island = island_with_room(step, slots[i]);
    if (!island || !(island->asked > 0))
      continue;
    find_whole_room(step, island);
    part = fmin(part, part_within(island->asked, island->room));
  }
  return part;
}

void rg_energy_charge_lift(rgStep* step, const int* slots, int count, double part) {
  step->account.lifted = true;
  for (int i = 0; i < count; i++) {
    rgBodyStep* body = &step->bodies[slots[i]];
    rgIsland* island = island_with_room(step, slots[i]);
    body->lift += part * body->asked;
    if (!island)
      continue;
    island->room -= part * body->asked;
    island->asked = 0;
  }
}
