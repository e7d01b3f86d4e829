// trajectory_read_h5.c - poses of a recorded run out of an HDF5 file that trajectory_h5.c has
// written.
//
// No size in the file is believed before the file is known to hold that much.
#include "io/trajectory.h"

#include "base/message.h"

#ifdef RIGOR_HDF5

#include <hdf5.h>
#include <limits.h>
#include <string.h>

enum { COMPRESSION_MAX = 1100 }; // how many times deflate can shrink zeros, at most 1032

typedef struct Reader {
  hid_t file;
  const char* path;
  hsize_t file_size;
  rgPool* pool;
  rgMessage* message;
} Reader;

static rgStatus fail(const Reader* reader, const char* name, const char* what) {
  return rg_fail(reader->message, RG_ERROR_INPUT, "%s: %s %s", reader->path, name, what);
}

// The sizes of a dataset, after a check that the file can hold them.
static rgStatus measure(const Reader* reader, hid_t dataset, const char* name, int rank,
                        H5T_class_t wanted, hsize_t* sizes) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  hid_t layout = H5Dget_create_plist(dataset);
  bool kind = H5Tget_class(type) == wanted && H5Sget_simple_extent_ndims(space) == rank;
  hsize_t most = reader->file_size / (H5Tget_size(type) ? H5Tget_size(type) : 1);
  if (H5Pget_nfilters(layout) > 0)
    most *= COMPRESSION_MAX;
  if (kind)
    H5Sget_simple_extent_dims(space, sizes, NULL);
  H5Pclose(layout);
  H5Sclose(space);
  H5Tclose(type);
  if (!kind)
    return fail(reader, name, "has another type or rank than a trajectory");
  hsize_t room = most;
  for (int i = 0; i < rank; i++) {
    if (sizes[i] > room || sizes[i] > INT_MAX)
      return fail(reader, name, "has more numbers than the file can hold");
    room /= sizes[i] ? sizes[i] : 1;
  }
  return RG_OK;
}

// Reads a whole dataset of 8-byte numbers into the pool, and its sizes.
static rgStatus read_numbers(const Reader* reader, const char* name, int rank, bool real,
                             hsize_t* sizes, void** numbers) {
  if (H5Lexists(reader->file, name, H5P_DEFAULT) <= 0)
    return fail(reader, name, "is missing: this is no trajectory of 'rigor run -o'");
  hid_t dataset = H5Dopen2(reader->file, name, H5P_DEFAULT);
  if (dataset < 0)
    return fail(reader, name, "is not a dataset that can be read");
  rgStatus status = measure(reader, dataset, name, rank, real ? H5T_FLOAT : H5T_INTEGER, sizes);
  size_t count = 1;
  for (int i = 0; i < rank && status == RG_OK; i++)
    count *= (size_t)sizes[i];
  hid_t type = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  if (status == RG_OK && !(*numbers = rg_pool_take(reader->pool, count, sizeof(double))))
    status = rg_fail(reader->message, RG_ERROR_MEMORY, "%s: not enough memory", reader->path);
  else if (status == RG_OK && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *numbers) < 0)
    status = fail(reader, name, "cannot be read: the file is damaged");
  H5Dclose(dataset);
  return status;
}

// The text that rg_trajectory_keep_scene has kept, if there is one.
static rgStatus read_scene(const Reader* reader, const char** scene) {
  *scene = NULL;
  if (H5Lexists(reader->file, "scene", H5P_DEFAULT) <= 0)
    return RG_OK;
  hid_t dataset = H5Dopen2(reader->file, "scene", H5P_DEFAULT);
  hid_t type = dataset < 0 ? -1 : H5Dget_type(dataset), space = -1;
  char* text = NULL;
  bool good = type >= 0 && H5Tis_variable_str(type) > 0;
  if (good) {
    space = H5Dget_space(dataset);
    good = H5Sget_simple_extent_npoints(space) == 1 &&
           H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0 && text;
  }
  if (good)
    *scene = rg_pool_text(reader->pool, text);
  if (text)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
  if (space >= 0)
    H5Sclose(space);
  if (type >= 0)
    H5Tclose(type);
  if (dataset >= 0)
    H5Dclose(dataset);
  if (!good)
    return fail(reader, "scene", "cannot be read: the file is damaged");
  return *scene ? RG_OK
                : rg_fail(reader->message, RG_ERROR_MEMORY, "%s: not enough memory", reader->path);
}

static rgStatus read_all(const Reader* reader, rgTrajectoryPoses* poses) {
  hsize_t frames = 0, steps = 0, position[3] = {0}, turn[3] = {0};
  void *time = NULL, *step = NULL, *at = NULL, *orientation = NULL;
  rgStatus status = read_numbers(reader, "time", 1, true, &frames, &time);
  if (status == RG_OK)
    status = read_numbers(reader, "step", 1, false, &steps, &step);
  if (status == RG_OK)
    status = read_numbers(reader, "position", 3, true, position, &at);
  if (status == RG_OK)
    status = read_numbers(reader, "orientation", 3, true, turn, &orientation);
  if (status != RG_OK)
    return status;
  if (steps != frames || position[0] != frames || turn[0] != frames || turn[1] != position[1] ||
      position[2] != 3 || turn[2] != 4)
    return fail(reader, "position", "and orientation do not have the frames of time");
  *poses = (rgTrajectoryPoses){.frame_count = (int)frames,
                               .body_count = (int)position[1],
                               .time = time,
                               .step = step,
                               .position = at,
                               .orientation = orientation};
  return read_scene(reader, &poses->scene);
}

rgStatus rg_trajectory_read_h5(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                               rgMessage* message) {
  Reader reader = {.path = path, .pool = pool, .message = message};
  *poses = (rgTrajectoryPoses){0};
  rgStatus status;
  H5E_BEGIN_TRY {
    reader.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (reader.file < 0) {
      status =
          rg_fail(message, RG_ERROR_INPUT, "%s: cannot be read, or is not a whole HDF5 file", path);
    } else {
      H5Fget_filesize(reader.file, &reader.file_size);
      status = read_all(&reader, poses);
      H5Fclose(reader.file);
    }
  }
  H5E_END_TRY
  return status;
}

#else

rgStatus rg_trajectory_read_h5(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                               rgMessage* message) {
  (void)pool;
  *poses = (rgTrajectoryPoses){0};
  return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: this build has no HDF5", path);
}

#endif
