// doctor_watch.c - the brief run: what moves how far in a step, what misses, what drives give, time.
//
// How brief: two seconds of the scene are enough for what stands to show that it does and for what falls
// to land; at least 100 steps, because a long step needs as many to show its errors as a short one, and at
// most 500. None of this depends on a clock, so that the findings do not; a run that takes longer than
// CPU_LIMIT is cut and the report says so.
#include "cli/doctor/doctor.h"
#include "cli/run/plan.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"

#include <math.h>
#include <stdlib.h>

static const double BRIEF = 2;      // [s] simulated
static const double CPU_LIMIT = 30; // [s]
static const double FULL = 0.999;   // of a drive's bound: it gives all it has
enum { STEPS_LEAST = 100, STEPS_MOST = 500 };

// What each step needs room for.
typedef struct Room {
  rgTwist* velocities;
  int* islands;
  rgJointLoad* loads;
} Room;

static int64_t plan_steps(const CliDoctor* doctor, double duration) {
  double whole = cli_steps_between(0, doctor->time, doctor->h);
  if (duration >= 0)
    return (int64_t)fmin(cli_steps_between(0, duration, doctor->h), 1e15);
  double brief = fmin(fmax(ceil(BRIEF / doctor->h), STEPS_LEAST), STEPS_MOST);
  return (int64_t)fmax(fmin(whole, brief), 1);
}

static void note_bodies(CliDoctor* doctor, const Room* room, double time) {
  int count = rg_world_velocities(doctor->world, room->velocities, doctor->body_count);
  for (int i = 0; i < count && i < doctor->body_count; ++i) {
    CliBodyWatch* body = &doctor->watch.bodies[i];
    double move = doctor->h * rg_vec3_norm(room->velocities[i].linear),
           turn = doctor->h * rg_vec3_norm(room->velocities[i].angular);
    if (move > body->move) {
      body->move = move;
      body->move_time = time;
    }
    if (turn > body->turn) {
      body->turn = turn;
      body->turn_time = time;
    }
  }
}

static rgVec3 velocity_at(const CliDoctor* doctor, const Room* room, rgBodyId body, rgVec3 point) {
  const rgTwist* v = &room->velocities[body.index];
  rgVec3 arm = rg_vec3_sub(point, rg_body_center(doctor->world, body));
  return rg_vec3_add(v->linear, rg_vec3_cross(v->angular, arm));
}

// How fast bodies come closer to what they are about to touch: contacts are sought as far ahead as the
// bodies move in a step.
static void note_contacts(CliDoctor* doctor, const Room* room, double time) {
  for (int i = 0; i < rg_world_contact_count(doctor->world); ++i) {
    rgContact contact;
    rg_world_contact(doctor->world, i, &contact);
    rgVec3 v = rg_vec3_sub(velocity_at(doctor, room, contact.body_a, contact.point),
                           velocity_at(doctor, room, contact.body_b, contact.point));
    double closing = -doctor->h * rg_vec3_dot(v, contact.normal);
    const rgBodyId bodies[] = {contact.body_a, contact.body_b};
    double thin =
        fmin(doctor->builds[contact.body_a.index].half, doctor->builds[contact.body_b.index].half);
    for (int k = 0; k < 2; ++k) {
      CliBodyWatch* body = &doctor->watch.bodies[bodies[k].index];
      if (body->closing > 0 && closing / thin <= body->closing / body->thin)
        continue;
      body->closing = closing;
      body->thin = thin;
      body->closing_time = time;
    }
  }
}

static void note_axis(CliDoctor* doctor, int joint, int axis, const rgJointLoad* load) {
  CliAxisWatch* watch = &doctor->watch.axes[joint * RG_JOINT_AXIS_MAX + axis];
  rgJointId id = rg_world_joint(doctor->world, joint);
  rgJointAxis values;
  if (rg_joint_axis(doctor->world, id, axis, &values) != RG_OK || !(values.motor || values.servo))
    return;
  double bound = (values.motor ? values.motor_force : 0) + (values.servo ? values.servo_force : 0);
  watch->drive = load->drive[axis];
  watch->full += fabs(load->drive[axis]) >= FULL * bound;
  if (doctor->watch.steps == 1) {
    rgJointState state;
    rg_joint_state(doctor->start, id, &state);
    watch->start_rate = state.rate[axis];
  }
}

static void note_joints(CliDoctor* doctor, const Room* room) {
  if (!rg_world_has_loads(doctor->world))
    return;
  int count = rg_world_joint_loads(doctor->world, room->loads, doctor->joint_count);
  for (int i = 0; i < count && i < doctor->joint_count; ++i)
    for (int axis = 0; axis < room->loads[i].axis_count; ++axis)
      note_axis(doctor, i, axis, &room->loads[i]);
}

// The island of a body as its first body keeps it.
static void note_island(CliDoctor* doctor, int island, CliBodyWatch* first) {
  rgSolveReport report;
  rgProblem problem;
  if (rg_world_island_report(doctor->world, island, &report) != RG_OK)
    return;
  bool plain = rg_world_island_is_plain(doctor->world, island);
  bool above = !(report.certificate.residual <= doctor->options.tolerance);
  first->plain_steps += plain;
  first->island_steps += above;
  bool worse = above && !(report.certificate.residual <= first->worst.certificate.residual);
  if (!worse && first->worst.solver)
    return;
  if (!above && !plain)
    return;
  rg_world_island(doctor->world, island, &problem, NULL, NULL);
  first->worst = report;
  first->bodies = problem.body_count;
  first->contacts = problem.contact_count;
  first->rows = problem.row_count;
}

static void note_islands(CliDoctor* doctor, const Room* room) {
  int count = rg_world_body_islands(doctor->world, room->islands, doctor->body_count), seen = -1;
  // Islands are numbered by their first body: a number that was not seen belongs to a first one.
  for (int i = 0; i < count && i < doctor->body_count; ++i)
    if (room->islands[i] > seen) {
      seen = room->islands[i];
      note_island(doctor, seen, &doctor->watch.bodies[i]);
    }
}

static void note_step(CliDoctor* doctor, const Room* room, const rgCertificate* certificate) {
  CliWatch* watch = &doctor->watch;
  watch->steps++;
  watch->duration = rg_world_time(doctor->world);
  rg_certificate_worst(&watch->worst, certificate);
  note_bodies(doctor, room, watch->duration);
  note_contacts(doctor, room, watch->duration);
  note_joints(doctor, room);
  if (watch->steps == 1)
    cli_doctor_note_loops(doctor);
  if (certificate->met)
    return;
  watch->not_met++;
  note_islands(doctor, room);
}

static void make_steps(CliDoctor* doctor, const Room* room, bool cut) {
  CliWatch* watch = &doctor->watch;
  double begun = cli_cpu_clock();
  rg_world_set_clock(doctor->world, cli_wall_clock);
  while (watch->steps < watch->planned && !watch->failed && !watch->cut && !watch->interrupted) {
    rgCertificate certificate;
    rgStatus status = rg_world_step(doctor->world, &certificate);
    watch->interrupted = cli_interrupted() || status == RG_CANCELLED;
    watch->failed = status != RG_OK && !watch->interrupted;
    if (watch->failed)
      snprintf(watch->reason.text, sizeof watch->reason.text, "%s",
               rg_world_message(doctor->world));
    if (status == RG_OK)
      note_step(doctor, room, &certificate);
    watch->cpu = cli_cpu_clock() - begun;
    watch->cut = cut && watch->cpu > CPU_LIMIT;
  }
  for (int i = 0; i < RG_PHASE_COUNT; ++i)
    watch->phases[i] = rg_world_phase_time(doctor->world, (rgPhase)i);
}

void cli_doctor_watch(CliDoctor* doctor, double duration) {
  CliWatch* watch = &doctor->watch;
  watch->planned = plan_steps(doctor, duration);
  watch->worst = (rgCertificate){.met = true, .tolerance = doctor->options.tolerance};
  size_t bodies = (size_t)doctor->body_count + 1, joints = (size_t)doctor->joint_count + 1;
  Room room = {calloc(bodies, sizeof *room.velocities), calloc(bodies, sizeof *room.islands),
               calloc(joints, sizeof *room.loads)};
  if (room.velocities && room.islands && room.loads)
    make_steps(doctor, &room, duration < 0);
  else
    doctor->out_of_memory = true;
  free(room.velocities);
  free(room.islands);
  free(room.loads);
}
