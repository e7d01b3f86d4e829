// output.c - files that are never half written: written beside their place, renamed when whole.
//
// rename() replaces a file in one step, so that every reader sees the old file or the new one. The
// name beside is made with O_EXCL: in a folder that others can write to, nobody can put a link there
// that leads the output elsewhere.
#include "io/text/output.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  LINKS_MAX = 40,  // as many as the system follows
  NAME_PART = 200, // [bytes] of the file's name in the name beside it, which must not be too long
  TRIES = 100,     // at names that may be taken
  MODE_BITS = 07777
};

struct rgOutput {
  rgPool pool;
  FILE* stream;
  const char* path;   // as the caller names it
  const char* target; // with links followed
  char* beside;       // NULL when the file is written directly, or is in its place
};

static rgStatus fail(const char* path, int reason, rgMessage* message) {
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: %s", path, strerror(reason));
}

static rgStatus fail_memory(const char* path, rgMessage* message) {
  return rg_fail(message, RG_ERROR_MEMORY, "cannot write %s: not enough memory", path);
}

// Length of the folder in front of a name, with its slash.
static size_t folder_length(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? (size_t)(slash + 1 - path) : 0;
}

// Where a link leads, seen from where the path was; NULL when memory ran out or it cannot be read.
static const char* follow(rgPool* pool, const char* path, size_t length) {
  size_t folder = folder_length(path);
  char* text = rg_pool_take(pool, folder + length + 2, 1);
  if (!text)
    return NULL;
  memcpy(text, path, folder);
  ssize_t got = readlink(path, text + folder, length + 1);
  if (got < 0 || (size_t)got > length)
    return NULL;
  return text[folder] == '/' ? text + folder : text;
}

// Follows links to what need not exist. False with a reason in errno.
static bool find_target(rgOutput* output, struct stat* about, bool* exists) {
  enum { LINK_LENGTH = 4096 };
  output->target = output->path;
  for (int i = 0; i < LINKS_MAX; i++) {
    errno = 0;
    *exists = lstat(output->target, about) == 0;
    if (!*exists || !S_ISLNK(about->st_mode))
      return *exists || errno == ENOENT;
    output->target = follow(&output->pool, output->target, LINK_LENGTH);
    if (!output->target)
      return false;
  }
  errno = ELOOP;
  return false;
}

// With the permissions of the file `old`, or if that is NULL with those that the process gives.
static int open_new(const char* name, const struct stat* old) {
  mode_t mode = old ? old->st_mode & MODE_BITS : 0666;
  int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
#ifndef __wasi__
  if (file >= 0 && old && fchmod(file, mode) != 0) { // against the mask of the process
    close(file);
    unlink(name);
    return -1;
  }
#endif
  return file;
}

// A new file beside the target, under a name that nobody has.
static rgStatus open_beside(rgOutput* output, const struct stat* old, rgMessage* message) {
  size_t folder = folder_length(output->target), size = strlen(output->target) + 32;
  int shown = (int)strlen(output->target + folder);
  output->beside = rg_pool_take(&output->pool, size, 1);
  if (!output->beside)
    return fail_memory(output->path, message);
  int file = -1;
  for (int i = 0; i < TRIES && file < 0; i++) {
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(output->beside, size, "%.*s%.*s.%08lx.part", (int)folder, output->target,
             shown < NAME_PART ? shown : NAME_PART, output->target + folder,
             ((unsigned long)now.tv_nsec ^ (unsigned long)now.tv_sec << 12 ^ (unsigned long)i) &
                 0xffffffff);
    file = open_new(output->beside, old);
    if (file < 0 && errno != EEXIST)
      break;
  }
  output->stream = file < 0 ? NULL : fdopen(file, "wb");
  if (output->stream)
    return RG_OK;
  int reason = errno;
  if (file >= 0) {
    close(file);
    unlink(output->beside);
  }
  return fail(output->path, reason, message);
}

static rgStatus open_stream(rgOutput* output, rgMessage* message) {
  struct stat about;
  bool exists;
  if (!find_target(output, &about, &exists))
    return fail(output->path, errno ? errno : EIO, message);
  if (exists && S_ISDIR(about.st_mode))
    return fail(output->path, EISDIR, message);
  if (!exists || S_ISREG(about.st_mode)) {
    if (exists && access(output->target, W_OK) != 0)
      return fail(output->path, errno, message);
    return open_beside(output, exists ? &about : NULL, message);
  }
  output->stream = fopen(output->target, "wb");
  return output->stream ? RG_OK : fail(output->path, errno, message);
}

static void free_output(rgOutput* output) {
  rgAllocator allocator = output->pool.allocator;
  rg_pool_free(&output->pool);
  rg_release(&allocator, output, sizeof *output);
}

rgStatus rg_output_open(const char* path, rgOutput** output, rgMessage* message) {
  *output = NULL;
  rgAllocator allocator = rg_allocator_default();
  rgOutput* made = rg_allocate(&allocator, sizeof *made);
  if (!made)
    return fail_memory(path, message);
  made->pool = (rgPool){allocator, NULL};
  made->path = rg_pool_text(&made->pool, path);
  rgStatus status = made->path ? open_stream(made, message) : fail_memory(path, message);
  if (status == RG_OK)
    *output = made;
  else
    free_output(made);
  return status;
}

FILE* rg_output_stream(rgOutput* output) { return output->stream; }
const char* rg_output_beside(const rgOutput* output) { return output->beside; }

// Why the stream has failed. The call that saw it is long past, so that one byte more is written, to
// a file that is about to be removed.
static int reason_of(FILE* stream) {
  errno = 0;
  if (write(fileno(stream), "", 1) < 0 && errno)
    return errno;
  return EIO;
}

rgStatus rg_output_place(rgOutput* output, rgMessage* message) {
  if (fflush(output->stream) != 0 || ferror(output->stream))
    return fail(output->path, reason_of(output->stream), message);
  if (output->beside && rename(output->beside, output->target) != 0)
    return fail(output->path, errno, message);
  output->beside = NULL;
  return RG_OK;
}

rgStatus rg_output_commit(rgOutput* output, rgMessage* message) {
  bool failed = ferror(output->stream) || fflush(output->stream) != 0;
  int reason = failed ? reason_of(output->stream) : 0;
  if (fclose(output->stream) != 0 && !failed) {
    failed = true;
    reason = errno;
  }
  if (!failed && output->beside && rename(output->beside, output->target) != 0) {
    failed = true;
    reason = errno;
  }
  if (failed && output->beside)
    unlink(output->beside);
  rgStatus status = failed ? fail(output->path, reason, message) : RG_OK;
  free_output(output);
  return status;
}

void rg_output_abandon(rgOutput* output) {
  if (!output)
    return;
  fclose(output->stream);
  if (output->beside)
    unlink(output->beside);
  free_output(output);
}
