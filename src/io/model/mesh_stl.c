// mesh_stl.c - triangles in STL, the format of 3D Systems (1988).
//
// Binary: 80 bytes of any text, the number of triangles (32 bits, little-endian), and for each one
// 12 single-precision numbers (normal, three corners) and two bytes. Text:
//
//     solid NAME
//       facet normal x y z
//         outer loop
//           vertex x y z      (three times)
//         endloop
//       endfacet
//     endsolid NAME
//
// Normals are not used. Binary files may begin with "solid" too: the length tells them apart.
#include "io/model/mesh.h"

#include "io/text/tokens.h"
#include <rigor/vec.h>

#include <math.h>
#include <string.h>

enum { HEADER = 84, RECORD = 50 }; // [bytes]

static uint32_t little_endian(const char* at) {
  const unsigned char* b = (const unsigned char*)at;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double single(const char* at) {
  uint32_t bits = little_endian(at);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

// Room for triangles that share no corners.
static bool take_room(rgPool* pool, int count, rgMesh* mesh) {
  rgVec3* points = rg_pool_take(pool, (size_t)count * 3, sizeof *points);
  int* triangles = rg_pool_take(pool, (size_t)count * 3, sizeof *triangles);
  if (!points || !triangles)
    return false;
  for (int i = 0; i < 3 * count; i++)
    triangles[i] = i;
  mesh->points = (rgList){points, 3 * count};
  mesh->triangles = (rgList){triangles, count};
  return true;
}

static rgStatus parse_binary(const char* text, size_t length, const char* name, rgPool* pool,
                             rgMesh* mesh, rgMessage* message) {
  uint32_t count = length >= HEADER ? little_endian(text + 80) : 0;
  if (length < HEADER)
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s: has %zu bytes, neither a text STL (\"solid ...\") nor a binary one", name,
                   length);
  if (count > RG_MESH_TRIANGLES_MAX || length < HEADER + (size_t)count * RECORD)
    return rg_fail(message, RG_ERROR_INPUT,
                   "%s: names %lu triangles, which need %.0f bytes, and has %zu", name,
                   (unsigned long)count, HEADER + (double)count * RECORD, length);
  if (!take_room(pool, (int)count, mesh))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  double* coordinate = mesh->points.items;
  for (uint32_t i = 0; i < count; i++)
    for (int j = 0; j < 9; j++) {
      double value = single(text + HEADER + (size_t)i * RECORD + 12 + 4 * j);
      if (!isfinite(value))
        return rg_fail(message, RG_ERROR_INPUT,
                       "%s: triangle %lu has a coordinate that is not finite", name,
                       (unsigned long)i);
      coordinate[9 * (size_t)i + (size_t)j] = value;
    }
  return RG_OK;
}

// "vertex x y z" three times, between the other words of a facet.
static bool read_facet(rgTokens* tokens, double* coordinate) {
  double normal;
  bool good = rg_token_word(tokens, "normal");
  rgToken token;
  for (int i = 0; i < 3 && good; i++)
    good = rg_token_next(tokens, &token) &&
           (rg_token_number(&token, &normal) ||
            rg_tokens_fail(tokens, &token, "expected a number of the normal, found '%.*s'",
                           (int)(token.length < 40 ? token.length : 40), token.text));
  good = good && rg_token_word(tokens, "outer") && rg_token_word(tokens, "loop");
  for (int i = 0; i < 3 && good; i++) {
    good = rg_token_word(tokens, "vertex");
    for (int j = 0; j < 3 && good; j++)
      good = rg_token_real(tokens, "a coordinate", 0, &coordinate[3 * i + j]);
  }
  return good && rg_token_word(tokens, "endloop") && rg_token_word(tokens, "endfacet");
}

static rgStatus parse_text(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message) {
  rgTokens tokens = rg_tokens(text, length, name, message);
  rg_token_skip_line(&tokens);                 // solid and its name, which may be any words
  size_t room = (length - tokens.at) / 60 + 1; // a facet has more letters than that
  if (room > RG_MESH_TRIANGLES_MAX || !take_room(pool, (int)room, mesh))
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  int count = 0;
  rgToken token;
  while (rg_token_next(&tokens, &token)) {
    if (rg_token_is(&token, "endsolid") || rg_token_is(&token, "solid")) {
      rg_token_skip_line(&tokens); // several solids make one surface
      continue;
    }
    if (!rg_token_is(&token, "facet")) {
      rg_tokens_fail(&tokens, &token, "expected 'facet' or 'endsolid', found '%.*s'",
                     (int)(token.length < 40 ? token.length : 40), token.text);
      return tokens.status;
    }
    if (count == (int)room)
      return rg_fail(message, RG_ERROR_INPUT, "%s:%d: too many facets", name, token.line);
    if (!read_facet(&tokens, (double*)((rgVec3*)mesh->points.items + 3 * count)))
      return tokens.status != RG_OK
                 ? tokens.status
                 : rg_fail(message, RG_ERROR_INPUT, "%s:%d: unexpected end of file inside a facet",
                           name, tokens.line);
    count++;
  }
  mesh->points.count = 3 * count;
  mesh->triangles.count = count;
  return RG_OK;
}

rgStatus rg_mesh_parse_stl(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message) {
  bool solid = length >= 5 && memcmp(text, "solid", 5) == 0;
  bool fits = length >= HEADER && length == HEADER + (size_t)little_endian(text + 80) * RECORD;
  return solid && !fits ? parse_text(text, length, name, pool, mesh, message)
                        : parse_binary(text, length, name, pool, mesh, message);
}
