// problem_file.c - reading and writing problem files: the format is known by the content.
#include "io/problem/problem_file.h"
#include "problem/operator.h"

#include "base/memory.h"
#include "base/message.h"
#include "io/text/file.h"

#include <stdio.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// Formats
// -------------------------------------------------------------------------------------------------

static const char hdf5_signature[] = "\x89HDF\r\n\x1a\n";

static const char* const format_names[RG_PROBLEM_FORMAT_COUNT] = {
    [RG_PROBLEM_JSON] = "json",
    [RG_PROBLEM_TEXT] = "text",
    [RG_PROBLEM_FCLIB] = "fclib",
    [RG_PROBLEM_TEXT_GLOBAL] = "text-global",
    [RG_PROBLEM_FCLIB_GLOBAL] = "fclib-global",
};
static const char* const format_endings[RG_PROBLEM_FORMAT_COUNT] = {
    [RG_PROBLEM_JSON] = ".json",         [RG_PROBLEM_TEXT] = ".dat",
    [RG_PROBLEM_FCLIB] = ".hdf5",        [RG_PROBLEM_TEXT_GLOBAL] = ".dat",
    [RG_PROBLEM_FCLIB_GLOBAL] = ".hdf5",
};

const char* rg_problem_format_name(rgProblemFormat format) {
  return (unsigned)format < RG_PROBLEM_FORMAT_COUNT ? format_names[format] : NULL;
}

const char* rg_problem_format_ending(rgProblemFormat format) {
  return (unsigned)format < RG_PROBLEM_FORMAT_COUNT ? format_endings[format] : NULL;
}

rgStatus rg_problem_parse(const char* text, size_t length, const char* name,
                          const rgAllocator* allocator, rgProblem** problem, rgMessage* message) {
  rgAllocator standard = rg_allocator_default();
  allocator = allocator ? allocator : &standard;
  *problem = NULL;
  size_t first = 0;
  while (first < length && strchr(" \t\r\n", text[first]) && text[first])
    first++;
  if (first == length)
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s:1:1: the file is empty, must be a problem: JSON, text or FCLIB", name);
  return text[first] == '{' ? rg_problem_json_read(text, length, name, allocator, problem, message)
                            : rg_problem_text_read(text, length, name, allocator, problem, message);
}

// Without reading all of what may be large. What cannot be read twice (a pipe) is not HDF5.
static bool is_hdf5(const char* path) {
  char start[sizeof hdf5_signature - 1];
  FILE* file = fopen(path, "rb");
  if (!file)
    return false;
  bool same = fseek(file, 0, SEEK_SET) == 0 &&
              fread(start, 1, sizeof start, file) == sizeof start &&
              memcmp(start, hdf5_signature, sizeof start) == 0;
  fclose(file);
  return same;
}

rgStatus rg_problem_read(const char* path, const rgAllocator* allocator, rgProblem** problem,
                         rgMessage* message) {
  rgAllocator standard = rg_allocator_default();
  allocator = allocator ? allocator : &standard;
  *problem = NULL;
  if (is_hdf5(path))
    return rg_fclib_read(path, allocator, problem, message);
  char* text;
  size_t length, size;
  rgStatus status = rg_file_read(path, allocator, &text, &length, &size, message);
  if (status == RG_OK) {
    status = rg_problem_parse(text, length, path, allocator, problem, message);
    rg_release(allocator, text, size);
  }
  return status;
}

rgStatus rg_problem_write(const rgProblem* problem, const char* path, rgMessage* message) {
  return rg_problem_write_as(problem, RG_PROBLEM_JSON, path, message);
}

// No format has rows of more than two bodies: such a problem is written in its local form.
static rgStatus write_far(const rgProblem* problem, rgProblemFormat format, const char* path,
                          rgMessage* message) {
  rgProblem* local;
  rgMessage why = {""};
  rgStatus status = rg_problem_to_local(problem, NULL, &local, &why);
  if (status != RG_OK)
    return rg_fail(message, status, "cannot write %s: %s", path, why.text);
  status = rg_problem_write_as(local, format, path, message);
  rg_problem_free(local, NULL);
  return status;
}

rgStatus rg_problem_write_as(const rgProblem* problem, rgProblemFormat format, const char* path,
                             rgMessage* message) {
  rgMessage why = {""};
  rgStatus status = rg_problem_check(problem, &why);
  if (status != RG_OK)
    return rg_fail(message, status, "cannot write %s: %s", path, why.text);
  if (rg_problem_has_far(problem))
    return write_far(problem, format, path, message);
  switch (format) {
  case RG_PROBLEM_JSON:
    return rg_problem_json_write(problem, path, message);
  case RG_PROBLEM_TEXT:
  case RG_PROBLEM_TEXT_GLOBAL:
    return rg_problem_text_write(problem, format == RG_PROBLEM_TEXT_GLOBAL, path, message);
  case RG_PROBLEM_FCLIB:
  case RG_PROBLEM_FCLIB_GLOBAL:
    return rg_fclib_write(problem, format == RG_PROBLEM_FCLIB_GLOBAL, path, message);
  case RG_PROBLEM_FORMAT_COUNT:
    break;
  }
  return rg_fail(message, RG_ERROR_INPUT, "cannot write %s: format %d does not exist", path,
                 (int)format);
}
