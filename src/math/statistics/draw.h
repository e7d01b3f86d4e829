// draw.h - the block function behind rg_draw_unit (<rigor/ensemble.h>).
#ifndef MATH_DRAW_H
#define MATH_DRAW_H

#include <stdint.h>

// Philox4x32-10: four words of a counter under a key of two.
void rg_draw_block(const uint32_t counter[4], const uint32_t key[2], uint32_t block[4]);

#endif
