// trajectory_read_h5.c - a recorded run: poses and scene out of an HDF5 file that trajectory_h5.c has
// written.
#include "io/trajectory/trajectory.h"

#include "base/message.h"

#ifdef RIGOR_HDF5

#include "io/trajectory/contacts_read_h5.h"
#include "io/trajectory/measures_read_h5.h"

#include <limits.h>
#include <math.h>

// -------------------------------------------------------------------------------------------------
// The scene
// -------------------------------------------------------------------------------------------------

// A text of fixed length, which the file must be able to hold.
static bool read_fixed(rgH5Reader* reader, hid_t dataset, hid_t type, const char** scene) {
  size_t length = H5Tget_size(type);
  if (length > reader->file_size)
    return false;
  char* text = rg_pool_take(reader->pool, length + 1, 1);
  if (text && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)
    return false;
  *scene = text;
  return true;
}

// A text of variable length, as versions before 0.3 wrote it.
static bool read_variable(rgH5Reader* reader, hid_t dataset, hid_t type, hid_t space,
                          const char** scene) {
  char* text = NULL;
  bool good = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0 && text;
  if (good)
    *scene = rg_pool_text(reader->pool, text);
  if (text)
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, &text);
  return good;
}

// The text that rg_trajectory_keep_scene has kept, if there is one.
static bool read_scene(rgH5Reader* reader, const char** scene) {
  *scene = NULL;
  if (!rg_h5_exists(reader, "scene"))
    return true;
  hid_t dataset = rg_h5_open(reader, "scene");
  if (dataset < 0)
    return false;
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  bool good = H5Tget_class(type) == H5T_STRING && H5Sget_simple_extent_npoints(space) == 1 &&
              (H5Tis_variable_str(type) > 0 ? read_variable(reader, dataset, type, space, scene)
                                            : read_fixed(reader, dataset, type, scene));
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(dataset);
  if (!good)
    return rg_h5_fail(reader, "scene", "cannot be read: the file is damaged");
  return *scene || rg_h5_no_memory(reader);
}

// -------------------------------------------------------------------------------------------------
// Poses
// -------------------------------------------------------------------------------------------------

// A unit quaternion may be off by the roundings of a long run, but not by more.
static const double LENGTH_ERROR = 1e-6;

static bool all_missing(const double* p, const double* q) {
  return isnan(p[0]) && isnan(p[1]) && isnan(p[2]) && isnan(q[0]) && isnan(q[1]) && isnan(q[2]) &&
         isnan(q[3]);
}

static bool is_pose(const double* p, const double* q) {
  double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) && fabs(length2 - 1) <= LENGTH_ERROR;
}

// A body that was removed has NaN from then on, and never comes back.
static bool check_poses(rgH5Reader* reader, const rgTrajectoryPoses* poses) {
  size_t bodies = (size_t)poses->body_count;
  for (size_t frame = 0; frame < (size_t)poses->frame_count; frame++)
    for (size_t body = 0; body < bodies; body++) {
      size_t at = frame * bodies + body;
      const double *p = poses->position + 3 * at, *q = poses->orientation + 4 * at;
      bool removed = all_missing(p, q);
      bool before = frame > 0 && isnan(poses->position[3 * (at - bodies)]);
      if (before ? !removed : !removed && !is_pose(p, q))
        return rg_h5_fail(reader, "position",
                          "and orientation of body %zu in frame %zu are no pose", body, frame);
    }
  return true;
}

static bool check_times(rgH5Reader* reader, const rgTrajectoryPoses* poses) {
  for (int i = 0; i < poses->frame_count; i++) {
    bool ordered =
        i == 0 || (poses->time[i] >= poses->time[i - 1] && poses->step[i] >= poses->step[i - 1]);
    if (!isfinite(poses->time[i]) || !ordered)
      return rg_h5_fail(reader, "time", "is %g s at step %lld in frame %d, must not go back",
                        poses->time[i], (long long)poses->step[i], i);
  }
  return true;
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
  // The length of time counts the frames: it is written last.
  if (steps < frames || position[0] < frames || turn[0] < frames || turn[1] != position[1] ||
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
  return check_times(reader, poses) && check_poses(reader, poses) &&
         rg_contacts_read_h5(reader, poses) && rg_measures_read_h5(reader, poses) &&
         read_scene(reader, &poses->scene);
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

#include "io/text/hdf5.h"

rgStatus rg_trajectory_read_h5(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                               rgMessage* message) {
  const rgHdf5* hdf5 = rg_hdf5_load();
  *poses = (rgTrajectoryPoses){0};
  return hdf5 ? hdf5->read_trajectory(path, pool, poses, message)
              : rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: %s", path, rg_hdf5_missing());
}

#endif
