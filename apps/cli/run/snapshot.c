// snapshot.c - the whole state of a world in a file.
#include "cli/run/snapshot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
  if (!path)
    return RG_OK;
  size_t size = strlen(path) + sizeof ".part";
  snapshot->beside = malloc(size);
  if (!snapshot->beside)
    return fail_memory(message, path);
  snprintf(snapshot->beside, size, "%s.part", path);
  snapshot->file = fopen(snapshot->beside, "wb");
  return snapshot->file ? RG_OK : fail_io(message, path, "the snapshot cannot be written");
}

static rgStatus write_state(CliSnapshot* snapshot, const rgWorld* world, rgMessage* message) {
  size_t size = rg_world_save_size(world);
  void* buffer = malloc(size ? size : 1);
  if (!buffer)
    return fail_memory(message, snapshot->path);
  rgStatus status = rg_world_save(world, buffer, size);
  if (status != RG_OK)
    snprintf(message->text, sizeof message->text, "%s: %s", snapshot->path,
             rg_world_message(world));
  else if (fwrite(buffer, 1, size, snapshot->file) != size || fflush(snapshot->file) != 0)
    status = fail_io(message, snapshot->path, "the snapshot cannot be written");
  free(buffer);
  return status;
}

rgStatus cli_snapshot_commit(CliSnapshot* snapshot, const rgWorld* world, rgMessage* message) {
  if (!snapshot->file)
    return RG_OK;
  rgStatus status = write_state(snapshot, world, message);
  if (status != RG_OK)
    return status;
  int closed = fclose(snapshot->file);
  snapshot->file = NULL;
  if (closed != 0 || rename(snapshot->beside, snapshot->path) != 0) {
    status = fail_io(message, snapshot->path, "the snapshot cannot be written");
    unlink(snapshot->beside);
  }
  return status;
}

void cli_snapshot_close(CliSnapshot* snapshot) {
  if (snapshot->file) {
    fclose(snapshot->file);
    unlink(snapshot->beside);
  }
  free(snapshot->beside);
  *snapshot = (CliSnapshot){0};
}

// The whole file in memory; *size is its length.
static rgStatus read_all(const char* path, void** buffer, size_t* size, rgMessage* message) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return fail_io(message, path, "the snapshot cannot be read");
  struct stat about;
  rgStatus status = RG_OK;
  *buffer = NULL;
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

rgStatus cli_snapshot_load(const char* path, rgWorld* world, rgMessage* message) {
  void* buffer = NULL;
  size_t size = 0;
  rgStatus status = read_all(path, &buffer, &size, message);
  if (status == RG_OK) {
    status = rg_world_load(world, buffer, size);
    if (status != RG_OK)
      snprintf(message->text, sizeof message->text, "%s: %s", path, rg_world_message(world));
  }
  free(buffer);
  return status;
}
