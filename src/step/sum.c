// sum.c - sums over bodies or contacts whose terms are computed by all threads.
//
// Reading what a term is made of takes most of the time of such a sum. All terms are written side by side, and
// one thread adds them, in their order. Where there are few items, or one thread, it does both in short pieces.
#include "step/sum.h"

enum { PIECE = 128 }; // [items]

typedef struct Summing {
  const rgStep* step;
  rgTerms* terms;
  const void* context;
  int width;
} Summing;

static void write_range(void* context, int first, int end) {
  const Summing* summing = context;
  summing->terms(summing->step, summing->context, first, end,
                 summing->step->scratch.sums + (size_t)first * (size_t)summing->width);
}

// Sums of one width, which stay in registers.
static inline void add_wide(const double* terms, int count, int width, double* sums) {
  double sum[RG_SUM_WIDTH];
  for (int k = 0; k < width; k++)
    sum[k] = sums[k];
  for (int i = 0; i < count; i++)
    for (int k = 0; k < width; k++)
      sum[k] += terms[i * width + k];
  for (int k = 0; k < width; k++)
    sums[k] = sum[k];
}

static void add_terms(const double* terms, int count, int width, double* sums) {
  if (width == 1)
    add_wide(terms, count, 1, sums);
  else if (width == 2)
    add_wide(terms, count, 2, sums);
  else if (width == 3)
    add_wide(terms, count, 3, sums);
  else
    add_wide(terms, count, width, sums);
}

void rg_step_sum(const rgStep* step, int count, int width, rgTerms* terms, const void* context,
                 double* sums) {
  rgTasks* tasks = step->world->threads.tasks;
  double piece[PIECE * RG_SUM_WIDTH];
  if (count == 0) // there may be no memory at all
    return;
  if (rg_tasks_cut(tasks, count) && step->scratch.sums_capacity / width >= count) {
    Summing summing = {step, terms, context, width};
    rg_tasks_ranges(tasks, count, write_range, &summing);
    add_terms(step->scratch.sums, count, width, sums);
    return;
  }
  for (int first = 0; first < count; first += PIECE) {
    int end = count - first < PIECE ? count : first + PIECE;
    terms(step, context, first, end, piece);
    add_terms(piece, end - first, width, sums);
  }
}

bool rg_step_reserve_sums(rgStep* step) {
  rgWorld* world = step->world;
  if (rg_tasks_threads(world->threads.tasks) == 1)
    return true;
  int bodies = RG_SUM_WIDTH * world->body_slots, contacts = world->contact_count;
  return RG_SET_RESERVE(world, &step->scratch, sums, bodies > contacts ? bodies : contacts);
}
