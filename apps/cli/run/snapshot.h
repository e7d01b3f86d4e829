// snapshot.h - the whole state of a world in a file.
#ifndef CLI_SNAPSHOT_H
#define CLI_SNAPSHOT_H

#include <rigor/rigor.h>

// A snapshot to be written at the end of a run. An old one is lost only to a whole new one.
typedef struct CliSnapshot {
  const char* path; // NULL: none is wanted
  rgOutput* output;
} CliSnapshot;

// Opens the file at once: a path that cannot be written should not cost a run.
rgStatus cli_snapshot_open(CliSnapshot* snapshot, const char* path, rgMessage* message);
// Writes the state and puts the file in place; that of a run with an accuracy unless it is NULL.
rgStatus cli_snapshot_commit(CliSnapshot* snapshot, const rgWorld* world,
                             const rgAccuracy* accuracy, rgMessage* message);
// Releases what is held; what was not committed is removed.
void cli_snapshot_close(CliSnapshot* snapshot);

// The whole file in memory, which the caller frees, whatever is returned; *size is its length.
rgStatus cli_snapshot_read(const char* path, void** buffer, size_t* size, rgMessage* message);

#endif
