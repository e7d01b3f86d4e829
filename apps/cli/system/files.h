// files.h - whole files, and scenes as text.
#ifndef CLI_FILES_H
#define CLI_FILES_H

#include <rigor/rigor.h>

// A whole file, ended by zero; NULL when it cannot be read or has more than 4 GiB. To be freed, as
// all here.
char* cli_read_file(const char* path);
// The scene as text, with all that its file refers to and its present options; NULL when memory
// ran out.
char* cli_scene_text(const rgScene* scene);
// The path of a .csv trajectory with another ending; NULL when memory ran out.
char* cli_path_beside(const char* trajectory, const char* ending);
// Where the scene of a trajectory is kept: run.scene.json for run.csv. NULL when the trajectory is
// of another kind, or memory ran out.
char* cli_scene_beside(const char* trajectory);

bool cli_ends_with(const char* path, const char* ending);

#endif
