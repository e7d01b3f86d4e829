// sweep.c - `rigor sweep`: many runs of one scene with numbers that vary.
#include "cli/sweep/sweep.h"
#include "cli/system/clash.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) .offset = offsetof(CliSweepValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "vary", .type = CLI_TEXTS, .value = "PATH=VALUES", AT(vary),
     .help = "a number of the scene that varies, and how: uniform(a,b), normal(m,s), list(a,b,...), "
             "grid(a,b,n); may be given several times"},
    {.name = "count", .letter = 'n', .type = CLI_COUNT, .value = "N", AT(count), .range = {1, 1e9, false},
     .help = "runs. Default: the combinations of lists and grids"},
    {.name = "seed", .type = CLI_COUNT, .value = "S", AT(seed), .range = {0, HUGE_VAL, false},
     .help = "of the random numbers, which depend on it and on the number of the run alone. Default: 1"},
    {.name = "report", .letter = 'r', .type = CLI_TEXTS, .value = "QUANTITY", AT(report),
     .help = "what each run reports ('rigor list quantities'); may be given several times"},
    {.name = "until", .type = CLI_TEXT, .value = "QUANTITY=WIDTH", AT(until),
     .help = "end when the interval of a quantity is at most this wide; --count is then the most. Decided "
             "on the runs in their order, whatever the number of threads"},
    {.name = "confidence", .type = CLI_REAL, .value = "P", AT(confidence), .range = {50, 99.9999, false},
     .help = "of the intervals [%]: Student's of means, Wilson's of shares. Default: 95"},
    {.name = "time", .type = CLI_REAL, .value = "T", AT(duration), .range = {0, HUGE_VAL, false},
     .help = "simulated time of each run [s]. Default: the time that the scene names"},
    {.name = "rest-speed", .type = CLI_REAL, .value = "V", AT(rest_speed), .range = {0, HUGE_VAL, true},
     .help = "speed [m/s] below which every point of a body counts as at rest. Default: 0.01 sqrt(g L), L "
             "being the size of the smallest body"},
    {.name = "threads", .type = CLI_COUNT, .value = "N", AT(threads), .range = {1, 1024, false},
     .help = "runs made at the same time; results do not depend on it. Default: all processors"},
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", AT(output),
     .help = "table of all runs, .csv or .h5"},
    {.name = "html", .type = CLI_TEXT, .value = "FILE", AT(html),
     .help = "write a page with statistics, histograms and plots"},
    {.name = "resume", .type = CLI_FLAG, AT(resume),
     .help = "go on with the runs that --output, or FILE.part beside it, already holds"},
    {.name = "shard", .type = CLI_TEXT, .value = "I/N", AT(shard),
     .help = "make only the I-th of N parts (1/4 .. 4/4), to be put together by --merge"},
    {.name = "merge", .type = CLI_FLAG, AT(merge),
     .help = "put the tables of shards together: rigor sweep --merge FILES -o FILE"},
    {.name = "json", .type = CLI_FLAG, AT(json),
     .help = "statistics as one JSON object"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, AT(quiet),
     .help = "no progress and no statistics"},
    {0},
};
// clang-format on

static const char* const not_settings[] = {"threads", NULL};

// --- what is asked for ---------------------------------------------------------------------------

static int merge_files(const CliSweepValues* values, const CliParsed* parsed) {
  rgMessage message = {0};
  int64_t runs = 0;
  if (values->vary.count > 0 || values->report.count > 0 || values->shard || values->resume ||
      values->until || values->html || values->count > 0)
    return cli_complain(&cli_sweep, "--merge makes no runs: give it the files of the shards and -o "
                                    "only");
  if (!values->output)
    return cli_complain(&cli_sweep, "--merge needs --output FILE for the whole table");
  for (int i = 0; i < parsed->operand_count; ++i)
    if (cli_same_file(parsed->operand[i], values->output))
      return cli_complain(&cli_sweep,
                          "--output is %s, which is one of the parts; write to another "
                          "file",
                          values->output);
  if (cli_merge(parsed->operand, parsed->operand_count, values->output, &runs, &message) != RG_OK)
    return cli_complain(&cli_sweep, "%s", message.text);
  if (!values->quiet)
    printf("%" PRId64 " runs of %d files are in %s\n", runs, parsed->operand_count, values->output);
  return CLI_EXIT_OK;
}

static int check_values(const CliSweepValues* values, const CliParsed* parsed) {
  if (parsed->operand_count != 1)
    return cli_complain(&cli_sweep, "'%s' is one too many; usage: rigor sweep SCENE [OPTIONS]",
                        parsed->operand[1]);
  if (values->vary.count == 0)
    return cli_complain(&cli_sweep, "--vary is missing: which number varies, as in --vary "
                                    "'materials.wood.mu=uniform(0.3,0.6)'");
  if (values->report.count == 0)
    return cli_complain(&cli_sweep, "--report is missing: what each run reports, as in --report "
                                    "runout; 'rigor list quantities' names all");
  int bad = cli_drive_output(&cli_sweep, values->output, values->resume, values->shard != NULL);
  if (bad)
    return bad;
  if (values->shard && values->until)
    return cli_complain(&cli_sweep, "--until decides on all runs, and --shard has a part of them; "
                                    "give one of the two");
  return CLI_EXIT_OK;
}

static int read_count(CliSweep* sweep) {
  double combinations = cli_vary_combinations(sweep->varied, sweep->varied_count);
  sweep->ensemble.count = sweep->values->count;
  if (sweep->values->count > 0)
    return CLI_EXIT_OK;
  if (combinations == 0)
    return cli_complain(&cli_sweep, "--count is missing: how many runs with random numbers, as in "
                                    "--count 1000");
  if (combinations > 1e9)
    return cli_complain(&cli_sweep,
                        "lists and grids have %g combinations, at most 1e9 runs can be "
                        "made; say how many with --count",
                        combinations);
  sweep->ensemble.count = (int64_t)combinations;
  return CLI_EXIT_OK;
}

static int read_until(CliSweep* sweep) {
  CliEnsemble* ensemble = &sweep->ensemble;
  const char* text = sweep->values->until;
  ensemble->until.column = -1;
  if (!text)
    return CLI_EXIT_OK;
  const char* equals = strrchr(text, '=');
  if (!equals || !cli_number(equals + 1, &ensemble->until.width) || !(ensemble->until.width > 0))
    return cli_complain(&cli_sweep, "--until is '%s', must be QUANTITY=WIDTH with a width > 0",
                        text);
  size_t length = (size_t)(equals - text);
  for (int i = 0; i < sweep->quantity_count; ++i) {
    const char* name = sweep->quantities[i].name;
    if (strlen(name) == length && memcmp(name, text, length) == 0)
      ensemble->until.column = sweep->varied_count + i;
  }
  if (ensemble->until.column < 0)
    return cli_complain(&cli_sweep,
                        "--until is '%s', but this quantity is not reported; add "
                        "--report %.*s",
                        text, (int)length, text);
  return CLI_EXIT_OK;
}

// --- the ensemble --------------------------------------------------------------------------------

static void make_columns(CliSweep* sweep) {
  CliEnsemble* ensemble = &sweep->ensemble;
  for (int i = 0; i < sweep->varied_count; ++i) {
    CliColumn* column = &ensemble->columns[ensemble->column_count++];
    *column = (CliColumn){.unit = "", .kind = CLI_COLUMN_VARIED};
    snprintf(column->name, sizeof column->name, "%s", sweep->varied[i].path);
  }
  for (int i = 0; i < sweep->quantity_count; ++i) {
    const CliQuantity* quantity = &sweep->quantities[i];
    CliColumn* column = &ensemble->columns[ensemble->column_count++];
    *column = (CliColumn){.unit = cli_quantity_unit(quantity),
                          .kind = cli_quantity_column(quantity),
                          .class_count = CLI_UP_COUNT,
                          .class_name = cli_up_name};
    snprintf(column->name, sizeof column->name, "%s", quantity->name);
  }
}

// One line with all that the results depend on.
static void write_about(CliSweep* sweep) {
  const CliSweepValues* values = sweep->values;
  const char* slash = strrchr(sweep->scene_path, '/');
  char* about = sweep->ensemble.about;
  FILE* stream = fmemopen(about, CLI_ABOUT_MAX, "w");
  if (!stream)
    return;
  fprintf(stream, "%s %016" PRIx64 "; seed %" PRId64, slash ? slash + 1 : sweep->scene_path,
          sweep->hash, values->seed);
  for (int i = 0; i < sweep->varied_count; ++i)
    fprintf(stream, "; %s", sweep->varied[i].text);
  if (values->duration >= 0)
    fprintf(stream, "; time %.17g", values->duration);
  if (values->rest_speed > 0)
    fprintf(stream, "; rest-speed %.17g", values->rest_speed);
  const rgOption* setting;
  for (int i = 0; i < CLI_SETTING_MAX && (setting = rg_option(i)); ++i) {
    char text[CLI_TEXT_MAX];
    if (!sweep->parsed->settings.given[i])
      continue;
    cli_setting_show(setting, &sweep->parsed->settings.values, text, sizeof text);
    fprintf(stream, "; %s %s", setting->name, text);
  }
  fclose(stream);
  about[CLI_ABOUT_MAX - 1] = '\0';
  rg_utf8_clean(about);
}

static int plan(CliSweep* sweep) {
  const CliSweepValues* values = sweep->values;
  CliEnsemble* ensemble = &sweep->ensemble;
  int bad = check_values(values, sweep->parsed);
  sweep->scene_path = sweep->parsed->operand[0];
  ensemble->command = &cli_sweep;
  if (!bad && !cli_drive_shard(ensemble, values->shard))
    bad = CLI_EXIT_INPUT;
  if (!bad)
    bad = cli_sweep_plan(sweep);
  if (!bad)
    bad = read_count(sweep);
  if (!bad)
    bad = read_until(sweep);
  if (bad)
    return bad;
  make_columns(sweep);
  write_about(sweep);
  ensemble->context = sweep;
  ensemble->make = cli_sweep_make;
  ensemble->confidence = values->confidence / 100;
  ensemble->threads = cli_drive_threads(values->threads);
  return CLI_EXIT_OK;
}

// --- the command ---------------------------------------------------------------------------------

int cli_sweep_main(int argc, char** argv, CliMaker* maker, bool helper) {
  CliSweepValues values = {.duration = -1, .seed = 1, .confidence = 95};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_sweep, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  if (values.merge)
    return helper ? CLI_EXIT_OK : merge_files(&values, &parsed);
  CliSweep* sweep = calloc(1, sizeof *sweep);
  if (!sweep)
    return CLI_EXIT_FAILED;
  sweep->values = &values;
  sweep->parsed = &parsed;
  exit_code = plan(sweep);
  CliDrive drive = {.ensemble = &sweep->ensemble,
                    .maker = maker,
                    .helper = helper,
                    .input = sweep->scene_path,
                    .title = sweep->title,
                    .output = values.output,
                    .html = values.html,
                    .resume = values.resume,
                    .json = values.json,
                    .quiet = values.quiet,
                    .seed = values.seed};
  if (exit_code == CLI_EXIT_OK)
    exit_code = cli_drive(&drive);
  cli_ensemble_free(&sweep->ensemble);
  for (int i = 0; i < sweep->varied_count; ++i)
    cli_vary_free(&sweep->varied[i]);
  rg_scene_template_free(sweep->scenes);
  free(sweep);
  return exit_code;
}

static int sweep_command(int argc, char** argv) {
  return cli_sweep_main(argc, argv, cli_ensemble_make, false);
}

const CliCommand cli_sweep = {
    .name = "sweep",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = CLI_OPERAND_MANY,
    .summary = "run a scene many times with numbers that vary, with statistics",
    .details =
        "Makes many runs of a scene in which numbers vary, and gives means, shares and their "
        "intervals of confidence. A number is named by its path in the scene file, keys, indices "
        "and "
        "names with points between them: bodies.ball.velocity.x, materials.0.mu, options.step.\n"
        "Lists and grids go through all their combinations, the last one fastest. The table of "
        "runs has "
        "the same bytes for any number of threads, shards and interruptions. Runs that fail, that "
        "miss "
        "the tolerance, or whose scene is refused are counted and stay in the table.\n"
        "While runs are made, FILE.part beside the output holds those that are done, whatever ends "
        "the "
        "process; --resume goes on from there.\n"
        "Exit code: 0 when every run met the tolerance in every step, 1 when some did not, failed "
        "or were "
        "refused, or when --until was not reached, 2 for wrong input, 3 when files or memory fail, "
        "130 "
        "when interrupted.",
    .examples =
        "rigor sweep throw.json --vary 'bodies.ball.velocity.x=uniform(3,5)' -n 1000 -r "
        "runout\tmeans\n"
        "rigor sweep wall.json --vary 'materials.0.mu=grid(0,1,11)' -r at_rest\tover friction\n"
        "rigor sweep throw.json ... --shard 1/4 -o part1.csv\tone of four parts\n"
        "rigor sweep --merge part*.csv -o all.csv\tthe parts together",
    .options = options,
    .scenes = true,
    .settings = true,
    .not_settings = not_settings,
    .run = sweep_command,
};
