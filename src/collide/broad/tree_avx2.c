// tree_avx2.c - the descent for processors with AVX2; the build compiles *_avx2.c with -mavx2.
#include "collide/broad/tree.h"

#if defined(__AVX2__)

#include "collide/broad/tree_kernel.h"

static long long descend_avx2(const rgTree* a, const rgTree* b, rgNodePair first, int floor,
                              rgTreePairs* out) {
  return descend(a, b, first, floor, out);
}

rgTreeDescend* rg_tree_descend_avx2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") ? descend_avx2 : NULL;
}

#else

rgTreeDescend* rg_tree_descend_avx2(void) { return NULL; }

#endif
