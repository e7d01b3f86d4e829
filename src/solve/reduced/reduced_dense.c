// reduced_dense.c - products and elimination for the plain instruction set, and the choice.
#include "solve/reduced/reduced_dense_kernel.h"

static const rgReducedDense plain = {dense_multiply, dense_products, dense_eliminate};

const rgReducedDense* rg_reduced_dense_plain(void) { return &plain; }

const rgReducedDense* rg_reduced_dense(void) {
  const rgReducedDense* avx2 = rg_reduced_dense_avx2();
  return avx2 ? avx2 : &plain;
}
