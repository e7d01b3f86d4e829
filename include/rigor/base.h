// base.h - status codes, messages, allocation and export marks shared by every public header.
//
// Units are SI unless a comment says otherwise, and stand in brackets: [m], [kg], [N s]; [-] is a
// pure number. The library never prints, never exits and keeps no global state. A call that can
// fail returns an rgStatus, and leaves the reason in an rgMessage or in its world:
//
//     rgMessage message = {""};
//     rgScene* scene;
//     if (rg_scene_read("tower.json", &scene, &message) != RG_OK)
//       fprintf(stderr, "%s\n", message.text);
//
// prints "tower.json:14:9: bodies[3].mass is -1, must be > 0".
//
// NULL where a comment does not allow it is a mistake of the program, which is not always caught.
#ifndef RIGOR_BASE_H
#define RIGOR_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Marks what a shared library exports.
#if defined(__GNUC__)
#define RG_API __attribute__((visibility("default")))
#else
#define RG_API
#endif

// The result of a call. Everything but RG_OK leaves a message where the call says so.
typedef enum rgStatus {
  RG_OK = 0,
  RG_ERROR_INPUT, // an argument or a file is wrong; the message says where, and what would be right
  RG_ERROR_MEMORY,      // the allocator returned NULL; nothing was changed
  RG_ERROR_IO,          // a file could not be read or written
  RG_ERROR_NOT_FOUND,   // an id or a name does not exist, or no longer exists
  RG_ERROR_UNSUPPORTED, // a legal request that this build, solver, stepper or format cannot serve
  RG_NOT_CONVERGED,     // the iteration or time limit was reached before the tolerance was met; the
                        // result is usable, and its certificate says how good it is
  RG_CANCELLED,         // the caller's cancel flag was set
  RG_NO_SOLUTION, // the solver showed that it cannot continue: ray termination, or constraints
                  // that contradict each other
  RG_STATUS_COUNT
} rgStatus;

// The name of a status, such as "input"; never NULL.
RG_API const char* rg_status_name(rgStatus status);

// "major.minor.patch"
RG_API const char* rg_version(void);

// A message for a person. Always ends with a zero byte; empty when there is nothing to say. Longer
// messages are cut.
typedef struct rgMessage {
  char text[512];
} rgMessage;

// Where memory comes from. `allocate` returns `size` bytes aligned to 64 bytes, or NULL; `release`
// gives back what it returned, with the same size, and is never called with NULL. Both are handed
// `context`. A world calls them only while it grows, never in a step once it is warm.
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
