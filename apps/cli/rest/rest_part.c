// rest_part.c - the part: corners of its hull, mass, and the faces on which it can stand.
//
// On a flat surface a part touches with corners of its convex hull alone, whatever it is made of: the
// drops use the hull, and the mass of the part.
#include "cli/rest/rest.h"
#include "cli/system/files.h"
#include "cli/text/text.h"

#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const mesh_endings[] = {".off", ".stl", ".obj", ".dae", NULL};

static bool is_mesh(const char* path) {
  for (int i = 0; mesh_endings[i]; ++i)
    if (cli_ends_with(path, mesh_endings[i]))
      return true;
  return false;
}

static bool add_points(CliRest* rest, const rgVec3* points, int count) {
  size_t whole = (size_t)(rest->point_count + count) * sizeof *points;
  rgVec3* more = realloc(rest->points, whole + sizeof *points);
  if (!more)
    return false;
  memcpy(more + rest->point_count, points, (size_t)count * sizeof *points);
  rest->points = more;
  rest->point_count += count;
  return true;
}

// --- files ---------------------------------------------------------------------------------------

static rgStatus read_mesh(CliRest* rest, const char* path, rgMessage* message) {
  rgPart* part;
  rgStatus status = rg_part_read(path, &part, message);
  if (status != RG_OK)
    return status;
  rest->mass = part->mass;
  bool good = add_points(rest, part->points, part->point_count);
  if (!part->closed)
    snprintf(rest->remark, sizeof rest->remark,
             "The surface encloses no volume: the mass is that of its hull.");
  else if (part->dropped > 0)
    snprintf(rest->remark, sizeof rest->remark,
             "The hull has many corners; 100 are kept, and the farthest that is left out lies "
             "%.2g m outside.",
             part->dropped);
  rg_part_free(part);
  return good ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
}

static rgStatus add_shape(CliRest* rest, const rgWorld* world, rgShapeId id,
                          const rgShapeView* view, rgMessage* message) {
  const rgShapeDef* def = &view->def;
  rgVec3 corners[8];
  if (def->kind == RG_SHAPE_BOX && def->rounding == 0) {
    for (int i = 0; i < 8; ++i)
      corners[i] = rg_pose_apply(def->pose, rg_vec3(i & 1 ? def->half.x : -def->half.x,
                                                    i & 2 ? def->half.y : -def->half.y,
                                                    i & 4 ? def->half.z : -def->half.z));
    return add_points(rest, corners, 8) ? RG_OK
                                        : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  }
  if (def->kind != RG_SHAPE_HULL || def->rounding > 0)
    return cli_fail(message, RG_ERROR_UNSUPPORTED,
                    "the part has a %s%s, must be of sharp boxes and hulls, which have faces to "
                    "rest on",
                    def->rounding > 0 ? "rounded " : "", rg_shape_kind_name(def->kind));
  rgVec3* all = malloc((size_t)(view->corner_count + 1) * sizeof *all);
  rgStatus status = all ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  int count = all ? rg_shape_corners(world, id, all, view->corner_count) : 0;
  for (int i = 0; i < count && status == RG_OK; ++i) {
    rgVec3 corner = rg_pose_apply(def->pose, all[i]);
    if (!add_points(rest, &corner, 1))
      status = cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  }
  free(all);
  return status;
}

// The body that is asked for, or the first that moves.
static rgStatus find_body(const CliRest* rest, const rgWorld* world, rgBodyId* body,
                          rgMessage* message) {
  const char* name = rest->values->body;
  if (name) {
    *body = rg_world_find_body(world, name);
    if (body->generation == 0)
      return cli_fail(message, RG_ERROR_INPUT, "--body is '%s', but %s has no body of that name",
                      name, rest->parsed->operand[0]);
    return RG_OK;
  }
  for (int i = 0; i < rg_world_body_count(world); ++i) {
    *body = rg_world_body(world, i);
    if (rg_body_kind(world, *body) == RG_BODY_DYNAMIC)
      return RG_OK;
  }
  return cli_fail(message, RG_ERROR_INPUT, "%s has no body that moves", rest->parsed->operand[0]);
}

static rgStatus take_body(CliRest* rest, const rgWorld* world, rgMessage* message) {
  rgBodyId body;
  rgStatus status = find_body(rest, world, &body, message);
  if (status != RG_OK)
    return status;
  int count = rg_world_shapes(world, NULL, 0);
  rgShapeId* shapes = malloc((size_t)(count + 1) * sizeof *shapes);
  if (!shapes)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  rg_world_shapes(world, shapes, count);
  for (int i = 0; i < count && status == RG_OK; ++i) {
    rgShapeView view;
    if (rg_shape_view(world, shapes[i], &view) == RG_OK && view.body.index == body.index)
      status = add_shape(rest, world, shapes[i], &view, message);
  }
  free(shapes);
  rest->mass = rg_body_mass(world, body);
  if (status == RG_OK && !(rest->mass.mass > 0))
    status = cli_fail(message, RG_ERROR_INPUT, "the body '%s' does not move and has no mass",
                      rg_body_name(world, body));
  snprintf(rest->name, sizeof rest->name, "%s", rg_body_name(world, body));
  return status;
}

static rgStatus read_body(CliRest* rest, const char* path, rgMessage* message) {
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgStatus status = rg_scene_read(path, &scene, message);
  if (status == RG_OK)
    status = rg_scene_build(scene, NULL, &world, message);
  if (status == RG_OK && rg_world_dimension(world) == 2)
    status = cli_fail(message, RG_ERROR_UNSUPPORTED,
                      "%s: dimension is 2, must be 3 for a part that comes to rest", path);
  if (status == RG_OK)
    status = take_body(rest, world, message);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return status;
}

// --- the hull ------------------------------------------------------------------------------------

static rgStatus find_triangles(CliRest* rest, rgMessage* message) {
  rgBodyId body;
  rgWorld* world = cli_rest_world(rest, 0, &body, message);
  if (!world)
    return RG_ERROR_INPUT;
  rgShapeId shapes[2]; // of the surface and of the part
  int count = 0;
  if (rg_world_shapes(world, shapes, 2) == 2)
    count = rg_shape_corners(world, shapes[1], NULL, 0);
  rest->triangles = malloc((size_t)(count + 1) * sizeof *rest->triangles);
  if (rest->triangles)
    rest->triangle_count = rg_shape_corners(world, shapes[1], rest->triangles, count) / 3;
  rg_world_destroy(world);
  return rest->triangles ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
}

// Stable faces, the likeliest first; equal ones in the order of the hull.
static rgStatus find_faces(CliRest* rest, rgMessage* message) {
  rest->face_count = rg_resting_faces(rest->triangles, rest->triangle_count, rest->mass.center,
                                      rest->faces, CLI_FACES_MAX);
  if (rest->face_count < 0)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  if (rest->face_count > CLI_FACES_MAX)
    return cli_fail(message, RG_ERROR_UNSUPPORTED,
                    "the hull of the part has %d faces, at most %d can be told apart",
                    rest->face_count, CLI_FACES_MAX);
  for (int f = 0; f < rest->face_count; ++f) {
    if (rest->faces[f].end != f)
      continue;
    int place = rest->stable_count++;
    while (place > 0 &&
           rest->faces[rest->stable[place - 1]].likelihood < rest->faces[f].likelihood - 1e-9) {
      rest->stable[place] = rest->stable[place - 1];
      --place;
    }
    rest->stable[place] = f;
  }
  return RG_OK;
}

bool cli_rest_part(CliRest* rest) {
  const char* path = rest->parsed->operand[0];
  const char* slash = strrchr(path, '/');
  rgMessage message = {0};
  snprintf(rest->name, sizeof rest->name, "%s", slash ? slash + 1 : path);
  bool mesh = is_mesh(path);
  if (mesh && rest->values->body) {
    cli_complain(&cli_rest, "--body is for scenes; %s is one part", path);
    return false;
  }
  rgStatus status = mesh ? read_mesh(rest, path, &message) : read_body(rest, path, &message);
  for (int i = 0; i < rest->point_count; ++i)
    rest->size = fmax(rest->size, rg_vec3_norm(rg_vec3_sub(rest->points[i], rest->mass.center)));
  if (status == RG_OK)
    status = find_triangles(rest, &message);
  if (status == RG_OK)
    status = find_faces(rest, &message);
  if (status != RG_OK)
    cli_complain(&cli_rest, "%s", message.text);
  return status == RG_OK;
}

void cli_rest_free(CliRest* rest) {
  free(rest->points);
  free(rest->triangles);
}
