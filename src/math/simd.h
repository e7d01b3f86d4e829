// simd.h - four doubles at once, by the compilers' vector extensions.
//
// The same source becomes AVX2, pairs of SSE2 or NEON registers, or WebAssembly's v128. Every operation is an IEEE one
// per lane, none is fused or reordered, so that all targets give the same bits. Choices between lanes are masks.
#ifndef MATH_SIMD_H
#define MATH_SIMD_H

#include <math.h>
#include <stdint.h>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// Vectors are passed between inlined functions only, so that how calls pass them does not matter.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

typedef double rgV4 __attribute__((vector_size(32)));
typedef int64_t rgM4 __attribute__((vector_size(32))); // lanes are 0 or -1

#define RG_INLINE static inline __attribute__((always_inline))

RG_INLINE rgV4 v4(double x) { return (rgV4){x, x, x, x}; }
RG_INLINE rgV4 v4_select(rgM4 mask, rgV4 yes, rgV4 no) {
#if defined(__AVX__)
  return (rgV4)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
#else
  return (rgV4)((mask & (rgM4)yes) | (~mask & (rgM4)no));
#endif
}
// Zero where the mask is not set.
RG_INLINE rgV4 v4_keep(rgM4 mask, rgV4 x) { return (rgV4)(mask & (rgM4)x); }
RG_INLINE rgV4 v4_max(rgV4 a, rgV4 b) { return v4_select(a > b, a, b); }

RG_INLINE rgV4 v4_sqrt(rgV4 x) {
#if defined(__AVX__)
  return (rgV4)_mm256_sqrt_pd((__m256d)x);
#elif defined(__SSE2__)
  union {
    rgV4 v;
    __m128d half[2];
  } y = {.v = x};
  y.half[0] = _mm_sqrt_pd(y.half[0]);
  y.half[1] = _mm_sqrt_pd(y.half[1]);
  return y.v;
#elif defined(__aarch64__)
  union {
    rgV4 v;
    float64x2_t half[2];
  } y = {.v = x};
  y.half[0] = vsqrtq_f64(y.half[0]);
  y.half[1] = vsqrtq_f64(y.half[1]);
  return y.v;
#elif defined(__wasm_simd128__)
  union {
    rgV4 v;
    v128_t half[2];
  } y = {.v = x};
  y.half[0] = wasm_f64x2_sqrt(y.half[0]);
  y.half[1] = wasm_f64x2_sqrt(y.half[1]);
  return y.v;
#else
  return (rgV4){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
#endif
}

// True when some lane of the mask is set.
RG_INLINE int m4_any(rgM4 mask) {
#if defined(__AVX__)
  return _mm256_movemask_pd((__m256d)mask) != 0;
#elif defined(__SSE2__)
  union {
    rgM4 m;
    __m128d half[2];
  } y = {.m = mask};
  return (_mm_movemask_pd(y.half[0]) | _mm_movemask_pd(y.half[1])) != 0;
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

// Rows become columns.
RG_INLINE void v4_transpose(rgV4* a, rgV4* b, rgV4* c, rgV4* d) {
  rgV4 ab0 = __builtin_shufflevector(*a, *b, 0, 4, 2, 6);
  rgV4 ab1 = __builtin_shufflevector(*a, *b, 1, 5, 3, 7);
  rgV4 cd0 = __builtin_shufflevector(*c, *d, 0, 4, 2, 6);
  rgV4 cd1 = __builtin_shufflevector(*c, *d, 1, 5, 3, 7);
  *a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  *b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  *c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  *d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

#endif
