// browser.c - pages that are shown at once instead of being kept.
#include "cli/view/browser.h"

#include "cli/system/folder.h"
#include "cli/text/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool cli_browser_file(const char* subject, char path[CLI_PATH_MAX]) {
  const char *slash = strrchr(subject, '/'), *name = slash ? slash + 1 : subject;
  int stem = (int)strcspn(name, ".");
  if (!cli_folder_make(path))
    return false;
  int length = (int)strlen(path);
  int more = snprintf(path + length, (size_t)(CLI_PATH_MAX - length), "/%.*s.html",
                      stem > 0 ? stem : 4, stem > 0 ? name : "page");
  return more < CLI_PATH_MAX - length;
}

// Runs xdg-open, which asks the desktop for its browser and returns; false when it cannot.
static bool open_page(const char* path) {
  if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
    return false;
  pid_t child = fork();
  if (child < 0)
    return false;
  if (child == 0) {
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    execlp("xdg-open", "xdg-open", path, (char*)NULL);
    _exit(127);
  }
  int status;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void cli_browser_show(const char* path, bool written) {
  if (!written) {
    char folder[CLI_PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    rmdir(folder);
    return;
  }
  char shown[CLI_PATH_MAX];
  cli_clean(path, shown, sizeof shown);
  if (open_page(path))
    printf("opened %s\n", shown);
  else
    printf("open this page in a browser: %s\n", shown);
}
