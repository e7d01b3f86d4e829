// view_run.c - a recorded run as the page takes it: CSV as it is, HDF5 made to CSV. Seventeen
// digits give the same bits when the page reads them.
#include "cli/view/view_run.h"

#include "cli/system/files.h"
#include <rigor/rigor.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_is_trajectory(const char* path) {
  return cli_ends_with(path, ".csv") || cli_ends_with(path, ".h5");
}

static rgStatus fail(rgMessage* message, rgStatus status, const char* path, const char* text) {
  snprintf(message->text, sizeof message->text, "%s %s", path, text);
  return status;
}

// --- CSV ---------------------------------------------------------------------------------------

// The end of the row that begins at `row`, behind its line break; NULL when the row has none. A line
// break inside quotes belongs to a name.
static char* row_end(char* row) {
  bool quoted = false;
  for (; *row; ++row) {
    quoted ^= *row == '"';
    if (*row == '\n' && !quoted)
      return row + 1;
  }
  return NULL;
}

// Whether two rows have the same step, which is their second cell: the rows of a frame do.
static bool same_frame(const char* a, const char* b) {
  a = strchr(a, ',');
  b = strchr(b, ',');
  size_t length = a ? strcspn(a + 1, ",") : 0;
  return a && b && strncmp(a, b, length + 2) == 0;
}

// Cuts off what a run that was killed has left behind its last whole frame: a part of a row, and a
// frame with fewer bodies than the one before.
static void cut_to_frames(char* table) {
  char* row = row_end(table);
  char *frame = row, *next = NULL;
  int rows = 0, before = 0;
  for (; row && (next = row_end(row)); row = next) {
    if (!same_frame(frame, row)) {
      before = rows;
      rows = 0;
      frame = row;
    }
    ++rows;
  }
  if (row)
    *(rows < before ? frame : row) = '\0';
}

// The table `what` beside a trajectory, as `rigor run` names it: run.what.csv for run.csv. NULL when
// there is none.
static char* read_beside(const char* path, const char* what) {
  size_t stem = strlen(path) - strlen(".csv"), size = strlen(path) + strlen(what) + 2;
  char* name = malloc(size);
  if (!name)
    return NULL;
  snprintf(name, size, "%.*s.%s.csv", (int)stem, path, what);
  char* table = cli_read_file(name);
  char* end = table ? strrchr(table, '\n') : NULL;
  if (end)
    end[1] = '\0'; // a run that was killed may leave part of a row
  free(name);
  return table;
}

static rgStatus read_csv(const char* path, CliViewRun* run, rgMessage* message) {
  static const char START[] = "time,step,body,";
  run->table = cli_read_file(path);
  if (!run->table)
    return fail(message, RG_ERROR_INPUT, path, "cannot be read");
  if (strncmp(run->table, START, sizeof START - 1) != 0)
    return fail(message, RG_ERROR_INPUT, path,
                "is no trajectory, must be a .csv or .h5 file of 'rigor run -o'");
  cut_to_frames(run->table);
  run->contacts = read_beside(path, "contacts");
  run->certificate = read_beside(path, "certificate");
  run->scene_path = cli_scene_beside(path);
  if (run->scene_path)
    run->scene = cli_read_file(run->scene_path);
  return RG_OK;
}

void cli_view_run_head(FILE* stream) { fputs("time,step,body,px,py,pz,qw,qx,qy,qz\n", stream); }

void cli_view_run_body(FILE* stream, double time, int64_t step, int body, rgPose pose) {
  rgVec3 p = pose.position;
  rgQuat q = pose.orientation;
  fprintf(stream, "%.17g,%lld,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", time,
          (long long)step, body, p.x, p.y, p.z, q.w, q.x, q.y, q.z);
}

static void write_bodies(FILE* stream, const rgRecording* poses) {
  size_t index = 0;
  cli_view_run_head(stream);
  for (int frame = 0; frame < poses->frame_count; ++frame)
    for (int body = 0; body < poses->body_count; ++body, ++index)
      cli_view_run_body(stream, poses->time[frame], poses->step[frame], body,
                        (rgPose){poses->position[index], poses->orientation[index]});
}

static void write_contact(FILE* stream, const rgRecordedContact* contact) {
  const rgVec3 vectors[] = {contact->point, contact->normal, contact->force};
  fprintf(stream, "%d,%d,%.17g", contact->body_a, contact->body_b, contact->gap);
  for (int i = 0; i < 3; ++i)
    fprintf(stream, ",%.17g,%.17g,%.17g", vectors[i].x, vectors[i].y, vectors[i].z);
  fputc('\n', stream);
}

static void write_contacts(FILE* stream, const rgRecording* run) {
  fputs("time,step,body_a,body_b,gap,point_x,point_y,point_z,normal_x,normal_y,normal_z,force_x,"
        "force_y,force_z\n",
        stream);
  for (int frame = 0; frame < run->frame_count; ++frame)
    for (int64_t i = run->contact_start[frame]; i < run->contact_start[frame + 1]; ++i) {
      fprintf(stream, "%.17g,%lld,", run->time[frame], (long long)run->step[frame]);
      write_contact(stream, &run->contacts[i]);
    }
}

static void write_measures(FILE* stream, const rgRecording* run) {
  fputs("time,step,energy_kinetic,energy_potential,energy,residual,contacts\n", stream);
  for (int frame = 0; frame < run->frame_count; ++frame) {
    const rgRecordedMeasure* measure = &run->measures[frame];
    fprintf(stream, "%.17g,%lld,%.17g,%.17g,%.17g,%.17g,%lld\n", run->time[frame],
            (long long)run->step[frame], measure->kinetic, measure->potential, measure->change,
            measure->residual, (long long)measure->contacts);
  }
}

static char* table_of(const rgRecording* run, void (*write)(FILE*, const rgRecording*)) {
  char* table = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&table, &size);
  if (!stream)
    return NULL;
  write(stream, run);
  bool bad = ferror(stream) != 0;
  if (fclose(stream) != 0 || bad) {
    free(table);
    table = NULL;
  }
  return table;
}

static rgStatus read_h5(const char* path, CliViewRun* run, rgMessage* message) {
  rgRecording* poses;
  rgStatus status = rg_recording_read(path, &poses, message);
  if (status == RG_OK) {
    run->table = table_of(poses, write_bodies);
    if (poses->contact_start)
      run->contacts = table_of(poses, write_contacts);
    if (poses->measures)
      run->certificate = table_of(poses, write_measures);
    run->scene = poses->scene ? strdup(poses->scene) : NULL;
    run->scene_path = strdup(path);
    if (!run->table || (poses->contact_start && !run->contacts) ||
        (poses->measures && !run->certificate) || !run->scene_path || (poses->scene && !run->scene))
      status = fail(message, RG_ERROR_MEMORY, path, "needs more memory than there is");
  }
  rg_recording_free(poses);
  return status;
}

rgStatus cli_view_run_read(const char* path, CliViewRun* run, rgMessage* message) {
  *run = (CliViewRun){0};
  return cli_ends_with(path, ".h5") ? read_h5(path, run, message) : read_csv(path, run, message);
}

void cli_view_run_free(CliViewRun* run) {
  free(run->table);
  free(run->contacts);
  free(run->certificate);
  free(run->scene);
  free(run->scene_path);
  *run = (CliViewRun){0};
}
