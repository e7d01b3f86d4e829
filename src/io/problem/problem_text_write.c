// problem_text_write.c - contact problems in the text format of Siconos.
//
// Matrices are written by blocks, which every version of that code reads: 6 x 6 for M, 6 x d for H,
// d x d for W. A problem with one number per contact is a linear complementarity problem, with a
// dense matrix. Numbers read back to the same bits.
#include "io/problem/problem_file.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"
#include "io/text/output.h"

#include <stdio.h>
#include <string.h>

enum { BODY = 6, PER_LINE = 6 };

typedef struct Out {
  FILE* file;
  rgPool* pool;
} Out;

static void write_number(Out* out, double value) {
  char text[RG_NUMBER_SIZE];
  rg_number_format(value, text);
  fputs(text, out->file);
}

static void write_vector(Out* out, const double* vector, int count) {
  for (int i = 0; i < count; i++) {
    write_number(out, vector[i]);
    fputc(i + 1 == count || i % PER_LINE == PER_LINE - 1 ? '\n' : ' ', out->file);
  }
}

static void write_ends(Out* out, int count, int size) {
  for (int i = 1; i <= count; i++)
    fprintf(out->file, "%d%c", i * size, i == count ? '\n' : ' ');
}

// -------------------------------------------------------------------------------------------------
// Blocks
// -------------------------------------------------------------------------------------------------

typedef struct Blocks {
  int rows, columns;        // of blocks
  int height, width;        // of one
  int* start;               // rows + 1: blocks
  int* column;              // of each block
  double* values;           // height x width each, column after column
  int *entry_start, *entry; // entries of the matrix by block row
} Blocks;

static bool by_row(const rgTriplets* m, Blocks* b, rgPool* pool) {
  b->entry_start = rg_pool_take(pool, (size_t)b->rows + 2, sizeof(int));
  b->entry = rg_pool_take(pool, (size_t)m->count, sizeof(int));
  if (!b->entry_start || !b->entry)
    return false;
  int* start = b->entry_start; // counts stand two places ahead and become starts on the way
  for (int k = 0; k < m->count; k++)
    start[m->items[k].row / b->height + 2]++;
  for (int i = 2; i <= b->rows; i++)
    start[i] += start[i - 1];
  for (int k = 0; k < m->count; k++)
    b->entry[start[m->items[k].row / b->height + 1]++] = k;
  return true;
}

// Blocks that hold an entry, in ascending order of their columns in each row; diagonal blocks of a
// square matrix are always there.
static bool find_blocks(const rgTriplets* m, bool diagonal, Blocks* b, rgPool* pool) {
  bool* used = rg_pool_take(pool, (size_t)b->columns, sizeof *used);
  b->start = rg_pool_take(pool, (size_t)b->rows + 1, sizeof(int));
  b->column = rg_pool_take(pool, (size_t)m->count + (size_t)b->rows, sizeof(int));
  if (!used || !b->start || !b->column || !by_row(m, b, pool))
    return false;
  for (int row = 0; row < b->rows; row++) {
    int count = b->start[row];
    if (diagonal)
      used[row] = true;
    int low = diagonal ? row : b->columns, high = diagonal ? row : -1;
    for (int k = b->entry_start[row]; k < b->entry_start[row + 1]; k++) {
      int column = m->items[b->entry[k]].column / b->width;
      used[column] = true;
      low = column < low ? column : low;
      high = column > high ? column : high;
    }
    for (int column = low; column <= high; column++)
      if (used[column])
        b->column[count++] = column;
    for (int k = b->start[row]; k < count; k++)
      used[b->column[k]] = false;
    b->start[row + 1] = count;
  }
  return true;
}

static void fill_row(const rgTriplets* m, const Blocks* b, int row, double* values) {
  int first = b->start[row], count = b->start[row + 1] - first, size = b->height * b->width;
  memset(values, 0, (size_t)count * (size_t)size * sizeof *values);
  for (int k = b->entry_start[row]; k < b->entry_start[row + 1]; k++) {
    const rgTriplet* entry = &m->items[b->entry[k]];
    int low = first, high = first + count - 1, column = entry->column / b->width;
    while (low < high) {
      int middle = (low + high) / 2;
      if (b->column[middle] < column)
        low = middle + 1;
      else
        high = middle;
    }
    size_t at = (size_t)(low - first) * (size_t)size;
    at += (size_t)(entry->column % b->width * b->height + entry->row % b->height);
    values[at] = values[at] == 0 ? entry->value : values[at] + entry->value;
  }
}

static bool write_blocks(Out* out, const rgTriplets* m, int height, int width) {
  Blocks b = {
      .rows = m->rows / height, .columns = m->columns / width, .height = height, .width = width};
  bool diagonal = m->rows == m->columns && height == width;
  if (!find_blocks(m, diagonal, &b, out->pool))
    return false;
  int most = 0, size = height * width, blocks = b.start[b.rows];
  for (int row = 0; row < b.rows; row++)
    most = b.start[row + 1] - b.start[row] > most ? b.start[row + 1] - b.start[row] : most;
  b.values = rg_pool_take(out->pool, (size_t)most * (size_t)size, sizeof *b.values);
  if (!b.values)
    return false;
  fprintf(out->file, "1\n%d\n%d\n%d\n%d\n%d\n", m->rows, m->columns, blocks, b.rows, b.columns);
  write_ends(out, b.rows, height);
  write_ends(out, b.columns, width);
  fprintf(out->file, "%d\n%d\n", b.rows + 1, blocks);
  for (int i = 0; i <= b.rows; i++)
    fprintf(out->file, "%d%c", b.start[i], i == b.rows ? '\n' : ' ');
  for (int k = 0; k < blocks; k++)
    fprintf(out->file, "%d%c", b.column[k], k + 1 == blocks ? '\n' : ' ');
  for (int row = 0; row < b.rows; row++) {
    fill_row(m, &b, row, b.values);
    for (int k = b.start[row]; k < b.start[row + 1]; k++) {
      fprintf(out->file, "%d\n", k);
      write_vector(out, b.values + (size_t)(k - b.start[row]) * (size_t)size, size);
    }
  }
  return true;
}

static bool write_dense(Out* out, const rgTriplets* m) {
  size_t rows = (size_t)m->rows;
  double* values = rg_pool_take(out->pool, rows * (size_t)m->columns, sizeof *values);
  if (!values)
    return false;
  for (int k = 0; k < m->count; k++)
    values[(size_t)m->items[k].column * rows + (size_t)m->items[k].row] = m->items[k].value;
  fprintf(out->file, "0\n%d\n%d\n%d\t%d\n", m->rows, m->columns, m->rows, m->columns);
  for (int column = 0; column < m->columns; column++)
    write_vector(out, values + (size_t)column * rows, m->rows);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Problems
// -------------------------------------------------------------------------------------------------

static bool write_data(Out* out, const rgProblemData* data) {
  int d = data->dimension, size = d * data->contact_count;
  if (d == 1)
    fprintf(out->file, "%d\n", data->contact_count);
  else
    fprintf(out->file, "%d\n%d\n", d, data->contact_count);
  bool done =
      d == 1 ? write_dense(out, &data->matrix)
             : write_blocks(out, &data->matrix, data->global ? BODY : d, data->global ? BODY : d) &&
                   (!data->global || write_blocks(out, &data->h, BODY, d));
  if (!done)
    return false;
  if (data->global)
    write_vector(out, data->f, data->matrix.rows);
  write_vector(out, data->q, size);
  if (d > 1)
    write_vector(out, data->mu, data->contact_count);
  return true;
}

rgStatus rg_problem_text_write(const rgProblem* problem, bool global, const char* path,
                               rgMessage* message) {
  rgPool pool = {rg_allocator_default(), NULL};
  rgProblemData data;
  rgStatus status =
      rg_problem_export_data(problem, (rgDataForm){global, false}, path, &pool, &data, message);
  rgOutput* output = NULL;
  if (status == RG_OK)
    status = rg_output_open(path, &output, message);
  if (status == RG_OK) {
    Out out = {rg_output_stream(output), &pool};
    if (write_data(&out, &data)) {
      status = rg_output_commit(output, message);
    } else {
      rg_output_abandon(output);
      status = rg_fail(message, RG_ERROR_MEMORY, "cannot write %s: not enough memory", path);
    }
  }
  rg_pool_free(&pool);
  return status;
}
