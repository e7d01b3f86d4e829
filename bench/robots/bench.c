// bench.c - time per step of Rigor and MuJoCo on the same models, in one run on one thread.
//
// Each case starts both programs in the same configuration, with the same step, the same controls
// and the same number of steps, of which the first are not timed. Times are CPU times of this
// process. Beside them stands what was reached: the deepest penetration, the largest joint error and
// the share of steps that were met: for Rigor by its certificate, for MuJoCo those in which its
// solver ended before its limit of iterations.
#include "bench/robots/robots.h"

#include "bench/robots/old.h"
#include <rigor/rigor.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Case {
  const char* name;
  const char* file; // NULL: the chain
  const char* key;  // NULL: the first
  int key_index;    // of the same key
  double noise;     // of the controls of motors; 0: they stay
  int warm, steps;
  double goal; // times MuJoCo's default that is aimed at; 0: none but once its time with elliptic
               // cones, which is aimed at in all cases
} Case;

static const Case cases[] = {
    {"humanoid lying", "mujoco/humanoid.xml", "supine", 3, 0, 100, 200, 1.5},
    {"humanoid thrashing", "mujoco/humanoid.xml", "supine", 3, 0.4, 100, 200, 1.2},
    {"anymal_c", "anybotics_anymal_c/scene_mjx.xml", NULL, 0, 0, 100, 400, 1.0},
    {"22 humanoids", "mujoco/22_humanoids.xml", NULL, -1, 0, 120, 30, 1.5},
    {"chain of 6", NULL, NULL, -1, 0, 100, 1000, 1.0},
    {"allegro with object", "wonik_allegro/scene_right.xml", NULL, -1, 0, 50, 300, 0},
    {"shadow with object", "shadow_hand/scene_right.xml", NULL, -1, 0, 50, 200, 0},
};

typedef struct Outcome {
  double time;        // [us] of CPU per step
  double penetration; // [m]
  double joint_error; // [m] limits included
  double apart;       // [m] of points that joints hold together; of Rigor
  double met;         // share of steps
  char failure[200];  // empty: none
} Outcome;

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char chain[] =
    "<mujoco><compiler autolimits='true'/><option timestep='0.001'/><worldbody>"
#define LINK                                                                                       \
  "<body pos='0 0 -.2'><joint axis='0 1 0' damping='.01'/>"                                        \
  "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.02' contype='0' conaffinity='0'/>"
    "<body pos='0 0 2' euler='0 60 0'>" LINK LINK LINK LINK LINK LINK
    "</body></body></body></body></body></body></body></worldbody></mujoco>";

// The same controls for both: actuator by actuator, changed every tenth step.
static double control_at(int actuator, int step, double noise) {
  uint64_t state = (uint64_t)actuator * 1000003u + (uint64_t)(step / 10) * 7919u + 1;
  rg_random_bits(&state);
  return noise * (2 * rg_random_unit(&state) - 1);
}

// -------------------------------------------------------------------------------------------------
// MuJoCo
// -------------------------------------------------------------------------------------------------

static void mujoco_measure(const mjData* d, const mjModel* m, Outcome* o, int* met) {
  for (int i = 0; i < d->ncon; i++)
    o->penetration = fmax(o->penetration, -d->contact[i].dist);
  for (int i = 0; i < d->ne; i++)
    o->joint_error = fmax(o->joint_error, fabs(d->efc_pos[i]));
  *met += d->solver_iter < m->opt.iterations;
}

static Outcome run_mujoco(const Case* c, const char* file, bool elliptic) {
  Outcome o = {0};
  char error[300] = "";
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  if (!m) {
    snprintf(o.failure, sizeof o.failure, "%.150s", error);
    return o;
  }
  m->opt.cone = elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  mjData* d = mj_makeData(m);
  if (c->key_index >= 0 && c->key_index < m->nkey)
    mj_resetDataKeyframe(m, d, c->key_index);
  int met = 0;
  for (int i = 0; i < c->warm + c->steps; i++) {
    for (int k = 0; k < m->nu && c->noise > 0; k++)
      d->ctrl[k] = control_at(k, i, c->noise);
    double start = cpu_seconds();
    mj_step(m, d);
    o.time += i >= c->warm ? cpu_seconds() - start : 0;
    if (i >= c->warm)
      mujoco_measure(d, m, &o, &met);
  }
  o.time *= 1e6 / c->steps;
  o.met = (double)met / c->steps;
  mj_deleteData(d);
  mj_deleteModel(m);
  return o;
}

// -------------------------------------------------------------------------------------------------
// Rigor
// -------------------------------------------------------------------------------------------------

// The joint and its axis that a joint of the model became: the names of joints in series are joined
// by "+", in their order.
static bool find_axis(const rgWorld* world, const char* name, rgJointId* joint, int* axis) {
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    char names[200];
    *joint = rg_world_joint(world, i);
    snprintf(names, sizeof names, "%s", rg_joint_name(world, *joint));
    *axis = 0;
    for (char* part = strtok(names, "+"); part; part = strtok(NULL, "+"), ++*axis)
      if (strcmp(part, name) == 0)
        return true;
  }
  return false;
}

typedef struct Motor {
  rgJointId joint;
  int axis, actuator;
  double gear;
} Motor;

// Motors of the model as MuJoCo has it.
static int find_motors(const rgWorld* world, const mjModel* m, Motor* motors) {
  int count = 0;
  for (int i = 0; i < m->nu; i++) {
    const char* name = m->actuator_trntype[i] == mjTRN_JOINT
                           ? mj_id2name(m, mjOBJ_JOINT, m->actuator_trnid[2 * i])
                           : NULL;
    Motor motor = {.actuator = i, .gear = m->actuator_gear[6 * i]};
    if (name && m->actuator_biastype[i] == mjBIAS_NONE &&
        find_axis(world, name, &motor.joint, &motor.axis))
      motors[count++] = motor;
  }
  return count;
}

// [m] the largest distance of points that a joint holds together.
static double largest_opening(const rgWorld* world) {
  double most = 0;
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    rgJointState state;
    if (rg_joint_state(world, rg_world_joint(world, i), &state) != RG_OK ||
        !(state.kind == RG_JOINT_HINGE || state.kind == RG_JOINT_BALL ||
          state.kind == RG_JOINT_UNIVERSAL || state.kind == RG_JOINT_FIXED))
      continue;
    rgVec3 a = state.frame_a.position, b = state.frame_b.position;
    double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    most = fmax(most, sqrt(x * x + y * y + z * z));
  }
  return most;
}

static void run_steps(const Case* c, rgWorld* world, const Motor* motors, int motor_count,
                      Outcome* o) {
  int met = 0;
  for (int i = 0; i < c->warm + c->steps; i++) {
    for (int k = 0; k < motor_count && c->noise > 0; k++)
      rg_joint_set_effort(world, motors[k].joint, motors[k].axis,
                          motors[k].gear * control_at(motors[k].actuator, i, c->noise));
    rgCertificate certificate;
    double start = cpu_seconds();
    rgStatus status = rg_world_step(world, &certificate);
    double time = cpu_seconds() - start;
    if (status != RG_OK) {
      snprintf(o->failure, sizeof o->failure, "%.150s", rg_world_message(world));
      return;
    }
    if (i < c->warm)
      continue;
    o->time += time;
    o->penetration = fmax(o->penetration, certificate.penetration);
    o->joint_error = fmax(o->joint_error, certificate.joint_error);
    o->apart = fmax(o->apart, largest_opening(world));
    met += certificate.met;
  }
  o->time *= 1e6 / c->steps;
  o->met = (double)met / c->steps;
}

static Outcome run_rigor(const Case* c, const char* path, const char* preset, const mjModel* m) {
  Outcome o = {0};
  rgModelOptions options = rg_scene_model_options();
  options.key = c->key ? c->key : c->key_index < 0 ? "none" : NULL;
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgMessage message = {""};
  rgStatus status = rg_scene_read_model(path, &options, &scene, &message);
  if (status == RG_OK) {
    rgOptions* own = rg_scene_options(scene);
    rgOptions wanted;
    rg_options_preset(preset, &wanted);
    wanted.step = own->step;
    wanted.gravity = own->gravity;
    *own = wanted;
    status = rg_scene_build(scene, NULL, &world, &message);
  }
  Motor* motors = malloc((size_t)(m ? m->nu + 1 : 1) * sizeof *motors);
  if (status != RG_OK || !motors)
    snprintf(o.failure, sizeof o.failure, "%.150s", message.text);
  else
    run_steps(c, world, motors, m ? find_motors(world, m, motors) : 0, &o);
  free(motors);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return o;
}

// -------------------------------------------------------------------------------------------------
// The table
// -------------------------------------------------------------------------------------------------

static void print_row(const char* name, const char* who, const Outcome* o, double reference) {
  if (o->failure[0]) {
    printf("%-20s %-18s failed: %s\n", name, who, o->failure);
    return;
  }
  printf("%-20s %-18s %9.1f %8.2f %11.2e %11.2e %9.1e %7.1f %%\n", name, who, o->time,
         reference > 0 ? o->time / reference : 0, o->penetration, o->joint_error, o->apart,
         100 * o->met);
}

static void run_case(const Case* c, const char* folder, const char* scratch) {
  char path[2000], message[300] = "";
  snprintf(path, sizeof path, "%s/%s", folder, c->file ? c->file : "");
  if (!c->file) {
    FILE* out = fopen(scratch, "w");
    if (out) {
      fputs(chain, out);
      fclose(out);
    }
    snprintf(path, sizeof path, "%s", scratch);
  } else if (!old_write(path, scratch, NULL, false, message, sizeof message)) {
    printf("%-20s %s\n", c->name, message);
    return;
  }
  mjModel* m = mj_loadXML(scratch, NULL, message, sizeof message);
  Outcome pyramid = run_mujoco(c, scratch, false), cone = run_mujoco(c, scratch, true);
  Outcome standard = run_rigor(c, path, "default", m), realtime = run_rigor(c, path, "realtime", m);
  print_row(c->name, "MuJoCo", &pyramid, pyramid.time);
  print_row("", "MuJoCo elliptic", &cone, pyramid.time);
  print_row("", "Rigor default", &standard, pyramid.time);
  print_row("", "Rigor realtime", &realtime, pyramid.time);
  double least = standard.time / cone.time;
  if (c->goal > 0)
    printf("%-20s goals: %.1f times MuJoCo, 1.0 times it with elliptic cones (now %.2f)\n", "",
           c->goal, least);
  else
    printf("%-20s goal: 1.0 times MuJoCo with elliptic cones (now %.2f)\n", "", least);
  fflush(stdout);
  if (m)
    mj_deleteModel(m);
}

int bench_robots(const char* folder, const char* scratch, const char* only) {
  printf("%-20s %-18s %9s %8s %11s %11s %9s %9s\n", "case", "program", "us/step", "times",
         "penetration", "joint error", "apart", "met");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (!only || strstr(cases[i].name, only))
      run_case(&cases[i], folder, scratch);
  return 0;
}
