// trajectory_h5.c - trajectories written as HDF5 files.
//
// Frames gather in memory. A flush extends the datasets, writes the frames and commits the file
// (io/text/store_h5.h): on disk it goes from one whole state to the next, also when the disk is full
// or the process is killed. Besides, each dataset has checksums, what was never written reads as NaN
// and not as zeros, and /time is written after everything else, so that its length counts whole
// frames. Texts have fixed lengths: they lie in the file itself, not in a heap of their own.
#include "io/trajectory/trajectory.h"

#include "base/memory.h"
#include "base/message.h"

#ifdef RIGOR_HDF5

#include "io/text/output.h"
#include "io/text/store_h5.h"
#include "io/trajectory/sensors_h5.h"
#include "io/trajectory/series_h5.h"
#include "io/trajectory/tables_h5.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  COLUMNS_MAX = 64,      // with room for more fields of the certificate
  GATHER_SIZE = 1 << 20, // [bytes] of frames before they are written
  CHUNK_FRAMES = 256     // at most, in one chunk: a short run has one chunk of each column
};

// What is stored per body, one dataset each.
static const struct {
  const char *name, *unit;
  int width;
} fields[] = {{"position", "m", 3},
              {"orientation", "", 4},
              {"velocity", "m/s", 3},
              {"angular_velocity", "rad/s", 3},
              {"error", "m", 1}}; // where errors are kept
enum { FIELD_COUNT = 5, ERROR_FIELD = 4, BODY_WIDTH = 14 };

typedef struct H5 {
  rgAllocator allocator;
  const rgAccuracy* accuracy; // NULL: frames have no errors
  char* path;
  size_t path_size;
  rgOutput* output;
  rgH5Store store;
  hid_t file;
  hid_t field[FIELD_COUNT], column[COLUMNS_MAX];
  rgBodyId* bodies;
  int body_count;
  hsize_t frames; // in the file
  int gathered;   // and in memory
  int room;       // frames
  unsigned kinds; // that are recorded
  rgTableH5 tables[RG_TABLE_COUNT];
  rgSensorsH5 sensors;
  double* state; // [field][frame][body][width]: a field is one block of room * body_count * width
  rgTrajectoryFrame* frame;
  bool failed;
} H5;

const rgTrajectoryFormat* rg_trajectory_h5_format(void) { return &rg_trajectory_h5; }

static rgStatus fail_write(const H5* h5, rgMessage* message) {
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: %s", h5->path,
                 h5->store.error ? strerror(h5->store.error) : "the HDF5 library refused");
}

// -------------------------------------------------------------------------------------------------
// Making datasets. Everything returns a negative number on failure, as the library does.
// -------------------------------------------------------------------------------------------------

// A dataset of texts of one length: `count` of them, or with count 0 a single one.
static int add_texts(hid_t file, const char* name, size_t length, int count, const char* texts) {
  hsize_t size = (hsize_t)count;
  hid_t type = rg_series_text_type(length);
  hid_t space = count > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int result = dataset < 0 ? -1 : H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
  if (dataset >= 0)
    H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  return result;
}

static const char* name_of(const rgWorld* world, rgBodyId body) {
  return rg_body_name(world, body);
}

static const char* kind_of(const rgWorld* world, rgBodyId body) {
  return rg_body_kind_name(rg_body_kind(world, body));
}

// A dataset of one text per body.
static int add_body_texts(H5* h5, const char* name, const rgWorld* world,
                          const char* (*text_of)(const rgWorld*, rgBodyId)) {
  size_t length = 0;
  for (int i = 0; i < h5->body_count; i++) {
    size_t own = strlen(text_of(world, h5->bodies[i]));
    length = own > length ? own : length;
  }
  size_t size = (size_t)h5->body_count * (length + 1);
  char* texts = rg_allocate(&h5->allocator, size);
  if (!texts)
    return -1;
  for (int i = 0; i < h5->body_count; i++) {
    const char* text = text_of(world, h5->bodies[i]);
    memcpy(texts + (size_t)i * (length + 1), text, strlen(text));
  }
  int result = add_texts(h5->file, name, length, h5->body_count, texts);
  rg_release(&h5->allocator, texts, size);
  return result;
}

static int add_field(H5* h5, int index) {
  hsize_t sizes[3] = {0, (hsize_t)h5->body_count, (hsize_t)fields[index].width};
  h5->field[index] = rg_series_add(h5->file, fields[index].name, H5T_IEEE_F64LE, fields[index].unit,
                                   3, sizes, CHUNK_FRAMES);
  return h5->field[index] < 0 ? -1 : 0;
}

// Index, mass, centre and inertia of the bodies, one block after the other.
static void list_masses(const H5* h5, const rgWorld* world, double* values) {
  size_t count = (size_t)h5->body_count;
  for (size_t i = 0; i < count; i++) {
    rgMassProperties mass = rg_body_mass(world, h5->bodies[i]);
    double* inertia = values + 5 * count + 9 * i;
    const double center[3] = {mass.center.x, mass.center.y, mass.center.z};
    values[i] = h5->bodies[i].index;
    values[count + i] = mass.mass;
    memcpy(values + 2 * count + 3 * i, center, sizeof center);
    memcpy(inertia, mass.inertia.m, sizeof mass.inertia.m);
  }
}

static int add_masses(H5* h5, const rgWorld* world) {
  hsize_t count = (hsize_t)h5->body_count;
  hsize_t one[3] = {count, 1, 1}, three[3] = {count, 3, 1}, nine[3] = {count, 3, 3};
  size_t size = 14 * count * sizeof(double);
  double* values = rg_allocate(&h5->allocator, size);
  if (!values)
    return -1;
  list_masses(h5, world, values);
  hid_t file = h5->file, real = H5T_IEEE_F64LE;
  bool good = rg_series_add_fixed(file, "index", H5T_STD_I64LE, "", 1, one, values) >= 0 &&
              rg_series_add_fixed(file, "mass", real, "kg", 1, one, values + count) >= 0 &&
              rg_series_add_fixed(file, "center", real, "m", 2, three, values + 2 * count) >= 0 &&
              rg_series_add_fixed(file, "inertia", real, "kg m2", 3, nine, values + 5 * count) >= 0;
  rg_release(&h5->allocator, values, size);
  return good ? 0 : -1;
}

static int add_bodies(H5* h5, const rgWorld* world) {
  int result = add_body_texts(h5, "name", world, name_of);
  if (result >= 0)
    result = add_body_texts(h5, "kind", world, kind_of);
  if (result >= 0)
    result = add_masses(h5, world);
  for (int i = 0; i < ERROR_FIELD && result >= 0; i++)
    result = add_field(h5, i);
  return result;
}

static int add_columns(H5* h5) {
  static const char* const groups[] = {"certificate", "energy"};
  for (int i = 0; i < 2; i++) {
    hid_t group = H5Gcreate2(h5->file, groups[i], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
      return -1;
    H5Gclose(group);
  }
  rgTrajectoryColumn column;
  for (int i = 0; rg_trajectory_column(i, &column); i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s%s", column.group, column.group[0] ? "/" : "", column.name);
    hid_t type = column.whole ? H5T_STD_I64LE : H5T_IEEE_F64LE;
    hsize_t sizes[3] = {0, 1, 1};
    if (i == COLUMNS_MAX)
      return -1;
    h5->column[i] = rg_series_add(h5->file, name, type, column.unit, 1, sizes, CHUNK_FRAMES);
    if (h5->column[i] < 0)
      return -1;
  }
  return 0;
}

// Brings what the library holds to the disk.
static int commit(H5* h5) {
  return H5Fflush(h5->file, H5F_SCOPE_GLOBAL) >= 0 && rg_h5_store_commit(&h5->store) ? 0 : -1;
}

static int create_contents(H5* h5, const rgWorld* world) {
  if (!rg_h5_store_open(&h5->store, fileno(rg_output_stream(h5->output))))
    return -1;
  h5->file = H5Fcreate(h5->path, H5F_ACC_TRUNC, H5P_DEFAULT, h5->store.access);
  if (h5->file < 0 || rg_series_add_text(h5->file, "generator", "rigor " RIGOR_VERSION) < 0 ||
      rg_series_add_text(h5->file, "units", "SI; each dataset has its own in the attribute unit") <
          0)
    return -1;
  if (add_columns(h5) < 0 || (h5->body_count > 0 && add_bodies(h5, world) < 0) ||
      rg_tables_h5_add(h5->tables, h5->file, h5->kinds, world) < 0 ||
      (h5->kinds & RG_RECORD_SENSORS && rg_sensors_h5_add(&h5->sensors, h5->file, world) < 0))
    return -1;
  return commit(h5);
}

static rgStatus keep_scene(void* state, const char* text, rgMessage* message) {
  H5* h5 = state;
  int result;
  H5E_BEGIN_TRY {
    result = add_texts(h5->file, "scene", strlen(text), 0, text);
    result = result < 0 ? result : commit(h5);
  }
  H5E_END_TRY
  h5->failed = result < 0;
  return result < 0 ? fail_write(h5, message) : RG_OK;
}

static rgStatus keep_errors(void* state, const rgAccuracy* accuracy, rgMessage* message) {
  H5* h5 = state;
  int result = 0;
  h5->accuracy = accuracy;
  H5E_BEGIN_TRY {
    if (h5->body_count > 0)
      result = add_field(h5, ERROR_FIELD);
    result = result < 0 ? result : commit(h5);
  }
  H5E_END_TRY
  h5->failed = result < 0;
  return result < 0 ? fail_write(h5, message) : RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Writing frames
// -------------------------------------------------------------------------------------------------

// Appends the gathered frames to one dataset.
static int extend(const H5* h5, hid_t dataset, int rank, const hsize_t* item, const void* values) {
  return rg_series_extend(dataset, H5T_NATIVE_DOUBLE, rank, item, h5->frames, (hsize_t)h5->gathered,
                          values);
}

static int extend_column(const H5* h5, int index) {
  hsize_t item[2] = {1, 1};
  size_t size = (size_t)h5->gathered * sizeof(double);
  double* values = rg_allocate(&h5->allocator, size);
  if (!values)
    return -1;
  for (int i = 0; i < h5->gathered; i++)
    values[i] = rg_trajectory_value(index, &h5->frame[i]);
  // Integers are converted by the HDF5 library.
  int result = extend(h5, h5->column[index], 1, item, values);
  rg_release(&h5->allocator, values, size);
  return result;
}

// Where the block of a field begins in `state`.
static double* field_block(const H5* h5, int field) {
  size_t before = 0;
  for (int i = 0; i < field; i++)
    before += (size_t)fields[i].width;
  return h5->state + before * (size_t)h5->room * (size_t)h5->body_count;
}

// The columns in reverse: time, the first, is written last.
static int write_frames(H5* h5) {
  for (int i = 0; i < FIELD_COUNT && h5->body_count > 0; i++) {
    hsize_t item[2] = {(hsize_t)h5->body_count, (hsize_t)fields[i].width};
    if (h5->field[i] >= 0 && extend(h5, h5->field[i], 3, item, field_block(h5, i)) < 0)
      return -1;
  }
  if (rg_tables_h5_write(h5->tables, h5->frames, h5->gathered) < 0 ||
      rg_sensors_h5_write(&h5->sensors, h5->frames, h5->gathered) < 0)
    return -1;
  for (int i = COLUMNS_MAX - 1; i >= 0; i--)
    if (h5->column[i] >= 0 && extend_column(h5, i) < 0)
      return -1;
  if (commit(h5) < 0)
    return -1;
  h5->frames += (hsize_t)h5->gathered;
  h5->gathered = 0;
  return 0;
}

static rgStatus fail_again(const H5* h5, rgMessage* message) {
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: an earlier write failed", h5->path);
}

static rgStatus flush_frames(void* state, rgMessage* message) {
  H5* h5 = state;
  if (h5->failed)
    return fail_again(h5, message);
  if (h5->gathered == 0)
    return RG_OK;
  int result;
  H5E_BEGIN_TRY { result = write_frames(h5); }
  H5E_END_TRY
  h5->failed = result < 0;
  return result < 0 ? fail_write(h5, message) : RG_OK;
}

static void gather(H5* h5, const rgWorld* world, int body, const double* missing) {
  bool valid = rg_body_valid(world, h5->bodies[body]);
  rgPose pose = valid ? rg_body_pose(world, h5->bodies[body]) : (rgPose){{0, 0, 0}, {1, 0, 0, 0}};
  rgTwist velocity =
      valid ? rg_body_velocity(world, h5->bodies[body]) : (rgTwist){{0, 0, 0}, {0, 0, 0}};
  const rgVec3 p = pose.position, v = velocity.linear, w = velocity.angular;
  const rgQuat q = pose.orientation;
  double error = h5->accuracy ? rg_accuracy_error(h5->accuracy, h5->bodies[body]) : 0;
  const double values[BODY_WIDTH] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z,
                                     v.x, v.y, v.z, w.x, w.y, w.z, error};
  const double* from = valid ? values : missing;
  for (int i = 0; i < FIELD_COUNT; i++) {
    size_t place = (size_t)h5->gathered * (size_t)h5->body_count + (size_t)body;
    memcpy(field_block(h5, i) + place * (size_t)fields[i].width, from,
           (size_t)fields[i].width * sizeof *from);
    from += fields[i].width;
  }
}

static rgStatus append_frame(void* state, const rgWorld* world, rgMessage* message) {
  H5* h5 = state;
  if (h5->failed) // what could not be written still fills the memory
    return fail_again(h5, message);
  double missing[BODY_WIDTH];
  for (int i = 0; i < BODY_WIDTH; i++)
    missing[i] = (double)NAN;
  int living = 0;
  for (int i = 0; i < h5->body_count; i++)
    living += rg_body_valid(world, h5->bodies[i]);
  if (living < rg_world_body_count(world))
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s: bodies were added after the file was made; use .csv", h5->path);
  for (int i = 0; i < h5->body_count; i++)
    gather(h5, world, i, missing);
  if (h5->sensors.count > 0 && rg_world_sensor_value_count(world) != h5->sensors.value_count)
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: sensors were added after the file was made",
                   h5->path);
  if (!rg_tables_h5_append(h5->tables, world, h5->gathered) ||
      !rg_sensors_h5_append(&h5->sensors, world, h5->gathered)) {
    h5->failed = true; // some tables may have the frame, and others not
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory for a frame", h5->path);
  }
  h5->frame[h5->gathered++] = rg_trajectory_frame(world);
  size_t size = rg_tables_h5_size(h5->tables) + rg_sensors_h5_size(&h5->sensors, h5->gathered);
  bool full = h5->gathered == h5->room || size >= GATHER_SIZE;
  return full ? flush_frames(h5, message) : RG_OK;
}

// -------------------------------------------------------------------------------------------------
// Opening and closing
// -------------------------------------------------------------------------------------------------

static size_t state_size(const H5* h5) {
  return (size_t)h5->room * (size_t)h5->body_count * BODY_WIDTH * sizeof(double);
}

// Closes the datasets and the file; false when the library refuses.
static bool close_library(H5* h5) {
  bool good = true;
  H5E_BEGIN_TRY {
    for (int i = 0; i < FIELD_COUNT; i++)
      if (h5->field[i] >= 0)
        H5Dclose(h5->field[i]);
    for (int i = 0; i < COLUMNS_MAX; i++)
      if (h5->column[i] >= 0)
        H5Dclose(h5->column[i]);
    rg_tables_h5_close(h5->tables);
    rg_sensors_h5_close(&h5->sensors);
    if (h5->file >= 0)
      good = H5Fclose(h5->file) >= 0;
  }
  H5E_END_TRY
  return good;
}

static rgStatus close_file(void* state, rgMessage* message) {
  H5* h5 = state;
  rgStatus status = h5->file >= 0 && !h5->failed ? flush_frames(h5, message) : RG_OK;
  bool good = close_library(h5) && (h5->failed || rg_h5_store_commit(&h5->store));
  if (!good && status == RG_OK)
    status = fail_write(h5, message);
  rg_h5_store_close(&h5->store);
  rg_output_abandon(h5->output); // what is in its place stays there
  rgAllocator allocator = h5->allocator;
  rg_release(&allocator, h5->state, state_size(h5));
  rg_release(&allocator, h5->frame, (size_t)h5->room * sizeof *h5->frame);
  rg_release(&allocator, h5->bodies, (size_t)h5->body_count * sizeof *h5->bodies);
  rg_release(&allocator, h5->path, h5->path_size);
  rg_release(&allocator, h5, sizeof *h5);
  return status;
}

static bool take_memory(H5* h5, const char* path, const rgWorld* world) {
  h5->body_count = rg_world_body_count(world);
  size_t frame_size = (size_t)h5->body_count * BODY_WIDTH * sizeof(double) + sizeof *h5->frame;
  h5->room = frame_size < GATHER_SIZE ? (int)(GATHER_SIZE / frame_size) : 1;
  h5->path_size = strlen(path) + 1;
  h5->path = rg_allocate(&h5->allocator, h5->path_size);
  h5->bodies = rg_allocate(&h5->allocator, (size_t)h5->body_count * sizeof *h5->bodies);
  h5->frame = rg_allocate(&h5->allocator, (size_t)h5->room * sizeof *h5->frame);
  h5->state = rg_allocate(&h5->allocator, state_size(h5));
  if (!h5->path || !h5->bodies || !h5->frame || !h5->state)
    return false;
  memcpy(h5->path, path, h5->path_size);
  for (int i = 0; i < h5->body_count; i++)
    h5->bodies[i] = rg_world_body(world, i);
  return true;
}

static rgStatus create_in_place(H5* h5, const char* path, const rgWorld* world,
                                rgMessage* message) {
  if (!take_memory(h5, path, world))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  rgStatus status = rg_output_open(path, &h5->output, message);
  if (status != RG_OK)
    return status;
  int result;
  H5E_BEGIN_TRY { result = create_contents(h5, world); }
  H5E_END_TRY
  return result < 0 ? fail_write(h5, message) : rg_output_place(h5->output, message);
}

static rgStatus create_file(const char* path, const rgWorld* world, unsigned kinds,
                            const rgAllocator* allocator, void** state, rgMessage* message) {
  H5* h5 = rg_allocate(allocator, sizeof *h5);
  if (!h5)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  h5->allocator = *allocator;
  h5->store = (rgH5Store){.file = -1, .driver = -1, .access = -1};
  h5->file = -1;
  h5->kinds = kinds;
  rg_tables_h5_begin(h5->tables, allocator);
  h5->sensors = (rgSensorsH5){.allocator = *allocator};
  memset(h5->field, -1, sizeof h5->field); // no dataset yet
  memset(h5->column, -1, sizeof h5->column);
  rgStatus status = create_in_place(h5, path, world, message);
  h5->failed = status != RG_OK;
  if (h5->failed)
    close_file(h5, NULL);
  else
    *state = h5;
  return status;
}

const rgTrajectoryFormat rg_trajectory_h5 = {
    .ending = ".h5",
    .summary = "HDF5, one dataset per quantity, with units",
    .create = create_file,
    .keep_scene = keep_scene,
    .keep_errors = keep_errors,
    .append = append_frame,
    .flush = flush_frames,
    .close = close_file,
};

#else

#include "io/text/hdf5.h"

const rgTrajectoryFormat* rg_trajectory_h5_format(void) {
  const rgHdf5* hdf5 = rg_hdf5_load();
  return hdf5 ? hdf5->trajectory : NULL;
}

// Of the table of a build without HDF5, which nobody asks for.
const rgTrajectoryFormat rg_trajectory_h5 = {.ending = ".h5"};

#endif
