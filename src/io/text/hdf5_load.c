// hdf5_load.c - the table of what needs HDF5, out of a library that is loaded when it is asked for.
#include "io/text/hdf5.h"

#ifdef RIGOR_HDF5_PLUGIN

#include <dlfcn.h>
#include <string.h>

// Beside the library itself, as its RUNPATH says. It stays loaded, as HDF5 must; to ask again is cheap.
const rgHdf5* rg_hdf5_load(void) {
  void* library = dlopen(RIGOR_HDF5_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  const rgHdf5* table = library ? dlsym(library, "rg_hdf5_table") : NULL;
  return table && strcmp(table->version, RIGOR_VERSION) == 0 ? table : NULL;
}

const char* rg_hdf5_missing(void) {
  return RIGOR_HDF5_PLUGIN " of version " RIGOR_VERSION ", which knows HDF5, cannot be loaded";
}

#else

const rgHdf5* rg_hdf5_load(void) { return NULL; }

const char* rg_hdf5_missing(void) { return "this build has no HDF5"; }

#endif
