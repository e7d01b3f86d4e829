// run.c - `rigor run`: simulates a scene and says how well.
//
// What overrides what, the last wins: the scene's preset, the scene's options, --preset, the single
// options of the command line. A snapshot holds no options.
#include "cli/command.h"
#include "cli/run/accurate.h"
#include "cli/run/dump.h"
#include "cli/run/open_joints.h"
#include "cli/run/plan.h"
#include "cli/run/profile.h"
#include "cli/run/progress.h"
#include "cli/run/recorder.h"
#include "cli/run/snapshot.h"
#include "cli/run/summary.h"
#include "cli/system/clash.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/faults.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>

typedef struct RunValues {
  double duration; // [s] negative = as the scene says
  const char* preset;
  const char* output;
  const char* record; // NULL = bodies
  int64_t every;      // 0 = not given
  double rate;        // [1/s] 0 = not given
  const char *save, *load;
  const char *dump, *format; // of problems
  const char* profile;
  bool json, quiet;
} RunValues;

#define AT(member) .offset = offsetof(RunValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "time", .type = CLI_REAL, .value = "T", AT(duration), .range = {0, HUGE_VAL, false},
     .help = "simulated time to run [s]. Default: up to the time that the scene names"},
    {.name = "preset", .type = CLI_TEXT, .value = "NAME", AT(preset),
     .help = "a named set of options ('rigor list presets')"},
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", AT(output),
     .help = "trajectory, its format by its ending ('rigor list formats')"},
    {.name = "record", .type = CLI_TEXT, .value = "LIST", AT(record),
     .help = "what the trajectory holds: bodies, contacts, joints, forces, sensors, with commas between "
             "them "
             "('rigor list records'). Default: bodies"},
    {.name = "every", .type = CLI_COUNT, .value = "N", AT(every), .range = {1, HUGE_VAL, false},
     .help = "record every N-th step. Default: 1, unless --fps is given. Also for --dump-problems"},
    {.name = "fps", .type = CLI_REAL, .value = "F", AT(rate), .range = {0, HUGE_VAL, true},
     .help = "record F frames per second of simulated time [1/s], each that of the first step at "
             "or after its time"},
    {.name = "save", .type = CLI_TEXT, .value = "FILE", AT(save),
     .help = "write the whole state at the end, to go on from there with --load"},
    {.name = "load", .type = CLI_TEXT, .value = "FILE", AT(load),
     .help = "start from a state written by --save of the same scene"},
    {.name = "dump-problems", .type = CLI_TEXT, .value = "DIR", AT(dump),
     .help = "write the contact problem of each island and step into a folder, for 'rigor solve'"},
    {.name = "format", .type = CLI_TEXT, .value = "NAME", AT(format),
     .help = "of these files: json, text, fclib, text-global or fclib-global. Default: json"},
    {.name = "profile", .type = CLI_TEXT, .value = "FILE", AT(profile),
     .help = "where the time goes, by the phases of a step: a table after the summary, and a page with a "
             "picture along the run, or the picture alone if FILE ends with .svg"},
    {.name = "json", .type = CLI_FLAG, AT(json),
     .help = "summary as one JSON object"},
    {.name = "quiet", .letter = 'q', .type = CLI_FLAG, AT(quiet),
     .help = "no progress and no summary"},
    {0},
};
// clang-format on

// Everything a run holds.
typedef struct Run {
  const CliCommand* command;
  const RunValues* values;
  const CliParsed* parsed;
  rgScene* scene;
  rgWorld* world;
  CliAccurate accurate; // where an accuracy is asked for
  double step;          // [s] of the options: what one step of the run is
  bool world_failed;    // in a step; its state is that of the last good one
  bool cancelled;       // that step, by a second signal
  CliRecorder recorder;
  CliSnapshot snapshot;
  CliDump dump;
  CliProgress progress;
  CliProfile profile;
  CliSummary summary;
  CliSummary begun; // the summary before the first step
} Run;

// --- before the first step ---------------------------------------------------------------------

static int exit_for(rgStatus status) {
  return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

static int complain_status(const Run* run, rgStatus status, const char* text) {
  cli_complain(run->command, "%s", text);
  return exit_for(status);
}

static int check_dump(Run* run) {
  const RunValues* values = run->values;
  rgMessage message = {0};
  if (values->format && !values->dump)
    return cli_complain(run->command, "--format is for --dump-problems; give both");
  run->dump = (CliDump){.folder = values->dump, .every = values->every > 0 ? values->every : 1};
  if (values->format && !cli_dump_format(values->format, &run->dump.format, &message))
    return cli_complain(run->command, "%s", message.text);
  return CLI_EXIT_OK;
}

static int check_values(Run* run) {
  const RunValues* values = run->values;
  rgMessage message = {0};
  if (values->record && !values->output)
    return cli_complain(run->command, "--record is for a trajectory; name its file with --output");
  if (!cli_recorder_kinds(values->record, &run->recorder.kinds, &message))
    return cli_complain(run->command, "%s", message.text);
  if (values->every > 0 && values->rate > 0)
    return cli_complain(run->command, "--every and --fps exclude each other; give one of them");
  return cli_check_preset(run->command, values->preset);
}

// Models of robots: how much was not taken as it stands.
static void count_remarks(const Run* run) {
  const char *place, *text, *path = run->parsed->operand[0];
  int count = 0;
  while (rg_scene_note(run->scene, count, &place, &text))
    ++count;
  if (count > 0)
    fprintf(stderr,
            "%s: %d remark%s on what is ignored, repaired or approximated; 'rigor check %s' lists "
            "them\n",
            path, count, count == 1 ? "" : "s", path);
}

static int open_world(Run* run) {
  rgMessage message = {0};
  rgStatus status = rg_scene_read(run->parsed->operand[0], &run->scene, &message);
  if (status == RG_OK) {
    rgOptions* scene_options = rg_scene_options(run->scene);
    if (run->values->preset)
      cli_settings_preset(run->values->preset, scene_options);
    cli_settings_apply(&run->parsed->settings, scene_options);
    status = rg_scene_build(run->scene, NULL, &run->world, &message);
  }
  if (status != RG_OK) {
    cli_print_faults(run->parsed->operand[0], message.text);
    return exit_for(status);
  }
  count_remarks(run);
  run->step = rg_world_options(run->world)->step;
  status = cli_accurate_open(&run->accurate, run->scene, run->world, run->values->load,
                             run->values->duration, &message);
  return status == RG_OK ? CLI_EXIT_OK : complain_status(run, status, message.text);
}

// No file is both read and written, or written twice. A run may go on from a snapshot and replace it.
static int check_files(const Run* run) {
  const RunValues* values = run->values;
  rgMessage message = {0};
  CliUses uses = {0};
  cli_uses_read_scene(&uses, run->parsed->operand[0], run->scene);
  if (!cli_same_file(values->load, values->save))
    cli_uses_read(&uses, "--load", values->load);
  cli_uses_write(&uses, "--save", values->save);
  cli_uses_write(&uses, "--profile", values->profile);
  cli_uses_write_trajectory(&uses, "--output", values->output, run->recorder.kinds);
  cli_uses_write_into(&uses, "--dump-problems", values->dump, CLI_DUMP_START);
  if (cli_uses_clash(&uses, &message) || cli_dump_clash(&run->dump, values->save, &message) ||
      cli_dump_clash(&run->dump, values->output, &message))
    return cli_complain(run->command, "%s", message.text);
  return CLI_EXIT_OK;
}

static int plan_steps(Run* run) {
  bool to_end = run->values->duration < 0; // that the scene names
  double start = to_end ? rg_world_time(run->world) : 0;
  double end = to_end ? rg_scene_time(run->scene) : run->values->duration;
  double planned = cli_steps_between(start, end, run->step);
  if (planned < 0)
    return cli_complain(run->command,
                        "%s is at %g s, after the scene's end at %g s; say how long with --time",
                        run->values->load, start, end);
  if (!(planned <= (double)CLI_COUNT_MAX))
    return cli_complain(run->command, "%g s in steps of %g s are too many steps", end, run->step);
  run->summary.planned = (int64_t)planned;
  return CLI_EXIT_OK;
}

static int open_files(Run* run) {
  const RunValues* values = run->values;
  rgMessage message = {0};
  run->recorder.every = values->every > 0 || values->rate > 0 ? values->every : 1;
  run->recorder.rate = values->rate;
  run->recorder.step = run->step;
  rgStatus status = cli_snapshot_open(&run->snapshot, values->save, &message);
  if (status == RG_OK)
    status = cli_recorder_open(&run->recorder, values->output, run->world, run->scene,
                               run->accurate.accuracy, &message);
  if (status == RG_OK)
    status = cli_dump_open(&run->dump, run->summary.planned, &message);
  return status == RG_OK ? CLI_EXIT_OK : complain_status(run, status, message.text);
}

// --- stepping ----------------------------------------------------------------------------------

static void show_progress(Run* run, double wall) {
  const CliSummary* summary = &run->summary;
  if (summary->steps == 0 || !cli_progress_due(&run->progress, wall))
    return;
  CliProgressState state = {
      .fraction = (double)summary->steps / (double)summary->planned,
      .simulated = rg_world_time(run->world),
      .real_time = cli_summary_real_time(summary),
      .contacts = rg_world_certificate(run->world)->contacts,
      .residual = summary->worst.residual,
      .met = summary->worst.met,
  };
  cli_progress_draw(&run->progress, wall, &state);
}

// One step with its time and its certificate. False when the world could not make it.
static bool make_step(Run* run) {
  CliSummary* summary = &run->summary;
  rgCertificate certificate = {0};
  double wall = cli_wall_clock(), cpu = cli_cpu_clock();
  rgAccuracy* accuracy = run->accurate.accuracy;
  rgStatus status =
      accuracy ? rg_accuracy_step(accuracy, &certificate) : rg_world_step(run->world, &certificate);
  summary->wall += cli_wall_clock() - wall;
  cpu = cli_cpu_clock() - cpu;
  run->cancelled = status == RG_CANCELLED;
  if (status == RG_OK) {
    cli_summary_step(summary, run->world, &certificate, cpu);
    cli_profile_step(&run->profile, run->world);
    return true;
  }
  snprintf(summary->reason.text, sizeof summary->reason.text, "%s", rg_world_message(run->world));
  return false;
}

// Begins anew with shorter steps where the error has outgrown what was asked for. Time that was
// spent stays spent.
static rgStatus begin_anew(Run* run) {
  CliSummary* summary = &run->summary;
  rgAccuracy* accuracy = run->accurate.accuracy;
  double end = rg_world_time(run->world) + (double)(summary->planned - summary->steps) * run->step;
  rgMessage ignored;
  rgStatus status = rg_accuracy_restart(accuracy);
  if (status != RG_OK) {
    snprintf(summary->reason.text, sizeof summary->reason.text, "%s", rg_world_message(run->world));
    return status;
  }
  double cpu = summary->cpu, wall = summary->wall;
  *summary = run->begun;
  summary->cpu = cpu;
  summary->wall = wall;
  summary->start = rg_world_time(run->world);
  summary->energy_start = rg_world_energy(run->world);
  summary->planned = (int64_t)cli_steps_between(summary->start, end, run->step);
  cli_recorder_close(&run->recorder, run->world, 0, false, &ignored); // it is replaced
  return cli_recorder_open(&run->recorder, run->values->output, run->world, run->scene, accuracy,
                           &summary->reason);
}

static CliOutcome outcome_of(const Run* run) {
  const rgAccuracy* accuracy = run->accurate.accuracy;
  bool accurate = !accuracy || rg_accuracy_report(accuracy).holds;
  return run->summary.not_met > 0 || !accurate ? CLI_NOT_MET : CLI_DONE;
}

// All steps, or as many as can be made; returns how it went.
static CliOutcome make_steps(Run* run) {
  CliSummary* summary = &run->summary;
  while (true) {
    double now = cli_wall_clock();
    rgStatus status =
        cli_recorder_step(&run->recorder, run->world, summary->steps, now, &summary->reason);
    if (status == RG_OK)
      status = cli_dump_step(&run->dump, run->world, summary->steps, &summary->reason);
    if (status != RG_OK)
      return CLI_FAILED;
    if (summary->steps == summary->planned)
      return outcome_of(run);
    if (cli_interrupted())
      return CLI_INTERRUPTED;
    show_progress(run, now);
    run->world_failed = !make_step(run);
    if (run->world_failed)
      return run->cancelled ? CLI_INTERRUPTED : CLI_FAILED;
    bool outgrown = run->accurate.accuracy && rg_accuracy_outgrown(run->accurate.accuracy);
    if (outgrown && begin_anew(run) != RG_OK)
      return CLI_FAILED;
  }
}

static void note_failure(CliSummary* summary, const rgMessage* message) {
  if (summary->outcome == CLI_FAILED)
    return; // the first reason counts
  summary->outcome = CLI_FAILED;
  summary->reason = *message;
}

static void close_files(Run* run) {
  CliSummary* summary = &run->summary;
  rgMessage message = {0};
  bool writable = summary->outcome != CLI_FAILED || run->world_failed;
  if (cli_recorder_close(&run->recorder, run->world, summary->steps, writable, &message) != RG_OK)
    note_failure(summary, &message);
  summary->frames = run->recorder.frames;
  summary->rate = run->recorder.rate;
  summary->frame_steps = cli_recorder_spacing(&run->recorder);
  summary->problems = run->dump.files;
  // A run that a full disk has ended, or a step that was too long, can go on from its snapshot.
  if (cli_snapshot_commit(&run->snapshot, run->world, run->accurate.accuracy, &message) == RG_OK)
    summary->snapshot = run->values->save;
  else
    note_failure(summary, &message);
  if (cli_profile_write(&run->profile, run->parsed->operand[0], &message) != RG_OK)
    note_failure(summary, &message);
}

// Which joints are open, where a run is not met because of them.
static void complain_of_joints(const Run* run) {
  const rgStageReport* projection = &run->summary.worst.stages[RG_STAGE_PROJECTION];
  char text[4 * CLI_TEXT_MAX];
  if (projection->missed == 0)
    return;
  cli_open_joints(run->world, projection->asked, text, sizeof text);
  if (text[0])
    cli_complain(run->command, "%s", text);
}

static int conclude(const Run* run) {
  static const int exits[] = {
      [CLI_DONE] = CLI_EXIT_OK,
      [CLI_NOT_MET] = CLI_EXIT_DOUBT,
      [CLI_INTERRUPTED] = CLI_EXIT_INTERRUPTED,
      [CLI_FAILED] = CLI_EXIT_FAILED,
  };
  const CliSummary* summary = &run->summary;
  bool table = !run->values->json && !run->values->quiet;
  if (run->values->json)
    cli_summary_print_json(summary);
  else if (table)
    cli_summary_print(summary);
  if (table)
    cli_profile_table(&run->profile);
  fflush(stdout);
  if (summary->outcome == CLI_FAILED && run->world_failed) {
    char doctor[2 * CLI_TEXT_MAX];
    cli_summary_doctor(summary, doctor, sizeof doctor);
    cli_complain(run->command, "%s\n%s", summary->reason.text, doctor);
  } else if (summary->outcome == CLI_FAILED) {
    cli_complain(run->command, "%s", summary->reason.text);
  } else if (summary->outcome == CLI_NOT_MET && !table) {
    char sentence[3 * CLI_TEXT_MAX], doctor[2 * CLI_TEXT_MAX];
    cli_summary_sentence(summary, sentence, sizeof sentence);
    cli_summary_doctor(summary, doctor, sizeof doctor);
    cli_complain(run->command, "%s %s", sentence, doctor);
  }
  complain_of_joints(run);
  return exits[summary->outcome];
}

static int simulate(Run* run) {
  int bad = check_values(run);
  if (!bad)
    bad = check_dump(run);
  if (!bad)
    bad = open_world(run);
  if (!bad)
    bad = check_files(run);
  if (!bad)
    bad = plan_steps(run);
  if (bad)
    return bad;
  cli_interrupt_watch();
  rg_world_set_cancel(run->world, cli_interrupt_urgent());
  if (run->accurate.shadow)
    rg_world_set_cancel(run->accurate.shadow, cli_interrupt_urgent());
  bad = open_files(run);
  if (bad)
    return bad;

  CliSummary* summary = &run->summary;
  summary->scene = run->parsed->operand[0];
  summary->title = rg_scene_title(run->scene);
  summary->trajectory = run->values->output;
  summary->problem_folder = run->values->dump;
  cli_summary_start(summary, run->world);
  summary->options.step = run->step;
  run->begun = *summary;
  run->progress = cli_progress_start(!run->values->quiet);
  cli_profile_start(&run->profile, run->values->profile, run->world);
  summary->outcome = make_steps(run);
  close_files(run);
  cli_progress_clear(&run->progress);
  cli_summary_end(summary, run->world);
  summary->accuracy = run->accurate.accuracy;
  summary->world = run->world;
  if (run->values->json)
    cli_summary_count_undetermined(summary, run->world);
  return conclude(run);
}

static int run_command(int argc, char** argv) {
  RunValues values = {.duration = -1};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_run, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  Run run = {.command = &cli_run, .values = &values, .parsed = &parsed};
  exit_code = simulate(&run);
  rgMessage ignored;
  cli_recorder_close(&run.recorder, run.world, 0, false, &ignored); // when it was not reached above
  cli_snapshot_close(&run.snapshot);
  cli_accurate_close(&run.accurate);
  rg_world_destroy(run.world);
  rg_scene_free(run.scene);
  return exit_code;
}

const CliCommand cli_run = {
    .name = "run",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "simulate a scene and certify every step",
    .details =
        "Simulates the scene file and prints a summary with the largest residuals over all "
        "steps.\n"
        "Ctrl-C finishes the step in hand, closes the files and prints the summary so far; a "
        "second one gives up that step, a third one ends at once.\n"
        "Exit code: 0 when every step met the tolerance, 1 when some did not, 2 for wrong "
        "input, 3 when the run could not go on, 130 when it was interrupted.",
    .examples = "rigor run dominoes\ta scene that comes with the command\n"
                "rigor run tower.json -o tower.h5\trecord it, to be played by 'rigor view'\n"
                "rigor run tower.json --preset realtime\tfast, with a bounded effort\n"
                "rigor run tower.json --accuracy 1e-3\tpositions to a millimetre, with error bars\n"
                "rigor run tower.json --theta 0.5 --json\tenergy kept; summary for machines",
    .options = options,
    .scenes = true,
    .settings = true,
    .run = run_command,
};
