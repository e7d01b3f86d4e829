// grip.c - a rod squeezed by two pads, by Rigor and by MuJoCo: how far it creeps in ten seconds.
//
// A capsule of 45 g and 4 mm radius lies along y between two pads that servos press against it along x
// with a bounded force; gravity pulls along z, friction is 0.7. Held at its centre its weight has to be
// carried by friction; held 20 mm off its centre, friction has to carry its moment, too. Both programs
// read the same file. What creeps is the rod against the middle of the pads: the largest way of a
// point on it between 0.5 s, when the jaws are closed, and 10.5 s.
//
// MuJoCo's contacts yield: under a force F the effective mass m sinks in by F t^2 / m, t being the time
// constant, which is at least two steps. At a step of 1 ms that is more than the radius of the rod, which
// is squeezed out; besides it, MuJoCo runs with a step of 0.1 ms and the shortest time constant.
#include "bench/robots/robots.h"

#include "math/vec.h"
#include <rigor/rigor.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

static const double STEP = 1e-3, SETTLED = 0.5, HELD = 10; // [s]
static const double RADIUS = 4e-3, HALF = 40e-3;           // [m]

static void write_model(const char* file, double force, double off) {
  FILE* out = fopen(file, "w");
  if (!out)
    return;
  fprintf(out,
          "<mujoco><compiler autolimits='true'/><option timestep='%g'/>"
          "<default><geom friction='.7 .005 .0001' condim='3'/><joint damping='20'/>"
          "<general gainprm='1e5' biastype='affine' biasprm='0 -1e5 -100' forcerange='-%g %g'/>"
          "</default><worldbody>"
          "<body name='rod' pos='0 %g 0' euler='90 0 0'><joint type='free' damping='0'/>"
          "<geom type='capsule' size='%g %g' mass='.045'/></body>",
          STEP, force, force, off, RADIUS, HALF);
  for (int side = -1; side <= 1; side += 2)
    fprintf(out,
            "<body name='pad%d' pos='%g 0 0'><joint name='jaw%d' type='slide' axis='%d 0 0'/>"
            "<geom type='box' size='.005 .01 .01' mass='.1'/></body>",
            side, side * (5e-3 + RADIUS + 1.5e-3), side, -side);
  fprintf(out, "</worldbody><actuator><general joint='jaw-1'/><general joint='jaw1'/></actuator>"
               "<keyframe><key name='grip' ctrl='.01 .01'/></keyframe></mujoco>");
  fclose(out);
}

// Where the rod is against the middle of the pads.
static rgPose against(rgPose rod, rgVec3 a, rgVec3 b) {
  rod.position = v3_sub(rod.position, v3_scale(v3_add(a, b), 0.5));
  return rod;
}

static double creep_of(rgPose from, rgPose to) {
  double most = 0;
  for (int i = -1; i <= 1; i += 2)
    for (int k = -1; k <= 1; k += 2) {
      rgVec3 point = v3(k * RADIUS, 0, i * HALF);
      most = fmax(most, v3_norm(v3_sub(pose_apply(from, point), pose_apply(to, point))));
    }
  return most;
}

// -------------------------------------------------------------------------------------------------
// MuJoCo
// -------------------------------------------------------------------------------------------------

typedef struct Setting {
  const char* name;
  bool stiff; // 0.1 ms and the shortest time constant of contacts
  bool elliptic;
  double impratio; // 0: as it is
  int noslip;      // iterations of the sweeps that take slip out afterwards
} Setting;

static const Setting settings[] = {{"MuJoCo 1 ms", false, false, 0, 0},
                                   {"0.1 ms", true, false, 0, 0},
                                   {"elliptic", true, true, 0, 0},
                                   {"impratio 100", true, true, 100, 0},
                                   {"noslip 10", true, true, 0, 10}};
static const double STIFF_STEP = 1e-4; // [s]

static rgPose mujoco_place(const mjModel* m, const mjData* d) {
  const double *p = d->xpos + 3 * mj_name2id(m, mjOBJ_BODY, "rod"),
               *q = d->xquat + 4 * mj_name2id(m, mjOBJ_BODY, "rod"),
               *a = d->xpos + 3 * mj_name2id(m, mjOBJ_BODY, "pad-1"),
               *b = d->xpos + 3 * mj_name2id(m, mjOBJ_BODY, "pad1");
  rgPose rod = {v3(p[0], p[1], p[2]), {q[0], q[1], q[2], q[3]}};
  return against(rod, v3(a[0], a[1], a[2]), v3(b[0], b[1], b[2]));
}

static double mujoco_creep(const char* file, const Setting* setting) {
  char error[300] = "";
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  if (!m) {
    printf("%s\n", error);
    return (double)NAN;
  }
  m->opt.cone = setting->elliptic ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
  m->opt.noslip_iterations = setting->noslip;
  if (setting->stiff) {
    m->opt.timestep = STIFF_STEP;
    for (int i = 0; i < m->ngeom; i++)
      m->geom_solref[mjNREF * i] = 2 * STIFF_STEP;
  }
  if (setting->impratio > 0)
    m->opt.impratio = setting->impratio;
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  while (d->time < SETTLED)
    mj_step(m, d);
  rgPose start = mujoco_place(m, d);
  while (d->time < SETTLED + HELD)
    mj_step(m, d);
  double creep = creep_of(start, mujoco_place(m, d));
  mj_deleteData(d);
  mj_deleteModel(m);
  return creep;
}

// -------------------------------------------------------------------------------------------------
// Rigor
// -------------------------------------------------------------------------------------------------

static rgBodyId body_named(const rgWorld* world, const char* name) {
  for (int i = 0; i < rg_world_body_count(world); i++)
    if (strcmp(rg_body_name(world, rg_world_body(world, i)), name) == 0)
      return rg_world_body(world, i);
  return (rgBodyId){0, 0};
}

static rgPose rigor_place(const rgWorld* world) {
  return against(rg_body_pose(world, body_named(world, "rod")),
                 rg_body_pose(world, body_named(world, "pad-1")).position,
                 rg_body_pose(world, body_named(world, "pad1")).position);
}

static double rigor_creep(const char* file, double tolerance, double* met) {
  rgModelOptions options = rg_scene_model_options();
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgMessage message = {""};
  options.key = "grip";
  rgStatus status = rg_scene_read_model(file, &options, &scene, &message);
  if (status == RG_OK) {
    rg_scene_options(scene)->tolerance = tolerance;
    status = rg_scene_build(scene, NULL, &world, &message);
  }
  int steps = (int)lround((SETTLED + HELD) / STEP), settled = (int)lround(SETTLED / STEP);
  rgPose start = pose_identity();
  *met = 0;
  for (int i = 0; i < steps && status == RG_OK; i++) {
    rgCertificate certificate;
    if (i == settled)
      start = rigor_place(world);
    status = rg_world_step(world, &certificate);
    *met += i < settled || !certificate.met ? 0 : 1.0 / (steps - settled);
  }
  double creep = status == RG_OK ? creep_of(start, rigor_place(world)) : (double)NAN;
  if (status != RG_OK)
    printf("%s\n", world ? rg_world_message(world) : message.text);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return creep;
}

// What is no longer between the pads was dropped.
static void print_creep(double creep) {
  if (creep < HALF)
    printf(" %12.1e", creep);
  else
    printf(" %12s", "dropped");
}

void bench_grip(const char* scratch) {
  static const double forces[] = {12, 30, 60}, offs[] = {0, 0.02}; // [N] [m]
  printf("\ncreep of a 45 g rod of 4 mm radius between two pads, mu 0.7, in 10 s [m]\n");
  printf("%-20s", "force, off centre");
  for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
    printf(" %12s", settings[s].name);
  printf(" %12s %12s\n", "Rigor 1e-6", "Rigor 1e-11");
  for (int f = 0; f < 3; f++)
    for (int o = 0; o < 2; o++) {
      char name[40];
      double met;
      snprintf(name, sizeof name, "%g N, %g mm", forces[f], 1e3 * offs[o]);
      write_model(scratch, forces[f], offs[o]);
      printf("%-20s", name);
      for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        print_creep(mujoco_creep(scratch, &settings[s]));
      print_creep(rigor_creep(scratch, 1e-6, &met));
      print_creep(rigor_creep(scratch, 1e-11, &met));
      printf("   %.1f %% met\n", 100 * met);
      fflush(stdout);
    }
}
