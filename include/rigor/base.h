// base.h - status codes, messages, allocation and export marks shared by every public header.
//
// Units are SI unless a comment says otherwise, and stand in brackets: [m], [kg], [N s].
#ifndef RIGOR_BASE_H
#define RIGOR_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RG_API __attribute__((visibility("default")))
#else
#define RG_API
#endif

// What a call came to. Everything but RG_OK leaves a message where the call says so.
typedef enum rgStatus {
  RG_OK = 0,
  RG_ERROR_INPUT,  // an argument or a file is wrong; the message says where and what would be right
  RG_ERROR_MEMORY, // the allocator returned NULL; nothing was changed
  RG_ERROR_IO,     // a file could not be read or written
  RG_ERROR_NOT_FOUND,   // an id or a name does not exist (any more)
  RG_ERROR_UNSUPPORTED, // a legal request that this build or this member of a family cannot serve
  RG_NOT_CONVERGED,     // a budget ended before the tolerance was met; the result is usable and
                        // certified as such
  RG_CANCELLED,         // the caller's cancel flag was seen
  RG_NO_SOLUTION,       // a solver showed that it cannot go on: ray termination, constraints that
                        // contradict each other
  RG_STATUS_COUNT
} rgStatus;

// A name for a status, e.g. "input"; never NULL.
RG_API const char* rg_status_name(rgStatus status);

// "major.minor.patch"
RG_API const char* rg_version(void);

// A message for a person. Always terminated; empty when there is nothing to say.
typedef struct rgMessage {
  char text[512];
} rgMessage;

// Where memory comes from. `allocate` returns memory aligned to 64 bytes or NULL; `release` takes
// what it returned (never NULL). Both get `context`.
typedef struct rgAllocator {
  void* (*allocate)(size_t size, void* context);
  void (*release)(void* memory, size_t size, void* context);
  void* context;
} rgAllocator;

// The C library's heap.
RG_API rgAllocator rg_allocator_default(void);

#ifdef __cplusplus
}
#endif
#endif
