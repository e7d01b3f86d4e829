// block_avx2.c - the factorizations by blocks of six for processors with AVX2; the build compiles
// *_avx2.c with -mavx2.
#include "math/block_ldl.h"
#include "math/block_lu.h"

#if defined(__AVX2__)

#include "math/block_ldl_kernel.h"
#include "math/block_lu_kernel.h"

static bool is_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2");
}

static bool factor_ldl(rgBlockMatrix* matrix) { return ldl_factor(matrix); }
static bool factor_lu(rgBlockLu* lu) { return lu_factor(lu, RG_KERNEL_SIZE); }

rgBlockLdlFactor* rg_block_ldl_factor_avx2(void) { return is_avx2() ? factor_ldl : NULL; }
rgBlockLuFactor* rg_block_lu_factor_avx2(void) { return is_avx2() ? factor_lu : NULL; }

#else

rgBlockLdlFactor* rg_block_ldl_factor_avx2(void) { return NULL; }
rgBlockLuFactor* rg_block_lu_factor_avx2(void) { return NULL; }

#endif
