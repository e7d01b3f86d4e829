// read_h5.h - reads numbers from HDF5 files that may be damaged or malicious.
//
// No size in a file is trusted before the file is known to hold that much. A failing function
// returns false and leaves the reason in status and message.
#ifndef IO_TEXT_READ_H5_H
#define IO_TEXT_READ_H5_H

#include "base/message.h"
#include "base/pool.h"

#include <hdf5.h>

typedef struct rgH5Reader {
  const char* path;
  rgPool* pool;       // where numbers go
  rgMessage* message; // may be NULL
  rgStatus status;
  hid_t file;       // < 0 when it cannot be opened
  char reason[200]; // why it cannot be opened
  hsize_t file_size;
} rgH5Reader;

// Opens the file, has `contents` read it, and closes it; the HDF5 library prints nothing meanwhile.
// When the file cannot be opened it returns false and leaves status and message alone.
bool rg_h5_read(rgH5Reader* reader, bool (*contents)(rgH5Reader* reader, void* to), void* to);

// Sets the message "path: name ..." and returns false.
bool rg_h5_fail(rgH5Reader* reader, const char* name, const char* format, ...) RG_PRINTF(3, 4);
bool rg_h5_no_memory(rgH5Reader* reader);

bool rg_h5_exists(const rgH5Reader* reader, const char* name);

// A file can lead to others: by links, by raw data of other files, and by datasets that are put
// together from them. Nothing of that is followed, or a file of a stranger could show what only its
// reader may see. These say whether all links on the way to `name` lead to what is in the file, and
// whether the numbers of a dataset are.
bool rg_h5_is_inside(hid_t place, const char* name);
bool rg_h5_is_stored_inside(hid_t dataset);
// Opens a dataset that is in the file; otherwise fails with a message and returns a negative number.
hid_t rg_h5_open(rgH5Reader* reader, const char* name);

// Reads a whole dataset as numbers of the type `native`: integers as H5T_NATIVE_INT or
// H5T_NATIVE_INT64, reals as H5T_NATIVE_DOUBLE. `sizes` receives its `rank` dimensions; with rank 0
// it may have any, and sizes[0] is the count of all numbers.
bool rg_h5_numbers(rgH5Reader* reader, const char* name, hid_t native, int rank, hsize_t* sizes,
                   void** numbers);

#endif
