// problem_text_matrix.c - matrices of the text format: dense, by blocks, triplets, compressed
// columns.
//
// A matrix begins with `storage rows columns`. A size is trusted only if the rest of the file can
// hold that many words, so that a wrong one costs a message and no memory.
#include "io/problem/problem_text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_SIZE = 64 };

typedef struct Reader {
  rgTokens* tokens;
  const char* label; // W, M or H
  rgPool* pool;
  rgTriplets* matrix;
} Reader;

// "W: text" for messages about the next number.
static const char* name_of(const Reader* reader, const char* what, char text[LABEL_SIZE]) {
  snprintf(text, LABEL_SIZE, "%s: %s", reader->label, what);
  return text;
}

static bool read_count(Reader* reader, const char* what, int lower, int upper, int* value) {
  char name[LABEL_SIZE];
  return rg_token_int(reader->tokens, name_of(reader, what, name), 0, lower, upper, value);
}

// Room for `count` entries that need `words` words in all.
static bool reserve(Reader* reader, unsigned long long count, unsigned long long words) {
  if (words > rg_tokens_left(reader->tokens) || count > INT_MAX)
    return rg_tokens_fail(reader->tokens, NULL,
                          "%s has %llu entries here, more than the rest of the file can hold",
                          reader->label, count);
  reader->matrix->items = rg_pool_take(reader->pool, (size_t)count, sizeof *reader->matrix->items);
  return reader->matrix->items || rg_tokens_no_memory(reader->tokens);
}

static void put(rgTriplets* matrix, int row, int column, double value) {
  if (value != 0 || signbit(value))
    matrix->items[matrix->count++] = (rgTriplet){row, column, value};
}

static bool read_entry(Reader* reader, int row, int column) {
  double value;
  char name[LABEL_SIZE];
  snprintf(name, sizeof name, "%s(%d, %d)", reader->label, row, column);
  if (!rg_token_real(reader->tokens, name, 0, &value))
    return false;
  put(reader->matrix, row, column, value);
  return true;
}

// rows x columns numbers, column after column, with (row, column) as the first.
static bool read_columns(Reader* reader, int row, int column, int rows, int columns) {
  for (int j = 0; j < columns; j++)
    for (int i = 0; i < rows; i++)
      if (!read_entry(reader, row + i, column + j))
        return false;
  return true;
}

static bool read_dense(Reader* reader) {
  int rows = reader->matrix->rows, columns = reader->matrix->columns, again;
  unsigned long long count = (unsigned long long)rows * (unsigned long long)columns;
  return read_count(reader, "rows", rows, rows, &again) &&
         read_count(reader, "columns", columns, columns, &again) && reserve(reader, count, count) &&
         read_columns(reader, 0, 0, rows, columns);
}

// -------------------------------------------------------------------------------------------------
// Blocks
// -------------------------------------------------------------------------------------------------

typedef struct Blocks {
  int count, rows, columns;
  int *row_end, *column_end; // in numbers
  int filled1, filled2;
  int *start, *column; // of block rows; of blocks
} Blocks;

// A list of `count` whole numbers; 0 .. upper, ascending when `ascending`.
static bool read_list(Reader* reader, const char* what, int count, int upper, bool ascending,
                      int** list) {
  if ((size_t)count > rg_tokens_left(reader->tokens))
    return rg_tokens_fail(reader->tokens, NULL,
                          "%s: %s has %d numbers, more than the rest of the file can hold",
                          reader->label, what, count);
  *list = rg_pool_take(reader->pool, (size_t)count, sizeof **list);
  if (!*list)
    return rg_tokens_no_memory(reader->tokens);
  for (int i = 0; i < count; i++) {
    char name[LABEL_SIZE];
    snprintf(name, sizeof name, "%s: %s[%d]", reader->label, what, i);
    int lower = ascending && i > 0 ? (*list)[i - 1] : 0;
    if (!rg_token_int(reader->tokens, name, i, lower, upper, &(*list)[i]))
      return false;
  }
  return true;
}

static bool check_last(Reader* reader, const char* what, const int* list, int count, int wanted) {
  int last = count > 0 ? list[count - 1] : 0;
  return last == wanted || rg_tokens_fail(reader->tokens, NULL, "%s: %s ends with %d, must be %d",
                                          reader->label, what, last, wanted);
}

static bool read_blocks_head(Reader* reader, Blocks* b) {
  int rows = reader->matrix->rows, columns = reader->matrix->columns;
  return read_count(reader, "number of blocks", 0, INT_MAX - 1, &b->count) &&
         read_count(reader, "number of block rows", 0, rows, &b->rows) &&
         read_count(reader, "number of block columns", 0, columns, &b->columns) &&
         read_list(reader, "end of block row", b->rows, rows, true, &b->row_end) &&
         check_last(reader, "the list of block rows", b->row_end, b->rows, rows) &&
         read_list(reader, "end of block column", b->columns, columns, true, &b->column_end) &&
         check_last(reader, "the list of block columns", b->column_end, b->columns, columns) &&
         read_count(reader, "length of index1", 1, b->rows + 1, &b->filled1) &&
         read_count(reader, "length of index2", b->count, b->count, &b->filled2) &&
         read_list(reader, "index1", b->filled1, b->count, true, &b->start) &&
         check_last(reader, "index1", b->start, b->filled1, b->count) &&
         read_list(reader, "index2", b->filled2, b->columns - 1, false, &b->column);
}

static int extent(const int* ends, int i) { return ends[i] - (i > 0 ? ends[i - 1] : 0); }

static bool read_blocks(Reader* reader) {
  Blocks b = {0};
  if (!read_blocks_head(reader, &b))
    return false;
  unsigned long long entries = 0;
  for (int row = 0; row + 1 < b.filled1; row++)
    for (int k = b.start[row]; k < b.start[row + 1]; k++)
      entries += (unsigned long long)extent(b.row_end, row) *
                 (unsigned long long)extent(b.column_end, b.column[k]);
  if (b.start[0] != 0)
    return rg_tokens_fail(reader->tokens, NULL, "%s: index1 begins with %d, must be 0",
                          reader->label, b.start[0]);
  if (!reserve(reader, entries, entries + (unsigned long long)b.count))
    return false;
  for (int row = 0; row + 1 < b.filled1; row++)
    for (int k = b.start[row]; k < b.start[row + 1]; k++) {
      int number, rows = extent(b.row_end, row), columns = extent(b.column_end, b.column[k]);
      if (!read_count(reader, "number of the block", k, k, &number) ||
          !read_columns(reader, b.row_end[row] - rows, b.column_end[b.column[k]] - columns, rows,
                        columns))
        return false;
    }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Sparse
// -------------------------------------------------------------------------------------------------

// "12-by-7," to its two numbers.
static bool parse_by(const rgToken* token, int* rows, int* columns) {
  static const char by[] = "-by-";
  for (size_t i = 1; i + sizeof by - 1 < token->length; i++) {
    if (memcmp(token->text + i, by, sizeof by - 1) != 0)
      continue;
    size_t after = i + sizeof by - 1;
    rgToken left = {.text = token->text, .length = i};
    rgToken right = {.text = token->text + after, .length = token->length - after};
    if (right.text[right.length - 1] == ',')
      right.length--;
    return rg_token_whole(&left, rows) && rg_token_whole(&right, columns);
  }
  return false;
}

// A whole number that a comma may follow.
static bool read_listed(Reader* reader, const char* what, int* value) {
  rgToken token;
  if (!rg_token_next(reader->tokens, &token))
    return rg_tokens_fail(reader->tokens, NULL, "unexpected end of file, expected %s of %s", what,
                          reader->label);
  if (token.text[token.length - 1] == ',')
    token.length--;
  return (rg_token_whole(&token, value) && *value >= 0) ||
         rg_tokens_fail(reader->tokens, &token, "%s: %s must be a whole number >= 0", reader->label,
                        what);
}

// The banner, any words in one line, and "[triplet: ]R-by-C, nzmax: n nnz: n" on the next.
static bool read_sparse_head(Reader* reader, bool* triplets, int* count) {
  rgTokens* tokens = reader->tokens;
  rgToken token;
  int rows, columns, room;
  rg_token_skip_line(tokens); // of the origin
  rg_token_skip_line(tokens); // the banner
  bool there = rg_token_next(tokens, &token);
  *triplets = there && rg_token_is(&token, "triplet:");
  if (*triplets)
    there = rg_token_next(tokens, &token);
  if (!there || !parse_by(&token, &rows, &columns))
    return rg_tokens_fail(tokens, there ? &token : NULL,
                          "%s: expected 'triplet: R-by-C,' or 'R-by-C,'", reader->label);
  if (rows != reader->matrix->rows || columns != reader->matrix->columns)
    return rg_tokens_fail(tokens, &token, "%s is %d x %d here and %d x %d above", reader->label,
                          rows, columns, reader->matrix->rows, reader->matrix->columns);
  bool good = rg_token_word(tokens, "nzmax:") && read_listed(reader, "nzmax", &room) &&
              rg_token_word(tokens, "nnz:") && read_listed(reader, "nnz", count);
  if (good)
    rg_token_skip_line(tokens); // a norm may follow
  return good;
}

static bool read_triplets(Reader* reader, int count) {
  for (int k = 0; k < count; k++) {
    int row, column;
    if (!read_count(reader, "row", 0, reader->matrix->rows - 1, &row) ||
        !read_count(reader, "column", 0, reader->matrix->columns - 1, &column) ||
        !rg_token_word(reader->tokens, ":") || !read_entry(reader, row, column))
      return false;
  }
  return true;
}

static bool read_compressed(Reader* reader, int count) {
  rgTokens* tokens = reader->tokens;
  int used = 0;
  for (int column = 0; column < reader->matrix->columns; column++) {
    int number, first, last;
    if (!rg_token_word(tokens, "col") ||
        !read_count(reader, "number of the column", column, column, &number) ||
        !rg_token_word(tokens, ":") || !rg_token_word(tokens, "locations") ||
        !read_count(reader, "first location", used, used, &first) || !rg_token_word(tokens, "to") ||
        !read_count(reader, "last location", used - 1, count - 1, &last))
      return false;
    for (; used <= last; used++) {
      int row;
      if (!read_count(reader, "row", 0, reader->matrix->rows - 1, &row) ||
          !rg_token_word(tokens, ":") || !read_entry(reader, row, column))
        return false;
    }
  }
  return used == count || rg_tokens_fail(tokens, NULL, "%s: the columns have %d entries, nnz is %d",
                                         reader->label, used, count);
}

static bool read_sparse(Reader* reader) {
  int origin, count;
  bool triplets;
  if (!read_count(reader, "origin", INT_MIN, INT_MAX, &origin) ||
      !read_sparse_head(reader, &triplets, &count))
    return false;
  unsigned long long entries = (unsigned long long)count;
  if (!reserve(reader, entries, (triplets ? 4 : 3) * entries))
    return false;
  return triplets ? read_triplets(reader, count) : read_compressed(reader, count);
}

// -------------------------------------------------------------------------------------------------
// Any storage
// -------------------------------------------------------------------------------------------------

static bool next_whole(rgTokens* tokens, int* value) {
  rgToken token;
  return rg_token_next(tokens, &token) && rg_token_whole(&token, value);
}

bool rg_text_matrix_at(const rgTokens* tokens, rgMatrixHead* head) {
  rgTokens ahead = *tokens;
  int first, second;
  rgToken token;
  double number;
  if (!next_whole(&ahead, &head->storage) || !next_whole(&ahead, &head->rows) ||
      !next_whole(&ahead, &head->columns) || head->rows < 0 || head->columns < 0)
    return false;
  switch (head->storage) {
  case RG_STORAGE_DENSE:
    return next_whole(&ahead, &first) && next_whole(&ahead, &second) && first == head->rows &&
           second == head->columns;
  case RG_STORAGE_BLOCKS:
    return next_whole(&ahead, &first) && next_whole(&ahead, &first) && first <= head->rows &&
           next_whole(&ahead, &second) && second <= head->columns;
  case RG_STORAGE_SPARSE:
    return next_whole(&ahead, &first) && rg_token_next(&ahead, &token) &&
           !rg_token_number(&token, &number);
  default:
    return false;
  }
}

bool rg_text_matrix(rgTokens* tokens, const char* label, rgPool* pool, rgTriplets* matrix) {
  Reader reader = {tokens, label, pool, matrix};
  *matrix = (rgTriplets){0};
  int storage;
  if (!read_count(&reader, "storage (0 dense, 1 blocks, 2 sparse)", RG_STORAGE_DENSE,
                  RG_STORAGE_SPARSE, &storage) ||
      !read_count(&reader, "rows", 0, INT_MAX - 1, &matrix->rows) ||
      !read_count(&reader, "columns", 0, INT_MAX - 1, &matrix->columns))
    return false;
  return storage == RG_STORAGE_DENSE    ? read_dense(&reader)
         : storage == RG_STORAGE_BLOCKS ? read_blocks(&reader)
                                        : read_sparse(&reader);
}
