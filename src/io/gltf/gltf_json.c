// gltf_json.c - the chunk of a file of glTF that says what there is.
//
// Nodes: 0 is the world, then come the bodies in their order, then the parts. Accessors: those of the
// meshes (positions, and where there are, normals, tones and indices), the times, those of the bodies
// that move (positions, turns), those of the bodies that were removed (times, scales).
#include "io/gltf/gltf.h"
#include "io/text/text.h"
#include "math/power.h"

#include <inttypes.h>
#include <string.h>

enum { FLOAT = 5126, WHOLE = 5125, BYTE = 5121, ARRAY_BUFFER = 34962, ELEMENT_BUFFER = 34963 };
enum { VIEW_POSITIONS, VIEW_NORMALS, VIEW_TONES, VIEW_INDICES, VIEW_FRAMES, VIEW_COUNT };
static const double ROUGHNESS = 0.8; // of a dull surface

// A writer, and the numbers that it has given so far.
typedef struct Writer {
  rgText text;
  const rgGltf* gltf;
  const rgGltfLayout* layout;
  int* meshes;                   // of a mesh and a colour: its number in the file, or -1
  int materials[RG_GLTF_COLORS]; // likewise of a colour
  int views[VIEW_COUNT];         // likewise
  int times;                     // accessor
} Writer;

// Between the items of a list: a comma before each but the first.
static void separate(Writer* to, int* count) {
  if ((*count)++ > 0)
    rg_text_add(&to->text, ",");
}

static void add_numbers(Writer* to, const char* key, const double* values, int count) {
  rg_text_format(&to->text, ",\"%s\":[", key);
  for (int i = 0, written = 0; i < count; i++) {
    separate(to, &written);
    rg_text_number(&to->text, values[i]);
  }
  rg_text_add(&to->text, "]");
}

// -------------------------------------------------------------------------------------------------
// Nodes
// -------------------------------------------------------------------------------------------------

static int part_node(const Writer* to, int part) { return 1 + to->gltf->body_count + part; }

static void add_world(Writer* to) {
  int count = to->gltf->body_count, written = 0;
  rg_text_add(&to->text, "{\"name\":\"world\"");
  if (!to->gltf->flat) // z becomes y
    rg_text_add(&to->text, ",\"rotation\":[-0.7071067811865476,0,0,0.7071067811865476]");
  if (count > 0)
    rg_text_add(&to->text, ",\"children\":[");
  for (int i = 0; i < count; i++) {
    separate(to, &written);
    rg_text_format(&to->text, "%d", 1 + i);
  }
  rg_text_add(&to->text, count > 0 ? "]}" : "}");
}

static void add_body(Writer* to, int index) {
  const rgGltf* gltf = to->gltf;
  const rgGltfBody* body = &gltf->bodies[index];
  int written = 0;
  rg_text_add(&to->text, ",{\"name\":");
  char number[32];
  snprintf(number, sizeof number, "body %d", index);
  rg_text_string(&to->text, body->name[0] ? body->name : number);
  if (gltf->frame_count > 0) {
    const float* at = gltf->poses + (size_t)index * RG_GLTF_POSE;
    double pose[RG_GLTF_POSE];
    const double none[3] = {0};
    for (int k = 0; k < RG_GLTF_POSE; k++)
      pose[k] = (double)at[k];
    add_numbers(to, "translation", pose, 3);
    add_numbers(to, "rotation", pose + 3, 4);
    if (body->there == 0)
      add_numbers(to, "scale", none, 3);
  }
  for (int part = body->first_part; part >= 0; part = gltf->parts[part].next) {
    rg_text_add(&to->text, written ? "" : ",\"children\":[");
    separate(to, &written);
    rg_text_format(&to->text, "%d", part_node(to, part));
  }
  rg_text_add(&to->text, written ? "]}" : "}");
}

static void add_part(Writer* to, const rgGltfPart* part) {
  const rgVec3 p = part->pose.position, s = part->scale;
  const rgQuat q = part->pose.orientation;
  const double position[] = {p.x, p.y, p.z}, turn[] = {q.x, q.y, q.z, q.w},
               scale[] = {s.x, s.y, s.z};
  int color = to->gltf->bodies[part->body].color;
  rg_text_format(&to->text, ",{\"mesh\":%d", to->meshes[part->mesh * RG_GLTF_COLORS + color]);
  add_numbers(to, "translation", position, 3);
  add_numbers(to, "rotation", turn, 4);
  add_numbers(to, "scale", scale, 3);
  rg_text_add(&to->text, "}");
}

static void add_nodes(Writer* to) {
  rg_text_add(&to->text, ",\"nodes\":[");
  add_world(to);
  for (int i = 0; i < to->gltf->body_count; i++)
    add_body(to, i);
  for (int i = 0; i < to->gltf->part_count; i++)
    add_part(to, &to->gltf->parts[i]);
  rg_text_add(&to->text, "]");
}

// -------------------------------------------------------------------------------------------------
// Meshes and materials
// -------------------------------------------------------------------------------------------------

// A material for each colour that is used, and a mesh for each pair of triangles and colour.
static void number_meshes(Writer* to) {
  int materials = 0, meshes = 0;
  for (int i = 0; i < to->gltf->mesh_count * RG_GLTF_COLORS; i++)
    to->meshes[i] = -1;
  for (int i = 0; i < RG_GLTF_COLORS; i++)
    to->materials[i] = -1;
  for (int i = 0; i < to->gltf->part_count; i++) {
    const rgGltfPart* part = &to->gltf->parts[i];
    int color = to->gltf->bodies[part->body].color;
    int* mesh = &to->meshes[part->mesh * RG_GLTF_COLORS + color];
    if (to->materials[color] < 0)
      to->materials[color] = materials++;
    if (*mesh < 0)
      *mesh = meshes++;
  }
}

// Files have linear colours (IEC 61966-2-1).
static double linear(uint32_t value) {
  double c = value / 255.0;
  return c <= 0.04045 ? c / 12.92 : rg_pow((c + 0.055) / 1.055, 2.4);
}

static void add_material(Writer* to, uint32_t color) {
  const double factor[] = {linear(color >> 16 & 255), linear(color >> 8 & 255), linear(color & 255),
                           1};
  rg_text_add(&to->text, "{\"doubleSided\":true,\"pbrMetallicRoughness\":{\"metallicFactor\":0");
  add_numbers(to, "baseColorFactor", factor, 4);
  rg_text_add(&to->text, ",\"roughnessFactor\":");
  rg_text_number(&to->text, ROUGHNESS);
  rg_text_add(&to->text, "}}");
}

static void add_materials(Writer* to) {
  int written = 0;
  rg_text_add(&to->text, ",\"materials\":[");
  for (int number = 0; number < RG_GLTF_COLORS; number++)
    for (int color = 0; color < RG_GLTF_COLORS; color++)
      if (to->materials[color] == number) {
        separate(to, &written);
        add_material(to, rg_gltf_colors[color]);
      }
  rg_text_add(&to->text, "]");
}

static void add_mesh(Writer* to, const rgGltfMesh* mesh, int color) {
  int at = mesh->accessor;
  rg_text_format(&to->text, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d", at);
  if (mesh->normals)
    rg_text_format(&to->text, ",\"NORMAL\":%d,\"COLOR_0\":%d},\"indices\":%d", at + 1, at + 2,
                   at + 3);
  else
    rg_text_add(&to->text, "}");
  rg_text_format(&to->text, ",\"material\":%d}]}", to->materials[color]);
}

// Numbers were given in the order of the parts.
static void add_meshes(Writer* to) {
  int written = 0;
  rg_text_add(&to->text, ",\"meshes\":[");
  for (int i = 0; i < to->gltf->part_count; i++) {
    const rgGltfPart* part = &to->gltf->parts[i];
    int color = to->gltf->bodies[part->body].color;
    if (to->meshes[part->mesh * RG_GLTF_COLORS + color] != written)
      continue;
    separate(to, &written);
    add_mesh(to, &to->gltf->meshes[part->mesh], color);
  }
  rg_text_add(&to->text, "]");
}

// -------------------------------------------------------------------------------------------------
// Accessors and the views of the buffer
// -------------------------------------------------------------------------------------------------

typedef struct Accessor {
  int view;
  uint64_t offset; // [bytes] in the view
  int count;
  const char* type;
  int component;
  const float* range; // values whose bounds are told; NULL: they are not
  int width;          // of them
} Accessor;

static void add_bounds(Writer* to, const Accessor* a) {
  double lower[4], upper[4];
  for (int k = 0; k < a->width; k++)
    lower[k] = upper[k] = (double)a->range[k];
  for (int i = 1; i < a->count; i++)
    for (int k = 0; k < a->width; k++) {
      double value = (double)a->range[(size_t)i * (size_t)a->width + (size_t)k];
      lower[k] = value < lower[k] ? value : lower[k];
      upper[k] = value > upper[k] ? value : upper[k];
    }
  add_numbers(to, "min", lower, a->width);
  add_numbers(to, "max", upper, a->width);
}

// Returns where the next one of the same view begins.
static uint64_t add_accessor(Writer* to, int* written, Accessor a, uint64_t size) {
  separate(to, written);
  rg_text_format(&to->text,
                 "{\"bufferView\":%d,\"byteOffset\":%" PRIu64
                 ",\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                 to->views[a.view], a.offset, a.component, a.count, a.type);
  if (a.component == BYTE)
    rg_text_add(&to->text, ",\"normalized\":true");
  if (a.range)
    add_bounds(to, &a);
  rg_text_add(&to->text, "}");
  return a.offset + size * (uint64_t)a.count;
}

static void add_mesh_accessors(Writer* to, int* written) {
  uint64_t at[VIEW_COUNT] = {0};
  for (int i = 0; i < to->gltf->mesh_count; i++) {
    const rgGltfMesh* mesh = &to->gltf->meshes[i];
    int count = mesh->vertex_count;
    at[VIEW_POSITIONS] = add_accessor(
        to, written,
        (Accessor){VIEW_POSITIONS, at[VIEW_POSITIONS], count, "VEC3", FLOAT, mesh->positions, 3},
        12);
    if (!mesh->normals)
      continue;
    at[VIEW_NORMALS] = add_accessor(
        to, written, (Accessor){VIEW_NORMALS, at[VIEW_NORMALS], count, "VEC3", FLOAT, NULL, 0}, 12);
    at[VIEW_TONES] = add_accessor(
        to, written, (Accessor){VIEW_TONES, at[VIEW_TONES], count, "VEC4", BYTE, NULL, 0}, 4);
    at[VIEW_INDICES] = add_accessor(
        to, written,
        (Accessor){VIEW_INDICES, at[VIEW_INDICES], mesh->index_count, "SCALAR", WHOLE, NULL, 0}, 4);
  }
}

// In the order in which gltf.c writes the numbers.
static void add_frame_accessors(Writer* to, int* written) {
  const rgGltf* gltf = to->gltf;
  int frames = gltf->frame_count;
  to->times = *written;
  uint64_t at = add_accessor(
      to, written, (Accessor){VIEW_FRAMES, 0, frames, "SCALAR", FLOAT, gltf->times, 1}, 4);
  for (int i = 0; i < gltf->body_count; i++) {
    if (!gltf->bodies[i].moves)
      continue;
    at = add_accessor(to, written, (Accessor){VIEW_FRAMES, at, frames, "VEC3", FLOAT, NULL, 0}, 12);
    at = add_accessor(to, written, (Accessor){VIEW_FRAMES, at, frames, "VEC4", FLOAT, NULL, 0}, 16);
  }
  for (int i = 0; i < gltf->body_count; i++) {
    if (!rg_gltf_vanishes(gltf, i))
      continue;
    const float times[] = {gltf->times[0], gltf->times[gltf->bodies[i].there]};
    at = add_accessor(to, written, (Accessor){VIEW_FRAMES, at, 2, "SCALAR", FLOAT, times, 1}, 4);
    at = add_accessor(to, written, (Accessor){VIEW_FRAMES, at, 2, "VEC3", FLOAT, NULL, 0}, 12);
  }
}

static void add_view(Writer* to, int* written, int view, rgGltfBlock block, int stride,
                     int target) {
  if (block.size == 0)
    return;
  to->views[view] = *written;
  separate(to, written);
  rg_text_format(&to->text, "{\"buffer\":0,\"byteOffset\":%" PRIu64 ",\"byteLength\":%" PRIu64,
                 block.start, block.size);
  if (stride > 0)
    rg_text_format(&to->text, ",\"byteStride\":%d", stride);
  if (target > 0)
    rg_text_format(&to->text, ",\"target\":%d", target);
  rg_text_add(&to->text, "}");
}

static void add_views(Writer* to) {
  const rgGltfLayout* layout = to->layout;
  int written = 0;
  rg_text_format(&to->text, ",\"buffers\":[{\"byteLength\":%" PRIu64 "}],\"bufferViews\":[",
                 layout->size);
  add_view(to, &written, VIEW_POSITIONS, layout->positions, 12, ARRAY_BUFFER);
  add_view(to, &written, VIEW_NORMALS, layout->normals, 12, ARRAY_BUFFER);
  add_view(to, &written, VIEW_TONES, layout->tones, 4, ARRAY_BUFFER);
  add_view(to, &written, VIEW_INDICES, layout->indices, 0, ELEMENT_BUFFER);
  add_view(to, &written, VIEW_FRAMES, layout->frames, 0, 0);
  rg_text_add(&to->text, "]");
}

// -------------------------------------------------------------------------------------------------
// Animation
// -------------------------------------------------------------------------------------------------

static void add_sampler(Writer* to, int* written, int input, int output, const char* way) {
  separate(to, written);
  rg_text_format(&to->text, "{\"input\":%d,\"output\":%d,\"interpolation\":\"%s\"}", input, output,
                 way);
}

static void add_channel(Writer* to, int* written, int body, const char* path) {
  int sampler = *written;
  separate(to, written);
  rg_text_format(&to->text, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler,
                 1 + body, path);
}

static void add_animation(Writer* to) {
  const rgGltf* gltf = to->gltf;
  int channels = 0, samplers = 0, at = to->times + 1;
  rg_text_add(&to->text, ",\"animations\":[{\"name\":\"run\",\"channels\":[");
  for (int i = 0; i < gltf->body_count; i++)
    if (gltf->bodies[i].moves) {
      add_channel(to, &channels, i, "translation");
      add_channel(to, &channels, i, "rotation");
    }
  for (int i = 0; i < gltf->body_count; i++)
    if (rg_gltf_vanishes(gltf, i))
      add_channel(to, &channels, i, "scale");
  rg_text_add(&to->text, "],\"samplers\":[");
  for (int i = 0; i < gltf->body_count; i++)
    if (gltf->bodies[i].moves) {
      add_sampler(to, &samplers, to->times, at++, "LINEAR");
      add_sampler(to, &samplers, to->times, at++, "LINEAR");
    }
  for (int i = 0; i < gltf->body_count; i++)
    if (rg_gltf_vanishes(gltf, i)) {
      add_sampler(to, &samplers, at, at + 1, "STEP");
      at += 2;
    }
  rg_text_add(&to->text, "]}]");
}

// -------------------------------------------------------------------------------------------------
// The chunk
// -------------------------------------------------------------------------------------------------

static void write_json(Writer* to) {
  const rgGltf* gltf = to->gltf;
  bool animated = rg_gltf_is_animated(gltf);
  int accessors = 0;
  rg_text_format(&to->text,
                 "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Rigor %s\"},\"scene\":0,"
                 "\"scenes\":[{\"nodes\":[0]}]",
                 rg_version());
  add_nodes(to);
  if (to->layout->size > 0)
    add_views(to);
  if (gltf->part_count > 0) {
    add_materials(to);
    add_meshes(to);
  }
  if (gltf->mesh_count > 0 || animated) {
    rg_text_add(&to->text, ",\"accessors\":[");
    add_mesh_accessors(to, &accessors);
    if (animated)
      add_frame_accessors(to, &accessors);
    rg_text_add(&to->text, "]");
  }
  if (animated)
    add_animation(to);
  rg_text_add(&to->text, "}");
  while (to->text.length % 4 != 0) // the next chunk begins at a multiple of four
    rg_text_add(&to->text, " ");
}

static void number_accessors(rgGltf* gltf) {
  int count = 0;
  for (int i = 0; i < gltf->mesh_count; i++) {
    gltf->meshes[i].accessor = count;
    count += gltf->meshes[i].normals ? 4 : 1;
  }
}

char* rg_gltf_json(rgGltf* gltf, const rgGltfLayout* layout, size_t* length) {
  Writer to = {.gltf = gltf, .layout = layout};
  size_t pairs = (size_t)gltf->mesh_count * RG_GLTF_COLORS;
  to.meshes = rg_pool_take(&gltf->pool, pairs, sizeof *to.meshes);
  if (!to.meshes)
    return NULL;
  number_accessors(gltf);
  number_meshes(&to);
  write_json(&to); // counts
  *length = to.text.length;
  char* json = rg_pool_take(&gltf->pool, *length + 1, 1);
  to.text = (rgText){.text = json, .capacity = *length + 1};
  if (json)
    write_json(&to);
  return json;
}
