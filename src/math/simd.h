// simd.h - several doubles at once, by the compilers' vector extensions.
//
// The same source becomes AVX2 (4 lanes), SSE2, NEON or WebAssembly's v128 (2 lanes). Every
// operation is an IEEE one per lane, none is fused or reordered, so that all targets give the same
// bits as long as no lane depends on another. Choices between values are made by masks.
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

#if defined(__AVX__)
enum { RG_WIDTH = 4 };
#else
enum { RG_WIDTH = 2 };
#endif

typedef double rgV __attribute__((vector_size(8 * RG_WIDTH)));
typedef int64_t rgM __attribute__((vector_size(8 * RG_WIDTH))); // lanes are 0 or -1
// For reading and writing arrays of doubles as vectors; addresses are multiples of the vector's
// size.
typedef double rgVMemory __attribute__((vector_size(8 * RG_WIDTH), may_alias));

#define RG_INLINE static inline __attribute__((always_inline))

RG_INLINE rgV v_load(const double* x) { return *(const rgVMemory*)x; }
RG_INLINE void v_store(double* x, rgV v) { *(rgVMemory*)x = v; }

RG_INLINE rgV v_set(double x) {
#if defined(__AVX__)
  return (rgV){x, x, x, x};
#else
  return (rgV){x, x};
#endif
}

RG_INLINE rgV v_select(rgM mask, rgV yes, rgV no) {
#if defined(__AVX__)
  return (rgV)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
#else
  return (rgV)((mask & (rgM)yes) | (~mask & (rgM)no));
#endif
}

// Zero where the mask is not set.
RG_INLINE rgV v_keep(rgM mask, rgV x) { return (rgV)(mask & (rgM)x); }

// b where a is not a number.
RG_INLINE rgV v_max(rgV a, rgV b) { return v_select(a > b, a, b); }

RG_INLINE rgV v_sqrt(rgV x) {
#if defined(__AVX__)
  return (rgV)_mm256_sqrt_pd((__m256d)x);
#elif defined(__SSE2__)
  return (rgV)_mm_sqrt_pd((__m128d)x);
#elif defined(__aarch64__)
  return (rgV)vsqrtq_f64((float64x2_t)x);
#elif defined(__wasm_simd128__)
  return (rgV)wasm_f64x2_sqrt((v128_t)x);
#else
  return (rgV){sqrt(x[0]), sqrt(x[1])};
#endif
}

// True when some lane of the mask is set.
RG_INLINE int m_any(rgM mask) {
#if defined(__AVX__)
  return _mm256_movemask_pd((__m256d)mask) != 0;
#elif defined(__SSE2__)
  return _mm_movemask_pd((__m128d)mask) != 0;
#else
  return (mask[0] | mask[1]) != 0;
#endif
}

#define RG_SHUFFLE __builtin_shufflevector

// The first three numbers at each of RG_WIDTH places, as x, y and z of all lanes. Places hold four
// numbers each, aligned to their size.
RG_INLINE void v_gather3(const double* const place[], rgV* x, rgV* y, rgV* z) {
#if defined(__AVX__)
  rgV a = v_load(place[0]), b = v_load(place[1]), c = v_load(place[2]), d = v_load(place[3]);
  rgV ab0 = RG_SHUFFLE(a, b, 0, 4, 2, 6), ab1 = RG_SHUFFLE(a, b, 1, 5, 3, 7);
  rgV cd0 = RG_SHUFFLE(c, d, 0, 4, 2, 6), cd1 = RG_SHUFFLE(c, d, 1, 5, 3, 7);
  *x = RG_SHUFFLE(ab0, cd0, 0, 1, 4, 5);
  *y = RG_SHUFFLE(ab1, cd1, 0, 1, 4, 5);
  *z = RG_SHUFFLE(ab0, cd0, 2, 3, 6, 7);
#else
  rgV a = v_load(place[0]), b = v_load(place[1]), c = v_load(place[0] + 2),
      d = v_load(place[1] + 2);
  *x = RG_SHUFFLE(a, b, 0, 2);
  *y = RG_SHUFFLE(a, b, 1, 3);
  *z = RG_SHUFFLE(c, d, 0, 2);
#endif
}

// The inverse: stores x, y and z of all lanes; the fourth number of each place becomes 0.
RG_INLINE void v_scatter3(double* const place[], rgV x, rgV y, rgV z) {
  rgV zero = v_set(0);
#if defined(__AVX__)
  rgV xy0 = RG_SHUFFLE(x, y, 0, 4, 2, 6), xy1 = RG_SHUFFLE(x, y, 1, 5, 3, 7);
  rgV z0 = RG_SHUFFLE(z, zero, 0, 4, 2, 6), z1 = RG_SHUFFLE(z, zero, 1, 5, 3, 7);
  v_store(place[0], RG_SHUFFLE(xy0, z0, 0, 1, 4, 5));
  v_store(place[1], RG_SHUFFLE(xy1, z1, 0, 1, 4, 5));
  v_store(place[2], RG_SHUFFLE(xy0, z0, 2, 3, 6, 7));
  v_store(place[3], RG_SHUFFLE(xy1, z1, 2, 3, 6, 7));
#else
  v_store(place[0], RG_SHUFFLE(x, y, 0, 2));
  v_store(place[1], RG_SHUFFLE(x, y, 1, 3));
  v_store(place[0] + 2, RG_SHUFFLE(z, zero, 0, 2));
  v_store(place[1] + 2, RG_SHUFFLE(z, zero, 1, 3));
#endif
}

#endif
