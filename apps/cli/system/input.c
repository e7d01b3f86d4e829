// input.c - the standard input as a file.
#include "cli/system/input.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const long long MOST = 1LL << 30; // [bytes]; readers of text refuse more

const char* cli_standard_input(void) {
  static const char path[] = "/dev/stdin";
  struct stat about;
  if (fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode))
    return path;
  FILE* kept = tmpfile();
  if (!kept)
    return NULL;
  char part[1 << 16];
  long long length = 0;
  size_t count;
  while ((count = fread(part, 1, sizeof part, stdin)) > 0 && (length += (long long)count) <= MOST)
    if (fwrite(part, 1, count, kept) != count)
      break;
  bool whole = !ferror(stdin) && feof(stdin) && fflush(kept) == 0 && !ferror(kept) &&
               dup2(fileno(kept), STDIN_FILENO) >= 0;
  fclose(kept);
  return whole ? path : NULL;
}
