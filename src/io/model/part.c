// part.c - parts from files of triangles.
#include "base/memory.h"
#include "base/message.h"
#include "io/model/mesh.h"
#include "io/text/file.h"
#include <rigor/part.h>

#include <string.h>

enum { CORNERS_MAX = 100 };         // above it, contacts of hulls cost more than the rest of a step
static const double DENSITY = 1000; // [kg/m3]

typedef struct Part {
  rgPart part; // first, so that a pointer to it leads here
  rgPool pool;
} Part;

// What the surface encloses; where it encloses nothing, the hull.
static rgStatus find_mass(const rgMesh* mesh, rgPart* part, rgMessage* message) {
  part->closed = rg_mesh_mass(mesh->points.items, mesh->triangles.items, mesh->triangles.count,
                              false, &part->mass);
  if (part->closed) {
    part->mass.mass *= DENSITY;
    for (int i = 0; i < 9; i++)
      part->mass.inertia.m[i / 3][i % 3] *= DENSITY;
    return RG_OK;
  }
  rgShapeDef hull = rg_shape_def(RG_SHAPE_HULL);
  hull.points = part->points;
  hull.point_count = part->point_count;
  hull.density = DENSITY;
  return rg_shape_mass(&hull, &part->mass, message);
}

static rgStatus fill(Part* part, const char* text, size_t length, const char* path,
                     rgMessage* message) {
  rgPool scratch = {part->pool.allocator, NULL};
  rgMesh mesh = {0};
  rgList corners = {0};
  rgMessage why = {0};
  rgStatus status = rg_mesh_parse(text, length, path, &scratch, &mesh, message);
  if (status == RG_OK) {
    status = rg_mesh_hull(mesh.points.items, mesh.points.count, CORNERS_MAX, &scratch, &part->pool,
                          &corners, &part->part.dropped, &why);
    part->part.points = corners.items;
    part->part.point_count = corners.count;
    if (status == RG_OK)
      status = find_mass(&mesh, &part->part, &why);
    if (status != RG_OK)
      rg_fail(message, status, "%s: %s", path, why.text);
  }
  rg_pool_free(&scratch);
  return status;
}

rgStatus rg_part_read(const char* path, rgPart** out, rgMessage* message) {
  *out = NULL;
  rgPool pool = {rg_allocator_default(), NULL};
  char* text;
  size_t length, size;
  if (!rg_mesh_known(path))
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: must end in .stl, .obj, .off or .dae", path);
  rgStatus status = rg_file_read(path, &pool.allocator, &text, &length, &size, message);
  if (status != RG_OK)
    return status;
  Part* part = rg_pool_take(&pool, 1, sizeof *part);
  if (part) {
    part->pool = pool;
    status = fill(part, text, length, path, message);
  } else {
    status = rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  }
  rg_release(&pool.allocator, text, size);
  if (status == RG_OK)
    *out = &part->part;
  else if (part)
    rg_part_free(&part->part);
  return status;
}

void rg_part_free(rgPart* part) {
  if (!part)
    return;
  rgPool pool = ((Part*)part)->pool; // which holds the part itself
  rg_pool_free(&pool);
}
