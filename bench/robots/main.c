// main.c - Rigor and MuJoCo on the same robots.
//
//     rigor-bench-robots compare FILE...   masses, inertias, places, energy, joints and actuators of both
//     rigor-bench-robots follow FILE...    one second of motion without contact
//     rigor-bench-robots check             both for the models of the bench: fails where these differ
//     rigor-bench-robots bench [PART]      time per step of both, of the cases with PART in their name;
//                                          the last two are "grip", the creep of a rod, and "links",
//                                          the time per link of long chains
//
// The models of the bench are in RIGOR_SHARED/data/robots/mjcf; RIGOR_SHARED is ../shared by default.
#include "bench/robots/robots.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char* short_name(const char* path) {
  // The last folder and the file.
  const char *slash = strrchr(path, '/'), *name = slash ? slash : path;
  while (name > path && name[-1] != '/')
    name--;
  return name;
}

static void print_heads(void) {
  printf("%-34s %6s %6s %8s %7s %7s %7s %7s %7s %10s %7s %7s %7s %7s %7s %8s\n", "model", "bodies",
         "joints", "remarks", "mass", "inertia", "place", "potent.", "kinetic", "coordinate",
         "limits", "passive", "force", "meshes", "eigen", "left out");
}

// What both make of the same file is the same to rounding: 1e-9 is far above it. Moments of meshes with corners in
// single precision go with the fifth power of these and are known to five times its rounding, and the energy is
// that of their masses. MuJoCo's own principal moments are not judged ("eigen").
static bool is_bad(const Difference* d) {
  static const double SAME = 1e-9, SINGLE = 5 * 0x1p-24;
  double energy = d->meshed > 0 ? SINGLE : SAME;
  bool bodies = d->mass < SAME && d->inertia < SAME && d->place < SAME && d->potential < energy &&
                d->meshed < SINGLE;
  bool joints = d->coordinate < SAME && d->limits < SAME && d->passive < SAME && d->force < SAME;
  return d->unmatched > 0 || !bodies || !joints || !(d->kinetic < energy);
}

static int compare(int count, char** paths, const char* file) {
  int bad = 0;
  print_heads();
  for (int i = 0; i < count; i++) {
    Difference d;
    const char* name = short_name(paths[i]);
    if (!compare_model(paths[i], file, &d)) {
      printf("%-34s not compared: %.150s\n", name, d.message);
      bad++;
      continue;
    }
    printf("%-34s %6d %6d %8d %7.0e %7.0e %7.0e %7.0e %7.0e %10.0e %7.0e %7.0e %7.0e %7.0e %7.0e "
           "%8d%s\n",
           name, d.bodies, d.joints, d.remarks, d.mass, d.inertia, d.place, d.potential, d.kinetic,
           d.coordinate, d.limits, d.passive, d.force, d.meshed, d.decomposed, d.left_out,
           is_bad(&d) ? "  DIFFERS" : "");
    bad += is_bad(&d);
  }
  return bad > 0;
}

static int follow(int count, char** paths, const char* file) {
  int bad = 0;
  printf("%-36s %12s %12s   [m] after 1 s from MuJoCo's RK4\n", "model", "h = 0.2 ms",
         "h = 0.1 ms");
  for (int i = 0; i < count; i++) {
    char message[512] = "";
    double coarse = follow_model(paths[i], file, 2e-4, message, sizeof message);
    double fine = follow_model(paths[i], file, 1e-4, message, sizeof message);
    printf("%-36s %12.2e %12.2e   %.150s\n", short_name(paths[i]), coarse, fine, message);
    bad += !(fine < 1e-5);
  }
  return bad > 0;
}

// The folder with the models; false when it is not there.
static bool find_models(char folder[1000]) {
  const char* shared = getenv("RIGOR_SHARED");
  char probe[1100];
  snprintf(folder, 1000, "%s/data/robots/mjcf", shared ? shared : "../shared");
  snprintf(probe, sizeof probe, "%s/mujoco/humanoid.xml", folder);
  bool found = access(probe, R_OK) == 0;
  if (!found)
    printf("The models of robots are not in %s; set RIGOR_SHARED.\n", folder);
  return found;
}

static const char pendulum[] =
    "<mujoco><compiler angle='radian'/><worldbody><body name='upper' pos='0 0 2'>"
    "<joint name='a' axis='0 1 0'/><geom type='capsule' size='.03' fromto='0 0 0 .1 0 -.6'/>"
    "<body name='lower' pos='.1 0 -.6'><joint name='b' axis='.2 1 0' damping='.01'/>"
    "<geom type='box' size='.05 .02 .2' pos='0 0 -.2'/></body></body></worldbody></mujoco>";

// Joints in series whose axes neither meet nor are at right angles.
static const char series[] =
    "<mujoco><compiler angle='radian'/><worldbody><body name='upper' pos='0 0 2'>"
    "<joint name='a' axis='0 1 0' damping='.5'/>"
    "<joint name='b' axis='1 .3 0' pos='.05 0 .02' damping='.5'/>"
    "<joint name='c' axis='0 .2 1' pos='0 .04 0' armature='.01' damping='.1'/>"
    "<geom type='capsule' size='.03' fromto='0 0 0 .1 0 -.6'/>"
    "<body name='lower' pos='.1 0 -.6'>"
    "<joint name='d' type='slide' axis='.1 0 1' stiffness='200' damping='5'/>"
    "<joint name='e' axis='.2 1 0' pos='0 .03 0' damping='.1'/>"
    "<joint name='f' axis='1 0 .4' damping='.1'/>"
    "<geom type='box' size='.05 .02 .2' pos='0 0 -.2'/></body></body></worldbody></mujoco>";

static bool write_model(const char* path, const char* text) {
  FILE* out = fopen(path, "w");
  if (!out)
    return false;
  fputs(text, out);
  return fclose(out) == 0;
}

// Models of the bench itself: their motion, or what both make of them.
static int check_own(const char* file, bool motion) {
  char first[600], second[600];
  snprintf(first, sizeof first, "%s-pendulum.xml", file);
  snprintf(second, sizeof second, "%s-series.xml", file);
  char* paths[] = {first, second};
  int code = 3;
  if (write_model(first, pendulum) && write_model(second, series))
    code = motion ? follow(2, paths, file) : compare(2, paths, file);
  unlink(first);
  unlink(second);
  return code;
}

// Pendulums of two links, an arm held by its servos, and robots thrown into the air: one of them has joints in series.
static int check_motion(const char* folder, const char* file) {
  char arm[1100], thrown[1100], human[1100];
  snprintf(arm, sizeof arm, "%s/trs_so_arm100/so_arm100.xml", folder);
  snprintf(thrown, sizeof thrown, "%s/anybotics_anymal_c/anymal_c.xml", folder);
  snprintf(human, sizeof human, "%s/mujoco/humanoid.xml", folder);
  char* paths[] = {arm, thrown, human};
  int own = check_own(file, true), code = follow(3, paths, file);
  return own || code;
}

// Those of which each stands for a family, by the programs that wrote them.
static int check(const char* file) {
  static const char* const models[] = {
      "agility_cassie/cassie.xml",       "agility_cassie/scene.xml",
      "anybotics_anymal_c/anymal_c.xml", "anybotics_anymal_c/scene.xml",
      "mujoco/22_humanoids.xml",         "mujoco/humanoid.xml",
      "robotiq_2f85/2f85.xml",           "robotiq_2f85/scene.xml",
      "shadow_hand/left_hand.xml",       "shadow_hand/right_hand.xml",
      "shadow_hand/scene_left.xml",      "shadow_hand/scene_right.xml",
      "trs_so_arm100/scene.xml",         "wonik_allegro/left_hand.xml",
      "wonik_allegro/right_hand.xml",    "wonik_allegro/scene_left.xml",
      "wonik_allegro/scene_right.xml"};
  enum { MODELS = sizeof models / sizeof *models };
  char folder[1000], texts[MODELS][1100];
  char* paths[MODELS];
  if (!find_models(folder))
    return 0;
  for (int i = 0; i < MODELS; i++) {
    snprintf(texts[i], sizeof texts[i], "%s/%s", folder, models[i]);
    paths[i] = texts[i];
  }
  int code = compare(MODELS, paths, file) | check_own(file, false);
  return check_motion(folder, file) || code ? 1 : 0;
}

static int bench(const char* only, const char* file) {
  char folder[1000];
  if (!find_models(folder))
    return 0;
  int code = bench_robots(folder, file, only);
  if (!only || strstr("links", only))
    bench_links(file);
  if (!only || strstr("grip", only))
    bench_grip(file);
  return code;
}

int main(int argc, char** argv) {
  const char* folder = getenv("TMPDIR");
  char file[512];
  snprintf(file, sizeof file, "%s/rigor-robots-XXXXXX.xml", folder && folder[0] ? folder : "/tmp");
  int handle = mkstemps(file, 4);
  if (handle < 0)
    return 3;
  close(handle);
  int code = 2;
  if (argc > 2 && strcmp(argv[1], "compare") == 0)
    code = compare(argc - 2, argv + 2, file);
  else if (argc > 2 && strcmp(argv[1], "follow") == 0)
    code = follow(argc - 2, argv + 2, file);
  else if (argc == 2 && strcmp(argv[1], "check") == 0)
    code = check(file);
  else if (argc > 1 && strcmp(argv[1], "bench") == 0)
    code = bench(argc > 2 ? argv[2] : NULL, file);
  else
    fprintf(stderr,
            "usage: rigor-bench-robots compare FILE... | follow FILE... | check | bench [PART]\n");
  unlink(file);
  return code;
}
