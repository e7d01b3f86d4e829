// nsgs_kernel_avx2.c - the sweep kernel for processors with AVX2; the build compiles *_avx2.c with
// -mavx2.
#include "solve/nsgs/nsgs.h"

#if defined(__AVX2__)

#include "solve/nsgs/nsgs_kernel.h"

static double sweep_avx2(const rgNsgs* nsgs, rgNsgsPart part, bool backward) {
  return sweep_part(nsgs, part, backward);
}

static double extrapolate_avx2(const rgNsgs* nsgs, double beta, int first, int end) {
  return extrapolate_some(nsgs, beta, first, end);
}

static bool is_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}

rgNsgsSweep* rg_nsgs_sweep_avx2(void) { return is_avx2() ? sweep_avx2 : NULL; }
rgNsgsExtrapolate* rg_nsgs_extrapolate_avx2(void) { return is_avx2() ? extrapolate_avx2 : NULL; }

#else

rgNsgsSweep* rg_nsgs_sweep_avx2(void) { return NULL; }
rgNsgsExtrapolate* rg_nsgs_extrapolate_avx2(void) { return NULL; }

#endif
