// engines.c - the table of engines. Those that were not installed at build time are left out.
#include "engine.h"

#include <string.h>

static const EngineInfo* const ENGINES[] = {
#ifdef BENCH_BULLET
    &ENGINE_BULLET,
#endif
#ifdef BENCH_ODE
    &ENGINE_ODE,
#endif
    &ENGINE_RIGOR_REALTIME,
    &ENGINE_RIGOR_DEFAULT,
    &ENGINE_RIGOR_REFERENCE,
};

const EngineInfo* engine_info(int index) {
  int count = sizeof ENGINES / sizeof *ENGINES;
  return index >= 0 && index < count ? ENGINES[index] : NULL;
}

const EngineInfo* engine_find(const char* name) {
  for (int i = 0; engine_info(i); ++i)
    if (strcmp(engine_info(i)->name, name) == 0)
      return engine_info(i);
  return NULL;
}
