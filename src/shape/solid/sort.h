// sort.h - sorting indices.
#ifndef SHAPE_SOLID_SORT_H
#define SHAPE_SOLID_SORT_H

#include <stdbool.h>

typedef bool rgBefore(const void* context, int a, int b);

// 0 .. count - 1 sorted so that before(b, a) holds for no a in front of b; those that are equal
// stay in order of index, so that the result does not depend on the method. Both arrays have
// `count` entries; the result is in the one that is returned.
int* rg_sort(int count, rgBefore* before, const void* context, int* order, int* space);

#endif
