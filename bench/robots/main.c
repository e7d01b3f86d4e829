// main.c - Rigor and MuJoCo on the same robots.
//
//     rigor-bench-robots compare FILE...   masses, inertias, places and energy of both
//     rigor-bench-robots follow FILE...    one second of motion without contact
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

static int compare(int count, char** paths, const char* file) {
  int bad = 0;
  printf("%-36s %6s %8s %9s %9s %9s %9s %9s\n", "model", "bodies", "remarks", "mass", "inertia",
         "place", "potential", "kinetic");
  for (int i = 0; i < count; i++) {
    Difference d;
    const char* name = short_name(paths[i]);
    if (!compare_model(paths[i], file, &d)) {
      printf("%-36s not compared: %.150s\n", name, d.message);
      continue;
    }
    printf("%-36s %6d %8d %9.1e %9.1e %9.1e %9.1e %9.1e\n", name, d.bodies, d.remarks, d.mass,
           d.inertia, d.place, d.potential, d.kinetic);
    // MuJoCo finds the principal moments of full matrices with a relative error of up to 4e-7.
    bad += d.unmatched > 0 || !(d.mass < 1e-9 && d.inertia < (d.full ? 1e-6 : 1e-9) &&
                                d.place < 1e-9 && d.potential < 1e-9);
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

static int bench(const char* only, const char* file) {
  const char* shared = getenv("RIGOR_SHARED");
  char folder[1000], probe[1100];
  snprintf(folder, sizeof folder, "%s/data/robots/mjcf", shared ? shared : "../shared");
  snprintf(probe, sizeof probe, "%s/mujoco/humanoid.xml", folder);
  if (access(probe, R_OK) != 0) {
    printf("The models of robots are not in %s; set RIGOR_SHARED.\n", folder);
    return 0;
  }
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
  else if (argc > 1 && strcmp(argv[1], "bench") == 0)
    code = bench(argc > 2 ? argv[2] : NULL, file);
  else
    fprintf(stderr, "usage: rigor-bench-robots compare FILE... | follow FILE... | bench [PART]\n");
  unlink(file);
  return code;
}
