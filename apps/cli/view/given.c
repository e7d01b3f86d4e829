// given.c - what a command is to show: a scene, a recorded run with its scene, or both.
#include "cli/view/given.h"

#include "cli/system/files.h"
#include "cli/text/faults.h"

#include <stdio.h>
#include <string.h>

int cli_given_exit(rgStatus status) {
  return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

static int choose(CliGiven* given) {
  const char* operand = given->parsed->operand[0];
  given->scene_path = operand;
  if (!cli_is_trajectory(operand))
    return CLI_EXIT_OK;
  if (given->run_path)
    return cli_complain(given->command, "%s is a trajectory; --run goes with a scene", operand);
  given->run_path = operand;
  given->scene_path = NULL;
  return CLI_EXIT_OK;
}

static int read_run(CliGiven* given) {
  const char* path = given->run_path;
  if (!path)
    return CLI_EXIT_OK;
  rgMessage message = {0};
  rgStatus status = cli_view_run_read(path, &given->run, &message);
  if (status != RG_OK) {
    cli_complain(given->command, "%s", message.text);
    return cli_given_exit(status);
  }
  if (!given->scene_path && !given->run.scene)
    return cli_complain(given->command,
                        "%s comes without its scene (%s); name it: rigor %s SCENE --run %s", path,
                        cli_ends_with(path, ".csv") ? given->run.scene_path : "the dataset /scene",
                        given->command->name, path);
  return CLI_EXIT_OK;
}

static int read_scene(CliGiven* given) {
  rgMessage message = {0};
  const CliViewRun* run = &given->run;
  rgStatus status = given->scene_path ? rg_scene_read(given->scene_path, &given->scene, &message)
                                      : rg_scene_parse(run->scene, strlen(run->scene),
                                                       run->scene_path, &given->scene, &message);
  if (status != RG_OK) {
    if (given->scene_path)
      cli_print_faults(given->scene_path, message.text);
    else
      fprintf(stderr, "%s\n", message.text);
    return cli_given_exit(status);
  }
  rgOptions* options = rg_scene_options(given->scene);
  if (given->preset && !cli_settings_preset(given->preset, options))
    return cli_complain(given->command,
                        "--preset is '%s'; 'rigor list presets' names those there are",
                        given->preset);
  cli_settings_apply(&given->parsed->settings, options);
  return CLI_EXIT_OK;
}

int cli_given_open(CliGiven* given) {
  int exit_code = choose(given);
  if (exit_code == CLI_EXIT_OK)
    exit_code = read_run(given);
  return exit_code == CLI_EXIT_OK ? read_scene(given) : exit_code;
}

void cli_given_close(CliGiven* given) {
  rg_scene_free(given->scene);
  cli_view_run_free(&given->run);
  given->scene = NULL;
}

void cli_given_uses(const CliGiven* given, CliUses* uses) {
  cli_uses_read_scene(uses, given->scene_path, given->scene);
  cli_uses_read(uses, "the trajectory", given->run_path);
  if (given->run_path)
    cli_uses_read(uses, "the scene of the trajectory", given->run.scene_path);
}
