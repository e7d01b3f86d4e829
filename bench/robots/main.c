// main.c - Rigor and MuJoCo on the same robots.
//
//     rigor-bench-robots compare FILE...   masses, inertias, places and energy of both
//     rigor-bench-robots bench [FOLDER]    time per step of both
//
// FOLDER has models of MuJoCo Menagerie; RIGOR_SHARED/data/robots/mjcf by default.
#include "bench/robots/robots.h"

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare(int count, char** paths, const char* file) {
  int bad = 0;
  printf("%-36s %6s %8s %9s %9s %9s %9s %9s\n", "model", "bodies", "remarks", "mass", "inertia",
         "place", "potential", "kinetic");
  for (int i = 0; i < count; i++) {
    Difference d;
    const char* name = paths[i];
    for (int slashes = 0; name > paths[i] && slashes < 2;)
      slashes += *--name == '/';
    const char *slash = strrchr(paths[i], '/'), *start = slash;
    while (start && start > paths[i] && start[-1] != '/')
      start--;
    name = start ? start : paths[i];
    if (!compare_model(paths[i], file, &d)) {
      printf("%-36s not compared: %.150s\n", name, d.message);
      continue;
    }
    printf("%-36s %6d %8d %9.1e %9.1e %9.1e %9.1e %9.1e\n", name, d.bodies, d.remarks, d.mass,
           d.inertia, d.place, d.potential, d.kinetic);
    bad += d.unmatched > 0 ||
           !(d.mass < 1e-9 && d.inertia < 1e-9 && d.place < 1e-9 && d.potential < 1e-9);
  }
  return bad > 0;
}

int main(int argc, char** argv) {
  char file[] = "/tmp/rigor-robots-XXXXXX.xml";
  int handle = mkstemps(file, 4);
  if (handle < 0)
    return 3;
  close(handle);
  int code = 2;
  if (argc > 2 && strcmp(argv[1], "compare") == 0)
    code = compare(argc - 2, argv + 2, file);
  else
    fprintf(stderr, "usage: rigor-bench-robots compare FILE... | bench [FOLDER]\n");
  unlink(file);
  return code;
}
