// sum.h - sums over bodies or contacts whose terms are computed by all threads.
#ifndef STEP_SUM_H
#define STEP_SUM_H

#include "step/step.h"

enum { RG_SUM_WIDTH = 7 }; // numbers of an item, at most

// Writes the terms of the items from `first` to before `end`, `width` of each.
typedef void rgTerms(const rgStep* step, const void* context, int first, int end, double* terms);
// Adds the terms of all items to the sums, in the order of the items: equal bits for any number of threads.
void rg_step_sum(const rgStep* step, int count, int width, rgTerms* terms, const void* context,
                 double* sums);
// Room for the terms of a step; one thread needs none.
bool rg_step_reserve_sums(rgStep* step);

#endif
