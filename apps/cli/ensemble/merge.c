// merge.c - the parts of an ensemble put together: the lines of all files in the order of the runs.
//
// Lines are taken as they stand, so that the result has the bytes of one run. All files must be parts
// of the same ensemble, and every run must be in one of them.
#include "cli/ensemble/ensemble.h"
#include "cli/system/files.h"
#include "cli/text/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct Merge {
  char** texts;          // the files, cut into lines
  char *about, *columns; // first two lines, without the shard
  const char* first;     // path of the file that they are from
  int64_t count;         // runs of the whole
  char** lines;          // of each run; NULL: not there yet
} Merge;

static char* cut_line(char** text) {
  char* line = *text;
  char* end = strchr(line, '\n');
  if (!end)
    return NULL;
  *end = '\0';
  *text = end + 1;
  return line;
}

static rgStatus read_heading(Merge* merge, const char* path, char** text, rgMessage* message) {
  char *about = cut_line(text), *columns = about ? cut_line(text) : NULL;
  char* runs = about ? strstr(about, "; runs ") : NULL;
  for (char* more; runs && (more = strstr(runs + 1, "; runs "));)
    runs = more;
  if (!columns || !runs || strncmp(about, "# rigor ", 8) != 0)
    return cli_fail(message, RG_ERROR_INPUT,
                    "%s:1: is no table of runs, must begin with '# rigor sweep' as 'rigor sweep' "
                    "writes it",
                    path);
  char* shard = strstr(runs, "; shard ");
  if (shard)
    *shard = '\0';
  if (!merge->about) {
    merge->about = about;
    merge->columns = columns;
    merge->first = path;
    merge->count = strtoll(runs + 7, NULL, 10);
    if (merge->count < 0 || merge->count > INT64_C(1) << 40)
      return cli_fail(message, RG_ERROR_INPUT, "%s:1: has a number of runs that cannot be", path);
    merge->lines = calloc((size_t)merge->count + 1, sizeof *merge->lines);
    return merge->lines ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  }
  if (strcmp(merge->about, about) != 0 || strcmp(merge->columns, columns) != 0)
    return cli_fail(message, RG_ERROR_INPUT,
                    "%s:1: is of other runs than %s: scene, variations, quantities, seed, count or "
                    "version differ",
                    path, merge->first);
  return RG_OK;
}

static rgStatus read_part(Merge* merge, const char* path, char* text, rgMessage* message) {
  rgStatus status = read_heading(merge, path, &text, message);
  char* line;
  for (int number = 3; status == RG_OK && (line = cut_line(&text)); ++number) {
    char* end;
    int64_t index = strtoll(line, &end, 10);
    if (end == line || *end != ',' || index < 0 || index >= merge->count)
      return cli_fail(message, RG_ERROR_INPUT, "%s:%d: is no run, must begin with its number", path,
                      number);
    if (merge->lines[index] && strcmp(merge->lines[index], line) != 0)
      return cli_fail(message, RG_ERROR_INPUT,
                      "%s:%d: run %" PRId64 " is in another file too, with other results", path,
                      number, index);
    merge->lines[index] = line;
  }
  return status;
}

static rgStatus check_whole(const Merge* merge, rgMessage* message) {
  int64_t missing = 0, first = -1;
  for (int64_t i = 0; i < merge->count; ++i)
    if (!merge->lines[i]) {
      first = missing++ == 0 ? i : first;
    }
  if (missing == 0)
    return RG_OK;
  return cli_fail(message, RG_ERROR_INPUT,
                  "%" PRId64 " of %" PRId64 " runs are in none of the files, the first is run "
                  "%" PRId64 "; make them with --shard and --resume",
                  missing, merge->count, first);
}

static rgStatus write_whole(const Merge* merge, const char* path, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(path, &output, message);
  if (status != RG_OK)
    return status;
  FILE* stream = rg_output_stream(output);
  fprintf(stream, "%s\n%s\n", merge->about, merge->columns);
  for (int64_t i = 0; i < merge->count; ++i)
    fprintf(stream, "%s\n", merge->lines[i]);
  return rg_output_commit(output, message);
}

rgStatus cli_merge(char* const* files, int count, const char* output, int64_t* runs,
                   rgMessage* message) {
  Merge merge = {.texts = calloc((size_t)count, sizeof *merge.texts)};
  rgStatus status = merge.texts ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  for (int i = 0; i < count && status == RG_OK; ++i) {
    merge.texts[i] = cli_read_file(files[i]);
    if (merge.texts[i])
      status = read_part(&merge, files[i], merge.texts[i], message);
    else
      status = cli_fail(message, RG_ERROR_IO, "%s: cannot be read: %s", files[i], strerror(errno));
  }
  if (status == RG_OK)
    status = check_whole(&merge, message);
  if (status == RG_OK)
    status = write_whole(&merge, output, message);
  *runs = merge.count;
  for (int i = 0; merge.texts && i < count; ++i)
    free(merge.texts[i]);
  free(merge.texts);
  free(merge.lines);
  return status;
}
