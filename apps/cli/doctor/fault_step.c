// fault_step.c - a step that is too long for how fast things move and turn.
//
// Two bodies that come closer by more than the thickness 2 w of the thinner one in a step are on one side of
// each other at its start and on the other at its end: contacts at neither end see them. Steps look along
// the movement and stop bodies in time, but where they land, slide and bounce in that step is decided by one
// contact instead of many. Measured is how fast bodies approach what they are about to touch, as the run
// shows it; of velocities that the scene gives, also what a body would do to others that do not move along.
// The same holds for the free fall of a first step, g h^2. Whatever it meets, a body that flies through ten
// times the size of the whole scene in a step is driven by something that cannot be meant.
//
// A step turns a body by the angle 2 atan(h w / 2) instead of h w, 2 % less at half a radian, and joints are
// taken at the mean of start and end of a turn, which rounds do not settle beyond about the same angle
// (docs/limits.md): h w < 1/2.
#include "cli/doctor/doctor.h"

#include <math.h>

static const double TURN = 0.5;  // [rad]
static const double SCENES = 10; // sizes of the scene in one step

// [m/s] how fast a body starts against the other that moves along with it least, if it can meet one.
static double start_speed(const CliDoctor* doctor, int index) {
  rgVec3 own = rg_body_velocity(doctor->start, rg_world_body(doctor->start, index)).linear;
  double most = 0;
  if (rg_vec3_norm2(own) == 0)
    return 0;
  for (int i = 0; i < doctor->body_count; ++i) {
    rgBodyId id = rg_world_body(doctor->start, i);
    if (i != index && doctor->builds[i].shapes > 0)
      most = fmax(most, rg_vec3_norm(rg_vec3_sub(own, rg_body_velocity(doctor->start, id).linear)));
  }
  return fmin(most, rg_vec3_norm(own));
}

static bool has_ground(const CliDoctor* doctor) {
  for (int i = 0; i < doctor->body_count; ++i)
    if (doctor->builds[i].shapes > 0 &&
        !cli_doctor_dynamic(doctor, rg_world_body(doctor->start, i)))
      return true;
  return false;
}

static void tell_fast(CliDoctor* doctor, const CliFault* fault, int index, double move, double thin,
                      double time) {
  CliWhere where = cli_where_body(doctor, rg_world_body(doctor->start, index));
  CliFinding* finding = cli_doctor_find(doctor, fault, where, move, 2 * thin, "m");
  cli_doctor_say(
      finding,
      "comes closer to others by %.3g m in one step of %.3g s (at t = %.3g s), %.3g times "
      "the thickness %.3g m of the thinner: they meet within one step, or jump over each "
      "other",
      move, doctor->h, time, move / (2 * thin), 2 * thin);
  cli_doctor_advise(finding,
                    "use a step of %.2g s or less (--step), or --accuracy, which cuts steps "
                    "where it must",
                    doctor->h * thin / move);
}

// [m] Diagonal of the box around all bodies that have an end.
static double scene_size(const CliDoctor* doctor) {
  rgVec3 lower = rg_vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL), upper = rg_vec3_scale(lower, -1);
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBuild* build = &doctor->builds[i];
    if (build->shapes == 0 || !isfinite(build->reach))
      continue;
    const rgVec3 *l = &build->box.lower, *u = &build->box.upper;
    lower = rg_vec3(fmin(lower.x, l->x), fmin(lower.y, l->y), fmin(lower.z, l->z));
    upper = rg_vec3(fmax(upper.x, u->x), fmax(upper.y, u->y), fmax(upper.z, u->z));
  }
  return lower.x <= upper.x ? rg_vec3_norm(rg_vec3_sub(upper, lower)) : HUGE_VAL;
}

static void tell_flight(CliDoctor* doctor, const CliFault* fault, int index, double size) {
  const CliBodyWatch* watch = &doctor->watch.bodies[index];
  CliWhere where = cli_where_body(doctor, rg_world_body(doctor->start, index));
  CliFinding* finding = cli_doctor_find(doctor, fault, where, watch->move, SCENES * size, "m");
  cli_doctor_say(
      finding,
      "flies %.3g m in one step of %.3g s (at t = %.3g s), %.3g times the size %.3g m of the "
      "whole scene",
      watch->move, doctor->h, watch->move_time, watch->move / size, size);
  cli_doctor_advise(finding,
                    "look for what drives it: forces, motors and velocities in other units, "
                    "or use a step of %.2g s (--step)",
                    doctor->h * size / watch->move);
}

static void look_fast(CliDoctor* doctor, const CliFault* fault) {
  double size = scene_size(doctor);
  double fall = has_ground(doctor) ? doctor->g * doctor->h * doctor->h : 0;
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBodyWatch* watch = &doctor->watch.bodies[i];
    double half = doctor->builds[i].half;
    bool dynamic = cli_doctor_dynamic(doctor, rg_world_body(doctor->start, i));
    double start = doctor->h * start_speed(doctor, i) + (dynamic ? fall : 0);
    if (!dynamic && !(start > 0))
      continue; // what moves towards it is told
    if (isfinite(half) && start > 2 * half)
      tell_fast(doctor, fault, i, start, half, 0);
    else if (isfinite(watch->thin) && watch->closing > 2 * watch->thin)
      tell_fast(doctor, fault, i, watch->closing, watch->thin, watch->closing_time);
    else if (watch->move > SCENES * size)
      tell_flight(doctor, fault, i, size);
  }
}

static bool is_isotropic(const rgMat3* J) {
  double scale = J->m[0][0];
  return fabs(J->m[1][1] - scale) < 1e-6 * scale && fabs(J->m[2][2] - scale) < 1e-6 * scale &&
         fabs(J->m[0][1]) + fabs(J->m[0][2]) + fabs(J->m[1][2]) < 1e-6 * scale;
}

static bool is_jointed(const CliDoctor* doctor, rgBodyId id) {
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointState state;
    rg_joint_state(doctor->start, rg_world_joint(doctor->start, i), &state);
    if (rg_body_equal(state.body_a, id) || rg_body_equal(state.body_b, id))
      return true;
  }
  return false;
}

static void look_spin(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->body_count; ++i) {
    rgBodyId id = rg_world_body(doctor->start, i);
    double start = doctor->h * rg_vec3_norm(rg_body_velocity(doctor->start, id).angular),
           turn = fmax(start, doctor->watch.bodies[i].turn);
    rgMassProperties mass = cli_doctor_mass(doctor, id);
    if (!cli_doctor_dynamic(doctor, id) || !(turn > TURN) ||
        (is_isotropic(&mass.inertia) && !is_jointed(doctor, id)))
      continue; // how a ball is turned is seen by nobody
    CliFinding* finding =
        cli_doctor_find(doctor, fault, cli_where_body(doctor, id), turn, TURN, "rad");
    cli_doctor_say(
        finding,
        "turns by %.3g rad (%.3g degrees) in one step of %.3g s at t = %.3g s: its turn lags "
        "by %.2g %%, and joints of what turns more than half a radian lose energy",
        turn, turn * 180 / 3.14159265358979, doctor->h,
        start >= turn ? 0 : doctor->watch.bodies[i].turn_time,
        100 * (1 - 2 * atan(0.5 * turn) / turn));
    cli_doctor_advise(finding, "use a step of %.2g s or less (--step)",
                      0.5 * doctor->h * TURN / turn);
  }
}

static const char* const by_causes[] = {
    "scale",          "overlap",  "inertia",        "unstable-force",       "joint-open", "density",
    "limit-violated", "blows-up", "center-of-mass", "contradictory-joints", NULL};

const CliFault cli_faults_step[] = {
    {.name = "too-fast",
     .severity = CLI_RISKY,
     .summary = "A body moves farther than its own thickness in one step.",
     .explained_by = by_causes,
     .look = look_fast},
    {.name = "spins-too-fast",
     .severity = CLI_RISKY,
     .summary = "A body turns by more than half a radian in one step.",
     .explained_by = by_causes,
     .look = look_spin},
    {0},
};
