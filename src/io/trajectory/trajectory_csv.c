// trajectory_csv.c - trajectories as comma-separated values.
//
// Rows gather in memory and go to the file in whole frames. When a write fails (a full disk), the
// file is cut back to its last whole frame. A process that is killed in the middle of a write leaves
// a part of a frame at the end; readers leave that out (docs/reliability.md).
#include "io/trajectory/trajectory.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include "io/text/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  WRITE_SIZE = 256 * 1024, // [bytes] gathered before the file is touched
  ROW_SIZE = 2048          // [bytes] of one row at most: 40 columns of 25 bytes, or their names
};

// A file with the rows that are not in it yet.
typedef struct Stream {
  rgOutput* output;
  FILE* file; // of the output
  char* path;
  size_t path_size;
  char* rows;
  int capacity, used; // [bytes]
  long whole;         // [bytes] in the file
  bool failed;
} Stream;

typedef struct Csv {
  rgAllocator allocator;
  const rgAccuracy* accuracy; // NULL: frames have no errors
  Stream bodies, certificate;
} Csv;

static const char certificate_ending[] = ".certificate.csv";
static const char scene_ending[] = ".scene.json";

// -------------------------------------------------------------------------------------------------
// Streams
// -------------------------------------------------------------------------------------------------

static rgStatus fail_write(const Stream* stream, int reason, rgMessage* message) {
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: %s", stream->path, strerror(reason));
}

// Room for one more row, or NULL.
static char* row_begin(Csv* csv, Stream* stream) {
  bool room = rg_reserve(&csv->allocator, (void**)&stream->rows, &stream->capacity,
                         stream->used + ROW_SIZE, 1);
  return room ? stream->rows + stream->used : NULL;
}

static void row_end(Stream* stream, char* end) {
  end[-1] = '\n'; // in place of the last comma
  stream->used = (int)(end - stream->rows);
}

static rgStatus stream_write(Stream* stream, rgMessage* message) {
  if (stream->failed)
    return rg_fail(message, RG_ERROR_IO, "cannot write %s: an earlier write failed", stream->path);
  if (stream->used == 0)
    return RG_OK;
  errno = 0;
  size_t written = fwrite(stream->rows, 1, (size_t)stream->used, stream->file);
  if (written == (size_t)stream->used && fflush(stream->file) == 0) {
    stream->whole += stream->used;
    stream->used = 0;
    return RG_OK;
  }
  int reason = errno;
  stream->failed = true;
  stream->used = 0;
  if (ftruncate(fileno(stream->file), stream->whole) != 0)
    return rg_fail(message, RG_ERROR_IO, "cannot write %s: %s; its last rows may be broken",
                   stream->path, strerror(reason));
  return fail_write(stream, reason, message);
}

static rgStatus stream_open(Csv* csv, Stream* stream, const char* stem, size_t stem_length,
                            const char* ending, rgMessage* message) {
  stream->path_size = stem_length + strlen(ending) + 1;
  stream->path = rg_allocate(&csv->allocator, stream->path_size);
  if (!stream->path)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", stem);
  memcpy(stream->path, stem, stem_length);
  memcpy(stream->path + stem_length, ending, strlen(ending));
  rgStatus status = rg_output_open(stream->path, &stream->output, message);
  if (status != RG_OK)
    return status;
  stream->file = rg_output_stream(stream->output);
  setvbuf(stream->file, NULL, _IONBF, 0); // the rows are the buffer
  return RG_OK;
}

static rgStatus stream_close(Csv* csv, Stream* stream, rgMessage* message) {
  rgStatus status = RG_OK;
  if (stream->output) {
    status = stream_write(stream, message);
    if (status == RG_OK)
      status = rg_output_commit(stream->output, message);
    else
      rg_output_abandon(stream->output); // what is in its place stays there
  }
  rg_release(&csv->allocator, stream->rows, (size_t)stream->capacity);
  rg_release(&csv->allocator, stream->path, stream->path_size);
  return status;
}

// -------------------------------------------------------------------------------------------------
// Rows. Each value is followed by a comma.
// -------------------------------------------------------------------------------------------------

static char* put_text(char* at, const char* text) {
  size_t length = strlen(text);
  memcpy(at, text, length);
  at[length] = ',';
  return at + length + 1;
}

static char* put_number(char* at, double value) {
  at += rg_number_format_17(value, at);
  *at = ',';
  return at + 1;
}

static char* put_whole(char* at, int64_t value) {
  return at + sprintf(at, "%lld,", (long long)value);
}

// In quotes when it contains a mark of the format.
static char* put_name(char* at, const char* name) {
  if (!strpbrk(name, ",\"\r\n"))
    return put_text(at, name);
  *at++ = '"';
  for (; *name; name++) {
    if (*name == '"')
      *at++ = '"';
    *at++ = *name;
  }
  *at++ = '"';
  *at = ',';
  return at + 1;
}

static char* put_numbers(char* at, const double* values, int count) {
  for (int i = 0; i < count; i++)
    at = put_number(at, values[i]);
  return at;
}

static bool put_body(Csv* csv, const rgWorld* world, rgBodyId id) {
  char* at = row_begin(csv, &csv->bodies);
  if (!at)
    return false;
  rgPose pose = rg_body_pose(world, id);
  rgTwist velocity = rg_body_velocity(world, id);
  const rgVec3 p = pose.position, v = velocity.linear, w = velocity.angular;
  const rgQuat q = pose.orientation;
  at = put_number(at, rg_world_time(world));
  at = put_whole(at, rg_world_steps(world));
  at = put_whole(at, id.index);
  at = put_name(at, rg_body_name(world, id));
  const double values[] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z};
  at = put_numbers(at, values, sizeof values / sizeof *values);
  if (csv->accuracy)
    at = put_number(at, rg_accuracy_error(csv->accuracy, id));
  row_end(&csv->bodies, at);
  return true;
}

static bool put_certificate(Csv* csv, const rgWorld* world) {
  char* at = row_begin(csv, &csv->certificate);
  if (!at)
    return false;
  rgTrajectoryFrame frame = rg_trajectory_frame(world);
  rgTrajectoryColumn column;
  for (int i = 0; rg_trajectory_column(i, &column); i++) {
    double value = rg_trajectory_value(i, &frame);
    at = column.whole ? put_whole(at, (int64_t)value) : put_number(at, value);
  }
  row_end(&csv->certificate, at);
  return true;
}

static bool put_headers(Csv* csv) {
  char* at = row_begin(csv, &csv->bodies);
  if (!at)
    return false;
  at = put_text(at, "time,step,body,name,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  if (csv->accuracy)
    at = put_text(at, "error");
  row_end(&csv->bodies, at);
  at = row_begin(csv, &csv->certificate);
  if (!at)
    return false;
  rgTrajectoryColumn column;
  for (int i = 0; rg_trajectory_column(i, &column); i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", strcmp(column.group, "energy") == 0 ? "energy_" : "",
             column.name);
    at = put_text(at, name);
  }
  row_end(&csv->certificate, at);
  return true;
}

// -------------------------------------------------------------------------------------------------
// The format
// -------------------------------------------------------------------------------------------------

static rgStatus flush_frames(void* state, rgMessage* message) {
  Csv* csv = state;
  rgStatus status = stream_write(&csv->bodies, message);
  return status == RG_OK ? stream_write(&csv->certificate, message) : status;
}

static rgStatus close_file(void* state, rgMessage* message) {
  Csv* csv = state;
  rgStatus first = stream_close(csv, &csv->bodies, message);
  rgStatus second = stream_close(csv, &csv->certificate, first == RG_OK ? message : NULL);
  rgAllocator allocator = csv->allocator;
  rg_release(&allocator, csv, sizeof *csv);
  return first == RG_OK ? second : first;
}

static rgStatus keep_scene(void* state, const char* text, rgMessage* message) {
  Csv* csv = state;
  Stream scene = {0};
  size_t stem = strlen(csv->bodies.path) - strlen(rg_trajectory_csv.ending);
  rgStatus status = stream_open(csv, &scene, csv->bodies.path, stem, scene_ending, message);
  if (status == RG_OK)
    fputs(text, scene.file); // a failure stays with the stream
  rgStatus closed = stream_close(csv, &scene, status == RG_OK ? message : NULL);
  return status == RG_OK ? closed : status;
}

// The headers once more, in place of those that are all there is in the files yet.
static rgStatus keep_errors(void* state, const rgAccuracy* accuracy, rgMessage* message) {
  Csv* csv = state;
  Stream* streams[] = {&csv->bodies, &csv->certificate};
  csv->accuracy = accuracy;
  for (int i = 0; i < 2; i++) {
    errno = 0;
    if (fseek(streams[i]->file, 0, SEEK_SET) != 0 || ftruncate(fileno(streams[i]->file), 0) != 0)
      return fail_write(streams[i], errno, message);
    streams[i]->whole = 0;
  }
  if (!put_headers(csv))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", csv->bodies.path);
  return flush_frames(csv, message);
}

static rgStatus append_frame(void* state, const rgWorld* world, rgMessage* message) {
  Csv* csv = state;
  bool room = true;
  for (int i = 0; i < rg_world_body_count(world) && room; i++)
    room = put_body(csv, world, rg_world_body(world, i));
  if (!room || !put_certificate(csv, world))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory for a frame", csv->bodies.path);
  return csv->bodies.used + csv->certificate.used >= WRITE_SIZE ? flush_frames(csv, message)
                                                                : RG_OK;
}

static rgStatus create_file(const char* path, const rgWorld* world, const rgAllocator* allocator,
                            void** state, rgMessage* message) {
  (void)world;
  Csv* csv = rg_allocate(allocator, sizeof *csv);
  if (!csv)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  csv->allocator = *allocator;
  size_t stem = strlen(path) - strlen(rg_trajectory_csv.ending);
  rgStatus status = stream_open(csv, &csv->bodies, path, stem, rg_trajectory_csv.ending, message);
  if (status == RG_OK)
    status = stream_open(csv, &csv->certificate, path, stem, certificate_ending, message);
  if (status == RG_OK && !put_headers(csv))
    status = rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  if (status == RG_OK)
    status = flush_frames(csv, message);
  if (status == RG_OK)
    status = rg_output_place(csv->bodies.output, message);
  if (status == RG_OK)
    status = rg_output_place(csv->certificate.output, message);
  if (status != RG_OK)
    close_file(csv, NULL);
  else
    *state = csv;
  return status;
}

const rgTrajectoryFormat rg_trajectory_csv = {
    .ending = ".csv",
    .summary = "text, one row per frame and body, and the certificates in a second file",
    .create = create_file,
    .keep_scene = keep_scene,
    .keep_errors = keep_errors,
    .append = append_frame,
    .flush = flush_frames,
    .close = close_file,
};
