// rest.c - `rigor rest`: how a part comes to rest on a flat surface.
#include "cli/rest/rest.h"
#include "cli/text/text.h"

#include <rigor/vec_math.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(CliRestValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "body", .type = CLI_TEXT, .value = "NAME", AT(body),
     .help = "body of the scene that is dropped. Default: the first that moves"},
    {.name = "count", .letter = 'n', .type = CLI_COUNT, .value = "N", AT(count), .range = {1, 1e9, false},
     .help = "drops. Default: 500"},
    {.name = "seed", .type = CLI_COUNT, .value = "S", AT(seed), .range = {0, HUGE_VAL, false},
     .help = "of the orientations, which depend on it and on the number of the drop alone. Default: 1"},
    {.name = "height", .type = CLI_REAL, .value = "H", AT(height), .range = {0, HUGE_VAL, false},
     .help = "of the lowest corner above the surface [m]. Default: the distance from the centre of mass to "
             "the farthest corner"},
    {.name = "mu", .type = CLI_REAL, .value = "MU", AT(mu), .range = {0, HUGE_VAL, false},
     .help = "friction between part and surface. Default: 0.5"},
    {.name = "restitution", .type = CLI_REAL, .value = "E", AT(restitution), .range = {0, 1, false},
     .help = "of part and surface. Default: 0"},
    {.name = "until", .type = CLI_REAL, .value = "WIDTH", AT(until), .range = {0, 100, true},
     .help = "end when the intervals of all poses are at most this wide [%]; --count is then the most"},
    {.name = "confidence", .type = CLI_REAL, .value = "P", AT(confidence), .range = {50, 99.9999, false},
     .help = "of the intervals, which are Wilson's [%]. Default: 95"},
    {.name = "threads", .type = CLI_COUNT, .value = "N", AT(threads), .range = {1, 1024, false},
     .help = "drops made at the same time; results do not depend on it. Default: all processors"},
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", AT(output),
     .help = "table of all drops, .csv or .h5"},
    {.name = "html", .type = CLI_TEXT, .value = "FILE", AT(html),
     .help = "write a page with a picture of each pose"},
    {.name = "resume", .type = CLI_FLAG, AT(resume),
     .help = "go on with the drops that --output, or FILE.part beside it, already holds"},
    {.name = "shard", .type = CLI_TEXT, .value = "I/N", AT(shard),
     .help = "make only the I-th of N parts, to be put together by 'rigor sweep --merge'"},
    {.name = "json", .type = CLI_FLAG, AT(json),
     .help = "results as one JSON object"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, AT(quiet),
     .help = "no progress and no results"},
    {0},
};
// clang-format on

static const char* const not_settings[] = {"threads", "stepper", NULL};
static const double STEP_TIMES = 0.02; // of sqrt(L / g)

static int check_values(const CliRestValues* values) {
  int bad = cli_drive_output(&cli_rest, values->output, values->resume, values->shard != NULL);
  if (bad)
    return bad;
  if (values->shard && values->until > 0)
    return cli_complain(&cli_rest, "--until decides on all drops, and --shard has a part of them; "
                                   "give one of the two");
  return CLI_EXIT_OK;
}

// The options of the drops; the step suits the size of the part, which is known once it is read.
static int choose_options(CliRest* rest) {
  const CliSettings* settings = &rest->parsed->settings;
  rgMessage message = {0};
  int step_index;
  cli_setting_find("step", &step_index);
  rest->options = rg_world_def().options;
  cli_settings_apply(settings, &rest->options);
  rest->options.threads = 1;
  if (!(rg_vec3_dot(rest->options.gravity, rg_vec3(0, 0, 1)) < 0) || rest->options.gravity.x != 0 ||
      rest->options.gravity.y != 0)
    return cli_complain(&cli_rest, "--gravity must point along -z: the surface is horizontal");
  if (!cli_rest_part(rest))
    return CLI_EXIT_INPUT;
  if (!settings->given[step_index])
    rest->options.step = STEP_TIMES * sqrt(rest->size / rg_vec3_norm(rest->options.gravity));
  if (rg_options_check(&rest->options, &message) != RG_OK)
    return cli_complain(&cli_rest, "%s", message.text);
  return CLI_EXIT_OK;
}

// Hash (FNV-1a) of what is dropped.
static uint64_t hash_part(const CliRest* rest) {
  const unsigned char* bytes = (const unsigned char*)rest->points;
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < (size_t)rest->point_count * sizeof *rest->points; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  bytes = (const unsigned char*)&rest->mass;
  for (size_t i = 0; i < sizeof rest->mass; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

static void write_about(CliRest* rest) {
  const CliRestValues* values = rest->values;
  char* about = rest->ensemble.about;
  int used = snprintf(
      about, CLI_ABOUT_MAX,
      "%s %016" PRIx64 "; seed %" PRId64 "; mu %.17g; restitution %.17g; step %.17g", rest->name,
      hash_part(rest), values->seed, values->mu, values->restitution, rest->options.step);
  if (values->height >= 0)
    used +=
        snprintf(about + used, (size_t)(CLI_ABOUT_MAX - used), "; height %.17g", values->height);
  const rgOption* setting;
  for (int i = 0; i < CLI_SETTING_MAX && (setting = rg_option(i)); ++i) {
    char text[CLI_TEXT_MAX];
    if (!rest->parsed->settings.given[i] || used >= CLI_ABOUT_MAX)
      continue;
    cli_setting_show(setting, &rest->parsed->settings.values, text, sizeof text);
    used += snprintf(about + used, (size_t)(CLI_ABOUT_MAX - used), "; %s %s", setting->name, text);
  }
  rg_utf8_clean(about);
}

static int plan(CliRest* rest) {
  const CliRestValues* values = rest->values;
  CliEnsemble* ensemble = &rest->ensemble;
  rgMessage message = {0};
  ensemble->command = &cli_rest;
  int bad = check_values(values);
  if (!bad && !cli_drive_shard(ensemble, values->shard))
    bad = CLI_EXIT_INPUT;
  if (!bad)
    bad = choose_options(rest);
  if (bad)
    return bad;
  cli_quantity_find("time_to_rest", NULL, &rest->watched, &message); // needs no body
  ensemble->context = rest;
  ensemble->make = cli_rest_make;
  ensemble->count = values->count;
  ensemble->columns[0] = (CliColumn){.name = "pose",
                                     .unit = "",
                                     .kind = CLI_COLUMN_CLASS,
                                     .class_count = rest->stable_count + 1,
                                     .class_name = cli_rest_pose};
  ensemble->columns[1] =
      (CliColumn){.name = "time_to_rest", .unit = "s", .kind = CLI_COLUMN_NUMBER};
  ensemble->column_count = 2;
  ensemble->confidence = values->confidence / 100;
  ensemble->until = (CliUntil){values->until > 0 ? 0 : -1, values->until / 100};
  ensemble->threads = cli_drive_threads(values->threads);
  write_about(rest);
  return CLI_EXIT_OK;
}

int cli_rest_main(int argc, char** argv, CliMaker* maker, bool helper) {
  CliRestValues values = {.count = 500, .seed = 1, .height = -1, .mu = 0.5, .confidence = 95};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_rest, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  CliRest* rest = calloc(1, sizeof *rest);
  if (!rest)
    return CLI_EXIT_FAILED;
  rest->values = &values;
  rest->parsed = &parsed;
  exit_code = plan(rest);
  CliDrive drive = {.ensemble = &rest->ensemble,
                    .maker = maker,
                    .helper = helper,
                    .input = parsed.operand[0],
                    .title = rest->name,
                    .output = values.output,
                    .html = values.html,
                    .resume = values.resume,
                    .json = values.json,
                    .quiet = values.quiet,
                    .seed = values.seed,
                    .print = cli_rest_print,
                    .print_json = cli_rest_json,
                    .page = cli_rest_page};
  if (exit_code == CLI_EXIT_OK)
    exit_code = cli_drive(&drive);
  cli_ensemble_free(&rest->ensemble);
  cli_rest_free(rest);
  free(rest);
  return exit_code;
}

static int rest_command(int argc, char** argv) {
  return cli_rest_main(argc, argv, cli_ensemble_make, false);
}

const CliCommand cli_rest = {
    .name = "rest",
    .operands = "PART",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "drop a part many times: how likely is each pose of rest",
    .details = "Drops a part on a flat surface in orientations that are uniform over all, and "
               "gives the share of "
               "each pose in which it comes to rest with its interval of confidence (Wilson). PART "
               "is a file of "
               "triangles (.stl, .obj, .off, .dae, in metres) or a scene with the body. Beside it "
               "stands the "
               "quasi-static estimate: the solid angles of the faces of the hull as seen from the "
               "centre of mass, "
               "each added to the stable face onto which the part tips.\n"
               "The table of drops has the same bytes for any number of threads, shards and "
               "interruptions, as that "
               "of 'rigor sweep'.\n"
               "Exit code: as of 'rigor sweep'.",
    .examples = "rigor rest bracket.stl --html poses.html\tposes of a part, with pictures\n"
                "rigor rest parts.json --body nut -n 5000\ta body of a scene\n"
                "rigor rest die.off --until 2 -n 100000\tuntil intervals are 2 % wide",
    .options = options,
    .scenes = true,
    .settings = true,
    .not_settings = not_settings,
    .run = rest_command,
};
