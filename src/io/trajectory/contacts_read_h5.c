// contacts_read_h5.c - the table of contacts of a recorded run out of an HDF5 file.
//
// Nothing in the file is trusted: counts must not be negative and must fit the rows that are there, bodies
// must be among those of the file, and numbers must be finite.
#include "io/trajectory/trajectory.h"

#ifdef RIGOR_HDF5

#include "io/trajectory/contacts_read_h5.h"

#include <limits.h>
#include <math.h>

// The columns that are read.
typedef struct Columns {
  const int64_t *count, *body[2];
  const double *point, *normal, *gap, *force;
  hsize_t rows; // of the shortest
} Columns;

static bool read_column(rgH5Reader* reader, const char* name, int width, hsize_t* rows,
                        const double** numbers) {
  hsize_t sizes[2] = {0, 1};
  void* data;
  if (!rg_h5_numbers(reader, name, H5T_NATIVE_DOUBLE, width > 1 ? 2 : 1, sizes, &data))
    return false;
  if (sizes[1] != (hsize_t)width && width > 1)
    return rg_h5_fail(reader, name, "must have %d numbers in a row", width);
  *rows = sizes[0] < *rows ? sizes[0] : *rows;
  *numbers = data;
  return true;
}

static bool read_whole(rgH5Reader* reader, const char* name, hsize_t* rows,
                       const int64_t** numbers) {
  hsize_t size = 0;
  void* data;
  if (!rg_h5_numbers(reader, name, H5T_NATIVE_INT64, 1, &size, &data))
    return false;
  *rows = size < *rows ? size : *rows;
  *numbers = data;
  return true;
}

// Where the rows of each frame begin.
static bool list_frames(rgH5Reader* reader, const Columns* columns, rgTrajectoryPoses* poses) {
  int frames = poses->frame_count;
  int64_t* start = rg_pool_take(reader->pool, (size_t)frames + 1, sizeof *start);
  if (!start)
    return rg_h5_no_memory(reader);
  start[0] = 0;
  for (int i = 0; i < frames; i++) {
    int64_t left = (int64_t)columns->rows - start[i], count = columns->count[i];
    if (count < 0 || count > left)
      return rg_h5_fail(reader, "contacts/count", "is %lld in frame %d, must be 0 .. %lld",
                        (long long)count, i, (long long)left);
    start[i + 1] = start[i] + count;
  }
  poses->contact_start = start;
  return true;
}

// The place of the body with an index in its id; -1 when there is none. Indices ascend.
static int place_of(const int64_t* indices, int count, int64_t index) {
  int low = 0, high = count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (indices[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && indices[low] == index ? low : -1;
}

static bool all_finite(const double* numbers, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(numbers[i]))
      return false;
  return true;
}

static rgVec3 vector_at(const double* numbers, int64_t row) {
  return (rgVec3){numbers[3 * row], numbers[3 * row + 1], numbers[3 * row + 2]};
}

static bool fill(rgH5Reader* reader, const Columns* columns, const int64_t* indices,
                 rgTrajectoryPoses* poses) {
  int64_t count = poses->contact_start[poses->frame_count];
  rgRecordedContact* contacts = rg_pool_take(reader->pool, (size_t)count + 1, sizeof *contacts);
  if (!contacts)
    return rg_h5_no_memory(reader);
  for (int64_t i = 0; i < count; i++) {
    rgRecordedContact* out = &contacts[i];
    out->body_a = place_of(indices, poses->body_count, columns->body[0][i]);
    out->body_b = place_of(indices, poses->body_count, columns->body[1][i]);
    bool numbers = all_finite(&columns->point[3 * i], 3) && all_finite(&columns->gap[i], 1) &&
                   all_finite(&columns->normal[3 * i], 3) && all_finite(&columns->force[3 * i], 3);
    if (out->body_a < 0 || out->body_b < 0 || !numbers)
      return rg_h5_fail(reader, "contacts",
                        "in row %lld is none: a body of the run, or a number, is missing",
                        (long long)i);
    out->point = vector_at(columns->point, i);
    out->normal = vector_at(columns->normal, i);
    out->gap = columns->gap[i];
    out->force = vector_at(columns->force, i);
  }
  poses->contacts = contacts;
  return true;
}

bool rg_contacts_read_h5(rgH5Reader* reader, rgTrajectoryPoses* poses) {
  if (!rg_h5_exists(reader, "contacts"))
    return true;
  Columns columns = {.rows = INT_MAX};
  hsize_t frames = INT_MAX, bodies = INT_MAX;
  const int64_t* indices;
  if (!read_whole(reader, "index", &bodies, &indices) ||
      !read_whole(reader, "contacts/count", &frames, &columns.count) ||
      !read_whole(reader, "contacts/body_a", &columns.rows, &columns.body[0]) ||
      !read_whole(reader, "contacts/body_b", &columns.rows, &columns.body[1]) ||
      !read_column(reader, "contacts/point", 3, &columns.rows, &columns.point) ||
      !read_column(reader, "contacts/normal", 3, &columns.rows, &columns.normal) ||
      !read_column(reader, "contacts/gap", 1, &columns.rows, &columns.gap) ||
      !read_column(reader, "contacts/force", 3, &columns.rows, &columns.force))
    return false;
  if (frames < (hsize_t)poses->frame_count || bodies != (hsize_t)poses->body_count)
    return rg_h5_fail(reader, "contacts/count", "does not have the frames of time");
  return list_frames(reader, &columns, poses) && fill(reader, &columns, indices, poses);
}

#endif
