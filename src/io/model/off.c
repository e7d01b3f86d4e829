// off.c - polyhedra in Object File Format.
//
//     OFF
//     points polygons edges        # the number of edges is not used
//     x y z                        # one line per point
//     n i1 i2 ... in               # one line per polygon, counter-clockwise seen from outside;
//                                  # colours may follow
//
// A # begins a comment.
#include "io/model/off.h"

#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Scanner {
  const char *at, *end;
  const char* name;
  int line;
  rgMessage* message;
} Scanner;

static rgStatus fail(const Scanner* s, const char* format, ...) RG_PRINTF(2, 3);
static rgStatus fail(const Scanner* s, const char* format, ...) {
  char what[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return rg_fail(s->message, RG_ERROR_INPUT, "%s:%d: %s", s->name, s->line, what);
}

static void skip_line(Scanner* s) {
  while (s->at < s->end && *s->at != '\n')
    s->at++;
}

// Skips white space, line ends and comments.
static bool skip_space(Scanner* s) {
  for (; s->at < s->end; s->at++) {
    if (*s->at == '#')
      skip_line(s);
    if (s->at == s->end)
      break;
    if (*s->at == '\n')
      s->line++;
    else if (*s->at != ' ' && *s->at != '\t' && *s->at != '\r')
      return true;
  }
  return false;
}

// The next number, written as in JSON.
static rgStatus read_number(Scanner* s, const char* what, double* value) {
  if (!skip_space(s))
    return fail(s, "unexpected end of file, expected %s", what);
  size_t length = rg_number_scan(s->at, (size_t)(s->end - s->at));
  *value = length ? rg_number_value(s->at, length) : 0;
  if (length == 0 || !isfinite(*value))
    return fail(s, "expected %s, found '%.*s'", what, (int)strcspn(s->at, " \t\r\n"), s->at);
  s->at += length;
  return RG_OK;
}

static rgStatus read_count(Scanner* s, const char* what, int upper, int* value) {
  double number = 0;
  rgStatus status = read_number(s, what, &number);
  if (status != RG_OK)
    return status;
  if (!(number >= 0 && number <= upper && floor(number) == number))
    return fail(s, "expected %s (a whole number from 0 to %d), found %g", what, upper, number);
  *value = (int)number;
  return RG_OK;
}

static rgStatus read_points(Scanner* s, rgPool* pool, int count, rgList* points) {
  double* coordinate = rg_pool_take(pool, (size_t)count, sizeof(rgVec3));
  if (!coordinate)
    return rg_fail(s->message, RG_ERROR_MEMORY, "%s: not enough memory for %d points", s->name,
                   count);
  for (int i = 0; i < 3 * count; i++) {
    rgStatus status = read_number(s, "a coordinate", &coordinate[i]);
    if (status != RG_OK)
      return status;
  }
  *points = (rgList){coordinate, count};
  return RG_OK;
}

// One polygon as a fan of triangles.
static rgStatus read_polygon(Scanner* s, int point_count, int* triangle, int room, int* made) {
  int corners = 0, first = 0, last = 0, corner = 0;
  rgStatus status = read_count(s, "the number of corners", point_count, &corners);
  if (status == RG_OK && (corners < 3 || corners - 2 > room))
    return fail(s, "a polygon has %d corners, must have at least 3", corners);
  for (int i = 0; i < corners && status == RG_OK; i++) {
    status = read_count(s, "a corner", point_count - 1, &corner);
    if (i == 0)
      first = corner;
    if (i >= 2 && status == RG_OK)
      memcpy(&triangle[3 * (*made)++], (int[]){first, last, corner}, 3 * sizeof *triangle);
    last = corner;
  }
  skip_line(s); // colours
  return status;
}

rgStatus rg_off_parse(const char* text, size_t length, const char* name, rgPool* pool,
                      rgList* points, rgList* triangles, rgMessage* message) {
  Scanner s = {text, text + length, name, 1, message};
  if (!skip_space(&s) || s.end - s.at < 3 || memcmp(s.at, "OFF", 3) != 0)
    return fail(&s, "the file does not begin with OFF");
  s.at += 3;
  // A number takes at least two bytes, which bounds the counts before any memory is allocated.
  int upper = length < 1u << 30 ? (int)(length / 2) : 1 << 29;
  int point_count = 0, polygon_count = 0, edges;
  rgStatus status = read_count(&s, "the number of points", upper, &point_count);
  if (status == RG_OK)
    status = read_count(&s, "the number of polygons", upper, &polygon_count);
  if (status == RG_OK)
    status = read_count(&s, "the number of edges", 1 << 30, &edges);
  if (status == RG_OK)
    status = read_points(&s, pool, point_count, points);
  if (status != RG_OK)
    return status;

  int room = (int)((s.end - s.at) / 2); // triangles: one per two bytes at most
  int* triangle = rg_pool_take(pool, (size_t)room, 3 * sizeof *triangle);
  if (!triangle)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory for its polygons", name);
  int made = 0;
  for (int i = 0; i < polygon_count && status == RG_OK; i++)
    status = read_polygon(&s, point_count, triangle, room - made, &made);
  *triangles = (rgList){triangle, made};
  return status;
}
