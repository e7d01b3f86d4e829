// gltf.c - gathers the frames of a run and writes the file at its end.
#include "io/gltf/gltf.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// Of bodies that move freely, and at the end of static and of kinematic ones.
const uint32_t rg_gltf_colors[RG_GLTF_COLORS] = {0x5b8db8, 0xd08c60, 0x7aa874, 0xb5739d, 0xc9b458,
                                                 0x6fb3ac, 0xc46d6d, 0x8b85c1, 0x9a9da1, 0x6f7f94};
enum { FREE = RG_GLTF_COLORS - 2, STATIC = FREE, KINEMATIC };

enum { VANISHING = 8 }; // numbers of a body that was removed: two times, two scales
enum { MAGIC = 0x46546c67, VERSION = 2, CHUNK_JSON = 0x4e4f534a, CHUNK_BINARY = 0x004e4942 };
static const uint64_t SIZE_MAX_FILE = 0xffffffff; // [bytes] its header has 32 bits for the size
static const uint64_t SIZE_REST = 1 << 28;        // [bytes] of these for all but the frames

static rgStatus fail_memory(const char* path, rgMessage* message) {
  return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
}

// -------------------------------------------------------------------------------------------------
// Bodies and frames
// -------------------------------------------------------------------------------------------------

static bool take_bodies(rgGltf* gltf, const rgWorld* world) {
  int count = rg_world_body_count(world), free = 0;
  gltf->bodies = rg_pool_take(&gltf->pool, (size_t)count, sizeof *gltf->bodies);
  for (int i = 0; gltf->bodies && i < count; i++) {
    rgBodyId id = rg_world_body(world, i);
    rgBodyKind kind = rg_body_kind(world, id);
    const char* name = rg_pool_text(&gltf->pool, rg_body_name(world, id));
    int color = kind == RG_BODY_STATIC      ? STATIC
                : kind == RG_BODY_KINEMATIC ? KINEMATIC
                                            : free++ % FREE;
    if (!name)
      return false;
    gltf->bodies[i] = (rgGltfBody){.id = id, .name = name, .color = color, .first_part = -1};
  }
  gltf->body_count = count;
  return gltf->bodies != NULL;
}

rgStatus rg_gltf_open(const char* path, const rgWorld* world, const rgAllocator* allocator,
                      rgGltf** gltf, rgMessage* message) {
  *gltf = NULL;
  rgGltf* made = rg_allocate(allocator, sizeof *made);
  if (!made)
    return fail_memory(path, message);
  made->pool = (rgPool){*allocator, NULL};
  made->flat = rg_world_dimension(world) == 2;
  made->path = rg_pool_text(&made->pool, path);
  rgStatus status = RG_OK;
  if (!made->path || !take_bodies(made, world) || !rg_gltf_shapes(made, world))
    status = fail_memory(path, message);
  if (status == RG_OK)
    status = rg_output_open(path, &made->output, message);
  if (status == RG_OK)
    *gltf = made;
  else
    rg_gltf_abandon(made);
  return status;
}

void rg_gltf_abandon(rgGltf* gltf) {
  if (!gltf)
    return;
  rgAllocator allocator = gltf->pool.allocator;
  size_t frame = (size_t)gltf->body_count * RG_GLTF_POSE * sizeof(float);
  rg_output_abandon(gltf->output);
  rg_release(&allocator, gltf->meshes, (size_t)gltf->mesh_capacity * sizeof *gltf->meshes);
  rg_release(&allocator, gltf->times, (size_t)gltf->time_capacity * sizeof *gltf->times);
  rg_release(&allocator, gltf->poses, (size_t)gltf->pose_capacity * frame);
  rg_release(&allocator, gltf->scratch, (size_t)gltf->scratch_capacity * sizeof *gltf->scratch);
  rg_pool_free(&gltf->pool);
  rg_release(&allocator, gltf, sizeof *gltf);
}

static float* frame_at(const rgGltf* gltf, int frame) {
  return gltf->poses + (size_t)frame * (size_t)gltf->body_count * RG_GLTF_POSE;
}

// A turn has two quaternions; programs go the way between neighbours, so that they must be near.
static void put_pose(float* to, const float* before, rgPose pose) {
  rgQuat q = quat_unit(pose.orientation);
  double sign = 1;
  if (before && q.x * (double)before[3] + q.y * (double)before[4] + q.z * (double)before[5] +
                        q.w * (double)before[6] <
                    0)
    sign = -1;
  const double values[RG_GLTF_POSE] = {pose.position.x, pose.position.y, pose.position.z,
                                       sign * q.x,      sign * q.y,      sign * q.z,
                                       sign * q.w};
  for (int i = 0; i < RG_GLTF_POSE; i++)
    to[i] = (float)values[i];
}

static rgStatus make_room(rgGltf* gltf, rgMessage* message) {
  size_t frame = (size_t)gltf->body_count * RG_GLTF_POSE * sizeof(float);
  const rgAllocator* allocator = &gltf->pool.allocator;
  int count = gltf->frame_count + 1;
  if ((uint64_t)count * (frame + sizeof(float)) + SIZE_REST > SIZE_MAX_FILE)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s: more than the 4 GB that a .glb file can hold; record fewer frames",
                   gltf->path);
  if (!rg_reserve(allocator, (void**)&gltf->times, &gltf->time_capacity, count, sizeof(float)) ||
      (frame > 0 &&
       !rg_reserve(allocator, (void**)&gltf->poses, &gltf->pose_capacity, count, frame)))
    return fail_memory(gltf->path, message);
  return RG_OK;
}

rgStatus rg_gltf_append(rgGltf* gltf, double time, const rgPose* poses, rgMessage* message) {
  int last = gltf->frame_count - 1;
  bool again = last >= 0 && (float)time <= gltf->times[last];
  if (!again) {
    rgStatus status = make_room(gltf, message);
    if (status != RG_OK)
      return status;
    gltf->frame_count++;
    last++;
  }
  gltf->times[last] = (float)time;
  float* frame = frame_at(gltf, last);
  for (int i = 0; i < gltf->body_count; i++, frame += RG_GLTF_POSE) {
    const float* before = last > 0 ? frame - (size_t)gltf->body_count * RG_GLTF_POSE : NULL;
    rgGltfBody* body = &gltf->bodies[i];
    if (isfinite(poses[i].position.x) && body->there >= last) {
      put_pose(frame, before, poses[i]);
      body->there = last + 1;
    } else if (before) { // it stays where it was last, and is not seen
      memcpy(frame, before, RG_GLTF_POSE * sizeof(float));
    } else {
      put_pose(frame, NULL, pose_identity());
    }
  }
  return RG_OK;
}

// -------------------------------------------------------------------------------------------------
// The file
// -------------------------------------------------------------------------------------------------

bool rg_gltf_vanishes(const rgGltf* gltf, int body) {
  return gltf->bodies[body].there > 0 && gltf->bodies[body].there < gltf->frame_count;
}

bool rg_gltf_is_animated(const rgGltf* gltf) {
  bool any = false;
  for (int i = 0; i < gltf->body_count && !any; i++)
    any = gltf->bodies[i].moves || rg_gltf_vanishes(gltf, i);
  return any;
}

// Times; of each body that moves its positions, then its turns; of each
// body that was removed two times and two scales.
static uint64_t frames_size(const rgGltf* gltf) {
  uint64_t frames = (uint64_t)gltf->frame_count, numbers = frames;
  if (!rg_gltf_is_animated(gltf))
    return 0;
  for (int i = 0; i < gltf->body_count; i++) {
    numbers += gltf->bodies[i].moves ? frames * RG_GLTF_POSE : 0;
    numbers += rg_gltf_vanishes(gltf, i) ? VANISHING : 0;
  }
  return numbers * sizeof(float);
}

rgGltfLayout rg_gltf_layout(const rgGltf* gltf) {
  rgGltfLayout layout = {0};
  for (int i = 0; i < gltf->mesh_count; i++) {
    const rgGltfMesh* mesh = &gltf->meshes[i];
    uint64_t count = (uint64_t)mesh->vertex_count;
    layout.positions.size += 3 * sizeof(float) * count;
    layout.normals.size += mesh->normals ? 3 * sizeof(float) * count : 0;
    layout.tones.size += mesh->tones ? 4 * count : 0;
    layout.indices.size += sizeof(uint32_t) * (uint64_t)mesh->index_count;
  }
  layout.frames.size = frames_size(gltf);
  layout.normals.start = layout.positions.size;
  layout.tones.start = layout.normals.start + layout.normals.size;
  layout.indices.start = layout.tones.start + layout.tones.size;
  layout.frames.start = layout.indices.start + layout.indices.size;
  layout.size = layout.frames.start + layout.frames.size;
  return layout;
}

static void find_moving(rgGltf* gltf) {
  for (int i = 0; i < gltf->body_count; i++) {
    const float* first = frame_at(gltf, 0) + (size_t)i * RG_GLTF_POSE;
    for (int frame = 1; frame < gltf->frame_count && !gltf->bodies[i].moves; frame++) {
      const float* here = frame_at(gltf, frame) + (size_t)i * RG_GLTF_POSE;
      gltf->bodies[i].moves = memcmp(here, first, RG_GLTF_POSE * sizeof(float)) != 0;
    }
  }
}

// Little-endian, whatever the machine is. What fails stays with the stream.
static void write_whole(FILE* stream, uint32_t value) {
  unsigned char bytes[4];
  for (int i = 0; i < 4; i++)
    bytes[i] = (unsigned char)(value >> 8 * i & 255);
  fwrite(bytes, 1, sizeof bytes, stream);
}

static void write_numbers(FILE* stream, const float* values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    write_whole(stream, bits);
  }
}

static void write_meshes(const rgGltf* gltf, FILE* stream) {
  const rgGltfMesh *mesh, *end = gltf->meshes + gltf->mesh_count;
  for (mesh = gltf->meshes; mesh < end; mesh++)
    write_numbers(stream, mesh->positions, 3 * (size_t)mesh->vertex_count);
  for (mesh = gltf->meshes; mesh < end; mesh++)
    write_numbers(stream, mesh->normals, mesh->normals ? 3 * (size_t)mesh->vertex_count : 0);
  for (mesh = gltf->meshes; mesh < end; mesh++)
    for (int i = 0; mesh->tones && i < mesh->vertex_count; i++)
      write_whole(stream, 0xff000000 | mesh->tones[i] * UINT32_C(0x010101));
  for (mesh = gltf->meshes; mesh < end; mesh++)
    for (int i = 0; i < mesh->index_count; i++)
      write_whole(stream, mesh->indices[i]);
}

static void write_frames(const rgGltf* gltf, FILE* stream) {
  write_numbers(stream, gltf->times, (size_t)gltf->frame_count);
  for (int i = 0; i < gltf->body_count; i++) {
    if (!gltf->bodies[i].moves)
      continue;
    for (int frame = 0; frame < gltf->frame_count; frame++)
      write_numbers(stream, frame_at(gltf, frame) + (size_t)i * RG_GLTF_POSE, 3);
    for (int frame = 0; frame < gltf->frame_count; frame++)
      write_numbers(stream, frame_at(gltf, frame) + (size_t)i * RG_GLTF_POSE + 3, 4);
  }
  for (int i = 0; i < gltf->body_count; i++) {
    if (!rg_gltf_vanishes(gltf, i))
      continue;
    const float start = gltf->times[0], end = gltf->times[gltf->bodies[i].there];
    const float values[VANISHING] = {start, end, 1, 1, 1, 0, 0, 0};
    write_numbers(stream, values, VANISHING);
  }
}

static void write_file(const rgGltf* gltf, const rgGltfLayout* layout, const char* json,
                       size_t length, FILE* stream) {
  uint32_t first = (uint32_t)length, second = (uint32_t)layout->size;
  write_whole(stream, MAGIC);
  write_whole(stream, VERSION);
  write_whole(stream, 12 + 8 + first + (second ? 8 + second : 0));
  write_whole(stream, first);
  write_whole(stream, CHUNK_JSON);
  fwrite(json, 1, length, stream);
  if (second == 0)
    return;
  write_whole(stream, second);
  write_whole(stream, CHUNK_BINARY);
  write_meshes(gltf, stream);
  if (layout->frames.size > 0)
    write_frames(gltf, stream);
}

static rgStatus finish(rgGltf* gltf, rgMessage* message) {
  find_moving(gltf);
  rgGltfLayout layout = rg_gltf_layout(gltf);
  size_t length = 0;
  const char* json = rg_gltf_json(gltf, &layout, &length);
  if (!json)
    return fail_memory(gltf->path, message);
  if (layout.size + length + 64 > SIZE_MAX_FILE)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s: more than the 4 GB that a .glb file can hold", gltf->path);
  write_file(gltf, &layout, json, length, rg_output_stream(gltf->output));
  rgOutput* output = gltf->output;
  gltf->output = NULL;
  return rg_output_commit(output, message);
}

rgStatus rg_gltf_close(rgGltf* gltf, rgMessage* message) {
  rgStatus status = gltf->frame_count > 0 ? finish(gltf, message) : RG_OK;
  rg_gltf_abandon(gltf);
  return status;
}
