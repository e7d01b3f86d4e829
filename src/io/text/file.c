// file.c - whole files in and out.
#include "io/text/file.h"

#include "base/memory.h"
#include "base/message.h"
#include "io/text/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_SIZE = 64 * 1024 }; // [bytes]

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

rgStatus rg_file_read(const char* path, const rgAllocator* allocator, char** text, size_t* length,
                      size_t* size, rgMessage* message) {
  *text = NULL;
  *length = *size = 0;
  FILE* file = fopen(path, "rb");
  if (!file)
    return rg_fail(message, RG_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
  rgStatus status = RG_OK;
  do {
    if (*length + 1 >= *size && !grow(allocator, text, size, *length)) {
      status = rg_fail(message, RG_ERROR_MEMORY, "cannot read %s: not enough memory", path);
      break;
    }
    errno = 0;
    *length += fread(*text + *length, 1, *size - 1 - *length, file);
  } while (!feof(file) && !ferror(file));
  if (status == RG_OK && ferror(file))
    status = rg_fail(message, RG_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
  fclose(file);
  if (status != RG_OK) {
    rg_release(allocator, *text, *size);
    *text = NULL;
  } else {
    (*text)[*length] = 0;
  }
  return status;
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
