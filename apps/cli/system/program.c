// program.c - other programs that a command needs: found, started, fed and ended.
#include "cli/system/program.h"

#include "cli/system/clock.h"
#include "cli/text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool find_one(const char* name, char path[CLI_PATH_MAX]) {
  for (const char* folder = getenv("PATH"); folder && *folder;) {
    int length = (int)strcspn(folder, ":");
    int used = snprintf(path, CLI_PATH_MAX, "%.*s/%s", length, folder, name);
    if (length > 0 && used < CLI_PATH_MAX && access(path, X_OK) == 0)
      return true;
    folder += length + (folder[length] == ':');
  }
  return false;
}

bool cli_program_find(const char* const* names, char path[CLI_PATH_MAX]) {
  for (; *names; ++names)
    if (find_one(*names, path))
      return true;
  return false;
}

enum { HIGH = 20 }; // file descriptors from here on are in nobody's way

// In the new process: the program's ends of the pipes get their numbers.
static void become(char* const* arguments, int input, int reads, int output, int writes,
                   const char* log) {
  int said = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600), nothing = open("/dev/null", O_RDONLY);
  int from = fcntl(input, F_DUPFD, HIGH), to = output < 0 ? -1 : fcntl(output, F_DUPFD, HIGH);
  setpgid(0, 0);
  signal(SIGPIPE, SIG_DFL);
  dup2(nothing, STDIN_FILENO);
  dup2(said, STDOUT_FILENO);
  dup2(said, STDERR_FILENO);
  dup2(from, reads);
  if (to >= 0)
    dup2(to, writes);
  for (int file = HIGH; file < HIGH + 8; ++file) // those made above
    close(file);
  execv(arguments[0], arguments);
  _exit(127);
}

// Pipes of which nothing else is inherited.
static bool open_pipe(int ends[2]) {
  if (pipe(ends) != 0)
    return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return true;
}

static void close_all(const int* files, int count) {
  for (int i = 0; i < count; ++i)
    if (files[i] >= 0)
      close(files[i]);
}

rgStatus cli_program_start(CliProgram* program, char* const* arguments, int reads, int writes,
                           const char* log, rgMessage* message) {
  int ends[4] = {-1, -1, -1, -1}; // what it reads, and what it writes
  *program = (CliProgram){0, -1, -1};
  bool made = open_pipe(ends) && (writes < 0 || open_pipe(ends + 2));
  pid_t child = made ? fork() : -1;
  if (child < 0) {
    close_all(ends, 4);
    return cli_fail(message, RG_ERROR_IO, "%s cannot be started: %s", arguments[0],
                    strerror(errno));
  }
  if (child == 0)
    become(arguments, ends[0], reads, ends[3], writes, log);
  setpgid(child, child); // whoever comes first
  close_all((const int[]){ends[0], ends[3]}, 2);
  *program = (CliProgram){child, ends[1], ends[2]};
  return RG_OK;
}

static void close_pipes(CliProgram* program) {
  close_all((const int[]){program->to, program->from}, 2);
  program->to = program->from = -1;
}

int cli_program_wait(CliProgram* program, double seconds) {
  const struct timespec pause = {0, 10000000}; // 10 ms
  double start = cli_wall_clock();
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(program->process, &status, WNOHANG)) == 0 &&
         cli_wall_clock() - start < seconds)
    nanosleep(&pause, NULL);
  if (ended != program->process)
    return -1;
  program->process = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void cli_program_end(CliProgram* program) {
  close_pipes(program);
  if (program->process <= 0)
    return;
  kill(-program->process, SIGKILL); // a group that we made, and nothing else
  waitpid(program->process, NULL, 0);
  program->process = 0;
}

void cli_program_last(const char* log, char* text, size_t size) {
  FILE* file = fopen(log, "r");
  char line[CLI_TEXT_MAX];
  text[0] = '\0';
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0])
      cli_clean(line, text, size);
  }
  if (file)
    fclose(file);
}
