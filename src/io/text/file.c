// file.c - whole files in and out.
#include "io/text/file.h"

#include "base/memory.h"
#include "base/message.h"
#include "io/text/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_SIZE = 64 * 1024 }; // [bytes]

// What is larger is no text that anyone has written; what never ends (/dev/zero) stops here.
static const size_t LENGTH_MAX = (size_t)1 << 30; // [bytes]

// Doubles the room, keeping `used` bytes.
static bool grow(const rgAllocator* allocator, char** text, size_t* size, size_t used) {
  size_t larger = *size ? 2 * *size : FIRST_SIZE;
  if (larger < *size)
    return false;
  char* fresh = rg_allocate(allocator, larger);
  if (!fresh)
    return false;
  if (*text)
    memcpy(fresh, *text, used);
  rg_release(allocator, *text, *size);
  *text = fresh;
  *size = larger;
  return true;
}

static rgStatus read_stream(FILE* file, const char* path, const rgAllocator* allocator, char** text,
                            size_t* length, size_t* size, rgMessage* message) {
  do {
    if (*length > LENGTH_MAX)
      return rg_fail(message, RG_ERROR_INPUT, "cannot read %s: it is larger than %zu MiB", path,
                     LENGTH_MAX >> 20);
    if (*length + 1 >= *size && !grow(allocator, text, size, *length))
      return rg_fail(message, RG_ERROR_MEMORY, "cannot read %s: not enough memory", path);
    errno = 0;
    *length += fread(*text + *length, 1, *size - 1 - *length, file);
  } while (!feof(file) && !ferror(file));
  return ferror(file) ? rg_fail(message, RG_ERROR_IO, "cannot read %s: %s", path, strerror(errno))
                      : RG_OK;
}

static rgStatus read_whole(FILE* file, const char* path, const rgAllocator* allocator, char** text,
                           size_t* length, size_t* size, rgMessage* message) {
  rgStatus status = read_stream(file, path, allocator, text, length, size, message);
  fclose(file);
  if (status != RG_OK) {
    rg_release(allocator, *text, *size);
    *text = NULL;
  } else {
    (*text)[*length] = 0;
  }
  return status;
}

rgStatus rg_file_read(const char* path, const rgAllocator* allocator, char** text, size_t* length,
                      size_t* size, rgMessage* message) {
  *text = NULL;
  *length = *size = 0;
  FILE* file = fopen(path, "rb");
  if (!file)
    return rg_fail(message, RG_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
  return read_whole(file, path, allocator, text, length, size, message);
}

rgStatus rg_file_read_regular(const char* path, const rgAllocator* allocator, char** text,
                              size_t* length, size_t* size, rgMessage* message) {
  *text = NULL;
  *length = *size = 0;
  struct stat about;
  // Opening a pipe that nobody writes to would wait for ever.
  int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0)
    return rg_fail(message, RG_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
  bool regular = fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode);
  FILE* file = regular ? fdopen(descriptor, "rb") : NULL;
  if (file)
    return read_whole(file, path, allocator, text, length, size, message);
  close(descriptor);
  return regular
             ? rg_fail(message, RG_ERROR_MEMORY, "cannot read %s: not enough memory", path)
             : rg_fail(message, RG_ERROR_INPUT, "cannot read %s: it is not a regular file", path);
}

rgStatus rg_file_copy(const char* path, FILE* to, rgMessage* message) {
  FILE* from = fopen(path, "rb");
  if (!from)
    return rg_fail(message, RG_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
  char part[FIRST_SIZE];
  size_t length;
  errno = 0;
  while ((length = fread(part, 1, sizeof part, from)) > 0 && fwrite(part, 1, length, to) == length)
    ;
  bool failed = ferror(from) || fflush(to) != 0 || ferror(to);
  int reason = errno;
  fclose(from);
  return failed ? rg_fail(message, RG_ERROR_IO, "cannot copy %s: %s", path, strerror(reason))
                : RG_OK;
}

rgStatus rg_file_write(const char* path, const char* text, size_t length, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(path, &output, message);
  if (status != RG_OK)
    return status;
  fwrite(text, 1, length, rg_output_stream(output)); // a failure stays with the stream
  return rg_output_commit(output, message);
}
