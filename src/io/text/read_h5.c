// read_h5.c - reads datasets of numbers from HDF5 files.
#ifdef RIGOR_HDF5

#include "io/text/read_h5.h"

#include "io/text/store_h5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
  NAME_SIZE = 128,
  COMPRESSION_MAX = 1100 // how many times deflate can shrink zeros, at most 1032
};

bool rg_h5_fail(rgH5Reader* reader, const char* name, const char* format, ...) {
  char text[sizeof reader->message->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  reader->status = rg_fail(reader->message, RG_ERROR_INPUT, "%s: %s %s", reader->path, name, text);
  return false;
}

bool rg_h5_no_memory(rgH5Reader* reader) {
  reader->status = rg_fail(reader->message, RG_ERROR_MEMORY, "%s: not enough memory", reader->path);
  return false;
}

// Tests group by group: the library refuses a path whose middle is missing.
bool rg_h5_exists(const rgH5Reader* reader, const char* name) {
  char part[NAME_SIZE];
  for (const char* end = name; *end;) {
    end += strcspn(end + 1, "/") + 1;
    snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
    if (H5Lexists(reader->file, part, H5P_DEFAULT) <= 0)
      return false;
  }
  return true;
}

bool rg_h5_is_inside(hid_t place, const char* name) {
  char part[NAME_SIZE];
  for (const char* end = name; *end;) {
    H5L_info_t info;
    end += strcspn(end + 1, "/") + 1;
    snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
    if (H5Lget_info(place, part, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
      return false;
  }
  return true;
}

bool rg_h5_is_stored_inside(hid_t dataset) {
  hid_t layout = H5Dget_create_plist(dataset);
  bool inside = H5Pget_external_count(layout) == 0 && H5Pget_layout(layout) != H5D_VIRTUAL;
  H5Pclose(layout);
  return inside;
}

hid_t rg_h5_open(rgH5Reader* reader, const char* name) {
  bool inside = rg_h5_is_inside(reader->file, name);
  hid_t dataset = inside ? H5Dopen2(reader->file, name, H5P_DEFAULT) : -1;
  if (dataset >= 0 && rg_h5_is_stored_inside(dataset))
    return dataset;
  if (inside && dataset < 0)
    rg_h5_fail(reader, name, "cannot be read as a dataset");
  else
    rg_h5_fail(reader, name, "is a link or lies in another file, must be in the file itself");
  if (dataset >= 0)
    H5Dclose(dataset);
  return -1;
}

// The sizes of a dataset, after a check that the file can hold them. They are multiplied only once
// the product is known not to overflow.
static bool measure(rgH5Reader* reader, hid_t dataset, const char* name, hid_t native, int rank,
                    hsize_t* sizes, hsize_t* count) {
  hsize_t all[H5S_MAX_RANK];
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  hid_t layout = H5Dget_create_plist(dataset);
  bool kind = H5Tget_class(type) == H5Tget_class(native), packed = H5Pget_nfilters(layout) > 0;
  hsize_t size = H5Tget_size(type);
  int dimensions = H5Sget_simple_extent_dims(space, all, NULL);
  bool empty = H5Sget_simple_extent_type(space) == H5S_NULL;
  H5Pclose(layout);
  H5Sclose(space);
  H5Tclose(type);
  if (!kind)
    return rg_h5_fail(reader, name, "does not hold %s",
                      H5Tget_class(native) == H5T_INTEGER ? "integers" : "reals");
  if (dimensions < 0 || (rank > 0 && dimensions != rank))
    return rg_h5_fail(reader, name, "has %d dimensions, must have %d", dimensions, rank);
  hsize_t most = reader->file_size / (size ? size : 1) * (packed ? COMPRESSION_MAX : 1);
  *count = empty ? 0 : 1;
  for (int i = 0; i < dimensions; i++) {
    if (*count > 0 && all[i] > most / *count)
      return rg_h5_fail(reader, name, "has more numbers than the file can hold");
    *count *= all[i];
  }
  if (rank == 0)
    sizes[0] = *count;
  else
    memcpy(sizes, all, (size_t)rank * sizeof *sizes);
  return true;
}

bool rg_h5_numbers(rgH5Reader* reader, const char* name, hid_t native, int rank, hsize_t* sizes,
                   void** numbers) {
  if (!rg_h5_exists(reader, name))
    return rg_h5_fail(reader, name, "is missing");
  hid_t dataset = rg_h5_open(reader, name);
  if (dataset < 0)
    return false;
  hsize_t count;
  bool good = measure(reader, dataset, name, native, rank, sizes, &count);
  if (good && !(*numbers = rg_pool_take(reader->pool, (size_t)count, H5Tget_size(native))))
    good = rg_h5_no_memory(reader);
  if (good && H5Dread(dataset, native, H5S_ALL, H5S_ALL, H5P_DEFAULT, *numbers) < 0)
    good = rg_h5_fail(reader, name, "cannot be read: the file is damaged");
  H5Dclose(dataset);
  return good;
}

static herr_t keep_first(unsigned n, const H5E_error2_t* error, void* context) {
  rgH5Reader* reader = context;
  if (n == 0)
    snprintf(reader->reason, sizeof reader->reason, "%s", error->desc ? error->desc : "");
  return 0;
}

static bool read_store(rgH5Reader* reader, rgH5Store* store, int descriptor,
                       bool (*contents)(rgH5Reader* reader, void* to), void* to) {
  if (!rg_h5_store_open(store, descriptor)) {
    snprintf(reader->reason, sizeof reader->reason, "it cannot be read, or memory ran out");
    return false;
  }
  reader->file = H5Fopen(reader->path, H5F_ACC_RDONLY, store->access);
  if (reader->file < 0) {
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, reader);
    return false;
  }
  reader->file_size = store->end;
  bool good = contents(reader, to);
  H5Fclose(reader->file);
  return good;
}

bool rg_h5_read(rgH5Reader* reader, bool (*contents)(rgH5Reader* reader, void* to), void* to) {
  bool good = false;
  reader->file = -1;
  int descriptor = open(reader->path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    snprintf(reader->reason, sizeof reader->reason, "%s", strerror(errno));
    return false;
  }
  rgH5Store store = {.file = -1, .driver = -1, .access = -1};
  H5E_BEGIN_TRY {
    good = read_store(reader, &store, descriptor, contents, to);
    rg_h5_store_close(&store);
  }
  H5E_END_TRY
  close(descriptor);
  return good;
}

#else

typedef int rgNoHdf5; // ISO C requires at least one declaration

#endif
