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

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
  COLUMNS_MAX = 64,      // with room for more fields of the certificate
  GATHER_SIZE = 1 << 20, // [bytes] of frames before they are written
  CHUNK_SIZE = 1 << 16,  // [bytes] of a chunk of a dataset, when a frame is smaller
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
  double* state;  // [field][frame][body][width]: a field is one block of room * body_count * width
  rgTrajectoryFrame* frame;
  bool failed;
} H5;

bool rg_trajectory_h5_available(void) { return true; }

static rgStatus fail_write(const H5* h5, rgMessage* message) {
  return rg_fail(message, RG_ERROR_IO, "cannot write %s: %s", h5->path,
                 h5->store.error ? strerror(h5->store.error) : "the HDF5 library refused");
}

// -------------------------------------------------------------------------------------------------
// Making datasets. Everything returns a negative number on failure, as the library does.
// -------------------------------------------------------------------------------------------------

// Of `length` bytes and a zero.
static hid_t text_type(size_t length) {
  hid_t type = H5Tcopy(H5T_C_S1);
  if (type >= 0 && (H5Tset_size(type, length + 1) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0)) {
    H5Tclose(type);
    return -1;
  }
  return type;
}

static int add_text(hid_t object, const char* name, const char* text) {
  hid_t type = text_type(strlen(text)), space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  int result = attribute < 0 ? -1 : H5Awrite(attribute, type, text);
  if (attribute >= 0)
    H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return result;
}

// How chunks are kept: with a checksum each, and as NaN until they are written.
static hid_t series_layout(hid_t type, int rank, const hsize_t* chunk) {
  const double missing = (double)NAN;
  hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(layout, rank, chunk);
  H5Pset_fletcher32(layout);
  if (H5Tget_class(type) == H5T_FLOAT)
    H5Pset_fill_value(layout, H5T_NATIVE_DOUBLE, &missing);
  return layout;
}

// A dataset [frames, ...] that grows along its first dimension.
static hid_t add_series(hid_t file, const char* name, hid_t type, const char* unit, int rank,
                        const hsize_t* sizes) {
  hsize_t start[3] = {0, sizes[1], sizes[2]}, limit[3] = {H5S_UNLIMITED, sizes[1], sizes[2]};
  hsize_t chunk[3] = {CHUNK_FRAMES, sizes[1], sizes[2]};
  hsize_t frame_size = sizeof(double) * (rank > 1 ? sizes[1] * sizes[2] : 1);
  if (chunk[0] * frame_size > CHUNK_SIZE)
    chunk[0] = frame_size < CHUNK_SIZE ? CHUNK_SIZE / frame_size : 1;
  hid_t space = H5Screate_simple(rank, start, limit), layout = series_layout(type, rank, chunk);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, layout, H5P_DEFAULT);
  if (dataset >= 0 && unit[0] && add_text(dataset, "unit", unit) < 0) {
    H5Dclose(dataset);
    dataset = -1;
  }
  H5Pclose(layout);
  H5Sclose(space);
  return dataset;
}

// A dataset of texts of one length: `count` of them, or with count 0 a single one.
static int add_texts(hid_t file, const char* name, size_t length, int count, const char* texts) {
  hsize_t size = (hsize_t)count;
  hid_t type = text_type(length);
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
  h5->field[index] =
      add_series(h5->file, fields[index].name, H5T_IEEE_F64LE, fields[index].unit, 3, sizes);
  return h5->field[index] < 0 ? -1 : 0;
}

static int add_bodies(H5* h5, const rgWorld* world) {
  int result = add_body_texts(h5, "name", world, name_of);
  if (result >= 0)
    result = add_body_texts(h5, "kind", world, kind_of);
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
    h5->column[i] = add_series(h5->file, name, type, column.unit, 1, sizes);
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
  if (h5->file < 0 || add_text(h5->file, "generator", "rigor " RIGOR_VERSION) < 0 ||
      add_text(h5->file, "units", "SI; each dataset has its own in the attribute unit") < 0)
    return -1;
  if (add_columns(h5) < 0 || (h5->body_count > 0 && add_bodies(h5, world) < 0))
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
static int extend(const H5* h5, hid_t dataset, hid_t type, int rank, const hsize_t* item,
                  const void* values) {
  hsize_t all[3] = {h5->frames + (hsize_t)h5->gathered, item[0], item[1]};
  hsize_t start[3] = {h5->frames, 0, 0}, count[3] = {(hsize_t)h5->gathered, item[0], item[1]};
  if (H5Dset_extent(dataset, all) < 0)
    return -1;
  hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(rank, count, NULL);
  int result = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  if (result >= 0)
    result = H5Dwrite(dataset, type, memory, space, H5P_DEFAULT, values);
  H5Sclose(memory);
  H5Sclose(space);
  return result;
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
  int result = extend(h5, h5->column[index], H5T_NATIVE_DOUBLE, 1, item, values);
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
    if (h5->field[i] >= 0 &&
        extend(h5, h5->field[i], H5T_NATIVE_DOUBLE, 3, item, field_block(h5, i)) < 0)
      return -1;
  }
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
  h5->frame[h5->gathered++] = rg_trajectory_frame(world);
  return h5->gathered == h5->room ? flush_frames(h5, message) : RG_OK;
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

static rgStatus create_file(const char* path, const rgWorld* world, const rgAllocator* allocator,
                            void** state, rgMessage* message) {
  H5* h5 = rg_allocate(allocator, sizeof *h5);
  if (!h5)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  h5->allocator = *allocator;
  h5->store = (rgH5Store){.file = -1, .driver = -1, .access = -1};
  h5->file = -1;
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

bool rg_trajectory_h5_available(void) { return false; }

// The driver refuses the ending before it comes to this.
const rgTrajectoryFormat rg_trajectory_h5 = {.ending = ".h5", .summary = "HDF5; not in this build"};

#endif
