// snapshot.c - the whole state of a world in a file.
#include "cli/run/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static rgStatus fail_io(rgMessage* message, const char* path, const char* what) {
  snprintf(message->text, sizeof message->text, "%s: %s: %s", path, what, strerror(errno));
  return RG_ERROR_IO;
}

static rgStatus fail_memory(rgMessage* message, const char* path) {
  snprintf(message->text, sizeof message->text, "%s: not enough memory for the snapshot", path);
  return RG_ERROR_MEMORY;
}

rgStatus cli_snapshot_open(CliSnapshot* snapshot, const char* path, rgMessage* message) {
  *snapshot = (CliSnapshot){.path = path};
  return path ? rg_output_open(path, &snapshot->output, message) : RG_OK;
}

static rgStatus write_state(CliSnapshot* snapshot, const rgWorld* world, const rgAccuracy* accuracy,
                            rgMessage* message) {
  size_t size = accuracy ? rg_accuracy_save_size(accuracy) : rg_world_save_size(world);
  void* buffer = malloc(size ? size : 1);
  if (!buffer)
    return fail_memory(message, snapshot->path);
  rgStatus status =
      accuracy ? rg_accuracy_save(accuracy, buffer, size) : rg_world_save(world, buffer, size);
  if (status != RG_OK)
    snprintf(message->text, sizeof message->text, "%s: %s", snapshot->path,
             rg_world_message(world));
  else
    fwrite(buffer, 1, size, rg_output_stream(snapshot->output)); // a failure stays with the stream
  free(buffer);
  return status;
}

rgStatus cli_snapshot_commit(CliSnapshot* snapshot, const rgWorld* world,
                             const rgAccuracy* accuracy, rgMessage* message) {
  if (!snapshot->output)
    return RG_OK;
  rgStatus status = write_state(snapshot, world, accuracy, message);
  if (status == RG_OK) {
    status = rg_output_commit(snapshot->output, message);
    snapshot->output = NULL;
  }
  return status;
}

void cli_snapshot_close(CliSnapshot* snapshot) {
  rg_output_abandon(snapshot->output);
  *snapshot = (CliSnapshot){0};
}

rgStatus cli_snapshot_read(const char* path, void** buffer, size_t* size, rgMessage* message) {
  FILE* file = fopen(path, "rb");
  *buffer = NULL;
  if (!file)
    return fail_io(message, path, "the snapshot cannot be read");
  struct stat about;
  rgStatus status = RG_OK;
  if (fstat(fileno(file), &about) != 0) {
    status = fail_io(message, path, "the snapshot cannot be read");
  } else if (!S_ISREG(about.st_mode)) {
    snprintf(message->text, sizeof message->text, "%s: not a file that holds a snapshot", path);
    status = RG_ERROR_INPUT;
  } else {
    *size = (size_t)about.st_size;
    *buffer = malloc(*size ? *size : 1);
    if (!*buffer)
      status = fail_memory(message, path);
    else if (fread(*buffer, 1, *size, file) != *size)
      status = fail_io(message, path, "the snapshot cannot be read");
  }
  fclose(file);
  return status;
}
