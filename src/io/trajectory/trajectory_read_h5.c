// trajectory_read_h5.c - poses of a recorded run out of an HDF5 file that trajectory_h5.c has
// written.
#include "io/trajectory/trajectory.h"

#include "base/message.h"

#ifdef RIGOR_HDF5

#include "io/text/read_h5.h"

#include <limits.h>

// The text that rg_trajectory_keep_scene has kept, if there is one.
static bool read_scene(rgH5Reader* reader, const char** scene) {
  *scene = NULL;
  if (!rg_h5_exists(reader, "scene"))
    return true;
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
    return rg_h5_fail(reader, "scene", "cannot be read: the file is damaged");
  return *scene || rg_h5_no_memory(reader);
}

static bool read_all(rgH5Reader* reader, void* to) {
  rgTrajectoryPoses* poses = to;
  hsize_t frames, steps, position[3], turn[3];
  void *time, *step, *at, *orientation;
  if (!rg_h5_exists(reader, "time"))
    return rg_h5_fail(reader, "time", "is missing: this is no trajectory of 'rigor run -o'");
  if (!rg_h5_numbers(reader, "time", H5T_NATIVE_DOUBLE, 1, &frames, &time) ||
      !rg_h5_numbers(reader, "step", H5T_NATIVE_INT64, 1, &steps, &step) ||
      !rg_h5_numbers(reader, "position", H5T_NATIVE_DOUBLE, 3, position, &at) ||
      !rg_h5_numbers(reader, "orientation", H5T_NATIVE_DOUBLE, 3, turn, &orientation))
    return false;
  if (steps != frames || position[0] != frames || turn[0] != frames || turn[1] != position[1] ||
      position[2] != 3 || turn[2] != 4)
    return rg_h5_fail(reader, "position", "and orientation do not have the frames of time");
  if (frames > INT_MAX || position[1] > INT_MAX)
    return rg_h5_fail(reader, "position", "has more than %d frames or bodies", INT_MAX);
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
  rgH5Reader reader = {.path = path, .pool = pool, .message = message};
  *poses = (rgTrajectoryPoses){0};
  rg_h5_read(&reader, read_all, poses);
  return reader.file < 0 ? rg_fail(message, RG_ERROR_INPUT,
                                   "%s: cannot be read, or is not a whole HDF5 file", path)
                         : reader.status;
}

#else

rgStatus rg_trajectory_read_h5(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                               rgMessage* message) {
  (void)pool;
  *poses = (rgTrajectoryPoses){0};
  return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: this build has no HDF5", path);
}

#endif
