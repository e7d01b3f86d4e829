// fuzz_trajectory.c - a run that the bytes describe is recorded and read back: every time, step and
// pose has the bits that the world had, whatever bodies are called and whenever they are removed. Rows
// of the CSV file are read by a reader of its own, as the standard of that format says.
#include "calls.h"
#include "checks.h"

#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { FRAMES = 6, BODIES = 5, COLUMNS = 17, POSE = 4 };

// What the world was in each frame; NaN where a body was gone.
typedef struct Frames {
  int count, bodies;
  double time[FRAMES];
  int64_t step[FRAMES];
  double pose[FRAMES][BODIES][7];
  bool gone[FRAMES][BODIES];
} Frames;

static void note(const rgWorld* world, const rgBodyId* ids, Frames* frames) {
  int f = frames->count++;
  frames->time[f] = rg_world_time(world);
  frames->step[f] = rg_world_steps(world);
  for (int b = 0; b < frames->bodies; b++) {
    rgPose pose = rg_body_pose(world, ids[b]);
    frames->gone[f][b] = !rg_body_valid(world, ids[b]);
    const double numbers[7] = {pose.position.x,    pose.position.y,    pose.position.z,
                               pose.orientation.w, pose.orientation.x, pose.orientation.y,
                               pose.orientation.z};
    memcpy(frames->pose[f][b], numbers, sizeof numbers);
  }
}

// Records until the input ends; false when a format is not in this build.
static bool record(Input* in, rgWorld* world, const char* path, Frames* frames) {
  rgBodyId ids[BODIES];
  frames->count = 0;
  frames->bodies = rg_world_body_count(world);
  for (int b = 0; b < frames->bodies; b++)
    ids[b] = rg_world_body(world, b);
  rgTrajectory* trajectory;
  rgMessage message = {""};
  rgStatus status = rg_trajectory_create(path, world, &trajectory, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    return false;
  require(status == RG_OK);
  for (int f = 0; f < FRAMES; f++) {
    uint8_t choice = next_byte(in);
    if (rg_trajectory_append(trajectory, world, &message) != RG_OK)
      break;
    note(world, ids, frames);
    if (choice & 1)
      require(rg_trajectory_flush(trajectory, &message) == RG_OK);
    if (choice & 2 && frames->bodies > 0)
      rg_world_remove_body(world, ids[choice % frames->bodies]);
    rg_world_step(world, NULL);
  }
  require(rg_trajectory_close(trajectory, &message) == RG_OK);
  return true;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void check_recording(const char* path, const Frames* frames) {
  rgRecording* recording;
  rgMessage message = {""};
  rgStatus status = rg_recording_read(path, &recording, &message);
  require(status == RG_OK || message.text[0]);
  if (status != RG_OK) // a file without frames or bodies
    return;
  require(recording->frame_count == frames->count && recording->body_count == frames->bodies);
  for (int f = 0; f < frames->count; f++) {
    require(same_bits(recording->time[f], frames->time[f]) &&
            recording->step[f] == frames->step[f]);
    for (int b = 0; b < frames->bodies; b++) {
      int i = f * frames->bodies + b;
      rgVec3 p = recording->position[i];
      rgQuat q = recording->orientation[i];
      const double read[7] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
      for (int k = 0; k < 7; k++)
        require(frames->gone[f][b] ? isnan(read[k]) : same_bits(read[k], frames->pose[f][b][k]));
    }
  }
  rg_recording_free(recording);
}

// --- CSV --------------------------------------------------------------------------------------------

// The next field, without its quotes, into `text`; `end` tells whether it was the last of its row.
// False at the end of the file.
static bool read_field(FILE* file, char* text, size_t size, bool* end) {
  size_t length = 0;
  int c = fgetc(file);
  bool quoted = c == '"';
  if (c == EOF)
    return false;
  if (quoted)
    c = fgetc(file);
  for (;; c = fgetc(file)) {
    if (quoted && c == '"') {
      c = fgetc(file);
      quoted = c == '"';
      if (quoted) { // two stand for one
        require(length + 1 < size);
        text[length++] = '"';
        continue;
      }
    }
    require(c != EOF); // no half rows
    if (!quoted && (c == ',' || c == '\n'))
      break;
    require(length + 1 < size);
    text[length++] = (char)c;
  }
  text[length] = 0;
  *end = c == '\n';
  return true;
}

static void check_row(const Frames* frames, int f, int b, char fields[COLUMNS][256]) {
  require(same_bits(strtod(fields[0], NULL), frames->time[f]));
  require(strtoll(fields[1], NULL, 10) == frames->step[f]);
  for (int k = 0; k < 7 && !frames->gone[f][b]; k++)
    require(same_bits(strtod(fields[POSE + k], NULL), frames->pose[f][b][k]));
}

// A row has the index of its body in the third column.
static void check_csv(const char* path, const Frames* frames) {
  FILE* file = fopen(path, "rb");
  require(file != NULL);
  char fields[COLUMNS][256];
  int rows = -1, column = 0, f = 0; // the first row has the names
  bool end = false;
  while (read_field(file, fields[column], sizeof fields[column], &end)) {
    column++;
    require(column <= COLUMNS && (!end || column == COLUMNS));
    if (!end)
      continue;
    column = 0;
    if (rows++ < 0)
      continue;
    while (f < frames->count && frames->step[f] != strtoll(fields[1], NULL, 10))
      f++;
    long b = strtol(fields[2], NULL, 10);
    require(f < frames->count && b >= 0 && b < frames->bodies);
    check_row(frames, f, (int)b, fields);
  }
  fclose(file);
  int living = 0;
  for (int k = 0; k < frames->count; k++)
    for (int b = 0; b < frames->bodies; b++)
      living += !frames->gone[k][b];
  require(rows >= living && rows <= frames->count * frames->bodies);
}

static rgWorld* build(Input in) {
  rgWorld* world = make_world(&in, NULL);
  require(world != NULL);
  for (int i = 0; i < BODIES && !is_empty(&in); i++)
    call_add_body(&in, world);
  return world;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char folder[PATH_SIZE], path[PATH_SIZE + 32], beside[PATH_SIZE + 32];
  make_folder(folder);
  for (int format = 0; format < 2; format++) {
    Frames frames;
    Input in = {data, size, 0};
    rgWorld* world = build(in);
    in.at = size > 2 * FRAMES ? size - 2 * FRAMES : 0; // the last bytes are for the run
    snprintf(path, sizeof path, "%s/run%s", folder, format ? ".csv" : ".h5");
    snprintf(beside, sizeof beside, "%s/run.certificate.csv", folder);
    if (record(&in, world, path, &frames)) {
      if (format)
        check_csv(path, &frames);
      else
        check_recording(path, &frames);
    }
    rg_world_destroy(world);
    remove(path);
    remove(beside);
  }
  require(rmdir(folder) == 0);
  return 0;
}
