// sum.c - sums over bodies or contacts whose terms are computed by all threads.
//
// Reading what a term is made of takes most of the time of such a sum. All terms are written side by side, and
// one thread adds them, in their order. One thread does both in short pieces.
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

static void add_terms(const double* terms, int count, int width, double* sums) {
  for (int i = 0; i < count; i++)
    for (int k = 0; k < width; k++)
      sums[k] += terms[i * width + k];
}

void rg_step_sum(const rgStep* step, int count, int width, rgTerms* terms, const void* context,
                 double* sums) {
  rgTasks* tasks = step->world->threads.tasks;
  double piece[PIECE * RG_SUM_WIDTH];
  if (count == 0) // there may be no memory at all
    return;
  if (rg_tasks_threads(tasks) > 1 && step->scratch.sums_capacity / width >= count) {
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
