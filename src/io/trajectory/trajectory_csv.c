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
#include "io/trajectory/tables.h"
#include "world/world.h"
#include <rigor/sensor.h>

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
  unsigned kinds;
  int sensor_values; // in a row of the sensors
  Stream bodies, certificate, sensors;
  Stream tables[RG_TABLE_COUNT]; // of the kinds that are recorded
  rgTableRows rows[RG_TABLE_COUNT];
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
static char* row_of_size(Csv* csv, Stream* stream, int size) {
  bool room =
      rg_reserve(&csv->allocator, (void**)&stream->rows, &stream->capacity, stream->used + size, 1);
  return room ? stream->rows + stream->used : NULL;
}

static char* row_begin(Csv* csv, Stream* stream) { return row_of_size(csv, stream, ROW_SIZE); }

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

static bool records(const Csv* csv, int table) {
  return csv->kinds & (unsigned)rg_tables[table].kind;
}

// A vector has a column for each of its numbers, and what is named has its name beside its index.
static char* put_column_names(char* at, const rgTableColumn* column) {
  static const char* const parts[] = {"_x", "_y", "_z"};
  char name[64];
  for (int i = 0; i < column->width; i++) {
    snprintf(name, sizeof name, "%s%s", column->name, column->width > 1 ? parts[i] : "");
    at = put_text(at, name);
  }
  if (column->type != RG_TABLE_BODY && column->type != RG_TABLE_JOINT)
    return at;
  snprintf(name, sizeof name, "%s_name", column->name);
  return put_text(at, name);
}

static char* put_column(char* at, const rgWorld* world, const rgTableColumn* column,
                        const double* values) {
  if (!rg_tables_is_whole(column))
    return put_numbers(at, values, column->width);
  int64_t value = (int64_t)values[0];
  at = put_whole(at, value);
  if (column->type == RG_TABLE_BODY)
    at = put_name(at, value < 0 ? "" : rg_body_record_name(&world->ids.body_records[value]));
  else if (column->type == RG_TABLE_JOINT)
    at = put_name(at, world->joints[value].name);
  return at;
}

static bool put_table_header(Csv* csv, int table) {
  char* at = row_begin(csv, &csv->tables[table]);
  if (!at)
    return false;
  at = put_text(at, "time,step");
  for (const rgTableColumn* column = rg_tables[table].columns; column->name; column++)
    at = put_column_names(at, column);
  row_end(&csv->tables[table], at);
  return true;
}

// The rows of a frame.
static bool put_table(Csv* csv, const rgWorld* world, int table) {
  rgTableRows* rows = &csv->rows[table];
  const double* values;
  rows->count = 0;
  if (!rg_tables[table].append(world, rows))
    return false;
  values = rows->values;
  for (int i = 0; i < rows->count; i++) {
    char* at = row_begin(csv, &csv->tables[table]);
    if (!at)
      return false;
    at = put_number(at, rg_world_time(world));
    at = put_whole(at, rg_world_steps(world));
    for (const rgTableColumn* column = rg_tables[table].columns; column->name; column++) {
      at = put_column(at, world, column, values);
      values += column->width;
    }
    row_end(&csv->tables[table], at);
  }
  return true;
}

static bool put_tables(Csv* csv, const rgWorld* world) {
  bool room = true;
  for (int i = 0; i < RG_TABLE_COUNT && room; i++)
    room = !records(csv, i) || put_table(csv, world, i);
  return room;
}

static bool records_sensors(const Csv* csv) { return csv->kinds & RG_RECORD_SENSORS; }

// "NAME.VALUE" of every value, in quotes where the name has a mark of the format.
static bool put_sensor_header(Csv* csv, const rgWorld* world) {
  enum { NAME_SIZE = 2 * RG_TABLE_SENSOR_NAME + 64 };
  char* at = row_of_size(csv, &csv->sensors, ROW_SIZE + csv->sensor_values * NAME_SIZE);
  if (!at)
    return false;
  at = put_text(at, "time,step");
  for (int i = 0; i < rg_world_sensor_count(world); i++) {
    char name[RG_TABLE_SENSOR_NAME], column[RG_TABLE_SENSOR_NAME + 32];
    rg_tables_sensor_name(world, i, name);
    for (int k = 0; k < rg_world_sensor(world, i).value_count; k++) {
      snprintf(column, sizeof column, "%s.%.30s", name, rg_sensor_value_name(world, i, k));
      at = put_name(at, column);
    }
  }
  row_end(&csv->sensors, at);
  return true;
}

static bool put_sensors(Csv* csv, const rgWorld* world) {
  enum { NUMBER_SIZE = 32 };
  char* at = row_of_size(csv, &csv->sensors, ROW_SIZE + csv->sensor_values * NUMBER_SIZE);
  if (!at)
    return false;
  at = put_number(at, rg_world_time(world));
  at = put_whole(at, rg_world_steps(world));
  at = put_numbers(at, rg_world_sensor_values(world), csv->sensor_values);
  row_end(&csv->sensors, at);
  return true;
}

static bool put_body_header(Csv* csv) {
  char* at = row_begin(csv, &csv->bodies);
  if (!at)
    return false;
  at = put_text(at, "time,step,body,name,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz");
  if (csv->accuracy)
    at = put_text(at, "error");
  row_end(&csv->bodies, at);
  return true;
}

static bool put_headers(Csv* csv, const rgWorld* world) {
  char* at = put_body_header(csv) ? row_begin(csv, &csv->certificate) : NULL;
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
  bool room = true;
  for (int i = 0; i < RG_TABLE_COUNT && room; i++)
    room = !records(csv, i) || put_table_header(csv, i);
  return room && (!records_sensors(csv) || put_sensor_header(csv, world));
}

// -------------------------------------------------------------------------------------------------
// The format
// -------------------------------------------------------------------------------------------------

// All files of a run, until one fails.
static rgStatus each_stream(Csv* csv, rgStatus (*act)(Csv* csv, Stream* stream, rgMessage* message),
                            rgMessage* message) {
  rgStatus status = act(csv, &csv->bodies, message);
  if (status == RG_OK)
    status = act(csv, &csv->certificate, message);
  for (int i = 0; i < RG_TABLE_COUNT && status == RG_OK; i++)
    if (records(csv, i))
      status = act(csv, &csv->tables[i], message);
  if (status == RG_OK && records_sensors(csv))
    status = act(csv, &csv->sensors, message);
  return status;
}

static rgStatus write_stream(Csv* csv, Stream* stream, rgMessage* message) {
  (void)csv;
  return stream_write(stream, message);
}

static rgStatus place_stream(Csv* csv, Stream* stream, rgMessage* message) {
  (void)csv;
  return rg_output_place(stream->output, message);
}

static rgStatus flush_frames(void* state, rgMessage* message) {
  return each_stream(state, write_stream, message);
}

// Closes all files, whatever fails; the first failure is told.
static rgStatus close_file(void* state, rgMessage* message) {
  Csv* csv = state;
  rgStatus first = stream_close(csv, &csv->bodies, message);
  rgStatus next = stream_close(csv, &csv->certificate, first == RG_OK ? message : NULL);
  first = first == RG_OK ? next : first;
  next = stream_close(csv, &csv->sensors, first == RG_OK ? message : NULL);
  first = first == RG_OK ? next : first;
  for (int i = 0; i < RG_TABLE_COUNT; i++) {
    next = stream_close(csv, &csv->tables[i], first == RG_OK ? message : NULL);
    first = first == RG_OK ? next : first;
    rg_tables_release(&csv->rows[i]);
  }
  rgAllocator allocator = csv->allocator;
  rg_release(&allocator, csv, sizeof *csv);
  return first;
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

// The header of the bodies once more, in place of that which is all there is in their file yet.
static rgStatus keep_errors(void* state, const rgAccuracy* accuracy, rgMessage* message) {
  Csv* csv = state;
  Stream* bodies = &csv->bodies;
  errno = 0;
  if (fseek(bodies->file, 0, SEEK_SET) != 0 || ftruncate(fileno(bodies->file), 0) != 0)
    return fail_write(bodies, errno, message);
  bodies->whole = 0;
  csv->accuracy = accuracy;
  if (!put_body_header(csv))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", bodies->path);
  return flush_frames(csv, message);
}

static int gathered(const Csv* csv) {
  int used = csv->bodies.used + csv->certificate.used + csv->sensors.used;
  for (int i = 0; i < RG_TABLE_COUNT; i++)
    used += csv->tables[i].used;
  return used;
}

static rgStatus append_frame(void* state, const rgWorld* world, rgMessage* message) {
  Csv* csv = state;
  bool room = true;
  for (int i = 0; i < rg_world_body_count(world) && room; i++)
    room = put_body(csv, world, rg_world_body(world, i));
  if (records_sensors(csv) && rg_world_sensor_value_count(world) != csv->sensor_values)
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: sensors were added after the file was made",
                   csv->bodies.path);
  if (!room || !put_certificate(csv, world) || !put_tables(csv, world) ||
      (records_sensors(csv) && !put_sensors(csv, world)))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory for a frame", csv->bodies.path);
  return gathered(csv) >= WRITE_SIZE ? flush_frames(csv, message) : RG_OK;
}

static rgStatus open_streams(Csv* csv, const char* path, rgMessage* message) {
  size_t stem = strlen(path) - strlen(rg_trajectory_csv.ending);
  rgStatus status = stream_open(csv, &csv->bodies, path, stem, rg_trajectory_csv.ending, message);
  if (status == RG_OK)
    status = stream_open(csv, &csv->certificate, path, stem, certificate_ending, message);
  for (int i = 0; i < RG_TABLE_COUNT && status == RG_OK; i++) {
    char ending[32];
    snprintf(ending, sizeof ending, ".%s.csv", rg_tables[i].name);
    if (records(csv, i))
      status = stream_open(csv, &csv->tables[i], path, stem, ending, message);
  }
  if (status == RG_OK && records_sensors(csv))
    status = stream_open(csv, &csv->sensors, path, stem, ".sensors.csv", message);
  return status;
}

static rgStatus create_file(const char* path, const rgWorld* world, unsigned kinds,
                            const rgAllocator* allocator, void** state, rgMessage* message) {
  Csv* csv = rg_allocate(allocator, sizeof *csv);
  if (!csv)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  csv->allocator = *allocator;
  csv->kinds = kinds;
  csv->sensor_values = rg_world_sensor_value_count(world);
  for (int i = 0; i < RG_TABLE_COUNT; i++)
    csv->rows[i].allocator = *allocator;
  rgStatus status = open_streams(csv, path, message);
  if (status == RG_OK && !put_headers(csv, world))
    status = rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  if (status == RG_OK)
    status = flush_frames(csv, message);
  if (status == RG_OK)
    status = each_stream(csv, place_stream, message);
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
