// engine.h - what the bench asks of an engine: build a scene, step it, say where the bodies are.
//
// One file per engine, each ending in a const descriptor; engines.c is the table. All engines get
// the same scene: spheres and boxes of density 1000, one friction coefficient, gravity, no
// sleeping, one thread, and otherwise their own defaults.
#ifndef BENCH_ENGINE_H
#define BENCH_ENGINE_H

#include "tests/support/scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

// What only a certified engine can tell about a step.
typedef struct EngineReport {
  double residual; // [-] of the last step
  bool met;        // its tolerance was met
  int iterations;
  size_t memory; // [bytes] held by the world
} EngineReport;

typedef struct EngineInfo {
  const char* name;
  const char* settings;                                                 // for people
  const char* preset;                                                   // handed to create
  void* (*create)(const Scene* scene, double step, const char* preset); // NULL when it cannot
  void (*destroy)(void* world);
  bool (*step)(void* world); // false when the engine gives up
  rgPose (*pose)(void* world, int body);
  int (*contacts)(void* world);                      // contact points of the last step
  void (*report)(void* world, EngineReport* report); // NULL when the engine has no such thing
} EngineInfo;

const EngineInfo* engine_info(int index); // NULL past the end
const EngineInfo* engine_find(const char* name);

extern const EngineInfo ENGINE_RIGOR_REALTIME;
extern const EngineInfo ENGINE_RIGOR_DEFAULT;
extern const EngineInfo ENGINE_RIGOR_REFERENCE;
extern const EngineInfo ENGINE_BULLET;
extern const EngineInfo ENGINE_ODE;

#ifdef __cplusplus
}
#endif
#endif
