// block_kernel.h - the product of 6 x 6 blocks, which is what sparse factorizations spend their time on.
//
// Compiled for the plain instruction set of the target and, by files named *_avx2.c, for AVX2. A sum
// has its terms in the order of k whatever the number of lanes, so that the bits are the same.
#ifndef MATH_BLOCK_KERNEL_H
#define MATH_BLOCK_KERNEL_H

enum { RG_KERNEL_SIZE = 6, RG_KERNEL_AREA = RG_KERNEL_SIZE * RG_KERNEL_SIZE };

#if defined(__AVX__)

typedef double rgKernelFour __attribute__((vector_size(32)));
typedef double rgKernelTwo __attribute__((vector_size(16)));
// For reading and writing rows of blocks, whatever their alignment.
typedef double rgKernelFourMemory __attribute__((vector_size(32), aligned(8), may_alias));
typedef double rgKernelTwoMemory __attribute__((vector_size(16), aligned(8), may_alias));

// a -= b c; rows of c as a vector of four and one of two.
static inline void block_subtract(double* a, const double* b, const double* c) {
  rgKernelFour left[RG_KERNEL_SIZE];
  rgKernelTwo right[RG_KERNEL_SIZE];
#pragma GCC unroll 6
  for (int k = 0; k < RG_KERNEL_SIZE; k++) {
    left[k] = *(const rgKernelFourMemory*)(c + k * RG_KERNEL_SIZE);
    right[k] = *(const rgKernelTwoMemory*)(c + k * RG_KERNEL_SIZE + 4);
  }
#pragma GCC unroll 6
  for (int i = 0; i < RG_KERNEL_SIZE; i++) {
    double* row = a + i * RG_KERNEL_SIZE;
    rgKernelFour four = {0, 0, 0, 0};
    rgKernelTwo two = {0, 0};
#pragma GCC unroll 6
    for (int k = 0; k < RG_KERNEL_SIZE; k++) {
      double x = b[i * RG_KERNEL_SIZE + k];
      four += (rgKernelFour){x, x, x, x} * left[k];
      two += (rgKernelTwo){x, x} * right[k];
    }
    *(rgKernelFourMemory*)row -= four;
    *(rgKernelTwoMemory*)(row + 4) -= two;
  }
}

#else

// a -= b c
static inline void block_subtract(double* a, const double* b, const double* c) {
  for (int i = 0; i < RG_KERNEL_SIZE; i++) {
    double sum[RG_KERNEL_SIZE] = {0};
    for (int k = 0; k < RG_KERNEL_SIZE; k++)
      for (int j = 0; j < RG_KERNEL_SIZE; j++)
        sum[j] += b[i * RG_KERNEL_SIZE + k] * c[k * RG_KERNEL_SIZE + j];
    for (int j = 0; j < RG_KERNEL_SIZE; j++)
      a[i * RG_KERNEL_SIZE + j] -= sum[j];
  }
}

#endif
#endif
