// problem_text_mixed.c - mixed linear complementarity problems and relay problems in the text format of
// Siconos.
//
// A mixed problem begins with four whole numbers s1 s2 n m: which of its two forms follow (0 or 1), and
// how many unknowns are equations and how many complementary. The first form is
//
//     0 .. n + m: ends of blocks of rows, whether each block is complementary (0 or 1), matrix M, q
//
// and the second, if the first is not there,
//
//     A (n x n)   B (m x m)   C (n x m)   D (m x n)   a (n)   b (m)         row after row, for
//     A x + C z + a = 0,      0 <= z perpendicular to D x + B z + b >= 0.
//
// A relay problem is lower <= z <= upper with M z + q in the normal cone, as the rows of problem.h.
#include "io/problem/problem_text.h"

#include <limits.h>
#include <math.h>

typedef struct Head {
  int first, second; // forms
  int n, m;
} Head;

static bool read_head(rgTokens* tokens, Head* head) {
  int* numbers[4] = {&head->first, &head->second, &head->n, &head->m};
  for (int i = 0; i < 4; i++) {
    rgToken token;
    if (!rg_token_next(tokens, &token) || !rg_token_whole(&token, numbers[i]) || *numbers[i] < 0)
      return false;
  }
  return head->first <= 1 && head->second <= 1 && head->first + head->second > 0 &&
         head->n <= INT_MAX / 2 && head->m <= INT_MAX / 2 && head->n + head->m > 0;
}

bool rg_text_mixed_at(const rgTokens* tokens) {
  rgTokens ahead = *tokens;
  Head head;
  return read_head(&ahead, &head);
}

static bool take_bounds(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  size_t count = (size_t)data->contact_count;
  data->lower = rg_pool_take(pool, count, sizeof *data->lower);
  data->upper = rg_pool_take(pool, count, sizeof *data->upper);
  return (data->lower && data->upper) || rg_tokens_no_memory(tokens);
}

static void set_kind(rgProblemData* data, int i, bool complementary) {
  data->lower[i] = complementary ? 0 : -HUGE_VAL;
  data->upper[i] = HUGE_VAL;
}

// Ends of blocks, from 0 to the number of unknowns, then a flag for each.
static bool read_kinds(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  int count = data->contact_count, blocks = 0, end = 0;
  int* ends = rg_pool_take(pool, (size_t)count + 1, sizeof *ends);
  if (!ends)
    return rg_tokens_no_memory(tokens);
  if (!rg_token_int(tokens, "the first end of a block of rows", 0, 0, 0, &end))
    return false;
  while (end < count) {
    // An empty block is none too many, but there are not more blocks than rows and one.
    int least = blocks < count ? end : count;
    if (!rg_token_int(tokens, "the end of block %d of rows", blocks, least, count, &end))
      return false;
    ends[blocks++] = end;
  }
  for (int k = 0, i = 0; k < blocks; k++) {
    int complementary;
    if (!rg_token_int(tokens, "the kind of block %d", k, 0, 1, &complementary))
      return false;
    for (; i < ends[k]; i++)
      set_kind(data, i, complementary);
  }
  return true;
}

static bool read_first_form(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  int count = data->contact_count;
  rgTokens before;
  if (!read_kinds(tokens, pool, data))
    return false;
  before = *tokens;
  if (!rg_text_matrix(tokens, "M", pool, &data->matrix))
    return false;
  if (data->matrix.rows != count || data->matrix.columns != count) {
    rgToken place;
    rg_token_next(&before, &place);
    return rg_tokens_fail(tokens, &place, "M is %d x %d, must be %d x %d", data->matrix.rows,
                          data->matrix.columns, count, count);
  }
  return rg_text_vector(tokens, "q", (size_t)count, pool, &data->q);
}

// A block of M, row after row.
static bool read_part(rgTokens* tokens, const char* letter, int row, int rows, int column,
                      int columns, rgPool* pool, rgTriplets* matrix) {
  double* values;
  if (!rg_text_vector(tokens, letter, (size_t)rows * (size_t)columns, pool, &values))
    return false;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      matrix->items[matrix->count++] =
          (rgTriplet){row + i, column + j, values[(size_t)i * (size_t)columns + (size_t)j]};
  return true;
}

static bool read_second_form(rgTokens* tokens, const Head* head, rgPool* pool,
                             rgProblemData* data) {
  int n = head->n, m = head->m, count = n + m;
  double *a, *b;
  if ((double)count * count > (double)rg_tokens_left(tokens))
    return rg_tokens_fail(tokens, NULL, "M has %g numbers, more than the rest of the file can hold",
                          (double)count * count);
  data->matrix = (rgTriplets){.rows = count, .columns = count};
  data->matrix.items =
      rg_pool_take(pool, (size_t)count * (size_t)count, sizeof *data->matrix.items);
  data->q = rg_pool_take(pool, (size_t)count, sizeof *data->q);
  if (!data->matrix.items || !data->q)
    return rg_tokens_no_memory(tokens);
  if (!read_part(tokens, "A", 0, n, 0, n, pool, &data->matrix) ||
      !read_part(tokens, "B", n, m, n, m, pool, &data->matrix) ||
      !read_part(tokens, "C", 0, n, n, m, pool, &data->matrix) ||
      !read_part(tokens, "D", n, m, 0, n, pool, &data->matrix) ||
      !rg_text_vector(tokens, "a", (size_t)n, pool, &a) ||
      !rg_text_vector(tokens, "b", (size_t)m, pool, &b))
    return false;
  for (int i = 0; i < count; i++) {
    data->q[i] = i < n ? a[i] : b[i - n];
    set_kind(data, i, i >= n);
  }
  return true;
}

bool rg_text_mixed(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  Head head;
  read_head(tokens, &head);
  data->dimension = 1;
  data->contact_count = head.n + head.m;
  if ((size_t)data->contact_count > rg_tokens_left(tokens))
    return rg_tokens_fail(tokens, NULL, "the problem has %d unknowns, more than the file can hold",
                          data->contact_count);
  if (!take_bounds(tokens, pool, data))
    return false;
  return head.first ? read_first_form(tokens, pool, data)
                    : read_second_form(tokens, &head, pool, data);
}

bool rg_text_relay(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  rgTokens ahead = *tokens;
  int count = data->contact_count;
  for (int i = 0; i < 2 * count; i++) {
    rgToken token;
    double value;
    if (!rg_token_next(&ahead, &token) || !rg_token_number(&token, &value))
      return true; // a comment, or a first guess: no relay problem
  }
  rgTokens before = *tokens;
  if (count == 0 || !rg_text_vector(tokens, "lower", (size_t)count, pool, &data->lower) ||
      !rg_text_vector(tokens, "upper", (size_t)count, pool, &data->upper))
    return count == 0;
  for (int i = 0; i < count; i++) {
    rgToken token;
    rg_token_next(&before, &token);
    if (data->lower[i] > data->upper[i])
      return rg_tokens_fail(tokens, &token, "lower[%d] is %g, must be <= upper[%d], which is %g", i,
                            data->lower[i], i, data->upper[i]);
  }
  return true;
}
