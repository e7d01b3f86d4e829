// tosses.c - reads measured throws, see tosses.h. A row that is not what it should be is refused with
// its file and line: a measurement is never guessed.
#include "experiments/tosses.h"
#include <rigor/vec_math.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, START_NUMBERS = 16, FRAME_NUMBERS = 8 };

// A table of `columns` numbers per row below a header.
typedef struct Table {
  double* numbers;
  int rows, columns;
} Table;

static bool fail(rgMessage* message, const char* path, int line, const char* what) {
  if (line > 0)
    snprintf(message->text, sizeof message->text, "%s:%d: %s", path, line, what);
  else
    snprintf(message->text, sizeof message->text, "%s: %s", path, what);
  return false;
}

// Numbers of a line; exactly `count`, all finite.
static bool read_numbers(const char* line, double* numbers, int count) {
  for (int i = 0; i < count; ++i) {
    char* end;
    numbers[i] = strtod(line, &end);
    bool last = i + 1 == count;
    if (end == line || !isfinite(numbers[i]) || (!last && *end != ','))
      return false;
    line = last ? end : end + 1;
  }
  return line[strspn(line, "\r\n")] == '\0';
}

static bool read_rows(FILE* file, const char* path, Table* table, rgMessage* message) {
  char line[LINE];
  int room = 0, number = 1;
  if (!fgets(line, sizeof line, file))
    return fail(message, path, 0, "is empty");
  while (fgets(line, sizeof line, file)) {
    ++number;
    if (table->rows == room) {
      room = 2 * room + 64;
      void* grown = realloc(table->numbers, (size_t)room * (size_t)table->columns * sizeof(double));
      if (!grown)
        return fail(message, path, 0, "not enough memory");
      table->numbers = grown;
    }
    double* row = table->numbers + (size_t)table->rows * (size_t)table->columns;
    if (!read_numbers(line, row, table->columns))
      return fail(message, path, number, "is not a row of numbers, one per column");
    ++table->rows;
  }
  if (ferror(file))
    return fail(message, path, 0, strerror(errno));
  return table->rows > 0 || fail(message, path, 0, "has no rows");
}

static bool read_table(const char* path, int columns, Table* table, rgMessage* message) {
  *table = (Table){.columns = columns};
  FILE* file = fopen(path, "r");
  if (!file)
    return fail(message, path, 0, strerror(errno));
  bool good = read_rows(file, path, table, message);
  fclose(file);
  return good;
}

static rgPose pose_of(const double* p) {
  double norm = sqrt(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6]);
  return (rgPose){{p[0], p[1], p[2]}, {p[3] / norm, p[4] / norm, p[5] / norm, p[6] / norm}};
}

static bool read_frames(const char* folder, int number, Toss* toss, rgMessage* message) {
  char path[LINE];
  snprintf(path, sizeof path, "%s/ref/%d.csv", folder, number);
  Table table;
  bool good = read_table(path, FRAME_NUMBERS, &table, message);
  toss->frames = good ? calloc((size_t)table.rows, sizeof *toss->frames) : NULL;
  if (good && !toss->frames)
    good = fail(message, path, 0, "not enough memory");
  for (int i = 0; good && i < table.rows; ++i) {
    const double* row = table.numbers + (size_t)i * FRAME_NUMBERS;
    toss->frames[toss->frame_count++] = (TossFrame){row[0], pose_of(row + 1)};
  }
  free(table.numbers);
  return good;
}

bool tosses_read(const char* folder, Tosses* tosses, rgMessage* message) {
  char path[LINE];
  snprintf(path, sizeof path, "%s/ic.csv", folder);
  Table table;
  *tosses = (Tosses){0};
  bool good = read_table(path, START_NUMBERS, &table, message);
  tosses->items = good ? calloc((size_t)table.rows, sizeof *tosses->items) : NULL;
  if (good && !tosses->items)
    good = fail(message, path, 0, "not enough memory");
  for (int i = 0; good && i < table.rows; ++i) {
    const double* row = table.numbers + (size_t)i * START_NUMBERS;
    Toss* toss = &tosses->items[tosses->count++];
    toss->pose = pose_of(row + 3);
    toss->velocity =
        (rgTwist){{row[10], row[11], row[12]},
                  rg_quat_rotate(toss->pose.orientation, rg_vec3(row[13], row[14], row[15]))};
    good = read_frames(folder, (int)row[0], toss, message);
  }
  free(table.numbers);
  return good;
}

void tosses_free(Tosses* tosses) {
  for (int i = 0; i < tosses->count; ++i)
    free(tosses->items[i].frames);
  free(tosses->items);
  *tosses = (Tosses){0};
}
