// mesh_obj.c - polygons in OBJ, the format of Wavefront (1992): its points, faces and groups.
//
//     v x y z            a point
//     f 1/2/3 4 -1 ...   a face: points counted from 1, or backwards from the last one (-1); what
//                        follows a slash (texture, normal) is not used
//     g NAME, o NAME     a new group
//
// Everything else is about looks and is skipped. Faces are cut into fans of triangles.
#include "io/model/mesh.h"

#include "base/memory.h"
#include "io/text/tokens.h"
#include <rigor/vec.h>

#include <math.h>
#include <string.h>

typedef struct Reader {
  rgTokens tokens;
  rgPool* pool; // of the result
  double* coordinates;
  int* corners; // three per triangle
  int* groups;
  int point_count, point_capacity;     // numbers: three per point
  int triangle_count, corner_capacity; // numbers: three per triangle
  int group_count, group_capacity;
} Reader;

static bool no_room(Reader* r) { return rg_tokens_no_memory(&r->tokens); }

// The next word of the present line; false at its end.
static bool next_in_line(rgTokens* tokens, int line, rgToken* token) {
  rgTokens ahead = *tokens;
  if (!rg_token_next(&ahead, token) || token->line != line)
    return false;
  *tokens = ahead;
  return true;
}

static bool read_point(Reader* r, int line) {
  if (!rg_reserve(&r->pool->allocator, (void**)&r->coordinates, &r->point_capacity,
                  3 * (r->point_count + 1), sizeof *r->coordinates))
    return no_room(r);
  rgToken token;
  for (int i = 0; i < 3; i++) {
    double* value = &r->coordinates[3 * r->point_count + i];
    if (!next_in_line(&r->tokens, line, &token))
      return rg_tokens_fail(&r->tokens, NULL, "a point (v) has %d coordinates, must have 3", i);
    if (!rg_token_number(&token, value) || !isfinite(*value))
      return rg_tokens_fail(&r->tokens, &token, "expected a coordinate, found '%.*s'",
                            (int)(token.length < 40 ? token.length : 40), token.text);
  }
  r->point_count++;
  return true;
}

// The index of a corner, from 0.
static bool read_corner(Reader* r, rgToken token, int* corner) {
  const char* slash = memchr(token.text, '/', token.length);
  rgToken number = token;
  if (slash)
    number.length = (size_t)(slash - token.text);
  int value;
  bool whole = number.length > 0 && rg_token_whole(&number, &value);
  if (whole && value < 0)
    value += r->point_count + 1;
  if (!whole || value < 1 || value > r->point_count)
    return rg_tokens_fail(&r->tokens, &token,
                          "a face names the point '%.*s', must be from 1 to %d, or from -%d to -1",
                          (int)(token.length < 40 ? token.length : 40), token.text, r->point_count,
                          r->point_count);
  *corner = value - 1;
  return true;
}

static bool add_triangle(Reader* r, int a, int b, int c) {
  if (r->triangle_count >= RG_MESH_TRIANGLES_MAX ||
      !rg_reserve(&r->pool->allocator, (void**)&r->corners, &r->corner_capacity,
                  3 * (r->triangle_count + 1), sizeof *r->corners))
    return no_room(r);
  memcpy(&r->corners[3 * r->triangle_count++], (int[]){a, b, c}, 3 * sizeof *r->corners);
  return true;
}

static bool read_face(Reader* r, int line) {
  int first = 0, last = 0, corner = 0, count = 0;
  rgToken token;
  for (; next_in_line(&r->tokens, line, &token); count++) {
    if (!read_corner(r, token, &corner))
      return false;
    if (count >= 2 && !add_triangle(r, first, last, corner))
      return false;
    first = count == 0 ? corner : first;
    last = corner;
  }
  return count >= 3 ||
         rg_tokens_fail(&r->tokens, NULL, "a face (f) has %d corners, must have at least 3", count);
}

// A group that got no triangles is none.
static bool begin_group(Reader* r) {
  if (r->group_count > 0 && r->groups[r->group_count - 1] == r->triangle_count)
    return true;
  if (!rg_reserve(&r->pool->allocator, (void**)&r->groups, &r->group_capacity, r->group_count + 1,
                  sizeof *r->groups))
    return no_room(r);
  r->groups[r->group_count++] = r->triangle_count;
  return true;
}

static bool read_lines(Reader* r) {
  rgToken token;
  bool good = begin_group(r);
  while (good && rg_token_next(&r->tokens, &token)) {
    if (rg_token_is(&token, "v"))
      good = read_point(r, token.line);
    else if (rg_token_is(&token, "f"))
      good = read_face(r, token.line);
    else if (rg_token_is(&token, "g") || rg_token_is(&token, "o"))
      good = begin_group(r);
    rgToken rest;
    while (good && next_in_line(&r->tokens, token.line, &rest))
      ;
  }
  if (r->group_count > 1 && r->groups[r->group_count - 1] == r->triangle_count)
    r->group_count--;
  return good;
}

static bool keep(Reader* r, const void* items, int count, size_t size, rgList* list) {
  list->items = rg_pool_take(r->pool, (size_t)count, size);
  list->count = count;
  if (!list->items)
    return no_room(r);
  if (count > 0)
    memcpy(list->items, items, (size_t)count * size);
  return true;
}

rgStatus rg_mesh_parse_obj(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message) {
  Reader r = {.tokens = rg_tokens(text, length, name, message), .pool = pool};
  if (read_lines(&r) && keep(&r, r.coordinates, r.point_count, sizeof(rgVec3), &mesh->points) &&
      keep(&r, r.corners, r.triangle_count, 3 * sizeof *r.corners, &mesh->triangles))
    keep(&r, r.groups, r.group_count, sizeof *r.groups, &mesh->groups);
  rg_release(&pool->allocator, r.coordinates, (size_t)r.point_capacity * sizeof *r.coordinates);
  rg_release(&pool->allocator, r.corners, (size_t)r.corner_capacity * sizeof *r.corners);
  rg_release(&pool->allocator, r.groups, (size_t)r.group_capacity * sizeof *r.groups);
  return r.tokens.status;
}
