// mesh_dae.c - triangles of COLLADA files (Khronos 2008, version 1.4 and 1.5).
//
// Read are the <triangles>, <polylist> and <polygons> of the geometries that the nodes of the visual
// scene show, each placed by the transformations of its nodes; without a scene all geometries, as
// they are. Coordinates become metres by <unit meter="...">. The axis that points up is not changed:
// robots are drawn in the axes of their links. Each geometry that is shown is a group.
#include "io/model/mesh.h"

#include "base/memory.h"
#include "io/text/tokens.h"
#include "io/text/xml.h"
#include "math/trig.h"
#include "math/vec.h"

#include <stdio.h>
#include <string.h>

enum { NODE_DEPTH = 100, INPUTS_MAX = 16, CORNERS_MAX = 100000 };

// x -> linear x + shift
typedef struct Affine {
  rgMat3 linear;
  rgVec3 shift;
} Affine;

typedef struct Reader {
  const rgXmlElement* root;
  rgPool* pool;
  rgMessage* message;
  rgStatus status;
  double* coordinates;
  int *corners, *groups;
  int point_count, point_capacity, triangle_count, corner_capacity, group_count, group_capacity;
} Reader;

static bool fail(Reader* r, const rgXmlElement* e, const char* what) {
  if (r->status == RG_OK)
    r->status = rg_fail(r->message, RG_ERROR_INPUT, "%s:%lu:%lu: %s", e->file,
                        (unsigned long)e->line, (unsigned long)e->column, what);
  return false;
}

static bool no_memory(Reader* r) {
  if (r->status == RG_OK)
    r->status = rg_fail(r->message, RG_ERROR_MEMORY, "%s: not enough memory", r->root->file);
  return false;
}

// -------------------------------------------------------------------------------------------------
// Finding things
// -------------------------------------------------------------------------------------------------

static const char* text_of(const rgXmlElement* e, const char* name) {
  const rgXmlAttribute* a = rg_xml_attribute(e, name);
  return a ? a->value : "";
}

// An element by its id, which a reference writes as #id.
static const rgXmlElement* by_id(const rgXmlElement* in, const char* reference) {
  if (reference[0] != '#')
    return NULL;
  for (const rgXmlElement* e = in->child; e; e = e->next) {
    if (strcmp(text_of(e, "id"), reference + 1) == 0)
      return e;
    const rgXmlElement* inside = by_id(e, reference);
    if (inside)
      return inside;
  }
  return NULL;
}

// Numbers of an element's text; false when there are fewer than `least`.
static bool numbers_of(Reader* r, const rgXmlElement* e, int least, double** values, int* count) {
  rgTokens tokens = rg_tokens(e->text, strlen(e->text), e->file, r->message);
  size_t room = rg_tokens_left(&tokens);
  *values = rg_pool_take(r->pool, room, sizeof **values);
  *count = 0;
  if (!*values)
    return no_memory(r);
  rgToken token;
  while (rg_token_next(&tokens, &token)) {
    double value;
    if (!rg_token_number(&token, &value) || !isfinite(value))
      return fail(r, e, "has something that is no finite number");
    (*values)[(*count)++] = value;
  }
  return *count >= least || fail(r, e, "has too few numbers");
}

// -------------------------------------------------------------------------------------------------
// Polygons
// -------------------------------------------------------------------------------------------------

static bool add_triangle(Reader* r, int a, int b, int c) {
  if (r->triangle_count >= RG_MESH_TRIANGLES_MAX ||
      !rg_reserve(&r->pool->allocator, (void**)&r->corners, &r->corner_capacity,
                  3 * (r->triangle_count + 1), sizeof *r->corners))
    return no_memory(r);
  memcpy(&r->corners[3 * r->triangle_count++], (int[]){a, b, c}, 3 * sizeof *r->corners);
  return true;
}

// Indices of polygons: `sizes` has the corners of each, NULL: three. `offset` of `stride` is the
// point.
static bool add_polygons(Reader* r, const rgXmlElement* e, const double* indices, int count,
                         const double* sizes, int size_count, int offset, int stride, int first) {
  int points = r->point_count - first, at = 0;
  int polygons = sizes ? size_count : count / (3 * stride);
  for (int i = 0; i < polygons; i++) {
    double size = sizes ? sizes[i] : 3;
    if (!(size >= 3 && size <= CORNERS_MAX) || at + (int)size * stride > count)
      return fail(r, e, "has polygons with more corners than indices, or fewer than 3");
    int corner[3] = {0};
    for (int k = 0; k < (int)size; k++) {
      double index = indices[at + k * stride + offset];
      if (!(index >= 0 && index < points && floor(index) == index))
        return fail(r, e, "names a point that is not there");
      corner[k < 2 ? k : 2] = first + (int)index;
      if (k >= 2 && !add_triangle(r, corner[0], corner[1], corner[2]))
        return false;
      if (k >= 2)
        corner[1] = corner[2];
    }
    at += (int)size * stride;
  }
  return true;
}

static bool read_primitive(Reader* r, const rgXmlElement* e, int first) {
  int offset = 0, stride = 1, size_count = 0;
  for (const rgXmlElement* input = e->child; input; input = input->next) {
    if (strcmp(input->name, "input") != 0)
      continue;
    const char* text = text_of(input, "offset");
    rgToken token = {text, strlen(text), 0, 0};
    int value = 0;
    if (!rg_token_whole(&token, &value) || value < 0 || value >= INPUTS_MAX)
      return fail(r, input, "has no offset from 0 to 15");
    stride = value + 1 > stride ? value + 1 : stride;
    if (strcmp(text_of(input, "semantic"), "VERTEX") == 0)
      offset = value;
  }
  double *indices, *sizes = NULL;
  int count;
  const rgXmlElement* vcount = rg_xml_child(e, "vcount");
  if (vcount && !numbers_of(r, vcount, 0, &sizes, &size_count))
    return false;
  bool polygons = strcmp(e->name, "polygons") == 0;
  for (const rgXmlElement* p = e->child; p; p = p->next) {
    if (strcmp(p->name, "p") != 0)
      continue;
    if (!numbers_of(r, p, 0, &indices, &count))
      return false;
    double one = count / stride; // <polygons> has a <p> for each
    if (!add_polygons(r, p, indices, count, polygons ? &one : sizes, polygons ? 1 : size_count,
                      offset, stride, first))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Geometries
// -------------------------------------------------------------------------------------------------

// The coordinates that <vertices> names, moved.
static bool read_points(Reader* r, const rgXmlElement* mesh, const Affine* to) {
  const rgXmlElement* vertices = rg_xml_child(mesh, "vertices");
  const rgXmlElement* source = NULL;
  for (const rgXmlElement* input = vertices ? vertices->child : NULL; input; input = input->next)
    if (strcmp(text_of(input, "semantic"), "POSITION") == 0)
      source = by_id(mesh, text_of(input, "source"));
  const rgXmlElement* array = source ? rg_xml_child(source, "float_array") : NULL;
  double* values;
  int count;
  if (!array)
    return fail(r, mesh, "has no <float_array> of positions");
  if (!numbers_of(r, array, 0, &values, &count))
    return false;
  if (count % 3 != 0)
    return fail(r, array, "has coordinates that are no multiple of 3");
  if (!rg_reserve(&r->pool->allocator, (void**)&r->coordinates, &r->point_capacity,
                  3 * r->point_count + count, sizeof *r->coordinates))
    return no_memory(r);
  for (int i = 0; i < count; i += 3) {
    rgVec3 p =
        v3_add(m3_apply(&to->linear, v3(values[i], values[i + 1], values[i + 2])), to->shift);
    if (!v3_finite(p))
      return fail(r, array, "has a point that the transformations of its node put out of range");
    memcpy(&r->coordinates[3 * r->point_count++], (double[]){p.x, p.y, p.z}, sizeof p);
  }
  return true;
}

static bool read_geometry(Reader* r, const rgXmlElement* geometry, const Affine* to) {
  const rgXmlElement* mesh = rg_xml_child(geometry, "mesh");
  int first = r->point_count;
  if (!mesh)
    return true; // splines and the like
  if (!rg_reserve(&r->pool->allocator, (void**)&r->groups, &r->group_capacity, r->group_count + 1,
                  sizeof *r->groups))
    return no_memory(r);
  r->groups[r->group_count++] = r->triangle_count;
  if (!read_points(r, mesh, to))
    return false;
  for (const rgXmlElement* e = mesh->child; e; e = e->next) {
    bool known = strcmp(e->name, "triangles") == 0 || strcmp(e->name, "polylist") == 0 ||
                 strcmp(e->name, "polygons") == 0;
    bool strips = strcmp(e->name, "tristrips") == 0 || strcmp(e->name, "trifans") == 0;
    if (strips)
      return fail(r, e, "strips and fans of triangles are not read");
    if (known && !read_primitive(r, e, first))
      return false;
  }
  if (r->groups[r->group_count - 1] == r->triangle_count)
    r->group_count--; // lines, or nothing
  return true;
}

// -------------------------------------------------------------------------------------------------
// Nodes
// -------------------------------------------------------------------------------------------------

static Affine after(const Affine* a, const Affine* b) {
  return (Affine){m3_mul(&a->linear, &b->linear), v3_add(m3_apply(&a->linear, b->shift), a->shift)};
}

// One transformation of a node; others than these leave it where it is.
static bool read_transformation(Reader* r, const rgXmlElement* e, Affine* to) {
  static const struct {
    const char* name;
    int numbers;
  } kinds[] = {{"translate", 3}, {"scale", 3}, {"rotate", 4}, {"matrix", 16}};
  int kind = 0, count;
  double* v;
  while (kind < 4 && strcmp(e->name, kinds[kind].name) != 0)
    kind++;
  if (kind == 4)
    return true;
  if (!numbers_of(r, e, kinds[kind].numbers, &v, &count))
    return false;
  Affine own = {m3_identity(), v3_zero()};
  if (kind == 0)
    own.shift = v3(v[0], v[1], v[2]);
  if (kind == 1)
    own.linear = m3_diag(v[0], v[1], v[2]);
  if (kind == 2) {
    rgVec3 axis = v3_unit_or(v3(v[0], v[1], v[2]), v3_zero());
    double half = v[3] * (RG_PI / 360), s = rg_sin(half);
    own.linear = m3_from_quat((rgQuat){rg_cos(half), s * axis.x, s * axis.y, s * axis.z});
  }
  if (kind == 3)
    own = (Affine){{{{v[0], v[1], v[2]}, {v[4], v[5], v[6]}, {v[8], v[9], v[10]}}},
                   v3(v[3], v[7], v[11])};
  *to = after(to, &own);
  return true;
}

static bool read_node(Reader* r, const rgXmlElement* node, Affine to, int depth) {
  if (depth > NODE_DEPTH)
    return fail(r, node, "nodes are nested too deeply");
  for (const rgXmlElement* e = node->child; e; e = e->next)
    if (!read_transformation(r, e, &to))
      return false;
  for (const rgXmlElement* e = node->child; e; e = e->next) {
    bool good = true;
    if (strcmp(e->name, "node") == 0) {
      good = read_node(r, e, to, depth + 1);
    } else if (strcmp(e->name, "instance_geometry") == 0) {
      const rgXmlElement* geometry = by_id(r->root, text_of(e, "url"));
      good = geometry ? read_geometry(r, geometry, &to)
                      : fail(r, e, "shows a geometry that is not there");
    }
    if (!good)
      return false;
  }
  return true;
}

static bool read_all(Reader* r) {
  const rgXmlElement *asset = rg_xml_child(r->root, "asset"),
                     *unit = asset ? rg_xml_child(asset, "unit") : NULL,
                     *scenes = rg_xml_child(r->root, "library_visual_scenes"),
                     *scene = scenes ? rg_xml_child(scenes, "visual_scene") : NULL,
                     *geometries = rg_xml_child(r->root, "library_geometries");
  double metre = 1;
  const char* text = unit ? text_of(unit, "meter") : "";
  rgToken token = {text, strlen(text), 0, 0};
  if (text[0] && (!rg_token_number(&token, &metre) || !(metre > 0) || !isfinite(metre)))
    return fail(r, unit, "has a unit that is no length > 0");
  Affine to = {m3_diag(metre, metre, metre), v3_zero()};
  if (scene)
    return read_node(r, scene, to, 0);
  for (const rgXmlElement* e = geometries ? geometries->child : NULL; e; e = e->next)
    if (strcmp(e->name, "geometry") == 0 && !read_geometry(r, e, &to))
      return false;
  return true;
}

static bool keep(Reader* r, const void* items, int count, size_t size, rgList* list) {
  *list = (rgList){rg_pool_take(r->pool, (size_t)count, size), count};
  if (!list->items)
    return no_memory(r);
  if (count > 0)
    memcpy(list->items, items, (size_t)count * size);
  return true;
}

rgStatus rg_mesh_parse_dae(const char* text, size_t length, const char* name, rgPool* pool,
                           rgMesh* mesh, rgMessage* message) {
  rgXmlElement* root;
  const char* kept = rg_pool_text(pool, name);
  if (!kept)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  rgStatus status = rg_xml_parse(text, length, kept, pool, &root, message);
  if (status != RG_OK)
    return status;
  Reader r = {.root = root, .pool = pool, .message = message};
  if (strcmp(root->name, "COLLADA") != 0)
    fail(&r, root, "is no COLLADA file: it does not begin with <COLLADA>");
  else if (read_all(&r) && keep(&r, r.coordinates, r.point_count, sizeof(rgVec3), &mesh->points) &&
           keep(&r, r.corners, r.triangle_count, 3 * sizeof *r.corners, &mesh->triangles))
    keep(&r, r.groups, r.group_count, sizeof *r.groups, &mesh->groups);
  rg_release(&pool->allocator, r.coordinates, (size_t)r.point_capacity * sizeof *r.coordinates);
  rg_release(&pool->allocator, r.corners, (size_t)r.corner_capacity * sizeof *r.corners);
  rg_release(&pool->allocator, r.groups, (size_t)r.group_capacity * sizeof *r.groups);
  return r.status;
}
