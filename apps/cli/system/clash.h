// clash.h - files that one command would both read and write, or write twice.
#ifndef CLI_CLASH_H
#define CLI_CLASH_H

#include <rigor/rigor.h>

// What a command does with files: to be filled, asked and freed.
typedef struct CliUses {
  struct CliUse* items;
  int count, capacity;
  bool failed;               // memory ran out
  const char *folder, *what; // that files are written into, and why; NULL: none
  const char* start;         // of the names of these files
} CliUses;

// `what` is "--save" or "the scene", and stays the caller's. Nothing is added when `path` is NULL.
void cli_uses_read(CliUses* uses, const char* what, const char* path);
void cli_uses_write(CliUses* uses, const char* what, const char* path);
// A scene that is read, with the files that it names.
void cli_uses_read_scene(CliUses* uses, const char* path, const rgScene* scene);
// A trajectory with the files that are written beside it.
void cli_uses_write_trajectory(CliUses* uses, const char* what, const char* path, unsigned kinds);
// Files whose names begin with `start`, in a folder that may not exist yet. All texts stay the caller's.
void cli_uses_write_into(CliUses* uses, const char* what, const char* folder, const char* start);

// True, with a message that names both, when a file that is written is also used otherwise, or when
// memory ran out. Frees what was noted.
bool cli_uses_clash(CliUses* uses, rgMessage* message);

// True when the paths lead to one file, by whatever names: links are followed, and files that do not
// exist yet are told apart by their folder and name. False when one of them is NULL.
bool cli_same_file(const char* a, const char* b);

#endif
