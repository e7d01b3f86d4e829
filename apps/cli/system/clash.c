// clash.c - files that one command would both read and write, or write twice.
#include "cli/system/clash.h"

#include "cli/system/files.h"
#include "cli/text/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, LINKS_MAX = 40 };

// A file is its inode; one that does not exist yet is the inode of its folder and its name there.
typedef struct Identity {
  bool known;
  dev_t device;
  ino_t inode;
  char name[256]; // "" when the file exists
} Identity;

static void take_inode(Identity* identity, const struct stat* about) {
  identity->known = true;
  identity->device = about->st_dev;
  identity->inode = about->st_ino;
}

// The folder and the name of what does not exist.
static Identity identify_place(const char* path) {
  Identity identity = {0};
  char folder[PATH_SIZE];
  const char* slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  struct stat about;
  snprintf(folder, sizeof folder, "%.*s", (int)length, path);
  snprintf(identity.name, sizeof identity.name, "%s", path + length);
  if (stat(length ? folder : ".", &about) == 0)
    take_inode(&identity, &about);
  return identity;
}

static Identity identify(const char* path) {
  Identity identity = {0};
  struct stat about;
  char at[PATH_SIZE], target[PATH_SIZE];
  if (stat(path, &about) == 0) {
    take_inode(&identity, &about);
    return identity;
  }
  // A link to what does not exist: the file will be made where it leads.
  snprintf(at, sizeof at, "%s", path);
  for (int i = 0; i < LINKS_MAX; ++i) {
    ssize_t length = readlink(at, target, sizeof target - 1);
    if (length < 0)
      return identify_place(at);
    target[length] = '\0';
    char* slash = strrchr(at, '/');
    size_t folder = slash && target[0] != '/' ? (size_t)(slash - at) + 1 : 0;
    snprintf(at + folder, sizeof at - folder, "%s", target);
  }
  return identity;
}

static bool same(const Identity* a, const Identity* b) {
  return a->known && b->known && a->device == b->device && a->inode == b->inode &&
         strcmp(a->name, b->name) == 0;
}

// A device or a pipe can be used twice: nothing in it is overwritten.
static bool is_special(const char* path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

bool cli_same_file(const char* a, const char* b) {
  if (!a || !b)
    return false;
  Identity one = identify(a), other = identify(b);
  return same(&one, &other);
}

// --- what is noted -----------------------------------------------------------------------------

typedef struct CliUse {
  const char* what;
  char* path;
  bool written;
} CliUse;

// Takes over the path.
static void add(CliUses* uses, const char* what, char* path, bool written) {
  if (path && uses->count == uses->capacity) {
    int capacity = 2 * uses->capacity + 16;
    CliUse* items = realloc(uses->items, (size_t)capacity * sizeof *items);
    uses->items = items ? items : uses->items;
    uses->capacity = items ? capacity : uses->capacity;
  }
  if (!path || uses->count == uses->capacity) {
    uses->failed = true;
    free(path);
    return;
  }
  uses->items[uses->count++] = (CliUse){what, path, written};
}

void cli_uses_read(CliUses* uses, const char* what, const char* path) {
  if (path)
    add(uses, what, strdup(path), false);
}

void cli_uses_write(CliUses* uses, const char* what, const char* path) {
  if (path)
    add(uses, what, strdup(path), true);
}

void cli_uses_read_scene(CliUses* uses, const char* path, const rgScene* scene) {
  cli_uses_read(uses, "the scene", path);
  const char* file;
  for (int i = 0; scene && (file = rg_scene_file(scene, i)); ++i)
    cli_uses_read(uses, "the scene's file", file);
}

void cli_uses_write_trajectory(CliUses* uses, const char* what, const char* path, unsigned kinds) {
  cli_uses_write(uses, what, path);
  if (!path || !cli_ends_with(path, ".csv"))
    return;
  add(uses, what, cli_path_beside(path, ".scene.json"), true);
  add(uses, what, cli_path_beside(path, ".certificate.csv"), true);
  const char* name;
  for (int i = 1; (name = rg_trajectory_record_name(i)); ++i) { // bodies are in the file itself
    char ending[32];
    snprintf(ending, sizeof ending, ".%s.csv", name);
    if (kinds & (unsigned)rg_trajectory_record_kind(i))
      add(uses, what, cli_path_beside(path, ending), true);
  }
}

void cli_uses_write_into(CliUses* uses, const char* what, const char* folder, const char* start) {
  uses->what = what;
  uses->folder = folder;
  uses->start = start;
}

static void free_uses(CliUses* uses) {
  for (int i = 0; i < uses->count; ++i)
    free(uses->items[i].path);
  free(uses->items);
  *uses = (CliUses){0};
}

// The use, other than number `own`, of the same file; NULL when there is none.
static const CliUse* find_other(const CliUses* uses, int own) {
  Identity identity = identify(uses->items[own].path);
  for (int i = 0; i < uses->count; ++i) {
    if (i == own)
      continue;
    Identity other = identify(uses->items[i].path);
    if (same(&identity, &other))
      return &uses->items[i];
  }
  return NULL;
}

// Whether a file in the folder that is written into is used otherwise.
static bool clashes_in_folder(const CliUses* uses, const char* name, rgMessage* message) {
  char path[PATH_SIZE];
  snprintf(path, sizeof path, "%s/%s", uses->folder, name);
  Identity identity = identify(path);
  for (int i = 0; i < uses->count; ++i) {
    const CliUse* use = &uses->items[i];
    Identity other = identify(use->path);
    if (!same(&identity, &other))
      continue;
    cli_fail(message, RG_ERROR_INPUT, "%s %s would overwrite %s %s; name another folder",
             uses->what, uses->folder, use->what, use->path);
    return true;
  }
  return false;
}

static bool folder_clashes(const CliUses* uses, rgMessage* message) {
  DIR* folder = uses->folder ? opendir(uses->folder) : NULL;
  bool clash = false;
  for (struct dirent* entry; folder && !clash && (entry = readdir(folder));)
    clash = strncmp(entry->d_name, uses->start, strlen(uses->start)) == 0 &&
            clashes_in_folder(uses, entry->d_name, message);
  if (folder)
    closedir(folder);
  return clash;
}

bool cli_uses_clash(CliUses* uses, rgMessage* message) {
  bool clash = uses->failed;
  if (clash)
    cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  clash = clash || folder_clashes(uses, message);
  for (int i = 0; i < uses->count && !clash; ++i) {
    const CliUse* use = &uses->items[i];
    const CliUse* other = use->written && !is_special(use->path) ? find_other(uses, i) : NULL;
    clash = other != NULL;
    if (clash && other->written)
      cli_fail(message, RG_ERROR_INPUT, "%s %s and %s %s are the same file; name two", use->what,
               use->path, other->what, other->path);
    else if (clash)
      cli_fail(message, RG_ERROR_INPUT, "%s %s would overwrite %s %s; name another file", use->what,
               use->path, other->what, other->path);
  }
  free_uses(uses);
  return clash;
}
