// fuzz_problem.c - any bytes as a problem, text or JSON: an error with its place, or a problem that
// survives being written and read again.
#include "checks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTACTS_MAX = 50 }; // larger problems are read only, so that a run stays fast

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// What is written reads back to the same bits.
static void check_writing(const rgProblem* problem, rgProblemFormat format) {
  char folder[PATH_SIZE], path[PATH_SIZE + 16];
  make_folder(folder);
  snprintf(path, sizeof path, "%s/problem", folder);
  rgAllocator allocator = rg_allocator_default();
  rgMessage message = {""};
  rgProblem* again = NULL;
  rgStatus status = rg_problem_write_as(problem, format, path, &message);
  if (status == RG_OK)
    status = rg_problem_read(path, &allocator, &again, &message);
  remove(path);
  rmdir(folder);
  if (status != RG_OK && !message.text[0])
    abort();
  if (again && again->contact_count != problem->contact_count)
    abort();
  size_t size = (size_t)problem->local->block * sizeof(double);
  for (int i = 0; again && i < problem->contact_count; i++)
    if (memcmp(again->contacts[i].bias, problem->contacts[i].bias, size) != 0)
      abort();
  rg_problem_free(again, &allocator);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  rgAllocator allocator = rg_allocator_default();
  rgProblem* problem;
  rgMessage message = {""};
  rgStatus status =
      rg_problem_parse((const char*)data, size, "fuzz.dat", &allocator, &problem, &message);
  if (status != RG_OK) {
    if (problem || strncmp(message.text, "fuzz.dat:", strlen("fuzz.dat:")) != 0)
      abort();
    return 0;
  }
  if (problem->local && problem->contact_count <= CONTACTS_MAX)
    check_writing(problem, problem->local->block == 4 ? RG_PROBLEM_JSON : RG_PROBLEM_TEXT);
  rg_problem_free(problem, &allocator);
  return 0;
}
