// fuzz_mesh.c - any bytes as a mesh: an error with a message, or triangles whose corners are there,
// with a mass and a hull. The first byte says which format.
#include "io/model/mesh.h"
#include "math/vec.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 3000 }; // hulls of more points are not sought, so that a run stays fast

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_mesh(const rgMesh* mesh, rgPool* pool) {
  const int *corners = mesh->triangles.items, *groups = mesh->groups.items;
  const rgVec3* points = mesh->points.items;
  for (int i = 0; i < 3 * mesh->triangles.count; i++)
    if (corners[i] < 0 || corners[i] >= mesh->points.count)
      abort();
  for (int i = 0; i < mesh->points.count; i++)
    if (!v3_finite(points[i]))
      abort();
  for (int i = 0; i < mesh->groups.count; i++)
    if (groups[i] < (i ? groups[i - 1] : 0) || groups[i] > mesh->triangles.count)
      abort();
  rgMassProperties mass;
  rg_mesh_mass(points, corners, mesh->triangles.count, true, &mass);
  rgPool scratch = {rg_allocator_default(), NULL};
  rgList hull;
  double dropped;
  rgMessage message = {""};
  if (mesh->points.count <= POINTS_MAX) {
    rgStatus status =
        rg_mesh_hull(points, mesh->points.count, 12, &scratch, pool, &hull, &dropped, &message);
    if (status == RG_OK ? hull.count > 12 || !(dropped >= 0) : !message.text[0])
      abort();
  }
  rg_pool_free(&scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const names[] = {"fuzz.stl", "fuzz.obj", "fuzz.off", "fuzz.dae"};
  if (size == 0)
    return 0;
  // The readers see a zero after the last byte, as of a file.
  char* text = malloc(size);
  if (!text)
    return 0;
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  const char* name = names[data[0] % 4];
  rgPool pool = {rg_allocator_default(), NULL};
  rgMesh mesh;
  rgMessage message = {""};
  rgStatus status = rg_mesh_parse(text, size - 1, name, &pool, &mesh, &message);
  if (status == RG_OK)
    check_mesh(&mesh, &pool);
  else if (strncmp(message.text, name, strlen(name)) != 0)
    abort();
  rg_pool_free(&pool);
  free(text);
  return 0;
}
