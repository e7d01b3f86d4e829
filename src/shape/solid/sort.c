// sort.c - sorting indices: merge sort from below, O(n log n).
#include "shape/solid/sort.h"

static int at_most(int value, int limit) { return value < limit ? value : limit; }

int* rg_sort(int count, rgBefore* before, const void* context, int* order, int* space) {
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int width = 1; width < count; width *= 2) {
    for (int start = 0; start < count; start += 2 * width) {
      int middle = at_most(start + width, count), end = at_most(start + 2 * width, count);
      int i = start, j = middle;
      for (int k = start; k < end; k++) {
        bool right = i == middle || (j < end && before(context, order[j], order[i]));
        space[k] = order[right ? j++ : i++];
      }
    }
    int* swap = order;
    order = space;
    space = swap;
  }
  return order;
}
