// reduced_dense_avx2.c - the same for processors with AVX2; the build compiles *_avx2.c with -mavx2.
#include "solve/reduced/reduced_dense.h"

#if defined(__AVX2__)

#include "solve/reduced/reduced_dense_kernel.h"

static const rgReducedDense fast = {dense_multiply, dense_products, dense_eliminate};

const rgReducedDense* rg_reduced_dense_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? &fast : NULL;
}

#else

const rgReducedDense* rg_reduced_dense_avx2(void) { return NULL; }

#endif
