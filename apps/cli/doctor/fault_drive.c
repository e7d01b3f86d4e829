// fault_drive.c - motors and servos without authority.
//
// The load. Take a joint away: if one of the two sides is then held by nothing, it is a branch that the
// drive must carry. With the mass M of the branch, its centre c and the joint's point p, gravity pulls along
// a sliding axis x with M g . x, and about a turning one with M (c - p) x g . x, which at the angle phi from
// here is T(phi) = A cos phi + B sin phi, with B the same of the branch turned by a right angle. On the way
// that the drive is to go, up to a limit or once around, it must give the largest of -T, and the dry friction
// and the spring of the axis on top. A motor that turns without limits is carried over the top where its
// kinetic energy at the wanted speed is more than the work 2 sqrt(A^2 + B^2).
//
// A servo of stiffness k that must hold T at its target sags by T / k. More than a radian, or than the
// branch's own size, is no longer holding.
//
// The run must agree: a drive is told only if it gave all that it has in the last steps and is not where it
// should be. Branches that touch others are left alone: grippers and feet press with all they have.
//
// A servo whose target is beyond a limit of its axis presses on it, or on what it meets before: grippers are
// made so, and others by mistake. It is noted.
//
// A motor that is strong enough, but needs longer than the scene's time to reach its speed, is told as well.
#include "cli/doctor/doctor.h"

#include <math.h>
#include <stdlib.h>

static const double SAG = 1;       // [rad], or of the size of the branch
static const double MISSED = 0.1;  // part of the speed by which a motor misses it
static const double BEYOND = 1e-2; // [rad], or of the arm, by which targets may pass limits
static const double ALWAYS = 0.95; // part of the steps
enum { SAMPLES = 64 };

// What a joint carries when it is the only one that holds it.
typedef struct Branch {
  bool found;
  double sign;    // 1: it is on B's side, so that the drive acts on it; -1: on A's
  double mass;    // [kg]
  rgVec3 center;  // [m]
  double size;    // [m] farthest centre from the joint
  double inertia; // [kg m2] about the axis
  bool touches;   // something that is not of it
  bool loose;     // nothing holds either side
} Branch;

// --- the branch ----------------------------------------------------------------------------------------

// Marks all dynamic bodies that hang together with `from` without the joint. Returns whether they hang
// on something that does not move.
static bool spread(const CliDoctor* doctor, int without, rgBodyId from, bool* in) {
  if (!cli_doctor_dynamic(doctor, from))
    return true;
  bool held = false;
  in[from.index] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (int i = 0; i < doctor->joint_count; ++i) {
      rgJointState state;
      if (i == without ||
          rg_joint_state(doctor->start, rg_world_joint(doctor->start, i), &state) != RG_OK)
        continue;
      bool a = cli_doctor_dynamic(doctor, state.body_a) && in[state.body_a.index],
           b = cli_doctor_dynamic(doctor, state.body_b) && in[state.body_b.index];
      if (a == b)
        continue;
      rgBodyId other = a ? state.body_b : state.body_a;
      if (!cli_doctor_dynamic(doctor, other)) {
        held = true;
        continue;
      }
      in[other.index] = true;
      grown = true;
    }
  }
  return held;
}

static bool touches_others(const CliDoctor* doctor, const rgWorld* world, const bool* in) {
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    rg_world_contact(world, i, &contact);
    double half =
        fmin(doctor->builds[contact.body_a.index].half, doctor->builds[contact.body_b.index].half);
    if (in[contact.body_a.index] != in[contact.body_b.index] && contact.gap < 1e-2 * half)
      return true;
  }
  return false;
}

static void weigh(const CliDoctor* doctor, const rgJointState* state, rgVec3 x, const bool* in,
                  Branch* branch) {
  rgVec3 sum = rg_vec3_zero();
  for (int i = 0; i < doctor->body_count; ++i) {
    if (!in[i])
      continue;
    rgBodyId id = rg_world_body(doctor->start, i);
    double mass = cli_doctor_mass(doctor, id).mass;
    rgVec3 center = rg_body_center(doctor->start, id),
           arm = rg_vec3_sub(center, state->frame_a.position);
    double spin = cli_doctor_spin_compliance(doctor, id, x);
    branch->mass += mass;
    sum = rg_vec3_axpy(sum, mass, center);
    branch->size = fmax(branch->size, rg_vec3_norm(arm));
    branch->inertia += mass * rg_vec3_norm2(rg_vec3_cross(arm, x)) + (spin > 0 ? 1 / spin : 0);
  }
  branch->center = rg_vec3_scale(sum, 1 / branch->mass);
}

static Branch find_branch(CliDoctor* doctor, int joint, const rgJointState* state, rgVec3 x) {
  Branch branch = {0};
  size_t count = (size_t)doctor->body_count + 1;
  bool *b = calloc(count, sizeof *b), *a = calloc(count, sizeof *a);
  if (a && b) {
    bool held_b = spread(doctor, joint, state->body_b, b),
         held_a = spread(doctor, joint, state->body_a, a);
    bool loop = cli_doctor_dynamic(doctor, state->body_a) && b[state->body_a.index];
    branch.found = !loop && held_a != held_b;
    // A robot that nothing holds falls as a whole: its joints carry nothing until it lands.
    branch.loose = !held_a && !held_b;
    branch.sign = held_a ? 1 : -1;
    const bool* in = held_a || loop ? b : a;
    if (branch.found)
      weigh(doctor, state, x, in, &branch);
    branch.touches =
        touches_others(doctor, doctor->start, in) || touches_others(doctor, doctor->world, in);
  } else {
    doctor->out_of_memory = true;
  }
  free(a);
  free(b);
  return branch;
}

// --- the load ------------------------------------------------------------------------------------------

// What gravity gives along the axis, to B, at a distance from the present coordinate.
static double gravity_at(const CliDoctor* doctor, const Branch* branch, const rgJointState* state,
                         rgVec3 x, bool angle, double away) {
  rgVec3 g = rg_vec3_scale(doctor->options.gravity, branch->mass * branch->sign);
  if (!angle)
    return rg_vec3_dot(g, x);
  rgVec3 arm = rg_vec3_sub(branch->center, state->frame_a.position);
  double along = rg_vec3_dot(arm, x), turn = branch->sign * away;
  rgVec3 across = rg_vec3_axpy(arm, -along, x), turned = rg_vec3_cross(x, across);
  rgVec3 now = rg_vec3_axpy(rg_vec3_scale(across, cos(turn)), sin(turn), turned);
  double advance =
      state->kind == RG_JOINT_SCREW ? state->parameters[0] / (2 * 3.14159265358979) : 0;
  return rg_vec3_dot(rg_vec3_cross(now, g), x) + advance * rg_vec3_dot(g, x);
}

// The largest force against a drive in the direction `way` (0: holding) from the present coordinate on.
static double load_on_way(const CliDoctor* doctor, const Branch* branch, const rgJointState* state,
                          const rgJointAxis* values, int axis, rgVec3 x, double way) {
  bool angle = rg_joint_axis_is_angle(state->kind, axis);
  double q = state->coordinate[axis];
  if (way == 0)
    return fabs(gravity_at(doctor, branch, state, x, angle, 0) -
                values->stiffness * (q - values->rest));
  double limit = way > 0 ? values->upper : values->lower, range = isfinite(limit)
                                                                      ? fmax(way * (limit - q), 0)
                                                                  : angle ? 2 * 3.14159265358979
                                                                          : 0;
  double worst = -HUGE_VAL;
  for (int i = 0; i <= SAMPLES; ++i) {
    double away = way * range * i / SAMPLES;
    double force = gravity_at(doctor, branch, state, x, angle, away) -
                   values->stiffness * (q + away - values->rest);
    worst = fmax(worst, -way * force);
  }
  double top = 0; // [J] of kinetic energy that carries a motor without limits around
  for (int i = 0; i < 4 && angle; ++i)
    top = fmax(top, 2 * fabs(gravity_at(doctor, branch, state, x, angle, i * 0.785398)));
  bool carried = angle && !isfinite(limit) && values->stiffness == 0 &&
                 0.5 * branch->inertia * values->motor_speed * values->motor_speed > top;
  return (carried ? 0 : fmax(worst, 0)) + values->friction;
}

// --- what is told --------------------------------------------------------------------------------------

typedef struct Axis {
  int joint, axis;
  rgJointState start, end;
  rgJointAxis values;
  const CliAxisWatch* watch;
  bool angle;
  rgVec3 x; // in the world, at the start
} Axis;

static const char* force_unit(const Axis* axis) { return axis->angle ? "N m" : "N"; }

static CliFinding* find(CliDoctor* doctor, const CliFault* fault, const Axis* axis, double needed,
                        double bound) {
  return cli_doctor_find(doctor, fault, cli_where_joint(doctor, axis->joint), needed, bound,
                         force_unit(axis));
}

static void judge_motor(CliDoctor* doctor, const CliFault* fault, const Axis* axis,
                        const Branch* branch) {
  const rgJointAxis* values = &axis->values;
  double speed = values->motor_speed, rate = axis->end.rate[axis->axis],
         bound = values->motor_force;
  const char* unit = axis->angle ? "rad/s" : "m/s";
  double way = speed > 0 ? 1 : speed < 0 ? -1 : 0;
  double missed = fabs(speed - rate),
         scale = fmax(fabs(speed), axis->angle ? 0.01 : 0.01 * branch->size);
  bool full = fabs(axis->watch->drive) >= 0.999 * bound;
  if (!full || missed < MISSED * scale)
    return;
  double load = branch->found
                    ? load_on_way(doctor, branch, &axis->start, values, axis->axis, axis->x, way)
                    : 0;
  if (branch->found && load > bound) {
    CliFinding* finding = find(doctor, fault, axis, load, bound);
    cli_doctor_say(
        finding,
        "the motor gives at most %.3g %s, but needs up to %.3g %s against gravity, friction "
        "and springs: after %.3g s it runs at %.3g %s instead of %.3g",
        bound, force_unit(axis), load, force_unit(axis), doctor->watch.duration, rate, unit, speed);
    cli_doctor_advise(finding,
                      "give it \"motor_force\": %.2g or more, or take weight off the branch",
                      1.5 * load);
    return;
  }
  // How long it takes at the rate of the run.
  double done = fabs(speed - axis->watch->start_rate) - missed,
         reach = done > 0 ? doctor->watch.duration * (1 + missed / done) : HUGE_VAL;
  if (axis->watch->full < ALWAYS * (double)doctor->watch.steps || reach < doctor->time)
    return;
  CliFinding* finding = find(doctor, fault, axis, reach, doctor->time);
  finding->unit = "s";
  cli_doctor_say(
      finding,
      "the motor gives its %.3g %s all the time and is at %.3g %s after %.3g s: it does not "
      "reach %.3g %s within the %.3g s of the scene",
      bound, force_unit(axis), rate, unit, doctor->watch.duration, speed, unit, doctor->time);
  cli_doctor_advise(finding, "give it \"motor_force\": %.2g or more, or a lower \"motor_speed\"",
                    bound * fmin(fmax(2 * reach / doctor->time, 2), 1000));
}

static void judge_servo(CliDoctor* doctor, const CliFault* fault, const Axis* axis,
                        const Branch* branch) {
  const rgJointAxis* values = &axis->values;
  double q = axis->end.coordinate[axis->axis], away = values->servo_target - q;
  if (!branch->found || values->servo_stiffness == 0)
    return;
  double from = values->servo_target - axis->start.coordinate[axis->axis];
  double load = fabs(gravity_at(doctor, branch, &axis->start, axis->x, axis->angle, from) -
                     values->stiffness * (values->servo_target - values->rest)) -
                values->friction;
  double sag = load / values->servo_stiffness, most = axis->angle ? SAG : SAG * branch->size;
  bool weak = load > values->servo_force, soft = sag > most;
  if ((!weak && !soft) || fabs(away) < 0.5 * fmin(sag, most))
    return;
  const char* unit = axis->angle ? "rad" : "m";
  CliFinding* finding =
      find(doctor, fault, axis, weak ? load : sag, weak ? values->servo_force : most);
  finding->unit = weak ? force_unit(axis) : unit;
  if (weak) {
    cli_doctor_say(
        finding,
        "the servo gives at most %.3g %s, but holding its target %.3g %s against gravity "
        "takes %.3g %s; after %.3g s it is at %.3g %s",
        values->servo_force, force_unit(axis), values->servo_target, unit, load, force_unit(axis),
        doctor->watch.duration, q, unit);
    cli_doctor_advise(finding, "give it \"servo_force\": %.2g or more", 1.5 * load);
  } else {
    cli_doctor_say(
        finding,
        "the servo is too soft: gravity takes %.3g %s at its target %.3g %s, and with its "
        "stiffness of %.3g it sags by %.3g %s; after %.3g s it is at %.3g %s",
        load, force_unit(axis), values->servo_target, unit, values->servo_stiffness, sag, unit,
        doctor->watch.duration, q, unit);
    cli_doctor_advise(finding, "give it \"servo_stiffness\": %.2g or more", 20 * load / most);
  }
}

// The direction of a free axis in the world; false where it is not a line of the joint's frames.
static bool axis_line(const rgJointState* state, int axis, rgVec3* x) {
  if (state->kind == RG_JOINT_UNIVERSAL && axis == 1) {
    *x = rg_quat_rotate(state->frame_b.orientation, rg_vec3(0, 1, 0));
    return true;
  }
  bool along_x = state->kind == RG_JOINT_HINGE || state->kind == RG_JOINT_SLIDER ||
                 state->kind == RG_JOINT_CYLINDRICAL || state->kind == RG_JOINT_SCREW ||
                 state->kind == RG_JOINT_UNIVERSAL;
  *x = rg_quat_rotate(state->frame_a.orientation, rg_vec3(1, 0, 0));
  return along_x;
}

static void look_target(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointId id = rg_world_joint(doctor->start, i);
    rgJointState state;
    rgJointAxis values;
    for (int k = 0; rg_joint_state(doctor->start, id, &state) == RG_OK && k < state.axis_count;
         ++k) {
      if (rg_joint_axis(doctor->start, id, k, &values) != RG_OK || !values.servo ||
          values.servo_stiffness == 0 || values.lower == values.upper)
        continue;
      bool angle = rg_joint_axis_is_angle(state.kind, k);
      double target = values.servo_target,
             beyond = fmax(values.lower - target, target - values.upper),
             allowed = BEYOND * (angle ? 1 : cli_doctor_arm(doctor, &state));
      if (!(beyond > allowed))
        continue;
      const char* unit = angle ? "rad" : "m";
      CliFinding* finding =
          cli_doctor_find(doctor, fault, cli_where_joint(doctor, i), beyond, allowed, unit);
      cli_doctor_say(
          finding,
          "the servo is to go to %.4g %s, %.3g %s beyond the limit %.4g of its axis: it will "
          "press on the limit for ever",
          target, unit, beyond, unit, target > values.upper ? values.upper : values.lower);
      cli_doctor_advise(finding,
                        "give it a \"servo_target\" between %.4g and %.4g, or widen the limits",
                        values.lower, values.upper);
    }
  }
}

static void look_drive(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->joint_count && !doctor->watch.failed; ++i) {
    rgJointId id = rg_world_joint(doctor->start, i);
    Axis axis = {.joint = i};
    if (rg_joint_state(doctor->start, id, &axis.start) != RG_OK ||
        rg_joint_state(doctor->world, id, &axis.end) != RG_OK)
      continue;
    for (int k = 0; k < axis.start.axis_count; ++k) {
      axis.axis = k;
      axis.angle = rg_joint_axis_is_angle(axis.start.kind, k);
      axis.watch = &doctor->watch.axes[i * RG_JOINT_AXIS_MAX + k];
      if (rg_joint_axis(doctor->start, id, k, &axis.values) != RG_OK ||
          axis.values.motor == axis.values.servo || !axis_line(&axis.start, k, &axis.x))
        continue;
      Branch branch = find_branch(doctor, i, &axis.start, axis.x);
      if (branch.touches || branch.loose)
        continue;
      if (axis.values.motor)
        judge_motor(doctor, fault, &axis, &branch);
      else
        judge_servo(doctor, fault, &axis, &branch);
    }
  }
}

static const char* const by_others[] = {
    "contradictory-joints", "limit-violated", "overlap", "inertia", "scale", "density", NULL};

static const char* const by_limits[] = {"limit-violated", NULL};

const CliFault cli_faults_drive[] = {
    {.name = "weak-drive",
     .severity = CLI_RISKY,
     .summary = "A motor or servo cannot do what it is told.",
     .explained_by = by_others,
     .look = look_drive},
    {.name = "out-of-reach",
     .severity = CLI_NOTE,
     .summary = "The target of a servo is beyond a limit of its axis.",
     .explained_by = by_limits,
     .look = look_target},
    {0},
};
