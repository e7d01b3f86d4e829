// nsgs_kernel_avx2.c - the sweep kernel for doubles and processors with AVX2; the build compiles *_avx2.c with
// -mavx2.
#include "solve/nsgs/nsgs_pack.h"

#if defined(__AVX2__)

#include "solve/nsgs/nsgs_kernel.h"

static const rgNsgsKernel kernel = RG_NSGS_KERNEL;

const rgNsgsKernel* rg_nsgs_kernel_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? &kernel : NULL;
}

#else

const rgNsgsKernel* rg_nsgs_kernel_avx2(void) { return NULL; }

#endif
