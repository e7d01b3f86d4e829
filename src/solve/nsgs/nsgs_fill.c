// nsgs_fill.c - batches of four lanes of doubles.
#include "solve/nsgs/nsgs_fill.h"

const rgNsgsForm rg_nsgs_form_double = RG_NSGS_FORM(rg_nsgs_kernel_plain, rg_nsgs_kernel_avx2);
