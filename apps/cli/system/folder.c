// folder.c - a temporary folder of a command's own.
#define _XOPEN_SOURCE 700 // nftw
#include "cli/system/folder.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

bool cli_folder_make(char path[CLI_PATH_MAX]) {
  const char* folder = getenv("TMPDIR");
  int length =
      snprintf(path, CLI_PATH_MAX, "%s/rigor-XXXXXX", folder && folder[0] ? folder : "/tmp");
  return length < CLI_PATH_MAX && mkdtemp(path);
}

static int remove_one(const char* path, const struct stat* about, int type, struct FTW* place) {
  (void)about, (void)type, (void)place;
  remove(path);
  return 0;
}

void cli_folder_remove(const char* path) {
  enum { OPEN_MAX_HERE = 16 };
  nftw(path, remove_one, OPEN_MAX_HERE, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
