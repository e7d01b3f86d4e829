// engine_rigor.c - Rigor with its presets.
//
// Two variables of the environment are for bench/versions.py, which also builds this file with older
// versions of the library: RIGOR_BENCH_LIMIT, the iterations of a solve in place of the preset's, and
// RIGOR_BENCH_STRETCH, by how many millionths the step is longer. A heap in motion is chaotic, so that the
// latter gives another run of the same scene.
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct RigorWorld {
  rgWorld* world;
  rgBodyId* ids;
  rgCertificate certificate;
} RigorWorld;

static void rigor_destroy(void* state) {
  RigorWorld* rigor = state;
  rg_world_destroy(rigor->world);
  free(rigor->ids);
  free(rigor);
}

// The number in a variable of the environment.
static double given(const char* name, double standard) {
  const char* text = getenv(name);
  return text ? strtod(text, NULL) : standard;
}

static void* rigor_create(const Scene* scene, double step, const char* preset) {
  RigorWorld* rigor = calloc(1, sizeof *rigor);
  rigor->ids = calloc((size_t)scene->body_count, sizeof *rigor->ids);
  rgOptions options;
  rgMessage message = {"there is no such preset"};
  rgStatus status = RG_ERROR_INPUT;
  if (rg_options_preset(preset, &options)) {
    options.step = step * (1 + 1e-6 * given("RIGOR_BENCH_STRETCH", 0));
    options.iteration_limit = (int)given("RIGOR_BENCH_LIMIT", options.iteration_limit);
    options.threads = 1;
    status = scene_world(scene, &options, SCENE_SI, rigor->ids, &rigor->world, &message);
  }
  if (status == RG_OK)
    return rigor;
  fprintf(stderr, "rigor, preset %s, scene %s: %s\n", preset, scene->name, message.text);
  rigor_destroy(rigor);
  return NULL;
}

static bool rigor_step(void* state) {
  RigorWorld* rigor = state;
  return rg_world_step(rigor->world, &rigor->certificate) == RG_OK;
}

static rgPose rigor_pose(void* state, int body) {
  RigorWorld* rigor = state;
  return rg_body_pose(rigor->world, rigor->ids[body]);
}

static int rigor_contacts(void* state) {
  RigorWorld* rigor = state;
  return rigor->certificate.contacts;
}

static void rigor_report(void* state, EngineReport* report) {
  RigorWorld* rigor = state;
  report->residual = rigor->certificate.residual;
  report->met = rigor->certificate.met;
  report->iterations = rigor->certificate.iterations;
  report->memory = rg_world_counts(rigor->world).memory;
}

#define RIGOR_ENGINE(preset)                                                                       \
  {                                                                                                \
    "rigor-" preset, "preset " preset, preset, rigor_create, rigor_destroy, rigor_step,            \
        rigor_pose, rigor_contacts, rigor_report                                                   \
  }

const EngineInfo ENGINE_RIGOR_REALTIME = RIGOR_ENGINE("realtime");
const EngineInfo ENGINE_RIGOR_DEFAULT = RIGOR_ENGINE("default");
const EngineInfo ENGINE_RIGOR_REFERENCE = RIGOR_ENGINE("reference");
