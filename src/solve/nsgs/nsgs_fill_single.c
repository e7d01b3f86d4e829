// nsgs_fill_single.c - batches of eight lanes of floats.
#define RG_SIMD_SINGLE
#include "solve/nsgs/nsgs_fill.h"

const rgNsgsForm rg_nsgs_form_single =
    RG_NSGS_FORM(rg_nsgs_kernel_single, rg_nsgs_kernel_single_avx2);
