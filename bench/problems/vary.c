// vary.c - what vary.h promises.
#include "vary.h"

#include <rigor/util.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void* room(size_t count, size_t size) {
  void* memory = calloc(count > 0 ? count : 1, size);
  if (memory)
    return memory;
  fprintf(stderr, "rigor-bench-problems: not enough memory\n");
  exit(3);
}

// Fisher and Yates.
static void draw_order(int* order, int count, unsigned seed) {
  uint64_t state = seed;
  for (int i = 0; i < count; ++i)
    order[i] = i;
  for (int i = count - 1; i > 0 && seed > 0; --i) {
    int other = (int)(rg_random_unit(&state) * (i + 1)), keep = order[i];
    order[i] = order[other];
    order[other] = keep;
  }
}

static int numbers_of(const rgProblem* problem, int node) {
  return node < problem->contact_count ? problem->local->block : 1;
}

static size_t node_start(const rgProblem* problem, int node) {
  const rgLocalMatrix* local = problem->local;
  size_t area = (size_t)local->block * (size_t)local->block;
  return local->value_start ? local->value_start[node] : area * (size_t)local->row_start[node];
}

// Row `to` of the new matrix from row `from` of the old one; its columns ascend.
static void copy_row(Varied* varied, const rgProblem* problem, int to, int from, const int* place,
                     size_t* used) {
  const rgLocalMatrix* old = problem->local;
  int first = varied->row_start[to], height = numbers_of(problem, from), count = 0;
  size_t* source = room((size_t)(old->row_start[from + 1] - old->row_start[from]), sizeof *source);
  size_t at = node_start(problem, from);
  for (int k = old->row_start[from]; k < old->row_start[from + 1]; ++k) {
    int column = place[old->column[k]], slot = count++;
    for (; slot > 0 && varied->column[first + slot - 1] > column; --slot) {
      varied->column[first + slot] = varied->column[first + slot - 1];
      source[slot] = source[slot - 1];
    }
    varied->column[first + slot] = column;
    source[slot] = at;
    at += (size_t)(height * numbers_of(problem, old->column[k]));
  }
  for (int slot = 0; slot < count; ++slot) {
    size_t size = (size_t)(height * numbers_of(problem, varied->column[first + slot]));
    memcpy(varied->values + *used, old->values + source[slot], size * sizeof(double));
    *used += size;
  }
  varied->row_start[to + 1] = first + count;
  free(source);
}

static void vary_local(Varied* varied, const rgProblem* problem, const int* order) {
  const rgLocalMatrix* old = problem->local;
  int contacts = problem->contact_count, nodes = contacts + problem->row_count;
  int* place = room((size_t)nodes, sizeof *place);
  for (int i = 0; i < nodes; ++i)
    place[i < contacts ? order[i] : i] = i;
  varied->row_start = room((size_t)nodes + 1, sizeof(int));
  varied->column = room((size_t)old->row_start[nodes], sizeof(int));
  varied->values = room(node_start(problem, nodes), sizeof(double));
  varied->value_start = room((size_t)nodes + 1, sizeof(size_t));
  size_t used = 0;
  for (int i = 0; i < nodes; ++i) {
    copy_row(varied, problem, i, i < contacts ? order[i] : i, place, &used);
    varied->value_start[i + 1] = used;
  }
  varied->local = *old;
  varied->local.row_start = varied->row_start;
  varied->local.column = varied->column;
  varied->local.values = varied->values;
  varied->local.value_start = old->value_start ? varied->value_start : NULL;
  varied->problem.local = &varied->local;
  free(place);
}

void vary(const rgProblem* problem, unsigned seed, double change, Varied* varied) {
  *varied = (Varied){.problem = *problem};
  int count = problem->contact_count, numbers = problem->local            ? problem->local->block
                                                : problem->dimension == 2 ? 2
                                                                          : 3;
  int* order = room((size_t)count, sizeof *order);
  uint64_t state = ~(uint64_t)seed;
  draw_order(order, count, seed);
  varied->contacts = room((size_t)count, sizeof *varied->contacts);
  for (int i = 0; i < count; ++i) {
    varied->contacts[i] = problem->contacts[order[i]];
    for (int k = 0; k < numbers && change > 0; ++k)
      varied->contacts[i].bias[k] += change * (2 * rg_random_unit(&state) - 1);
  }
  varied->problem.contacts = varied->contacts;
  if (problem->local)
    vary_local(varied, problem, order);
  free(order);
}

void vary_end(Varied* varied) {
  free(varied->contacts);
  free(varied->row_start);
  free(varied->column);
  free(varied->values);
  free(varied->value_start);
}
