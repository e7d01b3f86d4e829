// journal.c - the table of runs on the disk: a line of what the results depend on, a line of column
// names, a line for each run.
//
//     # rigor sweep 0.2.0; ...; runs 1000
//     run,outcome,materials.wood.mu,ball.position.x
//     0,met,0.41,1.72
//
// The journal has the same lines in the order in which runs finished. They reach the file 20 ms later at
// most, since a write costs a few per cent of a short run; what a kill takes is made again. A last line
// without an end was never written whole: it is left out when the file is read. A part of an ensemble has
// "; shard 2/4" at the end of its first line.
#include "cli/ensemble/ensemble.h"
#include "cli/system/clock.h"
#include "cli/system/files.h"
#include "cli/text/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const double WRITE_INTERVAL = 0.02; // [s]

// In quotes where the name of a body has what separates columns (RFC 4180).
static void write_name(const char* name, FILE* stream) {
  bool quoted = strpbrk(name, ",\"") != NULL;
  fputs(quoted ? ",\"" : ",", stream);
  for (; *name; ++name) {
    if (*name == '"')
      fputc('"', stream);
    fputc(*name, stream);
  }
  fputs(quoted ? "\"" : "", stream);
}

static void write_heading(const CliEnsemble* ensemble, FILE* stream) {
  fprintf(stream, "# rigor %s %s; %s; runs %" PRId64, ensemble->command->name, rg_version(),
          ensemble->about, ensemble->limit);
  if (ensemble->shards > 1)
    fprintf(stream, "; shard %" PRId64 "/%" PRId64, ensemble->shard + 1, ensemble->shards);
  fputs("\nrun,outcome", stream);
  for (int c = 0; c < ensemble->column_count; ++c)
    write_name(ensemble->columns[c].name, stream);
  fputc('\n', stream);
}

static void write_run(const CliEnsemble* ensemble, int64_t index, FILE* stream) {
  const double* row = ensemble->rows + (size_t)index * (size_t)ensemble->column_count;
  fprintf(stream, "%" PRId64 ",%s", index, cli_finish_name(ensemble->finish[index]));
  for (int c = 0; c < ensemble->column_count; ++c) {
    char number[RG_NUMBER_SIZE];
    rg_number_format(row[c], number);
    fprintf(stream, ",%s", number);
  }
  fputc('\n', stream);
}

void cli_ensemble_write_csv(const CliEnsemble* ensemble, FILE* stream) {
  write_heading(ensemble, stream);
  for (int64_t i = 0; i < ensemble->limit; ++i)
    if (ensemble->finish[i])
      write_run(ensemble, i, stream);
}

// --- reading -------------------------------------------------------------------------------------

// The line that `text` begins with, ended by zero, and what follows it; NULL when it has no end.
static char* cut_line(char** text) {
  char* line = *text;
  char* end = strchr(line, '\n');
  if (!end)
    return NULL;
  *end = '\0';
  *text = end + 1;
  return line;
}

static bool read_row(const CliEnsemble* ensemble, char* line, int64_t* index, CliFinish* finish,
                     double* row) {
  char* rest;
  *index = strtoll(line, &rest, 10);
  if (rest == line || *rest != ',' || *index < 0)
    return false;
  size_t length = strcspn(++rest, ",");
  *finish = CLI_FINISH_NONE;
  for (int f = 1; f < CLI_FINISH_COUNT; ++f) {
    const char* name = cli_finish_name((CliFinish)f);
    if (strlen(name) == length && memcmp(name, rest, length) == 0)
      *finish = (CliFinish)f;
  }
  rest += length;
  for (int c = 0; c < ensemble->column_count; ++c) {
    if (*rest != ',')
      return false;
    char* number = rest + 1;
    row[c] = strtod(number, &rest);
    if (rest == number)
      return false;
  }
  return *finish != CLI_FINISH_NONE && !*rest;
}

// The first two lines must be those of this ensemble, but for the number of runs.
static rgStatus check_heading(const CliEnsemble* ensemble, const char* path, char** text,
                              rgMessage* message) {
  char* start = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&start, &size);
  if (!stream)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  write_heading(ensemble, stream);
  fclose(stream);
  char* own = start;
  const char *about = cut_line(&own), *names = cut_line(&own);
  const char *there = cut_line(text), *columns = there ? cut_line(text) : NULL;
  const char* runs = about ? strstr(about, "; runs ") : NULL;
  for (const char* more; runs && (more = strstr(runs + 1, "; runs "));)
    runs = more;
  size_t common = runs ? (size_t)(runs - about) : 0;
  const char *shard = runs ? strstr(runs, "; shard ") : NULL, *shard_there = NULL;
  if (there && strlen(there) > common)
    shard_there = strstr(there + common, "; shard ");
  bool same = there && columns && names && strncmp(there, about, common + 7) == 0 &&
              strcmp(columns, names) == 0 &&
              strcmp(shard ? shard : "", shard_there ? shard_there : "") == 0;
  rgStatus status = RG_OK;
  if (!same)
    status = cli_fail(message, RG_ERROR_INPUT,
                      "%s:1: is of other runs: scene, variations, quantities, seed, shard or "
                      "version differ; go on with the same ones, or write to another file",
                      path);
  free(start);
  return status;
}

static rgStatus read_runs(CliEnsemble* ensemble, const char* path, rgMessage* message) {
  char* all = cli_read_file(path);
  if (!all)
    return cli_fail(message, RG_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
  char *text = all, *line;
  double row[CLI_COLUMN_MAX];
  rgStatus status = check_heading(ensemble, path, &text, message);
  for (int number = 3; status == RG_OK && (line = cut_line(&text)); ++number) {
    int64_t index;
    CliFinish finish;
    if (!read_row(ensemble, line, &index, &finish, row) ||
        index % ensemble->shards != ensemble->shard)
      status =
          cli_fail(message, RG_ERROR_INPUT,
                   "%s:%d: is no run of this table; remove the line or the file", path, number);
    else if (index < ensemble->count)
      cli_ensemble_put(ensemble, index, finish, row, NULL);
  }
  ensemble->kept = ensemble->done;
  free(all);
  return status;
}

// --- the journal ---------------------------------------------------------------------------------

static bool exists(const char* path) {
  FILE* file = fopen(path, "r");
  if (file)
    fclose(file);
  return file != NULL;
}

static rgStatus fail_to_write(const CliEnsemble* ensemble, rgMessage* message) {
  return cli_fail(message, RG_ERROR_IO, "%s: cannot be written: %s", ensemble->journal_path,
                  strerror(errno));
}

// A new journal with the runs that there are, in the place of the old one when it is whole.
static rgStatus begin_journal(CliEnsemble* ensemble, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(ensemble->journal_path, &output, message);
  if (status != RG_OK)
    return status;
  cli_ensemble_write_csv(ensemble, rg_output_stream(output));
  status = rg_output_commit(output, message);
  if (status != RG_OK)
    return status;
  ensemble->journal = fopen(ensemble->journal_path, "a");
  return ensemble->journal ? RG_OK : fail_to_write(ensemble, message);
}

bool cli_journal_name(const char* output, char path[CLI_PATH_MAX]) {
  return snprintf(path, CLI_PATH_MAX, "%s.part", output) < CLI_PATH_MAX;
}

rgStatus cli_journal_open(CliEnsemble* ensemble, const char* output, bool resume,
                          rgMessage* message) {
  char* path = ensemble->journal_path;
  rgStatus status = RG_OK;
  if (!cli_journal_name(output, path))
    return cli_fail(message, RG_ERROR_INPUT, "--output is longer than %d bytes", CLI_PATH_MAX);
  if (exists(path) && !resume)
    return cli_fail(message, RG_ERROR_INPUT,
                    "%s holds runs that were not finished: go on with --resume, or remove it",
                    path);
  if (exists(path))
    status = read_runs(ensemble, path, message);
  else if (resume && exists(output) && !cli_ends_with(output, ".csv"))
    status = cli_fail(message, RG_ERROR_INPUT,
                      "%s is there already; --resume continues whole tables only in .csv", output);
  else if (resume && exists(output))
    status = read_runs(ensemble, output, message);
  return status == RG_OK ? begin_journal(ensemble, message) : status;
}

bool cli_journal_put(CliEnsemble* ensemble, int64_t index) {
  write_run(ensemble, index, ensemble->journal);
  double wall = cli_wall_clock();
  if (wall - ensemble->journal_written < WRITE_INTERVAL)
    return !ferror(ensemble->journal);
  ensemble->journal_written = wall;
  return fflush(ensemble->journal) == 0;
}

void cli_journal_close(CliEnsemble* ensemble, bool finished) {
  if (ensemble->journal)
    fclose(ensemble->journal);
  if (ensemble->journal && finished)
    remove(ensemble->journal_path);
  ensemble->journal = NULL;
}
