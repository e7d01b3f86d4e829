// view_run.h - a recorded run as the page takes it.
#ifndef CLI_VIEW_RUN_H
#define CLI_VIEW_RUN_H

#include <rigor/rigor.h>
#include <stdio.h>

typedef struct CliViewRun {
  char* table;       // CSV: time, step, body, pose
  char* contacts;    // CSV: time, step, bodies, place and force; NULL when none were recorded
  char* certificate; // CSV of each step; NULL when there is none
  char* scene;       // text; NULL when the file has none and none is kept beside it
  char* scene_path;
} CliViewRun;

// Whether a path is that of a trajectory, by its ending.
bool cli_is_trajectory(const char* path);
// Reads a trajectory that `rigor run -o` has written; what was read must be freed also on failure.
rgStatus cli_view_run_read(const char* path, CliViewRun* run, rgMessage* message);
void cli_view_run_free(CliViewRun* run);

// A table: its head, and the row of a body of a frame, by its place among the bodies.
void cli_view_run_head(FILE* stream);
void cli_view_run_body(FILE* stream, double time, int64_t step, int body, rgPose pose);

#endif
