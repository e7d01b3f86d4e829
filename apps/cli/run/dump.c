// dump.c - the contact problems of a run as files, one per step and island.
#include "cli/run/dump.h"

#include "cli/system/clash.h"
#include "cli/text/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, DIGITS_MIN = 4, ISLAND_DIGITS = 4 };
const char CLI_DUMP_START[] = "step-";

bool cli_dump_format(const char* name, rgProblemFormat* format, rgMessage* message) {
  char known[256] = "";
  size_t used = 0;
  for (int i = 0; i < RG_PROBLEM_FORMAT_COUNT; i++) {
    const char* word = rg_problem_format_name((rgProblemFormat)i);
    *format = (rgProblemFormat)i;
    if (strcmp(word, name) == 0)
      return true;
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", word);
  }
  cli_fail(message, RG_ERROR_INPUT, "--format is '%s', must be one of: %s", name, known);
  return false;
}

bool cli_dump_clash(const CliDump* dump, const char* path, rgMessage* message) {
  const char* slash = path ? strrchr(path, '/') : NULL;
  const char* name = slash ? slash + 1 : path;
  if (!dump->folder || !path || strncmp(name, CLI_DUMP_START, sizeof CLI_DUMP_START - 1) != 0)
    return false;
  char folder[PATH_SIZE];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  if (!cli_same_file(folder, dump->folder))
    return false;
  cli_fail(message, RG_ERROR_INPUT,
           "%s is among the files of --dump-problems %s; name another file", path, dump->folder);
  return true;
}

rgStatus cli_dump_open(CliDump* dump, int64_t steps, rgMessage* message) {
  if (!dump->folder)
    return RG_OK;
  dump->digits = DIGITS_MIN;
  for (int64_t largest = 9999; largest < steps; largest = 10 * largest + 9)
    dump->digits++;
  struct stat about;
  bool made = mkdir(dump->folder, 0777) == 0 || errno == EEXIST;
  if (!made || stat(dump->folder, &about) != 0)
    return cli_fail(message, RG_ERROR_IO, "cannot make the folder %s: %s", dump->folder,
                    strerror(errno));
  if (!S_ISDIR(about.st_mode))
    return cli_fail(message, RG_ERROR_INPUT, "%s is a file, must be a folder for problems",
                    dump->folder);
  if (access(dump->folder, W_OK) != 0)
    return cli_fail(message, RG_ERROR_IO, "cannot write into %s: %s", dump->folder,
                    strerror(errno));
  return RG_OK;
}

static rgStatus write_island(CliDump* dump, const rgProblem* problem, int64_t step, int island,
                             rgMessage* message) {
  char path[PATH_SIZE];
  int length =
      snprintf(path, sizeof path, "%s/%s%0*" PRId64 "-island-%0*d%s", dump->folder, CLI_DUMP_START,
               dump->digits, step, ISLAND_DIGITS, island, rg_problem_format_ending(dump->format));
  if (length >= PATH_SIZE)
    return cli_fail(message, RG_ERROR_INPUT, "the path %.60s... is too long", path);
  rgStatus status = rg_problem_write_as(problem, dump->format, path, message);
  dump->files += status == RG_OK;
  return status;
}

rgStatus cli_dump_step(CliDump* dump, const rgWorld* world, int64_t step, rgMessage* message) {
  if (!dump->folder || step == 0 || step % dump->every != 0)
    return RG_OK;
  rgStatus status = RG_OK;
  int islands = rg_world_island_count(world);
  for (int i = 0; i < islands && status == RG_OK; i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    status = rg_world_island(world, i, &problem, &solution, &certificate);
    if (status == RG_OK && problem.contact_count + problem.row_count > 0)
      status = write_island(dump, &problem, step, i, message);
  }
  return status;
}
