// store_h5.h - HDF5 files that change from one whole state to the next, whatever ends the process.
//
// The HDF5 library writes its structures in place, in an order of its own: a process that ends in
// between leaves a file that nobody can read, and a write that fails (a full disk) leaves the
// library in a state in which it crashes at exit. A store stands between the library and the file.
// It keeps everything that the library writes in memory; a commit brings the file to that state, all
// of it or nothing. store_h5.c says how.
#ifndef IO_TEXT_STORE_H5_H
#define IO_TEXT_STORE_H5_H

#include <rigor/base.h>

#include <hdf5.h>

typedef struct rgH5Page rgH5Page;

typedef struct rgH5Store {
  rgAllocator allocator;
  int file;       // descriptor; the caller's
  int error;      // errno of what failed first, 0 = nothing; then the file changes no more
  uint64_t whole; // [bytes] the file as last committed
  uint64_t end;   // [bytes] the file as the library sees it
  rgH5Page* pages;
  int page_count, page_capacity;
  hid_t driver, access; // < 0 when there is none
} rgH5Store;

// For an open file, empty or as it is. A commit that a process could not finish is seen as finished.
// Give store->access to H5Fcreate or H5Fopen; the name that they take is not used. False when memory
// ran out or the file cannot be read.
bool rg_h5_store_open(rgH5Store* store, int file);
// Brings the file to what the library has written; call it after H5Fflush and after H5Fclose. False
// when it failed, now or before: then the file changes no more. It is in the state of the last commit
// that succeeded or, where pages could not be replaced, in that of the one that failed.
bool rg_h5_store_commit(rgH5Store* store);
// After H5Fclose. What was not committed is lost; the descriptor stays open.
void rg_h5_store_close(rgH5Store* store);

#endif
