// sweep_run.c - one run of a sweep: its numbers, its scene, its steps, what is reported of it.
#include "cli/run/plan.h"
#include "cli/sweep/sweep.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rgStatus open_world(const CliSweep* sweep, const double* values, rgScene** scene,
                           rgWorld** world, rgMessage* message) {
  rgStatus status = rg_scene_template_make(sweep->scenes, values, scene, message);
  if (status != RG_OK)
    return status;
  rgOptions* options = rg_scene_options(*scene);
  cli_settings_apply(&sweep->parsed->settings, options);
  options->threads = 1; // runs are made side by side, not steps
  return rg_scene_build(*scene, NULL, world, message);
}

static CliFinish make_steps(const CliSweep* sweep, const rgScene* scene, CliProbe* probe,
                            rgMessage* message) {
  double time = sweep->values->duration < 0 ? rg_scene_time(scene) : sweep->values->duration;
  double planned = cli_steps_between(0, time, rg_world_options(probe->world)->step);
  if (!(planned <= (double)CLI_COUNT_MAX)) {
    cli_fail(message, RG_ERROR_INPUT, "%g s are too many steps", time);
    return CLI_FINISH_REFUSED;
  }
  for (int64_t i = 0; i < (int64_t)planned; ++i) {
    CliFinish finish;
    if (!cli_probe_step(probe, &finish, message))
      return finish;
  }
  return cli_probe_verdict(probe);
}

CliFinish cli_sweep_make(const CliEnsemble* ensemble, int64_t index, double* row,
                         rgMessage* message) {
  const CliSweep* sweep = ensemble->context;
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  CliProbe probe = {.quantities = sweep->quantities,
                    .quantity_count = sweep->quantity_count,
                    .rest_speed = sweep->values->rest_speed};
  CliFinish finish = CLI_FINISH_REFUSED;
  cli_vary_values(sweep->varied, sweep->varied_count, (uint64_t)sweep->values->seed, index, row);
  double* reported = row + sweep->varied_count;
  for (int i = 0; i < sweep->quantity_count; ++i)
    reported[i] = (double)NAN;
  rgStatus status = open_world(sweep, row, &scene, &world, message);
  if (status == RG_OK && !cli_probe_start(&probe, world))
    status = RG_ERROR_MEMORY;
  if (status == RG_OK) {
    rg_world_set_cancel(world, cli_interrupt_urgent());
    finish = make_steps(sweep, scene, &probe, message);
    if (finish == CLI_FINISH_MET || finish == CLI_FINISH_NOT_MET)
      cli_probe_end(&probe, reported);
  } else if (status == RG_ERROR_MEMORY) {
    finish = CLI_FINISH_FAILED;
  }
  cli_probe_free(&probe);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return finish;
}

// --- the plan ------------------------------------------------------------------------------------

static int read_varied(CliSweep* sweep) {
  const CliTexts* texts = &sweep->values->vary;
  rgMessage message = {0};
  if (texts->count > CLI_VARY_MAX)
    return cli_complain(&cli_sweep, "--vary is given %d times, at most %d numbers can vary",
                        texts->count, CLI_VARY_MAX);
  for (int i = 0; i < texts->count; ++i) {
    CliVary* vary = &sweep->varied[i];
    bool good = cli_vary_parse(texts->items[i], vary, &message);
    sweep->varied_count = i + 1; // also of one that is refused, to be freed
    if (!good)
      return cli_complain(&cli_sweep, "%s", message.text);
  }
  return CLI_EXIT_OK;
}

static int read_quantities(CliSweep* sweep, const rgWorld* world) {
  const CliTexts* texts = &sweep->values->report;
  rgMessage message = {0};
  for (int i = 0; i < texts->count; ++i) {
    if (!cli_quantity_find(texts->items[i], world, &sweep->quantities[i], &message))
      return cli_complain(&cli_sweep, "%s", message.text);
    for (int k = 0; k < i; ++k)
      if (strcmp(sweep->quantities[k].name, texts->items[i]) == 0)
        return cli_complain(&cli_sweep, "--report %s is given twice", texts->items[i]);
  }
  sweep->quantity_count = texts->count;
  return CLI_EXIT_OK;
}

// Hash (FNV-1a) of the scene as text, with meshes and the like: a file that has changed is another
// scene.
static rgStatus hash_scene(CliSweep* sweep, const rgScene* scene, rgMessage* message) {
  char* text = cli_scene_text(scene);
  sweep->hash = rg_scene_template_hash(sweep->scenes);
  for (const char* c = text; c && *c; ++c)
    sweep->hash = (sweep->hash ^ (unsigned char)*c) * 0x100000001b3u;
  rgStatus status = text ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  free(text);
  return status;
}

// The scene with the values of its file: it must be right, and it says which bodies there are.
static int read_scene(CliSweep* sweep) {
  const char* paths[CLI_VARY_MAX];
  double values[CLI_VARY_MAX];
  rgMessage message = {0};
  for (int i = 0; i < sweep->varied_count; ++i)
    paths[i] = sweep->varied[i].path;
  rgStatus status = rg_scene_template_read(sweep->scene_path, paths, sweep->varied_count,
                                           &sweep->scenes, &message);
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  if (status == RG_OK) {
    for (int i = 0; i < sweep->varied_count; ++i)
      values[i] = rg_scene_template_value(sweep->scenes, i);
    status = open_world(sweep, values, &scene, &world, &message);
  }
  if (status == RG_OK)
    status = hash_scene(sweep, scene, &message);
  int code = CLI_EXIT_OK;
  if (status == RG_OK) {
    snprintf(sweep->title, sizeof sweep->title, "%s", rg_scene_title(scene));
    code = read_quantities(sweep, world);
  } else {
    fprintf(stderr, "%s\n", message.text); // begins with the place: file:line:column
    code = status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
  }
  rg_world_destroy(world);
  rg_scene_free(scene);
  return code;
}

int cli_sweep_plan(CliSweep* sweep) {
  int bad = read_varied(sweep);
  return bad ? bad : read_scene(sweep);
}
