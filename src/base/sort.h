// sort.h - short lists of integers in ascending order (Shell 1959).
#ifndef BASE_SORT_H
#define BASE_SORT_H

static inline void rg_sort_ints(int* values, int count) {
  for (int stride = count / 2; stride > 0; stride /= 2)
    for (int i = stride; i < count; i++) {
      int value = values[i], k = i;
      for (; k >= stride && values[k - stride] > value; k -= stride)
        values[k] = values[k - stride];
      values[k] = value;
    }
}

#endif
