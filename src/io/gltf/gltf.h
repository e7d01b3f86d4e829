// gltf.h - a run as a file of glTF 2.0 (binary, .glb), for programs that show and render scenes.
//
// A node for each body, with a node below it for each of its shapes; equal shapes have one mesh. An
// animation has the places of the bodies that move. Numbers are of single precision, as the format
// wants them. Its y axis is up: the node above all bodies turns worlds in space, whose z is up. The
// file (Khronos Group 2021, glTF 2.0 specification) is a header, a chunk of JSON that says what there
// is, and a chunk of numbers.
#ifndef IO_GLTF_GLTF_H
#define IO_GLTF_GLTF_H

#include "base/pool.h"
#include "io/text/output.h"
#include <rigor/view.h>

typedef struct rgGltfMesh {
  uint64_t key;      // hash of its corners, where it has no normals
  double ratio;      // where it has: half length over radius of a capsule; negative: a cylinder
  float* positions;  // [m] three per vertex
  float* normals;    // likewise; NULL: triangles have normals of their own
  uint8_t* tones;    // of the colour of each vertex, 255 = as it is; NULL without normals
  uint32_t* indices; // three vertices per triangle; NULL: each three in a row are one
  int vertex_count, index_count;
  int accessor; // the first of this mesh in the file
} rgGltfMesh;

// A shape of a body: a mesh, scaled and placed in the frame of the body.
typedef struct rgGltfPart {
  int body, mesh;
  int next; // part of the body, -1: none
  rgPose pose;
  rgVec3 scale;
} rgGltfPart;

typedef struct rgGltfBody {
  rgBodyId id;
  const char* name;
  int color;      // of rg_gltf_colors
  int first_part; // -1: none
  int there;      // frames until it was removed
  bool moves;     // known at the end
} rgGltfBody;

enum { RG_GLTF_POSE = 7, RG_GLTF_COLORS = 10 }; // numbers of a pose: x y z, x y z w

typedef struct rgGltf {
  rgPool pool;
  rgOutput* output;
  const char* path;
  bool flat; // a world of dimension 2
  rgGltfBody* bodies;
  int body_count;
  rgGltfPart* parts;
  int part_count;
  rgGltfMesh* meshes;
  int mesh_count, mesh_capacity;
  float* times; // [s] of the frames
  float* poses; // of all bodies of the first frame, then of the second, ...
  int frame_count, time_capacity, pose_capacity;
  rgVec3* scratch;
  int scratch_capacity;
} rgGltf;

// Opens a file for the bodies that are in the world now, as they look now.
rgStatus rg_gltf_open(const char* path, const rgWorld* world, const rgAllocator* allocator,
                      rgGltf** gltf, rgMessage* message);
// Adds a frame: poses of all these bodies, in their order; a position that is not finite says that the
// body was removed. Of two times that are the same number in single precision the later frame is kept.
rgStatus rg_gltf_append(rgGltf* gltf, double time, const rgPose* poses, rgMessage* message);
// Writes the file and frees `gltf`. Without any frame nothing is written.
rgStatus rg_gltf_close(rgGltf* gltf, rgMessage* message);
void rg_gltf_abandon(rgGltf* gltf); // writes nothing and frees it

// --- inside --------------------------------------------------------------------------------------

extern const uint32_t rg_gltf_colors[RG_GLTF_COLORS]; // 0xRRGGBB

// Fills parts and meshes; false when memory ran out.
bool rg_gltf_shapes(rgGltf* gltf, const rgWorld* world);

// Whether a body was removed between two frames; whether anything changes in the run, at its end.
bool rg_gltf_vanishes(const rgGltf* gltf, int body);
bool rg_gltf_is_animated(const rgGltf* gltf);

// Where the numbers of one kind are in the second chunk [bytes].
typedef struct rgGltfBlock {
  uint64_t start, size;
} rgGltfBlock;
typedef struct rgGltfLayout {
  rgGltfBlock positions, normals, tones, indices, frames;
  uint64_t size; // of all
} rgGltfLayout;
rgGltfLayout rg_gltf_layout(const rgGltf* gltf);
// The first chunk, from the pool; NULL when memory ran out.
char* rg_gltf_json(rgGltf* gltf, const rgGltfLayout* layout, size_t* length);

#endif
