// accurate.c - a run with an accuracy: the library's rgAccuracy with the second world that it needs.
//
// The end that errors are thought to grow to is the time that the scene names, or that of the run
// where it is later: a run in two parts then has the same steps as a whole one.
#include "cli/run/accurate.h"
#include "cli/run/snapshot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static rgStatus prepare(CliAccurate* accurate, const rgScene* scene, rgWorld* world,
                        double duration, rgMessage* message) {
  const rgOptions* options = rg_world_options(world);
  double start = rg_world_time(world);
  rgAccuracyDef def = {
      .length = options->accuracy,
      .end = fmax(rg_scene_time(scene), duration < 0 ? 0 : start + duration),
      .effort = options->effort,
  };
  if (!(def.end > start))
    return RG_OK;
  rgStatus status = rg_scene_build(scene, NULL, &accurate->shadow, message);
  if (status == RG_OK)
    status = rg_accuracy_create(world, accurate->shadow, &def, &accurate->accuracy, message);
  return status;
}

static rgStatus fail(rgMessage* message, rgStatus status, const char* path, const char* why) {
  rgMessage reason; // may be the message itself
  snprintf(reason.text, sizeof reason.text, "%s", why);
  snprintf(message->text, sizeof message->text, "%.120s: %.380s", path, reason.text);
  return status;
}

// The state in the buffer goes to the world before the run is prepared, or to the prepared run.
static rgStatus start_from(CliAccurate* accurate, const rgScene* scene, rgWorld* world,
                           const char* path, double duration, const void* buffer, size_t size,
                           rgMessage* message) {
  bool asked = rg_world_options(world)->accuracy > 0;
  bool whole = rg_accuracy_is_snapshot(buffer, size);
  if (whole && !asked)
    return fail(message, RG_ERROR_INPUT, path,
                "the snapshot is of a run with --accuracy; give the same one");
  rgStatus status = RG_OK;
  if (!whole) {
    status = rg_world_load(world, buffer, size);
    if (status != RG_OK)
      return fail(message, status, path, rg_world_message(world));
  }
  if (asked)
    status = prepare(accurate, scene, world, duration, message);
  if (whole && status == RG_OK && accurate->accuracy) {
    status = rg_accuracy_load(accurate->accuracy, buffer, size, message);
    if (status != RG_OK)
      return fail(message, status, path, message->text);
  }
  return status;
}

rgStatus cli_accurate_open(CliAccurate* accurate, const rgScene* scene, rgWorld* world,
                           const char* load, double duration, rgMessage* message) {
  *accurate = (CliAccurate){0};
  if (!load)
    return rg_world_options(world)->accuracy > 0
               ? prepare(accurate, scene, world, duration, message)
               : RG_OK;
  void* buffer = NULL;
  size_t size = 0;
  rgStatus status = cli_snapshot_read(load, &buffer, &size, message);
  if (status == RG_OK)
    status = start_from(accurate, scene, world, load, duration, buffer, size, message);
  free(buffer);
  return status;
}

void cli_accurate_close(CliAccurate* accurate) {
  rg_accuracy_destroy(accurate->accuracy);
  rg_world_destroy(accurate->shadow);
  *accurate = (CliAccurate){0};
}
