// mesh.c - which kind a file of triangles is.
#include "io/model/mesh.h"

#include "io/model/off.h"

#include <string.h>

typedef rgStatus ParseMesh(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message);

static rgStatus parse_off(const char* text, size_t length, const char* name, rgPool* pool,
                          rgMesh* mesh, rgMessage* message) {
  return rg_off_parse(text, length, name, pool, &mesh->points, &mesh->triangles, message);
}

static const struct {
  const char* ending;
  ParseMesh* parse;
} kinds[] = {{".stl", rg_mesh_parse_stl},
             {".obj", rg_mesh_parse_obj},
             {".off", parse_off},
             {".dae", rg_mesh_parse_dae}};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool ends_with(const char* name, const char* ending) {
  size_t length = strlen(name), wanted = strlen(ending);
  for (size_t i = 0; i < wanted; i++)
    if (length < wanted || lower(name[length - wanted + i]) != ending[i])
      return false;
  return true;
}

static ParseMesh* parser_of(const char* name) {
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (ends_with(name, kinds[i].ending))
      return kinds[i].parse;
  return NULL;
}

bool rg_mesh_known(const char* name) { return parser_of(name) != NULL; }

rgStatus rg_mesh_parse(const char* text, size_t length, const char* name, rgPool* pool,
                       rgMesh* mesh, rgMessage* message) {
  *mesh = (rgMesh){.points = {NULL, 0}};
  ParseMesh* parse = parser_of(name);
  if (!parse)
    return rg_fail(
        message, RG_ERROR_UNSUPPORTED,
        "%s: is no mesh that can be read; its name must end with .stl, .obj, .off or .dae", name);
  rgStatus status = parse(text, length, name, pool, mesh, message);
  if (status != RG_OK || mesh->groups.count > 0)
    return status;
  int* first = rg_pool_take(pool, 1, sizeof *first);
  if (!first)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  mesh->groups = (rgList){first, 1};
  return RG_OK;
}
