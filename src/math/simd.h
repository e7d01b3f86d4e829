// simd.h - several numbers at once, by the compilers' vector extensions.
//
// The same source becomes AVX2 (4 doubles), SSE2, NEON or WebAssembly's v128 (2 doubles); a file that defines
// RG_SIMD_SINGLE before it includes this one gets twice as many floats. Every operation is an IEEE one per lane, none
// is fused or reordered, so that all targets give the same bits as long as no lane depends on another. Choices
// between values are made by masks.
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
enum { RG_VECTOR = 32 }; // [bytes]
#else
enum { RG_VECTOR = 16 };
#endif

#if defined(RG_SIMD_SINGLE)
typedef float rgReal;
typedef int32_t rgRealMask;
#else
typedef double rgReal;
typedef int64_t rgRealMask;
#endif
enum { RG_WIDTH = RG_VECTOR / sizeof(rgReal) };

typedef rgReal rgV __attribute__((vector_size(RG_VECTOR)));
typedef rgRealMask rgM __attribute__((vector_size(RG_VECTOR))); // lanes are 0 or -1
// For reading and writing arrays of numbers as vectors; addresses are multiples of the vector's size.
typedef rgReal rgVMemory __attribute__((vector_size(RG_VECTOR), may_alias));

#define RG_INLINE static inline __attribute__((always_inline))

RG_INLINE rgV v_load(const rgReal* x) { return *(const rgVMemory*)x; }
RG_INLINE void v_store(rgReal* x, rgV v) { *(rgVMemory*)x = v; }

RG_INLINE rgV v_set(double number) {
  rgReal x = (rgReal)number;
#if defined(RG_SIMD_SINGLE) && defined(__AVX__)
  return (rgV){x, x, x, x, x, x, x, x};
#elif defined(RG_SIMD_SINGLE) || defined(__AVX__)
  return (rgV){x, x, x, x};
#else
  return (rgV){x, x};
#endif
}

RG_INLINE rgV v_select(rgM mask, rgV yes, rgV no) {
#if defined(RG_SIMD_SINGLE) && defined(__AVX__)
  return (rgV)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)mask);
#elif defined(__AVX__)
  return (rgV)_mm256_blendv_pd((__m256d)no, (__m256d)yes, (__m256d)mask);
#else
  return (rgV)((mask & (rgM)yes) | (~mask & (rgM)no));
#endif
}

// Zero where the mask is not set.
RG_INLINE rgV v_keep(rgM mask, rgV x) { return (rgV)(mask & (rgM)x); }

// b where a is not a number.
RG_INLINE rgV v_max(rgV a, rgV b) { return v_select(a > b, a, b); }

// True when some lane of the mask is set.
RG_INLINE int m_any(rgM mask) {
#if defined(__AVX__)
  return _mm256_movemask_ps((__m256)mask) != 0;
#elif defined(__SSE2__)
  return _mm_movemask_epi8((__m128i)mask) != 0;
#else
  typedef int64_t Halves __attribute__((vector_size(RG_VECTOR)));
  Halves halves = (Halves)mask;
  return (halves[0] | halves[1]) != 0;
#endif
}

#define RG_SHUFFLE __builtin_shufflevector

#if defined(RG_SIMD_SINGLE)
RG_INLINE rgV v_sqrt(rgV x) {
#if defined(__AVX__)
  return (rgV)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
  return (rgV)_mm_sqrt_ps((__m128)x);
#elif defined(__aarch64__)
  return (rgV)vsqrtq_f32((float32x4_t)x);
#elif defined(__wasm_simd128__)
  return (rgV)wasm_f32x4_sqrt((v128_t)x);
#else
  return (rgV){sqrtf(x[0]), sqrtf(x[1]), sqrtf(x[2]), sqrtf(x[3])};
#endif
}

typedef float rgFloats __attribute__((vector_size(16)));
typedef float rgFloatsMemory __attribute__((vector_size(16), may_alias));

RG_INLINE rgFloats floats_load(const float* x) { return *(const rgFloatsMemory*)x; }
RG_INLINE void floats_store(float* x, rgFloats v) { *(rgFloatsMemory*)x = v; }

// Four places beside each other are turned as a matrix of 4 x 4; with eight lanes, two such matrices at once.
#if defined(__AVX__)
RG_INLINE rgV row_load(const float* const place[], int i) {
  return RG_SHUFFLE(floats_load(place[i]), floats_load(place[i + 4]), 0, 1, 2, 3, 4, 5, 6, 7);
}
RG_INLINE void row_store(float* const place[], int i, rgV row) {
  floats_store(place[i], RG_SHUFFLE(row, row, 0, 1, 2, 3));
  floats_store(place[i + 4], RG_SHUFFLE(row, row, 4, 5, 6, 7));
}
RG_INLINE rgV low_pairs(rgV a, rgV b) { return RG_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13); }
RG_INLINE rgV high_pairs(rgV a, rgV b) { return RG_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15); }
RG_INLINE rgV low_halves(rgV a, rgV b) { return RG_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13); }
RG_INLINE rgV high_halves(rgV a, rgV b) { return RG_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15); }
#else
RG_INLINE rgV row_load(const float* const place[], int i) { return v_load(place[i]); }
RG_INLINE void row_store(float* const place[], int i, rgV row) { v_store(place[i], row); }
RG_INLINE rgV low_pairs(rgV a, rgV b) { return RG_SHUFFLE(a, b, 0, 4, 1, 5); }
RG_INLINE rgV high_pairs(rgV a, rgV b) { return RG_SHUFFLE(a, b, 2, 6, 3, 7); }
RG_INLINE rgV low_halves(rgV a, rgV b) { return RG_SHUFFLE(a, b, 0, 1, 4, 5); }
RG_INLINE rgV high_halves(rgV a, rgV b) { return RG_SHUFFLE(a, b, 2, 3, 6, 7); }
#endif

// As for doubles: the first three numbers at each of RG_WIDTH places, and the inverse.
RG_INLINE void v_gather3(const float* const place[], rgV* x, rgV* y, rgV* z) {
  rgV a = row_load(place, 0), b = row_load(place, 1), c = row_load(place, 2),
      d = row_load(place, 3);
  rgV ab = low_pairs(a, b), cd = low_pairs(c, d); // x x y y
  *x = low_halves(ab, cd);
  *y = high_halves(ab, cd);
  *z = low_halves(high_pairs(a, b), high_pairs(c, d));
}

RG_INLINE void v_scatter3(float* const place[], rgV x, rgV y, rgV z) {
  rgV zero = v_set(0);
  rgV xy = low_pairs(x, y), z0 = low_pairs(z, zero); // x y x y
  row_store(place, 0, low_halves(xy, z0));
  row_store(place, 1, high_halves(xy, z0));
  xy = high_pairs(x, y);
  z0 = high_pairs(z, zero);
  row_store(place, 2, low_halves(xy, z0));
  row_store(place, 3, high_halves(xy, z0));
}

#else

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

#endif // RG_SIMD_SINGLE
#endif
