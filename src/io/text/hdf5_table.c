// hdf5_table.c - what librigor-hdf5.so shows to librigor.so.
#include "io/text/hdf5.h"

extern RG_API const rgHdf5 rg_hdf5_table;
const rgHdf5 rg_hdf5_table = {
    .version = RIGOR_VERSION,
    .trajectory = &rg_trajectory_h5,
    .read_trajectory = rg_trajectory_read_h5,
    .fclib_data = rg_fclib_data,
    .fclib_write = rg_fclib_write,
    .write_solution = rg_problem_write_solution,
};
