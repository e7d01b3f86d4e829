// drive.c - an ensemble from its plan to its files and its results.
#include "cli/ensemble/drive.h"
#include "cli/system/clash.h"
#include "cli/system/files.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_drive_output(const CliCommand* command, const char* output, bool resume, bool shard) {
  bool h5 = output && cli_ends_with(output, ".h5"), written = false;
  const char* format;
  for (int i = 0; (format = rg_trajectory_format(i)); ++i)
    written = written || strcmp(format, ".h5") == 0;
  if ((resume || shard) && !output)
    return cli_complain(command, "%s needs --output FILE", resume ? "--resume" : "--shard");
  if (output && !h5 && !cli_ends_with(output, ".csv"))
    return cli_complain(command, "--output is '%s', must end in .csv or .h5", output);
  if (h5 && !written)
    return cli_complain(command, "--output is '%s', but this build has no HDF5; must end in .csv",
                        output);
  if (h5 && shard)
    return cli_complain(command,
                        "--output is '%s', must end in .csv: shards are put together as "
                        "text",
                        output);
  return CLI_EXIT_OK;
}

bool cli_drive_shard(CliEnsemble* ensemble, const char* text) {
  ensemble->shards = 1;
  if (!text)
    return true;
  char *slash = NULL, *end = NULL;
  int64_t index = strtoll(text, &slash, 10);
  int64_t count = *slash == '/' ? strtoll(slash + 1, &end, 10) : 0;
  if (!end || *end || count < 1 || count > 1000000 || index < 1 || index > count) {
    cli_complain(ensemble->command, "--shard is '%s', must be I/N with 1 <= I <= N, as in 1/4",
                 text);
    return false;
  }
  ensemble->shard = index - 1;
  ensemble->shards = count;
  return true;
}

int cli_drive_threads(int64_t wanted) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return wanted > 0 ? (int)wanted : processors > 0 ? (int)processors : 1;
}

static int open_files(const CliDrive* drive, rgOutput** page) {
  CliEnsemble* ensemble = drive->ensemble;
  rgMessage message = {0};
  CliUses uses = {0};
  char journal[CLI_PATH_MAX];
  cli_uses_read(&uses, "the input", drive->input);
  cli_uses_write(&uses, "--output", drive->output);
  cli_uses_write(&uses, "--html", drive->html);
  if (drive->output && cli_journal_name(drive->output, journal))
    cli_uses_write(&uses, "the journal of --output", journal);
  if (cli_uses_clash(&uses, &message))
    return cli_complain(ensemble->command, "%s", message.text);
  if (drive->html && rg_output_open(drive->html, page, &message) != RG_OK)
    return cli_complain(ensemble->command, "%s", message.text);
  if (drive->output && cli_journal_open(ensemble, drive->output, drive->resume, &message) != RG_OK)
    return cli_complain(ensemble->command, "%s", message.text);
  if (ensemble->kept > 0 && !drive->quiet)
    fprintf(stderr, "rigor %s: %" PRId64 " of %" PRId64 " runs are there already\n",
            ensemble->command->name, ensemble->kept, cli_ensemble_wanted(ensemble));
  return CLI_EXIT_OK;
}

static rgStatus write_csv(const CliDrive* drive, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(drive->output, &output, message);
  if (status != RG_OK)
    return status;
  cli_ensemble_write_csv(drive->ensemble, rg_output_stream(output));
  return rg_output_commit(output, message);
}

// The runs that are finished, in their order, as .h5.
static rgStatus write_h5(const CliDrive* drive, rgMessage* message) {
  const CliEnsemble* ensemble = drive->ensemble;
  size_t columns = (size_t)ensemble->column_count, room = (size_t)ensemble->done + 1;
  const char *names[CLI_COLUMN_MAX], *units[CLI_COLUMN_MAX];
  int64_t* runs = malloc(room * sizeof *runs);
  const char** outcomes = malloc(room * sizeof *outcomes);
  double* values = malloc(room * columns * sizeof *values);
  rgRunTable table = {ensemble->about,        0,     runs,  outcomes,
                      ensemble->column_count, names, units, values};
  rgStatus status = RG_OK;
  if (!runs || !outcomes || !values)
    status = cli_fail(message, RG_ERROR_MEMORY, "not enough memory for the table");
  for (int c = 0; c < ensemble->column_count; ++c) {
    names[c] = ensemble->columns[c].name;
    units[c] = ensemble->columns[c].unit;
  }
  for (int64_t i = 0; i < ensemble->limit && status == RG_OK; ++i) {
    if (!ensemble->finish[i])
      continue;
    runs[table.run_count] = i;
    outcomes[table.run_count] = cli_finish_name((CliFinish)ensemble->finish[i]);
    memcpy(values + (size_t)table.run_count++ * columns, ensemble->rows + (size_t)i * columns,
           columns * sizeof *values);
  }
  if (status == RG_OK)
    status = rg_runs_write_h5(drive->output, &table, message);
  free(runs);
  free(outcomes);
  free(values);
  return status;
}

static rgStatus write_table(const CliDrive* drive, rgMessage* message) {
  if (!drive->output)
    return RG_OK;
  rgStatus status =
      cli_ends_with(drive->output, ".h5") ? write_h5(drive, message) : write_csv(drive, message);
  if (status == RG_OK)
    cli_journal_close(drive->ensemble, cli_ensemble_complete(drive->ensemble));
  return status;
}

static rgStatus write_page(const CliDrive* drive, const CliTallied* tallied, rgOutput* output,
                           rgMessage* message) {
  CliPage page;
  char text[CLI_ABOUT_MAX];
  const CliEnsemble* ensemble = drive->ensemble;
  cli_page_open(&page, rg_output_stream(output), drive->title[0] ? drive->title : drive->input);
  snprintf(text, sizeof text, "rigor %s %s", ensemble->command->name, ensemble->about);
  cli_page_paragraph(&page, text);
  if (drive->page)
    drive->page(ensemble, tallied, &page);
  if (!cli_ensemble_page(ensemble, tallied, &page))
    cli_page_verdict(&page, false, "Memory ran out: the plots are not complete.");
  cli_page_close(&page);
  return rg_output_commit(output, message);
}

static void print_json(const CliDrive* drive, const CliTallied* tallied) {
  CliJson json = {.stream = stdout};
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "rigor", rg_version());
  cli_json_text(&json, "input", drive->input);
  cli_json_text(&json, "title", drive->title);
  cli_json_count(&json, "seed", drive->seed);
  cli_json_text(&json, "output", drive->output);
  cli_ensemble_json(drive->ensemble, tallied, &json);
  if (drive->print_json)
    drive->print_json(drive->ensemble, tallied, &json);
  cli_json_close(&json, '}');
}

static int report(const CliDrive* drive, rgOutput* page) {
  const CliEnsemble* ensemble = drive->ensemble;
  rgMessage message = {0};
  CliTallied* tallied = cli_tally_all(ensemble);
  rgStatus status = write_table(drive, &message);
  if (!tallied)
    status = cli_fail(&message, RG_ERROR_MEMORY, "not enough memory for the statistics");
  if (page && status == RG_OK)
    status = write_page(drive, tallied, page, &message);
  else
    rg_output_abandon(page);
  if (status == RG_OK && drive->json)
    print_json(drive, tallied);
  else if (status == RG_OK && !drive->quiet && drive->print)
    drive->print(ensemble, tallied);
  else if (status == RG_OK && !drive->quiet)
    cli_ensemble_print(ensemble, tallied);
  free(tallied);
  if (status != RG_OK) {
    cli_complain(ensemble->command, "%s", message.text);
    return CLI_EXIT_FAILED;
  }
  return cli_ensemble_exit(ensemble);
}

int cli_drive(const CliDrive* drive) {
  CliEnsemble* ensemble = drive->ensemble;
  rgMessage message = {0};
  rgOutput* page = NULL;
  if (cli_ensemble_open(ensemble, &message) != RG_OK) {
    cli_complain(ensemble->command, "%s", message.text);
    return CLI_EXIT_FAILED;
  }
  cli_interrupt_watch();
  int bad = drive->helper ? CLI_EXIT_OK : open_files(drive, &page);
  if (bad) {
    rg_output_abandon(page);
    return bad;
  }
  ensemble->progress = cli_progress_start(!drive->quiet && !drive->helper);
  rgStatus status = drive->maker(ensemble, &message);
  cli_progress_clear(&ensemble->progress);
  if (drive->helper)
    return CLI_EXIT_OK;
  if (status == RG_OK)
    return report(drive, page);
  rg_output_abandon(page);
  cli_complain(ensemble->command, "%s", message.text);
  return CLI_EXIT_FAILED;
}
