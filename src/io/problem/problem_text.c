// problem_text.c - contact problems and linear complementarity problems in the text format of
// Siconos.
//
//     d nc, matrix W, q (d nc numbers), mu (nc numbers)             local form
//     d nc, matrix M, matrix H, f, w (d nc numbers), mu             global form
//     n, matrix M, q (n numbers)                                    linear complementarity problem
//     n, matrix M, q, lower, upper (n numbers each)                 relay problem
//     s1 s2 n m, ...                                                mixed problem (problem_text_mixed.c)
//
// White space separates words, line breaks mean nothing outside sparse matrices, and what follows
// the last number is not read (a flag, an initial guess, a comment). They are told apart by where a
// matrix can begin: they never agree on that for more than the first words. A relay problem is one with
// 2 n numbers behind q.
#include "io/problem/problem_text.h"

#include <limits.h>
#include <stdio.h>

static bool skip_words(rgTokens* tokens, int count) {
  rgToken token;
  for (int i = 0; i < count; i++)
    if (!rg_token_next(tokens, &token))
      return false;
  return true;
}

bool rg_text_vector(rgTokens* tokens, const char* letter, size_t count, rgPool* pool,
                    double** vector) {
  char what[16];
  snprintf(what, sizeof what, "%s[%%d]", letter);
  if (count > rg_tokens_left(tokens))
    return rg_tokens_fail(
        tokens, NULL, "%s has %zu numbers, more than the rest of the file can hold", letter, count);
  *vector = rg_pool_take(pool, count, sizeof **vector);
  if (!*vector)
    return rg_tokens_no_memory(tokens);
  for (size_t i = 0; i < count; i++)
    if (!rg_token_real(tokens, what, (int)i, &(*vector)[i]))
      return false;
  return true;
}

static bool read_mu(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  rgTokens before = *tokens;
  if (!rg_text_vector(tokens, "mu", (size_t)data->contact_count, pool, &data->mu))
    return false;
  for (int i = 0; i < data->contact_count; i++) {
    rgToken token;
    rg_token_next(&before, &token);
    if (data->mu[i] < 0)
      return rg_tokens_fail(tokens, &token, "mu[%d] is %g, must be >= 0", i, data->mu[i]);
  }
  return true;
}

static bool check_size(rgTokens* tokens, const rgToken* place, const char* label,
                       const rgTriplets* matrix, int rows, int columns) {
  return (matrix->rows == rows && matrix->columns == columns) ||
         rg_tokens_fail(tokens, place, "%s is %d x %d, must be %d x %d", label, matrix->rows,
                        matrix->columns, rows, columns);
}

static rgToken peek(const rgTokens* tokens) {
  rgTokens ahead = *tokens;
  rgToken token;
  rg_token_next(&ahead, &token);
  return token;
}

static bool read_matrix(rgTokens* tokens, const char* label, int rows, int columns, rgPool* pool,
                        rgTriplets* matrix) {
  rgToken place = peek(tokens);
  return rg_text_matrix(tokens, label, pool, matrix) &&
         check_size(tokens, &place, label, matrix, rows, columns);
}

static bool read_lcp(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  data->dimension = 1;
  return rg_token_int(tokens, "n", 0, 0, INT_MAX - 1, &data->contact_count) &&
         read_matrix(tokens, "M", data->contact_count, data->contact_count, pool, &data->matrix) &&
         rg_text_vector(tokens, "q", (size_t)data->contact_count, pool, &data->q) &&
         rg_text_relay(tokens, pool, data);
}

// Behind the first matrix of a contact problem: a second one makes it global.
static bool is_global(const rgTokens* tokens, const rgProblemData* data, int size) {
  rgMatrixHead head;
  return rg_text_matrix_at(tokens, &head) &&
         (data->matrix.rows != size || (head.rows == size && head.columns == size));
}

static bool read_first_matrix(rgTokens* tokens, int size, rgPool* pool, rgProblemData* data) {
  rgToken place = peek(tokens);
  rgMatrixHead head;
  bool other = rg_text_matrix_at(tokens, &head) && head.rows != size;
  if (!rg_text_matrix(tokens, other ? "M" : "W", pool, &data->matrix))
    return false;
  int rows = data->matrix.rows, columns = data->matrix.columns;
  data->global = is_global(tokens, data, size);
  if (rows == columns && (data->global || rows == size))
    return true;
  return rg_tokens_fail(tokens, &place,
                        "the matrix is %d x %d, must be %d x %d (W), or square and followed by the "
                        "matrix H (M)",
                        rows, columns, size, size);
}

static bool read_contacts(rgTokens* tokens, rgPool* pool, rgProblemData* data) {
  if (!rg_token_int(tokens, "the dimension", 0, 2, 3, &data->dimension) ||
      !rg_token_int(tokens, "the number of contacts", 0, 0, INT_MAX / 4, &data->contact_count))
    return false;
  int size = data->dimension * data->contact_count;
  if (!read_first_matrix(tokens, size, pool, data))
    return false;
  int rows = data->matrix.rows;
  if (data->global && (!read_matrix(tokens, "H", rows, size, pool, &data->h) ||
                       !rg_text_vector(tokens, "f", (size_t)rows, pool, &data->f)))
    return false;
  return rg_text_vector(tokens, data->global ? "w" : "q", (size_t)size, pool, &data->q) &&
         read_mu(tokens, pool, data);
}

// A linear complementarity problem has one number before its matrix, a contact problem two.
static bool is_lcp(const rgTokens* start) {
  rgTokens ahead = *start;
  rgToken token;
  int count;
  rgMatrixHead head, second;
  if (!rg_token_next(&ahead, &token) || !rg_token_whole(&token, &count))
    return false;
  bool one = rg_text_matrix_at(&ahead, &head) && head.rows == count && head.columns == count;
  return one && !(skip_words(&ahead, 1) && (count == 2 || count == 3) &&
                  rg_text_matrix_at(&ahead, &second) && second.rows == second.columns);
}

rgStatus rg_problem_text_read(const char* text, size_t length, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message) {
  *problem = NULL;
  rgPool pool = {*allocator, NULL};
  rgMessage ignored;
  rgTokens tokens = rg_tokens(text, length, name, message ? message : &ignored);
  rgProblemData data = {0};
  bool read = is_lcp(&tokens)             ? read_lcp(&tokens, &pool, &data)
              : rg_text_mixed_at(&tokens) ? rg_text_mixed(&tokens, &pool, &data)
                                          : read_contacts(&tokens, &pool, &data);
  rgStatus status =
      read ? rg_problem_from_data(&data, name, allocator, problem, message) : tokens.status;
  rg_pool_free(&pool);
  return status;
}
