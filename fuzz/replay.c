// replay.c - main() that runs stored inputs through a fuzz target.
//
//   replay_NAME [FILE or FOLDER]...
//
// Each input runs in a process of its own, so that one which crashes or hangs is counted and named
// and the others still run. Closes with "N passed, N failed".
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_PER_INPUT = 60, PATH_SIZE = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int passed, failed;

// Reads a whole file into memory of exactly its size, so that a sanitizer sees reads past the end.
static uint8_t* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return NULL;
  uint8_t* data = NULL;
  if (fseek(file, 0, SEEK_END) == 0) {
    long length = ftell(file);
    rewind(file);
    *size = length > 0 ? (size_t)length : 0;
    data = malloc(*size ? *size : 1);
    if (data && fread(data, 1, *size, file) != *size) {
      free(data);
      data = NULL;
    }
  }
  fclose(file);
  return data;
}

static void report(const char* path, const char* what, int number) {
  ++failed;
  printf("FAIL  %s: %s %d\n", path, what, number);
}

static void replay_file(const char* path) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    size_t size = 0;
    uint8_t* data = read_file(path, &size);
    if (!data)
      _exit(2);
    alarm(SECONDS_PER_INPUT);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    exit(0); // not _exit: leaks are looked for here
  }

  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child)
    report(path, "could not be run, process", (int)child);
  else if (WIFSIGNALED(status))
    report(path, "ended by signal", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0)
    report(path, "ended with status", WEXITSTATUS(status));
  else
    ++passed;
}

static int by_name(const struct dirent** a, const struct dirent** b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void replay(const char* path) {
  struct dirent** entries = NULL;
  int count = scandir(path, &entries, NULL, by_name);
  if (count < 0) { // not a folder
    replay_file(path);
    return;
  }
  for (int i = 0; i < count; ++i) {
    if (entries[i]->d_name[0] != '.') {
      char inner[PATH_SIZE];
      snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
      replay(inner);
    }
    free(entries[i]);
  }
  free(entries);
}

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (access(argv[i], R_OK) == 0)
      replay(argv[i]);
    else
      printf("skip  %s: there is no such input\n", argv[i]);
  if (passed + failed == 0) {
    printf("0 passed, 0 failed, 1 skipped\n");
    return 77;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed ? 1 : 0;
}
