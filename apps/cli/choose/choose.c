// choose.c - `rigor choose`: the cheapest way to simulate a scene to a given accuracy.
#include "cli/choose/choose.h"
#include "cli/command.h"
#include "cli/system/clash.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEFAULT_TIME = 1; // [s] when the scene names more

typedef struct ChooseValues {
  double duration; // [s] negative = the scene's time, at most DEFAULT_TIME
  bool realtime, json;
  const char* output;
} ChooseValues;

#define AT(member) .offset = offsetof(ChooseValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "time", .type = CLI_REAL, .value = "T", AT(duration), .range = {0, HUGE_VAL, true},
     .help = "simulated time to look at [s]. Default: that of the scene, at most 1"},
    {.name = "realtime", .type = CLI_FLAG, AT(realtime),
     .help = "choose only where the slowest step takes less time than it simulates"},
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", AT(output),
     .help = "write the scene with the chosen options and geometry"},
    {.name = "json", .type = CLI_FLAG, AT(json), .help = "results as one JSON object"},
    {0},
};
// clang-format on

// The search varies these.
static const char* const not_here[] = {"stepper", "theta", NULL};

static int complain(rgStatus status, const char* text) {
  cli_complain(&cli_choose, "%s", text);
  return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

static int open_scene(CliChoosing* choosing, const CliParsed* parsed, const ChooseValues* values) {
  rgMessage message = {0};
  choosing->path = parsed->operand[0];
  rgStatus status = rg_scene_read(choosing->path, &choosing->scene, &message);
  if (status != RG_OK) {
    fprintf(stderr, "%s\n", message.text);
    return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
  }
  cli_settings_apply(&parsed->settings, rg_scene_options(choosing->scene));
  choosing->options = *rg_scene_options(choosing->scene);
  choosing->accuracy = choosing->options.accuracy;
  choosing->realtime = values->realtime;
  if (!(choosing->accuracy > 0))
    return cli_complain(&cli_choose, "which accuracy? Give --accuracy E [m]");
  choosing->options.accuracy = 0; // steps are those of the trials
  double time =
      values->duration > 0 ? values->duration : fmin(rg_scene_time(choosing->scene), DEFAULT_TIME);
  choosing->frame = 4 * choosing->options.step;
  double frames = ceil(time / choosing->frame * (1 - 1e-9));
  if (!(frames <= 1e6))
    return cli_complain(&cli_choose, "%g s in frames of %g s are too many frames", time,
                        choosing->frame);
  choosing->frame_count = (int)frames;
  choosing->time = frames * choosing->frame;
  CliUses uses = {0};
  cli_uses_read_scene(&uses, choosing->path, choosing->scene);
  cli_uses_write(&uses, "--output", values->output);
  return cli_uses_clash(&uses, &message) ? cli_complain(&cli_choose, "%s", message.text)
                                         : CLI_EXIT_OK;
}

// The scene with what was chosen.
static int write_choice(const CliChoosing* choosing, const char* path) {
  const CliTrial* best = &choosing->trials[choosing->best];
  rgMessage message = {0};
  rgScene* scene = NULL;
  rgOutput* output = NULL;
  rgStatus status = rg_scene_read(choosing->path, &scene, &message);
  if (status == RG_OK && best->facets > 0)
    status = rg_scene_facet(scene, best->facets, &message);
  char* text = NULL;
  if (status == RG_OK) {
    *rg_scene_options(scene) = best->options;
    text = cli_scene_text(scene);
    status = text ? rg_output_open(path, &output, &message)
                  : cli_fail(&message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  }
  if (status == RG_OK) {
    fputs(text, rg_output_stream(output)); // a failure stays with the stream
    status = rg_output_commit(output, &message);
  }
  free(text);
  rg_scene_free(scene);
  if (status == RG_OK)
    return CLI_EXIT_OK;
  cli_complain(&cli_choose, "%s", message.text);
  return CLI_EXIT_FAILED;
}

static int choose(CliChoosing* choosing, const CliParsed* parsed, const ChooseValues* values) {
  rgMessage message = {0};
  int bad = open_scene(choosing, parsed, values);
  if (bad)
    return bad;
  cli_interrupt_watch();
  CliProgress progress = cli_progress_start(!values->json);
  choosing->progress = &progress;
  choosing->best = -1;
  rgStatus status = cli_choose_reference(choosing, &message);
  if (status == RG_OK)
    status = cli_choose_search(choosing, &message);
  cli_progress_clear(&progress);
  if (status != RG_OK && status != RG_CANCELLED)
    return complain(status, message.text);
  if (values->json)
    cli_choose_print_json(choosing);
  else if (choosing->count > 0)
    cli_choose_print(choosing);
  fflush(stdout);
  if (status == RG_CANCELLED)
    return CLI_EXIT_INTERRUPTED;
  if (choosing->best < 0)
    return CLI_EXIT_DOUBT;
  return values->output ? write_choice(choosing, values->output) : CLI_EXIT_OK;
}

static int choose_command(int argc, char** argv) {
  ChooseValues values = {.duration = -1};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_choose, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  CliChoosing* choosing = calloc(1, sizeof *choosing);
  if (!choosing) {
    cli_complain(&cli_choose, "not enough memory");
    return CLI_EXIT_FAILED;
  }
  exit_code = choose(choosing, &parsed, &values);
  cli_choose_free(choosing);
  free(choosing);
  return exit_code;
}

const CliCommand cli_choose = {
    .name = "choose",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "find the cheapest options that hold an accuracy",
    .details =
        "Makes a reference with a known error, then short runs with other steppers, thetas, steps, "
        "geometries, cones, solvers and tolerances, prints error against CPU time, and names the "
        "cheapest options that hold the accuracy.\n"
        "Exit code: 0 when something holds it, 1 when nothing that was tried does, 2 for wrong "
        "input, 130 when it was interrupted.",
    .examples = "rigor choose rolling --accuracy 1e-3\terror against CPU time\n"
                "rigor choose heap --accuracy 0.02 --realtime -o fast.json\twrite what was chosen",
    .options = options,
    .scenes = true,
    .settings = true,
    .not_settings = not_here,
    .run = choose_command,
};
