// assembly.h - bodies at rest that touch each other, as loads and friction to vary.
//
// The set of loads that forces within the cones can balance is a convex cone, and it grows with
// friction. So along a straight path of loads, and along a factor of all coefficients of friction,
// an assembly stands up to one point and falls beyond it (or the other way round), and that point is
// found by halving (margin.h).
#ifndef CLI_ASSEMBLY_H
#define CLI_ASSEMBLY_H

#include "cli/motion/statics.h"

// What an assembly is asked about.
typedef struct CliLoad {
  double friction; // factor on every coefficient of friction
  double forces;   // factor on everything but gravity
  rgVec3 gravity;  // [m/s2]
} CliLoad;

typedef struct CliIsland {
  rgProblem problem; // of a step from rest; its bodies and contacts are those below
  rgProblemBody* bodies;
  rgProblemContact* contacts;
  double* mu;          // of the scene
  int* places;         // of each contact among `loads` of the assembly
  rgBodyId* ids;       // of each body; generation 0 for those that only joints hold
  rgTwist* forces;     // what all but gravity makes of each body in a step
  rgSolution solution; // of the last question; where the next one starts
  void* work;
} CliIsland;

typedef struct CliAssembly {
  rgScene* scene;
  rgWorld* world;
  CliIsland* islands;
  int island_count, contact_count;
  rgContactLoad*
      loads;      // where contacts are and which bodies touch there; their forces mean nothing
  int body_count; // dynamic ones
  int alone;      // of these touch nothing; the first is `alone_name`
  char alone_name[80];
  int moved;       // had a velocity in the scene, which is left out
  bool has_forces; // besides gravity
  double h;
  int fallen; // island whose motion is the last proof that it cannot stand; -1: none
} CliAssembly;

// Reads a scene. Contacts whose gap is at most `touching` [m] are closed, others are none.
rgStatus cli_assembly_read(const char* path, double touching, CliAssembly* assembly,
                           rgMessage* message);
void cli_assembly_free(CliAssembly* assembly);
// The load of the scene itself.
CliLoad cli_assembly_load(const CliAssembly* assembly);
// Whether the assembly can stand under a load.
CliStatics cli_assembly_stands(CliAssembly* assembly, const CliLoad* load);
// After the answer that it cannot: the sum of mass times velocity over the bodies of the motion that
// proves it. Every change of gravity along this vector does work in that motion.
rgVec3 cli_assembly_falling(const CliAssembly* assembly);

#endif
