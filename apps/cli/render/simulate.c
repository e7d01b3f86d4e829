// simulate.c - a run of a scene that is made only to be shown.
#include "cli/render/simulate.h"

#include "cli/command.h"
#include "cli/run/plan.h"
#include "cli/run/progress.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"
#include "cli/view/view_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double ROUNDING =
    1e-9; // of a number of frames: h times a number of steps is not exact

static void write_frame(FILE* stream, const rgWorld* world) {
  for (int i = 0; i < rg_world_body_count(world); ++i)
    cli_view_run_body(stream, rg_world_time(world), rg_world_steps(world), i,
                      rg_body_pose(world, rg_world_body(world, i)));
}

static void show(CliProgress* progress, const rgWorld* world, double fraction) {
  double wall = cli_wall_clock();
  if (cli_progress_due(progress, wall))
    cli_progress_draw(progress, wall,
                      &(CliProgressState){.what = "simulates",
                                          .fraction = fraction,
                                          .simulated = rg_world_time(world),
                                          .brief = true});
}

// A frame is that of the last step before its time passes: when the next step is beyond it.
static rgStatus make_steps(rgWorld* world, int64_t steps, double rate, FILE* stream,
                           int64_t* not_met, rgMessage* message) {
  CliProgress progress = cli_progress_start(true);
  double per_step = rg_world_options(world)->step * rate;
  rgStatus status = RG_OK;
  for (int64_t n = 0; n <= steps && status == RG_OK && !cli_interrupted(); ++n) {
    double next = floor(((double)n + 1) * per_step - ROUNDING);
    bool due = next > floor((double)n * per_step - ROUNDING);
    if (n == 0 || n == steps || due)
      write_frame(stream, world);
    if (n == steps)
      break;
    rgCertificate certificate;
    status = rg_world_step(world, &certificate);
    if (status != RG_OK)
      cli_fail(message, status, "step %lld: %s", (long long)n + 1, rg_world_message(world));
    *not_met += status == RG_OK && !certificate.met;
    show(&progress, world, (double)(n + 1) / (double)steps);
  }
  cli_progress_clear(&progress);
  return status;
}

rgStatus cli_simulate(const rgScene* scene, double end, double rate, char** table, int64_t* not_met,
                      rgMessage* message) {
  *table = NULL;
  *not_met = 0;
  rgWorld* world = NULL;
  size_t size = 0;
  rgStatus status = rg_scene_build(scene, NULL, &world, message);
  if (status != RG_OK)
    return status;
  double steps = cli_steps_between(0, end, rg_world_options(world)->step);
  FILE* stream = open_memstream(table, &size);
  if (!stream)
    status = cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  else if (!(steps <= (double)CLI_COUNT_MAX))
    status = cli_fail(message, RG_ERROR_INPUT, "%g s are too many steps", end);
  if (stream) {
    cli_view_run_head(stream);
    if (status == RG_OK)
      status = make_steps(world, (int64_t)steps, rate, stream, not_met, message);
    bool bad = ferror(stream) != 0;
    if ((fclose(stream) != 0 || bad) && status == RG_OK)
      status = cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  }
  rg_world_destroy(world);
  return status;
}
