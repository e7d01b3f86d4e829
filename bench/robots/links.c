// links.c - time per link of hanging chains of hinges, by Rigor and by MuJoCo.
//
// A chain starts level and falls. Rigor's step is linear in the links; MuJoCo factors its joint-space
// inertia, which of a chain has a number for every pair of links, so that its step is quadratic and more;
// its reader takes no bodies within more than LINKS_MUJOCO others.
#include "bench/robots/robots.h"

#include <rigor/rigor.h>

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <time.h>

enum { LINKS_MUJOCO = 90 };
static const double STEP = 1e-3, LENGTH = 0.1; // [s] [m]

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int steps_of(int links) { return links > 5000 ? 4 : 20000 / links; }

static rgStatus add_links(rgWorld* world, int links) {
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  joint.axis = (rgVec3){0, 1, 0};
  joint.axes[0].damping = 0.01;
  rgStatus status = RG_OK;
  for (int i = 0; i < links && status == RG_OK; i++) {
    rgBodyDef body = rg_body_def();
    body.kind = RG_BODY_DYNAMIC;
    body.pose.position = (rgVec3){(i + 0.5) * LENGTH, 0, 0};
    body.mass = 1;
    body.inertia_given = true;
    body.inertia = (rgMat3){{{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}};
    joint.point = (rgVec3){i * LENGTH, 0, 0};
    status = rg_world_add_body(world, &body, NULL, 0, &joint.body_b);
    rgJointId id;
    if (status == RG_OK)
      status = rg_world_add_joint(world, &joint, &id);
    joint.body_a = joint.body_b;
  }
  return status;
}

// [us] per step; `met` the share of steps, `error` the largest joint error [m].
static double time_rigor(int links, double* met, double* error) {
  rgWorldDef def = rg_world_def();
  rgWorld* world = NULL;
  def.options.step = STEP;
  rgStatus status = rg_world_create(&def, &world, NULL);
  if (status == RG_OK)
    status = add_links(world, links);
  int steps = steps_of(links), warm = 2;
  double time = 0;
  *met = *error = 0;
  for (int i = 0; i < warm + steps && status == RG_OK; i++) {
    rgCertificate certificate;
    double start = cpu_seconds();
    status = rg_world_step(world, &certificate);
    if (i < warm)
      continue;
    time += cpu_seconds() - start;
    *met += certificate.met ? 1.0 / steps : 0;
    *error = fmax(*error, certificate.joint_error);
  }
  rg_world_destroy(world);
  return status == RG_OK ? 1e6 * time / steps : (double)NAN;
}

static void write_chain(const char* file, int links) {
  FILE* out = fopen(file, "w");
  if (!out)
    return;
  fprintf(out, "<mujoco><option timestep='%g'/><worldbody>", STEP);
  for (int i = 0; i < links; i++)
    fprintf(out,
            "<body pos='%g 0 0'><joint axis='0 1 0' damping='.01'/>"
            "<inertial pos='%g 0 0' mass='1' diaginertia='.001 .001 .001'/>",
            i == 0 ? 0 : LENGTH, 0.5 * LENGTH);
  for (int i = 0; i < links; i++)
    fprintf(out, "</body>");
  fprintf(out, "</worldbody></mujoco>");
  fclose(out);
}

static double time_mujoco(int links, const char* scratch) {
  char error[300] = "";
  write_chain(scratch, links);
  mjModel* m = mj_loadXML(scratch, NULL, error, sizeof error);
  if (!m)
    return (double)NAN;
  mjData* d = mj_makeData(m);
  int steps = steps_of(links), warm = 2;
  double time = 0;
  for (int i = 0; i < warm + steps; i++) {
    double start = cpu_seconds();
    mj_step(m, d);
    time += i < warm ? 0 : cpu_seconds() - start;
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return 1e6 * time / steps;
}

void bench_links(const char* scratch) {
  static const int counts[] = {10, 30, 90, 300, 1000, 3000, 10000};
  printf("\nchains of hinges, h = %g s: CPU time per step and link [us]\n", STEP);
  printf("%-20s %12s %12s %11s %9s\n", "links", "MuJoCo", "Rigor", "joint error", "met");
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    double met, error, time = time_rigor(counts[i], &met, &error);
    char other[40] = "-";
    if (counts[i] <= LINKS_MUJOCO)
      snprintf(other, sizeof other, "%.3f", time_mujoco(counts[i], scratch) / counts[i]);
    printf("%-20d %12s %12.3f %11.2e %7.1f %%\n", counts[i], other, time / counts[i], error,
           100 * met);
    fflush(stdout);
  }
}
