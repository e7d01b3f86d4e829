// hdf5.h - what of the library needs HDF5, as a table, so that it can be in a library of its own.
//
// HDF5 brings some thirty libraries along, which a program that writes no .h5 file should not load. The
// static library calls the functions directly. The shared one (RIGOR_HDF5_PLUGIN) loads them with
// librigor-hdf5.so, which is built from the same objects, when a file needs them.
#ifndef IO_TEXT_HDF5_H
#define IO_TEXT_HDF5_H

#include "io/problem/problem_file.h"
#include "io/trajectory/trajectory.h"

typedef struct rgHdf5 {
  const char* version; // of the library; another one has other structs
  const rgTrajectoryFormat* trajectory;
  rgStatus (*read_trajectory)(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                              rgMessage* message);
  rgStatus (*fclib_data)(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message);
  rgStatus (*fclib_write)(const rgProblem* problem, bool global, const char* path,
                          rgMessage* message);
  rgStatus (*write_solution)(const char* path, const rgProblem* problem, const rgSolution* solution,
                             rgMessage* message);
} rgHdf5;

// The table, for files that were compiled without HDF5; NULL when there is none.
const rgHdf5* rg_hdf5_load(void);
// Why there is none.
const char* rg_hdf5_missing(void);

#endif
