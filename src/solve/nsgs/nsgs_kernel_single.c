// nsgs_kernel_single.c - the sweep kernel for floats and the plain instruction set of the target.
#define RG_SIMD_SINGLE
#include "solve/nsgs/nsgs_kernel.h"

const rgNsgsKernel rg_nsgs_kernel_single = RG_NSGS_KERNEL;
