// nsgs_kernel.c - the sweep kernel for doubles and the plain instruction set of the target.
#include "solve/nsgs/nsgs_kernel.h"

const rgNsgsKernel rg_nsgs_kernel_plain = RG_NSGS_KERNEL;
